import type { Language } from '../language/language.ts';
import { THINGS } from '../languages/things/all.ts';
import type { Thing } from '../languages/things/things.ts';

/** The everyday things that a text names. */
export type ThingSet = ReadonlySet<Thing>;

const SHORTEST_BEGINNING = 3;
/** Words of fewer letters stand within others by chance. */
const SHORTEST_WITHIN = 4;
/** What is left of a word beside one that stands within it. */
const SHORTEST_REST = 3;
const WORDS = /[\p{L}\p{N}]+/gu;
const NONE: readonly Thing[] = [];

interface Beginning {
  readonly word: string;
  readonly thing: Thing;
}

interface ThingWords {
  readonly whole: ReadonlyMap<string, readonly Thing[]>;
  /** By their first letters, so that a word costs one look where nothing begins like it. */
  readonly beginnings: ReadonlyMap<string, readonly Beginning[]>;
}

const TABLES: readonly (readonly [Language, ThingWords])[] = THINGS.map(([language, table]) => [
  language,
  wordsOf(table),
]);
/** No longer part of a word is known, so none is looked for: a word without an end costs no more than its letters. */
const LONGEST = Math.max(...TABLES.flatMap(([, { whole }]) => [...whole.keys()].map(({ length }) => length)));

/**
 * Returns the everyday things that a text names: "your hygienist appointment" names the dentist. A text is read in the
 * language named, and in every one where that finds nothing or none is named.
 */
export function thingsNamed(text: string, language: Language | null): ThingSet {
  const words = new Set(withoutAccents(text).toLowerCase().match(WORDS) ?? []);
  const own = TABLES.filter(([each]) => each === language);
  const named = new Set(own.flatMap(([, table]) => [...words].flatMap((word) => thingsIn(word, table))));
  return named.size > 0
    ? named
    : new Set(TABLES.flatMap(([, table]) => [...words].flatMap((word) => thingsIn(word, table))));
}

/** Returns the things that a sender's name and domain name, also within a word: "ironyardgym" is a gym. */
export function thingsOfSender(words: string, language: Language | null): ThingSet {
  const named = new Set(thingsNamed(words, language));
  const own = TABLES.filter(([each]) => each === language || each === 'en');
  for (const word of withoutAccents(words).toLowerCase().match(WORDS) ?? [])
    for (let length = SHORTEST_BEGINNING; length <= Math.min(LONGEST, word.length - SHORTEST_REST); length += 1)
      for (const [, table] of own) {
        for (const thing of table.whole.get(word.slice(-length)) ?? NONE) named.add(thing);
        if (length >= SHORTEST_WITHIN)
          for (const thing of table.whole.get(word.slice(0, length)) ?? NONE) named.add(thing);
      }
  return named;
}

function thingsIn(word: string, { whole, beginnings }: ThingWords): readonly Thing[] {
  const begun = beginnings.get(word.slice(0, SHORTEST_BEGINNING));
  if (begun === undefined) return whole.get(word) ?? NONE;
  const named = begun.filter((each) => word.startsWith(each.word)).map(({ thing }) => thing);
  return [...(whole.get(word) ?? NONE), ...named];
}

function wordsOf(table: Readonly<Record<Thing, string>>): ThingWords {
  const [whole, beginnings] = [new Map<string, Thing[]>(), new Map<string, Beginning[]>()];
  for (const [thing, words] of Object.entries(table) as [Thing, string][])
    for (const word of withoutAccents(words).toLowerCase().split(' '))
      if (word.endsWith('*')) addBeginning(beginnings, { word: word.slice(0, -1), thing });
      else if (word.length >= SHORTEST_BEGINNING) addTo(whole, word, thing);
  return { whole, beginnings };
}

function addBeginning(map: Map<string, Beginning[]>, beginning: Beginning): void {
  if (beginning.word.length >= SHORTEST_BEGINNING) addTo(map, beginning.word.slice(0, SHORTEST_BEGINNING), beginning);
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Returns a text without its accents. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
