import type { Permission } from '../../src/steward/change.ts';
import type { Mode } from '../../src/steward/gates.ts';

/* What the contract asks before anything is done: written down once, apart from the program. */

/** From so many observations of a source on, a signal of it must say at least so much (section 6). */
const DISCRETION_STEPS = [
  { from: 0, threshold: 0.95 },
  { from: 5, threshold: 0.9 },
  { from: 10, threshold: 0.85 },
  { from: 20, threshold: 0.8 },
  { from: 50, threshold: 0.75 },
] as const;

/** The first and the last number of observations of each step, with what it asks for. */
export const DISCRETION_EDGES: readonly (readonly [observations: number, threshold: number])[] =
  DISCRETION_STEPS.flatMap(({ from, threshold }, at) => [
    [from, threshold],
    [(DISCRETION_STEPS[at + 1]?.from ?? 5001) - 1, threshold],
  ]);

/** All that the table asks for. */
export const DISCRETION_THRESHOLDS: readonly number[] = DISCRETION_STEPS.map(({ threshold }) => threshold);

/** What a source without experience must say. */
export const LOW_EXPERIENCE = DISCRETION_STEPS[0].threshold;

/** The least confidence at which each mode acts; shadow never does, and is judged as live. */
export const ACTS_FROM: Readonly<Record<Mode, number>> = { shadow: 0.6, live: 0.6, live_high_confidence_only: 0.85 };

/** A confidence on either side of each threshold, and what each mode makes of it. */
export const MODE_OUTCOMES: readonly (readonly [Mode, number, 'record' | 'propose' | 'act'])[] = [
  ...[0, 0.59, 0.6, 1].map((confidence) => ['shadow', confidence, 'record'] as const),
  ...[0, 0.5999].map((confidence) => ['live', confidence, 'propose'] as const),
  ...[0.6, 0.85, 1].map((confidence) => ['live', confidence, 'act'] as const),
  ...[0.6, 0.8499].map((confidence) => ['live_high_confidence_only', confidence, 'propose'] as const),
  ...[0.85, 1].map((confidence) => ['live_high_confidence_only', confidence, 'act'] as const),
];

/** A change that may be made. */
export const ALLOWED: Permission = {
  ok: true,
  edits: [{ op: 'set', field: 'state', value: 'done' }],
  changes: { state: { before: 'open', after: 'done' } },
  needsPerson: false,
};
