import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { budgetState, emptyBudget, emptyLedger, ledgerState, unreadableBudget } from '../steward/budget.ts';
import { emptyPerception, perceptionState, type SeenNote, seen } from '../steward/perceive.ts';
import { emptyGuard, rateGuardState, unreadableGuard } from '../steward/rate-guard.ts';
import { type DecisionState, type ScheduleState, suspects } from '../steward/workspace.ts';
import { EntryLog } from '../vault/entry-log.ts';
import { type Diagnostic, diagnostic, EXIT, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, readBytes, writeState } from '../vault/files.ts';
import { isObject } from '../vault/json.ts';
import { type KeptBytes, keptBytes } from '../vault/publish.ts';
import { FORMATS, formatVersionNumber, isNewer, newerFormat, type StoredFields } from '../vault/record.ts';
import { Turns } from '../vault/time.ts';

/** An unexpected error as it is remembered: the same error of the same component has one entry. */
const faultEntry = z.object({
  component: z.string(),
  /** The component's name in a sentence. */
  words: z.string(),
  /** The kind of the error, such as `TypeError`, with its code. */
  name: z.string(),
  /** Empty if it could quote a note, a mail or a password. */
  message: z.string(),
  /** The place in the program at which it came up, without the message. */
  stack: z.string(),
  /** Epoch ms. */
  first: z.number(),
  last: z.number(),
  count: z.int().min(1),
  /** Whether the daemon continued after the last time. */
  continued: z.boolean(),
});
export type FaultEntry = z.infer<typeof faultEntry>;

/** A problem that the user knows: hidden since, and gone since (null while it is there). Epoch ms. */
const knownProblem = z.object({ since: z.number(), gone: z.number().nullable() });
type KnownProblem = z.infer<typeof knownProblem>;

/**
 * The entries of something remembered of which a question holds, kept in step as entries change: to ask costs what has
 * changed. At first, and where the question is another one, all are gone over.
 */
export class StateSelection<Value> {
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
   * Returns the chosen entries by key, and pauses after each that has to be gone over. `isChosen` goes only by the
   * entry and by what `question` says. One at a time: another question in the meantime gets too few entries.
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

interface Grown {
  readonly log: EntryLog;
  /** What of it is in the log otherwise, or not yet. */
  readonly owed: Set<string>;
}

/**
 * `.steward/state` on disk: one file for a name, written whole; for a name that grows with the vault, files that are
 * only added to. Reading makes no write: a damaged file is moved aside before the next write under its name.
 */
class StateFolder {
  readonly troubles: Diagnostic[] = [];
  /** The names of which something could not be read. */
  readonly lost = new Set<string>();
  /** Why the disk would not say what is remembered, or null. */
  refused: StewardError | null = null;
  readonly #folder: string;
  readonly #growing: readonly string[];
  readonly #replaceable: ReadonlyMap<string, SafeValue<unknown>>;
  readonly #grown = new Map<string, Grown>();
  readonly #damaged = new Set<string>();
  #format: StoredFields | null = null;

  /**
   * `growing`: the names under which there is a record that grows with the vault. `replaceable`: those that have a safe value
   * for a file that can't be read.
   */
  constructor(folder: string, growing: readonly string[], replaceable: ReadonlyMap<string, SafeValue<unknown>>) {
    this.#folder = folder;
    this.#growing = growing;
    this.#replaceable = replaceable;
  }

  /** The version that the folder says; empty if it names no version, or can't be read. */
  get format(): StoredFields {
    this.#format ??= this.#readFormat();
    return this.#format;
  }

  /** Writes that everything here is in this program's version. Throws what the disk refuses. */
  writeFormat(): void {
    const { key, version } = FORMATS.state;
    writeState(path.join(this.#folder, FORMAT_FILE), JSON.stringify({ [key]: version }));
    this.#format = { [key]: version };
  }

  /** Returns what is under a name, unchecked, as a map if it grows; undefined if missing or unreadable. */
  read(name: string): unknown {
    const reading = this.reading(name);
    let step = reading.next();
    while (step.done !== true) step = reading.next();
    return step.value;
  }

  /** The same, a part at a time. */
  *reading(name: string): Generator<void, unknown> {
    return this.#growing.includes(name) ? yield* this.#readGrown(name) : this.#readWhole(name);
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
    this.#say(name, `${name}-*.jsonl`, reason, 'They are lost; your notes are complete.');
    return raw;
  }

  /** Whether a name is to be written again although nothing has changed under it. */
  isOwed(name: string): boolean {
    const grown = this.#grown.get(name);
    return grown !== undefined && grown.owed.size + grown.log.damage.length > 0;
  }

  /** The keys of what is under a name that grows, and perhaps of what is gone. */
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

  /** Moves the file of a name aside if it is damaged. */
  setAside(name: string): void {
    if (!this.#damaged.delete(name)) return;
    try {
      fs.renameSync(this.#file(name), `${this.#file(name)}.bad`);
    } catch {
      // If the state folder cannot be written, the next flush reports it.
    }
  }

  /**
   * Writes what is under a name: if it grows, only the entries under `keys`, or all if that is null. Throws what the
   * disk refuses.
   */
  write(name: string, value: unknown, keys: ReadonlySet<string> | null): void {
    this.setAside(name);
    const grown = this.#grown.get(name) ?? null;
    if (grown === null || !isObject(value)) writeState(this.#file(name), JSON.stringify(value));
    else {
      const { log, owed } = grown;
      log.save([...owed, ...(keys ?? [...Object.keys(value), ...log.keys()])], value);
      owed.clear();
    }
  }

  *#readGrown(name: string): Generator<void, unknown> {
    const log = new EntryLog(this.#folder, name);
    this.#grown.set(name, { log, owed: new Set() });
    try {
      const all = yield* log.loading();
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
      if (code === 'ENOENT') return undefined;
      const isLost = code === null || code === 'EISDIR' || this.#replaceable.get(name)?.waits === false;
      return isLost ? this.#damage(name, error) : this.#refuse(`${name}.json`, error);
    }
  }

  #readFormat(): StoredFields {
    try {
      const said: unknown = JSON.parse(
        readBytes(path.join(this.#folder, FORMAT_FILE), MAX_FORMAT_BYTES).bytes.toString('utf8'),
      );
      return isObject(said) ? said : {};
    } catch (error) {
      const code = systemCode(error);
      if (code === null || code === 'EISDIR')
        this.#say('format', FORMAT_FILE, firstLine(error), 'Steward reads what it can, as if from its own version.');
      else if (code !== 'ENOENT') this.#refuse(FORMAT_FILE, error);
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
    const then = this.#replaceable.get(name)?.words ?? 'and begun anew';
    this.#say(name, `${name}.json`, firstLine(error), movedTo(`${name}.json`, then));
  }

  #say(name: string, file: string, reason: string, hint: string): void {
    this.lost.add(name);
    const message = `The state of ${name} could not be read (${reason}).`;
    this.troubles.push(diagnostic({ code: 'state-unreadable', file: `.steward/state/${file}`, message, hint }));
  }

  #file(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }
}

const KEPT = 'and what can be read of it is kept';

function movedTo(file: string, then: string): string {
  return `It is moved to ${file}.bad ${then}; your notes are complete.`;
}

function firstLine(error: unknown): string {
  return errorReason(error).split('\n')[0] ?? '';
}

const cursor = z.object({ at: z.number(), streak: z.number().int().min(0) });

const scheduleState: z.ZodType<ScheduleState> = z.lazy(() =>
  z.object({
    path: z.string(),
    last: z.number().nullable(),
    skipped: z.string().nullable(),
    streak: z.number().int().min(0),
    heard: z.number().nullable().default(null),
    fired: z.number().nullable().default(null),
    due: z.number().nullable().default(null),
  }),
);

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

function ownOnly<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.setPrototypeOf(record, null);
}

/** A part of the stored state, under a name of its own. Its owner declares it; adding one needs no other change. */
export interface Slice<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  readonly empty: () => Value;
  /** Whether there is an entry for each file or note: then saving it costs what has changed, not what there is. */
  readonly grows: boolean;
  /** What replaces a file that can't be read; absent if it then begins empty. */
  readonly unreadable?: SafeValue<Value>;
}

/** A value that gives no right that the lost one may have denied. */
interface SafeValue<Value> {
  /** `now`: epoch ms. */
  readonly value: (now: number) => Value;
  /** The end of a sentence about the file: `and counts as full for a minute`. */
  readonly words: string;
  /** Whether the program waits for a disk that refuses the file, which may be intact. */
  readonly waits: boolean;
}

/** Declares a slice that is written as a whole. */
export function slice<Value>(name: string, schema: z.ZodType<Value>, empty: () => Value): Slice<Value> {
  return { name, schema, empty, grows: false };
}

/** Declares a slice of entries; `grows` unless there are only a few. */
export function entriesSlice<Value>(name: string, entry: z.ZodType<Value>, grows = true): Slice<Record<string, Value>> {
  return { name, schema: keyed(entry), empty: () => ownOnly({}), grows };
}

/** The state of the core, by name. */
export interface Values extends DecisionState {
  /** Former path of a matter or task → its path now. */
  moves: Record<string, string>;
  /** Bytes of people that were found next to a note, and the files that keep them. */
  kept: KeptBytes[];
  /** Whether the vault has, or had, settings of its own. */
  settings: { given: boolean };
  /**
   * Files that have left the vault, a hash of a stream file's bytes or a signal's name → when (epoch ms). They are not
   * read again.
   */
  retired: Record<string, number>;
  /** Id of a problem that the user knows → since when it is hidden, and since when it is gone (epoch ms). */
  'known-problems': Record<string, KnownProblem>;
  /** Mark of an unexpected error → when and where it came up. */
  faults: Record<string, FaultEntry>;
  /** Name of a slice, or `*` for any → when some of it could not be read (epoch ms), the last time. */
  lost: Record<string, number>;
}
type Name = keyof Values;

const CORE: { readonly [N in Name]: Slice<Values[N]> } = {
  cursors: entriesSlice('cursors', cursor),
  schedules: entriesSlice('schedules', scheduleState),
  moves: entriesSlice('moves', z.string()),
  weighed: entriesSlice('weighed', z.number()),
  kept: slice('kept', z.array(keptBytes), () => []),
  guarded: entriesSlice('guarded', z.number()),
  'rate-guard': {
    ...slice('rate-guard', rateGuardState, emptyGuard),
    unreadable: { value: unreadableGuard, words: 'and counts as full for a minute', waits: false },
  },
  budget: {
    ...slice('budget', budgetState, emptyBudget),
    unreadable: { value: unreadableBudget, words: 'and counts as spent for a day', waits: true },
  },
  ledger: slice('ledger', ledgerState, emptyLedger),
  licences: entriesSlice('licences', z.number(), false),
  identity: slice('identity', z.object({ id: z.string(), met: z.string().nullish() }), () => ({ id: '' })),
  settings: {
    ...slice('settings', z.object({ given: z.boolean() }), () => ({ given: false })),
    unreadable: { value: () => ({ given: true }), words: 'and the vault counts as one with settings', waits: true },
  },
  retired: entriesSlice('retired', z.number()),
  perception: slice('perception', perceptionState, emptyPerception),
  perceived: entriesSlice('perceived', seen),
  touched: entriesSlice('touched', z.number()),
  edited: entriesSlice('edited', z.record(z.string(), z.number())),
  fleeting: entriesSlice('fleeting', z.number()),
  cleared: entriesSlice('cleared', z.number()),
  suspects: entriesSlice('suspects', suspects, false),
  'known-problems': entriesSlice('known-problems', knownProblem, false),
  faults: entriesSlice('faults', faultEntry, false),
  lost: {
    ...entriesSlice('lost', z.number(), false),
    unreadable: { value: (now) => ({ '*': now }), words: 'and everything counts as lost now', waits: true },
  },
};

/** A slice of the core, by its name, or any other. */
export type SliceKey = Name | Slice<unknown>;

/** How many entries are checked before the clock is asked. */
const AT_ONCE = 1000;
/** How many entries are written before other work has a turn: they take a few milliseconds. */
const WRITTEN_AT_ONCE = 1000;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * What the program must remember between ticks and restarts, each noun by itself under `.steward/state`. Undoing an
 * action needs no part of it: the undo recipe is in the notes.
 */
export class StateStore {
  readonly #files: StateFolder;
  readonly #demand: () => void;
  readonly #now: () => number;
  readonly #slices: ReadonlyMap<string, Slice<unknown>>;
  readonly #values = new Map<string, unknown>();
  /** What has changed since it was written: the entries under these keys, or all where they are null. */
  readonly #changed = new Map<string, Set<string> | null>();
  /** Changes that may be written later: if one is lost, a quiet look is only made once more. */
  readonly #later = new Map<string, Set<string>>();
  #seen: StateSelection<SeenNote> | null = null;

  /** `demand` throws if the folder is no longer this process's to write to. */
  constructor(
    folder: string,
    demand: () => void = () => {},
    slices: readonly Slice<unknown>[] = [],
    now: () => number = Date.now,
  ) {
    const all = [...Object.values(CORE), ...slices];
    this.#slices = new Map(all.map((one) => [one.name, one]));
    const growing = all.filter(({ grows }) => grows).map(({ name }) => name);
    const replaceable = all.flatMap(({ name, unreadable }) => (unreadable ? [[name, unreadable] as const] : []));
    this.#files = new StateFolder(folder, growing, new Map(replaceable));
    this.#demand = demand;
    this.#now = now;
  }

  /** The problems of unreadable files. */
  get troubles(): readonly Diagnostic[] {
    return [...this.#newer(), ...this.#files.troubles];
  }

  /** Reads what grows with the vault, while others have their turn: `load` then finds it read. */
  async readInTurns(): Promise<void> {
    for (const one of this.#slices.values()) {
      if (one.grows && !this.#values.has(one.name)) await this.#readOneInTurns(one);
    }
  }

  /**
   * Reads all files, so that none has to be read later, and moves aside what is damaged. Throws (exit 75) if the disk
   * refuses an existing file: without its content nothing may be decided. Throws `lock-lost` if the folder is no longer
   * this process's, and `state-newer` (75) if a newer program wrote it.
   */
  load(): void {
    const [newer] = this.#newer();
    if (newer !== undefined) throw new StewardError(newer, EXIT.tryAgain);
    for (const one of this.#slices.values()) this.get(one);
    this.#keepLost();
    for (const name of this.#slices.keys()) {
      if (!this.#files.isDamaged(name)) continue;
      this.#demand();
      this.#files.setAside(name);
    }
    if (this.#files.refused !== null) throw this.#files.refused;
    this.#writeFormat();
  }

  /** Reads what is under these names. Throws (exit 75) where the disk refuses an existing file, as `load` does. */
  demandRead(...names: readonly Name[]): void {
    for (const name of names) this.get(name);
    if (this.#files.refused !== null) throw this.#files.refused;
  }

  /**
   * Returns when some of what is under these names could not be read (epoch ms), the last time; null if it always
   * could.
   */
  lostAt(...names: readonly Name[]): number | null {
    for (const name of names) this.get(name);
    const times = [...names, '*'].flatMap((name) => this.get('lost')[name] ?? []);
    return times.length === 0 ? null : Math.max(...times);
  }

  /** Returns the value under a name, read from disk at first use. After a change in place, call `touch`. */
  get<N extends Name>(name: N): Values[N];
  get<Value>(slice: Slice<Value>): Value;
  get(key: SliceKey): unknown;
  get(key: SliceKey): unknown {
    const one = this.#sliceOf(key);
    const known = this.#values.get(one.name);
    if (known !== undefined) return known;
    const read = this.#checked(one, this.#files.read(one.name));
    const isLost = one.unreadable !== undefined && this.#files.isDamaged(one.name);
    const value = isLost ? one.unreadable?.value(this.#now()) : read;
    this.#values.set(one.name, value);
    if (isLost) this.#changed.set(one.name, null); // written with the next flush, so that a restart doesn't begin it again
    this.#noteLoss(one.name);
    return value;
  }

  /** Replaces the value under a name; the next flush writes it. */
  set<N extends Name>(name: N, value: Values[N]): void;
  set<Value>(slice: Slice<Value>, value: Value): void;
  set(key: SliceKey, value: unknown): void {
    this.get(key); // what is on disk is replaced
    const name = nameOf(key);
    this.#values.set(name, value);
    this.#changed.set(name, null);
    if (name === 'perceived') this.#seen = null;
  }

  /**
   * The keys under a name that grows, one after the other; some may come twice, or be gone. The keys of an object are
   * all listed before the first is given: that takes 100 ms for 250 000 of them.
   */
  *keysOf(key: SliceKey): Generator<string> {
    const name = nameOf(key);
    const value = this.get(key);
    const changed = this.#changed.get(name);
    if (changed === null) return yield* Object.keys(value ?? {}); // it was replaced as a whole
    // These first: what is written in the meantime is found in the files.
    yield* changed ?? NOTHING;
    yield* this.#later.get(name) ?? NOTHING;
    yield* this.#files.keysOf(name);
  }

  /** What the last looks at notes found, to be asked which of them somebody is still to hear of. */
  get seen(): StateSelection<SeenNote> {
    this.#seen ??= new StateSelection(this.get('perceived'), () => this.keysOf('perceived'));
    return this.#seen;
  }

  /**
   * Marks the value under a name as changed in place; the next flush writes it. `key`: the entry that has changed, and no
   * other; without it all may have.
   */
  touch(of: SliceKey, key?: string): void {
    const name = nameOf(of);
    const changed = this.#changed.get(name);
    if (key === undefined || changed === null) this.#changed.set(name, null);
    else this.#changed.set(name, (changed ?? new Set()).add(key));
    this.#follow(name, key);
  }

  /** Marks an entry whose loss would only have a quiet look made once more: `flushingPressing` leaves it to a later flush. */
  touchLater(of: SliceKey, key: string): void {
    const name = nameOf(of);
    this.#later.set(name, (this.#later.get(name) ?? new Set()).add(key));
    this.#follow(name, key);
  }

  /** Has what may be written later written with what must not wait. */
  hurry(): void {
    for (const [name, keys] of this.#later) {
      const changed = this.#changed.get(name);
      if (changed !== null) this.#changed.set(name, changed === undefined ? keys : keys.union(changed));
    }
    this.#later.clear();
  }

  /** Writes all that changed since the last flush. Throws what the disk refuses. */
  flush(): void {
    for (const name of this.#marked) this.#save(name);
  }

  /** The same, and pauses after every `WRITTEN_AT_ONCE` entries. */
  *flushing(): Generator<void> {
    for (const name of this.#marked) yield* this.#saving(name);
  }

  /** The same, but for what may be written later. */
  *flushingPressing(): Generator<void> {
    for (const name of [...this.#changed.keys()]) yield* this.#saving(name);
  }

  /** Writes one value to disk now; of what grows, what was marked as changed. Throws what the disk refuses. */
  save(key: SliceKey): void {
    this.#save(nameOf(key));
  }

  #save(name: string): void {
    this.#demand();
    const value = this.#values.get(name);
    if (value === undefined) return; // never asked for, so unchanged
    const changed = this.#changed.get(name);
    const keys = changed === null ? null : (changed ?? NOTHING).union(this.#later.get(name) ?? NOTHING);
    this.#files.write(name, value, keys);
    this.#changed.delete(name);
    this.#later.delete(name);
  }

  #follow(name: string, key: string | undefined): void {
    if (name !== 'perceived') return;
    if (key === undefined) this.#seen = null;
    else this.#seen?.follow(key);
  }

  get #marked(): readonly string[] {
    return [...new Set([...this.#changed.keys(), ...this.#later.keys()])];
  }

  // After a tick of all, a large vault has an entry to write for each note.
  *#saving(name: string): Generator<void> {
    for (let many = this.#manyOf(name); many !== undefined; many = this.#manyOf(name)) {
      this.#saveSome(name, many);
      yield;
    }
    if (this.#marked.includes(name)) this.#save(name);
    yield;
  }

  #manyOf(name: string): Set<string> | undefined {
    const marked = [this.#changed.get(name), this.#later.get(name)];
    return marked.find((keys) => keys != null && keys.size > WRITTEN_AT_ONCE) ?? undefined;
  }

  #saveSome(name: string, marked: Set<string>): void {
    this.#demand();
    const some = new Set(marked.values().take(WRITTEN_AT_ONCE));
    this.#files.write(name, this.#values.get(name), some);
    for (const key of some) marked.delete(key);
  }

  #newer(): Diagnostic[] {
    const { format } = this.#files;
    if (!isNewer('state', format)) return [];
    return [newerFormat('state', format, '.steward/state', 'what Steward remembers about this vault')];
  }

  #writeFormat(): void {
    if (formatVersionNumber('state', this.#files.format) === FORMATS.state.version) return;
    try {
      this.#demand();
      this.#files.writeFormat();
    } catch (error) {
      if (systemCode(error) === null) throw error; // if the disk refuses, the next flush reports it
    }
  }

  async #readOneInTurns(one: Slice<unknown>): Promise<void> {
    const { name } = one;
    const turns = new Turns();
    const reading = this.#files.reading(name);
    let step = reading.next();
    for (; step.done !== true; step = reading.next()) await turns.giveWay();
    const value = step.value instanceof Map ? await this.#checkedInTurns(one, step.value, turns) : null;
    this.#values.set(name, value ?? this.#checked(one, step.value));
    this.#noteLoss(name);
  }

  #noteLoss(name: string): void {
    if (name === 'lost' || !this.#files.lost.delete(name)) return;
    this.get('lost')[name] = this.#now();
    this.touch('lost');
  }

  // Before the files are moved aside: after a crash in between, the next start finds them once more.
  #keepLost(): void {
    if (!this.#changed.has('lost')) return;
    try {
      this.save('lost');
    } catch (error) {
      if (systemCode(error) === null) throw error; // if the disk refuses, the next flush reports it
    }
  }

  /** Returns null if an entry is not as it should be. */
  async #checkedInTurns({ name, schema, empty }: Slice<unknown>, raw: ReadonlyMap<string, unknown>, turns: Turns) {
    const all = Object(empty());
    const entries = raw.entries();
    for (let some = entries.take(AT_ONCE).toArray(); some.length > 0; some = entries.take(AT_ONCE).toArray()) {
      const { data } = schema.safeParse(new Map(some));
      if (data === undefined) return null;
      Object.assign(all, data);
      await turns.giveWay();
    }
    this.#owe(name);
    return all;
  }

  #owe(name: string): void {
    if (this.#files.isOwed(name) && !this.#changed.has(name)) this.#changed.set(name, new Set());
  }

  #checked({ name, schema, empty }: Slice<unknown>, raw: unknown): unknown {
    if (raw === undefined) return empty();
    const parsed = schema.safeParse(raw);
    const left = parsed.success ? raw : this.#files.reject(name, raw, parsed.error);
    this.#owe(name);
    if (parsed.success) return parsed.data;
    return left === undefined ? empty() : (schema.safeParse(left).data ?? empty());
  }

  /** Deletes the entries that are over, and pauses after each entry. `entries`: the value of the slice. */
  *forget<Value>(
    of: SliceKey,
    entries: Record<string, Value>,
    isOver: (key: string, value: Value) => boolean,
  ): Generator<void> {
    for (const key of this.keysOf(of)) {
      const value = entries[key];
      if (value !== undefined && isOver(key, value)) {
        delete entries[key];
        this.touch(of, key);
      }
      yield;
    }
  }

  #sliceOf(key: SliceKey): Slice<unknown> {
    return typeof key === 'string' ? CORE[key] : key;
  }
}

function nameOf(key: SliceKey): string {
  return typeof key === 'string' ? key : key.name;
}
