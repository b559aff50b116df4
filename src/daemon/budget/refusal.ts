import { type BudgetRefusal, budgetGate } from '../../steward/gates/budget.ts';
import type { Gate } from '../../steward/gates/gate.ts';
import type { Skip } from '../../steward/schedule/skip.ts';
import type { HoldingWindow } from './window-words.ts';

/** Why nothing may be judged just now, and when it may be again (epoch ms). */
export interface Refusal extends Skip {
  readonly window: HoldingWindow;
  readonly gate: Gate;
  readonly freeAt: number;
}

/** The refusal of a look at a note or of a question, for which a window of the rate guard is full. */
export function refusalBy({ window, freeAt }: { window: HoldingWindow; freeAt: number }, gate: Gate): Refusal {
  return { code: 'rate-guarded', reason: reasonOf(gate, 'rate guarded'), window, gate, freeAt };
}

/** The refusal of a question, for which the budget has no room. */
export function costRefusal(refusal: BudgetRefusal): Refusal {
  const gate = budgetGate(refusal);
  return { code: 'budget', reason: reasonOf(gate, 'budget'), window: refusal.window, gate, freeAt: refusal.freeAt };
}

function reasonOf({ sentence }: Gate, word: string): string {
  return sentence.replace(/^[a-z ]+:/, `${word}:`).replace(/\.$/, '');
}
