import { type EditStep, editFields, type FieldEdit, followStep, type Step, textStep } from '../vault/edit.ts';
import { isRefusal } from '../vault/errors.ts';
import { instinctSource } from '../vault/index.ts';
import { fold, MAX_NOTE_BYTES, stem } from '../vault/layout.ts';
import { type HistoryRow, linkTo, readHistory, readOpening, withHistory } from '../vault/note-text.ts';
import {
  EVENT_TYPES,
  type EventRecord,
  type InstinctFields,
  instinctFields,
  isSiblingType,
  type LessonRecord,
  type TargetRecord,
} from '../vault/record.ts';
import { recordEdits, recordValue } from '../vault/record-text.ts';
import { resealed } from '../vault/seal.ts';
import { isUnverified, parseChannel, parsePattern, sourceKey } from '../vault/source-names.ts';
import { forEachIsolated, localDate, nameTimeExact, stepsIsolated, utc } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { round4 } from './gates.ts';
import {
  afterPatterns,
  afterReversal,
  afterRight,
  afterWrongOutcome,
  type Calibration,
  type ConfidenceMoves,
  composeOpening,
  distinct,
  fileName,
  findInstinct,
  freePath,
  HAND_COUNTS_FOR,
  handRows,
  handSays,
  type Instinct,
  instinctAsLeft,
  instinctEdits,
  instinctFrom,
  instinctNote,
  isNamedInOpenNote,
  isOfOldRule,
  isVisible,
  makeHistoryRow,
  movedFrom,
  withoutLesson,
} from './instinct.ts';
import { comesAfter, findAnswer, isHandsOff, isPast, isReversed, listSpeakers } from './proposals.ts';
import { eventsElsewhere, isOwnNote, targetPath } from './records.ts';
import { findMatter } from './sender.ts';
import type { Answerable, AnsweredBy, UndoOrder } from './types.ts';
import type { DecisionReadAccess, DecisionWriteAccess } from './workspace.ts';

/** The senders that one command has taught something, by their keys: it teaches each at most once. */
export type Gesture = Set<string>;

/** Ticks this close to each other are one gesture (ms). */
const GESTURE_MS = 3 * 60_000;

/** A lesson about one sender, before it is decided whether it counts. */
interface ProposedLesson {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly isRight: boolean;
  /** Whether it is a tick, a key, a file or an edit by hand: those close to each other are one gesture. */
  readonly isTick: boolean;
  /** Whether the command that teaches it has taught the sender before. */
  readonly isRepeated: boolean;
}

interface FormerLessons {
  /** When ticks taught the sender something (epoch ms). */
  readonly ticks: readonly number[];
  /** When the sender was right about the same matter (epoch ms). */
  readonly right: readonly number[];
}

const ONE_GESTURE = 'one gesture teaches about a sender once';
const ONE_A_DAY = 'a sender is right about a matter once a day at most';

/** Returns why a lesson about a sender doesn't count (contract, section 7); null if it counts. */
export function whyUntaught(lesson: ProposedLesson, former: FormerLessons): string | null {
  const { at, isRight, isTick, isRepeated } = lesson;
  if (isRepeated || (isTick && former.ticks.some((tick) => Math.abs(at - tick) <= GESTURE_MS))) return ONE_GESTURE;
  const today = localDate(at);
  return isRight && former.right.some((time) => localDate(time) === today) ? ONE_A_DAY : null;
}

/** Whether an answer is one of several small ones that a person gives in a row. */
function isTick(by: AnsweredBy | 'hand'): boolean {
  return by !== 'command';
}

/** How the history of a sender begins the line of a lesson. */
export const LESSON_WORDS = {
  confirmed: 'confirmed in',
  dismissed: 'dismissed in',
  reversed: 'taken back by',
  byHand: 'made by hand:',
  otherwise: 'set otherwise by hand:',
  mattered: 'mattered in',
  taught: 'taught in',
} as const;

const LESSON_ROW = new RegExp(`^(${Object.values(LESSON_WORDS).join('|')}) \\[\\[([^\\]|]+)`);

/** Returns what a sender was taught before that may keep an outcome about a note (`about`) from counting. */
function formerLessons(space: DecisionReadAccess, source: string, about: string | null): FormerLessons {
  return { ticks: ticksOf(space, source), right: rightTimes(space, source, about) };
}

function ticksOf(space: DecisionReadAccess, source: string): number[] {
  const { catalogue } = space.vault;
  const path = catalogue.instinctOf(source)?.path;
  const text = path === undefined ? null : space.notes.text(path);
  if (path === undefined || text === null) return [];
  return readHistory(path, text).flatMap(({ at, what }) => {
    const [, how, name = ''] = LESSON_ROW.exec(what) ?? [];
    if (how === undefined) return [];
    const found = catalogue.resolve(name, ['event', 'reversal']);
    const record = found?.kind === 'event' || found?.kind === 'reversal' ? found : null;
    const isByHand = how === LESSON_WORDS.byHand || how === LESSON_WORDS.otherwise;
    const isUndone = record !== null && !isByHand && isReversed(space, record);
    const isCommand = record?.fields.lesson?.by === 'command' && !isByHand;
    return isUndone || isCommand ? [] : [Date.parse(at)];
  });
}

function rightTimes(space: DecisionReadAccess, source: string, about: string | null): number[] {
  const { catalogue } = space.vault;
  const key = sourceKey(source);
  return notesOfMatter(space, about)
    .flatMap((path) => catalogue.eventsAbout(path))
    .filter((event) => isOwnNote(space, event) && wasRight(event, key) && !isReversed(space, event))
    .map(({ fields }) => Date.parse(fields.lesson === null ? (fields.taught_at ?? '') : fields.timestamp));
}

function wasRight({ fields }: EventRecord, key: string): boolean {
  if (fields.taught === 'right') {
    const basis = basisOf(fields.source_contributions);
    return basis !== null && sourceKey(basis) === key;
  }
  const moved = Object.entries(fields.lesson?.moved ?? {}).find(([source]) => sourceKey(source) === key)?.[1];
  const counted = moved?.observations;
  return counted !== undefined && Number(counted.after) > Number(counted.before);
}

/** Returns the notes of the matter that a note belongs to; only the note itself if it has no matter. */
function notesOfMatter({ vault: { catalogue } }: DecisionReadAccess, about: string | null): string[] {
  if (about === null) return [];
  const note = catalogue.get(catalogue.currentPath(about));
  const target: TargetRecord | null = note?.kind === 'task' || note?.kind === 'matter' ? note : null;
  const matter = target === null ? null : findMatter(catalogue, target);
  return matter === null ? [about] : [matter.path, ...catalogue.tasksOf(matter).map(({ path }) => path)];
}

/** Returns the source that a change is based on: the one that contributed most; null if no source did. */
function basisOf(contributions: Readonly<Record<string, number>>): string | null {
  const [first] = Object.entries(contributions)
    .filter(([, share]) => share > 0)
    .toSorted(([, one], [, other]) => other - one);
  return first?.[0] ?? null;
}

/** Returns what an answer taught, as its note keeps it. */
export function lessonField(
  by: AnsweredBy,
  { moved, untaught }: { readonly moved: Readonly<Record<string, ConfidenceMoves>>; readonly untaught: string | null },
): LessonRecord {
  return { by, none: untaught, moved: { ...moved } };
}

/**
 * A person's reaction to a proposal or an action. Only this teaches (contract, section 7):
 *
 * - `right`: confirmed, or made by hand as proposed;
 * - `wrong`: dismissed as wrong, or a field was set by hand to another value within seven days;
 * - `reversed`: undone.
 */
type Outcome = 'right' | 'wrong' | 'reversed';

/** An outcome, and what decides whether it counts. */
interface Occasion {
  readonly outcome: Outcome;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The line about it in the history of an instinct, with a link. */
  readonly what: string;
  readonly by: AnsweredBy | 'hand';
  /** The path of the note that it is about. */
  readonly about: string | null;
  /** The senders that the command has taught before. */
  readonly gesture: ReadonlySet<string>;
}

/** The steps of a lesson, and how far it moved each source. */
export interface LessonPlan {
  /** Steps for one transaction: after a crash it is done in full, or not at all. */
  readonly steps: readonly Step[];
  readonly calibrations: readonly Calibration[];
  /** The same in full, by source: enough to undo the lesson exactly. */
  readonly moved: Readonly<Record<string, ConfidenceMoves>>;
  /** The senders that it is about: a channel that only follows them is no sender. */
  readonly senders: readonly string[];
  /** Why it taught no sender, or not every one; null if it did, or had no lesson to teach. */
  readonly untaught: string | null;
}

/** A lesson that moved no source. */
export const NOTHING_TAUGHT: LessonPlan = { steps: [], calibrations: [], moved: {}, senders: [], untaught: null };

/** Source → its share of the conclusion, 0–1. */
type Contributions = Readonly<Record<string, number>>;

const DAY = 24 * 60 * 60 * 1000;
/** How far back a start looks for outcomes that came about while the program was away. */
export const AWAY_MS = 60 * DAY;
/** How far back each hour looks: a sync is at most a few days late. */
export const LATE_MS = 14 * DAY;

/**
 * Learns from what persons did by hand about decisions since a moment (epoch ms), as far as it hasn't taught anything yet.
 * Pauses after each small step: each step checks whether an outcome was taught already, so two that learn side by side teach
 * it once. Returns when to look again (epoch ms) if somebody is editing, else null.
 */
export function* learningOutcomes(space: DecisionWriteAccess, since: number): Generator<void, number | null> {
  const now = space.context.now();
  const { catalogue } = space.vault;
  const targets = new Map<string, string>();
  for (const event of catalogue.chronicle.untaught(since, now)) {
    yield;
    const path = targetPath(space.vault, event);
    if (path !== null) targets.set(fold(path), path);
  }
  function* works(): Generator<() => number | null> {
    for (const path of targets.values()) {
      yield () => {
        const target = catalogue.get(path);
        return target?.kind === 'task' || target?.kind === 'matter' ? learnByHand(space, target) : null;
      };
    }
  }
  const waits: number[] = [];
  yield* stepsIsolated(works(), (work) => {
    const until = work();
    if (until !== null) waits.push(until);
  });
  return earliest(waits);
}

/**
 * Learns from what a person has done to a note by hand: made a proposed change, or decided otherwise (contract, section
 * 7), in every mode. Returns when to look again (epoch ms) if somebody is editing the note, else null.
 */
export function learnByHand(space: DecisionWriteAccess, target: TargetRecord): number | null {
  if (isHandsOff(space, target)) return null;
  space.transactions.finishHeldUp([target.path]);
  const note = space.notes.fresh(target.path);
  const found = note === null ? [] : outcomesByHand(space, target, note);
  if (note === null || found.length === 0) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const waits: number[] = [];
  forEachIsolated(found, ({ event, outcome }) => {
    const until = learnOnce(space, event, outcome);
    if (until !== null) waits.push(until);
  });
  return earliest(waits);
}

/** Teaches an outcome, unless it has been taught. Returns when to try again (epoch ms), or null. */
function learnOnce(space: DecisionWriteAccess, event: EventRecord, outcome: HandOutcome['outcome']): number | null {
  const by = outcome === 'right' ? BY_HAND : OTHERWISE;
  const lesson = hasTaught(space, event)
    ? NOTHING_TAUGHT
    : teachOutcome(space, event.fields.source_contributions, {
        ...{ outcome, at: space.context.now(), what: `${by}: ${linkTo(event.name)}` },
        ...{ by: 'hand', about: targetPath(space.vault, event), gesture: new Set() },
      });
  return markTaught(space, event, { outcome, by, lesson });
}

/**
 * Whether an outcome of this event is in the history of a source behind it. A sync or a backup may bring back the event
 * note as it was before that.
 */
function hasTaught(space: DecisionWriteAccess, event: EventRecord): boolean {
  const link = linkTo(event.name);
  return Object.keys(event.fields.source_contributions).some((source) => {
    const path = space.vault.catalogue.instinctOf(source)?.path;
    const text = path === undefined ? null : space.notes.text(path);
    return path !== undefined && text !== null && readHistory(path, text).some(({ what }) => what.includes(link));
  });
}

/**
 * Writes into an event note what it has taught, and by which outcome in a person's words, together with the lesson: after
 * a crash both are done, or neither. Returns when to try again (epoch ms) if the note couldn't be written, else null.
 */
function markTaught(
  space: DecisionWriteAccess,
  event: EventRecord,
  { outcome, by: how, lesson }: { outcome: HandOutcome['outcome']; by: string; lesson: LessonPlan },
): number | null {
  const isUntaught = lesson.untaught !== null && lesson.senders.length === 0;
  const taught = isUntaught ? 'nothing' : outcome;
  const by = isUntaught ? `${how}; ${lesson.untaught}` : how;
  const now = space.context.now();
  const seal = resealed(space.context.seal, event, { taught, taught_by: by });
  const marks = { taught, taught_by: by, taught_at: utc(now), seal };
  // The note on disk may be ahead of the records: another machine may have written the lesson since.
  const step = followStep(space.notes, event.path, (data) =>
    recordValue(data, 'taught') === null ? recordEdits(data, marks) : [],
  );
  if (step === null) return null;
  // Not under the event's own name, which the action may still use.
  const id = `taught-action-${nameTimeExact(now)}-${event.name}`;
  if (!space.transactions.commit(id, [step, ...lesson.steps])) return now + 1000;
  reportLesson(space, lesson, outcome, event.path);
  return null;
}

/** Reports what a lesson has moved: one line for each sender. `note`: the path of the outcome's note. */
export function reportLesson(
  space: DecisionWriteAccess,
  { calibrations, senders }: LessonPlan,
  outcome: string,
  note: string,
) {
  for (const { source, before, after, observations } of calibrations) {
    if (!senders.some((sender) => sourceKey(sender) === sourceKey(source))) continue;
    space.context.emit({ what: 'learned', source, outcome, before, after, observations: observations.after, note });
  }
}

function earliest(moments: readonly number[]): number | null {
  return moments.length === 0 ? null : Math.min(...moments);
}

/** How an event note says that a person made the proposed change by their own hand. */
const BY_HAND = LESSON_WORDS.byHand.replace(':', '');
const OTHERWISE = LESSON_WORDS.otherwise.replace(':', '');

/** A decision that a person's own hand has shown to be right or wrong. */
interface HandOutcome {
  readonly event: EventRecord;
  readonly outcome: Exclude<Outcome, 'reversed'>;
}

/** Represents the program among the speakers about a field: no source has this name. */
const PROGRAM = '';

/**
 * Returns what a person's own hand says about the unanswered decisions on a note (contract, section 7), by a snapshot
 * of it. Of several decisions about one field, only the latest of each source counts. Decisions from before the program
 * itself wrote the field don't count: that may have put them right. A later proposal of a stranger takes no outcome
 * from anybody, and a repeated proposal counts once.
 */
function outcomesByHand(space: DecisionReadAccess, target: TargetRecord, note: NoteSnapshot): HandOutcome[] {
  const events = space.vault.catalogue.eventsAbout(target.path).filter((event) => isPast(space, event));
  const decided = new Set<string>();
  return events
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1))
    .flatMap((event): HandOutcome[] => {
      if (event.fields.dismisses !== null) return [];
      const fields = Object.keys(event.fields.changes);
      const isMade = event.fields.undo_recipe !== null || event.fields.confirms !== null;
      const speakers = listSpeakers(event.fields.source_contributions);
      const isLatest = !fields.some((field) => [PROGRAM, ...speakers].some((one) => decided.has(`${field} ${one}`)));
      for (const field of fields) {
        for (const one of isMade ? [PROGRAM, ...speakers] : speakers) decided.add(`${field} ${one}`);
      }
      if (!isLatest || !isUnanswered(space, event) || isRestoredSince(space, event, events)) return [];
      const outcome = outcomeOf(space, event, { note, mtimeMs: target.stat.mtimeMs });
      return outcome === null ? [] : [{ event, outcome }];
    });
}

function isUnanswered(space: DecisionReadAccess, event: EventRecord): boolean {
  const { type, taught, changes } = event.fields;
  if (taught !== null || Object.keys(changes).length === 0 || !EVENT_TYPES.some((one) => one === type)) return false;
  if (findAnswer(space, event) !== null || isReversed(space, event)) return false;
  if (isTakenBackElsewhere(space, event) || isCountedElsewhere(space, event)) return false;
  return isOwnNote(space, event);
}

// Somebody has asked to have it taken back, and the reversal that does so, and teaches, may still be on its way here.
function isTakenBackElsewhere({ vault: { catalogue } }: DecisionReadAccess, event: EventRecord): boolean {
  const reversals = catalogue.answersTo(event.name).filter((answer) => answer.kind === 'reversal');
  return reversals.some(({ fields: { outcome } }) => outcome === null || outcome === 'already-reversed');
}

// Two machines may decide about one signal before either has the other's event note. The later one counts, on the machine that
// wrote it. If it is a question, the sync may bring back the note as it was before this change, which no hand has done.
function isCountedElsewhere(space: DecisionReadAccess, event: EventRecord): boolean {
  if (event.fields.undo_recipe === null) return false;
  return eventsElsewhere(space, event).some((other) => comesAfter(other, event));
}

// A value that an undo of an earlier action has given back since was not moved by a hand.
function isRestoredSince(
  { vault: { catalogue } }: DecisionReadAccess,
  event: EventRecord,
  events: readonly EventRecord[],
) {
  const at = Date.parse(event.fields.timestamp);
  const fields = Object.keys(event.fields.changes);
  return events
    .filter((other) => other !== event && fields.some((field) => Object.hasOwn(other.fields.changes, field)))
    .flatMap((other) => catalogue.answersTo(other.name))
    .some((answer) => answer.kind === 'reversal' && Date.parse(answer.fields.settled_at ?? '') >= at);
}

/** A note as it is, and when its file was last changed (epoch ms). */
interface Seen {
  readonly note: NoteSnapshot;
  readonly mtimeMs: number;
}

function outcomeOf(
  space: DecisionReadAccess,
  event: EventRecord,
  { note, mtimeMs }: Seen,
): HandOutcome['outcome'] | null {
  const acted = event.fields.undo_recipe !== null;
  const { words } = space.vault.catalogue;
  const said = handSays({ changes: event.fields.changes, acted }, { fields: note.data, isWhole: true, words });
  if (said === 'right') return 'right';
  const at = Date.parse(event.fields.timestamp);
  if (said === null || changedBy(space, mtimeMs, at) - at >= HAND_COUNTS_FOR) return null;
  return 'wrong';
}

// By then the hand had done it at the latest, even if the program was away. An older file was brought back, at an
// unknown time by an unknown hand.
function changedBy({ context }: DecisionReadAccess, mtimeMs: number, decided: number): number {
  return mtimeMs >= decided ? Math.min(mtimeMs, context.now()) : context.now();
}

/**
 * Returns what an outcome teaches: right, the source that the change was based on; wrong, every source that
 * contributed. A channel moves by a fifth of what its senders move together. A sender for whom this outcome doesn't
 * count learns no lesson.
 */
export function teachOutcome(space: DecisionWriteAccess, contributions: Contributions, occasion: Occasion): LessonPlan {
  const { outcome, at, what } = occasion;
  const concerned = outcome === 'right' ? [basisOf(contributions) ?? []].flat() : contributorsOf(contributions);
  const reasons = new Map(concerned.map((source) => [source, untaughtReason(space, source, occasion)]));
  const senders = concerned.filter((source) => reasons.get(source) === null);
  const own = (instinct: Instinct) => {
    return afterOutcome(instinct, outcome, at, isNamedInOpenNote(space, instinct.source));
  };
  const patterned = senders.filter((source) => parsePattern(source) !== null);
  const patterns = teach(space, patterned, { at, what, move: own });
  const shifts = shiftsOf(patterns.calibrations);
  const isBearing = new Set(senders.map(sourceKey));
  const channels = distinct([...senders.filter((source) => parsePattern(source) === null), ...shifts.keys()]);
  const move = (channel: Instinct) => {
    const first = isBearing.has(sourceKey(channel.source)) ? own(channel) : channel;
    return afterPatterns(first, shifts.get(sourceKey(channel.source)) ?? 0);
  };
  const followed = teach(space, channels, { at, what, move });
  return {
    steps: [...patterns.steps, ...followed.steps],
    calibrations: [...patterns.calibrations, ...followed.calibrations],
    moved: { ...patterns.moved, ...followed.moved },
    senders,
    untaught: [...reasons.values()].find((reason) => reason !== null) ?? null,
  };
}

/** How the history of a sender begins the line of an outcome that a rehearsal found in the past. */
const PAST_WORDS = 'right in the past:';

/** Whether an authenticated sender has no lessons yet, so that its past may count (contract, section 18). */
export function isUntaught(space: DecisionReadAccess, source: string): boolean {
  const pattern = parsePattern(source);
  if (pattern === null || isUnverified(pattern)) return false;
  const { observations, wrong, reversals } = findInstinct(space, source);
  return observations + wrong + reversals === 0;
}

/**
 * Teaches a sender without lessons from right outcomes of the past, each as an observation of its day. `outcomes`: in
 * order of time (epoch ms), with the notes that they are about. Empty if the sender has had a lesson since.
 */
export function teachPast(
  space: DecisionWriteAccess,
  source: string,
  outcomes: readonly { readonly at: number; readonly note: string }[],
): LessonPlan {
  if (!isUntaught(space, source) || outcomes.length === 0) return NOTHING_TAUGHT;
  const at = space.context.now();
  const rows = (before: Instinct) => {
    let instinct = before;
    return outcomes.map((outcome) => {
      const former = instinct;
      instinct = afterRight(former);
      return makeHistoryRow(former, instinct, outcome.at, `${PAST_WORDS} ${linkTo(stem(outcome.note))}`);
    });
  };
  const move = (instinct: Instinct) => outcomes.reduce(afterRight, instinct);
  const what = `${PAST_WORDS} ${source}`;
  const patterns = teach(space, [source], { at, what, move, rows });
  const shifts = shiftsOf(patterns.calibrations);
  const follow = (channel: Instinct) => afterPatterns(channel, shifts.get(sourceKey(channel.source)) ?? 0);
  const followed = teach(space, [...shifts.keys()], { at, what, move: follow });
  return {
    steps: [...patterns.steps, ...followed.steps],
    calibrations: [...patterns.calibrations, ...followed.calibrations],
    moved: { ...patterns.moved, ...followed.moved },
    senders: patterns.calibrations.map((one) => one.source),
    untaught: null,
  };
}

function untaughtReason(space: DecisionWriteAccess, source: string, { outcome, at, by, about, gesture }: Occasion) {
  const lesson = { at, isRight: outcome === 'right', isTick: isTick(by), isRepeated: gesture.has(sourceKey(source)) };
  return whyUntaught(lesson, lesson.isRepeated ? { ticks: [], right: [] } : formerLessons(space, source, about));
}

function contributorsOf(contributions: Contributions): string[] {
  return distinct(Object.entries(contributions).flatMap(([source, share]) => (share > 0 ? [source] : [])));
}

function afterOutcome(instinct: Instinct, outcome: Outcome, at: number, isNamed: boolean): Instinct {
  if (outcome === 'right') return afterRight(instinct);
  return outcome === 'wrong' ? afterWrongOutcome(instinct, at, isNamed) : afterReversal(instinct, at, isNamed);
}

/**
 * How far the patterns of each channel have moved together. Unauthenticated senders move no channel, or anybody could
 * lower the start of honest new ones.
 */
function shiftsOf(calibrations: readonly Calibration[]): ReadonlyMap<string, number> {
  const shifts = new Map<string, number>();
  for (const { source, before, after } of calibrations) {
    if (isUnverified(parsePattern(source) ?? '')) continue;
    const channel = sourceKey(parseChannel(source));
    shifts.set(channel, round4((shifts.get(channel) ?? 0) + after - before));
  }
  return shifts;
}

/**
 * Returns what the undo of an event teaches. Undoing an answer or an undo gives back exactly what that had taught; undoing
 * an action is wrong. `path`: of the reversal note, which the history names.
 */
export function learnFromUndo(
  space: DecisionWriteAccess,
  event: Answerable,
  path: string,
  order: UndoOrder,
): LessonPlan {
  const at = space.context.now();
  const by = linkTo(stem(path));
  const isAnswer = event.kind === 'reversal' || isSiblingType(event.fields.type);
  if (isAnswer) return giveBack(space, event, { at, what: `undone by ${by}` });
  return teachOutcome(space, event.fields.source_contributions, {
    ...{ outcome: 'reversed', at, what: `${LESSON_WORDS.reversed} ${by}` },
    ...{ by: order.by, about: targetPath(space.vault, event), gesture: order.gesture ?? new Set() },
  });
}

// Another author of the note could have any figure given back.
function giveBack(
  space: DecisionWriteAccess,
  answer: Answerable,
  { at, what }: Pick<Lesson, 'at' | 'what'>,
): LessonPlan {
  const moved = isOwnNote(space, answer) ? (answer.fields.lesson?.moved ?? {}) : {};
  return giveBackLesson(space, moved, { at, what });
}

/** Returns what gives back exactly what a lesson had moved. */
export function giveBackLesson(
  space: DecisionWriteAccess,
  moved: Readonly<Record<string, ConfidenceMoves>>,
  { at, what }: Pick<Lesson, 'at' | 'what'>,
): LessonPlan {
  const byKey = new Map(Object.entries(moved).map(([source, fields]) => [sourceKey(source), fields]));
  const move = (instinct: Instinct) => withoutLesson(instinct, byKey.get(sourceKey(instinct.source)) ?? {});
  const taught = teach(space, Object.keys(moved), { at, what, move });
  return { ...taught, senders: taught.calibrations.map(({ source }) => source), untaught: null };
}

interface Lesson {
  /** Epoch milliseconds; the history shows it. */
  readonly at: number;
  /** The event, for the history: one line of Markdown. */
  readonly what: string;
  readonly move: (instinct: Instinct) => Instinct;
  /** The rows of the history, if it isn't one for all. */
  readonly rows?: (before: Instinct) => readonly HistoryRow[];
}

type Learned = Pick<LessonPlan, 'steps' | 'calibrations' | 'moved'>;

/**
 * Returns the steps that teach some sources a lesson, each once, and what it moved. The notes are read again first, so
 * that the lesson starts from what a person has written there in the meantime. A source whose note cannot be read, or
 * says `steward: false`, learns no lesson.
 */
function teach(space: DecisionWriteAccess, sources: readonly string[], lesson: Lesson): Learned {
  const taken = new Set<string>();
  const learned = distinct(sources).flatMap((source) => {
    const one = learnedBy(space, source, lesson, taken);
    if (one !== null) taken.add(one.step.path);
    return one === null ? [] : [one];
  });
  return {
    steps: learned.map(({ step }) => step),
    calibrations: learned.map(({ before, after }) => calibrationOf(before, after)),
    moved: Object.fromEntries(learned.map(({ before, after }) => [before.source, movedFrom(before, after)])),
  };
}

/** How the lesson of one source is written, and what it made of the source. */
interface LearnedSource {
  readonly step: Step;
  readonly before: Instinct;
  readonly after: Instinct;
}

/**
 * Returns the step that moves the instinct in a note as it was just read. Null without a move. Null, too, if the note
 * cannot be edited exactly: then it is left as it is, and the fault reported.
 */
function lessonStep(space: DecisionWriteAccess, note: NoteSnapshot, before: Instinct, lesson: Lesson): EditStep | null {
  const after = lesson.move(before);
  const edits = instinctEdits(before, after, note.data);
  if (edits.length === 0) return null;
  const row = isVisible(before, after) ? rowsOf(before, after, lesson) : [];
  const history = [...handRows(before, known(note), lesson.at), ...row];
  const fault = `lesson ${note.path}`;
  try {
    const edited = editFields(note.path, note.text, edits).text;
    const opening = composeOpening(after);
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

function rowsOf(before: Instinct, after: Instinct, { at, what, rows }: Lesson): readonly HistoryRow[] {
  return rows?.(before) ?? [makeHistoryRow(before, after, at, what)];
}

function known({ path, text, data }: NoteSnapshot) {
  return { data, rows: readHistory(path, text), opening: readOpening(path, text) };
}

/** Returns the step by which a person's order changes the instinct of one sender; empty if its note can't be edited. */
export function pinSteps(
  space: DecisionWriteAccess,
  source: string,
  at: number,
  move: Lesson['move'],
): readonly Step[] {
  return teach(space, [source], { at, what: 'read again, as you said', move }).steps;
}

/**
 * Returns the step that names in a note's history a person's changes to its figures; null without such changes. A note
 * that a person made is left as it is until something is learned.
 */
function handStep(note: NoteSnapshot, now: Instinct, at: number): EditStep | null {
  const before = known(note);
  const history = before.rows.length === 0 ? [] : handRows(now, before, at);
  if (history.length === 0) return null;
  const opening = composeOpening(now);
  return { ...textStep(note.path, note.text, withHistory(note.path, note.text, history, opening)), history, opening };
}

/** Returns the figures in a note that may be moved; null if they make no sense, or the note says `steward: false`. */
function figuresIn(note: NoteSnapshot): InstinctFields | null {
  const fields = instinctFields.safeParse(note.data).data;
  return fields?.steward ? fields : null;
}

function learnedBy(
  space: DecisionWriteAccess,
  source: string,
  lesson: Lesson,
  taken: ReadonlySet<string>,
): LearnedSource | null {
  const record = space.vault.catalogue.instinctOf(source);
  const path = record === null ? freePath(space, source, taken) : record.path;
  const note = path === null ? null : space.notes.fresh(path);
  // The first lesson of a source may wait for the disk, and is no record yet.
  if (record === null && note === null) return learnedFirst(space, source, lesson, path);
  const fields = note === null ? null : figuresIn(note);
  const before = fields === null ? null : instinctFrom(fields, source);
  const step = note === null || before === null ? null : lessonStep(space, note, before, lesson);
  return step === null || before === null ? null : { step, before, after: lesson.move(before) };
}

function learnedFirst(
  space: DecisionWriteAccess,
  source: string,
  lesson: Lesson,
  path: string | null,
): LearnedSource | null {
  if (path === null) return null;
  const before = findInstinct(space, source);
  const after = lesson.move(before);
  const text = instinctNote(path, after, rowsOf(before, after, lesson));
  return { step: { do: 'create' as const, path, text }, before, after };
}

function calibrationOf(before: Instinct, after: Instinct): Calibration {
  return {
    source: before.source,
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
 * Brings an instinct note up to date with what a person did to its pin: a pruned source that is pinned counts again, and
 * a pin that was removed stays away. A note of before only outcomes taught is carried over (contract, section 7).
 * Returns when to try again (epoch ms) where the note is being edited, else null.
 */
export function followInstinct(space: DecisionWriteAccess, path: string): number | null {
  const record = space.vault.catalogue.get(path);
  const note = record?.kind === 'instinct' ? space.notes.fresh(path) : null;
  if (record?.kind !== 'instinct' || note === null) return null;
  space.transactions.finishHeldUp([path]);
  const fields = figuresIn(note);
  if (fields === null) return null;
  const source = instinctSource(record);
  const instinct = instinctFrom(fields, source);
  const left = instinctAsLeft(fields, source);
  // The history shows what the note said, not what is read out of it.
  const isOld = isOfOldRule(fields);
  const before = isOld ? { ...left, confidence: fields.confidence ?? left.confidence } : left;
  const pin = instinct.pinned ? 'pinned by hand: trusted again' : 'the pin was taken away by hand';
  const what = isOld ? 'carried over: from now on only your confirmations, dismissals, changes and undos count' : pin;
  const at = space.context.now();
  const step = lessonStep(space, note, before, { at, what, move: () => instinct }) ?? handStep(note, instinct, at);
  if (step === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const id = `instinct-${nameTimeExact(space.context.now())}-${fileName(source)}`;
  space.transactions.commit(id, [step]);
  return null;
}
