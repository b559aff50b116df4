import { BANK_CSV } from '../../stream/bank-csv/kind.ts';
import type { ItemKind } from '../../stream/items/item.ts';
import { isMailFile } from '../../stream/mail/source-type.ts';
import { sha256 } from '../../vault/hash.ts';
import type { StreamReader } from '../context/ports.ts';
import { NOBODY, type StreamRead } from '../context/remembered/stream-read.ts';
import type { Settings } from '../context/settings.ts';
import { kindsFor } from './items/item-file.ts';
import { readMail } from './mail-reader.ts';

/** Reads mails. A higher version reads again what this one did not understand. */
const mails: StreamReader = { name: 'mail', version: 1, takes: isMailFile, read: readMail };

/** The readers of this program, one for each kind of file. */
export const READERS: readonly StreamReader[] = [mails];

/** Returns who reads a stream file, or null. */
export function readerOf(readers: readonly StreamReader[], file: string): StreamReader | null {
  return readers.find((reader) => reader.takes(file)) ?? null;
}

/** Returns under which name it is remembered that a reader did not understand a file. */
export function nameOf(reader: StreamReader | null): string {
  return reader === null ? NOBODY : `${reader.name}-${reader.version}`;
}

/** The settings by which a kind may read. */
type KindSettings = Pick<Settings, 'bank_formats'>;

// A bank's table is read by a setting as well: what was refused for want of it is read again where it has changed.
function kindName({ name, version }: ItemKind, { bank_formats }: KindSettings): string {
  const hasFormats = name === BANK_CSV.name && bank_formats.length > 0;
  return `${name}-${version}${hasFormats ? `-${sha256(bank_formats.join('\n')).slice(0, 8)}` : ''}`;
}

/** Returns under which name it is remembered who would read a file now: its reader, or the kinds that it may be of. */
export function triedBy(readers: readonly StreamReader[], file: string, settings: KindSettings): string {
  const kinds = kindsFor(file).map((kind) => kindName(kind, settings));
  const reader = readerOf(readers, file);
  return reader === null && kinds.length > 0 ? kinds.join('+') : nameOf(reader);
}

/** Whether a file that was not understood may be by now: there is a reader for it, or a newer version of the one that tried. */
export function isUnderstandableNow(
  readers: readonly StreamReader[],
  file: string,
  { tried }: Pick<StreamRead, 'tried'>,
  settings: KindSettings,
): boolean {
  const now = tried === null ? NOBODY : triedBy(readers, file, settings);
  return now !== NOBODY && now !== tried;
}
