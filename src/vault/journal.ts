import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Intent, intent } from './edit.ts';
import { type Diagnostic, diagnostic, EXIT, errorReason, StewardError, systemCode } from './errors.ts';
import { demandNoLink, readBytes, removeFile, syncFolder, writeState } from './files.ts';
import { readOwnJson } from './json.ts';
import { shellWord } from './note-text.ts';
import { isNewer, newerFormat, type StoredFields } from './record.ts';
import type { Seal } from './seal.ts';

/** No action is larger: notes have at most 1 MiB, and an action touches a few. */
const MAX_INTENT_BYTES = 64 * 1024 * 1024;

/** A file of the journal that this program doesn't carry out by itself, and why. */
export interface UnknownEntry {
  /** The name of the event note that it leads to: that of its file, without `.json`. */
  readonly name: string;
  /** Its first line, parsed; null if it isn't JSON. */
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
 * The intents in progress, one file each under `.steward/journal`: a line of JSON, and a line with the program's mark
 * on it. An entry without a mark of this key comes from somebody else, or from Steward on another machine that shares the
 * folder. It waits for the person's answer, as does one of a later version. Such an entry is never overwritten.
 */
export class Journal {
  readonly #folder: string;
  readonly #seal: Seal;
  readonly #demand: () => void;

  /** `demand` throws if the vault is no longer this process's: then another may have the entries in hand. */
  constructor(folder: string, seal: Seal, demand: () => void = () => {}) {
    this.#folder = folder;
    this.#seal = seal;
    this.#demand = demand;
  }

  /**
   * Writes an intent down durably. Throws with the file's name if the disk refuses, `lock-lost` (75), and `unfinished`
   * (75) if an entry of this name waits for the person.
   */
  open(pending: Intent): void {
    this.#demand();
    const name = `${pending.id}.json`;
    const there = fs.existsSync(this.#file(pending.id)) ? this.#read(name) : null;
    if (there !== null && 'trouble' in there) throw new StewardError(taken(pending.id), EXIT.tryAgain);
    const line = JSON.stringify(pending);
    writeState(this.#file(pending.id), `${line}\n${this.#seal.of(marked(name, line))}\n`);
  }

  /**
   * Deletes an intent that was carried out or withdrawn. Throws `lock-lost` (75): then the process that has the vault
   * ends it.
   */
  close(id: string): void {
    this.#demand();
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

  /** Whether a file of the history may contain the earlier bytes of a note that an entry is about. */
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
      const content = readOwnJson(z.unknown(), line);
      const isOwn = this.#seal.holds(marked(name, line), mark);
      const stored = storedEntry.safeParse(content).data ?? null;
      if (isOwn && stored !== null && isNewer('journal', stored)) {
        return { ...base, content, trouble: newer(name, stored) };
      }
      if (isOwn)
        return intent.safeParse(content).data ?? { ...base, content, trouble: unreadable(name, UNKNOWN_SHAPE) };
      return { ...base, content, trouble: foreign(name) };
    } catch (error) {
      return { ...base, trouble: unreadable(name, errorReason(error)) };
    }
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }
}

const storedEntry = z.record(z.string(), z.unknown());

/** Why an entry of our own isn't carried out. */
const UNKNOWN_SHAPE = "this version can't read its format";

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []; // a vault without a journal yet
    throw error;
  }
}

/** The text that the mark covers: under another name an old intent is not the program's. */
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

function newer(name: string, entry: StoredFields): Diagnostic {
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
    message: `An unfinished action named ${id} waits for your answer.`,
    hint: howToAnswer(`${id}.json`),
  });
}
