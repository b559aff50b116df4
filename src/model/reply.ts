import { z } from 'zod';

const count = z
  .number()
  .int()
  .min(0)
  .nullish()
  .transform((value) => value ?? 0);

/** A message as it comes over the network. A proxy in between may answer anything. */
const message = z.object({
  type: z.literal('message'),
  stop_reason: z.string(),
  content: z.array(z.union([z.object({ type: z.literal('text'), text: z.string() }), z.object({ type: z.string() })])),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
});

/** A reply of the provider, as far as it matters here. Its text is data until `readReply` has found it to be of the form. */
export interface Reply {
  readonly text: string;
  readonly stopReason: string;
  /** What it took, what the provider had kept included. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** A reply as read: what it says, or why it cannot be used and how it may be asked for again. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly again: 'stricter' | 'roomier' | 'briefer' | 'never' };

/** The reply in what came over the network, or null where that is no message of the Messages API. */
export function replyOf(answered: unknown): Reply | null {
  const parsed = message.safeParse(answered);
  if (!parsed.success) return null;
  const { content, stop_reason, usage } = parsed.data;
  return {
    text: content.map((block) => ('text' in block ? block.text : '')).join(''),
    stopReason: stop_reason,
    tokensIn: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    tokensOut: usage.output_tokens,
  };
}

/** Reads a reply that was to be one JSON object of a form (contract, section 10). */
export function readReply<T>({ stopReason, text }: Reply, schema: z.ZodType<T>): Read<T> {
  if (stopReason === 'refusal') return { ok: false, reason: 'the model refused to answer.', again: 'never' };
  if (stopReason === 'max_tokens') return { ok: false, reason: 'it was cut off before its end.', again: 'roomier' };
  if (stopReason === 'model_context_window_exceeded') return TOO_LONG;
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return stricter(`it does not keep to the schema (${issueOf(parsed.error)}).`);
  return { ok: true, value: parsed.data };
}

/** The question was more than the model can read at once. */
export const TOO_LONG = {
  ok: false,
  reason: 'the question was too long for the model.',
  again: 'briefer',
} as const satisfies Read<never>;

/** The reply is to be asked for again; `reason` in the program's own words, and nothing of what the reply said. */
export function stricter(reason: string): Read<never> {
  return { ok: false, reason, again: 'stricter' };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where a reply departs from its schema, without a word of what it said there. */
export function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the whole' : issue.path.join('.');
  return `${place} is not as it must be`;
}
