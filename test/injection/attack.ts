import fs from 'node:fs';
import path from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';

/** Where the steward comes across a hostile text. */
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
  /** Only for `signal_fields`: what somebody wrote into a signal dropped by hand. */
  fields: z.record(z.string(), z.unknown()).default({}),
  /** What the attacker wants the model to answer, in addition to the text itself wherever words are accepted. */
  wants: z.record(z.string(), z.unknown()).default({}),
  /** Only for `tool_result`: the tools that the agent is made to call. */
  calls: z.array(z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()) })).default([]),
  /** Whether the model is asked at all: some texts are stopped before. */
  asked: z.boolean().default(true),
  /** The complete answer, where it does not even have the required form. */
  answer: z.string().optional(),
});
/** A text written to manipulate the steward or its model, and what it aims at. */
export type Attack = z.infer<typeof attack>;

/** Reads every attack in test/injection/cases. Throws an Error with the file where one is not as the README says. */
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
