import path from 'node:path';
import { type Usage, usageOfBoth } from '../steward/ports/evaluator.ts';
import type { StreamEvent } from '../steward/ports.ts';
import { isPast } from '../stream/admission.ts';
import type { SignalDraft } from '../stream/draft.ts';
import { type Identity, type KnownVersion, standingAmong } from '../stream/items.ts';
import { MAX_MAIL_BYTES } from '../stream/mail/source-type.ts';
import { rulesExtractor } from '../stream/rules-extractor.ts';
import type { Silence } from '../stream/silence.ts';
import { readBytes } from '../vault/files.ts';
import { sha256 } from '../vault/hash.ts';
import type { StreamReader, Workspace } from './context.ts';
import {
  folderOf,
  headOf,
  type ImportProgress,
  type ImportSource,
  isPassedOver,
  openSource,
  Pace,
  placeInStream,
  sourceAt,
  whyUnread,
} from './import.ts';
import { itemsOf } from './ingest/items/item-process.ts';
import type { EventStream } from './ingest/opened.ts';
import { readerOf } from './ingest/readers.ts';
import { targetsOf } from './ingest/target-sync.ts';
import { itemEvent, knownEvent, nameHash } from './ingest-items.ts';
import { doorOf, kindsFor } from './item-file.ts';
import type { ReadItem } from './item-page.ts';
import { extract, parsedStream, questionFor, twinOf, wasRead } from './read-stream.ts';

/** One of the events that a file holds, as it would be read; or why it would not be. */
type DryEvent = DryPlace &
  (
    | { readonly what: 'event'; readonly event: StreamEvent }
    | { readonly what: 'known' }
    | { readonly what: 'refused'; readonly reason: string }
  );

/** Where it stands. */
interface DryPlace {
  /** How a person finds it in its file; null where it is the whole file. */
  readonly place: string | null;
  /** How many bytes of the file are read with it; null where its kind does not count in bytes. */
  readonly bytes: number | null;
}

/** A file that is read where it lies, and the name that it would have in the vault. */
interface DryFile {
  readonly from: string;
  readonly wanted: string;
}

/** Reads the events of files where they lie, each event once. Writes nothing. */
class DryReading {
  readonly #space: Workspace;
  /** What this reading has come upon itself. */
  readonly #seen = new Map<string, readonly KnownVersion[]>();

  constructor(space: Workspace) {
    this.#space = space;
  }

  /** Yields the events of a file. Throws what the disk refuses. */
  async *eventsIn(file: DryFile): AsyncGenerator<DryEvent> {
    const reader = readerOf(this.#space.ingest.readers, file.wanted);
    if (reader === null) yield* this.#many(file);
    else yield* this.#single(reader, file);
  }

  async *#single(reader: StreamReader, { from, wanted }: DryFile): AsyncGenerator<DryEvent> {
    const space = this.#space;
    const { bytes, stat } = readBytes(from, MAX_MAIL_BYTES);
    const at = { place: null, bytes: bytes.length };
    const form = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
    const opened = wasRead(space, wanted, form) ? null : await parsedStream(space, reader, wanted, bytes, form);
    if (opened?.kind === 'none') yield { ...at, what: 'refused', reason: reasonOf(opened) };
    else if (
      opened === null ||
      twinOf(space.ingest, opened) !== null ||
      this.#isSeen(opened.identity, opened.event.path)
    )
      yield { ...at, what: 'known' };
    else {
      yield { ...at, what: 'event', event: opened.event };
      for (const one of opened.within ?? []) yield { place: 'its appointment', bytes: null, ...this.#event(one) };
    }
  }

  async *#many({ from, wanted }: DryFile): AsyncGenerator<DryEvent> {
    const source = await openSource(from);
    try {
      const head = await headOf(source);
      const kind = kindsFor(wanted).find((one) => one.recognises(head));
      if (kind === undefined) return;
      const { handle, stat } = source;
      const reading = { handle: handle.fd, size: stat.size, kind, door: doorOf(this.#space, wanted, kind) };
      for await (const { items, stop } of itemsOf(reading, 0, NEVER)) {
        for (const item of items) {
          const found = this.#found(wanted, item);
          const at = { place: item.place, bytes: kind.isAppended ? item.next : null };
          if (found !== null) yield { ...at, ...found };
        }
        if (stop !== null) yield { place: 'behind that', bytes: null, what: 'refused', reason: stop.message };
      }
    } finally {
      await source.handle.close();
    }
  }

  #found(file: string, { content }: ReadItem): Found | null {
    if (content.what === 'nothing') return null;
    if (content.what === 'refused') return { what: 'refused', reason: content.reason };
    const opened = itemEvent(file, content.event, content.identity, this.#space.context.now());
    return this.#event(opened);
  }

  #event(opened: EventStream): Found {
    const { ingest, context } = this.#space;
    const { identity } = opened;
    // What is too old is never looked into, however often it comes.
    if (isPast(opened.event, new Date(context.now()))) return { what: 'event', event: opened.event };
    const before = [...ingest.known.of(identity), ...this.#seenAs(identity)];
    const standing = standingAmong(identity, before);
    if (standing.kind === 'known') return { what: 'known' };
    this.#see(identity, opened.event.path);
    return { what: 'event', event: knownEvent(targetsOf(this.#space).index, opened, standing).event };
  }

  #isSeen(identity: Identity, path: string): boolean {
    const isSeen = standingAmong(identity, this.#seenAs(identity)).kind === 'known';
    if (!isSeen) this.#see(identity, path);
    return isSeen;
  }

  #seenAs(identity: Identity): readonly KnownVersion[] {
    return this.#seen.get(nameHash(identity)) ?? [];
  }

  #see(identity: Identity, path: string): void {
    const version = { version: identity.version, path, gave: false };
    this.#seen.set(nameHash(identity), [...this.#seenAs(identity), version]);
  }
}

const NEVER = new AbortController().signal;

/** What an item holds. */
type Found = { readonly what: 'event'; readonly event: StreamEvent } | { readonly what: 'known' } | Refused;

interface Refused {
  readonly what: 'refused';
  readonly reason: string;
}

function reasonOf({ refused, skipped }: { readonly refused: string | null; readonly skipped: string | null }): string {
  return refused ?? skipped ?? 'it holds no event';
}

/** How many refused events of a file are named. */
const MOST_TROUBLES = 5;

/** A signal that would be written. */
export interface DrySignal {
  /** The event's path as it would be in the vault, and where it stands in its file. */
  readonly event: string;
  readonly place: string | null;
  readonly from: string | null;
  readonly headline: string;
  readonly quote: string;
  readonly target: string;
  readonly targetConfidence: number;
  /** Where any of several notes may be meant: all of them. */
  readonly candidates: readonly string[];
  /** What it proposes to change; null where it only asks something of the person. */
  readonly change: SignalDraft['mutation_proposal'];
  /** After what was learnt of its source. */
  readonly confidence: number;
  /** Why it would be signalled. */
  readonly reasoning: string;
  /** What is odd about it, and why nothing would be done on its word alone. */
  readonly warnings: readonly string[];
  readonly doubts: readonly string[];
}

/** What became of one file in a dry run. */
export interface DryResult {
  readonly from: string;
  /** Where it would lie in the vault; null where it would not be put there. */
  readonly file: string | null;
  readonly understood: boolean;
  /** Why it would not be imported; null where it would. */
  readonly reason: string | null;
  readonly events: number;
  readonly signals: number;
  /** Events that were read before. */
  readonly known: number;
  readonly refused: number;
  /** Why events would give no signal, the most frequent reason first. */
  readonly silent: readonly { readonly reason: string; readonly count: number }[];
  readonly troubles: readonly { readonly place: string; readonly reason: string }[];
}

/** What a model would be asked. */
interface DryQuestions {
  readonly questions: number;
  /** The most that they may take; null where that is not known. */
  readonly most: Usage | null;
}

/** Gathers what the events of one file come to. */
class DryTally {
  readonly from: string;
  readonly file: string;
  #events = 0;
  #signals = 0;
  #known = 0;
  #refused = 0;
  readonly #silent = new Map<string, number>();
  readonly #troubles: { readonly place: string; readonly reason: string }[] = [];

  /** `file`: where it would lie in the vault. */
  constructor(from: string, file: string) {
    this.from = from;
    this.file = file;
  }

  /** How many events were looked at, and the signals that they would give. */
  get counts(): { readonly read: number; readonly signals: number } {
    return { read: this.#events, signals: this.#signals };
  }

  /** Counts an event that gives so many signals, or none for that reason. */
  event(signals: number, silence: Silence | null): void {
    this.#events += 1;
    this.#signals += signals;
    if (silence !== null) this.#silent.set(whyIn(silence), (this.#silent.get(whyIn(silence)) ?? 0) + 1);
  }

  /** Counts an event that was read before. */
  known(): void {
    this.#events += 1;
    this.#known += 1;
  }

  /** Counts an event that cannot be read. */
  refused(place: string, reason: string): void {
    this.#events += 1;
    this.#refused += 1;
    if (this.#troubles.length < MOST_TROUBLES) this.#troubles.push({ place, reason });
  }

  /** Returns what it came to. */
  result(): DryResult {
    const silent = [...this.#silent].map(([reason, count]) => ({ reason, count }));
    return {
      ...{ from: this.from, file: this.file, understood: this.#events > this.#refused || this.#refused === 0 },
      ...{ reason: null, events: this.#events, signals: this.#signals, known: this.#known, refused: this.#refused },
      ...{ silent: silent.sort((one, other) => other.count - one.count), troubles: this.#troubles },
    };
  }
}

/** Returns what is known of a file that would not be imported. */
function notImported(from: string, reason: string): DryResult {
  const none = { events: 0, signals: 0, known: 0, refused: 0, silent: [], troubles: [] };
  return { from, file: null, understood: false, reason, ...none };
}

/** Returns the questions with one more, that may take so much. */
function withQuestion({ questions, most }: DryQuestions, usage: Usage | null): DryQuestions {
  if (usage === null) return { questions: questions + 1, most: null };
  if (questions === 0) return { questions: 1, most: usage };
  return { questions: questions + 1, most: most === null ? null : usageOfBoth(most, usage) };
}

/** Why an event gives no signal, in words that many events share. */
function whyIn({ kind, reason }: Silence): string {
  if (kind === 'not-admitted') return reason.split(':')[0] ?? reason;
  if (kind === 'no-note') return 'no note fits';
  return kind === 'nothing-said' ? 'a note fits but is not changed' : reason;
}

/** Returns what a person is shown of a signal that would be written. */
function drySignal(draft: SignalDraft, place: string | null): DrySignal {
  return {
    ...{ event: draft.source_event_path, place, from: draft.from, headline: draft.headline, quote: draft.raw_quote },
    ...{ target: draft.target_path, targetConfidence: draft.target_confidence },
    candidates: draft.target_ambiguous ? draft.target_candidates : [],
    ...{ change: draft.mutation_proposal, confidence: draft.effect_confidence, reasoning: draft.reasoning },
    ...{ warnings: draft.warnings ?? [], doubts: draft.doubts ?? [] },
  };
}

/** What importing files would come to. */
export interface DryRun {
  readonly files: readonly DryResult[];
  readonly signals: readonly DrySignal[];
  /** Who would be asked, and how much; null where the rules would read them as they did here. */
  readonly model: (DryQuestions & { readonly name: string }) | null;
}

/** How many signals are kept, and who hears how far it is. */
interface DryOptions {
  readonly most: number;
  readonly tell: (progress: ImportProgress) => void;
}

/**
 * Reads files and Maildirs, given by absolute paths, where they lie, and says what would be signalled and why, by the rules.
 * Asks no model; where one would be asked, says how often and what that may take. Writes nothing. Throws as `importFiles` does.
 */
export async function dryRun(space: Workspace, files: readonly string[], options: DryOptions): Promise<DryRun> {
  const sources: ImportSource[] = [];
  for (const from of files) sources.push(await sourceAt(from));
  const pace = new Pace(
    sources.map(({ size }) => size),
    options.tell,
    'reading',
  );
  const run = new Run(space, options.most, pace);
  const results: DryResult[] = [];
  for (const source of sources) {
    pace.begin(source.from);
    results.push(await (source.mails === null ? run.file(source) : run.maildir(source, source.mails)));
  }
  return { files: results, signals: run.signals, model: run.model };
}

class Run {
  readonly #space: Workspace;
  /** The same, where the rules read. */
  readonly #byRules: Workspace;
  readonly #reading: DryReading;
  readonly #most: number;
  readonly #pace: Pace;
  readonly signals: DrySignal[] = [];
  #questions: DryQuestions = { questions: 0, most: null };

  constructor(space: Workspace, most: number, pace: Pace) {
    const { models } = space;
    this.#space = space;
    this.#byRules = { ...space, models: { ...models, extractor: rulesExtractor(targetsOf(space)) } };
    this.#reading = new DryReading(space);
    this.#most = most;
    this.#pace = pace;
  }

  get model(): DryRun['model'] {
    const { asksModel, name } = this.#space.models.extractor;
    return asksModel ? { name, ...this.#questions } : null;
  }

  async file({ from }: ImportSource): Promise<DryResult> {
    const { vault } = this.#space;
    const wanted = placeInStream(vault, from) ?? `${vault.layout.folders.stream}/${path.basename(from)}`;
    const why = await this.#whyUnread(from, wanted);
    if (why !== null) return notImported(from, why);
    const tally = new DryTally(from, wanted);
    await this.#read(from, wanted, tally, 0);
    return tally.result();
  }

  async maildir({ from }: ImportSource, mails: NonNullable<ImportSource['mails']>): Promise<DryResult> {
    const folder = folderOf(this.#space, from);
    const tally = new DryTally(from, folder);
    let before = 0;
    for (const { box, name, size } of mails) {
      const [mail, wanted] = [path.join(from, box, name), `${folder}/${box}/${name}`];
      const why = isPassedOver(name) ? 'it has a name that is never read' : await this.#whyUnread(mail, wanted);
      if (why === null) await this.#read(mail, wanted, tally, before);
      else tally.refused(name, why);
      before += size;
    }
    return tally.result();
  }

  async #whyUnread(from: string, wanted: string): Promise<string | null> {
    const source = await openSource(from);
    try {
      return whyUnread(this.#space.ingest.readers, wanted, source.stat.size, await headOf(source));
    } finally {
      await source.handle.close();
    }
  }

  // `before`: how many bytes of a Maildir were read before this mail.
  async #read(from: string, wanted: string, tally: DryTally, before: number): Promise<void> {
    let bytes = 0;
    for await (const found of this.#reading.eventsIn({ from, wanted })) {
      const place = found.place ?? path.basename(from);
      if (found.what === 'known') tally.known();
      else if (found.what === 'refused') tally.refused(place, found.reason);
      else await this.#take(found.event, found.place, tally);
      bytes = found.bytes ?? bytes;
      this.#pace.read(tally.file, before + bytes, tally.counts);
    }
  }

  async #take(event: StreamEvent, place: string | null, tally: DryTally): Promise<void> {
    const read = await extract(this.#byRules, event, NEVER_DRY_RUN);
    if (read.kind === 'waits') return;
    const question = questionFor(this.#space, event);
    if (question !== null) {
      const { extractor } = this.#space.models;
      this.#questions = withQuestion(this.#questions, extractor.estimate?.(question) ?? null);
    }
    tally.event(read.drafts.length, read.silence);
    for (const draft of read.drafts) if (this.signals.length < this.#most) this.signals.push(drySignal(draft, place));
  }
}

const NEVER_DRY_RUN = new AbortController().signal;
