import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Running, Sandbox } from '../stories/support.ts';
import { signal } from '../support/notes.ts';
import {
  CAN_MOUNT,
  emptiedFileByFile,
  folderRemoved,
  folderRenamedAway,
  mountAt,
  mountedOver,
  NINE,
  renamedAway,
  replacedByAnEmptyFolder,
  SCHEDULES,
  type Taken,
  type Taking,
  unmounted,
} from './taking.ts';

const LIVE = { STEWARD_LIVE_MODE: 'live' };
/** Drops root's right to read everything, so that permissions mean something. */
const AS_NOBODY = 'setpriv --reuid=65534 --regid=65534 --clear-groups';

function nine(): Sandbox {
  const sandbox = new Sandbox('none');
  for (const [file, text] of Object.entries(NINE)) sandbox.write(file, String(text));
  return sandbox;
}

async function daemonOf(sandbox: Sandbox, as = ''): Promise<Running> {
  const daemon = sandbox.start(`${as} steward run --vault vault`.trim(), LIVE);
  await daemon.line((line) => line.includes('started on'), 'started on');
  return daemon;
}

async function statusOf(
  sandbox: Sandbox,
): Promise<{ exit: number | string; state: string; daemon: string; names: string[] }> {
  const { exit, stdout, stderr } = await sandbox.steward(['status', '--vault', 'vault', '--json']);
  if (stdout === '') throw new Error(stderr);
  const { vault, daemon, schedules } = JSON.parse(stdout);
  return { exit, state: vault.state, daemon: daemon.state, names: schedules.map(({ name }: { name: string }) => name) };
}

/** A strong signal comes in; the note it is about changes. */
async function carriesOn(sandbox: Sandbox, daemon: Running, target: string): Promise<void> {
  fs.mkdirSync(path.join(sandbox.vault, 'signal'), { recursive: true });
  const text = signal({ target_path: target, raw_quote: `of ${target}` });
  fs.writeFileSync(path.join(sandbox.vault, 'signal', path.basename(target)), text);
  await daemon.line((line) => line.includes(`applied ${path.basename(target, '.md')}:`), `applied ${target}`);
  expect(sandbox.read(target)).toContain('state: done');
}

const AWAY = { exit: 75, state: 'away', names: SCHEDULES };

const WAYS: readonly (readonly [string, Taking])[] = [
  ['renamed away', renamedAway],
  ['replaced by an empty folder', replacedByAnEmptyFolder],
  ['its matter folder emptied file by file', emptiedFileByFile('matter')],
  ['its matter folder removed', folderRemoved('matter')],
  ['its task folder renamed away', folderRenamedAway('task')],
  ['unmounted', unmounted],
  ['another disk mounted over it', mountedOver],
];
const POSSIBLE = WAYS.filter(([, take]) => CAN_MOUNT || (take !== unmounted && take !== mountedOver));

describe.each(POSSIBLE)('a vault %s', (_, take) => {
  test('while the daemon runs, with a person asking meanwhile', async () => {
    await using sandbox = nine();
    using _mount = take === unmounted ? mountAt(sandbox.vault) : null;
    const daemon = await daemonOf(sandbox);
    const { inItsPlace, giveBack } = take(sandbox.vault);
    await daemon.line((line) => line.includes('away'), 'away');
    expect(await statusOf(sandbox)).toEqual({ ...AWAY, daemon: 'running' });
    for (const words of [['tick'], ['undo', '--last', '1']]) {
      expect(await sandbox.steward([...words, '--vault', 'vault'])).toMatchObject({ exit: 75 });
    }
    expect(inItsPlace()).toEqual([]);
    giveBack();
    await daemon.line((line) => line.includes('back'), 'back');
    expect(await statusOf(sandbox)).toEqual({ exit: 0, state: 'present', names: SCHEDULES, daemon: 'running' });
    await carriesOn(sandbox, daemon, 'task/pay.md');
    daemon.kill('SIGTERM');
    expect(await daemon.ended).toMatchObject({
      exit: 0,
      stdout: expect.not.stringMatching(/^.* schedule \S+ removed/m),
    });
  });

  test('when the daemon is killed, and started again before it is back', async () => {
    await using sandbox = nine();
    using _mount = take === unmounted ? mountAt(sandbox.vault) : null;
    const first = await daemonOf(sandbox);
    await carriesOn(sandbox, first, 'task/pay.md');
    first.kill('SIGTERM');
    await first.ended; // leaves what it knows of the notes
    const daemon = await daemonOf(sandbox);
    const { inItsPlace, giveBack } = take(sandbox.vault);
    await daemon.line((line) => line.includes('away'), 'away');
    daemon.kill('SIGKILL');
    await daemon.ended;
    expect(await statusOf(sandbox)).toEqual({ ...AWAY, daemon: 'stopped' });
    for (const words of [['tick'], ['undo', '--last', '1']]) {
      expect(await sandbox.steward([...words, '--vault', 'vault'], LIVE)).toMatchObject({ exit: 75 });
    }
    await startedMeanwhile(sandbox, { inItsPlace, giveBack });
  });
});

// Where the whole vault is away, a daemon does not start; where a folder is, it starts, and waits.
async function startedMeanwhile(sandbox: Sandbox, { inItsPlace, giveBack }: Taken): Promise<void> {
  const hasRoot = fs.existsSync(path.join(sandbox.vault, 'steward.md'));
  const again = sandbox.start('steward run --vault vault', LIVE);
  if (hasRoot) await again.line((line) => line.includes('away'), 'away');
  else expect(await again.ended).toMatchObject({ exit: 75, stderr: expect.stringContaining('(vault-away)') });
  expect(await statusOf(sandbox)).toEqual({ ...AWAY, daemon: hasRoot ? 'running' : 'stopped' });
  expect(inItsPlace()).toEqual([]);
  giveBack();
  const daemon = hasRoot ? again : await daemonOf(sandbox);
  if (hasRoot) await daemon.line((line) => line.includes('back'), 'back');
  expect(await statusOf(sandbox)).toMatchObject({ exit: 0, names: SCHEDULES });
  await carriesOn(sandbox, daemon, 'task/two.md');
  expect(sandbox.read('task/pay.md')).toContain('state: done');
}

describe.skipIf(process.getuid?.() !== 0)(
  'permission that is taken away (run as nobody, since root may everything)',
  () => {
    async function asNobody(): Promise<Sandbox> {
      const sandbox = nine();
      spawnSync('chown', ['-R', '65534:65534', sandbox.folder]);
      return sandbox;
    }

    test.each(['', 'matter', 'task'])('of the folder "%s"', async (folder) => {
      await using sandbox = await asNobody();
      const daemon = await daemonOf(sandbox, AS_NOBODY);
      const place = path.join(sandbox.vault, folder);
      fs.chmodSync(place, 0);
      await daemon.line((line) => line.includes('away'), 'away');
      const asked = await sandbox.sh(`${AS_NOBODY} steward status --vault vault --json`);
      expect(asked.exit).toBe(75);
      expect(JSON.parse(asked.stdout)).toMatchObject({
        vault: { state: 'away', reason: expect.stringContaining('EACCES') },
        schedules: SCHEDULES.map((name) => ({ name })),
      });
      fs.chmodSync(place, 0o755);
      await daemon.line((line) => line.includes('back'), 'back');
      await carriesOn(sandbox, daemon, 'task/pay.md');
      daemon.kill('SIGTERM');
      expect(await daemon.ended).toMatchObject({
        exit: 0,
        stdout: expect.not.stringMatching(/^.* schedule \S+ removed/m),
      });
    });

    test('before a start: said in one sentence, exit 75, the schedules still shown', async () => {
      await using sandbox = await asNobody();
      const daemon = await daemonOf(sandbox, AS_NOBODY);
      daemon.kill('SIGTERM');
      await daemon.ended;
      fs.chmodSync(sandbox.vault, 0);
      const started = await sandbox.sh(`${AS_NOBODY} steward run --vault vault`);
      expect(started).toMatchObject({ exit: 75, stderr: expect.stringContaining('EACCES') });
      const asked = await sandbox.sh(`${AS_NOBODY} steward status --vault vault --json`);
      expect(asked.exit).toBe(75);
      expect(JSON.parse(asked.stdout).schedules).toHaveLength(9);
      fs.chmodSync(sandbox.vault, 0o755);
      await carriesOn(sandbox, await daemonOf(sandbox, AS_NOBODY), 'task/pay.md');
    });
  },
);

test('a vault away that nobody has known before: status says so and knows nothing', async () => {
  await using sandbox = new Sandbox('none');
  expect(await statusOf(sandbox)).toEqual({ exit: 75, state: 'away', daemon: 'stopped', names: [] });
  expect(fs.existsSync(sandbox.vault)).toBe(false);
});
