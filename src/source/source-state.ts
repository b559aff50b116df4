import { z } from 'zod';
import type { Json } from './connector.ts';

const json: z.ZodType<Json> = z.json();
const told = z.object({ message: z.string(), hint: z.string() });

/** What is remembered of one source. Times are epoch ms. */
export const sourceState = z.lazy(() =>
  z.object({
    /** The hash of where it leads and as whom. */
    place: z.string(),
    /** Whether its account's own server can vouch for senders. */
    vouches: z.boolean().default(false),
    /** Where it was left, as its kind writes it. */
    cursor: json,
    /** When it last answered as it should. */
    contact: z.number().nullable(),
    /** When something last came from it. */
    event: z.number().nullable(),
    /** How long (ms) that had been there before. */
    lagMs: z.number().nullable(),
    /** How long (ms) it usually takes until the next thing comes. */
    gapMs: z.number().nullable(),
    /** How many things it brought, and how many of them were taken into the vault. */
    seen: z.int(),
    taken: z.int(),
    /** Why it gave nothing at the last tries, since when, and how many there were; null while it works. */
    failing: told.extend({ kind: z.string(), since: z.number(), tries: z.int() }).nullable(),
    /** The mark of the password and the place that did not go together: they are not tried again. */
    refused: z.string().nullable(),
    /** What is wrong with parts of it. */
    problems: z.array(told),
  }),
);
export type SourceState = z.infer<typeof sourceState>;

/** Returns what is known of a source that was never asked. `place`: the hash of where it leads. */
export function newSource(place: string): SourceState {
  const never = { contact: null, event: null, lagMs: null, gapMs: null };
  return {
    place,
    vouches: false,
    cursor: null,
    ...never,
    seen: 0,
    taken: 0,
    failing: null,
    refused: null,
    problems: [],
  };
}
