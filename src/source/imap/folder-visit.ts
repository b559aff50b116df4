import { oneLine } from '../../stream/mail/plain-text.ts';
import type { Arrival, Inlet, SourceProblem } from '../connector.ts';
import type { ImapSettings } from '../source-note.ts';
import type { Bookmarks } from './bookmarks.ts';
import { covers, type FolderMark, type FolderState, firstDay, isQuiet, resumed, sendersMark } from './cursor.ts';
import { failureOf, strange } from './failures.ts';
import { BATCH_BYTES, BATCH_MAILS } from './limits.ts';
import { readMails } from './mail/reading.ts';
import type { Selection } from './selection.ts';
import type { Wire } from './wire.ts';

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
    if (bytesOf(part) < BATCH_BYTES) continue;
    await bookmarks.put(part, mark);
    part = [];
    wire.renew();
  }
  await bookmarks.put(part, mark);
  return mark;
}

function bytesOf(part: readonly Arrival[]): number {
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
