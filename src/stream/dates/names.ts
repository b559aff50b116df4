import { LANGUAGES, type Language } from '../language/language.ts';
import { DATE_WORDS, type DateWords } from './date-words.ts';

/** The name of a month or of a weekday at the beginning of a text. */
interface NameFound {
  /** January and Monday are 0. */
  readonly index: number;
  readonly length: number;
  /** A language that writes it so; the one that was asked for, where it does. */
  readonly language: Language;
}

type Kind = 'months' | 'weekdays';
interface Named {
  readonly index: number;
  readonly language: Language;
}

const SHORT: Readonly<Record<Kind, 'shortMonths' | 'shortWeekdays'>> = {
  months: 'shortMonths',
  weekdays: 'shortWeekdays',
};
const WORD = /^\p{L}{2,12}/u;
const WHOLE = { months: wholeNames('months'), weekdays: wholeNames('weekdays') };
const SHORTS = new Map(
  LANGUAGES.map((language) => [
    language,
    { months: shortNames('months', language), weekdays: shortNames('weekdays', language) },
  ]),
);
/** Whole months and weekdays of all languages, as a part of a regular expression. */
export const WHOLE_NAMES = [...WHOLE.months.keys(), ...WHOLE.weekdays.keys()].join('|');

/** Returns what all languages write in one field of their words, as a part of a regular expression. */
export function anyOf(field: keyof DateWords): string {
  const written = LANGUAGES.map((language) => DATE_WORDS[language][field]).filter((each) => typeof each === 'string');
  return written.join('|').replaceAll(' ', ' +');
}

/** Returns the month or weekday whose name a text begins with. Short names count only in a text of their language. */
export function nameAt(kind: Kind, text: string, language: Language | null): NameFound | null {
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return null;
  const folded = word.toLowerCase();
  const own = language ?? 'en';
  const short = SHORTS.get(own)?.[kind].get(folded);
  const whole = WHOLE[kind].get(folded) ?? [];
  const named = whole.find((each) => each.language === own) ?? short ?? whole[0];
  return named === undefined ? null : { ...named, length: word.length };
}

/** Returns whether a weekday's name, as it is written, means a day by itself. */
export function meansDayAlone(word: string, language: Language | null): boolean {
  const folded = word.toLowerCase();
  if (WHOLE.weekdays.has(folded)) return true;
  return (DATE_WORDS[language ?? 'en'].loneWeekdays ?? '').split('|').includes(folded);
}

function wholeNames(kind: Kind): ReadonlyMap<string, readonly Named[]> {
  const all = LANGUAGES.flatMap((language) => namesIn(DATE_WORDS[language][kind], language));
  const grouped = Map.groupBy(all, ([name]) => name);
  return new Map([...grouped].map(([name, entries]) => [name, entries.map(([, named]) => named)]));
}

function shortNames(kind: Kind, language: Language): ReadonlyMap<string, Named> {
  return new Map(namesIn(DATE_WORDS[language][SHORT[kind]], language));
}

function namesIn(names: readonly string[], language: Language): [string, Named][] {
  return names.flatMap((alternatives, index) =>
    alternatives
      .split('|')
      .filter((name) => name !== '')
      .map((name): [string, Named] => [name, { index, language }]),
  );
}
