import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Running, request, type StreamIntake } from '../daemon/capability.ts';
import type { IndexAccess, Workspace } from '../daemon/context.ts';
import type { Environment } from '../daemon/environment.ts';
import { withoutProgram } from '../daemon/process.ts';
import { type Awaiting, type RetryQueue, retryDelay } from '../daemon/queue.ts';
import { earliest, type Timers } from '../daemon/timers.ts';
import { readFetched } from '../streams/fetched-mail.ts';
import { STREAMS } from '../streams/state.ts';
import { MAX_MAIL_BYTES } from '../streams/stream.ts';
import { StewardError, systemCode } from '../vault/errors.ts';
import { readInside } from '../vault/files.ts';
import { sha256 } from '../vault/note-text.ts';
import { retire } from '../vault/publish.ts';
import { credentialFor } from './credential.ts';
import { KnownKeys, VaultInlet } from './inlet.ts';
import {
  type Arrival,
  type Grant,
  grant,
  hasPlace,
  type Inlet,
  type Json,
  type MailHead,
  newSource,
  ownAddresses,
  pinned,
  type Relevance,
  type SenderReport,
  type Session,
  SOURCES,
  type Source,
  SourceError,
  type SourceFields,
  type SourceProblem,
  type SourceState,
  sourceFields,
} from './source.ts';
import {
  addSource,
  allowedTo,
  allowHere,
  draftedNote,
  grantsFile,
  isAsAllowed,
  knownNote,
  listedSources,
  loadGrants,
  makeSourceFailure,
  notAllowed,
  type PlainFailure,
  passwordPlace,
  pauseSource,
  readGrant,
  reportSources,
  type SourceNote,
  type SourceReport,
  sourceNotes,
} from './source-note.ts';

/** How often (ms) a webhook is polled: it reports by itself. */
const NO_PACE_MS = 60 * 60 * 1000;
/** The notes are read every minute. If far more time has passed, the machine was asleep. */
const SLEPT_MS = 150_000;

interface SourceWorkParts {
  readonly space: Workspace;
  readonly streams: StreamIntake;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly connect: LoadSource;
  readonly chance: () => number;
  readonly demand: () => void;
  /** Reports an unexpected error. It's a problem of its source by then. */
  readonly unexpected: (error: unknown) => void;
}

/** Runs one loop for each source note that a person allowed. */
export class SourceWork implements Running {
  readonly requests = {
    sources: request({}, () => listedSources(this.#parts.space)),
    /** Connects once and fetches nothing. Without `fields` and `allow`: as the note and the grant of that name say. */
    'source-try': request(
      { name: z.string(), fields: sourceFields.nullable(), allow: grant.nullable() },
      (asked, { gone }) => this.try(asked, gone),
    ),
    'source-add': request({ name: z.string(), fields: sourceFields, allow: grant }, (asked) =>
      addSource(this.#parts.space, asked),
    ),
    'source-pause': request({ name: z.string(), paused: z.boolean() }, (asked) =>
      pauseSource(this.#parts.space, asked),
    ),
    /** `allow`: what the person allows it, if that is new. */
    'source-test': request({ name: z.string(), allow: grant.nullable() }, ({ name, allow: given }, { gone }) =>
      this.test(name, given, gone),
    ),
  };
  readonly #parts: SourceWorkParts;
  readonly #knownKeys: KnownKeys;
  readonly #readMails: ReadMailRemover;
  readonly #abort = new AbortController();
  /** `form`: what the loop was started with. */
  readonly #loops = new Map<string, { readonly form: string; readonly loop: SourceLoop }>();
  /** Connections that are being closed. Until they are, no new loop starts for the same source. */
  readonly #closing = new Map<string, Promise<void>>();
  /** Sources that are being tested, with the last test of each. Their loops don't run. */
  readonly #tested = new Map<string, Promise<unknown>>();
  /** The problems of each source that `run` printed last. */
  readonly #reported = new Map<string, string>();
  #followedAt = Number.POSITIVE_INFINITY;

  constructor(parts: SourceWorkParts) {
    this.#parts = parts;
    const { vault, context } = parts.space;
    this.#readMails = new ReadMailRemover(parts);
    this.#knownKeys = new KnownKeys({ places: vault.places, now: context.now, demand: parts.demand });
  }

  begin(): void {
    this.follow();
    this.#readMails.soon();
  }

  sourcesChanged(): void {
    this.follow();
  }

  streamRead(): void {
    this.#readMails.soon();
  }

  check(): void {
    this.follow();
  }

  /** Starts and ends loops as the notes and grants say, and polls all after the machine was asleep. Retries what the disk refuses. */
  follow(): void {
    const { retries, space } = this.#parts;
    const now = space.context.now();
    if (now - this.#followedAt > SLEPT_MS) for (const { loop } of this.#loops.values()) loop.wake();
    this.#followedAt = now;
    retries.add('sources', space.vault.layout.folders.source, async () => this.#follow());
  }

  /**
   * Allows a source, if `given` isn't null, and describes what is there, in a few lines. Its loop rests in the
   * meantime, since a port can be opened only once. Throws `source-unknown`, the problem of its note,
   * `source-not-allowed`, and why it failed.
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
    if (failed !== null) throw makeSourceFailure(failed);
    return { lines: described?.lines ?? [] };
  }

  /** Connects to a source once, also to one without a note, and doesn't change anything. Throws as `trySource` does. */
  try(order: TryOrder, abort: AbortSignal): Promise<SourceTrial> {
    const { connect, space } = this.#parts;
    return trySource(space, connect, order, AbortSignal.any([abort, this.#abort.signal]));
  }

  next({ now }: Pick<Awaiting, 'now'>): number | null {
    if (this.#closing.size + this.#tested.size > 0) return now;
    return earliest([...this.#loops.values()].map(({ loop }) => loop.restsUntil ?? now));
  }

  /** Forgets keys that are so old that they can't come again. Throws what the disk refuses. */
  *prune(): Generator<void> {
    this.#knownKeys.prune();
    yield;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    for (const name of [...this.#loops.keys()]) this.#end(name);
    await Promise.all(this.#closing.values());
  }

  // The loop goes on afterwards, also after a failure. Tests of the same source run one after the other.
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
      const isFree = !this.#loops.has(name) && !this.#closing.has(name) && !this.#tested.has(name);
      if (isFree) this.#loops.set(name, { form, loop: this.#startLoop(note, allowed) });
    }
    this.#report(reportSources(space, notes, given));
  }

  #wanted(note: SourceNote, allowed: Grant | null): [string, { note: SourceNote; allowed: Grant; form: string }][] {
    if (note.settings.paused || allowed === null || !isAsAllowed(note.settings, allowed)) return [];
    return [[note.name, { note, allowed, form: JSON.stringify([note.settings, allowed]) }]];
  }

  #given(): (name: string) => Grant | null {
    return this.#parts.space.context.env.sourceGrants === undefined ? () => null : loadGrants(this.#grantsFile());
  }

  #startLoop(note: SourceNote, given: Grant): SourceLoop {
    const { space, streams, connect, chance } = this.#parts;
    const { context, vault } = space;
    const known = this.#known(note);
    return new SourceLoop({
      known,
      chance,
      inlet: new VaultInlet({ space, note, knownKeys: this.#knownKeys, known, streams }),
      everyMs: 'every' in note.settings ? note.settings.every : NO_PACE_MS,
      load: (abort) => connect(note, given, context.env, abort),
      mark: (abort) => this.#mark(note, given, abort),
      listener: { changed: () => this.#changed(note, given, known), unexpected: this.#parts.unexpected },
      isThere: () => vault.away === null,
    });
  }

  // Runs at each poll, so it reports only this source.
  #changed(note: SourceNote, given: Grant, known: SourceState): void {
    const { retries, space } = this.#parts;
    space.context.state.touch(SOURCES, note.name);
    // On disk at once: a password that was refused is not tried again after a crash either.
    if (known.refused !== null) {
      retries.add('sources-state', '.steward/state', async () => space.context.state.save(SOURCES));
    }
    this.#report(reportSources(space, [note], () => given));
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

  // The state stored for another server doesn't apply to this one.
  #known(note: SourceNote): SourceState {
    const { state } = this.#parts.space.context;
    const sources = state.get(SOURCES);
    const place = placeOf(note);
    const before = sources[note.name];
    const server = note.settings.kind === 'imap' ? note.settings.mail_server : null;
    const sent = note.settings.kind === 'imap' && note.settings.sent_folder !== null;
    const own = note.settings.kind === 'imap' ? ownAddresses(note.settings) : [];
    const isSame = before?.server === server && before.sent === sent && isDeepStrictEqual(before.own, own);
    if (before?.place === place && isSame) return before;
    const known = before?.place === place ? before : newSource(place);
    Object.assign(known, { server, vouches: server !== null, sent, own });
    sources[note.name] = known;
    state.touch(SOURCES, note.name);
    return known;
  }

  // The loop doesn't try a password that the test was refused with. A password that works ends the earlier failure.
  async #learn(note: SourceNote, failed: PlainFailure | null): Promise<void> {
    const known = this.#known(note);
    const given = readGrant(this.#grantsFile(), note.name);
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

  // `run` prints each problem once.
  #report(reports: readonly SourceReport[]): void {
    const { context } = this.#parts.space;
    for (const { name, trouble } of reports) {
      const text = trouble.map(({ message }) => message).join(' ');
      if ((this.#reported.get(name) ?? '') === text) continue;
      this.#reported.set(name, text);
      for (const one of trouble) context.emit({ what: 'trouble', trouble: one });
    }
  }
}

function placeOf({ settings }: SourceNote): string {
  return sha256(JSON.stringify(pinned(settings))).slice(0, 16);
}

export type LoadSource = typeof loadSource;

/**
 * Loads what the kind of a source needs. `abort` also ends the command that prints its password. `limitMs`: how long that
 * command may run, if not as long as usual.
 */
export async function loadSource(
  { name, settings }: Pick<SourceNote, 'name' | 'settings'>,
  given: Grant,
  env: Environment,
  abort: AbortSignal,
  limits: { readonly limitMs?: number } = {},
): Promise<Source> {
  const credential = credentialFor(name, env, given, abort, limits);
  switch (settings.kind) {
    case 'imap':
      return (await import('./imap.ts')).imapSource({ settings, credential });
    case 'webhook':
      return (await import('./webhook.ts')).webhookSource({ settings, credential });
    case 'command': {
      const { commandSource } = await import('./command.ts');
      const hasSecret = given.passwordCommand !== null || (env.sourcePassword?.(name) ?? null) !== null;
      const environment = env.variables ?? {};
      return commandSource({ argv: given.run ?? [], credential: hasSecret ? credential : null, environment });
    }
    case 'caldav':
      return (await import('./caldav.ts')).caldavSource({ settings, credential });
    case 'ics': {
      const { icsSource } = await import('./ics-feed.ts');
      const isSecret = settings.user !== null || hasPlace(settings.url);
      return icsSource({ settings, credential: isSecret ? credential : null });
    }
  }
}

interface Description {
  /** For a person to read. */
  readonly lines: readonly string[];
  /** The server that signs the newest mails; null if unknown. */
  readonly mailServer: string | null;
  /** Null if it has no mails. */
  readonly senders: SenderReport | null;
}

/** The result of connecting once. */
export interface SourceTrial {
  /** Null if it failed. */
  readonly described: Description | null;
  readonly failed: PlainFailure | null;
  /** Whether there was a password, or none is needed. */
  readonly hasPassword: boolean;
}

interface TryOrder {
  readonly name: string;
  readonly fields: SourceFields | null;
  readonly allow: Grant | null;
}

/**
 * Connects to a source once, and doesn't change anything stored. Without `fields` and `allow` it uses the note and the
 * grant of that name. Throws `source-unknown`, `source-name` and `source-field`.
 */
export async function trySource(
  space: IndexAccess,
  connect: LoadSource,
  order: TryOrder,
  abort: AbortSignal,
): Promise<SourceTrial> {
  const { name, fields } = order;
  const note = fields === null ? knownNote(space, name) : draftedNote(space, name, fields);
  const given = order.allow ?? allowedTo(space, name);
  if (given === null || !isAsAllowed(note.settings, given)) return notAllowedResult(note, given);
  const { env, now } = space.context;
  const hasPassword = passwordPlace(env, name, note.settings, given) !== 'none';
  try {
    // A missing password is reported before the server is asked.
    if (!hasPassword) await credentialFor(name, env, given, abort).reveal();
    return { described: await describe(note, given, { connect, env, now }, abort), failed: null, hasPassword };
  } catch (error) {
    if (!(error instanceof SourceError) && abort.aborted) throw error;
    const { kind, message, hint } = error instanceof SourceError ? error : unexpectedFailure(error);
    return { described: null, failed: { kind, message, hint }, hasPassword };
  }
}

function notAllowedResult(note: SourceNote, given: Grant | null): SourceTrial {
  const { message, hint } = notAllowed(note, given);
  return { described: null, failed: { kind: 'not-allowed', message, hint }, hasPassword: true };
}

const NOTHING: Omit<Inlet, 'now'> = {
  checkRelevance: async () => 'pass',
  knows: () => false,
  cursor: () => null,
  put: async () => {},
};

async function describe(
  note: SourceNote,
  given: Grant,
  { connect, env, now }: { readonly connect: LoadSource; readonly env: Environment; readonly now: () => number },
  abort: AbortSignal,
): Promise<Description> {
  const source = await connect(note, given, env, abort);
  const session = await source.open({ ...NOTHING, now }, abort);
  try {
    const lines = await session.describe();
    return {
      lines,
      mailServer: (await session.signer?.()) ?? null,
      senders: (await session.senders?.()) ?? null,
    };
  } finally {
    await session.close();
  }
}

/** The shortest time between two polls. */
const LEAST_BETWEEN_MS = 1_000;
/** After a connection that lasted this long, the count of failures starts again. */
const GOOD_MS = 10 * 60 * 1000;
/** How often a refused password is compared with the present one. */
const REFUSED_MS = 60 * 60 * 1000;

interface LoopParts {
  readonly known: SourceState;
  readonly inlet: Inlet;
  /** How long (ms) until the next poll, if the source reports no news before. */
  readonly everyMs: number;
  /** Loads what the kind needs. `abort`: the loop ends. */
  readonly load: (abort: AbortSignal) => Promise<Source>;
  /** The hash of the present password and place. Throws a `SourceError` if there is no password. */
  readonly mark: (abort: AbortSignal) => Promise<string>;
  /** A random number from 0 to 1. */
  readonly chance: () => number;
  readonly listener: {
    /** The stored state has changed. */
    readonly changed: () => void;
    /** An unexpected error. It's a problem of the source by then. */
    readonly unexpected: (error: unknown) => void;
  };
  readonly isThere: () => boolean;
}

/**
 * Polls one source: open, poll, wait for news or for its pace, poll again. It retries after a failure, later each time. A poll
 * that works doesn't reset the count of failures, only a connection that lasts does: a server may accept the login and hang up
 * at once. A refused password is tried once, and again only when the password, the grant or the note has changed.
 */
class SourceLoop {
  readonly #parts: LoopParts;
  readonly #inlet: WatchedInlet;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;
  #rested = new AbortController();
  /** Whether the next pause is to end at once. */
  #isWoken = false;
  #openedAt = 0;
  #restsUntil: number | null = null;
  /** Whether a poll over the present connection has worked. */
  #hasWorked = false;
  /** Failures in a row. */
  #tries: number;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#inlet = new WatchedInlet(parts.inlet);
    this.#tries = parts.known.failing?.tries ?? 0;
    this.#running = this.#run();
  }

  /** When the next poll starts (epoch ms), if the source reports no news before; null during a poll. */
  get restsUntil(): number | null {
    return this.#restsUntil;
  }

  /** The machine was asleep: a connection may have been lost, and the network may be back. */
  wake(): void {
    const { failing } = this.#parts.known;
    if (failing !== null && failing.kind !== 'away') return;
    this.#isWoken = true;
    this.#rested.abort();
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    await new Promise(setImmediate); // the constructor returns first
    while (!this.#abort.signal.aborted) {
      this.#isWoken = false;
      await this.#rest(await this.#tryOnce());
    }
  }

  // Returns how long to wait until the next try. The loop goes on whatever fails, also in reporting a failure.
  async #tryOnce(): Promise<number> {
    try {
      return this.#parts.isThere() ? await this.#connectAndPoll() : LEAST_BETWEEN_MS;
    } catch (error) {
      this.#tries += 1;
      this.#parts.listener.unexpected(error);
      return retryDelay(this.#tries, null, this.#parts.chance());
    }
  }

  async #connectAndPoll(): Promise<number> {
    const { known, listener, chance, everyMs } = this.#parts;
    try {
      if (known.refused !== null && known.refused === (await this.#parts.mark(this.#abort.signal))) return REFUSED_MS;
      await this.#pollUntilLost();
      return 0;
    } catch (error) {
      if (this.#abort.signal.aborted) return 0;
      if (!this.#parts.isThere()) return LEAST_BETWEEN_MS; // reported already
      const failure = this.#failureOf(error);
      const hasWorked = this.#hasWorked;
      await this.#storeFailure(failure);
      listener.changed();
      if (failure.kind === 'refused') return REFUSED_MS;
      const waitMs = retryDelay(this.#tries, failure.waitMs, chance());
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

  async #pollUntilLost(): Promise<void> {
    const { everyMs, load } = this.#parts;
    const inlet = this.#inlet;
    const { signal } = this.#abort;
    this.#hasWorked = false;
    const session = await (await load(signal)).open(inlet, signal);
    this.#openedAt = inlet.now();
    try {
      while (!signal.aborted) {
        this.#isWoken = false; // a wake from here on asks for one more poll
        this.#storeSuccess(await session.poll());
        await this.#restUntilNews(session, everyMs);
      }
    } finally {
      await session.close();
    }
  }

  async #restUntilNews(session: Session, everyMs: number): Promise<void> {
    const resting = this.#rest(everyMs);
    try {
      await Promise.race([session.waitForNews(), resting]);
    } finally {
      this.#rested.abort(); // also if the connection is lost: no timer may be left
    }
    this.#isWoken = false;
    await this.#rest(LEAST_BETWEEN_MS);
  }

  #storeSuccess(problems: readonly SourceProblem[]): void {
    const { known, inlet, listener } = this.#parts;
    this.#hasWorked = true;
    known.contact = inlet.now();
    known.refused = null;
    known.problems = problems.map(({ message, hint }) => ({ message, hint }));
    known.failing = null;
    listener.changed();
  }

  async #storeFailure({ kind, message, hint }: SourceError): Promise<void> {
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

/** Marks errors that came from the vault and not from the source. */
class WatchedInlet implements Inlet {
  readonly #inlet: Inlet;
  readonly #errors = new WeakSet<object>();

  constructor(inlet: Inlet) {
    this.#inlet = inlet;
  }

  /** Whether this error came from the vault or the disk. */
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

  async checkRelevance(head: MailHead): Promise<Relevance> {
    return this.#inlet.checkRelevance(head).catch((error: unknown) => {
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
  const hint = 'No event is lost: it continues once this is corrected.';
  return new SourceError(
    { kind: 'setup', message: `Its events can't be saved: ${error.message}`, hint },
    { cause: error },
  );
}

/**
 * Returns the problem of a source for an unexpected error. It names only the kind of the error: the message may contain a
 * part of a password or of a mail.
 */
function unexpectedFailure(thrown: unknown): SourceError {
  const error = withoutProgram(thrown);
  if (error instanceof StewardError) {
    const { message, hint } = error.trouble;
    return new SourceError({ kind: 'setup', message, hint }, { cause: error });
  }
  const name = error instanceof Error ? error.name : typeof error;
  const code = systemCode(error);
  return new SourceError(
    {
      kind: 'fault',
      message: `Steward met an unexpected error while it worked with this source (${code === null ? name : `${name}, ${code}`}).`,
      hint: 'This is a bug in Steward; please report it. Steward tries this source again later.',
    },
    { cause: error },
  );
}

/** Mails that are read one after the other are deleted together. */
const PAUSE_MS = 2_000;
/** A file that isn't there after this long never came. */
const NEVER_CAME_MS = 60 * 60 * 1000;

type RemovalSpace = Pick<Workspace, 'context' | 'vault' | 'transactions' | 'ingest'>;

interface RemovalParts {
  readonly space: RemovalSpace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** Deletes the mails of sources that keep only the quote, soon after they were read. */
class ReadMailRemover {
  readonly #parts: RemovalParts;
  #isDue = false;

  constructor(parts: RemovalParts) {
    this.#parts = parts;
  }

  /** Deletes in a moment what has been read by then. */
  soon(): void {
    const { space, retries, timers } = this.#parts;
    if (this.#isDue || Object.keys(space.context.state.get('fleeting')).length === 0) return;
    this.#isDue = true;
    timers.at(space.context.now() + PAUSE_MS, () => {
      this.#isDue = false;
      retries.add('clearing', space.vault.layout.folders.stream, () => deleteReadMails(space));
    });
  }
}

/**
 * Deletes mails that were fetched only to be read, once they are read and nothing of them waits for a model. It deletes only
 * the bytes that the program wrote, never through a link, and looks at no other file. Throws what the disk refuses.
 */
export async function deleteReadMails(space: RemovalSpace): Promise<void> {
  const { state, now } = space.context;
  const [here, cleared] = [state.get('fleeting'), state.get('cleared')];
  const fates = Object.keys(here).map((file) => ({ file, fate: fateOf(space, file) }));
  const settled = fates.filter(({ fate }) => fate !== 'wait');
  if (settled.length === 0) return;
  // The result must be on disk before the mail is gone: it can't be read again.
  space.ingest.known.flush();
  state.flush();
  space.ingest.trail.flush();
  for (const { file, fate } of settled) {
    const isGone =
      typeof fate === 'object' && (await space.transactions.inTurn(file, async () => deleteMail(space, file, fate)));
    delete here[file];
    state.touch('fleeting', file);
    if (isGone && fate.isForgotten) forget(space, file);
    if (!isGone || (state.get(STREAMS)[file]?.signals ?? 0) === 0) continue;
    cleared[file] = now();
    state.touch('cleared', file);
  }
  state.save('cleared');
  state.save('fleeting');
}

function deleteMail(
  { vault, transactions }: RemovalSpace,
  file: string,
  { sha256: bytes }: { sha256: string },
): boolean {
  transactions.demand();
  const fits = (found: string) => found === bytes;
  const isGone = retire(vault.root, vault.places, { file, fits, maxBytes: MAX_MAIL_BYTES, isForGood: true });
  if (isGone) vault.lose([file]);
  return isGone;
}

type Fate =
  | 'wait'
  | 'keep'
  /** `isForgotten`: also that it was read. */
  | { readonly sha256: string; readonly isForgotten: boolean };

function fateOf({ context, vault, ingest }: RemovalSpace, file: string): Fate {
  const { state, seal } = context;
  const read = state.get(STREAMS)[file];
  const bytes = bytesOf(vault.root, file);
  if (bytes === null) return isLate(context, file) ? 'keep' : 'wait';
  const fetched = bytes === 'not ours' ? null : readFetched(bytes, file, seal);
  const isUseless = fetched?.isSent === true && read?.signals === 0;
  if (bytes === 'not ours' || (fetched?.keep !== 'quote' && !isUseless)) return 'keep';
  if (read === undefined || ingest.waiting.has(file) || read.sha256 !== sha256(bytes)) return 'wait';
  // A mail that couldn't be read is kept for a person.
  if (read.refused !== null || read.tried !== null) return 'keep';
  return { sha256: read.sha256, isForgotten: isUseless };
}

// Only the hash stays by which it isn't fetched again.
function forget({ context: { state } }: RemovalSpace, file: string): void {
  delete state.get(STREAMS)[file];
  state.touch(STREAMS, file);
}

function isLate({ state, now }: RemovalSpace['context'], file: string): boolean {
  return Math.abs(now() - (state.get('fleeting')[file] ?? 0)) > NEVER_CAME_MS;
}

function bytesOf(root: string, file: string): Buffer | 'not ours' | null {
  try {
    return readInside(root, file, MAX_MAIL_BYTES).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (error instanceof StewardError || ['ELOOP', 'ENOTDIR'].includes(systemCode(error) ?? '')) return 'not ours';
    throw error;
  }
}
