import { filesOf, kindOf } from '../../stream/endings.ts';
import { ITEM_KINDS } from '../../stream/kinds.ts';
import { MAX_MAIL_BYTES } from '../../stream/mail/source-type.ts';
import type { StreamReader } from '../context/ports.ts';
import { kindsFor } from '../ingest/items/item-file.ts';
import { readerOf } from '../ingest/readers.ts';

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
