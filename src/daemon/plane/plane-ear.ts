import { planeId } from '../../plane/access.ts';
import type { PlaneState, WorkItem } from '../../plane/answers.ts';
import { isOwnComment } from '../../plane/carry-out.ts';
import type { PlaneClient } from '../../plane/client.ts';
import type { Outcome, PlaneFailure } from '../../plane/failure.ts';
import type { PlaneSeen } from '../../plane/order.ts';
import { taskStateOf } from '../../plane/state-choice.ts';
import type { HeardInPlane } from '../../stream/plane/heard.ts';
import type { TaskRecord } from '../../vault/index/record.ts';
import type { WriteAccess } from '../context/ports.ts';
import { reportFailure } from './plane-faults.ts';
import { writeHeard } from './plane-file-out.ts';
import { openOrders } from './plane-orders.ts';

type Seen = PlaneSeen['items'][string];

/** The tasks of one project by their work item; where two name the same, neither is meant for sure. */
type Linked = ReadonlyMap<string, TaskRecord>;

/** How many work items that are new to us are asked for at once. */
const MOST_NEW = 20;

/** Failures that say nothing of the other projects. */
const OF_ONE: readonly PlaneFailure['kind'][] = ['missing', 'forbidden', 'strange'];

/** How far the clock of a server may be ahead of ours. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Hears what others did in Plane with the work items of tasks: moved to done or cancelled, given another date, commented.
 * Each becomes a stream file, and from there a signal like any other. What was the case before we first looked is no news.
 */
export class PlaneEar {
  readonly #space: WriteAccess;
  readonly #client: PlaneClient;

  constructor(space: WriteAccess, client: PlaneClient) {
    this.#space = space;
    this.#client = client;
  }

  /** Asks each project that a matter names what has changed in it. Stops where all would fail alike: the next time is soon. */
  async listen(): Promise<void> {
    if (this.#space.vault.away !== null) return;
    for (const [project, linked] of this.#projects()) {
      const failure = await this.#listenTo(project, linked);
      if (failure === null) this.#space.problems.faults.delete(`plane ${project}`);
      else reportFailure(this.#space, `plane ${project}`, failure);
      if (failure === null) continue;
      if (!OF_ONE.includes(failure.kind)) return;
    }
  }

  #projects(): ReadonlyMap<string, Linked> {
    const { catalogue } = this.#space.vault;
    const found = new Map<string, Map<string, TaskRecord | null>>();
    for (const matter of catalogue.matters()) {
      const project = planeId.safeParse(matter.fields.plane_project_id);
      if (!project.success) continue;
      const items = found.get(project.data) ?? new Map<string, TaskRecord | null>();
      found.set(project.data, items);
      for (const task of catalogue.tasksOf(matter)) {
        const item = planeId.safeParse(task.fields.plane_issue_id);
        if (item.success) items.set(item.data, items.has(item.data) ? null : task);
      }
    }
    return new Map([...found].map(([project, items]) => [project, new Map([...items].filter(isSure))]));
  }

  async #listenTo(project: string, linked: Linked): Promise<PlaneFailure | null> {
    if (linked.size === 0) return null;
    const before = this.#space.context.state.get('plane-seen')[project] ?? null;
    const changed =
      before === null ? await this.#newest(project) : await this.#client.changedSince(project, before.since);
    if (!changed.ok) return changed.failure;
    const seen: PlaneSeen = {
      since: this.#latest(changed.value, before?.since ?? 0),
      items: { ...before?.items },
    };
    for (const item of before === null ? [] : changed.value) {
      const failure = await this.#hear(project, linked.get(item.id), item, seen);
      if (failure !== null) return failure;
    }
    const failure = await this.#meet(project, linked, seen);
    if (failure === null) this.#keep(project, linked, seen);
    return failure;
  }

  // What has a date to come is not the newest: behind it, nothing else would be heard until then.
  #latest(items: readonly WorkItem[], since: number): number {
    const end = this.#space.context.now() + MOST_AHEAD_MS;
    const moments = items.map(({ updated_at: at }) => Date.parse(at ?? ''));
    return Math.max(0, ...[since, ...moments].filter((at) => at <= end));
  }

  async #newest(project: string): Promise<Outcome<readonly WorkItem[]>> {
    const newest = await this.#client.newest(project);
    return newest.ok ? { ok: true, value: newest.value === null ? [] : [newest.value] } : newest;
  }

  // A work item that we have not seen before: how it is now is where its story begins.
  async #meet(project: string, linked: Linked, seen: PlaneSeen): Promise<PlaneFailure | null> {
    const unknown = [...linked.keys()].filter((item) => seen.items[item] === undefined).slice(0, MOST_NEW);
    for (const item of unknown) {
      const found = await this.#client.workItem({ project, item });
      if (found.ok) seen.items[item] = formOf(found.value);
      else if (found.failure.kind === 'missing') seen.items[item] = UNMET;
      else return found.failure;
    }
    return null;
  }

  async #hear(
    project: string,
    task: TaskRecord | undefined,
    item: WorkItem,
    seen: PlaneSeen,
  ): Promise<PlaneFailure | null> {
    const known = seen.items[item.id];
    if (task === undefined || known === undefined || known.updated === item.updated_at) return null;
    if (known.updated === null) {
      seen.items[item.id] = formOf(item);
      return null;
    }
    const states = await this.#client.states(project, item.state);
    if (!states.ok) return states.failure;
    const said = await this.#commentsSince(project, item, known);
    if (!said.ok) return said.failure;
    const all = [...this.#moved(item, known, states.value), ...dated(item, known, task), ...said.value];
    for (const one of all) {
      const place = { project, item: item.id, name: item.name, task: task.path, host: this.#client.host };
      writeHeard(this.#space, { ...place, ...one });
    }
    seen.items[item.id] = formOf(item);
    return null;
  }

  #moved(item: WorkItem, known: Seen, states: readonly PlaneState[]): News[] {
    const value = taskStateOf(states, item.state);
    if (value === null || item.state === known.state || value === taskStateOf(states, known.state)) return [];
    if (this.#isOurMove(item)) return [];
    const name = states.find(({ id }) => id === item.state)?.name ?? value;
    return [{ ...by(item), what: 'state', value, says: `moved to ${plainLine(name)}`.slice(0, MAX_SAYS) }];
  }

  // One that is under way, or was when the program was last ended.
  #isOurMove({ id, state }: WorkItem): boolean {
    return openOrders(this.#space).some(
      ([, { action, facts }]) => action.issue_id === id && (facts?.moved === state || facts?.former === state),
    );
  }

  async #commentsSince(project: string, item: WorkItem, known: Seen): Promise<Outcome<readonly News[]>> {
    const listed = await this.#client.comments({ project, item: item.id });
    const fault = `plane ${item.id}`;
    // One work item with more comments than can be read keeps no other from being heard.
    if (!listed.ok && listed.failure.kind === 'strange') {
      reportFailure(this.#space, fault, listed.failure);
      return { ok: true, value: [] };
    }
    if (!listed.ok) return listed;
    this.#space.problems.faults.delete(fault);
    const since = Date.parse(known.updated ?? '');
    const news = listed.value
      .filter((one) => !isOwnComment(one) && Date.parse(one.created_at ?? '') > since)
      .map(({ actor, created_by: creator, created_at: at, comment_html: html }): News => {
        return {
          actor: actor ?? creator,
          at,
          what: 'comment',
          value: (html ?? '').slice(0, MAX_HTML),
          says: 'a comment',
        };
      });
    return { ok: true, value: news };
  }

  #keep(project: string, linked: Linked, { since, items }: PlaneSeen): void {
    const { state } = this.#space.context;
    const kept = Object.fromEntries(Object.entries(items).filter(([item]) => linked.has(item)));
    state.get('plane-seen')[project] = { since, items: kept };
    state.touch('plane-seen', project);
    state.save('plane-seen');
  }
}

// A name from outside is one line.
function plainLine(name: string): string {
  return name.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

type News = Pick<HeardInPlane, 'actor' | 'at' | 'what' | 'value' | 'says'>;

const MAX_SAYS = 50;
const MAX_HTML = 20_000;

function isSure(entry: [string, TaskRecord | null]): entry is [string, TaskRecord] {
  return entry[1] !== null;
}

function dated(item: WorkItem, known: Seen, task: TaskRecord): News[] {
  const date = item.target_date;
  if (date === null || date === known.due || date === task.fields.due) return [];
  return [{ ...by(item), what: 'due', value: date, says: `due ${date}` }];
}

function by({ updated_by: actor, updated_at: at }: WorkItem): Pick<HeardInPlane, 'actor' | 'at'> {
  return { actor, at };
}

/** Of a work item that is not there: it is not asked for again, and its story begins where it comes up. */
const UNMET: Seen = { state: null, due: null, updated: null };

function formOf({ state, target_date: due, updated_at: updated }: WorkItem): Seen {
  return { state, due, updated };
}
