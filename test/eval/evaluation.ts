import type { Evaluator } from '../../src/steward/ports/evaluator.ts';
import { answer, type MailAnswer } from './answer.ts';
import type { CaseSet } from './case.ts';
import { indexOf } from './case-event.ts';
import type { Reader } from './reader.ts';
import { type Ruling, rule } from './ruling.ts';
import { changesIn, precision, recall } from './score.ts';

/** Everything one reader and one evaluator made of the cases. */
export interface Evaluation {
  readonly answers: readonly MailAnswer[];
  readonly rulings: readonly Ruling[];
}

/** The figures that may not become worse, by part of the set. */
export type Figures = Readonly<Record<'tuned' | 'held_out', PartFigures>>;

export interface PartFigures {
  readonly precision: number;
  readonly recall: number;
  readonly decisions: number;
}

/** Puts every case to the reader and the evaluator; the reader limits how many at a time. */
export async function evaluate(cases: CaseSet, reader: Reader, evaluator: Evaluator): Promise<Evaluation> {
  const index = indexOf(cases.vault);
  const answers = await Promise.all(cases.mails.map((mail) => answer(mail, index, reader, evaluator)));
  const rulings: Ruling[] = [];
  for (const asked of cases.decisions) rulings.push(await rule(asked, evaluator));
  return { answers, rulings };
}

/** Returns the part of an evaluation that the rules are tuned on, or the part that is held out. */
export function partOf({ answers, rulings }: Evaluation, heldOut: boolean): Evaluation {
  return {
    answers: answers.filter(({ mail }) => mail.held_out === heldOut),
    rulings: rulings.filter(({ asked }) => asked.held_out === heldOut),
  };
}

/** Returns the figures of both parts, rounded down to three decimals. */
export function figuresOf(evaluation: Evaluation): Figures {
  return { tuned: partFigures(partOf(evaluation, false)), held_out: partFigures(partOf(evaluation, true)) };
}

function partFigures({ answers, rulings }: Evaluation): PartFigures {
  const changes = changesIn(answers);
  const right = rulings.filter(({ isRight }) => isRight).length;
  return {
    precision: rounded(precision(changes) ?? 1),
    recall: rounded(recall(changes) ?? 1),
    decisions: rounded(rulings.length === 0 ? 1 : right / rulings.length),
  };
}

function rounded(figure: number): number {
  return Math.floor(figure * 1000) / 1000;
}
