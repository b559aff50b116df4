import { z } from 'zod';
import { checkbox, optionalText, unit } from './values.ts';

const count = z
  .number()
  .int({ error: 'must be a whole number, 0 or more' })
  .min(0, { error: 'must be a whole number, 0 or more' })
  .nullish()
  .transform((value) => value ?? 0);

/** `instinct/<source_type>.md`: how often one source was right. */
export const instinctFields = z.object({
  source_type: optionalText,
  prior: unit.nullish().transform((value) => value ?? null),
  confidence: unit.nullish().transform((value) => value ?? null),
  observations: count,
  reversals: count,
  calibration_status: z
    .enum(['pending', 'live', 'pruned'])
    .nullish()
    .transform((value) => value ?? 'pending'),
  pinned: checkbox,
  last_negative_at: optionalText,
});
export type InstinctFields = z.infer<typeof instinctFields>;
