import { expect } from 'vitest';
import { readFindings } from '../../src/reading/read-event.ts';
import { orderPatterns, spacedPattern } from '../../src/reading/rules.ts';
import { type LanguageTable, languageTables } from '../../src/reading/text.ts';
import { eventWith } from '../support/events.ts';
import { ownTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

/** Longer than any sentence that somebody writes. */
const LENGTH = 10_000;
/** The slowest of them takes a twentieth of it. */
const MOST_MS = 40;
/** What makes a pattern try many ways: numbers, commas, long words, blanks. */
const PUMPS = ['1,', '1 ', '1.', '€1 ', 'a ', 'a', ', ', '.5', ' ', "l'", '-'];

function patternsOf({ code, frames, topics, cues, dates, requests, affairs, spoken }: LanguageTable) {
  const framed = Object.values(topics).flatMap(({ forms }) =>
    frames.map(({ pattern }) => pattern.replace('W', `(?:${forms[0]?.words ?? 'x'})`)),
  );
  const said = Object.values(topics).flatMap(({ phrases, spoiltBy, doubtedBy, contradictedBy }) => [
    ...phrases.map(({ pattern }) => pattern),
    ...[spoiltBy, doubtedBy, contradictedBy],
  ]);
  const triggers = [...dates, ...requests, ...spoken.requests].map(({ pattern }) => pattern);
  const all = [...framed, ...said, ...triggers, ...Object.values(cues), ...Object.values(affairs)];
  return all.filter((pattern) => pattern !== '').map((pattern) => ({ code, pattern }));
}

/** Returns texts that say the words of a pattern over and over, with what it may have to try between. */
function textsFor(pattern: string): readonly string[] {
  const words = [...new Set(pattern.replace(/\\\\?p\{\w+\}/g, ' ').match(/\p{L}{3,}/gu) ?? [])].slice(0, 8);
  const pumps = [...PUMPS, ...words.flatMap((word) => [`${word} `, `${word} 1,1 `])];
  return pumps.flatMap((pump) => [
    pump.repeat(LENGTH / pump.length),
    `${words[0] ?? 'x'} ${pump.repeat(LENGTH / pump.length)}`,
  ]);
}

function timeOf(pattern: RegExp, text: string): number {
  const started = ownTime();
  for (const _ of text.matchAll(pattern));
  return ownTime() - started;
}

attack(
  {
    attacker: 'a sender',
    means: 'a sentence without an end, made of the words that the tables of the languages search for',
    loss: 'a daemon that reads one mail for minutes',
    defence: 'each pattern of each language takes time in proportion to the text',
  },
  () => {
    const orders = Object.values(orderPatterns())
      .flat()
      .map((pattern) => ({ code: 'orders', pattern }));
    const slow = [...languageTables().flatMap(patternsOf), ...orders].flatMap(({ code, pattern }) => {
      const expression = spacedPattern(pattern, 'giu');
      const worst = textsFor(pattern).filter((text) => timeOf(expression, text) > MOST_MS);
      // Measured again, since other programs can only add time.
      const surely = worst.filter((text) => Math.min(...[1, 2, 3].map(() => timeOf(expression, text))) > MOST_MS);
      return surely.map((text) => `${code}: ${pattern.slice(0, 80)} on ${JSON.stringify(text.slice(0, 20))}`);
    });
    expect(slow).toEqual([]);
  },
);

attack(
  {
    attacker: 'a sender',
    means: 'words of several languages in one sentence, so that one takes back what another says',
    loss: 'a change that nobody meant',
    defence: 'a "not", an "if" or a question in any of the languages defeats what is said in any other',
  },
  () => {
    const said = ['The invoice has been paid', 'Die Rechnung wurde bezahlt', 'La facture a été payée'];
    const taken = ['if {}', 'wenn {}', '{} ?', 'non, {}', 'nunca {}', 'als {}', 'forse domani {}'];
    const acted = said.flatMap((one) => taken.map((frame) => frame.replace('{}', one)).filter((text) => isHeard(text)));
    expect(acted).toEqual([]);
  },
);

function isHeard(text: string): boolean {
  return readFindings(eventWith({ text })).findings.some(({ rawConfidence }) => rawConfidence >= 0.85);
}
