import { changesOf } from '../undo/recipe.ts';
import type { EventRecord, ReversalRecord } from '../vault/record.ts';
import type { Changes } from '../vault/records/mutation.ts';
import { findMatter } from './operations.ts';
import { answerOf, isProposal, supersededBy } from './proposals.ts';
import { isReversed } from './undo.ts';
import type { Workspace } from './workspace.ts';

/** One line of the audit trail (`log --json`, contract, section 16). */
export interface LoggedEvent {
  readonly event: string;
  /** ISO, UTC. */
  readonly time: string;
  readonly target: string | null;
  readonly decision: string;
  readonly mode: string;
  readonly confidence: number;
  /** What stands of it now: applied, proposed, recorded, confirmed, dismissed, superseded, reversed, or a reversal's own outcome. */
  readonly outcome: string;
  readonly changes: Changes;
}

/** The audit trail, newest first: at most `count` events, of one matter where it is named. */
export function logOf(space: Workspace, count: number, matter: string | null): LoggedEvent[] {
  const { catalogue } = space.vault;
  const wanted = matter === null ? null : targetsOf(space, matter);
  const lines = [
    ...catalogue.events().map((event) => eventLine(space, event)),
    ...catalogue.reversals().map(reversalLine),
  ];
  return lines
    .filter((line) => wanted === null || (line.target !== null && wanted.has(catalogue.whereabouts(line.target))))
    .sort((a, b) => (a.time === b.time ? (a.event < b.event ? 1 : -1) : a.time < b.time ? 1 : -1))
    .slice(0, count);
}

function targetsOf(space: Workspace, written: string): Set<string> {
  const matter = findMatter(space, written);
  return new Set([matter.path, ...space.vault.catalogue.tasksOf(matter).map((task) => task.path)]);
}

function eventLine(space: Workspace, event: EventRecord): LoggedEvent {
  const { timestamp, target_path: target, decision, mode, confidence, changes } = event.fields;
  return {
    event: event.name,
    time: timestamp,
    target,
    decision,
    mode,
    confidence,
    outcome: outcomeOf(space, event),
    changes,
  };
}

function outcomeOf(space: Workspace, event: EventRecord): string {
  const { catalogue } = space.vault;
  if (isReversed(space, event)) return 'reversed';
  if (event.fields.dismisses !== null) return 'dismissed';
  if (event.fields.confirms !== null) return 'confirmed';
  if (event.fields.undo_recipe !== null) return 'applied';
  if (!isProposal(event)) return 'recorded';
  const answer = answerOf(catalogue, event);
  if (answer !== null) return answer.fields.dismisses === null ? 'confirmed' : 'dismissed';
  return supersededBy(catalogue, event) === null ? 'proposed' : 'superseded';
}

function reversalLine(reversal: ReversalRecord): LoggedEvent {
  const { undo_recipe: recipe, outcome, settled_at: settled } = reversal.fields;
  return {
    event: reversal.name,
    time: settled ?? '',
    target: recipe?.vault_patch.target ?? null,
    decision: 'reversal',
    mode: 'live',
    confidence: 1,
    outcome: outcome ?? 'waiting',
    changes: recipe === null ? {} : changesOf(recipe.vault_patch),
  };
}
