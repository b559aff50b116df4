import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandHere } from '../servers/command-here.ts';
import { PseudoTerminal } from '../support/pseudo-terminal.ts';
import type { Installation } from './installation.ts';

/** What the installation adds to the machine: the service, the man page, the completion of shells. */
export function describeSystem(installed: () => Installation): void {
  describe('the service', () => {
    test.each([
      ['systemd', '--user'],
      ['systemd', '--system'],
      ['launchd', '--user'],
    ])('of %s (%s) starts the installed program', async (manager, owner) => {
      await using sandbox = installed().sandbox('example');
      const words = ['service', 'install', '--print', '--for', manager, owner, '--vault', 'vault'];
      const printed = await sandbox.steward(words);
      expect(printed).toMatchObject({ exit: 0, stderr: '' });
      const [node = '', program = ''] = findProgram(printed.stdout);
      expect(fs.realpathSync(program)).toBe(fs.realpathSync(installed().program));
      expect(installed().run(node, program, '--version')).toMatchObject({ status: 0, stderr: '' });
    });
  });

  describe('the man page', () => {
    test('is what the installed program prints', async () => {
      await using sandbox = installed().sandbox('none');
      const page = fs.readFileSync(path.join(installed().place, 'dist', 'steward.1'), 'utf8');
      expect(await sandbox.steward(['man'])).toEqual({ exit: 0, stderr: '', stdout: page });
    });

    test.skipIf(commandHere('man') === null)('is where `man steward` finds it, with every command', () => {
      const manual = path.join(installed().prefix, 'share', 'man');
      const { status, stdout } = installed().run('man', '-M', manual, 'steward');
      expect(status).toBe(0);
      for (const name of installed().findCommands()) expect(stdout).toContain(`steward ${name}`);
    });
  });

  describe('completion', () => {
    test.for<readonly [string, readonly string[], string]>([
      ['bash', ['bash', '--norc', '--noprofile', '-i'], 'eval "$(steward completion bash)"'],
      ['zsh', ['zsh', '-f', '-i'], 'autoload -Uz compinit && compinit -D && eval "$(steward completion zsh)"'],
    ])('of %s completes commands and proposals', async ([shell, words, setUp], { skip }) => {
      if (commandHere(shell) === null) skip();
      await using sandbox = installed().sandbox('example');
      const place = { cwd: sandbox.folder, env: { ...sandbox.env, PS1: '> ' } };
      await using terminal = new PseudoTerminal(words, place);
      terminal.type(`cd vault && ${setUp} && echo rea""dy\\r`);
      await terminal.says('ready');
      terminal.type('steward dismi\\t');
      await terminal.says('ss');
      terminal.type('\\x15steward dismiss compare-ti\\t');
      await terminal.says('offers');
      terminal.type(' --dry-run\\r');
      await terminal.says('would be dismissed');
      terminal.type('exit\\r');
      expect(await terminal.ended).toContain('exit 0');
    });

    test.skipIf(commandHere('fish') === null)('of fish completes commands and proposals', async () => {
      await using sandbox = installed().sandbox('example');
      const complete = async (line: string) =>
        (await sandbox.sh(`cd vault && fish --no-config -c 'steward completion fish | source; complete -C "${line}"'`))
          .stdout;
      expect(await complete('steward dismi')).toMatch(/^dismiss\t/m);
      expect(await complete('steward dismiss compare-ti')).toContain('compare-tile-offers');
    });
  });

  describe('Node', () => {
    const old = ['/usr/bin/node', '/usr/local/bin/node'].find((node) =>
      /^v(1\d|20|21)\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
    );

    test.skipIf(old === undefined)('if it is too old, one sentence says so', () => {
      const { status, stdout, stderr } = installed().run(old ?? '', installed().program, 'status');
      expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
      expect(stderr).toMatch(/^steward needs Node 22\.22 or newer; this is \d+\.\d+\.\d+\. .*\n$/);
    });
  });
}

/** Returns the program and its script that a unit of systemd or an agent of launchd starts. */
function findProgram(service: string): readonly string[] {
  const line = /^ExecStart=(.*)$/m.exec(service)?.[1];
  const found = line?.matchAll(/"([^"]*)"/g) ?? service.matchAll(/^ {4}<string>(\/.*)<\/string>$/gm);
  return [...found].map(([, word = '']) => word);
}
