import type { Guess, MailAnswer } from './answer.ts';

/** How many were found rightly, wrongly, or not at all. */
export interface Tally {
  readonly cases: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
}

/** How sure a reader was, against how often it was right. */
export interface Calibration {
  /** Mean of (confidence − right)²: 0 is perfect, 0.25 is no better than always saying one half. */
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

/** Proposed changes of notes. One whose note is left to a person is neither right nor wrong. */
export function changesIn(answers: readonly MailAnswer[]): Tally {
  const guesses = answers.flatMap((each) => each.guesses).filter(isChange);
  const missed = answers.flatMap((each) => each.missed).filter(({ set }) => set !== null);
  return tallyOf(answers, guesses, missed.length);
}

/** Signals that only say that something is asked of the reader. */
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

/** Of what was proposed, the share that is right; null where nothing was. */
export function precision({ right, wrong }: Tally): number | null {
  return right + wrong === 0 ? null : right / (right + wrong);
}

/** Of what there was to propose, the share that was; null where there was nothing. */
export function recall({ right, missed }: Tally): number | null {
  return right + missed === 0 ? null : right / (right + missed);
}

/** Over the proposed changes: min(target, effect) against whether the change is right. */
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
