import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { HOUSE, matter, settings, signal } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';

/**
 * The limits are lowered in a user namespace of the daemon's own, so that they affect no other process of the machine
 * and need not be restored.
 */
const LIMITS = [
  { limit: 'max_inotify_watches', left: 2 },
  { limit: 'max_inotify_watches', left: 0 },
  { limit: 'max_inotify_instances', left: 0 },
] as const;

const DUE = { class: 'context_edit', set: { due: '2036-01-01' } };

const NO_NAMESPACE = 'no user namespace may be made here, and the limits of the whole machine are not ours to lower';
const hasNamespaces = lowered('max_inotify_watches', 2, 'true').status === 0;

describe('with the limits of inotify used up', () => {
  test.for(LIMITS)(
    '$left $limit: status says so, and the sweep finds what changed',
    async ({ limit, left }, context) => {
      context.skip(!hasNamespaces, NO_NAMESPACE);
      const vault = new TempVault(HOUSE);
      const daemon = new Limited(vault, limit, left);
      await daemon.told((line) => line.what === 'started');

      vault.write('signal/paid.md', signal({ target_path: 'task/pay.md' }));
      vault.write('matter/garden.md', matter());
      vault.write('steward.md', settings({ default_schedule: 'every 45m' }));
      const changed = await daemon.wake();
      expect(changed.trouble.map(({ code }) => code)).toContain('watcher');
      expect(changed.schedules.map(({ cadence }) => cadence)).toEqual(['every 45 min', 'every 45 min']);
      expect(vault.fields('task/pay.md').state).toBe('done');
      expect(vault.events('signal-action-')).toHaveLength(1);

      vault.remove('matter/garden.md');
      const removed = await daemon.wake();
      expect(removed.trouble.map(({ code }) => code)).toContain('watcher');
      expect(removed.schedules).toHaveLength(1);

      const raised = await daemon.wake(`${limit} 1000`);
      expect(raised.trouble).toEqual([]);
      vault.write('signal/late.md', signal({ target_path: 'task/pay.md', mutation_proposal: DUE }));
      await daemon.told((line) => line.what === 'acted' && JSON.stringify(line).includes('2036-01-01'));
    },
  );
});

function lowered(limit: string, left: number, command: string) {
  return spawnSync('unshare', ['-U', '-r', 'sh', '-c', `echo ${left} > /proc/sys/user/${limit} && ${command}`]);
}

const line = z.looseObject({ what: z.string() });
type Line = z.infer<typeof line>;
const status = z.object({
  trouble: z.array(z.object({ code: z.string() })),
  schedules: z.array(z.object({ cadence: z.string() })),
});
type Status = z.infer<typeof status>;

/** A daemon under a lowered limit, and what it reports. */
class Limited {
  readonly #lines: Line[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(vault: TempVault, limit: string, left: number) {
    const { socket, snapshot } = vault.outside;
    const script = path.join(import.meta.dirname, 'limits-child.ts');
    const lower = `echo ${left} > /proc/sys/user/${limit} && exec "$@"`;
    const command = [process.execPath, script, vault.root, socket, snapshot];
    this.#child = spawn('unshare', ['-U', '-r', 'sh', '-c', lower, 'sh', ...command]);
    this.#child.stderr.pipe(process.stderr);
    readline.createInterface(this.#child.stdout).on('line', (text) => this.#hear(line.parse(JSON.parse(text))));
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    void ended.then(() => this.#tellWaiting());
    onTestFinished(async () => {
      this.#child.stdin.end();
      await ended;
    });
  }

  /** Resolves when a matching line has been printed. */
  async told(fits: (line: Line) => boolean): Promise<void> {
    while (!this.#lines.some(fits)) {
      if (this.#child.exitCode !== null)
        throw new Error(`the daemon ended, and had said ${JSON.stringify(this.#lines)}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Wakes the daemon. Returns its status when everything that follows is done. */
  async wake(order = 'wake'): Promise<Status> {
    const before = this.#woken().length;
    this.#child.stdin.write(`${order}\n`);
    await this.told(() => this.#woken().length > before);
    return status.parse(this.#woken().at(-1)?.status);
  }

  #woken(): Line[] {
    return this.#lines.filter((said) => said.what === 'woken');
  }

  #hear(said: Line): void {
    this.#lines.push(said);
    this.#tellWaiting();
  }

  #tellWaiting(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
