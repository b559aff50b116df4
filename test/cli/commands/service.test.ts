import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { countFiles, escapePath, limitsFor } from '../../../src/cli/commands/service.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');
const STEWARD = path.resolve(import.meta.dirname, '../../../bin/steward.js');

function printed(...args: string[]): string {
  const vault = fs.mkdtempSync(path.join(os.tmpdir(), 'steward unit '));
  return execFileSync(process.execPath, [STEWARD, '--vault', vault, 'service', 'install', '--print', ...args], {
    encoding: 'utf8',
  });
}

it('prints a user unit for this vault and this Node, and installs nothing', () => {
  const unit = printed('--user');
  expect(unit).toContain(`ExecStart="${process.execPath}" "${STEWARD}" run`);
  expect(unit).toMatch(/^Environment="STEWARD_VAULT=.*steward unit /m);
  expect(unit).toContain('WatchdogSec=');
});

it('prints a system unit whose instance is the vault', () => {
  expect(printed('--system')).toContain(`"${STEWARD}" run --vault %f`);
});

describe('limits', () => {
  it.each([
    [0, { memoryHigh: 640, memoryMax: 768, startSeconds: 180 }],
    [10_000, { memoryHigh: 896, memoryMax: 1024, startSeconds: 240 }],
    [100_000, { memoryHigh: 1664, memoryMax: 1792, startSeconds: 300 }],
    [500_000, { memoryHigh: 4_736, memoryMax: 4_864, startSeconds: 720 }],
  ])('of a vault of %i files', (files, limits) => {
    expect(limitsFor(files)).toEqual({ files, ...limits });
  });

  it('stand in both units, by the number of files that are not hidden', () => {
    const vault = fs.mkdtempSync(path.join(os.tmpdir(), 'steward unit '));
    for (const file of ['matter/a.md', 'matter/2026/b.md', '.steward/lock', 'matter/.hidden.md', 'stream/c.eml']) {
      fs.mkdirSync(path.dirname(path.join(vault, file)), { recursive: true });
      fs.writeFileSync(path.join(vault, file), '');
    }
    expect(countFiles(vault)).toBe(3);
    for (const owner of ['--user', '--system']) {
      const words = [STEWARD, '--vault', vault, 'service', 'install', '--print', owner];
      const text = execFileSync(process.execPath, words, { encoding: 'utf8' });
      expect(text).toContain('For the 3 files of this vault');
      // Of two lines, systemd takes the later: the drop-in stands behind the unit.
      const last = (name: string) => text.split('\n').findLast((line) => line.startsWith(`${name}=`));
      expect(last('MemoryMax')).toBe('MemoryMax=1024M');
      expect(last('MemoryHigh')).toBe('MemoryHigh=896M');
    }
  });
});

const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).error === undefined;

/** Asks systemd-analyze about a unit as it is printed. */
function analyzed(word: 'verify' | 'security', name: string, text: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-unit-'));
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  const words = word === 'verify' ? ['verify', file] : ['security', '--offline=true', '--no-pager', file];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes(folder))).toEqual([]);
  if (word === 'verify') expect(status).toBe(0);
  return stdout;
}

it.skipIf(!HAS_SYSTEMD)('both units are units to systemd, for a vault of root and for one of a person', () => {
  analyzed('verify', 'steward.service', printed('--user'));
  analyzed('verify', 'steward@srv-vault.service', printed('--system'));
  analyzed('verify', 'steward@srv-vault.service', ofPerson());
});

it.skipIf(!HAS_SYSTEMD)('the system unit is shut in as far as V8, sockets and the network allow', () => {
  const exposure = (name: string, text: string) =>
    Number(/exposure level for .*: ([\d.]+)/.exec(analyzed('security', name, text))?.[1]);
  expect(exposure('steward@srv-vault.service', ofPerson())).toBeLessThanOrEqual(1.5);
  expect(exposure('steward.service', printed('--user'))).toBeLessThanOrEqual(6.5);
});

it('each line of a unit that shuts the steward in has its reason above it', () => {
  for (const name of ['steward.service', 'steward@.service']) {
    const lines = fs.readFileSync(path.resolve(PROJECT, 'systemd', name), 'utf8').split('\n');
    const shutIn = lines.flatMap((line, at) =>
      /^(Protect|Private|Restrict|SystemCall|Memory|OOM|Notify|Kill)/.test(line) ? [at] : [],
    );
    const reasonless = shutIn.filter(
      (at) =>
        lines
          .slice(0, at)
          .findLast((line) => !/^[A-Z]/.test(line))
          ?.startsWith('#') !== true,
    );
    expect(reasonless.map((at) => lines[at])).toEqual([]);
  }
});

/** The system unit for a vault that does not belong to root. */
function ofPerson(): string {
  const vault = fs.mkdtempSync(path.join(os.tmpdir(), 'steward unit '));
  if (process.getuid?.() === 0) fs.chownSync(vault, 4711, 4711);
  const words = [STEWARD, '--vault', vault, 'service', 'install', '--print', '--system'];
  const text = execFileSync(process.execPath, words, { encoding: 'utf8' });
  expect(text).toMatch(/^User=\d+$/m);
  return text;
}

describe('for launchd', () => {
  const listOf = (vault: string, env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [STEWARD, '--vault', vault, 'service', 'install', '--print', '--for', 'launchd'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: '/Users/robin', ...env },
    });

  it('prints a property list that says what to run, when, and where it logs', () => {
    const vault = path.join(os.tmpdir(), 'Tom & Jerry <notes> "a" \'b\' %h $HOME');
    const list = parsed(listOf(vault, { STEWARD_LIVE_MODE: 'live', ANTHROPIC_API_KEY: 'sk-secret' }).stdout);
    expect(list).toEqual({
      Label: 'vault-steward',
      ProgramArguments: [process.execPath, STEWARD, 'run', '--vault', vault],
      EnvironmentVariables: { STEWARD_LIVE_MODE: 'live' },
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 60,
      ExitTimeOut: 15,
      ProcessType: 'Background',
      Umask: 63,
      WorkingDirectory: '/',
      StandardOutPath: '/Users/robin/Library/Logs/vault-steward/steward.log',
      StandardErrorPath: '/Users/robin/Library/Logs/vault-steward/steward.log',
    });
  });

  it('refuses a path that no property list can hold, and a service of the system', () => {
    expect(listOf('/tmp/a\nb')).toMatchObject({ status: 1, stderr: expect.stringContaining('service-path') });
    const system = spawnSync(process.execPath, [
      STEWARD,
      'service',
      'status',
      '--system',
      '--for',
      'launchd',
      '--vault',
      '/tmp',
    ]);
    expect(system.status).toBe(2);
  });
});

/** Reads a property list strictly by its document type: https://www.apple.com/DTDs/PropertyList-1.0.dtd. */
function parsed(text: string): unknown {
  const root = { name: 'root', text: '', children: [] as Node[] };
  const open: Node[] = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    const node: Node = { name, text: '', children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (words) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += words;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  const [plist] = root.children;
  expect(plist?.name).toBe('plist');
  expect(plist?.children).toHaveLength(1);
  return plain(plist?.children[0]);
}

interface Node {
  readonly name: string;
  text: string;
  readonly children: Node[];
}

function plain(node: Node | undefined): unknown {
  switch (node?.name) {
    case 'string':
      return node.text;
    case 'integer':
      expect(node.text).toMatch(/^\d+$/);
      return Number(node.text);
    case 'true':
    case 'false':
      return node.name === 'true';
    case 'array':
      return node.children.map(plain);
    case 'dict':
      expect(node.children.map(({ name }, at) => (name === 'key') === (at % 2 === 0))).not.toContain(false);
      return Object.fromEntries(
        node.children.flatMap((key, at) => (at % 2 === 0 ? [[key.text, plain(node.children[at + 1])]] : [])),
      );
    default:
      throw new Error(`a property list has no ${node?.name ?? 'nothing'}`);
  }
}

it('escapes a path as systemd-escape does', () => {
  expect(escapePath('/srv/my vault/home-1')).toBe('srv-my\\x20vault-home\\x2d1');
  expect(escapePath('/.hidden')).toBe('\\x2ehidden');
  expect(escapePath('/')).toBe('-');
});
