import { type PlaneAccess, planeId } from '../plane/access.ts';
import { type Carried, carryOut, isOwnComment } from '../plane/carry-out.ts';
import { type PlaneAction, type PlaneOrder, type PlaneSeen, pauseFor, withFacts } from '../plane/order.ts';
import {
  isPaused,
  type Outcome,
  PlaneClient,
  type PlaneFailure,
  type PlaneState,
  taskStateOf,
  type WorkItem,
} from '../plane/plane.ts';
import { type HeardInPlane, heardText } from '../stream/plane-heard.ts';
import { loadSystemCalls } from '../vault/disk/system-calls.ts';
import { openAsFolderAndSources } from '../vault/disk-readers.ts';
import { diagnostic } from '../vault/errors.ts';
import { createWhole } from '../vault/files.ts';
import { editedText, type FieldEdit } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/hash.ts';
import type { TaskRecord } from '../vault/index/record.ts';
import { fieldLine } from '../vault/note-text.ts';
import type { Frontmatter, Yaml } from '../vault/records/values.ts';
import { nameTimeExact, utc } from '../vault/time.ts';
import { textStep } from '../vault/transaction/steps.ts';
import type { Change } from '../vault/watch.ts';
import type { State } from './context/state.ts';
import type { Context, Problems, WriteAccess } from './context.ts';
import {
  forgetOldOrders,
  type OpenOrder,
  openOrders,
  ordersInTurn,
  reversalsOf,
  takeAllOrders,
  takeOrder,
} from './plane.ts';
import { type RetryQueue, WorkQueue } from './queues.ts';
import type { Timers } from './timers.ts';

/** What a person has to mend; everything else passes by itself, or is said of the order that it ends. */
const TO_MEND: readonly PlaneFailure['kind'][] = ['key', 'forbidden', 'strange'];

interface FaultSpace {
  readonly context: Context;
  readonly problems: Problems;
}

/** Lists a failure in `status` under a key where a person has to mend something, and says it once. */
function reportFailure(space: FaultSpace, key: string, { kind, message, hint }: PlaneFailure): void {
  if (!TO_MEND.includes(kind)) return;
  const { faults } = space.problems;
  const trouble = diagnostic({ code: `plane-${kind}`, message, hint });
  const isKnown = [...faults.values()].some((one) => one.code === trouble.code && one.message === message);
  faults.set(key, trouble);
  if (!isKnown) space.context.emit({ what: 'trouble', trouble });
}

/**
 * Writes what was heard as a stream file with the program's mark. The same news has the same name, and is written once.
 * It is read by nobody who may not read its task.
 */
function writeHeard({ vault, context, transactions }: WriteAccess, heard: HeardInPlane): void {
  const { stream } = vault.layout.folders;
  const moment = Date.parse(heard.at ?? '');
  const time = Number.isNaN(moment) ? 'undated' : utc(moment).replaceAll(':', '-');
  const name = sha256(JSON.stringify([heard.project, heard.item, heard.what, heard.value, heard.at])).slice(0, 12);
  const file = `${stream}/plane/${time}-${name}.json`;
  const task = `${vault.root}/${heard.task}`;
  const dress = (part: string, folder: string) => openAsFolderAndSources(part, folder, [task], loadSystemCalls());
  transactions.demand();
  if (createWhole(vault.root, vault.places.tmp, file, heardText(heard, file, context.seal), dress)) vault.look([file]);
}

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

/**
 * Lets the reversal of an event say that it was taken back in Plane as well, and what was not. Returns when to look again
 * (epoch ms) where somebody is editing the note, else null.
 */
function settleReversal(space: WriteAccess, event: string): number | null {
  const order = space.context.state.get('plane')[event];
  if (order?.wants !== 'unsaid' || !order.done) return null;
  const remark = order.remark === null ? null : fieldLine(order.remark);
  const waits = reversalsOf(space, event).map(({ path, name }) => sayIn(space, path, name, remark));
  return waits.find((until) => until !== null) ?? null;
}

function sayIn(space: WriteAccess, path: string, name: string, remark: string | null): number | null {
  const note = space.notes.fresh(path);
  if (note === null) return null;
  const edits = [...edit(note.data, 'plane_revert_applied', true), ...edit(note.data, 'plane_remark', remark)];
  if (edits.length === 0) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const text = editedText(path, note.text, edits);
  if (text === null || text === note.text) return null;
  const id = `plane-${nameTimeExact(space.context.now())}-${name}`;
  return space.transactions.commit(id, [textStep(path, note.text, text)]) ? null : space.context.now() + 1000;
}

function edit(data: Frontmatter, field: string, value: Yaml): FieldEdit[] {
  const held = data[field] ?? null;
  return held === value || value === null ? [] : [{ op: 'set', field, value }];
}

/** Remembers the state that a work item was moved to by us, where the item is known. */
function seenAs(state: State, { project_id: project, issue_id: item }: PlaneAction, now: string): void {
  const known = state.get('plane-seen')[project]?.items[item];
  if (known === undefined) return;
  known.state = now;
  state.touch('plane-seen', project);
}

/** What holds up every order, whichever it is about. */
const ALL: readonly PlaneFailure['kind'][] = ['away', 'key', 'busy'];
const FAULT = 'plane';

interface SenderParts {
  readonly space: WriteAccess;
  readonly client: PlaneClient;
  readonly chance: () => number;
  readonly undone: (event: string) => void;
}

/** Carries out the orders, one after the other. What is learnt on the way is on disk before the next step rests on it. */
class PlaneSender {
  readonly #space: WriteAccess;
  readonly #client: PlaneClient;
  readonly #chance: () => number;
  readonly #undone: (event: string) => void;
  #tries = 0;
  #pausedUntil = 0;

  /** `chance`: a figure from 0 to 1 that spreads the tries. `undone` hears of an event that was taken back in Plane. */
  constructor(parts: SenderParts) {
    this.#space = parts.space;
    this.#client = parts.client;
    this.#chance = parts.chance;
    this.#undone = parts.undone;
  }

  /** Carries out what can be carried out now. Returns when there is more to do (epoch ms); null where there is nothing. */
  async run(): Promise<number | null> {
    for (let due = this.#due(); due !== null; due = this.#due()) {
      this.#space.transactions.demand(); // what is said there cannot be called back by who has the vault by now
      const carried = await this.#carry(due);
      if (!carried.done && carried.failure.kind === 'ended') return null;
      this.#settle(due, carried);
    }
    return this.#next();
  }

  #due(): OpenOrder | null {
    const now = this.#space.context.now();
    if (this.#space.vault.away !== null || isPaused(this.#pausedUntil, now)) return null;
    return ordersInTurn(this.#space).find(([, { next }]) => !isPaused(next, now)) ?? null;
  }

  #carry([event, order]: OpenOrder): Promise<Carried> {
    const keep = (facts: PlaneOrder['facts']) => this.#change(event, (now) => withFacts(now, facts));
    return carryOut({ client: this.#client, event, keep }, order);
  }

  #settle([event, asked]: OpenOrder, carried: Carried): void {
    if (!carried.done) {
      this.#pause(event, carried.failure);
      return;
    }
    this.#tries = 0;
    this.#space.problems.faults.delete(FAULT);
    const { remark } = carried;
    // Taken back while it was said: then that is to be done next.
    this.#change(event, (now) => ({ ...now, done: now.wants === asked.wants, remark, tries: 0, next: 0 }));
    this.#space.context.emit({ what: 'plane', event: asked.path, wants: asked.wants, remark });
    if (remark === null) this.#remember(event, asked);
    if (asked.wants === 'unsaid') this.#undone(event);
  }

  // What we did ourselves is no news when we look next.
  #remember(event: string, { wants, action, facts }: PlaneOrder): void {
    const { state } = this.#space.context;
    const now = wants === 'said' ? state.get('plane')[event]?.facts?.moved : facts?.moved && facts.former;
    if (now != null) seenAs(state, action, now);
  }

  #pause(event: string, failure: PlaneFailure): void {
    const now = this.#space.context.now();
    const isForAll = ALL.includes(failure.kind);
    const before = this.#space.context.state.get('plane')[event];
    const tries = isForAll ? this.#tries : (before?.tries ?? 0);
    const until = failure.until ?? now + pauseFor(tries, this.#chance());
    if (isForAll) {
      this.#pausedUntil = until;
      if (failure.kind !== 'busy') this.#tries += 1;
    }
    const next = isForAll ? 0 : until;
    this.#change(event, (order) => ({ ...order, remark: failure.message, tries: isForAll ? 0 : tries + 1, next }));
    reportFailure(this.#space, FAULT, failure);
  }

  #change(event: string, change: (order: PlaneOrder) => PlaneOrder): void {
    const { state } = this.#space.context;
    const order = state.get('plane')[event];
    if (order === undefined) return;
    state.get('plane')[event] = change(order);
    state.touch('plane', event);
    state.save('plane');
  }

  #next(): number | null {
    const open = this.#space.vault.away === null ? ordersInTurn(this.#space) : [];
    if (open.length === 0) return null;
    const soonest = Math.min(...open.map(([, { next }]) => next));
    return Math.max(soonest, this.#pausedUntil);
  }
}

/** How often Plane is asked what others did. */
const LISTEN_MS = 3 * 60_000;

interface PlaneParts {
  readonly space: WriteAccess;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly access: PlaneAccess;
  /** A figure from 0 to 1, another one each time. */
  readonly chance: () => number;
}

/**
 * The way between a vault and its Plane: says there what was done here, and hears what others did there. One request at
 * a time, beside everything else: however slow Plane is, the vault does not wait for it.
 */
export class PlaneWork {
  readonly #parts: PlaneParts;
  readonly #abort = new AbortController();
  readonly #queue = new WorkQueue(1);
  readonly #sender: PlaneSender;
  readonly #ear: PlaneEar;
  #isQueued = false;
  #nextWake = Number.POSITIVE_INFINITY;

  constructor(parts: PlaneParts) {
    this.#parts = parts;
    const { space, access, chance } = parts;
    const client = new PlaneClient(access, space.context.now, this.#abort.signal);
    this.#sender = new PlaneSender({ space, client, chance, undone: (event) => this.#settle(event) });
    this.#ear = new PlaneEar(space, client);
  }

  /** Takes up what was left, and begins to listen. */
  start(): void {
    const { space } = this.#parts;
    takeAllOrders(space);
    for (const [event, { done, wants }] of Object.entries(space.context.state.get('plane'))) {
      if (done && wants === 'unsaid') this.#settle(event);
    }
    this.wake();
    this.#listen();
  }

  /** Follows new and changed events and reversals. */
  changed(changes: readonly Change[]): void {
    const answered = changes.flatMap(({ after }) =>
      after?.kind === 'event' || after?.kind === 'reversal' ? [after] : [],
    );
    for (const event of answered.flatMap((record) => takeOrder(this.#parts.space, record) ?? [])) this.#settle(event);
    if (answered.length > 0) this.wake();
  }

  /** Carries out what can be carried out. */
  wake(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#add(async () => {
      this.#isQueued = false;
      const next = await this.#sender.run();
      if (next !== null) this.#wakeAt(Math.max(next, this.#parts.space.context.now() + 1000));
    });
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Resolves when nothing is under way. */
  drained(): Promise<void> {
    return this.#queue.drained();
  }

  /** Ends what is under way; what is not carried out is left for the next start. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#queue.close();
  }

  // One timer, whatever wakes meanwhile: the earliest counts.
  #wakeAt(moment: number): void {
    if (moment >= this.#nextWake) return;
    this.#nextWake = moment;
    this.#parts.timers.at(moment, () => {
      this.#nextWake = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }

  #listen(): void {
    forgetOldOrders(this.#parts.space);
    this.#add(() => this.#ear.listen());
    this.#parts.timers.at(this.#parts.space.context.now() + LISTEN_MS, () => this.#listen());
  }

  #settle(event: string): void {
    const { retries, timers, space } = this.#parts;
    retries.add(`plane ${event}`, '.steward/state', async () => {
      const until = settleReversal(space, event);
      if (until !== null) timers.at(until, () => this.#settle(event));
    });
  }

  // What the disk refuses is said in `status`, and tried again with the next wake.
  #add(work: () => Promise<void>): void {
    this.#queue.add(async () => {
      try {
        await work();
        this.#parts.space.problems.faults.delete('plane-state');
      } catch (error) {
        if (!this.#abort.signal.aborted) this.#parts.retries.fault('plane-state', '.steward/state', error);
      }
    });
  }
}
