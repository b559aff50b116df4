import { randomUUID } from 'node:crypto';
import { instinctAsLeft, instinctFrom, instinctOf, isOfOldRule } from '../steward/learning/sources.ts';
import { fileName } from '../steward/learning.ts';
import {
  figuresIn,
  lessonStep,
  NOTHING_TAUGHT,
  silenceCounts,
  type Taught,
  teachOutcome,
} from '../steward/learning-outcomes.ts';
import { isHandsOff } from '../steward/proposal-fit.ts';
import { BY_HAND, type HandOutcome, isUnanswered, outcomesByHand, stands } from '../steward/trust.ts';
import type { Answerable } from '../undo/order.ts';
import { StewardError } from '../vault/errors.ts';
import { historyOf } from '../vault/history-block.ts';
import type { EventRecord, TargetRecord, VaultRecord } from '../vault/index/record.ts';
import { adoptionSeal, isAnswerable, resealed, saysItWaits, sourceOf } from '../vault/index-keys.ts';
import { fold } from '../vault/note-names.ts';
import { linkTo } from '../vault/notes.ts';
import { isSiblingType } from '../vault/records.ts';
import { nameTimeExact, utc } from '../vault/time.ts';
import { followStep } from '../vault/transaction/steps.ts';
import type { Context, IndexAccess, WriteAccess } from './context.ts';
import { targetPath } from './effective-mode.ts';
import { eachAlone, stepsAlone } from './runtime/each-alone.ts';
import { isFirstMeeting, rememberMeeting } from './seal-key.ts';

/** What an event has shown of the sources behind it, and by which outcome. */
interface Finding {
  readonly taught: 'right' | 'wrong' | 'nothing';
  /** The outcome in a person's words: `made by hand`. */
  readonly by: string;
}

/**
 * Whether an outcome of this event is in the history of a source behind it. A sync or a backup may bring back the event
 * note as it was before that, and the same outcome is no second one.
 */
function hasTaught(space: WriteAccess, event: EventRecord): boolean {
  const link = linkTo(event.name);
  return Object.keys(event.fields.source_contributions).some((source) => {
    const path = space.vault.catalogue.instinctOf(source)?.path;
    const text = path === undefined ? null : space.notes.text(path);
    return path !== undefined && text !== null && historyOf(path, text).some(({ what }) => what.includes(link));
  });
}

/**
 * Writes into an event note what it has taught, together with the lesson itself: after a crash both are done, or
 * neither, so that nothing teaches twice. Returns when to try again (epoch ms) where the note could not be written,
 * else null.
 */
function markTaught(
  space: WriteAccess,
  event: EventRecord,
  { taught, by }: Finding,
  lesson: Taught = NOTHING_TAUGHT,
): number | null {
  const now = space.context.now();
  const seal = resealed(space.context.seal, event, { taught, taught_by: by });
  const marks = [
    { op: 'set', field: 'taught', value: taught },
    { op: 'set', field: 'taught_by', value: by },
    { op: 'set', field: 'taught_at', value: utc(now) },
    { op: 'set', field: 'seal', value: seal },
  ] as const;
  // The note on disk may know more than the records do: another machine may have taken the lesson down since.
  const step = followStep(space.notes, event.path, (data) => ((data.taught ?? null) === null ? marks : []));
  if (step === null) return null;
  // Not under the event's own name: the action may still have something to do there.
  const id = `taught-action-${nameTimeExact(now)}-${event.name}`;
  return space.transactions.commit(id, [step, ...lesson.steps]) ? null : now + 1000;
}

/**
 * Learns from what a person has done to a note by hand: made a proposed change, or decided otherwise (contract, section
 * 7), in every mode. Returns when to look again (epoch ms) where somebody is editing the note, else null.
 */
export function learnByHand(space: WriteAccess, target: TargetRecord): number | null {
  if (isHandsOff(space, target)) return null;
  space.transactions.finishHeldUp([target.path]);
  const note = space.notes.fresh(target.path);
  const found = note === null ? [] : outcomesByHand(space, target, note);
  if (note === null || found.length === 0) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const waits: number[] = [];
  eachAlone(found, (one) => waits.push(...[learn(space, one) ?? []].flat()));
  return waits.length === 0 ? null : Math.min(...waits);
}

function learn(space: WriteAccess, { event, outcome }: HandOutcome): number | null {
  const { source_contributions: contributions } = event.fields;
  const by = outcome === 'right' ? BY_HAND : 'set otherwise by hand';
  const occasion = { outcome, at: space.context.now(), what: `${by}: ${linkTo(event.name)}` };
  const lesson = hasTaught(space, event) ? undefined : teachOutcome(space, contributions, occasion);
  return markTaught(space, event, { taught: outcome === 'right' ? 'right' : 'wrong', by }, lesson);
}

/** Yields the live changes whose week has ended between `since` and now (epoch ms), and that have taught nothing yet. */
function* weeksEnded(space: WriteAccess, since: number): Generator<EventRecord> {
  const now = space.context.now();
  for (const event of space.vault.catalogue.chronicle.untaught('closing', since, now)) {
    if (Date.parse(event.fields.undo_recipe?.expires_at ?? '') < now) yield event;
  }
}

/**
 * Learns from a live change that a person has left alone for seven days (contract, section 7): right, where every source
 * behind the change has been right five times before. Silence says nothing about a source that nobody knows yet. Does
 * nothing where the change has been answered. Returns when to try again (epoch ms), or null.
 */
function learnFromWeek(space: WriteAccess, event: EventRecord): number | null {
  if (!isUnanswered(space, event)) return null;
  const contributions = event.fields.source_contributions;
  const isKnown = silenceCounts(contributions, (source) => instinctOf(space, source).observations);
  if (!isKnown || !isAsWritten(space, event)) {
    return markTaught(space, event, { taught: 'nothing', by: 'its week is over' });
  }
  const what = `kept for seven days: ${linkTo(event.name)}`;
  const at = Date.parse(event.fields.undo_recipe?.expires_at ?? event.fields.timestamp);
  const occasion = { outcome: 'right', at, what } as const;
  const lesson = hasTaught(space, event) ? undefined : teachOutcome(space, contributions, occasion);
  return markTaught(space, event, { taught: 'right', by: 'kept for seven days' }, lesson);
}

function isAsWritten(space: WriteAccess, event: EventRecord): boolean {
  const path = targetPath(space.vault, event);
  const note = path === null ? null : space.notes.fresh(path);
  return note !== null && stands(space, event, note);
}

const DAY = 24 * 60 * 60 * 1000;
/** How far back a start looks for outcomes that came about while the program was away. */
export const AWAY_MS = 60 * DAY;
/** How far back each hour looks: what a sync brings late is a few days old. */
export const LATE_MS = 14 * DAY;

/**
 * Learns from every outcome since a moment (epoch ms) that nothing was learnt from yet: what persons did by hand, and
 * the weeks that ended. Pauses after each small step: whether an outcome was taught already is asked in the step itself, so
 * two that learn side by side teach it once. Returns when to look again (epoch ms) where somebody is editing, else null.
 */
export function* learningOutcomes(space: WriteAccess, since: number): Generator<void, number | null> {
  const targets = new Map<string, string>();
  for (const event of space.vault.catalogue.chronicle.untaught('decided', since, space.context.now())) {
    yield;
    const path = targetPath(space.vault, event);
    if (path !== null) targets.set(fold(path), path);
  }
  let next: number | null = null;
  const learn = (work: () => number | null) => {
    next = sooner(next, work());
  };
  yield* stepsAlone(worksFor(space, targets.values(), since), learn);
  return next;
}

function* worksFor(space: WriteAccess, targets: Iterable<string>, since: number): Generator<() => number | null> {
  for (const path of targets) {
    yield () => {
      const target = space.vault.catalogue.get(path);
      return target?.kind === 'task' || target?.kind === 'matter' ? learnByHand(space, target) : null;
    };
  }
  for (const event of weeksEnded(space, since)) yield () => learnFromWeek(space, event);
}

function sooner(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/**
 * Lets what waits in a vault, what has been answered there, and what can still be taken back, count as if it were the
 * program's own, the first time that this machine's key meets the vault: it may be from before notes were marked, or from
 * another machine. What such a note says of its sources is not believed, and what it gives back keeps to the rules of
 * writing, since anybody may have laid it there for this day. Whatever comes later without the mark is somebody else's.
 * Pauses after each note.
 */
export function* adoptEvents(space: WriteAccess): Generator<void> {
  const file = space.context.env.sealKey ?? null;
  if (file === null) return;
  const vault = { root: space.vault.root, id: identityOf(space.context) };
  if (isFirstMeeting(file, vault)) {
    const { catalogue } = space.vault;
    // One after the other: all of them parsed at once would be many times what is kept.
    yield* stepsAlone([...catalogue.pathsOf('event'), ...catalogue.pathsOf('reversal')], (path) => {
      const record = catalogue.get(path);
      if (isAnswerableKind(record) && stillCounts(space, record)) adoptOne(space, record);
    });
  }
  rememberMeeting(file, vault);
}

// One note that may not be marked does not keep the door open for what is laid there later: it stays without the mark.
function adoptOne(space: WriteAccess, event: Answerable): void {
  try {
    adopt(space, event);
  } catch (error) {
    if (!(error instanceof StewardError) || error.trouble.code !== 'no-permission') throw error;
  }
}

// What the vault remembers of itself moves along with it.
function identityOf({ state }: Context): string {
  const known = state.get('identity');
  if (known.id === '') {
    state.set('identity', { id: randomUUID() });
    state.save('identity');
  }
  return state.get('identity').id;
}

function isAnswerableKind(record: VaultRecord | undefined): record is Answerable {
  return record?.kind === 'event' || record?.kind === 'reversal';
}

// It waits, can still be taken back, or says what has become of another.
function stillCounts({ context }: WriteAccess, record: Answerable): boolean {
  if (record.kind === 'reversal') return record.fields.outcome !== null;
  const { fields } = record;
  const expires = Date.parse(fields.undo_recipe?.expires_at ?? '');
  return expires > context.now() || saysItWaits(fields) || isSiblingType(fields.type);
}

function adopt(space: WriteAccess, event: Answerable): void {
  if (isAnswerable(space.context.seal, event)) return;
  const mark = adoptionSeal(space.context.seal, event);
  // The mark of the machine that wrote it stays: there it is still its own.
  const step = followStep(space.notes, event.path, () => [{ op: 'add', field: 'adopted', members: [mark] }]);
  const id = `seal-${nameTimeExact(space.context.now())}-${event.name}`;
  if (step !== null) space.transactions.commit(id, [step]);
}

/**
 * Brings an instinct note up to date with what a person did to its pin: a pruned source that is pinned counts again, and
 * a pin that was removed stays away. A note of before only outcomes taught is carried over (contract, section 7).
 * Returns when to try again (epoch ms) where the note is being edited, else null.
 */
export function followInstinct(space: WriteAccess, path: string): number | null {
  const record = space.vault.catalogue.get(path);
  const note = record?.kind === 'instinct' ? space.notes.fresh(path) : null;
  if (record?.kind !== 'instinct' || note === null) return null;
  space.transactions.finishHeldUp([path]);
  const fields = figuresIn(note);
  if (fields === null) return null;
  const source = sourceOf(record);
  const instinct = instinctFrom(fields, source);
  const left = instinctAsLeft(fields, source);
  // The history shows what the note said, not what is read out of it.
  const isOld = isOfOldRule(fields);
  const before = isOld ? { ...left, confidence: fields.confidence ?? left.confidence } : left;
  const pin = instinct.pinned ? 'pinned by hand: heard again' : 'the pin was taken away by hand';
  const what = isOld ? 'carried over: from now on only what you confirm, dismiss, do or take back teaches' : pin;
  const step = lessonStep(space, note, before, { at: space.context.now(), what, move: () => instinct });
  if (step === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const id = `instinct-${nameTimeExact(space.context.now())}-${fileName(source)}`;
  space.transactions.commit(id, [step]);
  return null;
}

/** The changes of the program that a vault of before is told of, each once. */
const NOTICES = {
  'earned-trust':
    'Trust is now earned by sender, and only by what you confirm, dismiss, do or take back. Senders you have not confirmed yet only propose, and so do mails that no server in trusted_mail_servers vouches for.',
  perception:
    'The steward now also sees what nobody has written about: what is overdue, free to go on, finished or silent for weeks. It puts at most 12 such things a day to you and changes nothing. For a digest, put two lines into steward.md: <!-- steward:seen --> and <!-- /steward:seen -->.',
} as const;

/** Says what has changed since the program last ran on this vault; a new vault is told nothing. */
export function sayNotices({ vault, context }: IndexAccess): void {
  const said = context.state.get('notices');
  const hasRun = [context.state.get('cursors'), context.state.get('streams')].some(
    (known) => Object.keys(known).length > 0,
  );
  const isOld = hasRun && vault.catalogue.count('event') + vault.catalogue.count('instinct') > 0;
  for (const [name, text] of Object.entries(NOTICES)) {
    if (said[name] !== undefined) continue;
    said[name] = context.now();
    if (isOld) context.emit({ what: 'notice', text });
    context.state.touch('notices'); // written later: a vault that goes away just now must not end the start
  }
}
