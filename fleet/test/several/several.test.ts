import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAY_MOUNT } from '../../../test/support/small-disk.ts';
import { Disk, ended, House, RUN, said } from '../support/house.ts';

/** A lock of a process that cannot be seen from here. */
const FOREIGN = {
  ...{
    host: 'elsewhere',
    pid: 7,
    boot: 'another',
    role: 'daemon',
    birth: '1',
    token: 'theirs',
    epoch: 99,
    socket: null,
  },
  ...{ lease_ms: 90_000, since: '2026-11-21T09:00:00.000Z', refreshed_at: '2026-11-21T09:00:00.000Z' },
};

/** Has few watches for what follows, where the system lets this user have a namespace of its own. */
const LIMITED = `unshare -Ur sh -c 'echo 4 > /proc/sys/user/max_inotify_watches && exec "$@"' --`;
const MAY_LIMIT = spawnSync('sh', ['-c', `${LIMITED} true`]).status === 0;

describe('several vaults in one process', () => {
  test('a log for programs names the vault in each line about one', async () => {
    await using house = new House('one', 'two');
    const running = house.sandbox.start(`${RUN} --vaults vaults --log json`, { STEWARD_LOG_LEVEL: 'info' });
    await running.line((line) => line.includes('"code":"keeping"'), 'keeping');
    const lines = (await ended(running)).trim().split('\n');
    const told = lines.map((line): { code: string; vault?: string } => JSON.parse(line));
    expect(
      told
        .filter(({ code }) => code === 'started')
        .map(({ vault }) => vault)
        .sort(),
    ).toEqual([house.path('one'), house.path('two')]);
    expect(told.filter(({ vault }) => vault === undefined).map(({ code }) => code)).toEqual(['keeping']);
  });

  test('one whose lock another takes ends by itself, and is tried again; the other acts', async () => {
    await using house = new House('one', 'two');
    const running = await house.run('--vaults vaults');
    const lock = house.path('two', '.steward/lock');
    fs.writeFileSync(`${lock}.part`, JSON.stringify(FOREIGN));
    fs.renameSync(`${lock}.part`, lock);
    await said(running, 'two', /stopped/);
    expect(await said(running, 'two', /not kept/)).toContain('now belongs to daemon 7 on elsewhere');
    expect(JSON.parse(fs.readFileSync(lock, 'utf8'))).toEqual(FOREIGN);
    await house.acts('one', running);
    fs.rmSync(lock);
    await said(running, 'two', /started on/);
    await house.acts('two', running);
    await ended(running);
  });

  test('who is asked to stop while most still wait for their start begins none of them', async () => {
    await using house = new House(...Array.from({ length: 40 }, (_, nth) => `vault-${nth}`));
    const running = house.sandbox.start(`${RUN} --vaults vaults`);
    await running.line((line) => line.includes('started on'), 'started on');
    const said = await ended(running);
    expect(said.match(/started on/g)?.length).toBeLessThan(30);
    expect(said.match(/: stopped/g)?.length).toBe(said.match(/started on/g)?.length);
  });
});

describe('the limits of the system', () => {
  test.skipIf(!MAY_LIMIT)('where no more can be watched, each says so once, and goes on by sweeps', async () => {
    await using house = new House('one', 'two');
    const running = await house.run('--vaults vaults', `exec ${LIMITED}`);
    await said(running, 'two', /problem The file watcher has a problem \(ENOSPC.*max_user_watches/);
    expect((await house.sandbox.sh('steward tick --vault vaults/two')).exit).toBe(0);
    expect((await ended(running)).match(/two: problem/g)).toHaveLength(1);
  });
});

describe('a folder of vaults', () => {
  test('a new vault is taken up, one that is gone is let go of, and one that was renamed goes on', async () => {
    await using house = new House('one', 'two', 'three');
    const running = await house.run('--vaults vaults');
    house.vault('four');
    await said(running, 'four', /started on/);
    await house.acts('four', running);
    fs.rmSync(house.path('two'), { recursive: true });
    await said(running, 'two', /let go/);
    fs.renameSync(house.path('three'), house.path('drei'));
    await said(running, 'drei', /started on/);
    await house.acts('drei', running);
    expect(await ended(running)).not.toContain('not kept');
    expect(fs.existsSync(house.path('two'))).toBe(false);
  });

  test('a subfolder that is no vault, a hidden one and a link are left alone', async () => {
    await using house = new House('one', '.hidden');
    fs.mkdirSync(house.path('pictures'));
    fs.renameSync(house.path('.hidden'), path.join(house.sandbox.folder, 'elsewhere'));
    fs.symlinkSync(path.join(house.sandbox.folder, 'elsewhere'), house.path('link'));
    fs.cpSync(house.path('one'), house.path('.trash'), { recursive: true });
    const running = await house.run('--vaults vaults');
    expect(await ended(running)).toContain('1 of 1 vault looked after');
    expect(fs.readdirSync(house.path('pictures'))).toEqual([]);
  });

  test('a folder that is not there ends the start; an empty one waits for its first vault', async () => {
    await using house = new House();
    const { exit, stderr } = await house.sandbox.sh(`${RUN} --vaults vaults`);
    expect({ exit, stderr }).toMatchObject({ exit: 75, stderr: expect.stringContaining('(vaults-away)') });
    fs.mkdirSync(house.folder);
    const running = await house.run('--vaults vaults');
    house.vault('one');
    await said(running, 'one', /started on/);
    await ended(running);
  });

  test.skipIf(!MAY_MOUNT)('a folder whose disk is unmounted lets go of none', async () => {
    await using house = new House();
    using _disk = new Disk(house.folder);
    house.vault('one');
    const running = await house.run('--vaults vaults');
    {
      using _over = new Disk(house.folder); // the vaults are not to be seen
      await said(running, 'one', /the vault is away/);
    }
    await said(running, 'one', /the vault is back/);
    await house.acts('one', running);
    expect(await ended(running)).not.toContain('let go');
  });
});
