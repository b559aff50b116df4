import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { demandNoLink } from './disk/own-places.ts';
import { type Diagnostic, diagnostic, EXIT, reasonOf, StewardError, systemCode } from './errors.ts';
import { readBytes, syncFolder, writeState } from './files.ts';
import { isNewer, newerFormat, type Stored, upgraded, versionOf } from './formats.ts';
import { MAX_NOTE_BYTES } from './frontmatter-parse.ts';
import { sha256 } from './hash.ts';
import { shellWord } from './notes/shell-word.ts';
import { linkOrCopy, removeFile } from './part-file.ts';
import type { Seal } from './seal.ts';
import { provenEntry } from './transaction/former-entry.ts';
import { type Intent, intent } from './transaction/intent.ts';
import type { Exchange } from './transaction.ts';

/** No action is larger: notes have at most 1 MiB, and an action touches a few. */
const MAX_INTENT_BYTES = 64 * 1024 * 1024;

/** A file of the journal that this program doesn't carry out by itself, and why. */
export interface UnknownEntry {
  /** The name of the event note that it leads to: that of its file, without `.json`. */
  readonly name: string;
  /** Its first line, parsed; null where it isn't JSON. */
  readonly content: unknown;
  readonly trouble: Diagnostic;
}

const CODES: readonly string[] = ['journal-foreign', 'journal-newer', 'journal-unreadable'];

/** Whether a problem is an entry of the journal that waits for the person; `name`: this one. */
export function isUnknownEntry({ code, file }: Diagnostic, name?: string): boolean {
  return CODES.includes(code) && (name === undefined || file === `.steward/journal/${name}.json`);
}

/** The name under which the history keeps an entry that was taken out of the journal. */
const ASIDE = 'journal-';

/** Whether a file of the history is an entry of the journal that was set aside. */
export function isEntryAside(name: string): boolean {
  return name.startsWith(ASIDE) && name.endsWith('.json.md');
}

/**
 * The intents in progress, one file each under `.steward/journal`: a line of JSON, and a line with the program's mark on
 * it. What has no mark of this key was put there by somebody else, by a steward on another machine with whom the folder
 * is shared, or by a version from before the mark; so was what is of a later version. Unless its own event note proves
 * what it did, it waits for the person's answer, and nothing of it is overwritten.
 */
export class Journal {
  readonly #folder: string;
  readonly #seal: Seal;

  constructor(folder: string, seal: Seal) {
    this.#folder = folder;
    this.#seal = seal;
  }

  /**
   * Writes an intent down durably. Throws with the file's name where the disk refuses, and `unfinished` (exit 75) where an
   * entry of this name waits for the person.
   */
  open(pending: Intent): void {
    const name = `${pending.id}.json`;
    const there = fs.existsSync(this.#file(pending.id)) ? this.#read(name) : null;
    if (there !== null && 'trouble' in there) throw new StewardError(taken(pending.id), EXIT.tryAgain);
    const line = JSON.stringify(pending);
    writeState(this.#file(pending.id), `${line}\n${this.#seal.of(marked(name, line))}\n`);
  }

  /** Deletes an intent that was carried out or withdrawn. */
  close(id: string): void {
    removeFile(this.#file(id));
  }

  /** Moves an entry that the person has answered into a folder, and returns its path there. It is never deleted. */
  setAside(name: string, folder: string): string {
    demandNoLink(folder);
    const free = (number: number): string => {
      const file = path.join(folder, `${ASIDE}${name}.${number}.json.md`);
      return fs.existsSync(file) ? free(number + 1) : file;
    };
    const aside = free(1);
    fs.renameSync(this.#file(name), aside);
    syncFolder(folder);
    return aside;
  }

  /** Returns the intents that are still in progress, in order of their names, and the files that cannot be read. */
  pending(): { intents: Intent[]; bad: Diagnostic[] } {
    const read = this.#readAll();
    return {
      intents: read.flatMap((one) => ('trouble' in one ? [] : [one])),
      bad: read.flatMap((one) => ('trouble' in one ? [one.trouble] : [])),
    };
  }

  /** Returns the entries that wait for the person, in order of their names. */
  unknown(): UnknownEntry[] {
    return this.#readAll().flatMap((one) => ('trouble' in one ? [one] : []));
  }

  /** Whether a file of the history may hold the earlier bytes of a note that an entry is about. */
  isNeeded(name: string): boolean {
    return namesIn(this.#folder).some(
      (entry) => entry.endsWith('.json') && name.startsWith(entry.slice(0, -'json'.length)),
    );
  }

  #readAll(): (Intent | UnknownEntry)[] {
    return namesIn(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => this.#read(name));
  }

  #read(name: string): Intent | UnknownEntry {
    const base = { name: name.slice(0, -'.json'.length), content: null };
    try {
      const { bytes } = readBytes(path.join(this.#folder, name), MAX_INTENT_BYTES);
      const [line = '', mark = ''] = bytes.toString('utf8').split('\n');
      const content = parsedJson(line);
      const isOwn = this.#seal.holds(marked(name, line), mark);
      const stored = storedEntry.safeParse(content).data ?? null;
      if (isOwn && stored !== null && isNewer('journal', stored)) {
        return { ...base, content, trouble: newer(name, stored) };
      }
      if (isOwn) return ownEntry(content) ?? { ...base, content, trouble: unreadable(name, UNKNOWN_SHAPE) };
      const proven = mark === '' && stored !== null ? this.#unmarked(base.name, stored) : null;
      return proven ?? { ...base, content, trouble: foreign(name) };
    } catch (error) {
      return { ...base, trouble: unreadable(name, reasonOf(error)) };
    }
  }

  // Version 1 wrote entries without a mark.
  #unmarked(name: string, stored: Stored): Intent | null {
    if (versionOf('journal', stored) !== 1) return null;
    const { data } = intent.safeParse(upgraded('journal', stored));
    return data === undefined || data.id !== name ? null : provenEntry(this.#seal, data);
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }
}

const storedEntry = z.record(z.string(), z.unknown());

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Why an entry of our own isn't carried out. */
const UNKNOWN_SHAPE = 'this version does not know its shape';

function ownEntry(content: unknown): Intent | null {
  const { data } = storedEntry.safeParse(content);
  return data === undefined ? null : (intent.safeParse(upgraded('journal', data)).data ?? null);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []; // a vault that nobody has worked on yet
    throw error;
  }
}

/** What the mark covers: under another name an old intent is not the program's. */
function marked(name: string, line: string): string {
  return `intent ${name}\n${line}`;
}

/** How the person answers an entry, for a hint. */
function howToAnswer(name: string): string {
  const event = shellWord(name.slice(0, -'.json'.length));
  return `\`steward inbox\` says what each answer does: \`steward confirm ${event}\` completes it, \`steward dismiss ${event}\` rolls it back.`;
}

function foreign(name: string): Diagnostic {
  return diagnostic({
    code: 'journal-foreign',
    file: `.steward/journal/${name}`,
    message: 'An unfinished action without the mark of this machine waits for your answer.',
    hint: `Keep .steward out of the sync. ${howToAnswer(name)}`,
  });
}

function newer(name: string, entry: Stored): Diagnostic {
  const found = newerFormat('journal', entry, `.steward/journal/${name}`, 'an unfinished action');
  return { ...found, hint: `Start the newer version, which finishes it. Otherwise: ${howToAnswer(name)}` };
}

function unreadable(name: string, reason: string): Diagnostic {
  return diagnostic({
    code: 'journal-unreadable',
    file: `.steward/journal/${name}`,
    message: `An unfinished action cannot be read (${reason.split('\n')[0]}) and waits for your answer.`,
    hint: howToAnswer(name),
  });
}

function taken(id: string): Diagnostic {
  return diagnostic({
    code: 'unfinished',
    file: `.steward/journal/${id}.json`,
    message: `An unfinished action of the name ${id} waits for your answer.`,
    hint: howToAnswer(`${id}.json`),
  });
}

// The single steps in which files change names. A name that is gone is a person's decision, not an error.

/** The most bytes read of a displaced file, which may grow while somebody writes into it. */
export const MAX_DISPLACED = 8 * MAX_NOTE_BYTES;

/** Exchanges two files; false where the note is gone. */
export function swap(exchange: Exchange, part: string, note: string): boolean {
  return unlessGone(() => exchange(part, note));
}

/** Renames a file; false where it is gone. */
export function move(from: string, to: string): boolean {
  return unlessGone(() => fs.renameSync(from, to));
}

function unlessGone(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Renames a file to a name that must be free; false where the name is taken. */
export function claimName(file: string, name: string): boolean {
  try {
    linkOrCopy(file, name);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  fs.rmSync(file, { force: true });
  return true;
}

/** Moves a file unless its new folder is on another disk, and returns whether it was moved. */
export function isMoved(file: string, to: string): boolean {
  try {
    fs.renameSync(file, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    return false;
  }
}

/** Restores a note and appends what somebody wrote under its free name. Returns the history files to report. */
export function putBehind(note: string, kept: string, appended: string): string[] {
  if (!move(note, appended)) return [kept];
  if (!claimName(kept, note)) return [kept, appended]; // somebody created it once more
  fs.appendFileSync(note, bytesOf(appended) ?? '');
  return [appended];
}

/** Whether a file is there and holds these bytes. */
export function isStill(file: string, sha: string): boolean {
  return shaOf(file) === sha;
}

/** Returns the SHA-256 of a file's bytes, or null where it is gone. */
export function shaOf(file: string): string | null {
  const bytes = bytesOf(file);
  return bytes === null ? null : sha256(bytes);
}

/** Returns a file's bytes; null where it is gone, or no file: what somebody put in its place holds no text of theirs. */
export function bytesOf(file: string): Buffer | null {
  try {
    return readBytes(file, MAX_DISPLACED).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || isNoFile(error)) return null;
    throw error;
  }
}

function isNoFile(error: unknown): boolean {
  return error instanceof StewardError && error.trouble.code === 'not-a-file';
}
