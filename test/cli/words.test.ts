import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const CLI = path.resolve(import.meta.dirname, '../../src/cli');
/** What says something to a person: ways of the printer, of prompts, and of whoever asks on a terminal. */
const SAYING = [
  ...['line', 'plain', 'styled', 'heading', 'renew', 'progress', 'rows'],
  ...['agree', 'tell', 'note', 'intro', 'outro'],
];
/** Calls that build an error: its sentence stands where it is thrown. */
const ERRORS = /^(StewardError|diagnostic|usageError|z)$/;

/** Returns each sentence that `source` hands to a printer or a prompt itself: text with a space between two letters. */
function sentencesIn(name: string, source: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isSaying(node)) for (const said of node.arguments) found.push(...sentences(said));
    if (isPromptMessage(node)) found.push(...sentences(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.map((text) => `${name}: ${text}`);
}

function isSaying(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return SAYING.includes(node.expression.name.text);
}

function isPromptMessage(node: ts.Node): node is ts.PropertyAssignment {
  return ts.isPropertyAssignment(node) && node.name.getText() === 'message' && !isOfAnError(node);
}

function isOfAnError(node: ts.Node): boolean {
  for (let above = node.parent; above !== undefined && !ts.isStatement(above); above = above.parent) {
    if ((ts.isNewExpression(above) || ts.isCallExpression(above)) && ERRORS.test(above.expression.getText()))
      return true;
    // A value of the type of an error: it has a code beside its message.
    if (ts.isObjectLiteralExpression(above) && above.properties.some(({ name }) => name?.getText() === 'code'))
      return true;
  }
  return false;
}

function sentences(said: ts.Node): string[] {
  const pieces: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) pieces.push(node.text);
    if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) pieces.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(said);
  return pieces.filter((text) => /\p{L}[,;:.]? \p{L}/u.test(text));
}

test('no file of the command line but those in print/ hands a sentence of its own to a printer or a prompt', () => {
  const files = fs
    .readdirSync(CLI, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('print/'));
  expect(files.length).toBeGreaterThan(80);
  expect(files.flatMap((file) => sentencesIn(file, fs.readFileSync(path.join(CLI, file), 'utf8')))).toEqual([]);
});

test.each([
  ["out.line('All is well.')", 'All is well.'],
  ['context.err.renew(`Looking at ${notes} of your notes`)', ' of your notes'],
  ["out.plain(isDone ? done() : 'It waits for you')", 'It waits for you'],
  ["for (const line of lines) out.styled('dim', `so it is ${line}`)", 'so it is '],
  ['await select({ message: `${name}: what is it?`, options })', ': what is it?'],
  ["asking.agree('Is that right?')", 'Is that right?'],
])('the rule sees %s', (source, sentence) => {
  expect(sentencesIn('x.ts', source)).toEqual([`x.ts: ${sentence}`]);
});

test.each([
  'out.line(verdictText(verdict))',
  "out.line(`  ${out.paint('yellow', word)}  ${stem(note)}`)",
  "throw new StewardError({ code: 'gone', message: 'It is not there.', hint })",
  "const trouble = { code: 'gone', message: 'It is not there.' }",
])('the rule leaves %s alone', (source) => {
  expect(sentencesIn('x.ts', source)).toEqual([]);
});
