import { rules } from '../../model/evaluators/rules.ts';
import type { Evaluator, Verdict } from '../../steward/ports/evaluator.ts';
import type { Printer } from '../print/print.ts';

/** A judge whose word counts, with the rules beside it: both verdicts are shown, so that they can be compared. */
export function besideTheRules(judge: Evaluator, out: Printer): Evaluator {
  return {
    name: judge.name,
    asksModel: judge.asksModel,
    async evaluate(question, abort) {
      const verdict = await judge.evaluate(question, abort);
      const other = await rules.evaluate(question, abort);
      out.line(`    the rules would say: ${inWords(other)}`);
      out.line(`    ${verdict.evaluator} says: ${inWords(verdict)}`);
      out.line(`    “${verdict.reasoning}”`);
      return verdict;
    },
  };
}

function inWords({ decision, confidence, changes }: Verdict): string {
  const what = changes.map(({ field, value }) => `${field} ${JSON.stringify(value)}`).join(', ');
  return `${decision} at ${confidence.toFixed(2)}, ${what === '' ? 'no change' : what}`;
}
