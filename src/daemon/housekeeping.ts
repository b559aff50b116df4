import { followLicence } from '../steward/licence.ts';
import { AWAY_MS, LATE_MS, learningOutcomes } from '../steward/outcomes.ts';
import { scheduleName } from '../steward/schedule.ts';
import type { Move } from '../vault/index.ts';
import type { DisplacedFiles } from '../vault/publish.ts';
import type { Vault } from '../vault/vault.ts';
import type { StartedCapability } from './capability.ts';
import type { IndexAccess, Workspace } from './context.ts';
import { within } from './faults.ts';
import { followEnded } from './managed-notes.ts';
import type { RetryQueue } from './queue.ts';
import type { StateStore } from './state.ts';
import { earliest, type Timers } from './timers.ts';

const EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * EVERY_MS;

interface HousekeepingParts {
  readonly space: Workspace;
  readonly displaced: DisplacedFiles;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly started: readonly StartedCapability[];
}

/**
 * The daemon's work once an hour: learns from outcomes, lets notes say what can be taken back no more, and forgets what
 * is over.
 */
export class Housekeeping {
  readonly #parts: HousekeepingParts;
  #ranAt = 0;
  #hasLookedBack = false;

  constructor(parts: HousekeepingParts) {
    this.#parts = parts;
  }

  /** Runs if an hour has passed, in whichever direction the clock went, or if something is due. */
  check(): void {
    const now = this.#parts.space.context.now();
    if (Math.abs(now - this.#ranAt) >= EVERY_MS || (this.next() ?? now + 1) <= now) this.run();
  }

  /**
   * When there is next something to do (epoch ms): an undo window closes, or, in a vault with notes, a day is over.
   * Null if no work is to come.
   */
  next(): number | null {
    const { vault } = this.#parts.space;
    const expiry = vault.catalogue.chronicle.nextExpiry(this.#ranAt);
    return earliest([expiry === null ? null : expiry + 1, vault.catalogue.size > 0 ? this.#ranAt + DAY_MS : null]);
  }

  run(): void {
    const { space, displaced, retries, started } = this.#parts;
    this.#ranAt = space.context.now();
    this.#learn();
    retries.addSteps('licences', 'licence', function* () {
      for (const { path } of space.vault.catalogue.licences()) {
        followLicence(space, path);
        yield;
      }
    });
    retries.addSteps('ended', 'event', () => followEnded(space, space.context.now() - LATE_MS));
    retries.addSteps('history', '.steward/history', function* () {
      displaced.prune();
      yield* pruneState(space);
      yield;
      for (const { capability, running } of started) yield* within(capability, () => running.prune?.() ?? []);
    });
  }

  // Far back at the start, and then the last days, among them what the sync brought late.
  #learn(): void {
    this.#parts.retries.addSteps('outcomes', 'instinct', () => this.#learning());
  }

  *#learning(): Generator<void> {
    const { space, timers } = this.#parts;
    const back = this.#hasLookedBack ? LATE_MS : AWAY_MS;
    const retryAt = yield* learningOutcomes(space, space.context.now() - back);
    this.#hasLookedBack = true;
    if (retryAt !== null) timers.at(retryAt, () => this.#learn());
  }
}

/** Carries what is remembered about a note over to its new path, and keeps links to the old path working. */
export function carryOver(vault: Vault, state: StateStore, [from, to]: Move): void {
  for (const former of vault.catalogue.moves.remember(from.path, to.path)) rememberMove(vault, state, former);
  carryCursor(state, from.path, to.path);
  carryPerceived(state, from.path, to.path);
  carrySpent(state, from.path, to.path);
  if (from.kind !== 'matter' || to.kind !== 'matter') return;
  const schedules = state.get('schedules');
  const known = schedules[scheduleName(from)];
  if (known === undefined) return;
  schedules[scheduleName(to)] = { ...known, path: to.path };
  state.touch('schedules', scheduleName(to));
}

function rememberMove({ catalogue: { moves } }: Vault, state: StateStore, former: string): void {
  const [known, now] = [state.get('moves'), moves.whereTo(former)];
  if (now === null) delete known[former];
  else known[former] = now;
  state.touch('moves', former);
}

/** Restores the moves of earlier runs, and carries over those made while no daemon ran. */
export function takeUpMoves(vault: Vault, state: StateStore): void {
  for (const [from, to] of Object.entries(state.get('moves'))) vault.catalogue.moves.remember(from, to);
  for (const move of vault.movedMeanwhile) carryOver(vault, state, move);
}

function carryCursor(state: StateStore, from: string, to: string): void {
  const cursors = state.get('cursors');
  const known = cursors[from];
  if (known === undefined) return;
  cursors[to] = known;
  state.touch('cursors', to);
}

// Else it would be found once more under its new path.
function carryPerceived(state: StateStore, from: string, to: string): void {
  for (const name of ['perceived', 'touched', 'edited'] as const) {
    rename(state.get(name), from, to);
    for (const path of [from, to]) state.touch(name, path);
  }
}

function rename(remembered: Record<string, unknown>, from: string, to: string): void {
  const known = remembered[from];
  if (known === undefined) return;
  remembered[to] = known;
  delete remembered[from];
}

// The cost of a note counts under its new path.
function carrySpent(state: StateStore, from: string, to: string): void {
  const there = (path: string | null) => (path === from ? to : path);
  const guard = state.get('rate-guard');
  if (guard.entries.some(({ task, matter }) => task === from || matter === from)) {
    const entries = guard.entries.map((one) => ({ ...one, task: there(one.task), matter: there(one.matter) }));
    state.set('rate-guard', { ...guard, entries });
  }
  const budget = state.get('budget');
  if (budget.entries.some(({ matter }) => matter === from)) {
    state.set('budget', { ...budget, entries: budget.entries.map((one) => ({ ...one, matter: there(one.matter) })) });
  }
  const { rows } = state.get('ledger');
  if (!rows.some(({ matter }) => matter === from)) return;
  state.set('ledger', { rows: rows.map((one) => ({ ...one, matter: there(one.matter) })) });
}

/** How long the schedule of a removed matter is remembered, so that a note that comes back continues its schedule. */
const KEEP_SCHEDULE_MS = 30 * 24 * 60 * 60 * 1000;

/** How long it is remembered of a signal that its mail is in the account. */
const KEEP_CLEARED_MS = 400 * 24 * 60 * 60 * 1000;

/** How long an undismissed warning of suspicious mails stays. */
const KEEP_SUSPECTS_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Forgets what is remembered about notes and files that are gone, so that the state grows no larger than the vault.
 * Pauses after each entry.
 */
export function* pruneState(space: IndexAccess): Generator<void> {
  const {
    vault,
    context: { state },
  } = space;
  const { now } = space.context;
  const isThere = (path: string) => vault.catalogue.saved.has(path); // without parsing any record
  const retired = state.get('retired');
  const isSignal = (name: string) => vault.catalogue.named(name).some(({ kind }) => kind === 'signal');
  yield* state.forget('weighed', state.get('weighed'), (name) => retired[name] === undefined && !isSignal(name));
  yield* state.forget('cleared', state.get('cleared'), (_, at) => now() - at > KEEP_CLEARED_MS);
  yield* state.forget('suspects', state.get('suspects'), (_, { last }) => now() - last > KEEP_SUSPECTS_MS);
  yield* state.forget('guarded', state.get('guarded'), (_, until) => until < now());
  yield* state.forget('cursors', state.get('cursors'), (path) => !isThere(path));
  const isKept = ({ path, last }: { path: string; last: number | null }) =>
    isThere(path) || (last !== null && now() - last < KEEP_SCHEDULE_MS);
  yield* state.forget('schedules', state.get('schedules'), (_, known) => !isKept(known));
  yield* state.forget('perceived', state.get('perceived'), (path) => !isThere(path));
  yield* state.forget('touched', state.get('touched'), (path) => !isThere(path));
  yield* state.forget('edited', state.get('edited'), (path) => !isThere(path));
  followMoves(state, vault.catalogue.moves.toRecord(isThere));
}

// A note that was gone may be back, and the moves that lead to it with it.
function followMoves(state: StateStore, moves: Readonly<Record<string, string>>): void {
  const known = state.get('moves');
  const wanted = new Map(Object.entries(moves));
  for (const former of new Set([...Object.keys(known), ...wanted.keys()])) {
    const to = wanted.get(former);
    if (known[former] === to) continue;
    if (to === undefined) delete known[former];
    else known[former] = to;
    state.touch('moves', former);
  }
}
