import { z } from 'zod';
import { checkbox, optionalText, optionalUnit, stateOf, stewardSwitch, surfaceClass, textList } from './values.ts';

/** `matter/<slug>.md`: one ongoing affair. Unknown keys stay in the note and are ignored. */
export const matterFields = z.object({
  state: optionalText.transform((word, context) => {
    const state = word === null ? 'open' : stateOf(word);
    if (state === null) context.addIssue({ code: 'custom', message: 'must be open, snoozed, done or archived' });
    return state ?? 'open';
  }),
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
