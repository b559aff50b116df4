import type { Evaluator } from '../../src/steward/types.ts';
import type { CaseSet } from './case.ts';
import { indexOf } from './case-event.ts';
import { answer, type MailAnswer } from './compare/answer.ts';
import { type Ruling, rule } from './compare/ruling.ts';
import type { Part, PartName } from './parts.ts';
import type { Reader } from './reader.ts';

/** Everything one reader and one evaluator made of the cases. */
export interface Evaluation {
  readonly answers: readonly MailAnswer[];
  readonly rulings: readonly Ruling[];
}

/** What was made of a part. */
export interface PartResult extends Evaluation {
  readonly part: PartName;
  readonly isBlind: boolean;
}

/** Puts every case to the reader and the evaluator; the reader limits how many at a time. */
export async function evaluate(cases: CaseSet, reader: Reader, evaluator: Evaluator): Promise<Evaluation> {
  const index = indexOf(cases.vault);
  const answers = await Promise.all(cases.mails.map((mail) => answer(mail, index, reader)));
  const rulings: Ruling[] = [];
  for (const asked of cases.decisions) rulings.push(await rule(asked, evaluator));
  return { answers, rulings };
}

/** Puts the cases of each part to the reader and the evaluator. */
export async function evaluateParts(
  parts: readonly Part[],
  reader: Reader,
  evaluator: Evaluator,
): Promise<readonly PartResult[]> {
  const results: PartResult[] = [];
  for (const { part, isBlind, sets } of parts) {
    const all: Evaluation[] = [];
    for (const set of sets) all.push(await evaluate(set, reader, evaluator));
    const answers = all.flatMap((each) => each.answers);
    results.push({ part, isBlind, answers, rulings: all.flatMap((each) => each.rulings) });
  }
  return results;
}
