import { nameKey } from '../../vault/index/index-keys.ts';
import type { EventRecord, SignalRecord } from '../../vault/index/record.ts';
import { isSiblingType } from '../../vault/records/event.ts';
import { isKnownNote } from '../ports/own-notes.ts';
import { passedReason } from '../proposals/perceived.ts';
import { answerOf, comesAfter, isPast, type ProposalStatus, type Proposals } from '../proposals/proposal-status.ts';

/** Whether an event asks which of several notes a signal is about. */
export function isChoice({ fields }: EventRecord): boolean {
  return fields.candidates.length > 0 && !isSiblingType(fields.type);
}

/** Whether an event asks a person for something and proposes no change: a question, to which "seen" is the answer. */
export function isQuestion(event: EventRecord): boolean {
  const { fields } = event;
  const isBare = Object.keys(fields.changes).length === 0 && fields.undo_recipe === null;
  const asks = fields.waiting || fields.decision === 'needs_input';
  return isBare && asks && !isChoice(event) && !isSiblingType(fields.type);
}

/** Returns what has become of a question or a choice, in the words for a proposal. */
export function askStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const answer = answerOf(space, event);
  if (answer !== null) return { kind: answer.fields.dismisses === null ? 'confirmed' : 'dismissed', by: answer };
  return isChoice(event) ? choiceStatus(space, event) : questionStatus(space, event);
}

/** Returns the signal that a choice is about; null where it is gone. */
export function signalOf(space: Proposals, event: EventRecord): SignalRecord | null {
  const [link] = event.fields.signals;
  const found = link === undefined ? null : space.vault.catalogue.resolve(link, ['signal']);
  return found?.kind === 'signal' ? found : null;
}

/** Whether a signal may be about any of several notes, and nobody has said yet which. */
export function isUndecided({ fields }: SignalRecord): boolean {
  return fields.target_ambiguous && fields.status === 'unrouted' && fields.effect !== 'none' && fields.steward;
}

/** Returns whether a link leads to a matter or task that has not ended. */
export function leadsToOpen({ vault }: Proposals, link: string): boolean {
  const found = vault.catalogue.resolve(link, ['task', 'matter']);
  if (found?.kind !== 'task' && found?.kind !== 'matter') return false;
  return found.fields.state !== 'done' && found.fields.state !== 'archived';
}

function choiceStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const signal = signalOf(space, event);
  if (signal === null) return { kind: 'settled', reason: 'its signal is no longer there' };
  if (!isUndecided(signal)) return { kind: 'settled', reason: 'its signal has found its note' };
  const isOpen = event.fields.candidates.some((link) => leadsToOpen(space, link));
  return isOpen ? { kind: 'waiting' } : { kind: 'settled', reason: 'every note it could mean is closed' };
}

function questionStatus(space: Proposals, event: EventRecord): ProposalStatus {
  const { catalogue } = space.vault;
  const { target_path: path } = event.fields;
  const note = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
  if (note?.kind === 'task' || note?.kind === 'matter') {
    const { state } = note.fields;
    if (state === 'done' || state === 'archived') return { kind: 'settled', reason: `it is ${state} since` };
  } else if (note === undefined) return { kind: 'settled', reason: 'its note is no longer there' };
  const passed = passedReason(space, event, shaNow(space, event, note.path));
  if (passed !== null) return { kind: 'settled', reason: passed };
  const by = weighedSince(space, event) ?? perceivedSince(space, event);
  return by === null ? { kind: 'waiting' } : { kind: 'superseded', by };
}

// Read only where it is asked for: what a model found is about the note as it was.
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
