import { z } from 'zod';
import { checkbox, optionalText, optionalUnit, STATES, stewardSwitch, surfaceClass, textList } from './values.ts';

/** `matter/<slug>.md`: one ongoing affair. Unknown keys stay in the note and are ignored. */
export const matterFields = z.object({
  /** Parsed as a task's: which name the note uses, and what its value means. */
  state_field: z.enum(['state', 'status']).default('state'),
  state: z.enum(STATES, { error: 'must be open, snoozed, done or archived' }).default('open'),
  /** The value of `status` that nothing explains: the note is left alone. Null where its state is known. */
  unexplained: z
    .string()
    .nullish()
    .transform((text) => text ?? null),
  surface_class: surfaceClass,
  steward_schedule: optionalText,
  next_check_after: optionalText,
  pending_confirmation: checkbox,
  discretion_threshold: optionalUnit,
  summary: optionalText,
  description: optionalText,
  owner: optionalText,
  aliases: textList,
  related_orgs: textList,
  related_projects: textList,
  related_to: textList,
  senders: textList,
  keywords: textList,
  signal_sources: textList,
  steward: stewardSwitch,
  plane_project_id: optionalText,
  /** Matters have no parent; this is read only to report a circle. */
  parent_matter: textList,
});
export type MatterFields = z.infer<typeof matterFields>;
