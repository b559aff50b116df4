import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CAPABILITIES } from '../../src/daemon/compose.ts';
import { EndedLicences } from '../../src/daemon/environment.ts';
import { sign } from '../../src/daemon/licences.ts';
import { withLockedState } from '../../src/daemon/locked-state.ts';
import { SIGNS } from '../../src/daemon/signs-of-life.ts';
import { type Slice, StateStore, type Values } from '../../src/daemon/state.ts';
import { readGrant } from '../../src/sources/source-note.ts';
import { reserveSpend } from '../../src/steward/budget.ts';
import { endLicence, licenceState } from '../../src/steward/licence.ts';
import { reserve } from '../../src/steward/rate-guard.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { Clock } from '../support/clock.ts';
import { HOUSE, settings, signal, task } from '../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { attack } from './attack.ts';

/** Complete: a new name doesn't compile without a line here. */
const CORE: Readonly<Record<keyof Values, true>> = {
  ...{ cursors: true, schedules: true, moves: true, weighed: true, kept: true, guarded: true, 'rate-guard': true },
  ...{ budget: true, ledger: true, licences: true, identity: true, settings: true, retired: true },
  ...{ perception: true, perceived: true, touched: true, edited: true, fleeting: true, cleared: true },
  ...{ 'known-problems': true, faults: true, lost: true, suspects: true },
};
const OTHERS: readonly Slice<unknown>[] = [
  SIGNS,
  ...CAPABILITIES.flatMap((one) => ('state' in one ? (one.state as readonly Slice<unknown>[]) : [])),
];
const NAMES = [...Object.keys(CORE), ...OTHERS.map(({ name }) => name)];

type Spoil = (file: string) => void;
const DAMAGE: readonly (readonly [string, Spoil])[] = [
  ['no JSON', (file) => fs.writeFileSync(file, 'PK\u0003\u0004 not this')],
  ['JSON of another kind', (file) => fs.writeFileSync(file, '42')],
  ['cut off', (file) => fs.writeFileSync(file, '{"task/pay.md":{"at":17')],
  ['empty', (file) => fs.writeFileSync(file, '')],
  ['a folder', (file) => fs.mkdirSync(file)],
];
const NOW = Date.parse('2026-11-20T10:00:00Z');
const DAY = 24 * 3_600_000;

function stateAt(folder: string, now = NOW): StateStore {
  return new StateStore(folder, undefined, OTHERS, () => now);
}

describe.each(NAMES)('the state file %s', (name) => {
  test.each(DAMAGE)('is reported when it is %s, kept beside, and remembered as lost', (_, spoil) => {
    const vault = new TempVault();
    const folder = vault.places.state;
    fs.mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `${name}.json`);
    spoil(file);
    const state = stateAt(folder);
    state.load();
    expect(state.troubles).toContainEqual(
      expect.objectContaining({ code: 'state-unreadable', file: `.steward/state/${name}.json` }),
    );
    expect(fs.existsSync(`${file}.bad`)).toBe(true);
    state.flush();
    const next = stateAt(folder, NOW + DAY);
    next.load();
    expect(next.troubles).toEqual([]);
    expect(Object.values(next.get('lost'))).toEqual([NOW]);
  });

  test.skipIf(process.getuid?.() === 0)('is reported and left alone when it may not be read', () => {
    const vault = new TempVault({ [`.steward/state/${name}.json`]: '{}' });
    fs.chmodSync(vault.at(`.steward/state/${name}.json`), 0);
    const state = stateAt(vault.places.state);
    try {
      state.load();
    } catch (error) {
      expect(error).toMatchObject({ exit: 75 });
    }
    expect(state.troubles).toContainEqual(expect.objectContaining({ file: `.steward/state/${name}.json` }));
  });
});

test.each(['streams', 'edited', 'weighed', 'retired'])(
  'a line of %s that makes no sense is reported, and the others are kept',
  (name) => {
    const vault = new TempVault();
    fs.mkdirSync(vault.places.state, { recursive: true });
    const first = stateAt(vault.places.state);
    first.load();
    first.flush();
    fs.writeFileSync(path.join(vault.places.state, `${name}-00000001.jsonl`), '\u0000\u0001 nonsense\n');
    const state = stateAt(vault.places.state);
    state.load();
    expect(state.troubles).toMatchObject([{ code: 'state-unreadable' }]);
    expect(state.get('lost')[name]).toBe(NOW);
  },
);

test('the file that says in which version the others are', () => {
  const vault = new TempVault({ '.steward/state/format.json': 'nonsense' });
  const state = stateAt(vault.places.state);
  expect(state.troubles).toMatchObject([{ code: 'state-unreadable', file: '.steward/state/format.json' }]);
});

test('the file of what sources were allowed: nothing is allowed, and it is not replaced', () => {
  const vault = new TempVault();
  const file = path.join(vault.home, 'grants.json');
  fs.writeFileSync(file, 'nonsense');
  expect(() => readGrant(file, 'box')).toThrow(/what you allowed sources to do can't be read/);
  expect(fs.readFileSync(file, 'utf8')).toBe('nonsense');
});

const PEER = { attacker: 'a sync peer' } as const;
const CAPS = { vaultTokens: null, vaultUsd: 1, matterTokens: null, matterUsd: null };

attack(
  {
    ...PEER,
    means: 'writes nonsense into rate-guard.json and budget.json',
    loss: 'the limits begin anew, and a day of questions is paid twice',
    defence: 'the guard counts as full for a minute, the budget as spent for a day, also after a restart',
  },
  () => {
    const vault = new TempVault({ '.steward/state/rate-guard.json': '{', '.steward/state/budget.json': '[]' });
    const first = stateAt(vault.places.state);
    first.load();
    first.flush();
    const call = { matter: null, cost: { tokens: 1, usd: 0.001 } };
    const target = { kind: 'task', path: 'task/pay.md', matter: null, senders: [], licensed: true } as const;
    const state = stateAt(vault.places.state);
    state.load();
    expect(reserve(state.get('rate-guard'), target, NOW + 59_000).ok).toBe(false);
    expect(reserve(state.get('rate-guard'), target, NOW + 61_000).ok).toBe(true);
    expect(reserveSpend(state.get('budget'), call, CAPS, NOW + DAY - 1000)).toMatchObject({
      ok: false,
      refusal: { window: 'budget_usd_per_day', freeAt: NOW + DAY },
    });
    expect(reserveSpend(state.get('budget'), call, CAPS, NOW + DAY + 1000).ok).toBe(true);
  },
);

test('a command without a daemon spends nothing while the disk refuses the budget, and leaves the file', async () => {
  const vault = new TempVault({ 'steward.md': settings(), '.steward/state/budget.json': '{"nextId":1,"entries":[]}' });
  const open = fs.openSync;
  const spied = vi.spyOn(fs, 'openSync').mockImplementation((...given: Parameters<typeof open>) => {
    if (String(given[0]).endsWith('budget.json')) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    return open(...given);
  });
  const parts = { root: vault.root, env: LIVE, memories: undefined, now: Date.now };
  const asked = withLockedState(parts, () => 'spent');
  await expect(asked).rejects.toMatchObject({ exit: 75, trouble: { file: '.steward/state/budget.json' } });
  spied.mockRestore();
  expect(vault.read('.steward/state/budget.json')).toBe('{"nextId":1,"entries":[]}');
  expect(await withLockedState(parts, () => 'spent')).toBe('spent');
});

const TRUSTED = { ...HOUSE, 'task/pay.md': task(), 'steward.md': settings({ trusted_signal_sources: ['mail'] }) };

attack(
  {
    ...PEER,
    means: 'writes nonsense into the file of what the user has set by hand, and sends an old mail once more',
    loss: 'the old mail counts as newer than what the user has decided',
    defence: 'news from before the loss is only proposed; what comes later is decided as ever',
  },
  async () => {
    const vault = new TempVault({ ...TRUSTED, 'signal/s1.md': signal(), '.steward/state/edited.json': 'nonsense' });
    const bench = await Bench.open(vault);
    await bench.tick();
    expect(vault.fields('task/pay.md').state).toBe('open');
    const [event = ''] = vault.events();
    expect(vault.read(event)).toContain('Steward lost what it remembered of earlier decisions');
    const later = new Date(Date.now() + 1000).toISOString();
    vault.write('signal/s2.md', signal({ created: later, origin_at: later, raw_quote: 'paid in full' }));
    expect(await bench.route('signal/s2.md')).toMatchObject({ kind: 'acted' });
  },
);

attack(
  {
    ...PEER,
    means: 'deletes licences.json or brings an older one back, with a licence that has ended since',
    loss: 'its sender acts once more',
    defence: 'which licences have ended is remembered outside the vault as well',
  },
  async () => {
    const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'licence/anna.md': ownLicence('licence/anna.md') });
    const stateOf = (bench: Bench) => bench.catalogue.licences().map((record) => licenceState(bench.ports, record));
    const first = await Bench.open(vault);
    expect(stateOf(first)).toEqual(['valid']);
    first.close();
    const [memory, note] = [vault.at('.steward/state/licences.json'), vault.read('licence/anna.md')];
    const older = fs.readFileSync(memory, 'utf8');
    const second = await Bench.open(vault);
    for (const record of second.catalogue.licences()) endLicence(second.ports, record, 'you unticked it');
    second.close();
    const bringBack: readonly (() => void)[] = [
      () => {},
      () => fs.rmSync(memory),
      () => fs.writeFileSync(memory, older),
    ];
    for (const act of bringBack) {
      act();
      vault.write('licence/anna.md', note);
      const bench = await Bench.open(vault);
      expect(stateOf(bench)).toEqual(['ended']);
      bench.close();
    }
  },
);

test('what is remembered of ended licences outside the vault gives no right if it is torn or can’t be read', async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ended-')), 'seal-key');
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true }));
  new EndedLicences(file, 'one').add('a');
  const [name = ''] = fs.readdirSync(`${file}.vaults`);
  const kept = path.join(`${file}.vaults`, name);
  fs.writeFileSync(kept, fs.readFileSync(kept, 'utf8') + sha256('b').slice(0, 20));
  new EndedLicences(file, 'one').add('c');
  const again = new EndedLicences(file, 'one');
  expect(['a', 'b', 'c'].map((key) => again.has(key))).toEqual([true, false, true]);
  expect(new EndedLicences(file, 'two').has('a')).toBe(false);
  fs.rmSync(kept);
  fs.mkdirSync(kept);
  const unreadable = new EndedLicences(file, 'one');
  expect(unreadable.has('never ended')).toBe(true);
  expect(unreadable.trouble).toMatchObject({ code: expect.any(String) });
});

attack(
  {
    ...PEER,
    means: 'writes nonsense into licences.json, and brings a licence back that has ended',
    loss: 'its sender acts once more',
    defence: 'a licence that was signed before the loss gives no right until the user signs again',
  },
  async () => {
    const files = { 'licence/anna.md': ownLicence('licence/anna.md'), 'signal/s1.md': ownSignal('signal/s1.md') };
    const server = settings({ trusted_mail_servers: ['mx.notary.example'] });
    const open = (more: Readonly<Record<string, string>> = {}) =>
      new TempVault({ ...HOUSE, 'task/pay.md': task(), 'steward.md': server, ...files, ...more });
    const good = open();
    expect(await (await Bench.open(good)).route('signal/s1.md')).toMatchObject({ kind: 'acted' });
    const vault = open({ '.steward/state/licences.json': 'nonsense' });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    await bench.tick();
    expect(vault.fields('task/pay.md').state).toBe('open');
    expect(vault.read(vault.events()[0] ?? '')).toContain(`steward licence sign mail:${ANNA}`);
    expect(bench.status().warnings).toMatchObject([
      { kind: 'licence', warning: expect.stringContaining('may have ended') },
    ]);
    clock.move(2000);
    const asked = { sender: `mail:${ANNA}`, matter: 'house', kinds: ['done'] as const, until: null };
    expect(sign(bench.ports, asked)).toMatchObject({ note: 'licence/anna.md' });
    vault.write(
      'signal/s2.md',
      ownSignal('signal/s2.md', { raw_quote: 'paid today', source_event_path: 'stream/b.eml' }),
    );
    expect(await bench.route('signal/s2.md')).toMatchObject({ kind: 'acted' });
  },
);
