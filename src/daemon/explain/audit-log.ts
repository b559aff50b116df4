import { proposalStatus } from '../../steward/proposals/proposal-status.ts';
import { changesOf } from '../../undo/patch.ts';
import { isReversed } from '../../undo/reversed.ts';
import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { findMatter } from '../answers/find-note.ts';
import type { ReadAccess } from '../context/ports.ts';

/** One line of the audit trail (`log --json`, contract, section 16). */
export interface LoggedEvent {
  readonly event: string;
  /** ISO, UTC. */
  readonly time: string;
  readonly target: string | null;
  readonly decision: string;
  readonly mode: string;
  readonly confidence: number;
  /** What stands of it now: applied, proposed, recorded, confirmed, dismissed, superseded, settled, stale, reversed, or a reversal's own outcome. */
  readonly outcome: string;
  /** The event that answered or overtook a proposal, or null. */
  readonly by: string | null;
  /** Why a proposal is stale or settled by hand, or null. */
  readonly reason: string | null;
  readonly changes: Changes;
}

/** The audit trail, newest first: at most `count` events, of one matter where it is named. */
export function auditLog(space: ReadAccess, count: number, matter: string | null): LoggedEvent[] {
  const { catalogue } = space.vault;
  const wanted = matter === null ? null : targetsOf(space.vault, matter);
  const entries = [...catalogue.events(), ...catalogue.reversals()].filter((entry) => {
    const target = targetOf(entry);
    return wanted === null || (target !== null && wanted.has(catalogue.currentPath(target)));
  });
  return entries
    .map((entry) => ({ entry, at: momentOf(entry.name, timeOf(entry)) || 0 }))
    .sort((a, b) => b.at - a.at || (a.entry.name < b.entry.name ? 1 : -1))
    .slice(0, count)
    .map(({ entry }) => (entry.kind === 'event' ? eventLine(space, entry) : reversalLine(entry)));
}

/** The paths of a matter and its tasks. Throws `matter-unknown`. */
export function targetsOf(vault: Vault, written: string): Set<string> {
  const matter = findMatter(vault, written);
  return new Set([matter.path, ...vault.catalogue.tasksOf(matter).map((task) => task.path)]);
}

function targetOf(entry: EventRecord | ReversalRecord): string | null {
  return entry.kind === 'event' ? entry.fields.target_path : (entry.fields.undo_recipe?.vault_patch.target ?? null);
}

function timeOf(entry: EventRecord | ReversalRecord): string | null {
  return entry.kind === 'event' ? entry.fields.timestamp : entry.fields.settled_at;
}

function eventLine(space: ReadAccess, event: EventRecord): LoggedEvent {
  const { timestamp, target_path: target, decision, mode, confidence, changes } = event.fields;
  return {
    event: event.name,
    time: timestamp,
    target,
    decision,
    mode,
    confidence,
    ...outcomeOf(space, event),
    changes,
  };
}

function outcomeOf(space: ReadAccess, event: EventRecord): Pick<LoggedEvent, 'outcome' | 'by' | 'reason'> {
  const plain = (outcome: string) => ({ outcome, by: null, reason: null });
  if (isReversed(space, event)) return plain('reversed');
  if (event.fields.dismisses !== null) return plain('dismissed');
  if (event.fields.confirms !== null) return plain('confirmed');
  if (event.fields.undo_recipe !== null) return plain('applied');
  const standing = proposalStatus(space, event);
  switch (standing.kind) {
    case 'none':
      return plain('recorded');
    case 'waiting':
      return plain(event.fields.mode === 'shadow' ? 'recorded' : 'proposed'); // as the daemon's own line calls it
    case 'stale':
    case 'settled':
      return { outcome: standing.kind, by: null, reason: standing.reason };
    default:
      return { outcome: standing.kind, by: standing.by.name, reason: null };
  }
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
    by: null,
    reason: null,
    changes: recipe === null ? {} : changesOf(recipe.vault_patch),
  };
}
