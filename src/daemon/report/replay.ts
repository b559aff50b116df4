import type { Overrides, Replayed } from '../../steward/hindsight/replay.ts';
import type { Outcome } from '../../steward/hindsight/scorecard.ts';
import { answerOf } from '../../steward/proposals/proposal-status.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { iso } from '../../vault/time.ts';
import type { Workspace } from '../context/ports.ts';
import { decisionsIn, isGuarded } from './recorded-decisions.ts';
import type { JudgedBy } from './replayed-decision.ts';
import { Replayer, type Reproduction } from './replayer.ts';

/** One recorded decision, and what would have become of it. */
export interface ReplayLine {
  /** The event note's name. */
  readonly event: string;
  readonly time: string;
  readonly target: string | null;
  readonly judgedBy: JudgedBy;
  readonly recorded: Replayed;
  readonly replayed: Replayed;
  readonly differs: boolean;
  /** What a person said to it, where they did. */
  readonly answer: ReplayAnswer | null;
}

/** `reversed`: confirmed or made, and taken back since. */
type ReplayAnswer = 'confirmed' | 'dismissed' | 'reversed';

/** The result of a replay (`replay --json`). */
export interface Replay {
  readonly schemaVersion: 1;
  readonly since: string;
  readonly until: string | null;
  readonly summary: {
    /** Decisions that could be compared. */
    readonly actions: number;
    readonly differ: number;
    /** Decisions that cannot be compared, because what they rest on is gone. */
    readonly unknown: number;
    /** Looks that the rate guard or the budget refused: nothing was judged. */
    readonly guarded: number;
    /** Outcome → how often it was recorded, and how often it would have come about. */
    readonly outcomes: Readonly<Record<Outcome, { readonly recorded: number; readonly replayed: number }>>;
  };
  readonly lines: readonly ReplayLine[];
  readonly unknown: readonly { readonly event: string; readonly time: string; readonly reason: string }[];
}

/**
 * Makes the recorded decisions of a period again under other settings. Times are epoch ms; `until` may be null. Changes
 * nothing, and uses neither clock nor chance: the same notes give the same result.
 */
export function replay(space: Workspace, since: number, until: number | null, overrides: Overrides): Replay {
  const replayer = new Replayer(space);
  const all = decisionsIn(space.vault).filter((event) => isWithin(event, since, until));
  const judged = all.filter((event) => !isGuarded(event));
  const found = judged.map((event) => ({ event, reproduction: replayer.reproduce(event) }));
  const lines = found.flatMap(({ event, reproduction }) =>
    reproduction.ok ? [lineOf(event, reproduction, overrides, answerTo(space, event))] : [],
  );
  const unknown = found.flatMap(({ event, reproduction }) =>
    reproduction.ok ? [] : [{ event: event.name, time: event.fields.timestamp, reason: reproduction.reason }],
  );
  return {
    schemaVersion: 1,
    since: iso(since),
    until: until === null ? null : iso(until),
    summary: {
      actions: lines.length,
      differ: lines.filter((line) => line.differs).length,
      unknown: unknown.length,
      guarded: all.length - judged.length,
      outcomes: outcomesIn(lines),
    },
    lines,
    unknown,
  };
}

function lineOf(
  event: EventRecord,
  reproduction: Extract<Reproduction, { ok: true }>,
  overrides: Overrides,
  answer: ReplayAnswer | null,
): ReplayLine {
  const { judgedBy, recorded } = reproduction;
  const replayed = reproduction.under(overrides);
  const { timestamp: time, target_path: target } = event.fields;
  return {
    event: event.name,
    time,
    target,
    judgedBy,
    recorded,
    replayed,
    differs: recorded.outcome !== replayed.outcome,
    answer,
  };
}

function answerTo(space: Workspace, event: EventRecord): ReplayAnswer | null {
  const answer = answerOf(space, event);
  if (isReversed(space, answer ?? event)) return 'reversed';
  if (answer === null) return null;
  return answer.fields.dismisses === null ? 'confirmed' : 'dismissed';
}

function isWithin({ name, fields }: EventRecord, since: number, until: number | null): boolean {
  const at = momentOf(name, fields.timestamp);
  return at >= since && (until === null || at < until);
}

function outcomesIn(lines: readonly ReplayLine[]): Replay['summary']['outcomes'] {
  const count = (outcome: Outcome) => ({
    recorded: lines.filter((line) => line.recorded.outcome === outcome).length,
    replayed: lines.filter((line) => line.replayed.outcome === outcome).length,
  });
  return { acted: count('acted'), proposed: count('proposed'), recorded: count('recorded'), nothing: count('nothing') };
}
