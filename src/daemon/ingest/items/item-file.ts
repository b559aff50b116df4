import fs from 'node:fs';
import type { ByteSource, ItemDoor, ItemKind } from '../../../stream/items/item.ts';
import { ITEM_KINDS } from '../../../stream/kinds.ts';
import { MAX_MAIL_BYTES, namedSource } from '../../../stream/mail/source-type.ts';
import { openInside } from '../../../vault/disk/read-inside.ts';
import { sha256 } from '../../../vault/hash.ts';
import type { IndexAccess } from '../../context/ports.ts';
import type { Reading } from './item-process.ts';

/** How much of a file is looked at to say of which kind it is, and how much before a position to know it again. */
const HEAD_BYTES = 64 * 1024;
const BEFORE_BYTES = 4096;

/** Returns the kinds of file with many events that a file of this name may be of. */
export function kindsFor(file: string): readonly ItemKind[] {
  return ITEM_KINDS.filter((kind) => kind.takes(file));
}

/** Returns of which of these kinds a file is by its first bytes, or null. Throws what the disk refuses. */
export function recognised(root: string, file: string, kinds: readonly ItemKind[]): ItemKind | null {
  const { handle, stat } = openInside(root, file);
  try {
    const head = readAt(handle, 0, Math.min(stat.size, HEAD_BYTES));
    return kinds.find((kind) => kind.recognises(head)) ?? null;
  } finally {
    fs.closeSync(handle);
  }
}

/** A file that is open for the reading of its items. */
export interface OpenItemFile extends Reading {
  readonly mtimeMs: number;
}

/** Opens a file of a kind. Whoever asked for it closes the handle. Throws what the disk refuses. */
export function openItemFile(space: IndexAccess, file: string, kind: ItemKind): OpenItemFile {
  const { handle, stat } = openInside(space.vault.root, file);
  return { handle, size: stat.size, mtimeMs: stat.mtimeMs, kind, door: doorOf(space, file, kind) };
}

/** Returns what the reader of a file is told, `file` being its path in the vault. */
export function doorOf({ vault, context }: IndexAccess, file: string, kind: ItemKind): ItemDoor {
  return {
    file,
    sourceType: namedSource(file, vault.layout.folders.stream) ?? kind.sourceType,
    trustedServers: context.settings.trusted_mail_servers,
    zone: ownZone(),
    now: context.now(),
    bankFormats: context.settings.bank_formats,
  };
}

/** Returns the IANA name of the person's time zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns a hash of the bytes that stand before a position of an open file, by which it is known again. */
export function hashBefore({ handle }: Pick<OpenItemFile, 'handle'>, position: number): string {
  const from = Math.max(0, position - BEFORE_BYTES);
  return sha256(readAt(handle, from, position - from));
}

/**
 * Returns the hash of a file that does not grow, by which it is known when it leaves the vault; empty where it is one that
 * is added to, or larger than what leaves it.
 */
export function hashOfWhole({ handle, size, kind }: OpenItemFile): string {
  return kind.isAppended || size > MAX_MAIL_BYTES ? '' : sha256(readAt(handle, 0, size));
}

function readAt(handle: number, at: number, length: number): ReturnType<ByteSource['read']> {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, at));
}
