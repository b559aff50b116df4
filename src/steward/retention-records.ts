import type { EventRecord, SignalRecord } from '../vault/index/record.ts';
import { saysItWaits } from '../vault/index-keys.ts';
import { isChosenIn } from '../vault/notes.ts';
import { isSiblingType } from '../vault/records.ts';
import { isWaiting } from './attention.ts';
import { isOwnNote } from './ports/own-notes.ts';
import { comesAfter, type Proposals } from './proposals.ts';

// What may leave the vault in time: records of decisions that changed nothing, that nobody answered, and that have taught
// nothing, with the signals that only they weighed. Everything that can be undone, waits, or counts for a licence stays.

/** Up to which moment (epoch ms) records are old. */
interface Before {
  readonly before: number;
}

/**
 * Returns those of an event's note's events that may go: the oldest ones first, and none after one that must stay and
 * that nobody has answered, since it may be settled only by those that came after it.
 */
export function eventsToGo(space: Proposals, event: EventRecord, old: Before): EventRecord[] {
  const going: EventRecord[] = [];
  for (const one of siblingsOf(space, event)) {
    if (isOver(space, one, old)) going.push(one);
    else if (isUnanswered(space, one)) break;
  }
  return going;
}

function siblingsOf({ vault: { catalogue } }: Proposals, event: EventRecord): EventRecord[] {
  const { target_path: path } = event.fields;
  const about = path === null ? [event] : catalogue.eventsAbout(path);
  return about.toSorted((one, other) => (comesAfter(one, other) ? 1 : -1));
}

function isUnanswered({ vault: { catalogue } }: Proposals, { name, fields }: EventRecord): boolean {
  return fields.undo_recipe === null && !isSiblingType(fields.type) && catalogue.answersTo(name).length === 0;
}

/** Whether a record of a decision is old, changed nothing, waits for nobody, and neither was answered nor has taught. */
function isOver(space: Proposals, event: EventRecord, { before }: Before): boolean {
  const { fields, stat } = event;
  // The time is under the seal; a file that was touched or edited since is somebody's business still.
  const isOld = Date.parse(fields.timestamp) < before && stat.mtimeMs < before;
  if (!isOld || !isUnanswered(space, event) || hasTaught(event) || isAsked(event)) return false;
  return !isFlagged(space, event) && !saysItWaits(fields) && isOwnNote(space, event) && !isWaiting(space, event);
}

function hasTaught({ fields: { taught } }: EventRecord): boolean {
  return taught === 'right' || taught === 'wrong';
}

function isAsked({ fields }: EventRecord): boolean {
  const { confirm, dismiss, undo, deliberate, advice } = fields;
  return confirm || dismiss || undo || deliberate || isChosenIn(fields) || advice !== null;
}

// The flag that it put into its note is taken away by what the event says of it.
function isFlagged({ vault: { catalogue } }: Proposals, { fields: { pending_patch: patch } }: EventRecord): boolean {
  const note = patch === null ? undefined : catalogue.get(catalogue.currentPath(patch.target));
  return (note?.kind === 'task' || note?.kind === 'matter') && note.fields.pending_confirmation;
}

/** Returns the signals of an event that may go with it: old, the program's own, and weighed by nothing that stays. */
export function signalsToGo(
  space: Proposals,
  event: EventRecord,
  going: ReadonlySet<string>,
  { before }: Before,
): SignalRecord[] {
  return signalsOf(space, event).filter((signal) => {
    const naming = space.vault.catalogue.eventsOfSignal(signal.name);
    const isOld = Date.parse(signal.fields.created ?? '') < before && signal.stat.mtimeMs < before;
    const isDone = naming.every(({ path }) => going.has(path)) && naming.some(isWeighing);
    return isOld && isDone && isOwnNote(space, signal);
  });
}

/**
 * Whether an event can go without leaving a signal behind that would be weighed anew: each is gone, settled, or named by a
 * record that stays.
 */
export function leavesNoSignal(space: Proposals, event: EventRecord, going: ReadonlySet<string>): boolean {
  return signalsOf(space, event).every((signal) => {
    const { status, effect } = signal.fields;
    const naming = space.vault.catalogue.eventsOfSignal(signal.name);
    const isKept = naming.some((other) => !going.has(other.path) && isWeighing(other));
    return status !== 'unrouted' || effect === 'none' || isKept || !isWeighing(event);
  });
}

function signalsOf({ vault: { catalogue } }: Proposals, { fields }: EventRecord): SignalRecord[] {
  return fields.signals.flatMap((link) => {
    const found = catalogue.resolve(link, ['signal']);
    return found?.kind === 'signal' ? [found] : [];
  });
}

function isWeighing({ fields }: EventRecord): boolean {
  return fields.decision !== 'rate_guarded' && fields.candidates.length === 0;
}

/** Whether what a signal of a stream file says is not settled yet, so that the file is still looked at. */
export function isOpenSignal(space: Proposals, signal: SignalRecord): boolean {
  const { status, effect } = signal.fields;
  const naming = space.vault.catalogue.eventsOfSignal(signal.name);
  const isUnweighed = status === 'unrouted' && effect !== 'none' && !naming.some(isWeighing);
  return isUnweighed || naming.some((event) => isWaiting(space, event) || isUndoable(space, event));
}

function isUndoable({ context }: Proposals, { fields: { undo_recipe: recipe } }: EventRecord): boolean {
  return recipe !== null && !(Date.parse(recipe.expires_at) < context.now());
}
