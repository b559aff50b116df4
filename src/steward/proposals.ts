import { sha256 } from '../vault/hash.ts';
import type { EventRecord, TargetRecord } from '../vault/index/record.ts';
import { nameKey, saysItWaits } from '../vault/index-keys.ts';
import { fold } from '../vault/note-names.ts';
import { momentOf } from '../vault/note-text.ts';
import type { Memo } from '../vault/record-cache.ts';
import { type State, stateOf } from '../vault/records/values.ts';
import { sourceKey } from '../vault/source-names.ts';
import { stateMeant } from '../vault/status-words.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { parseLocalTime } from './local-time.ts';
import { readKey } from './perception.ts';
import { isKnownNote } from './ports/own-notes.ts';
import type { Clock, Notes, Records, Seals } from './ports.ts';
import { type Fit, fitOf, isHandsOff } from './proposal-fit.ts';

/** A note as it is now; `gone` where there is none, null where it is no task or matter, or cannot be read just now. */
type NoteNow = { readonly snapshot: NoteSnapshot; readonly state: State } | 'gone' | null;

/** Returns a note as it is now, judged by a snapshot of it; without one, the note is read. */
function noteNow(space: Records & Notes, path: string, known: NoteSnapshot | null): NoteNow {
  const record = space.vault.catalogue.get(path);
  if (record === undefined) return 'gone';
  if (record.kind !== 'task' && record.kind !== 'matter') return null;
  const snapshot = known ?? space.notes.fresh(path);
  return snapshot === null ? null : { snapshot, state: stateIn(space, record, snapshot) };
}

/** Returns the state that a snapshot of a note shows: it may have changed since it was catalogued. */
export function stateIn({ vault }: Records, { fields }: TargetRecord, { data }: NoteSnapshot): State {
  return stateMeant(data[fields.state_field], vault.catalogue.words) ?? fields.state;
}

/** A decision, as far as it overtakes what was proposed before it. */
export interface Overtaking {
  readonly changes: object;
  /** Names of signals, or links to them. */
  readonly signals: readonly string[];
  /** Whose proposal it is: the keys of its sources; null where the change was made. */
  readonly speakers: readonly string[] | null;
  /** What the program found by itself, without a signal; null for anything else. */
  readonly perceived: string | null;
}

/**
 * What was decided about a note since a proposal was made. A proposal is overtaken where one of its signals was weighed
 * again, where one of its fields was written, or where all who spoke for it have spoken about the field again. What
 * somebody else proposes takes nobody's word off the list: a stranger could, with one mail. What the program found by
 * itself is overtaken by what it finds later.
 */
class Since {
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
    const speakers = speakersOf(fields.source_contributions);
    return Object.keys(fields.changes).some((field) => {
      const isSaidAgain = speakers.every((speaker) => this.#keys.has(fieldKey(field, speaker)));
      return this.#keys.has(fieldKey(field, null)) || (speakers.length > 0 && isSaidAgain);
    });
  }
}

/** Whether one decision alone overtakes a proposal about the same note. */
export function supersedes(by: Overtaking, proposal: EventRecord): boolean {
  const since = new Since();
  since.add(by);
  return since.overtakes(proposal);
}

/** Returns how an event overtakes what was proposed before it. */
function overtakingOf({ fields }: EventRecord): Overtaking {
  const { changes, signals, undo_recipe: recipe, confirms, source_contributions: contributions, perceived } = fields;
  const isMade = recipe !== null || confirms !== null;
  return { changes, signals, speakers: isMade ? null : speakersOf(contributions), perceived };
}

/** Returns the keys of the sources that bear a conclusion. */
export function speakersOf(contributions: Readonly<Record<string, number>>): string[] {
  return Object.entries(contributions).flatMap(([source, share]) => (share > 0 ? [sourceKey(source)] : []));
}

/** Stands for all that the program found by itself about one note. */
const PERCEIVED = 'perceived';

function signalKey(signal: string): string {
  return `signal ${nameKey(signal)}`;
}

function fieldKey(field: string, speaker: string | null): string {
  return speaker === null ? `made ${field}` : `said ${field} ${speaker}`;
}

/**
 * Returns why a note is not spoken of without a signal, in a few words: it has ended, somebody put it off, or said hands
 * off. Null where it may be. What was put to a person about it before is closed by the same.
 */
export function putOffReason(space: Records & Clock, target: TargetRecord): string | null {
  const now = space.context.now();
  if (isHandsOff(space, target)) return 'steward: false';
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
 * Returns why what the program found by itself is no longer so, as the note is now; null where it still is, and for any
 * other event. `sha`: of the note's bytes now; null where they are not known.
 */
export function passedReason(space: Records & Clock, { fields }: EventRecord, sha: string | null): string | null {
  if (fields.perceived === null || fields.target_path === null) return null;
  const { catalogue } = space.vault;
  const note = catalogue.get(catalogue.currentPath(fields.target_path));
  if (note?.kind !== 'task' && note?.kind !== 'matter') return null;
  const putOff = putOffReason(space, note);
  if (putOff !== null) return putOff;
  const key = readKey(fields.perceived);
  // What a model found, and that nobody touches it, is about the note as it was.
  if (key === null || key.kind === 'silent') return sha === null || sha === fields.note_sha256 ? null : CHANGED;
  if (key.kind === 'tasks_done') return openTasks(space, note) > 0 ? 'there is an open task again' : null;
  return restsOn(note, key.kind) === key.of ? null : `its ${FIELD[key.kind]} was changed since`;
}

const CHANGED = 'its note was changed since';
const FIELD = { overdue: 'due date', snooze_over: 'snooze', unblocked: 'blocked_on' } as const;

/** Returns the part of a note that a finding rests on, as text that can be compared. */
export function restsOn({ fields, kind }: TargetRecord, finding: keyof typeof FIELD): string {
  if (kind === 'matter') return '';
  if (finding === 'overdue') return fields.due ?? '';
  if (finding === 'unblocked') return blockedText(fields.blocked_on);
  return fields.state === 'snoozed' ? (fields.snoozed_until ?? '') : '';
}

/** Returns what a note is blocked on as one short text that can be compared, whatever stands there; '' for nothing. */
export function blockedText(links: readonly string[]): string {
  return links.length === 0 ? '' : sha256(JSON.stringify(links)).slice(0, 16);
}

function openTasks({ vault: { catalogue } }: Records, note: TargetRecord): number {
  const tasks = note.kind === 'matter' ? catalogue.tasksOf(note) : [];
  return tasks.filter(isLiving).length;
}

/** The open proposals by the path of their note, remembered for one state of the vault. */
export type OpenProposals = Memo<Map<string, readonly OpenProposal[]>>;

/** What it takes to tell what has become of proposals. */
export interface Proposals extends Records, Notes {
  readonly context: Clock['context'] & Seals['context'];
  readonly proposals: OpenProposals;
}

/**
 * What has become of a proposal. It is stored nowhere, and worked out from the notes each time: the proposal, what was
 * written after it, and the note it is about.
 */
export type ProposalStatus =
  /** The event is no proposal: its change was made, or it has none. */
  | { readonly kind: 'none' }
  /** Waits for a person. */
  | { readonly kind: 'waiting' }
  /** Its note has changed since: its signals are weighed again at the next tick that finds the note quiet. */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'confirmed' | 'dismissed' | 'superseded'; readonly by: EventRecord }
  /** A person has made it unnecessary by hand: made the change, ended the task, deleted the note. */
  | { readonly kind: 'settled'; readonly reason: string; readonly by?: EventRecord; readonly isMade?: true };

/** A proposal that nothing has closed. */
export interface OpenProposal {
  readonly event: EventRecord;
  readonly standing: Extract<ProposalStatus, { kind: 'waiting' | 'stale' }>;
  /** The names of its signals that are to be weighed again; empty unless it is stale. */
  readonly again: readonly string[];
}

/** Whether an event is a proposal: a change that was not made and may still be. */
function isProposal(event: EventRecord): boolean {
  const { fields } = event;
  return fields.confirms === null && fields.dismisses === null && fields.undo_recipe === null && hasChanges(event);
}

// What has become of another's proposal is not known here: it waits where its note says so.
function mayWait(space: Proposals, event: EventRecord): boolean {
  return saysItWaits(event.fields) || isKnownNote(space, event);
}

/** Returns what has become of a proposal. */
export function proposalStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const { catalogue } = space.vault;
  if (!isProposal(event)) return { kind: 'none' };
  const isHeard = mayWait(space, event);
  // What closed one that does not wait here: nothing hangs on who says so.
  const answer = isHeard ? answerOf(space, event) : (saidAnswers(space, event)[0] ?? null);
  if (answer !== null) return { kind: answer.fields.dismisses === null ? 'confirmed' : 'dismissed', by: answer };
  const by = supersededBy(space, event);
  if (by !== null) return { kind: 'superseded', by };
  const { target_path: path } = event.fields;
  if (path === null) return { kind: 'settled', reason: 'it names no note' };
  const closing = catalogue.eventsAbout(path).find((other) => counts(space, other) && closes(other, event));
  if (closing !== undefined) return { kind: 'settled', reason: 'a person settled it', by: closing };
  const open = waitingAbout(space, path).find((one) => one.event.path === event.path);
  if (open !== undefined) return open.standing;
  const byHand = resolvedByHand(space, event, noteNow(space, catalogue.currentPath(path), null));
  return byHand ?? { kind: isHeard ? 'waiting' : 'none' };
}

/** Returns whether a proposal still waits for a person, or for its signals to be weighed again. */
export function isOpen(space: Proposals, event: EventRecord): boolean {
  const { kind } = proposalStatus(space, event);
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
    if (reason === null) return [{ event, standing: { kind: 'waiting' }, again: [] }];
    return [{ event, standing: { kind: 'stale', reason }, again: unweighed }];
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
  const later = { live: new Since(), shadow: new Since() };
  const weighed = new Set<string>();
  let cleared = false;
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
        if (mode === 'live') later.live.add(overtakingOf(event));
      }
      const isClosed = cleared && mode === 'live';
      cleared ||= past && event.fields.pending_cleared;
      const isOpenStill =
        isLast && !isClosed && isProposal(event) && mayWait(space, event) && answerOf(space, event) === null;
      return isOpenStill ? [{ event, unweighed }] : [];
    });
}

// Once an event has taken away the note's flag, no earlier live proposal waits any more, even if a person later gives
// the note back what it held before.
function closes(other: EventRecord, event: EventRecord): boolean {
  return other.fields.pending_cleared && event.fields.mode === 'live' && comesAfter(other, event);
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

/** Returns the confirmation or dismissal that closed a proposal, or null. One that nobody carried out closes nothing. */
export function answerOf(space: Records & Seals, event: EventRecord): EventRecord | null {
  return saidAnswers(space, event).find((answer) => isKnownNote(space, answer)) ?? null;
}

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
  const since = new Since();
  const later = space.vault.catalogue
    .eventsAbout(path)
    .filter((other) => counts(space, other))
    .filter((other) => other.path !== event.path && other.fields.dismisses === null)
    .filter((other) => other.fields.confirms === null || !answers(other, event))
    .filter((other) => other.fields.mode === 'live' || heardIn(event) === 'shadow')
    .filter((other) => comesAfter(other, event))
    .toSorted((one, other) => (comesAfter(one, other) ? 1 : -1));
  const overtaking = later.find((other) => {
    since.add(overtakingOf(other));
    return since.overtakes(event);
  });
  return overtaking ?? null;
}

function resolvedByHand(
  space: Proposals,
  event: EventRecord,
  note: NoteNow,
): Extract<ProposalStatus, { kind: 'settled' }> | null {
  if (note === null) return null;
  if (note === 'gone') return { kind: 'settled', reason: 'its note is no longer there' };
  const passed = passedReason(space, event, note.snapshot.sha);
  if (passed !== null) return { kind: 'settled', reason: passed };
  const fit = fitIn(space, event, note);
  if (fit.kind === 'made')
    return { kind: 'settled', reason: 'settled by hand, the note says it already', isMade: true };
  if (fit.kind === 'closed') return { kind: 'settled', reason: `it is ${fit.state} since` };
  if (fit.kind === 'fits' || hasSignals(space, event)) return null;
  return { kind: 'settled', reason: `${fit.field} was changed by hand, and no signal is left to weigh again` };
}

function movedReason(space: Proposals, event: EventRecord, note: Exclude<NoteNow, 'gone' | null>): string | null {
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
  const proposed = { changes, prior, priorState: written === null ? null : stateOf(written) };
  return fitOf(proposed, { fields: note.snapshot.data, state: note.state, words: vault.catalogue.words });
}

/** Returns how a proposal fits its note, judged by a snapshot of the note. */
export function fitOn(space: Records, event: EventRecord, record: TargetRecord, snapshot: NoteSnapshot): Fit {
  return fitIn(space, event, { snapshot, state: stateIn(space, record, snapshot) });
}

// What the program found by itself has set no flag in the note: it is overtaken in any mode.
function heardIn({ fields }: EventRecord): 'live' | 'shadow' {
  return fields.perceived === null ? fields.mode : 'shadow';
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

/** Returns whether an event's time has come. One that a clock far ahead has stamped supersedes nothing. */
export function isPast(space: Proposals, { name, fields }: EventRecord): boolean {
  return !(momentOf(name, fields.timestamp) > space.context.now() + CLOCK_TOLERANCE);
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
  const [at, otherAt] = [momentOf(one.name, one.fields.timestamp), momentOf(other.name, other.fields.timestamp)];
  return at === otherAt ? one.name > other.name : at > otherAt;
}

function hasChanges(event: EventRecord): boolean {
  return Object.keys(event.fields.changes).length > 0;
}
