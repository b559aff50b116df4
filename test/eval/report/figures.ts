import { type MailAnswer, SCORINGS, type Scoring } from '../compare/answer.ts';
import { CHANGES } from '../compare/changes.ts';
import type { PartResult } from '../evaluation.ts';
import { type Reliability, reliabilityOf } from './reliability.ts';
import { type Share, shareOf } from './share.ts';
import { type Stages, stagesOf } from './stages.ts';
import { isOfANote, type Scores, scoresOf, wrongActsIn } from './tally.ts';

/** All that is measured of one part of the cases. */
export interface Figures {
  readonly part: string;
  readonly isBlind: boolean;
  readonly mails: number;
  readonly changes: Scores;
  readonly requests: Scores;
  /** Of what would have been done without a person, how much is wrong. */
  readonly wrong_acts: Readonly<Record<Scoring, Share>>;
  /** Of the mails that change nothing and ask nothing: in how many a change was heard, of how many nothing was made, and of how many a proposal. */
  readonly quiet: { readonly heard: Share; readonly left_alone: Share; readonly proposed: Share };
  /** What was decided rightly of signals that are weighed together. */
  readonly decisions: Share;
  /** How many of them would have been done wrongly without a person. */
  readonly wrong_decisions: number;
  /** The changes by `language`, `style`, `change`, `sender` and `kind`. */
  readonly by: Readonly<Record<string, Readonly<Record<string, Scores>>>>;
  readonly stages: ReturnType<typeof stagesOf>;
  readonly reliability: Readonly<Record<Scoring, Reliability>>;
}

/** Returns the figures of one part. */
export function figuresOf({ part, isBlind, answers, rulings }: PartResult): Figures {
  const right = rulings.filter(({ isRight }) => isRight).length;
  return {
    ...{ part, isBlind, mails: answers.length },
    changes: scoresOf(answers),
    requests: scoresOf(answers, (change) => change === 'asks'),
    wrong_acts: bothWays((scoring) => wrongActsIn(answers, scoring)),
    quiet: quietOf(answers),
    decisions: shareOf(right, rulings.length),
    wrong_decisions: rulings.filter(({ actsWrongly }) => actsWrongly).length,
    by: {
      language: grouped(answers, ({ mail }) => mail.lang),
      style: grouped(answers, ({ mail }) => mail.style),
      change: byChange(answers),
      sender: grouped(answers, ({ knowsSender }) => (knowsSender ? 'known' : 'unknown')),
      kind: grouped(answers, ({ mail }) => (mail.kind === 'plain' ? 'plain' : 'made hard')),
    },
    stages: stagesOf(answers),
    reliability: bothWays((scoring) => reliabilityOf(answers, scoring)),
  };
}

/** What may not become worse, each rounded down to three decimals; a share of nothing counts as 1. */
export function recordedOf({ changes, decisions }: Figures): Readonly<Record<string, number>> {
  const floor = ({ share }: Share) => Math.floor((share ?? 1) * 1000) / 1000;
  return {
    precision: floor(changes.strict.precision),
    recall: floor(changes.strict.recall),
    precision_any_quote: floor(changes.loose.precision),
    recall_any_quote: floor(changes.loose.recall),
    found: floor(changes.found),
    decisions: floor(decisions),
  };
}

export type { Scores, Share, Stages };

function grouped(
  answers: readonly MailAnswer[],
  key: (answer: MailAnswer) => string,
): Readonly<Record<string, Scores>> {
  const groups = [...Map.groupBy(answers, key)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(groups.map(([name, own]) => [name, scoresOf(own)]));
}

function byChange(answers: readonly MailAnswer[]): Readonly<Record<string, Scores>> {
  const all = CHANGES.map((change) => [change, scoresOf(answers, (one) => one === change)] as const);
  return Object.fromEntries(all.filter(([, { strict }]) => strict.precision.of + strict.recall.of > 0));
}

function quietOf(answers: readonly MailAnswer[]): Figures['quiet'] {
  const quiet = answers.filter(({ outcomes }) => outcomes.length === 0);
  const heard = quiet.filter((each) => [...each.heard].some(isOfANote));
  const alone = quiet.filter(({ guesses }) => guesses.every(({ worth }) => worth.loose === 'left'));
  const proposed = quiet.filter(({ guesses }) =>
    guesses.some(({ worth, change }) => worth.loose === 'wrong' && isOfANote(change)),
  );
  return {
    heard: shareOf(heard.length, quiet.length),
    left_alone: shareOf(alone.length, quiet.length),
    proposed: shareOf(proposed.length, quiet.length),
  };
}

function bothWays<T>(of: (scoring: Scoring) => T): Readonly<Record<Scoring, T>> {
  const [strict, loose] = SCORINGS;
  return { strict: of(strict), loose: of(loose) };
}
