import { z } from 'zod';
import type { ApiKey } from '../daemon/api-key.ts';
import { fetchErrorCode, readAnswer, retryAfterMs } from '../daemon/network.ts';
import { readForeignJson } from '../vault/json.ts';
import { uuid } from '../vault/record.ts';

// The public API of a Plane server (v1), over HTTP. Loaded when a server is configured.

/** How the Plane server is reached: from the environment alone, never from the vault. */
export interface PlaneAccess {
  readonly key: Pick<ApiKey, 'reveal'>;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The workspace's slug. */
  readonly workspace: string;
}

// The answers of Plane, as far as they are used. Only what is needed is demanded; unknown fields are dropped.

/** How much of a text is read. A long text in Plane must not keep us from reading the rest. */
const MAX_TEXT = 20_000;
const text = z.string().transform((written) => written.slice(0, MAX_TEXT));
const optionalText = text.nullish().transform((value) => value ?? null);
const optionalId = uuid
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);

const GROUPS = ['backlog', 'unstarted', 'started', 'completed', 'cancelled'] as const;

/** A state that a project has. A group that is not known is no group that anything is moved to. */
const state = z.object({
  id: uuid,
  name: text,
  group: z
    .enum(GROUPS)
    .nullish()
    .catch(null)
    .transform((value) => value ?? null),
});
export type PlaneState = z.infer<typeof state>;

/** A work item. Some servers give the state as an object. */
const workItem = z.object({
  id: uuid,
  name: text.catch(''),
  state: z
    .union([uuid, z.object({ id: uuid }).transform(({ id }) => id)])
    .nullish()
    .transform((id) => id ?? null),
  target_date: z.iso
    .date()
    .nullish()
    .catch(null)
    .transform((date) => date ?? null),
  updated_at: optionalText,
  updated_by: optionalId,
});
export type WorkItem = z.infer<typeof workItem>;

const comment = z.object({
  id: uuid,
  comment_html: optionalText,
  created_at: optionalText,
  actor: optionalId,
  created_by: optionalId,
  external_source: optionalText,
  external_id: optionalText,
});
type PlaneComment = z.infer<typeof comment>;

/** What a post is answered with, and a refusal since it is there already (409). */
const named = z.object({ id: uuid });

function page<Item>(item: z.ZodType<Item>) {
  const bare = z.array(item).transform((results) => ({ results, next: null }));
  const paged = z
    .object({
      results: z.array(item),
      next_cursor: z.string().max(200).nullish(),
      next_page_results: z.boolean().nullish(),
    })
    .transform(({ results, next_cursor: cursor, next_page_results: more }) => {
      return { results, next: more === true ? (cursor ?? null) : null };
    });
  return z.union([paged, bare]);
}

const states = page(state);
const workItems = page(workItem);
const comments = page(comment);
/** A list of which only the existence counts. */
const anyList = page(z.unknown());
const anyThing = z.object({ id: z.string() });

/** Why a request to Plane gave no answer that can be used. */
export interface PlaneFailure {
  /**
   * `away`: no server, no whole answer in time. `key`: none, or a wrong one. `forbidden`: not for this key. `missing`:
   * no such thing. `refused`: the request is not accepted as it is. `busy`: too many requests. `server`: it failed at
   * it, and may have done it anyway. `strange`: an answer that Plane doesn't give. `ended`: the program ends.
   */
  readonly kind: 'away' | 'key' | 'forbidden' | 'missing' | 'refused' | 'busy' | 'server' | 'strange' | 'ended';
  /** One sentence in plain words, without any words of the server. */
  readonly message: string;
  readonly hint: string;
  /** When the server may be asked again (epoch ms); null if it does not say. */
  readonly until: number | null;
}

export type PlaneResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: PlaneFailure };

const SAYS: Readonly<Record<PlaneFailure['kind'], { readonly message: string; readonly hint: string }>> = {
  away: {
    message: 'Plane cannot be reached.',
    hint: 'No data is lost: Steward tries again. Check PLANE_BASE_URL and the server if it stays so.',
  },
  key: { message: 'Plane does not accept the key.', hint: 'Make a new key in Plane and set PLANE_API_KEY to it.' },
  forbidden: {
    message: 'Plane refuses this key (403): it is wrong, or it is not for this workspace or project.',
    hint: 'Check PLANE_API_KEY and PLANE_WORKSPACE, and that the key belongs to a member of the project.',
  },
  missing: {
    message: "Plane doesn't have this project or work item.",
    hint: 'Check plane_issue_id of the task and plane_project_id of its matter.',
  },
  refused: { message: 'Plane does not accept the request.', hint: 'See what has changed in the project in Plane.' },
  busy: { message: 'Plane asks to wait: too many requests.', hint: 'Steward continues automatically.' },
  server: {
    message: "Plane couldn't carry out the request.",
    hint: 'No data is lost: Steward looks it up and tries again. See the log of the Plane server if it stays so.',
  },
  strange: {
    message: "The answer isn't in Plane's format.",
    hint: 'Check that PLANE_BASE_URL is the address of the Plane server itself.',
  },
  ended: { message: 'The program ends.', hint: 'Steward continues at the next start.' },
};

function failed(
  kind: PlaneFailure['kind'],
  { says, until = null }: { says?: string; until?: number | null } = {},
): { readonly ok: false; readonly failure: PlaneFailure } {
  const { message, hint } = SAYS[kind];
  return { ok: false, failure: { kind, message: says ?? message, hint, until } };
}

const BY_STATUS: ReadonlyMap<number, PlaneFailure['kind']> = new Map([
  [401, 'key'],
  [403, 'forbidden'],
  [404, 'missing'],
  [429, 'busy'],
]);

function kindOf(status: number): PlaneFailure['kind'] {
  const known = BY_STATUS.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return 'server';
  return status >= 400 ? 'refused' : 'strange';
}

/** One request. `path`: below the server's API, with the slash at its end. */
interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What the server answered; `body` is null if it is empty or no JSON. */
interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const TIMEOUT_MS = 20_000;
/** A page of a hundred work items with long descriptions is far smaller. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Sends one request and reads the whole answer, whatever its status. The key goes to the server that the environment
 * names and to no other: a redirect is not followed. Never throws.
 */
async function exchange(access: PlaneAccess, request: Request, abort: AbortSignal): Promise<PlaneResult<Reply>> {
  const cut = AbortSignal.any([abort, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(addressOf(access, request), {
      method: request.method,
      headers: {
        'X-API-Key': access.key.reveal(),
        Accept: 'application/json',
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: 'manual',
      signal: cut,
    });
    const text = (await readAnswer(response, MAX_BYTES))?.toString('utf8') ?? null;
    if (text === null) return failed('strange', { says: 'Plane sent an answer that is too large.' });
    if (text.includes(access.key.reveal())) return failed('strange', { says: 'The answer of Plane repeats the key.' });
    if (response.status >= 300 && response.status < 400) return failed('strange', { says: SENT_ON });
    return {
      ok: true,
      value: { status: response.status, headers: response.headers, body: readForeignJson(text) ?? null },
    };
  } catch (error) {
    if (abort.aborted) return failed('ended');
    if (cut.aborted) return failed('away', { says: `Plane did not answer within ${TIMEOUT_MS / 1000} seconds.` });
    return failed('away', { says: `Plane cannot be reached (${fetchErrorCode(error) ?? 'the connection failed'}).` });
  }
}

const SENT_ON = 'Plane sends the request on to another address, and the key is not sent there.';

function addressOf({ baseUrl, workspace }: PlaneAccess, { path, query = {} }: Request): string {
  const address = new URL(`${baseUrl}/api/v1/${path.replace('{workspace}', workspace)}`);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
}

/** How long is waited at most, whatever a server says. */
const LONGEST_MS = 60 * 60 * 1000;
/** The window of the limit: sixty requests a minute. */
const WINDOW_MS = 60_000;

/** Returns until when no request may be sent (epoch ms), by what an answer says of the limit; null if there is room. */
export function pauseAfter(status: number, headers: Headers, now: number): number | null {
  const reset = resetIn(headers, now);
  if (status === 429) {
    const asked = retryAfterMs(headers.get('Retry-After'), now);
    return bounded(asked === null ? (reset ?? now + WINDOW_MS) : now + asked, now);
  }
  return headers.get('X-RateLimit-Remaining')?.trim() === '0' ? bounded(reset ?? now + WINDOW_MS, now) : null;
}

// A moment in seconds since 1970; a small figure can only mean seconds from now.
function resetIn(headers: Headers, now: number): number | null {
  const written = headers.get('X-RateLimit-Reset')?.trim() ?? '';
  if (!/^\d{1,12}(\.\d+)?$/.test(written)) return null;
  const seconds = Number(written);
  return seconds > 1_000_000_000 ? seconds * 1000 : now + seconds * 1000;
}

function bounded(until: number, now: number): number {
  return Math.min(Math.max(until, now + 1000), now + LONGEST_MS);
}

/** The `external_source` of everything that this program writes into Plane. */
const OWN_SOURCE = 'vault-steward';

/** A work item of a project: two ids that were checked to be such. */
export interface ItemPlace {
  readonly project: string;
  readonly item: string;
}

/** A comment to be made. `externalId`: the same one is made once, however often it is asked for. */
interface NewComment {
  readonly html: string;
  readonly externalId: string;
}

interface MadeComment {
  readonly id: string;
  readonly wasThere: boolean;
}

const PER_PAGE = 50;
const MOST_PAGES = 20;

/**
 * The public API of a Plane server (v1), as far as it is needed. Asks nothing while the server's limit is used up, and
 * never waits by itself: a failure says when to try again.
 */
export class PlaneClient {
  readonly #access: PlaneAccess;
  readonly #now: () => number;
  readonly #abort: AbortSignal;
  readonly #states = new Map<string, readonly PlaneState[]>();
  #until = 0;

  /** `now`: epoch ms. */
  constructor(access: PlaneAccess, now: () => number, abort: AbortSignal) {
    this.#access = access;
    this.#now = now;
    this.#abort = abort;
  }

  get host(): string {
    return new URL(this.#access.baseUrl).host;
  }

  /**
   * Whether a pause is still on. One that seems longer than any that is made was begun by a clock that was set back since.
   */
  isPaused(until: number): boolean {
    const now = this.#now();
    return now < until && until <= now + LONGEST_MS;
  }

  /** Whether a comment was made by this program. */
  isOwn(comment: PlaneComment): boolean {
    return comment.external_source === OWN_SOURCE;
  }

  /** Whether the key is somebody's. Not every server can say so: then it fails with `missing`. */
  async me(): Promise<PlaneResult<unknown>> {
    return this.#ask(anyThing, { method: 'GET', path: 'users/me/' });
  }

  /** Whether the key is good for the workspace. */
  async workspace(): Promise<PlaneResult<unknown>> {
    return this.#ask(anyList, { method: 'GET', path: 'workspaces/{workspace}/projects/', query: { per_page: '1' } });
  }

  /** Whether the project is there and the key may see it. */
  async project(project: string): Promise<PlaneResult<unknown>> {
    return this.#ask(anyThing, { method: 'GET', path: projectPath(project) });
  }

  /**
   * Returns the states of a project. They are asked for once, and again if `held`, the state that a work item is in, is
   * not among them: it is new.
   */
  async states(project: string, held: string | null): Promise<PlaneResult<readonly PlaneState[]>> {
    const known = this.#states.get(project);
    const isKnown = held === null || known?.some(({ id }) => id === held);
    if (known !== undefined && isKnown) return { ok: true, value: known };
    const listed = await this.#pages(states, `${projectPath(project)}states/`);
    if (listed.ok) this.#states.set(project, listed.value);
    return listed;
  }

  /** Forgets the states of a project, after one of them turned out to be gone. */
  forgetStates(project: string): void {
    this.#states.delete(project);
  }

  async workItem(place: ItemPlace): Promise<PlaneResult<WorkItem>> {
    return this.#ask(workItem, { method: 'GET', path: itemPath(place) });
  }

  /** Moves a work item to a state of its project. */
  async move(place: ItemPlace, state: string): Promise<PlaneResult<unknown>> {
    return this.#ask(z.unknown(), { method: 'PATCH', path: itemPath(place), body: { state } });
  }

  async comments(place: ItemPlace): Promise<PlaneResult<readonly PlaneComment[]>> {
    return this.#pages(comments, `${itemPath(place)}comments/`);
  }

  /** Makes a comment. One that is there already counts as made. */
  async comment(place: ItemPlace, { html, externalId }: NewComment): Promise<PlaneResult<MadeComment>> {
    const body = { comment_html: html, external_source: OWN_SOURCE, external_id: externalId };
    const sent = await this.#send({ method: 'POST', path: `${itemPath(place)}comments/`, body });
    if (!sent.ok) return sent;
    const wasThere = sent.value.status === 409;
    if (!wasThere && !isSuccess(sent.value)) return failed(kindOf(sent.value.status));
    const read = named.safeParse(sent.value.body);
    return read.success ? { ok: true, value: { id: read.data.id, wasThere } } : failed('strange');
  }

  /** Returns the comment that was made under an external id; null if it doesn't exist. */
  async ownComment(place: ItemPlace, externalId: string): Promise<PlaneResult<PlaneComment | null>> {
    const listed = await this.comments(place);
    if (!listed.ok) return listed;
    const isIt = (one: PlaneComment) => one.external_source === OWN_SOURCE && one.external_id === externalId;
    return { ok: true, value: listed.value.find(isIt) ?? null };
  }

  /** Deletes a comment. One that is gone is deleted. */
  async uncomment(place: ItemPlace, comment: string): Promise<PlaneResult<true>> {
    const sent = await this.#send({ method: 'DELETE', path: `${itemPath(place)}comments/${comment}/` });
    if (!sent.ok) return sent;
    const isGone = isSuccess(sent.value) || sent.value.status === 404;
    return isGone ? { ok: true, value: true } : failed(kindOf(sent.value.status));
  }

  /** Returns the work items of a project that were changed at a moment (epoch ms) or later, the newest first. */
  async changedSince(project: string, since: number): Promise<PlaneResult<readonly WorkItem[]>> {
    const isOlder = (one: WorkItem) => !(Date.parse(one.updated_at ?? '') >= since);
    const listed = await this.#pages(workItems, `${projectPath(project)}work-items/`, {
      query: { order_by: '-updated_at' },
      until: (items) => items.some(isOlder),
    });
    return listed.ok ? { ok: true, value: listed.value.filter((one) => !isOlder(one)) } : listed;
  }

  /** Returns the work item of a project that was changed last; null if the project has no items. */
  async newest(project: string): Promise<PlaneResult<WorkItem | null>> {
    const query = { order_by: '-updated_at', per_page: '1' };
    const asked = await this.#ask(workItems, { method: 'GET', path: `${projectPath(project)}work-items/`, query });
    return asked.ok ? { ok: true, value: asked.value.results[0] ?? null } : asked;
  }

  async #pages<Item>(
    schema: z.ZodType<{ results: Item[]; next: string | null }>,
    path: string,
    { query = {}, until = () => false }: Listing<Item> = {},
  ): Promise<PlaneResult<readonly Item[]>> {
    const all: Item[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const asked: Readonly<Record<string, string>> = cursor === null ? query : { ...query, cursor };
      const answer: PlaneResult<{ results: Item[]; next: string | null }> = await this.#ask(schema, {
        ...{ method: 'GET', path },
        query: { ...asked, per_page: String(PER_PAGE) },
      });
      if (!answer.ok) return answer;
      for (const item of answer.value.results) all.push(item);
      cursor = answer.value.next;
      if (cursor === null || until(answer.value.results)) break;
    }
    return { ok: true, value: all };
  }

  async #ask<Value>(schema: z.ZodType<Value>, request: Request): Promise<PlaneResult<Value>> {
    const sent = await this.#send(request);
    if (!sent.ok) return sent;
    if (!isSuccess(sent.value)) return failed(kindOf(sent.value.status));
    const read = schema.safeParse(sent.value.body);
    return read.success ? { ok: true, value: read.data } : failed('strange');
  }

  async #send(request: Request): Promise<PlaneResult<Reply>> {
    if (this.#abort.aborted) return failed('ended');
    if (this.isPaused(this.#until)) return failed('busy', { until: this.#until });
    const sent = await exchange(this.#access, request, this.#abort);
    if (!sent.ok) return sent;
    const pause = pauseAfter(sent.value.status, sent.value.headers, this.#now());
    if (pause !== null) this.#until = pause;
    return sent.value.status === 429 ? failed('busy', { until: pause }) : sent;
  }
}

/** The place of a list, and which part of it is asked for. `until`: whether a page is the last that is needed. */
interface Listing<Item> {
  readonly query?: Readonly<Record<string, string>>;
  readonly until?: (items: readonly Item[]) => boolean;
}

function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300;
}

function projectPath(project: string): string {
  return `workspaces/{workspace}/projects/${project}/`;
}

function itemPath({ project, item }: ItemPlace): string {
  return `${projectPath(project)}work-items/${item}/`;
}
