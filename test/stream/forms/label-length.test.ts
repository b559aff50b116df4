import { expect, it } from 'vitest';
import { kindsOf, LABELS, labelLength, wordsIn } from '../../../src/stream/forms-labels.ts';

const LABEL_WORDS = [...new Set(Object.values(LABELS).flatMap((words) => Object.values(words).flatMap(wordsIn)))];
const AROUND = ['', '*', '>>', '• ', '"', 'Hello ', '… – '];

it('a label is found by its first word wherever all its words would be found', () => {
  for (const label of LABEL_WORDS)
    for (const before of AROUND)
      for (const behind of ['', ':', '.', ' 12 March', ', and more words of a line']) {
        const words = `${before}${label}${behind}`.match(/\S+/g) ?? [];
        expect({ words, length: labelLength(words) }).toEqual({ words, length: lengthByAllWords(words) });
      }
});

function lengthByAllWords(words: readonly string[]): number {
  for (let length = Math.min(5, words.length); length > 0; length -= 1)
    if (kindsOf(words.slice(0, length).join(' ')).length > 0) return length;
  return 0;
}
