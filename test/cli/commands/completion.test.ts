import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type CommandShape, findCompletions, manPage } from '../../../src/cli/commands/completion.ts';
import { Sandbox } from '../../stories/support.ts';
import { PseudoTerminal } from '../../support/pseudo-terminal.ts';

function has(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

const leaf = (name: string, ...names: string[]): CommandShape => ({
  ...{ name, summary: `it does ${name}`, usage: `${name} [note]`, commands: [] },
  options: [{ flags: '--note <note>', names: ['--note', ...names], takesValue: true, summary: 'of a note' }],
});
const TABLE: CommandShape = {
  ...{ name: 'steward', summary: 'It keeps notes.', usage: 'steward', options: [] },
  commands: [leaf('undo', '-n'), leaf('status'), { ...leaf('source'), commands: [leaf('add'), leaf('list')] }],
};

test.each([
  [[''], ['undo', 'status', 'source']],
  [['S'], ['status', 'source']],
  [['status', ''], []],
  [
    ['source', ''],
    ['add', 'list'],
  ],
  [['source', 'list', '--'], ['--note']],
  [
    ['undo', '-'],
    ['--note', '-n'],
  ],
  [['status', '--note', 'un'], []], // the value of an option is no command
  [['status', '--note', 'undo', '-'], ['--note']],
])('behind %j come %j', (words, values) => {
  expect(findCompletions(TABLE, words).words.map(({ value }) => value)).toEqual(values);
});

test('the events are asked for behind the commands that answer them, and not where an option wants its value', () => {
  expect(findCompletions(TABLE, ['undo', 'Pa']).events).toBe('undo');
  expect(findCompletions(TABLE, ['undo', '--note', 'Pa']).events).toBeNull();
  expect(findCompletions(TABLE, ['status', 'Pa']).events).toBeNull();
});

test('the man page has every command, and no word of it is an order to roff', () => {
  const page = manPage({ ...TABLE, summary: "\\fB is kept\n.so /etc/passwd\n'so too" }, '1.0.0');
  for (const name of ['undo', 'status', 'source add', 'source list']) expect(page).toContain(`.SS steward ${name}`);
  expect(page).not.toMatch(/^[.']so/m);
  expect(page).not.toContain('\\fB');
});

test.runIf(has('man'))('man reads the page of the real table without a warning', async () => {
  await using sandbox = new Sandbox('none');
  const page = await sandbox.sh('steward man > steward.1 && man --warnings -l steward.1');
  expect(page).toMatchObject({ exit: 0, stderr: '' });
  expect(page.stdout).toContain('steward undo [event...]');
});

test('the build keeps the page where npm looks for it', () => {
  const manifest: { readonly man: readonly string[] } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  // npm 11 links no page that is named by a bare string.
  expect(manifest.man).toEqual(['./dist/steward.1']);
});

test('a shell that is not known is told which are: 2', async () => {
  await using sandbox = new Sandbox('none');
  const said = await sandbox.steward(['completion', 'tcsh']);
  expect(said).toMatchObject({ exit: 2, stdout: '' });
  expect(said.stderr).toContain('bash, zsh, fish');
});

/** A vault in which a note with a difficult title waits. */
function withTitle(sandbox: Sandbox): void {
  const event = 'event/steward-action-2026-11-03T09-30-00Z-compare-tile-offers.md';
  const title = "Robin's $HOME offers";
  fs.renameSync(path.join(sandbox.vault, 'task/compare-tile-offers.md'), path.join(sandbox.vault, `task/${title}.md`));
  // The record is in single quotes, where a quote is written twice.
  const renamed = (line: string) =>
    line.replaceAll('compare-tile-offers', line.startsWith('record:') ? title.replaceAll("'", "''") : title);
  sandbox.write(event, sandbox.read(event).split('\n').map(renamed).join('\n'));
}

test('bash completes commands, options and the titles that can be answered, quoted', async () => {
  await using sandbox = new Sandbox('example');
  withTitle(sandbox);
  await using shell = new PseudoTerminal(['bash', '--norc', '--noprofile', '-i'], {
    cwd: sandbox.folder,
    env: { ...sandbox.env, PS1: '> ' },
  });
  shell.type('cd vault && eval "$(steward completion bash)" && echo rea""dy\\r');
  await shell.says('ready');
  shell.type('steward stat\\t');
  await shell.says('us');
  shell.type(' --sch\\t');
  await shell.says('edules');
  shell.type('\\x15steward dismiss Rob\\t');
  await shell.says("in\\'s\\ \\$HOME\\ offers");
  shell.type(' --dry-run\\r');
  await shell.says('would be dismissed');
  shell.type('exit\\r');
  expect(await shell.ended).toContain('exit 0');
});

test.runIf(has('zsh'))('zsh completes commands and the titles that can be answered, quoted', async () => {
  await using sandbox = new Sandbox('example');
  withTitle(sandbox);
  await using shell = new PseudoTerminal(['zsh', '-f', '-i'], {
    cwd: sandbox.folder,
    env: { ...sandbox.env, PS1: '> ' },
  });
  shell.type('cd vault && autoload -Uz compinit && compinit -D && eval "$(steward completion zsh)" && echo rea""dy\\r');
  await shell.says('ready');
  shell.type('steward stat\\t');
  await shell.says('us');
  shell.type('\\x15steward dismiss Rob\\t');
  await shell.says('offers');
  shell.type('--dry-run\\r');
  await shell.says('would be dismissed');
  shell.type('exit\\r');
  expect(await shell.ended).toContain('exit 0');
});

test.runIf(has('fish'))('fish completes commands, options and the titles that can be answered', async () => {
  await using sandbox = new Sandbox('example');
  withTitle(sandbox);
  const asked = (line: string) =>
    sandbox.sh(`cd vault && fish --no-config -c 'steward completion fish | source; complete -C "${line}"'`);
  expect((await asked('steward stat')).stdout).toMatch(/^status\t/m);
  expect((await asked('steward status --sch')).stdout).toMatch(/^--schedules\t/m);
  expect((await asked('steward dismiss Rob')).stdout).toMatch(/Robin.*offers/);
});
