import { z } from 'zod';
import { plainPath } from '../note-path.ts';

/** A value as YAML's core schema reads it: no dates, no classes, no functions. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [key: string]: Yaml };
/** A note's frontmatter as read: the keys and values that a person or the program wrote. */
export type Frontmatter = Readonly<Record<string, Yaml>>;

/** Returns how many values a value holds, itself included. */
export function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + valuesIn(part), 1);
}

/** Any YAML value. Checked by a function: a schema that contains itself cannot be compiled. */
export const yamlValue: z.ZodType<Yaml> = z.custom<Yaml>(isYaml);

function isYaml(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return ['string', 'number', 'boolean', 'object'].includes(typeof value);
  return Object.values(value).every(isYaml);
}

/** A text that has to be there. */
export const text = z.string();

/** A scalar a person may have left unquoted (`owner: 42`), as text; absent, null and empty are all null. */
export const optionalText = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .optional()
  .transform((value) => (value === undefined || value === null || value === '' ? null : String(value)));

/** The path of a note that another note names; null where there is none, or where it is spelled as no path is. */
export const optionalPath = optionalText.transform((value) => (value === null ? null : plainPath(value)));

/** A list of texts; a single text counts as a list of one, absent and null as an empty list. */
export const textList = z
  .union([z.string(), z.number(), z.null(), z.array(z.union([z.string(), z.number(), z.null()]))])
  .optional()
  .transform((value): readonly string[] => {
    if (value === undefined || value === null) return [];
    const items = Array.isArray(value) ? value : [value];
    return items.filter((item) => item !== null && item !== '').map(String);
  });

/** Returns a schema that turns a missing or empty value into null. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

/** Returns a schema of a map of such values, which turns a missing or empty one into a new empty map. */
export function mapOf<Value>(value: z.ZodType<Value>) {
  return z
    .record(z.string(), value)
    .nullish()
    .transform((map): Record<string, Value> => map ?? {});
}

/** A checkbox: ticked where it is `true` or `"true"`, otherwise not. */
export const checkbox = z
  .union([z.boolean(), z.string(), z.number(), z.null()])
  .optional()
  .transform((value) => value === true || value === 'true');

/** `steward: false` opts a note out; anything else, or nothing, leaves it in. */
export const stewardSwitch = z
  .unknown()
  .optional()
  .transform((value) => value !== false && value !== 'false');

/** A number from 0 to 1 inclusive. */
export const unit = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, { error: 'must be a number from 0 to 1' })
  .max(1, { error: 'must be a number from 0 to 1' });

export const optionalUnit = orNull(unit);

/** `high | normal | none`; absent is normal. */
export const surfaceClass = z
  .enum(['high', 'normal', 'none'], { error: 'must be high, normal or none' })
  .nullish()
  .transform((value) => value ?? 'normal');

export const STATES = ['open', 'snoozed', 'done', 'archived'] as const;
export type State = (typeof STATES)[number];

const LEGACY_STATES: ReadonlyMap<string, State> = new Map([
  ['resolved', 'done'],
  ['completed', 'done'],
  ['abandoned', 'archived'],
  ['cancelled', 'archived'],
]);

/** Returns the state that a word means, legacy words included (contract, section 3), or null for an unknown word. */
export function stateOf(word: string): State | null {
  const folded = word.trim().toLowerCase();
  return STATES.find((state) => state === folded) ?? LEGACY_STATES.get(folded) ?? null;
}
