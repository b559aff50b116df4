import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PseudoTerminal } from '../../support/pseudo-terminal.ts';
import type { PreparedHome } from './prepared-home.ts';

/** How a command ended, and what it said. */
export interface CommandResult {
  readonly exit: number | string;
  readonly output: string;
}

const PATIENCE_MS = 60_000;
/** Commands that go on until they are ended, and what they print when they work. */
const LASTING: readonly (readonly [command: RegExp, ready: RegExp])[] = [
  [/\bsteward (?:.* )?run\b|^npm start\b/, /started|watching|keeping|listens/],
  [/\b(?:steward|run) demo(?!.*--once)/, /a mail arrives/],
];
/** Commands that ask a person, and what they ask first. */
const ASKING: readonly (readonly [command: RegExp, asks: string])[] = [
  [/^steward source add(?: shop)?(?: --vault \S+)?$/, '?'],
];
/** npx takes the program of the clone that it stands in, and can take no other. */
const localNpx = ({ folder }: PreparedHome) => ({
  npm_config_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_cache: `${folder}/.npm`,
});
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Runs a command in a prepared home, to its end. A lasting one is ended as soon as it works; that counts as exit 0. */
export async function runCommand(line: string, home: PreparedHome): Promise<CommandResult> {
  const asks = ASKING.find(([command]) => command.test(line))?.[1];
  if (asks !== undefined) return breakOff(line, asks, home);
  const ready = LASTING.find(([command]) => command.test(line))?.[1] ?? null;
  const isClone = /(?:^|&& )(?:npx|npm|node) (?!install)/.test(line);
  const child = spawn('/bin/bash', ['-c', line], {
    cwd: isClone ? `${home.folder}/vault-steward` : home.vault,
    env: { ...home.env, ...(line.startsWith('npx ') ? localNpx(home) : {}) },
    detached: true,
  });
  const end = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
  const patience = setTimeout(() => end('SIGKILL'), PATIENCE_MS);
  let output = '';
  let isReady = false;
  const hear = (text: string) => {
    output += text;
    if (isReady || ready === null || !ready.test(output)) return;
    isReady = true;
    end('SIGINT');
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  child.stdin.on('error', () => undefined); // it may not read
  child.stdin.end(/\bsteward mcp\b/.test(line) ? `${JSON.stringify(INITIALIZE)}\n` : '');
  const [code, signal] = await once(child, 'close');
  clearTimeout(patience);
  if (isReady && [130, 'SIGINT'].includes(code ?? signal)) return { exit: 0, output };
  return { exit: ready !== null && !isReady ? `never ready, ${code ?? signal}` : (code ?? signal), output };
}

/** Runs a command that asks at a terminal, and presses Ctrl-C at its first question; that counts as exit 0. */
async function breakOff(line: string, asks: string, home: PreparedHome): Promise<CommandResult> {
  await using terminal = new PseudoTerminal(['/bin/bash', '-c', `exec ${line}`], { cwd: home.vault, env: home.env });
  await terminal.says(asks);
  terminal.type('\\x03');
  const ended = await terminal.ended;
  return { exit: /^exit (?:1|130),/.test(ended) ? 0 : ended, output: terminal.said };
}
