import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../stories/support.ts';
import { mailbox, mailText, paidMail } from '../../streams/mailboxes.ts';
import { namesIn } from '../../support/placed.ts';

const MANY = 800;

/** A sandbox with a vault, and a mailbox beside it that is not read in a moment. */
function world(): Sandbox {
  const sandbox = new Sandbox('none');
  sandbox.write('matter/house.md', '---\ntype: matter\nsenders: [billing@roof.example]\n---\n');
  sandbox.write('task/pay.md', '---\ntype: task\nstate: open\nparent_matter: "[[house]]"\n---\n');
  sandbox.write('steward.md', '---\ndefault_schedule: "0 0 29 2 *"\n---\n');
  const mails = Array.from({ length: MANY }, (_, nth) => mailText({ id: `m${nth}`, text: `Nothing ${nth}.` }));
  fs.writeFileSync(path.join(sandbox.folder, 'box.mbox'), mailbox(paidMail('first'), ...mails));
  return sandbox;
}

const IMPORT = ['import', '--vault', 'vault', './box.mbox'];

function tmpOf(sandbox: Sandbox): string[] {
  return fs.readdirSync(path.join(sandbox.vault, '.steward', 'tmp'));
}

function knownIn(sandbox: Sandbox): boolean {
  return fs.existsSync(path.join(sandbox.vault, '.steward', 'state', 'known'));
}

async function importsAll(sandbox: Sandbox): Promise<void> {
  const { stdout, exit } = await sandbox.steward([...IMPORT, '--json']);
  expect(exit, stdout).toBe(0);
  const [{ items, complete }] = JSON.parse(stdout).imported;
  expect(complete).toBe(true);
  expect(items.read + items.known).toBeGreaterThan(MANY);
  expect(items.refused).toBe(0);
  expect(namesIn(sandbox.vault, 'signal')).toHaveLength(1);
  expect(fs.readdirSync(path.join(sandbox.vault, 'stream'))).toEqual(['box.mbox']);
  expect(tmpOf(sandbox)).toEqual([]);
}

test('Ctrl-C ends an import after the event under way (130), and the same command goes on', async () => {
  await using sandbox = world();
  const running = sandbox.start(`steward ${IMPORT.join(' ')}`);
  await expect.poll(() => knownIn(sandbox)).toBe(true);
  running.kill('SIGINT');
  const { stdout, stderr, exit } = await running.ended;
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: '' });
  expect(stdout).toMatch(/^stream\/box\.mbox: [\d,]+ events?: .*, and there are more\nIt ended early; /);
  await importsAll(sandbox);
});

test('killed in the middle, an import goes on at the next one, and no signal comes twice', async () => {
  await using sandbox = world();
  const running = sandbox.start(`steward ${IMPORT.join(' ')}`);
  await expect.poll(() => knownIn(sandbox)).toBe(true);
  running.kill('SIGKILL');
  expect(await running.ended).toMatchObject({ exit: 'SIGKILL' });
  await importsAll(sandbox);
});

test('with a daemon, Ctrl-C ends the command at once, and the daemon reads on', async () => {
  await using sandbox = world();
  const daemon = sandbox.start('steward run --vault vault');
  await daemon.line((line) => line.includes('started on'), 'started on');
  const running = sandbox.start(`steward ${IMPORT.join(' ')}`);
  await expect.poll(() => knownIn(sandbox)).toBe(true);
  running.kill('SIGINT');
  const { stdout, stderr, exit } = await running.ended;
  expect({ exit, stdout }).toEqual({ exit: 130, stdout: '' });
  expect(stderr).toContain('You ended it. stream/box.mbox is in the vault, and the daemon reads on. (interrupted)');
  await daemon.line((line) => line.includes('read stream/box.mbox: 1 signal'), 'read stream/box.mbox');
  daemon.kill('SIGTERM');
  await daemon.ended;
  await importsAll(sandbox);
});

test('on a terminal one line is renewed, and is gone in the end', async () => {
  await using sandbox = world();
  const words = `steward ${IMPORT.join(' ')}`;
  const child = spawn('script', ['-qec', words, '/dev/null'], { cwd: sandbox.folder, env: sandbox.env });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const exit = await new Promise((resolve) => child.once('close', resolve));
  const lines = screen.split('\r\u001b[K');
  expect(exit).toBe(0);
  expect(lines.filter((line) => /^box\.mbox: .* of .*, [\d,]+ events?, /.test(line)).length).toBeGreaterThan(0);
  expect(lines.at(-1)).toMatch(/^stream\/box\.mbox: 801 events: 1 signal/);
});
