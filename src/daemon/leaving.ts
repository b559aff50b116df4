import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { concernedBy, isUpToDate, noteNow, outcomeWithoutSteward } from '../steward/event-note.ts';
import { isHandsOff, withoutPending } from '../steward/proposals.ts';
import { isKnownNote } from '../steward/records.ts';
import type { DecisionReadAccess, DecisionWriteAccess } from '../steward/workspace.ts';
import { textStep } from '../vault/edit.ts';
import { StewardError } from '../vault/errors.ts';
import { saysForcible } from '../vault/event-text.ts';
import { createWhole, readInside } from '../vault/files.ts';
import type { TargetRecord } from '../vault/record.ts';
import { nameTime, nameTimeExact } from '../vault/time.ts';
import type { Workspace } from './context.ts';

// How Steward puts the user's notes in order before it leaves a vault.

/** Returns the notes in which Steward set `pending_confirmation`. A flag that a person set isn't Steward's. */
export function flaggedNotes(space: DecisionReadAccess): TargetRecord[] {
  const { catalogue } = space.vault;
  return [...catalogue.matters(), ...catalogue.tasks()].filter(
    (note) => note.fields.pending_confirmation && !isHandsOff(space, note) && bareText(space, note.path) !== null,
  );
}

// Null if the note is gone, or has no flag of Steward's.
function bareText(space: DecisionReadAccess, file: string): string | null {
  const note = space.notes.fresh(file);
  const bare = note === null ? null : withoutPending(space, note, () => true);
  return bare === note?.text ? null : bare;
}

/** Removes these flags, byte for byte as each note was before. Returns the notes that are being edited: they keep theirs. */
export async function removeFlags(space: DecisionWriteAccess): Promise<string[]> {
  const left: string[] = [];
  for (const { path: file } of flaggedNotes(space))
    if (!(await isEdited(space, file, () => bareText(space, file)))) left.push(file);
  return left;
}

/**
 * Closes what waits for an answer, and takes away the boxes: without Steward, neither an answer nor an undo has an effect.
 * Returns the event notes that are being edited, which stay as they are.
 */
export async function closeEventNotes(space: DecisionWriteAccess): Promise<string[]> {
  const at = space.context.now();
  const left: string[] = [];
  for (const file of invitingNotes(space))
    if (!(await isEdited(space, file, () => closedText(space, file, at)))) left.push(file);
  return left;
}

/** Returns the paths of the event notes that invite an answer or an undo, there or in another note. */
function invitingNotes({ vault, ...space }: DecisionReadAccess): ReadonlySet<string> {
  const { catalogue } = vault;
  const undoable = [...catalogue.chronicle.undoableHours(space.context.now())].flat();
  const forcible = catalogue.reversals().filter(({ fields: { says } }) => says !== null && saysForcible(says));
  const offers = [...undoable, ...forcible];
  return new Set([
    ...catalogue.waiting('event').map(({ path: file }) => file),
    ...offers.flatMap((record) => [record.path, ...concernedBy({ vault, ...space }, record)]),
  ]);
}

// Null if the note is gone, says it already, or belongs to another machine.
function closedText(space: DecisionReadAccess, file: string, at: number): string | null {
  const event = space.vault.catalogue.get(file);
  if ((event?.kind !== 'event' && event?.kind !== 'reversal') || !isKnownNote(space, event)) return null;
  const now = outcomeWithoutSteward(space, event, at);
  const remark = event.kind === 'event' ? event.fields.remark : null;
  const note = isUpToDate(event.fields, now, remark) ? null : space.notes.fresh(file);
  if (note === null) return null;
  const text = noteNow(file, note.text, note.data, now, remark);
  return text === note.text ? null : text;
}

/** Edits a note once its editor is quiet. `textNow` returns null if no edit is needed. Returns false if the note is being edited. */
async function isEdited(space: DecisionWriteAccess, file: string, textNow: () => string | null): Promise<boolean> {
  const { context, notes, transactions } = space;
  const deadline = context.now() + 2 * context.settings.settle_seconds * 1000 + 2000;
  for (;;) {
    transactions.finishHeldUp([file]);
    const [note, text] = [notes.fresh(file), textNow()];
    if (note === null || text === null) return true;
    if (note.settledAt > deadline) return false;
    const quietIn = note.settledAt - context.now();
    if (quietIn > 0) await wait(quietIn);
    else if (transactions.commit(`leave-action-${nameTimeExact(context.now())}`, [textStep(file, note.text, text)]))
      return true;
    else if (context.now() > deadline) return false;
  }
}

/** A version of a person's note that Steward kept when two programs wrote at once. */
interface KeptVersion {
  /** Its place below `.steward/`. */
  readonly file: string;
  /** The path that it gets next to the note, vault-relative. */
  readonly beside: string;
}

/** Returns the versions of notes that Steward kept and that are still there. */
export function keptVersions({ context, vault }: Pick<Workspace, 'context' | 'vault'>): KeptVersion[] {
  return context.state
    .get('kept')
    .filter(({ file }) => fs.existsSync(path.join(vault.root, file)))
    .map(({ note, file, at }) => ({ file, beside: besideName(note, at) }));
}

function besideName(note: string, at: string): string {
  const { dir, name, ext } = path.posix.parse(note);
  return path.posix.join(dir, `${name} (kept ${nameTime(Date.parse(at))})${ext}`);
}

/** Puts each kept version next to its note; one that is there already stays. Throws what the disk refuses. */
export function putKeptBeside(space: Pick<Workspace, 'context' | 'vault'>): void {
  const { root, places } = space.vault;
  if (space.context.state.lostAt('kept') !== null) throw keptUnread();
  for (const { file, beside } of keptVersions(space)) {
    const { bytes } = readInside(root, file, MAX_KEPT_BYTES);
    for (let nth = 1; !isPut(root, numbered(beside, nth), bytes); nth += 1)
      if (createWhole(root, places.tmp, numbered(beside, nth), bytes)) break;
  }
}

function numbered(file: string, nth: number): string {
  const { dir, name, ext } = path.posix.parse(file);
  return nth === 1 ? file : path.posix.join(dir, `${name} ${nth}${ext}`);
}

function isPut(root: string, file: string, bytes: Buffer): boolean {
  return fs.existsSync(path.join(root, file)) && readInside(root, file, MAX_KEPT_BYTES).bytes.equals(bytes);
}

function keptUnread(): StewardError {
  return new StewardError({
    code: 'kept-unread',
    message: "It can't be read which versions of your notes Steward kept.",
    hint: 'Look for them in .steward/history and copy what you need. Then delete .steward, and run `steward leave` again.',
  });
}

const MAX_KEPT_BYTES = 64 * 1024 * 1024;
