import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type EditStep, type Intent, intent, type Step } from './edit.ts';
import { type Diagnostic, diagnostic, EXIT, errorReason, StewardError, systemCode } from './errors.ts';
import { demandNoLink, readBytes, removeFile, syncFolder, writeState } from './files.ts';
import { type Frontmatter, readNote } from './frontmatter.ts';
import { readOwnJson } from './json.ts';
import { stem } from './layout.ts';
import { intentId, shellWord } from './note-text.ts';
import {
  eventFields,
  formatVersionNumber,
  isNewer,
  newerFormat,
  REVERSAL_TYPES,
  reversalFields,
  type StoredFields,
  upgraded,
  type VaultPatch,
} from './record.ts';
import { type Seal, wroteEvent, wroteReversal } from './seal.ts';

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
 * on it. An entry without a mark of this key comes from somebody else, from Steward on another machine that shares the
 * folder, or from a version before the mark. It waits for the person's answer, as does one of a later version, unless
 * its own event note proves what it did. Such an entry is never overwritten.
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
      const isOwn = this.#seal.holdsEarlier(marked(name, line), mark);
      const stored = storedEntry.safeParse(content).data ?? null;
      if (isOwn && stored !== null && isNewer('journal', stored)) {
        return { ...base, content, trouble: newer(name, stored) };
      }
      if (isOwn) return ownEntry(content) ?? { ...base, content, trouble: unreadable(name, UNKNOWN_SHAPE) };
      const proven = mark === '' && stored !== null ? this.#unmarked(base.name, stored) : null;
      return proven ?? { ...base, content, trouble: foreign(name) };
    } catch (error) {
      return { ...base, trouble: unreadable(name, errorReason(error)) };
    }
  }

  // Version 1 wrote entries without a mark.
  #unmarked(name: string, stored: StoredFields): Intent | null {
    if (formatVersionNumber('journal', stored) !== 1) return null;
    const { data } = intent.safeParse(upgraded('journal', stored));
    return data === undefined || data.id !== name ? null : provenEntry(this.#seal, data);
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }
}

const storedEntry = z.record(z.string(), z.unknown());

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
    message: `An unfinished action of the name ${id} waits for your answer.`,
    hint: howToAnswer(`${id}.json`),
  });
}

// --- entries of version 1 -------------------------------------------------------------------------------------------

interface Proof {
  readonly record: Step;
  readonly target: string | null;
  readonly patch: VaultPatch | null;
}

const STAMPS = ['status', 'applied_at', 'audit_record_path'];

/**
 * Returns what may be carried out of an entry without a mark, as versions before the mark left them: null without proof
 * that the program wrote it. The proof is the event note within, which carried the mark before entries did. It covers
 * the change of the note and the event note. Of the other steps, stamps that name this very event note are taken over,
 * field by field. The rest, such as a lesson, is not proven: its note is only put in order, with the bytes that it had
 * or that it has got already. So is the note of an entry with a single edit that is fully written.
 */
function provenEntry(seal: Seal, entry: Intent): Intent | null {
  const [first, ...rest] = entry.steps;
  if (first === undefined) return null;
  if (rest.length === 0 && first.do === 'edit') return entry;
  const proof = findProof(seal, entry);
  if (proof === null || !isProvenFirst(proof, first)) return null;
  return { ...entry, steps: [first, ...rest.flatMap((step) => followStep(proof, step))] };
}

function findProof(seal: Seal, { id, steps }: Intent): Proof | null {
  for (const record of steps.filter(({ path }) => intentId(path) === id)) {
    const read = readNote(record.path, Buffer.from(record.text));
    const said = read.ok ? provenBy(seal, stem(record.path), read.note.data) : null;
    if (said !== null) return { record, ...said };
  }
  return null;
}

function provenBy(seal: Seal, name: string, data: Frontmatter): Pick<Proof, 'target' | 'patch'> | null {
  if (REVERSAL_TYPES.some((type) => type === data.type) || 'reverses' in data) {
    const { data: fields } = reversalFields.safeParse(data);
    if (fields === undefined || !wroteReversal(seal, name, fields)) return null;
    const patch = fields.undo_recipe?.vault_patch ?? null;
    return { target: patch?.target ?? null, patch };
  }
  const { data: fields } = eventFields.safeParse(data);
  if (fields === undefined || !wroteEvent(seal, name, fields)) return null;
  return { target: fields.target_path, patch: fields.undo_recipe?.vault_patch ?? fields.pending_patch };
}

// The deciding edit is never made by a recovery: it is only found out whether it happened.
function isProvenFirst({ record, target, patch }: Proof, step: Step): boolean {
  if (step === record) return true;
  // The recipe of a confirmation begins after the mark of the proposal was removed: only its end is the same.
  return step.do === 'edit' && step.path === target && (patch === null || patch.after_sha256 === step.after_sha256);
}

function followStep({ record }: Proof, step: Step): Step[] {
  if (step.do === 'create') return step === record ? [step] : [];
  return [step === record || isStamp(step, record.path) ? fieldByField(step) : onlyInOrder(step)];
}

function isStamp({ again = [] }: EditStep, record: string): boolean {
  const sets = again.filter((edit) => edit.op === 'set' && STAMPS.includes(edit.field));
  const named = sets.some((edit) => edit.op === 'set' && edit.field === 'audit_record_path' && edit.value === record);
  return named && sets.length === again.length;
}

// No bytes have this hash: so only the edit is made, on the note as it is now, and the rest of the step's text is not
// used.
function fieldByField(step: EditStep): EditStep {
  return { ...step, before_sha256: '' };
}

function onlyInOrder({ do: kind, path, after_sha256, text }: EditStep): EditStep {
  return fieldByField({ do: kind, path, before_sha256: '', after_sha256, text });
}
