import fs from 'node:fs';
import path from 'node:path';
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/javascript';
import { expect, test } from 'vitest';

const CLI = path.resolve(import.meta.dirname, '../../src/cli');
const typescript = parser.configure({ dialect: 'ts' });
/** What says something to a person: ways of the printer, and of whoever asks on a terminal. */
const SAYING = /\.(line|plain|styled|heading|renew|progress|rows|agree|tell)$/;
/** Two words beside each other. */
const SENTENCE = /\p{L}[,;:.]? \p{L}/u;

/** Returns each sentence that `source` hands to a printer or a prompt itself, instead of having it of a function. */
function sentencesIn(name: string, source: string): string[] {
  const found: string[] = [];
  typescript.parse(source).iterate({
    enter: ({ node }) => {
      for (const said of saidBy(node, source)) found.push(...sentences(said, source));
    },
  });
  return found.map((text) => `${name}: ${text}`);
}

function saidBy(node: SyntaxNode, source: string): SyntaxNode[] {
  if (node.name === 'CallExpression') {
    const [called, given] = [node.firstChild, node.getChild('ArgList')];
    return called !== null && given !== null && SAYING.test(textOf(called, source)) ? [given] : [];
  }
  // Beside a code, a message is that of an error: its sentence stands where it is thrown.
  if (node.name !== 'ObjectExpression' || propertyOf(node, 'code', source) !== null) return [];
  const message = propertyOf(node, 'message', source);
  return message === null ? [] : [message];
}

function propertyOf(node: SyntaxNode, key: string, source: string): SyntaxNode | null {
  const named = (one: SyntaxNode) => one.firstChild !== null && textOf(one.firstChild, source) === key;
  return node.getChildren('Property').find(named) ?? null;
}

function sentences(said: SyntaxNode, source: string): string[] {
  const pieces: string[] = [];
  said.cursor().iterate(({ node }) => {
    if (node.name === 'String') pieces.push(textOf(node, source).slice(1, -1));
    if (node.name === 'TemplateString') pieces.push(...literalsOf(node, source));
  });
  return pieces.filter((text) => SENTENCE.test(text));
}

/** The text of a template between what is put into it. */
function literalsOf(node: SyntaxNode, source: string): string[] {
  const holes = node.getChildren('Interpolation');
  const starts = [node.from + 1, ...holes.map(({ to }) => to)];
  return starts.map((from, at) => source.slice(from, holes[at]?.from ?? node.to - 1));
}

function textOf({ from, to }: SyntaxNode, source: string): string {
  return source.slice(from, to);
}

test('no file of the command line but those in print/ hands a sentence of its own to a printer or a prompt', () => {
  const files = fs
    .readdirSync(CLI, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^print\b/.test(file));
  expect(files.length).toBeGreaterThan(30);
  expect(files.flatMap((file) => sentencesIn(file, fs.readFileSync(path.join(CLI, file), 'utf8')))).toEqual([]);
});

const HOLE = '$' + '{name}';

test.each([
  ["out.line('All is well.')", 'All is well.'],
  [`context.err.renew(\`${HOLE} of your notes\`)`, ' of your notes'],
  ["out.plain(isDone ? done() : 'It waits for you')", 'It waits for you'],
  [`for (const name of names) out.styled('dim', \`and so is ${HOLE}\`)`, 'and so is '],
  [`await select({ message: \`${HOLE}: what is it?\`, options })`, ': what is it?'],
  ["asking.agree('Is that right?')", 'Is that right?'],
])('the rule sees %s', (source, sentence) => {
  expect(sentencesIn('x.ts', source)).toEqual([`x.ts: ${sentence}`]);
});

test.each([
  'out.line(verdictText(verdict))',
  `out.line(\`  ${HOLE}  ${HOLE}\`)`,
  "throw new StewardError({ code: 'gone', message: 'It is not there.', hint })",
  "const trouble = { code: 'gone', message: 'It is not there.' }",
])('the rule leaves %s alone', (source) => {
  expect(sentencesIn('x.ts', source)).toEqual([]);
});
