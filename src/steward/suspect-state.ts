import { z } from 'zod';

// Apart from suspects.ts, which needs the state that has this part.

/** The memory of all mails of one kind that pretend to be the same sender: their count, and the last of them. */
export const suspects = z.lazy(() =>
  z.object({
    warning: z.string(),
    from: z.string().nullable(),
    subject: z.string(),
    file: z.string(),
    count: z.int().min(1),
    /** When the first and the last were read (epoch ms). */
    first: z.number(),
    last: z.number(),
  }),
);
export type Suspects = z.infer<typeof suspects>;
