import { same } from '../../vault/frontmatter/equal.ts';
import { brief } from '../../vault/notes/note-text.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import { type Frontmatter, stateOf, type Yaml } from '../../vault/records/values.ts';
import { isStateField } from '../changes/held-value.ts';
import { includesLink, sameLink } from '../changes/link.ts';

/**
 * What became of a change the steward made or would have made. Each has exactly one fate:
 *
 * - `confirmed`, `dismissed`, `reversed`: a person said so (a confirmation that was taken back counts as reversed);
 * - `kept`: it was made, and its undo window closed without anybody taking it back;
 * - `undone`: it was made, and the field was set back by hand to what it held before;
 * - `borne_out`: it was not made, and a person later made the same change by hand;
 * - `contradicted`: it was not made, and a person later set the field to something else;
 * - `overtaken`: before anything of that was seen, the steward decided anew about the same field, and counts there;
 * - `open`: none of these, so far.
 */
export const FATES = [
  'confirmed',
  'kept',
  'borne_out',
  'dismissed',
  'reversed',
  'undone',
  'contradicted',
  'overtaken',
  'open',
] as const;
export type Fate = (typeof FATES)[number];

type Finding = 'right' | 'wrong' | 'undecided';

/** Whether a fate says that the steward was right; undecided where it says nothing of it. */
export function findingOf(fate: Fate): Finding {
  if (fate === 'confirmed' || fate === 'kept' || fate === 'borne_out') return 'right';
  return fate === 'overtaken' || fate === 'open' ? 'undecided' : 'wrong';
}

/** The note as it was once seen after the change was decided, oldest sighting first; the last one is the note as it is. */
export interface Sighting {
  readonly fields: Frontmatter;
  /** False where some fields may be missing from what was written down: then an absent one says nothing. */
  readonly isWhole: boolean;
  /** Fields that the steward itself decided about at that moment: what they hold from then on is not the person's word. */
  readonly decided: readonly string[];
}

/** All that the notes tell of one change. */
export interface Trail {
  readonly changes: Changes;
  /** Whether the change was made by the steward itself. */
  readonly acted: boolean;
  /** Whether its undo window has closed; false for a change that was not made. */
  readonly closed: boolean;
  readonly answer: 'confirmed' | 'dismissed' | null;
  /** Whether the action, or the confirmation of the proposal, was taken back. */
  readonly reversed: boolean;
  /** Oldest first; may be gone through more than once. */
  readonly sightings: Iterable<Sighting>;
}

/** What became of a change, from nothing but the notes. */
export function fateOf(trail: Trail): Fate {
  if (trail.reversed) return 'reversed';
  if (trail.answer !== null) return trail.answer;
  return trail.acted ? fateOfAction(trail) : fateOfProposal(trail);
}

function fateOfAction({ changes, closed, sightings }: Trail): Fate {
  const fields = decidingFields(changes).map((field) => firstMove(field, changes, sightings, 'after'));
  if (fields.some((move) => move === 'before')) return 'undone';
  return closed ? 'kept' : 'open';
}

function fateOfProposal({ changes, sightings }: Trail): Fate {
  const moves = decidingFields(changes).map((field) => firstMove(field, changes, sightings, 'before'));
  if (moves.some((move) => move === 'elsewhere')) return 'contradicted';
  if (moves.length > 0 && moves.every((move) => move === 'after')) return 'borne_out';
  return moves.some((move) => move === 'overtaken') ? 'overtaken' : 'open';
}

/** The fields that tell: the day something was done goes with the state, and a person may well leave it out. */
function decidingFields(changes: Changes): readonly string[] {
  const fields = Object.keys(changes);
  const others = fields.filter((field) => field !== 'completedDate');
  return others.length > 0 ? others : fields;
}

type Move = 'before' | 'after' | 'elsewhere' | 'overtaken' | 'none';

/** What a field was first seen to hold once it no longer held what it started from. */
function firstMove(field: string, changes: Changes, sightings: Iterable<Sighting>, from: 'before' | 'after'): Move {
  for (const sighting of sightings) {
    const held = heldIn(sighting, field);
    const move = held === undefined ? from : moveTo(field, held, changes);
    if (move !== from && move !== 'none') return move;
    if (sighting.decided.includes(field)) return 'overtaken';
  }
  return 'none';
}

function moveTo(field: string, held: Yaml, changes: Changes): Move {
  const change = changes[field];
  if (change === undefined) return 'none';
  const { before, after } = change;
  const isShort = [held, before, after].every((value) => brief(value) === value);
  if (isShort && (isList(field, before) || isList(field, after))) return memberMove(held, before, after);
  if (isSame(field, held, before)) return 'before';
  return isSame(field, held, after) ? 'after' : 'elsewhere';
}

// A list is a place for many things: that something else was added to it or taken out says nothing of these members.
function memberMove(held: Yaml, before: Yaml, after: Yaml): Move {
  const [now, was, is] = [membersOf(held), membersOf(before), membersOf(after)];
  const added = is.filter((member) => !includesLink(was, member));
  const removed = was.filter((member) => !includesLink(is, member));
  if (added.every((member) => includesLink(now, member)) && !removed.some((member) => includesLink(now, member)))
    return 'after';
  const none =
    !added.some((member) => includesLink(now, member)) && removed.every((member) => includesLink(now, member));
  return none ? 'before' : 'none';
}

/** `undefined` where the sighting says nothing of the field. State and status are one, whichever the note uses. */
function heldIn({ fields, isWhole }: Sighting, field: string): Yaml | undefined {
  const names = isStateField(field) ? [field, 'state', 'status'] : [field];
  const name = names.find((one) => Object.hasOwn(fields, one));
  if (name !== undefined) return fields[name] ?? null;
  return isWhole ? null : undefined;
}

function isList(field: string, value: Yaml): boolean {
  return field.startsWith('related_') || Array.isArray(value);
}

// Event notes hold long values in short: what is compared is what is left of both.
function isSame(field: string, one: Yaml, other: Yaml): boolean {
  if (same(brief(one), brief(other))) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (isStateField(field)) return stateOf(one) !== null && stateOf(one) === stateOf(other);
  return one.trim() === other.trim() || (one.includes('[[') && sameLink(one, other));
}

function membersOf(value: Yaml): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => item !== null).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
