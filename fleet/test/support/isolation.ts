import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY, MessagesServer, sound } from '../../../test/providers/messages-server.ts';
import { signal, weak } from '../../../test/support/notes.ts';
import { MAY_MOUNT } from '../../../test/support/small-disk.ts';
import { Disk } from './house.ts';
import type { VaultProcess } from './vault-process.ts';

const LINUX = process.platform === 'linux';

/** Tests that a failing vault doesn't affect the others, however a process keeps them. `make`: makes one with vaults of these names. */
export function testIsolation(how: string, make: (...names: readonly string[]) => VaultProcess): void {
  describe(`vaults that are ${how}`, () => {
    const started = async (...names: readonly string[]): Promise<VaultProcess> => {
      const kept = make(...names);
      await kept.start();
      return kept;
    };

    test('each acts, its change is undone by a command, and it is left in order', async () => {
      await using kept = await started('one', 'two');
      const { house } = kept;
      await kept.acts('one');
      await kept.acts('two');
      const { stdout, stderr } = await house.sandbox.sh('steward undo --last 1 --vault vaults/one');
      expect(stdout + stderr).toMatch(/^undone .*\n.*\n {2}pay {2}state done → open/);
      expect(house.read('one', 'task/pay.md')).toContain('state: open');
      expect(house.read('two', 'task/pay.md')).toContain('state: done');
      expect(await kept.end()).toBe(0);
      for (const name of ['one', 'two']) expect(fs.existsSync(house.path(name, '.steward/lock'))).toBe(false);
      expect(fs.readdirSync(path.join(house.sandbox.folder, '.run', 'vault-steward'))).toEqual([]);
    });

    test('one that another daemon has is refused, and taken up when that one ends; the other acts', async () => {
      await using kept = make('one', 'two');
      const other = kept.house.sandbox.start('steward run --vault vaults/two');
      await other.line((line) => line.includes('started on'), 'started on');
      await Promise.all([kept.start(), kept.refusal('two').then((code) => expect(code).toBe('vault-locked'))]);
      await kept.acts('one');
      other.kill('SIGTERM');
      await other.ended;
      await kept.acts('two');
      expect(await kept.end()).toBe(0);
    });

    test('one with bad settings goes on without them; the other has its own', async () => {
      await using kept = await started('one', 'two');
      const { house } = kept;
      const settings = house.read('one', 'steward.md').replace(/default_schedule: .*/, 'default_schedule: often');
      house.write('two', 'steward.md', settings);
      await kept.acts('two');
      await kept.acts('one');
      const { stdout } = await house.sandbox.sh('steward doctor --json --vault vaults/two');
      expect(stdout).toContain('default_schedule');
      expect(await kept.end()).toBe(0);
    });

    test('one that vanishes is away until it is back; the other acts', async () => {
      await using kept = await started('one', 'two');
      const hidden = path.join(kept.house.sandbox.folder, 'hidden');
      fs.renameSync(kept.house.path('two'), hidden);
      await kept.look('two');
      expect(await kept.refusal('two')).toBe('vault-away');
      await kept.acts('one');
      fs.renameSync(hidden, kept.house.path('two'));
      await kept.acts('two');
      expect(await kept.end()).toBe(0);
    });

    test.skipIf(!MAY_MOUNT)('one whose disk becomes read-only waits until it may write; the other acts', async () => {
      await using kept = make('one');
      using disk = new Disk(kept.house.path('two'));
      kept.house.vault('two');
      await kept.start();
      await kept.end();
      disk.remount('ro');
      await Promise.all([kept.start().then(() => kept.look('two')), kept.refusal('two')]);
      await kept.acts('one');
      disk.remount('rw');
      await kept.acts('two');
      expect(await kept.end()).toBe(0);
    });

    test('killed in the middle of work in both: a new start completes both, each thing once', async () => {
      await using kept = await started('one', 'two');
      const { house } = kept;
      for (const name of ['one', 'two']) house.write(name, 'signal/paid.md', signal({ target_path: 'task/pay.md' }));
      const isDone = (name: string) => house.read(name, 'task/pay.md').includes('state: done');
      await expect.poll(() => isDone('one') || isDone('two'), { interval: 1 }).toBe(true);
      await kept.end('SIGKILL');
      await kept.start();
      for (const name of ['one', 'two']) {
        await expect.poll(() => isDone(name)).toBe(true);
        await expect.poll(() => house.events(name)).toHaveLength(1);
      }
      expect(await kept.end()).toBe(0);
      for (const name of ['one', 'two']) expect(house.events(name)).toHaveLength(1);
    });

    test('an error that no code catches ends the work on its vault, which starts again; the other acts', async () => {
      await using kept = await started('one', 'two');
      const note = kept.house.path('two', 'task/faulty.md');
      fs.copyFileSync(kept.house.path('two', 'task/pay.md'), note);
      expect(await kept.refusal('two')).toBe('vault-fault');
      await kept.acts('one');
      fs.rmSync(note);
      await kept.acts('two');
      expect(await kept.end()).toBe(0);
    });

    test('the budget of all is used up by one; the other waits with a note that says so', async () => {
      const model = await MessagesServer.start((asked) => ({ do: 'say', text: sound(asked), tokens: 10_000 }));
      await using kept = make('one', 'two');
      // Enough to set one call aside.
      const budget = { STEWARD_FLEET_BUDGET_USD_PER_DAY: '0.15' };
      Object.assign(kept.env, budget, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url });
      await kept.start();
      const { house } = kept;
      const names = ['one', 'two'];
      for (const name of names)
        house.write(name, 'signal/news.md', weak({ effect: 'action', mutation_proposal: null }));
      const notes = () => names.flatMap((name) => house.events(name).map((file) => house.read(name, `event/${file}`)));
      await expect.poll(notes).toHaveLength(2);
      expect(notes().filter((note) => note.includes('by all vaults that share the budget'))).toHaveLength(1);
      expect(model.requests).toHaveLength(1);
      expect(await kept.end()).toBe(0);
    });

    test('an error outside the work on any vault ends the process in order', async () => {
      await using kept = await started('one');
      expect(await kept.end('SIGUSR2')).toBe(75);
      expect(fs.existsSync(kept.house.path('one', '.steward/lock'))).toBe(false);
    });

    test.skipIf(!LINUX)('one for which no file handles are left waits for room; the process goes on', async () => {
      await using kept = await started('one');
      kept.limitHandles(40);
      kept.house.vault('two');
      await kept.add('two');
      expect(await kept.refusal('two')).toBe('too-many-open');
      kept.limitHandles(1_000);
      await kept.acts('one');
      await kept.acts('two');
      expect(await kept.end()).toBe(0);
    });
  });
}
