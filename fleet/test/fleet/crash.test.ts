import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { HAS_SERVER, Stage } from '../support/stage.ts';

const RESUMED_MS = 25_000;
/** For a longer run. */
const KILLS = Number(process.env.FLEET_KILLS ?? 2);
const LONGEST_MS = 4_000;

describe.skipIf(!HAS_SERVER).concurrent('after a crash', () => {
  test('of the host in the middle of a visit, a mail is acted on once, within 25 s', async ({ expect }) => {
    await using stage = await Stage.open();
    const host = await stage.host('a').start();
    const vault = stage.vault('mailed');
    vault.mail();
    const [id = ''] = await host.add(vault.root);
    // The lock is there: the visit is under way.
    await host.until(() => vault.isHeld);
    await host.signal('SIGKILL');
    expect(vault.isDone).toBe(false);
    const left = vault.lock;

    await host.start();
    await expect.poll(() => vault.lock !== left || vault.isDone, { timeout: RESUMED_MS }).toBe(true);
    await expect.poll(() => vault.isDone).toBe(true);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    expect(vault.events('signal-action')).toHaveLength(1);
  });

  test('of the host, again and again at random moments, each mail is acted on once', async ({ expect }) => {
    await using stage = await Stage.open();
    const vaults = Array.from({ length: 2 * KILLS }, (_, nth) => stage.vault(`v${nth}`));
    const host = await stage.host('a').start();
    await host.add(...vaults.map(({ root }) => root));
    for (let nth = 0; nth < KILLS; nth += 1) {
      for (const vault of vaults.slice(2 * nth, 2 * nth + 2)) vault.mail();
      await pause(Math.random() * LONGEST_MS);
      await host.signal('SIGKILL');
      await host.start();
    }
    await expect.poll(() => vaults.every(({ isDone }) => isDone), { timeout: 120_000 }).toBe(true);
    expect(vaults.map((vault) => vault.events('signal-action').length)).toEqual(vaults.map(() => 1));
  });

  test('of the server, nothing is lost: a change and a due time are caught up with once', async ({ expect }) => {
    await using stage = await Stage.open();
    const host = await stage.host('a').start();
    const [changed, due] = [stage.vault('changed'), stage.vault('due', { schedule: 'every 50s' })];
    const [changedId = '', dueId = ''] = await host.add(changed.root, due.root);
    await host.says('visited', (event) => event.vault === changedId && event.code === null);
    const asleep = await host.says('visited', (event) => event.vault === dueId && event.until !== null);
    await stage.server.kill();
    changed.signal();

    await host.until(() => Date.now() > Date.parse(asleep.until ?? '') + 1_000);
    const before = host.heard.length;
    await stage.server.start();
    await expect.poll(() => changed.isDone).toBe(true);
    await host.says('visited', (event) => event.vault === changedId, before);
    await host.says('visited', (event) => event.vault === dueId, before);
    expect(changed.events('signal-action')).toHaveLength(1);
    expect(host.heard.slice(before).filter((event) => event.what === 'visited' && event.vault === dueId)).toHaveLength(
      1,
    );
  });
});
