import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compose } from '../../src/daemon/compose.ts';
import type { Environment } from '../../src/daemon/environment.ts';
import { lockMemoryFile, prepare } from '../../src/daemon/lease.ts';
import { routeSignal } from '../../src/steward/decide.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { LEASE_MS, Lock, type LockHolder, lockHolder, place, readEpoch } from '../../src/vault/lock.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { HOUSE, ODD_TASK, signal } from '../support/notes.ts';
import { refused } from '../support/refused.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';

function lockedBy(parts: Partial<LockHolder>): TempVault {
  const vault = new TempVault(HOUSE);
  fs.mkdirSync(vault.places.own);
  const now = new Date().toISOString();
  const holder: LockHolder = {
    ...place(),
    pid: process.pid,
    role: 'daemon',
    birth: '',
    since: now,
    refreshed_at: now,
    token: 'theirs',
    epoch: 7,
    lease_ms: LEASE_MS,
    socket: null,
    ...parts,
  };
  fs.writeFileSync(vault.places.lock, JSON.stringify(holder));
  return vault;
}

/** The pid of a process that has just ended. */
function deadPid(): number {
  return spawnSync('true').pid;
}

const COMMAND = { role: 'command', socket: null } as const;

/** Takes a vault's lock as a command does, and gives it back. */
function takeBriefly(vault: TempVault, { lockMemories }: Environment = LIVE): () => LockHolder {
  return () => {
    const memory = lockMemoryFile(vault.root, lockMemories);
    const lock = Lock.take(vault.places.lock, { ...COMMAND, now: Date.now(), memory });
    lock.release();
    return lock.holder;
  };
}

/** The environment of a machine that remembers this of a vault's lock. */
function remembering(vault: TempVault, memory: object): Environment {
  const env = { ...LIVE, lockMemories: path.join(vault.home, 'locks') };
  fs.mkdirSync(env.lockMemories, { recursive: true });
  fs.writeFileSync(lockMemoryFile(vault.root, env.lockMemories) ?? '', JSON.stringify(memory));
  return env;
}

function seenFor(vault: TempVault, text: string, ms: number, boot: string = place().boot): Environment {
  const at = Number(process.hrtime.bigint() / 1_000_000n) - ms;
  const clock = `${boot} ${place().time_namespace}`;
  return remembering(vault, { own: null, seen: { sha256: sha256(text), clock, at } });
}

async function refusalOf(vault: TempVault): Promise<StewardError> {
  try {
    await Running.start(vault);
  } catch (error) {
    if (error instanceof StewardError) return error;
    throw error;
  }
  throw new Error('it was started');
}

test('a second daemon is refused, is told who holds the vault, and changes nothing', async () => {
  const vault = new TempVault(HOUSE);
  await Running.start(vault);
  const before = fs.readFileSync(vault.places.lock, 'utf8');
  const error = await refusalOf(vault);
  expect(error.exit).toBe(75);
  expect(error.trouble.code).toBe('vault-locked');
  expect(error.message).toContain(`daemon ${process.pid} on ${os.hostname()}`);
  expect(fs.readFileSync(vault.places.lock, 'utf8')).toBe(before);
});

test.each(['ENOSPC', 'EROFS', 'EACCES'])('a disk that refuses the lock: %s is told in words (75)', async (code) => {
  const vault = new TempVault(HOUSE);
  refused('.part', code);
  const error = await refusalOf(vault);
  expect(error).toMatchObject({ exit: 75, trouble: { file: '.steward/lock' } });
  expect(error.message).not.toContain(code);
});

test('the lock names host, pid and boot, and is given back at the end', async () => {
  const vault = new TempVault(HOUSE);
  const running = await Running.start(vault);
  expect(JSON.parse(fs.readFileSync(vault.places.lock, 'utf8'))).toMatchObject({
    host: os.hostname(),
    pid: process.pid,
    boot: expect.stringMatching(/^[0-9a-f-]{36}$/),
    role: 'daemon',
  });
  expect(lockHolder(vault.places.lock, Date.now())).toMatchObject({ pid: process.pid });
  await running.stop();
  expect(fs.existsSync(vault.places.lock)).toBe(false);
  expect(lockHolder(vault.places.lock, Date.now())).toBeNull();
  await Running.start(vault);
});

test('the lock of a process that is gone is taken over', async () => {
  const vault = lockedBy({ pid: deadPid() });
  expect(lockHolder(vault.places.lock, Date.now())).toBeNull();
  await Running.start(vault);
  expect(JSON.parse(fs.readFileSync(vault.places.lock, 'utf8')).pid).toBe(process.pid);
});

test('so is one of a pid that belongs to another process now', async () => {
  await Running.start(lockedBy({ birth: '1' }));
});

test('one of a boot that is over is taken over where this machine remembers it as its own, and watched elsewhere', async () => {
  const boot = '00000000-0000-0000-0000-000000000000';
  const own = lockedBy({ boot });
  await Running.start(own, { env: remembering(own, { own: 'theirs', seen: null }) });
  expect(takeBriefly(lockedBy({ boot }))).toThrow(/cannot be seen from here/);
});

describe('a lock that cannot be judged', () => {
  const UNSEEN: [string, Partial<LockHolder>][] = [
    ['of another host', { host: 'elsewhere', pid: deadPid() }],
    ['of a host of the same name', { boot: '11111111-1111-1111-1111-111111111111', pid: deadPid() }],
    ['of another PID namespace', { pid_namespace: 'pid:[1]', pid: deadPid() }],
    ['of another time namespace', { time_namespace: 'time:[1]', birth: '1' }],
    ['of a version that named no namespace', { pid_namespace: '', pid: deadPid() }],
    ['stamped in the future', { host: 'elsewhere', refreshed_at: '2999-01-01T00:00:00.000Z' }],
    ['stamped long ago', { host: 'elsewhere', refreshed_at: '2001-01-01T00:00:00.000Z' }],
    ['stamped with no time', { host: 'elsewhere', refreshed_at: 'lately' }],
  ];

  test.each(UNSEEN)('%s: is refused, whatever its stamp says', (_, parts) => {
    const vault = lockedBy(parts);
    const before = fs.readFileSync(vault.places.lock, 'utf8');
    expect(takeBriefly(vault)).toThrow(/cannot be seen from here/);
    expect(fs.readFileSync(vault.places.lock, 'utf8')).toBe(before);
  });

  test.each(UNSEEN)('%s: is taken over once it is known not to have changed for 90 s', async (_, parts) => {
    const vault = lockedBy(parts);
    const text = fs.readFileSync(vault.places.lock, 'utf8');
    expect(takeBriefly(vault, seenFor(vault, text, 89_000))).toThrow(/for 1 s more/);
    await Running.start(vault, { env: seenFor(vault, text, 91_000) });
    expect(JSON.parse(fs.readFileSync(vault.places.lock, 'utf8'))).toMatchObject({ pid: process.pid, epoch: 8 });
  });

  test('what was seen before the last boot, or before a refresh, says nothing', () => {
    const vault = lockedBy({ host: 'elsewhere' });
    const text = fs.readFileSync(vault.places.lock, 'utf8');
    expect(takeBriefly(vault, seenFor(vault, text, 91_000, 'another boot'))).toThrow(/for 90 s more/);
    expect(takeBriefly(vault, seenFor(vault, `${text} `, 91_000))).toThrow(/for 90 s more/);
  });

  test('a daemon waits, says for whom, and is refused as soon as the lock is refreshed', async () => {
    const vault = lockedBy({ host: 'elsewhere' });
    const told: string[] = [];
    const taker = { role: 'daemon', socket: null, now: Date.now() } as const;
    const waiting = ({ message }: StewardError) => {
      told.push(message);
      const held = JSON.parse(fs.readFileSync(vault.places.lock, 'utf8'));
      fs.writeFileSync(vault.places.lock, JSON.stringify({ ...held, refreshed_at: '2001-01-01T00:00:00.000Z' }));
    };
    const { signal: stop } = new AbortController();
    const taking = Lock.takeOrWatch(vault.places.lock, taker, { stop, waiting });
    await expect(taking).rejects.toThrow(/in use by daemon \d+ on elsewhere, since [^,]+\.$/);
    expect(told).toEqual([expect.stringContaining('elsewhere')]);
  });

  test('a torn lock is one as well: a disk without links shows a lock while it is written', () => {
    const vault = new TempVault(HOUSE);
    fs.mkdirSync(vault.places.own);
    fs.writeFileSync(vault.places.lock, '{"host":"x');
    expect(takeBriefly(vault)).toThrow(/cannot be seen from here/);
  });
});

describe('a lock that is held', () => {
  function held(): { vault: TempVault; lock: Lock; lost: unknown[] } {
    const vault = new TempVault();
    fs.mkdirSync(vault.places.own);
    const lost: unknown[] = [];
    const lock = Lock.take(vault.places.lock, { ...COMMAND, now: Date.now() });
    lock.lost.addEventListener('abort', () => lost.push(lock.lost.reason));
    onTestFinished(() => lock.release());
    return { vault, lock, lost };
  }

  test('its epoch grows with every taking, also when it was given back between', () => {
    const { vault, lock } = held();
    expect(lock.holder.epoch).toBe(1);
    lock.release();
    expect(takeBriefly(vault)()).toMatchObject({ epoch: 2 });
    expect(takeBriefly(vault)()).toMatchObject({ epoch: 3 });
  });

  test('it is looked at as it is: one that was touched, or came back from a backup, is held still', () => {
    const { vault, lock } = held();
    fs.utimesSync(vault.places.lock, 1, 1);
    lock.demand();
    vault.write('.steward/lock', JSON.stringify({ ...lock.holder, refreshed_at: '2001-01-01T00:00:00.000Z' }));
    lock.demand();
    expect(lock.lost.aborted).toBe(false);
  });

  test('deleted, it is made anew', () => {
    const { vault, lock } = held();
    fs.rmSync(vault.places.lock);
    lock.demand();
    expect(JSON.parse(vault.read('.steward/lock'))).toMatchObject({ token: lock.holder.token, epoch: 1 });
    fs.rmSync(vault.places.own, { recursive: true });
    fs.mkdirSync(vault.places.own);
    lock.demand();
    expect(vault.names('.steward')).toEqual(['lock', 'state']);
  });

  test('released, it is not made anew for whoever still asks', () => {
    const vault = new TempVault(HOUSE);
    fs.mkdirSync(vault.places.own);
    const lock = Lock.take(vault.places.lock, { ...COMMAND, now: Date.now() });
    lock.release();
    lock.demand();
    expect(fs.existsSync(vault.places.lock)).toBe(false);
  });

  test('deleted, and meanwhile taken and given back by another, it is lost', () => {
    const { vault, lock, lost } = held();
    fs.rmSync(vault.places.lock);
    takeBriefly(vault)();
    expect(() => lock.demand()).toThrow(/stops writing/);
    expect(() => lock.demand()).toThrow(/stops writing/);
    expect(lost).toMatchObject([{ exit: 75, trouble: { code: 'lock-lost' } }]);
    expect(vault.has('.steward/lock')).toBe(false);
  });

  test('where the whole folder is away nothing is made, and nothing is lost', () => {
    const { vault, lock } = held();
    vault.rename('.steward', '.elsewhere');
    expect(() => lock.demand()).toThrow(/away/);
    expect(vault.has('.steward')).toBe(false);
    vault.rename('.elsewhere', '.steward');
    lock.demand();
  });

  const INSTEAD: [string, (file: string) => void][] = [
    ['another lock', (file) => fs.writeFileSync(file, JSON.stringify({ token: 'theirs' }))],
    ['a folder', (file) => fs.mkdirSync(file)],
    ['a FIFO', (file) => spawnSync('mkfifo', [file])],
    ['a link', (file) => fs.symlinkSync('/dev/zero', file)],
    ['a large file', (file) => fs.writeFileSync(file, ' '.repeat(100_000))],
  ];
  test.each(INSTEAD)('%s in its place: it is lost, and what is there stays', (_, put) => {
    const { vault, lock, lost } = held();
    fs.rmSync(vault.places.lock);
    put(vault.places.lock);
    const before = fs.lstatSync(vault.places.lock).ino;
    expect(() => lock.demand()).toThrow(/no longer belongs to this process/);
    lock.release();
    expect(lost).toHaveLength(1);
    expect(fs.lstatSync(vault.places.lock).ino).toBe(before);
  });

  test('a refresh changes the lock in place, and never that of another', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { vault, lock } = held();
    const before = fs.statSync(vault.places.lock).ino;
    const stamped = vault.read('.steward/lock');
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(15_000);
    expect(vault.read('.steward/lock')).not.toBe(stamped);
    expect(fs.statSync(vault.places.lock).ino).toBe(before);
    const theirs = JSON.stringify({ ...lock.holder, token: 'theirs' });
    vault.write('.steward/lock', theirs);
    vi.advanceTimersByTime(15_000);
    expect(vault.read('.steward/lock')).toBe(theirs);
    expect(lock.lost.aborted).toBe(true);
  });
});

test('a lock that somebody else took meanwhile is not given back by us', () => {
  const vault = new TempVault();
  fs.mkdirSync(vault.places.own);
  const lock = Lock.take(vault.places.lock, { role: 'command', socket: null, now: Date.now() });
  fs.writeFileSync(vault.places.lock, JSON.stringify({ ...lock.holder, token: 'theirs' }));
  lock.release();
  expect(JSON.parse(fs.readFileSync(vault.places.lock, 'utf8')).token).toBe('theirs');
  expect(vault.names('.steward')).toEqual(['lock', 'state']);
});

test('a vault that is not there is refused with 75, and is not made', async () => {
  const vault = new TempVault();
  fs.rmdirSync(vault.root);
  expect(await refusalOf(vault)).toMatchObject({ exit: 75, trouble: { code: 'vault-away' } });
  expect(fs.existsSync(vault.root)).toBe(false);
});

/** Acts on a signal, while another process takes the vault just before the look at the lock with this number. */
async function actedUntil(look: number): Promise<{ vault: TempVault; error: unknown; looks: number }> {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
  prepare(vault.places);
  const lock = Lock.take(vault.places.lock, { role: 'command', socket: null, now: Date.now() });
  let looks = 0;
  const demand = () => {
    looks += 1;
    if (looks === look) vault.write('.steward/lock', JSON.stringify({ ...lock.holder, token: 'theirs' }));
    lock.demand();
  };
  const error = await act(vault, demand).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  lock.release();
  return { vault, error, looks };
}

async function act(vault: TempVault, demand: () => void): Promise<void> {
  const { space } = await compose({ root: vault.root, env: LIVE, now: Date.now, emit: () => {}, demand });
  const found = space.vault.catalogue.get('signal/s1.md');
  if (found?.kind !== 'signal') throw new Error('there is no signal');
  await routeSignal(space, found, null);
}

test('whenever the vault is lost, an action is made whole or not at all, and the note is looked at last before it', async () => {
  const { looks, vault: whole } = await actedUntil(0);
  expect(looks).toBeGreaterThanOrEqual(3);
  expect(whole.events()).toHaveLength(1);
  const ends: string[] = [];
  for (let look = 1; look <= looks; look += 1) {
    const { vault, error } = await actedUntil(look);
    const isMade = vault.read('task/pay.md') !== ODD_TASK;
    expect(vault.events()).toHaveLength(isMade ? 1 : 0);
    if (!isMade) expect(error).toMatchObject({ exit: 75, trouble: { code: 'lock-lost' } });
    expect(fs.readdirSync(vault.places.tmp)).toEqual([]);
    ends.push(isMade ? 'made' : 'not made');
    if (isMade) continue;
    // The entry is left to whoever has the vault by now, who takes it out.
    (await compose({ root: vault.root, env: LIVE, now: Date.now, emit: () => {} })).recovery.run();
    expect(fs.readdirSync(vault.places.journal)).toEqual([]);
    expect([vault.read('task/pay.md'), vault.events()]).toEqual([ODD_TASK, []]);
  }
  // The look that comes last before the note changes is the one at the swap.
  expect(ends.slice(0, 3)).toEqual(['not made', 'not made', 'not made']);
});

/** What a taking asks of the disk. */
const CALLS = [
  'openSync',
  'readdirSync',
  'mkdirSync',
  'writeFileSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
] as const;

function take(vault: TempVault): Lock {
  const memory = lockMemoryFile(vault.root, path.join(vault.home, 'locks'));
  return Lock.take(vault.places.lock, { role: 'command', socket: null, now: Date.now(), memory });
}

/** Takes a vault; `meanwhile` happens just before the nth call to the disk. Returns the lock, and whether it came to that call. */
function interrupted(vault: TempVault, nth: number, meanwhile: () => void): { lock: Lock; isDone: boolean } {
  let left = nth;
  for (const call of CALLS) {
    const real = fs[call] as (...given: unknown[]) => unknown;
    vi.spyOn(fs, call).mockImplementation((...given: unknown[]) => {
      left -= 1;
      if (left === 0) meanwhile();
      return real(...given) as never;
    });
  }
  try {
    return { lock: take(vault), isDone: left <= 0 };
  } finally {
    vi.restoreAllMocks();
  }
}

test('wherever a process is stopped while it takes a vault, which others take and give back, the epoch only grows', () => {
  let calls = 0;
  for (let isDone = true; isDone; calls += 1) {
    const vault = new TempVault(HOUSE);
    fs.mkdirSync(vault.places.own);
    const epochs: number[] = [];
    const others = () => {
      fs.rmSync(vault.places.lock, { force: true }); // its lease has run out
      for (let nth = 0; nth < 2; nth += 1) {
        const lock = take(vault);
        epochs.push(lock.epoch);
        lock.release();
      }
    };
    others();
    const taken = interrupted(vault, calls + 1, others);
    isDone = taken.isDone;
    epochs.push(taken.lock.epoch);
    expect(readEpoch(vault.places.lock)).toEqual({ epoch: taken.lock.epoch, token: taken.lock.holder.token });
    taken.lock.release();
    epochs.push(take(vault).epoch);
    const grown = epochs.every((epoch, nth) => nth === 0 || epoch > (epochs[nth - 1] ?? 0));
    expect(grown, `stopped before call ${calls + 1}: ${epochs.join(', ')}`).toBe(true);
  }
  expect(calls).toBeGreaterThan(10);
});

test('a folder in the place of a former mark hinders nobody', () => {
  const vault = new TempVault(HOUSE);
  fs.mkdirSync(path.join(vault.places.state, 'epoch-5-theirs'), { recursive: true });
  const epochs = [take, take].map((taken) => {
    const lock = taken(vault);
    lock.release();
    return lock.epoch;
  });
  expect(epochs).toEqual([6, 7]);
});
