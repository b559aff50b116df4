import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { PlaneAccess } from '../../src/features/plane-client.ts';

/** The key that the server accepts. Nothing written or printed may ever contain it. */
export const PLANE_KEY = 'plane_api_plainly_made_up_0123456789';
export const WORKSPACE = 'sample-team';

type Group = 'backlog' | 'unstarted' | 'started' | 'completed' | 'cancelled';

interface ItemHere {
  readonly id: string;
  name: string;
  state: string;
  target_date: string | null;
  completed_at: string | null;
  updated_at: string;
  updated_by: string;
}

interface CommentHere {
  readonly id: string;
  readonly item: string;
  readonly comment_html: string;
  readonly created_at: string;
  readonly actor: string;
  readonly external_source: string | null;
  readonly external_id: string | null;
}

/** One request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What the server does instead of, or after, what it is asked for. */
export type Mischief =
  | { readonly do: 'fail'; readonly status: number }
  /** Does what it was asked for, and then says that it failed. */
  | { readonly do: 'write-and-fail' }
  /** Does what it was asked for, and then says nothing. */
  | { readonly do: 'write-and-hang' }
  | { readonly do: 'hang' | 'drop' }
  | { readonly do: 'send-on'; readonly to: string }
  | { readonly do: 'say'; readonly body: string };

const newComment = z.object({
  comment_html: z.string(),
  external_source: z.string().nullish(),
  external_id: z.string().nullish(),
});
const itemPatch = z.object({ state: z.string().optional(), target_date: z.string().nullish() });

/** The public API of a Plane, over real HTTP, as far as it was observed. It can misbehave. Closes when the test ends. */
export class PlaneServer {
  readonly project = randomUUID();
  readonly owner = randomUUID();
  readonly states: Readonly<Record<Group, string>> = {
    backlog: randomUUID(),
    unstarted: randomUUID(),
    started: randomUUID(),
    completed: randomUUID(),
    cancelled: randomUUID(),
  };
  readonly items = new Map<string, ItemHere>();
  comments: CommentHere[] = [];
  readonly asked: Asked[] = [];
  /** Whom each key lets in; a key that is not here is wrong. */
  readonly keys = new Map<string, readonly string[]>([[PLANE_KEY, [WORKSPACE]]]);
  /** Decides about a request before it is answered; null: as it should be. */
  mischief: (asked: Asked) => Mischief | null = () => null;
  /** How many requests a minute it lets through, and how many are left; null: no limit. */
  left: number | null = null;
  resetAt = 0;
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  #moment = Date.now();

  static async start(port = 0): Promise<PlaneServer> {
    const server = new PlaneServer();
    await server.open(port);
    onTestFinished(() => server.close());
    return server;
  }

  async open(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen');
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the environment of a test says. */
  get env(): Readonly<Record<string, string>> {
    return { PLANE_API_KEY: PLANE_KEY, PLANE_BASE_URL: this.url, PLANE_WORKSPACE: WORKSPACE };
  }

  get access(): PlaneAccess {
    return { key: { reveal: () => PLANE_KEY }, baseUrl: this.url, workspace: WORKSPACE };
  }

  /** Makes a work item, in `unstarted`. */
  item(name = 'A work item'): string {
    const id = randomUUID();
    const updated = this.#tick();
    this.items.set(id, {
      ...{ id, name, state: this.states.unstarted, target_date: null, completed_at: null },
      ...{ updated_at: updated, updated_by: this.owner },
    });
    return id;
  }

  here(id: string): ItemHere {
    const item = this.items.get(id);
    if (item === undefined) throw new Error('no such work item');
    return item;
  }

  /** Somebody moves or dates a work item in Plane. */
  change(id: string, what: Partial<Pick<ItemHere, 'state' | 'target_date'>>, by: string): void {
    Object.assign(this.here(id), what, { updated_at: this.#tick(), updated_by: by });
  }

  /** Somebody comments. */
  says(item: string, html: string, by: string): void {
    this.comments.push({
      ...{ id: randomUUID(), item, comment_html: html, created_at: this.#tick(), actor: by },
      ...{ external_source: null, external_id: null },
    });
    Object.assign(this.here(item), { updated_at: this.#tick() });
  }

  /** The comments of this program. */
  get own(): readonly CommentHere[] {
    return this.comments.filter((one) => one.external_source === 'vault-steward');
  }

  groupOf(item: string): string {
    const { state } = this.here(item);
    return Object.entries(this.states).find(([, id]) => id === state)?.[0] ?? '';
  }

  /** How often something was asked for. */
  count(method: string, part: string): number {
    return this.asked.filter((one) => one.method === method && one.path.includes(part)).length;
  }

  // Each change has a moment of its own, to the microsecond as Plane writes it.
  #tick(): string {
    this.#moment = Math.max(this.#moment + 1, Date.now());
    return new Date(this.#moment).toISOString().replace('Z', '001Z');
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    const body: unknown = text === '' ? null : JSON.parse(text);
    const asked = { method: request.method ?? '', path: request.url ?? '', body };
    this.asked.push(asked);
    const mischief = this.mischief(asked);
    if (mischief?.do === 'hang') return;
    if (mischief?.do === 'drop') return void request.socket.destroy();
    if (mischief?.do === 'send-on') return end(response, 302, null, { Location: mischief.to });
    if (mischief?.do === 'say') return void response.writeHead(200).end(mischief.body);
    if (mischief?.do === 'fail') return end(response, mischief.status, { error: 'failed' });
    const answer = this.#answer(asked, String(request.headers['x-api-key'] ?? ''));
    if (mischief?.do === 'write-and-hang') return;
    if (mischief?.do === 'write-and-fail') return end(response, 500, { error: 'Something went wrong' });
    end(response, answer.status, answer.body, { ...this.#limit(), ...answer.headers });
  }

  #limit(): Record<string, string> {
    if (this.left === null) return {};
    return { 'X-RateLimit-Remaining': String(this.left), 'X-RateLimit-Reset': String(Math.ceil(this.resetAt / 1000)) };
  }

  #answer(asked: Asked, key: string): Answer {
    const url = new URL(asked.path, this.url);
    if (!url.pathname.endsWith('/')) return { status: 301, body: null, headers: { Location: `${url.pathname}/` } };
    if (key === '') return { status: 401, body: { detail: 'Authentication credentials were not provided.' } };
    const workspaces = this.keys.get(key);
    if (workspaces === undefined) return { status: 403, body: { detail: 'Given API token is not valid' } };
    if (this.left !== null) {
      if (this.left <= 0) {
        const seconds = Math.max(1, Math.ceil((this.resetAt - Date.now()) / 1000));
        const body = { error_code: 5900, error_message: 'RATE_LIMIT_EXCEEDED' };
        return { status: 429, body, headers: { 'Retry-After': String(seconds) } };
      }
      this.left -= 1;
    }
    const [, , version, ...rest] = url.pathname.split('/');
    if (version !== 'v1') return GONE;
    if (rest[0] === 'users' && rest[1] === 'me') return { status: 200, body: { id: this.owner } };
    const [word, slug, , project, kind, item, comments, comment] = rest;
    if (word !== 'workspaces' || !workspaces.includes(slug ?? ''))
      return { status: 403, body: { detail: 'Forbidden' } };
    if (!project) return listed([{ id: this.project }]);
    if (project !== this.project) return GONE;
    if (!kind) return { status: 200, body: { id: this.project } };
    if (kind === 'states')
      return listed(Object.entries(this.states).map(([group, id]) => ({ id, name: `${group}!`, group })));
    if (kind !== 'work-items') return GONE;
    if (!item) return this.#list(url.searchParams);
    const here = this.items.get(item);
    if (here === undefined) return GONE;
    if (!comments) return asked.method === 'PATCH' ? this.#patch(here, asked.body) : { status: 200, body: here };
    return this.#comments(asked, here, comment ?? '');
  }

  #list(query: URLSearchParams): Answer {
    const size = Number(query.get('per_page') ?? '20');
    const from = Number((query.get('cursor') ?? '0:0:0').split(':')[1]) * size;
    const all = [...this.items.values()].sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
    const results = all.slice(from, from + size);
    const more = all.length > from + size;
    return {
      status: 200,
      body: { results, next_cursor: `${size}:${from / size + 1}:0`, next_page_results: more, total_count: all.length },
    };
  }

  #patch(here: ItemHere, body: unknown): Answer {
    const read = itemPatch.safeParse(body);
    const state = read.success ? read.data.state : undefined;
    if (!read.success || (state !== undefined && !Object.values(this.states).includes(state))) {
      return { status: 400, body: { state: ['State is not valid please pass a valid state_id'] } };
    }
    const updated = this.#tick();
    Object.assign(here, read.data, { updated_at: updated, updated_by: this.owner });
    here.completed_at = here.state === this.states.completed ? updated : null;
    return { status: 200, body: here };
  }

  #comments({ method, body }: Asked, here: ItemHere, id: string): Answer {
    const own = this.comments.filter(({ item }) => item === here.id);
    if (method === 'GET') return listed(own);
    if (method === 'DELETE') {
      const isThere = own.some((one) => one.id === id);
      this.comments = this.comments.filter((one) => one.id !== id);
      return isThere ? { status: 204, body: null } : GONE;
    }
    const read = newComment.safeParse(body);
    if (!read.success) return { status: 400, body: { error: 'bad comment' } };
    const { external_source = null, external_id = null, comment_html } = read.data;
    const twin = this.comments.find(
      (one) => external_id !== null && one.external_id === external_id && one.external_source === external_source,
    );
    if (twin !== undefined) return { status: 409, body: { error: 'already exists', id: twin.id } };
    const made = { id: randomUUID(), item: here.id, comment_html, created_at: this.#tick(), actor: this.owner };
    this.comments.push({ ...made, external_source, external_id });
    Object.assign(here, { updated_at: this.#tick() });
    return { status: 201, body: { ...made, external_source, external_id } };
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const GONE: Answer = { status: 404, body: { error: 'The required object does not exist.' } };

function listed(results: readonly unknown[]): Answer {
  return { status: 200, body: { results, next_cursor: '1000:1:0', next_page_results: false } };
}

function end(
  response: http.ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(body === null ? '' : JSON.stringify(body));
}
