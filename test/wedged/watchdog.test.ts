import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Running, Sandbox } from '../stories/support.ts';
import { HOUSE, signal } from '../support/notes.ts';

const MODULE = path.join(import.meta.dirname, 'block.js');
const SYSTEMD = path.join(import.meta.dirname, 'systemd.py');
/** systemd would restart a service that is silent for so long; it pings twice in that time. */
const WATCHDOG_MS = 2000;

interface Told {
  readonly daemon: { readonly state: string; readonly pid: number | null; readonly since: string | null };
  readonly schedules: readonly { readonly name: string }[];
}

/** A vault, whose daemon can be blocked and let go. */
class Wedge {
  readonly sandbox = new Sandbox('none');
  readonly #flag = path.join(this.sandbox.folder, 'blocked');

  constructor() {
    for (const [file, text] of Object.entries(HOUSE)) this.sandbox.write(file, text);
  }

  async daemon(env: NodeJS.ProcessEnv = {}): Promise<{ running: Running; pid: number }> {
    const running = this.sandbox.start('steward run --vault vault', {
      STEWARD_LIVE_MODE: 'live',
      NODE_OPTIONS: `--import ${MODULE}`,
      BLOCK_WHILE: this.#flag,
      ...env,
    });
    await running.line((line) => line.includes('started on'), 'started on');
    const lock: { pid: number } = JSON.parse(this.sandbox.read('.steward/lock'));
    return { running, pid: lock.pid };
  }

  block(pid: number): void {
    fs.writeFileSync(this.#flag, '');
    process.kill(pid, 'SIGUSR2');
  }

  letGo(): void {
    fs.rmSync(this.#flag);
  }

  /** What `status` says, and how long it took. */
  async status(): Promise<Told & { exit: number | string; ms: number }> {
    const asked = performance.now();
    const { exit, stdout } = await this.sandbox.steward(['status', '--vault', 'vault', '--json']);
    const told: Told = JSON.parse(stdout);
    return { ...told, exit, ms: performance.now() - asked };
  }
}

describe('systemd, listening as it does', () => {
  test('hears READY, then a ping twice in the time it allows; none while the loop is blocked; then again', async () => {
    const wedge = new Wedge();
    await using sandbox = wedge.sandbox;
    const socket = path.join(sandbox.folder, 'notify');
    const systemd = sandbox.start(`python3 ${SYSTEMD} ${socket}`, { PATH: process.env.PATH });
    await systemd.line((line) => line.endsWith('listening'), 'listening');
    const heard = async (what: string) => {
      const line = await systemd.line((one) => one.includes(what), what);
      return Number(line.split(' ')[0]);
    };

    const { running, pid } = await wedge.daemon({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: String(WATCHDOG_MS * 1000) });
    expect(await systemd.line((line) => line.includes('READY=1'), 'READY=1')).toMatch(/READY=1 STATUS=1 matters?$/);
    const pings = [await heard('WATCHDOG=1'), await heard('WATCHDOG=1'), await heard('WATCHDOG=1')];
    expect(Math.max(...gaps(pings))).toBeLessThan(WATCHDOG_MS);

    wedge.block(pid);
    // Each has two seconds of patience: together twice what systemd allows.
    for (const told of [await wedge.status(), await wedge.status()]) expect(told.daemon.state).toBe('stalled');
    wedge.letGo();
    // What was sent before the block is heard before what is sent after it: the silence lies between two pings.
    const heardAt = pings.slice(-1);
    while (Math.max(0, ...gaps(heardAt)) < 1.5 * WATCHDOG_MS) heardAt.push(await heard('WATCHDOG=1'));
    expect(gaps([await heard('WATCHDOG=1'), await heard('WATCHDOG=1')])[0]).toBeLessThan(WATCHDOG_MS);

    running.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ exit: 0 });
    await heard('STOPPING=1');
  });

  test('hears READY only when the schedules are there, and nothing where it did not ask for pings', async () => {
    const wedge = new Wedge();
    await using sandbox = wedge.sandbox;
    const socket = path.join(sandbox.folder, 'notify');
    const systemd = sandbox.start(`python3 ${SYSTEMD} ${socket}`, { PATH: process.env.PATH });
    await systemd.line((line) => line.endsWith('listening'), 'listening');
    const { running } = await wedge.daemon({ NOTIFY_SOCKET: socket });
    await systemd.line((line) => line.includes('READY=1'), 'READY=1');
    expect(await wedge.status()).toMatchObject({
      daemon: { state: 'running' },
      schedules: [{ name: 'steward-house' }],
    });
    running.kill('SIGTERM');
    await running.ended;
    await systemd.line((line) => line.includes('STOPPING=1'), 'STOPPING=1');
    systemd.kill('SIGTERM');
    expect((await systemd.ended).stdout).not.toContain('WATCHDOG');
  });
});

describe('status tells a live daemon from a stalled and a dead one', () => {
  test('running, stalled within three seconds, running again; stopped after kill -9, and the next takes over', async () => {
    const wedge = new Wedge();
    await using sandbox = wedge.sandbox;
    const { running, pid } = await wedge.daemon();
    const schedules = [{ name: 'steward-house' }];
    expect(await wedge.status()).toMatchObject({ exit: 0, daemon: { state: 'running', pid }, schedules });

    wedge.block(pid);
    const stalled = await wedge.status();
    expect(stalled).toMatchObject({ exit: 0, daemon: { state: 'stalled', pid }, schedules });
    expect(stalled.ms).toBeLessThan(15_000); // its patience, and the start of a process on a busy machine
    const [words, handed] = await Promise.all([
      sandbox.steward(['status', '--vault', 'vault']),
      sandbox.steward(['tick', '--vault', 'vault']),
    ]);
    expect(words.stdout).toMatch(/stalled|doesn't answer/);
    expect(handed).toMatchObject({ exit: 75, stderr: expect.stringContaining("doesn't answer") });

    wedge.letGo();
    sandbox.write('signal/s1.md', signal());
    await running.line((line) => line.includes('applied pay'), 'applied pay');
    expect((await wedge.status()).daemon).toMatchObject({ state: 'running', pid });

    running.kill('SIGKILL');
    await running.ended;
    expect(fs.existsSync(path.join(sandbox.vault, '.steward', 'lock'))).toBe(true);
    expect(await wedge.status()).toMatchObject({ exit: 0, daemon: { state: 'stopped', pid: null }, schedules });
    const next = await wedge.daemon();
    expect((await wedge.status()).daemon).toMatchObject({ state: 'running', pid: next.pid });
    expect(next.pid).not.toBe(pid);
  });

  test('killed while it was blocked: stopped, and the next does what it left', async () => {
    const wedge = new Wedge();
    await using sandbox = wedge.sandbox;
    const { running, pid } = await wedge.daemon();
    wedge.block(pid);
    sandbox.write('signal/s1.md', signal());
    running.kill('SIGKILL');
    await running.ended;
    wedge.letGo();
    expect((await wedge.status()).daemon.state).toBe('stopped');
    const next = await wedge.daemon();
    await next.running.line((line) => line.includes('applied pay'), 'applied pay');
  });

  test('a second daemon names the one that holds the vault, also a stalled one, and does not take its place', async () => {
    const wedge = new Wedge();
    await using sandbox = wedge.sandbox;
    const { pid } = await wedge.daemon();
    for (const isBlocked of [false, true]) {
      if (isBlocked) wedge.block(pid);
      const second = await sandbox.steward(['run', '--vault', 'vault']);
      expect(second).toMatchObject({ exit: 75, stderr: expect.stringContaining(`daemon ${pid} on ${os.hostname()}`) });
    }
    wedge.letGo();
    expect((await wedge.status()).daemon).toMatchObject({ state: 'running', pid });
  });

  test('a stopped process (SIGSTOP) is stalled too', async () => {
    const wedge = new Wedge();
    await using _sandbox = wedge.sandbox;
    const { pid } = await wedge.daemon();
    process.kill(pid, 'SIGSTOP');
    expect((await wedge.status()).daemon).toMatchObject({ state: 'stalled', pid });
    process.kill(pid, 'SIGCONT');
    expect((await wedge.status()).daemon).toMatchObject({ state: 'running', pid });
  });
});

function gaps(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}
