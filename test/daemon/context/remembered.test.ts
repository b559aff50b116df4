import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pruneState } from '../../../src/daemon/housekeeping.ts';
import { StateStore } from '../../../src/daemon/state.ts';
import { STREAMS } from '../../../src/streams/state.ts';
import { atOnce } from '../../../src/vault/time.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

const READ = {
  size: 1,
  mtimeMs: 2.5,
  sha256: 'x',
  at: 3,
  signals: 0,
  skipped: null,
  refused: null,
  tried: null,
  items: null,
};

afterEach(() => {
  vi.restoreAllMocks();
});

function emptyVault(): TempVault {
  const vault = new TempVault();
  fs.mkdirSync(vault.places.state, { recursive: true });
  return vault;
}

function remembering(vault: TempVault, ...files: readonly string[]): StateStore {
  const state = new StateStore(vault.places.state, undefined, [STREAMS]);
  state.load();
  for (const [nth, file] of files.entries()) {
    state.get(STREAMS)[file] = { ...READ, size: nth };
    state.touch(STREAMS, file);
  }
  state.flush();
  return state;
}

const sizes = (state: StateStore) =>
  Object.fromEntries(Object.entries(state.get(STREAMS)).map(([file, { size }]) => [file, size]));
const again = (vault: TempVault) => new StateStore(vault.places.state, undefined, [STREAMS]);
const bytesOf = (vault: TempVault) => Object.values(vault.stateFiles('streams')).join('').length;

test('what is saved of one file is as much as there is of it, whatever else is remembered', () => {
  const vault = emptyVault();
  const state = remembering(vault, ...Array.from({ length: 5000 }, (_, nth) => `stream/${nth}.eml`));
  const before = bytesOf(vault);
  state.get(STREAMS)['stream/77.eml'] = { ...READ, size: 4711 };
  state.touch(STREAMS, 'stream/77.eml');
  state.flush();
  expect(bytesOf(vault) - before).toBeLessThan(200);
  expect(again(vault).get(STREAMS)['stream/77.eml']).toEqual({ ...READ, size: 4711 });
  expect(Object.keys(again(vault).get(STREAMS))).toHaveLength(5000);
});

test('a change without a key, and another record, are saved whole', () => {
  const vault = emptyVault();
  const state = remembering(vault, 'a', 'b');
  delete state.get(STREAMS).a;
  state.get(STREAMS).c = { ...READ, size: 7 };
  state.touch(STREAMS);
  state.flush();
  expect(sizes(again(vault))).toEqual({ b: 1, c: 7 });
  state.set(STREAMS, { d: READ });
  state.flush();
  expect(sizes(again(vault))).toEqual({ d: 1 });
});

test('housekeeping pauses after each entry, and forgets what is over while more is remembered and written', async () => {
  const vault = new TempVault(HOUSE);
  const bench = await Bench.open(vault);
  const { state } = bench.ports.context;
  const look = (nth: number) => {
    state.get('cursors')[`gone-${nth}.md`] = { at: 1, streak: 0 };
    state.touch('cursors', `gone-${nth}.md`);
  };
  for (let nth = 0; nth < 200; nth += 1) look(nth);
  const pruning = pruneState(bench.ports);
  let pauses = 0;
  for (let step = pruning.next(); step.done !== true; step = pruning.next()) {
    pauses += 1;
    if (pauses % 20 === 0) state.flush();
  }
  expect(pauses).toBeGreaterThanOrEqual(200);
  expect(bench.remembered('cursors')).toEqual({});
  bench.close();
  expect(vault.state('cursors')).toBeNull();
});

test('an hour of housekeeping writes nothing where nothing is over', async () => {
  const vault = new TempVault(HOUSE);
  const bench = await Bench.open(vault);
  bench.remember('weighed', { gone: 1 });
  bench.prune();
  bench.close();
  const before = vault.stateFiles('weighed');
  expect(vault.state('weighed')).toBeNull();
  bench.prune();
  bench.close();
  expect(vault.stateFiles('weighed')).toEqual(before);
});

describe('a damaged part', () => {
  function damaged(): TempVault {
    const vault = emptyVault();
    remembering(vault, 'a', 'b', 'c');
    // In a part of their own: a deletion, and what is older lies in the one before.
    vault.write('.steward/state/streams-00000002.jsonl', '["a"]\nno json\n["d",{}]\n');
    return vault;
  }

  test('is moved aside; what can be read of it is kept, and what was deleted stays so', () => {
    const vault = damaged();
    const state = remembering(vault);
    expect(state.troubles.map(({ message }) => message)).toEqual([
      "The state of streams could not be read (one line can't be read).",
      expect.stringMatching(/^The state of streams could not be read \(one of its entries cannot be: d\.size: /),
    ]);
    expect(vault.names('.steward/state')).toContain('streams-00000002.jsonl.bad');
    const next = again(vault);
    expect(sizes(next)).toEqual({ b: 1, c: 2 });
    expect(next.troubles).toEqual([]);
  });

  test('is left where it lies by whoever only reads', () => {
    const vault = damaged();
    const before = vault.stateFiles('streams');
    expect(sizes(again(vault))).toEqual({ b: 1, c: 2 });
    expect(vault.stateFiles('streams')).toEqual(before);
  });

  test.each(['EMFILE', 'EIO', 'EACCES'])('that the disk refuses (%s) is left as it is, and said', (code) => {
    const vault = emptyVault();
    remembering(vault, 'a');
    const before = vault.stateFiles('streams');
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((...given: Parameters<typeof open>) => {
      if (String(given[0]).endsWith('.jsonl')) throw Object.assign(new Error(code), { code });
      return open(...given);
    });
    const state = again(vault);
    expect(() => state.load()).toThrow(/streams/);
    vi.restoreAllMocks();
    expect(vault.stateFiles('streams')).toEqual(before);
    expect(path.basename(state.troubles[0]?.file ?? '')).toBe('streams-*.jsonl');
  });
});

describe('what may be written later', () => {
  const cursors = (vault: TempVault) => ({ ...again(vault).get('cursors') });
  const looked = (state: StateStore, file: string, streak: number) => {
    state.get('cursors')[file] = { at: 1, streak };
    state.touchLater('cursors', file);
  };

  test('waits until all is written, or something follows under its name', () => {
    const vault = emptyVault();
    const state = remembering(vault);
    looked(state, 'a', 1);
    atOnce(state.flushingPressing());
    expect(cursors(vault)).toEqual({});
    state.get('cursors').b = { at: 2, streak: 0 };
    state.touch('cursors', 'b');
    atOnce(state.flushingPressing());
    expect(cursors(vault)).toEqual({ a: { at: 1, streak: 1 }, b: { at: 2, streak: 0 } });
    looked(state, 'a', 2);
    state.flush();
    expect(cursors(vault)).toMatchObject({ a: { streak: 2 } });
  });

  test('many entries are written a few at a time, and those of the next seconds with them', () => {
    const vault = emptyVault();
    const state = remembering(vault);
    for (let nth = 0; nth < 5_500; nth += 1) looked(state, `n${nth}`, 1);
    state.hurry();
    const flushing = state.flushingPressing();
    let most = 0;
    for (let [before, pauses] = [0, 0]; ; pauses += 1) {
      if (pauses === 2) looked(state, 'meanwhile', 7);
      const { done } = flushing.next();
      const written = Object.keys(cursors(vault)).length;
      most = Math.max(most, written - before);
      before = written;
      if (done === true) break;
    }
    expect(most).toBeLessThanOrEqual(1_001);
    expect(Object.keys(cursors(vault))).toHaveLength(5_501);
    expect(cursors(vault)).toMatchObject({ n5499: { streak: 1 }, meanwhile: { streak: 7 } });
  });

  test('is written at once where somebody asked for it', () => {
    const vault = emptyVault();
    const state = remembering(vault);
    looked(state, 'a', 1);
    state.hurry();
    atOnce(state.flushingPressing());
    expect(cursors(vault)).toEqual({ a: { at: 1, streak: 1 } });
  });
});

describe('what was found at each note', () => {
  const found = {
    ...{ at: 1, next: null, stamp: 's', stage: '', isHigh: false, found: null },
    told: null,
    judged: null,
  };

  test('is saved for the note that was looked at, and no other', () => {
    const vault = emptyVault();
    const state = remembering(vault);
    for (let nth = 0; nth < 1000; nth += 1) state.get('perceived')[`task/${nth}.md`] = found;
    state.touch('perceived');
    state.flush();
    const size = () => Object.values(vault.stateFiles('perceived')).join('').length;
    const before = size();
    state.get('perceived')['task/7.md'] = { ...found, at: 2 };
    state.touch('perceived', 'task/7.md');
    state.flush();
    expect(size() - before).toBeLessThan(300);
  });
});

describe('what is read in turns', () => {
  const many = Array.from({ length: 2500 }, (_, nth) => `stream/${nth}.eml`);

  test('is the same as what is read at once, and others have their turn', async () => {
    const vault = emptyVault();
    remembering(vault, ...many);
    const state = again(vault);
    const spy = vi.spyOn(performance, 'now');
    let tick = 0;
    spy.mockImplementation(() => (tick += 20)); // each look at the clock finds that it is time
    let turns = 0;
    const others = setInterval(() => (turns += 1));
    await state.readInTurns();
    clearInterval(others);
    spy.mockRestore();
    expect(turns).toBeGreaterThan(0);
    expect(sizes(state)).toEqual(sizes(again(vault)));
    expect(Object.getPrototypeOf(state.get(STREAMS))).toBeNull();
  });

  test('forgets an entry that cannot be, keeps the others, and says so', async () => {
    const vault = emptyVault();
    remembering(vault, ...many);
    fs.appendFileSync(vault.at('.steward/state/streams-00000001.jsonl'), '["stream/7.eml",{"size":"large"}]\n');
    const state = again(vault);
    await state.readInTurns();
    state.load();
    expect(Object.keys(state.get(STREAMS))).toHaveLength(2499);
    expect(state.troubles).toMatchObject([{ code: 'state-unreadable' }]);
  });

  test('and cannot be read just now is left as it is, and said', async () => {
    const vault = emptyVault();
    remembering(vault, 'a');
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((...given: Parameters<typeof open>) => {
      if (String(given[0]).includes('streams-')) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return open(...given);
    });
    const state = again(vault);
    await state.readInTurns();
    expect(() => state.load()).toThrow(/streams/);
    vi.restoreAllMocks();
    expect(sizes(again(vault))).toEqual({ a: 0 });
  });
});
