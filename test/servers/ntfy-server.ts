import { once } from 'node:events';
import http from 'node:http';
import { z } from 'zod';

const action = z.strictObject({
  action: z.enum(['view', 'broadcast', 'http', 'copy']),
  label: z.string().min(1),
  url: z.url(),
  method: z.enum(['GET', 'POST', 'PUT']).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
  clear: z.boolean().optional(),
});

/** What may be published as JSON: https://docs.ntfy.sh/publish/#publish-as-json */
const published = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().optional(),
  message: z.string().optional(),
  tags: z.array(z.string()).optional(),
  priority: z.number().int().min(1).max(5).optional(),
  actions: z.array(action).max(3).optional(),
  click: z
    .string()
    .regex(/^[a-z][a-z0-9+.-]*:/i)
    .optional(),
  attach: z.string().optional(),
  markdown: z.boolean().optional(),
  icon: z.string().optional(),
  filename: z.string().optional(),
  delay: z.string().optional(),
  email: z.string().optional(),
  call: z.string().optional(),
});
export type Published = z.infer<typeof published>;

/** What the server does instead of taking a message. */
export type Mood = 'well' | 'hangs' | 'cuts' | { readonly status: number; readonly headers?: Record<string, string> };

/** A server on loopback that takes messages as ntfy does: as JSON, at its own address, with a token where it asks for one. */
export class NtfyServer {
  readonly messages: Published[] = [];
  /** Each request that came, whatever became of it. */
  readonly requests: { readonly headers: http.IncomingHttpHeaders; readonly url: string; readonly body: string }[] = [];
  mood: Mood = 'well';
  /** The token that it asks for; null for none. */
  token: string | null = null;
  #port = 0;
  #server: http.Server | null = null;

  static async start(): Promise<NtfyServer> {
    const server = new NtfyServer();
    await server.open();
    return server;
  }

  /** Listens, at the same port as before. */
  async open(): Promise<void> {
    this.#server = http.createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  /** Is not there any more, as a machine that is off. */
  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = null;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request) body += part;
    this.requests.push({ headers: request.headers, url: request.url ?? '', body });
    const { mood } = this;
    if (mood === 'hangs') return;
    if (mood === 'cuts') return void request.socket.destroy();
    if (mood !== 'well') return void response.writeHead(mood.status, mood.headers ?? {}).end('{}');
    if (this.token !== null && request.headers.authorization !== `Bearer ${this.token}`)
      return void response.writeHead(403).end('{"code":40301,"http":403,"error":"forbidden"}');
    const read = request.method === 'POST' && request.url === '/' ? published.safeParse(JSON.parse(body)) : null;
    if (read?.success !== true)
      return void response.writeHead(400).end('{"code":40024,"http":400,"error":"invalid request"}');
    this.messages.push(read.data);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: `m${this.messages.length}`, time: 0, event: 'message', ...read.data }));
  }
}
