import { expect, onTestFinished, test, vi } from 'vitest';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING } from '../../src/vault/record.ts';
import { inSlices, SLICE_MS } from '../../src/vault/time.ts';
import { Vault } from '../../src/vault/vault.ts';
import { matter, settings, task } from '../support/notes.ts';
import { testSeal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';

const FILES = {
  'steward.md': settings(),
  'matter/house.md': matter(),
  'matter/2026/boat.md': matter(),
  'task/pay.md': task(),
  'task/two.md': task(),
  'archive/old.md': 'x',
  '.steward/lock': '',
};

/** A vault that is watched after its first listing. `between`: what happens before anybody listens. */
async function watched(between: (temp: TempVault) => void) {
  const temp = new TempVault(FILES);
  const vault = new Vault(temp.root, new Layout(), DEFAULT_MAPPING);
  onTestFinished(() => vault.close());
  await vault.open(temp.at('.steward/cache/none.json'), testSeal());
  between(temp);
  const changed = new Set<string>();
  const look: (() => void)[] = [];
  const nothing = () => {};
  await vault.watch({
    changed: (changes) => {
      for (const change of changes) changed.add(change.path);
      for (const one of look) one();
    },
    streamed: nothing,
    settings: nothing,
    sources: nothing,
    presence: nothing,
  });
  const told = (file: string) =>
    new Promise<void>((resolve) => {
      const isTold = () => changed.has(file) && resolve();
      look.push(isTold);
      isTold();
    });
  return { temp, vault, changed, told };
}

test('what happens between the first listing and the first listener is told', async () => {
  const { told, vault } = await watched((temp) => {
    temp.write('task/three.md', task());
    temp.write('matter/2026/boat.md', matter({ summary: 'another' }));
    temp.remove('task/two.md');
    temp.write('signal/2026-11/new.md', '---\ntype: signal\neffect: none\n---\n');
  });
  await told('task/three.md');
  await told('matter/2026/boat.md');
  await told('task/two.md');
  await told('signal/2026-11/new.md');
  expect(vault.catalogue.get('task/two.md')).toBeUndefined();
});

test('a sweep that runs when the vault is closed ends there', async () => {
  const { vault, temp } = await watched(() => {});
  for (let nth = 0; nth < 300; nth += 1) temp.write(`task/2026/${nth}.md`, task());
  const sweep = vault.sweep();
  await vault.close();
  await sweep;
});

test('work in slices gives others a turn after each slice, and ends where it is called off', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  let turns = 0;
  let isOver = false;
  const others = () => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const steps = 500;
  let done = 0;
  let isClosed = false;
  const work = function* () {
    try {
      for (; done < steps; done += 1) {
        now += 1;
        yield;
      }
      return done;
    } finally {
      isClosed = true;
    }
  };
  expect(await inSlices(work())).toBe(steps);
  expect(turns).toBeGreaterThanOrEqual(steps / SLICE_MS - 1);
  expect(turns).toBeLessThanOrEqual(steps / SLICE_MS + 1);
  isClosed = false;
  done = 0;
  const stop = new AbortController();
  const stopped = inSlices(work(), stop.signal);
  stop.abort();
  await expect(stopped).rejects.toThrow('aborted');
  expect(done).toBeLessThan(steps);
  expect(isClosed).toBe(true);
  isOver = true;
});
