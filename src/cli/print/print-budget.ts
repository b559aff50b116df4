import type { Costs, CostWindow, ModelCost } from '../../daemon/budget/costs.ts';
import type { BudgetStatus, Status } from '../../daemon/status/status.ts';
import { round4 } from '../../steward/gates/rounding.ts';
import type { Sum } from '../../steward/gates/usage-ledger.ts';
import { count } from './plain-text.ts';

/** How many matters are named, the most expensive first. */
const NAMED = 5;

/** Returns the budget of a status in lines: none where nothing is limited. */
export function budgetLines(budget: Status['gates']['budget'] | undefined): string[] {
  if (budget === undefined) return []; // a status that an earlier version left behind
  const { vault, matters } = budget;
  const limited = [vault, ...matters].some(({ caps }) => caps.tokens !== null || caps.usd !== null);
  if (!limited) return [];
  const byCost = matters.toSorted((one, other) => other.usd - one.usd || other.tokens - one.tokens);
  return [
    `budget, last 24 h: ${figures(vault)}`,
    ...byCost.slice(0, NAMED).map((one) => `  ${one.matter}: ${figures(one)}`),
    ...(byCost.length > NAMED
      ? [`  and ${byCost.length - NAMED} cheaper ${byCost.length - NAMED === 1 ? 'matter' : 'matters'}`]
      : []),
  ];
}

/** Returns what the models cost in lines, by model and for the most expensive matters: none after a week without any. */
export function costLines(costs: Costs | undefined): string[] {
  if (costs === undefined || costs.week.questions === 0) return [];
  return [...windowLines('last 24 h', costs.day), ...windowLines('last 7 days', costs.week)];
}

function windowLines(name: string, window: CostWindow): string[] {
  if (window.questions === 0) return [`models, ${name}: no questions`];
  const matters = window.matters.map((one) => `${one.matter} ${money(one)}`).join(', ');
  return [
    `models, ${name}: ${sumText(window)}`,
    ...window.models.map((one) => `  ${one.model}: ${sumText(one)}${missingPrice(one)}`),
    ...(matters === '' ? [] : [`  most expensive: ${matters}`]),
  ];
}

function sumText(sum: Sum): string {
  return `${count(sum.questions, 'question')}, ${round4(sum.tokens)} tokens, ${money(sum)}`;
}

function money({ questions, usd, unpriced }: Sum): string {
  if (unpriced === questions) return 'no price known';
  return `${round4(usd)} USD${unpriced === 0 ? '' : ` and ${unpriced} without a price`}`;
}

function missingPrice({ unpriced, priceSettings }: ModelCost): string {
  return unpriced === 0 || priceSettings === null ? '' : `; set ${priceSettings.join(' and ')} in steward.md`;
}

function figures({ tokens, usd, caps }: BudgetStatus): string {
  return `${of(tokens, caps.tokens)} tokens, ${of(usd, caps.usd)} USD`;
}

function of(used: number, cap: number | null): string {
  return cap === null ? `${round4(used)}` : `${round4(used)}/${cap}`;
}
