import type { Grant } from '../../source/grant.ts';
import { pinned } from '../../source/source-note.ts';
import { newSource, type SourceState } from '../../source/source-state.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Workspace } from '../context/ports.ts';
import type { StreamQueue } from '../ingest/queue/stream-queue.ts';
import type { RetryQueue } from '../runtime/retry-queue.ts';
import { Brought } from './brought.ts';
import type { Connect } from './connectors.ts';
import { credentialFor } from './credential.ts';
import { grantOf, grantsFile, isAsAllowed } from './grants.ts';
import { allowHere, forgetRefusal } from './orders/allow-here.ts';
import { failureOf } from './orders/plain-failure.ts';
import { knownNote } from './orders/source-order.ts';
import { type Tried, type TryOrder, trySource } from './orders/try-source.ts';
import { SourceLoop } from './source-loop.ts';
import { type SourceNote, sourceNotes } from './source-notes.ts';
import { sourceStandings } from './source-standing.ts';
import { VaultInlet } from './vault-inlet.ts';

/** How often (ms) a webhook is looked after: nothing has to be asked of it. */
const NO_PACE_MS = 60 * 60 * 1000;

interface SourceWorkParts {
  readonly space: Workspace;
  readonly streams: StreamQueue;
  readonly retries: RetryQueue;
  readonly connect: Connect;
  readonly chance: () => number;
  readonly demand: () => void;
}

/** The sources that are asked: one loop for each note that a person allowed. */
export class SourceWork {
  readonly #parts: SourceWorkParts;
  readonly #brought: Brought;
  readonly #abort = new AbortController();
  readonly #loops = new Map<string, { readonly form: string; readonly loop: SourceLoop }>();
  readonly #closing = new Set<Promise<void>>();
  readonly #said = new Map<string, string>();

  constructor(parts: SourceWorkParts) {
    this.#parts = parts;
    const { vault, context } = parts.space;
    this.#brought = new Brought({ places: vault.places, now: context.now, demand: parts.demand });
  }

  /** Follows the notes and what was allowed: begins, ends and begins anew. What the disk refuses is said, and tried again. */
  follow(): void {
    const { retries, space } = this.#parts;
    retries.add('sources', space.vault.layout.folders.source, async () => this.#follow());
  }

  /**
   * Does what a person orders: allows a source, where `given` says so, asks it what is there, and has it visited. Returns what
   * is there, in a few lines. Throws `source-unknown`, what is wrong with its note, `source-not-allowed`, and why it gives
   * nothing.
   */
  async test(name: string, given: Grant | null, abort: AbortSignal): Promise<{ readonly lines: readonly string[] }> {
    const { space } = this.#parts;
    const { settings } = knownNote(space, name);
    if (given !== null) allowHere(space, name, given);
    // A webhook that listens has the port that the test wants.
    if (settings.kind === 'webhook') await this.#ended(name);
    // What was allowed just now holds also where the test fails.
    const tried = this.try({ name, fields: null, allow: null }, abort).finally(() => this.#follow());
    const { described, failed } = await tried;
    if (failed !== null) throw failureOf(failed);
    forgetRefusal(space, name);
    this.#loops.get(name)?.loop.poke();
    return { lines: described?.lines ?? [] };
  }

  /** Connects to a source once, also to one that has no note yet, and changes nothing. Throws as `trySource` does. */
  try(order: TryOrder, abort: AbortSignal): Promise<Tried> {
    const { connect, space } = this.#parts;
    return trySource(space, connect, order, AbortSignal.any([abort, this.#abort.signal]));
  }

  /** Forgets what was brought so long ago that it cannot come again. Throws what the disk refuses. */
  prune(): void {
    this.#brought.prune();
  }

  /** Ends all of them. Resolves when their connections are closed. */
  async close(): Promise<void> {
    this.#abort.abort();
    for (const name of [...this.#loops.keys()]) this.#end(name);
    await Promise.all(this.#closing);
  }

  #follow(): void {
    if (this.#abort.signal.aborted) return;
    const { space } = this.#parts;
    const notes = sourceNotes(space.vault).flatMap((note) => ('settings' in note ? [note] : []));
    const wanted = new Map(notes.flatMap((note) => this.#wanted(note)));
    for (const [name, { form }] of this.#loops) if (wanted.get(name)?.form !== form) this.#end(name);
    for (const [name, { note, given, form }] of wanted) {
      if (!this.#loops.has(name)) this.#loops.set(name, { form, loop: this.#begin(note, given) });
    }
    this.#say();
  }

  #wanted(note: SourceNote): [string, { note: SourceNote; given: Grant; form: string }][] {
    if (note.settings.paused || this.#parts.space.context.env.sourceGrants === undefined) return [];
    const given = grantOf(this.#grantsFile(), note.name);
    if (given === null || !isAsAllowed(note.settings, given)) return [];
    return [[note.name, { note, given, form: JSON.stringify([note.settings, given]) }]];
  }

  #begin(note: SourceNote, given: Grant): SourceLoop {
    const { space, streams, connect, chance } = this.#parts;
    const { context, vault } = space;
    const known = this.#known(note);
    const credential = credentialFor(note.name, context.env, given);
    return new SourceLoop({
      ...{ known, chance },
      inlet: new VaultInlet({ space, note, brought: this.#brought, known, streams }),
      everyMs: 'every' in note.settings ? note.settings.every : NO_PACE_MS,
      connector: () => connect(note, given, context.env),
      mark: async () => context.seal.of(`refused ${placeOf(note)} ${await credential.reveal()}`),
      changed: () => this.#changed(note, known),
      isThere: () => vault.away === null,
    });
  }

  #changed(note: SourceNote, known: SourceState): void {
    const { retries, space } = this.#parts;
    space.context.state.touch('sources', note.name);
    // On disk at once: a password that was refused is not tried again after a crash either.
    if (known.refused !== null) {
      retries.add('sources-state', '.steward/state', async () => space.context.state.save('sources'));
    }
    this.#say();
  }

  async #ended(name: string): Promise<void> {
    this.#end(name);
    await Promise.all(this.#closing);
  }

  #end(name: string): void {
    const ending = this.#loops.get(name)?.loop.close();
    this.#loops.delete(name);
    if (ending === undefined) return;
    this.#closing.add(ending);
    void ending.finally(() => this.#closing.delete(ending));
  }

  // What was left at another server says nothing of this one.
  #known(note: SourceNote): SourceState {
    const { state } = this.#parts.space.context;
    const sources = state.get('sources');
    const place = placeOf(note);
    const before = sources[note.name];
    if (before?.place === place) return before;
    const known = newSource(place);
    sources[note.name] = known;
    state.touch('sources', note.name);
    return known;
  }

  #grantsFile(): string {
    const { context, vault } = this.#parts.space;
    return grantsFile(vault.root, context.env.sourceGrants ?? '');
  }

  // `status` asks anew each time; `run` says each trouble once, until it is another.
  #say(): void {
    const { context } = this.#parts.space;
    for (const { name, trouble } of sourceStandings(this.#parts.space)) {
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
