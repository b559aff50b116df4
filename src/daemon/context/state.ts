import type { Seen } from '../../steward/perception.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { FORMATS, isNewer, newerFormat, type Stored, upgraded, versionOf } from '../../vault/formats.ts';
import { Turns } from '../../vault/slices.ts';
import { EMPTY, GROWING, NAMES, type Name, SCHEMAS, Selection, StateFolder, type Values } from '../remembered.ts';

/** How many entries are checked before the clock is asked. */
const AT_ONCE = 1000;
/** How many entries are written before others have a turn: so many take a few milliseconds. */
const WRITTEN_AT_ONCE = 1000;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * What the program must remember between ticks and restarts, each noun by itself under `.steward/state`. Undoing an
 * action needs none of it: what that takes is in the notes.
 */
export class State {
  readonly #files: StateFolder;
  readonly #demand: () => void;
  readonly #values: Partial<Values> = {};
  /** What has changed since it was written: the entries under these keys, or all where they are null. */
  readonly #changed = new Map<Name, Set<string> | null>();
  /** What has changed and may be written later: where it is lost, a quiet look is only made once more. */
  readonly #later = new Map<Name, Set<string>>();
  #seen: Selection<Seen> | null = null;

  /** `demand` throws where the folder is no longer this process's to write to. */
  constructor(folder: string, demand: () => void = () => {}) {
    this.#files = new StateFolder(folder, GROWING);
    this.#demand = demand;
  }

  /** What could not be read. */
  get troubles(): readonly Diagnostic[] {
    return [...this.#newer(), ...this.#files.troubles];
  }

  /** Reads what grows with the vault, while others have their turn: `load` then finds it read. */
  async readInTurns(): Promise<void> {
    for (const name of GROWING) if (this.#values[name] === undefined) await this.#readOneInTurns(name);
  }

  /**
   * Reads all files, so that none has to be read later, and moves aside what is damaged. Throws (exit 75) where the disk
   * refuses an existing file: without its content nothing may be decided. Throws `lock-lost` where the folder is no longer
   * this process's, and `state-newer` (75) where a newer program wrote it.
   */
  load(): void {
    const [newer] = this.#newer();
    if (newer !== undefined) throw new StewardError(newer, EXIT.tryAgain);
    for (const name of NAMES) {
      this.get(name);
      if (!this.#files.isDamaged(name)) continue;
      this.#demand();
      this.#files.setAside(name);
    }
    if (this.#files.refused !== null) throw this.#files.refused;
    this.#upgrade();
  }

  /** Returns the value under a name, read from disk at first use. After a change in place, call `touch`. */
  get<N extends Name>(name: N): Values[N] {
    const value: Values[N] = this.#values[name] ?? this.#read(name);
    this.#values[name] = value;
    return value;
  }

  /** Replaces the value under a name; the next flush writes it. */
  set<N extends Name>(name: N, value: Values[N]): void {
    this.get(name); // what is on disk is replaced
    this.#values[name] = value;
    this.#changed.set(name, null);
    if (name === 'perceived') this.#seen = null;
  }

  /**
   * The keys under a name that grows, one after the other; some may come twice, or be gone. The keys of an object are all
   * listed before the first is given: that takes 100 ms where there are 250 000.
   */
  *keysOf(name: Name): Generator<string> {
    const value = this.get(name);
    const changed = this.#changed.get(name);
    if (changed === null) return yield* Object.keys(value); // it was replaced as a whole
    // These first: what is written meanwhile is found in the files.
    yield* changed ?? NOTHING;
    yield* this.#later.get(name) ?? NOTHING;
    yield* this.#files.keysOf(name);
  }

  /** What the last looks at notes found, to be asked which of them somebody is still to hear of. */
  get seen(): Selection<Seen> {
    this.#seen ??= new Selection(this.get('perceived'), () => this.keysOf('perceived'));
    return this.#seen;
  }

  /**
   * Marks the value under a name as changed in place; the next flush writes it. `key`: the entry that has changed, and no
   * other; without it all may have.
   */
  touch(name: Name, key?: string): void {
    const changed = this.#changed.get(name);
    if (key === undefined || changed === null) this.#changed.set(name, null);
    else this.#changed.set(name, (changed ?? new Set()).add(key));
    this.#follow(name, key);
  }

  /** Marks an entry whose loss would only have a quiet look made once more: `flushingPressing` leaves it to a later flush. */
  touchLater(name: Name, key: string): void {
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
    for (const name of this.#marked) this.save(name);
  }

  /** The same, and pauses after so many entries as are written at once. */
  *flushing(): Generator<void> {
    for (const name of this.#marked) yield* this.#saving(name);
  }

  /** The same, but for what may be written later. */
  *flushingPressing(): Generator<void> {
    for (const name of [...this.#changed.keys()]) yield* this.#saving(name);
  }

  /** Writes one value to disk now; of what grows, what was marked as changed. Throws what the disk refuses. */
  save(name: Name): void {
    this.#demand();
    const value = this.get(name);
    const changed = this.#changed.get(name);
    const keys = changed === null ? null : (changed ?? NOTHING).union(this.#later.get(name) ?? NOTHING);
    this.#files.write(name, value, keys);
    this.#changed.delete(name);
    this.#later.delete(name);
  }

  #follow(name: Name, key: string | undefined): void {
    if (name !== 'perceived') return;
    if (key === undefined) this.#seen = null;
    else this.#seen?.follow(key);
  }

  get #marked(): readonly Name[] {
    return [...new Set([...this.#changed.keys(), ...this.#later.keys()])];
  }

  // After a tick of all, a large vault has an entry to write for each note.
  *#saving(name: Name): Generator<void> {
    for (let many = this.#manyOf(name); many !== undefined; many = this.#manyOf(name)) {
      this.#saveSome(name, many);
      yield;
    }
    if (this.#marked.includes(name)) this.save(name);
    yield;
  }

  #manyOf(name: Name): Set<string> | undefined {
    const marked = [this.#changed.get(name), this.#later.get(name)];
    return marked.find((keys) => keys != null && keys.size > WRITTEN_AT_ONCE) ?? undefined;
  }

  #saveSome(name: Name, marked: Set<string>): void {
    this.#demand();
    const some = new Set(marked.values().take(WRITTEN_AT_ONCE));
    this.#files.write(name, this.get(name), some);
    for (const key of some) marked.delete(key);
  }

  #newer(): Diagnostic[] {
    const { format } = this.#files;
    if (!isNewer('state', format)) return [];
    return [newerFormat('state', format, '.steward/state', 'what is remembered of this vault')];
  }

  // What grows first: until it is written, the former place still has it. Whatever ends the program before the version is
  // written has the next start do it once more.
  #upgrade(): void {
    const { format } = this.#files;
    if (versionOf('state', format) === FORMATS.state.version) return;
    const { key } = FORMATS.state;
    const before: Stored = { [key]: format[key], ...Object.fromEntries(NAMES.map((name) => [name, this.get(name)])) };
    const after = upgraded('state', before);
    const inOrder = [...GROWING, ...NAMES.filter((one) => !GROWING.includes(one))];
    const changed = inOrder.filter((name) => after[name] !== before[name]);
    for (const name of changed) this.set(name, this.#checked(name, after[name]));
    try {
      this.#demand();
      for (const name of changed) this.save(name);
      this.#files.writeFormat();
    } catch (error) {
      if (systemCode(error) === null) throw error; // where the disk refuses, the next flush reports it
    }
  }

  async #readOneInTurns<N extends Name>(name: N): Promise<void> {
    const turns = new Turns();
    const reading = this.#files.reading(name);
    let step = reading.next();
    for (; step.done !== true; step = reading.next()) await turns.giveWay();
    const value = step.value instanceof Map ? await this.#checkedInTurns(name, step.value, turns) : null;
    this.#values[name] = value ?? this.#checked(name, step.value);
  }

  /** Returns null where an entry is not as it should be. */
  async #checkedInTurns<N extends Name>(name: N, raw: ReadonlyMap<string, unknown>, turns: Turns) {
    const all = EMPTY[name]();
    const entries = raw.entries();
    for (let some = entries.take(AT_ONCE).toArray(); some.length > 0; some = entries.take(AT_ONCE).toArray()) {
      const { data } = SCHEMAS[name].safeParse(new Map(some));
      if (data === undefined) return null;
      Object.assign(all, data);
      await turns.giveWay();
    }
    this.#owe(name);
    return all;
  }

  #read<N extends Name>(name: N): Values[N] {
    return this.#checked(name, this.#files.read(name));
  }

  #owe(name: Name): void {
    if (this.#files.isOwed(name) && !this.#changed.has(name)) this.#changed.set(name, new Set());
  }

  #checked<N extends Name>(name: N, raw: unknown): Values[N] {
    if (raw === undefined) return EMPTY[name]();
    const parsed = SCHEMAS[name].safeParse(raw);
    const left = parsed.success ? raw : this.#files.reject(name, raw, parsed.error);
    this.#owe(name);
    if (parsed.success) return parsed.data;
    return left === undefined ? EMPTY[name]() : (SCHEMAS[name].safeParse(left).data ?? EMPTY[name]());
  }
}
