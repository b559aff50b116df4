import { type Calibration, recorded } from '../../steward/learning/calibration.ts';
import type { Door } from '../../undo/order.ts';
import { appendFields } from '../../vault/frontmatter/append.ts';
import { nameKey } from '../../vault/index/index-keys.ts';
import type { EventRecord, OrderRecord } from '../../vault/index/record.ts';
import { wikilink } from '../../vault/links.ts';
import { fold } from '../../vault/note-names.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import { briefly, changeTable, noteText } from '../../vault/notes/note-text.ts';
import type { OrderOutcome } from '../../vault/records/answer-file.ts';
import type { UndoRecipe } from '../../vault/records/event.ts';
import { utc } from '../../vault/time.ts';
import type { Step } from '../../vault/transaction/journal.ts';
import type { NoteReader } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Transactions } from '../../vault/transaction/transaction.ts';
import type { ReadAccess } from '../context/ports.ts';

/** What a person answered to a proposal, as its sibling note records it. */
interface AnswerNote {
  readonly event: EventRecord;
  readonly what: 'confirmed' | 'dismissed';
  readonly by: Door;
  /** The file that the person dropped, which becomes the sibling; null where the program writes one. */
  readonly file: OrderRecord | null;
  readonly now: number;
  readonly recipe: UndoRecipe | null;
  readonly calibrations: readonly Calibration[];
  /** Whether it took the note's flag away. */
  readonly cleared: boolean;
}

/** Where the sibling stands, or is to stand. */
export function answerNotePath(
  transactions: Transactions,
  { event, what, file, now }: Omit<AnswerNote, 'recipe' | 'calibrations' | 'cleared'>,
): string {
  return file?.path ?? transactions.eventPath(`${kindOf(event)}-${what}`, event.fields.target_path ?? 'unknown', now);
}

/** The step that leaves the sibling note at `path`; null where the person's own file is gone meanwhile. */
export function answerNoteStep(notes: NoteReader, path: string, sibling: AnswerNote): Step | null {
  const { event, what, file } = sibling;
  const fields = answerNoteFields(sibling);
  if (file !== null) return appendStep(notes, file, ownFirst(file, event, fields));
  const opening = `A person ${what} the proposal ${linkTo(event.name)}.`;
  const table = what === 'confirmed' ? `\n\n${changeTable(briefly(event.fields.changes))}` : '';
  return { do: 'create', path, text: noteText(fields, opening + table) };
}

/** The step that says in a dropped file why it was not carried out; null where the file is gone. */
export function refusalStep(
  space: ReadAccess,
  file: OrderRecord,
  outcome: OrderOutcome,
  message: string,
  isFound: boolean,
): Step | null {
  const found = isFound && file.fields.event_found !== false ? {} : { event_found: isFound };
  return appendStep(space.notes, file, { ...found, outcome, message, settled_at: utc(space.context.now()) });
}

function appendStep(notes: NoteReader, { path }: OrderRecord, append: Readonly<Record<string, unknown>>): Step | null {
  const text = notes.text(path);
  return text === null ? null : { ...textStep(path, text, appendFields(path, text, append)), append };
}

function answerNoteFields({
  event,
  what,
  by,
  now,
  recipe,
  calibrations,
  cleared,
}: AnswerNote): Record<string, unknown> {
  const { fields } = event;
  return {
    type: `${kindOf(event)}-${what}`,
    timestamp: utc(now),
    [linkField(what)]: wikilink(event.path),
    [`${what}_by`]: by,
    outcome: what,
    target: fields.target_path === null ? null : wikilink(fields.target_path),
    target_path: fields.target_path,
    decision: fields.decision,
    confidence: fields.confidence,
    mode: 'live',
    changes: what === 'confirmed' ? briefly(fields.changes) : {},
    source_contributions: fields.source_contributions,
    signals: fields.signals,
    ...recorded(calibrations),
    ...(what === 'confirmed' ? { calibration: {} } : {}), // an observation moves no confidence
    ...(cleared ? { pending_cleared: true } : {}),
    plane_action: null,
    undo_recipe: recipe,
    undo: false,
  };
}

// What the person wrote in their file stays as they wrote it; the program adds what it knows.
function ownFirst(file: OrderRecord, event: EventRecord, fields: Record<string, unknown>): Record<string, unknown> {
  const { type, confirms, dismisses, event_found: found } = file.fields;
  const isNamed = nameKey(confirms ?? dismisses ?? '') === fold(event.name);
  const kept = new Set([...(type === null ? [] : ['type']), ...(isNamed ? ['confirms', 'dismisses'] : [])]);
  const added = Object.entries(fields).filter(([field]) => !kept.has(field));
  return { ...Object.fromEntries(added), ...(found === false ? { event_found: true } : {}) };
}

function linkField(what: AnswerNote['what']): 'confirms' | 'dismisses' {
  return what === 'confirmed' ? 'confirms' : 'dismisses';
}

function kindOf(event: EventRecord): 'steward-action' | 'signal-action' {
  return event.fields.type.startsWith('signal-') ? 'signal-action' : 'steward-action';
}
