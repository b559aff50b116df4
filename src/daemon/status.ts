import { spenders, spent } from '../steward/budget.ts';
import { currentMode, discretionThreshold, effectiveThresholds } from '../steward/gates.ts';
import { findingsByMatter, type WaitingEntry } from '../steward/inbox.ts';
import type { MatterFindings } from '../steward/inbox-words.ts';
import { knownInstincts } from '../steward/instinct.ts';
import { licenceState, unauthenticable } from '../steward/licence.ts';
import { openProposals } from '../steward/proposals.ts';
import { backoffUntil, slotUsage } from '../steward/rate-guard.ts';
import { targetPath } from '../steward/records.ts';
import { cadenceWords } from '../steward/schedule.ts';
import { pendingSignals } from '../steward/signals.ts';
import {
  type Costs,
  effectiveCaps,
  type HoldingWindow,
  heldWords,
  isHoldingWindow,
  sumCosts,
} from '../steward/spending.ts';
import { fieldLine } from '../vault/note-text.ts';
import type { KeptBytes } from '../vault/publish.ts';
import { addressFirst, parsePattern } from '../vault/source-names.ts';
import { atOnce, iso, quietUntil } from '../vault/time.ts';
import type { Context, IndexAccess, ReadAccess, Workspace } from './context.ts';
import type { Problem } from './problem-list.ts';
import { attentionNow, collectProblems } from './problems.ts';
import type { Schedule } from './schedule.ts';

/** The core's part of `status`. Fields may be added, never renamed. Times are ISO, UTC. */
export interface CoreStatus {
  readonly schemaVersion: 1;
  readonly at: string;
  readonly vault: {
    readonly path: string;
    readonly state: 'present' | 'away';
    readonly reason: string | null;
    readonly notes: number;
  };
  readonly daemon: DaemonStatus;
  readonly mode: { readonly ceiling: string; readonly vault: string | null; readonly effective: string };
  readonly evaluator: string;
  readonly extractor: string;
  readonly schedules: readonly ScheduleStatus[];
  /** The decisions that wait for the user (contract, section 17). */
  readonly waiting: readonly WaitingEntry[];
  readonly warnings: readonly WaitingEntry[];
  /** Signals that were read and are still to be evaluated: for which note, why not yet, and when. */
  readonly pending: readonly PendingStatus[];
  /** Findings without a signal, one entry for each matter, the most pressing first (contract, section 17). */
  readonly findings: readonly MatterFindings[];
  readonly proposals: readonly ListedProposal[];
  readonly gates: {
    /**
     * `minute`, `hour` and `day`: the dispatches to models, whoever made them. `task` and `matter`: those of the one that
     * used most.
     */
    readonly rateGuard: Readonly<Record<string, { readonly used: number; readonly cap: number }>>;
    readonly backoffUntil: string | null;
    /** Waiting files and notes, because a window of the rate guard or the budget is full. */
    readonly held: readonly HeldBack[];
    /** For the last 24 hours; a cap is null for no limit. */
    readonly budget: {
      readonly vault: BudgetStatus;
      readonly matters: readonly MatterBudget[];
      /** Of all vaults of this process together; null if they share no budget. */
      readonly shared: BudgetStatus | null;
    };
    readonly thresholds: { readonly confidence: number; readonly highConfidence: number };
  };
  /** The use of models, by model and for the matters that used most. */
  readonly costs: Costs;
  readonly sources: readonly SourceStatus[];
  /** Who may act without asking: the note of each licence that counts now, and its sender. */
  readonly licences: readonly {
    readonly note: string;
    readonly sender: string;
    /** Why the settings don't let it have an effect yet; null if they do. */
    readonly lacking: string | null;
  }[];
  readonly kept: readonly KeptBytes[];
  readonly conflictCopies: number;
  readonly trouble: readonly Problem[];
  /** Problems that the user knows and has hidden until they recur. */
  readonly knownTrouble: readonly Problem[];
}

/** Whether a daemon runs, and since when. `stalled`: it runs, but does not answer. */
export interface DaemonStatus {
  readonly state: 'running' | 'stalled' | 'stopped';
  readonly pid: number | null;
  readonly since: string | null;
}

/** The schedule of one matter, with its last and next check. */
export interface ScheduleStatus {
  readonly name: string;
  readonly matter: string;
  readonly state: 'waiting' | 'running';
  readonly cadence: string;
  readonly reason: string;
  readonly last: string | null;
  readonly next: string | null;
  readonly skipped: string | null;
}

/** The use of models in the last 24 hours, and the caps. */
export interface BudgetStatus {
  readonly tokens: number;
  /** US dollars. */
  readonly usd: number;
  readonly caps: { readonly tokens: number | null; readonly usd: number | null };
}

interface MatterBudget extends BudgetStatus {
  readonly matter: string;
}

interface PendingStatus {
  readonly signal: string;
  readonly target: string;
  readonly from: string | null;
  readonly reason: string;
  /** ISO, UTC; null if this isn't known. */
  readonly until: string | null;
}

interface ListedProposal {
  readonly event: string;
  readonly target: string | null;
  readonly decision: string;
  readonly confidence: number;
  /** Seconds since it was made. */
  readonly age: number;
  /** `stale`: the note has changed since, and the signals are weighed again at the next check. */
  readonly standing: 'waiting' | 'stale';
  /** Why it is stale, or null. */
  readonly reason: string | null;
}

interface SourceStatus {
  readonly source: string;
  readonly confidence: number;
  readonly observations: number;
  readonly threshold: number;
  readonly status: string;
  readonly wrong: number;
  readonly pinned: boolean;
}

/**
 * Files or notes that have no room just now: how many, in which window of the rate guard or the budget, and until when.
 */
export interface HeldBack {
  /** Files that wait to be read, or notes that wait to be judged. */
  readonly what: 'files' | 'notes';
  readonly count: number;
  readonly window: string;
  readonly until: string;
  /** `60 questions a minute are reached, goes on at 09:14`. */
  readonly reason: string;
}

/** Returns the status of the core, from memory. Reads only notes that have a problem. */
export function coreStatus(space: Workspace, schedules: readonly ScheduleStatus[], daemon: DaemonStatus): CoreStatus {
  const now = space.context.now();
  const guard = space.context.state.get('rate-guard');
  const until = backoffUntil(guard, now);
  const kept = space.context.state.get('kept');
  const { shown: trouble, hidden: knownTrouble } = collectProblems(space);
  const { decisions, warnings } = attentionNow(space, trouble);
  return {
    schemaVersion: 1,
    at: iso(now),
    vault: {
      path: space.vault.root,
      state: space.vault.away === null ? 'present' : 'away',
      reason: space.vault.away,
      notes: space.vault.catalogue.size,
    },
    daemon,
    mode: {
      ceiling: space.context.env.ceiling,
      vault: space.context.settings.mode,
      effective: currentMode(space.context, null),
    },
    evaluator: space.models.evaluator.name,
    extractor: space.models.extractor.name,
    schedules,
    waiting: decisions,
    warnings,
    pending: pendingOf(space, schedules, daemon),
    findings: atOnce(findingsByMatter(space)) ?? [],
    proposals: proposalsOf(space, now),
    gates: {
      rateGuard: slotUsage(guard, now),
      backoffUntil: until === null ? null : iso(until),
      held: heldBack(space),
      budget: budgetOf(space.context, now),
      thresholds: effectiveThresholds(space.context),
    },
    costs: sumCosts(space.context),
    sources: sourcesOf(space),
    licences: validLicences(space),
    kept,
    conflictCopies: space.vault.conflictCopies.size,
    trouble,
    knownTrouble,
  };
}

/** News about an open task is evaluated within this time (ms; contract, section 5). */
const NEWS_WITHIN_MS = 60_000;

function pendingOf(
  space: Workspace,
  schedules: readonly ScheduleStatus[],
  { state, since }: DaemonStatus,
): readonly PendingStatus[] {
  const { settings, now } = space.context;
  const guarded = Object.entries(space.context.state.get('guarded'));
  const quiet = quietUntil(settings.quiet_hours, now());
  const runs = state === 'running';
  return pendingSignals(space).map(({ signal, target, isNews }) => {
    const { from } = signal.fields;
    const matter = target.kind === 'matter' ? target : space.vault.catalogue.matterOf(target);
    const next = schedules.find((one) => one.matter === matter?.path)?.next ?? null;
    const held = guarded.find(([key, until]) => key.startsWith(`${target.path} `) && until > now());
    const entry = {
      signal: signal.path,
      target: target.path,
      from: from === null ? null : fieldLine(addressFirst(from)),
    };
    if (!runs) return { ...entry, reason: 'the daemon is stopped; steward tick evaluates now', until: null };
    if (quiet !== null) return { ...entry, reason: 'quiet hours', until: iso(quiet) };
    if (held !== undefined) return { ...entry, reason: 'questions to models have no room', until: iso(held[1]) };
    if (isNews) {
      const read = Math.max(Date.parse(signal.fields.created ?? '') || 0, Date.parse(since ?? '') || 0);
      const until = read + NEWS_WITHIN_MS;
      return { ...entry, reason: 'evaluated within a minute', until: until < now() ? null : iso(until) };
    }
    return { ...entry, reason: 'evaluated at the next check', until: next };
  });
}

interface Held {
  readonly window: HoldingWindow;
  /** Epoch milliseconds. */
  readonly freeAt: number;
}

/** Returns what waits for room, each kind and window once, with the moment at which the first of it goes on. */
function heldBack(space: Workspace): HeldBack[] {
  const now = space.context.now();
  return [...grouped('files', heldFiles(space, now), now), ...grouped('notes', heldNotes(space, now), now)];
}

// One whose time has come and that still waits has its turn as soon as those before it have had theirs.
function heldFiles({ ingest }: Workspace, now: number): Held[] {
  return [...ingest.waiting.values()].flatMap(({ window, at }) =>
    window !== null && isHoldingWindow(window) ? [{ window, freeAt: Math.max(at, now) }] : [],
  );
}

/** The notes about which it was said that there is no room, as long as that holds. */
function heldNotes({ context: { state } }: Workspace, now: number): Held[] {
  return Object.entries(state.get('guarded')).flatMap(([key, freeAt]) => {
    const window = key.slice(key.lastIndexOf(' ') + 1);
    return freeAt > now && isHoldingWindow(window) ? [{ window, freeAt }] : [];
  });
}

function grouped(what: HeldBack['what'], held: readonly Held[], now: number): HeldBack[] {
  return [...Map.groupBy(held, ({ window }) => window)].map(([window, those]) => {
    const freeAt = those.reduce((soonest, one) => Math.min(soonest, one.freeAt), Number.POSITIVE_INFINITY);
    return { what, count: those.length, window, until: iso(freeAt), reason: heldWords({ window, freeAt }, now) };
  });
}

/** Returns what models used in the last 24 hours, and what they may. */
function budgetOf(context: Context, now: number): CoreStatus['gates']['budget'] {
  const budget = context.state.get('budget');
  const caps = effectiveCaps(context);
  const matterCaps = { tokens: caps.matterTokens, usd: caps.matterUsd };
  return {
    vault: { ...spent(budget, now), caps: { tokens: caps.vaultTokens, usd: caps.vaultUsd } },
    matters: spenders(budget, now).map((matter) => ({ matter, ...spent(budget, now, matter), caps: matterCaps })),
    shared: context.env.sharedBudget?.spent(now) ?? null,
  };
}

/** Returns schedules as `status` shows them. */
export function scheduleStatuses(context: Context, schedules: readonly Schedule[]): readonly ScheduleStatus[] {
  return schedules.map((schedule) => scheduleStatus(context, schedule));
}

function scheduleStatus(context: Context, schedule: Schedule): ScheduleStatus {
  const known = context.state.get('schedules')[schedule.name];
  return {
    name: schedule.name,
    matter: schedule.matter,
    state: schedule.running ? 'running' : 'waiting',
    cadence: cadenceWords(schedule.cadence),
    reason: schedule.reason,
    last: known?.last ? iso(known.last) : null,
    next: schedule.next === null ? null : iso(schedule.next),
    skipped: known?.skipped ?? null,
  };
}

function proposalsOf(space: ReadAccess, now: number): ListedProposal[] {
  return openProposals(space).map(({ event, state: status }) => ({
    event: event.name,
    target: targetPath(space.vault, event),
    decision: event.fields.decision,
    confidence: event.fields.confidence,
    age: Math.max(0, Math.round((now - Date.parse(event.fields.timestamp)) / 1000)) || 0,
    standing: status.kind,
    reason: status.kind === 'stale' ? status.reason : null,
  }));
}

// Channels first, then who spoke in them.
function sourcesOf(space: IndexAccess): SourceStatus[] {
  return knownInstincts(space)
    .map(({ source, confidence, observations, wrong, status, pinned }) => {
      const threshold = discretionThreshold(observations, null);
      return { source, confidence, observations, threshold, status, wrong, pinned };
    })
    .sort((one, other) => rank(one) - rank(other) || (one.source < other.source ? -1 : 1));
}

function rank({ source }: SourceStatus): number {
  return parsePattern(source) === null ? 0 : 1;
}

function validLicences(space: IndexAccess): CoreStatus['licences'] {
  return space.vault.catalogue
    .licences()
    .filter((record) => licenceState(space, record) === 'valid')
    .map(({ path, fields: { sender } }) => ({ note: path, sender, lacking: unauthenticable(space, sender) }));
}
