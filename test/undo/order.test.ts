import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { undo } from '../../src/undo/undo.ts';
import { DEFAULT_MAPPING } from '../../src/vault/index/record.ts';
import { Layout } from '../../src/vault/layout.ts';
import { Journal } from '../../src/vault/transaction/journal.ts';
import { Vault } from '../../src/vault/watch/vault.ts';
import { Clock, SECOND } from '../support/clock.ts';
import { HOUSE, instinct, matter, settings, signal, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const OLD_HAND = { 'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }) };

describe('an undo of a note that is just being written waits until it is whole', () => {
  test.each([
    ['empty', ''],
    ['cut off inside its fence', '---\nstate: do'],
  ])('by command: %s', async (_, text) => {
    const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
    const bench = await Bench.open(vault);
    await bench.route('signal/s1.md');
    const event = only(bench.catalogue.events());
    const order = { event, by: 'command' as const, reason: null, force: false, file: null };
    const whole = vault.read('task/pay.md');
    vault.write('task/pay.md', text);
    await bench.sweep();
    expect(undo(bench.ports, order)).toMatchObject({ outcome: 'settling', note: null });
    vault.write('task/pay.md', whole);
    expect(await bench.undo(event.name)).toMatchObject({ outcome: 'reversed' });
  });

  test('by its checkbox, for as long as it takes', async () => {
    const vault = new TempVault({ ...HOUSE, ...OLD_HAND });
    const clock = new Clock();
    const running = await Running.start(vault, { clock });
    vault.write('signal/s1.md', signal());
    const { event } = await running.heard('acted');
    const whole = vault.read('task/pay.md');
    vault.write('task/pay.md', '');
    await running.sync();
    vault.edit(event, 'undo: false', 'undo: true');
    await running.sync();
    for (let looks = 0; looks < 3; looks += 1) {
      clock.move(30 * SECOND);
      await running.daemon.wake();
      await running.daemon.idle();
    }
    expect(running.count('reversed')).toBe(0);
    vault.write('task/pay.md', whole);
    await running.sync();
    clock.move(30 * SECOND);
    await running.daemon.wake();
    await running.heard('reversed');
    expect(vault.fields('task/pay.md').state).toBe('open');
  });
});

test('a box ticked before its note is there is answered once', async () => {
  const vault = new TempVault({ ...HOUSE, ...OLD_HAND, 'steward.md': settings({ settle_seconds: 1 }) });
  const running = await Running.start(vault);
  const answers = () => vault.names('event').filter((name) => name.includes('reversed'));
  vault.write('signal/s1.md', signal());
  const { event } = await running.heard('acted');
  const whole = vault.read('task/pay.md');
  const known = running.daemon.status().vault.notes;
  vault.remove('task/pay.md');
  await running.sync();
  await running.until(() => running.daemon.status().vault.notes === known - 1);
  vault.edit(event, 'undo: false', 'undo: true', 0);
  await running.sync();
  vault.write('task/pay.md', whole);
  await running.sync();
  await running.heard('reversed');
  const later = Date.now() + 2 * SECOND; // by then the first asking's own turn has come again
  await running.until(() => Date.now() > later);
  await running.sync();
  expect(answers()).toHaveLength(1);
});

test('a note that is back before a sweep lets it go stays known', async () => {
  const notes = { 'matter/a.md': matter(), 'matter/b.md': matter(), 'matter/c.md': matter(), 'task/t.md': task() };
  const temp = new TempVault({ 'steward.md': settings(), ...notes, '.steward/lock': '' });
  const vault = new Vault(temp.root, new Layout(), DEFAULT_MAPPING);
  await vault.open(path.join(temp.places.cache, 'records.json'));
  temp.remove('matter/a.md');
  const look = vault.look.bind(vault);
  const sweeping = vault.sweep();
  temp.write('task/new.md', task()); // something to read, while which others have a turn
  vault.look = (files) => {
    const changes = look(files);
    if (vault.catalogue.get('task/new.md') === undefined) return changes;
    vault.look = look;
    setImmediate(() => {
      temp.write('matter/a.md', notes['matter/a.md']);
      look(['matter/a.md']);
    });
    return changes;
  };
  await sweeping;
  expect(vault.catalogue.get('matter/a.md')?.kind).toBe('matter');
});

test.each([
  ['a folder', (file: string) => fs.mkdirSync(file)],
  ['a file too large for a note', (file: string) => fs.writeFileSync(file, 'x'.repeat(1024 * 1024 + 1))],
  ['a link that leads nowhere', (file: string) => fs.symlinkSync('nowhere', file)],
])('%s in the place of a signal that an action stamps holds up nothing else', async (_, make) => {
  const vault = new TempVault({ ...HOUSE, 'task/two.md': task(), 'signal/s1.md': signal() });
  const bench = await Bench.open(vault);
  const { open } = Journal.prototype;
  const spied = vi.spyOn(Journal.prototype, 'open').mockImplementation(function (this: Journal, work) {
    open.call(this, work);
    vault.remove('signal/s1.md');
    make(vault.at('signal/s1.md'));
  });
  onTestFinished(() => spied.mockRestore());
  await bench.route('signal/s1.md');
  spied.mockRestore();
  vault.write('signal/s2.md', signal({ target_path: 'task/two.md', raw_quote: 'so is this' }));
  expect(await bench.route('signal/s2.md')).toMatchObject({ kind: 'acted' });
  expect(vault.events()).toHaveLength(2);
});
