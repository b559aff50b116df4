import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Daemon } from '../../src/daemon/daemon.ts';
import { stem } from '../../src/vault/layout.ts';
import { matter, reversal, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';
import {
  CAN_MOUNT,
  emptiedFileByFile,
  folderRemoved,
  folderRenamedAway,
  mountAt,
  mountedOver,
  NINE,
  renamedAway,
  replacedByAnEmptyFolder,
  SCHEDULES,
  type Taking,
  unmounted,
} from './taking.ts';

const WAYS: readonly (readonly [string, Taking])[] = [
  ['the folder is renamed away', renamedAway],
  ['an empty folder stands in its place', replacedByAnEmptyFolder],
  ['the matter folder is renamed away', folderRenamedAway('matter')],
  ['the matter folder is emptied file by file', emptiedFileByFile('matter')],
  ['the matter folder is removed', folderRemoved('matter')],
  ['the task folder is emptied file by file', emptiedFileByFile('task')],
  ['the task folder is removed', folderRemoved('task')],
];
const MOUNTS: readonly (readonly [string, Taking])[] = [
  ['its disk is unmounted', unmounted],
  ['another disk is mounted over it', mountedOver],
];

async function goesAndComesBack(vault: TempVault, take: Taking): Promise<void> {
  const running = await Running.start(vault);
  const before = vault.snapshot();
  const { inItsPlace, giveBack } = take(vault.root);
  await running.heard('away');
  expect(await running.ask({ op: 'status' })).toMatchObject({
    vault: { state: 'away', reason: expect.any(String) },
    schedules: SCHEDULES.map((name) => ({ name })),
    trouble: expect.arrayContaining([expect.objectContaining({ code: 'vault-away' })]),
  });
  await running.daemon.wake();
  expect(inItsPlace()).toEqual([]);
  giveBack();
  await running.heard('back');
  expect(vault.snapshot()).toEqual(before);
  expect(running.schedules()).toEqual(SCHEDULES);
  await running.sync();
  // The sweep of every minute is further off than the test's own limit: it is the watcher that sees this.
  fs.mkdirSync(vault.at('signal'));
  fs.writeFileSync(vault.at('signal/s1.md'), signal());
  await running.heard('acted');
  expect(vault.fields('task/pay.md').state).toBe('done');
  expect(running.count('schedule-removed')).toBe(0);
  expect(running.count('away')).toBe(1);
}

describe('a vault that goes away and comes back', () => {
  test.each(WAYS)('%s', async (_, take) => {
    await goesAndComesBack(new TempVault(NINE), take);
  });

  test.skipIf(!CAN_MOUNT).each(MOUNTS)('%s', async (_, take) => {
    const vault = new TempVault(NINE);
    using _mount = take === unmounted ? mountAt(vault.root) : null;
    await goesAndComesBack(vault, take);
  });

  test('a folder that is filled again file by file is not back before most of it is there', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    const texts = vault.names('matter').map((name) => [`matter/${name}`, vault.read(`matter/${name}`)] as const);
    for (const [file] of texts) vault.remove(file);
    await running.heard('away');
    for (const [file, text] of texts) {
      vault.write(file, text);
      await running.sync();
      expect(running.count('schedule-removed')).toBe(0);
    }
    await running.heard('back');
    expect(running.schedules()).toEqual(SCHEDULES);
  });

  test('another copy of the vault in its place, between two beats: it is watched', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    fs.cpSync(vault.root, `${vault.root}-copy`, { recursive: true, preserveTimestamps: true });
    fs.renameSync(vault.root, `${vault.root}-old`);
    fs.renameSync(`${vault.root}-copy`, vault.root);
    vault.write('signal/s1.md', signal());
    await running.heard('acted');
    await running.sync();
    vault.write('signal/s2.md', signal({ target_path: 'task/two.md', raw_quote: 'so is this' }));
    await running.heard('acted', ({ target }) => target === 'task/two.md');
    expect(running.count('schedule-removed')).toBe(0);
  });

  test('what came while it was away is acted upon when it is back', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    const elsewhere = `${vault.root}-elsewhere`;
    fs.renameSync(vault.root, elsewhere);
    await running.heard('away');
    fs.mkdirSync(`${elsewhere}/signal`, { recursive: true });
    fs.writeFileSync(`${elsewhere}/signal/s1.md`, signal());
    fs.writeFileSync(`${elsewhere}/matter/new.md`, matter());
    fs.renameSync(elsewhere, vault.root);
    await running.heard('acted');
    expect(running.schedules()).toEqual([...SCHEDULES, 'steward-new'].sort());
  });

  test('an order taken up before it went, and not carried out, is carried out after its return', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    vault.write('signal/s1.md', signal());
    const { event } = await running.heard('acted');
    const { giveBack } = folderRenamedAway('task')(vault.root);
    await running.heard('away');
    vault.write('event/signal-action-reversed-mine.md', reversal(`[[${stem(event)}]]`, { type: undefined }));
    await running.daemon.idle();
    expect(running.count('reversed')).toBe(0);
    giveBack();
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'reversed', target: 'task/pay.md' });
    expect(vault.fields('task/pay.md').state).toBe('open');
  });

  test('the folder of the event notes is not made anew in the moment before its loss is noticed', async () => {
    const vault = new TempVault({ ...NINE, 'signal/s1.md': signal() });
    const running = await Running.start(vault);
    await running.heard('acted');
    fs.renameSync(vault.at('event'), `${vault.root}-event`);
    vault.write('signal/s2.md', signal({ target_path: 'task/two.md', raw_quote: 'and so is this' }));
    await running.heard('away');
    await running.daemon.idle();
    expect(vault.has('event')).toBe(false);
    fs.renameSync(`${vault.root}-event`, vault.at('event'));
    // Nothing was begun while its event note had no place.
    await running.until(() => running.count('acted') === 2);
    await running.daemon.idle();
    expect(vault.events()).toHaveLength(2);
    expect(vault.fields('task/two.md').state).toBe('done');
  });
});

describe('a start', () => {
  test.each(['renamed', 'empty', 'with Obsidian left open'] as const)(
    'while the vault is away (%s) makes nothing and says to try again',
    async (how) => {
      const vault = new TempVault(NINE);
      await (await Running.start(vault)).stop();
      const { giveBack } = renamedAway(vault.root);
      if (how !== 'renamed') fs.mkdirSync(vault.root);
      if (how === 'with Obsidian left open') fs.mkdirSync(vault.at('.obsidian'));
      const start = Daemon.start({ root: vault.root, env: LIVE, now: Date.now, emit: () => {} }, vault.outside);
      await expect(start).rejects.toMatchObject({ exit: 75, trouble: { code: 'vault-away' } });
      if (how === 'renamed') expect(fs.existsSync(vault.root)).toBe(false);
      else expect(fs.readdirSync(vault.root)).toEqual(how === 'empty' ? [] : ['.obsidian']);
      fs.rmSync(vault.root, { recursive: true, force: true });
      giveBack();
      expect((await Running.start(vault)).schedules()).toEqual(SCHEDULES);
    },
  );

  test.each(['matter', 'task'])('while the folder %s is away waits with every schedule', async (folder) => {
    const vault = new TempVault(NINE);
    await (await Running.start(vault)).stop();
    const { giveBack, inItsPlace } = folderRenamedAway(folder)(vault.root);
    const running = await Running.start(vault);
    await running.heard('away');
    expect(running.schedules()).toEqual(SCHEDULES);
    expect(inItsPlace()).toEqual([]);
    giveBack();
    await running.heard('back');
    vault.write('signal/s1.md', signal());
    await running.heard('acted');
    expect(running.count('schedule-removed')).toBe(0);
  });
});

describe('a first meeting', () => {
  // Another key's cache is not believed, so nothing tells that the folder held tasks.
  test('with a vault whose tasks are away: after the yes, what can still be undone there is undone once they are back', async () => {
    const vault = new TempVault({ ...NINE, 'signal/s1.md': signal() });
    const other = await Running.start(vault);
    const { event } = await other.heard('acted');
    await other.stop();
    const { giveBack } = folderRenamedAway('task')(vault.root);
    const running = await Running.start(vault, { env: { ...LIVE, sealKey: `${vault.home}/another-key` } });
    await running.ask({ op: 'answer', kind: 'confirm', events: ['this-vault'], dryRun: false });
    vault.write(event, vault.read(event).replace('undo: false', 'undo: true'));
    giveBack();
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'reversed', target: 'task/pay.md' });
  });
});

describe('a real deletion', () => {
  test('of one matter among many removes its schedule at once', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    vault.remove('matter/boat.md');
    expect(await running.heard('schedule-removed')).toMatchObject({ name: 'steward-boat' });
    expect(running.schedules()).toEqual(SCHEDULES.filter((name) => name !== 'steward-boat'));
    expect(running.count('away')).toBe(0);
  });

  test('of two matters in one go is believed as soon', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    for (const name of ['boat', 'trip']) vault.remove(`matter/${name}.md`);
    await running.until(() => running.count('schedule-removed') === 2);
    expect(running.schedules()).toHaveLength(7);
    expect(running.count('away')).toBe(0);
  });

  test('of a task, a signal and an event note is believed as soon', async () => {
    const vault = new TempVault({ ...NINE, 'signal/s1.md': signal(), 'signal/s2.md': signal({ effect: 'none' }) });
    const running = await Running.start(vault);
    await running.heard('acted');
    await running.sync();
    const known = () => running.daemon.status().vault.notes;
    const [event = ''] = vault.events();
    for (const file of ['task/two.md', 'signal/s2.md', event]) {
      const before = known();
      vault.remove(file);
      await running.sync();
      expect(known(), file).toBe(before - 1);
    }
    expect(running.count('away')).toBe(0);
  });

  test('a note that is deleted and comes back at once was never gone', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    const text = vault.read('matter/boat.md');
    vault.remove('matter/boat.md');
    const swept = running.sync();
    vault.write('matter/boat.md', text);
    await swept;
    await running.sync();
    expect(running.count('schedule-removed')).toBe(0);
    expect(running.schedules()).toEqual(SCHEDULES);
  });

  test('of most matters is believed when it has stood for a while, and is no vault away for ever', async () => {
    const vault = new TempVault(NINE);
    const running = await Running.start(vault);
    for (const name of ['boat', 'car', 'flat', 'garden', 'house', 'job']) vault.remove(`matter/${name}.md`);
    expect(await running.heard('away')).toMatchObject({ reason: expect.stringMatching(/has just lost 6 of its 9/) });
    expect(running.schedules()).toEqual(SCHEDULES);
    await running.heard('back');
    await running.until(() => running.count('schedule-removed') === 6);
    expect(running.schedules()).toHaveLength(3);
  });

  test('of a task keeps its matter scheduled', async () => {
    const vault = new TempVault({ ...NINE, 'task/four.md': task() });
    const running = await Running.start(vault);
    vault.remove('task/four.md');
    await running.sync();
    expect(running.schedules()).toEqual(SCHEDULES);
  });
});
