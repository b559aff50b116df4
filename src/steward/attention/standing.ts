import { saysItWaits } from '../../vault/index/index-keys.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { type ProposalStatus, type Proposals, proposalStatus } from '../proposals/proposal-status.ts';
import { askStatus, isChoice, isQuestion } from './asking.ts';

/** Returns what has become of an event that waits, or waited, for a person: a proposal, a question or a choice. */
export function standingOf(space: Proposals, event: EventRecord): ProposalStatus {
  if (!isChoice(event) && !isQuestion(event)) return proposalStatus(space, event);
  const status = askStatus(space, event);
  // A question whose note says that it is closed stays closed; in a vault of before, none has ever waited.
  return status.kind === 'waiting' && !saysItWaits(event.fields) ? { kind: 'none' } : status;
}

/** Whether an event still waits for a person: nothing has answered, overtaken or settled it. */
export function isWaiting(space: Proposals, event: EventRecord): boolean {
  const { kind } = standingOf(space, event);
  return kind === 'waiting' || kind === 'stale';
}
