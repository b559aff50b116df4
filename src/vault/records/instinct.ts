import { z } from 'zod';
import { checkbox, optionalText, optionalUnit } from './values.ts';

const count = z
  .number()
  .int({ error: 'must be a whole number, 0 or more' })
  .min(0, { error: 'must be a whole number, 0 or more' })
  .nullish()
  .transform((value) => value ?? 0);

// A row of ticks that cannot be read begins anew: that delays a step, and never makes one.
const row = count.catch(0);

/** A moment as the program writes it. One that cannot be read must not pass for "nothing was counted yet". */
const moment = z
  .string({ error: 'must be a time such as 2026-11-21T20:19:54Z' })
  .refine((text) => /^\d{4}-\d\d-\d\dT/.test(text) && Number.isFinite(Date.parse(text)), {
    error: 'must be a time such as 2026-11-21T20:19:54Z',
  })
  .nullish()
  .transform((text) => text ?? null);

/** `instinct/<source_type>.md`: how often one source was right. */
export const instinctFields = z.object({
  source_type: optionalText,
  prior: optionalUnit,
  confidence: optionalUnit,
  observations: count,
  reversals: count,
  calibration_status: z
    .enum(['pending', 'live', 'pruned'])
    .nullish()
    .transform((value) => value ?? 'pending'),
  pinned: checkbox,
  last_negative_at: optionalText,
  /** `steward` where the pin is the program's own, with its floor; a person's pin says nothing. */
  pinned_by: optionalText,
  /** Evaluated ticks while pending, and whether it gave a signal meanwhile. */
  ticks_pending: row,
  gave_signal: checkbox,
  /** Ticks in a row with a confidence below 0.2, and above 0.9. */
  ticks_low: row,
  ticks_high: row,
  /** Actions whose undo window closed until then are counted in `observations`. */
  windows_counted_until: moment,
  steward: z
    .unknown()
    .optional()
    .transform((value) => value !== false && value !== 'false'),
});
export type InstinctFields = z.infer<typeof instinctFields>;
