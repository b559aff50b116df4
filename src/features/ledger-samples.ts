/*
 * The weekly sample of what was set aside (contract, section 18): ten events drawn at random, one line and one box
 * `mattered` for each. The answers estimate what is missed.
 */
import { z } from 'zod';
import type { ReadAccess } from '../daemon/context.ts';
import { entriesSlice } from '../daemon/state.ts';
import { statInside } from '../vault/files.ts';
import { lessonFigures } from '../vault/record.ts';

/** One event that was drawn, and what the user said about it. */
const line = z.object({
  id: z.string(),
  /** The sender as what is learnt about it is called; null if that isn't known. */
  source: z.string().nullable(),
  mattered: z.boolean(),
  /** The lesson that the answer is about to teach, or has taught, to undo it later. Null if it teaches no lesson. */
  lesson: lessonFigures.nullable(),
});
export type SampleLine = z.infer<typeof line>;

const sample = z.lazy(() =>
  z.object({
    /** The path of its note; empty if nothing was set aside in that week. */
    note: z.string(),
    seed: z.number().int(),
    /** How many events were set aside in that week. */
    of: z.number().int(),
    lines: z.array(line),
    /** Whether its note was written: one that the user deletes isn't written again. */
    isWritten: z.boolean(),
    /** Whether the user has ticked anything in it: only then do empty boxes say something. */
    isAnswered: z.boolean(),
    /** The time of the note's file when its answers were last taken up (ms). */
    readMs: z.number(),
  }),
);
export type Sample = z.infer<typeof sample>;

/** ISO week, `2026-W48` → its sample. */
export const SAMPLES = entriesSlice('samples', sample, false);

/** Whether the sample of the last week is still to be drawn, or its note to be written. */
export function isDue({ context, vault }: ReadAccess): boolean {
  const known = context.state.get(SAMPLES)[lastWeek(context.now()).week];
  return vault.catalogue.size > 0 && (known === undefined || (!known.isWritten && known.lines.length > 0));
}

/** When the note of a sample has been left alone for long enough (epoch ms). */
export function settledAt({ context, vault }: ReadAccess, week: string): number {
  const { note = '' } = context.state.get(SAMPLES)[week] ?? {};
  const mtimeMs = statInside(vault.root, note)?.mtimeMs ?? 0;
  const until = mtimeMs + context.settings.settle_seconds * 1000;
  return mtimeMs > context.now() + 1000 ? 0 : until; // a clock that ran ahead
}

export const WEEK_MS = 7 * 86_400_000;

/** Returns the ISO week of a moment (epoch ms), as `2026-W47`, in UTC. */
export function startOfSampleWeek(at: number): string {
  const day = new Date(at);
  day.setUTCHours(0, 0, 0, 0);
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const week = Math.ceil(((day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7);
  return `${day.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

/** The ISO week before a moment, and when it began and ended (epoch ms). */
export interface PastWeek {
  readonly week: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the last ISO week that is over, in UTC. */
export function lastWeek(now: number): PastWeek {
  const day = new Date(now);
  day.setUTCHours(0, 0, 0, 0);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() || 7) - 1));
  const to = day.getTime();
  return { week: startOfSampleWeek(to - WEEK_MS), from: to - WEEK_MS, to };
}

/** Returns the weeks whose notes have changed since their answers were taken up. */
export function changedSamples({ context, vault }: ReadAccess): string[] {
  return Object.entries(context.state.get(SAMPLES)).flatMap(([week, { note, isWritten, readMs }]) => {
    const stat = isWritten && note !== '' ? statInside(vault.root, note) : null;
    return stat !== null && stat.mtimeMs !== readMs ? [week] : [];
  });
}

/** Returns the path of the last week's sample while it waits for answers; null if there is none. */
export function unansweredSample({ context, vault }: ReadAccess): string | null {
  const { note, isWritten, isAnswered } = context.state.get(SAMPLES)[lastWeek(context.now()).week] ?? {};
  const isOpen = note !== undefined && isWritten === true && isAnswered === false;
  return isOpen && statInside(vault.root, note) !== null ? note : null;
}
