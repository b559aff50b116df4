import { expect, test } from 'vitest';
import { Sandbox } from '../stories/support.ts';

test('a reader that has seen enough is no error: log | head', async () => {
  await using sandbox = new Sandbox('example');
  for (let nth = 0; nth < 400; nth += 1) {
    const stamp = `2026-09-01T00-00-00-${String(nth).padStart(3, '0')}Z`;
    const timestamp = '2026-09-01T00:00:00Z';
    sandbox.write(
      `event/steward-action-${stamp}-renew-passport.md`,
      `---\ntype: steward-action\ntimestamp: ${timestamp}\ntarget_path: task/renew-passport.md\ndecision: still_active\n---\n`,
    );
  }
  const long = await sandbox.sh('steward log --vault vault -n 10000 --json | wc -c');
  expect(Number(long.stdout)).toBeGreaterThan(65_536); // more than a pipe holds
  for (const line of [
    'steward log --vault vault -n 10000 | head -n 1',
    'steward log --vault vault -n 10000 --json | head -n 1',
  ]) {
    expect(await sandbox.sh(line)).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringMatching(/^.+\n$/) });
  }
});

test('a hostile file name does not reach the terminal by any command', async () => {
  await using sandbox = new Sandbox('example');
  const name = 'evil\u001b[2J\u009bname';
  sandbox.write(`matter/${name}.md`, '---\ntype: matter\n---\n');
  sandbox.write(`task/${name}.md`, '---\nstate: [\n---\n');
  sandbox.write(`stream/${name}.eml`, 'no mail');
  for (const words of [
    ['status'],
    ['doctor'],
    ['tick'],
    ['status', '--json'],
    ['import', `stream/${name}.eml`],
    ['explain', name],
  ]) {
    const { stdout, stderr } = await sandbox.steward([...words, '--vault', 'vault']);
    expect(stdout + stderr, words.join(' ')).toContain('name');
    for (const control of ['\u001b', '\u009b']) expect(stdout + stderr, words.join(' ')).not.toContain(control);
  }
});
