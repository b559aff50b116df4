import { describe, test } from 'vitest';
import { HAS_NAMES, HAS_SERVER, onMachine, Stage } from '../support/stage.ts';

/** A visit waits for what is due within 45 s: a vault that ticks seldomer sleeps in between. */
const PERIOD_MS = 50_000;

describe.skipIf(!HAS_SERVER).concurrent('between hosts', () => {
  test('a drained host hands its vaults over without a missed tick', async ({ expect }) => {
    await using stage = await Stage.open();
    const [a, b] = [await stage.host('a').start(), await stage.host('b').start()];
    const [due, quiet] = [stage.vault('due', { schedule: `every ${PERIOD_MS / 1000}s` }), stage.vault('quiet')];
    const [dueId = '', quietId = ''] = await a.add(due.root, quiet.root);
    await b.add(due.root, quiet.root); // known there, and still kept here
    const asleep = await a.says('visited', (event) => event.vault === dueId && event.until !== null);
    await a.says('visited', (event) => event.vault === quietId && event.code === null);

    const drained = await a.command('drain', '--to', b.id, '--json');
    expect(drained.code).toBe(0);
    await b.says('visited', (event) => event.vault === quietId && event.code === null);
    await a.signal('SIGTERM');
    const tick = Date.parse(asleep.until ?? '');
    const ticked = await b.says('visited', ({ vault, until }) => vault === dueId && Date.parse(until ?? '') > tick);
    expect(ticked.heardAt).toBeGreaterThanOrEqual(tick);
    expect(ticked.heardAt).toBeLessThan(tick + 5_000);
    expect(Date.parse(ticked.until ?? '')).toBe(tick + PERIOD_MS); // this one was not missed, the next one is awaited

    quiet.signal(); // whoever has it now hears of what changes in it
    await expect.poll(() => quiet.isDone).toBe(true);
    expect(quiet.events('signal-action')).toHaveLength(1);
  });

  test.skipIf(!HAS_NAMES)('a host that was stopped past its lease writes not one byte', async ({ expect }) => {
    await using stage = await Stage.open();
    const a = await stage.host('a', {}, onMachine('fleet-a')).start('--lease', '6');
    const b = await stage.host('b', {}, onMachine('fleet-b')).start('--lease', '6');
    const vault = stage.vault('held', { settleSeconds: 15 });
    const [id = ''] = await a.add(vault.root);
    await a.says('visited', (event) => event.vault === id && event.code === null);
    // What was just written has to keep still, and the visit waits for it with the vault in its hand.
    vault.write('task/pay.md', vault.read('task/pay.md'));
    vault.signal(0);
    await a.until(() => vault.isVisited);
    await a.signal('SIGSTOP');
    while (vault.isReplaced) {
      // Between the two steps of a replacement no program can look at its lock again.
      await a.signal('SIGCONT');
      await a.until(() => !vault.isReplaced);
      await a.signal('SIGSTOP');
    }
    expect(vault.events('signal-action')).toEqual([]);

    await b.add('--take', vault.root);
    await expect.poll(() => vault.events('signal-action').length).toBe(1);
    await b.signal('SIGKILL'); // so that whatever is written from here on, A has written
    const before = vault.bytes();
    const from = a.heard.length;
    await a.signal('SIGCONT');
    const lost = await a.says('broken-off', (event) => event.vault === id, from);
    expect(lost.code).toBe('lock-lost');
    await a.signal('SIGTERM');
    expect(vault.bytes()).toEqual(before);
    expect(vault.events('signal-action')).toHaveLength(1);
  });
});
