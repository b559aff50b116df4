import type {
  FetchMessageObject,
  FetchQueryObject,
  MailboxObject,
  MessageStructureObject,
  StatusObject,
} from 'imapflow';
import PostalMime from 'postal-mime';
import { z } from 'zod';
import { MAX_MAIL_BYTES } from '../streams/stream.ts';
import { oneLine, sha256 } from '../vault/note-text.ts';
import {
  BATCH_BYTES,
  BATCH_MAILS,
  BEGINNING_BYTES,
  classifyImapError,
  FETCH_BYTES,
  type ImapConnection,
  MAX_HEADER_BYTES,
  saysMissing,
  saysNo,
  strange,
} from './imap-connection.ts';
import type { Arrival, ImapSettings, Inlet, Json, SourceProblem } from './source.ts';

/** One search covers about this many mails, so that its answer stays small. */
export const WINDOW_MAILS = 5_000;
/** A larger folder isn't read. It also limits how far the library expands a range that the server answers with. */
export const MAX_FOLDER_MAILS = 2_000_000;
const MAX_UID = 0xff_ff_ff_ff;
/** Mails that arrive or disappear in between shift the numbers of the others. */
const MAX_FOUND = 2 * WINDOW_MAILS;

/** The UIDs from `from` to `to`, or to the newest mail if `to` is null. */
interface UidRange {
  readonly from: number;
  readonly to: number | null;
}

/**
 * Yields ranges that cover all mails above the UID `last` of a folder with `count` mails, in ascending order. They are
 * found by the mails' positions: UIDs can have gaps of any size, positions have none. At most `count / WINDOW_MAILS`
 * ranges are yielded, whatever the server answers.
 */
async function* uidRanges(connection: ImapConnection, last: number, count: number): AsyncGenerator<UidRange> {
  if (last >= MAX_UID) return;
  let from = last + 1;
  let position = await knownMails(connection, last, count);
  for (; count - position > WINDOW_MAILS; position += WINDOW_MAILS) {
    const to = await uidAt(connection, position + WINDOW_MAILS);
    if (to === null) break; // this many mails were deleted in the meantime
    if (to < from) continue;
    yield { from, to };
    from = to + 1;
  }
  if (from <= MAX_UID) yield { from, to: null };
}

/**
 * Returns the UIDs in a range whose mails arrived on `since` (a day) or later, ascending. Throws if the server answers
 * with far more mails than the range can have.
 */
async function searchUids(
  connection: ImapConnection,
  { from, to }: UidRange,
  since: string | null,
): Promise<readonly number[]> {
  const query = {
    uid: `${from}:${to ?? '*'}`,
    ...(since !== null && { since: new Date(`${since}T00:00:00Z`) }),
  };
  const found = await connection
    .ask((client) => client.search(query, { uid: true }))
    .catch((error: unknown) => {
      throw classifyImapError(error);
    });
  if (!Array.isArray(found)) throw strange('The mail server cannot say which mails are there');
  if (found.length > MAX_FOUND) throw strange('The mail server lists more mails than the folder can have');
  // A range that ends in `*` always includes the last mail, even an older one.
  return found.filter((uid) => uid >= from && (to === null || uid <= to)).sort((one, other) => one - other);
}

/** Returns how many mails at the start of a folder have a UID up to `last`; up to `WINDOW_MAILS` fewer. */
async function knownMails(connection: ImapConnection, last: number, count: number): Promise<number> {
  let high = count - WINDOW_MAILS;
  if (last === 0 || high <= 0) return 0;
  const isKnown = async (position: number) => {
    const uid = await uidAt(connection, position);
    return uid !== null && uid <= last;
  };
  if (await isKnown(high)) return high;
  let low = 0;
  while (high - low > WINDOW_MAILS) {
    const middle = Math.floor((low + high) / 2);
    if (await isKnown(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the UID of the mail at a position (from 1); null if the server has none there. */
async function uidAt(connection: ImapConnection, position: number): Promise<number | null> {
  try {
    const row = await connection.ask((client) => client.fetchOne(String(position), { uid: true }));
    return row === false ? null : row.uid;
  } catch (error) {
    if (saysNo(error)) return null;
    throw classifyImapError(error);
  }
}

const uid = z.int().min(0).max(0xff_ff_ff_ff);
const digits = z.string().regex(/^\d{1,20}$/);

const folderMark = z.object({
  name: z.string().max(1000),
  /** UIDVALIDITY. If it changes, the UIDs have new meanings. */
  validity: digits,
  /** The highest UID whose mail was read and stored. It never exceeds a UID that the server really sent. */
  last: uid,
  /** Mails that arrived before this day are ignored. */
  from: z.iso.date(),
  /** The hash of the listed senders; null if mails of all senders are read. */
  senders: z.string().max(64).nullable().default(null),
  /** UIDNEXT when all mails had been read; null before that, or if the server doesn't report it. */
  next: uid.nullable(),
  count: z.int().min(0).nullable(),
  modseq: digits.nullable(),
});
type FolderMark = z.infer<typeof folderMark>;

const cursorSchema = z.object({ version: z.literal(1), folders: z.array(folderMark).max(500) });

/** The answer to STATUS; null for items that the server doesn't report. */
interface FolderState {
  readonly validity: string | null;
  readonly next: number | null;
  readonly count: number | null;
  readonly modseq: string | null;
}

/** Returns the saved mark of each folder; none if the cursor is missing or of another kind. */
export function parseFolderMarks(cursor: Json): readonly FolderMark[] {
  return cursorSchema.safeParse(cursor).data?.folders ?? [];
}

/** Returns the cursor for these marks, without folders that the note no longer names. */
export function makeCursor(marks: readonly FolderMark[], names: readonly string[]): Json {
  return { version: 1, folders: marks.filter(({ name }) => names.includes(name)) };
}

/**
 * Whether no mail can have arrived since the mark was saved. UIDs ascend, so UIDNEXT shows it. Without UIDNEXT, an
 * unchanged HIGHESTMODSEQ does. A higher number of mails always counts as a change.
 */
export function isQuiet(mark: FolderMark, state: FolderState): boolean {
  if (state.validity !== mark.validity) return false;
  if (state.count !== null && state.count > (mark.count ?? 0)) return false;
  if (state.next !== null) return state.next === mark.next;
  return state.modseq !== null && state.modseq === mark.modseq;
}

type Wanted = Pick<FolderMark, 'from' | 'senders'>;

/** Whether the mails before the mark were read with settings at least as wide as these. */
function covers(mark: FolderMark, { from, senders }: Wanted): boolean {
  return from >= mark.from && (mark.senders === null || mark.senders === senders);
}

/**
 * Returns where to continue in a folder: after the mark, or from the start if the folder is new, its UIDVALIDITY
 * changed, or the settings became wider. Mails that are already stored are recognised by their key.
 */
export function resumed(mark: FolderMark | undefined, name: string, validity: string, wanted: Wanted): FolderMark {
  const isSame = mark !== undefined && mark.validity === validity && covers(mark, wanted);
  return isSame
    ? { ...mark, ...wanted }
    : { name, validity, last: 0, ...wanted, next: null, count: null, modseq: null };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAYS = 30;

/**
 * Returns the first day to read: the configured one, or the day of the first poll. A day in the future comes from a
 * wrong clock and is ignored.
 */
export function firstDay(since: string | null, mark: FolderMark | undefined, now: number): string {
  const known = mark !== undefined && mark.from <= dayOf(now + DAY_MS) ? mark.from : null;
  return since ?? known ?? dayOf(now - FIRST_DAYS * DAY_MS);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the hash of the listed senders; null for an empty list, which means all senders. */
export function sendersMark(listed: readonly string[]): string | null {
  return listed.length === 0 ? null : sha256(JSON.stringify(listed.toSorted()));
}

/** The marks of all folders, stored through the inlet. */
export class FolderMarks {
  readonly #inlet: Inlet;
  readonly #names: readonly string[];
  #marks: readonly FolderMark[];

  constructor(inlet: Inlet, names: readonly string[]) {
    this.#inlet = inlet;
    this.#names = names;
    this.#marks = parseFolderMarks(inlet.cursor());
  }

  of(name: string): FolderMark | undefined {
    return this.#marks.find((mark) => mark.name === name);
  }

  /** Stores mails, then moves the mark. Has no effect if there are no mails and the mark is unchanged. */
  async put(arrivals: readonly Arrival[], mark: FolderMark): Promise<void> {
    if (arrivals.length === 0 && isSame(this.of(mark.name), mark)) return;
    const marks = [...this.#marks.filter(({ name }) => name !== mark.name), mark];
    await this.#inlet.put(arrivals, makeCursor(marks, this.#names));
    this.#marks = marks;
  }
}

function isSame(one: FolderMark | undefined, other: FolderMark): boolean {
  return (
    one !== undefined &&
    Object.entries(other).every(([key, value]) => Object.entries(one).some(([k, v]) => k === key && v === value))
  );
}

interface Head {
  readonly uid: number;
  /** The unchanged header block. */
  readonly bytes: Buffer;
  /** As the server reports it, which may be wrong. */
  readonly size: number;
  /** When the mail arrived (epoch ms). */
  readonly at: number | null;
}

/** A requested part of a mail: `TEXT`, `1.2`, `1.2.MIME`. */
interface Section {
  readonly key: string;
  readonly start?: number;
  readonly maxLength: number;
}

/** The connection, and the mails that the server refused although it sent others. */
interface Fetcher {
  readonly connection: ImapConnection;
  readonly refused: Set<number>;
}

/** Fetches the headers of mails. Deleted mails are left out. */
async function fetchHeads(fetcher: Fetcher, uids: readonly number[]): Promise<readonly Head[]> {
  const header = { key: 'HEADER', maxLength: MAX_HEADER_BYTES };
  const rows = await fetchRows(fetcher, uids, { size: true, internalDate: true, bodyParts: [header] }, hasHead);
  return [...rows.values()].map(headOf).sort((one, other) => one.uid - other.uid);
}

/** Fetches the same part of several mails. Deleted mails are left out. */
async function fetchSection(
  fetcher: Fetcher,
  uids: readonly number[],
  section: Section,
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await fetchSections(fetcher, uids, [section]);
  const texts = [...rows].map(([uid, parts]) => [uid, parts.get(section.key) ?? Buffer.alloc(0)] as const);
  return new Map(texts);
}

/** Fetches parts of mails, by part name. Throws if one exceeds its maximum size. */
async function fetchSections(
  fetcher: Fetcher,
  uids: readonly number[],
  sections: readonly Section[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, Buffer>>> {
  const rows = await fetchRows(fetcher, uids, { bodyParts: [...sections] }, ({ bodyParts }) => bodyParts !== undefined);
  return new Map([...rows].map(([uid, row]) => [uid, partsOf(row, sections)]));
}

/** Fetches the MIME structure of a mail; null if the server doesn't report it or the mail is gone. */
async function fetchStructure(fetcher: Fetcher, uid: number): Promise<MessageStructureObject | null> {
  const rows = await fetchRows(fetcher, [uid], { bodyStructure: true }, (row) => row.bodyStructure !== undefined);
  return rows.get(uid)?.bodyStructure ?? null;
}

function partsOf({ bodyParts }: FetchMessageObject, sections: readonly Section[]): ReadonlyMap<string, Buffer> {
  return new Map(
    sections.map(({ key, maxLength }) => {
      const bytes = bytesOf(bodyParts?.get(key.toLowerCase()));
      if (bytes.length > maxLength) throw strange('The mail server sent more of a mail than was requested');
      return [key, bytes] as const;
    }),
  );
}

function hasHead({ headers }: FetchMessageObject): boolean {
  return Buffer.isBuffer(headers) && headers.length > 0;
}

function headOf({ uid, headers, size, internalDate }: FetchMessageObject): Head {
  const bytes = bytesOf(headers);
  if (bytes.length > MAX_HEADER_BYTES) throw strange('The mail server sent more of a mail than was requested');
  const at = internalDate instanceof Date ? internalDate.getTime() : null;
  return { uid, bytes, size: size ?? 0, at };
}

/** The library returns `false` for a missing part. */
function bytesOf(given: unknown): Buffer {
  return Buffer.isBuffer(given) ? given : Buffer.alloc(0);
}

/**
 * Fetches mails by UID, each once. Servers also send unrequested responses about other mails; these are dropped. If the
 * server refuses the batch, each mail is fetched alone, so that one bad mail doesn't stop the others.
 */
async function fetchRows(
  fetcher: Fetcher,
  uids: readonly number[],
  query: FetchQueryObject,
  fits: (row: FetchMessageObject) => boolean,
): Promise<ReadonlyMap<number, FetchMessageObject>> {
  try {
    return await askedFor(fetcher, uids, query, fits);
  } catch (error) {
    if (uids.length < 2 || !saysNo(error)) throw classifyImapError(error);
    return await oneByOne(fetcher, uids, query, fits);
  }
}

async function askedFor(
  { connection }: Fetcher,
  uids: readonly number[],
  query: FetchQueryObject,
  fits: (row: FetchMessageObject) => boolean,
): Promise<Map<number, FetchMessageObject>> {
  const asked = new Set(uids);
  const rows = new Map<number, FetchMessageObject>();
  await connection.ask(async (client) => {
    for await (const row of client.fetch(uids.join(','), { uid: true, ...query }, { uid: true }))
      if (asked.has(row.uid) && !rows.has(row.uid) && fits(row)) rows.set(row.uid, row);
  }, FETCH_BYTES);
  return rows;
}

/** If the server refuses all of them, the server is the problem, and no mail is skipped. */
async function oneByOne(
  fetcher: Fetcher,
  uids: readonly number[],
  query: FetchQueryObject,
  fits: (row: FetchMessageObject) => boolean,
): Promise<ReadonlyMap<number, FetchMessageObject>> {
  const rows = new Map<number, FetchMessageObject>();
  const refused: number[] = [];
  let refusal: unknown = null;
  for (const uid of uids) {
    try {
      for (const [key, row] of await askedFor(fetcher, [uid], query, fits)) rows.set(key, row);
    } catch (error) {
      if (!saysNo(error)) throw classifyImapError(error);
      refusal = error;
      refused.push(uid);
    }
  }
  if (rows.size === 0) throw classifyImapError(refusal);
  for (const uid of refused) fetcher.refused.add(uid);
  return rows;
}

/** Whether the sender is on the list, by address or by domain (with its subdomains). An empty list allows everybody. */
export function isListed(from: string | null, listed: readonly string[]): boolean {
  if (listed.length === 0) return true;
  const address = folded(from ?? '');
  const at = address.lastIndexOf('@');
  return at > 0 && listed.some((entry) => matchesSender(folded(entry), address, address.slice(at + 1)));
}

function matchesSender(entry: string, address: string, domain: string): boolean {
  if (entry.lastIndexOf('@') > 0) return entry === address;
  const named = entry.replace(/^@/, '');
  return domain === named || domain.endsWith(`.${named}`);
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** A part of a mail to keep: a text or a multipart container. */
interface TextPart {
  /** Its number, such as `1.2`; null for the mail itself. */
  readonly part: string | null;
  /** The boundary of a container; null for a text. */
  readonly boundary: string | null;
  readonly within: readonly TextPart[];
}

const MOST_DEPTH = 10;
const MOST_TEXTS = 12;
const MOST_TEXT_BYTES = 256 * 1024;
const MOST_MIME_BYTES = 16 * 1024;
const BOUNDARY = /^[\x20-\x7e]{1,70}$/;
const LINE_END = Buffer.from('\r\n');

/** Which parts of an oversized mail to fetch, and how to build a small mail from them. */
interface TextPlan {
  readonly sections: readonly Section[];
  /** Builds a mail with the same headers that has only the texts. */
  join(header: Buffer, fetched: ReadonlyMap<string, Buffer>): Buffer;
}

/**
 * Plans how to shrink an oversized mail: keep the texts with their MIME headers, in the same order, and drop
 * attachments.
 */
export function textPlan(structure: MessageStructureObject | null): TextPlan {
  const root = structure === null ? null : textPartOf(structure, 0);
  if (root === null) return { sections: [], join: (header) => header };
  const sections = sectionsOf(root).slice(0, 2 * MOST_TEXTS * MOST_DEPTH);
  return { sections, join: (header, fetched) => Buffer.concat([ended(header), ...bodyOf(root, fetched)]) };
}

function textPartOf(node: MessageStructureObject, depth: number): TextPart | null {
  const part = depth === 0 ? null : (node.part ?? null);
  if (depth > 0 && (part === null || !/^\d+(?:\.\d+)*$/.test(part))) return null;
  const type = node.type.toLowerCase();
  if (type.startsWith('multipart/')) return multipart(node, part, depth);
  const isText = type.startsWith('text/') && node.disposition?.toLowerCase() !== 'attachment';
  return isText ? { part, boundary: null, within: [] } : null;
}

function multipart(node: MessageStructureObject, part: string | null, depth: number): TextPart | null {
  const boundary = node.parameters?.boundary ?? '';
  if (depth >= MOST_DEPTH || !BOUNDARY.test(boundary)) return null;
  const within = (node.childNodes ?? [])
    .map((child) => textPartOf(child, depth + 1))
    .filter((kept) => kept !== null)
    .slice(0, MOST_TEXTS);
  return within.length === 0 ? null : { part, boundary, within };
}

function sectionsOf(kept: TextPart): readonly Section[] {
  const mime = kept.part === null ? [] : [{ key: `${kept.part}.MIME`, maxLength: MOST_MIME_BYTES }];
  const text = kept.boundary === null ? [{ key: kept.part ?? 'TEXT', maxLength: MOST_TEXT_BYTES }] : [];
  return [...mime, ...text, ...kept.within.flatMap(sectionsOf)];
}

function bodyOf(kept: TextPart, fetched: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  const { boundary } = kept;
  if (boundary === null) return [fetched.get(kept.part ?? 'TEXT') ?? Buffer.alloc(0)];
  const parts = kept.within.flatMap((child) => [
    Buffer.from(`--${boundary}\r\n`),
    ended(fetched.get(`${child.part}.MIME`) ?? LINE_END),
    ...bodyOf(child, fetched),
    LINE_END,
  ]);
  return [...parts, Buffer.from(`--${boundary}--\r\n`)];
}

/** Returns a header block that ends with an empty line. */
function ended(header: Buffer): Buffer {
  const tail = header.subarray(-4).toString('latin1');
  if (/(?:^|\n)\r?\n$/.test(tail)) return header;
  return Buffer.concat(tail.endsWith('\n') ? [header, LINE_END] : [header, LINE_END, LINE_END]);
}

interface ReadMail {
  readonly uid: number;
  /** Null if the mail is already known, has an unlisted sender, or is gone. */
  readonly arrival: Arrival | null;
}

/** The outcome by the headers alone: done, or the text is needed too. */
type MailVerdict =
  | { readonly head: Head; readonly wants: 'none'; readonly arrival: Arrival | null }
  | { readonly head: Head; readonly wants: 'text' | 'mail'; readonly key: string };
type WantedMail = Exclude<MailVerdict, { wants: 'none' }>;

interface Reader {
  readonly fetcher: Fetcher;
  readonly inlet: Inlet;
  readonly senders: readonly string[];
  /** Whether the folder has the mails that the user sent. */
  readonly isSent: boolean;
}

/**
 * Reads mails in the order of their UIDs: first all headers, then the start of those that may matter, then the rest of
 * those that do. Nothing is fetched twice.
 */
async function* readMails(reader: Reader, uids: readonly number[]): AsyncGenerator<ReadMail> {
  const heads = await fetchHeads(reader.fetcher, uids);
  const judged = await judgeMails(reader, heads);
  const wanted = judged.filter((one) => one.wants !== 'none' && one.head.size <= MAX_MAIL_BYTES);
  const beginning = { key: 'TEXT', maxLength: BEGINNING_BYTES };
  const uidsOf = wanted.map(({ head }) => head.uid);
  const texts = uidsOf.length === 0 ? new Map<number, Buffer>() : await fetchSection(reader.fetcher, uidsOf, beginning);
  for (const one of judged) {
    const arrival = one.wants === 'none' ? one.arrival : await fetched(reader, one, texts.get(one.head.uid));
    yield { uid: one.head.uid, arrival };
  }
}

async function judgeMails(reader: Reader, heads: readonly Head[]): Promise<readonly MailVerdict[]> {
  const judged: MailVerdict[] = [];
  const keys = new Set<string>();
  for (const head of heads) {
    const key = sha256(Buffer.concat([head.bytes, Buffer.from(`\0${head.size}${reader.isSent ? ' sent' : ''}`)]));
    const isNew = !keys.has(key) && (await isWanted(reader, head, key));
    judged.push(isNew ? await verdictOf(reader, head, key) : { head, wants: 'none', arrival: null });
    keys.add(key);
  }
  return judged;
}

async function isWanted({ inlet, senders }: Reader, { bytes }: Head, key: string): Promise<boolean> {
  return (senders.length === 0 || isListed(await senderOf(bytes), senders)) && !inlet.knows(key);
}

async function senderOf(header: Buffer): Promise<string | null> {
  try {
    return (await PostalMime.parse(header)).from?.address ?? null;
  } catch {
    // Headers that can't be read name no sender.
    return null;
  }
}

async function verdictOf({ inlet, fetcher, isSent }: Reader, head: Head, key: string): Promise<MailVerdict> {
  if (head.bytes.length >= MAX_HEADER_BYTES) {
    fetcher.refused.add(head.uid);
    return { head, wants: 'none', arrival: passed(head, key) };
  }
  const verdict = await inlet.checkRelevance({ bytes: head.bytes, isWhole: false, ...(isSent && { isSent }) });
  if (verdict === 'pass') return { head, wants: 'none', arrival: passed(head, key) };
  return { head, wants: verdict === 'more' ? 'text' : 'mail', key };
}

async function fetched(reader: Reader, wanted: WantedMail, text: Buffer | undefined): Promise<Arrival | null> {
  const { head, key } = wanted;
  if (head.size > MAX_MAIL_BYTES) return await small(reader, wanted);
  if (text === undefined) return null;
  const isWhole = text.length < BEGINNING_BYTES;
  const beginning = Buffer.concat([ended(head.bytes), text]);
  if (wanted.wants === 'text' && (await isPassed(reader, beginning, isWhole))) return passed(head, key);
  if (isWhole) return taken(reader, head, key, beginning);
  const rest = await restOf(reader.fetcher, head);
  if (rest === undefined) return null;
  const whole = Buffer.concat([beginning, rest]);
  return whole.length > MAX_MAIL_BYTES ? await small(reader, wanted) : taken(reader, head, key, whole);
}

/** One byte more than allowed, to detect mails whose reported size is too small. */
async function restOf(fetcher: Fetcher, { uid, bytes }: Head): Promise<Buffer | undefined> {
  const room = MAX_MAIL_BYTES - bytes.length - BEGINNING_BYTES;
  const rest = { key: 'TEXT', start: BEGINNING_BYTES, maxLength: room + 1 };
  return (await fetchSection(fetcher, [uid], rest)).get(uid);
}

/** Fetches the texts of an oversized mail, without attachments. */
async function small(reader: Reader, { head, key, wants }: WantedMail): Promise<Arrival | null> {
  const plan = textPlan(await fetchStructure(reader.fetcher, head.uid));
  const sections = plan.sections.length === 0 ? null : await fetchSections(reader.fetcher, [head.uid], plan.sections);
  const mail = plan.join(head.bytes, sections?.get(head.uid) ?? new Map());
  if (wants === 'text' && (await isPassed(reader, mail, true))) return passed(head, key);
  return taken(reader, head, key, mail);
}

async function isPassed({ inlet, isSent }: Reader, bytes: Buffer, isWhole: boolean): Promise<boolean> {
  return (await inlet.checkRelevance({ bytes, isWhole, ...(isSent && { isSent }) })) === 'pass';
}

function passed({ at }: Head, key: string): Arrival {
  return { key, at, content: null };
}

function taken({ isSent }: Reader, { at }: Head, key: string, bytes: Buffer): Arrival {
  return { key, at, content: { kind: 'mail', bytes, ...(isSent && { isSent }) } };
}

interface PollParts {
  readonly connection: ImapConnection;
  readonly selection: FolderSelection;
  readonly inlet: Inlet;
  readonly settings: Pick<ImapSettings, 'since' | 'senders'>;
  readonly marks: FolderMarks;
  /** Whether the folder has the mails that the user sent. */
  readonly isSent: boolean;
}

/** The outcome of polling one folder. */
export interface FolderResult {
  readonly isThere: boolean;
  /** Whether there was anything new. */
  readonly hasNews: boolean;
  readonly problem: SourceProblem | null;
}

const QUIET: FolderResult = { isThere: true, hasNews: false, problem: null };

/** Fetches new mails from one folder. The folder is opened only if STATUS shows that there are any. */
export async function pollFolder(poll: PollParts, name: string): Promise<FolderResult> {
  const { selection, marks, connection } = poll;
  connection.renew();
  const mark = marks.of(name);
  const before = await selection.state(name);
  if (before === 'gone') return missing(name);
  const from = firstDay(poll.settings.since, mark, poll.inlet.now());
  const wanted = { from, senders: sendersMark(poll.settings.senders) };
  const isKnown = mark !== undefined && before !== null && covers(mark, wanted) && isQuiet(mark, before);
  if (isKnown && !selection.hasGrown(name)) return QUIET;
  const state = await selection.open(name);
  if (state === null) return missing(name);
  if (state.validity === null) return withoutNumbers(name);
  if ((state.count ?? 0) > MAX_FOLDER_MAILS) return tooLarge(name);
  return await bringAll(poll, resumed(mark, name, state.validity, wanted), state);
}

/** Reads a folder range by range. The mark gets the folder's state only if no mail is still missing. */
async function bringAll(poll: PollParts, from: FolderMark, state: FolderState): Promise<FolderResult> {
  const { next, count, modseq } = state;
  let mark = from;
  let [isDone, hasNews, lost] = [true, false, 0];
  for await (const range of uidRanges(poll.connection, from.last, count ?? 0)) {
    const found = await bringRange(poll, mark, range);
    mark = found.mark;
    isDone &&= found.isDone;
    hasNews ||= found.hasNews;
    lost += found.lost;
  }
  await poll.marks.put([], isDone ? { ...mark, next, count, modseq } : mark);
  return { isThere: true, hasNews, problem: lost === 0 ? null : withheld(mark.name, lost) };
}

/** The outcome of reading the new mails in one range. */
interface RangeResult {
  readonly mark: FolderMark;
  readonly isDone: boolean;
  readonly hasNews: boolean;
  /** How many mails the server didn't send, and won't be asked for again. */
  readonly lost: number;
}

async function bringRange(poll: PollParts, from: FolderMark, range: UidRange): Promise<RangeResult> {
  const uids = await searchUids(poll.connection, range, from.from);
  const replies: Replies = { refused: new Set(), answered: new Set() };
  let mark = await bringInBatches(poll, from, uids, replies);
  // Mails without an answer are probably deleted. Those that still exist are requested once more.
  const leftOut = await stillThere(poll.connection, unanswered(uids, replies));
  mark = await bringInBatches(poll, mark, leftOut, replies);
  const missing = unanswered(leftOut, replies);
  const { last } = mark;
  const lost = replies.refused.size + missing.filter((uid) => uid < last).length;
  // A mail that is still missing is looked for at the next poll.
  return { mark, isDone: missing.every((uid) => uid < last), hasNews: uids.length > 0, lost };
}

interface Replies {
  readonly answered: Set<number>;
  /** Mails that the server refused to send. */
  readonly refused: Set<number>;
}

function unanswered(uids: readonly number[], { answered, refused }: Replies): readonly number[] {
  return uids.filter((uid) => !answered.has(uid) && !refused.has(uid));
}

async function stillThere(connection: ImapConnection, uids: readonly number[]): Promise<readonly number[]> {
  const [first, last] = [uids[0], uids.at(-1)];
  if (first === undefined || last === undefined) return [];
  const wanted = new Set(uids);
  return (await searchUids(connection, { from: first, to: last }, null)).filter((uid) => wanted.has(uid));
}

async function bringInBatches(
  poll: PollParts,
  from: FolderMark,
  uids: readonly number[],
  replies: Replies,
): Promise<FolderMark> {
  let mark = from;
  for (let at = 0; at < uids.length; at += BATCH_MAILS) {
    mark = await bringBatch(poll, mark, uids.slice(at, at + BATCH_MAILS), replies);
  }
  return mark;
}

/** Reads and stores one batch, in portions if it is large. The mark moves to the last mail of each portion. */
async function bringBatch(
  { connection, inlet, settings, marks, isSent }: PollParts,
  from: FolderMark,
  uids: readonly number[],
  { answered, refused }: Replies,
): Promise<FolderMark> {
  connection.renew();
  let part: Arrival[] = [];
  let mark = from;
  for await (const { uid, arrival } of readMails(
    { fetcher: { connection, refused }, inlet, senders: settings.senders, isSent },
    uids,
  )) {
    if (arrival !== null) part.push(arrival);
    mark = { ...mark, last: Math.max(mark.last, uid) };
    answered.add(uid);
    if (sizeOf(part) < BATCH_BYTES) continue;
    await marks.put(part, mark);
    part = [];
    connection.renew();
  }
  await marks.put(part, mark);
  return mark;
}

function sizeOf(part: readonly Arrival[]): number {
  return part.reduce((sum, { content }) => sum + (content?.kind === 'mail' ? content.bytes.length : 0), 0);
}

function missing(name: string): FolderResult {
  const message = `There is no folder “${shown(name)}” in the mailbox`;
  const hint =
    'It was renamed or deleted, or you may not read it. Correct folders in the note; `steward source test NAME` lists the existing ones.';
  return { isThere: false, hasNews: false, problem: { message, hint } };
}

function withoutNumbers(name: string): FolderResult {
  const message = `The mail server gives no permanent numbers to the mails in “${shown(name)}” for good`;
  return {
    isThere: true,
    hasNews: false,
    problem: { message, hint: "Such a folder can't be followed. Remove it from the note." },
  };
}

function tooLarge(name: string): FolderResult {
  const message = `The folder “${shown(name)}” has more than ${MAX_FOLDER_MAILS / 1e6} million mails`;
  const hint = 'Steward reads no mail from it. Move older mails to another folder, or remove the folder from the note.';
  return { isThere: true, hasNews: false, problem: { message, hint } };
}

function withheld(name: string, count: number): SourceProblem {
  const mails = count === 1 ? 'One mail' : `${count} mails`;
  const message = `${mails} in “${shown(name)}” couldn't be fetched from the mail server`;
  return {
    message,
    hint: "The others were fetched. Look for it in your mail program; Steward won't request it again.",
  };
}

function shown(name: string): string {
  return oneLine(name, 100);
}

/** The open folder, and whether mails have arrived in it since. Folders are only opened read-only. */
export class FolderSelection {
  readonly #connection: ImapConnection;
  #name: string | null = null;
  #hasGrown = false;

  /** `grown` is called when mails arrive in the open folder. */
  constructor(connection: ImapConnection, grown: () => void) {
    this.#connection = connection;
    connection.client.on('exists', ({ count, prevCount }) => {
      if (this.#name === null || count <= prevCount) return;
      this.#hasGrown = true;
      grown();
    });
  }

  isOpen(name: string): boolean {
    return this.#name === name && this.#connection.client.mailbox !== false;
  }

  /** Whether the server has reported new mails in the open folder. */
  hasGrown(name: string): boolean {
    return this.isOpen(name) && this.#hasGrown;
  }

  /** Opens a folder, even if it is open already. Returns null if it doesn't exist or can't be opened. */
  async open(name: string): Promise<FolderState | null> {
    this.#name = null;
    this.#hasGrown = false;
    const box = await this.#connection
      .ask((client) => client.mailboxOpen(name, { readOnly: true }))
      .catch((error: unknown) => {
        if (isOfThisFolder(error)) return null;
        throw classifyImapError(error);
      });
    if (box === null) return null;
    this.#name = name;
    return opened(box);
  }

  /** Requests the STATUS of a folder. Returns `gone` if it doesn't exist, null if the server doesn't report it. */
  async state(name: string): Promise<FolderState | 'gone' | null> {
    try {
      if (this.isOpen(name)) await this.#connection.isAlive();
      const query = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };
      const status: StatusObject | false = await this.#connection.ask((client) => client.status(name, query));
      return status === false ? null : folderStateOf(status);
    } catch (error) {
      if (saysMissing(error)) return 'gone';
      throw classifyImapError(error);
    }
  }
}

function isOfThisFolder(error: unknown): boolean {
  return (
    saysMissing(error) ||
    (error instanceof Error && 'responseStatus' in error && classifyImapError(error).kind === 'strange')
  );
}

function opened({ uidValidity, uidNext, exists, highestModseq }: MailboxObject): FolderState {
  return folderStateOf({ uidValidity, uidNext, messages: exists, highestModseq });
}

function folderStateOf({ uidValidity, uidNext, messages, highestModseq }: Omit<StatusObject, 'path'>): FolderState {
  return {
    validity: uidValidity === undefined ? null : String(uidValidity),
    next: uidNext ?? null,
    count: messages ?? null,
    modseq: highestModseq === undefined ? null : String(highestModseq),
  };
}
