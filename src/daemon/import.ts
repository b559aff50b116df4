import fs from 'node:fs';
import path from 'node:path';
import { filesOf, kindOf } from '../stream/endings.ts';
import type { ItemCounts } from '../stream/items-read.ts';
import { ITEM_KINDS } from '../stream/kinds.ts';
import { MAX_MAIL_BYTES } from '../stream/mail/source-type.ts';
import { copyWhole, hasSameBytes, type OpenFile, openFile } from '../vault/disk/copy-whole.ts';
import { loadSystemCalls } from '../vault/disk/system-calls.ts';
import { openAsFolderAndSources } from '../vault/disk-readers.ts';
import { EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, notAFile } from '../vault/files.ts';
import { isConflictCopy, isHidden } from '../vault/note-names.ts';
import { shellWord } from '../vault/notes/shell-word.ts';
import type { Vault } from '../vault/watch.ts';
import type { StreamRead } from './context/remembered/stream-read.ts';
import type { IndexAccess, StreamReader, Workspace } from './context.ts';
import { readerOf } from './ingest/readers.ts';
import type { ItemTaker } from './ingest-items.ts';
import { kindsFor } from './item-file.ts';
import type { StreamResult, Waits } from './read-stream.ts';

/** How many troubles of a Maildir are named. */
const MOST_TROUBLES = 5;

/** What became of the events of a file, or of a Maildir, since it was first read. */
export interface ImportCounts extends ItemCounts {
  readonly signals: number;
  /** The first that were refused. */
  readonly troubles: readonly { readonly place: string; readonly reason: string }[];
}

/** Of a Maildir of which nothing is read yet. */
const NO_COUNTS: ImportCounts = {
  ...{ read: 0, none: 0, past: 0, known: 0, refused: 0, waiting: 0 },
  ...{ signals: 0, troubles: [] },
};

/** Returns the counts with one more event that cannot be read. */
function withRefused(counts: ImportCounts, place: string, reason: string): ImportCounts {
  const { refused, troubles } = counts;
  return { ...counts, refused: refused + 1, troubles: [...troubles, { place, reason }].slice(0, MOST_TROUBLES) };
}

/** Returns what is known of the events of a file that was read; null of a file with one. */
function countsIn({ items, signals }: StreamRead): ImportCounts | null {
  if (items === null) return null;
  const { read, none, past, known, refused, open, troubles } = items;
  return { read, none, past, known, refused, waiting: Object.keys(open).length, signals, troubles };
}

/** What importing one file, or one Maildir, came to. */
export interface Imported {
  /** The file as it was named. */
  readonly from: string;
  /** Where it lies in the vault now; null where nothing of it was put there. */
  readonly file: string | null;
  readonly signals: readonly string[];
  /** Why it gave no signal, or was not put into the vault; else null. */
  readonly reason: string | null;
  /** False where no reader understood the file. */
  readonly understood: boolean;
  /** Whether it is all there and read; false where the import was ended before. */
  readonly complete: boolean;
  /** What became of its events; null of a file with one event. */
  readonly items: ImportCounts | null;
}

/** Who reads, who hears how far it is, and who may end it. */
interface ImportWork {
  /** Reads a stream file of the vault. */
  readonly read: (file: string, onProgress: ItemTaker['onProgress']) => Promise<StreamResult | Waits | null>;
  readonly tell: (progress: ImportProgress) => void;
  /** Ends the import: nothing half copied is left, and what is read stays read. */
  readonly abort: AbortSignal;
}

/** The records as last read, who reads stream files, and whether the vault is still ours. */
type ImportAccess = Pick<Workspace, 'context' | 'vault' | 'ingest' | 'transactions'>;

/** Of a file that gave no signal and is as it should be. */
const PLAIN = { signals: [], understood: true, complete: true, items: null } as const;

/** How often a copy is begun again whose part was removed. */
const MOST_TRIES = 3;
/** Room that is left to the journal, the state and the notes. */
const SPARE_BYTES = 16 * 1024 * 1024;

/** What is copied: an open file, where it was found, and the name that it should get in the vault. */
interface Placing {
  readonly from: string;
  readonly source: OpenFile;
  readonly wanted: string;
}

/** Who hears of the copying, and may end it. */
interface Watch {
  readonly copied: (bytes: number) => void;
  readonly abort: AbortSignal;
  /** Throws where the vault is no longer this process's to write to. */
  readonly demand: () => void;
}

/**
 * Puts a copy of a file into the vault and returns its path there. Where the same bytes lie there under that name they are
 * not copied again; where another file has the name, the copy gets one of its own. Throws as `copyWhole` does.
 */
export async function placed(vault: Vault, { from, source, wanted }: Placing, watch: Watch): Promise<string> {
  const { dir, name, ext } = path.posix.parse(wanted);
  // A private mail stays one: what is copied of it is read by those who may read it.
  const ready = (part: string, place: string) => openAsFolderAndSources(part, place, [from], loadSystemCalls());
  for (let count = 1; ; count += 1) {
    const file = `${dir}/${name}${count === 1 ? '' : `-${count}`}${ext}`;
    if (isTaken(vault, file)) {
      if (await hasSameBytes(vault.root, file, source)) return file;
    } else if (await copied(source, { root: vault.root, tmp: vault.places.tmp, file, ready, ...watch })) return file;
  }
}

// What a crash left is removed from .steward/tmp whenever the journal is brought to its end, and with it the part of a copy
// that is being made just then.
async function copied(source: OpenFile, order: Parameters<typeof copyWhole>[1], tries = 1): Promise<boolean> {
  try {
    return await copyWhole(source, order);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || tries === MOST_TRIES) throw error;
    return copied(source, order, tries + 1);
  }
}

/** Returns the vault-relative path of a file that lies in the stream folder already; null for any other. */
export function placeInStream(vault: Vault, from: string): string | null {
  const file = path.relative(fs.realpathSync.native(vault.root), fs.realpathSync.native(from));
  return vault.layout.kindOf(file) === 'stream' ? file : null;
}

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
      hint: 'Free some room and import it again; nothing is in the vault yet.',
    },
    EXIT.tryAgain,
  );
}

function isThere(vault: Vault, { from, size }: ImportSource): boolean {
  if (placeInStream(vault, from) !== null) return true;
  const place = path.join(vault.root, vault.layout.folders.stream, path.basename(from));
  return fs.lstatSync(place, { throwIfNoEntry: false })?.size === size;
}

function isTaken({ root }: Vault, file: string): boolean {
  return fs.lstatSync(path.join(root, file), { throwIfNoEntry: false }) !== undefined;
}

function mib(bytes: number): string {
  return Math.ceil(bytes / 1024 / 1024).toLocaleString('en');
}

/** How many mails of a Maildir are looked at before others have a turn. */
const CHUNK = 500;
const BOXES = ['cur', 'new'] as const;

/** A mail of a Maildir. */
interface MaildirMail {
  readonly box: (typeof BOXES)[number];
  readonly name: string;
  readonly size: number;
}

/** What a person named to be imported: a file, or a Maildir. */
export interface ImportSource {
  /** The absolute path, as it was named. */
  readonly from: string;
  /** Its bytes, or those of all its mails. */
  readonly size: number;
  /** Null of a file. */
  readonly mails: readonly MaildirMail[] | null;
}

/**
 * Looks at what is to be imported, before anything of it is. Throws `import-name`, `import-missing`, `import-folder` for a
 * folder that is no Maildir, or what the disk refuses.
 */
export async function sourceAt(from: string): Promise<ImportSource> {
  const stat = statOf(from);
  if (stat.isDirectory()) return maildirAt(from);
  if (isPassedOver(path.basename(from))) throw unreadName(from);
  if (!stat.isFile()) throw notAFile(from);
  demandReadable(from);
  return { from, size: stat.size, mails: null };
}

/** Whether files of this name are never read: hidden, temporary, or a conflict copy. */
export function isPassedOver(name: string): boolean {
  return isHidden(name) || isConflictCopy(name);
}

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

async function maildirAt(from: string): Promise<ImportSource> {
  if (!BOXES.every((box) => isFolder(path.join(from, box)))) throw noMaildir(from);
  const mails: MaildirMail[] = [];
  for (const box of BOXES) {
    const names = namesIn(path.join(from, box));
    for (const [nth, name] of names.entries()) {
      const stat = fs.statSync(path.join(from, box, name), { throwIfNoEntry: false });
      if (stat?.isFile() === true) mails.push({ box, name, size: stat.size });
      if (nth % CHUNK === 0) await new Promise(setImmediate);
    }
  }
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
    message: `${path.basename(from)} has a name that the steward passes over (hidden, temporary, or a conflict copy).`,
    hint: 'Rename the file first.',
  });
}

function noMaildir(from: string): StewardError {
  return new StewardError({
    code: 'import-folder',
    message: `${path.basename(from)} is a folder without cur/ and new/, so it is no Maildir.`,
    hint: `Name the files in it: steward import ${shellWord(path.basename(from))}/*`,
  });
}

/** Returns what people call the kinds of file that are read: `a mail (.eml)`. */
export function readableKinds(): readonly string[] {
  return ['a mail (.eml)', 'a Maildir', ...ITEM_KINDS.map(({ title }) => title)];
}

/**
 * Returns why no reader takes a file, by the name that it would have in the vault, its size and its first bytes; null where
 * one does.
 */
export function whyUnread(
  readers: readonly StreamReader[],
  file: string,
  size: number,
  head: Uint8Array,
): string | null {
  if (size === 0) return 'it is empty';
  const mib = MAX_MAIL_BYTES / 1024 / 1024;
  if (readerOf(readers, file) !== null)
    return size <= MAX_MAIL_BYTES ? null : `it has more than ${mib} MiB, and of a mail no more are read`;
  const kinds = kindsFor(file);
  if (kinds.length === 0) return `${filesOf(kindOf(file))} are not read`;
  if (kinds.some((kind) => kind.recognises(head))) return null;
  return `it does not begin like ${kinds.map(({ title }) => title).join(' or ')}`;
}

/** A Maildir that was named to be imported. */
type Maildir = ImportSource & { readonly mails: readonly MaildirMail[] };

const EMPTY = new Uint8Array();

/**
 * Copies the mails of a Maildir below a folder of its name, in `cur` and `new` as they lie, and extracts their signals. A mail
 * whose flags have changed since it was copied has another name, and is not copied again.
 */
async function importMaildir(space: ImportAccess, maildir: Maildir, work: ImportWork, pace: Pace): Promise<Imported> {
  const folder = folderOf(space, maildir.from);
  const there = mailsIn(space, folder);
  const signals: string[] = [];
  let [counts, done, bytes] = [NO_COUNTS, 0, 0];
  for (const mail of maildir.mails) {
    if (work.abort.aborted) break;
    const from = path.join(maildir.from, mail.box, mail.name);
    const wanted = there.get(uniqueName(mail.name)) ?? `${folder}/${mail.box}/${mail.name}`;
    const result = await readMail(space, { ...mail, from, wanted }, work);
    counts = counted(counts, mail.name, result);
    if (result !== null && 'signals' in result) signals.push(...result.signals);
    [done, bytes] = [done + 1, bytes + mail.size];
    pace.read(folder, bytes, counts);
  }
  return {
    ...{ from: maildir.from, file: folder, signals, items: counts, complete: done === maildir.mails.length },
    reason: maildir.mails.length === 0 ? 'it holds no mails' : null,
    understood: counts.refused === 0,
  };
}

/** A mail that is to be read, and the name that it should have in the vault. */
type Wanted = MaildirMail & { readonly from: string; readonly wanted: string };

/** Why a mail is not even put into the vault. */
interface Unread {
  readonly kind: 'unread';
  readonly reason: string;
}

async function readMail(
  space: ImportAccess,
  mail: Wanted,
  work: ImportWork,
): Promise<StreamResult | Waits | Unread | null> {
  const reason = isPassedOver(mail.name)
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

function counted(counts: ImportCounts, place: string, result: StreamResult | Waits | Unread | null): ImportCounts {
  if (result === null) return { ...counts, known: counts.known + 1 };
  if (result.kind === 'unread') return withRefused(counts, place, result.reason);
  if (result.kind === 'read' && !result.understood) return withRefused(counts, place, result.reason ?? 'it is no mail');
  const read = { ...counts, read: counts.read + 1 };
  if (result.kind === 'waits') return { ...read, waiting: counts.waiting + 1 };
  if (result.signals.length === 0) return { ...read, none: counts.none + 1 };
  return { ...read, signals: counts.signals + result.signals.length };
}

/** Returns the folder of the vault in which the mails of a Maildir lie, or are to lie. */
export function folderOf(space: IndexAccess, from: string): string {
  // Maildir folders below another begin with a dot, and are hidden by it.
  const name = path.basename(from).replace(/^\.+/, '') || 'Maildir';
  return ownFolder(space, from) ?? `${space.vault.layout.folders.stream}/${name}`;
}

/** A Maildir that lies in the stream folder already. */
function ownFolder({ vault }: IndexAccess, from: string): string | null {
  const folder = path.relative(fs.realpathSync.native(vault.root), fs.realpathSync.native(from));
  return vault.layout.folderKindOf(`${folder}/`) === 'stream' && folder !== vault.layout.folders.stream ? folder : null;
}

/** The mails that lie in a folder of the vault, by the part of their names that stays. */
function mailsIn({ vault }: ImportAccess, folder: string): Map<string, string> {
  const files = [...vault.streams.keys()].filter((file) => file.startsWith(`${folder}/`));
  return new Map(files.map((file) => [uniqueName(path.posix.basename(file)), file]));
}

// `1735689600.M1P2.host:2,S`: behind `:2,` (on some disks another mark) are flags, which change.
function uniqueName(name: string): string {
  return name.replace(/[:;!_-]2,[A-Za-z]*$/, '');
}

/** So many bytes say of which kind a file is. */
const HEAD_BYTES = 64 * 1024;

/** Opens a file that is to be imported. Throws what the disk refuses, in plain words. */
export async function openSource(from: string): Promise<OpenFile> {
  try {
    return await openFile(from);
  } catch (error) {
    throw fileError(error, from);
  }
}

/** Returns the first bytes of an open file. */
export async function headOf({ handle }: OpenFile): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** How often (ms) an import says how far it is. */
const EVERY_MS = 200;

/** How far an import is. */
export interface ImportProgress {
  readonly stage: 'copying' | 'reading';
  /** The file, or Maildir, that it is at, as it was named. */
  readonly from: string;
  /** Where that lies in the vault by now; null as long as it is copied. */
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

/** Gathers how far an import is, and tells it now and then. */
export class Pace {
  readonly #tell: (progress: ImportProgress) => void;
  readonly #sizes: readonly number[];
  readonly #first: ImportProgress['stage'];
  #at: ImportProgress;
  /** Events and signals of the files that are done. */
  #events = 0;
  #signals = 0;
  #told = Number.NEGATIVE_INFINITY;

  /** `sizes`: those of the files, in their order. `first`: what is done first with each of them. */
  constructor(
    sizes: readonly number[],
    tell: (progress: ImportProgress) => void,
    first: ImportProgress['stage'] = 'copying',
  ) {
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

  /** So many bytes of the file are copied. */
  copied(bytes: number): void {
    this.#move({ bytes });
  }

  /** The file lies in the vault; `bytes` of it are read, with so many events and signals in it. */
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

/**
 * Copies files and Maildirs, given by absolute paths, into the stream folder and extracts their signals. What no reader
 * understands is not put there. Throws `import-name`, `import-missing`, `import-folder` and `disk-full` before anything is
 * done, or what the disk refuses.
 */
export async function importFiles(
  space: ImportAccess,
  files: readonly string[],
  work: ImportWork,
): Promise<Imported[]> {
  const sources: ImportSource[] = [];
  for (const from of files) sources.push(await sourceAt(from));
  demandRoom(space.vault, sources);
  const pace = new Pace(
    sources.map(({ size }) => size),
    work.tell,
  );
  const imported: Imported[] = [];
  for (const source of sources) {
    pace.begin(source.from);
    imported.push(await importSource(space, source, work, pace));
  }
  return imported;
}

async function importSource(
  space: ImportAccess,
  source: ImportSource,
  work: ImportWork,
  pace: Pace,
): Promise<Imported> {
  if (work.abort.aborted) return notBegun(source.from);
  try {
    const { mails } = source;
    return mails === null
      ? await importFile(space, source, work, pace)
      : await importMaildir(space, { ...source, mails }, work, pace);
  } catch (error) {
    if (work.abort.aborted) return notBegun(source.from);
    throw error;
  }
}

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
  const before = state.get('streams')[file];
  space.vault.look([file]);
  const result = await readHere(file, work, pace);
  const read = state.get('streams')[file];
  if (read?.items != null) return { from, file, ...cameFromMany(result, read, read.items) };
  if (result === 'ended') return { ...PLAIN, from, file, reason: ENDED, complete: false };
  const came = importedAs(result, before);
  pace.read(file, size, { read: 1, signals: came.signals.length });
  return { from, file, ...came };
}

const ENDED = 'it was ended before';

// What is read of a file with many events when it is ended stays read.
async function readHere(
  file: string,
  { read, abort }: ImportWork,
  pace: Pace,
): Promise<StreamResult | Waits | 'ended' | null> {
  try {
    return await read(file, (progress) => pace.read(file, progress.bytes ?? 0, progress));
  } catch (error) {
    if (abort.aborted) return 'ended';
    throw error;
  }
}

function cameFromMany(
  result: StreamResult | Waits | 'ended' | null,
  read: StreamRead,
  { isDone }: NonNullable<StreamRead['items']>,
): Came {
  return {
    signals: result !== null && result !== 'ended' && result.kind === 'read' ? result.signals : [],
    reason: read.refused ?? (result === null && isDone ? 'it was read before' : null),
    understood: read.refused === null,
    complete: result !== 'ended' && (result !== null || isDone),
    items: countsIn(read),
  };
}

/** Where a file lies in the vault, or why it is not put there. */
type Placed = { readonly file: string; readonly refused: null } | { readonly file: null; readonly refused: string };

async function placedOrRefused({ vault, ingest }: ImportAccess, from: string, watch: Watch): Promise<Placed> {
  // What a person has put there stays, whatever it is.
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

type Came = Omit<Imported, 'from' | 'file'>;

function importedAs(result: StreamResult | Waits | null, before: StreamRead | undefined): Came {
  if (result === null) return importedBefore(before);
  if (result.kind === 'waits') return { ...PLAIN, reason: `not read yet: ${result.reason}` };
  const { signals, reason, understood } = result;
  return { ...PLAIN, signals, reason, understood };
}

function importedBefore(before: StreamRead | undefined): Came {
  if (before === undefined) return { ...PLAIN, reason: 'nothing new' };
  if (before.tried === null) return { ...PLAIN, reason: 'it was read before' };
  return { ...PLAIN, reason: before.refused ?? before.skipped, understood: false };
}

function notBegun(from: string): Imported {
  return { ...PLAIN, from, file: null, reason: ENDED, complete: false };
}
