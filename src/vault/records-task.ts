import { z } from 'zod';
import {
  checkbox,
  optionalText,
  optionalUnit,
  STATES,
  stewardSwitch,
  surfaceClass,
  textList,
} from './records/values.ts';
import { editDistance } from './spelling.ts';

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

/** No more is read of what a field says of a payment. */
const MOST_CHARACTERS = 200;

const loose = z
  .unknown()
  .optional()
  .transform((value): readonly string[] => (Array.isArray(value) ? value : [value]).flatMap(written));

// A number that the note does not hold exactly would be another reference.
function written(value: unknown): string[] {
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'string' && !isExact) return [];
  const text = String(value).trim().slice(0, MOST_CHARACTERS);
  return text === '' ? [] : [text];
}

/**
 * `task/<slug>.md`: something to be done under a matter.
 *
 * Parsed after the settings' field mapping, so that `status` has become `state`, and `projects` `parent_matter`, and
 * after the vault's own words, so that `state` is one of the program's; `state_field` says which of the two names the
 * note itself uses, and so which one is written.
 */
export const taskFields = z.object({
  state_field: z.enum(['state', 'status']).default('state'),
  state: z.enum(STATES, { error: 'must be open, snoozed, done or archived' }).default('open'),
  /** The value of `status` that nothing explains: the note is left alone. Null where its state is known. */
  unexplained: z
    .string()
    .nullish()
    .transform((text) => text ?? null),
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
  /** What a person may say of a payment. Other people's words for other things: no value is wrong. */
  amount: loose,
  reference: loose,
  invoice: loose,
  iban: loose,
  counterparty: loose,
});

/** The task's fields as they are used. */
export const task = taskFields.transform(taskOf);

/** Returns a task's fields with what it says of a payment put together. */
export function taskOf(fields: z.output<typeof taskFields>) {
  const { amount, reference, invoice, iban, counterparty, ...others } = fields;
  const payment = paymentIn({ amount, reference: [...reference, ...invoice], iban, counterparty });
  return { ...others, parent_matter: fields.parent_matter[0] ?? null, payment };
}
export type TaskFields = ReturnType<typeof taskOf>;

/** What a task says of a payment in fields of its own: sums, references, IBANs, and whom it goes to or comes from. */
export interface PaymentFields {
  readonly amount: readonly string[];
  readonly reference: readonly string[];
  readonly iban: readonly string[];
  readonly counterparty: readonly string[];
}

// Most tasks have none of them, and thousands of empty lists would be kept.
function paymentIn(fields: PaymentFields): PaymentFields | null {
  const { amount, reference, iban, counterparty } = fields;
  return amount.length + reference.length + iban.length + counterparty.length > 0 ? fields : null;
}

/** How many letters a mistyped name may differ by. */
const MOST_EDITS = 3;

/** Returns the name that is spelt most like a written one, or null where none is near. */
export function nearest(mistyped: string, names: readonly string[]): string | null {
  const written = mistyped.toLowerCase();
  const near = names
    .map((name) => ({ name, edits: editDistance(written, name.toLowerCase(), MOST_EDITS) }))
    .filter(({ name, edits }) => edits <= Math.min(MOST_EDITS, name.length / 2))
    .sort((one, other) => one.edits - other.edits);
  return near[0]?.name ?? null;
}
