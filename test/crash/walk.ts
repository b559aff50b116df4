// The full walk: kills every kind of work at each of its system calls, makes each call fail, and runs ten thousand
// races of each kind. Kills the previous release too, and starts this version on what it leaves. Prints a table; exits 1
// where anything was lost.
//   node test/crash/walk.ts [--short] [races|kills|meddled|recoveries|errors|update]…
// --short: only every n-th point, as SHORT says, and nothing new begins after its minutes.
// RACES=n, EVERY=n and MINUTES=n change the figures, SCENE=name walks one scene.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DriverBundle } from './bundle.ts';
import type { Meddle } from './job.ts';
import { hasPrevious, NO_PREVIOUS, PreviousBundle } from './previous.ts';
import { KINDS, race } from './race.ts';
import { prepareStage, SCENES, type Scene } from './scenes.ts';
import { canTrace } from './strace.ts';
import { type Row, Table } from './table.ts';
import { prepareUpdate, UPDATED, walkUpdates } from './update.ts';
import { type Choice, type Walked, walkErrors, walkKills, walkRecoveries } from './walk-points.ts';

/** How many races of each kind are run, and for each part that every n-th point is walked. */
interface Figures {
  readonly races: number;
  readonly kills: number;
  readonly meddled: number;
  readonly recoveries: number;
  readonly errors: number;
  readonly update: number;
  /** Whether calls that only read are killed too. */
  readonly reading: boolean;
  readonly minutes: number;
}
const FULL: Figures = {
  races: 10_000,
  kills: 1,
  meddled: 1,
  recoveries: 1,
  errors: 1,
  update: 1,
  reading: true,
  minutes: Number.POSITIVE_INFINITY,
};
const SHORT: Figures = {
  races: 1_000,
  kills: 1,
  meddled: 7,
  recoveries: 25,
  errors: 47,
  update: 5,
  reading: false,
  minutes: 16,
};

const asked = process.argv.slice(2).filter((word) => word !== '--short');
const figures = withAsked(process.argv.includes('--short') ? SHORT : FULL);
const scenes = SCENES.filter(({ name }) => name === (process.env.SCENE ?? name));
const table = new Table(Date.now() + figures.minutes * 60_000);
const home = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'vs-walk-'));

const ERRORS = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EMFILE', 'EXDEV'];
const PATHS = [true, false];
const MEDDLES: readonly Pick<Meddle, 'when' | 'how'>[] = [
  ...(['before', 'after'] as const).flatMap((when) =>
    (['rewrite', 'rename', 'append', 'delete'] as const).map((how) => ({ when, how })),
  ),
  { when: 'late', how: 'append' },
];

const PARTS = { races, kills, meddled, recoveries, errors, update };
const traces = canTrace();
if (!traces) console.error('NO STRACE, or no leave to trace: no call is killed or made to fail, only races are run.');
const bundle = traces ? await DriverBundle.make() : null;
for (const [part, walk] of Object.entries(PARTS)) {
  if ((asked.length === 0 || asked.includes(part)) && (traces || part === 'races')) await walk();
}
bundle?.[Symbol.dispose]();
fs.rmSync(home, { recursive: true, force: true });
console.log(`\n${table.text()}`);
process.exitCode = table.bad === 0 ? 0 : 1;

async function races(): Promise<void> {
  for (const exchange of PATHS)
    for (const kind of KINDS) {
      await table.row({ part: 'races', what: `${kind}, ${pathName(exchange)}` }, async () => {
        const { yielded, inNote, kept, lost, problems } = await race(kind, exchange, figures.races, 7);
        const told = `${yielded} gave way, ${inNote} in the note, ${kept} kept, ${lost.length} lost`;
        return { tried: figures.races, hit: inNote + kept, told, findings: [...lost, ...problems] };
      });
    }
}

async function kills(): Promise<void> {
  for (const scene of scenes)
    for (const exchange of PATHS) {
      const choice: Choice = { exchange, every: figures.kills, reading: figures.reading };
      await traced('kills', `${scene.name}, ${pathName(exchange)}`, scene, choice, walkKills);
    }
}

async function meddled(): Promise<void> {
  for (const scene of scenes.filter(({ name }) => name === 'apply' || name === 'undo'))
    for (const exchange of PATHS)
      for (const how of MEDDLES) {
        const choice: Choice = { exchange, every: figures.meddled, meddle: { note: 'task/pay.md', ...how } };
        const what = `${scene.name}, ${pathName(exchange)}, ${how.how} ${how.when} the swap`;
        await traced('meddled', what, scene, choice, walkKills);
      }
}

async function recoveries(): Promise<void> {
  for (const scene of scenes)
    for (const exchange of PATHS) {
      const choice: Choice = { exchange, every: figures.recoveries };
      await traced('recoveries', `${scene.name}, ${pathName(exchange)}`, scene, choice, walkRecoveries);
    }
}

async function errors(): Promise<void> {
  for (const scene of scenes)
    for (const exchange of PATHS)
      for (const [how, more] of waysToFail(scene)) {
        const choice: Choice = { exchange, every: figures.errors, errors: ERRORS, ...more };
        await traced('errors', `${scene.name}, ${pathName(exchange)}, ${how}`, scene, choice, walkErrors);
      }
}

// A daemon whose calls all fail from some moment on has a vault that is away: test/away covers that.
function waysToFail({ op }: Scene): readonly (readonly [string, Partial<Choice>])[] {
  if (op === 'daemon') return [['once', { again: 2 }]];
  return [
    ['once', {}],
    ['once, tried again', { again: 2 }],
    ['from then on', { lasting: true }],
  ];
}

// What the previous release was doing when it was replaced.
async function update(): Promise<void> {
  if (!hasPrevious()) return console.error(NO_PREVIOUS);
  using previous = PreviousBundle.make();
  for (const scene of scenes.filter(({ name }) => UPDATED.includes(name)))
    for (const exchange of PATHS) {
      await table.row({ part: 'update', what: `${scene.name}, ${pathName(exchange)}` }, async () => {
        const root = path.join(fs.mkdtempSync(path.join(home, 'stage-')), 'vault');
        const stage = await prepareUpdate(previous, scene, root);
        const walked = await walkUpdates(previous, stage, { exchange, every: figures.update });
        fs.rmSync(path.dirname(root), { recursive: true, force: true });
        return rowOf(walked);
      });
    }
}

async function traced(
  part: string,
  what: string,
  scene: Scene,
  choice: Choice,
  walk: (...given: Parameters<typeof walkKills>) => Promise<Walked>,
): Promise<void> {
  await table.row({ part, what }, async () => {
    if (bundle === null) throw new Error('nothing is killed without a driver');
    const root = path.join(fs.mkdtempSync(path.join(home, 'stage-')), 'vault');
    const walked = await walk(bundle, await prepareStage(scene, root, bundle), choice);
    fs.rmSync(path.dirname(root), { recursive: true, force: true });
    return rowOf(walked);
  });
}

function rowOf({ tried, hit, states, clear, raw, findings }: Walked): Row {
  const distinct = states === 0 ? [] : [`${states} states of the disk`];
  const told = clear + raw.length === 0 ? [] : [`told ${clear} plainly, ${raw.length} raw`];
  const lines = findings.map(({ at, problems }) => `${at}\n      ${problems.join('\n      ')}`);
  return { tried, hit, told: [...distinct, ...told].join(', '), findings: lines };
}

function pathName(exchange: boolean): string {
  return exchange ? 'exchange' : 'rename';
}

function withAsked(given: Figures): Figures {
  const every = process.env.EVERY === undefined ? {} : everyOf(Number(process.env.EVERY));
  const { RACES: races = given.races, MINUTES: minutes = given.minutes } = process.env;
  return { ...given, ...every, races: Number(races), minutes: Number(minutes) };
}

function everyOf(every: number): Partial<Figures> {
  return { kills: every, meddled: every, recoveries: every, errors: every, update: every };
}
