// Talks to a Plane server, and follows what others do there. Loaded when one is configured, or a file of it is read.
import { z } from 'zod';
import type { Running } from '../daemon/capability.ts';
import type { Context, IndexAccess, WriteAccess } from '../daemon/context.ts';
import { type Awaiting, type RetryQueue, WorkQueue } from '../daemon/queue.ts';
import type { StateStore } from '../daemon/state.ts';
import { Alarm, type Timers } from '../daemon/timers.ts';
import type { StatedChange, StreamEvent } from '../steward/types.ts';
import type { Problems } from '../steward/workspace.ts';
import type { ParsedMail } from '../streams/mail.ts';
import { editedText, type FieldEdit, textStep } from '../vault/edit.ts';
import { diagnostic } from '../vault/errors.ts';
import { createWhole, loadSystemCalls, openAsFolderAndSources } from '../vault/files.ts';
import type { Frontmatter, Yaml } from '../vault/frontmatter.ts';
import { readForeignJson } from '../vault/json.ts';
import { cutAt, fieldLine, plainText, sha256 } from '../vault/note-text.ts';
import { type TaskRecord, type State as TaskState, uuid } from '../vault/record.ts';
import type { Seal } from '../vault/seal.ts';
import { nameTimeExact, utc } from '../vault/time.ts';
import type { RecordChange } from '../vault/vault.ts';
import type { ItemPlace, PlaneClient, PlaneFailure, PlaneResult, PlaneState, WorkItem } from './plane-client.ts';
import {
  findReversals,
  forgetOldOrders,
  type OpenOrder,
  openOrders,
  ordersInTurn,
  PLANE_ORDERS,
  PLANE_SEEN,
  type PlaneAction,
  type PlaneOrder,
  type PlaneSeen,
  takeAllOrders,
  takeOrder,
  withFacts,
} from './plane-orders.ts';

type Facts = NonNullable<PlaneOrder['facts']>;

interface Carrying {
  readonly client: PlaneClient;
  readonly event: string;
  /** Puts what is known so far on disk, before anything is done that rests on it. */
  readonly keep: (facts: Facts | null) => void;
}

/** The result of an order: carried out, with a remark if not all of it could be; or a failure, to be tried again. */
type Carried =
  | { readonly done: true; readonly remark: string | null }
  | { readonly done: false; readonly failure: PlaneFailure };

/**
 * Brings Plane to what an order wants. Each step is made so that it can be made again: what it rests on is kept first, a
 * comment has the event as its external id, and a state is moved only from where it was found.
 */
export async function carryOut(carrying: Carrying, order: PlaneOrder): Promise<Carried> {
  const place = { project: order.action.project_id, item: order.action.issue_id };
  return order.wants === 'said' ? say(carrying, place, order) : unsay(carrying, place, order);
}

async function say(carrying: Carrying, place: ItemPlace, { action, html, facts: known }: PlaneOrder): Promise<Carried> {
  const item = await carrying.client.workItem(place);
  if (!item.ok) return givenUp(item.failure, "Plane doesn't have this work item: no comment was written there.");
  const planned = known ?? (await planOf(carrying, place, action, item.value.state));
  if ('ok' in planned) return { done: false, failure: planned.failure };
  carrying.keep(planned);
  const commented = await commentOnce(carrying, place, html, planned);
  if (!commented.ok) return givenUp(commented.failure, 'Plane does not accept the comment.');
  const facts = { ...planned, tried: true, comment: commented.value.id };
  // Somebody has carried this out before and what was kept of it is lost: the state may have been moved again since.
  if (commented.value.wasThere && !planned.tried) {
    carrying.keep({ ...facts, former: null, moved: null });
    return { done: true, remark: null };
  }
  carrying.keep(facts);
  return moveOnce(carrying, place, facts, item.value.state);
}

async function planOf(
  { client }: Carrying,
  { project }: ItemPlace,
  { state }: PlaneAction,
  current: string | null,
): Promise<Facts | Extract<PlaneResult<never>, { ok: false }>> {
  const facts = { tried: false, comment: null, former: current, moved: null };
  if (state === null) return facts;
  const states = await client.states(project, current);
  return states.ok ? { ...facts, moved: stateToMoveTo(states.value, current, state) } : states;
}

// An earlier post may have been written though its answer was a failure, or never came: it is looked for first.
async function commentOnce(
  { client, event, keep }: Carrying,
  place: ItemPlace,
  html: string,
  facts: Facts,
): Promise<PlaneResult<{ id: string; wasThere: boolean }>> {
  if (facts.comment !== null) return { ok: true, value: { id: facts.comment, wasThere: false } };
  const found = facts.tried ? await client.ownComment(place, event) : null;
  if (found !== null && !found.ok) return found;
  if (found !== null && found.value !== null) return { ok: true, value: { id: found.value.id, wasThere: true } };
  keep({ ...facts, tried: true });
  return client.comment(place, { html, externalId: event });
}

async function moveOnce(
  { client, keep }: Carrying,
  place: ItemPlace,
  facts: Facts,
  current: string | null,
): Promise<Carried> {
  const { moved, former } = facts;
  if (moved === null || current === moved) return { done: true, remark: null };
  if (current !== former) {
    keep({ ...facts, moved: null });
    return { done: true, remark: 'Somebody has moved the work item since: its state stays as it is.' };
  }
  const sent = await client.move(place, moved);
  if (sent.ok) return { done: true, remark: null };
  if (sent.failure.kind === 'refused') {
    client.forgetStates(place.project);
    keep({ ...facts, moved: null });
  }
  return givenUp(sent.failure, 'Plane does not accept the state: the work item stays in the one it is in.');
}

async function unsay(carrying: Carrying, place: ItemPlace, { action, facts }: PlaneOrder): Promise<Carried> {
  if (facts === null) return { done: true, remark: null };
  const deleted = await uncomment(carrying, place, facts);
  if (!deleted.ok) return givenUp(deleted.failure, GONE);
  const carried = await moveBack(carrying, place, facts);
  if (!carried.done) return carried;
  carrying.keep(null);
  const isForgotten = deleted.value && action.state !== null && facts.former === null;
  return isForgotten ? { done: true, remark: FORGOTTEN } : carried;
}

const FORGOTTEN = 'The earlier state of the work item is no longer stored: its state stays as it is.';

const GONE = 'The work item is gone from Plane: no undo is needed.';

// Returns whether there was a comment. From here on it isn't known whether the comment exists, until an answer says so:
// it must be looked for before it is made again.
async function uncomment(
  { client, event, keep }: Carrying,
  place: ItemPlace,
  facts: Facts,
): Promise<PlaneResult<boolean>> {
  if (facts.comment !== null) {
    keep({ ...facts, comment: null, tried: true });
    return client.uncomment(place, facts.comment);
  }
  if (!facts.tried) return { ok: true, value: false };
  const found = await client.ownComment(place, event);
  if (!found.ok) return found;
  return found.value === null ? { ok: true, value: false } : client.uncomment(place, found.value.id);
}

// Only from the state that we set: if somebody has moved it since, that decides.
async function moveBack({ client }: Carrying, place: ItemPlace, { moved, former }: Facts): Promise<Carried> {
  if (moved === null || former === null) return { done: true, remark: null };
  const item = await client.workItem(place);
  if (!item.ok) return givenUp(item.failure, GONE);
  if (item.value.state === former) return { done: true, remark: null };
  if (item.value.state !== moved) {
    return { done: true, remark: 'Somebody has moved the work item since: its state in Plane is left as it is.' };
  }
  const sent = await client.move(place, former);
  return sent.ok
    ? { done: true, remark: null }
    : givenUp(sent.failure, 'Plane does not accept the former state: the work item stays in the one it is in.');
}

// A failure that a further try would not change ends the order, and is reported. Any other is tried again.
function givenUp(failure: PlaneFailure, remark: string): Carried {
  const isOver = failure.kind === 'missing' || failure.kind === 'refused';
  return isOver ? { done: true, remark } : { done: false, failure };
}

type Group = NonNullable<PlaneState['group']>;

/** The groups that say the same as a state of a task, the one that is moved to first; none for what Plane has no word for. */
const SAME: Readonly<Record<TaskState, readonly Group[]>> = {
  done: ['completed'],
  archived: ['cancelled'],
  open: ['unstarted', 'started', 'backlog'],
  snoozed: [],
};

/**
 * Returns the state that a work item is to be moved to; null if it says the same already, or the project has no such
 * state. `current`: the id of the state it is in.
 */
export function stateToMoveTo(states: readonly PlaneState[], current: string | null, task: TaskState): string | null {
  const groups = SAME[task];
  const here = states.find(({ id }) => id === current)?.group ?? null;
  if (here !== null && groups.includes(here)) return null;
  const fitting = groups.flatMap((group) => states.filter((one) => one.group === group));
  return fitting[0]?.id ?? null;
}

/** Returns what the state of a work item says of its task; null if it is no state that a task could follow. */
function taskStateOf(states: readonly PlaneState[], id: string | null): 'done' | 'archived' | null {
  const group = states.find((one) => one.id === id)?.group;
  return group === 'completed' ? 'done' : group === 'cancelled' ? 'archived' : null;
}

/**
 * Failures that a person has to repair; the others pass by themselves, or are reported with the order that they end.
 */
const TO_MEND: readonly PlaneFailure['kind'][] = ['key', 'forbidden', 'strange'];

interface FaultSpace {
  readonly context: Context;
  readonly problems: Problems;
}

/** Lists a failure in `status` under a key if a person has to repair something, and reports it once. */
function reportFailure(space: FaultSpace, key: string, { kind, message, hint }: PlaneFailure): void {
  if (!TO_MEND.includes(kind)) return;
  const { faults } = space.problems;
  const trouble = diagnostic({ code: `plane-${kind}`, message, hint });
  const isKnown = [...faults.values()].some((one) => one.code === trouble.code && one.message === message);
  faults.set(key, trouble);
  if (!isKnown) space.context.emit({ what: 'trouble', trouble });
}

const MAX_TEXT = 20_000;

/** An action of somebody in Plane, as the server reported it: one file below `stream/plane`. */
const heardFile = z.lazy(() => {
  const text = z.string().max(MAX_TEXT);
  return z.object({
    seal: z.string(),
    project: text,
    item: text,
    name: text,
    /** The task with this work item, vault-relative. */
    task: text,
    /** The server that said so. */
    host: text,
    /** Who did it, by their id in Plane; null if Plane does not say. */
    actor: text.nullable(),
    /** When, as Plane says it; null if it does not. */
    at: text.nullable(),
    what: z.enum(['state', 'due', 'comment']),
    /** `done` or `archived`, the date, or the HTML of the comment. */
    value: text,
    /** A summary in a few words; what a comment says is in `value`. */
    says: text,
  });
});
type HeardInPlane = Omit<z.infer<typeof heardFile>, 'seal'>;

/** Returns the text of the file with the program's mark. `file`: where it will be. */
export function heardText(heard: HeardInPlane, file: string, seal: Seal): string {
  return `${JSON.stringify({ ...heard, seal: seal.of(marked(heard, file)) }, null, 2)}\n`;
}

/** Returns the action that a file reports; null if the program itself did not write it so, under this name. */
function readHeard(bytes: Uint8Array, file: string, seal: Seal): HeardInPlane | null {
  const read = heardFile.safeParse(readForeignJson(bytes));
  if (!read.success) return null;
  const { seal: mark, ...heard } = read.data;
  return seal.holds(marked(heard, file), mark) ? heard : null;
}

async function planeEvent(heard: HeardInPlane, file: string, task: string): Promise<StreamEvent> {
  const moment = Date.parse(heard.at ?? '');
  const said = heard.what === 'comment' ? await seenText(heard.value) : null;
  const stated = statedBy(heard);
  return {
    path: file,
    sourceType: 'plane',
    originAt: Number.isNaN(moment) ? null : utc(moment),
    ...{ from: heard.actor, fromName: null, to: [], subject: heard.name, quoted: '' },
    text: said === null ? heard.says : plainText(said.seen),
    ...{ bulk: false, bulkReason: null, ownNote: false, warnings: [] },
    authentication: { result: 'pass', server: heard.host, reason: 'the program asked this server itself' },
    shown: said === null || said.surelySeen === said.seen ? null : plainText(said.surelySeen),
    doubts: said?.doubts ?? [],
    about: task,
    ...(stated === null ? {} : { stated }),
  };
}

async function seenText(html: string) {
  const { readHtml } = await import('../streams/mail-html.ts');
  return readHtml(cutAt(html, MAX_TEXT));
}

/**
 * Reads what the program wrote when it heard of something in Plane. Only what carries its mark, under that very name, speaks
 * for Plane.
 */
export async function readWritten(
  { context, vault }: IndexAccess,
  file: string,
  bytes: Uint8Array,
): Promise<ParsedMail> {
  const heard = readHeard(bytes, file, context.seal);
  if (heard === null) return refused(file, "It wasn't written by Steward. Only Steward's own notes count for Plane.");
  const task = vault.catalogue.get(vault.catalogue.currentPath(heard.task));
  if (task?.kind !== 'task' || task.fields.plane_issue_id?.toLowerCase() !== heard.item) {
    return refused(file, 'Its task is gone, or has another plane_issue_id by now.');
  }
  const identity = { key: `plane ${file}`, version: '', otherwise: 'other' as const };
  return { ok: true, event: await planeEvent(heard, file, task.path), identity };
}

function refused(file: string, message: string): ParsedMail {
  const hint = 'The file stays, and has no effect.';
  return { ok: false, trouble: diagnostic({ code: 'plane-file', file, message, hint }) };
}

function statedBy({ what, value, says }: HeardInPlane): StatedChange | null {
  if (what === 'comment') return null;
  const kind = what === 'state' ? 'state_change' : 'context_edit';
  const set: Readonly<Record<string, string>> = what === 'state' ? { state: value } : { due: value };
  return {
    quote: says,
    proposal: { class: kind, set, add: {}, remove: {} },
    reasoning: `Plane says so of the work item that the task names: ${says}.`,
    extractor: 'plane (embedded)',
  };
}

// The name is part of it: a copy under another name was not heard a second time.
function marked(heard: HeardInPlane, file: string): string {
  return `plane ${file}\0${JSON.stringify(heard)}`;
}

/**
 * Writes an action as a stream file with the program's mark. The same news has the same name, and is written once. Only
 * readers of its task may read it.
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

type Linked = ReadonlyMap<string, TaskRecord>;

/** How many work items that are new to us are asked for at once. */
const MOST_NEW = 20;

/** Failures of one project that don't affect the others. */
const OF_ONE: readonly PlaneFailure['kind'][] = ['missing', 'forbidden', 'strange'];

/** How far the clock of a server may be ahead of ours. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Follows what others did in Plane with the work items of tasks: moved to done or cancelled, given another date,
 * commented. Each becomes a stream file, and from there a signal like any other. The state at the first look is no
 * news.
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
      const project = uuid.safeParse(matter.fields.plane_project_id);
      if (!project.success) continue;
      const items = found.get(project.data) ?? new Map<string, TaskRecord | null>();
      found.set(project.data, items);
      for (const task of catalogue.tasksOf(matter)) {
        const item = uuid.safeParse(task.fields.plane_issue_id);
        if (item.success) items.set(item.data, items.has(item.data) ? null : task);
      }
    }
    return new Map([...found].map(([project, items]) => [project, new Map([...items].filter(isSure))]));
  }

  async #listenTo(project: string, linked: Linked): Promise<PlaneFailure | null> {
    if (linked.size === 0) return null;
    const before = this.#space.context.state.get(PLANE_SEEN)[project] ?? null;
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

  // An item dated in the future is not the newest: otherwise no news would be seen until then.
  #latest(items: readonly WorkItem[], since: number): number {
    const end = this.#space.context.now() + MOST_AHEAD_MS;
    const moments = items.map(({ updated_at: at }) => Date.parse(at ?? ''));
    return moments.reduce(
      (latest, at) => (at <= end ? Math.max(latest, at) : latest),
      Math.max(0, since <= end ? since : 0),
    );
  }

  async #newest(project: string): Promise<PlaneResult<readonly WorkItem[]>> {
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

  async #commentsSince(project: string, item: WorkItem, known: Seen): Promise<PlaneResult<readonly News[]>> {
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
      .filter((one) => !this.#client.isOwn(one) && Date.parse(one.created_at ?? '') > since)
      .map(({ actor, created_by: creator, created_at: at, comment_html: html }): News => {
        return {
          actor: actor ?? creator,
          at,
          what: 'comment',
          value: (html ?? '').slice(0, MAX_TEXT),
          says: 'a comment',
        };
      });
    return { ok: true, value: news };
  }

  #keep(project: string, linked: Linked, { since, items }: PlaneSeen): void {
    const { state } = this.#space.context;
    const kept = Object.fromEntries(Object.entries(items).filter(([item]) => linked.has(item)));
    state.get(PLANE_SEEN)[project] = { since, items: kept };
    state.touch(PLANE_SEEN, project);
    state.save(PLANE_SEEN);
  }
}

// A name from outside is one line.
function plainLine(name: string): string {
  return name.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

type News = Pick<HeardInPlane, 'actor' | 'at' | 'what' | 'value' | 'says'>;

const MAX_SAYS = 50;

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
  const order = space.context.state.get(PLANE_ORDERS)[event];
  if (order?.wants !== 'unsaid' || !order.done) return null;
  const remark = order.remark === null ? null : fieldLine(order.remark);
  const waits = findReversals(space, event).map(({ path, name }) => sayIn(space, path, name, remark));
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

function seenAs(state: StateStore, { project_id: project, issue_id: item }: PlaneAction, now: string): void {
  const known = state.get(PLANE_SEEN)[project]?.items[item];
  if (known === undefined) return;
  known.state = now;
  state.touch(PLANE_SEEN, project);
}

/** Failures that delay every order, whichever it is about. */
const ALL: readonly PlaneFailure['kind'][] = ['away', 'key', 'busy'];
const FAULT = 'plane';
const FIRST_PAUSE_MS = 20_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Returns how long to wait after this many failures, in ms. `chance` (0–1) spreads the clients that wait for the same
 * server.
 */
export function pauseFor(tries: number, chance: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), LONGEST_PAUSE_MS);
  return Math.round(pause * (0.75 + 0.5 * chance));
}

interface SenderParts {
  readonly space: WriteAccess;
  readonly client: PlaneClient;
  readonly chance: () => number;
  readonly undone: (event: string) => void;
}

/**
 * Carries out the orders, one after the other. Everything learnt on the way is on disk before the next step relies on
 * it.
 */
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

  /**
   * Carries out the orders that can be carried out now. Returns when there is more to do (epoch ms); null if all is
   * done.
   */
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
    if (this.#space.vault.away !== null || this.#client.isPaused(this.#pausedUntil)) return null;
    return ordersInTurn(this.#space).find(([, { next }]) => !this.#client.isPaused(next)) ?? null;
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

  // Our own changes are no news when we look next.
  #remember(event: string, { wants, action, facts }: PlaneOrder): void {
    const { state } = this.#space.context;
    const now = wants === 'said' ? state.get(PLANE_ORDERS)[event]?.facts?.moved : facts?.moved && facts.former;
    if (now != null) seenAs(state, action, now);
  }

  #pause(event: string, failure: PlaneFailure): void {
    const now = this.#space.context.now();
    const isForAll = ALL.includes(failure.kind);
    const before = this.#space.context.state.get(PLANE_ORDERS)[event];
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
    const order = state.get(PLANE_ORDERS)[event];
    if (order === undefined) return;
    state.get(PLANE_ORDERS)[event] = change(order);
    state.touch(PLANE_ORDERS, event);
    state.save(PLANE_ORDERS);
  }

  #next(): number | null {
    const open = this.#space.vault.away === null ? ordersInTurn(this.#space) : [];
    if (open.length === 0) return null;
    const soonest = open.reduce((first, [, { next }]) => Math.min(first, next), Number.POSITIVE_INFINITY);
    return Math.max(soonest, this.#pausedUntil);
  }
}

/** How often Plane is asked what others did. */
const LISTEN_MS = 3 * 60_000;

interface PlaneParts {
  readonly space: WriteAccess;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly client: PlaneClient;
  /** Ends the client's requests. */
  readonly abort: AbortController;
  /** A figure from 0 to 1, another one each time. */
  readonly chance: () => number;
}

/**
 * The way between a vault and its Plane: says there what was done here, and hears what others did there. One request at
 * a time, beside everything else: however slow Plane is, the vault does not wait for it.
 */
export class PlaneWork implements Running {
  readonly #parts: PlaneParts;
  readonly #queue = new WorkQueue(1);
  readonly #sender: PlaneSender;
  readonly #ear: PlaneEar;
  #isQueued = false;
  readonly #alarm: Alarm;

  constructor(parts: PlaneParts) {
    this.#parts = parts;
    const { space, client, chance, timers } = parts;
    this.#alarm = new Alarm(timers, () => this.check());
    this.#sender = new PlaneSender({ space, client, chance, undone: (event) => this.#settle(event) });
    this.#ear = new PlaneEar(space, client);
  }

  /** Takes up what was left, and begins to listen. */
  begin(): void {
    const { space } = this.#parts;
    takeAllOrders(space);
    for (const [event, { done, wants }] of Object.entries(space.context.state.get(PLANE_ORDERS))) {
      if (done && wants === 'unsaid') this.#settle(event);
    }
    this.check();
    this.#listen();
  }

  changed(changes: readonly RecordChange[]): void {
    const answered = changes.flatMap(({ after }) =>
      after?.kind === 'event' || after?.kind === 'reversal' ? [after] : [],
    );
    for (const event of answered.flatMap((record) => takeOrder(this.#parts.space, record) ?? [])) this.#settle(event);
    if (answered.length > 0) this.check();
  }

  /** Carries out what can be carried out. */
  check(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#add(async () => {
      this.#isQueued = false;
      const next = await this.#sender.run();
      if (next !== null) this.#alarm.set(Math.max(next, this.#parts.space.context.now() + 1000));
    });
  }

  next({ now }: Awaiting): number | null {
    return this.#queue.isIdle ? null : now;
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Ends what is under way; what is not carried out is left for the next start. */
  async close(): Promise<void> {
    this.#parts.abort.abort();
    await this.#queue.close();
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

  // Errors of the disk appear in `status`, and the work is tried again with the next wake.
  #add(work: () => Promise<void>): void {
    this.#queue.add(async () => {
      try {
        await work();
        this.#parts.space.problems.faults.delete('plane-state');
      } catch (error) {
        if (!this.#parts.abort.signal.aborted) this.#parts.retries.fault('plane-state', '.steward/state', error);
      }
    });
  }
}
