import { type Debate, NOTHING_YET } from './debate.ts';
import { type Asked, entriesOf, type Phase, type Result, type RoundtableLog, type Said, saidIn } from './log.ts';
import { answered, type Queue, queueOf, rejoined, spoke } from './queue.ts';

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

/**
 * Returns how many requests an agent has left. Every request counts that was not refused, whatever its result, and does not
 * repeat one of an earlier round.
 */
export function requestsLeft(log: RoundtableLog, agent: string, budget: number): number {
  const taken = entriesOf(log, 'asked').filter((one) => one.by === agent && isNew(one));
  return Math.max(0, budget - taken.length);
}

function isNew({ refused, again }: Asked): boolean {
  return refused === null && again === undefined;
}

/**
 * Returns the result of an earlier round that answers a request in the same words: of this agent or of the judge, whose
 * results go to everybody. Null where there is none, or where the agent had it again in this round.
 */
export function answeredBefore(log: RoundtableLog, round: number, agent: string, text: string): Result | null {
  const same = entriesOf(log, 'asked').filter((one) => [agent, 'judge'].includes(one.by) && one.text === text);
  if (same.some((one) => one.by === agent && one.round === round && one.refused === null)) return null;
  const ids = new Set(same.flatMap((one) => (isNew(one) && one.round < round ? [one.id] : [])));
  return entriesOf(log, 'result').findLast((one) => one.ok && one.standing === 'taken' && ids.has(one.id)) ?? null;
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
  const asked = entriesOf(log, 'asked').filter((one) => one.round === round && isNew(one));
  const askedBy = (name: string) => asked.filter(({ by }) => by === name).length;
  const start = queueOf(agents.map((name) => ({ name, left: requestsLeft(log, name, budget) + askedBy(name) })));
  const repeated = new Set(entriesOf(log, 'asked').flatMap(({ id, again }) => (again === undefined ? [] : [id])));
  return log.entries
    .filter((entry) => entry.round === round)
    .reduce((queue, entry) => {
      if (entry.what === 'said' && entry.phase === 'speaking') {
        if (entry.request !== null && repeated.has(entry.request)) return rejoined(queue, entry.who);
        return spoke(queue, entry.who, entry.request === null ? null : { id: entry.request, since: now }).queue;
      }
      return entry.what === 'result' && entry.standing !== 'late' ? answered(queue, entry.id).queue : queue;
    }, start);
}
