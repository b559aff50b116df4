import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { fileError, notAFile } from '../../vault/files.ts';
import { isConflictCopy, isHidden } from '../../vault/note-names.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';

/** How many mails of a Maildir are looked at before others have a turn. */
const CHUNK = 500;
const BOXES = ['cur', 'new'] as const;

/** A mail of a Maildir. */
export interface MaildirMail {
  readonly box: (typeof BOXES)[number];
  readonly name: string;
  readonly size: number;
}

/** What a person named to be imported: a file, or a Maildir. */
export interface ImportSource {
  /** The absolute path, as it was named. */
  readonly from: string;
  /** Its bytes, or those of all its mails. */
  readonly size: number;
  /** Null of a file. */
  readonly mails: readonly MaildirMail[] | null;
}

/**
 * Looks at what is to be imported, before anything of it is. Throws `import-name`, `import-missing`, `import-folder` for a
 * folder that is no Maildir, or what the disk refuses.
 */
export async function sourceAt(from: string): Promise<ImportSource> {
  const stat = statOf(from);
  if (stat.isDirectory()) return maildirAt(from);
  if (isPassedOver(path.basename(from))) throw unreadName(from);
  if (!stat.isFile()) throw notAFile(from);
  demandReadable(from);
  return { from, size: stat.size, mails: null };
}

/** Whether files of this name are never read: hidden, temporary, or a conflict copy. */
export function isPassedOver(name: string): boolean {
  return isHidden(name) || isConflictCopy(name);
}

function statOf(from: string): fs.Stats {
  try {
    return fs.statSync(from);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fileError(error, from);
    throw new StewardError({
      code: 'import-missing',
      message: `There is no file ${from}.`,
      hint: 'The vault is searched first, then the current folder.',
    });
  }
}

function demandReadable(from: string): void {
  try {
    fs.accessSync(from, fs.constants.R_OK);
  } catch (error) {
    throw fileError(error, from);
  }
}

async function maildirAt(from: string): Promise<ImportSource> {
  if (!BOXES.every((box) => isFolder(path.join(from, box)))) throw noMaildir(from);
  const mails: MaildirMail[] = [];
  for (const box of BOXES) {
    const names = namesIn(path.join(from, box));
    for (const [nth, name] of names.entries()) {
      const stat = fs.statSync(path.join(from, box, name), { throwIfNoEntry: false });
      if (stat?.isFile() === true) mails.push({ box, name, size: stat.size });
      if (nth % CHUNK === 0) await new Promise(setImmediate);
    }
  }
  return { from, size: mails.reduce((all, { size }) => all + size, 0), mails };
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    throw fileError(error, folder);
  }
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

function unreadName(from: string): StewardError {
  return new StewardError({
    code: 'import-name',
    file: from,
    message: `${path.basename(from)} has a name that the steward passes over (hidden, temporary, or a conflict copy).`,
    hint: 'Rename the file first.',
  });
}

function noMaildir(from: string): StewardError {
  return new StewardError({
    code: 'import-folder',
    message: `${path.basename(from)} is a folder without cur/ and new/, so it is no Maildir.`,
    hint: `Name the files in it: steward import ${shellWord(path.basename(from))}/*`,
  });
}
