import type { Catalogue } from '../../vault/index/catalogue.ts';
import { nameKey } from '../../vault/index/index-keys.ts';
import type { Memo } from '../../vault/index/memo.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { fold } from '../../vault/note-names.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { type State, stateOf } from '../../vault/records/values.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { type Fit, fitOf } from '../changes/proposal-fit.ts';
import type { Clock, Notes, Records } from '../ports/space.ts';

/** The proposals that wait, by the note they are about, for one state of the vault. */
export type OpenProposals = Memo<Map<string, readonly OpenProposal[]>>;

/** What telling how proposals stand needs. */
export interface Proposals extends Records, Notes, Clock {
  readonly proposals: OpenProposals;
}

/**
 * What has become of a proposal. It follows from the notes alone, each time it is asked: the proposal, what was written
 * after it, and the note it is about.
 */
export type ProposalStatus =
  /** No proposal: a change that was made, or nothing to change. */
  | { readonly kind: 'none' }
  /** Waits for a person. */
  | { readonly kind: 'waiting' }
  /** Its note has changed since: its signals are weighed again, at the next tick that finds the note quiet. */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'confirmed' | 'dismissed' | 'superseded'; readonly by: EventRecord }
  /** A person has settled it by hand: made the change, ended the task, deleted the note. */
  | { readonly kind: 'settled'; readonly reason: string; readonly by?: EventRecord };

/** A proposal that is not closed. */
export interface OpenProposal {
  readonly event: EventRecord;
  readonly standing: Extract<ProposalStatus, { kind: 'waiting' | 'stale' }>;
  /** The names of its signals that are to be weighed again; empty where it is not stale. */
  readonly again: readonly string[];
}

/** Whether an event note is a proposal: a change that was not made and may still be. */
function isProposal(event: EventRecord): boolean {
  const { fields } = event;
  return fields.confirms === null && fields.dismisses === null && fields.undo_recipe === null && hasChanges(event);
}

/** What has become of a proposal. */
export function proposalStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const { catalogue } = space.vault;
  if (!isProposal(event)) return { kind: 'none' };
  const answer = answerOf(catalogue, event);
  if (answer !== null) return { kind: answer.fields.dismisses === null ? 'confirmed' : 'dismissed', by: answer };
  const by = supersededBy(space, event);
  if (by !== null) return { kind: 'superseded', by };
  const { target_path: path } = event.fields;
  if (path === null) return { kind: 'settled', reason: 'it names no note' };
  const closing = catalogue.eventsAbout(path).find((other) => isPast(space, other) && closes(other, event));
  if (closing !== undefined) return { kind: 'settled', reason: 'a person settled it', by: closing };
  const found = waitingAbout(space, path).find((one) => one.event.path === event.path);
  if (found !== undefined) return found.standing;
  return resolvedByHand(space, event, noteNow(space, catalogue.currentPath(path), null)) ?? { kind: 'waiting' };
}

/** Whether a proposal still waits, or waits to be judged again. */
export function isOpen(space: Proposals, event: EventRecord): boolean {
  const { kind } = proposalStatus(space, event);
  return kind === 'waiting' || kind === 'stale';
}

/** The proposals that wait for a person, oldest first. */
export function openProposals(space: Proposals): OpenProposal[] {
  const { catalogue } = space.vault;
  const paths = new Map(
    catalogue.events().map(({ fields }) => {
      const path = catalogue.currentPath(fields.target_path ?? '');
      return [fold(path), path];
    }),
  );
  return [...paths.values()]
    .flatMap((path) => waitingAbout(space, path))
    .sort((one, other) => (comesAfter(one.event, other.event) ? 1 : -1));
}

/** The proposals about one note that wait, newest first. Worked out once for a state of the vault. */
export function waitingAbout(space: Proposals, path: string): readonly OpenProposal[] {
  const { catalogue } = space.vault;
  const known = space.proposals.at(catalogue.revision, () => new Map<string, readonly OpenProposal[]>());
  const place = catalogue.currentPath(path);
  const found = known.get(place) ?? waitingOn(space, place, null);
  known.set(place, found);
  return found;
}

/** The same, on the note as it was just read. */
export function waitingOn(space: Proposals, path: string, reading: NoteSnapshot | null): readonly OpenProposal[] {
  const events = space.vault.catalogue.eventsAbout(path);
  if (!events.some((event) => isProposal(event))) return [];
  const left = notSuperseded(space, events);
  if (left.length === 0) return [];
  const note = noteNow(space, path, reading);
  return left.flatMap(({ event, unweighed }): OpenProposal[] => {
    if (resolvedByHand(space, event, note) !== null) return [];
    const reason = note === null || note === 'gone' ? null : movedReason(event, note);
    if (reason === null) return [{ event, standing: { kind: 'waiting' }, again: [] }];
    return [{ event, standing: { kind: 'stale', reason }, again: unweighed }];
  });
}

interface Left {
  readonly event: EventRecord;
  /** The names of its signals that nothing has weighed since. */
  readonly unweighed: readonly string[];
}

// Newest first and so in one walk: a note that is proposed about every hour for a year must not cost every status the
// square of that.
function notSuperseded(space: Proposals, events: readonly EventRecord[]): Left[] {
  const later = { live: new Set<string>(), shadow: new Set<string>() };
  const weighed = new Set<string>();
  let cleared = false;
  return events
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1))
    .flatMap((event) => {
      const { mode } = event.fields;
      const past = isPast(space, event);
      const keys = event.fields.dismisses === null ? keysOf(event) : [];
      const signals = event.fields.signals.map(nameKey);
      const isLast = !keys.some((key) => later[mode].has(key));
      const unweighed = signals.filter((name) => !weighed.has(name));
      for (const name of signals) weighed.add(name);
      for (const key of past ? keys : []) {
        later.shadow.add(key);
        if (mode === 'live') later.live.add(key);
      }
      const isClosed = cleared && mode === 'live';
      cleared ||= past && event.fields.pending_cleared;
      const isLeft = isLast && !isClosed && isProposal(event) && answerOf(space.vault.catalogue, event) === null;
      return isLeft ? [{ event, unweighed }] : [];
    });
}

// An event that took the note's flag away tells that no live proposal waited any more, for good: also where a person
// gives the note back what it held before.
function closes(other: EventRecord, event: EventRecord): boolean {
  return other.fields.pending_cleared && event.fields.mode === 'live' && comesAfter(other, event);
}

/** The proposals about a note that a person has settled by hand, on the note as it was just read, and why. */
export function resolvedOn(
  space: Proposals,
  path: string,
  reading: NoteSnapshot,
): { event: EventRecord; reason: string }[] {
  const { catalogue } = space.vault;
  const note = noteNow(space, path, reading);
  return notSuperseded(space, catalogue.eventsAbout(path)).flatMap(({ event }) => {
    const settled = resolvedByHand(space, event, note);
    return settled === null ? [] : [{ event, reason: settled.reason }];
  });
}

/** The confirmation or dismissal that closed a proposal, or null. */
export function answerOf(catalogue: Catalogue, event: EventRecord): EventRecord | null {
  const answers = catalogue.answersTo(event.name);
  return answers.find((answer): answer is EventRecord => answer.kind === 'event') ?? null;
}

/**
 * The later event about the same note that settles or proposes one of the same fields anew, or weighed one of the same
 * signals again; or null. What was only thought in shadow overtakes no live proposal: the flag in the note is the live
 * one's, and shadow touches no note.
 */
function supersededBy(space: Proposals, event: EventRecord): EventRecord | null {
  const path = event.fields.target_path;
  if (path === null) return null;
  const keys = new Set(keysOf(event));
  const later = space.vault.catalogue
    .eventsAbout(path)
    .filter((other) => isPast(space, other))
    .filter((other) => other.path !== event.path && other.fields.dismisses === null)
    .filter((other) => other.fields.confirms === null || !answers(other, event))
    .filter((other) => other.fields.mode === 'live' || event.fields.mode === 'shadow')
    .filter((other) => comesAfter(other, event) && keysOf(other).some((key) => keys.has(key)));
  return later.toSorted((one, other) => (comesAfter(one, other) ? 1 : -1))[0] ?? null;
}

/** Whether an event about the same note overtakes a proposal: by one of its fields, or by one of its signals. */
export function supersedes(
  by: { readonly changes: object; readonly signals: readonly string[] },
  proposal: EventRecord,
): boolean {
  const { changes, signals } = proposal.fields;
  const names = new Set(by.signals.map(nameKey));
  return (
    Object.keys(changes).some((field) => Object.hasOwn(by.changes, field)) ||
    signals.some((signal) => names.has(nameKey(signal)))
  );
}

// What two events about one note may have in common: a field that both would write, a signal that both weighed.
function keysOf({ fields }: EventRecord): string[] {
  const { changes, signals } = fields;
  return [...Object.keys(changes).map((field) => `field ${field}`), ...signals.map((one) => `signal ${nameKey(one)}`)];
}

/** A note as it is now; `gone` where there is none of the kind, null where it cannot be read just now. */
type NoteNow = { readonly reading: NoteSnapshot; readonly state: State } | 'gone' | null;

function noteNow(space: Proposals, path: string, known: NoteSnapshot | null): NoteNow {
  const record = space.vault.catalogue.get(path);
  if (record === undefined) return 'gone';
  if (record.kind !== 'task' && record.kind !== 'matter') return null;
  const reading = known ?? space.notes.fresh(path);
  return reading === null ? null : { reading, state: stateIn(record, reading) };
}

// The note as it is at this moment may have moved on since it was catalogued.
function stateIn(record: TargetRecord, { data }: NoteSnapshot): State {
  const written = data[record.kind === 'task' ? record.fields.state_field : 'state'];
  return (typeof written === 'string' ? stateOf(written) : null) ?? record.fields.state;
}

function resolvedByHand(
  space: Proposals,
  event: EventRecord,
  note: NoteNow,
): Extract<ProposalStatus, { kind: 'settled' }> | null {
  if (note === null) return null;
  if (note === 'gone') return { kind: 'settled', reason: 'its note is no longer there' };
  const fit = fitIn(event, note);
  if (fit.kind === 'made') return { kind: 'settled', reason: 'settled by hand, the note says it already' };
  if (fit.kind === 'closed') return { kind: 'settled', reason: `it is ${fit.state} since` };
  if (fit.kind === 'fits' || hasSignals(space, event)) return null;
  return { kind: 'settled', reason: `${fit.field} was changed by hand, and no signal is left to weigh again` };
}

function movedReason(event: EventRecord, note: Exclude<NoteNow, 'gone' | null>): string | null {
  const fit = fitIn(event, note);
  // On the very bytes that it was judged on, nothing is judged again, whatever the comparison says.
  if (fit.kind !== 'moved' || note.reading.sha === event.fields.note_sha256) return null;
  return `the field ${fit.field} has changed since the proposal was made`;
}

/** How a proposal stands to a note. */
function fitIn(event: EventRecord, note: { readonly reading: NoteSnapshot; readonly state: State }): Fit {
  const { changes, prior_frontmatter: prior, prior_state: written } = event.fields;
  const proposed = { changes, prior, priorState: written === null ? null : stateOf(written) };
  return fitOf(proposed, { fields: note.reading.data, state: note.state });
}

/** The same on a record and its note as just read. */
export function fitOn(event: EventRecord, record: TargetRecord, reading: NoteSnapshot): Fit {
  return fitIn(event, { reading, state: stateIn(record, reading) });
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

const AHEAD = 60 * 60 * 1000;

/** Whether an event's time has come. One stamped by a clock that ran ahead is later than nothing. */
export function isPast(space: Proposals, { name, fields }: EventRecord): boolean {
  return !(momentOf(name, fields.timestamp) > space.context.now() + AHEAD);
}

/** Whether one event is later than another. */
export function comesAfter(other: EventRecord, event: EventRecord): boolean {
  const [one, two] = [momentOf(other.name, other.fields.timestamp), momentOf(event.name, event.fields.timestamp)];
  return one === two ? other.name > event.name : one > two;
}

function hasChanges(event: EventRecord): boolean {
  return Object.keys(event.fields.changes).length > 0;
}
