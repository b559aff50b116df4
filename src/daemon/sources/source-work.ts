import type { Grant } from '../../source/grant.ts';
import { pinned } from '../../source/source-note.ts';
import { newSource, type SourceState } from '../../source/source-state.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Workspace } from '../context/ports.ts';
import type { StreamQueue } from '../ingest/queue/stream-queue.ts';
import type { RetryQueue } from '../runtime/retry-queue.ts';
import { Brought } from './brought.ts';
import type { Connect } from './connectors.ts';
import { credentialFor } from './credential.ts';
import { allow, grantOf, grantsFile, isAsAllowed } from './grants.ts';
import { type Tried, type TryOrder, trySource } from './orders/try-source.ts';
import { SourceLoop } from './source-loop.ts';
import { type SourceNote, sourceNotes } from './source-notes.ts';
import { type SourceStanding, sourceStandings } from './source-standing.ts';
import { testSource } from './test-source.ts';
import { VaultInlet } from './vault-inlet.ts';

/** How often (ms) a webhook is looked after: nothing has to be asked of it. */
const NO_PACE_MS = 60 * 60 * 1000;
/** The notes are followed every minute: where far more has passed, the machine has slept. */
const SLEPT_MS = 150_000;

interface SourceWorkParts {
  readonly space: Workspace;
  readonly streams: StreamQueue;
  readonly retries: RetryQueue;
  readonly connect: Connect;
  readonly chance: () => number;
  readonly demand: () => void;
}

/** What came of a test that a person ordered. */
interface SourceTest {
  /** What is there, in a few lines. */
  readonly lines: readonly string[];
  readonly standing: SourceStanding;
}

/** The sources that are asked: one loop for each note that a person allowed. */
export class SourceWork {
  readonly #parts: SourceWorkParts;
  readonly #brought: Brought;
  readonly #abort = new AbortController();
  readonly #loops = new Map<string, { readonly form: string; readonly loop: SourceLoop }>();
  /** The loops that are being ended, by their source. */
  readonly #closing = new Map<string, Promise<void>>();
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
   * Does what a person orders: allows a source, where `given` says so, asks it what is there, and has it visited. Throws
   * `source-unknown`, what is wrong with its note, `source-not-allowed`, and what the source answers.
   */
  async test(name: string, given: Grant | null): Promise<SourceTest> {
    const note = this.#noteOf(name);
    if (given !== null) allow(this.#grantsFile(), name, given);
    const lines = await this.#asked(note);
    this.#known(note).refused = null; // not before: what is refused once more is not tried again by the daemon
    this.#follow();
    this.#loops.get(name)?.loop.poke();
    const standing = sourceStandings(this.#parts.space).find((one) => one.name === name);
    if (standing === undefined) throw unknownSource(name);
    return { lines, standing };
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
    await Promise.all(this.#closing.values());
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
    const parts = {
      ...{ known, chance },
      inlet: new VaultInlet({ space, note, brought: this.#brought, known, streams }),
      everyMs: 'every' in note.settings ? note.settings.every : NO_PACE_MS,
      connector: (abort: AbortSignal) => connect(note, given, context.env, abort),
      mark: async (abort: AbortSignal) => {
        const credential = credentialFor(note.name, context.env, given, abort);
        return context.seal.of(`refused ${placeOf(note)} ${await credential.reveal()}`);
      },
      changed: () => this.#changed(note, known),
      isThere: () => vault.away === null,
    };
    return new SourceLoop(parts, this.#closing.get(note.name) ?? Promise.resolve());
  }

  #changed(note: SourceNote, known: SourceState): void {
    const { retries, space } = this.#parts;
    space.context.state.touch('sources', note.name);
    // On disk at once: a password that was refused is not tried again after a crash either.
    if (known.refused !== null) {
      retries.add('sources-state', '.steward/state', async () => space.context.state.save('sources'));
    }
    // It reads the notes and what was allowed, which the disk may refuse just then.
    retries.add('sources-said', space.vault.layout.folders.source, async () => this.#say());
  }

  #end(name: string): void {
    const ending = this.#loops.get(name)?.loop.close();
    this.#loops.delete(name);
    if (ending === undefined) return;
    this.#closing.set(name, ending);
    void ending.finally(() => {
      if (this.#closing.get(name) === ending) this.#closing.delete(name);
    });
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

  async #asked(note: SourceNote): Promise<readonly string[]> {
    const { connect, space } = this.#parts;
    const { env, now } = space.context;
    const given = grantOf(this.#grantsFile(), note.name);
    if (given === null || !isAsAllowed(note.settings, given)) throw notAllowedHere(note.name);
    return testSource(note, given, { connect, env, now }, this.#abort.signal);
  }

  #noteOf(name: string): SourceNote {
    const note = sourceNotes(this.#parts.space.vault).find((one) => one.name === name);
    if (note === undefined) throw unknownSource(name);
    if ('trouble' in note) throw new StewardError(note.trouble);
    return note;
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

function unknownSource(name: string): StewardError {
  return new StewardError({
    code: 'source-unknown',
    message: `There is no source ${name}.`,
    hint: '`steward source list` shows those that there are.',
  });
}

function notAllowedHere(name: string): StewardError {
  return new StewardError(
    {
      code: 'source-not-allowed',
      message: `The note of ${name} does not lead where a person allowed it on this machine.`,
      hint: `\`steward source test ${name}\` shows both, and allows it.`,
    },
    EXIT.refused,
  );
}
