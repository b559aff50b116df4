import { parseArgs } from 'node:util';
import { isShareable, NEWS_MS } from '../../src/steward/schedule.ts';
import { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
import { MatterClock } from './matter-clock.ts';
import { DAY, type InventedVault, inventVault, ZONES } from './traffic.ts';

/*
 * `npm run fleet:simulate`: steps invented vaults through days by Steward's own schedule code, counts the last day, and prints three
 * numbers: how often a vault wakes, how many wake in the fullest second, and how long the last of these waits.
 */
const HELP = `npm run fleet:simulate -- [--vaults N] [--seed N] [--slack MINUTES] [--json]
  --vaults N   how many vaults (10000)
  --seed N     other vaults and other traffic (1)
  --slack M    so late a tick may be whose period is an hour and more (15)`;
/** A Monday, in UTC. */
const COUNTED = Date.UTC(2026, 2, 2);
/** Quiet matters and tasks keep their slowest pace after about four days. */
const WARM_UP_DAYS = 5;
/** As `visit` in `src/daemon/daemon.ts`: what is due so soon is waited for, up to a minute in all. */
const WORK_MS = 150;
const SOON_MS = 45_000;
const PATIENCE_MS = 60_000;
/** An edited note is read when it has kept still for three times the settle window. */
const RESTS_MS = 3 * DEFAULT_SETTINGS.settle_seconds * 1_000;
const SECONDS = 86_400;

type Cause = 'mail' | 'edit' | 'cron' | 'date' | 'period' | 'poll' | 'rest' | 'housekeeping';
interface Wake {
  readonly at: number;
  readonly cause: Cause;
}

/** Yields when a vault wakes, and why. Time is that of the traffic. */
function* wakesOf(vault: InventedVault, from: number, to: number, slackMs: number): Generator<Wake> {
  const { matters, pollMs, nudges } = vault;
  const clocks = matters.map((matter) => new MatterClock(matter, from));
  const coming = [...nudges];
  let later: number[] = []; // when edits have come to rest, and news is evaluated
  let poll = pollMs === null ? null : from + (pollMs * ((matters.length * 7_919) % 1_000)) / 1_000;
  let tidy = from + DAY;

  const first = (): Wake => {
    let wake: Wake = { at: tidy, cause: 'housekeeping' };
    const offer = (at: number | null | undefined, cause: Cause) => {
      if (at != null && at < wake.at) wake = { at, cause };
    };
    for (const { next } of clocks) {
      const { at, every, cadence } = next;
      const cause = cadence.kind === 'cron' ? 'cron' : every === null ? 'date' : 'period';
      offer(at === null ? null : isShareable(every) ? at + slackMs : at, cause);
    }
    offer(poll, 'poll');
    offer(later.length === 0 ? null : Math.min(...later), 'rest');
    offer(coming[0]?.at, coming[0]?.kind ?? 'mail');
    return wake;
  };

  const doDue = (now: number) => {
    while (coming[0] !== undefined && coming[0].at <= now) {
      const nudge = coming.shift();
      if (nudge?.kind === 'edit') later.push(now + RESTS_MS);
      else if (nudge?.about && clocks[nudge.about.matter]?.hear(nudge.about.task, now)) later.push(now + NEWS_MS);
    }
    later = later.filter((at) => at > now);
    if (poll !== null && pollMs !== null && poll <= now) poll = now + pollMs;
    for (const clock of clocks) if (clock.next.at !== null && clock.next.at <= now) clock.tick(now);
    tidy = now + DAY;
  };

  for (let wake = first(); wake.at < to; wake = first()) {
    yield wake;
    let at = wake.at;
    doDue(at);
    for (let next = first().at; next <= Math.min(at + WORK_MS + SOON_MS, wake.at + PATIENCE_MS); next = first().at) {
      at = Math.max(at, next);
      doDue(at);
    }
  }
}

/** Returns how long (s) the last wake waits if so many are served in a second, first come first served. */
function longestWait(seconds: Uint32Array, perSecond: number): number {
  let [left, longest] = [0, 0];
  for (let nth = 0; nth < 2 * seconds.length; nth += 1) {
    left += seconds[nth % seconds.length] ?? 0;
    longest = Math.max(longest, left / perSecond);
    left = Math.max(0, left - perSecond);
  }
  return longest;
}

function simulate(vaults: number, seed: number, slackMs: number) {
  const [from, to] = [COUNTED - WARM_UP_DAYS * DAY, COUNTED + DAY];
  const seconds = new Uint32Array(SECONDS);
  const causes: Partial<Record<Cause, number>> = {};
  const kinds: Record<InventedVault['liveliness'], { vaults: number; wakes: number }> = {
    dormant: { vaults: 0, wakes: 0 },
    light: { vaults: 0, wakes: 0 },
    busy: { vaults: 0, wakes: 0 },
  };
  let nth = 0;
  let share = 0;
  for (const [weight, zone] of ZONES) {
    share += weight / 100;
    process.env.TZ = zone; // from here on, dates are of this zone
    for (; nth < Math.round(share * vaults); nth += 1) {
      const vault = inventVault(seed, nth, from, to);
      const kind = kinds[vault.liveliness];
      kind.vaults += 1;
      for (const { at, cause } of wakesOf(vault, from, to, slackMs)) {
        if (at < COUNTED) continue;
        const second = Math.floor((at - COUNTED) / 1_000);
        seconds[second] = (seconds[second] ?? 0) + 1;
        causes[cause] = (causes[cause] ?? 0) + 1;
        kind.wakes += 1;
      }
    }
  }
  const wakes = seconds.reduce((sum, one) => sum + one, 0);
  const fullest = seconds.reduce((most, one) => Math.max(most, one), 0);
  const each = (count: number) => Math.round((count / vaults) * 10) / 10;
  return {
    vaults,
    wakes_a_vault: each(wakes),
    by_cause: Object.fromEntries(Object.entries(causes).map(([cause, count]) => [cause, each(count)])),
    by_kind: Object.fromEntries(
      Object.entries(kinds).map(([name, one]) => [name, Math.round((one.wakes / one.vaults) * 10) / 10]),
    ),
    wakes_a_second: Math.round((wakes / SECONDS) * 100) / 100,
    fullest_second: fullest,
    fullest_at: new Date(seconds.indexOf(fullest) * 1_000).toISOString().slice(11, 19),
    longest_wait_at_twice_the_average_s: Math.round(longestWait(seconds, (2 * wakes) / SECONDS)),
  };
}

const { values } = parseArgs({
  options: {
    vaults: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    slack: { type: 'string', default: '15' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
const [vaults, seed, slack] = [values.vaults, values.seed, values.slack].map(Number);
if (values.help === true) console.log(HELP);
else if (![vaults, seed, slack].every((one) => Number.isInteger(one) && Number(one) >= 0) || !vaults) {
  console.error(HELP);
  process.exitCode = 2;
} else {
  const figures = simulate(vaults, seed ?? 1, (slack ?? 0) * 60_000);
  if (values.json === true) console.log(JSON.stringify({ schemaVersion: 1, ...figures }));
  else console.table(figures);
}
