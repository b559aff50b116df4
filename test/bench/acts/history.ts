import fs from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { compose } from '../../../src/daemon/compose.ts';
import type { Workspace } from '../../../src/daemon/context.ts';
import { prepare } from '../../../src/daemon/lease.ts';
import { readStream } from '../../../src/streams/read-stream.ts';
import { ownPlaces } from '../../../src/vault/layout.ts';
import { sha256 } from '../../../src/vault/note-text.ts';
import { atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved, Samples } from '../figures/samples.ts';
import { makeVault, taskPath } from '../vault.ts';
import type { Bench } from '../vaults.ts';

const NOTES = 500;
const MAX_RATIO = 1.5;
const BURST = 1_000;
const SAVED_EVERY_MS = 1_000;
const DAY = Math.floor(Date.now() / 86_400_000);

/** What a vault has behind it: events known by their identity, and files of one mail that were read. */
interface History {
  readonly events: number;
  readonly files: number;
}

/** How long a new mail takes to become a signal, and to be remembered, after a long history and after none. */
export async function measureHistory({ home, isQuick }: Bench): Promise<Row[]> {
  const rounds = 30;
  const history = isQuick ? { events: 50_000, files: 2_000 } : { events: 1_000_000, files: 20_000 };
  const long = await spaceOf(path.join(home, 'history-long'), history);
  const none = await spaceOf(path.join(home, 'history-none'), { events: 0, files: 0 });
  let nth = 0;
  const next = () => {
    nth += 1;
    return nth;
  };
  const signals = await interleaved(rounds, {
    long: () => signalled(long, next()),
    none: () => signalled(none, nth),
  });
  const flushes = await interleaved(rounds, {
    long: async () => flushed(long, next()),
    none: async () => flushed(none, nth),
  });
  const { events, files } = history;
  const behind = `after ${events.toLocaleString('en')} events and ${files.toLocaleString('en')} mails`;
  return [
    row('history', `a mail to its signal, ${behind}`, signals),
    row('history.saved', '… its memory saved', flushes),
    await burst(long, files),
  ];
}

/** The longest time for which the event loop does nothing else, while many mails come in at once. */
async function burst(space: Workspace, files: number): Promise<Row> {
  const blocks = monitorEventLoopDelay({ resolution: 1 });
  const saving = setInterval(() => save(space), SAVED_EVERY_MS);
  blocks.enable();
  for (let nth = 1; nth <= BURST; nth += 1) {
    await signalled(space, 1_000_000 + nth);
    await new Promise(setImmediate);
  }
  blocks.disable();
  clearInterval(saving);
  const [longest, usual] = [blocks.max, blocks.percentile(50)].map((nanoseconds) => nanoseconds / 1e6);
  return rowOf({
    id: 'history.block',
    what: `… the longest block while ${BURST} mails come in on top of ${files.toLocaleString('en')}`,
    measured: new Samples([longest ?? 0]),
    floor: { of: 'the usual turn', samples: new Samples([usual ?? 0]) },
  });
}

function row(id: string, what: string, { long, none }: { long: Samples; none: Samples }): Row {
  const floor = { of: 'without history', samples: none };
  return rowOf({ id, what, measured: long, floor, aim: atMostTimes(MAX_RATIO) });
}

async function spaceOf(root: string, { events, files }: History): Promise<Workspace> {
  makeVault(root, NOTES);
  prepare(ownPlaces(root));
  const state = path.join(root, '.steward/state');
  fs.mkdirSync(path.join(state, 'known'), { recursive: true });
  makeKnown(path.join(state, 'known'), events);
  makeFiles(root, files);
  const env = { ceiling: 'live' as const, confidenceThreshold: null, highConfidenceThreshold: null };
  const { space } = await compose({ root, env, now: Date.now, emit: () => {} });
  return space;
}

function makeKnown(folder: string, events: number): void {
  const parts = new Map<string, string[]>();
  for (let nth = 0; nth < events; nth += 1) {
    const key = sha256(`mail <past-${nth}@sender.example>`).slice(0, 32);
    const line = `${key} ${JSON.stringify([DAY, key, `stream/past.mbox#${key.slice(0, 12)}`, false])}`;
    const part = key.slice(0, 2);
    const lines = parts.get(part);
    if (lines === undefined) parts.set(part, [line]);
    else lines.push(line);
  }
  for (const [part, lines] of parts) fs.writeFileSync(path.join(folder, `${part}.jsonl`), `${lines.join('\n')}\n`);
}

function makeFiles(root: string, files: number): void {
  const lines: string[] = [];
  for (let nth = 0; nth < files; nth += 1) {
    const file = `stream/past-${nth}.eml`;
    fs.writeFileSync(path.join(root, file), `${nth}`);
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    const form = { size, mtimeMs, sha256: sha256(String(nth)), at: Date.now(), refused: null, tried: null };
    const read = { ...form, signals: nth % 20 === 0 ? 1 : 0, skipped: 'no news for a matter', items: null };
    lines.push(JSON.stringify([file, read]));
  }
  fs.writeFileSync(path.join(root, '.steward/state/streams-00000001.jsonl'), `${lines.join('\n')}\n`);
}

async function signalled(space: Workspace, nth: number): Promise<number> {
  const file = `stream/new-${nth}.eml`;
  const name = path.posix.basename(taskPath(nth % 200), '.md');
  const mail = `From: Sam <sam@sender.example>\nTo: me@home.example\nSubject: ${name}\nMessage-ID: <new-${nth}@sender.example>\nDate: ${new Date().toUTCString()}\n\nThe due date of [[${name}]] has moved: it is now due on ${duePlus(nth)}.\n`;
  fs.writeFileSync(path.join(space.vault.root, file), mail);
  space.vault.look([file]);
  const before = performance.now();
  const read = await readStream(space, file, new AbortController().signal);
  const took = performance.now() - before;
  if (read?.kind !== 'read' || read.signals.length === 0) throw new Error(`${file} gave no signal`);
  return took;
}

async function flushed(space: Workspace, nth: number): Promise<number> {
  await signalled(space, nth);
  const before = performance.now();
  save(space);
  return performance.now() - before;
}

function save(space: Workspace): void {
  space.ingest.known.flush();
  space.context.state.flush();
  space.ingest.trail.flush();
}

function duePlus(nth: number): string {
  return new Date(Date.now() + (30 + (nth % 300)) * 86_400_000).toISOString().slice(0, 10);
}
