import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findEvent } from '../../src/steward/find-event.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { stem } from '../../src/vault/layout.ts';
import { Clock } from '../support/clock.ts';
import { HOUSE, PAID_MAIL, reversal, signal } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

/** Returns the only member of a list. */
function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`not one: ${JSON.stringify(items)}`);
  return item;
}

async function acted(): Promise<{ vault: TempVault; bench: Bench; event: string }> {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
  const bench = await Bench.open(vault);
  await bench.tick();
  return { vault, bench, event: only(vault.events()) };
}

/** Moves a note within the vault as a person does it. */
function move(vault: TempVault, from: string, to: string): void {
  const bytes = vault.bytes(from);
  vault.remove(from);
  vault.write(to, bytes);
}

describe('an event of a month', () => {
  test('is found by every spelling', async () => {
    const { bench, event } = await acted();
    const name = stem(event);
    const [, month = ''] = event.split('/');
    const spellings = [
      ...[name, `${name}.md`, `[[${name}]]`, `[[${name}|that one]]`, name.toUpperCase()],
      ...[event, event.slice(0, -3), `[[${event.slice(0, -3)}]]`, `${month}/${name}`, `./${event}`],
      ...[`event/${name}.md`, `[[event/${name}]]`, `event/1999-01/${name}`],
      ...[name.slice('signal-action-'.length), name.slice(10, 30)],
    ];
    for (const one of spellings) expect(findEvent(bench.ports.vault, one, () => true).path, one).toBe(event);
  });

  test.each(['event', 'event/1999-01', 'event/kept/years'])('is the same after a move to %s', async (folder) => {
    const { vault, event } = await acted();
    const place = `${folder}/${stem(event)}.md`;
    move(vault, event, place);
    const bench = await Bench.open(vault);
    expect(findEvent(bench.ports.vault, event, () => true).path).toBe(place);
    expect(await bench.undo(stem(event))).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(HOUSE['task/pay.md']);
    expect(await bench.undo(event)).toMatchObject({ outcome: 'already-reversed' });
  });

  test('is taken back by a file, wherever that lies', async () => {
    for (const folder of ['event', 'event/2026-11', 'event/mine']) {
      const { vault, event } = await acted();
      const file = `${folder}/signal-action-reversed-mine.md`;
      vault.write(file, reversal(`[[${event.slice(0, -3)}]]`, { type: undefined }));
      const running = await Running.start(vault);
      await running.heard('reversed', ({ outcome }) => outcome === 'reversed');
      expect(vault.read('task/pay.md')).toBe(HOUSE['task/pay.md']);
      expect(vault.fields(file)).toMatchObject({ outcome: 'reversed' });
      await running.stop();
    }
  });

  test('gives way to no copy without the mark, and a copy with it makes no two of it', async () => {
    const { vault, event } = await acted();
    const text = vault.read(event);
    vault.write(`event/${stem(event)}.md`, text.replace(/"seal":"\w+"/, '"seal":"forged"'));
    vault.write(`event/another-folder/${stem(event)}.md`, text);
    const running = await Running.start(vault);
    vault.edit(event, 'undo: false', 'undo: true');
    await running.heard('reversed', ({ outcome }) => outcome === 'reversed');
    expect(vault.read('task/pay.md')).toBe(HOUSE['task/pay.md']);
    expect(vault.events('signal-action-reversed-')).toHaveLength(1);
  });
});

describe('a signal of a month', () => {
  test('lies in the month in which the mail was written, also when it is read in the next', async () => {
    const vault = new TempVault(HOUSE);
    const clock = new Clock();
    clock.move(Date.UTC(2031, 2, 1, 0, 0, 30) - clock.now());
    const bench = await Bench.open(vault, { clock });
    vault.write('stream/paid.eml', mailOf(Date.UTC(2031, 1, 28, 23, 59, 30)));
    await readStream(bench.ports, 'stream/paid.eml', new AbortController().signal);
    expect(only(vault.paths('signal'))).toMatch(/^signal\/2031-02\/2031-02-28T23-59-30Z-[0-9a-f]{8}\.md$/);
  });

  test.each(['signal', 'signal/1999-01', 'signal/kept'])(
    'is there once, where it already lies in %s',
    async (folder) => {
      const vault = new TempVault({ ...HOUSE, 'stream/paid.eml': PAID_MAIL });
      const first = await Bench.open(vault);
      await readStream(first.ports, 'stream/paid.eml', new AbortController().signal);
      const made = only(vault.paths('signal'));
      const place = `${folder}/${stem(made)}.md`;
      move(vault, made, place);
      vault.resetState('streams');
      const bench = await Bench.open(vault);
      await readStream(bench.ports, 'stream/paid.eml', new AbortController().signal);
      expect(bench.catalogue.signals().map(({ path }) => path)).toEqual([place]);
    },
  );

  test('that has just come flat from another machine is not written once more', async () => {
    const vault = new TempVault({ ...HOUSE, 'stream/paid.eml': PAID_MAIL });
    const first = await Bench.open(vault);
    await readStream(first.ports, 'stream/paid.eml', new AbortController().signal);
    const made = only(vault.paths('signal'));
    const bytes = vault.bytes(made);
    vault.remove('signal');
    vault.resetState('streams');
    const bench = await Bench.open(vault);
    vault.write(`signal/${stem(made)}.md`, bytes);
    await readStream(bench.ports, 'stream/paid.eml', new AbortController().signal);
    expect(vault.paths('signal')).toEqual([`signal/${stem(made)}.md`]);
  });
});

test('a file in the place of a month holds nothing up', async () => {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
  const month = new Date().toISOString().slice(0, 7);
  fs.mkdirSync(vault.at('event'));
  vault.write(`event/${month}`, 'no folder');
  const bench = await Bench.open(vault);
  await bench.tick();
  expect(vault.events('signal-action-2')).toEqual([expect.stringMatching(/^event\/signal-action-/)]);
  expect(vault.read('task/pay.md')).toContain('done');
});

function mailOf(at: number): string {
  return PAID_MAIL.replace(/^Date: .*$/m, `Date: ${new Date(at).toUTCString()}`);
}
