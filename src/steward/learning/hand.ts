import { same } from '../../vault/frontmatter/equal.ts';
import { brief } from '../../vault/notes/note-text.ts';
import type { BeforeAfter, Changes } from '../../vault/records/mutation.ts';
import { NO_WORDS, type StatusWords, stateMeant } from '../../vault/records/status-words.ts';
import type { Frontmatter, Yaml } from '../../vault/records/values.ts';
import { isStateField } from '../changes/held-value.ts';
import { includesLink, sameLink } from '../changes/link.ts';

// What a person's own hand says about a decision is asked twice: when it is learnt from, and when one looks back. Both
// ask here, so that the report counts what teaches.

/** How long a decision can be shown wrong by hand: as long as it can be taken back. */
export const HAND_COUNTS_FOR = 7 * 24 * 60 * 60 * 1000;

/** A change that was decided: made (`acted`), or only proposed or recorded. */
interface Decided {
  readonly changes: Changes;
  readonly acted: boolean;
}

/** A note as it was seen after the decision. */
export interface Sight {
  readonly fields: Frontmatter;
  /** False where the record of the note may lack some fields: then an absent field says nothing. */
  readonly isWhole: boolean;
  /** What the vault's own words for states mean. */
  readonly words?: StatusWords;
}

/**
 * Returns what a note says about a decision, if nobody but a person has touched its fields since: `right` where the note
 * holds a change that was not made, `otherwise` where it holds something else than what was made, or than what was found
 * and proposed; null where it says neither.
 */
export function handSays({ changes, acted }: Decided, seen: Sight): 'right' | 'otherwise' | null {
  const moves = Object.entries(decidingChanges(changes)).map(([field, change]) => moveOf(field, change, seen));
  const known = moves.filter((move) => move !== 'unknown');
  if (acted) return known.every((move) => move === 'after') ? null : 'otherwise';
  if (known.some((move) => move === 'elsewhere')) return 'otherwise';
  return moves.length > 0 && moves.every((move) => move === 'after') ? 'right' : null;
}

/** `completedDate` only goes with the state: the person who made the change says on which day, or on none. */
function decidingChanges(changes: Changes): Changes {
  const others = Object.entries(changes).filter(([field]) => field !== 'completedDate');
  return others.length > 0 ? Object.fromEntries(others) : changes;
}

/** What a field holds: what it held before the decision, what was decided, or something else. */
type Move = 'before' | 'after' | 'elsewhere' | 'unknown';

function moveOf(field: string, { before, after }: BeforeAfter, seen: Sight): Move {
  const held = heldIn(seen, field);
  if (held === undefined) return 'unknown';
  const isShort = [held, before, after].every((value) => brief(value) === value);
  if (isShort && !isStateField(field) && (isList(field, before) || isList(field, after)))
    return memberMove(held, before, after);
  const isHeld = (value: Yaml) => isSame(field, held, value, seen.words ?? NO_WORDS);
  const [isAfter, isBefore] = [isHeld(after), isHeld(before)];
  if (isAfter && isBefore) return 'unknown'; // two long values with one beginning
  return isAfter ? 'after' : isBefore ? 'before' : 'elsewhere';
}

// A list holds many things: a change of its other members says nothing about these, and it is never elsewhere.
function memberMove(held: Yaml, before: Yaml, after: Yaml): Move {
  const [now, former, latter] = [membersOf(held), membersOf(before), membersOf(after)];
  const added = latter.filter((member) => !includesLink(former, member));
  const removed = former.filter((member) => !includesLink(latter, member));
  const isMade = added.every((one) => includesLink(now, one)) && !removed.some((one) => includesLink(now, one));
  return isMade ? 'after' : 'before';
}

// `state` and `status` count as one field. Every object answers to `constructor`, so only own keys count.
function heldIn({ fields, isWhole }: Sight, field: string): Yaml | undefined {
  const names = isStateField(field) ? [field, 'state', 'status'] : [field];
  const name = names.find((one) => Object.hasOwn(fields, one));
  if (name !== undefined) return fields[name] ?? null;
  return isWhole ? null : undefined;
}

function isList(field: string, value: Yaml): boolean {
  return field.startsWith('related_') || Array.isArray(value);
}

// Event notes cut long values short, so the shortened values are compared.
function isSame(field: string, one: Yaml, other: Yaml, words: StatusWords): boolean {
  if (same(brief(one), brief(other))) return true;
  if (isStateField(field)) {
    const state = stateMeant(one, words);
    return state !== null && state === stateMeant(other, words);
  }
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.trim() === other.trim() || (one.includes('[[') && sameLink(one, other));
}

function membersOf(value: Yaml): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => item !== null).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
