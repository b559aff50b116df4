import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'vitest';
import { freePort } from '../support/engine-server.ts';
import { HAS_SERVER, Stage } from '../support/stage.ts';

// The host looks once a minute.
describe.skipIf(!HAS_SERVER).concurrent('a vault on a host', () => {
  test('gets its workflow again after a person ended that in the engine, at the next start or within a minute', async ({
    expect,
  }) => {
    await using stage = await Stage.open();
    const port = await freePort();
    const host = await stage.host('a', { STEWARD_FLEET_BUDGET_USD_PER_DAY: '25' }).start();
    const vault = stage.vault('lost');
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    const workflow = stage.server.client().workflow.getHandle(id);

    await workflow.terminate('by hand');
    await host.signal('SIGTERM');
    await host.start('--metrics', `127.0.0.1:${port}`);
    await host.says('repaired', (event) => event.vault === id);
    await host.says('visited', (event) => event.vault === id, host.heard.length);
    await expect.poll(() => metric(port, 'steward_fleet_vaults')).toBe(1);
    expect(await metric(port, 'steward_fleet_unkept')).toBe(0);
    expect(await metric(port, 'steward_fleet_budget_usd')).toBe(25);
    expect(await metric(port, 'steward_fleet_budget_spent_usd')).toBe(0);
    expect((await host.command('status')).stdout).toContain('models, last 24 h: 0.00 of 25 USD');

    const from = host.heard.length;
    await workflow.terminate('by hand');
    await host.says('repaired', (event) => event.vault === id, from);
    await host.says('visited', (event) => event.vault === id, from);
  });

  test('is overdue, is nudged, and `status` says so', async ({ expect }) => {
    await using stage = await Stage.open();
    const host = await stage.host('a').start();
    const vault = stage.vault('late');
    const [id = ''] = await host.add(vault.root);
    await host.says('visited', (event) => event.vault === id && event.code === null);
    await host.signal('SIGTERM');
    // As if the engine had forgotten the time of its next visit.
    const file = path.join(host.state, 'fleet', 'visits.json');
    const left = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(file, JSON.stringify({ [id]: { ...left[id], until: Date.now() - 120_000 } }));
    const before = JSON.parse((await host.command('status', '--json')).stdout);
    expect(before.vaults).toMatchObject([{ id, is_overdue: true }]);

    await host.start();
    const found = await host.says('reconciled', ({ overdue }) => overdue === 1);
    expect(found).toMatchObject({ vaults: 1, unkept: 0 });
    await host.says('visited', (event) => event.vault === id, host.heard.indexOf(found));
    const after = JSON.parse((await host.command('status', '--json')).stdout);
    expect(after.vaults).toMatchObject([{ id, is_kept: true }]);
  });

  test('`nudge` reports the visit, and says when there is none', async ({ expect }) => {
    await using stage = await Stage.open();
    const [a, b] = [await stage.host('a').start(), stage.host('b')];
    const vault = stage.vault('nudged');
    const [id = ''] = await a.add(vault.root);
    await a.says('visited', (event) => event.vault === id && event.code === null);
    const visits = () => a.heard.filter((event) => event.what === 'visited' && event.vault === id).length;
    const before = visits();
    const done = await a.command('nudge', '--json', vault.root);
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { nudged: [{ id, is_visited: true, code: null }] }]);
    expect(visits()).toBe(before + 1);

    fs.renameSync(vault.root, `${vault.root}.away`);
    const away = await a.command('nudge', '--json', id);
    expect([away.code, JSON.parse(away.stdout).nudged]).toEqual([75, [{ id, is_visited: true, code: 'vault-away' }]]);
    fs.renameSync(`${vault.root}.away`, vault.root);

    // Its host has never run.
    const other = stage.vault('other');
    const [otherId = ''] = await b.add(other.root);
    const none = await b.command('nudge', '--json', otherId);
    expect([none.code, JSON.parse(none.stdout).nudged]).toEqual([
      75,
      [{ id: otherId, is_visited: false, code: 'no-worker' }],
    ]);
    await expect
      .poll(async () => JSON.parse((await a.command('status', '--all', '--json')).stdout).unserved)
      .toEqual([{ host: b.id, vaults: [otherId] }]);
    expect((await a.command('nudge', 'v-00000000000000000000')).code).toBe(1);
  });

  test('is visited no more often if the clock of its host is two minutes behind', async ({ expect }) => {
    await using stage = await Stage.open();
    const clock = path.join(stage.folder, 'clock.mjs');
    fs.writeFileSync(clock, clockAheadBy(-120_000));
    const host = await stage.host('a', { NODE_OPTIONS: `--import=${clock}` }).start();
    const vault = stage.vault('timed', { schedule: 'every 50s' });
    const [id = ''] = await host.add(vault.root);
    const first = await host.says('visited', (event) => event.vault === id && event.until !== null);
    const visits = () => host.heard.filter((event) => event.what === 'visited' && event.vault === id);
    const second = await host.says('visited', (event) => event.vault === id, host.heard.indexOf(first) + 1);
    expect(second.heardAt - first.heardAt).toBeGreaterThan(3_000);
    expect(visits()).toHaveLength(2);
  });

  test('is served, also by a machine whose clock is five minutes ahead of the engine', async ({ expect }) => {
    await using stage = await Stage.open();
    const clock = path.join(stage.folder, 'clock.mjs');
    fs.writeFileSync(clock, clockAheadBy(300_000));
    const host = stage.host('a', { NODE_OPTIONS: `--import=${clock}` });
    const isServed = async () => JSON.parse((await host.command('status', '--json')).stdout).is_served;
    expect(await isServed()).toBe(false);
    await host.start();
    await expect.poll(isServed).toBe(true);
  });

  test('isn’t served at an address for metrics that another program has', async ({ expect }) => {
    await using stage = await Stage.open();
    const port = await freePort();
    await using taken = net.createServer();
    await once(taken.listen(port, '127.0.0.1'), 'listening');
    const { code, stderr } = await stage.host('a').command('host', '--metrics', `127.0.0.1:${port}`);
    expect(code).toBe(75);
    expect(stderr).toContain('(metrics-address)');
    expect(stderr).toContain('--metrics HOST:PORT');
  });
});

/** Returns a module that sets the clock of a process. */
function clockAheadBy(ms: number): string {
  return `
const Clock = globalThis.Date;
globalThis.Date = class extends Clock {
  constructor(...given) {
    super(...(given.length === 0 ? [Clock.now() + (${ms})] : given));
  }
  static now() {
    return Clock.now() + (${ms});
  }
};
`;
}

async function metric(port: number, name: string): Promise<number | null> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
  const line = text.split('\n').find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.split(' ').at(-1));
}
