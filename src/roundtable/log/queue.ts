/** One who speaks, as the queue knows it. */
interface Speaker {
  readonly name: string;
  /** How many requests it may still make in this roundtable. */
  readonly left: number;
  /** The request it waits for, or null. */
  readonly request: Pending | null;
}

/** A request under way. `since` in milliseconds, on whatever clock the caller keeps. */
export interface Pending {
  readonly id: number;
  readonly since: number;
}

/**
 * The speaking phase of a round, as a value. `line` holds those who will speak (again), the next of them first; `done`
 * those who have had their say.
 */
export interface Queue {
  readonly line: readonly Speaker[];
  readonly done: readonly Speaker[];
}

type Next =
  | { readonly do: 'speak'; readonly agent: string }
  /** Everyone left waits for evidence: nothing is said before a result comes, or the oldest request's time is up. */
  | { readonly do: 'intermission'; readonly oldest: Pending }
  | { readonly do: 'end' };

/** What a message did to the queue. `refused`: it held a request, and its speaker has none left. */
interface Spoken {
  readonly queue: Queue;
  readonly refused: boolean;
}

/** A queue at its beginning: all in the order given, each with the requests it has left. */
export function queueOf(agents: readonly { readonly name: string; readonly left: number }[]): Queue {
  return { line: agents.map(({ name, left }) => ({ name, left, request: null })), done: [] };
}

/** What happens next: the first in line who waits for nothing speaks. */
export function next(queue: Queue): Next {
  const ready = queue.line.find(({ request }) => request === null);
  if (ready !== undefined) return { do: 'speak', agent: ready.name };
  const oldest = queue.line
    .flatMap(({ request }) => (request === null ? [] : [request]))
    .reduce<Pending | null>((one, other) => (one === null || other.since < one.since ? other : one), null);
  return oldest === null ? { do: 'end' } : { do: 'intermission', oldest };
}

/**
 * The agent whose turn it was has spoken. With a request it goes to the back of the line and waits there for its result;
 * without one, or with none left, it is done. LAW: it speaks at most once more than it had requests.
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

/** A result has come. False where nobody waits for it any more: it is late, and dropped. */
export function answered(queue: Queue, id: number): { readonly queue: Queue; readonly taken: boolean } {
  const taken = queue.line.some(({ request }) => request?.id === id);
  return { queue: released(queue, (request) => request.id === id), taken };
}

/** Lets those speak whose request has waited for `timeoutMs`. Gives the requests that were given up. */
export function expired(
  queue: Queue,
  now: number,
  timeoutMs: number,
): { readonly queue: Queue; readonly given: readonly number[] } {
  const isOver = ({ since }: Pending) => now - since >= timeoutMs;
  const given = queue.line.flatMap(({ request }) => (request !== null && isOver(request) ? [request.id] : []));
  return { queue: released(queue, isOver), given };
}

/** Everyone, with the requests each has left: what the next round begins with. */
export function speakersOf(queue: Queue): readonly Speaker[] {
  return [...queue.line, ...queue.done];
}

function released(queue: Queue, isIt: (request: Pending) => boolean): Queue {
  const line = queue.line.map((one) => (one.request !== null && isIt(one.request) ? { ...one, request: null } : one));
  return { ...queue, line };
}
