import fs from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../../daemon/context/ports.ts';
import { type Diagnostic, StewardError, systemCode } from '../errors.ts';
import { fileError, insideVault, readBytes } from '../files.ts';
import { appendFields } from '../frontmatter/append.ts';
import { editFields } from '../frontmatter/edit.ts';
import { same } from '../frontmatter/equal.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import { intentId } from '../notes/event-names.ts';
import { withHistory } from '../notes/history-block.ts';
import type { Frontmatter, Yaml } from '../records/values.ts';
import { createNote } from './create-note.ts';
import type { CreateStep, EditStep, Intent, Step } from './journal.ts';
import type { Edition } from './publish.ts';

/** What became of an intent. */
export type Carried =
  | { readonly done: true }
  /** The note changed in between: nothing was written, and it is to be judged again. */
  | { readonly done: false };

/**
 * Carries an intent out: journal, the deciding step, the rest, journal closed. All or nothing through a crash.
 * Throws where the disk refuses before anything was decided. After that it is done: what the disk holds up of the rest
 * stays in the journal, is named in `status`, and is finished at the next start or the next try.
 */
export function carryOut(space: Workspace, meant: Intent): Carried {
  const intent = { ...meant, kept_before: space.publisher.keptUnder(meant.id) };
  const [first, ...rest] = intent.steps;
  if (first === undefined) return { done: true };
  journalled(space, intent);
  if (!decide(space, intent, first)) {
    withdraw(space, intent);
    return { done: false };
  }
  space.unfinished.set(intent.id, intent);
  try {
    for (const step of rest) follow(space, intent, step);
    finish(space, intent);
  } catch (error) {
    holdUp(space, intent, error);
  }
  return { done: true };
}

/**
 * Settles what the disk held up half way, before anything new is decided on notes it may concern.
 * Throws the system's error while the disk still refuses.
 */
export function finishHeldUp(space: Workspace): void {
  for (const intent of [...space.unfinished.values()]) {
    try {
      resolveIntent(space, intent);
    } catch (error) {
      throw fileError(error, journalFile(intent));
    }
  }
}

/**
 * Settles an intent that was cut off, by a crash or a failing disk: finished if its deciding step happened, withdrawn if
 * not. May itself be cut off at any point and called again. Gives whether it was finished.
 */
export function resolveIntent(space: Workspace, intent: Intent): boolean {
  if (!wasDecided(space, intent)) {
    space.journal.close(intent.id);
    forget(space, intent);
    return false;
  }
  space.unfinished.set(intent.id, intent);
  for (const step of intent.steps.slice(1)) {
    if (step.do === 'edit') resolveEdit(space, intent, step, false);
    follow(space, intent, step);
  }
  finish(space, intent);
  return true;
}

/** Keeps an intent that the disk holds up, and says so. */
export function holdUp(space: Workspace, intent: Intent, error: unknown): Diagnostic {
  space.unfinished.set(intent.id, intent);
  const { trouble } = fileError(error, journalFile(intent));
  space.faults.set(journalFile(intent), trouble);
  space.say({ what: 'trouble', trouble });
  return trouble;
}

// The step that decides may be long past: then one of the others shows that it happened.
function wasDecided(space: Workspace, intent: Intent): boolean {
  const [first, ...rest] = intent.steps;
  if (first === undefined) return false;
  const beyond = rest.some((step) => isDone(space, intent, step));
  if (first.do === 'create') return beyond || exists(space, first.path);
  return resolveEdit(space, intent, first, !beyond) || beyond;
}

function isDone(space: Workspace, intent: Intent, step: Step): boolean {
  if (step.do === 'edit') return currentSha(space, step.path) === step.after_sha256;
  return intentId(step.path) === intent.id && exists(space, step.path);
}

// What an edit that was cut off displaced is kept, or goes back.
function resolveEdit(space: Workspace, intent: Intent, step: EditStep, first: boolean): boolean {
  const left = space.publisher.resolve(editionOf(intent, step), first);
  if (left.displaced !== null) space.displaced.keepWatch(step.path, left.displaced, step.before_sha256, left.apart);
  if (left.found !== null) space.displaced.report(step.path, left.found);
  return left.published;
}

function journalled(space: Workspace, intent: Intent): void {
  try {
    space.journal.open(intent);
  } catch (error) {
    withdraw(space, intent);
    throw fileError(error, journalFile(intent));
  }
}

function withdraw(space: Workspace, intent: Intent): void {
  try {
    space.journal.close(intent.id);
    space.unfinished.delete(intent.id);
  } catch {
    space.unfinished.set(intent.id, intent); // struck out before anything else is decided
  }
}

function finish(space: Workspace, intent: Intent): void {
  space.journal.close(intent.id);
  forget(space, intent);
}

function forget(space: Workspace, intent: Intent): void {
  space.unfinished.delete(intent.id);
  space.faults.delete(journalFile(intent));
  space.vault.look(intent.steps.map((step) => step.path));
}

function journalFile(intent: Intent): string {
  return `.steward/journal/${intent.id}.json`;
}

function decide(space: Workspace, intent: Intent, step: Step): boolean {
  try {
    return step.do === 'edit' ? edit(space, intent, step) : create(space, step);
  } catch (error) {
    if (decidedAllTheSame(space, intent)) return true;
    // Refused before the note changed: the intent is withdrawn, so that it cannot be finished half a day later.
    withdraw(space, intent);
    throw fileError(error, step.path);
  }
}

// The disk may refuse after the deciding moment: the swap was made, and the look at it failed.
function decidedAllTheSame(space: Workspace, intent: Intent): boolean {
  try {
    return wasDecided(space, intent);
  } catch (error) {
    holdUp(space, intent, error);
    throw fileError(error, journalFile(intent));
  }
}

function edit(space: Workspace, intent: Intent, step: EditStep): boolean {
  const result = space.publisher.publish(editionOf(intent, step));
  if (result.done) {
    space.own.remember(step.path, step.after_sha256);
    space.displaced.keepWatch(step.path, result.displaced, step.before_sha256, result.apart);
  } else for (const file of result.found) space.displaced.report(step.path, file);
  return result.done;
}

function editionOf(intent: Intent, step: EditStep): Edition {
  return {
    path: step.path,
    beforeSha256: step.before_sha256,
    bytes: Buffer.from(step.text),
    keepAs: intent.id,
    keptBefore: intent.kept_before ?? 0,
  };
}

function create(space: Workspace, step: CreateStep): boolean {
  return createNote(space, step.path, step.text);
}

// A step behind the deciding one must end done, whoever else wrote to the note meanwhile, and do nothing twice.
function follow(space: Workspace, intent: Intent, step: Step): void {
  if (step.do === 'create') {
    create(space, step);
    return;
  }
  const now = currentSha(space, step.path);
  if (now === null || now === step.after_sha256) return; // null: what lies there is no note, and stays as it is
  if (edit(space, intent, step)) return;
  editAgain(space, intent, step);
}

const TRIES = 5;
/** How long a note that is just being written may hold an action up; after that it is left as it is. */
const PATIENCE_MS = 60_000;

function editAgain(space: Workspace, intent: Intent, step: EditStep): void {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const note = currentNote(space, intent, step.path);
    if (note === null || !stillExpected(note.data, step)) return;
    const text = madeAgain(step, note.text);
    if (text === note.text) return;
    const retry = { ...step, before_sha256: sha256(note.text), after_sha256: sha256(text), text };
    if (edit(space, intent, retry)) return;
  }
  throw busy(step.path);
}

function madeAgain(step: EditStep, text: string): string {
  if (step.append !== undefined) return appendFields(step.path, text, step.append);
  if (step.again === undefined) return text;
  return withHistory(step.path, editFields(step.path, text, step.again).text, step.history ?? []);
}

// A field that no longer holds what the edit was decided on is the person's now, or was already written by us.
function stillExpected(data: Frontmatter, step: EditStep): boolean {
  return Object.entries(step.expects ?? {}).every(([field, value]) => same(data[field] ?? null, value as Yaml));
}

function currentNote(space: Workspace, intent: Intent, file: string): { data: Frontmatter; text: string } | null {
  const bytes = currentBytes(space, file);
  const read = bytes === null ? null : readNote(file, bytes);
  if (read?.ok === false && isBeingWritten(space, intent, read.trouble)) throw busy(file);
  return read?.ok ? read.note : null;
}

function isBeingWritten(space: Workspace, intent: Intent, { code }: Diagnostic): boolean {
  const halfWritten = code === 'note-empty' || code === 'frontmatter-unclosed';
  return halfWritten && space.now() - Date.parse(intent.at) < PATIENCE_MS;
}

function busy(file: string): StewardError {
  return new StewardError({
    code: 'note-busy',
    file,
    message: `${file} is being written again and again just now.`,
    hint: 'The rest of the action is made as soon as the note is quiet.',
  });
}

function exists(space: Workspace, file: string): boolean {
  return fs.existsSync(path.join(space.vault.root, file));
}

function currentSha(space: Workspace, file: string): string | null {
  const bytes = currentBytes(space, file);
  return bytes === null ? null : sha256(bytes);
}

function currentBytes(space: Workspace, file: string): Buffer | null {
  try {
    return readBytes(insideVault(space.vault.root, file), MAX_NOTE_BYTES).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof StewardError) return null;
    throw error;
  }
}
