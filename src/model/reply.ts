import { z } from 'zod';
import { jsonIn, jsonOf } from './json-in-text.ts';
import { plainLine } from './plain.ts';
import type { OutputMode } from './provider/output-modes.ts';

const MAX_PATH = 80;

/** A number of tokens. Some servers count in their own way, or not at all. */
const count = z.unknown().transform((said) => {
  const figure = typeof said === 'string' ? Number(said) : said;
  return typeof figure === 'number' && figure >= 0 && Number.isFinite(figure) ? Math.ceil(figure) : 0;
});
const NOT_COUNTED = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** A message of the Messages API. A proxy in between may answer anything else. */
const message = z.lazy(() =>
  z.object({
    type: z.literal('message'),
    // Some servers send null or nothing, as if there were only one reason to stop.
    stop_reason: z
      .string()
      .nullish()
      .transform((reason) => reason ?? 'end_turn'),
    content: z.array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
        z.object({ type: z.string() }),
      ]),
    ),
    usage: z
      .object({
        input_tokens: count.optional().default(0),
        output_tokens: count.optional().default(0),
        cache_read_input_tokens: count.optional().default(0),
        cache_creation_input_tokens: count.optional().default(0),
      })
      .nullish()
      .transform((usage) => usage ?? NOT_COUNTED),
  }),
);

/** The parts of a provider's reply that matter here. What it says is unchecked until `readReply` parses it. */
export interface Reply {
  readonly text: string;
  /** The inputs of the tools it called, in their order. */
  readonly inputs: readonly unknown[];
  readonly stopReason: string;
  /** Includes what the provider had cached. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** A parsed reply: what it says, or why it cannot be used and how to ask again. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly again: 'stricter' | 'roomier' | 'briefer' | 'never' };

/** Returns the reply in a response, or null where that is no message of the Messages API. */
export function replyOf(response: unknown): Reply | null {
  const parsed = message.safeParse(response);
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

/** Parses a reply that should be one JSON object of a schema (contract, section 10). */
export function readReply<T>(reply: Reply, schema: z.ZodType<T>, mode: OutputMode): Read<T> {
  const { stopReason } = reply;
  if (stopReason === 'refusal') return { ok: false, reason: 'the model refused to answer.', again: 'never' };
  if (stopReason === 'max_tokens') return { ok: false, reason: 'it was cut off before its end.', again: 'roomier' };
  if (stopReason === 'model_context_window_exceeded') return TOO_LONG;
  const said = saidBy(reply, mode);
  if (said === undefined) return stricter(NOTHING_SAID[mode]);
  const parsed = schema.safeParse(said);
  if (!parsed.success) return stricter(`it does not keep to the schema (${issueOf(parsed.error)}).`);
  return { ok: true, value: parsed.data };
}

/** The question is longer than the model can read at once. */
export const TOO_LONG = {
  ok: false,
  reason: 'the question was too long for the model.',
  again: 'briefer',
} as const satisfies Read<never>;

/** Returns that the model must be asked again. `reason`: in the program's own words, with nothing that the reply said. */
export function stricter(reason: string): Read<never> {
  return { ok: false, reason, again: 'stricter' };
}

function saidBy({ text, inputs }: Reply, mode: OutputMode): unknown {
  switch (mode) {
    case 'structured output':
      return jsonOf(text);
    case 'a forced tool':
      return typeof inputs[0] === 'string' ? jsonOf(inputs[0]) : inputs[0];
    case 'JSON in the text':
      return jsonIn(text);
  }
}

const NOTHING_SAID: Readonly<Record<OutputMode, string>> = {
  'structured output': 'it is not one JSON object.',
  'a forced tool': 'it does not call the tool.',
  'JSON in the text': 'it holds no JSON object, or more than one.',
};

/** Returns where data from a model breaks its schema, in the schema's words, without a word of the data. */
export function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'the whole is not as it must be';
  const path = issue.path.length === 0 ? 'the whole' : plainLine(issue.path.join('.'), MAX_PATH);
  if (issue.code === 'invalid_type') return `${path} must be of the type ${issue.expected}`;
  if (issue.code === 'invalid_value') return `${path} must be one of ${issue.values.join(', ')}`;
  return `${path} is not as it must be`;
}
