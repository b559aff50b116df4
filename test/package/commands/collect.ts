import fs from 'node:fs';
import path from 'node:path';
import { findInMessage, type PrintedCommand, parseBlockLine, parseSnippet } from './command-line.ts';
import { readLiterals } from './literals.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');
const MENTIONS = /steward|program|npm|ulimit|systemctl|journalctl|loginctl|chmod|ss -/;

/** Returns every command line in README, docs, templates, unit files, and in the messages and help texts of the program. */
export function collectCommands(): readonly PrintedCommand[] {
  const pages = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'vault-example/Steward.base']
    .concat(listFiles('docs', '.md'), listFiles('template', '.md'), listFiles('vault-example', '.md'))
    .flatMap((file) => readPage(file, readText(file)));
  const units = listFiles('systemd', '').flatMap((file) => readUnit(file, readText(file)));
  const messages = [...listFiles('src', '.ts'), ...listFiles('bin', '.js')].flatMap((file) => {
    const text = readText(file);
    return MENTIONS.test(text) ? readMessages(file, text) : [];
  });
  return [...pages, ...units, ...messages];
}

/** Returns the commands of a Markdown page: those in code spans, and those in code blocks that a shell takes. */
export function readPage(file: string, text: string): readonly PrintedCommand[] {
  const found: PrintedCommand[] = [];
  let from = 0;
  for (const fence of text.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)) {
    found.push(...readSpans(file, text, from, fence.index));
    const line = countLines(text, fence.index) + 1;
    const [whole, , language = '', block = ''] = fence;
    if (language === 'json') found.push(...readServers(file, line, block));
    if (/^(?:sh|bash|console|)$/.test(language.trim())) found.push(...readBlock(file, line, block, language !== ''));
    from = fence.index + whole.length;
  }
  return [...found, ...readSpans(file, text, from, text.length)];
}

function readSpans(file: string, text: string, from: number, to: number): PrintedCommand[] {
  return [...text.slice(from, to).matchAll(/(?<!`)`([^`]+)`(?!`)/g)].flatMap(({ 1: span = '', index }) => {
    const command = parseSnippet(span.replaceAll('\\|', '|'));
    return command === null ? [] : [{ file, line: countLines(text, from + index), text: command }];
  });
}

/**
 * A block of a shell is one script, whose lines need each other. In a screen, only the lines after a `$` are commands. In
 * any other block, each line may be one.
 */
function readBlock(file: string, line: number, block: string, isScript: boolean): PrintedCommand[] {
  if (block.startsWith('#!')) return []; // a file to be saved, not a command to be typed
  if (isScript) return [{ file, line, text: block.trim() }];
  const isScreen = /^\$ /m.test(block);
  return block.split('\n').flatMap((one, at) => {
    const text = isScreen && !one.startsWith('$ ') ? null : parseBlockLine(one);
    return text === null ? [] : [{ file, line: line + at, text }];
  });
}

/** What a list of servers has an assistant start. */
function readServers(file: string, line: number, block: string): PrintedCommand[] {
  return [...block.matchAll(/"command": "(\w+)",\s*"args": \[([^\]]*)\]/g)].map(([, program, words = '']) => {
    return {
      file,
      line,
      text: [program, ...words.split(',').map((word) => word.trim().replaceAll('"', ''))].join(' '),
    };
  });
}

/** Returns the commands of a unit file: what it starts, and what its comments say. */
function readUnit(file: string, text: string): PrintedCommand[] {
  return text.split('\n').flatMap((line, at) => {
    const started = /^ExecStart=:?\/usr\/bin\/env (.*)$/.exec(line)?.[1];
    const typed = /^#(?: {3}|.*: (?=sudo )| (?=journalctl ))(.*)$/.exec(line)?.[1];
    const alone = started ?? (typed === undefined ? null : parseBlockLine(typed.replace(/(-t steward) .*/, '$1')));
    const spans = readSpans(file, line, 0, line.length).map(({ text: span }) => span);
    return [...(alone === null ? [] : [alone]), ...spans].map((command) => ({ file, line: at + 1, text: command }));
  });
}

/** Returns the commands in the strings and templates of a source file. */
export function readMessages(file: string, text: string): readonly PrintedCommand[] {
  return readLiterals(text).flatMap((literal) =>
    findInMessage(literal.text).map((command) => ({ file, line: literal.line, text: command })),
  );
}

function listFiles(folder: string, ending: string): string[] {
  return fs
    .readdirSync(path.join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.parentPath.includes('node_modules'))
    .map((entry) => path.relative(PROJECT, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

function readText(file: string): string {
  return fs.readFileSync(path.join(PROJECT, file), 'utf8');
}

function countLines(text: string, to: number): number {
  return text.slice(0, to).split('\n').length;
}
