import { channelOf } from '../../vault/source-names.ts';
import { clamp, round4 } from '../gates/rounding.ts';

/** Where a channel starts (contract, section 7). */
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
  ['agent', 0.7],
  ['other', 0.7],
]);

const LIVE_AFTER = 3;
const PRUNE_BELOW = 0.2;
const PRUNE_AFTER = 5;
const PIN_FROM = 0.9;
const PIN_AFTER = 10;
const PINNED_FLOOR = 0.5;
const REVERSAL = 0.1;
const DISMISSAL = 0.05;
/** How much of what its patterns move a channel moves itself. */
const CHANNEL_SHARE = 0.2;

/** What has been learnt of one source. */
export interface Instinct {
  readonly source: string;
  readonly prior: number;
  readonly confidence: number;
  /** How often it was right; discretion goes by it. */
  readonly observations: number;
  readonly wrong: number;
  /** Wrong outcomes since it was last right. */
  readonly wrongInARow: number;
  /** How often what it led to was taken back. */
  readonly reversals: number;
  /** Right outcomes since what it led to was last taken back; null where it never was. */
  readonly rightSinceReversal: number | null;
  readonly status: 'pending' | 'live' | 'pruned';
  readonly pinned: boolean;
  /** Whose word the pin is, or its absence; null where nobody has said anything. */
  readonly pinnedBy: 'steward' | 'person' | null;
  /** Epoch milliseconds. */
  readonly lastNegativeAt: number | null;
}

/** What a person may write into an instinct note (contract, section 3); null where the note says nothing. */
interface InstinctEdit {
  readonly prior: number | null;
  readonly confidence: number | null;
  readonly pinned: boolean;
}

/** Returns where a channel starts. One that is not in the table starts as `other`. */
export function priorOf(channel: string): number {
  return PRIORS.get(channel.trim().toLowerCase()) ?? PRIORS.get('other') ?? 0.7;
}

/** Returns the instinct of a source of which nothing has been learnt. */
export function initialInstinct(source: string, prior: number = priorOf(channelOf(source))): Instinct {
  return {
    source,
    prior,
    confidence: prior,
    observations: 0,
    wrong: 0,
    wrongInARow: 0,
    reversals: 0,
    rightSinceReversal: null,
    status: 'pending',
    pinned: false,
    pinnedBy: null,
    lastNegativeAt: null,
  };
}

/** Returns how far a signal is believed: effect_confidence = raw × the confidence in its source. */
export function effectConfidence(raw: number, instinct: Pick<Instinct, 'confidence'>): number {
  return round4(clamp(raw, 0, 1) * instinct.confidence);
}

/**
 * Returns the instinct after it was right (contract, section 7). `share`, 0–1: what it bore of the conclusion, 1 for the
 * source that bore most.
 */
export function afterRight(instinct: Instinct, share: number): Instinct {
  const confidence = floored(instinct, 0.9 * instinct.confidence + 0.1 * clamp(share, 0, 1));
  const { observations, rightSinceReversal: since } = instinct;
  const rightSinceReversal = since === null ? null : since + 1;
  const after = { ...instinct, confidence, observations: observations + 1, rightSinceReversal, wrongInARow: 0 };
  return settled(pinnedWhenSure(after));
}

/** Returns the instinct after what it led to was taken back: −0.1. Call once per reversal. */
export function afterReversal(instinct: Instinct, now: number): Instinct {
  return { ...afterWrong(instinct, REVERSAL, now), reversals: instinct.reversals + 1, rightSinceReversal: 0 };
}

/** Returns the instinct after a proposal was dismissed, or a person decided otherwise by hand: −0.05. */
export function afterDismissal(instinct: Instinct, now: number): Instinct {
  return afterWrong(instinct, DISMISSAL, now);
}

/** Returns the instinct after what the person had left in place was changed by hand within its week: −0.1. */
export function afterContradiction(instinct: Instinct, now: number): Instinct {
  return afterWrong(instinct, REVERSAL, now);
}

/** Returns the instinct without a right outcome that it had: the confirmation, or the week, did not hold. */
export function withoutRight(instinct: Instinct): Instinct {
  return { ...instinct, observations: Math.max(0, instinct.observations - 1) };
}

/**
 * Returns the instinct after a reversal was itself reversed, with the exact former confidence (contract, section 16).
 */
export function afterReversalUndone(instinct: Instinct, formerConfidence: number): Instinct {
  const figures = {
    confidence: clamp(formerConfidence, 0, 1),
    reversals: Math.max(0, instinct.reversals - 1),
    wrong: Math.max(0, instinct.wrong - 1),
    wrongInARow: Math.max(0, instinct.wrongInARow - 1),
    // What it had owed before is not remembered: with nothing taken back any more, it owes nothing.
    rightSinceReversal: instinct.reversals > 1 ? instinct.rightSinceReversal : null,
  };
  return settled({ ...instinct, ...figures, status: instinct.status === 'pruned' ? 'live' : instinct.status });
}

/**
 * Returns a channel after its patterns moved by `moved` together: it moves by a fifth of that. They never prune it: then
 * any number of strangers could silence whoever is still to be heard there.
 */
export function afterPatterns(channel: Instinct, moved: number): Instinct {
  const lowest = Math.min(PRUNE_BELOW, channel.confidence);
  const confidence = Math.max(lowest, channel.confidence + CHANNEL_SHARE * moved);
  return settled({ ...channel, confidence: floored(channel, confidence) });
}

/** Returns the instinct with a confidence given back, and nothing else changed. */
export function withConfidence(instinct: Instinct, confidence: number): Instinct {
  return { ...instinct, confidence: round4(clamp(confidence, 0, 1)) };
}

/**
 * Returns the instinct after a person edited its note, taking the edit as it stands. A new pin is the person's: it has
 * no floor, is never pruned, and brings a pruned source back. A pin that a person took away never comes back by itself.
 */
export function afterEdit(instinct: Instinct, edit: InstinctEdit): Instinct {
  const isKept = edit.pinned === instinct.pinned;
  const edited: Instinct = {
    ...instinct,
    prior: clamp(edit.prior ?? instinct.prior, 0, 1),
    confidence: clamp(edit.confidence ?? instinct.confidence, 0, 1),
    pinned: edit.pinned,
    pinnedBy: isKept ? instinct.pinnedBy : 'person',
  };
  return isPersonsPin(edited) && edited.status === 'pruned' ? { ...edited, status: 'live' } : edited;
}

/**
 * Returns the instinct of a note of before only outcomes taught: its confidence up to its prior, and no pin that the
 * program would not set today (contract, section 7).
 */
export function carriedOver(instinct: Instinct): Instinct {
  const confidence = Math.min(instinct.confidence, instinct.prior);
  const pinHolds = instinct.pinnedBy !== 'steward' || (confidence >= PIN_FROM && instinct.observations >= PIN_AFTER);
  return pinHolds ? { ...instinct, confidence } : { ...instinct, confidence, pinned: false, pinnedBy: null };
}

/** Pending until three outcomes. Pruned below 0.2, or after five wrong ones in a row, unless a person pinned it. */
function settled(instinct: Instinct): Instinct {
  const isHopeless = instinct.confidence < PRUNE_BELOW || instinct.wrongInARow >= PRUNE_AFTER;
  if (isHopeless && !isPersonsPin(instinct)) {
    return { ...instinct, status: 'pruned', pinned: false, pinnedBy: instinct.pinned ? null : instinct.pinnedBy };
  }
  const hasSaid = instinct.observations + instinct.wrong >= LIVE_AFTER;
  return instinct.status === 'pending' && hasSaid ? { ...instinct, status: 'live' } : instinct;
}

/** From 0.9 on, with ten right outcomes, a source is pinned by the program, with a floor of 0.5. */
function pinnedWhenSure(instinct: Instinct): Instinct {
  const isSure = instinct.confidence >= PIN_FROM && instinct.observations >= PIN_AFTER;
  if (instinct.pinned || !isSure || instinct.pinnedBy === 'person' || instinct.status === 'pruned') return instinct;
  return { ...instinct, pinned: true, pinnedBy: 'steward' };
}

function isPersonsPin({ pinned, pinnedBy }: Instinct): boolean {
  return pinned && pinnedBy !== 'steward';
}

function afterWrong(instinct: Instinct, by: number, now: number): Instinct {
  const confidence = floored(instinct, instinct.confidence - by);
  const [wrong, wrongInARow] = [instinct.wrong + 1, instinct.wrongInARow + 1];
  return settled({ ...instinct, confidence, wrong, wrongInARow, lastNegativeAt: now });
}

/** The floor never lifts a source: one that a person set below it stays there. */
function floored({ pinned, pinnedBy, confidence }: Instinct, figure: number): number {
  const floor = pinned && pinnedBy === 'steward' ? Math.min(PINNED_FLOOR, confidence) : 0;
  return round4(clamp(figure, floor, 1));
}
