import type { Waiting } from '../../steward/attention/waiting.ts';
import { spenders, spent } from '../../steward/gates/budget.ts';
import { discretionThreshold } from '../../steward/gates/gate.ts';
import { questionUsage } from '../../steward/gates/questions.ts';
import { backoffUntil, type RateGuardState, usage } from '../../steward/gates/rate-guard.ts';
import { knownInstincts } from '../../steward/learning/sources.ts';
import { openProposals } from '../../steward/proposals/proposal-status.ts';
import { cadenceWords } from '../../steward/schedule/schedule.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import { patternOf } from '../../vault/source-names.ts';
import { iso, localDate } from '../../vault/time.ts';
import type { KeptBytes } from '../../vault/transaction/displaced-files.ts';
import { type Costs, costsOf } from '../budget/costs.ts';
import { capsOf } from '../budget/reservation.ts';
import { modeOf, thresholdsOf } from '../context/effective-mode.ts';
import { targetPath } from '../context/event-target.ts';
import type { Context, DatedDiagnostic, IndexAccess, ReadAccess, Workspace } from '../context/ports.ts';
import { type RetentionStatus, retentionStatus } from '../retention/status.ts';
import type { Schedule } from '../schedule/schedules.ts';
import type { SourceStanding } from '../sources/source-standing.ts';
import { type HeldBack, heldBack } from './held-back.ts';
import { type NotifyStatus, notifyStatus } from './outward/notify-status.ts';
import { type PlaneStatus, planeStatus } from './outward/plane-status.ts';
import { problemsOf } from './problems.ts';
import { knownStandings } from './source-problems.ts';
import { type StreamCounts, streamsOf } from './stream-counts.ts';
import { waitingNow } from './waiting-now.ts';

/** `status --json` (contract, section 16). Fields may be added, never renamed. Times are ISO, UTC. */
export interface Status {
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
  /** Everything that waits for a person (contract, section 17). */
  readonly waiting: readonly Waiting[];
  readonly proposals: readonly ListedProposal[];
  readonly gates: {
    /**
     * `minute`, `hour` and `day`: the questions that were put to a provider, by whomever. `task` and `matter`: the looks at
     * the one that took most. `looks_minute`, `looks_hour` and `looks_day`: those at all notes.
     */
    readonly rateGuard: Readonly<Record<string, { readonly used: number; readonly cap: number }>>;
    readonly backoffUntil: string | null;
    /** What has no room in a window of the rate guard or in the budget. */
    readonly held: readonly HeldBack[];
    /** For the last 24 hours; a cap is null where there is none. */
    readonly budget: { readonly vault: BudgetStatus; readonly matters: readonly MatterBudget[] };
    readonly thresholds: { readonly confidence: number; readonly highConfidence: number };
  };
  /** What models used, by model and for the matters that used most. */
  readonly costs: Costs;
  readonly sources: readonly SourceStatus[];
  readonly streams: StreamCounts;
  /** How many edits by hand were heard today, and how many were too many at once. */
  readonly edits: { readonly heard: number; readonly passed: number };
  /** What leaves the vault in time; null where everything is kept. */
  readonly retention: RetentionStatus | null;
  /** The sources that are asked: one for each source note. */
  readonly sourceNotes: readonly SourceStanding[];
  /** What is still to be told to Plane; null where nothing is. */
  readonly plane: PlaneStatus | null;
  /** Messages to the person; null where no channel is named and none are asked for. */
  readonly notify: NotifyStatus | null;
  readonly kept: readonly KeptBytes[];
  readonly conflictCopies: number;
  readonly trouble: readonly Diagnostic[];
}

/** Whether a daemon runs, and since when. `stalled`: it runs, but does not answer. */
export interface DaemonStatus {
  readonly state: 'running' | 'stalled' | 'stopped';
  readonly pid: number | null;
  readonly since: string | null;
}

/** The schedule of one matter, with its last and next tick. */
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

/** What models used in the last 24 hours, and the caps. */
export interface BudgetStatus {
  readonly tokens: number;
  /** US dollars. */
  readonly usd: number;
  readonly caps: { readonly tokens: number | null; readonly usd: number | null };
}

interface MatterBudget extends BudgetStatus {
  readonly matter: string;
}

interface ListedProposal {
  readonly event: string;
  readonly target: string | null;
  readonly decision: string;
  readonly confidence: number;
  /** Seconds since it was made. */
  readonly age: number;
  /** `stale`: the note has changed since, and the signals are weighed again at the next tick. */
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
 * Returns everything that `status` shows, from memory. Reads only notes that have a problem; `records`: what is wrong with
 * them, where that was worked out before.
 */
export function statusOf(
  space: Workspace,
  schedules: readonly ScheduleStatus[],
  daemon: DaemonStatus,
  records?: readonly DatedDiagnostic[],
): Status {
  const now = space.context.now();
  const guard = space.context.state.get('rate-guard');
  const until = backoffUntil(guard, now);
  const kept = space.context.state.get('kept');
  const streams = streamsOf(space);
  // After what is remembered has been read: some of it may be damaged.
  const trouble = problemsOf(space, records);
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
      effective: modeOf(space.context, null),
    },
    evaluator: space.models.evaluator.name,
    extractor: space.models.extractor.name,
    schedules,
    waiting: waitingNow(space, trouble),
    proposals: proposalsOf(space, now),
    gates: {
      rateGuard: guardUsage(guard, now),
      backoffUntil: until === null ? null : iso(until),
      held: heldBack(space),
      budget: budgetOf(space.context, now),
      thresholds: thresholdsOf(space.context),
    },
    costs: costsOf(space.context),
    sources: sourcesOf(space),
    streams,
    edits: editsOf(space.context),
    retention: retentionStatus(space.context),
    sourceNotes: knownStandings(space).standings,
    plane: planeStatus(space.context),
    notify: notifyStatus(space.context),
    kept,
    conflictCopies: space.vault.conflictCopies.size,
    trouble,
  };
}

function guardUsage(guard: RateGuardState, now: number): Status['gates']['rateGuard'] {
  const { minute, hour, day, task, matter } = usage(guard, now);
  return { ...questionUsage(guard, now), task, matter, looks_minute: minute, looks_hour: hour, looks_day: day };
}

/** Returns what models used in the last 24 hours, and what they may. */
export function budgetOf(context: Context, now: number): Status['gates']['budget'] {
  const budget = context.state.get('budget');
  const caps = capsOf(context);
  const matterCaps = { tokens: caps.matterTokens, usd: caps.matterUsd };
  return {
    vault: { ...spent(budget, now), caps: { tokens: caps.vaultTokens, usd: caps.vaultUsd } },
    matters: spenders(budget, now).map((matter) => ({ matter, ...spent(budget, now, matter), caps: matterCaps })),
  };
}

/** Returns schedules as `status` shows them. Pauses after each. */
export function* scheduleStatuses(
  context: Context,
  schedules: readonly Schedule[],
): Generator<void, readonly ScheduleStatus[]> {
  const statuses: ScheduleStatus[] = [];
  for (const schedule of schedules) {
    statuses.push(scheduleStatus(context, schedule));
    yield;
  }
  return statuses;
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
  return openProposals(space).map(({ event, standing: status }) => ({
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
  return patternOf(source) === null ? 0 : 1;
}

function editsOf({ state, now }: Context): Status['edits'] {
  const { date, heard, passed } = state.get('edits');
  return date === localDate(now()) ? { heard, passed } : { heard: 0, passed: 0 };
}
