import { isKnownNote } from '../../steward/ports/own-notes.ts';
import { waitingAbout } from '../../steward/proposals/proposal-status.ts';
import { atOnce } from '../../vault/disk/slices.ts';
import { nameKey, saysItWaits } from '../../vault/index/index-keys.ts';
import type { EventRecord, MatterRecord, ReversalRecord, VaultRecord } from '../../vault/index/record.ts';
import type { EventOutcome } from '../../vault/records/event.ts';
import { nameTimeExact } from '../../vault/time.ts';
import type { EditStep } from '../../vault/transaction/intent.ts';
import { followStep, textStep } from '../../vault/transaction/steps.ts';
import { type Becoming, becomingWords, NOW_PART } from '../../vault/words/becoming.ts';
import type { ReadAccess, WriteAccess } from '../context/ports.ts';
import { eachAlone, stepsAlone } from '../runtime/each-alone.ts';
import { noteNow, nowEdits, saysSo } from './now-edits.ts';
import { outcomeNow } from './outcome-now.ts';
import { remarkOn } from './remark.ts';

/**
 * Lets an event note say what has become of it: the fields that a person reads and the program's part of the body, never
 * what was recorded. Returns when to look again (epoch ms) where somebody is editing the note, else null. Does nothing
 * where the note says it already.
 */
export function followFlags(space: WriteAccess, path: string): number | null {
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
export function concernedBy(space: ReadAccess, record: VaultRecord): string[] {
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
