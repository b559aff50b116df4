import { isChoice, isQuestion, standingOf } from '../../steward/attention.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import { changesOf } from '../../undo/recipe.ts';
import type { EventRecord, ReversalRecord } from '../../vault/index/record.ts';
import { linkTarget } from '../../vault/links.ts';
import { momentOf } from '../../vault/note-text.ts';
import type { Changes } from '../../vault/records.ts';
import { aboutMatter, answeredTarget } from '../answers/orders.ts';
import type { ReadAccess } from '../context.ts';
import { askedText } from './wording.ts';

/** One entry of the audit trail (`log --json`, contract, section 16). */
export interface LoggedEvent {
  readonly event: string;
  /** ISO, UTC. */
  readonly time: string;
  readonly target: string | null;
  /** The notes that could be meant, where it asks which one is. */
  readonly candidates: readonly string[];
  readonly decision: string;
  readonly mode: string;
  readonly confidence: number;
  /**
   * What has become of it: applied, proposed, asked, recorded, confirmed, dismissed, superseded, settled, stale, reversed, or
   * a reversal's own outcome.
   */
  readonly outcome: string;
  /** The event that answered or overtook a proposal, or null. */
  readonly by: string | null;
  /** Why a proposal is stale or settled by hand, or null. */
  readonly reason: string | null;
  readonly changes: Changes;
  /** What was found or asked, where no change was proposed; null for anything else. */
  readonly asks: string | null;
}

/**
 * Returns the audit trail, newest first: at most `count` events, of one matter where it is named. Throws
 * `matter-unknown`.
 */
export function auditLog(space: ReadAccess, count: number, matter: string | null): LoggedEvent[] {
  const isAbout = aboutMatter(space.vault, matter);
  return space.vault.catalogue.chronicle
    .newestHours()
    .flatMap((hour) => newestFirst(hour.filter(isAbout)))
    .take(count)
    .map((entry) => (entry.kind === 'event' ? eventLine(space, entry) : reversalLine(space, entry)))
    .toArray();
}

function newestFirst(entries: readonly (EventRecord | ReversalRecord)[]): (EventRecord | ReversalRecord)[] {
  return entries
    .map((entry) => ({ entry, at: momentOf(entry.name, timeOf(entry)) || 0 }))
    .sort((a, b) => b.at - a.at || (a.entry.name < b.entry.name ? 1 : -1))
    .map(({ entry }) => entry);
}

function timeOf(entry: EventRecord | ReversalRecord): string | null {
  return entry.kind === 'event' ? entry.fields.timestamp : entry.fields.settled_at;
}

function eventLine(space: ReadAccess, event: EventRecord): LoggedEvent {
  const { timestamp, target_path: target, decision, mode, confidence, changes, candidates } = event.fields;
  return {
    event: event.name,
    time: timestamp,
    target: target ?? answeredTarget(space.vault, event),
    candidates: target === null ? candidates.map(linkTarget) : [],
    decision,
    mode,
    confidence,
    ...outcomeOf(space, event),
    changes,
    asks: isQuestion(event) ? askedText(event) : null,
  };
}

function outcomeOf(space: ReadAccess, event: EventRecord): Pick<LoggedEvent, 'outcome' | 'by' | 'reason'> {
  const plain = (outcome: string) => ({ outcome, by: null, reason: null });
  if (isReversed(space, event)) return plain('reversed');
  if (event.fields.dismisses !== null) return plain('dismissed');
  if (event.fields.confirms !== null) return plain('confirmed');
  if (event.fields.undo_recipe !== null) return plain('applied');
  const status = standingOf(space, event);
  switch (status.kind) {
    case 'none':
      return plain('recorded');
    case 'waiting':
      if (isChoice(event) || isQuestion(event)) return plain('asked');
      return plain(event.fields.mode === 'shadow' ? 'recorded' : 'proposed'); // as the daemon's own log calls it
    case 'stale':
    case 'settled':
      return { outcome: status.kind, by: null, reason: status.reason };
    default:
      return { outcome: status.kind, by: status.by.name, reason: null };
  }
}

function reversalLine(space: ReadAccess, reversal: ReversalRecord): LoggedEvent {
  const { undo_recipe: recipe, outcome, settled_at: answeredAt } = reversal.fields;
  return {
    event: reversal.name,
    time: answeredAt ?? '',
    target: answeredTarget(space.vault, reversal),
    candidates: [],
    decision: 'reversal',
    mode: 'live',
    confidence: 1,
    outcome: outcome ?? 'waiting',
    by: null,
    reason: null,
    changes: recipe === null ? {} : changesOf(recipe.vault_patch),
    asks: null,
  };
}
