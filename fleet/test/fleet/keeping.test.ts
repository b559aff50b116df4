import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HostProcess } from '../support/host-process.ts';
import { HAS_SERVER, Stage } from '../support/stage.ts';

describe.skipIf(!HAS_SERVER)('a host', () => {
  let stage: Stage;
  let host: HostProcess;
  let timed: string;

  beforeAll(async () => {
    stage = await Stage.open();
    host = await stage.host('a').start();
    // A visit waits for what is due within 45 s: it takes a while until this one sleeps.
    [timed = ''] = await host.add(stage.vault('timed', { schedule: 'every 50s' }).root);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  test('visits what is added, and acts on what is dropped into a sleeping vault', async () => {
    const vault = stage.vault('nudged');
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    expect(vault.isDone).toBe(false);

    const before = host.heard.length;
    vault.signal();
    await host.says('nudged', (event) => event.vault === id, before);
    await expect.poll(() => vault.isDone).toBe(true);
    await host.says('visited', (event) => event.vault === id, before);
    expect(vault.events('signal-action')).toHaveLength(1);
  });

  test('leaves a vault alone that it has changed itself', async () => {
    const vault = stage.vault('quiet', { files: {} });
    vault.signal();
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    expect(vault.isDone).toBe(true);

    // Whatever it would hear of its own writes comes before a change that is made after them.
    const before = host.heard.length;
    vault.write('task/another.md', vault.read('task/pay.md').replace(/state:.*/, "state: 'open'"));
    await host.says('visited', (event) => event.vault === id, before);
    const heard = host.heard.slice(before).filter((event) => event.what === 'nudged' && event.vault === id);
    expect(heard).toHaveLength(1);
    expect(host.heard.filter((event) => event.what === 'visited' && event.vault === id)).toHaveLength(2);
  });

  test('lets go of what is removed, and finds what another command changed meanwhile', async () => {
    const vault = stage.vault('removed');
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    expect((await host.command('remove', vault.root)).code).toBe(0);

    const before = host.heard.length;
    vault.signal();
    const other = stage.vault('other');
    const [otherId = ''] = await host.add(other.root);
    await host.says('visited', (event) => event.vault === otherId && event.code === null);
    expect(host.heard.slice(before).filter((event) => 'vault' in event && event.vault === id)).toEqual([]);
    expect(vault.isDone).toBe(false);

    expect(await host.add(vault.root)).toEqual([id]); // it has kept its id
    await expect.poll(() => vault.isDone).toBe(true);
  });

  test('says how its vaults stand, and what is wrong, in a sentence', async () => {
    const vault = stage.vault('standing');
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id);
    await expect
      .poll(async () => {
        const { stdout } = await host.command('status', '--json');
        return JSON.parse(stdout);
      })
      .toMatchObject({
        host: host.id,
        is_served: true,
        vaults: expect.arrayContaining([expect.objectContaining({ id, path: vault.root, is_kept: true, code: null })]),
      });
    const refused = await host.command('add', path.join(stage.folder, 'nowhere'));
    expect(refused.code).toBe(75);
    expect(refused.stderr).toContain('(vault-away)');
    expect((await host.command('nudge', 'v-00000000000000000000')).code).toBe(1);
    expect((await host.command('drain')).stderr).toContain('(host-unknown)');
  });

  test('answers a vault that is locked or away with a time, and goes on with the others', async () => {
    const vault = stage.vault('gone');
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    fs.renameSync(vault.root, `${vault.root}.away`);
    const before = host.heard.length;
    expect((await host.command('nudge', id)).code).toBe(75);
    const away = await host.says('visited', (event) => event.vault === id && event.code !== null, before);
    expect(away.code).toBe('vault-away');
    expect(Date.parse(away.until ?? '')).toBeGreaterThan(Date.now());

    fs.renameSync(`${vault.root}.away`, vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null, host.heard.length);
  });

  test('wakes a vault when something is due there, and not before', async () => {
    const asleep = await host.says('visited', (event) => event.vault === timed && event.until !== null);
    const since = host.heard.indexOf(asleep) + 1;
    const woken = await host.says('visited', (event) => event.vault === timed, since);
    expect(woken.heardAt).toBeGreaterThanOrEqual(Date.parse(asleep.until ?? ''));
    expect(woken.late_ms).toBeLessThan(2_000);
    expect(Date.parse(woken.until ?? '')).toBe(Date.parse(asleep.until ?? '') + 50_000);
  });
});
