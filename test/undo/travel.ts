import { expect } from 'vitest';
import { type EventNote, eventNoteText } from '../../src/steward/event-note.ts';
import { makePatch, makeRecipe, patchedFields } from '../../src/undo/recipe.ts';
import { appendFields, type EditResult, editFields, type FieldEdit } from '../../src/vault/edit.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { type Frontmatter, readNote } from '../../src/vault/frontmatter.ts';
import { Layout } from '../../src/vault/layout.ts';
import { briefly, noteText } from '../../src/vault/note-text.ts';
import { readRecord, type UndoRecipe, type VaultPatch, type VaultRecord } from '../../src/vault/record.ts';
import { Seal } from '../../src/vault/seal.ts';

/* A recipe travels as it does in a vault: into an event note, through whatever rewrites its line ends, and out again. */

const NOW = Date.parse('2026-11-21T20:19:54Z');
const TARGET = 'task/pay.md';
const EVENT = 'event/steward-action-2026-11-21T20-19-54Z-pay.md';
const NO_STAT = { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0 };

/** What a note goes through on its way: a checkout with other line ends, the cache's JSON, a person's own file. */
export interface Way {
  readonly crlf: boolean;
  readonly ownFile: boolean;
}
export const PLAIN: Way = { crlf: false, ownFile: false };

/** The text of a note edited, and the recipe read back from its event note; null where the edit was refused. */
export function applied(
  source: string,
  edits: readonly FieldEdit[],
  way: Way,
): { text: string; patch: VaultPatch } | null {
  const edited = attempt(() => editFields(TARGET, source, edits));
  if (edited === null) return null;
  const recipe = attempt(() => makeRecipe(makePatch(TARGET, source, edited.text, edited.patch), NOW));
  return recipe === null ? null : { text: edited.text, patch: throughEvent(recipe, dataOf(source), way) };
}

/** What `make` gives, or null where it refuses to be inexact. */
export function attempt<Result = EditResult>(make: () => Result): Result | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof StewardError && /^edit-/.test(error.trouble.code)) return null;
    throw error;
  }
}

export function dataOf(source: string): Frontmatter {
  const read = readNote(TARGET, Buffer.from(source));
  if (!read.ok) throw new Error(`${read.trouble.message}\n${source}`);
  return read.note.data;
}

/** The patch of a recipe, out of the event note that carries it. */
export function throughEvent(recipe: UndoRecipe, prior: Frontmatter, way: Way): VaultPatch {
  const note: EventNote = {
    ...{ type: 'steward-action', now: NOW, target: TARGET, decision: 'likely_done', confidence: 0.9, mode: 'live' },
    ...{ outcome: 'act', priorState: 'open', prior, changes: patchedFields(recipe.vault_patch), evidence: [] },
    ...{ contributions: { mail: 1 }, signals: [], signalsSummary: '', evaluator: 'rules', reasoning: 'Paid.' },
    ...{ gates: [], refusal: null, person: null, noteSha: '', cleared: false, pendingPatch: null, recipe },
  };
  const text = eventNoteText(note, EVENT, new Seal(Buffer.alloc(32)));
  return patchIn(EVENT, text, recipe, way);
}

/** The patch of an undo's own recipe, out of the reversal note, which may be a person's file completed. */
export function throughReversal(inverse: VaultPatch, way: Way): VaultPatch {
  const recipe = makeRecipe(inverse, NOW);
  const fields = { outcome: 'reversed', changes: briefly(patchedFields(inverse)), undo_recipe: recipe };
  const text = way.ownFile
    ? appendFields('event/x.md', '---\r\nreverses: "[[x]]"  # please\r\n---\r\nWhy.', fields)
    : noteText({ type: 'steward-action-reversed', ...fields }, 'Taken back.');
  return patchIn('event/steward-action-reversed-x.md', text, recipe, way);
}

function patchIn(file: string, text: string, recipe: UndoRecipe, { crlf }: Way): VaultPatch {
  const bytes = Buffer.from(crlf ? text.replace(/\r?\n/g, '\r\n') : text);
  const record: VaultRecord = readRecord(new Layout(), {}, file, NO_STAT, bytes);
  if (record.kind !== 'event' && record.kind !== 'reversal') throw new Error(`${JSON.stringify(record)}\n${text}`);
  expect(record.fields.undo_recipe).toEqual(recipe);
  const cached: typeof record.fields = JSON.parse(JSON.stringify(record.fields));
  if (cached.undo_recipe === null) throw new Error('no recipe');
  return cached.undo_recipe.vault_patch;
}
