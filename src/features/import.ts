import fs from 'node:fs';
import path from 'node:path';
import type { IndexAccess, StreamReader, Workspace } from '../daemon/context.ts';
import { rulesExtractor } from '../reading/read-event.ts';
import { checkRelevance } from '../sources/relevance.ts';
import { addUnread, type UnreadCounts } from '../steward/inbox-words.ts';
import { type StreamEvent, type Usage, usageOfBoth } from '../steward/types.ts';
import { extract, isPast, type ModelWait, questionFor } from '../streams/extract.ts';
import { fetchedFile } from '../streams/fetched-mail.ts';
import {
  type EventStream,
  type ItemTaker,
  itemEvent,
  knownEvent,
  MailSeries,
  makeReadContext,
  type ReadItem,
  readFileItems,
} from '../streams/items.ts';
import { findReader, kindsFor, MBOX, STREAM_KINDS } from '../streams/kinds.ts';
import { findTwin, parsedStream, type StreamResult, wasRead } from '../streams/read-stream.ts';
import type { SignalDraft } from '../streams/signal.ts';
import {
  compareWithRead,
  fileKind,
  type ItemCounts,
  type KnownVersion,
  kindFiles,
  nameHash,
  type Silence,
  STREAMS,
  type StreamRead,
} from '../streams/state.ts';
import { type Identity, isMailFile, MAX_MAIL_BYTES } from '../streams/stream.ts';
import { syncTargets } from '../streams/target-sync.ts';
import { EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { markedQuote } from '../vault/event-text.ts';
import {
  copyWhole,
  createWhole,
  fileError,
  hasSameBytes,
  loadSystemCalls,
  notAFile,
  type OpenFile,
  openAsFolderAndSources,
  openFile,
  readBytes,
} from '../vault/files.ts';
import { isConflictCopy, isHidden } from '../vault/layout.ts';
import { sha256, shellWord } from '../vault/note-text.ts';
import { OWN_FILES, plainSender } from '../vault/source-names.ts';
import { parseLocalTime } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';

/**
 * Copies files and Maildirs, given by absolute paths, into the stream folder and extracts their signals. Files that no
 * reader understands are not put there. Throws `import-name`, `import-missing`, `import-folder` and `disk-full` before
 * anything is done, or what the disk refuses.
 */
export async function importFiles(
  space: ImportAccess,
  files: readonly string[],
  work: ImportWork,
): Promise<ImportedFile[]> {
  const { sources, pace } = await sourcesAt(files, work.tell, 'copying');
  demandRoom(space.vault, sources);
  const imported: ImportedFile[] = [];
  for (const source of sources) {
    pace.begin(source.from);
    imported.push(await importSource(space, source, work, pace));
  }
  return imported;
}

/** The records as last read, who reads stream files, and whether the vault is still ours. */
type ImportAccess = Pick<Workspace, 'context' | 'vault' | 'ingest' | 'transactions'>;

/** Who reads, who hears how far it is, and who may end it. */
export interface ImportWork {
  readonly read: (file: string, onProgress: ItemTaker['onProgress']) => Promise<StreamResult | ModelWait | null>;
  readonly tell: (progress: ImportProgress) => void;
  /** Ends the import: nothing half copied is left, and what is read stays read. */
  readonly abort: AbortSignal;
}

export interface ImportedFile {
  readonly from: string;
  /** Its path in the vault now; null if no part of it was put there. */
  readonly file: string | null;
  readonly signals: readonly string[];
  /** Why it gave no signal, or was not put into the vault; else null. */
  readonly reason: string | null;
  /** False if no reader understood the file. */
  readonly understood: boolean;
  /** Whether `reason` is why its words couldn't be read. */
  readonly unread: boolean;
  /** Whether it is all there and read; false if the import was ended before. */
  readonly complete: boolean;
  /** The counts of its events; null for a file with one event. */
  readonly items: ImportCounts | null;
}

/** Counts the outcomes of the events of a file, or of a Maildir, since it was first read. */
export interface ImportCounts extends ItemCounts {
  readonly signals: number;
  /** The first that were refused. */
  readonly troubles: readonly { readonly place: string; readonly reason: string }[];
}

/** How far an import is. */
export interface ImportProgress {
  readonly stage: 'copying' | 'reading';
  /** The file, or Maildir, that it is at, as it was named. */
  readonly from: string;
  /** Its path in the vault; null while it is being copied. */
  readonly file: string | null;
  /** Which of the named files it is, from 1 on, and how many there are. */
  readonly nth: number;
  readonly files: number;
  /** How many bytes of it are copied, or read, and how many it has. */
  readonly bytes: number;
  readonly size: number;
  /** How many bytes the files before it have, and all of them. */
  readonly before: number;
  readonly all: number;
  /** Of all files. */
  readonly events: number;
  readonly signals: number;
}

async function importSource(
  space: ImportAccess,
  source: ImportSource,
  work: ImportWork,
  pace: Pace,
): Promise<ImportedFile> {
  if (work.abort.aborted) return notBegun(source.from);
  try {
    const { mails } = source;
    return mails === null
      ? await importFile(space, source, work, pace)
      : await importFolder(space, { ...source, mails }, work, pace);
  } catch (error) {
    if (work.abort.aborted) return notBegun(source.from);
    throw error;
  }
}

function notBegun(from: string): ImportedFile {
  return { ...PLAIN, from, file: null, reason: ENDED, complete: false };
}

/** Of a file that gave no signal and is as it should be. */
const PLAIN = { signals: [], understood: true, unread: false, complete: true, items: null } as const;

const ENDED = 'it was ended before';

async function importFile(space: ImportAccess, { from, size }: ImportSource, work: ImportWork, pace: Pace) {
  const there = await placedOrRefused(space, from, {
    copied: (bytes) => pace.copied(bytes),
    abort: work.abort,
    demand: () => space.transactions.demand(),
  });
  if (there.refused !== null) return { ...PLAIN, from, file: null, reason: there.refused, understood: false };
  const { file } = there;
  const { state } = space.context;
  pace.read(file, 0, { read: 0, signals: 0 });
  const before = state.get(STREAMS)[file];
  space.vault.look([file]);
  const result = await readHere(file, work, pace);
  const read = state.get(STREAMS)[file];
  if (read?.items != null) return { from, file, ...cameFromMany(result, read, read.items) };
  if (result === 'ended') return { ...PLAIN, from, file, reason: ENDED, complete: false };
  const came = importedAs(result, before);
  pace.read(file, size, { read: 1, signals: came.signals.length });
  return { from, file, ...came };
}

// The events that were read by the time a long file is ended stay read.
async function readHere(
  file: string,
  { read, abort }: ImportWork,
  pace: Pace,
): Promise<StreamResult | ModelWait | 'ended' | null> {
  try {
    return await read(file, (progress) => pace.read(file, progress.bytes ?? 0, progress));
  } catch (error) {
    if (abort.aborted) return 'ended';
    throw error;
  }
}

function cameFromMany(
  result: StreamResult | ModelWait | 'ended' | null,
  read: StreamRead,
  { isDone }: NonNullable<StreamRead['items']>,
): Came {
  return {
    signals: result !== null && result !== 'ended' && result.kind === 'read' ? result.signals : [],
    reason: read.refused ?? (result === null && isDone ? 'it was read before' : null),
    understood: read.refused === null,
    unread: false,
    complete: result !== 'ended' && (result !== null || isDone),
    items: countsIn(read),
  };
}

type Placed = { readonly file: string; readonly refused: null } | { readonly file: null; readonly refused: string };

async function placedOrRefused({ vault, ingest }: ImportAccess, from: string, watch: Watch): Promise<Placed> {
  // A file that a person has put there stays, whatever it is.
  const own = placeInStream(vault, from);
  if (own !== null) return { file: own, refused: null };
  const source = await openSource(from);
  try {
    const wanted = `${vault.layout.folders.stream}/${path.basename(from)}`;
    const why = whyUnread(ingest.readers, wanted, source.stat.size, await headOf(source));
    if (why !== null) return { file: null, refused: why };
    return { file: await placed(vault, { from, source, wanted }, watch), refused: null };
  } finally {
    await source.handle.close();
  }
}

type Came = Omit<ImportedFile, 'from' | 'file'>;

function importedAs(result: StreamResult | ModelWait | null, before: StreamRead | undefined): Came {
  if (result === null) return importedBefore(before);
  if (result.kind === 'waits') return { ...PLAIN, reason: `not read yet: ${result.reason}` };
  const { signals, reason, understood, unread } = result;
  return { ...PLAIN, signals, reason, understood, unread };
}

function importedBefore(before: StreamRead | undefined): Came {
  if (before === undefined) return { ...PLAIN, reason: 'nothing new' };
  if (before.isUnread === true) return { ...PLAIN, reason: before.skipped, unread: true };
  if (before.tried === null) return { ...PLAIN, reason: 'it was read before' };
  return { ...PLAIN, reason: before.refused ?? before.skipped, understood: false };
}

function countsIn({ items, signals }: StreamRead): ImportCounts | null {
  if (items === null) return null;
  const { read, none, past, unread, known, refused, open, troubles } = items;
  return { read, none, past, unread, known, refused, waiting: Object.keys(open).length, signals, troubles };
}

const MOST_TROUBLES = 5;

/** A Maildir, or a folder of single mails, that was named to be imported. */
type MailFolder = ImportSource & { readonly mails: readonly FolderMail[] };

/**
 * Copies the mails of a folder below a folder of its name, in `cur` and `new` as they are in a Maildir, and extracts their
 * signals. A mail whose flags have changed since it was copied has another name, and is not copied again.
 */
async function importFolder(
  space: ImportAccess,
  { from: named, mails }: MailFolder,
  work: ImportWork,
  pace: Pace,
): Promise<ImportedFile> {
  const folder = folderOf(space, named);
  const there = mailsIn(space, folder);
  const signals: string[] = [];
  let [counts, done, bytes] = [NO_COUNTS, 0, 0];
  for (const mail of mails) {
    if (work.abort.aborted) break;
    const from = path.join(named, mail.place);
    const wanted = there.get(uniqueName(mail.place)) ?? `${folder}/${mail.place}`;
    const result = await readMail(space, { ...mail, from, wanted }, work);
    counts = counted(counts, path.posix.basename(mail.place), result);
    if (result !== null && 'signals' in result) signals.push(...result.signals);
    [done, bytes] = [done + 1, bytes + mail.size];
    pace.read(folder, bytes, counts);
  }
  return {
    from: named,
    file: folder,
    signals,
    items: counts,
    complete: done === mails.length,
    reason: mails.length === 0 ? 'it has no mails' : null,
    understood: counts.refused === 0,
    unread: false,
  };
}

/** The counts of a folder of mails before any is read. */
const NO_COUNTS: ImportCounts = {
  read: 0,
  none: 0,
  past: 0,
  unread: {},
  known: 0,
  refused: 0,
  waiting: 0,
  signals: 0,
  troubles: [],
};

function counted(counts: ImportCounts, place: string, result: StreamResult | ModelWait | Unread | null): ImportCounts {
  if (result === null) return { ...counts, known: counts.known + 1 };
  if (result.kind === 'unread') return withRefused(counts, place, result.reason);
  if (result.kind === 'read' && !result.understood)
    return withRefused(counts, place, result.reason ?? "it isn't a mail");
  const read = { ...counts, read: counts.read + 1 };
  if (result.kind === 'waits') return { ...read, waiting: counts.waiting + 1 };
  if (result.unread) return { ...read, unread: addUnread(read.unread, result.reason ?? '') };
  if (result.signals.length === 0) return { ...read, none: counts.none + 1 };
  return { ...read, signals: counts.signals + result.signals.length };
}

function withRefused(counts: ImportCounts, place: string, reason: string): ImportCounts {
  const { refused, troubles } = counts;
  return { ...counts, refused: refused + 1, troubles: [...troubles, { place, reason }].slice(0, MOST_TROUBLES) };
}

/** A mail that is to be read, and the name that it should have in the vault. */
type Wanted = FolderMail & { readonly from: string; readonly wanted: string };

/** Why a mail is not even put into the vault. */
interface Unread {
  readonly kind: 'unread';
  readonly reason: string;
}

const EMPTY = new Uint8Array();

async function readMail(
  space: ImportAccess,
  mail: Wanted,
  work: ImportWork,
): Promise<StreamResult | ModelWait | Unread | null> {
  const reason = isPassedOver(path.basename(mail.place))
    ? 'it has a name that is never read'
    : whyUnread(space.ingest.readers, mail.wanted, mail.size, EMPTY);
  if (reason !== null) return { kind: 'unread', reason };
  const file = await placedMail(space, mail, work.abort);
  space.vault.look([file]);
  return work.read(file, undefined);
}

async function placedMail(
  { vault, transactions }: ImportAccess,
  { from, wanted }: Wanted,
  abort: AbortSignal,
): Promise<string> {
  const own = placeInStream(vault, from);
  if (own !== null) return own;
  const source = await openFile(from);
  try {
    return await placed(
      vault,
      { from, source, wanted },
      { copied: () => {}, abort, demand: () => transactions.demand() },
    );
  } finally {
    await source.handle.close();
  }
}

function folderOf(space: IndexAccess, from: string): string {
  // Maildir folders below another begin with a dot, and are hidden by it.
  const name = path.basename(from).replace(/^\.+/, '') || 'Maildir';
  return ownFolder(space, from) ?? `${space.vault.layout.folders.stream}/${name}`;
}

/** A folder of mails that is in the stream folder already. */
function ownFolder({ vault }: IndexAccess, from: string): string | null {
  const folder = path.relative(fs.realpathSync.native(vault.root), fs.realpathSync.native(from));
  return vault.layout.folderKindOf(`${folder}/`) === 'stream' && folder !== vault.layout.folders.stream ? folder : null;
}

function mailsIn({ vault }: ImportAccess, folder: string): Map<string, string> {
  const files = [...vault.streams.keys()].filter((file) => file.startsWith(`${folder}/`));
  return new Map(files.map((file) => [uniqueName(file), file]));
}

// `1735689600.M1P2.host:2,S`: behind `:2,` (on some disks another mark) are flags, which change.
function uniqueName(place: string): string {
  return path.posix.basename(place).replace(/[:;!_-]2,[A-Za-z]*$/, '');
}

/**
 * Returns why no reader takes a file, by the name that it would have in the vault, its size and its first bytes; null
 * if one does.
 */
function whyUnread(readers: readonly StreamReader[], file: string, size: number, head: Uint8Array): string | null {
  if (size === 0) return 'it is empty';
  const mib = MAX_MAIL_BYTES / 1024 / 1024;
  if (findReader(readers, file) !== null)
    return size <= MAX_MAIL_BYTES ? null : `it has more than ${mib} MiB, and of a mail no more are read`;
  const kinds = kindsFor(file);
  if (kinds.length === 0) return `${kindFiles(fileKind(file))} are not read`;
  if (kinds.some((kind) => kind.recognises(head))) return null;
  return `it does not begin like ${kinds.map(({ title }) => title).join(' or ')}`;
}

/** Returns what people call the kinds of file that are read: `a mail (.eml)`. */
export function readableKinds(): readonly string[] {
  return ['a mail (.eml)', 'a folder of mails', 'a Maildir', ...STREAM_KINDS.map(({ title }) => title)];
}

/** Whether files of this name are never read: hidden, temporary, or a conflict copy. */
function isPassedOver(name: string): boolean {
  return isHidden(name) || isConflictCopy(name);
}

/** Opens a file that is to be imported. Throws what the disk refuses, in plain words. */
async function openSource(from: string): Promise<OpenFile> {
  try {
    return await openFile(from);
  } catch (error) {
    throw fileError(error, from);
  }
}

/** How many of its first bytes show of which kind a file is. */
const HEAD_BYTES = 64 * 1024;

async function headOf({ handle }: OpenFile): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

interface Placing {
  readonly from: string;
  readonly source: OpenFile;
  readonly wanted: string;
}

/** Who hears of the copying, and may end it. */
interface Watch {
  readonly copied: (bytes: number) => void;
  readonly abort: AbortSignal;
  /** Throws if this process may no longer write to the vault. */
  readonly demand: () => void;
}

/**
 * Puts a copy of a file into the vault and returns its path there. If the same bytes are there under that name they are
 * not copied again; if another file has the name, the copy gets one of its own. Throws as `copyWhole` does.
 */
export async function placed(vault: Vault, { from, source, wanted }: Placing, watch: Watch): Promise<string> {
  const { dir, name, ext } = path.posix.parse(wanted);
  // A private mail stays one: what is copied of it is read by those who may read it.
  const ready = (part: string, place: string) => openAsFolderAndSources(part, place, [from], loadSystemCalls());
  for (let count = 1; ; count += 1) {
    const file = `${dir}/${name}${count === 1 ? '' : `-${count}`}${ext}`;
    if (fs.lstatSync(path.join(vault.root, file), { throwIfNoEntry: false }) !== undefined) {
      if (await hasSameBytes(vault.root, file, source)) return file;
    } else if (await copied(source, { root: vault.root, tmp: vault.places.tmp, file, ready, ...watch })) return file;
  }
}

/** How often a copy is begun again whose part was removed. */
const MOST_TRIES = 3;

// Whenever the journal is brought to its end, the leftovers of a crash are removed from .steward/tmp, and with them a
// copy that is being made just then.
async function copied(source: OpenFile, order: Parameters<typeof copyWhole>[1], tries = 1): Promise<boolean> {
  try {
    return await copyWhole(source, order);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || tries === MOST_TRIES) throw error;
    return copied(source, order, tries + 1);
  }
}

/** Returns the vault-relative path of a file that is in the stream folder already; null for any other. */
function placeInStream(vault: Vault, from: string): string | null {
  const file = path.relative(fs.realpathSync.native(vault.root), fs.realpathSync.native(from));
  return vault.layout.kindOf(file) === 'stream' ? file : null;
}

/** Room that is left to the journal, the state and the notes. */
const SPARE_BYTES = 16 * 1024 * 1024;

/** Throws `disk-full` (75) where the disk of the vault has no room for what is to be copied. */
function demandRoom(vault: Vault, sources: readonly ImportSource[]): void {
  const needed = sources.filter((source) => !isThere(vault, source)).reduce((all, { size }) => all + size, 0);
  const { bavail, bsize, blocks } = fs.statfsSync(vault.places.tmp);
  // Some network file systems do not say how large they are.
  if (needed === 0 || blocks === 0 || needed + SPARE_BYTES <= bavail * bsize) return;
  throw new StewardError(
    {
      code: 'disk-full',
      message: `The disk of the vault is too full: ${mib(needed)} MiB needed, ${mib(bavail * bsize)} MiB left.`,
      hint: 'Free some space and import it again; no event is in the vault yet.',
    },
    EXIT.tryAgain,
  );
}

function isThere(vault: Vault, { from, size }: ImportSource): boolean {
  if (placeInStream(vault, from) !== null) return true;
  const place = path.join(vault.root, vault.layout.folders.stream, path.basename(from));
  return fs.lstatSync(place, { throwIfNoEntry: false })?.size === size;
}

function mib(bytes: number): string {
  return Math.ceil(bytes / 1024 / 1024).toLocaleString('en');
}

/** What a person named to be imported: a file, or a folder of mails. */
interface ImportSource {
  /** The absolute path, as it was named. */
  readonly from: string;
  /** Its bytes, or those of all its mails. */
  readonly size: number;
  /** Null of a file. */
  readonly mails: readonly FolderMail[] | null;
}

/** A mail of a Maildir, or of a folder of single mails. */
interface FolderMail {
  /** Its path in the folder: `cur/1735689600.M1P2.host:2,S`, or `offer.eml`. */
  readonly place: string;
  readonly size: number;
}

const BOXES = ['cur', 'new'] as const;

/**
 * Looks at what is to be imported, before anything of it is. Throws `import-name`, `import-missing`, `import-folder` for a
 * folder without mails, or what the disk refuses.
 */
async function sourceAt(from: string): Promise<ImportSource> {
  const stat = statOf(from);
  if (stat.isDirectory()) return folderAt(from);
  if (isPassedOver(path.basename(from))) throw unreadName(from);
  if (!stat.isFile()) throw notAFile(from);
  demandReadable(from);
  return { from, size: stat.size, mails: null };
}

/** How many mails of a folder are looked at before others have a turn. */
const CHUNK = 500;

function statOf(from: string): fs.Stats {
  try {
    return fs.statSync(from);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fileError(error, from);
    throw new StewardError({
      code: 'import-missing',
      message: `There is no file ${from}.`,
      hint: 'The vault is searched first, then the current folder.',
    });
  }
}

function demandReadable(from: string): void {
  try {
    fs.accessSync(from, fs.constants.R_OK);
  } catch (error) {
    throw fileError(error, from);
  }
}

async function folderAt(from: string): Promise<ImportSource> {
  const isMaildir = BOXES.every((box) => isFolder(path.join(from, box)));
  const places = isMaildir
    ? BOXES.flatMap((box) => namesIn(path.join(from, box)).map((name) => `${box}/${name}`))
    : namesIn(from).filter((name) => isMailFile(name) && !isPassedOver(name));
  const mails: FolderMail[] = [];
  for (const [nth, place] of places.entries()) {
    const stat = fs.statSync(path.join(from, place), { throwIfNoEntry: false });
    if (stat?.isFile() === true) mails.push({ place, size: stat.size });
    if (nth % CHUNK === 0) await new Promise(setImmediate);
  }
  if (mails.length === 0 && !isMaildir) throw noMails(from);
  return { from, size: mails.reduce((all, { size }) => all + size, 0), mails };
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    throw fileError(error, folder);
  }
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

function unreadName(from: string): StewardError {
  return new StewardError({
    code: 'import-name',
    file: from,
    message: `${path.basename(from)} has a name that Steward ignores (hidden, temporary, or a conflict copy).`,
    hint: 'Rename the file first.',
  });
}

function noMails(from: string): StewardError {
  return new StewardError({
    code: 'import-folder',
    message: `${path.basename(from)} is a folder without mails: no Maildir (cur/ and new/), and no .eml files.`,
    hint: `Name the files in it, such as ${shellWord(path.basename(from))}/*.`,
  });
}

/** Looks at all that is to be imported. Throws as `sourceAt` does. */
async function sourcesAt(files: readonly string[], tell: ImportWork['tell'], first: ImportProgress['stage']) {
  const sources: ImportSource[] = [];
  for (const from of files) sources.push(await sourceAt(from));
  const sizes = sources.map(({ size }) => size);
  return { sources, pace: new Pace(sizes, tell, first) };
}

/** How often (ms) an import says how far it is. */
const EVERY_MS = 200;

/** Gathers how far an import is, and tells it now and then. */
class Pace {
  readonly #tell: (progress: ImportProgress) => void;
  readonly #sizes: readonly number[];
  readonly #first: ImportProgress['stage'];
  #at: ImportProgress;
  /** Events and signals of the files that are done. */
  #events = 0;
  #signals = 0;
  #told = Number.NEGATIVE_INFINITY;

  /** `sizes`: those of the files, in their order. `first`: what is done first with each of them. */
  constructor(sizes: readonly number[], tell: ImportWork['tell'], first: ImportProgress['stage']) {
    this.#tell = tell;
    this.#first = first;
    this.#sizes = sizes;
    const start = { stage: first, from: '', file: null, nth: 0, files: sizes.length, bytes: 0, size: 0 };
    this.#at = { ...start, before: 0, all: sum(sizes), events: 0, signals: 0 };
  }

  /** The next file is begun. */
  begin(from: string): void {
    const { nth, events, signals } = this.#at;
    this.#events = events;
    this.#signals = signals;
    const [before, size] = [sum(this.#sizes.slice(0, nth)), this.#sizes[nth] ?? 0];
    this.#move({ stage: this.#first, from, file: null, nth: nth + 1, bytes: 0, size, before });
  }

  copied(bytes: number): void {
    this.#move({ bytes });
  }

  /** The file is in the vault; `bytes` of it are read, with this many events and signals in it. */
  read(file: string, bytes: number, counts: { readonly read: number; readonly signals: number }): void {
    const [events, signals] = [this.#events + counts.read, this.#signals + counts.signals];
    this.#move({ stage: 'reading', file, bytes, events, signals });
  }

  #move(change: Partial<ImportProgress>): void {
    const isNews = change.file !== undefined && change.file !== this.#at.file;
    this.#at = { ...this.#at, ...change };
    const now = performance.now();
    if (!isNews && now - this.#told < EVERY_MS) return;
    this.#told = now;
    this.#tell(this.#at);
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}

/** One of the events that a file holds, as it would be read; or why it would not be. */
type DryEvent = DryPlace &
  (
    | { readonly what: 'event'; readonly event: StreamEvent }
    | { readonly what: 'known' }
    | { readonly what: 'refused'; readonly reason: string }
  );

interface DryPlace {
  /** How a person finds it in its file; null if it is the whole file. */
  readonly place: string | null;
  /** How many bytes of the file are read with it; null if its kind does not count in bytes. */
  readonly bytes: number | null;
}

/** A file that is read where it lies, and the name that it would have in the vault. */
interface DryFile {
  readonly from: string;
  readonly wanted: string;
  /** A mail that is in memory: no file is opened. */
  readonly bytes?: Buffer;
}

/** Reads the events of files where they lie, each event once. Writes nothing. */
class DryReading {
  readonly #space: Workspace;
  /** Whether what the vault has read before is read anyway. */
  readonly #isAnew: boolean;
  readonly #seen = new Map<string, readonly KnownVersion[]>();

  constructor(space: Workspace, isAnew = false) {
    this.#space = space;
    this.#isAnew = isAnew;
  }

  /** Yields the events of a file. Throws what the disk refuses. */
  async *eventsIn(file: DryFile): AsyncGenerator<DryEvent> {
    const reader = findReader(this.#space.ingest.readers, file.wanted);
    if (reader === null) yield* this.#many(file);
    else yield* this.#single(reader, file);
  }

  async *#single(reader: StreamReader, { from, wanted, bytes: given }: DryFile): AsyncGenerator<DryEvent> {
    const space = this.#space;
    const now = space.context.now();
    const read = given === undefined ? readBytes(from, MAX_MAIL_BYTES) : { bytes: given, stat: null };
    const { bytes, stat } = read;
    const at = { place: null, bytes: bytes.length };
    const form = { size: stat?.size ?? bytes.length, mtimeMs: stat?.mtimeMs ?? now, sha256: sha256(bytes), at: now };
    const isUnread = space.context.state.get(STREAMS)[wanted]?.isUnread === true;
    const opened =
      !this.#isAnew && wasRead(space, wanted, form) && !isUnread
        ? null
        : await parsedStream(space, reader, wanted, bytes, form);
    if (opened?.kind === 'none')
      yield { ...at, what: 'refused', reason: opened.refused ?? opened.skipped ?? 'it has no event' };
    else if (opened === null || this.#isTwin(opened) || this.#isSeen(opened.identity, opened.event.path))
      yield { ...at, what: 'known' };
    else {
      yield { ...at, what: 'event', event: opened.event };
      for (const one of opened.within ?? []) yield { place: 'its appointment', bytes: null, ...this.#event(one) };
    }
  }

  #isTwin(opened: EventStream): boolean {
    return !this.#isAnew && findTwin(this.#space.ingest, opened) !== null;
  }

  async *#many({ from, wanted }: DryFile): AsyncGenerator<DryEvent> {
    const source = await openSource(from);
    try {
      const head = await headOf(source);
      const kind = kindsFor(wanted).find((one) => one.recognises(head));
      if (kind === undefined) return;
      const { handle, stat } = source;
      const reading = { handle: handle.fd, size: stat.size, kind, door: makeReadContext(this.#space, wanted, kind) };
      for await (const { items, stop } of readFileItems(reading, 0, NEVER)) {
        for (const item of items) {
          const found = this.#found(wanted, item);
          const at = { place: item.place, bytes: kind.isAppended === true ? item.next : null };
          if (found !== null) yield { ...at, ...found };
        }
        if (stop !== null) yield { place: 'behind that', bytes: null, what: 'refused', reason: stop.message };
      }
    } finally {
      await source.handle.close();
    }
  }

  #found(file: string, { content }: ReadItem): ImportResult | null {
    if (content.what === 'nothing') return null;
    if (content.what === 'refused') return { what: 'refused', reason: content.reason };
    const opened = itemEvent(file, content.event, content.identity, this.#space.context.now());
    return this.#event(opened);
  }

  #event(opened: EventStream): ImportResult {
    const { ingest } = this.#space;
    const { identity } = opened;
    const before = [...(this.#isAnew ? [] : ingest.known.of(identity)), ...this.#seenAs(identity)];
    const standing = compareWithRead(identity, before);
    if (standing.kind === 'known') return { what: 'known' };
    this.#see(identity, opened.event.path);
    return { what: 'event', event: knownEvent(syncTargets(this.#space).index, opened, standing).event };
  }

  #isSeen(identity: Identity, path: string): boolean {
    const isSeen = compareWithRead(identity, this.#seenAs(identity)).kind === 'known';
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

export type ImportResult =
  | { readonly what: 'event'; readonly event: StreamEvent }
  | { readonly what: 'known' }
  | Refused;

interface Refused {
  readonly what: 'refused';
  readonly reason: string;
}

export interface DrySignal {
  /** The event's path as it would be in the vault, and where it is in its file. */
  readonly event: string;
  readonly place: string | null;
  readonly from: string | null;
  readonly headline: string;
  readonly quote: string;
  readonly target: string;
  readonly targetConfidence: number;
  /** Where any of several notes may be meant: all of them. */
  readonly candidates: readonly string[];
  /** The change that it proposes; null if it only asks the person something. */
  readonly change: SignalDraft['mutation_proposal'];
  /** After what was learnt of its source. */
  readonly confidence: number;
  /** Whether its event is so old that an import leaves it alone. */
  readonly isOld: boolean;
  /** Why it would be signalled. */
  readonly reasoning: string;
  /** Its oddities, and why Steward would not act on its word alone. */
  readonly warnings: readonly string[];
  readonly doubts: readonly string[];
}

export interface DryResult {
  readonly from: string;
  /** Where it would be in the vault; null if it would not be put there. */
  readonly file: string | null;
  readonly understood: boolean;
  /** Why it would not be imported; null if it would. */
  readonly reason: string | null;
  readonly events: number;
  readonly signals: number;
  /** Signals that older events would have given at their time: an import leaves these events alone. */
  readonly old: number;
  /** Events that were read before. */
  readonly known: number;
  readonly refused: number;
  /** Why events would give no signal, the most frequent reason first. */
  readonly silent: readonly { readonly reason: string; readonly count: number }[];
  /** How many events wouldn't be read, by the reason. They aren't in `silent`. */
  readonly unread: UnreadCounts;
  readonly troubles: readonly { readonly place: string; readonly reason: string }[];
}

interface DryQuestions {
  readonly questions: number;
  /** The most that they may take; null if unknown. */
  readonly most: Usage | null;
}

/** Gathers what the events of one file come to. */
class DryTally {
  readonly from: string;
  readonly file: string;
  #events = 0;
  #signals = 0;
  #old = 0;
  #known = 0;
  #refused = 0;
  readonly #silent = new Map<string, number>();
  #unread: UnreadCounts = {};
  readonly #troubles: { readonly place: string; readonly reason: string }[] = [];

  /** `file`: where it would be in the vault. */
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
    if (silence?.kind === 'not-read') this.#unread = addUnread(this.#unread, silence.reason);
    else if (silence !== null) this.#silent.set(whyIn(silence), (this.#silent.get(whyIn(silence)) ?? 0) + 1);
  }

  /** Counts signals that an older event would have given at its time. */
  old(signals: number): void {
    this.#old += signals;
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
      from: this.from,
      file: this.file,
      understood: this.#events > this.#refused || this.#refused === 0,
      reason: null,
      events: this.#events,
      signals: this.#signals,
      old: this.#old,
      known: this.#known,
      refused: this.#refused,
      silent: silent.sort((one, other) => other.count - one.count),
      unread: this.#unread,
      troubles: this.#troubles,
    };
  }
}

function notImported(from: string, reason: string): DryResult {
  const none = { events: 0, signals: 0, old: 0, known: 0, refused: 0, silent: [], unread: {}, troubles: [] };
  return { from, file: null, understood: false, reason, ...none };
}

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

function drySignal(draft: SignalDraft, place: string | null, isOld: boolean): DrySignal {
  return {
    isOld,
    event: draft.source_event_path,
    place,
    from: draft.from,
    headline: draft.headline,
    quote: markedQuote(draft),
    target: draft.target_path,
    targetConfidence: draft.target_confidence,
    candidates: draft.target_ambiguous ? draft.target_candidates : [],
    change: draft.mutation_proposal,
    confidence: draft.effect_confidence,
    reasoning: draft.reasoning,
    warnings: draft.warnings ?? [],
    doubts: draft.doubts ?? [],
  };
}

/** The result that importing files would have. */
export interface DryRun {
  readonly files: readonly DryResult[];
  readonly signals: readonly DrySignal[];
  /** The model that would be asked, and how much; null if the rules would read them as they did here. */
  readonly model: (DryQuestions & { readonly name: string }) | null;
}

/** How many signals are kept, and who hears how far it is. */
interface DryOptions {
  readonly most: number;
  readonly tell: (progress: ImportProgress) => void;
}

/**
 * Reads files and Maildirs, given by absolute paths, in place, and says what would be signalled and why, by the rules.
 * Asks no model; if one would be asked, says how often and what that may take. Writes nothing. Throws as `importFiles`
 * does.
 */
export async function dryRun(space: Workspace, files: readonly string[], options: DryOptions): Promise<DryRun> {
  const { sources, pace } = await sourcesAt(files, options.tell, 'reading');
  const run = new Run(space, options.most, pace);
  const results: DryResult[] = [];
  for (const source of sources) {
    pace.begin(source.from);
    results.push(await run.source(source));
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
    this.#byRules = { ...space, models: { ...models, extractor: rulesExtractor(syncTargets(space)) } };
    this.#reading = new DryReading(space);
    this.#most = most;
    this.#pace = pace;
  }

  get model(): DryRun['model'] {
    const { asksModel, name } = this.#space.models.extractor;
    return asksModel ? { name, ...this.#questions } : null;
  }

  async source(source: ImportSource): Promise<DryResult> {
    const { from, mails } = source;
    const tally = new DryTally(from, mails === null ? placeFor(this.#space.vault, from) : folderOf(this.#space, from));
    for (const file of filesOfSource(this.#space, source)) {
      const why = await whyUnreadOutside(this.#space, file);
      if (why === null) await this.#read(file, tally);
      else if (mails === null) return notImported(from, why);
      else tally.refused(file.name, why);
    }
    return tally.result();
  }

  async #read({ from, wanted, before, name }: SourceFile, tally: DryTally): Promise<void> {
    let bytes = 0;
    for await (const found of this.#reading.eventsIn({ from, wanted })) {
      if (found.what === 'known') tally.known();
      else if (found.what === 'refused') tally.refused(found.place ?? name, found.reason);
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
    this.#keep(read.drafts, place, false);
    if (!isPast(event, new Date(this.#space.context.now()))) return;
    const then = spaceAt(this.#byRules, momentOfEvent(event) ?? this.#space.context.now());
    const old = await extract(then, event, NEVER);
    if (old.kind === 'waits') return;
    tally.old(old.drafts.length);
    this.#keep(old.drafts, place, true);
  }

  #keep(drafts: readonly SignalDraft[], place: string | null, isOld: boolean): void {
    const room = Math.max(0, this.#most - this.signals.length);
    this.signals.push(...drafts.slice(0, room).map((draft) => drySignal(draft, place, isOld)));
  }
}

async function whyUnreadOutside({ ingest }: Workspace, { from, wanted, name }: SourceFile): Promise<string | null> {
  if (isPassedOver(name)) return 'it has a name that is never read';
  const source = await openSource(from);
  try {
    return whyUnread(ingest.readers, wanted, source.stat.size, await headOf(source));
  } finally {
    await source.handle.close();
  }
}

/** Returns the work on a vault as at another moment (epoch ms): an event is not old at its own time. */
export function spaceAt(space: Workspace, at: number): Workspace {
  return { ...space, context: { ...space.context, now: () => at } };
}

/** Returns when something happened (epoch ms); null if that isn't known. A calendar may be exported after an appointment. */
export function momentOfEvent({ originAt, appointment }: StreamEvent): number | null {
  const times = [originAt, appointment?.end ?? appointment?.start].flatMap((time) => {
    const at = time == null ? Number.NaN : (parseLocalTime(time) ?? Number.NaN);
    return Number.isNaN(at) ? [] : [at];
  });
  return times.length === 0 ? null : Math.min(...times);
}

type OutsideEvent = DryEvent & {
  readonly from: string;
  /** The path that the file would have in the vault. */
  readonly wanted: string;
};

/** Who hears how far the reading is, and who may end it. */
interface OutsideWork {
  /** The addresses of the user: single mails from them are the user's own word, because the user says so. */
  readonly own: readonly string[];
  readonly reading: OutsideReading;
  readonly tell: (progress: ImportProgress) => void;
  readonly abort: AbortSignal;
}

/** Reads what is outside the vault: each event once, whether the vault has read it before or not. Writes nothing. */
export class OutsideReading implements Disposable {
  readonly files: DryReading;
  readonly #series = new MailSeries();

  constructor(space: Workspace) {
    const { ingest } = space;
    const readers = ingest.readers.map((one) => (one.name === 'mail' ? { ...one, read: this.#series.read } : one));
    this.files = new DryReading({ ...space, ingest: { ...ingest, readers } }, true);
  }

  /** Yields the events of a mail that is in memory. `wanted`: the path that it would have in the vault. */
  eventsOfMail(wanted: string, bytes: Buffer): AsyncIterable<DryEvent> {
    return this.files.eventsIn({ from: wanted, wanted, bytes });
  }

  [Symbol.dispose](): void {
    this.#series[Symbol.dispose]();
  }
}

/**
 * Yields the events of files and Maildirs, given by absolute paths, where they lie: each once, whether the vault has read it
 * before or not. Writes nothing. Throws as `importFiles` does, and the reason of who ends it.
 */
export async function* readOutside(
  space: Workspace,
  files: readonly string[],
  { tell, abort, reading, own }: OutsideWork,
): AsyncGenerator<OutsideEvent> {
  const { sources, pace } = await sourcesAt(files, tell, 'reading');
  for (const source of sources) {
    pace.begin(source.from);
    let events = 0;
    for (const file of filesOfSource(space, source))
      for await (const found of eventsOutside(space, { reading: reading.files, own }, file)) {
        abort.throwIfAborted();
        events += 1;
        yield { ...found, from: file.from, wanted: file.wanted };
        pace.read(file.wanted, file.before + (found.bytes ?? 0), { read: events, signals: 0 });
      }
  }
}

/** The reader of files, and the addresses of the user in them. */
interface ReadBy extends Pick<OutsideWork, 'own'> {
  readonly reading: DryReading;
}

/** A file of a source, and how many bytes of the source come before it. */
type SourceFile = DryFile & { readonly before: number; readonly name: string };

function placeFor(vault: Vault, from: string): string {
  return placeInStream(vault, from) ?? `${vault.layout.folders.stream}/${path.basename(from)}`;
}

function* filesOfSource(space: Workspace, { from, mails }: ImportSource): Generator<SourceFile> {
  if (mails === null) {
    yield { from, wanted: placeFor(space.vault, from), before: 0, name: path.basename(from) };
    return;
  }
  const folder = folderOf(space, from);
  let before = 0;
  for (const { place, size } of mails) {
    yield { from: path.join(from, place), wanted: `${folder}/${place}`, before, name: path.basename(place) };
    before += size;
  }
}

async function* eventsOutside(space: Workspace, { reading, own }: ReadBy, file: SourceFile): AsyncGenerator<DryEvent> {
  const why = await whyUnreadOutside(space, file);
  if (why !== null) yield { place: null, bytes: null, what: 'refused', reason: why };
  else if (own.length === 0) yield* reading.eventsIn(file);
  else if (isMailFile(file.wanted)) yield* reading.eventsIn(await asSent(space, file, own));
  else {
    if (kindsFor(file.wanted).includes(MBOX)) yield { place: null, bytes: null, what: 'refused', reason: NOT_AS_SENT };
    yield* reading.eventsIn(file);
  }
}

const NOT_AS_SENT =
  "mails in a mailbox file aren't read as yours, because one can contain text that looks like another";

/** Returns a mail that the user sent as it would be imported: marked for its place. Any other stays as it is. */
async function asSent(space: Workspace, file: SourceFile, own: readonly string[]): Promise<DryFile> {
  const { bytes } = readBytes(file.from, MAX_MAIL_BYTES);
  const { readSender } = await import('../streams/mail.ts');
  const { from } = await readSender(headerOf(bytes), []);
  if (from === null || !own.includes(from)) return { ...file, bytes };
  const origin = { source: OWN_FILES, server: null, keep: 'mail', isSent: true } as const;
  return { ...file, bytes: await fetchedFile(origin, file.wanted, bytes, space.context.seal) };
}

function headerOf(bytes: Buffer): Buffer {
  const end = /\n\r*\n/.exec(bytes.toString('latin1'));
  return end === null ? bytes : bytes.subarray(0, end.index + 1);
}

/** Reads mails that the user says they sent. */
type SentAccess = Parameters<typeof checkRelevance>[0] & Pick<Workspace, 'vault' | 'transactions'>;

/** How many digits of a hash name a file. */
const DIGITS = 12;
const NO_MAIL = 'only single mails (.eml), folders of them and Maildirs can be imported as sent mails';

/**
 * Reads mails from an address that the user says is theirs, as their own word. Only those that say something about an open
 * note come into the vault, marked for their place. Throws as `importFiles` does.
 */
export async function importSent(
  space: SentAccess,
  files: readonly string[],
  address: string,
  work: ImportWork,
): Promise<ImportedFile[]> {
  const sources: ImportSource[] = [];
  for (const from of files) sources.push(await sourceAt(from));
  const imported: ImportedFile[] = [];
  for (const source of sources) imported.push(await importOne(space, source, plainSender(address), work));
  return imported;
}

async function importOne(
  space: SentAccess,
  { from, mails }: ImportSource,
  address: string,
  work: ImportWork,
): Promise<ImportedFile> {
  const plain = { from, file: null, signals: [], understood: true, unread: false, complete: true, items: null };
  if (mails === null && !isMailFile(from)) return { ...plain, reason: NO_MAIL, understood: false };
  const paths = mails === null ? [from] : mails.map(({ place }) => path.join(from, place));
  const signals: string[] = [];
  let [read, gave] = [0, 0];
  let file: string | null = null;
  for (const mail of paths) {
    if (work.abort.aborted) break;
    const placed = await placeSent(space, mail, address);
    const result = placed === null ? null : await work.read(placed, undefined);
    if (result?.kind === 'read') signals.push(...result.signals);
    const isKept = result?.kind === 'waits' || (result?.kind === 'read' && result.signals.length > 0);
    if (isKept) [file, gave] = [placed, gave + 1];
    read += 1;
  }
  const items = mails === null ? null : { ...NO_COUNTS, read, none: read - gave, signals: signals.length };
  return {
    ...plain,
    file,
    signals,
    reason: signals.length > 0 ? null : 'it says nothing about an open note, or is not from that address',
    complete: read === paths.length,
    items,
  };
}

/** Puts a mail into the vault if it is the user's and concerns an open note. Returns its place there, else null. */
async function placeSent(space: SentAccess, from: string, address: string): Promise<string | null> {
  const { vault, context, transactions } = space;
  const { bytes } = readBytes(from, MAX_MAIL_BYTES);
  const relevance = await checkRelevance(space, { bytes, isWhole: true, isSent: true }, [address]);
  if (relevance !== 'fetch') return null;
  const file = `${vault.layout.folders.stream}/${OWN_FILES}/${sha256(bytes).slice(0, DIGITS)}.eml`;
  const origin = { source: OWN_FILES, server: null, keep: 'mail', isSent: true } as const;
  const marked = await fetchedFile(origin, file, bytes, context.seal);
  transactions.demand();
  createWhole(vault.root, vault.places.tmp, file, marked, (part, folder) =>
    openAsFolderAndSources(part, folder, [from], loadSystemCalls()),
  );
  vault.look([file]);
  return file;
}
