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

interface ThingWords {
  readonly whole: ReadonlyMap<string, readonly Thing[]>;
  readonly beginnings: ReadonlyMap<string, readonly Thing[]>;
}

const TABLES: readonly (readonly [Language, ThingWords])[] = THINGS.map(([language, table]) => [
  language,
  wordsOf(table),
]);
/** No part of a word that is longer is known, so none is looked for: a word without an end costs no more than its letters. */
const LONGEST = Math.max(
  ...TABLES.flatMap(([, { whole, beginnings }]) => [...whole.keys(), ...beginnings.keys()].map(({ length }) => length)),
);

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
  const named = [...(whole.get(word) ?? NONE)];
  for (let length = SHORTEST_BEGINNING; length <= Math.min(LONGEST, word.length); length += 1)
    named.push(...(beginnings.get(word.slice(0, length)) ?? NONE));
  return named;
}

function wordsOf(table: Readonly<Record<Thing, string>>): ThingWords {
  const [whole, beginnings] = [new Map<string, Thing[]>(), new Map<string, Thing[]>()];
  for (const [thing, words] of Object.entries(table) as [Thing, string][])
    for (const word of withoutAccents(words).toLowerCase().split(' '))
      if (word.endsWith('*')) addTo(beginnings, word.slice(0, -1), thing);
      else addTo(whole, word, thing);
  return { whole, beginnings };
}

function addTo(map: Map<string, Thing[]>, word: string, thing: Thing): void {
  if (word.length < SHORTEST_BEGINNING) return;
  const known = map.get(word);
  if (known === undefined) map.set(word, [thing]);
  else if (!known.includes(thing)) known.push(thing);
}

/** Returns a text without its accents. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
