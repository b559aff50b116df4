import type { ReadAccess } from '../daemon/context.ts';
import { aboutMatter, answeredTarget } from '../steward/find-event.ts';
import { eventState, isChoice, isQuestion } from '../steward/proposals.ts';
import { patchedFields } from '../undo/recipe.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { linkTarget } from '../vault/links.ts';
import { noteMoment, shown } from '../vault/note-text.ts';
import type { EventRecord, ReversalRecord } from '../vault/record.ts';

/** One entry of the audit trail (`log --json`, contract, 12.10). */
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
   * Its outcome: applied, proposed, asked, recorded, confirmed, dismissed, superseded, settled, stale, reversed, or a
   * reversal's own outcome.
   */
  readonly outcome: string;
  /** The event that answered or overtook a proposal, or null. */
  readonly by: string | null;
  /** Why a proposal is stale or settled by hand, or null. */
  readonly reason: string | null;
  readonly changes: Changes;
  /** The finding or the question, if no change was proposed; null for anything else. */
  readonly asks: string | null;
}

/**
 * Returns the audit trail, newest first: at most `count` events. `matter`: only those of this one, unless null. Throws
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
    .map((entry) => ({
      entry,
      at: noteMoment(entry.name, entry.kind === 'event' ? entry.fields.timestamp : entry.fields.settled_at) || 0,
    }))
    .sort((a, b) => b.at - a.at || (a.entry.name < b.entry.name ? 1 : -1))
    .map(({ entry }) => entry);
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
    ...loggedOutcome(space, event),
    changes,
    asks: isQuestion(event) ? askedText(event) : null,
  };
}

function loggedOutcome(space: ReadAccess, event: EventRecord): Pick<LoggedEvent, 'outcome' | 'by' | 'reason'> {
  const state = eventState(space, event);
  return {
    outcome: outcomeWord(event, state),
    by: 'by' in state && state.kind !== 'settled' ? state.by.name : null,
    reason: 'reason' in state ? state.reason : null,
  };
}

function outcomeWord(event: EventRecord, { kind }: ReturnType<typeof eventState>): string {
  switch (kind) {
    case 'dismisses':
      return 'dismissed';
    case 'made':
      return event.fields.confirms === null ? 'applied' : 'confirmed';
    case 'none':
      return 'recorded';
    case 'waiting':
      if (isChoice(event) || isQuestion(event)) return 'asked';
      return event.fields.mode === 'shadow' ? 'recorded' : 'proposed'; // as the daemon's own log calls it
    default:
      return kind;
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
    changes: recipe === null ? {} : patchedFields(recipe.vault_patch),
    asks: null,
  };
}

/** Returns what an event asks of a person, in one line: what was found, or the words of the sender. */
export function askedText({ fields: { change, quote } }: EventRecord): string {
  return shown(`${change ?? 'something'}${quote === null ? '' : ` (“${quote}”)`}`);
}
