import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { StateStore } from '../../../src/daemon/state.ts';
import { HOUSE } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

// A vault is often synced with its `.steward`: what lies there is no more to be believed than any note.
describe('a file of the program that leads out of the vault is not followed', () => {
  test('the list of what is watched', async () => {
    const vault = new TempVault(HOUSE);
    const outside = path.join(vault.home, 'precious');
    fs.writeFileSync(outside, 'mine');
    vault.write('matter/.x.former', 'theirs');
    const line = { note: 'a', file: '../../../precious', sha: 'x', at: Date.now(), apart: 'matter/.x.former' };
    vault.write('.steward/state/displaced.jsonl', `${JSON.stringify(line)}\n`);
    const bench = await Bench.open(vault);
    bench.close();
    expect(fs.readFileSync(outside, 'utf8')).toBe('mine');
  });

  test('an entry of the journal', async () => {
    const vault = new TempVault(HOUSE);
    const outside = path.join(vault.home, 'precious.json');
    fs.writeFileSync(outside, 'mine');
    const steps = [{ do: 'create', path: 'event/q.md', text: 'x' }];
    const entry = { schemaVersion: 1, id: '../../../precious', at: '2026-01-01T00:00:00Z', steps };
    vault.write('.steward/journal/x.json', JSON.stringify(entry));
    await Bench.open(vault);
    expect(fs.readFileSync(outside, 'utf8')).toBe('mine');
  });
});

describe('what is remembered', () => {
  const REMEMBERED = '{"x":{"since":1,"gone":null}}';

  function refusing(code: string): void {
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((...given: Parameters<typeof open>) => {
      if (String(given[0]).endsWith('known-problems.json')) throw Object.assign(new Error(code), { code });
      return open(...given);
    });
  }

  test.each(['EMFILE', 'EIO', 'EACCES'])('and cannot be read just now (%s) is left as it is, and said', (code) => {
    const vault = new TempVault({ '.steward/state/known-problems.json': REMEMBERED });
    refusing(code);
    const state = new StateStore(vault.places.state);
    expect(() => state.load()).toThrow(/known-problems\.json/);
    expect(state.troubles).toMatchObject([{ file: '.steward/state/known-problems.json' }]);
    vi.restoreAllMocks();
    expect(vault.read('.steward/state/known-problems.json')).toBe(REMEMBERED);
  });

  test.each(['EIO', 'EACCES'])(
    'and is the rate guard (%s) counts as full for a minute, and holds up nothing else',
    (code) => {
      const vault = new TempVault({ '.steward/state/rate-guard.json': '{}' });
      const open = fs.openSync;
      vi.spyOn(fs, 'openSync').mockImplementation((...given: Parameters<typeof open>) => {
        if (String(given[0]).endsWith('rate-guard.json')) throw Object.assign(new Error(code), { code });
        return open(...given);
      });
      const state = new StateStore(vault.places.state, undefined, [], () => 1000);
      state.load();
      expect(state.get('rate-guard').fullUntil).toBe(61_000);
      expect(state.troubles).toMatchObject([{ code: 'state-unreadable', file: '.steward/state/rate-guard.json' }]);
    },
  );

  test('and is not as it should be is set aside, with a reason that can be read', () => {
    const vault = new TempVault({ '.steward/state/known-problems.json': '{"x":"soon"}' });
    const state = new StateStore(vault.places.state);
    state.load();
    expect(state.troubles[0]?.message).toMatch(/could not be read \(x: .*object/);
    expect(vault.names('.steward/state')).toEqual(['format.json', 'known-problems.json.bad', 'lost.json']);
  });

  test('and has one entry that cannot be is kept but for that one, and said', () => {
    const vault = new TempVault({
      '.steward/state/cursors-00000001.jsonl':
        '["matter/house.md",{"at":"soon","streak":2}]\n["task/pay.md",{"at":1,"streak":2}]\n',
    });
    const state = new StateStore(vault.places.state);
    state.load();
    expect(state.troubles[0]?.message).toMatch(/one of its entries cannot be: matter\/house\.md\.at: .*number/);
    expect({ ...state.get('cursors') }).toEqual({ 'task/pay.md': { at: 1, streak: 2 } });
  });
});
