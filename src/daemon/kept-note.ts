import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { noteText } from '../vault/note-text.ts';
import { findPart, keptPart, type PartMarks } from '../vault/notes/kept-part.ts';
import { nameTimeExact } from '../vault/time.ts';
import type { Step } from '../vault/transaction/intent.ts';
import { textStep } from '../vault/transaction/steps.ts';
import type { Vault } from '../vault/watch.ts';
import { KEPT_OPENING, WHY_LEFT } from '../vault/words.ts';
import type { WriteAccess } from './context.ts';

/** A note of which the program keeps a part up to date. It lies in the root, where no note is a record. */
interface OwnPart {
  readonly path: string;
  /** What its part is called in its first mark. */
  readonly name: string;
}

/** Whoever writes it waits at most this long for the note to be quiet. */
const LONG_MS = 15_000;

/** What became of the note. `left`: somebody is typing in it, or it cannot be edited. */
export interface KeptNote {
  readonly path: string;
  readonly state: 'made' | 'changed' | 'unchanged' | 'left';
  readonly reason: string | null;
}

/**
 * Writes the program's part of a note, or makes the note. What a person wrote around the part stays byte for byte. Waits for
 * a note that is being edited, but not for ever.
 */
export function keepNote(space: WriteAccess, part: OwnPart, text: string): Promise<KeptNote> {
  return space.transactions.inTurn(part.path, () => keep(space, part, text));
}

async function keep(space: WriteAccess, part: OwnPart, text: string): Promise<KeptNote> {
  const { path: file } = part;
  const left = (reason: string): KeptNote => ({ path: file, state: 'left', reason });
  const kept = await space.transactions.attemptAsync([file], async (): Promise<KeptNote | null> => {
    const note = space.notes.fresh(file);
    if (note === null && isThere(space.vault, file)) return left(WHY_LEFT.unreadable);
    const after = note === null ? newNote(part, text) : withBlock(note.text, marksOf(part), text);
    if (after === null) return left(WHY_LEFT.marks);
    if (note !== null && isTypedInto(note.text, marksOf(part))) return left(WHY_LEFT.typed);
    if (after === note?.text) return { path: file, state: 'unchanged', reason: null };
    const quietIn = (note?.settledAt ?? 0) - space.context.now();
    if (quietIn > LONG_MS) return left(WHY_LEFT.busy);
    if (quietIn > 0) {
      await wait(quietIn);
      return null;
    }
    const step = note === null ? created(file, after) : textStep(file, note.text, after);
    return written(space, part, step) ? { path: file, state: note === null ? 'made' : 'changed', reason: null } : null;
  });
  return kept ?? left(WHY_LEFT.busy);
}

/** Whether a note was left since somebody is typing in it just now. */
export function isBusy({ reason }: KeptNote): boolean {
  return reason === WHY_LEFT.busy;
}

function isThere(vault: Vault, file: string): boolean {
  return fs.lstatSync(path.join(vault.root, file), { throwIfNoEntry: false }) !== undefined;
}

function created(file: string, text: string): Step {
  return { do: 'create', path: file, text };
}

function written(space: WriteAccess, { name }: OwnPart, step: Step): boolean {
  const now = space.context.now();
  // Named like an action, so that what a crash leaves of it is kept in the same way.
  const id = `${name}-action-${nameTimeExact(now)}`;
  return space.transactions.commit(id, [step]);
}

function newNote(part: OwnPart, text: string): string {
  return noteText({ steward: false }, `${KEPT_OPENING}\n\n${keptPart(marksOf(part), text)}`);
}

/**
 * Returns the note with the program's part replaced, or appended where there is none; null where its marks are unclear.
 */
function withBlock(note: string, marks: PartMarks, text: string): string | null {
  const part = findPart(note, marks);
  const block = keptPart(marks, text);
  if (part.kind === 'absent') return `${note}${note.endsWith('\n') ? '\n' : '\n\n'}${block}\n`;
  return part.kind === 'found' ? `${note.slice(0, part.start)}${block}${note.slice(part.end)}` : null;
}

function marksOf({ name }: OwnPart): PartMarks {
  return { begin: `%% steward: ${name} %%`, end: '%% /steward %%' };
}

// Where the line that tells is gone, a version before it made the part, or somebody has deleted it.
function isTypedInto(note: string, marks: PartMarks): boolean {
  const part = findPart(note, marks);
  return part.kind === 'found' && part.isOwn === false;
}
