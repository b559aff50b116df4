import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type PlaneOrder, type PlaneSeen, planeOrder, planeSeen } from '../plane/order.ts';
import { type SourceState, sourceState } from '../source/source-state.ts';
import { budgetState, emptyBudget, emptyLedger, ledgerState } from '../steward/gate-limits.ts';
import { emptyGuard, rateGuardState } from '../steward/gates.ts';
import { emptyNotify, type NotifyMemory, notifyMemory } from '../steward/notify.ts';
import { emptyPerception, perceptionState, type Seen, seen } from '../steward/perception.ts';
import { type AgentsState, agentsState, emptyAgents } from '../stream/agent-room.ts';
import { batchState, emptyBatch } from '../stream/batch-state.ts';
import { type EditsState, editsState, emptyEdits } from '../stream/edits-room.ts';
import { EntryLog } from '../vault/disk.ts';
import { type Diagnostic, diagnostic, EXIT, reasonOf, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, readBytes, writeState } from '../vault/files.ts';
import { FORMATS, type Stored } from '../vault/formats.ts';
import { type KeptBytes, keptBytes } from '../vault/transaction/displaced-files.ts';
import { type FaultEntry, faultEntry } from './context/remembered/fault-entry.ts';
import { type StreamRead, streamRead } from './context/remembered/stream-read.ts';

/**
 * The entries of something remembered of which a question holds, kept in step as entries change: to ask costs what has
 * changed. At first, and where the question is another one, all are gone over.
 */
export class Selection<Value> {
  readonly #entries: Readonly<Record<string, Value>>;
  readonly #keys: () => Iterable<string>;
  readonly #chosen = new Map<string, Value>();
  #isChosen: ((value: Value) => boolean) | null = null;
  #question: string | null = null;

  /** `keys`: those of all entries; there may be some too many. */
  constructor(entries: Readonly<Record<string, Value>>, keys: () => Iterable<string>) {
    this.#entries = entries;
    this.#keys = keys;
  }

  /** Is told that an entry has changed, come or gone. */
  follow(key: string): void {
    const value = this.#entries[key];
    if (value !== undefined && this.#isChosen?.(value) === true) this.#chosen.set(key, value);
    else this.#chosen.delete(key);
  }

  /**
   * Returns the chosen entries by key, and pauses after each that has to be gone over. `isChosen` goes by the entry and by
   * what `question` says, and by nothing else. One after the other: who asks meanwhile is told too few.
   */
  *ask(question: string, isChosen: (value: Value) => boolean): Generator<void, ReadonlyMap<string, Value>> {
    if (this.#question === question) return this.#chosen;
    this.#isChosen = isChosen;
    this.#chosen.clear();
    for (const key of this.#keys()) {
      this.follow(key);
      yield;
    }
    this.#question = question; // only now: who breaks off has it gone over once more
    return this.#chosen;
  }
}

/** The file that says in which version the others are; without it they are of version 1. */
const FORMAT_FILE = 'format.json';

/** Nothing that is remembered grows beyond this; a file that has was not written by this program. */
const MAX_STATE_BYTES = 256 * 1024 * 1024;
const MAX_FORMAT_BYTES = 1024;

type Entries = Readonly<Record<string, unknown>>;

/** What is remembered under a name that grows with the vault. */
interface Grown {
  readonly log: EntryLog;
  /** What of it is in the log otherwise, or not yet. */
  readonly owed: Set<string>;
  /** Whether an earlier version has left all of it in one file. */
  hasFormer: boolean;
}

/**
 * `.steward/state` on disk: one file for a name, written whole; for a name that grows with the vault, files that are only
 * added to. Reading writes nothing: what is damaged is moved aside before anything else is written under its name.
 */
export class StateFolder {
  readonly troubles: Diagnostic[] = [];
  /** Why the disk would not say what is remembered, or null. */
  refused: StewardError | null = null;
  readonly #folder: string;
  readonly #growing: readonly string[];
  readonly #grown = new Map<string, Grown>();
  readonly #damaged = new Set<string>();
  #format: Stored | null = null;

  /** `growing`: the names under which there is a record that grows with the vault. */
  constructor(folder: string, growing: readonly string[]) {
    this.#folder = folder;
    this.#growing = growing;
  }

  /** What the folder says of its version; nothing where it says none, or nothing that can be read. */
  get format(): Stored {
    this.#format ??= this.#readFormat();
    return this.#format;
  }

  /** Writes that everything here is in this program's version. Throws what the disk refuses. */
  writeFormat(): void {
    const { key, version } = FORMATS.state;
    writeState(path.join(this.#folder, FORMAT_FILE), JSON.stringify({ [key]: version }));
    this.#format = { [key]: version };
  }

  /** Returns what lies under a name, unchecked, as a map where it grows; undefined where nothing does, or nothing that can be read. */
  read(name: string): unknown {
    const reading = this.reading(name);
    let step = reading.next();
    while (step.done !== true) step = reading.next();
    return step.value;
  }

  /** The same, a part at a time. */
  *reading(name: string): Generator<void, unknown> {
    const whole = this.#readWhole(name);
    return this.#growing.includes(name) ? yield* this.#readGrown(name, whole) : whole;
  }

  /**
   * Is told that what was read under a name is not as it should be. Returns what of it is left: of what grows all but the
   * entries concerned, else nothing.
   */
  reject(name: string, raw: unknown, error: z.ZodError): unknown {
    const grown = this.#grown.get(name);
    if (grown === undefined || !(raw instanceof Map)) return this.#damage(name, error);
    const wrong = new Set(error.issues.map(({ path: [key] }) => String(key)));
    for (const key of wrong) {
      raw.delete(key);
      grown.owed.add(key);
    }
    const count = wrong.size === 1 ? 'one' : String(wrong.size);
    const reason = `${count} of its entries cannot be: ${firstLine(error)}`;
    this.#say(name, `${name}-*.jsonl`, reason, 'They are forgotten; the notes themselves are whole.');
    return raw;
  }

  /** Whether a name is to be written anew although nothing has changed under it. */
  isOwed(name: string): boolean {
    const grown = this.#grown.get(name);
    return grown !== undefined && (grown.hasFormer || grown.owed.size + grown.log.damage.length > 0);
  }

  /** The keys of what lies under a name that grows, and perhaps of what is gone. */
  *keysOf(name: string): Generator<string> {
    const grown = this.#grown.get(name);
    if (grown === undefined) return;
    yield* grown.owed;
    yield* grown.log.keys();
  }

  /** Whether the file of a name is still to be moved aside. */
  isDamaged(name: string): boolean {
    return this.#damaged.has(name);
  }

  /** Moves the file of a name aside where it is damaged. */
  setAside(name: string): void {
    if (!this.#damaged.delete(name)) return;
    try {
      fs.renameSync(this.#file(name), `${this.#file(name)}.bad`);
    } catch {
      // Where the state folder cannot be written, the next flush reports it.
    }
  }

  /**
   * Writes what lies under a name: of what grows only the entries under `keys`, or all where they are null. Throws what the
   * disk refuses.
   */
  write(name: string, value: unknown, keys: ReadonlySet<string> | null): void {
    this.setAside(name);
    const grown = this.#grown.get(name) ?? null;
    if (grown === null || !isRecord(value)) writeState(this.#file(name), JSON.stringify(value));
    else this.#writeGrown(name, grown, value, keys);
  }

  #writeGrown(name: string, grown: Grown, value: Entries, keys: ReadonlySet<string> | null): void {
    const { log, owed } = grown;
    log.save([...owed, ...(keys ?? [...Object.keys(value), ...log.keys()])], value);
    owed.clear();
    // Last: whatever ends the program before leaves it there to be taken over once more.
    if (grown.hasFormer) fs.rmSync(this.#file(name), { force: true });
    grown.hasFormer = false;
  }

  *#readGrown(name: string, whole: unknown): Generator<void, unknown> {
    const log = new EntryLog(this.#folder, name);
    const former = isRecord(whole) ? whole : {};
    const grown = { log, owed: new Set<string>(), hasFormer: isRecord(whole) };
    if (whole !== undefined && !isRecord(whole)) this.#damage(name, 'no entries');
    this.#grown.set(name, grown);
    try {
      const all = yield* log.loading(Object.entries(former));
      for (const key of Object.keys(former)) if (!log.has(key)) grown.owed.add(key);
      for (const { name: file, reason } of log.damage) this.#say(name, file, reason, movedTo(file, KEPT));
      return all;
    } catch (error) {
      return this.#refuse(`${name}-*.jsonl`, error);
    }
  }

  #readWhole(name: string): unknown {
    try {
      return JSON.parse(readBytes(this.#file(name), MAX_STATE_BYTES).bytes.toString('utf8'));
    } catch (error) {
      const code = systemCode(error);
      if (code === null || code === 'EISDIR') return this.#damage(name, error);
      return code === 'ENOENT' ? undefined : this.#refuse(`${name}.json`, error);
    }
  }

  #readFormat(): Stored {
    try {
      const said: unknown = JSON.parse(
        readBytes(path.join(this.#folder, FORMAT_FILE), MAX_FORMAT_BYTES).bytes.toString('utf8'),
      );
      return isRecord(said) ? said : {};
    } catch (error) {
      const code = systemCode(error);
      if (code !== null && code !== 'ENOENT' && code !== 'EISDIR') this.#refuse(FORMAT_FILE, error);
      return {};
    }
  }

  // A file that the disk refuses now may be intact: it stays as it is.
  #refuse(file: string, error: unknown): undefined {
    const told = fileError(error, `.steward/state/${file}`).trouble;
    this.troubles.push(told);
    this.refused = new StewardError(told, EXIT.tryAgain);
  }

  #damage(name: string, error: unknown): undefined {
    this.#damaged.add(name);
    this.#say(name, `${name}.json`, firstLine(error), movedTo(`${name}.json`, 'and begun anew'));
  }

  #say(name: string, file: string, reason: string, hint: string): void {
    const message = `What was remembered of ${name} could not be read (${reason}).`;
    this.troubles.push(diagnostic({ code: 'state-unreadable', file: `.steward/state/${file}`, message, hint }));
  }

  #file(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }
}

const KEPT = 'and what can be read of it is kept';

function movedTo(file: string, then: string): string {
  return `It is moved to ${file}.bad ${then}; the notes themselves are whole.`;
}

function firstLine(error: unknown): string {
  return reasonOf(error).split('\n')[0] ?? '';
}

function isRecord(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** When a target was last checked (epoch ms), and for how many checks it has been quiet. */
const cursor = z.object({ at: z.number(), streak: z.number().int().min(0) });
export type Cursor = z.infer<typeof cursor>;

const scheduleState = z.lazy(() =>
  z.object({
    path: z.string(),
    last: z.number().nullable(),
    skipped: z.string().nullable(),
    streak: z.number().int().min(0),
    /** When a signal last ended the quiet (epoch ms). */
    heard: z.number().nullable().default(null),
    /** When it last fired (epoch ms), where that tick was skipped or is not over. */
    fired: z.number().nullable().default(null),
    /** When it is to fire next (epoch ms). */
    due: z.number().nullable().default(null),
  }),
);
type ScheduleState = z.infer<typeof scheduleState>;

/** A map keyed by text from the vault, where `constructor` and `toString` are names like any other. */
function keyed<Value>(value: z.ZodType<Value>): z.ZodType<Record<string, Value>> {
  // Not by `z.record`, which takes twice as long: this is most of what a start takes in a vault of many mails.
  return z.lazy(() =>
    z.custom<Map<string, unknown> | object>(isObject, 'no entries').transform((entries, { issues }) => {
      const record: Record<string, Value> = ownOnly({});
      for (const [key, one] of entries instanceof Map ? entries : Object.entries(entries)) {
        const { data, error } = value.safeParse(one);
        if (error === undefined) record[key] = data;
        for (const { message, path } of error?.issues ?? [])
          issues.push({ code: 'custom', input: one, path: [key, ...path], message });
      }
      return record;
    }),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownOnly<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.setPrototypeOf(record, null);
}

/** When it was last looked which files may leave the vault (epoch ms), by which settings, and how many left then. */
const retention = z.lazy(() =>
  z.object({
    at: z.number(),
    settings: z.string(),
    streams: z.number().int(),
    events: z.number().int(),
    signals: z.number().int(),
  }),
);
export type RetentionState = z.infer<typeof retention>;

/** All names that something is remembered under. */
export const NAMES = [
  'cursors',
  'schedules',
  'moves',
  'weighed',
  'streams',
  'kept',
  'guarded',
  'rate-guard',
  'budget',
  'ledger',
  'batch',
  'notices',
  'identity',
  'settings',
  'retention',
  'retired',
  'perception',
  'perceived',
  'touched',
  'edits',
  'agents',
  'plane',
  'plane-seen',
  'sources',
  'fleeting',
  'cleared',
  'notify',
  'faults',
] as const;
export type Name = (typeof NAMES)[number];

/** What is remembered, by name. */
export interface Values {
  /** Target path → cursor. */
  cursors: Record<string, Cursor>;
  /** Schedule name → what it last did. */
  schedules: Record<string, ScheduleState>;
  /** Former path of a matter or task → its path now. */
  moves: Record<string, string>;
  /** Signal name → when it was weighed (epoch ms). */
  weighed: Record<string, number>;
  /** Stream file → what it gave. Each file is read once. */
  streams: Record<string, StreamRead>;
  /** Bytes of people that were found next to a note, and the files that keep them. */
  kept: KeptBytes[];
  /** Target and window → until when (epoch ms) no further `rate_guarded` note is written for them. */
  guarded: Record<string, number>;
  'rate-guard': z.infer<typeof rateGuardState>;
  budget: z.infer<typeof budgetState>;
  ledger: z.infer<typeof ledgerState>;
  batch: z.infer<typeof batchState>;
  /** Change of the program → when the vault was told of it (epoch ms). */
  notices: Record<string, number>;
  /** What tells this vault from others, wherever it lies; empty until it is first needed. */
  identity: { id: string };
  /** Whether the vault has, or had, settings of its own. */
  settings: { given: boolean };
  retention: RetentionState;
  /** What has left the vault, a hash of a stream file's bytes or a signal's name → when (epoch ms). It is not read again. */
  retired: Record<string, number>;
  /** The pace at which notes are looked at without a signal. */
  perception: z.infer<typeof perceptionState>;
  /** Note → what the last look at it without a signal found, where it shows something or a model was asked about it. */
  perceived: Record<string, Seen>;
  /** Note → when it was last touched (epoch ms) by what has left the vault since. */
  touched: Record<string, number>;
  /** How many edits by hand were heard today. */
  edits: EditsState;
  /** What agents have handed in in the last day. */
  agents: AgentsState;
  /** Event note's name → what Plane is to be told of it. */
  plane: Record<string, PlaneOrder>;
  /** Plane project → what was last seen there. */
  'plane-seen': Record<string, PlaneSeen>;
  /** Source → what is remembered of it. */
  sources: Record<string, SourceState>;
  /** Mail that is fetched only to be read, and still lies in the vault or is about to → since when (epoch ms). */
  fleeting: Record<string, number>;
  /** Those that were deleted once they had been read, and gave signals → when (epoch ms). */
  cleared: Record<string, number>;
  /** What was said, and what is still to be. */
  notify: NotifyMemory;
  /** Mark of an unexpected error → when and where it came up. */
  faults: Record<string, FaultEntry>;
}

export const SCHEMAS: { readonly [N in Name]: z.ZodType<Values[N]> } = {
  cursors: keyed(cursor),
  schedules: keyed(scheduleState),
  moves: keyed(z.string()),
  weighed: keyed(z.number()),
  streams: keyed(streamRead),
  kept: z.array(keptBytes),
  guarded: keyed(z.number()),
  'rate-guard': rateGuardState,
  budget: budgetState,
  ledger: ledgerState,
  batch: batchState,
  notices: keyed(z.number()),
  identity: z.object({ id: z.string() }),
  settings: z.object({ given: z.boolean() }),
  retention,
  retired: keyed(z.number()),
  perception: perceptionState,
  perceived: keyed(seen),
  touched: keyed(z.number()),
  edits: editsState,
  agents: agentsState,
  plane: keyed(planeOrder),
  'plane-seen': keyed(planeSeen),
  sources: keyed(sourceState),
  fleeting: keyed(z.number()),
  cleared: keyed(z.number()),
  notify: notifyMemory,
  faults: keyed(faultEntry),
};

/** Returns what is remembered under a name at first. */
export const EMPTY: { readonly [N in Name]: () => Values[N] } = {
  cursors: () => ownOnly({}),
  schedules: () => ownOnly({}),
  moves: () => ownOnly({}),
  weighed: () => ownOnly({}),
  streams: () => ownOnly({}),
  kept: () => [],
  guarded: () => ownOnly({}),
  'rate-guard': emptyGuard,
  budget: emptyBudget,
  ledger: emptyLedger,
  batch: emptyBatch,
  notices: () => ownOnly({}),
  identity: () => ({ id: '' }),
  settings: () => ({ given: false }),
  retention: () => ({ at: 0, settings: '', streams: 0, events: 0, signals: 0 }),
  retired: () => ownOnly({}),
  perception: emptyPerception,
  perceived: () => ownOnly({}),
  touched: () => ownOnly({}),
  edits: emptyEdits,
  agents: emptyAgents,
  plane: () => ownOnly({}),
  'plane-seen': () => ownOnly({}),
  sources: () => ownOnly({}),
  fleeting: () => ownOnly({}),
  cleared: () => ownOnly({}),
  notify: emptyNotify,
  faults: () => ownOnly({}),
};

/** The names under which there is an entry for each file or note: to save them costs what has changed. */
export const GROWING: readonly Name[] = [
  'cursors',
  'schedules',
  'moves',
  'weighed',
  'streams',
  'guarded',
  'retired',
  'perceived',
  'touched',
  'plane',
  'plane-seen',
  'sources',
  'fleeting',
  'cleared',
];
