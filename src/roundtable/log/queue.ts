/** An agent in the queue. */
interface Speaker {
  readonly name: string;
  /** How many requests it may still make in this roundtable. */
  readonly left: number;
  /** The request whose result it waits for, or null. */
  readonly request: Pending | null;
}

/** A request without a result so far. `since`: milliseconds on the caller's clock. */
export interface Pending {
  readonly id: number;
  readonly since: number;
}

/**
 * The speaking phase of a round, as a value. `line`: the agents that will still speak, the next one first. `done`: those
 * that have finished.
 */
export interface Queue {
  readonly line: readonly Speaker[];
  readonly done: readonly Speaker[];
}

type Next =
  | { readonly do: 'speak'; readonly agent: string }
  /** All agents left wait for evidence: nobody speaks until a result arrives or the oldest request times out. */
  | { readonly do: 'intermission'; readonly oldest: Pending }
  | { readonly do: 'end' };

/** The queue after a message. `refused`: it made a request, and its speaker has none left. */
interface Spoken {
  readonly queue: Queue;
  readonly refused: boolean;
}

/** Returns a new queue: all agents in the given order, each with the requests it has left. */
export function queueOf(agents: readonly { readonly name: string; readonly left: number }[]): Queue {
  return { line: agents.map(({ name, left }) => ({ name, left, request: null })), done: [] };
}

/** Returns the next step: the first agent in line that does not wait speaks. */
export function next(queue: Queue): Next {
  const ready = queue.line.find(({ request }) => request === null);
  if (ready !== undefined) return { do: 'speak', agent: ready.name };
  const oldest = queue.line
    .flatMap(({ request }) => (request === null ? [] : [request]))
    .reduce<Pending | null>((one, other) => (one === null || other.since < one.since ? other : one), null);
  return oldest === null ? { do: 'end' } : { do: 'intermission', oldest };
}

/**
 * Returns the queue after an agent has spoken. With a request, the agent waits for its result at the back of the line;
 * without one, or with none left, it is done. LAW: it speaks at most once more often than it had requests.
 */
export function spoke(queue: Queue, agent: string, request: Pending | null): Spoken {
  const speaker = queue.line.find(({ name }) => name === agent);
  if (speaker === undefined) return { queue, refused: false };
  const line = queue.line.filter((one) => one !== speaker);
  if (request === null || speaker.left === 0) {
    return { queue: { line, done: [...queue.done, speaker] }, refused: request !== null };
  }
  const waiting = { ...speaker, left: speaker.left - 1, request };
  return { queue: { ...queue, line: [...line, waiting] }, refused: false };
}

/** Returns the queue after an agent has spoken and may speak once more at once, behind those who have not yet spoken. */
export function rejoined({ line, done }: Queue, agent: string): Queue {
  const again = line.filter(({ name }) => name === agent);
  return { line: [...line.filter(({ name }) => name !== agent), ...again], done };
}

/** Returns the queue after a result has arrived. `taken` is false where nobody waits for it: it is late and dropped. */
export function answered(queue: Queue, id: number): { readonly queue: Queue; readonly taken: boolean } {
  const taken = queue.line.some(({ request }) => request?.id === id);
  return { queue: released(queue, (request) => request.id === id), taken };
}

/** Releases agents that have waited `timeoutMs`. `givenUp`: the numbers of the requests that were given up. */
export function expired(
  queue: Queue,
  now: number,
  timeoutMs: number,
): { readonly queue: Queue; readonly givenUp: readonly number[] } {
  const isOver = ({ since }: Pending) => now - since >= timeoutMs;
  const givenUp = queue.line.flatMap(({ request }) => (request !== null && isOver(request) ? [request.id] : []));
  return { queue: released(queue, isOver), givenUp };
}

function released(queue: Queue, isIt: (request: Pending) => boolean): Queue {
  const line = queue.line.map((one) => (one.request !== null && isIt(one.request) ? { ...one, request: null } : one));
  return { ...queue, line };
}
