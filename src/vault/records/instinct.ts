import { z } from 'zod';
import { checkbox, optionalText, optionalUnit, orNull, stewardSwitch } from './values.ts';

const count = z
  .number()
  .int({ error: 'must be a whole number, 0 or more' })
  .min(0, { error: 'must be a whole number, 0 or more' })
  .nullish()
  .transform((value) => value ?? 0);

/** By which rule a note's figures came about: `outcomes` since only what a person lets be known teaches. */
export const LEARNS_FROM = 'outcomes';

/** `instinct/<channel>.md` and `instinct/<channel>/<pattern>.md`: how often one source was right. */
export const instinctFields = z.object({
  source_type: optionalText,
  /** Who speaks in the channel; absent for the channel itself. */
  pattern: optionalText,
  prior: optionalUnit,
  confidence: optionalUnit,
  /** How often it was right; wrong, wrong since it was last right, and taken back. */
  observations: count,
  wrong: orNull(count),
  wrong_in_a_row: count,
  reversals: count,
  /** How often it was right since an action of it was last taken back; absent where none was. */
  right_since_reversal: orNull(count),
  calibration_status: z
    .enum(['pending', 'live', 'pruned'])
    .nullish()
    .transform((value) => value ?? null),
  pinned: checkbox,
  last_negative_at: optionalText,
  /** `steward` where the program itself set the pin, with its floor; absent for a person's pin. */
  pinned_by: optionalText,
  /** `outcomes`; absent in a note of before this rule, and in one that a person made. */
  learns_from: optionalText,
  steward: stewardSwitch,
});
export type InstinctFields = z.infer<typeof instinctFields>;
