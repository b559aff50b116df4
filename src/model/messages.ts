import { z } from 'zod';
import { FORM_TOOL, inWords } from './prompts/form.ts';
import type { OutputMode, OutputModes } from './provider/output-modes.ts';
import type { Provider } from './provider/provider.ts';
import { nullIfRejected, unavailable } from './provider/provider-error.ts';
import { type Read, type Reply, readReply, replyOf, TOO_LONG } from './reply.ts';
import type { Tally } from './tally.ts';

/** A request for one reply of a schema: the same beginning for every question of its kind, then the question. */
export interface MessageRequest<T> {
  readonly model: string;
  readonly system: readonly string[];
  readonly question: readonly string[];
  /** The schema and its name. The provider holds the model to it, and the reply is checked against it again here. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly maxTokens: number;
  /** Epoch ms. */
  readonly now: number;
}

/** The mode that is tried first with an unknown server. */
export const FIRST_MODE = 'structured output' satisfies OutputMode;
/** The modes that need the server's support, in the order in which they are tried. */
const SERVER_MODES: readonly OutputMode[] = [FIRST_MODE, 'a forced tool'];
const IN_TEXT = 'JSON in the text' satisfies OutputMode;

/** No usual text has more characters to a token. */
const MOST_CHARACTERS = 8;

/** What came of one request: the reply, and whether the server held the model to the schema. */
interface Attempt<T> {
  readonly read: Read<T>;
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
  tally: Tally,
  abort: AbortSignal,
): Promise<Read<T>> {
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

/** Whether another mode would bring nothing else. */
function isFinal(read: Read<unknown>): boolean {
  return read.ok || read.again !== 'stricter';
}

/**
 * Remembers the mode. Of a server that ignores it, the model may have kept to the form by chance once: as soon as it does not,
 * it is told the form in words from then on.
 */
function learnt<T>(modes: OutputModes, model: string, mode: OutputMode, { read, isHeld }: Attempt<T>): Read<T> {
  modes.learn(model, isHeld ? mode : IN_TEXT);
  return read;
}

async function askIn<T>(
  mode: OutputMode,
  provider: Provider,
  request: MessageRequest<T>,
  tally: Tally,
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
  // An answer in prose or a fence, or beside the tool: the server let the model write as it likes.
  const inText = readReply(reply, request.schema, IN_TEXT);
  return { read: inText.ok ? inText : read, isHeld: false };
}

/**
 * Whether the server read only a part of the question: some cut off its beginning, rules and all, where their context is too
 * small, and only the count of tokens tells.
 */
function isCutOff(
  { tokensIn }: Reply,
  { system, question }: Pick<MessageRequest<unknown>, 'system' | 'question'>,
): boolean {
  const characters = [...system, ...question].reduce((sum, text) => sum + text.length, 0);
  return tokensIn > 0 && characters > tokensIn * MOST_CHARACTERS;
}

/** Returns the reply with its tokens; where the server counts none, the most that they can be. */
function counted(reply: Reply, params: object): Reply {
  if (reply.tokensIn + reply.tokensOut > 0) return reply;
  const said = [reply.text, ...reply.inputs.map((input) => JSON.stringify(input) ?? '')].join('');
  return { ...reply, tokensIn: mostTokens(JSON.stringify(params)), tokensOut: mostTokens(said) };
}

/** Returns the most tokens that a text can take. No script needs more than one for three bytes. */
export function mostTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/** Returns the parameters of the API call that makes a request in one output mode. */
export async function paramsOf<T>({ name, schema, ...request }: MessageRequest<T>, mode: OutputMode) {
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
 * Returns the reply in a server's response. Throws `ProviderError` where it is not of the Messages API; the question may
 * still have cost something. Call it within `Provider.request`, so that such a server gets a cooldown too.
 */
export function requireReply(model: string, response: unknown): Reply {
  const reply = replyOf(response);
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
