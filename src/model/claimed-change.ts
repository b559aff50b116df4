import { z } from 'zod';

/** One change as a model claims it. Whether the field may be written is checked later. */
export const claimedChange = z.object({
  field: z.string().min(1),
  op: z.enum(['set', 'add', 'remove']),
  value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
});
export type ClaimedChange = z.infer<typeof claimedChange>;
