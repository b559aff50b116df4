import { same } from '../../vault/frontmatter/equal.ts';
import { brief } from '../../vault/notes/note-text.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import { type Frontmatter, stateOf, type Yaml } from '../../vault/records/values.ts';
import { isStateField } from '../changes/held-value.ts';
import { includesLink, sameLink } from '../changes/link.ts';

/**
 * What became of a change that the steward made or would have made. Each change has exactly one fate:
 *
 * - `confirmed`, `dismissed`, `reversed`: a person said so (a confirmation that was taken back counts as reversed);
 * - `kept`: it was made, and its undo window closed without anybody taking it back;
 * - `undone`: it was made, and the field was set back by hand to what it held before;
 * - `borne_out`: it was not made, and a person later made the same change by hand;
 * - `contradicted`: it was not made, and a person later set the field to something else;
 * - `overtaken`: before any of that was seen, the steward decided about the same field again; the later case counts;
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

/** Returns whether a fate shows the steward right or wrong; undecided where it shows neither. */
export function findingOf(fate: Fate): Finding {
  if (fate === 'confirmed' || fate === 'kept' || fate === 'borne_out') return 'right';
  return fate === 'overtaken' || fate === 'open' ? 'undecided' : 'wrong';
}

/** The note as it was seen at one moment after the change was decided. */
export interface Sighting {
  readonly fields: Frontmatter;
  /** False where the record of the note may lack some fields: then an absent field says nothing. */
  readonly isWhole: boolean;
  /** Fields the steward itself decided about at that moment: what they hold from then on is not the person's doing. */
  readonly decided: readonly string[];
}

/** Everything the notes say about one change. */
export interface Trail {
  readonly changes: Changes;
  /** Whether the change was made by the steward itself. */
  readonly acted: boolean;
  /** Whether its undo window has closed; false for a change that was not made. */
  readonly closed: boolean;
  readonly answer: 'confirmed' | 'dismissed' | null;
  /** Whether the action, or the confirmation of the proposal, was taken back. */
  readonly reversed: boolean;
  /** Oldest first, ending with the note as it is now. Iterated more than once. */
  readonly sightings: Iterable<Sighting>;
}

/** Returns what became of a change, from the notes alone. */
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

/** The fields that decide a fate. `completedDate` only goes with the state, and a person may leave it out. */
function decidingFields(changes: Changes): readonly string[] {
  const fields = Object.keys(changes);
  const others = fields.filter((field) => field !== 'completedDate');
  return others.length > 0 ? others : fields;
}

type Move = 'before' | 'after' | 'elsewhere' | 'overtaken' | 'none';

/** Where a field moved when it first left the value it started from. */
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

// A list holds many things: a change of its other members says nothing about these.
function memberMove(held: Yaml, before: Yaml, after: Yaml): Move {
  const [now, former, latter] = [membersOf(held), membersOf(before), membersOf(after)];
  const added = latter.filter((member) => !includesLink(former, member));
  const removed = former.filter((member) => !includesLink(latter, member));
  if (added.every((member) => includesLink(now, member)) && !removed.some((member) => includesLink(now, member)))
    return 'after';
  const none =
    !added.some((member) => includesLink(now, member)) && removed.every((member) => includesLink(now, member));
  return none ? 'before' : 'none';
}

/**
 * What the note held in a field; undefined where the sighting does not tell. `state` and `status` count as one field.
 */
function heldIn({ fields, isWhole }: Sighting, field: string): Yaml | undefined {
  const names = isStateField(field) ? [field, 'state', 'status'] : [field];
  const name = names.find((one) => Object.hasOwn(fields, one));
  if (name !== undefined) return fields[name] ?? null;
  return isWhole ? null : undefined;
}

function isList(field: string, value: Yaml): boolean {
  return field.startsWith('related_') || Array.isArray(value);
}

// Event notes cut long values short, so the shortened values are compared.
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
