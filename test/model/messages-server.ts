import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ApiKey, type ProviderAccess } from '../../src/model/provider/api-key.ts';

/** The key that the server takes. Nothing that is written or printed may ever hold it. */
export const KEY = 'sk-ant-plainly-made-up-0123456789';

const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.boolean().optional(),
  }),
]);

const request = z.object({
  model: z.string().min(1),
  max_tokens: z.number().int().min(1),
  stream: z.literal(false).optional(),
  system: z.array(z.object({ type: z.literal('text'), text: z.string() }).loose()),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.array(block).min(1) })).min(1),
  output_config: z
    .object({ format: z.object({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }) })
    .optional(),
  tools: z
    .array(
      z.object({
        type: z.literal('custom'),
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .optional(),
  tool_choice: z.object({ type: z.literal('tool'), name: z.string() }).optional(),
});
export type Request = z.infer<typeof request>;

const batchRequest = z.strictObject({
  requests: z
    .array(z.strictObject({ custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), params: request.strict() }))
    .min(1),
});
type BatchRequests = z.infer<typeof batchRequest>['requests'];

/** What the server does with one request. */
export type Act =
  | {
      readonly do: 'say';
      readonly text: string;
      readonly stop?: string;
      readonly tokens?: number;
      readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
    }
  | {
      readonly do: 'fail';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly message?: string;
    }
  /** A page in place of an answer, as a proxy shows one: so many bytes long, without end, or begun and left so. */
  | {
      readonly do: 'page';
      readonly status: number;
      readonly bytes: number | 'endless' | 'begun';
      readonly headers?: Record<string, string>;
    }
  | { readonly do: 'send-on'; readonly to: string }
  | { readonly do: 'hang' | 'drop' | 'half' | 'half-hang' | 'garbage' | 'flood' | 'drip' };

/** What a server makes of a way of asking: it holds the model to it, refuses the request, or takes no notice of it. */
type Manner = 'holds' | 'refuses' | 'ignores';

/** Decides what is done with a request; `index` counts from 0. */
export type Script = (asked: Request, index: number) => Act;

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** What a model says that nobody has told of a form. */
export const PROSE = 'Certainly! From what I see {in the note}, the task looks done.';

/** The Messages API on the loopback, as far as judgements and errands need it; it can be told to misbehave. Closed when the test ends. */
export class MessagesServer {
  readonly requests: Request[] = [];
  /** Requests that were not of the form the API asks for: none in a sound test. */
  readonly malformed: string[] = [];
  script: Script;
  /** What it makes of `output_config.format`, and of `tool_choice`. */
  structured: Manner = 'holds';
  forced: Manner = 'holds';
  /** The batches that were put, by their id; whether those that were have ended; how often somebody asked. */
  readonly batches = new Map<string, BatchRequests>();
  ended = false;
  looks = 0;
  /** What it answers to a batch being put, in place of taking it. */
  batchRefusal: Extract<Act, { do: 'fail' }> | null = null;
  /** Requests under way, and the most there ever were. */
  underWay = 0;
  most = 0;
  readonly #server = http.createServer((asked, answer) => void this.#serve(asked, answer));
  readonly #waiting = new Set<() => void>();

  private constructor(script: Script) {
    this.script = script;
  }

  static async start(script: Script): Promise<MessagesServer> {
    const server = new MessagesServer(script);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    onTestFinished(() => server.close());
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  get access(): ProviderAccess {
    return { key: new ApiKey(KEY), baseUrl: this.url };
  }

  /** Resolves when so many requests have come in. */
  async asked(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(asked: http.IncomingMessage, answer: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    if (keyOf(asked) === KEY && asked.url?.startsWith('/v1/messages/batches')) {
      return this.#serveBatch(asked.url, Buffer.concat(chunks).toString('utf8'), answer);
    }
    const refused = this.#refusal(asked, chunks);
    if (refused !== null) return fail(answer, refused.status, {}, refused.message);
    const body = request.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    this.requests.push(body);
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    answer.on('close', () => {
      this.underWay -= 1;
    });
    const manner = body.output_config ? this.structured : body.tool_choice ? this.forced : 'holds';
    if (manner === 'refuses') fail(answer, 400, {}, 'Extra inputs are not permitted');
    else if (manner === 'ignores') act({ do: 'say', text: PROSE }, body, answer);
    else act(this.script(body, this.requests.length - 1), body, answer);
    for (const look of this.#waiting) look();
    this.#waiting.clear();
  }

  #serveBatch(url: string, body: string, answer: http.ServerResponse): void {
    const [, id = '', results] = /^\/v1\/messages\/batches\/?([^/]*)(\/results)?$/.exec(url) ?? [];
    const requests = this.batches.get(id);
    if (id === '') this.#takeBatch(body, answer);
    else this.looks += 1;
    if (id !== '' && requests === undefined) fail(answer, 404, {}, 'no such batch');
    if (requests === undefined) return;
    if (results === undefined) json(answer, 200, batchOf(id, this.ended));
    else answer.writeHead(200, { ...headers(), 'content-type': 'application/x-jsonl' }).end(this.#results(requests));
  }

  /** The other way round than they were asked. */
  #results(requests: BatchRequests): string {
    const lines = requests.map(({ custom_id, params }, index) => {
      return JSON.stringify({ custom_id, result: resultOf(params, this.script(params, index)) });
    });
    return lines.reverse().join('\n');
  }

  #takeBatch(body: string, answer: http.ServerResponse): void {
    const { data, error } = batchRequest.safeParse(JSON.parse(body));
    const id = `msgbatch_0${this.batches.size}`;
    if (this.batchRefusal !== null) act(this.batchRefusal, { model: 'any' }, answer);
    else if (data === undefined) fail(answer, 400, {}, this.#malformed(JSON.stringify(error.issues)).message);
    else json(answer, 200, batchOf(id, false));
    if (this.batchRefusal === null && data !== undefined) this.batches.set(id, data.requests);
  }

  #refusal(asked: http.IncomingMessage, chunks: Buffer[]): { status: number; message: string } | null {
    const key = keyOf(asked);
    if (key !== KEY) return { status: 401, message: `invalid x-api-key: ${key}` };
    const version = asked.headers['anthropic-version'];
    if (!/^\d{4}-\d{2}-\d{2}$/.test(String(version))) return this.#malformed('anthropic-version is required');
    if (asked.method !== 'POST' || !/^\/v1\/messages(\?beta=true)?$/.test(asked.url ?? ''))
      return this.#malformed(`${asked.method} ${asked.url}`);
    const parsed = request.strict().safeParse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    return parsed.success ? null : this.#malformed(JSON.stringify(parsed.error.issues));
  }

  #malformed(message: string): { status: number; message: string } {
    this.malformed.push(message);
    return { status: 400, message };
  }
}

/** The answer a sound model would give about the note it was asked about, with the signals named. */
export function sound(asked: Request, parts: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    note: noteOf(asked),
    decision: 'likely_done',
    confidence: 0.9,
    reasoning: 'The bank shows the payment.',
    evidence: [{ signal: 's1', says: 'it was paid' }],
    contributions: [{ source: 'mail', share: 1 }],
    changes: [{ field: 'state', op: 'set', value: 'done' }],
    ...parts,
  });
}

/** The path of the note that a request is about. */
export function noteOf(asked: Request): string {
  const note = /<note>\n(.*)\n<\/note>/.exec(textOf(asked))?.[1] ?? '{}';
  return z.object({ path: z.string() }).parse(JSON.parse(note)).path;
}

/** All that stands in the first message of a request. */
export function textOf({ messages }: Request): string {
  return messages[0]?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
}

/** What the model was told of the tools it called last. */
export function resultsOf({ messages }: Request): { readonly said: string; readonly failed: boolean }[] {
  const parts = messages.at(-1)?.content ?? [];
  return parts.flatMap((part) =>
    part.type === 'tool_result' ? [{ said: part.content, failed: part.is_error === true }] : [],
  );
}

function keyOf({ headers: sent }: http.IncomingMessage): string | undefined {
  const key = sent['x-api-key'] ?? sent.authorization?.replace(/^Bearer /, '');
  return typeof key === 'string' ? key : key?.[0];
}

function batchOf(id: string, ended: boolean) {
  const results_url = ended ? 'http://elsewhere.example/never-asked' : null;
  return { id, type: 'message_batch', processing_status: ended ? 'ended' : 'in_progress', results_url };
}

/** The result of one request of a batch: what fails is errored, what is dropped expires. */
function resultOf({ model }: Request, what: Act) {
  if (what.do === 'say') return { type: 'succeeded', message: message(model, what) };
  return what.do === 'drop' ? { type: 'expired' } : { type: 'errored', error: { type: 'error' } };
}

function act(what: Act, asked: Pick<Request, 'model' | 'tool_choice'>, answer: http.ServerResponse): void {
  const { model } = asked;
  if (what.do === 'say') json(answer, 200, message(model, asked.tool_choice ? called(what, asked.tool_choice) : what));
  else if (what.do === 'fail') fail(answer, what.status, what.headers ?? {}, what.message ?? 'as the test asked for');
  else if (what.do === 'page') page(answer, what);
  else if (what.do === 'send-on') answer.writeHead(307, { location: what.to }).end();
  else if (what.do === 'flood') flood(answer);
  else if (what.do === 'drip') drip(answer);
  else if (what.do === 'drop') answer.socket?.destroy();
  else if (what.do === 'garbage') answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in first.');
  else if (what.do !== 'hang') half(answer, model, what.do === 'half');
}

/** What is said as the input of the tool that must be called. */
function called(what: Extract<Act, { do: 'say' }>, { name }: { name: string }): Extract<Act, { do: 'say' }> {
  try {
    return { ...what, text: '', calls: [{ name, input: JSON.parse(what.text) }] };
  } catch {
    return { ...what, text: '', calls: [{ name, input: { said: what.text } }] };
  }
}

function page(answer: http.ServerResponse, { status, bytes, headers }: Extract<Act, { do: 'page' }>): void {
  answer.writeHead(status, { 'content-type': 'text/html', ...headers });
  answer.write('<!doctype html><title>Bad gateway</title>');
  if (bytes === 'endless') pour(answer, ' '.repeat(64 * 1024));
  else if (bytes !== 'begun') answer.end(' '.repeat(bytes));
}

/** A sound beginning, and then a text that does not end, as fast as it is read. */
function flood(answer: http.ServerResponse): void {
  answer.writeHead(200, headers()).write('{"type":"message","content":[{"type":"text","text":"');
  pour(answer, 'a'.repeat(64 * 1024));
}

function pour(answer: http.ServerResponse, text: string): void {
  const more = () => {
    while (!answer.destroyed && answer.write(text));
  };
  answer.on('drain', more);
  more();
}

/** The same, a byte now and then. */
function drip(answer: http.ServerResponse): void {
  answer.writeHead(200, headers()).write('{"type":"message","content":[{"type":"text","text":"');
  const timer = setInterval(() => answer.write('a'), 10);
  answer.on('close', () => clearInterval(timer));
}

/** Half of a reply, and then the end of the connection, or nothing more. */
function half(answer: http.ServerResponse, model: string, drop: boolean): void {
  const text = JSON.stringify(message(model, { do: 'say', text: '{"note":"task/pay.md"' }));
  answer.writeHead(200, { ...headers(), 'content-length': String(Buffer.byteLength(text)) });
  answer.write(text.slice(0, text.length / 2), () => {
    if (drop) answer.socket?.destroy();
  });
}

function message(model: string, { text, stop, tokens = 100, calls = [] }: Extract<Act, { do: 'say' }>) {
  const words = text === '' ? [] : [{ type: 'text', text }];
  const uses = calls.map((call, index) => ({ type: 'tool_use', id: `toolu_${index}`, ...call }));
  return {
    id: 'msg_01AbCdEf',
    type: 'message',
    role: 'assistant',
    model,
    content: [...words, ...uses],
    stop_reason: stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    stop_details: stop === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
    usage: {
      input_tokens: 300,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 1200,
      output_tokens: tokens,
      service_tier: 'standard',
    },
  };
}

function fail(answer: http.ServerResponse, status: number, more: Record<string, string>, text: string): void {
  const body = {
    type: 'error',
    error: { type: ERRORS[status] ?? 'api_error', message: text },
    request_id: 'req_011AbCd',
  };
  answer.writeHead(status, { ...headers(), ...more }).end(JSON.stringify(body));
}

function json(answer: http.ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, headers()).end(JSON.stringify(body));
}

function headers(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'request-id': 'req_011AbCd',
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '49',
    'anthropic-ratelimit-requests-reset': '2026-11-22T00:00:00Z',
  };
}
