import { ourName } from '../../steward/changes.ts';
import { isProtected, mayBeWritten } from '../../steward/changes-held-value.ts';
import { readNote } from '../../vault/frontmatter-parse.ts';
import { intentId } from '../../vault/note-text.ts';
import { bodyOf, type ParsedNote, same } from '../../vault/parsed-note.ts';
import type { WriteAccess } from '../context.ts';
import type { EntryStep } from './entry-steps.ts';

type Rules = Pick<WriteAccess, 'vault' | 'context'>;

/** What a stamp on a signal sets. */
const STAMPS: readonly string[] = ['status', 'applied_at', 'audit_record_path'];
/** The flag that a proposal sets on its note. */
const FLAG = 'pending_confirmation';

/** A change of a note's text, or the reason why an unfinished action may not make it. */
export type Permitted =
  | { readonly ok: true; readonly fields: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Returns whether an entry that the program doesn't know as its own may change a note so: only what an undo recipe may
 * do. Anybody who can write into the vault may have planted it, and hopes for a yes.
 */
export function permitChange(space: Rules, path: string, from: string, to: string): Permitted {
  const kind = space.vault.layout.kindOf(path);
  if (kind !== 'task' && kind !== 'matter' && kind !== 'signal')
    return no(`${path} isn't a task, matter or signal note`);
  const [before, after] = [readNote(path, Buffer.from(from)), readNote(path, Buffer.from(to))];
  if (!before.ok || !after.ok) return no(`${path} can't be read as a note, before or after`);
  if (before.note.data.steward === false) return no(`${path} says hands off`);
  if (bodyOf(before.note) !== bodyOf(after.note)) return no(`it would change the text of ${path} below the fields`);
  const fields = changedFields(before.note, after.note);
  const forbidden = fields.find((field) => !(kind === 'signal' ? STAMPS.includes(field) : mayBeSet(space, field)));
  return forbidden === undefined ? { ok: true, fields } : no(`it would change the field ${forbidden} of ${path}`);
}

/** Whether a step creates the event note that an action of this name leaves, and nothing else. */
export function isEventNote({ vault }: Rules, name: string, { do: kind, path, text }: EntryStep): boolean {
  if (kind !== 'create' || vault.layout.kindOf(path) !== 'event' || intentId(path) !== name) return false;
  return readNote(path, Buffer.from(text)).ok;
}

function mayBeSet({ context }: Rules, field: string): boolean {
  const { settings } = context;
  if (field === FLAG) return true;
  return (
    !isProtected(field, settings.protected_fields) && mayBeWritten(ourName(field, settings.field_mapping), settings)
  );
}

function changedFields({ data: before }: ParsedNote, { data: after }: ParsedNote): string[] {
  return Object.keys({ ...before, ...after }).filter((field) => !same(before[field] ?? null, after[field] ?? null));
}

function no(reason: string): Permitted {
  return { ok: false, reason };
}
