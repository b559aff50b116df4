import { isStateField } from '../../steward/changes/held-value.ts';
import { sentAt } from '../../steward/trust/speaker.ts';
import type { EditKind } from '../../stream/edits/edit.ts';
import type { EventRecord, ReversalRecord, TargetRecord } from '../../vault/index/record.ts';
import type { FieldRecipe } from '../../vault/records/event.ts';
import { type StatusWords, stateMeant } from '../../vault/records/status-words.ts';
import { VAULT_EDIT } from '../../vault/source-names.ts';
import type { IndexAccess } from '../context/ports.ts';
import { CLOCKS_APART_MS } from './unread-records.ts';

/** Undos of undos are followed this far. */
const MOST_UNDOS = 20;

/** What was written into a note by hand, it is thought, and since when it was not there yet (epoch ms). */
interface Suspect {
  readonly kind: EditKind;
  readonly after: TargetRecord;
  readonly since: number;
}

/**
 * Whether a program has written what a note now holds: this one or another that steward the vault, by an action, a
 * confirmation or an undo. Each leaves a record, which a sync brings along. It is believed whoever wrote it: at worst an
 * edit is not heard.
 */
export function isWrittenByProgram({ vault: { catalogue } }: IndexAccess, { kind, after, since }: Suspect): boolean {
  const records = catalogue.eventsAbout(after.path).flatMap((event) => [event, ...undosOf(catalogue, event)]);
  return records.some((record) => {
    const fields = Object.entries(record.fields.undo_recipe?.vault_patch.fields ?? {});
    return (
      writtenAt(record) > since - CLOCKS_APART_MS &&
      fields.some(([field, recipe]) => isIt(kind, after, field, recipe, catalogue.words))
    );
  });
}

function undosOf(
  catalogue: IndexAccess['vault']['catalogue'],
  of: EventRecord | ReversalRecord,
  depth = 0,
): ReversalRecord[] {
  if (depth > MOST_UNDOS) return [];
  const undos = catalogue.answersTo(of.name).filter((answer) => answer.kind === 'reversal');
  return undos.flatMap((undo) => [undo, ...undosOf(catalogue, undo, depth + 1)]);
}

function writtenAt(record: EventRecord | ReversalRecord): number {
  return Date.parse((record.kind === 'event' ? record.fields.timestamp : record.fields.settled_at) ?? '');
}

function isIt(
  kind: EditKind,
  { fields }: TargetRecord,
  field: string,
  { after }: FieldRecipe,
  words: StatusWords,
): boolean {
  if (kind === 'done') return isStateField(field) && stateMeant(after, words) === fields.state;
  return kind === 'completed' && field === 'completedDate' && after !== null;
}

/** Whether a signal tells of this very edit already, from before a crash or from another machine. */
export function isHeard(
  { vault: { catalogue } }: IndexAccess,
  { target, note, quote, since }: { target: TargetRecord; note: TargetRecord; quote: string; since: number },
): boolean {
  return catalogue.signalsFor(target).some((signal) => {
    const { source_type: channel, source_event_path: path, raw_quote: said } = signal.fields;
    if (channel !== VAULT_EDIT || said !== quote || path === null) return false;
    return catalogue.currentPath(path) === note.path && (sentAt(signal) ?? 0) >= Math.floor(since / 1000) * 1000;
  });
}
