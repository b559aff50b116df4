import type { Arrival } from '../../source/connector.ts';
import type { Workspace } from '../context/ports.ts';
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
 * Returns the file of what a source brought; null where it brought only that it was there. The same thing has the same
 * name; `nth`, from 1 on, gives it others, where somebody else's file has it.
 */
export function fileOf(
  { vault }: Workspace,
  { name }: SourceNote,
  { key, at, content }: Arrival,
  nth: number,
): StreamFile | null {
  if (content === null || content.kind === 'event') return null;
  const folder = `${vault.layout.folders.stream}/${name}`;
  const day = at === null ? 'undated' : new Date(at).toISOString().slice(0, 10);
  const ending = content.kind === 'mail' ? 'eml' : 'ics';
  const rest = nth === 1 ? '' : `-${nth}`;
  return { file: `${folder}/${day}-${key.slice(0, DIGITS)}${rest}.${ending}`, bytes: content.bytes };
}
