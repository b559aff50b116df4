import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';
import { pathsIn } from '../../../test/support/placed.ts';
import type { HostProcess } from '../support/host-process.ts';
import { HAS_SERVER, Stage } from '../support/stage.ts';

describe.skipIf(!HAS_SERVER)('a vault that comes from a host with another key', () => {
  test('is refused; adopted, its changes can be undone, and it is refused again when it comes back', async ({
    expect,
  }) => {
    await using stage = await Stage.open();
    const secret = path.join(stage.folder, 'secret');
    fs.writeFileSync(secret, 'k'.repeat(64), { mode: 0o600 });
    const [a, b] = [stage.host('a'), stage.host('b', { STEWARD_SEAL_KEY_FILE: secret })];
    const vault = stage.vault('moved');
    const before = vault.read('task/pay.md');
    vault.signal();

    await a.start();
    await a.add(vault.root);
    await expect.poll(() => vault.isDone).toBe(true);
    const moveTo = async (host: HostProcess) => {
      const refused = await host.command('add', '--take', vault.root);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('(vault-other-key)')]);
      await host.start();
      const taken = await host.command('add', '--take', '--adopt', '--json', vault.root);
      expect(JSON.parse(taken.stdout)).toMatchObject({ added: [{ kept_here: true, waiting: [] }] });
    };
    await a.signal('SIGKILL');
    await moveTo(b);
    const [event = ''] = pathsIn(vault.root, 'event').filter((file) => /signal-action-2[^/]*$/.test(file));
    vault.write(event, vault.read(event).replace('undo: false', 'undo: true'));
    await expect.poll(() => vault.read('task/pay.md')).toBe(before);
    await expect.poll(() => vault.isHeld).toBe(false);
    await b.signal('SIGKILL');
    await moveTo(a);
  });
});
