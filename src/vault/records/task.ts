import { z } from 'zod';
import { checkbox, optionalText, optionalUnit, stateOf, stewardSwitch, surfaceClass, textList } from './values.ts';

/**
 * `task/<slug>.md`: something to be done under a matter.
 *
 * Parsed after the settings' field mapping, so that `status` has become `state`, and `projects` `parent_matter`;
 * `state_field` says which of the two names the note itself uses, and so which one is written.
 */
export const taskFields = z.object({
  state_field: z.enum(['state', 'status']).default('state'),
  state: optionalText,
  surface_class: surfaceClass,
  parent_matter: textList,
  due: optionalText,
  scheduled: optionalText,
  snoozed_until: optionalText,
  blocked_on: textList,
  current_state: optionalText,
  completedDate: optionalText,
  related_orgs: textList,
  related_projects: textList,
  related_to: textList,
  aliases: textList,
  senders: textList,
  keywords: textList,
  next_check_after: optionalText,
  pending_confirmation: checkbox,
  discretion_threshold: optionalUnit,
  steward: stewardSwitch,
  plane_issue_id: optionalText,
});

/** The task's fields with its state in the program's own words. */
export const task = taskFields.transform((fields, context) => {
  // TaskNotes lets people invent statuses ("waiting", "in-progress"); such a task is not finished.
  const unknownIsOpen = fields.state_field === 'status';
  const state = fields.state === null ? 'open' : (stateOf(fields.state) ?? (unknownIsOpen ? 'open' : null));
  if (state === null) {
    context.addIssue({ code: 'custom', path: ['state'], message: 'must be open, snoozed, done or archived' });
  }
  return { ...fields, state: state ?? 'open', parent_matter: fields.parent_matter[0] ?? null };
});
export type TaskFields = z.infer<typeof task>;
