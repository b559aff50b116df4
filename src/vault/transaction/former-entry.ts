import { readNote } from '../frontmatter-parse.ts';
import { wroteEvent, wroteReversal } from '../index-keys.ts';
import { stem } from '../note-names.ts';
import { intentId } from '../note-text.ts';
import type { Frontmatter } from '../records/values.ts';
import { eventFields, REVERSAL_TYPES, reversalFields, type VaultPatch } from '../records.ts';
import type { Seal } from '../seal.ts';
import type { EditStep, Intent, Step } from './intent.ts';

/** What the note that records an action says of the note that the action changed, under the program's mark. */
interface Proof {
  readonly record: Step;
  readonly target: string | null;
  readonly patch: VaultPatch | null;
}

/** What a stamp on a signal may set. */
const STAMPS = ['status', 'applied_at', 'audit_record_path'];

/**
 * Returns what may be carried out of an entry without a mark, as versions before the mark left them: null where nothing
 * proves that the program wrote it. The proof is the event note within, which carried the mark before entries did. It
 * covers the change of the note and the event note. Of the other steps, stamps that name this very event note are taken
 * over, field by field. The rest, such as a lesson, is not proven: its note is only put in order, with the bytes that it
 * had or that it has got already. So is the note of an entry with a single edit, of which nothing is left to write.
 */
export function provenEntry(seal: Seal, entry: Intent): Intent | null {
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
  // The recipe of a confirmation begins where the mark of the proposal is gone: only the end is the same.
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

// No bytes have this hash: so the edit is made on the note as it is now, and nothing else of its text is taken over.
function fieldByField(step: EditStep): EditStep {
  return { ...step, before_sha256: '' };
}

function onlyInOrder({ do: kind, path, after_sha256, text }: EditStep): EditStep {
  return fieldByField({ do: kind, path, before_sha256: '', after_sha256, text });
}
