import type { Diagnostic } from '../../vault/errors.ts';
import { StewardError } from '../../vault/errors.ts';
import { editFields, type FieldEdit } from '../../vault/frontmatter/edit.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter/parse.ts';
import { withHistory } from '../../vault/notes/history-block.ts';
import { type InstinctFields, instinctFields } from '../../vault/records/instinct.ts';
import type { EditStep, Step } from '../../vault/transaction/journal.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Notes, Records } from '../ports/space.ts';
import type { Calibration } from './calibration.ts';
import type { Instinct } from './instinct.ts';
import { instinctEdits, instinctNote, isVisible, rowOf } from './instinct-note.ts';
import { distinct, instinctFrom, instinctOf, placeFor } from './sources.ts';

/** What teaching needs: the instinct notes, and where to say that one cannot be written. */
export interface Classroom extends Records, Notes {
  readonly problems: { readonly faults: Map<string, Diagnostic> };
}

/** What one occasion teaches of the sources behind it. */
export interface Lesson {
  /** Epoch ms, as the history tells it. */
  readonly at: number;
  /** What happened, for the history: one line of Markdown. */
  readonly what: string;
  readonly move: (instinct: Instinct) => Instinct;
}

export interface Taught {
  /** The steps of the intent that teaches: a crash leaves all of them to be done, or none. */
  readonly steps: readonly Step[];
  readonly calibrations: readonly Calibration[];
}

export const NOTHING_TAUGHT: Taught = { steps: [], calibrations: [] };

/**
 * The steps that teach some sources a lesson, each once, and what it moved. The notes are read afresh: what a person
 * has written there meanwhile is what the lesson starts from. A source whose note cannot be read, or says `steward: false`,
 * learns nothing.
 */
export function teach(space: Classroom, sources: readonly string[], lesson: Lesson): Taught {
  const taken = new Set<string>();
  const taught = distinct(sources).flatMap((source) => {
    const one = taughtOne(space, source, lesson, taken);
    if (one !== null) taken.add(one.step.path);
    return one === null ? [] : [one];
  });
  return { steps: taught.map(({ step }) => step), calibrations: taught.map(({ calibration }) => calibration) };
}

/** The step that moves the instinct in a note as just read; null where it moves nothing, or cannot be made exactly. */
export function lessonStep(space: Classroom, note: NoteSnapshot, before: Instinct, lesson: Lesson): EditStep | null {
  const after = lesson.move(before);
  const edits = instinctEdits(before, after, note.data);
  if (edits.length === 0) return null;
  const history = isVisible(before, after) ? [rowOf(before, after, lesson.at, lesson.what)] : [];
  const fault = `lesson ${note.path}`;
  try {
    const bare = editFields(note.path, note.text, edits).text;
    const told = withHistory(note.path, bare, history);
    const text = Buffer.byteLength(told) > MAX_NOTE_BYTES ? bare : told;
    space.problems.faults.delete(fault);
    return {
      ...textStep(note.path, note.text, text),
      again: [...edits].map(plainEdit),
      expects: held(note, edits),
      history,
    };
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    space.problems.faults.set(fault, error.trouble); // written in a way that cannot be edited exactly: left as it is, and said
    return null;
  }
}

/** The figures in a note as just read, where they may be moved; null where they make no sense, or `steward: false`. */
export function figuresIn(note: NoteSnapshot): InstinctFields | null {
  const fields = instinctFields.safeParse(note.data).data;
  return fields?.steward ? fields : null;
}

function taughtOne(
  space: Classroom,
  source: string,
  lesson: Lesson,
  taken: ReadonlySet<string>,
): { step: Step; calibration: Calibration } | null {
  const record = space.vault.catalogue.instinctOf(source);
  if (record === null) return taughtFirst(space, source, lesson, placeFor(space, source, taken));
  const note = space.notes.fresh(record.path);
  const fields = note === null ? null : figuresIn(note);
  const before = fields === null ? null : instinctFrom(fields, source);
  const step = note === null || before === null ? null : lessonStep(space, note, before, lesson);
  return step === null || before === null ? null : { step, calibration: moved(source, before, lesson.move(before)) };
}

function taughtFirst(space: Classroom, source: string, lesson: Lesson, path: string | null) {
  if (path === null) return null;
  const before = instinctOf(space, source);
  const after = lesson.move(before);
  const text = instinctNote(path, after, [rowOf(before, after, lesson.at, lesson.what)]);
  return { step: { do: 'create' as const, path, text }, calibration: moved(source, before, after) };
}

function moved(source: string, before: Instinct, after: Instinct): Calibration {
  return {
    source,
    before: before.confidence,
    after: after.confidence,
    observations: { before: before.observations, after: after.observations },
  };
}

function held({ data }: NoteSnapshot, edits: readonly FieldEdit[]): NonNullable<EditStep['expects']> {
  return Object.fromEntries(edits.map(({ field }) => [field, data[field] ?? null]));
}

function plainEdit(edit: FieldEdit) {
  return 'members' in edit ? { ...edit, members: [...edit.members] } : edit;
}
