import { z } from 'zod';
import { LICENCE_KINDS } from '../vault/record.ts';

const MOST_OFFERS = 200;
const MOST_OUTCOMES = 1000;

/** The offers of a rehearsal that a person has said yes to. */
export const acceptedOffers = z.object({
  licences: z
    .array(
      z.object({
        sender: z.string(),
        /** The path of the matter. */
        matterPath: z.string(),
        kinds: z.array(z.enum(LICENCE_KINDS)).min(1),
        evidence: z.string(),
      }),
    )
    .max(MOST_OFFERS),
  senders: z.array(z.object({ sender: z.string(), note: z.string() })).max(MOST_OFFERS),
  keywords: z.array(z.object({ keyword: z.string(), note: z.string() })).max(MOST_OFFERS),
  references: z.array(z.object({ reference: z.string(), note: z.string() })).max(MOST_OFFERS),
  /** Right outcomes of the past that count from now on, by sender. */
  outcomes: z
    .array(
      z.object({
        sender: z.string(),
        outcomes: z.array(z.object({ at: z.iso.datetime(), note: z.string() })).max(MOST_OUTCOMES),
      }),
    )
    .max(MOST_OFFERS),
});
export type AcceptedOffers = z.infer<typeof acceptedOffers>;
