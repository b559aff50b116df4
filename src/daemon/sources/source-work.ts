import type { Grant } from '../../source/grant.ts';
import { pinned } from '../../source/source-note.ts';
import { newSource, type SourceState } from '../../source/source-state.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Workspace } from '../context/ports.ts';
import type { Streams } from '../ingest/queue/streams.ts';
import { earliest } from '../runtime/earliest.ts';
import type { RetryQueue } from '../runtime/retry-queue.ts';
import { Brought } from './brought.ts';
import type { Connect } from './connectors.ts';
import { credentialFor } from './credential.ts';
import { grantOf, grantsFile, grantsIn, isAsAllowed } from './grants.ts';
import { allowHere } from './orders/allow-here.ts';
import { failureOf, type PlainFailure } from './orders/plain-failure.ts';
import { knownNote } from './orders/source-order.ts';
import type { Tried, TryOrder } from './orders/try-source.ts';
import { SourceLoop } from './source-loop.ts';
import { type SourceNote, sourceNotes } from './source-notes.ts';
import { type SourceStanding, standingsOf } from './source-standing.ts';
import { VaultInlet } from './vault-inlet.ts';

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
    const { trySource } = await import('./orders/try-source.ts');
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
