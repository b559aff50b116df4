const SMALL = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, at) => [word, 20 + 10 * at]),
);
const SCALES = new Map([
  ['hundred', 100],
  ['dozen', 12],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);
const PARTS = new Map([
  ['half', 2],
  ['third', 3],
  ['quarter', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['eighth', 8],
  ['tenth', 10],
]);

const WORD = [...SMALL.keys(), ...TENS.keys(), ...SCALES.keys()].join('|');
/** Consecutive number words, as in `twelve thousand three hundred and forty` or `seventy-three`. */
const ROW = new RegExp(`\\b(?:${WORD})(?:(?:-| and | )(?:${WORD}))*\\b`, 'gi');
const FRACTION = new RegExp(
  `\\b(${[...SMALL.keys()].join('|')})[- ](${[...PARTS.keys()].map((one) => `${one}s`).join('|')})\\b`,
  'gi',
);

/**
 * A number in words, and its offsets. `share`: `value` is a percentage, since the words name a part such as two thirds.
 */
interface NumberWord {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly share: boolean;
}

/** Returns the numbers in words of a text. A half, a third and a quarter are common speech and left out. */
export function numberWordsIn(text: string): NumberWord[] {
  const shares = [...text.matchAll(FRACTION)].flatMap(({ 0: whole, 1: over, 2: under, index }): NumberWord[] => {
    const part = PARTS.get(under?.toLowerCase().replace(/s$/, '') ?? '') ?? 1;
    const value = (100 * (SMALL.get(over?.toLowerCase() ?? '') ?? 0)) / part;
    return [{ start: index, end: index + whole.length, value, share: true }];
  });
  const rows = [...text.matchAll(ROW)].map(({ 0: whole, index }): NumberWord => {
    return { start: index, end: index + whole.length, value: numberOf(whole), share: false };
  });
  return [...shares, ...rows.filter(({ start }) => !shares.some((one) => start >= one.start && start < one.end))];
}

function numberOf(words: string): number {
  let [sum, group] = [0, 0];
  for (const word of words.toLowerCase().split(/[- ]/)) {
    const scale = SCALES.get(word);
    if (scale === undefined) group += SMALL.get(word) ?? TENS.get(word) ?? 0;
    else if (scale < 1000) group = Math.max(1, group) * scale;
    else {
      sum += Math.max(1, group) * scale;
      group = 0;
    }
  }
  return sum + group;
}
