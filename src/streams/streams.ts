import { z } from 'zod';
import { type Capability, type Running, request } from '../daemon/capability.ts';
import type { IndexAccess, Ingest, StreamReader, Workspace } from '../daemon/context.ts';
import { type Awaiting, RetryQueue } from '../daemon/queue.ts';
import { readSettings } from '../daemon/settings.ts';
import { readerProblems } from '../daemon/signs-of-life.ts';
import { earliest, type Timers } from '../daemon/timers.ts';
import { AnthropicExtractor } from '../providers/extractor.ts';
import { type Provider, ProviderError } from '../providers/provider.ts';
import { extractionSetup } from '../steward/budget.ts';
import { addUnread, type UnreadCounts } from '../steward/inbox-words.ts';
import type { Settings } from '../steward/settings.ts';
import type { Extractor } from '../steward/types.ts';
import { editFields, textStep } from '../vault/edit.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { statInside } from '../vault/files.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { inSlices, iso, nameTimeExact, nextTurn } from '../vault/time.ts';
import type { RecordChange } from '../vault/vault.ts';
import { formatFor, parseBankFormat } from './bank-columns.ts';
import type { ItemTaker } from './items.ts';
import { isUnderstandableNow } from './kinds.ts';
import type { StreamQueue } from './queue.ts';
import { EXTRACTION_FAULT, fileKind, type ItemsRead, STREAMS, type StreamRead } from './state.ts';
import { isGenericFile, isMailFile } from './stream.ts';

/** How long it is remembered what a file gave that left the vault: it may come back. */
const KEEP_GONE_MS = 30 * 24 * 60 * 60 * 1000;

/** Reads the files in the stream folder. */
export const streams = {
  name: 'streams',
  words: 'reading stream files',
  state: [STREAMS],
  follows: ['task', 'matter', 'bad'],
  status: (space: Workspace) => ({ streams: streamsOf(space) }),
  problems: ({ context, ingest }: Workspace) => readerProblems(context, ingest.waiting.size > 0),
  start: ({ space, timers, streamRead }) => new Streams(space, timers, streamRead),
} satisfies Capability;

/** The queue of stream files. It is loaded with the first file, since the readers are a third of the program. */
export class Streams implements Running {
  readonly requests = {
    'bank-format': request({ line: z.string().max(10_000) }, ({ line }) => {
      return keepBankFormat(this.#space, line);
    }),
  };
  readonly #space: Workspace;
  readonly #timers: Timers;
  readonly #make: () => Promise<StreamQueue>;
  readonly #loading: RetryQueue;
  readonly #early = new Set<string>();
  #made: Promise<StreamQueue> | null = null;
  #queue: StreamQueue | null = null;
  #loadSoon: NodeJS.Timeout | undefined;

  /** `onRead` is called when a file has been read. */
  constructor(space: Workspace, timers: Timers, onRead: () => void = () => {}) {
    this.#space = space;
    this.#timers = timers;
    this.#loading = new RetryQueue(space);
    this.#make = async () => {
      const { StreamQueue } = await parts();
      await prepare(space).catch(() => {}); // the event that needs what can't be loaded says so
      return new StreamQueue(space, timers, onRead);
    };
  }

  /** Queues a file, unless it is queued already. */
  add(file: string): void {
    if (this.#queue !== null) this.#queue.add(file);
    else {
      this.#early.add(file);
      this.#load();
    }
  }

  /** Reads a file now, or waits for the reading of it that is under way. */
  async read(file: string, onProgress?: ItemTaker['onProgress']): ReturnType<StreamQueue['read']> {
    return (await this.#loaded()).read(file, onProgress);
  }

  begin(): void {
    this.streamed(unreadStreams(this.#space));
    // Else the first file would wait for it. It isn't work that a visit to the vault waits for.
    this.#loadSoon = setTimeout(() => this.#load(), LOAD_AFTER_MS).unref();
  }

  /** Queues files that are new or changed. A file that is still being copied is read once it has been quiet. */
  streamed(files: readonly string[]): void {
    for (const file of files) {
      const at = quietAt(this.#space, file);
      if (at === null) continue;
      if (at > this.#space.context.now()) this.#timers.at(at, () => this.streamed([file]));
      else this.add(file);
    }
  }

  changed(changes: readonly RecordChange[]): void {
    this.#space.ingest.targets?.follow(changes);
  }

  settingsChanged(before: Settings): void {
    followExtractor(this.#space, before);
    this.#queue?.resume();
    // A bank's file may have been refused because its format wasn't set.
    if (before.bank_formats.join('\n') === this.#space.context.settings.bank_formats.join('\n')) return;
    for (const file of unreadStreams(this.#space)) this.add(file);
  }

  /** Tries again what failed, and what has waited for long enough. */
  check(): void {
    this.#loading.retry();
    if (this.#queue !== null) this.#queue.retry();
  }

  /** The number of the piece of reading that has run for longest; null if no reading runs. */
  get oldest(): number | null {
    return this.#queue?.oldest ?? null;
  }

  next(awaiting: Awaiting): number | null {
    const moments = [...this.#space.ingest.waiting.values()].map(({ at }) => at);
    return earliest([this.#loading.next(awaiting), this.#queue?.next(awaiting) ?? null, ...moments]);
  }

  /** Resolves when every file that was queued has been read, or waits for a model. */
  async idle(): Promise<void> {
    await this.#loading.idle();
    await this.#queue?.idle();
  }

  *prune(): Generator<void> {
    const {
      vault,
      context: { state, now },
    } = this.#space;
    const isYoung = (at: number) => Math.abs(now() - at) < KEEP_GONE_MS;
    yield* state.forget(STREAMS, state.get(STREAMS), (file, { at }) => !vault.streams.has(file) && !isYoung(at));
    this.#space.ingest.trail.prune();
    yield;
    this.#space.ingest.known.prune();
    yield;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    clearTimeout(this.#loadSoon);
    await Promise.all([this.#loading.close(), this.#queue?.close()]);
    await this.#queue?.close();
  }

  #load(): void {
    this.#loading.add('streams', this.#space.vault.layout.folders.stream, async () => void (await this.#loaded()));
  }

  async #loaded(): Promise<StreamQueue> {
    this.#made ??= this.#make();
    try {
      this.#queue = await this.#made;
    } catch (error) {
      this.#made = null;
      throw error;
    }
    for (const file of this.#early) this.#queue.add(file);
    this.#early.clear();
    return this.#queue;
  }
}

/** How long after the start what reads streams is loaded, if no file came before (ms). */
const LOAD_AFTER_MS = 3_000;

/** Makes what events are read by, a part at a time. */
async function prepare(space: Workspace): Promise<void> {
  const [{ prepareTables }, { prepareReading }, { syncTargets }, { parseMail }] = await Promise.all([
    import('../reading/rules.ts'),
    import('../reading/read-event.ts'),
    import('./target-sync.ts'),
    import('./mail.ts'),
  ]);
  await inSlices(prepareTables());
  const targets = syncTargets(space);
  if (targets.prepare !== undefined) await inSlices(targets.prepare());
  if (space.models.extractor.asksModel) return;
  void targets.learnt; // read from the disk on first use
  for (const text of TRIALS) {
    await nextTurn();
    const mail = await parseMail(TRIAL_FILE, Buffer.from(trialMail(text)), TRIAL_DOOR);
    if (mail.ok) await inSlices(prepareReading(mail.event, targets));
  }
}

const TRIAL_FILE = 'stream/trial.eml';
const TRIAL_DOOR = { sourceType: 'mail', trustedServers: [] };
/** Sentences that use the patterns, from few to many: one after the other, so that no step takes long. */
const TRIALS = [
  'Nothing to report.',
  'It is done.',
  'The fee was paid on 12 March.',
  'Could you please sign the contract by Friday?',
  'Die Rechnung ist bezahlt.',
  'Le rendez-vous est reporté au 12 juin.',
];

function trialMail(text: string): string {
  return `From: trial@trial.invalid\nSubject: A trial\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\n${text}\n`;
}

/** Loads what reads streams a part at a time, so that others have their turn in between. */
async function parts(): Promise<typeof import('./queue.ts')> {
  const first = [
    () => import('../reading/learnt.ts'),
    () => import('./target-sync.ts'),
    () => import('../reading/read-event.ts'),
    () => import('./mail-html.ts'),
    () => import('./items.ts'),
  ];
  for (const load of first) {
    await load();
    await new Promise(setImmediate);
  }
  return import('./queue.ts');
}

type StreamAccess = IndexAccess & Pick<Workspace, 'ingest'>;

/** How long a stream file must have been quiet before it is taken for complete (ms) … */
const QUIET_MS = 250;
/** … and if it was moved into its place. */
const MOVED_QUIET_MS = 10;

/**
 * The stream files, by vault-relative path, that have not been read as they are now, or are understood only now.
 * They are in the order of their names: those that name their day are read as they came, on any file system.
 */
export function unreadStreams(space: StreamAccess): string[] {
  const read = space.context.state.get(STREAMS);
  return [...space.vault.streams]
    .filter(([file, stat]) => {
      const seen = read[file];
      if (seen === undefined || seen.size !== stat.size || seen.mtimeMs !== stat.mtimeMs) return true;
      const { settings } = space.context;
      return (
        isUnderstandableNow(space.ingest.readers, file, seen, settings) || (seen.items !== null && !isRead(seen.items))
      );
    })
    .map(([file]) => file)
    .sort();
}

function isRead({ isDone, open }: ItemsRead): boolean {
  return isDone && Object.keys(open).length === 0;
}

/**
 * When a stream file will have been quiet for long enough, or is to be looked at again (epoch ms); null if it is gone.
 */
function quietAt({ vault, context, ingest }: StreamAccess, file: string): number | null {
  const stat = statInside(vault.root, file);
  if (stat === null) return null;
  const now = context.now();
  const touched = Math.max(stat.mtimeMs, stat.ctimeMs);
  if (touched > now + QUIET_MS) return 0; // by another clock
  // Moving a file changes it, and doesn't write it. Who writes in place may close it and go on. A file that was moved
  // as soon as it was written has one time for both: then the watcher knows. An empty file may have just been made.
  const isMoved = stat.ctimeMs > stat.mtimeMs || (stat.size > 0 && vault.hasArrived(file));
  if (!isMoved || touched + QUIET_MS <= now) return touched + QUIET_MS;
  if (touched + MOVED_QUIET_MS > now) return touched + MOVED_QUIET_MS;
  return isClosedFor(ingest, file) ? now : touched + QUIET_MS;
}

function isClosedFor({ isClosed }: Pick<Ingest, 'isClosed'>, file: string): boolean {
  try {
    return isClosed(file);
  } catch {
    return false; // gone or not readable by now: the reader says so
  }
}

interface StreamCounts {
  readonly seen: number;
  readonly read: number;
  readonly signals: number;
  readonly skipped: number;
  /** The events that were looked at in files that contain many. */
  readonly events: number;
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** Files of kinds that are not read, the most frequent kind first: neither read nor skipped. */
  readonly unreadKinds: readonly UnreadKind[];
  /** How many events weren't read, by the reason, such as `encrypted with PGP`. They aren't in `skipped`. */
  readonly unread: UnreadCounts;
  /** When the newest file that was read came (ISO, UTC); null if no file was read. */
  readonly newest: string | null;
  /** Files that are unread because no model can be asked about them at the moment. */
  readonly waiting: readonly { readonly file: string; readonly reason: string }[];
}

interface UnreadKind {
  /** `.pages` */
  readonly kind: string;
  readonly files: number;
}

/** Returns what has become of the files of the stream so far. */
function streamsOf(space: Pick<Workspace, 'context' | 'vault' | 'ingest'>): StreamCounts {
  const remembered = space.context.state.get(STREAMS);
  const counts = { read: 0, signals: 0, skipped: 0, events: 0 };
  const refused: StreamCounts['refused'][number][] = [];
  const unreadFiles: string[] = [];
  let unread: UnreadCounts = {};
  let newest = 0;
  // One way through all of them, and no lists of all of them: there may be a hundred thousand.
  for (const file of space.vault.streams.keys()) {
    const one = remembered[file];
    if (one === undefined) continue;
    counts.signals += one.signals;
    counts.events += one.items?.read ?? 0;
    refused.push(...refusalOf(file, one));
    for (const [reason, events] of unreadOf(one)) unread = addUnread(unread, reason, events);
    if (one.tried !== null && one.refused === null) unreadFiles.push(file);
    else {
      counts.read += 1;
      newest = Math.max(newest, one.mtimeMs);
      if (one.skipped !== null && one.isUnread !== true) counts.skipped += 1;
    }
  }
  const waiting = [...space.ingest.waiting].map(([file, { reason }]) => ({ file, reason }));
  return {
    seen: space.vault.streams.size,
    ...counts,
    refused,
    unreadKinds: kindsOf(unreadFiles),
    unread,
    waiting,
    newest: newest > 0 && newest < 8.64e15 ? iso(newest) : null,
  };
}

function unreadOf({ isUnread, skipped, items }: StreamRead): readonly (readonly [string, number])[] {
  const own = isUnread === true && skipped !== null ? [[skipped, 1] as const] : [];
  return [...own, ...Object.entries(items?.unread ?? {})];
}

/** Why a file is not read, or some of the events in it. */
function refusalOf(file: string, { refused, items }: StreamRead): StreamCounts['refused'] {
  if (refused !== null) return [{ file, reason: refused }];
  const [first] = items?.troubles ?? [];
  if (items == null || first === undefined) return [];
  const count = items.refused === 1 ? 'one of its events' : `${items.refused} of its events`;
  return [{ file, reason: `${count} can't be read; ${first.place}: ${first.reason}` }];
}

function kindsOf(files: readonly string[]): UnreadKind[] {
  return [...Map.groupBy(files, fileKind)]
    .map(([kind, all]) => ({ kind, files: all.length }))
    .sort((one, other) => other.files - one.files || (one.kind < other.kind ? -1 : 1));
}

/**
 * Puts a line into `bank_formats` of `steward.md`, in the place of one for the same columns, and applies it from now
 * on. The rest of the note stays. Throws `bank-format` for any other line, `settings-missing` and `settings-changed`
 * (75) if the note is not there or is being written.
 */
export function keepBankFormat(space: Workspace, line: string): { readonly file: string } {
  const format = parseBankFormat(line);
  if (format === null) throw noFormat();
  const page = space.notes.fresh(SETTINGS_FILE);
  if (page === null) throw noSettings();
  const replaced = space.context.settings.bank_formats.filter((one) => formatFor([one], format.header) !== null);
  const edited = editFields(SETTINGS_FILE, page.text, [
    { op: 'remove', field: 'bank_formats', members: replaced.filter((one) => one !== line) },
    { op: 'add', field: 'bank_formats', members: [line] },
  ]);
  const id = `bank-format-${nameTimeExact(space.context.now())}`;
  const step = textStep(page.path, page.text, edited.text);
  if (edited.changed && !space.transactions.commit(id, [step])) throw changedMeanwhile();
  space.context.settings = readSettings(space.vault.root, space.context.settings).settings;
  return { file: SETTINGS_FILE };
}

function noFormat(): StewardError {
  return new StewardError({
    code: 'bank-format',
    message: "This isn't a bank format.",
    hint: 'Write it like "Date | Payee | Amount => order = dmy, sign = as written".',
  });
}

function noSettings(): StewardError {
  return new StewardError({
    code: 'settings-missing',
    file: SETTINGS_FILE,
    message: `The vault has no ${SETTINGS_FILE} to keep this in.`,
    hint: 'Make it with `steward init`, and import the file again.',
  });
}

function changedMeanwhile(): StewardError {
  const told = {
    code: 'settings-changed',
    file: SETTINGS_FILE,
    message: `Somebody else is writing ${SETTINGS_FILE}.`,
    hint: 'Import the file again in a moment.',
  };
  return new StewardError(told, EXIT.tryAgain);
}

/** Reads mails. A higher version reads again what this one did not understand. */
const mails: StreamReader = {
  name: 'mail',
  version: 1,
  takes: isMailFile,
  read: async (...mail) => (await import('./items.ts')).readMail(...mail),
};

/** The readers that need no vault. The code of each is loaded with its first file. */
export const READERS: readonly StreamReader[] = [mails];

/**
 * Returns the readers of a vault's stream files, one for each kind of file that contains one event. `more`: those of
 * other capabilities.
 */
export function listReaders(space: IndexAccess, more: readonly StreamReader[]): readonly StreamReader[] {
  const generic: StreamReader = {
    name: 'event',
    version: 1,
    takes: isGenericFile,
    read: async (...filed) => (await import('./generic-event.ts')).readFiled(space.context.seal, ...filed),
  };
  return [...READERS, ...more, generic];
}

type ExtractorAccess = Pick<Workspace, 'context' | 'vault' | 'ingest'>;

/** Returns the extractor for these settings: if a model evaluates, a model reads too, each with its own id. */
export function extractorFor(space: ExtractorAccess, provider: Provider | null): Extractor {
  const { settings, env } = space.context;
  const rules = rulesWhenAsked(space);
  // Only the replies to judgements are recorded.
  if (settings.evaluator === 'rules' || env.recorded) return rules;
  if (provider !== null) return new AnthropicExtractor(provider, extractionSetup(settings));
  return settings.evaluator === 'auto' || settings.evaluator_fallback === 'rules' ? rules : noExtractor;
}

// Loaded with the first event: the words of six languages take longer than most commands.
function rulesWhenAsked(space: ExtractorAccess): Extractor {
  return {
    name: 'rules',
    asksModel: false,
    async extract(question, abort) {
      const [{ rulesExtractor }, { syncTargets }] = await Promise.all([
        import('../reading/read-event.ts'),
        import('./target-sync.ts'),
      ]);
      return rulesExtractor(syncTargets(space)).extract(question, abort);
    },
  };
}

/** Replaces the extractor if the settings name another. Questions under way are still answered by the former one. */
function followExtractor(space: Workspace, before: Settings): void {
  if (partOf(before) === partOf(space.context.settings)) return;
  space.models.extractor = extractorFor(space, space.models.provider);
  space.problems.faults.delete(EXTRACTION_FAULT);
}

/** The settings that choose the extractor, as text that can be compared. */
function partOf(settings: Settings): string {
  return JSON.stringify([settings.evaluator, settings.evaluator_fallback, extractionSetup(settings)]);
}

/** The extractor if the settings ask for a model, there is no key for it, and the rules may not replace it. */
const noExtractor: Extractor = {
  name: 'no model: there is no key',
  asksModel: true,
  async extract() {
    throw new ProviderError({
      failure: 'no-key',
      message: 'The model that reads what comes in has no key.',
      hint: 'Set ANTHROPIC_API_KEY or the credential anthropic_api_key and start again; the files wait.',
    });
  },
};
