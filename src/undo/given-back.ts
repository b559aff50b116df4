import { permit } from '../steward/changes/change-policy.ts';
import { ourName } from '../steward/changes/field-mapping.ts';
import { heldIn } from '../steward/changes/held-value.ts';
import { handsOffReason } from '../steward/changes/opt-out.ts';
import { mutationContext } from '../steward/changes/permission.ts';
import { recordedChanges } from '../steward/changes/recorded-changes.ts';
import { isProtected, mayBeWritten } from '../steward/changes/writable-fields.ts';
import { isOwnNote } from '../steward/ports/own-notes.ts';
import { isRefusal } from '../vault/errors.ts';
import { findField, openDocument } from '../vault/frontmatter/document.ts';
import { same } from '../vault/frontmatter/equal.ts';
import type { TargetRecord } from '../vault/index/record.ts';
import { liveMark } from '../vault/notes/escape.ts';
import type { FieldRecipe, VaultPatch } from '../vault/records/event.ts';
import type { Changes } from '../vault/records/mutation.ts';
import { stewardSwitch, type Yaml } from '../vault/records/values.ts';
import type { NoteSnapshot } from '../vault/transaction/note-snapshot.ts';
import type { Answerable } from './order.ts';
import type { UndoSpace } from './undo-space.ts';

// What is given back passes the same rules of writing as what is written. Only what the program itself recorded is given
// back as it was, whatever it says: it stood in the note before.

/** The note that a recipe is for, or the sentence that says why it is for none. */
type Aimed = { readonly ok: true; readonly target: TargetRecord | null } | { readonly ok: false; readonly why: string };

/** Returns the matter or task that a recipe is for, null where it is gone, or why the recipe is not carried out at all. */
export function recipeTarget(space: UndoSpace, { target: path, fields }: VaultPatch): Aimed {
  const refused = (why: string): Aimed => ({ ok: false, why });
  if (path === '') return refused('Its recipe names no note of this vault.');
  const outside = Object.keys(fields).find((field) => !isWritable(space, field));
  if (outside !== undefined) return refused(`The field ${outside} is not one that the steward writes.`);
  const record = space.vault.catalogue.get(path);
  const kind = record?.kind ?? space.vault.layout.kindOf(path);
  if (record?.kind === 'bad') return refused(record.trouble.message);
  if (kind !== 'matter' && kind !== 'task') return refused(`${path} is no matter and no task.`);
  if (record?.kind !== 'matter' && record?.kind !== 'task') return { ok: true, target: null };
  const off = handsOffReason(space, record);
  return off === null ? { ok: true, target: record } : refused(off);
}

// A field that has another name in the note is protected under either.
function isWritable({ context: { settings } }: UndoSpace, field: string): boolean {
  const names = [field, ourName(field, settings.field_mapping)];
  if (names.some((name) => isProtected(name, settings.protected_fields))) return false;
  return names.some((name) => mayBeWritten(name, settings));
}

/** Returns why a recipe may not be carried out on a note as it is on disk; null where it may. */
export function refusedHere(
  space: UndoSpace,
  { event, target }: { readonly event: Answerable; readonly target: TargetRecord },
  note: NoteSnapshot,
  patch: VaultPatch,
): string | null {
  if (!stewardSwitch.parse(note.data.steward)) return `${target.name} says steward: false.`;
  return isOwnNote(space, event) ? null : strangersReason(space, target, note, patch);
}

// Anybody may have written this event, and a person who orders it by name may not have read it to the last byte.
function strangersReason(
  space: UndoSpace,
  target: TargetRecord,
  note: NoteSnapshot,
  { fields }: VaultPatch,
): string | null {
  const odd = Object.entries(fields).find(([field, recipe]) => !isPlainEntry(field, recipe));
  if (odd !== undefined) return notOurs(`${odd[0]} would not be given back as one plain field`);
  const { settings } = space.context;
  const changes = recordedChanges(changesTo(fields, note), settings.field_mapping, space.vault.catalogue.words);
  const permission = permit(changes, mutationContext(space, target, note.data));
  return permission.ok ? null : notOurs(permission.reason.replace(/\.$/, ''));
}

function notOurs(why: string): string {
  return `The event was not written by this program on this machine, and ${why}.`;
}

/** What would be written; a field that is taken away, or is there without a value, writes nothing. */
function changesTo(fields: VaultPatch['fields'], { data }: NoteSnapshot): Changes {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, { before, before_source: source }]) => source !== null && before !== null)
      .map(([field, { before }]) => [field, { before: heldIn(data, field), after: before }]),
  );
}

/** Line ends that some readers of YAML take for one, and others for a part of the text. */
const ODD_BREAKS = /\r(?!\n)|[\u0085\u2028\u2029]|(?![\t\r\n])\p{Cc}/u;

/** Whether the former bytes of a field are that field alone, with the value they are said to have and nothing live. */
function isPlainEntry(field: string, { before, before_source: source }: FieldRecipe): boolean {
  if (source === null) return true;
  if (!isPlainValue(before) || ODD_BREAKS.test(source) || liveMark(source) !== null) return false;
  try {
    const alone = openDocument('recipe.md', `---\n${source.replace(/\n?$/, '\n')}---\n`);
    const entry = findField(alone, field);
    const isWhole = entry?.simple === true && entry.start === 0 && entry.end === alone.body.length;
    return isWhole && alone.entries.length === 1 && same(heldIn(alone.data, field), before);
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

function isPlainValue(value: Yaml): boolean {
  if (Array.isArray(value)) return value.every((member) => typeof member === 'string');
  return value === null || typeof value !== 'object';
}
