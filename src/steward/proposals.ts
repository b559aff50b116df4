import { editFields, restoreFields } from '../vault/edit.ts';
import { isRefusal } from '../vault/errors.ts';
import { changesNothing, isForged } from '../vault/event-text.ts';
import { type Changes, type Frontmatter, same, type Yaml } from '../vault/frontmatter.ts';
import { type Memo, saysItPassed, saysItWaits } from '../vault/index.ts';
import { fold } from '../vault/layout.ts';
import { nameKey } from '../vault/links.ts';
import { noteMoment, sha256 } from '../vault/note-text.ts';
import {
  type EventRecord,
  isSiblingType,
  parseState,
  type ReversalRecord,
  type SignalRecord,
  type State,
  type StatusWords,
  stateMeant,
  type TargetRecord,
} from '../vault/record.ts';
import { isOwnSignal } from '../vault/seal.ts';
import { isAgent, sourceKey, VAULT_EDIT } from '../vault/source-names.ts';
import { parseLocalTime } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { isStateField, readHeldValue } from './change.ts';
import { isKnownNote, isOwnNote } from './records.ts';
import type { Clock, Notes, Records, Seals } from './types.ts';

/** The findings that a note can have by itself, the most pressing first. */
export const FINDING_KINDS = ['overdue', 'snooze_over', 'unblocked', 'tasks_done', 'silent'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** A finding at a note at one moment, without any signal. */
export interface NoteFinding {
  readonly kind: FindingKind;
  /** The part of the note that it rests on: a due date, the end of a snooze. If that changes, it is another finding. */
  readonly of: string;
  /** The milestone that is reached: days of being overdue, weeks of silence; 0 where there is only one. */
  readonly step: number;
  /** Since when it is true (epoch ms). */
  readonly since: number;
  readonly sentence: string;
}

/** Returns a finding as one text, which stays the same until there is news for a person. */
export function findingKey({ kind, step, of }: Pick<NoteFinding, 'kind' | 'step' | 'of'>): string {
  return `${kind} ${step} ${of}`;
}

/** Returns the key of the question whether a mail settles a note. `mail`: the identity of the mail. */
export function settleKey(mail: string): string {
  return `mail ${sha256(mail).slice(0, 16)}`;
}

/** Returns the key of what a model found: about a note, its matter and a day that had this fingerprint. */
export function judgedKey(print: string): string {
  return `judged ${print.slice(0, 16)}`;
}

/**
 * Returns whether the program keeps its hands off a note: it says `steward: false` or has a status that nothing explains,
 * or its matter does.
 */
export function isHandsOff(space: Records, target: TargetRecord): boolean {
  return handsOffNote(space, target) !== null;
}

/** Returns the note because of which the program keeps its hands off a note: itself or its matter; null if neither. */
export function handsOffNote({ vault }: Records, target: TargetRecord): TargetRecord | null {
  if (!target.fields.steward) return target;
  const matter = target.kind === 'task' ? vault.catalogue.matterOf(target) : null;
  return matter === null || matter.fields.steward ? null : matter;
}

/** Returns why the program keeps its hands off a note, as a sentence; null if it does not. */
export function handsOffReason(space: Records, target: TargetRecord): string | null {
  const off = handsOffNote(space, target);
  return off === null ? null : `${off.name} ${offPhrase(off)}.`;
}

/** The same without the note's name: `steward: false`, `its matter house says steward: false`. */
export function handsOffWords(space: Records, target: TargetRecord): string | null {
  const off = handsOffNote(space, target);
  if (off === null) return null;
  return off === target ? offWords(off) : `its matter ${off.name} ${offPhrase(off)}`;
}

/** The same behind the name of the note: `says steward: false`, `is archived (its tag)`. */
export function offPhrase(target: TargetRecord): string {
  return target.fields.set_aside === null ? `says ${offWords(target)}` : `is ${target.fields.set_aside}`;
}

/** The words in a note that keep the program's hands off it. */
function offWords({ fields }: TargetRecord): string {
  if (fields.set_aside !== null) return fields.set_aside;
  return fields.unexplained === null
    ? 'steward: false'
    : `${fields.state_field}: ${fields.unexplained}, which the settings do not explain`;
}

interface Proposed {
  readonly changes: Changes;
  /** The note's fields at that time, as far as they were recorded; empty if they were not. */
  readonly prior: Frontmatter;
  readonly priorState: State | null;
}

interface NoteNow {
  readonly fields: Frontmatter;
  readonly state: State;
  readonly words: StatusWords;
}

/**
 * How a proposal fits its note as it is now: it still `fits`; a person has `made` its change; the matter or task was
 * `closed` since; or one of the fields it was made on has `moved`, so that it must be judged again.
 */
type Fit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'made' }
  | { readonly kind: 'closed'; readonly state: State }
  | { readonly kind: 'moved'; readonly field: string };

/** The fields that every proposal rests on, besides the ones it would change. */
const ANCHORS = ['state', 'status', 'parent_matter'];

/** Returns how a proposal fits the note as it is now. Only one that fits may be confirmed (contract, section 8). */
function fitOf(proposed: Proposed, now: NoteNow): Fit {
  if (isMade(proposed.changes, now)) return { kind: 'made' };
  if (isEnded(now.state) && proposed.priorState !== null && proposed.priorState !== now.state) {
    return { kind: 'closed', state: now.state };
  }
  const field = movedField(proposed, now.fields);
  return field === null ? { kind: 'fits' } : { kind: 'moved', field };
}

function isMade(changes: Changes, now: NoteNow): boolean {
  const entries = Object.entries(changes);
  // The person who made the change says on which day; the proposed day does not count.
  const asked = entries.some(([field]) => isStateField(field))
    ? entries.filter(([field]) => field !== 'completedDate')
    : entries;
  return asked.length > 0 && asked.every(([field, { before, after }]) => isMadeIn(field, before, after, now));
}

function isMadeIn(field: string, before: Yaml, after: Yaml, { fields, state, words }: NoteNow): boolean {
  const meant = isStateField(field) ? stateMeant(after, words) : null;
  if (meant !== null) return meant === state;
  const held = readHeldValue(fields, field);
  if (same(held, after)) return true;
  if (!Array.isArray(after)) return false;
  const [now, former, wanted] = [membersOf(held), membersOf(before), membersOf(after)];
  return (
    wanted.filter((one) => !former.includes(one)).every((one) => now.includes(one)) &&
    former.filter((one) => !wanted.includes(one)).every((one) => !now.includes(one))
  );
}

function movedField({ changes, prior }: Proposed, fields: Frontmatter): string | null {
  const proposed = Object.entries(changes).find(([field, { before }]) => !same(readHeldValue(fields, field), before));
  if (proposed !== undefined) return proposed[0];
  if (Object.keys(prior).length === 0) return null;
  return ANCHORS.find((field) => !same(readHeldValue(fields, field), readHeldValue(prior, field))) ?? null;
}

function membersOf(value: Yaml): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => JSON.stringify(one));
}

/** A note as it is now; `gone` if it doesn't exist, null if it is no task or matter, or cannot be read just now. */
type NoteOnDisk = { readonly snapshot: NoteSnapshot; readonly state: State } | 'gone' | null;

/** Returns a note as it is now, judged by a snapshot of it; without one, the note is read. */
function noteNow(space: Records & Notes, path: string, known: NoteSnapshot | null): NoteOnDisk {
  const record = space.vault.catalogue.get(path);
  if (record === undefined) return 'gone';
  if (record.kind !== 'task' && record.kind !== 'matter') return null;
  const snapshot = known ?? space.notes.fresh(path);
  return snapshot === null ? null : { snapshot, state: readState(space, record, snapshot) };
}

/** Returns the state that a snapshot of a note shows: it may have changed since it was catalogued. */
export function readState({ vault }: Records, { fields }: TargetRecord, { data }: NoteSnapshot): State {
  return stateMeant(data[fields.state_field], vault.catalogue.words) ?? fields.state;
}

/** A decision, as far as it overtakes what was proposed before it. */
export interface Overtaking {
  readonly changes: object;
  /** Names of signals, or links to them. */
  readonly signals: readonly string[];
  /** Whose proposal it is: the keys of its sources; null if the change was made. */
  readonly speakers: readonly string[] | null;
  /** The finding of the program itself, without a signal; null for anything else. */
  readonly perceived: string | null;
}

/**
 * Later decisions about the note of a proposal. A proposal is overtaken if one of its signals was weighed again, if one
 * of its fields was written, or if all its speakers have spoken about the field again. A proposal of somebody else
 * doesn't take it off the list: a stranger could do so with one mail. A finding of the program itself is overtaken by
 * its later findings.
 */
class LaterDecisions {
  readonly #keys = new Set<string>();

  add({ changes, signals, speakers, perceived }: Overtaking): void {
    if (perceived !== null) this.#keys.add(PERCEIVED);
    for (const signal of signals) this.#keys.add(signalKey(signal));
    for (const field of Object.keys(changes)) {
      if (speakers === null) this.#keys.add(fieldKey(field, null));
      for (const speaker of speakers ?? []) this.#keys.add(fieldKey(field, speaker));
    }
  }

  /** Whether all this together overtakes a proposal. */
  overtakes({ fields }: EventRecord): boolean {
    if (fields.perceived !== null && this.#keys.has(PERCEIVED)) return true;
    if (fields.signals.some((signal) => this.#keys.has(signalKey(signal)))) return true;
    const speakers = listSpeakers(fields.source_contributions, isForged(fields.gates));
    return Object.keys(fields.changes).some((field) => {
      const isSaidAgain = speakers.every((speaker) => this.#keys.has(fieldKey(field, speaker)));
      return this.#keys.has(fieldKey(field, null)) || (speakers.length > 0 && isSaidAgain);
    });
  }
}

/** Whether one decision alone overtakes a proposal about the same note. */
export function supersedes(by: Overtaking, proposal: EventRecord): boolean {
  const since = new LaterDecisions();
  since.add(by);
  return since.overtakes(proposal);
}

/** Returns how an event overtakes what was proposed before it. */
function overtakingOf({ fields }: EventRecord): Overtaking {
  const {
    changes,
    signals,
    undo_recipe: recipe,
    confirms,
    source_contributions: contributions,
    perceived,
    gates,
  } = fields;
  const isMade = recipe !== null || confirms !== null;
  return { changes, signals, speakers: isMade ? null : listSpeakers(contributions, isForged(gates)), perceived };
}

/**
 * Returns the keys of the sources that bear a conclusion. Whoever forges a sender is somebody else: a forged mail must
 * not take an honest one's proposal off the list.
 */
export function listSpeakers(contributions: Readonly<Record<string, number>>, isForged = false): string[] {
  const mark = isForged ? 'forged ' : '';
  return Object.entries(contributions).flatMap(([source, share]) => (share > 0 ? [`${mark}${sourceKey(source)}`] : []));
}

/** Represents all findings of the program itself about one note. */
const PERCEIVED = 'perceived';

function signalKey(signal: string): string {
  return `signal ${nameKey(signal)}`;
}

function fieldKey(field: string, speaker: string | null): string {
  return speaker === null ? `made ${field}` : `said ${field} ${speaker}`;
}

/**
 * Returns why a note is not spoken of without a signal, in a few words: it has ended, somebody put it off, or said
 * hands off. Null if it may be. The same reason closes earlier questions about it.
 */
export function putOffReason(space: Records & Clock, target: TargetRecord): string | null {
  const now = space.context.now();
  const off = handsOffWords(space, target);
  if (off !== null) return off;
  if (!isLiving(target)) return `it is ${target.fields.state}`;
  if (target.fields.surface_class === 'none') return 'surface_class: none';
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : target;
  if (matter === null) return 'it belongs to no matter';
  if (!isLiving(matter)) return `its matter is ${matter.fields.state}`;
  if (isAhead(target.fields.next_check_after, now)) return 'next_check_after is still to come';
  const snoozed = target.kind === 'task' && target.fields.state === 'snoozed' ? target.fields.snoozed_until : null;
  return isAhead(snoozed, now) ? 'it is snoozed' : null;
}

/** Whether a task or matter has not ended. */
export function isLiving({ fields: { state } }: TargetRecord): boolean {
  return state === 'open' || state === 'snoozed';
}

function isAhead(written: string | null, now: number): boolean {
  const at = written === null ? null : parseLocalTime(written);
  return at !== null && at > now;
}

/**
 * Returns why a finding of the program itself is no longer true of the note as it is now; null if it still is, and for
 * any other event. `sha`: of the note's bytes now; null if they are not known.
 */
function passedReason(space: Records & Clock, { fields }: EventRecord, sha: string | null): string | null {
  if (fields.perceived === null || fields.target_path === null) return null;
  const { catalogue } = space.vault;
  const note = catalogue.get(catalogue.currentPath(fields.target_path));
  if (note?.kind !== 'task' && note?.kind !== 'matter') return null;
  const putOff = putOffReason(space, note);
  if (putOff !== null) return putOff;
  // A question is about the note as it was.
  return sha === null || sha === fields.note_sha256 ? null : 'its note was changed since';
}

/** Returns the part of a note that a finding rests on, as text that can be compared. */
export function restsOn({ fields, kind }: TargetRecord, finding: 'overdue' | 'snooze_over' | 'unblocked'): string {
  if (kind === 'matter') return '';
  if (finding === 'overdue') return fields.due ?? '';
  if (finding === 'unblocked') return blockedText(fields.blocked_on);
  return fields.state === 'snoozed' ? (fields.snoozed_until ?? '') : '';
}

/** Returns a note's blockers as one short text that can be compared, whatever they are; '' without blockers. */
export function blockedText(links: readonly string[]): string {
  return links.length === 0 ? '' : sha256(JSON.stringify(links)).slice(0, 16);
}

/** The open proposals by the path of their note, remembered for one state of the vault. */
export type OpenProposals = Memo<Map<string, readonly OpenProposal[]>>;

/** The data from which the states of proposals follow. */
export interface Proposals extends Records, Notes {
  readonly context: Clock['context'] & Seals['context'];
  readonly proposals: OpenProposals;
}

/**
 * The state of a proposal. It isn't stored, but worked out from the notes each time: the proposal, what was written
 * after it, and the note it is about.
 */
export type ProposalState =
  /** The event is no proposal: its change was made, or it has no change. */
  | { readonly kind: 'none' }
  /** Waits for a person. */
  | { readonly kind: 'waiting' }
  /** Its note has changed since: its signals are weighed again at the next check that finds the note quiet. */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'confirmed' | 'dismissed' | 'superseded'; readonly by: EventRecord }
  /** A person has made it unnecessary by hand: made the change, ended the task, deleted the note. */
  | { readonly kind: 'settled'; readonly reason: string; readonly by?: EventRecord; readonly isMade?: true };

/** A proposal that is still open. */
export interface OpenProposal {
  readonly event: EventRecord;
  readonly state: Extract<ProposalState, { kind: 'waiting' | 'stale' }>;
  /** The names of its signals that are to be weighed again; empty unless it is stale. */
  readonly again: readonly string[];
}

/** Whether an event is a proposal: a change that was not made and may still be. */
function isProposal(event: EventRecord): boolean {
  const { fields } = event;
  return fields.confirms === null && fields.dismisses === null && fields.undo_recipe === null && hasChanges(event);
}

// The state of another machine's proposal is unknown here: it waits if its note says so.
function mayWait(space: Proposals, event: EventRecord): boolean {
  return saysItWaits(event.fields) || isKnownNote(space, event);
}

function changeState(space: Proposals, event: EventRecord): ProposalState {
  const { catalogue } = space.vault;
  if (!isProposal(event)) return { kind: 'none' };
  const isHeard = mayWait(space, event);
  // A proposal that does not wait here is closed by any answer in the vault: it has no further effect.
  const answer = isHeard ? findAnswer(space, event) : (saidAnswers(space, event)[0] ?? null);
  if (answer !== null) return { kind: answer.fields.dismisses === null ? 'confirmed' : 'dismissed', by: answer };
  const by = supersededBy(space, event);
  if (by !== null) return { kind: 'superseded', by };
  const { target_path: path } = event.fields;
  if (path === null) return { kind: 'settled', reason: 'it names no note' };
  const closing = catalogue.eventsAbout(path).find((other) => counts(space, other) && closes(space, other, event));
  if (closing !== undefined) return { kind: 'settled', reason: 'a person settled it', by: closing };
  const open = waitingAbout(space, path).find((one) => one.event.path === event.path);
  if (open !== undefined) return open.state;
  const byHand = resolvedByHand(space, event, noteNow(space, catalogue.currentPath(path), null));
  return byHand ?? { kind: isHeard ? 'waiting' : 'none' };
}

/** Returns whether a proposal still waits for a person, or for its signals to be weighed again. */
export function isOpen(space: Proposals, event: EventRecord): boolean {
  const { kind } = changeState(space, event);
  return kind === 'waiting' || kind === 'stale';
}

/**
 * Returns every open proposal, oldest first: of those whose event notes say that they wait, the ones of which it is
 * true.
 */
export function openProposals(space: Proposals): OpenProposal[] {
  const { catalogue } = space.vault;
  const paths = new Map(
    catalogue.waiting('event').map(({ fields }) => {
      const path = catalogue.currentPath(fields.target_path ?? '');
      return [fold(path), path];
    }),
  );
  return [...paths.values()]
    .flatMap((path) => waitingAbout(space, path))
    .filter(({ event }) => saysItWaits(event.fields))
    .sort((one, other) => (comesAfter(one.event, other.event) ? 1 : -1));
}

/** Returns the open proposals about one note, newest first. Worked out once for each state of the vault. */
export function waitingAbout(space: Proposals, path: string): readonly OpenProposal[] {
  const { catalogue } = space.vault;
  const byPath = space.proposals.at(catalogue.revision, () => new Map<string, readonly OpenProposal[]>());
  const current = catalogue.currentPath(path);
  const waiting = byPath.get(current) ?? waitingOn(space, current, null);
  byPath.set(current, waiting);
  return waiting;
}

/** Returns the open proposals about one note, newest first, judged by a snapshot of it; null reads the note. */
export function waitingOn(space: Proposals, path: string, snapshot: NoteSnapshot | null): readonly OpenProposal[] {
  const events = space.vault.catalogue.eventsAbout(path);
  if (!events.some((event) => isProposal(event))) return [];
  const latest = notSuperseded(space, events);
  if (latest.length === 0) return [];
  const note = noteNow(space, path, snapshot);
  return latest.flatMap(({ event, unweighed }): OpenProposal[] => {
    if (resolvedByHand(space, event, note) !== null) return [];
    const reason = note === null || note === 'gone' ? null : movedReason(space, event, note);
    if (reason === null) return [{ event, state: { kind: 'waiting' }, again: [] }];
    return [{ event, state: { kind: 'stale', reason }, again: unweighed }];
  });
}

/** A proposal that is neither answered nor superseded. */
interface LatestProposal {
  readonly event: EventRecord;
  /** The names of its signals that no later event has weighed. */
  readonly unweighed: readonly string[];
}

// Walks the events newest first, in one pass: comparing each with each would cost too much for a note with a proposal
// every hour for a year.
function notSuperseded(space: Proposals, events: readonly EventRecord[]): LatestProposal[] {
  const later = { live: new LaterDecisions(), shadow: new LaterDecisions() };
  const weighed = new Set<string>();
  let clearedAt: number | null = null;
  return events
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1))
    .flatMap((event) => {
      const { mode } = event.fields;
      const past = counts(space, event);
      const signals = event.fields.signals.map(nameKey);
      const isLast = !later[heardIn(event)].overtakes(event);
      const unweighed = signals.filter((name) => !weighed.has(name));
      for (const name of signals) weighed.add(name);
      if (past && event.fields.dismisses === null) {
        later.shadow.add(overtakingOf(event));
        if (isCarriedOut(event)) later.live.add(overtakingOf(event));
      }
      const isClosed = clearedAt !== null && mode === 'live' && !isReopenedSince(space, event, clearedAt);
      if (clearedAt === null && past && takesFlag(space, event))
        clearedAt = noteMoment(event.name, event.fields.timestamp);
      const isOpenStill =
        isLast && !isClosed && isProposal(event) && mayWait(space, event) && findAnswer(space, event) === null;
      return isOpenStill ? [{ event, unweighed }] : [];
    });
}

// Once an event has taken away the note's flag, no earlier live proposal waits any more, even if a person later gives
// the note back what it held before.
function closes(space: Proposals, other: EventRecord, event: EventRecord): boolean {
  if (event.fields.mode !== 'live' || !comesAfter(other, event) || !takesFlag(space, other)) return false;
  return !isReopenedSince(space, event, noteMoment(other.name, other.fields.timestamp));
}

// Whether an event has taken away the note's flag. It doesn't count if a change had closed the note before, and was taken
// back since: then the proposals wait again that only the end of the note had closed.
function takesFlag(space: Proposals, event: EventRecord): boolean {
  const { pending_cleared: isCleared, target_path: path } = event.fields;
  if (!isCleared) return false;
  const at = wholeSecond(noteMoment(event.name, event.fields.timestamp));
  const isTakenBackSince = (change: EventRecord) =>
    isReversed(space, change) && lastTakenBack(space, change) >= at && isKnownNote(space, change);
  return !space.vault.catalogue
    .eventsAbout(path ?? '')
    .some((change) => closesNote(space, change) && comesAfter(event, change) && isTakenBackSince(change));
}

/** Whether a change set a note that was open, or snoozed, to done or archived. */
function closesNote({ vault }: Records, { fields }: EventRecord): boolean {
  return Object.entries(fields.undo_recipe?.vault_patch.fields ?? {}).some(([field, { before, after }]) => {
    if (!isStateField(field)) return false;
    const meant = (value: Yaml) => stateMeant(value, vault.catalogue.words) ?? 'open';
    return !isEnded(meant(before)) && isEnded(meant(after));
  });
}

function isEnded(state: State): boolean {
  return state === 'done' || state === 'archived';
}

/**
 * Whether a proposal for which the note's flag was taken away waits while a change is taken back that had closed the note.
 * `snapshot`: the note as it is then.
 */
export function waitsFlagged(space: Proposals, change: EventRecord, snapshot: NoteSnapshot): boolean {
  if (!closesNote(space, change)) return false;
  const { catalogue } = space.vault;
  const path = catalogue.currentPath(change.fields.target_path ?? '');
  const events = catalogue.eventsAbout(path);
  const clearing = events.filter(
    (other) => counts(space, other) && other.fields.pending_cleared && comesAfter(other, change),
  );
  const note = noteNow(space, path, snapshot);
  return events.some((event) => {
    if (event.fields.mode !== 'live' || !isProposal(event) || !mayWait(space, event)) return false;
    if (!clearing.some((other) => comesAfter(other, event)) || findAnswer(space, event) !== null) return false;
    const isClosedBefore = events.some(
      (other) => counts(space, other) && comesAfter(change, other) && closes(space, other, event),
    );
    return !isClosedBefore && supersededBy(space, event) === null && resolvedByHand(space, event, note) === null;
  });
}

/**
 * Returns the proposals about a note that a person has made unnecessary by hand, and why, judged by a snapshot of the
 * note.
 */
export function resolvedOn(
  space: Proposals,
  path: string,
  snapshot: NoteSnapshot,
): { event: EventRecord; reason: string }[] {
  const { catalogue } = space.vault;
  const note = noteNow(space, path, snapshot);
  return notSuperseded(space, catalogue.eventsAbout(path)).flatMap(({ event }) => {
    const resolved = resolvedByHand(space, event, note);
    return resolved === null ? [] : [{ event, reason: resolved.reason }];
  });
}

/**
 * Returns the confirmation or dismissal that closed a proposal, or null. One that was never carried out doesn't close
 * anything, and neither does an answer without a change that was taken back: then the proposal waits again.
 */
export function findAnswer(space: Records & Seals, event: EventRecord): EventRecord | null {
  return standingAnswers(space, event)[0] ?? null;
}

function standingAnswers(space: Records & Seals, event: EventRecord): EventRecord[] {
  const isStanding = (answer: EventRecord) => !isAnswerOnly(answer) || !isReversed(space, answer);
  return saidAnswers(space, event).filter((answer) => isKnownNote(space, answer) && isStanding(answer));
}

/** Whether an event or a reversal only gives an answer or takes one back, and has changed no field. */
export function isAnswerOnly({ fields }: EventRecord | ReversalRecord): boolean {
  return changesNothing(fields.undo_recipe);
}

// An event that closed all earlier proposals of a note at a moment (epoch ms) doesn't close one whose answer was taken
// back since.
function isReopenedSince(space: Space, event: EventRecord, at: number): boolean {
  return saidAnswers(space, event).some((answer) => reopenedAt(space, answer) >= wholeSecond(at));
}

/** Returns when an answer without a change was taken back for the last time (epoch ms); -Infinity while it counts. */
function reopenedAt(space: Space, answer: EventRecord): number {
  const isOpened = isAnswerOnly(answer) && isReversed(space, answer);
  return isOpened ? lastTakenBack(space, answer) : Number.NEGATIVE_INFINITY;
}

// A dropped file says its time in whole seconds.
function wholeSecond(at: number): number {
  return Math.floor(at / 1000) * 1000;
}

function lastTakenBack(space: Space, answer: Answerable, depth = 0): number {
  if (depth > MOST_UNDOS) return Number.NEGATIVE_INFINITY;
  const times = reversalsOf(space, answer).flatMap((reversal) => [
    noteMoment(reversal.name, reversal.fields.settled_at),
    lastTakenBack(space, reversal, depth + 1),
  ]);
  return Math.max(Number.NEGATIVE_INFINITY, ...times.filter((at) => !Number.isNaN(at)));
}

/** Undos of undos are followed this far. */
const MOST_UNDOS = 20;

function saidAnswers({ vault }: Records, event: EventRecord): EventRecord[] {
  return vault.catalogue.answersTo(event.name).filter((answer) => answer.kind === 'event');
}

/**
 * The first later event about the same note by which a proposal is overtaken, or null. A shadow event never supersedes a
 * live proposal: the flag in the note belongs to the live one, and shadow touches no note.
 */
function supersededBy(space: Proposals, event: EventRecord): EventRecord | null {
  const path = event.fields.target_path;
  if (path === null) return null;
  const since = new LaterDecisions();
  const later = space.vault.catalogue
    .eventsAbout(path)
    .filter((other) => counts(space, other))
    .filter((other) => other.path !== event.path && other.fields.dismisses === null)
    .filter((other) => other.fields.confirms === null || !answers(other, event))
    .filter((other) => isCarriedOut(other) || heardIn(event) === 'shadow')
    .filter((other) => comesAfter(other, event))
    .toSorted((one, other) => (comesAfter(one, other) ? 1 : -1));
  const overtaking = later.find((other) => {
    since.add(overtakingOf(other));
    return since.overtakes(event);
  });
  return overtaking ?? null;
}

/** Whether an event may have changed the note: shadow changes none, but a person's answer counts in every mode. */
function isCarriedOut({ fields }: EventRecord): boolean {
  return fields.mode === 'live' || isSiblingType(fields.type);
}

function resolvedByHand(
  space: Proposals,
  event: EventRecord,
  note: NoteOnDisk,
): Extract<ProposalState, { kind: 'settled' }> | null {
  if (note === null) return null;
  if (note === 'gone') return { kind: 'settled', reason: 'its note is no longer there' };
  if (isWithdrawn(space, event)) return { kind: 'settled', reason: NO_LONGER_SAID };
  const passed = passedReason(space, event, note.snapshot.sha);
  if (passed !== null) return { kind: 'settled', reason: passed };
  const fit = fitIn(space, event, note);
  if (fit.kind === 'made')
    return { kind: 'settled', reason: 'settled by hand, the note says it already', isMade: true };
  if (fit.kind === 'closed') return { kind: 'settled', reason: `it is ${fit.state} since` };
  if (fit.kind === 'fits' || hasSignals(space, event)) return null;
  return { kind: 'settled', reason: `${fit.field} was changed by hand, and no signal is left to evaluate again` };
}

function movedReason(space: Proposals, event: EventRecord, note: Exclude<NoteOnDisk, 'gone' | null>): string | null {
  const fit = fitIn(space, event, note);
  // The bytes the proposal was made on need no second judgement, whatever the comparison says.
  if (fit.kind !== 'moved' || note.snapshot.sha === event.fields.note_sha256) return null;
  return `the field ${fit.field} has changed since the proposal was made`;
}

/** Whether a proposal still fits its note. */
function fitIn(
  { vault }: Records,
  event: EventRecord,
  note: { readonly snapshot: NoteSnapshot; readonly state: State },
): Fit {
  const { changes, prior_frontmatter: prior, prior_state: written } = event.fields;
  const proposed = { changes, prior, priorState: written === null ? null : parseState(written) };
  return fitOf(proposed, { fields: note.snapshot.data, state: note.state, words: vault.catalogue.words });
}

/** Returns how a proposal fits its note, judged by a snapshot of the note. */
export function fitOn(space: Records, event: EventRecord, record: TargetRecord, snapshot: NoteSnapshot): Fit {
  return fitIn(space, event, { snapshot, state: readState(space, record, snapshot) });
}

// A finding of the program itself has set no flag in the note: it is overtaken in any mode.
function heardIn({ fields }: EventRecord): 'live' | 'shadow' {
  return fields.perceived === null ? fields.mode : 'shadow';
}

const NO_LONGER_SAID = 'the file that it is based on has changed, and no longer says so';

function isWithdrawn({ vault, context }: Proposals, { fields }: EventRecord): boolean {
  if (fields.signals.length === 0) return false;
  return fields.signals.every((link) => {
    const signal = vault.catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' && signal.fields.withdrawn && isOwnSignal(context.seal, signal);
  });
}

function hasSignals({ vault }: Proposals, event: EventRecord): boolean {
  return event.fields.signals.some((link) => {
    const signal = vault.catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' && signal.fields.steward && signal.fields.status !== 'applied';
  });
}

function answers(other: EventRecord, event: EventRecord): boolean {
  const link = other.fields.confirms ?? other.fields.dismisses ?? '';
  return nameKey(link) === fold(event.name);
}

/** How far in the future an event may be stamped, in ms, and still count: clocks differ a little. */
const CLOCK_TOLERANCE = 60 * 60 * 1000;

/** Returns whether an event's time has come. One that a clock far ahead has stamped supersedes no other. */
export function isPast(space: Proposals, { name, fields }: EventRecord): boolean {
  return !(noteMoment(name, fields.timestamp) > space.context.now() + CLOCK_TOLERANCE);
}

/**
 * Whether an event closes or overtakes what was proposed before it: its time has come, and it is the program's. Else
 * whoever shares the vault could take a proposal off the list without a word.
 */
function counts(space: Proposals, event: EventRecord): boolean {
  return isPast(space, event) && isKnownNote(space, event);
}

/** Returns whether `one` is later than `other`; of events with the same time, the one whose name sorts later. */
export function comesAfter(one: EventRecord, other: EventRecord): boolean {
  const [at, otherAt] = [noteMoment(one.name, one.fields.timestamp), noteMoment(other.name, other.fields.timestamp)];
  return at === otherAt ? one.name > other.name : at > otherAt;
}

function hasChanges(event: EventRecord): boolean {
  return Object.keys(event.fields.changes).length > 0;
}

/**
 * Returns a note's text without the `pending_confirmation` that Steward set, restored to the byte. The flag stays if a
 * live proposal still waits that is not being closed, and if a person set it.
 */
export function withoutPending(
  space: Proposals,
  note: NoteSnapshot,
  isClosing: (event: EventRecord) => boolean,
): string {
  const { path, text } = note;
  if (note.data.pending_confirmation !== true) return text;
  const waiting = waitingOn(space, path, note).filter(({ event }) => event.fields.mode === 'live');
  if (!waiting.every(({ event }) => isClosing(event))) return text;
  const owner = flagOwner(space, path);
  const patch = owner?.fields.pending_patch ?? null;
  if (owner === null || patch === null) return text;
  // Anyone who wrote another's note could have any field of this one given back: then only the flag goes.
  if (!isOwnNote(space, owner)) return withoutField(path, text);
  try {
    return restoreFields(path, text, patch).text;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return withoutField(path, text);
  }
}

// The note keeps its flag if somebody has since written it in a way that cannot be edited exactly.
function withoutField(path: string, text: string): string {
  try {
    return editFields(path, text, [{ op: 'delete', field: 'pending_confirmation' }]).text;
  } catch (error) {
    if (isRefusal(error)) return text;
    throw error;
  }
}

/**
 * The event that set the note's flag; null if a person did, since Steward has taken away any flag of its own. Other
 * authors' notes count only if there is no note of the program itself.
 */
function flagOwner(space: Proposals, path: string): EventRecord | null {
  const said = space.vault.catalogue
    .eventsAbout(path)
    .filter(({ fields }) => fields.pending_patch !== null || fields.pending_cleared);
  const known = said.filter((event) => isKnownNote(space, event));
  // If an answer was taken back, the flag that it took away is there again.
  const opened = Math.max(Number.NEGATIVE_INFINITY, ...known.map((event) => reopenedAt(space, event)));
  const isOver = (event: EventRecord) => {
    const { name, fields } = event;
    if (!fields.pending_cleared) return false;
    return wholeSecond(noteMoment(name, fields.timestamp)) <= opened || !takesFlag(space, event);
  };
  const events = (known.length > 0 ? known : said).filter((event) => !isOver(event));
  const last = events.reduce<EventRecord | null>(
    (one, other) =>
      one === null || !isPast(space, one) || (isPast(space, other) && comesAfter(other, one)) ? other : one,
    null,
  );
  return last?.fields.pending_patch == null ? null : last;
}

type Answerable = EventRecord | ReversalRecord;
type Space = Records & Seals;

/**
 * Returns whether an event is taken back, by a reversal that is not itself reversed. If two machines have each reversed
 * it, the two count as one: undoing either undoes both, until the event is taken back again. A reversal by somebody
 * else doesn't count.
 */
export function isReversed(space: Space, event: Answerable): boolean {
  return isTakenBack(space, event, new Set());
}

/** Returns the reversal by which an event is taken back; null if it is not, or if only a twin of it was. */
export function reversalHolding(space: Space, event: Answerable): ReversalRecord | null {
  return reversalsOf(space, event).find((reversal) => !isReversed(space, reversal)) ?? null;
}

// `seen` guards against notes written by hand that reverse each other in a circle: those take no event back.
function isTakenBack(space: Space, event: Answerable, seen: ReadonlySet<string>): boolean {
  if (seen.has(event.path)) return false;
  const visited = new Set([...seen, event.path]);
  if (event.kind === 'reversal' && isUndoneByTwin(space, event, visited)) return true;
  return reversalsOf(space, event).some((reversal) => !isTakenBack(space, reversal, visited));
}

// Whether another reversal of the same event was taken back after this one was made.
function isUndoneByTwin(space: Space, reversal: ReversalRecord, seen: ReadonlySet<string>): boolean {
  const { reverses } = reversal.fields;
  const subject = reverses === null ? null : space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind !== 'event' && subject?.kind !== 'reversal') return false;
  return reversalsOf(space, subject)
    .filter((twin) => twin.path !== reversal.path)
    .flatMap((twin) => reversalsOf(space, twin))
    .some((undoing) => isSince(undoing, reversal) && !isTakenBack(space, undoing, seen));
}

function reversalsOf(space: Space, event: Answerable): ReversalRecord[] {
  return space.vault.catalogue
    .answersTo(event.name)
    .filter((answer) => answer.kind === 'reversal')
    .filter((reversal) => reversal.fields.outcome === 'reversed' && isKnownNote(space, reversal));
}

// Of two in one second, a later one on this machine has the milliseconds in its name. A note without them may be from
// another machine, so the two count as in order.
function isSince(one: ReversalRecord, other: ReversalRecord): boolean {
  return noteMoment(one.name, one.fields.settled_at) >= noteMoment(other.name, other.fields.settled_at);
}

/** Whether an event asks which of several notes a signal is about. */
export function isChoice({ fields }: EventRecord): boolean {
  return fields.candidates.length > 0 && !isSiblingType(fields.type);
}

/** Whether an event asks a person for something and proposes no change: a question, to which "seen" is the answer. */
export function isQuestion(event: EventRecord): boolean {
  const { fields } = event;
  const isBare = Object.keys(fields.changes).length === 0 && fields.undo_recipe === null;
  const asks = fields.waiting || fields.decision === 'needs_input' || saysItPassed(fields);
  return isBare && asks && !isChoice(event) && !isSiblingType(fields.type);
}

/** Returns what has become of a question or a choice, in the words for a proposal. */
function askState(space: Proposals, event: EventRecord): ProposalState {
  const answer = findAnswer(space, event);
  if (answer !== null) return { kind: answer.fields.dismisses === null ? 'confirmed' : 'dismissed', by: answer };
  return isChoice(event) ? choiceState(space, event) : questionState(space, event);
}

/** Returns the signal that a choice is about; null if it is gone. */
export function findSignal(space: Proposals, event: EventRecord): SignalRecord | null {
  const [link] = event.fields.signals;
  const found = link === undefined ? null : space.vault.catalogue.resolve(link, ['signal']);
  return found?.kind === 'signal' ? found : null;
}

/**
 * Whether the user may say that a proposal means another note: it is based on one signal, whose change can be made there as
 * well. The user's own hand and an agent name their note themselves.
 */
export function mayMeanAnother(space: Proposals, event: EventRecord): boolean {
  const { perceived, signals } = event.fields;
  if (isChoice(event) || isQuestion(event) || perceived !== null || signals.length !== 1) return false;
  const signal = findSignal(space, event);
  if (signal === null || signal.fields.mutation_proposal === null) return false;
  return signal.fields.source_type !== VAULT_EDIT && !isAgent(signal.fields.source_type);
}

/** Whether a signal may be about any of several notes, and the user hasn't said yet which. */
export function isUndecided({ fields }: SignalRecord): boolean {
  return fields.target_ambiguous && fields.status === 'unrouted' && fields.effect !== 'none' && fields.steward;
}

/** Returns whether a link leads to a matter or task that has not ended. */
export function leadsToOpen({ vault }: Proposals, link: string): boolean {
  const found = vault.catalogue.resolve(link, ['task', 'matter']);
  if (found?.kind !== 'task' && found?.kind !== 'matter') return false;
  return !isEnded(found.fields.state);
}

function choiceState(space: Proposals, event: EventRecord): ProposalState {
  const signal = findSignal(space, event);
  if (signal === null) return { kind: 'settled', reason: 'its signal is no longer there' };
  if (isWithdrawn(space, event)) return { kind: 'settled', reason: NO_LONGER_SAID };
  if (!isUndecided(signal)) return { kind: 'settled', reason: 'its signal has found its note' };
  const isOpen = event.fields.candidates.some((link) => leadsToOpen(space, link));
  return isOpen ? { kind: 'waiting' } : { kind: 'settled', reason: 'every note it could mean is closed' };
}

function questionState(space: Proposals, event: EventRecord): ProposalState {
  const { catalogue } = space.vault;
  const { target_path: path } = event.fields;
  const note = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
  if (note?.kind === 'task' || note?.kind === 'matter') {
    const { state } = note.fields;
    if (isEnded(state)) return { kind: 'settled', reason: `it is ${state} since` };
  } else if (note === undefined) return { kind: 'settled', reason: 'its note is no longer there' };
  if (isWithdrawn(space, event)) return { kind: 'settled', reason: NO_LONGER_SAID };
  const passed = passedReason(space, event, shaNow(space, event, note.path));
  if (passed !== null) return { kind: 'settled', reason: passed };
  const by = weighedSince(space, event) ?? perceivedSince(space, event);
  return by === null ? { kind: 'waiting' } : { kind: 'superseded', by };
}

// Read only if needed: a model's finding is about the note as it was.
function shaNow(space: Proposals, { fields }: EventRecord, path: string): string | null {
  return fields.perceived === null ? null : (space.notes.fresh(path)?.sha ?? null);
}

// Of what the program found by itself about a note, only the latest waits.
function perceivedSince(space: Proposals, event: EventRecord): EventRecord | null {
  if (event.fields.perceived === null) return null;
  const later = space.vault.catalogue
    .eventsAbout(event.fields.target_path ?? '')
    .filter((other) => other.path !== event.path && other.fields.perceived !== null)
    .filter((other) => isPast(space, other) && comesAfter(other, event) && isKnownNote(space, other));
  return later.toSorted((one, other) => (comesAfter(one, other) ? 1 : -1))[0] ?? null;
}

// The first later event about the same note that weighed one of the same signals.
function weighedSince(space: Proposals, event: EventRecord): EventRecord | null {
  const { catalogue } = space.vault;
  const about = catalogue.currentPath(event.fields.target_path ?? '');
  const later = event.fields.signals
    .flatMap((link) => catalogue.eventsOfSignal(nameKey(link)))
    .filter((other) => other.path !== event.path && other.fields.decision !== 'rate_guarded' && !isChoice(other))
    .filter((other) => catalogue.currentPath(other.fields.target_path ?? '') === about)
    .filter((other) => isPast(space, other) && comesAfter(other, event) && isKnownNote(space, other));
  return later.toSorted((one, other) => (comesAfter(one, other) ? 1 : -1))[0] ?? null;
}

/** Returns what has become of an event that waits, or waited, for a person: a proposal, a question or a choice. */
export function proposalState(space: Proposals, event: EventRecord): ProposalState {
  if (!isChoice(event) && !isQuestion(event)) return changeState(space, event);
  const status = askState(space, event);
  // One that was closed waits again if its note was closed and is open once more. In a vault of before, none has ever waited.
  const mayWaitNow = saysItWaits(event.fields) || saysItPassed(event.fields);
  return status.kind === 'waiting' && !mayWaitNow ? { kind: 'none' } : status;
}

/** Whether a proposal or question would wait again if `answer` were taken back, as its note is now. */
export function wouldWait(space: Proposals, event: EventRecord, answer: EventRecord): boolean {
  if (standingAnswers(space, event).some(({ path }) => path !== answer.path)) return false;
  if (isChoice(event)) return event.fields.candidates.some((link) => leadsToOpen(space, link));
  if (supersededBy(space, event) !== null) return false;
  const { target_path: path } = event.fields;
  const note = path === null ? 'gone' : noteNow(space, space.vault.catalogue.currentPath(path), null);
  return note !== 'gone' && (note === null || resolvedByHand(space, event, note) === null);
}

/** Whether an event still waits for a person: nothing has answered, overtaken or settled it. */
export function isWaiting(space: Proposals, event: EventRecord): boolean {
  const { kind } = proposalState(space, event);
  return kind === 'waiting' || kind === 'stale';
}

type EventState =
  | { readonly kind: 'reversed' }
  /** It records that a person dismissed something. */
  | { readonly kind: 'dismisses' }
  /** Its change was made, or it records that a person confirmed something. `until`: how long it can be undone (epoch ms). */
  | { readonly kind: 'made'; readonly until: number | null }
  | ProposalState;

/** Returns what has become of an event. */
export function eventState(space: Proposals, event: EventRecord): EventState {
  const { dismisses, confirms, undo_recipe: recipe } = event.fields;
  if (isReversed(space, event)) return { kind: 'reversed' };
  if (dismisses !== null) return { kind: 'dismisses' };
  if (recipe === null && confirms === null) return proposalState(space, event);
  return { kind: 'made', until: recipe === null ? null : Date.parse(recipe.expires_at) };
}
