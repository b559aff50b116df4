import path from 'node:path';
import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import { rulesExtractor } from '../../../stream/rules-extractor.ts';
import type { Workspace } from '../../context/ports.ts';
import { extract, questionFor } from '../../ingest/extract-signals.ts';
import { targetsOf } from '../../ingest/target-sync.ts';
import { folderOf } from '../maildir.ts';
import { headOf, openSource } from '../open-source.ts';
import { placeInStream } from '../placing.ts';
import { type ImportProgress, Pace } from '../progress.ts';
import { type ImportSource, isPassedOver, sourceAt } from '../sources.ts';
import { whyUnread } from '../understanding.ts';
import { DryReading } from './dry-events.ts';
import {
  type DryQuestions,
  type DryResult,
  type DrySignal,
  DryTally,
  drySignal,
  notImported,
  withQuestion,
} from './dry-tally.ts';

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
    const read = await extract(this.#byRules, event, NEVER);
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

const NEVER = new AbortController().signal;
