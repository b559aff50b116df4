import path from 'node:path';
import { expect, test } from 'vitest';
import { type Source, sourcesIn } from '../../support/source-tree.ts';

const SRC = path.resolve(import.meta.dirname, '../../../src');
/** What puts words into a note that the program writes. */
const WRITES = /\b(?:noteText|changeTable|keptPart)\(/;
/** Where these are defined, and where the words stand. */
const WORDS = /^vault\/(?:words|[\w-]*-words|note-text|notes\/kept-part|history-block)\b/;
const LITERAL = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;
/** Three words in a row are a sentence, or a part of one. */
const SENTENCE = /\p{L}{2,}[,:;]? \p{L}+[,:;]? \p{L}{2,}/u;
/** Where a declaration begins. */
const DECLARATION = /^(?:export |abstract |async |function |class |const |interface |type )/gm;
/** Errors say their sentences where they are thrown. */
const OF_AN_ERROR = /\b(?:message|hint):\s*$/;

/** Returns the sentences among the literals of a source, but for those of errors. */
function sentencesIn({ file, text, code }: Source): string[] {
  return [...code.matchAll(LITERAL)].flatMap(({ 0: literal, index }) => {
    const said = text.slice(index, index + literal.length).replace(/\$\{[^}]*\}/g, '…');
    return SENTENCE.test(said) && !OF_AN_ERROR.test(code.slice(0, index)) ? [`${file}: ${said}`] : [];
  });
}

/** Splits a source into its declarations: a file has more subjects than the note that one of its functions writes. */
function declarationsIn(source: Source): Source[] {
  const starts = [0, ...[...source.code.matchAll(DECLARATION)].map(({ index }) => index)];
  return starts.map((from, at) => ({
    ...source,
    text: source.text.slice(from, starts[at + 1]),
    code: source.code.slice(from, starts[at + 1]),
  }));
}

const writers = sourcesIn(SRC)
  .filter(({ file }) => !WORDS.test(file))
  .flatMap(declarationsIn)
  .filter(({ code }) => WRITES.test(code));

test('a function that writes a note contains no sentence: the words of notes are in vault/words', () => {
  expect(writers.map(({ file }) => file)).toContain('daemon/decide.ts');
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
