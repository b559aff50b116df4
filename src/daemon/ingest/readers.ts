import { BANK_CSV } from '../../stream/bank-csv-kind.ts';
import { isGenericFile } from '../../stream/generic.ts';
import type { ItemKind } from '../../stream/items.ts';
import { isMailFile } from '../../stream/mail/source-type.ts';
import { sha256 } from '../../vault/hash.ts';
import { NOBODY, type StreamRead } from '../context/remembered/stream-read.ts';
import type { IndexAccess, Settings, StreamReader } from '../context.ts';
import { kindsFor } from '../item-file.ts';

/** Reads mails. A higher version reads again what this one did not understand. */
const mails: StreamReader = {
  name: 'mail',
  version: 1,
  takes: isMailFile,
  read: async (...mail) => (await import('./mail-reader.ts')).readMail(...mail),
};

/** The readers that need nothing of a vault. What each reads by is loaded with its first file. */
export const READERS: readonly StreamReader[] = [mails];

/** Returns the readers of a vault's stream files, one for each kind of file that holds one event. */
export function readersOf(space: IndexAccess): readonly StreamReader[] {
  const generic: StreamReader = {
    name: 'event',
    version: 1,
    takes: isGenericFile,
    read: async (...filed) => (await import('./generic-file.ts')).readFiled(space.context, ...filed),
  };
  const plane: StreamReader = {
    name: 'plane',
    version: 1,
    takes: (file) => file.startsWith(`${space.vault.layout.folders.stream}/plane/`) && file.endsWith('.json'),
    read: async (file, bytes) => (await import('./plane-file.ts')).readWritten(space, file, bytes),
  };
  return [...READERS, plane, generic];
}

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
