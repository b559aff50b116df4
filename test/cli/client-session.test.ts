import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Running, Sandbox } from '../stories/support.ts';
import { quietHoursAround } from '../support/clock.ts';

async function daemonOf(sandbox: Sandbox, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const daemon = sandbox.start('steward run --vault vault', env);
  await daemon.line((line) => line.includes('started on'), 'started on');
  return daemon;
}

test('a vault held by another command: 75, naming the holder; its lock is taken over once it is dead', async () => {
  await using sandbox = new Sandbox('example');
  expect(await sandbox.sh('drop 01')).toMatchObject({ exit: 0 });
  const licence =
    'steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault';
  expect(await sandbox.sh(licence)).toMatchObject({ exit: 0 });
  await sandbox.steward(['import', 'stream/01-payment-received.eml', '--vault', 'vault']);
  expect(await sandbox.sh('STEWARD_LIVE_MODE=live steward tick --vault vault')).toMatchObject({ exit: 0 });
  // Somebody is typing in the note: the undo waits for them and holds the lock.
  fs.appendFileSync(path.join(sandbox.vault, 'task/pay-notary-deposit.md'), '\nStill typing.\n');
  const waiting = sandbox.start('steward undo --last 1 --vault vault');
  const lock = path.join(sandbox.vault, '.steward', 'lock');
  await expect.poll(() => fs.existsSync(lock), { interval: 10 }).toBe(true);

  const refused = await sandbox.steward(['tick', '--vault', 'vault']);
  expect(refused).toMatchObject({ exit: 75, stdout: '' });
  expect(refused.stderr).toMatch(
    /^\.steward\/lock {2}The vault is in use by command \d+ on \S+, since .+ \(vault-locked\)\n/,
  );
  // Commands that only read need no lock.
  expect(await sandbox.steward(['log', '--vault', 'vault'])).toMatchObject({ exit: 0 });

  waiting.kill('SIGKILL');
  await waiting.ended;
  expect(await sandbox.steward(['tick', '--vault', 'vault'])).toMatchObject({ exit: 0, stderr: '' });
  expect(fs.existsSync(lock)).toBe(false);
});

test('a daemon that is alive and does not answer is said to be stalled', async () => {
  await using sandbox = new Sandbox('example');
  const daemon = await daemonOf(sandbox);
  daemon.kill('SIGSTOP');
  const status = await sandbox.steward(['status', '--vault', 'vault', '--json']);
  expect(status).toMatchObject({ exit: 0 });
  expect(JSON.parse(status.stdout).daemon).toMatchObject({ state: 'stalled', pid: expect.any(Number) });
  daemon.kill('SIGCONT');
  daemon.kill('SIGTERM');
  expect((await daemon.ended).exit).toBe(0);
});

test('a caller may lower the mode of a running daemon, and not raise it', async () => {
  await using sandbox = new Sandbox('example');
  const task = 'task/pay-notary-deposit.md';
  const before = sandbox.read(task);
  await using other = new Sandbox('example');
  for (const [box, ceiling, caller] of [
    [sandbox, 'live', 'shadow'],
    [other, 'shadow', 'live'],
  ] as const) {
    // Quiet hours meanwhile: nothing is decided but what a person asks for.
    const quiet = quietHoursAround(Date.now(), new Date().getUTCHours());
    box.write('steward.md', box.read('steward.md').replace('mode: live  ', `quiet_hours: "${quiet}"\nmode: live  `));
    await daemonOf(box, { STEWARD_LIVE_MODE: ceiling });
    expect(await box.sh('drop 01')).toMatchObject({ exit: 0 });
    await box.steward(['import', 'stream/01-payment-received.eml', '--vault', 'vault']);
    const ticked = await box.steward(['tick', '--vault', 'vault', '--json'], { STEWARD_LIVE_MODE: caller });
    expect(ticked, ticked.stderr).toMatchObject({ exit: 0 });
    expect(JSON.parse(ticked.stdout).ticks.flatMap((one: { events: string[] }) => one.events)).toContainEqual(
      expect.stringContaining('pay-notary-deposit'),
    );
    expect(box.read(task)).toBe(before);
  }
});
