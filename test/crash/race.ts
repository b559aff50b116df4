import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { undoAll } from '../../src/daemon/answers.ts';
import { type Composition, compose } from '../../src/daemon/compose.ts';
import type { Workspace } from '../../src/daemon/context.ts';
import { prepare } from '../../src/daemon/lease.ts';
import { tickAll } from '../../src/daemon/ticker.ts';
import { systemExchange } from '../../src/vault/files.ts';
import { ownPlaces } from '../../src/vault/layout.ts';
import { type DisplacedFiles, Publisher } from '../../src/vault/publish.ts';
import { instinct, matter, settings, signal, task } from '../support/notes.ts';
import { keptLines, ledgerProblems, problemsOf } from './invariant.ts';

export const KINDS = ['in place', 'rename', 'append'] as const;
export type Kind = (typeof KINDS)[number];

export interface Raced {
  readonly kind: Kind;
  readonly exchange: boolean;
  readonly races: number;
  /** How many times the steward found that the note had changed, just before or by the swap, and gave way. */
  readonly yielded: number;
  /** How many writes were found in the note, and how many in the history with a line in `status`. */
  readonly inNote: number;
  readonly kept: number;
  readonly lost: readonly string[];
  readonly problems: readonly string[];
}

/** After how many actions a new race vault is made: a long audit trail only slows the race down. */
const PER_VAULT = 50;
const NOTE = 'task/pay.md';
/** Roughly how long the swap of a note takes, including the comparisons before and after it. */
const SWAP_MICROSECONDS = 500;
const PUBLISH = Publisher.prototype.publish;

/**
 * Runs races of one kind: in each, the steward changes or restores a field of a note while another process writes to
 * the same note at a random moment. Every write must then be in the note or among the kept files.
 */
export async function race(kind: Kind, exchange: boolean, races: number, seed = 1): Promise<Raced> {
  const random = randomFrom(seed);
  const writer = new Writer();
  const total = { yielded: 0, inNote: 0, kept: 0, lost: [] as string[], problems: [] as string[] };
  for (let done = 0; done < races; done += PER_VAULT) {
    const ring = await Ring.open(exchange);
    for (let turn = 0; turn < Math.min(PER_VAULT, races - done); turn += 1) {
      await ring.race(writer, kind, random);
    }
    ring.look(kind, total);
    ring.close();
  }
  writer.close();
  return { kind, exchange, races, ...total };
}

/** One vault to run races in. */
class Ring {
  readonly #root: string;
  readonly #space: Workspace;
  readonly #displaced: DisplacedFiles;
  readonly #tokens: string[] = [];
  #turn = 0;
  /** About how long the steward's changes take, in µs: the next write falls somewhere within that time. */
  #took = 3000;
  #onPublish = () => {};
  #yielded = 0;

  private constructor(root: string, { space, displaced }: Composition) {
    this.#root = root;
    this.#space = space;
    this.#displaced = displaced;
  }

  static async open(exchange: boolean): Promise<Ring> {
    const root = fs.mkdtempSync(path.join(shortTemp(), 'vs-race-'));
    const files = {
      'steward.md': settings({ settle_seconds: 0 }),
      'matter/house.md': matter(),
      [NOTE]: task({}, 'A task.\n'),
      'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }),
    };
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), text);
    }
    prepare(ownPlaces(root));
    const env = { ceiling: 'live' as const, confidenceThreshold: null, highConfidenceThreshold: null };
    const parts = { root, env, now: Date.now, emit: () => {} };
    const composed = await compose({ ...parts, exchange: exchange ? systemExchange() : null });
    composed.recovery.run();
    const ring = new Ring(root, composed);
    Publisher.prototype.publish = function (edition) {
      if (edition.path === NOTE) ring.#onPublish();
      const published = PUBLISH.call(this, edition);
      if (!published.done) ring.#yielded += 1;
      return published;
    };
    return ring;
  }

  /** Runs one race: the write falls somewhere within the action, mostly within the swap itself. */
  async race(writer: Writer, kind: Kind, random: () => number): Promise<void> {
    this.#turn += 1;
    const token = `typed-${this.#turn}-${Math.floor(random() * 1e9)}`;
    this.#tokens.push(token);
    const act = await this.#prepared();
    const note = path.join(this.#root, NOTE);
    let written: Promise<void> | null = null;
    const go = (within: number) => {
      written ??= writer.write(kind, note, token, Math.floor(random() * within));
    };
    const start = process.hrtime.bigint();
    if (random() < 0.25) go(this.#took);
    this.#onPublish = () => go(SWAP_MICROSECONDS);
    await act();
    this.#took = 0.8 * this.#took + 0.2 * (Number(process.hrtime.bigint() - start) / 1000);
    this.#onPublish = () => {};
    go(0);
    await written;
  }

  // In turns: a signal closes the task, then the action is taken back.
  async #prepared(): Promise<() => Promise<unknown>> {
    const space = this.#space;
    await space.vault.sweep();
    const [last] = space.vault.catalogue
      .events()
      .filter((event) => event.fields.undo_recipe !== null && isOpen(space, event.name));
    if (last === undefined) {
      fs.writeFileSync(path.join(this.#root, 'signal.md~'), signal({ raw_quote: `paid ${this.#turn}` }));
      fs.mkdirSync(path.join(this.#root, 'signal'), { recursive: true });
      fs.renameSync(path.join(this.#root, 'signal.md~'), path.join(this.#root, `signal/s${this.#turn}.md`));
      this.#freeGuard();
      await space.vault.sweep();
      const order = { matters: [], force: true, mode: null };
      return () => tickAll(space, order, new AbortController().signal);
    }
    const order = { events: [last.name], last: null, reason: null, force: true, dryRun: false };
    return () => undoAll(space, order);
  }

  // The rate guard would allow only six actions a day.
  #freeGuard(): void {
    this.#space.context.state.set('rate-guard', { ...this.#space.context.state.get('rate-guard'), entries: [] });
  }

  look(kind: Kind, total: { yielded: number; inNote: number; kept: number; lost: string[]; problems: string[] }): void {
    total.yielded += this.#yielded;
    this.#displaced.close();
    this.#space.context.state.flush();
    const read = (file: string) => fs.readFileSync(path.join(this.#root, file), 'utf8');
    const note = read(NOTE);
    const kept = keptLines(this.#root).map(({ file }) => read(file));
    for (const token of this.#tokens) {
      if (note.includes(`${token}\n`)) total.inNote += 1;
      else if (kept.some((text) => text.includes(`${token}\n`))) total.kept += 1;
      else total.lost.push(token);
    }
    total.problems.push(...problemsOf(this.#root));
    // An editor that saves a text it read before the action undoes the action's change, and may.
    if (kind === 'append') total.problems.push(...ledgerProblems(this.#root, NOTE));
  }

  close(): void {
    fs.rmSync(this.#root, { recursive: true, force: true });
  }
}

function isOpen(space: Workspace, event: string): boolean {
  return !space.vault.catalogue
    .answersTo(event)
    .some((answer) => answer.kind === 'reversal' && answer.fields.outcome === 'reversed');
}

/** The process of the other writer. */
class Writer {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    const script = path.join(import.meta.dirname, 'race-writer.ts');
    this.#child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.stdout === null) throw new Error('a writer without stdout');
    this.#lines = readline.createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async write(kind: Kind, note: string, token: string, wait: number): Promise<void> {
    this.#child.stdin?.write(`${[kind, note, token, wait].join('\t')}\n`);
    await this.#lines.next();
  }

  close(): void {
    this.#child.kill();
  }
}

// In memory where possible: the race is between system calls, not about the disk.
function shortTemp(): string {
  return fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
}

/** A small generator of random figures (mulberry32), so that a seed repeats the moments of its races. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

if (process.argv[1] === import.meta.filename) {
  const count = Number(process.argv[2] ?? 300);
  for (const exchange of [true, false])
    for (const kind of KINDS) {
      const start = Date.now();
      const { lost, problems, ...figures } = await race(kind, exchange, count);
      console.log(
        JSON.stringify({ ...figures, lost: lost.length, problems: problems.slice(0, 3), ms: Date.now() - start }),
      );
    }
}
