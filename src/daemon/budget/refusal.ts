import { type BudgetRefusal, type BudgetWindow, budgetGate } from '../../steward/gates/budget.ts';
import type { Gate } from '../../steward/gates/gate.ts';
import type { GuardWindow } from '../../steward/gates/rate-guard.ts';
import type { Skip } from '../../steward/schedule/skip.ts';

/** Why nothing may be judged just now, and when it may be again (epoch ms). */
export interface Refusal extends Skip {
  readonly window: GuardWindow | BudgetWindow;
  readonly gate: Gate;
  readonly freeAt: number;
}

/** The refusal of a look at a note, for which a window of the rate guard is full. */
export function lookRefusal({ window, freeAt }: { window: GuardWindow; freeAt: number }, gate: Gate): Refusal {
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
