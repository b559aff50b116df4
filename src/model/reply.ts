import { z } from 'zod';
import { jsonIn, jsonOf } from './json-in-text.ts';
import { plainLine } from './plain.ts';
import type { OutputMode } from './provider/output-modes.ts';

const MAX_PLACE = 80;

const count = z
  .number()
  .int()
  .min(0)
  .nullish()
  .transform((value) => value ?? 0);

/** A message as it comes over the network. A proxy in between may answer anything. */
const message = z.object({
  type: z.literal('message'),
  // Some servers leave it open, as if there were only one reason to stop.
  stop_reason: z
    .string()
    .nullable()
    .transform((reason) => reason ?? 'end_turn'),
  content: z.array(
    z.union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
      z.object({ type: z.string() }),
    ]),
  ),
  usage: z.object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
});

/** A reply of the provider, as far as it matters here. What it says is data until `readReply` has found it to be of the form. */
export interface Reply {
  readonly text: string;
  /** What it gave to the tools it called, in their order. */
  readonly inputs: readonly unknown[];
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
    inputs: content.flatMap((block) => ('input' in block ? [block.input] : [])),
    stopReason: stop_reason,
    tokensIn: usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
    tokensOut: usage.output_tokens,
  };
}

/** Reads a reply that was to be one JSON object of a form (contract, section 10). */
export function readReply<T>(reply: Reply, schema: z.ZodType<T>, way: OutputMode): Read<T> {
  const { stopReason } = reply;
  if (stopReason === 'refusal') return { ok: false, reason: 'the model refused to answer.', again: 'never' };
  if (stopReason === 'max_tokens') return { ok: false, reason: 'it was cut off before its end.', again: 'roomier' };
  if (stopReason === 'model_context_window_exceeded') return TOO_LONG;
  const said = saidBy(reply, way);
  if (said === undefined) return stricter(NOTHING_SAID[way]);
  const parsed = schema.safeParse(said);
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

function saidBy({ text, inputs }: Reply, way: OutputMode): unknown {
  switch (way) {
    case 'structured output':
      return jsonOf(text);
    case 'a forced tool':
      return inputs[0];
    case 'JSON in the text':
      return jsonIn(text);
  }
}

const NOTHING_SAID: Readonly<Record<OutputMode, string>> = {
  'structured output': 'it is not one JSON object.',
  'a forced tool': 'it does not call the tool.',
  'JSON in the text': 'it holds no JSON object, or more than one.',
};

/** Where data from a model departs from its schema, in the schema's words, without a word of the data. */
export function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'the whole is not as it must be';
  const place = issue.path.length === 0 ? 'the whole' : plainLine(issue.path.join('.'), MAX_PLACE);
  if (issue.code === 'invalid_type') return `${place} must be of the type ${issue.expected}`;
  if (issue.code === 'invalid_value') return `${place} must be one of ${issue.values.join(', ')}`;
  return `${place} is not as it must be`;
}
