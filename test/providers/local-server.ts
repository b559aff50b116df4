import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { z } from 'zod';

/*
 * Servers of a model at home, as far as they differ from the Messages API that they offer (their sources, November 2026):
 *
 *   ollama      holds a model to no schema and ignores `tool_choice`; a model without tools is refused with 400; thinks
 *               aloud in blocks; of a question longer than its context it keeps the end, as much as half the context takes
 *   llama.cpp   ignores the schema, forces a tool by a grammar, answers in the name of its one model whatever is asked
 *               for, refuses a question longer than its context with 400
 *   gateway     refuses with 400 whatever it does not know, counts nothing, and sends its reply in small pieces
 */
export type Kind = 'ollama' | 'llama.cpp' | 'gateway';

const text = z.string().or(z.array(z.looseObject({ type: z.string(), text: z.string().default('') })));
const request = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  system: text.default(''),
  messages: z.array(z.object({ role: z.string(), content: text })).min(1),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
});
const plainRequest = z.strictObject({
  model: z.string(),
  max_tokens: z.number(),
  system: z.string(),
  messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() })),
});

type Asked = Pick<z.infer<typeof request>, 'system' | 'messages'>;

/** What a model is shown of a request. */
export interface Shown {
  readonly system: string;
  readonly question: string;
}

/** What the model says to it. `isForced`: where a grammar lets it say nothing but the input of a tool. */
export type Mind = (shown: Shown, isForced: boolean) => string;

interface Setup {
  readonly kind: Kind;
  readonly mind: Mind;
  /** Whether the model can call tools. */
  readonly hasTools?: boolean;
  /** How many tokens it reads at once. */
  readonly context?: number;
}

/** A server of a model at home, on the loopback. */
export class LocalServer {
  /** The bodies of all requests, as they came. */
  readonly bodies: Readonly<Record<string, unknown>>[] = [];
  readonly #server = http.createServer((asked, answer) => void this.#serve(asked, answer));
  readonly #setup: Setup;

  private constructor(setup: Setup) {
    this.#setup = setup;
  }

  static async start(setup: Setup): Promise<LocalServer> {
    const server = new LocalServer(setup);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(asked: http.IncomingMessage, answer: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    const body = z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    this.bodies.push(body);
    const { kind } = this.#setup;
    if (asked.url !== '/v1/messages') refuse(answer, 404, 'not found');
    else if (kind === 'ollama') this.#asOllama(body, answer);
    else if (kind === 'llama.cpp') this.#asLlamaCpp(body, answer);
    else this.#asGateway(body, answer);
  }

  #asOllama(body: unknown, answer: http.ServerResponse): void {
    const { model, tools, ...asked } = request.parse(body);
    if (!model.startsWith('pretend')) refuse(answer, 404, `model "${model}" not found, try pulling it first`);
    else if (tools !== undefined && this.#setup.hasTools !== true)
      refuse(answer, 400, `"${model}" does not support tools`);
    else this.#ollamaSays(model, asked, tools?.[0]?.name, answer);
  }

  #ollamaSays(model: string, asked: Asked, tool: string | undefined, answer: http.ServerResponse): void {
    const { context = Number.POSITIVE_INFINITY } = this.#setup;
    const read = tokensOf(asked) > context ? context / 2 : tokensOf(asked);
    const whole = shownOf(asked);
    const shown = read < tokensOf(asked) ? { system: '', question: whole.question.slice(-4 * read) } : whole;
    const said = this.#setup.mind(shown, false);
    const usage = { input_tokens: read, output_tokens: Math.ceil(said.length / 4) };
    const thought = { type: 'thinking', thinking: 'The user wants {"signals": …}, I think.' };
    const content = tool
      ? [thought, { type: 'tool_use', id: 'toolu_1', name: tool, input: inputOf(said) }]
      : [thought, { type: 'text', text: said }];
    send(answer, { id: 'msg_1', type: 'message', role: 'assistant', model, content, usage });
  }

  #asLlamaCpp(body: unknown, answer: http.ServerResponse): void {
    const { tools, ...asked } = request.parse(body);
    const read = tokensOf(asked);
    if (read > (this.#setup.context ?? Number.POSITIVE_INFINITY))
      refuse(answer, 400, `request (${read} tokens) exceeds the available context size, try increasing it`);
    else this.#llamaCppSays(asked, tools, answer);
  }

  #llamaCppSays(asked: Asked, tools: z.infer<typeof request>['tools'], answer: http.ServerResponse): void {
    const said = this.#setup.mind(shownOf(asked), tools !== undefined);
    const tool = tools?.[0];
    send(answer, {
      ...{ id: 'chatcmpl-1', type: 'message', role: 'assistant', model: 'its-one-model.gguf', stop_sequence: null },
      content: tool
        ? [{ type: 'tool_use', id: 'call_1', name: tool.name, input: inputOf(said) }]
        : [{ type: 'text', text: said }],
      stop_reason: tool ? 'tool_use' : 'end_turn',
      usage: { cache_read_input_tokens: 900, input_tokens: tokensOf(asked), output_tokens: Math.ceil(said.length / 4) },
    });
  }

  #asGateway(body: unknown, answer: http.ServerResponse): void {
    const { data, error } = plainRequest.safeParse(body);
    if (data === undefined) refuse(answer, 400, `Extra inputs are not permitted: ${error.issues.length}`);
    else void inPieces(answer, gatewayReply(this.#setup.mind(shownOf(data), false)));
  }
}

function gatewayReply(text: string): string {
  const content = [{ type: 'text', text }];
  return JSON.stringify({ type: 'message', role: 'assistant', content, stop_reason: null, usage: null });
}

async function inPieces(answer: http.ServerResponse, reply: string): Promise<void> {
  answer.writeHead(200, { 'content-type': 'application/json' });
  for (let at = 0; at < reply.length; at += 200) {
    await new Promise<void>((resolve) => answer.write(reply.slice(at, at + 200), () => setImmediate(resolve)));
  }
  answer.end();
}

function shownOf({ system, messages }: Asked): Shown {
  return { system: plain(system), question: messages.map(({ content }) => plain(content)).join('\n\n') };
}

function plain(said: z.infer<typeof text>): string {
  return typeof said === 'string' ? said : said.map((block) => block.text).join('');
}

function tokensOf(asked: Asked): number {
  const { system, question } = shownOf(asked);
  return Math.ceil((system.length + question.length) / 4);
}

/** A model that is made to call a tool puts its answer in there. */
function inputOf(said: string): unknown {
  return JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
}

function send(answer: http.ServerResponse, body: object): void {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(answer: http.ServerResponse, status: number, message: string): void {
  const error = { type: 'invalid_request_error', message };
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
}
