import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerAll, undoAll } from '../../../src/daemon/answers/answer-all.ts';
import { type Composed, compose } from '../../../src/daemon/compose.ts';
import { prepare } from '../../../src/daemon/context/own-folders.ts';
import type { Workspace } from '../../../src/daemon/context.ts';
import { routeSignal } from '../../../src/daemon/decide.ts';
import type { DaemonEvent } from '../../../src/daemon/environment.ts';
import { LATE_MS, learnByHand, learningOutcomes } from '../../../src/daemon/outcomes.ts';
import { extract } from '../../../src/daemon/read-stream.ts';
import { tick } from '../../../src/daemon/schedule/tick.ts';
import { writeSignal } from '../../../src/daemon/target-sync.ts';
import { heldIn } from '../../../src/steward/changes-held-value.ts';
import type { Extracted, StreamEvent } from '../../../src/steward/ports.ts';
import { editFields } from '../../../src/vault/frontmatter.ts';
import type { TargetRecord } from '../../../src/vault/index/record.ts';
import { ownPlaces } from '../../../src/vault/layout.ts';
import type { Yaml } from '../../../src/vault/records/values.ts';
import type { Changes } from '../../../src/vault/records.ts';
import { atOnce } from '../../../src/vault/slices.ts';
import { DAY, MINUTE } from '../../support/clock.ts';
import { matter, SELDOM, settings, task } from '../../support/notes.ts';
import { MATTERS, TASKS_PER_MATTER } from './assumed.ts';
import { namedBy, type Sender } from './cast.ts';
import type { Mail, Reading } from './mails.ts';

/** What the program made of some mails: it acted, proposed, or only recorded. */
export type Made = Extract<DaemonEvent, { readonly changes: Changes }>;

/** In memory where possible; the system calls are the same. */
const HOMES = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
const SERVER = 'mx.home.example';

/**
 * A real vault on disk with the program at work on it, and a clock that goes only when it is told to. Knows no test
 * runner.
 */
export class Household {
  readonly #home: string;
  readonly #composed: Composed;
  readonly #clock: { at: number };
  readonly #begin: number;
  readonly #made: Made[];
  readonly #reads: Map<string, Reading | null>;

  private constructor(home: string, composed: Composed, clock: { at: number }, made: Made[]) {
    this.#home = home;
    this.#composed = composed;
    this.#clock = clock;
    this.#begin = clock.at;
    this.#made = made;
    this.#reads = new Map();
    composed.space.models.extractor = {
      name: 'simulated',
      asksModel: false,
      extract: async ({ event }) => this.#read(event),
    };
  }

  static async open(cast: readonly Sender[]): Promise<Household> {
    const home = fs.realpathSync(fs.mkdtempSync(path.join(HOMES, 'vy-')));
    const root = path.join(home, 'vault');
    write(
      root,
      'steward.md',
      settings({
        settle_seconds: 0,
        default_schedule: SELDOM,
        trusted_mail_servers: [SERVER],
        trusted_signal_sources: [],
      }),
    );
    for (let nth = 0; nth < MATTERS; nth += 1) write(root, matterPath(nth), matter({ senders: namedBy(cast, nth) }));
    for (let nth = 0; nth < MATTERS * TASKS_PER_MATTER; nth += 1) {
      write(
        root,
        taskPath(nth),
        task({ parent_matter: `[[m${Math.floor(nth / TASKS_PER_MATTER)}]]`, due: '2039-01-01' }),
      );
    }
    prepare(ownPlaces(root));
    // What is written on disk carries the real time, and must lie in the past.
    const clock = { at: Math.ceil(Date.now() / DAY) * DAY };
    const made: Made[] = [];
    const emit = (event: DaemonEvent) => {
      if (event.what === 'acted' || event.what === 'proposed' || event.what === 'recorded') made.push(event);
    };
    const env = {
      ceiling: 'live',
      confidenceThreshold: null,
      highConfidenceThreshold: null,
      sealKey: path.join(home, 'key'),
    } as const;
    const composed = await compose({ root, env, now: () => clock.at, emit });
    composed.recovery.run();
    return new Household(home, composed, clock, made);
  }

  get space(): Workspace {
    return this.#composed.space;
  }

  /** Lets time pass until a day, at least a moment. */
  until(day: number): void {
    this.#clock.at = Math.max(this.#clock.at + 1, Math.round(this.#begin + day * DAY));
  }

  /** Returns what a task holds in a field. */
  holds(nth: number, field: string): Yaml {
    const note = this.space.notes.fresh(taskPath(nth));
    return note === null ? null : heldIn(note.data, field);
  }

  /** A mail arrives, and is read; its signal is routed, or weighed at the tick that follows. Returns what was made of it. */
  async receive(mail: Mail): Promise<readonly Made[]> {
    const { space } = this;
    const event = streamEventOf(mail, this.#clock.at);
    this.#reads.set(event.path, mail.reading);
    const abort = new AbortController().signal;
    const understood = await extract(space, event, abort);
    this.#reads.delete(event.path);
    if (understood.kind === 'waits') throw new Error(understood.reason);
    for (const draft of understood.drafts) {
      const written = writeSignal(space, draft);
      const signal = written === null ? undefined : space.vault.catalogue.get(written);
      if (signal?.kind !== 'signal') throw new Error('no signal was written');
      await routeSignal(space, signal, null);
    }
    if (mail.reading !== null && this.#made.length === 0) await this.#tick(mail.reading.task, abort);
    return this.#made.splice(0);
  }

  /** The person writes a value into a field of a task, in their own editor. */
  byHand(nth: number, field: string, value: string): void {
    const file = taskPath(nth);
    const note = this.space.notes.fresh(file);
    if (note === null) throw new Error(`${file} is gone`);
    if (heldIn(note.data, field) === value) return;
    write(path.dirname(this.#at('x')), file, editFields(file, note.text, [{ op: 'set', field, value }]).text);
    this.space.vault.look([file]);
    learnByHand(this.space, this.#target(file));
  }

  /** The person answers a proposal, or takes an act back; returns the outcome. */
  async answer(kind: 'confirm' | 'dismiss' | 'undo', event: string): Promise<string> {
    const events = [event];
    const [answer] =
      kind === 'undo'
        ? await undoAll(this.space, { events, last: null, reason: null, force: false, dryRun: false })
        : await answerAll(this.space, { kind, events, dryRun: false });
    return answer?.outcome ?? 'refused';
  }

  /** What the program does by itself from time to time: learns from weeks that ended. */
  housekeeping(): void {
    atOnce(learningOutcomes(this.space, this.#clock.at - LATE_MS));
    this.#composed.displaced.prune();
  }

  /** Returns the sources that bore a decision. */
  sourcesOf(event: string): readonly string[] {
    const found = this.space.vault.catalogue.get(event);
    if (found?.kind !== 'event') throw new Error(`${event} is no event`);
    return Object.keys(found.fields.source_contributions);
  }

  close(): void {
    this.space.context.state.flush();
    this.#composed.displaced.close();
    fs.rmSync(this.#home, { recursive: true, force: true });
  }

  async #tick(nth: number, abort: AbortSignal): Promise<void> {
    const target = this.#target(taskPath(nth));
    const parent = target.kind === 'task' ? this.space.vault.catalogue.matterOf(target) : target;
    if (parent === null) throw new Error(`${target.path} has no matter`);
    this.#clock.at += 10 * MINUTE;
    await tick(this.space, parent, { force: true, mode: null, abort, at: this.#clock.at });
  }

  #target(file: string): TargetRecord {
    const found = this.space.vault.catalogue.get(file);
    if (found?.kind !== 'task' && found?.kind !== 'matter') throw new Error(`${file} is ${found?.kind}`);
    return found;
  }

  #at(file: string): string {
    return path.join(this.#home, 'vault', file);
  }

  #read(event: StreamEvent): Extracted {
    const reading = this.#reads.get(event.path) ?? null;
    const meanings = reading === null ? [] : [meaningOf(reading, event)];
    return { meanings, skipped: null, rejected: [], unusable: null, extractor: 'simulated', usage: null };
  }
}

/** Returns the path of a task by its number. */
export function taskPath(nth: number): string {
  return `task/t${nth}.md`;
}

/** Returns the number of a task by its path. */
export function taskNumber(file: string): number {
  return Number(/t(\d+)\.md$/.exec(file)?.[1]);
}

function matterPath(nth: number): string {
  return `matter/m${nth}.md`;
}

function meaningOf(
  { task: nth, field, value, ...reading }: Reading,
  { subject }: StreamEvent,
): Extracted['meanings'][number] {
  const target = taskPath(nth);
  return {
    ...{ target, candidates: [target], ambiguous: reading.ambiguous, targetConfidence: reading.targetConfidence },
    ...{ targetEvidence: reading.evidence, targetNear: reading.near, endsMatter: false },
    ...{ quote: subject, effectConfidence: reading.raw, reasoning: 'It says so.' },
    proposal: {
      class: field === 'state' ? 'state_change' : 'context_edit',
      ...{ set: { [field]: value }, add: {}, remove: {} },
    },
  };
}

function streamEventOf({ nth, sender, vouched }: Mail, now: number): StreamEvent {
  const server = vouched === 'none' ? null : SERVER;
  return {
    ...{
      path: `stream/${nth}.eml`,
      sourceType: sender.channel,
      originAt: `${new Date(now).toISOString().slice(0, 19)}Z`,
    },
    ...{
      from: sender.from,
      fromName: null,
      to: ['robin@home.example'],
      subject: `mail ${nth}`,
      text: `mail ${nth}`,
      quoted: '',
    },
    ...{ bulk: false, bulkReason: null, ownNote: false, warnings: [], shown: null, doubts: [] },
    authentication: { result: vouched, server, reason: 'simulated' },
  };
}

function write(root: string, file: string, text: string): void {
  const [target, part] = [path.join(root, file), path.join(root, '..', 'part')];
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(part, text);
  fs.renameSync(part, target);
}
