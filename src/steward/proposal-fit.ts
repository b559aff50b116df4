import type { TargetRecord } from '../vault/index/record.ts';
import { same } from '../vault/parsed-note.ts';
import type { Frontmatter, State, Yaml } from '../vault/records/values.ts';
import type { Changes } from '../vault/records.ts';
import { type StatusWords, stateMeant } from '../vault/status-words.ts';
import { heldIn, isStateField } from './changes-held-value.ts';
import type { Records } from './ports.ts';

/**
 * Returns whether the program keeps its hands off a note: it says `steward: false` or has a status that nothing explains,
 * or its matter does.
 */
export function isHandsOff(space: Records, target: TargetRecord): boolean {
  return handsOffReason(space, target) !== null;
}

/** Returns why the program keeps its hands off a note, as a sentence; null where it does not. */
export function handsOffReason({ vault }: Records, target: TargetRecord): string | null {
  if (!target.fields.steward) return `${target.name} says ${offWords(target)}.`;
  const matter = target.kind === 'task' ? vault.catalogue.matterOf(target) : null;
  if (matter === null || matter.fields.steward) return null;
  return matter.fields.unexplained === null
    ? `${target.name} says steward: false.`
    : `${matter.name} says ${offWords(matter)}.`;
}

/** What keeps the hands of the program off a note, as it stands there. */
export function offWords({ fields }: TargetRecord): string {
  return fields.unexplained === null
    ? 'steward: false'
    : `status: ${fields.unexplained}, which the settings do not explain`;
}

/** What a proposal would change, and the note it was made on. */
interface Proposed {
  readonly changes: Changes;
  /** The note's fields at that time, as far as they were recorded; empty where they were not. */
  readonly prior: Frontmatter;
  readonly priorState: State | null;
}

/** The note as it is now. */
interface NoteNow {
  readonly fields: Frontmatter;
  readonly state: State;
  /** What the vault's own words for states mean. */
  readonly words: StatusWords;
}

/**
 * How a proposal fits its note as it is now: it still `fits`; a person has `made` its change; the matter or task was
 * `closed` since; or one of the fields it was made on has `moved`, so that it must be judged again.
 */
export type Fit =
  | { readonly kind: 'fits' }
  | { readonly kind: 'made' }
  | { readonly kind: 'closed'; readonly state: State }
  | { readonly kind: 'moved'; readonly field: string };

/** The fields that every proposal rests on, besides the ones it would change. */
const ANCHORS = ['state', 'status', 'parent_matter'];

/** Returns how a proposal fits the note as it is now. Only one that fits may be confirmed (contract, section 8). */
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
  // The person who made the change says on which day; the proposed day does not count.
  const asked = entries.some(([field]) => isStateField(field))
    ? entries.filter(([field]) => field !== 'completedDate')
    : entries;
  return asked.length > 0 && asked.every(([field, { before, after }]) => isMadeIn(field, before, after, now));
}

function isMadeIn(field: string, before: Yaml, after: Yaml, { fields, state, words }: NoteNow): boolean {
  const meant = isStateField(field) ? stateMeant(after, words) : null;
  if (meant !== null) return meant === state;
  const held = heldIn(fields, field);
  if (same(held, after)) return true;
  if (!Array.isArray(after)) return false;
  const [now, former, wanted] = [membersOf(held), membersOf(before), membersOf(after)];
  return (
    wanted.filter((one) => !former.includes(one)).every((one) => now.includes(one)) &&
    former.filter((one) => !wanted.includes(one)).every((one) => !now.includes(one))
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
