import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Arrival,
  type Connector,
  type Inlet,
  type Json,
  type MailHead,
  type Session,
  type Sifted,
  SourceError,
  type SourceProblem,
} from '../source/connector.ts';
import { type Grant, nextTry, pinned, together, usualGap } from '../source/source.ts';
import { newSource, type SourceState } from '../source/source-state.ts';
import { loadSystemCalls } from '../vault/disk/system-calls.ts';
import { openAsFolderAndSources } from '../vault/disk-readers.ts';
import { awayRefusal, StewardError, systemCode } from '../vault/errors.ts';
import { createWhole, readBytes } from '../vault/files.ts';
import { sha256 } from '../vault/hash.ts';
import type { Workspace } from './context.ts';
import { Brought } from './fetched-mails.ts';
import type { Streams } from './ingest-queue.ts';
import type { RetryQueue } from './queues.ts';
import { allowHere, failureOf, knownNote, type PlainFailure } from './source-orders.ts';
import type { Connect } from './sources/connectors.ts';
import { credentialFor } from './sources/credential.ts';
import type { Tried, TryOrder } from './sources/orders/try-source.ts';
import { unexpectedFailure } from './sources/unexpected-failure.ts';
import {
  grantOf,
  grantsFile,
  grantsIn,
  isAsAllowed,
  type SourceNote,
  type SourceStanding,
  sourceNotes,
  standingsOf,
} from './sources.ts';
import type { StreamFile } from './stream-files.ts';
import { earliest } from './timers.ts';

/** However much a source has to say, it is visited no more often. */
const LEAST_BETWEEN_MS = 1_000;
/** A connection that lasted so long was a good one: what ends it says nothing of the tries before. */
const GOOD_MS = 10 * 60 * 1000;
/** How often it is looked whether a password that was refused is another one by now. */
const REFUSED_MS = 60 * 60 * 1000;

interface LoopParts {
  readonly known: SourceState;
  readonly inlet: Inlet;
  /** How long (ms) until it is visited again where it does not say that there is something new. */
  readonly everyMs: number;
  /** Loads what the kind needs. `abort`: the loop ends. */
  readonly connector: (abort: AbortSignal) => Promise<Connector>;
  /** The mark of the password and the place that go together now. Throws a `SourceError` where none is to be had. */
  readonly mark: (abort: AbortSignal) => Promise<string>;
  /** A figure from 0 to 1, another one each time. */
  readonly chance: () => number;
  readonly listener: {
    /** Is called when what is remembered has changed. */
    readonly changed: () => void;
    /** Is called with an error that nobody foresaw. It has become a problem of the source by then. */
    readonly unexpected: (error: unknown) => void;
  };
  /** Whether the vault can be written to just now. */
  readonly isThere: () => boolean;
}

/**
 * One source: open, visit, wait for news or for its pace, visit again; what fails is tried again, later each time. A visit
 * that went well doesn't reset the count of failures, a connection that lasted does: a server may let us in and hang up at
 * once. A refused password is tried once, and again only when the password, the grant or the note has changed.
 */
class SourceLoop {
  readonly #parts: LoopParts;
  readonly #inlet: WatchedInlet;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;
  /** Ends the present rest. */
  #rested = new AbortController();
  /** Whether the next rest is to end at once. */
  #isWoken = false;
  #openedAt = 0;
  #restsUntil: number | null = null;
  /** Whether there was a visit over the present connection. */
  #hasWorked = false;
  /** How often in a row it failed. A visit that goes well does not end that: a server can let in and drop at once. */
  #tries: number;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#inlet = new WatchedInlet(parts.inlet);
    this.#tries = parts.known.failing?.tries ?? 0;
    this.#running = this.#run();
  }

  /** When it is visited again (epoch ms) where it does not say before that there is something new; null while it is. */
  get restsUntil(): number | null {
    return this.#restsUntil;
  }

  /** The machine has slept: a connection may have died without a word, and a network that was away may be back. */
  wake(): void {
    const { failing } = this.#parts.known;
    if (failing !== null && failing.kind !== 'away') return;
    this.#isWoken = true;
    this.#rested.abort();
  }

  /** Ends it. Resolves when the connection is closed. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    await new Promise(setImmediate); // whoever made it has to know it first
    while (!this.#abort.signal.aborted) {
      this.#isWoken = false;
      await this.#rest(await this.#guarded());
    }
  }

  // Whatever fails, also in reporting a failure: the loop goes on, at its own pace.
  async #guarded(): Promise<number> {
    try {
      return this.#parts.isThere() ? await this.#once() : LEAST_BETWEEN_MS;
    } catch (error) {
      this.#tries += 1;
      this.#parts.listener.unexpected(error);
      return nextTry(this.#tries, null, this.#parts.chance());
    }
  }

  // Returns how long to wait until the next try.
  async #once(): Promise<number> {
    const { known, listener, chance, everyMs } = this.#parts;
    try {
      if (known.refused !== null && known.refused === (await this.#parts.mark(this.#abort.signal))) return REFUSED_MS;
      await this.#visits();
      return 0;
    } catch (error) {
      if (this.#abort.signal.aborted) return 0;
      if (!this.#parts.isThere()) return LEAST_BETWEEN_MS; // it is said that the vault is away
      const failure = this.#failureOf(error);
      const hasWorked = this.#hasWorked;
      await this.#note(failure);
      listener.changed();
      if (failure.kind === 'refused') return REFUSED_MS;
      const waitMs = nextTry(this.#tries, failure.waitMs, chance());
      return hasWorked && failure.waitMs === null ? Math.min(waitMs, everyMs) : waitMs;
    }
  }

  #failureOf(error: unknown): SourceError {
    if (error instanceof SourceError) return error;
    if (this.#inlet.hasThrown(error)) return unkept(error);
    const failure = unexpectedFailure(error);
    if (failure.kind === 'fault') this.#parts.listener.unexpected(error);
    return failure;
  }

  async #visits(): Promise<void> {
    const { everyMs, connector } = this.#parts;
    const inlet = this.#inlet;
    const { signal } = this.#abort;
    this.#hasWorked = false;
    const session = await (await connector(signal)).open(inlet, signal);
    this.#openedAt = inlet.now();
    try {
      while (!signal.aborted) {
        this.#isWoken = false; // who wakes it from here on wants one more visit
        this.#worked(await session.visit());
        await this.#restUntilNews(session, everyMs);
      }
    } finally {
      await session.close();
    }
  }

  async #restUntilNews(session: Session, everyMs: number): Promise<void> {
    const resting = this.#rest(everyMs);
    try {
      await Promise.race([session.news(), resting]);
    } finally {
      this.#rested.abort(); // also where the connection is lost: no timer may be left of it
    }
    this.#isWoken = false;
    await this.#rest(LEAST_BETWEEN_MS);
  }

  #worked(problems: readonly SourceProblem[]): void {
    const { known, inlet, listener } = this.#parts;
    this.#hasWorked = true;
    known.contact = inlet.now();
    known.refused = null;
    known.problems = problems.map(({ message, hint }) => ({ message, hint }));
    known.failing = null;
    listener.changed();
  }

  async #note({ kind, message, hint }: SourceError): Promise<void> {
    const { known, inlet, mark } = this.#parts;
    const now = inlet.now();
    const lasted = this.#openedAt > 0 && now - this.#openedAt >= GOOD_MS;
    this.#openedAt = 0;
    this.#tries = (lasted ? 0 : this.#tries) + 1;
    known.failing = { kind, message, hint, since: (lasted ? null : known.failing)?.since ?? now, tries: this.#tries };
    if (kind === 'refused') known.refused = await mark(this.#abort.signal).catch(() => null);
  }

  async #rest(ms: number): Promise<void> {
    if (this.#isWoken) return;
    this.#rested = new AbortController();
    const signal = AbortSignal.any([this.#rested.signal, this.#abort.signal]);
    this.#restsUntil = this.#parts.inlet.now() + ms;
    await wait(ms, undefined, { signal }).catch(() => {});
    this.#restsUntil = null;
  }
}

/** The vault as a source sees it, which remembers the errors that came from the vault and not from the source. */
class WatchedInlet implements Inlet {
  readonly #inlet: Inlet;
  readonly #errors = new WeakSet<object>();

  constructor(inlet: Inlet) {
    this.#inlet = inlet;
  }

  /** Whether the vault or the disk refused something with this error. */
  hasThrown(error: unknown): error is Error {
    return error instanceof Error && this.#errors.has(error);
  }

  now(): number {
    return this.#inlet.now();
  }

  cursor(): Json {
    return this.#inlet.cursor();
  }

  knows(key: string): boolean {
    try {
      return this.#inlet.knows(key);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  async sift(head: MailHead): Promise<Sifted> {
    return this.#inlet.sift(head).catch((error: unknown) => {
      throw this.#noted(error);
    });
  }

  async put(arrivals: readonly Arrival[], cursor: Json): Promise<void> {
    return this.#inlet.put(arrivals, cursor).catch((error: unknown) => {
      throw this.#noted(error);
    });
  }

  #noted(error: unknown): unknown {
    if (error instanceof StewardError || (error instanceof Error && systemCode(error) !== null))
      this.#errors.add(error);
    return error;
  }
}

function unkept(error: Error): SourceError {
  const hint = 'Nothing is lost: it goes on where it was once that is mended.';
  return new SourceError(
    { kind: 'setup', message: `What it brings cannot be kept: ${error.message}`, hint },
    { cause: error },
  );
}

/** How many files a source may have put in before it waits until they have been read. */
const MOST_UNREAD = 200;

/** How many other files may have the name of what is brought: whoever can write into the vault could put them there. */
const MOST_NAMESAKES = 9;

interface InletParts {
  readonly space: Workspace;
  readonly note: SourceNote;
  readonly brought: Brought;
  /** What is remembered of the source, to be changed in place. */
  readonly known: SourceState;
  /** Has files read. */
  readonly streams: { add(file: string): void; drained(): Promise<void> };
}

/** The vault as one source sees it. It alone knows where what is brought comes to lie. */
export class VaultInlet implements Inlet {
  readonly now: () => number;
  readonly #parts: InletParts;
  #unread = 0;

  constructor(parts: InletParts) {
    this.#parts = parts;
    this.now = parts.space.context.now;
  }

  async sift(head: MailHead): Promise<Sifted> {
    const { sift } = await import('./sources/sift.ts');
    return sift(this.#parts.space, head);
  }

  knows(key: string): boolean {
    return this.#parts.brought.has(this.#parts.note.name, key);
  }

  cursor(): Json {
    return structuredClone(this.#parts.known.cursor);
  }

  /**
   * The one way in, and its law: first the files are on disk, then what was brought is known by its key, and only then the
   * cursor moves. Whoever is killed in between is brought the same things again, which have the same names and keys.
   */
  async put(arrivals: readonly Arrival[], cursor: Json): Promise<void> {
    const { space, note, brought, known } = this.#parts;
    const { context, vault } = space;
    if (vault.away !== null) throw awayRefusal(vault.away);
    const fresh = arrivals.filter(({ key }) => !this.knows(key));
    const files: string[] = [];
    for (const arrival of together(fresh)) {
      space.transactions.demand(); // nothing more is written where another program has the vault by now
      files.push(...(await this.#write(arrival)));
    }
    brought.add(note.name, [...new Set(fresh.map(({ key }) => key))]);
    this.#count(fresh);
    known.cursor = cursor;
    context.state.touch('sources', note.name);
    context.state.save('sources');
    if (fresh.length > 0)
      context.emit({
        what: 'fetched',
        source: note.name,
        seen: fresh.length,
        taken: files.length === 0 ? 0 : takenOf(fresh),
      });
    await this.#handOn(files);
  }

  async #write(arrival: Arrival): Promise<readonly string[]> {
    const { space, note } = this.#parts;
    const { fileOf } = await import('./stream-files.ts');
    for (let nth = 1; nth <= MOST_NAMESAKES; nth += 1) {
      const made = await fileOf(space, note, arrival, nth);
      if (made === null) return [];
      space.transactions.demand(); // again: others had their turn meanwhile
      if (this.#create(made)) return [made.file];
      if (isThere(path.join(space.vault.root, made.file), made.bytes)) return []; // the program was ended before the cursor moved
    }
    throw new StewardError({
      code: 'names-taken',
      message: `the names for it in ${space.vault.layout.folders.stream}/${note.name} are taken`,
      hint: 'Move the files with that name out of this folder.',
    });
  }

  #create({ file, bytes }: StreamFile): boolean {
    const { vault } = this.#parts.space;
    const readable = path.join(vault.root, this.#parts.note.path); // read by nobody who may not read the note of its source
    const dress = (part: string, folder: string) => openAsFolderAndSources(part, folder, [readable], loadSystemCalls());
    return createWhole(vault.root, vault.places.tmp, file, bytes, dress);
  }

  #count(fresh: readonly Arrival[]): void {
    const { known } = this.#parts;
    if (fresh.length === 0) return;
    const now = this.now();
    const times = fresh.flatMap(({ at }) => (at === null ? [] : [Math.min(at, now)]));
    known.gapMs = usualGap(known, times);
    known.event = now;
    known.seen += fresh.length;
    known.taken += takenOf(fresh);
    known.lagMs = times.length === 0 ? null : now - (times.at(-1) ?? now);
  }

  // What was written whole need not keep still first, as what somebody copies must.
  async #handOn(files: readonly string[]): Promise<void> {
    const { space, streams } = this.#parts;
    space.vault.look(files);
    for (const file of files) streams.add(file);
    this.#unread += files.length;
    if (this.#unread < MOST_UNREAD) return;
    await streams.drained();
    this.#unread = 0;
  }
}

function takenOf(arrivals: readonly Arrival[]): number {
  return arrivals.filter(({ content }) => content !== null).length;
}

// Also where a file stands in the place of a folder: then the name is taken, and nothing is there.
function isThere(file: string, bytes: Uint8Array | string): boolean {
  const wanted = Buffer.from(bytes);
  try {
    return readBytes(file, wanted.length).bytes.equals(wanted);
  } catch {
    return false;
  }
}

/** How often (ms) a webhook is looked after: nothing has to be asked of it. */
const NO_PACE_MS = 60 * 60 * 1000;
/** The notes are followed every minute: where far more has passed, the machine has slept. */
const SLEPT_MS = 150_000;

interface SourceWorkParts {
  readonly space: Workspace;
  readonly streams: Streams;
  readonly retries: RetryQueue;
  readonly connect: Connect;
  readonly chance: () => number;
  readonly demand: () => void;
  /** Is told of an error that nobody foresaw, and that has become a problem of its source. */
  readonly unexpected: (error: unknown) => void;
}

/** The sources that are asked: one loop for each note that a person allowed. */
export class SourceWork {
  readonly #parts: SourceWorkParts;
  readonly #brought: Brought;
  readonly #abort = new AbortController();
  readonly #loops = new Map<string, { readonly form: string; readonly loop: SourceLoop }>();
  /** Those whose connection is being closed: until it is, no other of theirs is begun. */
  readonly #closing = new Map<string, Promise<void>>();
  /** Those that are tested, and by whom last: their loops rest. */
  readonly #tested = new Map<string, Promise<unknown>>();
  readonly #said = new Map<string, string>();
  #followedAt = Number.POSITIVE_INFINITY;

  constructor(parts: SourceWorkParts) {
    this.#parts = parts;
    const { vault, context } = parts.space;
    this.#brought = new Brought({ places: vault.places, now: context.now, demand: parts.demand });
  }

  /** Follows the notes and what was allowed: begins, ends, begins anew, and looks at all of them after a sleep. What the disk refuses is said, and tried again. */
  follow(): void {
    const { retries, space } = this.#parts;
    const now = space.context.now();
    if (now - this.#followedAt > SLEPT_MS) for (const { loop } of this.#loops.values()) loop.wake();
    this.#followedAt = now;
    retries.add('sources', space.vault.layout.folders.source, async () => this.#follow());
  }

  /**
   * Does what a person orders: allows a source, where `given` says so, asks it what is there, and has it visited. While it is
   * asked its loop rests: a port, or a session, there is only once. Returns what is there, in a few lines. Throws
   * `source-unknown`, what is wrong with its note, `source-not-allowed`, and why it gives nothing.
   */
  async test(name: string, given: Grant | null, abort: AbortSignal): Promise<{ readonly lines: readonly string[] }> {
    const { space } = this.#parts;
    const note = knownNote(space, name);
    if (given !== null) allowHere(space, name, given);
    const { described, failed } = await this.#alone(name, async () => {
      const tried = await this.try({ name, fields: null, allow: null }, abort);
      await this.#learn(note, tried.failed);
      return tried;
    });
    if (failed !== null) throw failureOf(failed);
    return { lines: described?.lines ?? [] };
  }

  /** Connects to a source once, also to one that has no note yet, and changes nothing. Throws as `trySource` does. */
  async try(order: TryOrder, abort: AbortSignal): Promise<Tried> {
    const { connect, space } = this.#parts;
    const { trySource } = await import('./sources/orders/try-source.ts');
    return trySource(space, connect, order, AbortSignal.any([abort, this.#abort.signal]));
  }

  /** When the next of them is visited (epoch ms): now while one is, null where there is none. */
  restsUntil(now: number): number | null {
    if (this.#closing.size + this.#tested.size > 0) return now;
    return earliest([...this.#loops.values()].map(({ loop }) => loop.restsUntil ?? now));
  }

  /** Forgets what was brought so long ago that it cannot come again. Throws what the disk refuses. */
  prune(): void {
    this.#brought.prune();
  }

  /** Ends all of them. Resolves when their connections are closed. */
  async close(): Promise<void> {
    this.#abort.abort();
    for (const name of [...this.#loops.keys()]) this.#end(name);
    await Promise.all(this.#closing.values());
  }

  // Whatever comes of the work, the loop goes on afterwards. Those who want the same one after the other.
  async #alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tested.get(name);
    const turn = (async () => {
      await before?.catch(() => undefined);
      this.#end(name);
      await this.#closing.get(name);
      return work();
    })();
    this.#tested.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#tested.get(name) === turn) this.#tested.delete(name);
      this.follow();
    }
  }

  #follow(): void {
    if (this.#abort.signal.aborted) return;
    const { space } = this.#parts;
    const [notes, given] = [sourceNotes(space.vault), this.#given()];
    const wanted = new Map(notes.flatMap((note) => ('settings' in note ? this.#wanted(note, given(note.name)) : [])));
    for (const [name, { form }] of this.#loops) if (wanted.get(name)?.form !== form) this.#end(name);
    for (const [name, { note, allowed, form }] of wanted) {
      if (this.#isFree(name)) this.#loops.set(name, { form, loop: this.#begin(note, allowed) });
    }
    this.#say(standingsOf(space, notes, given));
  }

  #isFree(name: string): boolean {
    return !this.#loops.has(name) && !this.#closing.has(name) && !this.#tested.has(name);
  }

  #wanted(note: SourceNote, allowed: Grant | null): [string, { note: SourceNote; allowed: Grant; form: string }][] {
    if (note.settings.paused || allowed === null || !isAsAllowed(note.settings, allowed)) return [];
    return [[note.name, { note, allowed, form: JSON.stringify([note.settings, allowed]) }]];
  }

  #given(): (name: string) => Grant | null {
    return this.#parts.space.context.env.sourceGrants === undefined ? () => null : grantsIn(this.#grantsFile());
  }

  #begin(note: SourceNote, given: Grant): SourceLoop {
    const { space, streams, connect, chance } = this.#parts;
    const { context, vault } = space;
    const known = this.#known(note);
    return new SourceLoop({
      ...{ known, chance },
      inlet: new VaultInlet({ space, note, brought: this.#brought, known, streams }),
      everyMs: 'every' in note.settings ? note.settings.every : NO_PACE_MS,
      connector: (abort) => connect(note, given, context.env, abort),
      mark: (abort) => this.#mark(note, given, abort),
      listener: { changed: () => this.#changed(note, given, known), unexpected: this.#parts.unexpected },
      isThere: () => vault.away === null,
    });
  }

  // At each visit of each source, so it looks at nothing but this one, as it was begun: whoever follows sees the others.
  #changed(note: SourceNote, given: Grant, known: SourceState): void {
    const { retries, space } = this.#parts;
    space.context.state.touch('sources', note.name);
    // On disk at once: a password that was refused is not tried again after a crash either.
    if (known.refused !== null) {
      retries.add('sources-state', '.steward/state', async () => space.context.state.save('sources'));
    }
    this.#say(standingsOf(space, [note], () => given));
  }

  async #mark(note: SourceNote, given: Grant, abort: AbortSignal): Promise<string> {
    const { env, seal } = this.#parts.space.context;
    return seal.of(`refused ${placeOf(note)} ${await credentialFor(note.name, env, given, abort).reveal()}`);
  }

  #end(name: string): void {
    const ending = this.#loops.get(name)?.loop.close();
    this.#loops.delete(name);
    if (ending === undefined) return;
    const closing = ending.finally(() => {
      this.#closing.delete(name);
      this.follow(); // it may be wanted again, otherwise
    });
    this.#closing.set(name, closing);
  }

  // What was left at another server says nothing of this one.
  #known(note: SourceNote): SourceState {
    const { state } = this.#parts.space.context;
    const sources = state.get('sources');
    const place = placeOf(note);
    const before = sources[note.name];
    const vouches = note.settings.kind === 'imap' && note.settings.mail_server !== null;
    if (before?.place === place && before.vouches === vouches) return before;
    const known = before?.place === place ? before : newSource(place);
    known.vouches = vouches;
    sources[note.name] = known;
    state.touch('sources', note.name);
    return known;
  }

  // What a test was refused with is not tried by the loop once more; what it was let in with makes good what was said.
  async #learn(note: SourceNote, failed: PlainFailure | null): Promise<void> {
    const known = this.#known(note);
    const given = grantOf(this.#grantsFile(), note.name);
    if (given === null || (failed !== null && failed.kind !== 'refused')) return;
    if (failed === null) Object.assign(known, { refused: null, failing: null });
    else {
      const { kind, message, hint } = failed;
      known.refused = await this.#mark(note, given, this.#abort.signal).catch(() => null);
      known.failing = { kind, message, hint, since: this.#parts.space.context.now(), tries: 1 };
    }
    this.#changed(note, given, known);
  }

  #grantsFile(): string {
    const { context, vault } = this.#parts.space;
    return grantsFile(vault.root, context.env.sourceGrants ?? '');
  }

  // `status` asks anew each time; `run` says each trouble once, until it is another.
  #say(standings: readonly SourceStanding[]): void {
    const { context } = this.#parts.space;
    for (const { name, trouble } of standings) {
      const text = trouble.map(({ message }) => message).join(' ');
      if ((this.#said.get(name) ?? '') === text) continue;
      this.#said.set(name, text);
      for (const one of trouble) context.emit({ what: 'trouble', trouble: one });
    }
  }
}

function placeOf({ settings }: SourceNote): string {
  return sha256(JSON.stringify(pinned(settings))).slice(0, 16);
}
