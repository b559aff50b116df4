import { THINGS } from '../languages/things/all.ts';
import type { Thing } from '../languages/things/things.ts';
import { withoutAccents } from './words-in-common.ts';

const SHORTEST_BEGINNING = 3;
const WHOLE = new Map<string, Thing[]>();
const BEGINNINGS = new Map<string, Thing[]>();
for (const table of THINGS)
  for (const [thing, words] of Object.entries(table)) for (const word of words.split(' ')) learn(word, thing as Thing);

/** Returns the everyday things that a text names, in whatever language: "your hygienist appointment" names the dentist. */
export function thingsNamed(text: string): ReadonlySet<Thing> {
  const named = new Set<Thing>();
  for (const word of new Set(
    withoutAccents(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )) {
    for (const thing of WHOLE.get(word) ?? []) named.add(thing);
    for (let length = SHORTEST_BEGINNING; length <= word.length; length += 1)
      for (const thing of BEGINNINGS.get(word.slice(0, length)) ?? []) named.add(thing);
  }
  return named;
}

function learn(word: string, thing: Thing): void {
  const folded = withoutAccents(word).toLowerCase();
  const [table, key] = folded.endsWith('*') ? [BEGINNINGS, folded.slice(0, -1)] : [WHOLE, folded];
  if (key.length < SHORTEST_BEGINNING) return;
  const known = table.get(key);
  if (known === undefined) table.set(key, [thing]);
  else if (!known.includes(thing)) known.push(thing);
}
