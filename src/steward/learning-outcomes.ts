import { type Diagnostic, isRefusal } from '../vault/errors.ts';
import { editFields, type FieldEdit } from '../vault/frontmatter.ts';
import { MAX_NOTE_BYTES } from '../vault/frontmatter-parse.ts';
import { withHistory } from '../vault/history-block.ts';
import { channelOf, isUnverified, patternOf, sourceKey } from '../vault/source-names.ts';
import { type InstinctFields, instinctFields } from '../vault/status-words.ts';
import type { EditStep, Step } from '../vault/transaction/intent.ts';
import { textStep } from '../vault/transaction/steps.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { round4 } from './gates-rounding.ts';
import type { Calibration } from './learning/calibration.ts';
import { distinct, freePath, instinctFrom, instinctOf } from './learning/sources.ts';
import {
  afterContradiction,
  afterDismissal,
  afterPatterns,
  afterReversal,
  afterRight,
  type Instinct,
  instinctEdits,
  instinctNote,
  isVisible,
  openingOf,
  rowOf,
} from './learning.ts';
import type { Notes, Records } from './ports.ts';

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

/**
 * What a person let be known of a proposal or an action, which is the only thing that teaches (contract, section 7):
 *
 * - `right`: confirmed, made by the person's own hand as proposed, or live and kept for its week;
 * - `dismissed`: dismissed, or a proposed field set by hand to something else;
 * - `contradicted`: a field that was written was set by hand to something else within its week;
 * - `reversed`: taken back.
 */
export type Outcome = 'right' | 'dismissed' | 'contradicted' | 'reversed';

/** An outcome, when it was (epoch ms), and what the history of an instinct says of it: one line that links it. */
interface Occasion {
  readonly outcome: Outcome;
  readonly at: number;
  readonly what: string;
}

/** Source → its share of the conclusion, 0–1. */
type Contributions = Readonly<Record<string, number>>;

/**
 * Returns what an outcome teaches: each source that contributed moves by its own figures, and a channel by a fifth of
 * what its patterns move together. `before` takes back first what the same event had taught.
 */
export function teachOutcome(
  space: Classroom,
  contributions: Contributions,
  occasion: Occasion,
  before: (instinct: Instinct) => Instinct = (instinct) => instinct,
): Taught {
  const shares = relativeShares(contributions);
  const sources = distinct(Object.keys(contributions)).filter((source) => (shares.get(sourceKey(source)) ?? 0) > 0);
  const own = (instinct: Instinct) => moved(before(instinct), occasion, shares.get(sourceKey(instinct.source)) ?? 0);
  const lesson = { at: occasion.at, what: occasion.what };
  const patterns = teach(
    space,
    sources.filter((source) => patternOf(source) !== null),
    { ...lesson, move: own },
  );
  const shifts = shiftsOf(patterns);
  const isBearing = new Set(sources.map(sourceKey));
  const channels = distinct([...sources.filter((source) => patternOf(source) === null), ...shifts.keys()]);
  const move = (channel: Instinct) => {
    const first = isBearing.has(sourceKey(channel.source)) ? own(channel) : channel;
    return afterPatterns(first, shifts.get(sourceKey(channel.source)) ?? 0);
  };
  return together(patterns, teach(space, channels, { ...lesson, move }));
}

/** So many right outcomes of other kinds make a week of silence count as one. */
const SILENCE_COUNTS_AFTER = 5;

/**
 * Returns whether a change that was left alone for its week counts as right: every source behind it had been right five
 * times before. `observationsOf`: how often a source had been right.
 */
export function silenceCounts(contributions: Contributions, observationsOf: (source: string) => number): boolean {
  const sources = Object.keys(contributions);
  return sources.length > 0 && sources.every((source) => observationsOf(source) >= SILENCE_COUNTS_AFTER);
}

/** Returns two lessons as one. */
function together(one: Taught, other: Taught): Taught {
  if (one === NOTHING_TAUGHT) return other;
  return { steps: [...one.steps, ...other.steps], calibrations: [...one.calibrations, ...other.calibrations] };
}

function moved(instinct: Instinct, { outcome, at }: Occasion, share: number): Instinct {
  if (outcome === 'right') return afterRight(instinct, share);
  if (outcome === 'dismissed') return afterDismissal(instinct, at);
  return outcome === 'reversed' ? afterReversal(instinct, at) : afterContradiction(instinct, at);
}

/** 1 for the source that bore most, and its share for each of the others; a source in two spellings has the larger. */
function relativeShares(contributions: Contributions): ReadonlyMap<string, number> {
  const most = Math.max(0, ...Object.values(contributions));
  const shares = Object.entries(contributions).map(([source, share]) => [source, share === most ? 1 : share] as const);
  const rising = shares.filter(([, share]) => share > 0).toSorted(([, one], [, other]) => one - other);
  return new Map(rising.map(([source, share]) => [sourceKey(source), share]));
}

/**
 * How far the patterns of each channel have moved together. Senders for whom nobody vouches move no channel: else anybody
 * could lower where honest new ones start.
 */
function shiftsOf({ calibrations }: Taught): ReadonlyMap<string, number> {
  const shifts = new Map<string, number>();
  for (const { source, before, after } of calibrations) {
    if (isUnverified(patternOf(source) ?? '')) continue;
    const channel = sourceKey(channelOf(source));
    shifts.set(channel, round4((shifts.get(channel) ?? 0) + after - before));
  }
  return shifts;
}
