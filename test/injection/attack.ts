import fs from 'node:fs';
import path from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';

/** Where a hostile text stands when the steward comes upon it. */
export const PLACES = [
  'mail_body',
  'mail_html',
  'mail_subject',
  'mail_sender',
  'mail_attachment',
  'mail_history',
  'stream_name',
  'signal_name',
  'signal_headline',
  'signal_quote',
  'signal_reasoning',
  'signal_source',
  'signal_fields',
  'note_name',
  'note_field',
  'note_key',
  'note_body',
  'matter_name',
  'matter_field',
  'tool_result',
] as const;
export type AttackPlace = (typeof PLACES)[number];

const attack = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  at: z.enum(PLACES),
  lang: z.string().default('en'),
  text: z.string().min(1),
  /** Of `signal_fields` alone: what somebody wrote into a signal dropped by hand. */
  fields: z.record(z.string(), z.unknown()).default({}),
  /** What the attacker would have the model answer, beside the text itself in every place that takes words. */
  wants: z.record(z.string(), z.unknown()).default({}),
  /** Of `tool_result` alone: the tools that the agent is made to call. */
  calls: z.array(z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()) })).default([]),
  /** Whether the model is asked at all: some go no further than what is read without one. */
  asked: z.boolean().default(true),
  /** The whole of the answer, where it is not even of the form asked for. */
  answer: z.string().optional(),
});
/** A text that was written to direct the steward or its model, and what it is after. */
export type Attack = z.infer<typeof attack>;

/** Every attack in test/injection/cases. Throws an Error that names the file where one is not as the README says. */
export function loadAttacks(folder = path.join(import.meta.dirname, 'cases')): readonly Attack[] {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  const attacks = names.toSorted().flatMap((name) => {
    const read = z
      .array(attack)
      .safeParse(load(fs.readFileSync(path.join(folder, name), 'utf8'), { schema: CORE_SCHEMA }));
    if (!read.success) throw new Error(`${name}: ${z.prettifyError(read.error)}`);
    return read.data;
  });
  const twice = attacks.find(({ name }, index) => attacks.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Error(`two attacks are called ${twice.name}`);
  return attacks;
}
