import { type Figure, PLAIN } from './figure.ts';
import { numberWordsIn } from './number-words.ts';

const NUMBER = String.raw`(\d{1,4}|[a-z]+(?:-[a-z]+)?)`;
/** Hours and minutes, or minutes and seconds, that are one duration: `3h 12m`, `three hours and twelve minutes`. */
const DURATIONS = [
  {
    unit: 60,
    parts: new RegExp(
      `\\b${NUMBER}\\s?(?:h|hrs?|hours?)(?:,?\\s(?:and\\s)?|)${NUMBER}\\s?(?:m|mins?|minutes?)\\b`,
      'gi',
    ),
  },
  {
    unit: 1,
    parts: new RegExp(
      `\\b${NUMBER}\\s?(?:m|mins?|minutes?)(?:,?\\s(?:and\\s)?|)${NUMBER}\\s?(?:s|secs?|seconds?)\\b`,
      'gi',
    ),
  },
];

/** Returns the durations of a text that are written in two units. */
export function durationsIn(text: string): Figure[] {
  return DURATIONS.flatMap(({ unit, parts }) =>
    [...text.matchAll(parts)].flatMap(({ 0: all, 1: first = '', 2: second = '', index }): Figure[] => {
      const [long, short] = [valueIn(first), valueIn(second)];
      if (long === null || short === null) return [];
      const value = 60 * long + short;
      return [
        { ...PLAIN, kind: 'time', text: all, start: index, end: index + all.length, values: [value], scale: unit },
      ];
    }),
  );
}

function valueIn(written: string): number | null {
  if (/^\d/.test(written)) return Number(written);
  const [word] = numberWordsIn(written);
  return word === undefined || word.share || word.end - word.start !== written.length ? null : word.value;
}
