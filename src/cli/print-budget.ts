import type { BudgetStatus, Status } from '../daemon/status.ts';

/** The budget of a status in lines: nothing where no model was asked and nothing is limited. */
export function budgetLines(budget: Status['gates']['budget'] | undefined): string[] {
  if (budget === undefined) return []; // a status that an earlier version left behind
  const { vault, matters } = budget;
  const limited = [vault, ...matters].some(({ caps }) => caps.tokens !== null || caps.usd !== null);
  if (!limited && vault.tokens === 0 && vault.usd === 0) return [];
  return [`models, last 24 h: ${figures(vault)}`, ...matters.map((one) => `  ${one.matter}: ${figures(one)}`)];
}

function figures({ tokens, usd, caps }: BudgetStatus): string {
  return `${of(tokens, caps.tokens)} tokens, ${of(usd, caps.usd)} USD`;
}

function of(used: number, cap: number | null): string {
  const shown = Math.round(used * 10_000) / 10_000;
  return cap === null ? `${shown}` : `${shown}/${cap}`;
}
