import { z } from 'zod';
import type { PlaneAccess } from './access.ts';
import {
  anyList,
  anyThing,
  comments,
  named,
  type PlaneComment,
  type PlaneState,
  states,
  type WorkItem,
  workItem,
  workItems,
} from './answers.ts';
import { exchange, type Reply, type Request } from './exchange.ts';
import { failed, kindOf, type Outcome } from './failure.ts';
import { isPaused, pauseAfter } from './pace.ts';

/** The `external_source` of everything that this program writes into Plane. */
export const OWN_SOURCE = 'vault-steward';

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

/** A comment that stands in Plane; `wasThere`: it was made before. */
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

  /** The host that is asked. */
  get host(): string {
    return new URL(this.#access.baseUrl).host;
  }

  /** Whether the key is somebody's. Not every server can say so: then it fails with `missing`. */
  async me(): Promise<Outcome<unknown>> {
    return this.#ask(anyThing, { method: 'GET', path: 'users/me/' });
  }

  /** Whether the key is good for the workspace. */
  async workspace(): Promise<Outcome<unknown>> {
    return this.#ask(anyList, { method: 'GET', path: 'workspaces/{workspace}/projects/', query: { per_page: '1' } });
  }

  /** Whether the project is there and the key may see it. */
  async project(project: string): Promise<Outcome<unknown>> {
    return this.#ask(anyThing, { method: 'GET', path: projectPath(project) });
  }

  /**
   * Returns the states of a project. They are asked for once, and again where `held`, the state that a work item is in, is
   * not among them: somebody has made it since.
   */
  async states(project: string, held: string | null): Promise<Outcome<readonly PlaneState[]>> {
    const known = this.#states.get(project);
    const isKnown = held === null || known?.some(({ id }) => id === held);
    if (known !== undefined && isKnown) return { ok: true, value: known };
    const listed = await this.#pages(states, `${projectPath(project)}states/`);
    if (listed.ok) this.#states.set(project, listed.value);
    return listed;
  }

  /** Forgets the states of a project, where one of them turns out to be gone. */
  forgetStates(project: string): void {
    this.#states.delete(project);
  }

  async workItem(place: ItemPlace): Promise<Outcome<WorkItem>> {
    return this.#ask(workItem, { method: 'GET', path: itemPath(place) });
  }

  /** Moves a work item to a state of its project. */
  async move(place: ItemPlace, state: string): Promise<Outcome<unknown>> {
    return this.#ask(z.unknown(), { method: 'PATCH', path: itemPath(place), body: { state } });
  }

  /** Returns the comments of a work item. */
  async comments(place: ItemPlace): Promise<Outcome<readonly PlaneComment[]>> {
    return this.#pages(comments, `${itemPath(place)}comments/`);
  }

  /** Makes a comment. Where it is there already, that is as good. */
  async comment(place: ItemPlace, { html, externalId }: NewComment): Promise<Outcome<MadeComment>> {
    const body = { comment_html: html, external_source: OWN_SOURCE, external_id: externalId };
    const sent = await this.#send({ method: 'POST', path: `${itemPath(place)}comments/`, body });
    if (!sent.ok) return sent;
    const wasThere = sent.value.status === 409;
    if (!wasThere && !isSuccess(sent.value)) return failed(kindOf(sent.value.status));
    const read = named.safeParse(sent.value.body);
    return read.success ? { ok: true, value: { id: read.data.id, wasThere } } : failed('strange');
  }

  /** Returns the comment that was made under an external id; null where there is none. */
  async ownComment(place: ItemPlace, externalId: string): Promise<Outcome<PlaneComment | null>> {
    const listed = await this.comments(place);
    if (!listed.ok) return listed;
    const isIt = (one: PlaneComment) => one.external_source === OWN_SOURCE && one.external_id === externalId;
    return { ok: true, value: listed.value.find(isIt) ?? null };
  }

  /** Deletes a comment. One that is gone is deleted. */
  async uncomment(place: ItemPlace, comment: string): Promise<Outcome<true>> {
    const sent = await this.#send({ method: 'DELETE', path: `${itemPath(place)}comments/${comment}/` });
    if (!sent.ok) return sent;
    const isGone = isSuccess(sent.value) || sent.value.status === 404;
    return isGone ? { ok: true, value: true } : failed(kindOf(sent.value.status));
  }

  /** Returns the work items of a project that were changed at a moment (epoch ms) or later, the newest first. */
  async changedSince(project: string, since: number): Promise<Outcome<readonly WorkItem[]>> {
    const isOlder = (one: WorkItem) => !(Date.parse(one.updated_at ?? '') >= since);
    const listed = await this.#pages(workItems, `${projectPath(project)}work-items/`, {
      query: { order_by: '-updated_at' },
      until: (items) => items.some(isOlder),
    });
    return listed.ok ? { ok: true, value: listed.value.filter((one) => !isOlder(one)) } : listed;
  }

  /** Returns the work item of a project that was changed last; null where it has none. */
  async newest(project: string): Promise<Outcome<WorkItem | null>> {
    const query = { order_by: '-updated_at', per_page: '1' };
    const asked = await this.#ask(workItems, { method: 'GET', path: `${projectPath(project)}work-items/`, query });
    return asked.ok ? { ok: true, value: asked.value.results[0] ?? null } : asked;
  }

  async #pages<Item>(
    schema: z.ZodType<{ results: Item[]; next: string | null }>,
    path: string,
    { query = {}, until = () => false }: Listing<Item> = {},
  ): Promise<Outcome<readonly Item[]>> {
    const all: Item[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const asked: Readonly<Record<string, string>> = cursor === null ? query : { ...query, cursor };
      const answer: Outcome<{ results: Item[]; next: string | null }> = await this.#ask(schema, {
        ...{ method: 'GET', path },
        query: { ...asked, per_page: String(PER_PAGE) },
      });
      if (!answer.ok) return answer;
      all.push(...answer.value.results);
      cursor = answer.value.next;
      if (cursor === null || until(answer.value.results)) break;
    }
    return { ok: true, value: all };
  }

  async #ask<Value>(schema: z.ZodType<Value>, request: Request): Promise<Outcome<Value>> {
    const sent = await this.#send(request);
    if (!sent.ok) return sent;
    if (!isSuccess(sent.value)) return failed(kindOf(sent.value.status));
    const read = schema.safeParse(sent.value.body);
    return read.success ? { ok: true, value: read.data } : failed('strange');
  }

  async #send(request: Request): Promise<Outcome<Reply>> {
    if (this.#abort.aborted) return failed('ended');
    if (isPaused(this.#until, this.#now())) return failed('busy', { until: this.#until });
    const sent = await exchange(this.#access, request, this.#abort);
    if (!sent.ok) return sent;
    const pause = pauseAfter(sent.value.status, sent.value.headers, this.#now());
    if (pause !== null) this.#until = pause;
    return sent.value.status === 429 ? failed('busy', { until: pause }) : sent;
  }
}

/** What is asked of a list beside its place; `until`: whether a page is the last that is needed. */
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
