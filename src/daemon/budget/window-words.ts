import type { BudgetWindow } from '../../steward/gates/budget.ts';
import type { QuestionWindow } from '../../steward/gates/questions.ts';
import type { GuardWindow } from '../../steward/gates/rate-guard.ts';
import { localDate, localTime } from '../../vault/time.ts';

/** Whatever can hold back a look or a question for a while. */
export type HoldingWindow = GuardWindow | QuestionWindow | BudgetWindow;

const WORDS: Readonly<Record<HoldingWindow, string>> = {
  questions_per_minute: '60 questions a minute are reached',
  questions_per_hour: '600 questions an hour are reached',
  questions_per_day: '6000 questions a day are reached',
  minute: '60 looks at notes a minute are reached',
  hour: '600 looks at notes an hour are reached',
  day: '6000 looks at notes a day are reached',
  task: '6 looks at one task a day are reached',
  matter: '50 looks at one matter and its tasks a day are reached',
  backoff: 'the provider asked for a pause',
  budget_tokens_per_day: 'the budget of a day (budget_tokens_per_day) is used up',
  budget_usd_per_day: 'the budget of a day (budget_usd_per_day) is used up',
  budget_tokens_per_matter_per_day: "a matter's budget of a day (budget_tokens_per_matter_per_day) is used up",
  budget_usd_per_matter_per_day: "a matter's budget of a day (budget_usd_per_matter_per_day) is used up",
};

/** Returns what holds back: `60 questions a minute are reached, goes on at 09:14`. Times in epoch ms. */
export function heldWords(held: { readonly window: HoldingWindow; readonly freeAt: number }, now: number): string {
  return `${WORDS[held.window]}, goes on at ${clockTime(held.freeAt, now)}`;
}

/** Returns the same as a sentence of its own. */
export function heldSentence(held: { readonly window: HoldingWindow; readonly freeAt: number }, now: number): string {
  const words = heldWords(held, now);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Whether a name is that of a window. */
export function isHoldingWindow(name: string): name is HoldingWindow {
  return Object.hasOwn(WORDS, name);
}

// On another day than today, with the date.
function clockTime(at: number, now: number): string {
  const [date, time = ''] = localTime(at).split('T');
  const shown = time.slice(0, 5);
  return date === localDate(now) ? shown : `${date} ${shown}`;
}
