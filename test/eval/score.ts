import type { Guess, MailAnswer } from './answer.ts';

/** How many were found rightly, wrongly, or not at all. */
export interface Tally {
  readonly cases: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

/** How sure a reader was, compared with how often it was right. */
export interface Calibration {
  /** Mean of (confidence − right)²: 0 is perfect, 0.25 is as good as always saying one half. */
  readonly brier: number | null;
  readonly bins: readonly Bin[];
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly guesses: number;
  readonly confidence: number;
  readonly right: number;
}

const EDGES = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0001];

/** Tallies the proposed changes of notes. One that is left to a person is neither right nor wrong. */
export function changesIn(answers: readonly MailAnswer[]): Tally {
  const guesses = answers.flatMap((each) => each.guesses).filter(isChange);
  const missed = answers.flatMap((each) => each.missed).filter(({ set }) => set !== null);
  return tallyOf(answers, guesses, missed.length);
}

/** Tallies the signals that only say that the reader is asked for something. */
export function requestsIn(answers: readonly MailAnswer[]): Tally {
  const guesses = answers.flatMap((each) => each.guesses).filter(isRequest);
  const missed = answers.flatMap((each) => each.missed).filter(({ set }) => set === null);
  return tallyOf(answers, guesses, missed.length);
}

function tallyOf(answers: readonly MailAnswer[], guesses: readonly Guess[], missed: number): Tally {
  const right = guesses.filter(({ meets }) => meets !== null).length;
  return { cases: answers.length, right, wrong: guesses.length - right, missed };
}

function isChange({ draft, isLeft }: Guess): boolean {
  return draft.effect === 'mutation' && !isLeft;
}

function isRequest({ draft, isLeft }: Guess): boolean {
  return draft.effect === 'action' && !isLeft;
}

/** Returns which share of what was proposed is right; null where nothing was proposed. */
export function precision({ right, wrong }: Tally): number | null {
  return right + wrong === 0 ? null : right / (right + wrong);
}

/** Returns which share of what should be proposed was; null where nothing should be. */
export function recall({ right, missed }: Tally): number | null {
  return right + missed === 0 ? null : right / (right + missed);
}

/** Compares the confidence of the proposed changes, min(target, effect), with whether they are right. */
export function calibrationOf(answers: readonly MailAnswer[]): Calibration {
  const guesses = answers.flatMap((each) => each.guesses).filter(isChange);
  const errors = guesses.map(({ confidence, meets }) => (confidence - Number(meets !== null)) ** 2);
  return {
    brier: errors.length === 0 ? null : mean(errors),
    bins: EDGES.slice(1).flatMap((to, at) => binOf(guesses, EDGES[at] ?? 0, to)),
  };
}

function binOf(all: readonly Guess[], from: number, to: number): Bin[] {
  const guesses = all.filter(({ confidence }) => confidence >= from && confidence < to);
  if (guesses.length === 0) return [];
  const confidence = mean(guesses.map((each) => each.confidence));
  return [
    { from, to, guesses: guesses.length, confidence, right: mean(guesses.map(({ meets }) => Number(meets !== null))) },
  ];
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, each) => sum + each, 0) / figures.length;
}
