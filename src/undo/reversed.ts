import type { Records } from '../steward/ports/space.ts';
import type { ReversalRecord } from '../vault/index/record.ts';
import { momentOf } from '../vault/notes/event-names.ts';
import type { Answerable } from './order.ts';

/**
 * Whether a standing reversal has taken an event back. Two machines may each have reversed it: the two are one, and
 * undoing either is undoing both, until the event is taken back anew.
 */
export function isReversed(space: Records, event: Answerable): boolean {
  return wasReversed(space, event, Number.POSITIVE_INFINITY);
}

/** The same as it stood at a moment (epoch ms): what was settled later does not count. */
export function wasReversed(space: Records, event: Answerable, at: number): boolean {
  return wasTakenBack({ space, at }, event, new Set());
}

interface Look {
  readonly space: Records;
  readonly at: number;
}

// `seen`: notes written by hand may reverse each other in a circle, which takes nothing back.
function wasTakenBack(look: Look, event: Answerable, seen: ReadonlySet<string>): boolean {
  if (seen.has(event.path)) return false;
  const behind = new Set([...seen, event.path]);
  if (event.kind === 'reversal' && isUndoneByTwin(look, event, behind)) return true;
  return reversalsOf(look, event).some((reversal) => !wasTakenBack(look, reversal, behind));
}

// A reversal of the same event was itself taken back, later than this one was made.
function isUndoneByTwin(look: Look, reversal: ReversalRecord, seen: ReadonlySet<string>): boolean {
  const { reverses } = reversal.fields;
  const subject = reverses === null ? null : look.space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind !== 'event' && subject?.kind !== 'reversal') return false;
  return reversalsOf(look, subject)
    .filter((twin) => twin.path !== reversal.path)
    .flatMap((twin) => reversalsOf(look, twin))
    .some((undoing) => isLater(undoing, reversal) && !wasTakenBack(look, undoing, seen));
}

// One whose time cannot be read counts at any moment.
function reversalsOf({ space, at }: Look, event: Answerable): ReversalRecord[] {
  const answers = space.vault.catalogue.answersTo(event.name);
  return answers
    .filter((answer) => answer.kind === 'reversal')
    .filter(({ fields }) => fields.outcome === 'reversed' && !(Date.parse(fields.settled_at ?? '') > at));
}

function isLater(one: ReversalRecord, other: ReversalRecord): boolean {
  return momentOf(one.name, one.fields.settled_at) > momentOf(other.name, other.fields.settled_at);
}
