import type { z } from 'zod';

/*
 * Two ways to read JSON: one for the program's own, one for JSON from others. A reader with positions in the text is in
 * `evidence/rows.ts`; a reader for files that don't fit into memory is in `streams/chat.ts`.
 */

/** Reads JSON that this program wrote. Returns null if it is damaged, cut off, or of another form. */
export function readOwnJson<Value>(schema: z.ZodType<Value>, text: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Whether a value is a JSON object, with any fields: no list, and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper values could overflow the stack of code that walks through them. */
const MAX_DEPTH = 500;

/**
 * Reads JSON from outside: a file, a server, a program, a model. Returns undefined if it isn't JSON in UTF-8, or nests more than
 * 500 deep. The caller limits its size, and checks the value with a schema.
 */
export function readForeignJson(written: string | Uint8Array): unknown {
  try {
    const text = typeof written === 'string' ? written : new TextDecoder('utf-8', { fatal: true }).decode(written);
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) at += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
