import { appendFields } from '../vault/append.ts';
import { editFields } from '../vault/edit.ts';
import { createWhole, fileError, insideVault, readBytes } from '../vault/files.ts';
import { MAX_NOTE_BYTES, readNote } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/hash.ts';
import type { CreateStep, EditStep, Intent, Step } from '../vault/journal.ts';
import type { Frontmatter, Yaml } from '../vault/records/values.ts';
import { StewardError, systemCode } from '../vault/trouble.ts';
import { same } from '../vault/values-equal.ts';
import type { Workspace } from './workspace.ts';

/** What became of an intent. */
export type Carried =
  | { readonly done: true }
  /** The note changed in between: nothing was written, and it is to be judged again. */
  | { readonly done: false };

/**
 * Carries an intent out: journal, the deciding step, the rest, journal closed. All or nothing through a crash.
 * Throws where the disk refuses before anything was decided; after that the intent stays in the journal and is
 * finished at the next start or the next try.
 */
export function carryOut(space: Workspace, intent: Intent): Carried {
  const [first, ...rest] = intent.steps;
  if (first === undefined) return { done: true };
  space.journal.open(intent);
  if (!decide(space, intent, first)) {
    space.journal.close(intent.id);
    return { done: false };
  }
  space.unfinished.set(intent.id, intent);
  for (const step of rest) follow(space, intent, step);
  finish(space, intent);
  return { done: true };
}

/**
 * Finishes what the disk held up half way, before anything new is decided on notes it may concern.
 * Throws the system's error while the disk still refuses.
 */
export function finishHeldUp(space: Workspace): void {
  for (const intent of [...space.unfinished.values()]) {
    try {
      finishIntent(space, intent);
    } catch (error) {
      throw fileError(error, `.steward/journal/${intent.id}.json`);
    }
  }
}

/** Carries on with an intent whose deciding step is known to be done. */
export function finishIntent(space: Workspace, intent: Intent): void {
  for (const step of intent.steps.slice(1)) follow(space, intent, step);
  finish(space, intent);
}

function finish(space: Workspace, intent: Intent): void {
  space.journal.close(intent.id);
  space.unfinished.delete(intent.id);
  space.vault.look(intent.steps.map((step) => step.path));
}

function decide(space: Workspace, intent: Intent, step: Step): boolean {
  try {
    return step.do === 'edit' ? edit(space, intent, step) : create(space, step);
  } catch (error) {
    // Refused before the note changed: the intent is withdrawn, so that it cannot be finished half a day later.
    space.journal.close(intent.id);
    throw fileError(error, step.path);
  }
}

function edit(space: Workspace, intent: Intent, step: EditStep): boolean {
  const result = space.publisher.publish({
    path: step.path,
    beforeSha256: step.before_sha256,
    bytes: Buffer.from(step.text),
    keepAs: intent.id,
  });
  if (result.done) {
    space.own.remember(step.path, step.after_sha256);
    space.displaced.keepWatch(step.path, result.displaced, step.before_sha256);
  } else if (result.displaced !== null) space.displaced.report(step.path, result.displaced);
  return result.done;
}

function create(space: Workspace, step: CreateStep): boolean {
  return createWhole(space.vault.root, space.places.tmp, step.path, step.text);
}

// A step behind the deciding one must end done, whoever else wrote to the note meanwhile, and do nothing twice.
function follow(space: Workspace, intent: Intent, step: Step): void {
  if (step.do === 'create') {
    create(space, step);
    return;
  }
  if (currentSha(space, step.path) === step.after_sha256) return;
  if (edit(space, intent, step)) return;
  editAgain(space, intent, step);
}

const TRIES = 5;

function editAgain(space: Workspace, intent: Intent, step: EditStep): void {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const note = currentNote(space, step.path);
    if (note === null || !stillExpected(note.data, step)) return;
    const text = madeAgain(step, note.text);
    if (text === note.text) return;
    const retry = { ...step, before_sha256: sha256(note.text), after_sha256: sha256(text), text };
    if (edit(space, intent, retry)) return;
  }
}

function madeAgain(step: EditStep, text: string): string {
  if (step.append !== undefined) return appendFields(step.path, text, step.append);
  return step.again === undefined ? text : editFields(step.path, text, step.again).text;
}

// A field that no longer holds what the edit was decided on is the person's now, or was already written by us.
function stillExpected(data: Frontmatter, step: EditStep): boolean {
  return Object.entries(step.expects ?? {}).every(([field, value]) => same(data[field] ?? null, value as Yaml));
}

function currentNote(space: Workspace, file: string): { data: Frontmatter; text: string } | null {
  const bytes = currentBytes(space, file);
  const read = bytes === null ? null : readNote(file, bytes);
  return read?.ok ? read.note : null;
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
