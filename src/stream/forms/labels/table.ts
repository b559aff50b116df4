import { lazily } from '../../language/lazily.ts';
import { GERMAN } from './de.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FRENCH } from './fr.ts';
import { ITALIAN } from './it.ts';
import { DUTCH } from './nl.ts';
import type { LabelWords } from './words.ts';

/** The labels of every language that is read, by its ISO code. */
export const LABELS: Readonly<Record<string, LabelWords>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  nl: DUTCH,
};

const OF_LINES = [
  ...(['when', 'about', 'former', 'next', 'due', 'open', 'reference'] as const),
  ...(['status', 'statusOfPayment', 'statusOfDelivery', 'statusOfBooking'] as const),
] as const;
const OF_STATES = [
  ...(['paid', 'delivered', 'booked', 'cancelled', 'signed', 'approved', 'completed', 'pending'] as const),
] as const;

/** What a labelled line is about. */
export type LabelKind = (typeof OF_LINES)[number];
/** How something stands, by such a line. */
export type Standing = (typeof OF_STATES)[number];

const kinds = lazily(() => tableOf<LabelKind>(OF_LINES));
/** The words that labels begin with: most lines of a mail begin with none of them, and need no further look. */
const beginnings = lazily(() => new Set([...kinds().keys()].map((label) => folded(label.split(' ', 1)[0] ?? ''))));
const standings = lazily(() => tableOf<Standing>(OF_STATES));
const FILLERS = new Set(Object.values(LABELS).flatMap(({ fillers }) => wordsIn(fillers)));
const MOST_LABEL_WORDS = 5;

/** Returns what a label may say, in any language; nothing where it is none. */
export function kindsOf(label: string): readonly LabelKind[] {
  return kinds().get(folded(label)) ?? [];
}

/** Returns how something stands by a word or two; null where they say nothing. A word that is pending in any language is. */
export function standingOf(words: string): Standing | null {
  const found = standings().get(folded(words)) ?? [];
  return found.includes('pending') ? 'pending' : (found[0] ?? null);
}

/** Whether a text may follow on what a status says: `on 3 December`. */
export function isFiller(words: string): boolean {
  return FILLERS.has(folded(words));
}

/** Returns how many words at the beginning of some are a label, as many as can be; 0 where none are. */
export function labelLength(words: readonly string[]): number {
  if (!beginnings().has(firstFolded(words))) return 0;
  const most = Math.min(MOST_LABEL_WORDS, words.length);
  for (let length = most; length > 0; length -= 1) {
    if (kindsOf(words.slice(0, length).join(' ')).length > 0) return length;
  }
  return 0;
}

/** The first of some words that is more than marks, as the tables have it; empty where none is. */
function firstFolded(words: readonly string[]): string {
  for (const word of words.slice(0, MOST_LABEL_WORDS)) {
    const first = folded(word);
    if (first !== '') return first;
  }
  return '';
}

/** Returns a text as the tables have it: in lower case, with single blanks and straight apostrophes, without marks around it. */
export function folded(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02BC]/g, "'")
    .replace(/^[^\p{L}\p{N}#]+|[^\p{L}\p{N}#.°º]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** Returns the words of a list of the tables. */
export function wordsIn(written: string): readonly string[] {
  return written.split('|').map((word) => word.trim());
}

function tableOf<Kind extends keyof LabelWords>(kinds: readonly Kind[]): ReadonlyMap<string, readonly Kind[]> {
  const table = new Map<string, Kind[]>();
  for (const words of Object.values(LABELS)) {
    for (const kind of kinds) {
      for (const word of wordsIn(words[kind])) {
        const known = table.get(folded(word)) ?? [];
        if (!known.includes(kind)) table.set(folded(word), [...known, kind]);
      }
    }
  }
  return table;
}
