import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { attack } from './attack.ts';
import {
  acts,
  CONTAINER,
  childOf,
  dropSignal,
  foreignLock,
  HAS_UNSHARE,
  holderIn,
  LIVE,
  lockOf,
  putLock,
  seenUnchanged,
  started,
  TASK,
  TIME_TRAVEL,
  trusting,
} from './container.ts';

/** Two daemons that act on one signal, the second without knowing of the first. */
const TWICE = 'two daemons would act on the same signals';

describe.skipIf(!HAS_UNSHARE)('a process that cannot be seen from here (needs unshare, as root)', () => {
  attack(
    {
      attacker: 'another container',
      means: 'a daemon in another PID namespace, whose pid means nothing here',
      loss: TWICE,
      defence: 'the lock names the namespace; a lock from another one is not taken while it is refreshed',
    },
    async () => {
      await using sandbox = trusting();
      await started(sandbox, CONTAINER);
      expect(holderIn(sandbox).pid).toBe(1);
      const second = await sandbox.steward(['run', '--vault', 'vault'], LIVE);
      expect(second.exit).toBe(75);
      expect(second.stdout).toContain('cannot be seen from here');
      expect(second.stderr).toContain('The vault is in use by daemon 1 on');
      expect(second.stdout).not.toContain('started on');
    },
  );

  attack(
    {
      attacker: 'another container',
      means: 'a daemon in another time namespace, which counts starts of processes from another moment',
      loss: `it would take the first one’s pid for a reused one: ${TWICE}`,
      defence: 'the start of a process is compared only where it was counted alike',
    },
    async () => {
      await using sandbox = trusting();
      await started(sandbox);
      putLock(sandbox, { ...holderIn(sandbox), socket: null });
      const apart = { XDG_RUNTIME_DIR: path.join(sandbox.folder, '.other') };
      expect(await sandbox.sh(`${TIME_TRAVEL} steward tick --vault vault`, apart)).toMatchObject({ exit: 75 });
    },
  );

  attack(
    {
      attacker: 'the surroundings',
      means: 'a daemon in a container is frozen for long, loses its lock to another one, and wakes',
      loss: TWICE,
      defence: 'it looks at its lock before each act, says that it has lost it, and ends (75)',
    },
    async () => {
      await using sandbox = trusting();
      const frozen = await started(sandbox, CONTAINER);
      const inside = await childOf(frozen);
      process.kill(inside, 'SIGSTOP');
      seenUnchanged(sandbox, 91_000);
      const next = await started(sandbox, '', { ...LIVE, XDG_RUNTIME_DIR: path.join(sandbox.folder, '.other') });
      expect(holderIn(sandbox).epoch).toBe(2);
      dropSignal(sandbox);
      await next.line((line) => line.includes('applied'), 'applied');
      process.kill(inside, 'SIGCONT');
      const { exit, stderr } = await frozen.ended;
      expect(exit).toBe(75);
      expect(stderr).toMatch(/The vault’s lock now belongs to daemon \d+ on .+ This process stops writing/);
      expect(acts(sandbox)).toHaveLength(1);
      next.kill('SIGTERM');
      expect(await next.ended).toMatchObject({ exit: 0 });
    },
  );
});

describe('a lock that goes', () => {
  attack(
    {
      attacker: 'a sync peer',
      means: 'the lock of a running daemon is deleted, and a second one is started',
      loss: TWICE,
      defence: 'the daemon makes its lock anew within a second, and the second one is refused',
    },
    async () => {
      await using sandbox = trusting();
      const daemon = await started(sandbox);
      const { token } = holderIn(sandbox);
      fs.rmSync(lockOf(sandbox));
      await expect.poll(() => fs.existsSync(lockOf(sandbox))).toBe(true);
      expect(holderIn(sandbox).token).toBe(token);
      expect(await sandbox.steward(['run', '--vault', 'vault'], LIVE)).toMatchObject({ exit: 75 });
      dropSignal(sandbox);
      await daemon.line((line) => line.includes('applied'), 'applied');
    },
  );

  attack(
    {
      attacker: 'another program',
      means: 'while a daemon is stopped its lock is deleted, and a command takes it, acts, and gives it back',
      loss: 'the daemon would find no lock, make its own anew, and act on what it remembers',
      defence: 'the epoch outlives the lock: the daemon sees that another had the vault, and ends (75)',
    },
    async () => {
      await using sandbox = trusting();
      const daemon = await started(sandbox);
      daemon.kill('SIGSTOP');
      fs.rmSync(lockOf(sandbox));
      dropSignal(sandbox);
      const apart = { ...LIVE, XDG_RUNTIME_DIR: path.join(sandbox.folder, '.other') };
      expect(await sandbox.steward(['tick', '--vault', 'vault', '--force'], apart)).toMatchObject({ exit: 0 });
      expect(acts(sandbox)).toHaveLength(1);
      expect(fs.existsSync(lockOf(sandbox))).toBe(false);
      daemon.kill('SIGCONT');
      const { exit, stderr } = await daemon.ended;
      expect({ exit, stderr }).toEqual({ exit: 75, stderr: expect.stringContaining('lock-lost') });
      expect(acts(sandbox)).toHaveLength(1);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'the lock of a daemon on another machine comes late, over that of a running one',
      loss: TWICE,
      defence:
        'the daemon whose lock was replaced says so and ends (75) before it acts again; no restart takes the lock',
    },
    async () => {
      await using sandbox = trusting();
      const daemon = await started(sandbox);
      putLock(sandbox, foreignLock());
      dropSignal(sandbox);
      const { exit, stderr } = await daemon.ended;
      expect(exit).toBe(75);
      expect(stderr).toContain('belongs to daemon 4711 on laptop.example');
      expect(acts(sandbox)).toEqual([]);
      expect(await sandbox.steward(['tick', '--vault', 'vault'], LIVE)).toMatchObject({ exit: 75 });
      expect(sandbox.read(TASK)).toContain('state: open');
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a lock of a host of the same name, from another boot, with a pid that is nobody’s here',
      loss: `it would pass for one’s own of before a restart: ${TWICE}`,
      defence: 'only a lock that this machine remembers to have taken itself is one’s own',
    },
    async () => {
      await using sandbox = trusting();
      const host = os.hostname();
      putLock(sandbox, foreignLock({ host }));
      expect(await sandbox.steward(['tick', '--vault', 'vault'], LIVE)).toMatchObject({ exit: 75 });
      const watching = sandbox.start('steward run --vault vault', LIVE);
      await watching.line((line) => line.includes('cannot be seen from here'), 'what it waits for');
      putLock(sandbox, foreignLock({ host, refreshed_at: '2001-01-01T00:00:00.000Z' }));
      expect(await watching.ended).toMatchObject({ exit: 75, stderr: expect.stringContaining('vault-locked') });
    },
  );

  test('one of this machine’s own, from before a power cut, is taken over at once', async () => {
    await using sandbox = trusting();
    const daemon = await started(sandbox);
    daemon.kill('SIGKILL');
    await daemon.ended;
    const lock = JSON.parse(fs.readFileSync(lockOf(sandbox), 'utf8'));
    putLock(sandbox, { ...lock, boot: '11111111-1111-1111-1111-111111111111' });
    const next = await started(sandbox);
    expect(holderIn(sandbox).epoch).toBe(2);
    next.kill('SIGTERM');
    await next.ended;
  });

  test('a daemon that waits for such a lock stops when it is told to', async () => {
    await using sandbox = trusting();
    putLock(sandbox, foreignLock());
    const waiting = sandbox.start('steward run --vault vault', LIVE);
    await waiting.line((line) => line.includes('cannot be seen from here'), 'what it waits for');
    waiting.kill('SIGTERM');
    expect(await waiting.ended).toMatchObject({ exit: 0 });
    expect(fs.existsSync(lockOf(sandbox))).toBe(true);
  });
});

describe('something else in its place', () => {
  const THINGS: [string, (file: string) => void][] = [
    ['a FIFO', (file) => expect(spawnSync('mkfifo', [file]).status).toBe(0)],
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a link to an endless file', (file) => fs.symlinkSync('/dev/zero', file)],
    ['a link to nowhere', (file) => fs.symlinkSync('nowhere', file)],
    ['a file of a gigabyte', (file) => fs.closeSync(fs.openSync(file, 'w')) ?? fs.truncateSync(file, 2 ** 30)],
  ];
  for (const [what, put] of THINGS) {
    attack(
      {
        attacker: 'a sync peer',
        means: `${what} in the place of the lock`,
        loss: 'every command would hang, or work without a lock',
        defence: 'it is opened without waiting or following; commands that write say so (75), the others go on',
      },
      async () => {
        await using sandbox = trusting();
        fs.mkdirSync(path.dirname(lockOf(sandbox)), { recursive: true });
        put(lockOf(sandbox));
        for (const command of ['run', 'tick']) {
          const { exit, stderr } = await sandbox.steward([command, '--vault', 'vault'], LIVE);
          expect({ exit, stderr }).toEqual({ exit: 75, stderr: expect.stringContaining('lock-no-file') });
        }
        expect(await sandbox.steward(['status', '--vault', 'vault'])).toMatchObject({ exit: 0 });
        const { exit, stdout } = await sandbox.steward(['doctor', '--vault', 'vault']);
        expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringContaining('lock-no-file') });
      },
    );
  }

  attack(
    {
      attacker: 'another program',
      means: 'a FIFO is put in the place of a running daemon’s lock',
      loss: 'the daemon would hang at its next look, and act on nothing',
      defence: 'it says that the lock is no longer its own, and ends (75)',
    },
    async () => {
      await using sandbox = trusting();
      const daemon = await started(sandbox);
      // In one step: the daemon makes a lock that is gone anew.
      const pipe = path.join(sandbox.folder, 'pipe');
      spawnSync('mkfifo', [pipe]);
      fs.renameSync(pipe, lockOf(sandbox));
      expect(await daemon.ended).toMatchObject({ exit: 75, stderr: expect.stringContaining('lock-lost') });
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a socket in the place of the lock',
      loss: 'a command would hang or end without a word',
      defence: 'it cannot be opened, and is named (75)',
    },
    async () => {
      await using sandbox = trusting();
      fs.mkdirSync(path.dirname(lockOf(sandbox)), { recursive: true });
      const server = net.createServer().listen(lockOf(sandbox));
      const { exit, stderr } = await sandbox.steward(['tick', '--vault', 'vault']);
      server.close();
      expect({ exit, stderr }).toEqual({ exit: 75, stderr: expect.stringContaining('lock-no-file') });
    },
  );
});

describe('what a lock says', () => {
  attack(
    {
      attacker: 'a sync peer',
      means: 'a lock that is stamped in the future',
      loss: 'the vault would be locked for years',
      defence: 'stamps are not believed; doctor names it, and takes it away once it has not been refreshed for 90 s',
    },
    async () => {
      await using sandbox = trusting();
      putLock(sandbox, foreignLock({ refreshed_at: '2999-01-01T00:00:00.000Z' }));
      expect(await sandbox.steward(['tick', '--vault', 'vault'])).toMatchObject({ exit: 75 });
      const named = await sandbox.steward(['doctor', '--vault', 'vault']);
      expect(named).toMatchObject({ exit: 1, stdout: expect.stringContaining('lock-in-future') });
      seenUnchanged(sandbox, 91_000);
      const mended = await sandbox.steward(['doctor', '--vault', 'vault']);
      expect(mended.stdout).toMatch(/lock\s+removed: it was stamped in the future/);
      expect(mended.exit).toBe(0);
      expect(await sandbox.steward(['tick', '--vault', 'vault'])).toMatchObject({ exit: 0 });
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a lock whose epoch is the largest number there is, with a pid of 0 or -1',
      loss: 'no later epoch could be counted; a signal to such a pid reaches whole groups',
      defence: 'it is no lock’s text: it is watched like any other, and then replaced',
    },
    async () => {
      await using sandbox = trusting();
      for (const parts of [{ epoch: Number.MAX_SAFE_INTEGER }, { pid: 0 }, { pid: -1 }]) {
        putLock(sandbox, foreignLock(parts));
        expect(await sandbox.steward(['tick', '--vault', 'vault'])).toMatchObject({ exit: 75 });
        seenUnchanged(sandbox, 91_000);
        expect(await sandbox.steward(['tick', '--vault', 'vault'])).toMatchObject({ exit: 0 });
      }
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a lock that names the socket of another vault’s daemon of the same person',
      loss: 'an undo of this vault would be carried out in the other one',
      defence: 'a command says which vault it means, and a daemon answers for its own alone',
    },
    async () => {
      await using sandbox = trusting();
      await using other = trusting();
      const daemon = await started(other);
      dropSignal(other);
      await daemon.line((line) => line.includes('applied'), 'applied');
      const done = other.read(TASK);
      putLock(sandbox, foreignLock({ socket: holderIn(other).socket }));
      const { exit, stderr } = await sandbox.steward(['undo', '--last', '1', '--vault', 'vault']);
      expect({ exit, stderr }).toEqual({ exit: 75, stderr: expect.stringContaining('other-vault') });
      expect(other.read(TASK)).toBe(done);
    },
  );

  attack(
    {
      attacker: 'a sync peer',
      means: 'a lock that names the socket of some other service of the person',
      loss: 'each command would speak to a program of the peer’s choice',
      defence: 'only a socket with a name of this program’s own is asked',
    },
    async () => {
      await using sandbox = trusting();
      const place = path.join(sandbox.folder, '.run', 'bus');
      let asked = 0;
      const server = net.createServer((connection) => {
        asked += 1;
        connection.destroy();
      });
      await new Promise<void>((resolve) => server.listen(place, resolve));
      putLock(sandbox, foreignLock({ socket: place }));
      expect(await sandbox.steward(['status', '--vault', 'vault'])).toMatchObject({ exit: 0 });
      server.close();
      expect(asked).toBe(0);
    },
  );
});

test('of two daemons started at once on a free vault, one runs and the other is refused', async () => {
  await using sandbox = trusting();
  const both = [1, 2, 3].map(() => sandbox.start('steward run --vault vault', LIVE));
  await expect.poll(() => fs.existsSync(lockOf(sandbox))).toBe(true);
  const first = await Promise.race(both.map(({ ended }) => ended));
  expect(first.exit).toBe(75);
  const living = () => both.filter(({ pid }) => pid === holderIn(sandbox).pid);
  await expect.poll(() => living().length).toBe(1);
  for (const one of both) if (!living().includes(one)) expect(await one.ended).toMatchObject({ exit: 75 });
});
