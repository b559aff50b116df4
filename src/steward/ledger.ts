import { nameKey } from '../vault/links.ts';
import { type EventRecord, isSiblingType, type SignalRecord } from '../vault/record.ts';
import { findSilence } from './instinct.ts';
import {
  findAnswer,
  handsOffNote,
  isLiving,
  isReversed,
  isUndecided,
  isWaiting,
  offPhrase,
  proposalState,
} from './proposals.ts';
import { isKnownNote } from './records.ts';
import { identifySpeaker, shutOut } from './sender.ts';
import { wasWeighed } from './signals.ts';
import type { DecisionReadAccess } from './workspace.ts';

/** The pile of a received event (contract, section 18). */
export const PILES = ['done', 'asked', 'waiting', 'setAside', 'notRead'] as const;
export type Pile = (typeof PILES)[number];

/** The pile of an event, why it is there, and the notes in which a person sees it. */
export interface LedgerEnd {
  readonly pile: Pile;
  readonly reason: string;
  /** Vault-relative paths. */
  readonly notes: readonly string[];
}

/** An open part of an event counts before a finished one: a mail may say two things. */
const MOST_OPEN_FIRST: readonly Pile[] = ['asked', 'waiting', 'done', 'notRead', 'setAside'];

/** Returns the end of an event by the ends of its signals; null without signals. */
export function endOfEvent(ends: readonly LedgerEnd[]): LedgerEnd | null {
  const [first] = ends.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (first === undefined) return null;
  return { ...first, notes: [...new Set(ends.flatMap(({ notes }) => notes))] };
}

function rankOf({ pile }: LedgerEnd): number {
  return MOST_OPEN_FIRST.indexOf(pile);
}

/** Returns the pile of a signal so far, by the event notes about it and by the signal itself. */
export function endOfSignal(space: DecisionReadAccess, signal: SignalRecord): LedgerEnd {
  const events = eventsOf(space, signal);
  const decided = events.filter(({ fields }) => !isSiblingType(fields.type));
  // A lesson by the user has no proposal before it.
  const taught = events.filter(
    ({ fields }) => isSiblingType(fields.type) && fields.confirms === null && fields.dismisses === null,
  );
  const ends = [
    ...decided.map((event) => endOfDecision(space, event, signal)),
    ...taught.map((event) => endOfChange(space, event, 'you said what it means')),
  ];
  return endOfEvent(ends) ?? endWithoutDecision(space, signal);
}

function eventsOf(space: DecisionReadAccess, signal: SignalRecord): EventRecord[] {
  return space.vault.catalogue
    .eventsOfSignal(signal.name)
    .filter((event) => event.fields.decision !== 'rate_guarded' && isKnownNote(space, event));
}

function endOfDecision(space: DecisionReadAccess, event: EventRecord, signal: SignalRecord): LedgerEnd {
  const { fields } = event;
  const isBasis = fields.signals.some((link) => nameKey(link) === nameKey(signal.name));
  if (fields.undo_recipe !== null && isBasis) return endOfChange(space, event, 'a note was changed');
  if (isWaiting(space, event) && isBasis)
    return { pile: 'asked', reason: 'it waits for your answer', notes: [event.path] };
  if (!isBasis) return setAside('another event decided it', [event.path]);
  const state = proposalState(space, event);
  switch (state.kind) {
    case 'confirmed':
      return endOfChange(space, findAnswer(space, event) ?? event, 'you confirmed it');
    case 'dismissed':
      return done(state.by.fields.later ? 'you said “not now”' : 'you dismissed it', [state.by.path]);
    case 'settled':
      return state.isMade === true
        ? done('you made the change yourself', [event.path])
        : setAside(state.reason, [event.path]);
    case 'superseded':
      return setAside('a later decision overtook it', [event.path]);
    default:
      return setAside('evaluated: no change needed', [event.path]);
  }
}

function endOfChange(space: DecisionReadAccess, event: EventRecord, reason: string): LedgerEnd {
  return done(isReversed(space, event) ? 'you undid it' : reason, [event.path]);
}

function endWithoutDecision(space: DecisionReadAccess, signal: SignalRecord): LedgerEnd {
  const { fields, path } = signal;
  if (fields.status === 'applied') return done('a note was changed', [path]);
  if (!fields.steward) return setAside('its signal says steward: false', [path]);
  if (fields.effect === 'none' || fields.status === 'skipped') return setAside('news without a change', [path]);
  if (isUndecided(signal)) return waiting('it may be about any of several notes', path);
  const target = space.vault.catalogue.targetOf(signal);
  if (target === null) return setAside('the note it is about is gone', [path]);
  if (wasWeighed(space, signal)) return setAside('evaluated; its event note is gone', [path]);
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  if (!isLiving(target) || (matter !== null && !isLiving(matter)))
    return setAside('its task or matter is closed', [path]);
  const off = handsOffNote(space, target);
  if (off !== null) return setAside(`its ${off.kind} ${offPhrase(off)}`, [path]);
  const { source } = identifySpeaker(space, signal);
  if (shutOut(space, source, target) !== null) return setAside("its sender isn't accepted for this matter", [path]);
  if (findSilence(space, source) !== null)
    return { pile: 'asked', reason: 'you stopped its sender: read it again?', notes: [path] };
  return waiting('it is evaluated at the next check', path);
}

function done(reason: string, notes: readonly string[]): LedgerEnd {
  return { pile: 'done', reason, notes };
}

function setAside(reason: string, notes: readonly string[]): LedgerEnd {
  return { pile: 'setAside', reason, notes };
}

function waiting(reason: string, note: string): LedgerEnd {
  return { pile: 'waiting', reason, notes: [note] };
}
