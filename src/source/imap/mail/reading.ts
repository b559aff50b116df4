import PostalMime from 'postal-mime';
import { MAX_MAIL_BYTES } from '../../../stream/mail/source-type.ts';
import { sha256 } from '../../../vault/hash.ts';
import type { Arrival, Inlet } from '../../connector.ts';
import { BEGINNING_BYTES, MAX_HEADER_BYTES } from '../limits.ts';
import { type Desk, fetchHeads, fetchSection, fetchSections, fetchStructure, type Head } from './fetching.ts';
import { isListed } from './senders.ts';
import { ended, textPlan } from './text-parts.ts';

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
type Wanted = Exclude<Judged, { wants: 'none' }>;

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
export async function* readMails(reader: Reader, uids: readonly number[]): AsyncGenerator<ReadMail> {
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
async function fetched(reader: Reader, wanted: Wanted, text: Buffer | undefined): Promise<Arrival | null> {
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
async function small(reader: Reader, { head, key, wants }: Wanted): Promise<Arrival | null> {
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
