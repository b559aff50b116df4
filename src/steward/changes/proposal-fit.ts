import { same } from '../../vault/frontmatter/equal.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import { type Frontmatter, type State, stateOf, type Yaml } from '../../vault/records/values.ts';
import { heldIn, isStateField } from './held-value.ts';

/** What a proposal saw when it was made, and what it would change. */
interface Proposed {
  readonly changes: Changes;
  /** The note's former fields, as far as they were written down; empty where nothing is known of them. */
  readonly prior: Frontmatter;
  readonly priorState: State | null;
}

/** The note as it is now. */
interface NoteNow {
  readonly fields: Frontmatter;
  readonly state: State;
}

/**
 * How a proposal stands to the note as it is: it still `fits`; a person has `made` its change; the matter or task was
 * `closed` since; or one of the fields it was made on has `moved`, so that it is about a note that is no more.
 */
export type Fit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'made' }
  | { readonly kind: 'closed'; readonly state: State }
  | { readonly kind: 'moved'; readonly field: string };

/** The fields besides the proposed ones that a proposal rests on. */
const ANCHORS = ['state', 'status', 'parent_matter'];

/** How a proposal stands to the note as it is now (contract, section 8: confirmed only if the note is what it saw). */
export function fitOf(proposed: Proposed, now: NoteNow): Fit {
  if (isMade(proposed.changes, now)) return { kind: 'made' };
  const ended = now.state === 'done' || now.state === 'archived';
  if (ended && proposed.priorState !== null && proposed.priorState !== now.state) {
    return { kind: 'closed', state: now.state };
  }
  const field = movedField(proposed, now.fields);
  return field === null ? { kind: 'fits' } : { kind: 'moved', field };
}

function isMade(changes: Changes, now: NoteNow): boolean {
  const entries = Object.entries(changes);
  // The day on which a person completed it is theirs to say.
  const asked = entries.some(([field]) => isStateField(field))
    ? entries.filter(([field]) => field !== 'completedDate')
    : entries;
  return asked.length > 0 && asked.every(([field, { before, after }]) => isMadeIn(field, before, after, now));
}

function isMadeIn(field: string, before: Yaml, after: Yaml, { fields, state }: NoteNow): boolean {
  if (isStateField(field) && typeof after === 'string') return stateOf(after) === state;
  const held = heldIn(fields, field);
  if (same(held, after)) return true;
  if (!Array.isArray(after)) return false;
  const [is, was, wanted] = [membersOf(held), membersOf(before), membersOf(after)];
  return (
    wanted.filter((one) => !was.includes(one)).every((one) => is.includes(one)) &&
    was.filter((one) => !wanted.includes(one)).every((one) => !is.includes(one))
  );
}

function movedField({ changes, prior }: Proposed, fields: Frontmatter): string | null {
  const proposed = Object.entries(changes).find(([field, { before }]) => !same(heldIn(fields, field), before));
  if (proposed !== undefined) return proposed[0];
  if (Object.keys(prior).length === 0) return null;
  return ANCHORS.find((field) => !same(heldIn(fields, field), heldIn(prior, field))) ?? null;
}

function membersOf(value: Yaml): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => JSON.stringify(one));
}
