import { z } from 'zod';
import { news } from './news.ts';

/** By what a message can go out. */
const CHANNELS = ['ntfy', 'desktop', 'command'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** What one channel has still to say, and how it went. Times in epoch ms. */
const tray = z.lazy(() =>
  z.object({
    news: z.array(news),
    /** Since when the digest tells; null where none is to be said. */
    digest: z.number().nullable(),
    /** How often it failed in a row, and when it is tried again. */
    tries: z.number().int().min(0),
    next: z.number(),
    /** When it last took a message; null for never. */
    delivered: z.number().nullable(),
    /** What went wrong last; null where it went well. */
    trouble: z.object({ message: z.string(), hint: z.string() }).nullable(),
  }),
);
export type Tray = z.infer<typeof tray>;

/** What is remembered of messages. */
export const notifyMemory = z.lazy(() =>
  z.object({
    /** Since when changes that were made are told (epoch ms); null before the first look. */
    since: z.number().nullable(),
    /** What was told → when (epoch ms). What is here is not told again. */
    told: z.record(z.string(), z.number()),
    /** What is to be said soon. */
    pending: z.array(news),
    /** The local day on which messages were last sent, and how many of them. */
    day: z.string(),
    sent: z.number().int().min(0),
    /** When the last digest was made, or passed over (epoch ms); null before the first. */
    digest: z.number().nullable(),
    trays: z.partialRecord(z.enum(CHANNELS), tray),
    /** Links in messages that were used → when they expire (epoch ms). */
    used: z.record(z.string(), z.number()),
  }),
);
export type NotifyMemory = z.infer<typeof notifyMemory>;

/** Nothing was ever said. */
export function emptyNotify(): NotifyMemory {
  return { since: null, told: {}, pending: [], day: '', sent: 0, digest: null, trays: {}, used: {} };
}

/** A channel that nothing was given to yet. */
export function emptyTray(): Tray {
  return { news: [], digest: null, tries: 0, next: 0, delivered: null, trouble: null };
}
