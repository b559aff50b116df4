import type { Arrival } from '../../source/connector.ts';
import { genericText } from '../../stream/generic/generic-file.ts';
import { genericName } from '../../stream/generic/generic-name.ts';
import type { FetchedFrom } from '../../stream/mail/fetched/mark.ts';
import { expectFleeting } from '../context/fleeting/fleeting-mails.ts';
import type { IndexAccess } from '../context/ports.ts';
import { fetchedFile } from './fetched-file.ts';
import type { SourceNote } from './source-notes.ts';

/** A file as it will lie in the vault. */
export interface StreamFile {
  /** Vault-relative. */
  readonly file: string;
  readonly bytes: Uint8Array | string;
}

/** How many digits of a key name a file. */
const DIGITS = 12;

/**
 * Returns the file of what a source brought, ready to be written; null where it brought only that it was there. The same
 * thing has the same name; `nth`, from 1 on, gives it others, where somebody else's file has it. Rejects with what the disk
 * refuses.
 */
export async function fileOf(
  { vault, context }: IndexAccess,
  note: SourceNote,
  { key, at, content }: Arrival,
  nth: number,
): Promise<StreamFile | null> {
  if (content === null) return null;
  const folder = `${vault.layout.folders.stream}/${note.name}`;
  if (content.kind === 'event') {
    const file = `${folder}/${genericName(note.name, content.event, nth)}`;
    return { file, bytes: genericText(content.event, note.name, file, context.seal) };
  }
  const day = at === null ? 'undated' : new Date(at).toISOString().slice(0, 10);
  const name = `${folder}/${day}-${key.slice(0, DIGITS)}${nth === 1 ? '' : `-${nth}`}`;
  if (content.kind === 'calendar') return { file: `${name}.ics`, bytes: content.bytes };
  const [file, from] = [`${name}.eml`, fetchedFrom(note)];
  const bytes = await fetchedFile(from, file, Buffer.from(content.bytes), context.seal);
  // Before it is there: what a crash leaves must not stay.
  if (from.keep === 'quote') expectFleeting(context, [file]);
  return { file, bytes };
}

function fetchedFrom({ name, settings }: SourceNote): FetchedFrom {
  if (settings.kind !== 'imap') return { source: name, server: null, keep: 'mail' };
  return { source: name, server: settings.mail_server, keep: settings.keep };
}
