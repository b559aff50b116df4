import type { FetchMessageObject, FetchQueryObject, MessageStructureObject } from 'imapflow';
import { failureOf, saysNo, strange } from '../failures.ts';
import { MAX_HEADER_BYTES } from '../limits.ts';
import type { Wire } from '../wire.ts';

/** What the server says of a mail before anything of its text is read. */
export interface Head {
  readonly uid: number;
  /** The header block as it is. */
  readonly bytes: Buffer;
  /** As the server counts; it may be wrong. */
  readonly size: number;
  /** When it came in (epoch ms). */
  readonly at: number | null;
}

/** A part of a mail that is asked for: `TEXT`, `1.2`, `1.2.MIME`. */
export interface Section {
  readonly key: string;
  readonly start?: number;
  readonly maxLength: number;
}

/** The connection, and the mails that the server refused to give while it gave others. */
export interface Desk {
  readonly wire: Wire;
  readonly refused: Set<number>;
}

/** Fetches the headers of mails. One that is gone meanwhile is not among them. */
export async function fetchHeads(desk: Desk, uids: readonly number[]): Promise<readonly Head[]> {
  const header = { key: 'HEADER', maxLength: MAX_HEADER_BYTES };
  const rows = await fetchRows(desk, uids, { size: true, internalDate: true, bodyParts: [header] }, hasHead);
  return [...rows.values()].map(headOf).sort((one, other) => one.uid - other.uid);
}

/** Fetches the same part of many mails; those that are gone meanwhile are not among them. */
export async function fetchSection(
  desk: Desk,
  uids: readonly number[],
  section: Section,
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await fetchSections(desk, uids, [section]);
  const texts = [...rows].map(([uid, parts]) => [uid, parts.get(section.key) ?? Buffer.alloc(0)] as const);
  return new Map(texts);
}

/** Fetches parts of mails, by the names that were asked for. Throws where one is longer than it may be. */
export async function fetchSections(
  desk: Desk,
  uids: readonly number[],
  sections: readonly Section[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, Buffer>>> {
  const rows = await fetchRows(desk, uids, { bodyParts: [...sections] }, ({ bodyParts }) => bodyParts !== undefined);
  return new Map([...rows].map(([uid, row]) => [uid, partsOf(row, sections)]));
}

/** Fetches of what parts a mail is made; null where the server does not say, or where the mail is gone. */
export async function fetchStructure(desk: Desk, uid: number): Promise<MessageStructureObject | null> {
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
