import fs from 'node:fs';
import path from 'node:path';
import { HOUSE, instinct, ODD_TASK, PAID_MAIL, reversal, settings, signal, task, weak } from '../support/notes.ts';
import { namesIn } from '../support/placed.ts';
import type { DriverProgram } from './bundle.ts';
import { run } from './driver.ts';
import { SERVER, serverText } from './fetching.ts';
import type { Arrival, Job, Report } from './job.ts';
import { makeMarkKey, meetAnew } from './marks.ts';
import { Driver, pointsOf } from './strace.ts';

/** One kind of work to walk: the vault it starts from, and what is asked of it. */
export interface Scene {
  readonly name: string;
  readonly op: Job['op'];
  /** The work that comes first, complete and undisturbed. */
  readonly first?: Job['op'];
  /** The beginning of the name of the event note that the work is about. */
  readonly event?: string;
  readonly files: Readonly<Record<string, string>>;
  /** A file dropped after the first work; `EVENT` stands for the event's name. */
  readonly dropped?: Readonly<Record<string, string>>;
  /** What arrives in the vault while the daemon of this scene runs. */
  readonly arrivals?: readonly Arrival[];
  /** The scene begins where the first work was killed: before the first call that this matches. */
  readonly killedAt?: RegExp;
}

const HOME = {
  ...HOUSE,
  'steward.md': settings({ settle_seconds: 0, default_schedule: 'every 30m' }),
  'task/pay.md': ODD_TASK,
  'instinct/mail.md': instinct('mail'),
};
// A daemon ticks by the clock, and no tick of its own may fall into the walk.
const SELDOM = '0 5 29 2 *';
const STRONG = { ...HOME, 'signal/s1.md': signal() };
const WEAK = {
  ...HOME,
  'signal/w1.md': weak(),
  'signal/w2.md': weak({ source_type: 'slack', source_event_path: 'stream/x.json', effect_confidence: 0.7 }),
};

// The signals of several mails would come one after the other: only one of these gives one.
const BOX = { ...HOME, 'stream/mail/box.mbox': mailbox('The sun shines', '[[pay]] has been paid', 'It rains again') };

const FETCHED = { ...HOME, 'source/inbox.md': '---\nkind: imap\n---\n', [SERVER]: serverText() };

export const SCENES: readonly Scene[] = [
  { name: 'apply', op: 'tick', files: STRONG },
  { name: 'propose', op: 'tick', files: WEAK },
  // Found without a signal: put to the person once, whatever happens.
  { name: 'notice', op: 'tick', files: { ...HOME, 'task/late.md': task({ due: '2020-01-01' }) } },
  { name: 'undo', op: 'undo', first: 'tick', event: 'signal-action-2', files: STRONG },
  { name: 'confirm', op: 'confirm', first: 'tick', event: 'steward-action-2', files: WEAK },
  // A dismissal is taken back: the proposal waits again, with its flag, its signals and its lesson, or not at all.
  {
    name: 'undo of a dismissal',
    op: 'undo',
    first: 'dismiss all',
    event: 'steward-action-dismissed-',
    files: WEAK,
  },
  { name: 'dismiss', op: 'dismiss', first: 'tick', event: 'steward-action-2', files: WEAK },
  {
    name: 'dropped reversal',
    op: 'dropped',
    first: 'tick',
    event: 'signal-action-2',
    files: STRONG,
    dropped: { 'event/signal-action-reversed-mine.md': reversal('[[EVENT]]') },
  },
  { name: 'stream', op: 'stream', files: { ...HOME, 'stream/mail/paid.eml': PAID_MAIL } },
  // Three mails in one file, read in a process of its own: whatever happens, each is read once.
  { name: 'mailbox', op: 'stream', files: BOX },
  // Three mails of a source that is asked: each is there once, and read once.
  { name: 'fetch', op: 'fetch', files: FETCHED },
  // The same, and none of them stays (`keep: quote`).
  { name: 'fetch to read', op: 'fetch to read', files: FETCHED },
  { name: 'recovery', op: 'recover', first: 'tick', killedAt: /^link.*\/event\//, files: STRONG },
  {
    name: 'daemon',
    op: 'daemon',
    files: { ...HOME, 'steward.md': settings({ settle_seconds: 0, default_schedule: SELDOM }) },
    arrivals: [{ file: 'signal/s1.md', text: signal() }],
  },
  {
    name: 'settings reload',
    op: 'daemon',
    files: { ...HOME, 'steward.md': settings({ mode: 'shadow', settle_seconds: 0, default_schedule: SELDOM }) },
    arrivals: [
      { file: 'steward.md', text: settings({ mode: 'live', settle_seconds: 0, default_schedule: '0 6 29 2 *' }) },
      { file: 'signal/s1.md', text: signal() },
    ],
  },
];

/** A vault ready for a scene's work, copied for every point that is tried. */
export interface Stage {
  readonly scene: Scene;
  readonly root: string;
  readonly event: string | undefined;
}

/**
 * Prepares a vault for a scene. `bundle`: the driver that is killed, where the scene begins so. `work`: what does the
 * first work; this version, where it is absent.
 */
export async function prepareStage(
  scene: Scene,
  root: string,
  bundle: DriverProgram | null = null,
  work: (job: Job) => Promise<Report> = run,
): Promise<Stage> {
  for (const [file, text] of Object.entries(scene.files)) put(root, file, text);
  makeMarkKey(root);
  if (scene.killedAt !== undefined) return killedStage(scene, root, scene.killedAt, bundle);
  if (scene.first !== undefined) demandDone(await work({ root, op: scene.first, exchange: true }));
  const event = scene.event === undefined ? undefined : eventNamed(root, scene.event);
  for (const [file, text] of Object.entries(scene.dropped ?? {})) put(root, file, text.replace('EVENT', event ?? ''));
  // What the first work kept for the undo window does not belong to the scene.
  fs.rmSync(path.join(root, '.steward/history'), { recursive: true, force: true });
  const state = path.join(root, '.steward/state');
  for (const file of fs.existsSync(state) ? fs.readdirSync(state) : []) {
    // Without its identity the vault would take its own notes for another's.
    if (file !== 'identity.json') fs.rmSync(path.join(state, file), { recursive: true });
  }
  makeFolders(root);
  return { scene, root, event };
}

async function killedStage(scene: Scene, root: string, at: RegExp, bundle: DriverProgram | null): Promise<Stage> {
  if (bundle === null || scene.first === undefined) throw new Error('a stage that is killed needs work and a driver');
  makeFolders(root);
  const [whole, job] = [`${root}.whole`, { root, op: scene.first, exchange: true }];
  copyOf({ root }, whole);
  const { changing } = await pointsOf(bundle, { ...job, root: whole });
  const point = changing.find(({ about }) => at.test(about));
  if (point === undefined) throw new Error(`there is no call like ${at}`);
  const driver = new Driver(bundle);
  const answer = await driver.run(job, { point, error: null });
  await driver.close();
  if (answer !== null) throw new Error(`not killed at ${point.about}`);
  return { scene, root, event: undefined };
}

function makeFolders(root: string): void {
  for (const folder of ['journal', 'state', 'cache', 'tmp', 'history']) {
    fs.mkdirSync(path.join(root, '.steward', folder), { recursive: true });
  }
}

/** Returns the work of a stage as a job on a copy of it. */
export function jobOn(stage: Stage, root: string, more: Partial<Job> = {}): Job {
  const { op, arrivals } = stage.scene;
  return {
    root,
    op,
    exchange: true,
    ...(stage.event === undefined ? {} : { event: stage.event }),
    ...(arrivals === undefined ? {} : { arrivals }),
    ...more,
  };
}

export function copyOf({ root }: { readonly root: string }, to: string): void {
  fs.rmSync(to, { recursive: true, force: true });
  fs.cpSync(root, to, { recursive: true, preserveTimestamps: true });
  relink(root, to);
  meetAnew(to);
}

// Copying two names of one file would make two files.
function relink(root: string, to: string): void {
  const first = new Map<number, string>();
  for (const file of fs.readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const stat = fs.lstatSync(path.join(root, file));
    if (!stat.isFile() || stat.nlink === 1) continue;
    const other = first.get(stat.ino);
    first.set(stat.ino, other ?? file);
    if (other === undefined) continue;
    fs.rmSync(path.join(to, file));
    fs.linkSync(path.join(to, other), path.join(to, file));
  }
}

function put(root: string, file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
  const hourAgo = new Date(Date.now() - 3_600_000);
  fs.utimesSync(path.join(root, file), hourAgo, hourAgo);
}

function eventNamed(root: string, beginning: string): string {
  const found = namesIn(root, 'event').filter((name) => name.startsWith(beginning));
  if (found[0] === undefined || found.length !== 1) throw new Error(`no one event ${beginning}: ${found.join(', ')}`);
  return found[0].slice(0, -'.md'.length);
}

function demandDone(report: Report): void {
  if (!report.ok) throw new Error(`the stage could not be prepared: ${report.message}`);
}

function mailbox(...said: readonly string[]): string {
  const mails = said.map((text, nth) =>
    PAID_MAIL.replace('<1@', `<${nth}@`).replace('[[pay]] has been paid', text).replace('[[pay]] your', 'Your'),
  );
  return mails.map((mail) => `From - Mon Nov 20 09:00:00 2034\r\n${mail}\r\n`).join('');
}
