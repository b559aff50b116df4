import { setTimeout as wait } from 'node:timers/promises';
import type {
  Arrival,
  Connector,
  Inlet,
  Json,
  MailHead,
  Session,
  Sifted,
  SourceProblem,
} from '../../source/connector.ts';
import { SourceError } from '../../source/failure.ts';
import { nextTry } from '../../source/retry-pace.ts';
import type { SourceState } from '../../source/source-state.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { unexpectedFailure } from './unexpected-failure.ts';

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

/** One source: open, visit, wait for news or for its pace, visit again; what fails is tried again, later each time. */
export class SourceLoop {
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
