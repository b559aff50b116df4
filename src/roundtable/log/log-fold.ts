import { type Debate, NOTHING_YET } from './debate.ts';
import { entriesOf, type Phase, type RoundtableLog, type Said, saidIn } from './log.ts';
import { answered, type Queue, queueOf, spoke } from './queue.ts';

/** The phases in which agents speak. */
const HEARD: readonly Phase[] = ['opening', 'speaking', 'rebuttal'];

/** Returns what the agents have said, in order. The judge's messages are left out. */
export function spokenIn(log: RoundtableLog): Said[] {
  const order = log.agents.map(({ name }) => name);
  return (
    entriesOf(log, 'said')
      .filter(({ phase }) => HEARD.includes(phase))
      // Openings are written in parallel, so they follow the order of the agents, not the order in which they finished.
      .toSorted((one, other) =>
        one.round === other.round && one.phase === 'opening' && other.phase === 'opening'
          ? order.indexOf(one.who) - order.indexOf(other.who)
          : 0,
      )
  );
}

/** Returns the state of the debate after the last closed round. */
export function debateOf(log: RoundtableLog): Debate {
  return entriesOf(log, 'closed').at(-1)?.debate ?? NOTHING_YET;
}

/** Returns how many requests an agent has left. Every request that was not refused counts, whatever its result. */
export function requestsLeft(log: RoundtableLog, agent: string, budget: number): number {
  const taken = entriesOf(log, 'asked').filter(({ by, refused }) => by === agent && refused === null);
  return Math.max(0, budget - taken.length);
}

/** Returns the number of the next request. */
export function nextRequest(log: RoundtableLog): number {
  return entriesOf(log, 'asked').reduce((most, { id }) => Math.max(most, id), 0) + 1;
}

/** Returns how often somebody has spoken in one phase of a round. */
export function turnsOf(log: RoundtableLog, round: number, phase: Phase, who: string): number {
  return saidIn(log, round, phase).filter((one) => one.who === who).length;
}

/**
 * Returns the queue of a round, replayed from the log: all agents in order at the start, or as it was before a crash.
 * Requests without a result count as sent at `now` (milliseconds).
 */
export function queueFrom(
  log: RoundtableLog,
  round: number,
  agents: readonly string[],
  budget: number,
  now: number,
): Queue {
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
