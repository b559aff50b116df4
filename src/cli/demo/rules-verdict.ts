import { rules } from '../../model/evaluators/rules.ts';
import type { Evaluator, Verdict } from '../../steward/ports/evaluator.ts';
import { printVerdicts } from '../print/demo/demo-words.ts';
import { figure } from '../print/plain-text.ts';
import type { Printer } from '../print/printer.ts';

/** Wraps an evaluator so that each verdict of a model, which still counts, is printed next to the one of the rules. */
export function withRulesVerdict(evaluator: Evaluator, out: Printer): Evaluator {
  return {
    name: evaluator.name,
    asksModel: evaluator.asksModel,
    async evaluate(question, abort) {
      const verdict = await evaluator.evaluate(question, abort);
      // What a note shows by itself, the rules see in another way.
      if (verdict.evaluator === undefined || question.signals.length === 0) return verdict;
      const ofRules = await rules.evaluate(question, abort);
      printVerdicts(out, verdictText(ofRules), verdictText(verdict), verdict.evaluator, verdict.reasoning);
      return verdict;
    },
  };
}

function verdictText({ decision, confidence, changes }: Verdict): string {
  const made = changes.map(({ field, value }) => `${field} ${JSON.stringify(value)}`).join(', ');
  return `${decision} at ${figure(confidence)}, ${made === '' ? 'no change' : made}`;
}
