import fs from 'node:fs';
import path from 'node:path';
import type { Payment } from '../../src/steward/types.ts';
import { BANK_CSV } from '../../src/streams/kinds.ts';
import { FileRefusal } from '../../src/streams/stream.ts';
import { type ReadItem, readAll } from './read-all.ts';

/** The bytes of a fixture. */
export function fixture(name: string): Uint8Array {
  return fs.readFileSync(path.join(import.meta.dirname, 'bank-csv', name));
}

/** Reads a table as the program does. */
export function readTable(table: string | Uint8Array, bankFormats: readonly string[] = []): Promise<ReadItem[]> {
  const bytes = typeof table === 'string' ? Buffer.from(table) : table;
  return readAll(BANK_CSV, bytes, { sourceType: 'bank', bankFormats });
}

/** The payments of what was read. */
export function paymentsOf(items: readonly ReadItem[]): Payment[] {
  return items.flatMap(({ content }) =>
    content.what === 'event' && content.event.payment ? [content.event.payment] : [],
  );
}

/** Why rows were refused, each with its place. */
export function refusalsOf(items: readonly ReadItem[]): string[] {
  return items.flatMap(({ place, content }) => (content.what === 'refused' ? [`${place}: ${content.reason}`] : []));
}

/** Why a whole table is refused, and what to do about it. */
export async function refusedTable(
  table: string | Uint8Array,
  bankFormats: readonly string[] = [],
): Promise<FileRefusal> {
  try {
    await readTable(table, bankFormats);
  } catch (error) {
    if (error instanceof FileRefusal) return error;
    throw error;
  }
  throw new Error('it was read');
}
