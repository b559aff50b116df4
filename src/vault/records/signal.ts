import { z } from 'zod';
import { mutationProposal } from './mutation.ts';
import { checkbox, optionalText, optionalUnit, orNull, stewardSwitch, textList, unit } from './values.ts';

const SIGNAL_STATUSES = ['unrouted', 'applied', 'skipped'] as const;

/** `signal/<id>.md`: what one stream event means for one matter or task. One dropped by hand may lack many fields. */
export const signalFields = z.object({
  created: optionalText,
  origin_at: optionalText,
  source_type: optionalText.transform((value) => value ?? 'other'),
  source_event_path: optionalText,
  raw_quote: optionalText,
  target_kind: orNull(z.enum(['task', 'matter'])),
  target_path: optionalText,
  target_matter_path: optionalText,
  target_confidence: unit.nullish().transform((value) => value ?? 1),
  target_candidates: textList,
  target_ambiguous: checkbox,
  effect: z
    .enum(['mutation', 'action', 'none'])
    .nullish()
    .transform((value) => value ?? 'none'),
  effect_confidence: unit.nullish().transform((value) => value ?? 0),
  effect_confidence_raw: optionalUnit,
  mutation_proposal: orNull(mutationProposal),
  reasoning: optionalText,
  headline: optionalText,
  status: z
    .enum(SIGNAL_STATUSES)
    .nullish()
    .transform((value) => value ?? 'unrouted'),
  applied_at: optionalText,
  audit_record_path: optionalText,
  steward: stewardSwitch,
});
export type SignalFields = z.infer<typeof signalFields>;
