import { quoted } from './reading-words.ts';

/** What a note shows by itself, as sentences. Days are as the note has them. */
export const SEEN = {
  overdue: (days: number, due: string) => `Overdue for ${several(days, 'day')} (due ${due}).`,
  snoozeOver: (until: string) => `Its snooze ended on ${until}.`,
  unblocked: (names: readonly string[]) => `What blocked it is done: ${names.map(quoted).join(', ')}.`,
  tasksDone: (count: number) => (count === 1 ? 'Its only task is done.' : `All ${count} of its tasks are done.`),
  silent: (weeks: number) => `Nobody has touched it for ${several(weeks, 'week')}.`,
} as const;

/** What a person is asked about each of these. */
export const ASKED = {
  overdue: 'Is it done, or does it need a new date?',
  snooze_over: 'Do you take it up again, or snooze it longer?',
  unblocked: 'It can go on.',
  tasks_done: 'Is the matter over?',
  silent: 'Do you still need it, or can it be archived?',
} as const;

/** What the digest of the front page says where it lists nothing. */
export const DIGEST = {
  nothing: 'Nothing is overdue, and no note has been silent for weeks.',
  notYet: 'The steward has not looked at your notes yet.',
} as const;

/** Why only a person decides what the steward saw by itself. */
export const SEEN_ONLY = 'no signal says so, so only you decide it.';

function several(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
