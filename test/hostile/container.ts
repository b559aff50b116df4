import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { place } from '../../src/vault/lock.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { type Running, Sandbox } from '../stories/support.ts';
import { signal } from '../support/notes.ts';
import { namesIn } from '../support/placed.ts';

/** Starts what follows in a PID namespace of its own, as a container does; it ends with its starter. */
export const CONTAINER = 'unshare --pid --fork --kill-child --mount-proc';
/** The same with a clock of its own for the time since the boot. */
export const TIME_TRAVEL = 'unshare --time --fork --kill-child --boottime 1000000';

/** Whether processes can be put into namespaces here; that needs root. */
export const HAS_UNSHARE = [CONTAINER, TIME_TRAVEL].every(
  (words) => spawnSync('sh', ['-c', `${words} true`]).status === 0,
);

export const LIVE = { STEWARD_LIVE_MODE: 'live' };
export const TASK = 'task/renew-passport.md';

/** The example vault, whose settings believe signals of mail that are dropped by hand. */
export function trusting(): Sandbox {
  const sandbox = new Sandbox('example');
  const settings = sandbox.read('steward.md').replace('trusted_mail_servers:', 'trusted_signal_sources: [mail]\n$&');
  sandbox.write('steward.md', settings);
  return sandbox;
}

/** Drops a signal that a live daemon acts upon at once. */
export function dropSignal(sandbox: Sandbox): void {
  sandbox.write('signal/passport.md', signal({ target_path: TASK, headline: 'Passport renewed' }));
}

/** The event notes about that signal. */
export function acts(sandbox: Sandbox): string[] {
  return namesIn(sandbox.vault, 'event').filter((name) => sandbox.read(`event/${name}`).includes('[[passport]]'));
}

export async function started(sandbox: Sandbox, around = '', env: NodeJS.ProcessEnv = LIVE): Promise<Running> {
  const daemon = sandbox.start(`${around} steward run --vault vault`.trim(), env);
  await daemon.line((line) => line.includes('started on'), 'started on');
  return daemon;
}

export function lockOf(sandbox: Sandbox): string {
  return path.join(sandbox.vault, '.steward', 'lock');
}

export function holderIn(sandbox: Sandbox): { pid: number; token: string; epoch: number; socket: string } {
  return JSON.parse(fs.readFileSync(lockOf(sandbox), 'utf8'));
}

/** Puts a lock in its place in one step, as a sync tool does. */
export function putLock(sandbox: Sandbox, lock: object): void {
  fs.mkdirSync(path.dirname(lockOf(sandbox)), { recursive: true });
  const part = path.join(sandbox.folder, 'part');
  fs.writeFileSync(part, JSON.stringify(lock));
  fs.renameSync(part, lockOf(sandbox));
}

/** A lock as a daemon on another machine writes it. */
export function foreignLock(parts: object = {}): Record<string, unknown> {
  const since = new Date().toISOString();
  const foreign = { ...place(), host: 'laptop.example', boot: '11111111-1111-1111-1111-111111111111' };
  const process = { pid: 4711, role: 'daemon', birth: '99', since, refreshed_at: since };
  return { ...foreign, ...process, token: 'theirs', epoch: 3, lease_ms: 90_000, socket: null, ...parts };
}

/** Lets this machine remember that it has seen the lock, as it is now, for so long without a change. */
export function seenUnchanged(sandbox: Sandbox, ms: number): void {
  const folder = path.join(sandbox.folder, '.state', 'vault-steward', 'locks');
  fs.mkdirSync(folder, { recursive: true });
  const { boot, time_namespace } = place();
  const at = Number(process.hrtime.bigint() / 1_000_000n) - ms;
  const seen = { sha256: sha256(fs.readFileSync(lockOf(sandbox), 'utf8')), clock: `${boot} ${time_namespace}`, at };
  const file = `${sha256(fs.realpathSync.native(sandbox.vault)).slice(0, 16)}.json`;
  fs.writeFileSync(path.join(folder, file), JSON.stringify({ own: null, seen }));
}

/** The one process that a starter of namespaces has started. */
export async function childOf({ pid }: Running): Promise<number> {
  const children = () => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  await expect.poll(children).toMatch(/^\d+$/);
  return Number(children());
}
