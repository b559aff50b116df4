import { type Guess, type MailAnswer, type Outcome, SCORINGS, type Scoring } from '../compare/answer.ts';
import type { Change } from '../compare/changes.ts';
import { type Share, shareOf } from './share.ts';

/** How much of what was proposed is right, and how much of what should have been was. */
export interface Score {
  readonly precision: Share;
  readonly recall: Share;
}

/** Both ways to score the proposals, and what the questions add. */
export interface Scores extends Readonly<Record<Scoring, Score>> {
  /** Of the questions, those that offer the right answer. */
  readonly questions: Share;
  /** Of what is expected, what is proposed or offered as an answer, whatever is quoted. */
  readonly found: Share;
}

type Counted = (change: Change) => boolean;

/** Counts the changes of notes; requests change none. */
export const isOfANote: Counted = (change) => change !== 'asks';

/** Scores what was proposed. What is left to a person is neither right nor wrong, but not found either. */
export function scoresOf(answers: readonly MailAnswer[], counted: Counted = isOfANote): Scores {
  const guesses = answers.flatMap((each) => each.guesses).filter(({ change }) => counted(change));
  const outcomes = answers.flatMap((each) => each.outcomes).filter(({ change }) => counted(change));
  const [strict, loose] = SCORINGS.map((scoring) => scoreOf(guesses, outcomes, scoring));
  if (strict === undefined || loose === undefined) throw new Error('there are two ways to score');
  const asked = guesses.filter((guess) => guess.asks);
  const offered = outcomes.filter((each) => each.found.loose || each.isAsked);
  return {
    strict,
    loose,
    questions: shareOf(asked.filter((guess) => guess.asksRightly).length, asked.length),
    found: shareOf(offered.length, outcomes.length),
  };
}

/** Of what would have been done without a person, how much is wrong. */
export function wrongActsIn(answers: readonly MailAnswer[], scoring: Scoring): Share {
  const acts = answers.flatMap((each) => each.guesses).filter((guess) => guess.acts);
  return shareOf(acts.filter(({ worth }) => worth[scoring] !== 'right').length, acts.length);
}

function scoreOf(guesses: readonly Guess[], outcomes: readonly Outcome[], scoring: Scoring): Score {
  const proposed = guesses.filter(({ worth }) => worth[scoring] !== 'left');
  const right = proposed.filter(({ worth }) => worth[scoring] === 'right');
  const found = outcomes.filter((each) => each.found[scoring]);
  return { precision: shareOf(right.length, proposed.length), recall: shareOf(found.length, outcomes.length) };
}
