import type { PlaneAction } from '../../plane/order.ts';
import { type Calibration, recorded } from '../../steward/learning/calibration.ts';
import { matterField } from '../../steward/ports/matter-link.ts';
import type { Door } from '../../undo/order.ts';
import { appendFields } from '../../vault/frontmatter/append.ts';
import { nameKey } from '../../vault/index/index-keys.ts';
import type { EventRecord, OrderRecord } from '../../vault/index/record.ts';
import { sealEvent } from '../../vault/index/seals.ts';
import { wikilink } from '../../vault/links.ts';
import { fold, stem } from '../../vault/note-names.ts';
import { briefly, changeLine, noteText } from '../../vault/notes/note-text.ts';
import { spokenFields } from '../../vault/notes/spoken.ts';
import type { OrderOutcome } from '../../vault/records/answer-file.ts';
import type { UndoRecipe } from '../../vault/records/event.ts';
import { utc } from '../../vault/time.ts';
import type { Step } from '../../vault/transaction/intent.ts';
import type { NoteReader } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Transactions } from '../../vault/transaction/transaction.ts';
import { answerBody } from '../../vault/words/answer-words.ts';
import { boxFields, EVENT_CLASSES, saysField, undoable } from '../../vault/words/becoming.ts';
import type { ReadAccess } from '../context/ports.ts';
import { withPlaneRevert } from '../plane/plane-action.ts';

/** A person's answer to a proposal, as the answer note records it. */
interface AnswerNote {
  readonly event: EventRecord;
  readonly what: 'confirmed' | 'dismissed';
  readonly by: Door;
  /** The file that the person dropped, which becomes the answer note; null where the program writes one. */
  readonly file: OrderRecord | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly recipe: UndoRecipe | null;
  /** What Plane is to be told of it; null where nothing. */
  readonly plane: PlaneAction | null;
  readonly calibrations: readonly Calibration[];
  /** Whether the answer took the note's flag away. */
  readonly cleared: boolean;
}

/** Returns the path of the answer note: the dropped file, or a new event note. */
export function answerNotePath(
  transactions: Transactions,
  { event, what, file, now }: Pick<AnswerNote, 'event' | 'what' | 'file' | 'now'>,
): string {
  return (
    file?.path ?? transactions.eventPath(`${actionType(event)}-${what}`, event.fields.target_path ?? 'unknown', now)
  );
}

/** Returns the step that writes the answer note to `path`; null where the person's own file is gone by now. */
export function answerNoteStep(
  { notes, vault, context: { seal } }: ReadAccess,
  path: string,
  answerNote: AnswerNote,
): Step | null {
  const { event, what, file } = answerNote;
  const fields = answerNoteFields(path, answerNote, matterField(vault, event.fields.target_path));
  if (file !== null) {
    const completed = ownFirst(file, event, fields);
    const sealed = sealEvent(seal, path, { ...notes.fresh(path)?.data, ...completed });
    return appendStep(notes, file, { ...completed, seal: sealed.seal });
  }
  const { from, quote, target_path: target, changes } = event.fields;
  const telling = { what, event: event.name, target: target === null ? null : stem(target), changes, from, quote };
  const text = noteText(sealEvent(seal, path, fields), answerBody(telling, undoable('change', answerNote.recipe)));
  return { do: 'create', path, text };
}

/**
 * Returns the step that writes into a dropped file why it was not carried out; null where the file is gone. `isFound`:
 * whether the file names an event note of the vault.
 */
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

function answerNoteFields(
  path: string,
  { event, what, by, now, recipe, plane, calibrations, cleared }: AnswerNote,
  matter: ReturnType<typeof matterField>,
): Record<string, unknown> {
  const { fields } = event;
  const becoming = undoable('change', recipe);
  return {
    ...boxFields(becoming),
    change: changeLine(fields.changes) ?? fields.change,
    ...spokenFields(fields),
    outcome: what,
    cssclasses: EVENT_CLASSES,
    type: `${actionType(event)}-${what}`,
    timestamp: utc(now),
    ...matter,
    [linkField(what)]: wikilink(event.path),
    [`${what}_by`]: by,
    target: fields.target_path === null ? null : wikilink(fields.target_path),
    target_path: fields.target_path,
    decision: fields.decision,
    confidence: fields.confidence,
    mode: 'live',
    changes: what === 'confirmed' ? briefly(fields.changes) : {},
    source_contributions: fields.source_contributions,
    signals: fields.signals,
    ...recorded(calibrations),
    ...(cleared ? { pending_cleared: true } : {}),
    plane_action: plane,
    ...saysField(becoming),
    undo_recipe: withPlaneRevert(recipe, plane, path),
  };
}

/** What stands only in a note that the program makes: it is about the body, or about how the whole looks. */
const OF_NEW_NOTES: ReadonlySet<string> = new Set(['change', 'cssclasses', 'says']);

// What the person wrote in their file stays as they wrote it; the program adds the other fields.
function ownFirst(file: OrderRecord, event: EventRecord, fields: Record<string, unknown>): Record<string, unknown> {
  const { type, confirms, dismisses, event_found: found } = file.fields;
  const isNamed = nameKey(confirms ?? dismisses ?? '') === fold(event.name);
  const kept = new Set([...(type === null ? [] : ['type']), ...(isNamed ? ['confirms', 'dismisses'] : [])]);
  const added = Object.entries(fields).filter(([field]) => !kept.has(field) && !OF_NEW_NOTES.has(field));
  return { ...Object.fromEntries(added), ...(found === false ? { event_found: true } : {}) };
}

function linkField(what: AnswerNote['what']): 'confirms' | 'dismisses' {
  return what === 'confirmed' ? 'confirms' : 'dismisses';
}

function actionType(event: EventRecord): 'steward-action' | 'signal-action' {
  return event.fields.type.startsWith('signal-') ? 'signal-action' : 'steward-action';
}
