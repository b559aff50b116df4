import { type Diagnostic, isRefusal } from '../../vault/errors.ts';
import { editFields, type FieldEdit } from '../../vault/frontmatter/edit.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter/parse.ts';
import { withHistory } from '../../vault/notes/history-block.ts';
import { type InstinctFields, instinctFields } from '../../vault/records/instinct.ts';
import type { EditStep, Step } from '../../vault/transaction/intent.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Notes, Records } from '../ports/space.ts';
import type { Calibration } from './calibration.ts';
import type { Instinct } from './instinct.ts';
import { instinctEdits, instinctNote, isVisible, openingOf, rowOf } from './instinct-note.ts';
import { distinct, freePath, instinctFrom, instinctOf } from './sources.ts';

/** What teaching needs: the instinct notes, and the place to report one that cannot be written. */
export interface Classroom extends Records, Notes {
  readonly problems: { readonly faults: Map<string, Diagnostic> };
}

/** What one occasion teaches about the sources behind it. */
interface Lesson {
  /** Epoch milliseconds; the history shows it. */
  readonly at: number;
  /** What happened, for the history: one line of Markdown. */
  readonly what: string;
  readonly move: (instinct: Instinct) => Instinct;
}

/** What a lesson writes, and how far it moved each source. */
export interface Taught {
  /** Steps for one transaction: after a crash all of them are done, or none. */
  readonly steps: readonly Step[];
  readonly calibrations: readonly Calibration[];
}

/** A lesson that moved no source. */
export const NOTHING_TAUGHT: Taught = { steps: [], calibrations: [] };

/**
 * Returns the steps that teach some sources a lesson, each once, and what it moved. The notes are read again first, so
 * that the lesson starts from what a person has written there meanwhile. A source whose note cannot be read, or says
 * `steward: false`, learns nothing.
 */
export function teach(space: Classroom, sources: readonly string[], lesson: Lesson): Taught {
  const taken = new Set<string>();
  const learnt = distinct(sources).flatMap((source) => {
    const one = learntBy(space, source, lesson, taken);
    if (one !== null) taken.add(one.step.path);
    return one === null ? [] : [one];
  });
  return { steps: learnt.map(({ step }) => step), calibrations: learnt.map(({ calibration }) => calibration) };
}

/**
 * Returns the step that moves the instinct in a note as it was just read. Null where it moves nothing, or where the
 * note cannot be edited exactly: then the note is left as it is, and the fault reported.
 */
export function lessonStep(space: Classroom, note: NoteSnapshot, before: Instinct, lesson: Lesson): EditStep | null {
  const after = lesson.move(before);
  const edits = instinctEdits(before, after, note.data);
  if (edits.length === 0) return null;
  const history = isVisible(before, after) ? [rowOf(before, after, lesson.at, lesson.what)] : [];
  const fault = `lesson ${note.path}`;
  try {
    const edited = editFields(note.path, note.text, edits).text;
    const opening = openingOf(after);
    const withRows = withHistory(note.path, edited, history, opening);
    const text = Buffer.byteLength(withRows) > MAX_NOTE_BYTES ? edited : withRows;
    space.problems.faults.delete(fault);
    return {
      ...textStep(note.path, note.text, text),
      again: [...edits].map(plainEdit),
      expects: heldBefore(note, edits),
      history,
      opening,
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    space.problems.faults.set(fault, error.trouble);
    return null;
  }
}

/**
 * Returns the figures in a note that may be moved; null where they make no sense, or the note says `steward: false`.
 */
export function figuresIn(note: NoteSnapshot): InstinctFields | null {
  const fields = instinctFields.safeParse(note.data).data;
  return fields?.steward ? fields : null;
}

function learntBy(
  space: Classroom,
  source: string,
  lesson: Lesson,
  taken: ReadonlySet<string>,
): { step: Step; calibration: Calibration } | null {
  const record = space.vault.catalogue.instinctOf(source);
  const path = record === null ? freePath(space, source, taken) : record.path;
  const note = path === null ? null : space.notes.fresh(path);
  // The first lesson of a source may wait for the disk, and is no record yet.
  if (record === null && note === null) return learntFirst(space, source, lesson, path);
  const fields = note === null ? null : figuresIn(note);
  const before = fields === null ? null : instinctFrom(fields, source);
  const step = note === null || before === null ? null : lessonStep(space, note, before, lesson);
  return step === null || before === null
    ? null
    : { step, calibration: calibrationOf(source, before, lesson.move(before)) };
}

function learntFirst(space: Classroom, source: string, lesson: Lesson, path: string | null) {
  if (path === null) return null;
  const before = instinctOf(space, source);
  const after = lesson.move(before);
  const text = instinctNote(path, after, [rowOf(before, after, lesson.at, lesson.what)]);
  return { step: { do: 'create' as const, path, text }, calibration: calibrationOf(source, before, after) };
}

function calibrationOf(source: string, before: Instinct, after: Instinct): Calibration {
  return {
    source,
    before: before.confidence,
    after: after.confidence,
    observations: { before: before.observations, after: after.observations },
  };
}

function heldBefore({ data }: NoteSnapshot, edits: readonly FieldEdit[]): NonNullable<EditStep['expects']> {
  return Object.fromEntries(edits.map(({ field }) => [field, data[field] ?? null]));
}

function plainEdit(edit: FieldEdit) {
  return 'members' in edit ? { ...edit, members: [...edit.members] } : edit;
}
