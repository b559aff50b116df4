import { askChoice, clearFlag } from '../steward/answer.ts';
import { type CheckResult, decideTogether, routeSignal } from '../steward/decide.ts';
import { findMatter } from '../steward/find-event.ts';
import { look, putFindings, Touches } from '../steward/findings.ts';
import type { Mode } from '../steward/gates.ts';
import { AWAY_MS, learningOutcomes } from '../steward/outcomes.ts';
import { handsOffWords, isHandsOff } from '../steward/proposals.ts';
import { eventTarget } from '../steward/records.ts';
import {
  findSkip,
  mostTelling,
  NEWS_MS,
  noSignals,
  notLookedAt,
  type Skip,
  scheduleName,
  settlingUntil,
} from '../steward/schedule.ts';
import { isQuiet } from '../steward/settings.ts';
import { freshSignals } from '../steward/signals.ts';
import { refusalFor } from '../steward/spending.ts';
import { inPathOrder, type MatterRecord, type TargetRecord } from '../vault/record.ts';
import { inSlices, quietUntil, Turns } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import type { Context, IndexAccess, ModelAccess, Workspace } from './context.ts';
import { type Awaiting, type RetryQueue, WorkQueue } from './queue.ts';
import { planCheck, Schedules } from './schedule.ts';
import type { Timers } from './timers.ts';

/**
 * How a tick is made. `force`: also judge what is not due; `mode`: the highest mode that the caller allows, or null.
 */
interface TickOrder {
  readonly force: boolean;
  readonly mode: Mode | null;
  readonly abort: AbortSignal;
  /** The moment it was due (epoch ms). It may have waited its turn since; the next checks are counted from here. */
  readonly at: number;
}

interface Skipped extends Skip {
  readonly path: string;
}

export interface TickResult {
  readonly matter: string;
  readonly targets: number;
  /** The event notes that were written, by path. */
  readonly events: readonly string[];
  /** Whether any note had fresh signals. */
  readonly heard: boolean;
  /** Whether the rate guard or a budget held a note back: then the streak of quiet ticks stays as it is. */
  readonly guarded: boolean;
  /** The earliest moment (epoch ms) at which a note that is being edited now, or has no room, can be judged; or null. */
  readonly retryAt: number | null;
  readonly skipped: readonly Skipped[];
}

/** The signals for a note that Steward must leave alone. */
const NOTHING = { signals: [], silenced: 0 } as const;

/**
 * Ticks one matter (contract, section 5): for each of its tasks and for itself, checks whether it is due, gathers its
 * signals, judges it and moves its cursor. The work is proportional to the matter, never to the vault.
 */
export async function tick(space: Workspace, matter: MatterRecord, order: TickOrder): Promise<TickResult> {
  const events: string[] = [];
  const skipped: Skipped[] = [];
  const paths = [...space.vault.catalogue.tasksOf(matter), matter].map(({ path }) => path);
  let looked = 0;
  let heard = false;
  let retryAt: number | null = null;
  const touches = new Touches(space);
  for (const path of paths) {
    if (order.abort.aborted) {
      skipped.push({ path, code: 'unasked', reason: 'not evaluated: the check took too long' });
      continue;
    }
    // Looked up again, because a person may have changed it while the notes before it were judged.
    const target = space.vault.catalogue.get(path);
    if (target?.kind !== 'task' && target?.kind !== 'matter') continue;
    if (order.mode !== 'shadow') clearFlag(space, target);
    const handsOff = handsOffWords(space, target);
    const { signals, silenced } = handsOff !== null ? NOTHING : freshSignals(space, target);
    const passed = notLookedAt(lookAt(space, target, { handsOff, hasSignals: signals.length > 0, force: order.force }));
    if (passed !== null) {
      skipped.push({ path: target.path, ...passed });
      continue;
    }
    looked += 1;
    heard ||= signals.length > 0;
    if (signals.length === 0) look(space, target, touches);
    const decided = signals.length === 0 ? null : await decideTogether(space, target, order.mode, order.abort);
    if (decided !== null && 'event' in decided) events.push(decided.event);
    const again = againAt(decided);
    if (again !== null) retryAt = Math.min(retryAt ?? again, again);
    const unjudged = unjudgedFor(decided, silenced);
    if (unjudged !== null) skipped.push({ path: target.path, ...unjudged });
    stamp(space.context, target, decided, order.at);
  }
  const guarded = skipped.some(({ code }) => code === 'rate-guarded' || code === 'budget');
  return { matter: matter.path, targets: looked, events, heard, guarded, retryAt, skipped };
}

function quietReason({ events, skipped }: Pick<TickResult, 'events' | 'skipped'>): string | null {
  if (events.length > 0) return null;
  const telling = mostTelling(skipped);
  return telling === null || telling.code !== 'not-due' ? (telling?.reason ?? null) : 'nothing is due';
}

/** Returns why a check now would skip a note, or null if it wouldn't. Changes no note. */
export function skipNow(space: ModelAccess, target: TargetRecord): Skip | null {
  const handsOff = handsOffWords(space, target);
  const { signals, silenced } = handsOff !== null ? NOTHING : freshSignals(space, target);
  return findSkip({
    ...lookAt(space, target, { handsOff, hasSignals: signals.length > 0, force: false }),
    quietHours: isQuiet(space.context.settings, space.context.now()),
    signals: signals.length,
    silenced,
    settledAt: space.notes.fresh(target.path)?.settledAt ?? 0,
    refusal: refusalFor(space, target, signals),
  });
}

interface Found {
  readonly handsOff: string | null;
  readonly hasSignals: boolean;
  readonly force: boolean;
}

function lookAt(space: IndexAccess, target: TargetRecord, { handsOff, hasSignals, force }: Found) {
  return {
    away: space.vault.away,
    handsOff,
    state: target.fields.state,
    force,
    quietHours: false, // they skip the whole tick, before any note is looked at
    check: planCheck(space.context, target, hasSignals),
    now: space.context.now(),
  };
}

// Places leave a window one by one: those that wait for them are not looked at more than once a second.
function againAt(decided: CheckResult | null): number | null {
  if (decided?.kind === 'settling') return decided.until;
  return decided?.kind === 'guarded' ? Math.ceil(decided.refusal.freeAt / 1000) * 1000 : null;
}

function unjudgedFor(decided: CheckResult | null, silenced: number): Skip | null {
  if (decided === null) return noSignals(silenced);
  if (decided.kind === 'settling') return settlingUntil(decided.until);
  if (decided.kind === 'unasked') return { code: 'unasked', reason: `not evaluated: ${decided.reason}` };
  if (decided.kind !== 'guarded') return null;
  const { code, reason, freeAt } = decided.refusal;
  return { code, reason, until: freeAt };
}

// A rate-guarded look leaves the streak as it is. A note that was being edited, or that no model could be asked about,
// does not count as looked at.
function stamp(context: Context, target: TargetRecord, decided: CheckResult | null, at: number): void {
  if (decided !== null && ['settling', 'gone', 'unasked'].includes(decided.kind)) return;
  const cursors = context.state.get('cursors');
  const streak = cursors[target.path]?.streak ?? 0;
  const next = decided === null ? streak + 1 : decided.kind === 'guarded' ? streak : 0;
  cursors[target.path] = { at, streak: next };
  if (decided === null) context.state.touchLater('cursors', target.path);
  else context.state.touch('cursors', target.path);
}

/** A request of `steward tick`. It means all matters if no matter is named. */
export interface TickRequest {
  readonly matters: readonly string[];
  readonly force: boolean;
  readonly mode: Mode | null;
}

/**
 * Acts on strong signals, then ticks each matter (contract, 12.9). Returns a result for each matter, in order.
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
    const strong = routed.get(matter.path) ?? [];
    const events = [...strong.map(({ event }) => event), ...result.events];
    // A note whose signal was strong enough alone wasn't skipped.
    const skipped = result.skipped.filter(({ path }) => !strong.some(({ target }) => target === path));
    results.push({ ...result, events, skipped, heard: result.heard || strong.length > 0 });
    await turns.giveWay();
  }
  return withFound(space, results, await putFindings(space, true, abort));
}

// Adds to each result the event notes of the findings about its matter. Findings about other matters are left out.
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

/** A signal that was strong enough alone: its event note, and the note that it is about. */
interface Routed {
  readonly event: string;
  readonly target: string;
}

async function routeFor(
  space: Workspace,
  matters: readonly MatterRecord[],
  request: TickRequest,
): Promise<Map<string, Routed[]>> {
  const routed = new Map<string, Routed[]>();
  const turns = new Turns();
  for (const matter of matters) {
    await turns.giveWay();
    const targets = [matter, ...space.vault.catalogue.tasksOf(matter)];
    for (const signal of targets.flatMap((target) => space.vault.catalogue.signalsFor(target))) {
      const decided = await routeSignal(space, signal, request.mode);
      const target = space.vault.catalogue.targetOf(signal);
      if (decided === null || !('event' in decided) || target === null) continue;
      routed.set(matter.path, [...(routed.get(matter.path) ?? []), { event: decided.event, target: target.path }]);
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
  /** The tasks about which there is news, by path. */
  readonly #news = new Set<string>();
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

  /** Evaluates the news about a task soon, with what else comes in the meantime. */
  newsAbout(path: string): void {
    if (this.#news.has(path)) return;
    this.#news.add(path);
    this.#timers.at(this.#space.context.now() + NEWS_MS, () => this.#queue.add(() => this.#evaluate(path)));
  }

  async #evaluate(path: string): Promise<void> {
    const space = this.#space;
    this.#news.delete(path);
    const task = space.vault.catalogue.get(path);
    if (space.vault.away !== null || this.#isClosed || task?.kind !== 'task') return;
    if (isHandsOff(space, task)) return;
    const quiet = quietUntil(space.context.settings.quiet_hours, space.context.now());
    if (quiet !== null) {
      this.#timers.at(quiet, () => this.newsAbout(path));
      return;
    }
    try {
      // The cursor stays as it is: this is no check, and the next one comes when it would have come.
      const again = againAt(await this.#within((abort) => decideTogether(space, task, null, abort)));
      if (again !== null) this.#timers.at(again, () => this.newsAbout(path));
      space.problems.faults.delete(`news ${path}`);
    } catch (error) {
      this.#retries.fault(`news ${path}`, path, error);
    }
  }

  /**
   * When the next check is at the latest (epoch ms), if slow ones may be late by `slackMs`: now while one runs, null if
   * no check is to come.
   */
  next({ now }: Pick<Awaiting, 'now'>, slackMs = 0): number | null {
    return this.#queue.isIdle ? this.schedules.latest(slackMs) : now;
  }

  idle(): Promise<void> {
    return this.#queue.idle();
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
    const timer = setTimeout(() => cut.abort(new DOMException('the check took too long', 'TimeoutError')), TICK_CUT_MS);
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
    if (schedule.running) this.#skipped(name, 'the last check is still running');
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
