import { z } from 'zod';

/** The description of the tool that takes the answer. */
export const FORM_TOOL = 'Takes your answer. Call it once, with the whole answer; nothing else is read.';

/** The parts of a JSON Schema that the answers' schemas are made of. */
const part = z.object({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  get anyOf() {
    return z.array(part).optional();
  },
  get items() {
    return part.optional();
  },
  get properties() {
    return z.record(z.string(), part).optional();
  },
});
type Part = z.infer<typeof part>;

/**
 * Returns the instruction for a model that only these words hold to a schema. `schema`: its JSON Schema. The form is shown as
 * an answer looks, in a quarter of the words: a small model keeps to that more easily than to a schema.
 */
export function inWords(schema: object): string {
  return `# The form of your answer

Answer with one JSON object of this form, and with nothing before or after it. Leave out no field; write [] where a list is empty.
${shapeOf(part.parse(schema))}`;
}

function shapeOf({ type, enum: values, anyOf, items, properties, minimum, maximum }: Part): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return anyOf.map(shapeOf).join(' | ');
  if (items !== undefined) return `[${shapeOf(items)}, ...]`;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, each]) => `${JSON.stringify(name)}: ${shapeOf(each)}`);
    return `{${fields.join(', ')}}`;
  }
  const isBounded = type === 'number' && minimum !== undefined && maximum !== undefined;
  return isBounded ? `number from ${minimum} to ${maximum}` : (type ?? 'anything');
}
