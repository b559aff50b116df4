import type { Mode } from '../steward/gates-rounding.ts';
import { scheduleName } from '../steward/schedule.ts';
import { inPathOrder, type MatterRecord } from '../vault/index/record.ts';
import { inSlices, Turns } from '../vault/slices.ts';
import type { Vault } from '../vault/watch.ts';
import { findMatter } from './answers/orders.ts';
import { askChoice } from './ask-choice.ts';
import { type Context, isQuiet, type Workspace } from './context.ts';
import { routeSignal } from './decide.ts';
import { eventTarget } from './effective-mode.ts';
import { AWAY_MS, learningOutcomes } from './outcomes.ts';
import { putFindings } from './perception.ts';
import { type RetryQueue, WorkQueue } from './queues.ts';
import { quietReason, type TickOrder, type TickResult, tick } from './schedule/tick.ts';
import { Schedules } from './schedule.ts';
import type { Timers } from './timers.ts';

/** What `steward tick` asks for. All matters where none is named. */
export interface TickRequest {
  readonly matters: readonly string[];
  readonly force: boolean;
  readonly mode: Mode | null;
}

/**
 * Acts on strong signals, then ticks each matter (contract, section 16). Returns a result for each matter, in order.
 * Throws `matter-unknown`.
 */
export async function tickAll(space: Workspace, request: TickRequest, abort: AbortSignal): Promise<TickResult[]> {
  const matters =
    request.matters.length === 0
      ? (await inSlices(livingMatters(space.vault))).sort(inPathOrder)
      : request.matters.map((name) => findMatter(space.vault, name));
  const turns = new Turns();
  await inSlices(learningOutcomes(space, space.context.now() - AWAY_MS));
  for (const signal of space.vault.catalogue.waiting('signal')) {
    askChoice(space, signal);
    await turns.giveWay();
  }
  const routed = await routeFor(space, matters, request);
  const order: TickOrder = { force: request.force, mode: request.mode, abort, at: space.context.now() };
  const results: TickResult[] = [];
  for (const matter of matters) {
    const result = await tick(space, matter, order);
    const events = [...(routed.get(matter.path) ?? []), ...result.events];
    results.push({ ...result, events, heard: result.heard || routed.has(matter.path) });
    await turns.giveWay();
  }
  return withFound(space, results, await putFindings(space, true, abort));
}

// What is put to the person stands with the matter that it is about; of others, nothing was asked.
function withFound(space: Workspace, results: readonly TickResult[], found: readonly string[]): TickResult[] {
  const { catalogue } = space.vault;
  const matterOf = (path: string) => {
    const event = catalogue.get(path);
    const target = event?.kind === 'event' ? eventTarget(space.vault, event) : null;
    return target?.kind === 'task' ? catalogue.matterOf(target)?.path : target?.path;
  };
  return results.map((result) => ({
    ...result,
    events: [...result.events, ...found.filter((path) => matterOf(path) === result.matter)],
  }));
}

async function routeFor(
  space: Workspace,
  matters: readonly MatterRecord[],
  request: TickRequest,
): Promise<Map<string, string[]>> {
  const routed = new Map<string, string[]>();
  const turns = new Turns();
  for (const matter of matters) {
    await turns.giveWay();
    const targets = [matter, ...space.vault.catalogue.tasksOf(matter)];
    for (const signal of targets.flatMap((target) => space.vault.catalogue.signalsFor(target))) {
      const decided = await routeSignal(space, signal, request.mode);
      if (decided !== null && 'event' in decided) {
        routed.set(matter.path, [...(routed.get(matter.path) ?? []), decided.event]);
      }
    }
  }
  return routed;
}

function* livingMatters({ catalogue }: Vault): Generator<void, MatterRecord[]> {
  const living: MatterRecord[] = [];
  for (const matter of catalogue.each('matter')) {
    const { state, steward } = matter.fields;
    const isLiving = state !== 'done' && state !== 'archived' && steward;
    if (isLiving && catalogue.namesakes(matter).length === 0) living.push(matter);
    yield;
  }
  return living;
}

/** The longest a tick may take before it is cut off, in ms (contract, section 4). */
export const TICK_CUT_MS = 5 * 60 * 1000;
const AT_ONCE = 4;

/** Ticks each matter when its schedule is due, and never twice at a time. */
export class Ticker {
  readonly schedules: Schedules;
  readonly #space: Workspace;
  readonly #retries: RetryQueue;
  readonly #timers: Timers;
  readonly #queue: WorkQueue;
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(parts: { space: Workspace; retries: RetryQueue; timers: Timers }) {
    this.#space = parts.space;
    this.#retries = parts.retries;
    this.#timers = parts.timers;
    this.#queue = new WorkQueue(AT_ONCE, parts.space.context.turn);
    const {
      vault,
      context: { emit: say, state, now, settings },
    } = parts.space;
    this.schedules = new Schedules({
      catalogue: vault.catalogue,
      state,
      now,
      defaultSchedule: settings.default_schedule,
      listener: {
        due: (name) => this.#due(name),
        provisioned: ({ name, reason, next }) =>
          say({ what: 'schedule-provisioned', name, cadence: reason, next: next ?? 0 }),
        removed: (name, reason) => say({ what: 'schedule-removed', name, reason }),
      },
    });
  }

  /** Ticks now, as a command asks for it. Throws `matter-unknown`. */
  async now(request: TickRequest): Promise<TickResult[]> {
    const results = await this.#within((abort) => tickAll(this.#space, request, abort));
    const turns = new Turns();
    for (const result of results) {
      const matter = this.#space.vault.catalogue.get(result.matter);
      if (matter?.kind === 'matter') this.#ticked(matter, result);
      await turns.giveWay();
    }
    this.#space.context.state.hurry(); // what somebody asked for is not forgotten
    return results;
  }

  /** When the next tick is (epoch ms): now while one runs, null where none is to come. */
  restsUntil(now: number): number | null {
    return this.#queue.isIdle ? this.schedules.next : now;
  }

  /** Resolves when no tick is queued or running. */
  drained(): Promise<void> {
    return this.#queue.drained();
  }

  /** Stops the ticks: an evaluation under way is aborted, and its note left as it is. */
  close(): Promise<void> {
    this.schedules.pause();
    this.#isClosed = true;
    for (const cut of this.#running) cut.abort();
    return this.#queue.close();
  }

  // A timer for each that ends with it: one of Node's own signals stays for as long as a tick may take.
  async #within<Result>(work: (abort: AbortSignal) => Promise<Result>): Promise<Result> {
    const cut = new AbortController();
    if (this.#isClosed) cut.abort();
    const timer = setTimeout(() => cut.abort(new DOMException('the tick took too long', 'TimeoutError')), TICK_CUT_MS);
    this.#running.add(cut);
    try {
      return await work(cut.signal);
    } finally {
      clearTimeout(timer);
      this.#running.delete(cut);
    }
  }

  #due(name: string): void {
    const schedule = this.schedules.get(name);
    if (schedule === undefined) return;
    if (schedule.running) this.#skipped(name, 'the last tick is still running');
    else if (isQuiet(this.#space.context.settings, this.#space.context.now()))
      this.#skippedQuietly(name, schedule.matter);
    else {
      this.schedules.mark(name, true);
      const at = this.#space.context.now();
      this.#queue.add(() => this.#tick(name, schedule.matter, at));
    }
  }

  async #tick(name: string, path: string, at: number): Promise<void> {
    const space = this.#space;
    try {
      const matter = space.vault.catalogue.get(path);
      if (space.vault.away !== null) return this.#skipped(name, 'the vault is away');
      if (matter?.kind !== 'matter') return;
      const { result, found } = await this.#within(async (abort) => ({
        result: await tick(space, matter, { force: false, mode: null, abort, at }),
        found: await putFindings(space, false, abort),
      }));
      this.schedules.mark(name, false);
      this.#ticked(matter, result);
      const events = [...result.events, ...found];
      const said = { targets: result.targets, events: events.length, skipped: quietReason({ ...result, events }) };
      space.context.emit({ what: 'ticked', name, ...said });
      if (result.retryAt !== null) this.#timers.at(result.retryAt, () => this.#due(name));
      space.problems.faults.delete(`tick ${name}`);
    } catch (error) {
      this.#retries.fault(`tick ${name}`, path, error);
    } finally {
      this.schedules.mark(name, false);
    }
  }

  #ticked(matter: MatterRecord, result: TickResult): void {
    rememberTick(this.#space.context, matter, result);
    this.schedules.follow(matter); // the streak and the cursors set the next firing
  }

  // As after a tick, and after a start: the tasks are taken into account.
  #skippedQuietly(name: string, path: string): void {
    this.#skipped(name, 'quiet hours');
    const matter = this.#space.vault.catalogue.get(path);
    if (matter?.kind === 'matter') this.schedules.follow(matter);
  }

  #skipped(name: string, reason: string): void {
    const schedules = this.#space.context.state.get('schedules');
    const known = schedules[name];
    if (known !== undefined) schedules[name] = { ...known, skipped: reason };
    this.#space.context.state.touchLater('schedules', name);
    this.#space.context.emit({ what: 'skipped', name, reason });
  }
}

/** Remembers when a matter was ticked, why nothing was judged, and for how many ticks it has been quiet. */
export function rememberTick(context: Context, matter: MatterRecord, result: TickResult): void {
  const name = scheduleName(matter);
  const schedules = context.state.get('schedules');
  const before = schedules[name];
  const quiet = before?.streak ?? 0;
  const streak = result.guarded ? quiet : result.heard ? 0 : quiet + 1;
  const skipped = quietReason(result);
  const isQuiet = !result.heard && !result.guarded && result.events.length === 0;
  const due = before?.due ?? null;
  schedules[name] = { path: matter.path, last: context.now(), skipped, streak, heard: null, fired: null, due };
  if (isQuiet) context.state.touchLater('schedules', name);
  else context.state.touch('schedules', name);
}
