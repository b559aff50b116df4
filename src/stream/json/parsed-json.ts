import type { z } from 'zod';

/** Returns a JSON text as a schema has it; null where it is no JSON, or not of the schema. */
export function parsedJson<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
