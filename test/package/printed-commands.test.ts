// Over 5 s: it installs the package, and runs each command that is printed anywhere.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { collectCommands, readMessages, readPage } from './commands/collect.ts';
import { type Exception, readExceptions } from './commands/exceptions.ts';
import { PreparedHome } from './commands/prepared-home.ts';
import { runCommand } from './commands/run-command.ts';
import { expandUsage, fillPlaceholders } from './commands/runnable.ts';
import { Installation } from './installation.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const LANES = 4;
const SLOW = /\bdemo\b|^np[mx] |--recorded/;

/** A command as it is run, and where it is printed. */
interface Runnable {
  readonly line: string;
  readonly places: string[];
  readonly exception: Exception | null;
}

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'printed-')));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const exceptions = readExceptions();
const printed = collectCommands().flatMap(({ text, file, line }) =>
  expandUsage(text).map((command) => ({ text: command, place: `${file}:${line}` })),
);
const findException = (text: string) => exceptions.find(({ pattern }) => pattern.test(text)) ?? null;
const isRun = ({ instead, exit }: Exception) => instead !== undefined || exit !== undefined;

test('the collector finds commands in every kind of place', () => {
  const files = new Set(printed.map(({ place }) => place.split(':')[0]));
  for (const file of [
    'README.md',
    'docs/sources.md',
    'template/steward.md',
    'systemd/steward.service',
    'src/cli/table.ts',
  ])
    expect(files).toContain(file);
  expect(printed.length).toBeGreaterThan(400);
});

test('reads what a page and a message print, with the place', () => {
  const page = 'Ask `steward\nstatus`, not `steward.md`.\n\n```\n$ steward log -n 3   # the newest\nprose\n```\n';
  expect(readPage('page.md', page)).toEqual([
    { file: 'page.md', line: 1, text: 'steward status' },
    { file: 'page.md', line: 5, text: 'steward log -n 3' },
  ]);
  const program = `
    // \`steward comment\` is not printed
    const test = \`steward source test \${shellWord(name)}\`;
    const said = ['The steward looks at it; see \`steward log\`.', \`Then: \${test} --yes.\`, "Use: steward undo EVENT --force"];`;
  expect(readMessages('message.ts', program).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '3 steward source test ⟦shellWord(name)⟧',
    '4 steward log',
    '4 steward source test ⟦shellWord(name)⟧ --yes',
    '4 steward undo EVENT --force',
  ]);
});

test('every exception fits a printed command', () => {
  const unused = exceptions.filter(({ pattern }) => !printed.some(({ text }) => pattern.test(text)));
  expect(unused.map(({ pattern }) => pattern.source)).toEqual([]);
});

test('a command that is not run names a script or a file that exists', () => {
  const left = printed.filter(({ text }) => {
    const exception = findException(text);
    return exception !== null && !isRun(exception);
  });
  expect(left.filter(({ text }) => !namesExistingFiles(text))).toEqual([]);
});

test('every other command works in the installed package', { timeout: 900_000 }, async ({ skip }) => {
  using installation = new Installation();
  if (installation.isOffline) return skip('The registry cannot be reached.');
  const queue = listRunnable();
  console.info(`${printed.length} printed, ${queue.length} run, ${exceptions.length} exceptions`);
  const wrong: string[] = [];
  const env = withReaders(installation);
  const serve = async (home: PreparedHome) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      home.reset();
      const { exit, output } = await runCommand(next.line, home);
      const expected = next.exception?.exit ?? 0;
      const isRight = exit === expected && (expected === 0 || output.includes(next.exception?.says ?? ''));
      if (!isRight)
        wrong.push(`${next.line}\n  printed in ${next.places.join(', ')}\n  exit ${exit}: ${output.slice(-600)}`);
    }
  };
  const homes = Array.from({ length: LANES }, (_, lane) => new PreparedHome(path.join(root, `${lane}`), env));
  await Promise.all(homes.map((home) => home.prepare()));
  await Promise.all(homes.map(serve));
  expect(wrong.join('\n\n')).toBe('');
});

/** Returns what is to be run, each line once. */
function listRunnable(): Runnable[] {
  const lines = new Map<string, Runnable>();
  for (const { text, place } of printed) {
    const exception = findException(text);
    if (exception !== null && !isRun(exception)) continue;
    const typed = exception?.instead === undefined ? text : text.replace(exception.pattern, exception.instead);
    const line = fillPlaceholders(typed, place.startsWith('src/'));
    const known = lines.get(line);
    if (known === undefined) lines.set(line, { line, places: [place], exception });
    else known.places.push(place);
  }
  // The slow ones first: none is left over for a single lane at the end.
  return [...lines.values()].toSorted((a, b) => Number(SLOW.test(b.line)) - Number(SLOW.test(a.line)));
}

/** Puts the readers of mailboxes and calendars next to the program, as the command that installs them does. */
function withReaders({ prefix, env }: Installation): NodeJS.ProcessEnv {
  for (const name of ['imapflow', 'tsdav'])
    fs.symlinkSync(path.join(PROJECT, 'node_modules', name), path.join(prefix, 'lib', 'node_modules', name));
  return { ...env, PATH: `${path.join(prefix, 'bin')}:${env.PATH}` };
}

function namesExistingFiles(text: string): boolean {
  return text.split(/&&|\|/).every((part) => {
    const words = part.trim().split(' ');
    const folder = /--prefix (\S+)/.exec(part)?.[1] ?? '.';
    if (words[0] === 'npm' && /^(run|test|start)$/.test(words[1] ?? '')) {
      const script = words[1] === 'run' ? words.slice(2).find((word) => !word.startsWith('-')) : words[1];
      const manifest = fs.readFileSync(
        path.join(PROJECT, /^[\w./-]+$/.test(folder) ? folder : '.', 'package.json'),
        'utf8',
      );
      return script === '…' || manifest.includes(`"${script}":`);
    }
    const files = words.filter((word) => /^(test|docs|train|fleet|src)\/\S+$/.test(word));
    return files.every((file) => fs.existsSync(path.join(PROJECT, file)));
  });
}
