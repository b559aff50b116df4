import fs from 'node:fs';
import path from 'node:path';
import { HOUSE, instinct, ODD_TASK, reversal, settings, signal, weak } from '../support/notes.ts';
import { run } from './driver.ts';
import type { Job } from './job.ts';

/** One kind of work that is walked: a vault made ready for it, and what is asked. */
export interface Scene {
  readonly name: string;
  readonly op: Job['op'];
  /** The work that comes before, whole and undisturbed. */
  readonly first?: Job['op'];
  /** Which event note the work is about, by the beginning of its name. */
  readonly event?: string;
  readonly files: Readonly<Record<string, string>>;
  /** A file dropped after the first work; `EVENT` stands for the event's name. */
  readonly dropped?: Readonly<Record<string, string>>;
}

const HOME = {
  ...HOUSE,
  'steward.md': settings({ settle_seconds: 0, default_schedule: 'every 30m' }),
  'task/pay.md': ODD_TASK,
  'instinct/mail.md': instinct('mail'),
};
const STRONG = { ...HOME, 'signal/s1.md': signal() };
const WEAK = {
  ...HOME,
  'signal/w1.md': weak(),
  'signal/w2.md': weak({ source_type: 'slack', source_event_path: 'stream/x.json', effect_confidence: 0.7 }),
};
const MAIL = [
  'From: Roof & Sons <billing@roof.example>',
  'To: robin@sample.example',
  'Subject: [[pay]] your payment',
  'Date: Sat, 21 Nov 2026 20:19:54 +0000',
  'Message-ID: <1@roof.example>',
  '',
  'Hello Robin, [[pay]] has been paid. Thank you.',
  '',
].join('\r\n');

export const SCENES: readonly Scene[] = [
  { name: 'apply', op: 'tick', files: STRONG },
  { name: 'propose', op: 'tick', files: WEAK },
  { name: 'undo', op: 'undo', first: 'tick', event: 'signal-action-2', files: STRONG },
  { name: 'confirm', op: 'confirm', first: 'tick', event: 'steward-action-2', files: WEAK },
  { name: 'dismiss', op: 'dismiss', first: 'tick', event: 'steward-action-2', files: WEAK },
  {
    name: 'dropped reversal',
    op: 'dropped',
    first: 'tick',
    event: 'signal-action-2',
    files: STRONG,
    dropped: { 'event/signal-action-reversed-mine.md': reversal('[[EVENT]]') },
  },
  { name: 'stream', op: 'stream', files: { ...HOME, 'stream/mail/paid.eml': MAIL } },
];

/** A vault ready for a scene's work, to be copied for every point that is tried. */
export interface Stage {
  readonly scene: Scene;
  readonly root: string;
  readonly event: string | undefined;
}

export async function prepareStage(scene: Scene, root: string): Promise<Stage> {
  for (const [file, text] of Object.entries(scene.files)) put(root, file, text);
  if (scene.first !== undefined) demandDone(await run({ root, op: scene.first, exchange: true }));
  const event = scene.event === undefined ? undefined : eventNamed(root, scene.event);
  for (const [file, text] of Object.entries(scene.dropped ?? {})) put(root, file, text.replace('EVENT', event ?? ''));
  // What the first work left for the undo window is no part of what is looked at.
  fs.rmSync(path.join(root, '.steward/history'), { recursive: true, force: true });
  fs.rmSync(path.join(root, '.steward/state'), { recursive: true, force: true });
  for (const folder of ['journal', 'state', 'cache', 'tmp', 'history']) {
    fs.mkdirSync(path.join(root, '.steward', folder), { recursive: true });
  }
  return { scene, root, event };
}

/** The work of a stage, as a job on a copy of it. */
export function jobOn(stage: Stage, root: string, more: Partial<Job> = {}): Job {
  const { op } = stage.scene;
  return { root, op, exchange: true, ...(stage.event === undefined ? {} : { event: stage.event }), ...more };
}

export function copyOf(stage: Stage, root: string): void {
  fs.rmSync(root, { recursive: true, force: true });
  fs.cpSync(stage.root, root, { recursive: true, preserveTimestamps: true });
}

function put(root: string, file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
  const hourAgo = new Date(Date.now() - 3_600_000);
  fs.utimesSync(path.join(root, file), hourAgo, hourAgo);
}

function eventNamed(root: string, beginning: string): string {
  const found = fs.readdirSync(path.join(root, 'event')).filter((name) => name.startsWith(beginning));
  if (found[0] === undefined || found.length !== 1) throw new Error(`no one event ${beginning}: ${found.join(', ')}`);
  return found[0].slice(0, -'.md'.length);
}

function demandDone(report: Awaited<ReturnType<typeof run>>): void {
  if (!report.ok) throw new Error(`the stage could not be prepared: ${report.message}`);
}
