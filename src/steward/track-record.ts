import { fold } from '../vault/layout.ts';
import {
  type EventRecord,
  isSiblingType,
  type LicenceKind,
  OCCURRENCES,
  type ReversalRecord,
  type TargetRecord,
} from '../vault/record.ts';
import { sourceKey } from '../vault/source-names.ts';
import { localDate } from '../vault/time.ts';
import { isStateField } from './change.ts';
import { isOwnNote } from './records.ts';
import { findMatter, type TrustSpace } from './sender.ts';
import type { PastAnswer, Records, Seals } from './types.ts';

/**
 * The user's answers about the changes of one sender on one matter. They give no right: they are the evidence for the
 * offer of a licence (contract, section 6).
 */
interface TrackRecord {
  readonly right: number;
  readonly wrong: number;
  /** The local days with a right outcome, in order. */
  readonly days: readonly string[];
  /** The right changes: the local day, and the kinds of the changes. */
  readonly outcomes: readonly { readonly day: string; readonly kinds: readonly LicenceKind[] }[];
}

type Answerable = EventRecord | ReversalRecord;

/** A note's kind, and the name that it has for its state. */
interface NoteOfKind {
  readonly kind: TargetRecord['kind'];
  readonly fields: { readonly state_field: string };
}

/** Returns the kind of licence that a change of a field needs. `after`: the field's new value, a state as the program calls it. */
export function kindOfChange(target: NoteOfKind, field: string, after: unknown): LicenceKind {
  if (isStateField(field) || field === target.fields.state_field) {
    const end = after === true ? 'done' : after; // a ticked checkbox
    if (end === 'done' || end === 'archived') return target.kind === 'matter' ? 'matter' : end;
    return 'due'; // snoozed, and awake again
  }
  if (field === 'completedDate' || field === OCCURRENCES) return 'done';
  return DATES.has(field) ? 'due' : 'fields';
}

const DATES: ReadonlySet<string> = new Set(['due', 'scheduled', 'snoozed_until']);

/** Returns what the user has said about a sender's changes on a note's matter, by notes that the program itself wrote. */
export function trackRecord(space: TrustSpace, source: string, target: TargetRecord): TrackRecord {
  const about = listMatterNotes(space, target).flatMap((note) =>
    space.vault.catalogue
      .eventsAbout(note.path)
      .filter((event) => isBorneBy(event, source) && isOwnNote(space, event))
      .map((event) => ({ note, event })),
  );
  const right = about.filter(({ event }) => isRight(event) && !isWithdrawn(space, event));
  const wrong = about.filter(({ event }) => isWrong(space, event));
  const outcomes = right.map(({ note, event }) => ({
    day: localDate(outcomeAt(event)),
    kinds: Object.entries(event.fields.changes).map(([field, change]) => kindOfChange(note, field, change.after)),
  }));
  return {
    right: right.length,
    wrong: wrong.length,
    days: [...new Set(outcomes.map(({ day }) => day))].toSorted(),
    outcomes,
  };
}

/** Returns a track record in a few words: `right 3 of 3 times, on 2 days`. */
export function trackRecordWords({ right, wrong, days }: { right: number; wrong: number; days: number }): string {
  const all = right + wrong;
  return `right ${right} of ${all} ${all === 1 ? 'time' : 'times'}, on ${days} ${days === 1 ? 'day' : 'days'}`;
}

/** Returns a track record as the evidence of a licence. */
export function evidenceWords(record: TrackRecord): string {
  return trackRecordWords({ ...record, days: record.days.length });
}

/**
 * Returns what the user said about a source's changes, by notes that the program itself wrote. Right: confirmed, taught
 * or made by hand. Wrong: dismissed as wrong, set otherwise by hand or undone. An answer that was taken back since
 * doesn't count, nor one from `until` on (epoch ms).
 */
export function pastAnswers(space: Records & Seals, source: string, until = Number.POSITIVE_INFINITY): PastAnswer[] {
  const { catalogue } = space.vault;
  return catalogue.judgementsOf(source).flatMap((note) => {
    if (!isOwnNote(space, note) || isWithdrawn(space, note) || saidAt(note) >= until) return [];
    const judged = note.kind === 'event' ? note : catalogue.resolve(note.fields.reverses ?? '', ['event']);
    // To undo an answer takes it back, and is no verdict on the sender.
    if (judged?.kind !== 'event' || (note.kind === 'reversal' && isSiblingType(judged.fields.type))) return [];
    const path = judged.fields.target_path;
    return path === null
      ? []
      : [{ note: catalogue.currentPath(path), isRight: note.kind === 'event' && isRight(note) }];
  });
}

function saidAt(note: Answerable): number {
  return note.kind === 'event' ? outcomeAt(note) : Date.parse(note.fields.settled_at ?? '');
}

/** Whether an event note records that the user found a change right: confirmed, taught, or made by hand. */
export function isRight({ fields }: EventRecord): boolean {
  if (fields.dismisses !== null) return false;
  return fields.taught === 'right' || (fields.confirms !== null && Object.keys(fields.changes).length > 0);
}

// When the user found it right: a change made by hand may have been proposed long before.
function outcomeAt({ fields }: EventRecord): number {
  return Date.parse((fields.taught === 'right' ? fields.taught_at : null) ?? fields.timestamp);
}

/** Whether the user found a change wrong: dismissed as wrong, set otherwise by hand, or taken back. */
function isWrong(space: TrustSpace, event: EventRecord): boolean {
  const { taught, dismisses, later, undo_recipe: recipe, lesson } = event.fields;
  const isTakenBack = isWithdrawn(space, event);
  // To have seen a question, and "not now", are no verdict on its sender.
  if (dismisses !== null) return !later && !isTakenBack && isLesson(lesson);
  return taught === 'wrong' || (isTakenBack && (recipe !== null || isRight(event)));
}

function isLesson(lesson: EventRecord['fields']['lesson']): boolean {
  return lesson !== null && (lesson.none !== null || Object.keys(lesson.moved).length > 0);
}

function isBorneBy({ fields }: EventRecord, source: string): boolean {
  const key = sourceKey(source);
  return Object.entries(fields.source_contributions).some(([one, share]) => share > 0 && sourceKey(one) === key);
}

/** Undos of undos are followed this far; beyond it, what was taken back stays so. */
const MOST_UNDOS = 20;

// Anybody may drop a note that takes something back, and it errs on the safe side to believe it. A note that takes a
// reversal back would restore what the user withdrew, so that one must be the program's own.
function isWithdrawn(space: Records & Seals, event: Answerable, depth = 0): boolean {
  if (depth > MOST_UNDOS) return true;
  const isRestored = (reversal: Answerable) =>
    reversalsOf(space, reversal).some(
      (undoing) => isOwnNote(space, undoing) && !isWithdrawn(space, undoing, depth + 1),
    );
  return reversalsOf(space, event).some((reversal) => !isRestored(reversal));
}

function reversalsOf({ vault }: Records, { name }: Answerable): ReversalRecord[] {
  return vault.catalogue
    .answersTo(name)
    .filter((answer) => answer.kind === 'reversal')
    .filter(({ fields }) => fields.outcome === 'reversed');
}

/** Returns a note's matter and all its tasks; a task without a matter comes alone. */
export function listMatterNotes({ vault: { catalogue } }: TrustSpace, target: TargetRecord): TargetRecord[] {
  const matter = findMatter(catalogue, target);
  return matter === null ? [target] : [matter, ...catalogue.tasksOf(matter)];
}

/** Returns the senders that had a right outcome on each matter, with a note of it, from some event notes. */
export function rightSenders(
  space: TrustSpace,
  events: Iterable<EventRecord>,
): { readonly source: string; readonly target: TargetRecord }[] {
  const found = new Map<string, { source: string; target: TargetRecord }>();
  for (const event of events) {
    const path = event.fields.target_path;
    const target = path === null ? undefined : space.vault.catalogue.get(space.vault.catalogue.currentPath(path));
    if ((target?.kind !== 'task' && target?.kind !== 'matter') || !isRight(event)) continue;
    const matter = findMatter(space.vault.catalogue, target);
    for (const [source, share] of Object.entries(event.fields.source_contributions)) {
      if (share > 0) found.set(`${sourceKey(source)} ${fold(matter?.path ?? target.path)}`, { source, target });
    }
  }
  return [...found.values()];
}
