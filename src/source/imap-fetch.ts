import type {
  FetchMessageObject,
  FetchQueryObject,
  MailboxObject,
  MessageStructureObject,
  StatusObject,
} from 'imapflow';
import PostalMime from 'postal-mime';
import { z } from 'zod';
import { oneLine } from '../stream/mail/plain-text.ts';
import { MAX_MAIL_BYTES } from '../stream/mail/source-type.ts';
import { sha256 } from '../vault/hash.ts';
import type { Arrival, Inlet, Json, SourceProblem } from './connector.ts';
import {
  BATCH_BYTES,
  BATCH_MAILS,
  BEGINNING_BYTES,
  failureOf,
  MAX_HEADER_BYTES,
  saysMissing,
  saysNo,
  strange,
  type Wire,
} from './imap-wire.ts';
import type { ImapSettings } from './source.ts';

const uid = z.int().min(0).max(0xff_ff_ff_ff);
const digits = z.string().regex(/^\d{1,20}$/);

const folderMark = z.object({
  name: z.string().max(1000),
  /** UIDVALIDITY: under another one, no UID means what it meant. */
  validity: digits,
  /** The highest UID that was looked at and put: never more than the server has really given. */
  last: uid,
  /** Mails that came in before that day are not looked at. */
  from: z.iso.date(),
  /** The hash of the senders whose mails were looked at; null: of everybody. */
  senders: z.string().max(64).nullable().default(null),
  /** What STATUS said when all was looked at; null until then, and where the server does not say. */
  next: uid.nullable(),
  count: z.int().min(0).nullable(),
  modseq: digits.nullable(),
});
/** Where a folder was left. */
type FolderMark = z.infer<typeof folderMark>;

const cursorSchema = z.object({ version: z.literal(1), folders: z.array(folderMark).max(500) });

/** What a server says of a folder without opening it; null for what it does not say. */
interface FolderState {
  readonly validity: string | null;
  readonly next: number | null;
  readonly count: number | null;
  readonly modseq: string | null;
}

/** Returns where each folder was left; none where nobody saved it, or something else did. */
export function marksIn(cursor: Json): readonly FolderMark[] {
  return cursorSchema.safeParse(cursor).data?.folders ?? [];
}

/** Returns the cursor that says so, without folders that the note no longer names. */
export function cursorOf(marks: readonly FolderMark[], names: readonly string[]): Json {
  return { version: 1, folders: marks.filter(({ name }) => names.includes(name)) };
}

/** Returns the marks with that of one folder in its place. */
function withMark(marks: readonly FolderMark[], mark: FolderMark): readonly FolderMark[] {
  return [...marks.filter(({ name }) => name !== mark.name), mark];
}

/**
 * Whether nothing can have come in since a folder was left. UIDs are given in order, so the next one tells; where the server
 * does not say it, an unchanged HIGHESTMODSEQ does. What counts more mails than before is looked at in any case.
 */
export function isQuiet(mark: FolderMark, state: FolderState): boolean {
  if (state.validity !== mark.validity) return false;
  if (state.count !== null && state.count > (mark.count ?? 0)) return false;
  if (state.next !== null) return state.next === mark.next;
  return state.modseq !== null && state.modseq === mark.modseq;
}

/** What of a folder is to be looked at. */
type Wanted = Pick<FolderMark, 'from' | 'senders'>;

/** Whether nothing is wanted of the mails before a mark that was not looked at then. */
function covers(mark: FolderMark, { from, senders }: Wanted): boolean {
  return from >= mark.from && (mark.senders === null || mark.senders === senders);
}

/**
 * Returns where to go on in a folder: behind what was put, or from the beginning where it is new, where its UIDs mean
 * something else by now, or where the person wants to go further back or to hear others. What was put before is known by
 * its key.
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
 * Returns the first day that counts: the one that the person names, or that of the first visit. One that has not come yet
 * was told by a clock that was wrong, and counts no more.
 */
export function firstDay(since: string | null, mark: FolderMark | undefined, now: number): string {
  const known = mark !== undefined && mark.from <= dayOf(now + DAY_MS) ? mark.from : null;
  return since ?? known ?? dayOf(now - FIRST_DAYS * DAY_MS);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the mark of a list of senders; null for the empty one, with which everybody is heard. */
export function sendersMark(listed: readonly string[]): string | null {
  return listed.length === 0 ? null : sha256(JSON.stringify(listed.toSorted()));
}

/** Where each folder was left, as the inlet knows it. */
export class Bookmarks {
  readonly #inlet: Inlet;
  readonly #names: readonly string[];
  #marks: readonly FolderMark[];

  constructor(inlet: Inlet, names: readonly string[]) {
    this.#inlet = inlet;
    this.#names = names;
    this.#marks = marksIn(inlet.cursor());
  }

  of(name: string): FolderMark | undefined {
    return this.#marks.find((mark) => mark.name === name);
  }

  /** Puts what came, and only then moves the mark. Does nothing where nothing came and the mark is where it was. */
  async put(arrivals: readonly Arrival[], mark: FolderMark): Promise<void> {
    if (arrivals.length === 0 && isSame(this.of(mark.name), mark)) return;
    const marks = withMark(this.#marks, mark);
    await this.#inlet.put(arrivals, cursorOf(marks, this.#names));
    this.#marks = marks;
  }
}

function isSame(one: FolderMark | undefined, other: FolderMark): boolean {
  return (
    one !== undefined &&
    Object.entries(other).every(([key, value]) => Object.entries(one).some(([k, v]) => k === key && v === value))
  );
}

/** What the server says of a mail before anything of its text is read. */
interface Head {
  readonly uid: number;
  /** The header block as it is. */
  readonly bytes: Buffer;
  /** As the server counts; it may be wrong. */
  readonly size: number;
  /** When it came in (epoch ms). */
  readonly at: number | null;
}

/** A part of a mail that is asked for: `TEXT`, `1.2`, `1.2.MIME`. */
interface Section {
  readonly key: string;
  readonly start?: number;
  readonly maxLength: number;
}

/** The connection, and the mails that the server refused to give while it gave others. */
interface Desk {
  readonly wire: Wire;
  readonly refused: Set<number>;
}

/** Fetches the headers of mails. One that is gone meanwhile is not among them. */
async function fetchHeads(desk: Desk, uids: readonly number[]): Promise<readonly Head[]> {
  const header = { key: 'HEADER', maxLength: MAX_HEADER_BYTES };
  const rows = await fetchRows(desk, uids, { size: true, internalDate: true, bodyParts: [header] }, hasHead);
  return [...rows.values()].map(headOf).sort((one, other) => one.uid - other.uid);
}

/** Fetches the same part of many mails; those that are gone meanwhile are not among them. */
async function fetchSection(
  desk: Desk,
  uids: readonly number[],
  section: Section,
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await fetchSections(desk, uids, [section]);
  const texts = [...rows].map(([uid, parts]) => [uid, parts.get(section.key) ?? Buffer.alloc(0)] as const);
  return new Map(texts);
}

/** Fetches parts of mails, by the names that were asked for. Throws where one is longer than it may be. */
async function fetchSections(
  desk: Desk,
  uids: readonly number[],
  sections: readonly Section[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, Buffer>>> {
  const rows = await fetchRows(desk, uids, { bodyParts: [...sections] }, ({ bodyParts }) => bodyParts !== undefined);
  return new Map([...rows].map(([uid, row]) => [uid, partsOf(row, sections)]));
}

/** Fetches of what parts a mail is made; null where the server does not say, or where the mail is gone. */
async function fetchStructure(desk: Desk, uid: number): Promise<MessageStructureObject | null> {
  const rows = await fetchRows(desk, [uid], { bodyStructure: true }, (row) => row.bodyStructure !== undefined);
  return rows.get(uid)?.bodyStructure ?? null;
}

function partsOf({ bodyParts }: FetchMessageObject, sections: readonly Section[]): ReadonlyMap<string, Buffer> {
  return new Map(
    sections.map(({ key, maxLength }) => {
      const bytes = bytesOf(bodyParts?.get(key.toLowerCase()));
      if (bytes.length > maxLength) throw strange('The mail server sends more of a mail than was asked for');
      return [key, bytes] as const;
    }),
  );
}

function hasHead({ headers }: FetchMessageObject): boolean {
  return Buffer.isBuffer(headers) && headers.length > 0;
}

function headOf({ uid, headers, size, internalDate }: FetchMessageObject): Head {
  const bytes = bytesOf(headers);
  if (bytes.length > MAX_HEADER_BYTES) throw strange('The mail server sends more of a mail than was asked for');
  const at = internalDate instanceof Date ? internalDate.getTime() : null;
  return { uid, bytes, size: size ?? 0, at };
}

/** The library gives `false` for a part that is not there. */
function bytesOf(given: unknown): Buffer {
  return Buffer.isBuffer(given) ? given : Buffer.alloc(0);
}

/**
 * Asks for mails by their UIDs, and takes what was asked for alone, each once: the server also says by itself what
 * happens to other mails. Where it refuses many at once, each is asked for by itself, so that one bad mail stops none.
 */
async function fetchRows(
  desk: Desk,
  uids: readonly number[],
  query: FetchQueryObject,
  fits: (row: FetchMessageObject) => boolean,
): Promise<ReadonlyMap<number, FetchMessageObject>> {
  try {
    return await askedFor(desk, uids, query, fits);
  } catch (error) {
    if (uids.length < 2 || !saysNo(error)) throw failureOf(error);
    return await oneByOne(desk, uids, query, fits);
  }
}

async function askedFor(
  { wire }: Desk,
  uids: readonly number[],
  query: FetchQueryObject,
  fits: (row: FetchMessageObject) => boolean,
): Promise<Map<number, FetchMessageObject>> {
  const asked = new Set(uids);
  const rows = new Map<number, FetchMessageObject>();
  await wire.ask(async (client) => {
    for await (const row of client.fetch(uids.join(','), { uid: true, ...query }, { uid: true }))
      if (asked.has(row.uid) && !rows.has(row.uid) && fits(row)) rows.set(row.uid, row);
  });
  return rows;
}

/** A server that refuses all of them is not well: then none is passed over. */
async function oneByOne(
  desk: Desk,
  uids: readonly number[],
  query: FetchQueryObject,
  fits: (row: FetchMessageObject) => boolean,
): Promise<ReadonlyMap<number, FetchMessageObject>> {
  const rows = new Map<number, FetchMessageObject>();
  const refused: number[] = [];
  let refusal: unknown = null;
  for (const uid of uids) {
    try {
      for (const [key, row] of await askedFor(desk, [uid], query, fits)) rows.set(key, row);
    } catch (error) {
      if (!saysNo(error)) throw failureOf(error);
      refusal = error;
      refused.push(uid);
    }
  }
  if (rows.size === 0) throw failureOf(refusal);
  for (const uid of refused) desk.refused.add(uid);
  return rows;
}

/** Whether a mail is of somebody who is listed: an address, or a domain with all below it. With no list, all are. */
export function isListed(from: string | null, listed: readonly string[]): boolean {
  if (listed.length === 0) return true;
  const address = folded(from ?? '');
  const at = address.lastIndexOf('@');
  return at > 0 && listed.some((entry) => coversSenders(folded(entry), address, address.slice(at + 1)));
}

function coversSenders(entry: string, address: string, domain: string): boolean {
  if (entry.lastIndexOf('@') > 0) return entry === address;
  const named = entry.replace(/^@/, '');
  return domain === named || domain.endsWith(`.${named}`);
}

function folded(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

/** A part of a mail that is kept: a text, or what holds texts. */
interface Kept {
  /** Its number, as `1.2`; null for the mail itself. */
  readonly part: string | null;
  /** Between what its own parts stand; null for a text. */
  readonly boundary: string | null;
  readonly within: readonly Kept[];
}

const MOST_DEPTH = 10;
const MOST_TEXTS = 12;
const MOST_TEXT_BYTES = 256 * 1024;
const MOST_MIME_BYTES = 16 * 1024;
const BOUNDARY = /^[\x20-\x7e]{1,70}$/;
const LINE_END = Buffer.from('\r\n');

/** What is to be fetched of a mail that is too large, and how the small mail is made of it. */
interface TextPlan {
  readonly sections: readonly Section[];
  /** Joins the header block and what was fetched to a mail of the same headers, with its texts alone. */
  join(header: Buffer, fetched: ReadonlyMap<string, Buffer>): Buffer;
}

/** Returns how a large mail is made small: its texts with their own MIME headers, in the same order, and no attachment. */
export function textPlan(structure: MessageStructureObject | null): TextPlan {
  const root = structure === null ? null : keptOf(structure, 0);
  if (root === null) return { sections: [], join: (header) => header };
  const sections = sectionsOf(root).slice(0, 2 * MOST_TEXTS * MOST_DEPTH);
  return { sections, join: (header, fetched) => Buffer.concat([ended(header), ...bodyOf(root, fetched)]) };
}

function keptOf(node: MessageStructureObject, depth: number): Kept | null {
  const part = depth === 0 ? null : (node.part ?? null);
  if (depth > 0 && (part === null || !/^\d+(?:\.\d+)*$/.test(part))) return null;
  const type = node.type.toLowerCase();
  if (type.startsWith('multipart/')) return multipart(node, part, depth);
  const isText = type.startsWith('text/') && node.disposition?.toLowerCase() !== 'attachment';
  return isText ? { part, boundary: null, within: [] } : null;
}

function multipart(node: MessageStructureObject, part: string | null, depth: number): Kept | null {
  const boundary = node.parameters?.boundary ?? '';
  if (depth >= MOST_DEPTH || !BOUNDARY.test(boundary)) return null;
  const within = (node.childNodes ?? [])
    .map((child) => keptOf(child, depth + 1))
    .filter((kept) => kept !== null)
    .slice(0, MOST_TEXTS);
  return within.length === 0 ? null : { part, boundary, within };
}

function sectionsOf(kept: Kept): readonly Section[] {
  const mime = kept.part === null ? [] : [{ key: `${kept.part}.MIME`, maxLength: MOST_MIME_BYTES }];
  const text = kept.boundary === null ? [{ key: kept.part ?? 'TEXT', maxLength: MOST_TEXT_BYTES }] : [];
  return [...mime, ...text, ...kept.within.flatMap(sectionsOf)];
}

function bodyOf(kept: Kept, fetched: ReadonlyMap<string, Buffer>): readonly Buffer[] {
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

/** Returns a header block with the empty line that ends it. */
function ended(header: Buffer): Buffer {
  const tail = header.subarray(-4).toString('latin1');
  if (/(?:^|\n)\r?\n$/.test(tail)) return header;
  return Buffer.concat(tail.endsWith('\n') ? [header, LINE_END] : [header, LINE_END, LINE_END]);
}

/** What became of one mail. */
interface ReadMail {
  readonly uid: number;
  /** Null for one that is known already, that is of nobody who is listed, or that is gone. */
  readonly arrival: Arrival | null;
}

/** What is known of a mail by its headers: that it is done with, or that its text is wanted as well. */
type Judged =
  | { readonly head: Head; readonly wants: 'none'; readonly arrival: Arrival | null }
  | { readonly head: Head; readonly wants: 'text' | 'mail'; readonly key: string };
type WantedReading = Exclude<Judged, { wants: 'none' }>;

/** Who reads for whom. */
interface Reader {
  readonly desk: Desk;
  readonly inlet: Inlet;
  readonly senders: readonly string[];
}

/**
 * Reads mails in the order of their UIDs: the headers of all, the beginning of those that may matter, and the rest of what
 * does. Nothing is fetched twice.
 */
async function* readMails(reader: Reader, uids: readonly number[]): AsyncGenerator<ReadMail> {
  const heads = await fetchHeads(reader.desk, uids);
  const judged = await judge(reader, heads);
  const wanted = judged.filter((one) => one.wants !== 'none' && one.head.size <= MAX_MAIL_BYTES);
  const beginning = { key: 'TEXT', maxLength: BEGINNING_BYTES };
  const uidsOf = wanted.map(({ head }) => head.uid);
  const texts = uidsOf.length === 0 ? new Map<number, Buffer>() : await fetchSection(reader.desk, uidsOf, beginning);
  for (const one of judged) {
    const arrival = one.wants === 'none' ? one.arrival : await fetched(reader, one, texts.get(one.head.uid));
    yield { uid: one.head.uid, arrival };
  }
}

async function judge(reader: Reader, heads: readonly Head[]): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  const keys = new Set<string>();
  for (const head of heads) {
    const key = keyOf(head);
    const isNew = !keys.has(key) && (await isWanted(reader, head, key));
    judged.push(isNew ? await sifted(reader, head, key) : { head, wants: 'none', arrival: null });
    keys.add(key);
  }
  return judged;
}

/** By its headers and its size a mail is known again in another folder, and after the folder's UIDs have become others. */
function keyOf({ bytes, size }: Head): string {
  return sha256(Buffer.concat([bytes, Buffer.from(`\0${size}`)]));
}

async function isWanted({ inlet, senders }: Reader, { bytes }: Head, key: string): Promise<boolean> {
  return (senders.length === 0 || isListed(await senderOf(bytes), senders)) && !inlet.knows(key);
}

async function senderOf(header: Buffer): Promise<string | null> {
  try {
    return (await PostalMime.parse(header)).from?.address ?? null;
  } catch {
    // What cannot be read names nobody.
    return null;
  }
}

async function sifted({ inlet, desk }: Reader, head: Head, key: string): Promise<Judged> {
  if (head.bytes.length >= MAX_HEADER_BYTES) {
    desk.refused.add(head.uid);
    return { head, wants: 'none', arrival: passed(head, key) };
  }
  const verdict = await inlet.sift({ bytes: head.bytes, isWhole: false });
  if (verdict === 'pass') return { head, wants: 'none', arrival: passed(head, key) };
  return { head, wants: verdict === 'more' ? 'text' : 'mail', key };
}

/** Fetches what is wanted of a mail; null where it is gone. */
async function fetched(reader: Reader, wanted: WantedReading, text: Buffer | undefined): Promise<Arrival | null> {
  const { head, key } = wanted;
  if (head.size > MAX_MAIL_BYTES) return await small(reader, wanted);
  if (text === undefined) return null;
  const isWhole = text.length < BEGINNING_BYTES;
  const beginning = joined(head.bytes, text);
  if (wanted.wants === 'text' && (await isPassed(reader, beginning, isWhole))) return passed(head, key);
  if (isWhole) return taken(head, key, beginning);
  const rest = await restOf(reader.desk, head);
  if (rest === undefined) return null;
  const whole = Buffer.concat([beginning, rest]);
  return whole.length > MAX_MAIL_BYTES ? await small(reader, wanted) : taken(head, key, whole);
}

/** One byte more than there may be, so that a size that is too small by the server's count shows. */
async function restOf(desk: Desk, { uid, bytes }: Head): Promise<Buffer | undefined> {
  const room = MAX_MAIL_BYTES - bytes.length - BEGINNING_BYTES;
  const rest = { key: 'TEXT', start: BEGINNING_BYTES, maxLength: room + 1 };
  return (await fetchSection(desk, [uid], rest)).get(uid);
}

/** Takes the texts of a mail that is too large, and no attachment. */
async function small(reader: Reader, { head, key, wants }: WantedReading): Promise<Arrival | null> {
  const plan = textPlan(await fetchStructure(reader.desk, head.uid));
  const sections = plan.sections.length === 0 ? null : await fetchSections(reader.desk, [head.uid], plan.sections);
  const mail = plan.join(head.bytes, sections?.get(head.uid) ?? new Map());
  if (wants === 'text' && (await isPassed(reader, mail, true))) return passed(head, key);
  return taken(head, key, mail);
}

async function isPassed({ inlet }: Reader, bytes: Buffer, isWhole: boolean): Promise<boolean> {
  return (await inlet.sift({ bytes, isWhole })) === 'pass';
}

function joined(header: Buffer, text: Buffer): Buffer {
  return Buffer.concat([ended(header), text]);
}

function passed({ at }: Head, key: string): Arrival {
  return { key, at, content: null };
}

function taken({ at }: Head, key: string, bytes: Buffer): Arrival {
  return { key, at, content: { kind: 'mail', bytes } };
}

/** What a visit has at hand. */
interface Visit {
  readonly wire: Wire;
  readonly selection: Selection;
  readonly inlet: Inlet;
  readonly settings: ImapSettings;
  readonly bookmarks: Bookmarks;
}

/** What came of a look into one folder. */
export interface FolderVisit {
  readonly isThere: boolean;
  /** Whether anything new was found. */
  readonly hasNews: boolean;
  readonly problem: SourceProblem | null;
}

const QUIET: FolderVisit = { isThere: true, hasNews: false, problem: null };
const MAX_UID = 0xff_ff_ff_ff;

/** Brings what is new in one folder. Where nothing can be new, the folder is not even opened. */
export async function visitFolder(visit: Visit, name: string): Promise<FolderVisit> {
  const { selection, bookmarks, wire } = visit;
  wire.renew();
  const mark = bookmarks.of(name);
  const before = await selection.state(name);
  if (before === 'gone') return missing(name);
  const from = firstDay(visit.settings.since, mark, visit.inlet.now());
  const wanted = { from, senders: sendersMark(visit.settings.senders) };
  const isKnown = mark !== undefined && before !== null && covers(mark, wanted) && isQuiet(mark, before);
  if (isKnown && !selection.hasGrown(name)) return QUIET;
  const state = await selection.open(name);
  if (state === null) return missing(name);
  if (state.validity === null) return withoutNumbers(name);
  return await bringAll(visit, resumed(mark, name, state.validity, wanted), state);
}

async function bringAll(visit: Visit, from: FolderMark, { next, count, modseq }: FolderState): Promise<FolderVisit> {
  const uids = await newUids(visit.wire, from);
  const said: Said = { refused: new Set(), answered: new Set() };
  let mark = await bringInBatches(visit, from, uids, said);
  // What the server left out is most likely gone by now. What is still there is asked for once more.
  const leftOut = await stillThere(visit.wire, unsaid(uids, said));
  mark = await bringInBatches(visit, mark, leftOut, said);
  const missing = unsaid(leftOut, said);
  const isDone = missing.every((uid) => uid < mark.last); // behind the mark it is looked for at the next visit
  await visit.bookmarks.put([], isDone ? { ...mark, next, count, modseq } : mark);
  const lost = said.refused.size + missing.filter((uid) => uid < mark.last).length;
  return { isThere: true, hasNews: uids.length > 0, problem: lost === 0 ? null : withheld(mark.name, lost) };
}

/** What a server said of the mails that it was asked for, by UID. */
interface Said {
  readonly answered: Set<number>;
  /** Those that it would not give. */
  readonly refused: Set<number>;
}

function unsaid(uids: readonly number[], { answered, refused }: Said): readonly number[] {
  return uids.filter((uid) => !answered.has(uid) && !refused.has(uid));
}

async function stillThere(wire: Wire, uids: readonly number[]): Promise<readonly number[]> {
  if (uids.length === 0) return [];
  const wanted = new Set(uids);
  const query = { uid: `${Math.min(...uids)}:${Math.max(...uids)}` };
  const found = await wire.ask((client) => client.search(query, { uid: true })).catch(thrown);
  if (!Array.isArray(found)) throw strange('The mail server cannot say which mails are there');
  return found.filter((uid) => wanted.has(uid)).sort((one, other) => one - other);
}

async function bringInBatches(
  visit: Visit,
  from: FolderMark,
  uids: readonly number[],
  said: Said,
): Promise<FolderMark> {
  let mark = from;
  for (let at = 0; at < uids.length; at += BATCH_MAILS) {
    mark = await bringBatch(visit, mark, uids.slice(at, at + BATCH_MAILS), said);
  }
  return mark;
}

async function newUids(wire: Wire, { last, from }: FolderMark): Promise<readonly number[]> {
  if (last >= MAX_UID) return [];
  const query = { uid: `${last + 1}:*`, since: new Date(`${from}T00:00:00Z`) };
  const found = await wire.ask((client) => client.search(query, { uid: true })).catch(thrown);
  if (!Array.isArray(found)) throw strange('The mail server cannot say which mails are new');
  // A range that ends in `*` always holds the last mail, also where that one is older.
  return found.filter((uid) => uid > last).sort((one, other) => one - other);
}

/** Reads one batch and puts it, in parts where it is large; the mark moves with each part, to the last mail that is in it. */
async function bringBatch(
  { wire, inlet, settings, bookmarks }: Visit,
  from: FolderMark,
  uids: readonly number[],
  { answered, refused }: Said,
): Promise<FolderMark> {
  wire.renew();
  let part: Arrival[] = [];
  let mark = from;
  for await (const { uid, arrival } of readMails({ desk: { wire, refused }, inlet, senders: settings.senders }, uids)) {
    if (arrival !== null) part.push(arrival);
    mark = { ...mark, last: Math.max(mark.last, uid) };
    answered.add(uid);
    if (bytesOfFolderVisit(part) < BATCH_BYTES) continue;
    await bookmarks.put(part, mark);
    part = [];
    wire.renew();
  }
  await bookmarks.put(part, mark);
  return mark;
}

function bytesOfFolderVisit(part: readonly Arrival[]): number {
  return part.reduce((sum, { content }) => sum + (content?.kind === 'mail' ? content.bytes.length : 0), 0);
}

function thrown(error: unknown): never {
  throw failureOf(error);
}

function missing(name: string): FolderVisit {
  const message = `There is no folder “${shown(name)}” in the mailbox`;
  const hint =
    'It was renamed, deleted, or may not be read. Correct folders in the note; `steward source test NAME` lists those that are there.';
  return { isThere: false, hasNews: false, problem: { message, hint } };
}

function withoutNumbers(name: string): FolderVisit {
  const message = `The mail server does not number the mails in “${shown(name)}” for good`;
  return {
    isThere: true,
    hasNews: false,
    problem: { message, hint: 'Such a folder cannot be followed; take it out of the note.' },
  };
}

function withheld(name: string, count: number): SourceProblem {
  const mails = count === 1 ? 'One mail' : `${count} mails`;
  const message = `${mails} in “${shown(name)}” could not be had from the mail server`;
  return { message, hint: 'The others were. Look for it with your mail program; it is not asked for again.' };
}

function shown(name: string): string {
  return oneLine(name, 100);
}

/** Which folder is open, and whether anything has come into it since it was looked at. Folders are only ever opened to read. */
export class Selection {
  readonly #wire: Wire;
  #name: string | null = null;
  #hasGrown = false;

  /** Told each time that something comes into the open folder. */
  constructor(wire: Wire, grown: () => void) {
    this.#wire = wire;
    wire.client.on('exists', ({ count, prevCount }) => {
      if (this.#name === null || count <= prevCount) return;
      this.#hasGrown = true;
      grown();
    });
  }

  isOpen(name: string): boolean {
    return this.#name === name && this.#wire.client.mailbox !== false;
  }

  /** Whether the server has said by itself that something came into the open folder. */
  hasGrown(name: string): boolean {
    return this.isOpen(name) && this.#hasGrown;
  }

  /** Opens a folder, also anew. Returns null where there is none of that name, or none that can be opened. */
  async open(name: string): Promise<FolderState | null> {
    this.#name = null;
    this.#hasGrown = false;
    const box = await this.#wire
      .ask((client) => client.mailboxOpen(name, { readOnly: true }))
      .catch((error: unknown) => {
        if (isOfThisFolder(error)) return null;
        throw failureOf(error);
      });
    if (box === null) return null;
    this.#name = name;
    return opened(box);
  }

  /** Asks what a folder holds, without opening it. `gone` where there is none; null where the server does not say. */
  async state(name: string): Promise<FolderState | 'gone' | null> {
    try {
      if (this.isOpen(name)) await this.#wire.isAlive();
      const query = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };
      const status: StatusObject | false = await this.#wire.ask((client) => client.status(name, query));
      return status === false ? null : told(status);
    } catch (error) {
      if (saysMissing(error)) return 'gone';
      throw failureOf(error);
    }
  }
}

function isOfThisFolder(error: unknown): boolean {
  return (
    saysMissing(error) || (error instanceof Error && 'responseStatus' in error && failureOf(error).kind === 'strange')
  );
}

function opened({ uidValidity, uidNext, exists, highestModseq }: MailboxObject): FolderState {
  return told({ uidValidity, uidNext, messages: exists, highestModseq });
}

function told({ uidValidity, uidNext, messages, highestModseq }: Omit<StatusObject, 'path'>): FolderState {
  return {
    validity: uidValidity === undefined ? null : String(uidValidity),
    next: uidNext ?? null,
    count: messages ?? null,
    modseq: highestModseq === undefined ? null : String(highestModseq),
  };
}
