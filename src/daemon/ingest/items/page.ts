import { z } from 'zod';
import type { ItemContent } from '../../../stream/items/item.ts';
import { identity, streamEvent } from './event-schema.ts';

/** What the process that reads a file is told. The file itself it is given open. */
export const readingTask = z.object({
  /** The name of the kind. */
  kind: z.string(),
  size: z.number(),
  from: z.number(),
  /** Whether each item is announced before it is read: then it is known which one ended the process. */
  isCareful: z.boolean(),
  door: z.looseObject({
    file: z.string(),
    sourceType: z.string(),
    trustedServers: z.array(z.string()),
    zone: z.string(),
    now: z.number(),
    bankFormats: z.array(z.string()).optional(),
  }),
});

const place = z.object({ at: z.number(), next: z.number(), place: z.string() });
export type Place = z.infer<typeof place>;

const content = z.discriminatedUnion('what', [
  z.object({ what: z.literal('event'), event: streamEvent, identity }),
  z.object({ what: z.literal('refused'), reason: z.string() }),
  z.object({ what: z.literal('nothing'), reason: z.string() }),
]);
/** An item of a file, and what it came to. */
export interface ReadItem extends Place {
  readonly content: ItemContent;
}

/** Some items of a file, in order; with `ends` they were the last ones. `refusal`: why the file cannot be read any further. */
export interface Page {
  readonly kind: 'page';
  readonly items: readonly ReadItem[];
  readonly ends: boolean;
  readonly refusal: { readonly message: string; readonly hint: string } | null;
}

/** What the process says: which item it begins with, or some items that it has read. */
export type Said = Page | { readonly kind: 'begins'; readonly item: Place };

/** The same as it comes over the channel. */
export const said: z.ZodType<Said> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begins'), item: place }),
  z.object({
    kind: z.literal('page'),
    items: z.array(place.extend({ content })),
    ends: z.boolean(),
    refusal: z.object({ message: z.string(), hint: z.string() }).nullable(),
  }),
]);
