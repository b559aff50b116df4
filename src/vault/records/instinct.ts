import { z } from 'zod';
import { checkbox, optionalText, optionalUnit, stewardSwitch } from './values.ts';

const count = z
  .number()
  .int({ error: 'must be a whole number, 0 or more' })
  .min(0, { error: 'must be a whole number, 0 or more' })
  .nullish()
  .transform((value) => value ?? 0);

// A streak of ticks that cannot be read starts over at 0: that can delay a step, but never cause one.
const streak = count.catch(0);

/** A moment as the program writes it. One that cannot be read must not count as "nothing was counted yet". */
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
  /** `steward` where the program itself set the pin, with its floor; absent for a person's pin. */
  pinned_by: optionalText,
  /** Evaluated ticks while pending, and whether the source gave a signal meanwhile. */
  ticks_pending: streak,
  gave_signal: checkbox,
  /** Ticks in a row with a confidence below 0.2, and above 0.9. */
  ticks_low: streak,
  ticks_high: streak,
  /** Actions whose undo window had closed by then are counted in `observations`. */
  windows_counted_until: moment,
  steward: stewardSwitch,
});
export type InstinctFields = z.infer<typeof instinctFields>;
