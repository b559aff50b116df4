import { z } from 'zod';
import { MUTATION_CLASSES } from './mutation-class.ts';
import { mapOf, yamlValue } from './values.ts';

const members = z.union([z.array(z.string()), z.string().transform((one) => [one])]);

/** What a signal proposes to write: a class and the fields it sets, adds to, or removes from. */
export const mutationProposal = z.object({
  class: z.enum(MUTATION_CLASSES),
  set: mapOf(yamlValue),
  add: mapOf(members),
  remove: mapOf(members),
});
export type MutationProposal = z.infer<typeof mutationProposal>;

/**
 * One change to one field, as evaluators and proposals name it. `value`: a scalar for set, members for add and remove.
 */
export const fieldChange = z.object({
  field: z.string().min(1),
  op: z.enum(['set', 'add', 'remove']),
  value: yamlValue,
});
export type FieldChange = z.infer<typeof fieldChange>;

/** What a change does to a field: its value before and after; null where the field is absent. */
export const beforeAfter = z.object({ before: yamlValue, after: yamlValue });
export type BeforeAfter = z.infer<typeof beforeAfter>;
export type Changes = Readonly<Record<string, BeforeAfter>>;
