import { z } from 'zod';
import { itemsRead } from '../../../stream/items-read.ts';

/** In the place of a reader: none takes files of that kind. */
export const NOBODY = 'nobody';
/** What an earlier version remembered of such a file. */
const NOBODY_SAID = 'only mails (.eml) are read so far';

/** What is remembered of a stream file that was looked at. */
export const streamRead = z.lazy(() =>
  z
    .object({
      size: z.number(),
      mtimeMs: z.number(),
      sha256: z.string(),
      at: z.number(),
      signals: z.number().int(),
      skipped: z.string().nullable(),
      refused: z.string().nullable(),
      /** Which reader, in which version, did not understand the file; null where one did. */
      tried: z.string().nullable().optional(),
      /** Null of a file with one event. */
      items: itemsRead.nullable().optional(),
    })
    .transform((read) => ({
      ...read,
      tried: read.tried ?? (read.skipped === NOBODY_SAID ? NOBODY : null),
      items: read.items ?? null,
    })),
);
export type StreamRead = z.infer<typeof streamRead>;
