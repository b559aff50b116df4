import { z } from 'zod';
import { sha256 } from '../../vault/hash.ts';
import type { Json } from '../connector.ts';

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
export type FolderMark = z.infer<typeof folderMark>;

const cursorSchema = z.object({ version: z.literal(1), folders: z.array(folderMark).max(500) });

/** What a server says of a folder without opening it; null for what it does not say. */
export interface FolderState {
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
export function withMark(marks: readonly FolderMark[], mark: FolderMark): readonly FolderMark[] {
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
export function covers(mark: FolderMark, { from, senders }: Wanted): boolean {
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
