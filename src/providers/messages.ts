import { z } from 'zod';
import { computeUsage, type ModelSetup } from '../steward/budget.ts';
import type { Slot } from '../steward/rate-guard.ts';
import type { Usage } from '../steward/types.ts';
import type { Price } from '../vault/data.ts';
import { readForeignJson } from '../vault/json.ts';
import { clipped, plainLine } from '../vault/note-text.ts';
import {
  nullIfRejected,
  type OutputMode,
  type OutputModes,
  type Provider,
  ProviderError,
  unavailable,
} from './provider.ts';

const FORM_TOOL = 'Takes your answer. Call it once, with the whole answer; other text is ignored.';

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

Answer with one JSON object of this form, and with no text before or after it. Leave out no field; write [] if a list is empty.
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

/**
 * Returns the one JSON object in a text, whatever is around it: a fence, a greeting, a model's thoughts. Several
 * objects are returned as a list if they are the items of one list. Otherwise undefined: it is unclear which of several
 * is meant, or who wrote it.
 */
export function extractJson(text: string): unknown {
  const said = afterThoughts(text);
  const values = objectsIn(said).flatMap((piece) => {
    const value = readForeignJson(piece);
    return value === undefined ? [] : [value];
  });
  return values.length === 1 ? values[0] : listIn(said, values.length);
}

/**
 * Returns the list from the first bracket to the last if it consists of exactly this many objects, else undefined. A
 * list inside one of the objects doesn't count.
 */
function listIn(text: string, objects: number): unknown {
  const [from, to] = [text.indexOf('['), text.lastIndexOf(']')];
  if (from < 0 || from > text.indexOf('{') || to < text.lastIndexOf('}')) return undefined;
  const value = readForeignJson(text.slice(from, to + 1));
  if (!Array.isArray(value) || value.length !== objects) return undefined;
  return value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)) ? value : undefined;
}

function afterThoughts(text: string): string {
  const end = text.lastIndexOf('</think>');
  return end < 0 ? text : text.slice(end);
}

/** Returns the pieces from an outermost opening brace to the brace that closes it, in one pass. */
function objectsIn(text: string): string[] {
  const pieces: string[] = [];
  let [depth, from, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = depth > 0 && !quoted;
    else if (quoted) continue;
    else if (character === '{') {
      if (depth === 0) from = at;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) pieces.push(text.slice(from, at + 1));
    }
  }
  return pieces;
}

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

/** The parts of a provider's reply that matter here. Its content is unchecked until `readReply` parses it. */
export interface ModelReply {
  readonly text: string;
  /** The inputs of the tools it called, in their order. */
  readonly inputs: readonly unknown[];
  readonly stopReason: string;
  /** Includes what the provider had cached. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** A parsed reply: what it says, or why it cannot be used and how to ask again. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly again: 'stricter' | 'roomier' | 'briefer' | 'never' };

/** Returns the reply in a response, or null if that is no message of the Messages API. */
export function parseReply(response: unknown): ModelReply | null {
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
export function readReply<T>(reply: ModelReply, schema: z.ZodType<T>, mode: OutputMode): ParseResult<T> {
  const { stopReason } = reply;
  if (stopReason === 'refusal') return { ok: false, reason: 'the model refused to answer.', again: 'never' };
  if (stopReason === 'max_tokens') return { ok: false, reason: 'it was cut off before its end.', again: 'roomier' };
  if (stopReason === 'model_context_window_exceeded') return TOO_LONG;
  const said = saidBy(reply, mode);
  if (said === undefined) return stricter(NOTHING_SAID[mode]);
  const parsed = schema.safeParse(said);
  if (!parsed.success) return stricter(`it does not keep to the schema (${formatIssue(parsed.error)}).`);
  return { ok: true, value: parsed.data };
}

/** The question is longer than the model can read at once. */
const TOO_LONG = {
  ok: false,
  reason: 'the question was too long for the model.',
  again: 'briefer',
} as const satisfies ParseResult<never>;

/** Returns that the model must be asked again. `reason`: in the program's own words, with nothing that the reply said. */
export function stricter(reason: string): ParseResult<never> {
  return { ok: false, reason, again: 'stricter' };
}

function saidBy({ text, inputs }: ModelReply, mode: OutputMode): unknown {
  switch (mode) {
    case 'structured output':
      return readForeignJson(text);
    case 'a forced tool':
      return typeof inputs[0] === 'string' ? readForeignJson(inputs[0]) : inputs[0];
    case 'JSON in the text':
      return extractJson(text);
  }
}

const NOTHING_SAID: Readonly<Record<OutputMode, string>> = {
  'structured output': 'it is not one JSON object.',
  'a forced tool': 'it does not call the tool.',
  'JSON in the text': 'it has no JSON object, or more than one.',
};

/** Returns where data from a model breaks its schema, in the schema's words, without a word of the data. */
export function formatIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'the whole is not as it must be';
  const path = issue.path.length === 0 ? 'the whole' : plainLine(issue.path.join('.'), MAX_PATH);
  if (issue.code === 'invalid_type') return `${path} must be of the type ${issue.expected}`;
  if (issue.code === 'invalid_value') return `${path} must be one of ${issue.values.join(', ')}`;
  return `${path} is not as it must be`;
}

/** A request for one reply of a schema: the same beginning for every question of its kind, then the question. */
interface MessageRequest<T> {
  readonly model: string;
  readonly system: readonly string[];
  readonly question: readonly string[];
  /** The schema and its name. The provider holds the model to it, and the reply is checked against it again here. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly maxTokens: number;
  /** Epoch ms. */
  readonly now: number;
  /** The slot that the rate guard reserved for it; absent if there was no reservation. */
  readonly slot?: Slot | null;
}

/** The mode that is tried first with an unknown server. */
const FIRST_MODE = 'structured output' satisfies OutputMode;
/** The modes that need the server's support, in the order in which they are tried. */
const SERVER_MODES: readonly OutputMode[] = [FIRST_MODE, 'a forced tool'];
const IN_TEXT = 'JSON in the text' satisfies OutputMode;

/** No usual text has more characters to a token. */
const MOST_CHARACTERS = 8;

interface Attempt<T> {
  readonly read: ParseResult<T>;
  readonly isHeld: boolean;
}

/**
 * Returns the parsed reply to one question, in the output mode that is known to work with this model and server, or else
 * in the first that works. Only a server that rejects or ignores a mode makes it try the next. Adds what each reply took
 * to the tally. Throws `ProviderError`.
 */
export async function ask<T>(
  provider: Provider,
  request: MessageRequest<T>,
  tally: TokenTally,
  abort: AbortSignal,
): Promise<ParseResult<T>> {
  const { outputModes } = provider;
  const once = (mode: OutputMode) => askIn(mode, provider, request, tally, abort);
  const known = outputModes.of(request.model);
  if (known !== null) return learnt(outputModes, request.model, known, await once(known));
  for (const mode of SERVER_MODES) {
    const attempt = await once(mode).catch(nullIfRejected);
    if (attempt?.read.ok) return learnt(outputModes, request.model, mode, attempt);
    if (attempt !== null && isFinal(attempt.read)) return attempt.read;
  }
  // Even if the reply is unusable: no other mode is left.
  return learnt(outputModes, request.model, IN_TEXT, await once(IN_TEXT));
}

function isFinal(read: ParseResult<unknown>): boolean {
  return read.ok || read.again !== 'stricter';
}

/**
 * Remembers the mode. Of a server that ignores it, the model may have kept to the form by chance once: as soon as it does not,
 * it is told the form in words from then on.
 */
function learnt<T>(modes: OutputModes, model: string, mode: OutputMode, { read, isHeld }: Attempt<T>): ParseResult<T> {
  modes.learn(model, isHeld ? mode : IN_TEXT);
  return read;
}

async function askIn<T>(
  mode: OutputMode,
  provider: Provider,
  request: MessageRequest<T>,
  tally: TokenTally,
  abort: AbortSignal,
): Promise<Attempt<T>> {
  const params = await paramsOf(request, mode);
  // Not the library's `parse`: for a cut-off or refused reply it throws without saying why or what it cost.
  const reply = await provider.request(request, abort, async (sdk, signal) =>
    requireReply(request.model, await sdk.messages.create(params, { signal })),
  );
  tally.add(counted(reply, params));
  if (provider.server !== null && isCutOff(reply, request)) return { read: TOO_LONG, isHeld: true };
  const read = readReply(reply, request.schema, mode);
  if (isFinal(read)) return { read, isHeld: true };
  // An answer in prose or a fence, or next to the tool: the server let the model write as it likes.
  const inText = readReply(reply, request.schema, IN_TEXT);
  return { read: inText.ok ? inText : read, isHeld: false };
}

/**
 * Whether the server read only a part of the question: some cut off its beginning, rules and all, where their context is too
 * small, and only the count of tokens tells.
 */
function isCutOff(
  { tokensIn }: ModelReply,
  { system, question }: Pick<MessageRequest<unknown>, 'system' | 'question'>,
): boolean {
  const characters = [...system, ...question].reduce((sum, text) => sum + text.length, 0);
  return tokensIn > 0 && characters > tokensIn * MOST_CHARACTERS;
}

function counted(reply: ModelReply, params: object): ModelReply {
  if (reply.tokensIn + reply.tokensOut > 0) return reply;
  const said = [reply.text, ...reply.inputs.map((input) => JSON.stringify(input) ?? '')].join('');
  return { ...reply, tokensIn: mostTokens(JSON.stringify(params)), tokensOut: mostTokens(said) };
}

/** Returns the most tokens that a text can take. No script needs more than one for three bytes. */
function mostTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

async function paramsOf<T>({ name, schema, ...request }: MessageRequest<T>, mode: OutputMode) {
  const { model, maxTokens: max_tokens } = request;
  // In plain words, and with nothing that a server has to know besides: some refuse what they do not know.
  if (mode === IN_TEXT) return { model, max_tokens, ...plainly(request, z.toJSONSchema(schema)) };
  const params = {
    ...{ model, max_tokens, system: cachedPrefix(request.system) },
    messages: [{ role: 'user' as const, content: textBlocks(request.question) }],
  };
  if (mode === 'a forced tool') {
    const tool = { type: 'custom' as const, name, description: FORM_TOOL, input_schema: objectSchema(schema) };
    return { ...params, tools: [tool], tool_choice: { type: 'tool' as const, name } };
  }
  const { zodOutputFormat } = await import('@anthropic-ai/sdk/helpers/zod');
  return { ...params, output_config: { format: zodOutputFormat(schema) } };
}

function plainly({ system, question }: Pick<MessageRequest<unknown>, 'system' | 'question'>, schema: object) {
  const messages = [{ role: 'user' as const, content: question.join('\n\n') }];
  return { system: [...system, inWords(schema)].join('\n\n'), messages };
}

// Every schema here is an object, which the library's type wants spelt out.
function objectSchema(schema: z.ZodType) {
  return { ...z.toJSONSchema(schema), type: 'object' as const };
}

/**
 * Returns the reply in a server's response. Throws `ProviderError` if it is not of the Messages API; the question may
 * still have cost something. Call it within `Provider.request`, so that such a server gets a cooldown too.
 */
export function requireReply(model: string, response: unknown): ModelReply {
  const reply = parseReply(response);
  if (reply === null) throw unavailable(model, '(what answered is not the Messages API)', true);
  return reply;
}

/** Returns the stable part of a request, marked for the provider's cache, which ignores a part that is too short. */
export function cachedPrefix(texts: readonly string[]) {
  return textBlocks(texts).map((block, index) => ({
    ...block,
    ...(index === texts.length - 1 ? { cache_control: { type: 'ephemeral' as const } } : {}),
  }));
}

/** Returns texts as content blocks of the Messages API. */
export function textBlocks(texts: readonly string[]) {
  return texts.map((text) => ({ type: 'text' as const, text }));
}

/** Adds up what the replies to one question have taken, however often it is asked. */
export class TokenTally {
  #replies = 0;
  #tokensIn = 0;
  #tokensOut = 0;

  add({ tokensIn, tokensOut }: Pick<ModelReply, 'tokensIn' | 'tokensOut'>): void {
    this.#replies += 1;
    this.#tokensIn += tokensIn;
    this.#tokensOut += tokensOut;
  }

  /** Returns what the replies have taken so far. */
  usage(model: string, price: Price | null): Usage {
    return computeUsage(model, { tokensIn: this.#tokensIn, tokensOut: this.#tokensOut }, price);
  }

  /** Returns the error to throw: a failure after an earlier reply says what that reply took. */
  after(error: unknown, model: string, price: Price | null): unknown {
    return error instanceof ProviderError && this.#replies > 0 ? error.afterReply(this.usage(model, price)) : error;
  }
}

/** A generous estimate of the tokens that the schema takes. */
const SCHEMA_TOKENS = 1000;

/** A brief question leaves this fraction of the room for its answer. */
const BRIEF_DIVISOR = 4;

/** What a model is asked, the schema of its answer, and what follows from it. */
export interface Inquiry<Content, Result> {
  /** The same for every inquiry of its kind, the stable part first. */
  readonly system: readonly string[];
  /** The schema and its name. An answer is parsed before anything else sees it. */
  readonly name: string;
  readonly schema: z.ZodType<Content>;
  /** Returns the question. `brief`: where the model found the full question too long. */
  readonly question: (brief: boolean) => string;
  /** Returns what to add to the question after an unusable reply. `reason`: in the program's own words. */
  readonly again: (reason: string) => string;
  /** Returns what follows from a reply that fits the schema, or why it is still unusable. */
  readonly conclude: (said: Content) => ParseResult<Result>;
  /** Enough for a reply and for what a model thinks before it. */
  readonly maxTokens: number;
  /** Epoch ms. */
  readonly now: number;
  /** The slot that the rate guard reserved for it; absent if there was no reservation. */
  readonly slot?: Slot | null;
}

interface InquiryResult<Result> {
  readonly read: ParseResult<Result>;
  readonly usage: Usage;
}

/** One model that answers by a schema. */
export class Model {
  readonly id: string;
  readonly #provider: Provider;
  readonly #price: Price | null;

  constructor(provider: Provider, { model, price }: ModelSetup) {
    this.id = model;
    this.#provider = provider;
    this.#price = price;
  }

  /** Asks once, and once more if the reply is unusable. Throws `ProviderError` if there is no reply. */
  async inquire<Content, Result>(
    inquiry: Inquiry<Content, Result>,
    abort: AbortSignal,
  ): Promise<InquiryResult<Result>> {
    const tally = new TokenTally();
    const once = (request: MessageRequest<Content>) => this.#ask(request, inquiry, tally, abort);
    try {
      const request = firstRequest(this.id, inquiry);
      const first = await once(request);
      const isFinal = first.ok || first.again === 'never';
      const read = isFinal ? first : await once(secondRequest(request, inquiry, first));
      return { read, usage: tally.usage(this.id, this.#price) };
    } catch (error) {
      throw tally.after(error, this.id, this.#price);
    }
  }

  /** Returns the most that one request can take. */
  estimate<Content, Result>({ system, question, maxTokens }: Inquiry<Content, Result>): Usage {
    const asked = [...system, question(false)].join('');
    const tokensIn = mostTokens(asked) + SCHEMA_TOKENS;
    return computeUsage(this.id, { tokensIn, tokensOut: maxTokens }, this.#price);
  }

  async #ask<Content, Result>(
    request: MessageRequest<Content>,
    { conclude }: Inquiry<Content, Result>,
    tally: TokenTally,
    abort: AbortSignal,
  ): Promise<ParseResult<Result>> {
    try {
      const read = await ask(this.#provider, request, tally, abort);
      return read.ok ? conclude(read.value) : read;
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'too-long') return TOO_LONG;
      throw error;
    }
  }
}

function firstRequest<Content, Result>(model: string, inquiry: Inquiry<Content, Result>): MessageRequest<Content> {
  const { system, name, schema, question, maxTokens, now, slot = null } = inquiry;
  return { model, system, name, schema, question: [question(false)], maxTokens, now, slot };
}

/**
 * The second request: with more room if the reply was cut off, in brief if the question was too long. On some servers
 * question and answer share one limit, so a brief question also gets a shorter answer.
 */
function secondRequest<Content, Result>(
  request: MessageRequest<Content>,
  { question, again }: Inquiry<Content, Result>,
  read: Extract<ParseResult<Result>, { ok: false }>,
): MessageRequest<Content> {
  const { maxTokens } = request;
  if (read.again === 'briefer') return { ...request, maxTokens: maxTokens / BRIEF_DIVISOR, question: [question(true)] };
  const stricter = { ...request, question: [question(false), again(read.reason)] };
  return read.again === 'roomier' ? { ...stricter, maxTokens: 2 * maxTokens } : stricter;
}

/** One change as a model claims it. Whether the field may be written is checked later. */
export const claimedChange = z.object({
  field: z.string().min(1),
  op: z.enum(['set', 'add', 'remove']),
  value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
});
export type ClaimedChange = z.infer<typeof claimedChange>;

/**
 * Returns data as JSON on one line, each text clipped to `max` characters. Anything that could close a mark around it,
 * is invisible, or cannot be sent is escaped: invisible text is a common way to inject instructions.
 */
export function quoted(data: Readonly<Record<string, unknown>>, max: number): string {
  const clip = (_key: string, value: unknown) => (typeof value === 'string' ? clipped(value, max) : value);
  return JSON.stringify(data, clip).replace(/[<>&\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu, asEscape);
}

function asEscape(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}

/** The result of asking a model a trivial question. */
interface Trial {
  /** The output mode in which it keeps to a schema, or null if there is no such mode. */
  readonly mode: OutputMode | null;
  /** How long it took, in all modes that were tried. */
  readonly ms: number;
  readonly usage: Usage;
}

/** Leaves room for a model that thinks before it answers. */
const MAX_TOKENS = 1024;

const ready = z.object({ ready: z.boolean() });

/** Asks a model a trivial question. Throws `ProviderError` if it cannot be asked. `now`: epoch ms. */
export async function tryOut(provider: Provider, setup: ModelSetup, now: number, abort: AbortSignal): Promise<Trial> {
  const began = performance.now();
  const { read, usage } = await new Model(provider, setup).inquire(inquiryAt(now), abort);
  return { mode: read.ok ? provider.outputModes.of(setup.model) : null, ms: performance.now() - began, usage };
}

/** Returns the most that a trial can take. */
export function costOfTrial({ model, price }: ModelSetup): Usage {
  return computeUsage(model, { tokensIn: 2 * MAX_TOKENS, tokensOut: MAX_TOKENS }, price);
}

function inquiryAt(now: number): Inquiry<z.infer<typeof ready>, boolean> {
  return {
    system: ['A program asks whether you can answer it.'],
    name: 'ready',
    schema: ready,
    question: () => 'Answer that you are ready.',
    again: (reason) => `A first answer could not be used: ${reason} Answer once more.`,
    conclude: (said) => ({ ok: true, value: said.ready }),
    maxTokens: MAX_TOKENS,
    now,
  };
}
