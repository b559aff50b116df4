import type { Debate } from './debate.ts';
import { NOTHING_YET } from './debate.ts';
import { entriesOf, type Phase, saidIn, type TableLog } from './log.ts';
import { answered, type Queue, queueOf, spoke } from './queue.ts';

/** Where the debate stands after the rounds that are closed. */
export function debateOf(log: TableLog): Debate {
  return entriesOf(log, 'closed').at(-1)?.debate ?? NOTHING_YET;
}

/** How many requests an agent has left: those that were taken count, whatever came of them. */
export function requestsLeft(log: TableLog, agent: string, budget: number): number {
  const taken = entriesOf(log, 'asked').filter(({ by, refused }) => by === agent && refused === null);
  return Math.max(0, budget - taken.length);
}

/** The number of the next request. */
export function nextRequest(log: TableLog): number {
  return entriesOf(log, 'asked').reduce((most, { id }) => Math.max(most, id), 0) + 1;
}

/** How often somebody has been heard in one part of a round. */
export function turnsOf(log: TableLog, round: number, part: Phase, who: string): number {
  return saidIn(log, round, part).filter((one) => one.who === who).length;
}

/**
 * The queue of a round as the log leaves it: at the beginning all in their order, after a crash as it stood then.
 * Requests that were under way wait since `now`.
 */
export function queueFrom(log: TableLog, round: number, agents: readonly string[], budget: number, now: number): Queue {
  const asked = entriesOf(log, 'asked').filter((one) => one.round === round && one.refused === null);
  const askedBy = (name: string) => asked.filter(({ by }) => by === name).length;
  const start = queueOf(agents.map((name) => ({ name, left: requestsLeft(log, name, budget) + askedBy(name) })));
  return log.entries
    .filter((entry) => entry.round === round)
    .reduce((queue, entry) => {
      if (entry.what === 'said' && entry.phase === 'speaking') {
        return spoke(queue, entry.who, entry.request === null ? null : { id: entry.request, since: now }).queue;
      }
      return entry.what === 'result' && entry.standing !== 'late' ? answered(queue, entry.id).queue : queue;
    }, start);
}
