import path from 'node:path';
import { expect, test } from 'vitest';
import { type Source, sourcesIn } from '../../support/source-tree.ts';

const SRC = path.resolve(import.meta.dirname, '../../../src');
/** What puts words into a note that the program writes. */
const WRITES = /\b(?:noteText|changeTable|keptPart)\(/;
/** Where these are defined, and where the words stand. */
const WORDS = /^vault\/(?:words\/|notes\/(?:note-text|kept-part|history-block)\.ts$)/;
const LITERAL = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;
/** Three words in a row are a sentence, or a part of one. */
const SENTENCE = /\p{L}{2,}[,:;]? \p{L}+[,:;]? \p{L}{2,}/u;
/** Errors say their sentences where they are thrown. */
const OF_AN_ERROR = /\b(?:message|hint):\s*$/;

/** Returns the sentences among the literals of a source, but for those of errors. */
function sentencesIn({ file, text, code }: Source): string[] {
  return [...code.matchAll(LITERAL)].flatMap(({ 0: literal, index }) => {
    const said = text.slice(index, index + literal.length).replace(/\$\{[^}]*\}/g, '…');
    return SENTENCE.test(said) && !OF_AN_ERROR.test(code.slice(0, index)) ? [`${file}: ${said}`] : [];
  });
}

const writers = sourcesIn(SRC).filter(({ file, code }) => WRITES.test(code) && !WORDS.test(file));

test('whoever writes a note holds no sentence: all words of notes stand in vault/words', () => {
  expect(writers.map(({ file }) => file)).toContain('daemon/decide/event-note.ts');
  expect(writers.flatMap(sentencesIn)).toEqual([]);
});

test('a sentence is found in quotes and in templates, and not in comments and errors', () => {
  const lines = [
    "const one = 'Nothing waits for you.';",
    '// nothing waits for you',
    'const two = `It is $' + '{one} and it stays`;',
  ];
  const text = [...lines, "const three = { message: 'Nothing waits for you.' };"].join('\n');
  const code = text
    .replace('// nothing waits for you', ' '.repeat(24))
    .replace(/(?<=')[^'\n]+(?=')/g, (said) => ' '.repeat(said.length));
  expect(sentencesIn({ file: 'a.ts', text, code, imports: [], exported: [] })).toEqual([
    "a.ts: 'Nothing waits for you.'",
    'a.ts: `It is … and it stays`',
  ]);
});
