import { parseArgs } from 'node:util';
import { isShareable, NEWS_MS } from '../../src/steward/schedule.ts';
import { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
import { MatterClock } from './matter-clock.ts';
import { DAY, type InventedVault, inventVault, ZONES } from './traffic.ts';

/*
 * `npm run fleet:simulate`: steps invented vaults through days by Steward's own schedule code, counts the last day, and prints three
 * numbers: how often a vault wakes, how many wake in the fullest second, and how long the last of these waits.
 */
const HELP = `npm run fleet:simulate -- [--vaults N] [--slack MINUTES]
  --vaults N   how many vaults (10000)
  --slack M    by how many minutes a tick with a period of an hour or more may be late (15)`;
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
const SECONDS = DAY / 1_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Yields when a vault wakes. Time is that of the traffic. */
function* wakesOf(vault: InventedVault, from: number, to: number, slackMs: number): Generator<number> {
  const { matters, pollMs, nudges } = vault;
  const clocks = matters.map((matter) => new MatterClock(matter, from));
  const coming = [...nudges];
  let later: number[] = []; // when edits have come to rest, and news is evaluated
  let poll = pollMs === null ? null : from + (pollMs * ((matters.length * 7_919) % 1_000)) / 1_000;

  const first = () => {
    const ticks = clocks.map(({ next: { at, every } }) =>
      at === null ? NEVER : at + (isShareable(every) ? slackMs : 0),
    );
    return Math.min(...ticks, ...later, poll ?? NEVER, coming[0]?.at ?? NEVER);
  };

  const doDue = (now: number) => {
    while (coming[0] !== undefined && coming[0].at <= now) {
      const about = coming.shift()?.about;
      if (about === 'edit') later.push(now + RESTS_MS);
      else if (about && clocks[about.matter]?.hear(about.task, now)) later.push(now + NEWS_MS);
    }
    later = later.filter((at) => at > now);
    if (poll !== null && pollMs !== null && poll <= now) poll = now + pollMs;
    for (const clock of clocks) if (clock.next.at !== null && clock.next.at <= now) clock.tick(now);
  };

  for (let wake = first(); wake < to; wake = first()) {
    yield wake;
    doDue(wake);
    let at = wake;
    for (let next = first(); next <= Math.min(at + WORK_MS + SOON_MS, wake + PATIENCE_MS); next = first()) {
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

function simulate(vaults: number, slackMs: number) {
  const [from, to] = [COUNTED - WARM_UP_DAYS * DAY, COUNTED + DAY];
  const seconds = new Uint32Array(SECONDS);
  let nth = 0;
  let share = 0;
  for (const [weight, zone] of ZONES) {
    share += weight / 100;
    process.env.TZ = zone; // from here on, dates are of this zone
    for (; nth < Math.round(share * vaults); nth += 1) {
      for (const at of wakesOf(inventVault(nth, from, to), from, to, slackMs)) {
        const second = Math.floor((at - COUNTED) / 1_000);
        if (second >= 0) seconds[second] = (seconds[second] ?? 0) + 1;
      }
    }
  }
  const wakes = seconds.reduce((sum, one) => sum + one, 0);
  const fullest = seconds.reduce((most, one) => Math.max(most, one), 0);
  return {
    vaults,
    wakes_a_vault: Math.round((wakes / vaults) * 10) / 10,
    fullest_second: fullest,
    fullest_at: new Date(seconds.indexOf(fullest) * 1_000).toISOString().slice(11, 19),
    longest_wait_at_twice_the_average_s: Math.round(longestWait(seconds, (2 * wakes) / SECONDS)),
  };
}

const option = (value: string) => ({ type: 'string', default: value }) as const;
const { values } = parseArgs({ options: { vaults: option('10000'), slack: option('15'), help: { type: 'boolean' } } });
const [vaults, slack] = [Number(values.vaults), Number(values.slack)];
if (Number.isInteger(vaults) && vaults > 0 && slack >= 0 && !values.help)
  console.table(simulate(vaults, slack * 60_000));
else {
  console.error(HELP);
  process.exitCode = 2;
}
