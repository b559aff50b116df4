import { z } from 'zod';
import { lastDay, longestRefusal, since } from '../steward/gates.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const made = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  client: z.string(),
  /** The path of the note it was about. */
  target: z.string(),
});
type Made = z.infer<typeof made>;

/** What agents have handed in in the last day, oldest first. */
export const agentsState = z.object({ made: z.array(made) });
export type AgentsState = z.infer<typeof agentsState>;

/** One limit: so many in so long, of those that it counts. */
interface Limit {
  readonly cap: number;
  readonly ms: number;
  readonly counts: (one: Made, next: Made) => boolean;
  readonly words: string;
}

// A client names itself, so what all of them make together is bounded as well. A note keeps half of its looks for others,
// and a matter a fifth.
const LIMITS: readonly Limit[] = [
  { cap: 10, ms: HOUR, counts: (one, next) => one.client === next.client, words: '10 an hour of one agent' },
  { cap: 20, ms: HOUR, counts: () => true, words: '20 an hour of all agents' },
  { cap: 40, ms: DAY, counts: () => true, words: '40 a day of all agents' },
  { cap: 3, ms: DAY, counts: (one, next) => one.target === next.target, words: '3 a day about one note' },
];

/** Why there is no room: the limit in words, and from when on there is (epoch ms). */
interface Full {
  readonly words: string;
  readonly freeAt: number;
}

/** Returns the account of a vault in which no agent has proposed anything. */
export function emptyAgents(): AgentsState {
  return { made: [] };
}

/** Returns why an agent may hand in nothing more just now, or null. LAW: no window ever holds more than its limit. */
export function fullFor(state: AgentsState, next: Made): Full | null {
  const day = lastDay(state.made, next.at);
  return longestRefusal(LIMITS.map((limit) => fullIn(limit, day, next)));
}

function fullIn({ cap, ms, counts, words }: Limit, day: readonly Made[], next: Made): Full | null {
  const counted = since(day, ms, next.at).filter((one) => counts(one, next));
  const blocking = counted.at(-cap);
  return blocking === undefined ? null : { words, freeAt: blocking.at + ms };
}

/** Returns the account with one more. */
export function handedIn(state: AgentsState, next: Made): AgentsState {
  return { made: [...lastDay(state.made, next.at), next] };
}
