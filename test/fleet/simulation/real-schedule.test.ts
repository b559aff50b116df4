import { expect, test } from 'vitest';
import { MatterClock } from '../../../fleet/simulation/matter-clock.ts';
import type { InventedMatter } from '../../../fleet/simulation/traffic.ts';
import { parseSchedule, type TaskTimes } from '../../../src/steward/schedule.ts';
import { Clock, DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { matter, settings, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TEST_IDENTITY, TempVault } from '../../support/temp-vault.ts';

/** When a matter ticked, or let a tick go by (epoch ms). */
type Moments = number[];

const NORMAL: TaskTimes = {
  state: 'open',
  surface_class: 'normal',
  due: null,
  snoozed_until: null,
  next_check_after: null,
};
const VAULT: string = JSON.parse(TEST_IDENTITY).id;
const START = Clock.atNoon().now();
const at = (ms: number) => new Date(Math.round((START + ms) / 1000) * 1000).toISOString().slice(0, 19);

/** The matters of the vault: their schedule, their surface and their tasks. */
const MATTERS = {
  quiet: { schedule: null, surface: 'normal', tasks: {} },
  house: {
    schedule: null,
    surface: 'normal',
    tasks: {
      deposit: { ...NORMAL, surface_class: 'high' },
      loan: { ...NORMAL, due: `${at(40 * HOUR)}Z` },
      roof: { ...NORMAL, state: 'snoozed', snoozed_until: `${at(17.2 * HOUR)}Z` },
    },
  },
  taxes: {
    schedule: null,
    surface: 'normal',
    tasks: {
      receipts: { ...NORMAL, due: at(-3 * DAY).slice(0, 10) },
      form: { ...NORMAL, next_check_after: `${at(9.1 * HOUR)}Z` },
      paid: { ...NORMAL, state: 'done' },
    },
  },
  garden: { schedule: 'every 2h', surface: 'normal', tasks: { hedge: NORMAL } },
  club: { schedule: '0 15 * * *', surface: 'normal', tasks: { minutes: { ...NORMAL, surface_class: 'high' } } },
  attic: { schedule: null, surface: 'none', tasks: { boxes: { ...NORMAL, surface_class: 'none' } } },
} satisfies Record<string, { schedule: string | null; surface: 'normal' | 'none'; tasks: Record<string, TaskTimes> }>;
type Name = keyof typeof MATTERS;
const NAMES = ['quiet', 'house', 'taxes', 'garden', 'club', 'attic'] as const satisfies readonly Name[];

/** Signals that come for tasks while it runs. */
const SIGNALS: readonly { readonly after: number; readonly name: Name; readonly task: string; readonly nth: number }[] =
  [
    { after: 13.4 * HOUR, name: 'garden', task: 'hedge', nth: 0 },
    { after: 20.37 * HOUR, name: 'house', task: 'loan', nth: 1 },
    { after: 26.3 * HOUR, name: 'attic', task: 'boxes', nth: 0 },
    { after: 31.21 * HOUR, name: 'taxes', task: 'form', nth: 1 },
  ];
const NEVER = Number.POSITIVE_INFINITY;
const SPANS = { resident: 46 * HOUR, visited: 24 * HOUR };

test('matters of a real daemon tick at the moments at which the simulation lets them tick', async () => {
  const real = await ticked(SPANS.resident, NEVER);
  expectSame(real, simulated(SPANS.resident));
  expect(NAMES.filter((name) => real[name].length === 0)).toEqual([]);
});

test('so do those of a vault for which a daemon starts each time', async () => {
  expectSame(await ticked(SPANS.visited, 9.5 * HOUR), simulated(SPANS.visited));
});

/** A real daemon, taken from one firing to the next. `visitedAfter`: so late, it is started for each of them. */
async function ticked(span: number, visitedAfter: number) {
  const clock = new Clock();
  clock.move(START - clock.now());
  const vault = new TempVault(notes());
  const moments = none();
  const signals = [...SIGNALS];
  let running = await Running.start(vault, { clock });
  for (let next = START; next <= START + span; ) {
    await running.daemon.wake();
    await running.daemon.idle();
    for (const happening of running.happenings.splice(0)) {
      const name = happening.what === 'ticked' ? NAMES.find((one) => happening.name === `steward-${one}`) : undefined;
      if (name !== undefined) moments[name].push(clock.now());
    }
    const nexts = running.daemon.status().schedules.flatMap(({ next: at }) => (at === null ? [] : Date.parse(`${at}`)));
    const signalAt = START + (signals[0]?.after ?? NEVER);
    next = Math.min(signalAt, ...nexts, running.daemon.next() ?? NEVER);
    // A visit waits for what is due soon.
    const isVisited = next >= START + visitedAfter && next - clock.now() > 45 * SECOND;
    if (isVisited) await running.stop();
    clock.move(Math.max(0, next - clock.now()));
    if (next === signalAt) {
      const signal = signals.shift();
      vault.write(`signal/${signal?.name}.md`, weak({ target_path: `task/${signal?.task}.md` }));
    }
    if (isVisited) running = await Running.start(vault, { clock });
  }
  return moments;
}

function simulated(ms: number): Record<Name, Moments> {
  const moments = none();
  const matters = NAMES.map((name) => ({ name, clock: new MatterClock(invented(name), START) }));
  const signals = [...SIGNALS];
  for (;;) {
    const signalAt = START + (signals[0]?.after ?? NEVER);
    const now = Math.min(signalAt, ...matters.map(({ clock }) => clock.next.at ?? NEVER));
    if (now > START + ms) return moments;
    const signal = now === signalAt ? signals.shift() : undefined;
    for (const { name, clock } of matters) {
      if (signal?.name === name) clock.hear(signal.nth, now);
      if (clock.next.at === null || clock.next.at > now) continue;
      clock.tick(now);
      moments[name].push(now);
    }
  }
}

function invented(name: Name): InventedMatter {
  const { schedule, surface, tasks } = MATTERS[name];
  const parsed = parseSchedule(schedule ?? 'every 30m');
  if (!parsed.ok) throw new Error(parsed.reason);
  const pace = { vault: VAULT, slug: name, cadence: parsed.cadence, source: '', backsOff: schedule === null };
  const listed = Object.entries<TaskTimes>(tasks).map(([task, times]) => ({ name: task, times }));
  const times = { surface_class: surface, next_check_after: null };
  return { pace, times, tasks: listed };
}

function notes(): Record<string, string> {
  const files: Record<string, string> = {
    'steward.md': settings({ default_schedule: 'every 30m' }),
  };
  for (const name of NAMES) {
    const { schedule, surface, tasks } = MATTERS[name];
    const written = schedule === null ? {} : { steward_schedule: schedule };
    files[`matter/${name}.md`] = matter({ surface_class: surface, ...written });
    for (const [one, times] of Object.entries<TaskTimes>(tasks)) {
      const fields = Object.fromEntries(Object.entries(times).filter(([, value]) => value !== null));
      files[`task/${one}.md`] = task({ ...fields, parent_matter: `[[${name}]]` });
    }
  }
  return files;
}

function none(): Record<Name, Moments> {
  return { quiet: [], house: [], taxes: [], garden: [], club: [], attic: [] };
}

// The real one takes a little time for each, which adds up.
function expectSame(real: Record<Name, Moments>, invented: Record<Name, Moments>): void {
  for (const name of NAMES) {
    const expected = invented[name];
    const near = real[name].map((moment, nth) => {
      const other = expected[nth] ?? 0;
      return Math.abs(moment - other) < 25 * SECOND ? other : moment;
    });
    expect.soft(near.map(minutes), name).toEqual(expected.map(minutes));
  }
}

function minutes(moment: number): number {
  return (moment - START) / MINUTE;
}
