import { isChoice, isQuestion, standingOf } from '../steward/attention.ts';
import { isKnownNote } from '../steward/ports/own-notes.ts';
import { handsOffReason } from '../steward/proposal-fit.ts';
import { isReversed, reversalHolding } from '../steward/proposals/reversed.ts';
import { type ProposalStatus, waitingAbout } from '../steward/proposals.ts';
import { editedText, type FieldEdit } from '../vault/frontmatter.ts';
import { readNote } from '../vault/frontmatter-parse.ts';
import type {
  EventRecord,
  MatterRecord,
  ReversalRecord,
  SignalRecord,
  TargetRecord,
  VaultRecord,
} from '../vault/index/record.ts';
import { nameKey, saysItWaits } from '../vault/index-keys.ts';
import { momentOf } from '../vault/note-text.ts';
import { withPart } from '../vault/notes/kept-part.ts';
import { chosenIn, isChosenIn } from '../vault/notes.ts';
import type { Frontmatter, Yaml } from '../vault/records/values.ts';
import { type EventFields, type EventOutcome, isSiblingType } from '../vault/records.ts';
import { atOnce } from '../vault/slices.ts';
import { nameTimeExact } from '../vault/time.ts';
import type { EditStep } from '../vault/transaction/intent.ts';
import { followStep, textStep } from '../vault/transaction/steps.ts';
import type { Change } from '../vault/watch.ts';
import {
  type Becoming,
  BOXES,
  becomingKey,
  becomingWords,
  boxesFor,
  NOW_PART,
  REMARKS,
  undoable,
} from '../vault/words.ts';
import type { IndexAccess, ReadAccess, Workspace, WriteAccess } from './context.ts';
import type { RetryQueue } from './queues.ts';
import { eachAlone, stepsAlone } from './runtime/each-alone.ts';
import type { Timers } from './timers.ts';

/** The fields in which an event note says what has become of it, as its record has them. */
type Said = Pick<EventFields, 'says'> &
  Partial<Pick<EventFields, 'waiting' | 'pending_confirmation' | 'remark'>> & { readonly outcome: string | null };

/** Whether a note says already what has become of it: most do, and are not read again. */
function saysSo(fields: Said, { flags, becoming }: EventNow, remark: string | null): boolean {
  if ((fields.remark ?? null) !== remark) return false;
  // A note of an earlier version has no such part.
  if (becoming !== null && fields.says !== null && fields.says !== becomingKey(becoming)) return false;
  if (flags === null) return true;
  const { outcome, waiting, pending_confirmation: pending } = fields;
  const isSaid = outcome === flags.outcome || (outcome === null && FIRST.includes(flags.outcome));
  return isSaid && waiting === flags.waits && pending === flags.waits;
}

/** Returns an event note that says what has become of it: flat fields, boxes and the program's part of the body. */
function noteNow(path: string, text: string, data: Frontmatter, now: EventNow, remark: string | null) {
  const edited = editedText(path, text, [...nowEdits(data, now), ...edit(data, 'remark', remark)]);
  if (edited === null || now.becoming === null || !hasPart(data)) return edited;
  const told = withPart(edited, NOW_PART, becomingWords(now.becoming)) ?? edited;
  return withBoxes(path, told, now.becoming);
}

/** Returns the edits of the flat fields by which a note says what has become of it, without the boxes it gets anew. */
function nowEdits(data: Frontmatter, { flags, becoming }: EventNow): FieldEdit[] {
  const flat = flags === null ? [] : flagEdits(data, flags);
  if (becoming === null || !hasPart(data)) return flat;
  return [...flat, ...edit(data, 'says', becomingKey(becoming)), ...idleBoxes(data, becoming)];
}

/** Whether a note has a part of the program's own in its body: those of earlier versions have none. */
function hasPart(data: Frontmatter): boolean {
  return typeof data.says === 'string';
}

/** What an event is before anybody has answered: no reason for a new field in a note of an earlier version. */
const FIRST: readonly Yaml[] = ['proposed', 'acted', 'recorded'];

function flagEdits(data: Frontmatter, { waits, outcome }: NonNullable<EventNow['flags']>): FieldEdit[] {
  const flag = (field: string) => edit(data, field, waits || Object.hasOwn(data, field) ? waits : null);
  const isSaid = Object.hasOwn(data, 'outcome') || !FIRST.includes(outcome);
  return [...flag('waiting'), ...flag('pending_confirmation'), ...edit(data, 'outcome', isSaid ? outcome : null)];
}

function edit(data: Frontmatter, field: string, value: Yaml): FieldEdit[] {
  if ((data[field] ?? null) === value) return [];
  return value === null ? [{ op: 'delete', field }] : [{ op: 'set', field, value }];
}

/** `force` is also what a reversal records of itself, so it is no box that comes and goes. */
const COMING_AND_GOING = BOXES.filter((box) => box !== 'force');

// What a person has ticked or written stays.
function idleBoxes(data: Frontmatter, becoming: Becoming): FieldEdit[] {
  const meant = boxesFor(becoming);
  return COMING_AND_GOING.filter((box) => !meant.includes(box) && isIdle(data, box)).map((field) => {
    return { op: 'delete', field };
  });
}

function isIdle(data: Frontmatter, box: string): boolean {
  if (!Object.hasOwn(data, box)) return false;
  const value = data[box] ?? null;
  return value === false || value === null || value === '';
}

// A box that can mean something again stands where a new note has it: in front.
function withBoxes(path: string, text: string, becoming: Becoming): string {
  const read = readNote(path, Buffer.from(text));
  if (!read.ok || read.note.block === null) return text;
  const { data, block } = read.note;
  const missing = COMING_AND_GOING.filter((box) => boxesFor(becoming).includes(box) && !Object.hasOwn(data, box));
  const lines = missing.map((box) => `${box}: ${box === 'choose' ? '""' : 'false'}${block.eol}`).join('');
  return text.slice(0, block.start) + lines + text.slice(block.start);
}

/** What an event note should say of itself now. */
interface EventNow {
  /** The flat fields; null for a note whose fields are never moved: the record of an answer, and a reversal. */
  readonly flags: { readonly waits: boolean; readonly outcome: EventOutcome } | null;
  /** What the program's part of the body says; null where it stays as it is. */
  readonly becoming: Becoming | null;
}

/** Returns what has become of an event, as its note should say it. */
export function outcomeNow(space: ReadAccess, event: EventRecord | ReversalRecord): EventNow {
  // The record of an answer is an answer because of its outcome.
  if (event.kind === 'reversal' || isSiblingType(event.fields.type))
    return { flags: null, becoming: madeNow(space, event) };
  if (event.fields.undo_recipe !== null) {
    return closed(isReversed(space, event) ? 'reversed' : 'acted', madeNow(space, event));
  }
  const status = standingOf(space, event);
  switch (status.kind) {
    case 'none':
      // One that was closed before stays as it is.
      return saysItWaits(event.fields) ? closed('recorded', { kind: 'nothing' }) : { flags: null, becoming: null };
    case 'waiting':
    case 'stale':
      return openNow(event);
    case 'confirmed':
      return confirmedNow(space, status.by);
    case 'dismissed':
      return closed('dismissed', { kind: 'dismissed', by: status.by.name, at: timeOf(status.by) });
    case 'superseded':
      return closed('superseded', { kind: 'superseded', by: status.by.name });
    case 'settled':
      // A person's own hand has overtaken a proposal; the occasion of a question has passed.
      return closed(isChoice(event) || isQuestion(event) ? 'expired' : 'superseded', settled(status));
  }
}

function closed(outcome: EventOutcome, becoming: Becoming): EventNow {
  return { flags: { waits: false, outcome }, becoming };
}

function openNow(event: EventRecord): EventNow {
  const asks = isChoice(event) ? 'choice' : isQuestion(event) ? 'question' : 'proposal';
  const outcome = asks === 'question' ? 'recorded' : 'proposed';
  return { flags: { waits: true, outcome }, becoming: { kind: 'open', asks } };
}

function confirmedNow(space: ReadAccess, answer: EventRecord): EventNow {
  const made = madeNow(space, answer);
  if (made.kind === 'reversed' || isReversed(space, answer)) return closed('reversed', made);
  const until = made.kind === 'undoable' ? made.until : null;
  return closed('confirmed', { kind: 'confirmed', by: answer.name, at: timeOf(answer), until });
}

function settled({ reason, by, isMade }: Extract<ProposalStatus, { kind: 'settled' }>): Becoming {
  return { kind: 'settled', by: by?.name ?? null, reason, isMade: isMade === true };
}

/** What has become of something that was made: a change, the record of an answer, a reversal. */
function madeNow(space: ReadAccess, event: EventRecord | ReversalRecord): Becoming {
  const reversal = reversalHolding(space, event);
  if (reversal !== null) return { kind: 'reversed', by: reversal.name, at: timeOf(reversal) };
  if (event.kind === 'reversal' && event.fields.outcome === 'conflict') return conflictNow(space, event);
  return stillOpen(space, undoable(event.kind === 'reversal' ? 'reversal' : 'change', event.fields.undo_recipe));
}

// Once it was taken back after all, there is nothing left to force.
function conflictNow(space: ReadAccess, { fields }: ReversalRecord): Becoming {
  const { reverses } = fields;
  const subject = reverses === null ? null : space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind !== 'event' && subject?.kind !== 'reversal') return { kind: 'nothing' };
  const reversal = reversalHolding(space, subject);
  if (reversal !== null) return { kind: 'reversed', by: reversal.name, at: timeOf(reversal) };
  const until = Date.parse(subject.fields.undo_recipe?.expires_at ?? '');
  const isOpen = !Number.isNaN(until) && !fields.force;
  return isOpen ? stillOpen(space, { kind: 'forcible', until }) : { kind: 'nothing' };
}

function stillOpen(space: ReadAccess, becoming: Becoming): Becoming {
  const isOver = 'until' in becoming && becoming.until !== null && becoming.until < space.context.now();
  return isOver ? { kind: 'over', until: becoming.until } : becoming;
}

function timeOf({ name, kind, fields }: EventRecord | ReversalRecord): number {
  return momentOf(name, kind === 'event' ? fields.timestamp : fields.settled_at);
}

/** Returns why an answer in an event note can mean nothing there; null where it can, or where none is given. */
export function remarkOn(space: ReadAccess, event: EventRecord): string | null {
  const { type, confirm, dismiss, undo, undo_recipe: recipe } = event.fields;
  if (isSiblingType(type) || !(confirm || dismiss || undo || isChosenIn(event.fields))) return null;
  if (recipe !== null) return confirm || dismiss ? REMARKS.isMade : null;
  const status = standingOf(space, event);
  switch (status.kind) {
    case 'none':
      return undo ? REMARKS.changedNothing : REMARKS.nothingProposed;
    case 'waiting':
    case 'stale':
      return remarkOnOpen(space, event);
    default:
      return remarkOnClosed(event, status);
  }
}

/** Returns the matter or task that a person has chosen, or why it cannot be the one. */
export function chosenTarget(space: ReadAccess, choose: string): TargetRecord | string {
  const found = space.vault.catalogue.resolve(choose, ['task', 'matter']);
  if (found?.kind !== 'task' && found?.kind !== 'matter') return REMARKS.noSuchNote;
  return handsOffReason(space, found) ?? found;
}

function remarkOnOpen(space: ReadAccess, event: EventRecord): string | null {
  const { confirm, dismiss, undo } = event.fields;
  if (confirm && dismiss) return REMARKS.both;
  if (undo) return REMARKS.changedNothingYet;
  if (isQuestion(event)) return confirm ? REMARKS.onlySeen : null;
  if (!isChoice(event)) return null;
  if (dismiss) return isChosenIn(event.fields) ? REMARKS.chosenAndDismissed : null;
  if (!isChosenIn(event.fields)) return REMARKS.which;
  const choose = chosenIn(event.fields);
  if (choose === null) return REMARKS.several;
  const chosen = chosenTarget(space, choose);
  return typeof chosen === 'string' ? chosen : null;
}

function remarkOnClosed(
  event: EventRecord,
  status: Exclude<ProposalStatus, { kind: 'none' | 'waiting' | 'stale' }>,
): string | null {
  const { confirm, dismiss, undo } = event.fields;
  if (status.kind === 'confirmed') return dismiss ? REMARKS.confirmed(status.by.name) : null;
  if (undo) return REMARKS.changedNothing;
  if (status.kind === 'dismissed') return confirm ? REMARKS.dismissed(status.by.name) : null;
  if (!confirm && !dismiss) return null;
  return status.kind === 'settled' ? REMARKS.settled(status.reason) : REMARKS.superseded(status.by.name);
}

/**
 * Lets an event note say what has become of it: the fields that a person reads and the program's part of the body, never
 * what was recorded. Returns when to look again (epoch ms) where somebody is editing the note, else null. Does nothing
 * where the note says it already.
 */
function followFlags(space: WriteAccess, path: string): number | null {
  const event = space.vault.catalogue.get(path);
  // Another machine follows its own notes: two that each know only their own answers would write against each other.
  if ((event?.kind !== 'event' && event?.kind !== 'reversal') || !isKnownNote(space, event)) return null;
  const now = outcomeNow(space, event);
  const remark = event.kind === 'event' ? remarkOn(space, event) : null;
  if (saysSo(event.fields, now, remark)) return null;
  space.transactions.finishHeldUp([path]);
  const note = space.notes.fresh(path);
  if (note === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const text = noteNow(path, note.text, note.data, now, remark);
  if (text === null || text === note.text) return null;
  const id = `attention-${nameTimeExact(space.context.now())}-${event.name}`;
  return space.transactions.commit(id, [textStep(path, note.text, text)]) ? null : space.context.now() + 1000;
}

/** How far back a start looks for what ended while the program was away. */
const AWAY_MS = 60 * 24 * 60 * 60 * 1000;

/** Does the same for every event note that may be behind. One that is being edited is left for the next time. */
export function followAllFlags(space: WriteAccess): void {
  eachAlone(atOnce(mayBeBehind(space)), (path) => followFlags(space, path));
}

/**
 * Returns the paths of the event notes that say that they wait, are ticked, were taken back, or can be taken back no more
 * since a moment (epoch ms): a crash or a long pause may come between. Pauses after each small step.
 */
export function* mayBeBehind(space: ReadAccess): Generator<void, ReadonlySet<string>> {
  const { catalogue } = space.vault;
  const found = new Set([...catalogue.waiting('event'), ...catalogue.eventsThat('asking')].map(({ path }) => path));
  for (const reversal of catalogue.each('reversal')) {
    yield;
    for (const path of concernedBy(space, reversal)) found.add(path);
  }
  return found.union(yield* endedSince(space, space.context.now() - AWAY_MS));
}

// The work is proportional to what happened in that time.
function* endedSince(space: ReadAccess, since: number): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>();
  for (const record of space.vault.catalogue.chronicle.ended(since, space.context.now())) {
    yield;
    for (const path of concernedBy(space, record)) found.add(path);
  }
  return found;
}

/**
 * Does the same for the event notes that have invited to take something back until a moment since `since` (epoch ms).
 * Pauses after each small step.
 */
export function* followEnded(space: WriteAccess, since: number): Generator<void> {
  yield* stepsAlone(yield* endedSince(space, since), (path) => followFlags(space, path));
}

/** Does the same for the event notes that a new or changed record concerns. */
export function followFlagsAround(space: WriteAccess, record: VaultRecord): void {
  eachAlone(concernedBy(space, record), (path) => followFlags(space, path));
}

/** Returns the step by which an answer closes the event note it answers; null where the note stays as it is. */
export function closingStep(
  space: ReadAccess,
  event: EventRecord,
  outcome: EventOutcome,
  becoming: Becoming,
): EditStep | null {
  const now = { flags: { waits: false, outcome }, becoming };
  return followStep(space.notes, event.path, (data) => nowEdits(data, now), {
    marks: NOW_PART,
    text: becomingWords(becoming),
  });
}

/** Returns the paths of the event notes of which a record may have changed what has become of them. */
function concernedBy(space: ReadAccess, record: VaultRecord): string[] {
  return [...new Set(concerned(space, record).map(({ path }) => path))];
}

// What was seen of a task rests on its matter as well.
function foundUnder({ vault: { catalogue } }: ReadAccess, matter: MatterRecord): EventRecord[] {
  return catalogue.waiting('event').filter(({ fields: { perceived, target_path: path } }) => {
    const note = perceived === null || path === null ? undefined : catalogue.get(catalogue.currentPath(path));
    return note?.kind === 'task' && catalogue.matterOf(note)?.path === matter.path;
  });
}

function concerned(space: ReadAccess, record: VaultRecord): (EventRecord | ReversalRecord)[] {
  const { catalogue } = space.vault;
  switch (record.kind) {
    case 'event': {
      const { confirms, dismisses, target_path: target, signals } = record.fields;
      return [
        record,
        ...answered(space, confirms ?? dismisses),
        ...(target === null ? [] : waitingOf(catalogue.eventsAbout(target))),
        ...waitingOf(signals.flatMap((signal) => catalogue.eventsOfSignal(nameKey(signal)))),
      ];
    }
    case 'reversal':
      return [record, ...answered(space, record.fields.reverses)];
    case 'signal':
      return waitingOf(catalogue.eventsOfSignal(record.name));
    case 'task':
    case 'matter':
      return [
        ...waitingOf(catalogue.eventsAbout(record.path)),
        ...waitingAbout(space, record.path).map(({ event }) => event),
        ...(record.kind === 'matter' ? foundUnder(space, record) : []),
      ];
    default:
      return [];
  }
}

function waitingOf(events: readonly EventRecord[]): EventRecord[] {
  return events.filter(({ fields }) => saysItWaits(fields));
}

// Taking back a confirmation, or a reversal, is about the event that it answers in turn.
function answered(space: ReadAccess, link: string | null, depth = 0): (EventRecord | ReversalRecord)[] {
  const found = link === null ? null : space.vault.catalogue.resolve(link, ['event', 'reversal']);
  if (found === null || depth > MOST_ANSWERS) return [];
  if (found.kind === 'reversal') return [found, ...answered(space, found.fields.reverses, depth + 1)];
  return found.kind === 'event' ? [found, ...answered(space, found.fields.confirms, depth + 1)] : [];
}

/** How far a chain of answers to answers is followed. */
const MOST_ANSWERS = 20;

interface FollowerParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
}

/** Keeps what event notes say of themselves true while the daemon runs: whether they wait, and what became of them. */
export class AttentionFollower {
  readonly #parts: FollowerParts;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Looks at every event note that says that it waits, is ticked, or was taken back: at a start, which reads all. */
  all(): void {
    this.#parts.retries.addSteps('attention', 'event', () => this.#all());
  }

  *#all(): Generator<void> {
    for (const path of yield* mayBeBehind(this.#parts.space)) {
      yield;
      this.#follow(path);
    }
  }

  /** Looks at the event notes that changes of the vault concern. */
  changed(changes: readonly Change[]): void {
    const { space } = this.#parts;
    const records = changes.flatMap(({ before, after }) => [before, after]).filter((record) => record !== null);
    for (const path of new Set(records.flatMap((record) => concernedBy(space, record)))) this.#follow(path);
  }

  #follow(path: string): void {
    const { space, retries, timers } = this.#parts;
    retries.add(`attention ${path}`, path, async () => {
      const until = followFlags(space, path);
      if (until !== null) timers.at(until, () => this.#follow(path));
    });
  }
}

/**
 * Returns the signals that a change of `signal_sources` may let be heard: those for the matter and its tasks, and those
 * of no sure target. Whoever was shut out is neither weighed nor forgotten.
 */
export function heardAnew({ vault: { catalogue } }: IndexAccess, changes: readonly Change[]): SignalRecord[] {
  const matters = changes.flatMap(({ before, after }) => (hearsOthers(before, after) ? [after] : []));
  if (matters.length === 0) return [];
  const notes = matters.flatMap((matter) => [matter, ...catalogue.tasksOf(matter)]);
  return [...notes.flatMap((note) => catalogue.signalsFor(note)), ...catalogue.waiting('signal')];
}

type Changed = Change['after'] | Change['before'];

function hearsOthers(before: Changed, after: Changed): after is MatterRecord {
  return isMatter(before) && isMatter(after) && sourcesIn(before) !== sourcesIn(after);
}

function isMatter(record: Changed): record is MatterRecord {
  return record?.kind === 'matter';
}

function sourcesIn({ fields }: MatterRecord): string {
  return fields.signal_sources.join('\n');
}
