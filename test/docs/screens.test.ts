import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Files, TempVault } from '../support/temp-vault.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const STEWARD = path.join(PROJECT, 'bin/steward.js');
const DAY_MS = 86_400_000;

/** A screen that a page quotes: the command after `$`, and the lines below it. */
interface Screen {
  readonly page: string;
  readonly command: string;
  readonly lines: readonly string[];
}

const pages = fs.globSync('docs/*.md', { cwd: PROJECT }).toSorted();
const quoted = pages.flatMap(readScreens);

function readScreens(page: string): Screen[] {
  const text = fs.readFileSync(path.join(PROJECT, page), 'utf8');
  return [...text.matchAll(/^```\n\$ steward (.*)\n([\s\S]*?)^```$/gm)].map(([, command = '', shown = '']) => ({
    page,
    command,
    lines: shown.split('\n').filter((line) => line.trim() !== ''),
  }));
}

/** Runs commands in a vault, and keeps what each of them prints. */
class Shell {
  readonly outputs = new Map<string, string>();
  readonly #vault: TempVault;

  constructor(files: Files = {}) {
    this.#vault = new TempVault(files);
  }

  /** Returns where a file next to the vault is. */
  at(file: string): string {
    return path.join(this.#vault.home, file);
  }

  /** Writes a file next to the vault, or in `vault/`, as if an hour ago. */
  write(file: string, text: string): void {
    this.#vault.write(path.join('..', file), text);
  }

  /** Runs a command as a page prints it. `instead`: the words that are really given, if they differ. */
  run(command: string, instead: readonly string[] = wordsOf(command)): void {
    const { home, root } = this.#vault;
    const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_RUNTIME_DIR: home };
    const options = { encoding: 'utf8', cwd: PROJECT, input: '', env: { ...env, NO_COLOR: '1' } } as const;
    const { stdout, stderr } = spawnSync(process.execPath, [STEWARD, '--vault', root, ...instead], options);
    this.outputs.set(command, stdout + stderr);
  }

  /** Returns where the vault is. */
  get root(): string {
    return this.#vault.root;
  }
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, inQuotes, word = '']) => inQuotes ?? word);
}

/** Returns a line without what differs from run to run: times, dates, folders, and the breaks of a narrow terminal. */
function normalise(text: string): string {
  return text
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d-]+Z/g, 'TIME')
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'DATE')
    .replaceAll(/\b(?:today|yesterday) \d{1,2}:\d{2}/g, 'TIME')
    .replaceAll(/\(pid \d+\)/g, 'PID')
    .replaceAll(/\/(?:home|tmp|private|var)\/[^\s:,]*/g, 'FOLDER')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the lines that a command didn't print, in this order. */
function findMissing(lines: readonly string[], output: string): string[] {
  const printed = normalise(output);
  let from = 0;
  return lines.filter((line) => {
    const wanted = normalise(line);
    const at = printed.indexOf(wanted, from);
    if (at >= 0) from = at + wanted.length;
    return at < 0;
  });
}

function expectQuoted(shell: Shell, which: readonly string[]): void {
  const missing = quoted
    .filter(({ command, page }) => which.includes(`${path.basename(page)}: ${command}`))
    .flatMap(({ page, command, lines }) =>
      findMissing(lines, shell.outputs.get(command) ?? '').map((line) => `${page}, ${command}: ${line}`),
    );
  expect(missing).toEqual([]);
}

const TUTORIAL = [
  'getting-started.md: status',
  "getting-started.md: confirm 'Pay the deposit'",
  'getting-started.md: undo --last 1',
  'go-live.md: report',
  'undo.md: explain deposit.eml',
  'ledger.md: ledger',
  'leave.md: leave --dry-run',
  'streams.md: import deposit.eml --dry-run',
];
const SETUP = ['getting-started.md: init ~/Notes'];
const PAST = ['rehearsal.md: rehearse ~/mail/archive'];

test('every screen that a page quotes is tested here', () => {
  const found = new Set(quoted.map(({ command, page }) => `${path.basename(page)}: ${command}`));
  expect([...found].toSorted()).toEqual([...TUTORIAL, ...SETUP, ...PAST].toSorted());
});

test('the tutorial: its vault and its mail lead to the screens that the pages quote', () => {
  const shell = new Shell();
  shell.run('init', ['init', shell.root, '--yes']);
  for (const [file, text] of tutorialNotes()) shell.write(`vault/${file}`, text);
  shell.write('deposit.eml', tutorialMail());
  shell.write('old.eml', mail({ day: daysAgo(40), number: 'SR-2026-1' }));
  shell.write(
    'news.eml',
    `List-Unsubscribe: <https://sample-roofing.example/>\n${mail({ day: daysAgo(0), number: 'SR-2026-2' })}`,
  );
  shell.run('import deposit.eml --dry-run', ['import', shell.at('deposit.eml'), '--dry-run']);
  shell.run('import', ['import', shell.at('deposit.eml'), shell.at('old.eml'), shell.at('news.eml')]);
  shell.run('tick');
  for (const command of ['status', 'explain deposit.eml', 'ledger', 'leave --dry-run']) shell.run(command);
  for (const command of ["confirm 'Pay the deposit'", 'undo --last 1', 'report']) shell.run(command);
  expectQuoted(shell, TUTORIAL);
});

test('init finds the tasks, projects and status words of TaskNotes', () => {
  const status = (nth: number) => ['offen', 'offen', 'erledigt', 'offen', 'in Arbeit', 'offen', 'hm'][nth] ?? 'offen';
  const task = (nth: number) => `---\nstatus: ${status(nth)}\ntags: [task]\nprojects: ["[[Umzug]]"]\n---\n`;
  const statuses = ['offen', 'in Arbeit', 'erledigt'].map((value) => ({ value, isCompleted: value === 'erledigt' }));
  const settings = { tasksFolder: 'TaskNotes/Tasks', taskTag: 'task', customStatuses: statuses };
  const shell = new Shell({
    '.obsidian/app.json': '{}',
    '.obsidian/community-plugins.json': '["tasknotes"]',
    '.obsidian/plugins/tasknotes/data.json': JSON.stringify(settings),
    ...Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`TaskNotes/Tasks/Aufgabe ${nth}.md`, task(nth)])),
    ...Object.fromEntries(['Umzug', 'Garten', 'Steuer'].map((name) => [`1 Projekte/${name}.md`, 'Text.\n'])),
    ...Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`Journal/${nth}.md`, 'A day.\n'])),
  });
  shell.run('init ~/Notes', ['init', shell.root, '--yes']);
  expectQuoted(shell, SETUP);
});

test('a rehearsal of fourteen paid invoices', () => {
  const shell = new Shell();
  shell.run('init', ['init', shell.root, '--yes']);
  shell.write('vault/matter/roof.md', '---\nsenders: billing@sample-roofing.example\n---\n');
  for (let nth = 1; nth <= 14; nth++) {
    const [number, sent] = [`SR-2026-${100 + nth}`, 70 - 2 * nth];
    const done = `state: done\ncompletedDate: ${daysAgo(nth === 9 ? sent - 25 : sent - 1)
      .toISOString()
      .slice(0, 10)}`;
    const state = nth === 5 ? 'state: open' : done;
    shell.write(`vault/task/Pay invoice ${number}.md`, `---\nparent_matter: "[[roof]]"\n${state}\n---\n`);
    shell.write(`archive/${number}.eml`, mail({ day: daysAgo(sent), number }));
  }
  shell.run('rehearse ~/mail/archive', ['rehearse', shell.at('archive')]);
  expectQuoted(shell, PAST);
});

/** Returns the notes of the tutorial, as the page prints them: a path in backquotes, and the note in the block below it. */
function tutorialNotes(): [string, string][] {
  const page = fs.readFileSync(path.join(PROJECT, 'docs/getting-started.md'), 'utf8');
  const notes = [...page.matchAll(/`((?:matter|task)\/[^`]+\.md)`:\s+```\n([\s\S]*?)```/g)];
  expect(notes).toHaveLength(2);
  return notes.map(([, file = '', text = '']) => [file, text]);
}

function tutorialMail(): string {
  const page = fs.readFileSync(path.join(PROJECT, 'docs/getting-started.md'), 'utf8');
  const mail = /```text\n(From: [\s\S]*?)```/.exec(page)?.[1] ?? '';
  return mail.replace(/^Date: .*$/m, `Date: ${new Date().toUTCString()}`);
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

function mail({ day, number }: { readonly day: Date; readonly number: string }): string {
  const head = `From: Sample Roofing <billing@sample-roofing.example>\nSubject: Invoice ${number}\nDate: ${day.toUTCString()}`;
  return `${head}\nMessage-ID: <${number}@sample-roofing.example>\n\nWe have received your payment of invoice ${number}.\n`;
}
