import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import type { Records } from '../ports/space.ts';

type Answerable = EventRecord | ReversalRecord;

/**
 * Returns whether an event is taken back, by a reversal that is not itself reversed. Where two machines have each
 * reversed it, the two count as one: undoing either undoes both, until the event is taken back again.
 */
export function isReversed(space: Records, event: Answerable): boolean {
  return wasReversed(space, event, Number.POSITIVE_INFINITY);
}

/** Returns whether an event was taken back at a moment (epoch ms). Reversals after it do not count. */
export function wasReversed(space: Records, event: Answerable, at: number): boolean {
  return wasTakenBack({ space, at }, event, new Set());
}

/** The notes as they were at a moment. */
interface PastRecords {
  readonly space: Records;
  /** Epoch milliseconds. */
  readonly at: number;
}

// `seen` guards against notes written by hand that reverse each other in a circle, which takes nothing back.
function wasTakenBack(past: PastRecords, event: Answerable, seen: ReadonlySet<string>): boolean {
  if (seen.has(event.path)) return false;
  const visited = new Set([...seen, event.path]);
  if (event.kind === 'reversal' && isUndoneByTwin(past, event, visited)) return true;
  return reversalsOf(past, event).some((reversal) => !wasTakenBack(past, reversal, visited));
}

// Whether another reversal of the same event was taken back after this one was made.
function isUndoneByTwin(past: PastRecords, reversal: ReversalRecord, seen: ReadonlySet<string>): boolean {
  const { reverses } = reversal.fields;
  const subject = reverses === null ? null : past.space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind !== 'event' && subject?.kind !== 'reversal') return false;
  return reversalsOf(past, subject)
    .filter((twin) => twin.path !== reversal.path)
    .flatMap((twin) => reversalsOf(past, twin))
    .some((undoing) => isLater(undoing, reversal) && !wasTakenBack(past, undoing, seen));
}

// A reversal whose time cannot be read counts at any moment.
function reversalsOf({ space, at }: PastRecords, event: Answerable): ReversalRecord[] {
  const answers = space.vault.catalogue.answersTo(event.name);
  return answers
    .filter((answer) => answer.kind === 'reversal')
    .filter(({ fields }) => fields.outcome === 'reversed' && !(Date.parse(fields.settled_at ?? '') > at));
}

function isLater(one: ReversalRecord, other: ReversalRecord): boolean {
  return momentOf(one.name, one.fields.settled_at) > momentOf(other.name, other.fields.settled_at);
}
