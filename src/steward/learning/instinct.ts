import { z } from 'zod';
import { clamp, round4 } from '../gates/rounding.ts';

/** Where a source starts (contract, section 7). */
export const PRIORS: ReadonlyMap<string, number> = new Map([
  ['gmail', 1.0],
  ['gmail_unknown', 0.7],
  ['mail', 0.9],
  ['slack', 0.95],
  ['slack_channel', 0.6],
  ['gcal', 0.8],
  ['calendar', 0.8],
  ['sure', 0.9],
  ['bank', 0.9],
  ['plane', 0.9],
  ['vexa', 0.85],
  ['transcript', 0.85],
  ['vault_edit', 0.95],
  ['other', 0.7],
]);

const PENDING_TICKS = 3;
const PRUNE_BELOW = 0.2;
const PRUNE_AFTER = 3;
const PIN_ABOVE = 0.9;
const PIN_AFTER = 2;
const PINNED_FLOOR = 0.5;
const REVERSAL = 0.1;
const DISMISSAL = 0.05;

/** What the next step needs besides the figures. These stand in the instinct note as fields, too (decision 5). */
export const instinctCounters = z.object({
  /** Evaluated ticks while pending. */
  ticks: z.number().int().min(0).catch(0),
  /** Whether it gave a signal while pending. */
  gave: z.boolean().catch(false),
  /** Ticks in a row with a confidence below 0.2. */
  low: z.number().int().min(0).catch(0),
  /** Ticks in a row with a confidence above 0.9. */
  high: z.number().int().min(0).catch(0),
  /** True for a pin that the program set, which has a floor of 0.5. A person's pin has none. */
  autoPinned: z.boolean().catch(false),
});
type InstinctCounters = z.infer<typeof instinctCounters>;

/** What has been learnt of one source. */
export interface Instinct {
  readonly source: string;
  readonly prior: number;
  readonly confidence: number;
  readonly observations: number;
  readonly reversals: number;
  readonly status: 'pending' | 'live' | 'pruned';
  readonly pinned: boolean;
  /** Epoch milliseconds. */
  readonly lastNegativeAt: number | null;
  /** Undo windows that closed up to here are counted as observations. Epoch milliseconds. */
  readonly countedUntil: number | null;
  readonly counters: InstinctCounters;
}

/** What a person may write into an instinct note (contract, section 3); null where the note says nothing. */
interface InstinctEdit {
  readonly prior: number | null;
  readonly confidence: number | null;
  readonly pinned: boolean;
}

/** Returns where a source starts. One that is not in the table starts as `other`. */
export function priorOf(source: string): number {
  return PRIORS.get(source.trim().toLowerCase()) ?? PRIORS.get('other') ?? 0.7;
}

function newCounters(): InstinctCounters {
  return { ticks: 0, gave: false, low: 0, high: 0, autoPinned: false };
}

/** Returns the instinct of a source of which nothing has been learnt. */
export function initialInstinct(source: string, prior: number = priorOf(source)): Instinct {
  return {
    source,
    prior,
    confidence: prior,
    observations: 0,
    reversals: 0,
    status: 'pending',
    pinned: false,
    lastNegativeAt: null,
    countedUntil: null,
    counters: newCounters(),
  };
}

/** Returns how far a signal is believed: effect_confidence = raw × the confidence in its source. */
export function effectConfidence(raw: number, instinct: Pick<Instinct, 'confidence'>): number {
  return round4(clamp(raw, 0, 1) * instinct.confidence);
}

/**
 * Returns the instinct after one evaluated tick (contract, section 7). `contribution`, 0–1, is the source's share of
 * the decision; null where it has none, and then the tick only counts towards the end of pending. `gave` says whether
 * the source gave a signal even so. A pruned source stays pruned until a person pins it.
 */
export function afterTick(instinct: Instinct, contribution: number | null, gave = contribution !== null): Instinct {
  if (instinct.status === 'pruned') return instinct;
  const moved = contribution === null ? instinct : pinnedWhenSure(averaged(instinct, contribution));
  return pruned(withStatus(moved, gave));
}

/** Returns the instinct after a signal outside a tick: one acted upon at once, or answered by a person. */
export function afterSignal(instinct: Instinct): Instinct {
  if (instinct.status !== 'pending' || instinct.counters.gave) return instinct;
  return { ...instinct, counters: { ...instinct.counters, gave: true } };
}

/** Returns the instinct after a reversal: −0.1, down to 0 (0.5 where the program pinned it). Call once per reversal. */
export function afterReversal(instinct: Instinct, now: number): Instinct {
  return { ...lowered(instinct, REVERSAL, now), reversals: instinct.reversals + 1 };
}

/**
 * Returns the instinct after a reversal was itself reversed, with the exact former confidence (contract, section 16).
 */
export function afterReversalUndone(instinct: Instinct, formerConfidence: number): Instinct {
  const reversals = Math.max(0, instinct.reversals - 1);
  return { ...instinct, confidence: clamp(formerConfidence, 0, 1), reversals };
}

/** Returns the instinct after a dismissal: −0.05. */
export function afterDismissal(instinct: Instinct, now: number): Instinct {
  return lowered(instinct, DISMISSAL, now);
}

/**
 * Returns the instinct after `count` actions were confirmed, or kept until their undo window closed. A negative count
 * takes observations back.
 */
export function afterObservation(instinct: Instinct, count = 1): Instinct {
  return { ...afterSignal(instinct), observations: Math.max(0, instinct.observations + count) };
}

/**
 * Returns the instinct after `count` undo windows closed without a reversal, the last of them at `until` (epoch ms).
 */
export function afterWindows(instinct: Instinct, count: number, until: number): Instinct {
  return { ...afterObservation(instinct, count), countedUntil: Math.max(until, instinct.countedUntil ?? until) };
}

/**
 * Returns the instinct after a person edited its note, taking the edit as it stands. A new pin is the person's: it has
 * no floor, is never pruned, and brings a pruned source back. A pin taken away is gone until the source earns it again.
 */
export function afterEdit(instinct: Instinct, edit: InstinctEdit): Instinct {
  const kept = edit.pinned && instinct.pinned;
  const autoPinned = kept && instinct.counters.autoPinned;
  const high = kept || !instinct.pinned ? instinct.counters.high : 0;
  return {
    ...instinct,
    prior: clamp(edit.prior ?? instinct.prior, 0, 1),
    confidence: clamp(edit.confidence ?? instinct.confidence, 0, 1),
    pinned: edit.pinned,
    status: instinct.status === 'pruned' && edit.pinned ? 'live' : instinct.status,
    counters: { ...instinct.counters, autoPinned, high },
  };
}

/** confidence ← 0.9 · confidence + 0.1 · contribution, and how long it has been low or high. */
function averaged(instinct: Instinct, contribution: number): Instinct {
  const { confidence, counters } = instinct;
  const mean = floored(instinct, 0.9 * confidence + 0.1 * clamp(contribution, 0, 1));
  const low = mean < PRUNE_BELOW ? Math.min(PRUNE_AFTER, counters.low + 1) : 0;
  const high = mean > PIN_ABOVE ? Math.min(PIN_AFTER, counters.high + 1) : 0;
  return { ...instinct, confidence: mean, counters: { ...counters, low, high } };
}

/** Above 0.9 twice in a row, a source is pinned by the program, with a floor of 0.5. */
function pinnedWhenSure(instinct: Instinct): Instinct {
  if (instinct.pinned || instinct.counters.high < PIN_AFTER) return instinct;
  return { ...instinct, pinned: true, counters: { ...instinct.counters, autoPinned: true } };
}

/** Pending for 3 ticks; then live if it gave a signal or a person pinned it, else pruned. */
function withStatus(instinct: Instinct, gaveNow: boolean): Instinct {
  if (instinct.status !== 'pending') return instinct;
  const counters = {
    ...instinct.counters,
    ticks: instinct.counters.ticks + 1,
    gave: instinct.counters.gave || gaveNow,
  };
  if (counters.ticks < PENDING_TICKS) return { ...instinct, counters };
  const status = counters.gave || instinct.pinned ? 'live' : 'pruned';
  return { ...instinct, status, counters: { ...counters, ticks: 0, gave: false } };
}

/** Below 0.2 for 3 ticks in a row, a source is pruned. */
function pruned(instinct: Instinct): Instinct {
  if (instinct.pinned || instinct.counters.low < PRUNE_AFTER) return instinct;
  return { ...instinct, status: 'pruned' };
}

function lowered(instinct: Instinct, by: number, now: number): Instinct {
  const confidence = floored(instinct, instinct.confidence - by);
  const { counters } = afterSignal(instinct);
  return { ...instinct, confidence, lastNegativeAt: now, counters: { ...counters, high: 0 } };
}

/** The floor never lifts a source: one that a person set below it stays there. */
function floored({ pinned, counters, confidence }: Instinct, figure: number): number {
  const floor = pinned && counters.autoPinned ? Math.min(PINNED_FLOOR, confidence) : 0;
  return round4(clamp(figure, floor, 1));
}
