import { unmarked } from './notes.ts';

/** What leads from a mail to a note: nouns (`the sender`, `the name`), and words that both have, as the mail writes them. */
interface LeadWords {
  readonly nouns: readonly string[];
  readonly words: readonly string[];
}

/** Returns text of somebody else between quotation marks, with nothing live in it. */
export function quoted(text: string): string {
  return `“${unmarked(text).replace(/[“”"]/g, '')}”`;
}

/** Returns what was read, without a full stop: `it says “has been paid”`. */
export function saidWords(words: string, isSubject: boolean): string {
  return `${isSubject ? 'the subject' : 'it'} says ${quoted(words)}`;
}

/** Returns the words of a form that were read: `a line says “Due date: 3 December”`. */
export function lineWords(words: string): string {
  return `a line says ${quoted(words)}`;
}

/** Returns what the hidden data of a mail say, and what in its text names the same thing. */
export function hiddenWords(kind: string, says: string, by: string, words: string): string {
  return `its hidden data say ${quoted(`${kind}: ${says}`)}, and its text has the same ${by}, ${quoted(words)}`;
}

/** Returns what was learnt to read in a sentence, and how surely. */
export function learntWords(effect: string, likely: number): string {
  return `it reads as ${quoted(effect)} (${likely.toFixed(2)}), by what was learnt of such sentences`;
}

/** What speaks against what was read. `cue`: the words that do. */
export const DOUBTS = {
  hedged: (cue: string) => `${quoted(cue)} makes it doubtful`,
  beside: (cue: string) => `${quoted(cue)} stands in the same sentence`,
  longAgo: (cue: string) => `${quoted(cue)} is long ago`,
  follows: (cue: string) => `${quoted(cue)} follows`,
  contradicted: (cue: string) => `it also says ${quoted(cue)}, which contradicts it`,
  alsoSaid: (cue: string) => `the same mail also says ${quoted(cue)}`,
  replaced: (cue: string) => `${quoted(cue)} takes its place`,
} as const;

/** Returns which note is meant, and what leads to it: `The sender and the name point to “pay”, and nearly as well to “send”.` */
export function pointsTo(leads: LeadWords, name: string, rival: string | null): string {
  const all = leadNouns(leads);
  const [first = 'something'] = all;
  const isMany = all.length > 1 || /^(?:the )?words\b/.test(first);
  const other = rival === null ? '' : `, and nearly as well to ${quoted(rival)}`;
  return `${sentenceCase(listed(all))} ${isMany ? 'point' : 'points'} to ${quoted(name)}${other}.`;
}

/** Returns what leads to a note as one phrase: `the sender and the word “invoice”`. */
export function leadPhrase(leads: LeadWords): string {
  return listed(leadNouns(leads));
}

/** Returns that one task fits best what was learnt to read. */
export function fitsBest(name: string, likely: number): string {
  return `By what is said and who says it, ${quoted(name)} fits (${likely.toFixed(2)}).`;
}

/** Returns that an event names its note itself. */
export function namedById(name: string): string {
  return `It names ${quoted(name)} by its id.`;
}

/** Returns a phrase with a capital letter at its beginning. */
export function sentenceCase(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}`;
}

function leadNouns({ nouns, words }: LeadWords): readonly string[] {
  const shared = words.map(quoted);
  if (shared.length === 0) return nouns;
  return [...nouns, `the ${shared.length === 1 ? 'word' : 'words'} ${listed(shared)}`];
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

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
