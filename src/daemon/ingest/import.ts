import fs from 'node:fs';
import path from 'node:path';
import { MAX_MAIL_BYTES } from '../../stream/mail/source-type.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { openAsFolderAndSources } from '../../vault/disk/readers.ts';
import { loadSystemCalls } from '../../vault/disk/system-calls.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { createWhole, fileError, readBytes } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { isConflictCopy, isHidden } from '../../vault/note-names.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { IndexAccess } from '../context/ports.ts';
import type { StreamRead } from '../context/state.ts';
import type { Waits } from './extract-signals.ts';
import type { StreamResult } from './stream-file.ts';

/** What importing one file came to. */
export interface Imported {
  /** The file as it was named. */
  readonly from: string;
  /** Where it lies in the vault now. */
  readonly file: string;
  readonly signals: readonly string[];
  /** Why it gave no signal, or null. */
  readonly reason: string | null;
  /** False where no reader understood the file. */
  readonly understood: boolean;
}

/**
 * Copies files, given by absolute paths, into the stream folder and extracts their signals. A file that is already
 * there with the same name and bytes is not copied again; another file of that name gets a name of its own. `readFile`
 * reads a stream file of the vault. Throws `import-name` or `import-missing`, or what the disk refuses.
 */
export async function importFiles(
  space: IndexAccess,
  files: readonly string[],
  readFile: (file: string) => Promise<StreamResult | Waits | null>,
): Promise<Imported[]> {
  const read = files.map((from) => ({ from, bytes: bytesOf(from) }));
  const imported: Imported[] = [];
  for (const { from, bytes } of read) {
    const file = placed(space.vault, from, bytes);
    const before = space.context.state.get('streams')[file];
    space.vault.look([file]);
    const result = await readFile(file);
    imported.push({ from, file, ...importedAs(result, before) });
  }
  return imported;
}

type Came = Pick<Imported, 'signals' | 'reason' | 'understood'>;

function importedAs(result: StreamResult | Waits | null, before: StreamRead | undefined): Came {
  if (result === null) return importedBefore(before);
  if (result.kind === 'waits') return { signals: [], reason: `not read yet: ${result.reason}`, understood: true };
  const { signals, reason, understood } = result;
  return { signals, reason, understood };
}

function importedBefore(before: StreamRead | undefined): Came {
  if (before === undefined) return { signals: [], reason: 'nothing new', understood: true };
  if (before.tried === null) return { signals: [], reason: 'it was read before', understood: true };
  return { signals: [], reason: before.refused ?? before.skipped, understood: false };
}

function bytesOf(from: string): Buffer {
  if (isHidden(path.basename(from)) || isConflictCopy(path.basename(from))) {
    throw new StewardError({
      code: 'import-name',
      file: from,
      message: `${path.basename(from)} has a name that is never read (hidden, temporary, or a conflict copy).`,
      hint: 'Rename the file first.',
    });
  }
  try {
    return readBytes(from, MAX_MAIL_BYTES).bytes;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fileError(error, from);
    throw new StewardError({
      code: 'import-missing',
      message: `There is no file ${from}.`,
      hint: 'A path is looked for in the vault first, then in the current folder.',
    });
  }
}

function placed(vault: Vault, from: string, bytes: Buffer): string {
  const folder = vault.layout.folders.stream;
  const { name, ext } = path.parse(from);
  // A private mail stays one: what is copied of it is read by those who may read it.
  const dress = (part: string, place: string) => openAsFolderAndSources(part, place, [from], loadSystemCalls());
  for (let count = 1; ; count += 1) {
    const file = `${folder}/${name}${count === 1 ? '' : `-${count}`}${ext}`;
    const place = path.join(vault.root, file);
    if (fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined) {
      if (shaInside(vault.root, file) === sha256(bytes)) return file;
    } else if (createWhole(vault.root, vault.places.tmp, file, bytes, dress)) return file;
  }
}

// What is in the way may be a pipe, which never ends, or a link out of the vault; its bytes are not those of the file.
function shaInside(root: string, file: string): string | null {
  try {
    return sha256(readInside(root, file, MAX_MAIL_BYTES).bytes);
  } catch {
    return null;
  }
}
