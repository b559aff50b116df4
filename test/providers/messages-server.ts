import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ApiKey, type ProviderAccess } from '../../src/daemon/api-key.ts';
import {
  drip,
  type Failure,
  fail,
  flood,
  half,
  json,
  message,
  type Page,
  page,
  type Saying,
} from './messages-responses.ts';

/** The key that the server accepts. Nothing written or printed may ever contain it. */
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

/** A text by itself stands for a list with one block. */
const blocks = z.string().transform((text) => [{ type: 'text' as const, text }]);

const request = z.object({
  model: z.string().min(1),
  max_tokens: z.number().int().min(1),
  stream: z.literal(false).optional(),
  system: blocks.or(z.array(z.object({ type: z.literal('text'), text: z.string() }).loose())),
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: blocks.or(z.array(block).min(1)) }))
    .min(1),
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

/** What the server does with one request. */
export type Act =
  | ({ readonly do: 'say' } & Saying)
  | ({ readonly do: 'fail' } & Failure)
  | ({ readonly do: 'page' } & Page)
  | { readonly do: 'send-on'; readonly to: string }
  | { readonly do: 'hang' | 'drop' | 'half' | 'half-hang' | 'garbage' | 'flood' | 'drip' };

/** How a server treats an output mode: it holds the model to it, refuses the request, or ignores the mode. */
type Manner = 'holds' | 'refuses' | 'ignores';

/** Decides what the server does with a request. `index` counts from 0. */
export type Script = (asked: Request, index: number) => Act;

/** What a model says that does not know of any schema. */
const PROSE = 'Certainly! From what I see {in the note}, the task looks done.';

/** The Messages API on the loopback, as far as judgements and errands need it. It can misbehave. Closes when the test ends. */
export class MessagesServer {
  readonly requests: Request[] = [];
  /** Requests that break the schema of the API: none in a sound test. */
  readonly malformed: string[] = [];
  script: Script;
  /** Holds back the answer to a request until it resolves. */
  until: (asked: Request) => Promise<void> = async () => {};
  /** How it treats `output_config.format` and `tool_choice`. */
  structured: Manner = 'holds';
  forced: Manner = 'holds';
  /** How many requests are running, and the most that ever ran at once. */
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

  /** Resolves when so many requests have arrived. */
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
    const refused = this.#refusal(asked, chunks);
    if (refused !== null) return fail(answer, refused);
    const body = request.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    const index = this.requests.push(body) - 1;
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    answer.on('close', () => {
      this.underWay -= 1;
    });
    for (const look of this.#waiting) look();
    this.#waiting.clear();
    await this.until(body);
    const manner = body.output_config ? this.structured : body.tool_choice ? this.forced : 'holds';
    if (manner === 'refuses') fail(answer, { status: 400, message: 'Extra inputs are not permitted' });
    else if (manner === 'ignores') act({ do: 'say', text: PROSE }, body, answer);
    else act(this.script(body, index), body, answer, charactersIn(body));
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

/** Returns what a sound model would answer about the note in the question, with its signals named. */
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

/** Returns the path of the note that a request is about. */
export function noteOf(asked: Request): string {
  const note = /<note>\n(.*)\n<\/note>/.exec(textOf(asked))?.[1] ?? '{}';
  return z.object({ path: z.string() }).parse(JSON.parse(note)).path;
}

/** Returns the whole text of the first message of a request. */
export function textOf({ messages }: Request): string {
  return messages[0]?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
}

/** Returns what the model was told about the tools it called last. */
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

function charactersIn({ system, messages }: Request): number {
  return JSON.stringify([system, messages]).length;
}

function act(
  what: Act,
  asked: Pick<Request, 'model' | 'tool_choice'>,
  answer: http.ServerResponse,
  characters = 0,
): void {
  const { model } = asked;
  if (what.do === 'say')
    json(answer, 200, message(model, asked.tool_choice ? called(what, asked.tool_choice) : what, characters));
  else if (what.do === 'fail') fail(answer, what);
  else if (what.do === 'page') page(answer, what);
  else if (what.do === 'send-on') answer.writeHead(307, { location: what.to }).end();
  else if (what.do === 'flood') flood(answer);
  else if (what.do === 'drip') drip(answer);
  else if (what.do === 'drop') answer.socket?.destroy();
  else if (what.do === 'garbage') answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in first.');
  else if (what.do !== 'hang') half(answer, model, what.do === 'half');
}

/** Turns what is said into the input of the tool that must be called. */
function called(saying: Saying, { name }: { name: string }): Saying {
  try {
    return { ...saying, text: '', calls: [{ name, input: JSON.parse(saying.text) }] };
  } catch {
    return { ...saying, text: '', calls: [{ name, input: { said: saying.text } }] };
  }
}
