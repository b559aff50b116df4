import { describe, expect, test } from 'vitest';
import { end, sign } from '../../src/daemon/licences.ts';
import {
  considerLicence,
  followLicence,
  licenceState,
  senderStanding,
  signLicence,
  unauthenticable,
} from '../../src/steward/licence.ts';
import { trackRecord } from '../../src/steward/sender.ts';
import { stem } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import type { MatterRecord, TargetRecord } from '../../src/vault/record.ts';
import { utc } from '../../src/vault/time.ts';
import { Clock, DAY, MINUTE } from '../support/clock.ts';
import { HOUSE, matter, settings, task } from '../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

const SOURCE = `mail:${ANNA}`;
const VOICE = { source: SOURCE, pattern: ANNA, writer: 'own' } as const;
const PLAIN: Files = { ...HOUSE, 'task/pay.md': task() };

async function bench(files: Files = {}) {
  const vault = new TempVault({ ...PLAIN, ...files });
  return { vault, bench: await Bench.open(vault) };
}

function target(bench: Bench, path = 'task/pay.md'): TargetRecord {
  const found = bench.catalogue.get(path);
  if (found?.kind !== 'task' && found?.kind !== 'matter') throw new Error(`${path} is ${found?.kind}`);
  return found;
}

function house(bench: Bench): MatterRecord {
  const found = bench.catalogue.get('matter/house.md');
  if (found?.kind !== 'matter') throw new Error(`the house is ${found?.kind}`);
  return found;
}

/** Has Anna's mails propose something of tasks of the house, and each be answered; returns the answers' paths. */
async function answered(vault: TempVault, one: Bench, count: number, how: 'confirm' | 'dismiss' = 'confirm', by = {}) {
  const before = new Set(vault.events());
  for (let nth = 0; nth < count; nth += 1) {
    const name = `${how}-${before.size}-${nth}`;
    vault.write(`task/${name}.md`, task());
    const path = `signal/${name}.md`;
    const about = {
      target_path: `task/${name}.md`,
      raw_quote: name,
      effect_confidence: 0.8,
      target_evidence: ['words'],
    };
    vault.write(path, ownSignal(path, { ...about, ...by }));
    await one.tick();
    await one[how](only(one.openProposals()).event.path);
  }
  return vault.events(`steward-action-${how}`).filter((path) => !before.has(path));
}

describe('named', () => {
  test.each([
    ['by the task', { 'task/pay.md': task({ senders: [ANNA] }) }],
    ['by its matter', { 'matter/house.md': matter({ senders: [ANNA] }) }],
    ['with a name and a link', { 'task/pay.md': task({ senders: [`Anna Example <${ANNA}>`] }) }],
    ['as a mailto link', { 'task/pay.md': task({ senders: [`mailto:${ANNA}`] }) }],
    ['in other letters', { 'task/pay.md': task({ senders: [' ANNA@Notary.example '] }) }],
    ['with everybody of her domain', { 'task/pay.md': task({ senders: ['@notary.example'] }) }],
  ])('%s', async (_, files) => {
    const { bench: one } = await bench(files);
    expect(senderStanding(one.ports, VOICE, target(one))).toBe('named');
  });

  test.each([
    ...[
      'ben@notary.example',
      'anna@notary.example.evil.example',
      'notary.example',
      'example',
      '@example',
      '@',
      '',
      '*',
    ],
    ...['anna', '@sub.notary.example', 'xanna@notary.example', '<anna@notary.example> eve@evil.example'],
  ])('not by %j', async (listed) => {
    const { bench: one } = await bench({ 'task/pay.md': task({ senders: [listed] }) });
    expect(senderStanding(one.ports, VOICE, target(one))).toBe('unknown');
  });

  test('not by another task of the matter, nor by another matter', async () => {
    const files = { 'task/b.md': task({ senders: [ANNA] }), 'matter/boat.md': matter({ senders: [ANNA] }) };
    const { bench: one } = await bench(files);
    expect(senderStanding(one.ports, VOICE, target(one))).toBe('unknown');
    expect(senderStanding(one.ports, VOICE, target(one, 'matter/house.md'))).toBe('unknown');
  });

  test('never a note that anybody wrote; always a trusted source', async () => {
    const { bench: one } = await bench({ 'task/pay.md': task({ senders: [ANNA, 'other'] }) });
    const anybody = { source: 'other', pattern: null, writer: 'unknown' } as const;
    expect(senderStanding(one.ports, anybody, target(one))).toBe('unknown');
    expect(senderStanding(one.ports, { ...VOICE, writer: 'unknown' }, target(one))).toBe('unknown');
    const trusted = { source: 'bank', pattern: null, writer: 'trusted' } as const;
    expect(senderStanding(one.ports, trusted, target(one, 'matter/house.md'))).toBe('licensed');
  });

  test('also where nobody vouches: what she claims to be is one thing, who vouches another', async () => {
    const { bench: one } = await bench({ 'task/pay.md': task({ senders: [ANNA] }) });
    const claimed = { ...VOICE, source: `mail:unverified:${ANNA}`, pattern: `unverified:${ANNA}` };
    expect(senderStanding(one.ports, claimed, target(one))).toBe('named');
  });
});

/** How often Anna was right on the matter of the house. */
function right(one: Bench, source = SOURCE, path = 'task/pay.md'): number {
  return trackRecord(one.ports, source, target(one, path)).right;
}

describe('a track record', () => {
  test('counts confirmations on the matter and all its notes, and gives no standing', async () => {
    const { vault, bench: one } = await bench({ 'matter/boat.md': matter() });
    await answered(vault, one, 5);
    expect(trackRecord(one.ports, SOURCE, target(one))).toMatchObject({ right: 5, wrong: 0 });
    expect(trackRecord(one.ports, SOURCE, target(one)).days).toHaveLength(1);
    expect(right(one, SOURCE, 'matter/house.md')).toBe(5);
    expect(right(one, SOURCE, 'matter/boat.md')).toBe(0);
    const others = ['mail', 'mail:ben@notary.example', `bank:${ANNA}`, `mail:unverified:${ANNA}`];
    for (const source of others) expect(right(one, source)).toBe(0);
    expect(right(one, ` MAIL:${ANNA.toUpperCase()}`)).toBe(5);
    expect(senderStanding(one.ports, VOICE, target(one))).toBe('unknown');
  });

  test('not by what was dismissed, nor by a confirmation that was taken back', async () => {
    const { vault, bench: one } = await bench();
    const [confirmed] = await answered(vault, one, 2);
    const [dismissed] = await answered(vault, one, 2, 'dismiss');
    expect(trackRecord(one.ports, SOURCE, target(one))).toMatchObject({ right: 2, wrong: 2 });
    await one.undo(dismissed ?? '');
    expect(trackRecord(one.ports, SOURCE, target(one))).toMatchObject({ right: 2, wrong: 1 });
    await one.undo(confirmed ?? '');
    expect(trackRecord(one.ports, SOURCE, target(one))).toMatchObject({ right: 1, wrong: 1 });
    await one.undo(only(vault.events('steward-action-reversed-').filter((path) => path.includes('-confirm-'))));
    expect(right(one)).toBe(2);
  });

  test('by what a person’s own hand made as proposed', async () => {
    const { vault, bench: one } = await bench();
    const path = 'signal/due.md';
    const proposal = { mutation_proposal: { class: 'context_edit', set: { due: '2026-12-24' } } };
    vault.write(path, ownSignal(path, { ...proposal, effect_confidence: 0.8 }));
    await one.tick();
    expect(right(one)).toBe(0);
    vault.edit('task/pay.md', 'state: open', 'state: open\ndue: 2026-12-24');
    await one.tick();
    expect(right(one)).toBe(1);
  });

  test('not by notes that somebody else has put there or has changed', async () => {
    const { vault, bench: one } = await bench();
    const [confirmed] = await answered(vault, one, 1);
    const text = vault.read(confirmed ?? '');
    for (const nth of [1, 2, 3, 4, 5])
      vault.write(`event/steward-action-confirmed-2026-01-0${nth}T00-00-00Z-x.md`, text);
    await one.sweep();
    expect(right(one)).toBe(1);
    vault.edit(confirmed ?? '', SOURCE, 'mail:eve@evil.example');
    await one.sweep();
    expect(right(one, 'mail:eve@evil.example')).toBe(0);
    expect(right(one)).toBe(0);
  });
});

const ofNow = (clock: Clock) => ({ created: utc(clock.now()), origin_at: utc(clock.now()) });

describe('an offer', () => {
  const CLEAR = { target_evidence: ['sender', 'name'], effect_confidence: 0.7, effect_confidence_raw: 0.9 };
  const days = async (many: number, settled = {}) => {
    const clock = new Clock();
    const vault = new TempVault({ ...PLAIN, 'steward.md': settings({ settle_seconds: 0, ...settled }) });
    const one = await Bench.open(vault, { clock });
    const more = async (count: number, by = {}) => {
      for (let day = 0; day < count; day += 1) {
        await answered(vault, one, 1, 'confirm', { ...ofNow(clock), ...by });
        clock.move(DAY);
      }
      await one.sweep();
    };
    await more(many);
    const consider = async () => {
      considerLicence(one.ports, SOURCE, target(one));
      await one.sweep();
      return one.catalogue.licences();
    };
    return { vault, one, clock, more, consider };
  };

  test('comes after right outcomes on two days, with its evidence, and waits for a tick', async () => {
    const one = await days(1);
    expect(await one.consider()).toEqual([]);
    const two = await days(2);
    const offer = only(await two.consider());
    expect(offer.fields).toMatchObject({ sender: SOURCE, matter: '[[house]]', active: false });
    expect(offer.fields.evidence).toBe('right 2 of 2 times, on 2 days');
    expect(licenceState(two.one.ports, offer)).toBe('offered');
    expect(two.one.waiting().map(({ kind }) => kind)).toEqual(['licence']);
    expect(two.vault.read(offer.path)).toContain('Tick `active` above');
  });

  test('waits while the sender was wrong more than once in ten times', async () => {
    for (const settled of [{}, { autonomy: 'by_count' }]) {
      const one = await days(0, settled);
      await answered(one.vault, one.one, 1, 'dismiss', { ...ofNow(one.clock), ...CLEAR });
      one.clock.move(DAY);
      await one.more(8);
      expect(await one.consider()).toEqual([]);
      await one.more(1);
      expect(only(await one.consider()).fields.evidence).toBe('right 9 of 10 times, on 9 days');
    }
  });

  test('is not kept back by a no about a change that the program itself doubted', async () => {
    const two = await days(2);
    await answered(two.vault, two.one, 1, 'dismiss', ofNow(two.clock)); // only words lead to the note
    await two.one.sweep();
    expect(only(await two.consider()).fields.evidence).toBe('right 2 of 3 times, on 2 days; 1 doubtful reading');
  });

  test('is made once: a note that the user has deleted is a no', async () => {
    const two = await days(2);
    const offer = only(await two.consider());
    two.vault.remove(offer.path);
    await two.one.sweep();
    expect(await two.consider()).toEqual([]);
  });

  test('is made again after two more days, once its licence has expired', async () => {
    const two = await days(2);
    const { path } = only(await two.consider());
    two.vault.edit(path, 'active: false', 'active: true');
    await two.one.sweep();
    followLicence(two.one.ports, path);
    two.clock.move(366 * DAY);
    await two.one.sweep();
    followLicence(two.one.ports, path);
    await two.one.sweep();
    expect(await two.consider()).toMatchObject([{ path }]);
    two.clock.move(DAY);
    await two.more(2);
    const again = (await two.consider()).filter((one) => one.path !== path);
    expect(again.map((one) => licenceState(two.one.ports, one))).toEqual(['offered']);
  });

  test('is signed by its tick, and then counts', async () => {
    const two = await days(2);
    const offer = only(await two.consider());
    two.vault.edit(offer.path, 'active: false', 'active: true');
    await two.one.sweep();
    followLicence(two.one.ports, offer.path);
    await two.one.sweep();
    const signed = only(two.one.catalogue.licences());
    expect(signed.fields).toMatchObject({ active: true, signed_by: 'box' });
    expect(licenceState(two.one.ports, signed)).toBe('valid');
    expect(senderStanding(two.one.ports, VOICE, target(two.one))).toBe('licensed');
  });

  const LATER = { mutation_proposal: { class: 'context_edit', set: { due: '2027-03-01' } } };
  const signed = async () => {
    const two = await days(2);
    const first = only(await two.consider());
    two.vault.edit(first.path, 'active: false', 'active: true');
    await two.one.sweep();
    followLicence(two.one.ports, first.path);
    await two.one.sweep();
    const further = async () => (await two.consider()).filter(({ path }) => path !== first.path);
    return { ...two, first, further };
  };

  test('is about everyday changes of every kind, also if only one kind was right', async () => {
    const one = await signed();
    expect(one.first.fields.kinds).toEqual(['archived', 'done', 'due', 'fields']);
    await one.more(2, LATER);
    expect(await one.further()).toEqual([]);
  });

  test('is not made again for the kinds that the user has struck from it', async () => {
    const one = await days(2);
    const { path } = only(await one.consider());
    one.vault.edit(path, /kinds:(?:\n {2}- \w+)+/.exec(one.vault.read(path))?.[0] ?? '', 'kinds: [done]');
    one.vault.edit(path, 'active: false', 'active: true');
    await one.one.sweep();
    followLicence(one.one.ports, path);
    await one.more(2, LATER);
    expect((await one.consider()).map((record) => [record.path, record.fields.kinds])).toEqual([[path, ['done']]]);
  });

  // The box `always` signs for the kind of its proposal alone.
  const narrow = async () => {
    const one = await days(0);
    const terms = { sender: SOURCE, matter: house(one.one), kinds: ['done'] as const, until: null, evidence: null };
    const path = signLicence(one.one.ports, terms, 'box') ?? '';
    await one.one.sweep();
    return { ...one, path, further: async () => (await one.consider()).filter((record) => record.path !== path) };
  };

  test('of further kinds comes after one right outcome of such a kind, once', async () => {
    const one = await narrow();
    await one.more(1);
    expect(await one.further()).toEqual([]);
    await one.more(1, LATER);
    const offer = only(await one.further());
    expect(offer.fields).toMatchObject({ kinds: ['archived', 'due', 'fields'], matter: '[[house]]', active: false });
    one.vault.edit(offer.path, 'active: false', 'active: true');
    await one.one.sweep();
    followLicence(one.one.ports, offer.path);
    await one.one.sweep();
    expect((await one.consider()).map((record) => licenceState(one.one.ports, record))).toEqual(['valid', 'valid']);
  });

  test('of further kinds that the user has deleted is not made again, nor is an ended licence', async () => {
    const one = await narrow();
    await one.more(1, LATER);
    one.vault.remove(only(await one.further()).path);
    await one.one.sweep();
    await one.more(2, LATER);
    expect(await one.further()).toEqual([]);
    one.vault.edit(one.path, 'active: true', 'active: false');
    await one.one.sweep();
    followLicence(one.one.ports, one.path);
    await one.more(2, LATER);
    expect(await one.further()).toEqual([]);
  });

  test('of the next licence comes two weeks before one ends under which changes were made, once', async () => {
    const one = await signed();
    one.clock.move(340 * DAY);
    followLicence(one.one.ports, one.first.path);
    await one.one.sweep();
    expect(one.one.catalogue.licences()).toHaveLength(1);
    one.clock.move(12 * DAY);
    followLicence(one.one.ports, one.first.path);
    await one.one.sweep();
    expect(one.one.catalogue.licences()).toHaveLength(1); // unused
    const forged = {
      type: 'signal-action',
      timestamp: '2026-12-01T10:00:00Z',
      target_path: 'task/pay.md',
      outcome: 'acted',
    };
    one.vault.write(
      'event/signal-action-2026-12-01T10-00-00Z-pay.md',
      noteText({ ...forged, licence: `[[${stem(one.first.path)}]]` }, ''),
    );
    await one.one.sweep();
    followLicence(one.one.ports, one.first.path);
    await one.one.sweep();
    expect(one.one.catalogue.licences()).toHaveLength(1); // somebody else wrote that it was used
    const path = 'signal/sure.md';
    one.vault.write('task/sure.md', task());
    one.vault.write(path, ownSignal(path, { target_path: 'task/sure.md', ...ofNow(one.clock) }));
    await one.one.tick();
    expect(one.vault.fields('task/sure.md').state).toBe('done');
    followLicence(one.one.ports, one.first.path);
    await one.one.sweep();
    const offer = only(one.one.catalogue.licences().filter((record) => record.path !== one.first.path));
    expect(offer.fields).toMatchObject({ matter: '[[house]]', kinds: one.first.fields.kinds, active: false });
    expect(offer.fields.evidence).toMatch(/^1 change made under the licence that ends on \d{4}-\d\d-\d\d$/);
    one.vault.remove(offer.path);
    await one.one.sweep();
    followLicence(one.one.ports, one.first.path);
    one.clock.move(20 * DAY);
    followLicence(one.one.ports, one.first.path);
    await one.more(2);
    expect((await one.consider()).map((record) => licenceState(one.one.ports, record))).toEqual(['ended']);
  });

  test('of more than the user signs is not signed with it', async () => {
    const two = await days(1);
    await two.more(1, LATER);
    expect(only(await two.consider()).fields.kinds).toEqual(['archived', 'done', 'due', 'fields']);
    signLicence(
      two.one.ports,
      { sender: SOURCE, matter: house(two.one), kinds: ['due'], until: null, evidence: null },
      'box',
    );
    await two.one.sweep();
    expect(only(two.one.catalogue.licences()).fields).toMatchObject({ active: true, kinds: ['due'] });
  });

  test('is not signed by count where the user has said no, or has ended the licence', async () => {
    const counted = await days(5, { autonomy: 'by_count' });
    const { path } = only(await counted.consider());
    counted.vault.edit(path, 'active: true', 'active: false');
    await counted.one.sweep();
    followLicence(counted.one.ports, path);
    await counted.more(5);
    expect((await counted.consider()).map((record) => licenceState(counted.one.ports, record))).toEqual(['ended']);
  });

  test('signs itself at five on three days only where the settings say so', async () => {
    const asked = await days(5);
    expect(only(await asked.consider()).fields.signed_at).toBeNull();
    const counted = await days(5, { autonomy: 'by_count' });
    expect(only(await counted.consider()).fields).toMatchObject({ active: true, signed_by: 'count', kinds: ['done'] });
    const few = await days(4, { autonomy: 'by_count' });
    expect(only(await few.consider()).fields.signed_at).toBeNull();
  });

  test('that was signed by count leaves the other kinds to their own count', async () => {
    const counted = await days(2, { autonomy: 'by_count' });
    expect(only(await counted.consider()).fields).toMatchObject({ signed_at: null, kinds: ['done'] });
    await counted.more(3);
    expect(only(await counted.consider()).fields).toMatchObject({ signed_by: 'count', kinds: ['done'] });
    await counted.more(5, LATER);
    const kinds = (await counted.consider()).flatMap(({ fields }) => (fields.active ? fields.kinds : []));
    expect(kinds.toSorted()).toEqual(['done', 'due']);
  });
});

test('a licence whose note goes while the program is away is reported at the next start, once', async () => {
  const vault = new TempVault({ ...PLAIN, 'licence/anna.md': ownLicence('licence/anna.md') });
  const first = await Running.start(vault);
  await first.sync();
  await first.stop();
  vault.remove('licence/anna.md');
  const second = await Running.start(vault);
  await second.sync();
  expect(second.happenings.filter(({ what }) => what === 'licence')).toMatchObject([
    { licence: 'licence/anna.md', sender: SOURCE, change: 'ended', reason: 'its note is gone' },
  ]);
  await second.stop();
  const third = await Running.start(vault);
  await third.sync();
  expect(third.count('licence')).toBe(0);
});

describe('the note of a licence that has ended', () => {
  const FILE = 'licence/anna.md';
  const held = async () => {
    const clock = new Clock();
    const files = { 'steward.md': settings({ settle_seconds: 10 }), [FILE]: ownLicence(FILE) };
    const vault = new TempVault({ ...PLAIN, ...files });
    const one = await Bench.open(vault, { clock });
    const follow = async () => {
      await one.sweep();
      const later = followLicence(one.ports, FILE);
      await one.sweep();
      return later;
    };
    return { vault, one, clock, follow, says: () => vault.fields(FILE).ended_because ?? null };
  };

  test('says so once the user has stopped editing it; the right ends before', async () => {
    const { vault, one, clock, follow, says } = await held();
    vault.edit(FILE, 'active: true', 'active: false', 0);
    expect(await follow()).toBeGreaterThan(clock.now());
    expect(licenceState(one.ports, only(one.catalogue.licences()))).toBe('ended');
    expect(says()).toBeNull();
    clock.move(MINUTE);
    expect(await follow()).toBeNull();
    expect(says()).toBe('you unticked it');
    expect(vault.read(FILE)).not.toContain('without asking you, until');
    expect(one.happenings.filter(({ what }) => what === 'licence')).toHaveLength(1);
  });

  test('says so at once by a command, also just after it was signed', async () => {
    const { vault, one, says } = await held();
    sign(one.ports, { sender: SOURCE, matter: 'house', kinds: ['done'], until: null });
    expect(end(one.ports, SOURCE)).toMatchObject({ state: 'ended', ended: 'you ended it' });
    expect(says()).toBe('you ended it');
    expect(vault.fields(FILE).active).toBe(false);
  });

  test('says so again if an older copy of it comes back', async () => {
    const { vault, one, clock, follow, says } = await held();
    const before = vault.read(FILE);
    end(one.ports, SOURCE);
    vault.write(FILE, before, 0);
    await follow();
    clock.move(MINUTE);
    await follow();
    expect(says()).toBe('it had ended before');
  });
});

test('a licence that ended on another machine stays ended here, also if its older note comes back', async () => {
  const theirs = { sender: SOURCE, matter: '[[house]]', kinds: ['done'], until: '2099-12-31', seal: '01'.repeat(16) };
  const signed = { ...theirs, active: true, signed_at: '2026-11-20T09:00:00Z', signed_by: 'command' };
  const licence = (fields: object) => noteText({ type: 'licence', ...signed, ...fields }, 'A licence.');
  const vault = new TempVault(PLAIN);
  const running = await Running.start(vault);
  vault.write('licence/anna.md', licence({}));
  await running.sync();
  await running.ask({ op: 'answer', kind: 'confirm', events: ['anna'], dryRun: false });
  await running.sync();
  const stateNow = async () => (await running.ask({ op: 'licences' })) as { state: string }[];
  expect(await stateNow()).toMatchObject([{ state: 'valid' }]);
  vault.write('licence/anna.md', licence({ active: false, ended_at: '2026-11-21T09:00:00Z', ended_because: 'undone' }));
  await running.sync();
  vault.write('licence/anna.md', licence({}));
  await running.sync();
  expect(await stateNow()).toMatchObject([{ state: 'ended' }]);
});

test('a licence is listed with what keeps it from having an effect', async () => {
  const asked = { sender: SOURCE, matter: 'house', kinds: [], until: null };
  const signed = async (files: Files, env = LIVE) => {
    const one = await Bench.open(new TempVault({ ...PLAIN, ...files }), { env });
    return sign(one.ports, asked).lacking;
  };
  const trusting = { 'steward.md': settings({ trusted_mail_servers: ['mx.sample.example'] }) };
  expect(await signed(trusting)).toBeNull();
  expect(await signed({ 'steward.md': settings({ trusted_mail_servers: [] }) })).toMatch(/names no server/);
  expect(await signed(trusting, SHADOW)).toMatch(/shadow/);
});

test('a server that waits for the user’s yes is named as such', async () => {
  const { ports } = await Bench.open(new TempVault({ ...PLAIN, 'steward.md': settings({ trusted_mail_servers: [] }) }));
  const value = 'mx.sample.example';
  const context = { ...ports.context, unagreed: () => [{ field: 'trusted_mail_servers' as const, value }] };
  expect(unauthenticable({ ...ports, context }, SOURCE)).toBe(
    'trusted_mail_servers in steward.md names mx.sample.example, which counts only after your yes: steward inbox',
  );
});

test('a licence is for an address, and one that no note names is said to have no effect', async () => {
  const trusting = settings({ trusted_mail_servers: ['mx.sample.example'] });
  const one = await Bench.open(new TempVault({ ...PLAIN, 'steward.md': trusting }), { env: LIVE });
  const signed = (sender: string) => sign(one.ports, { sender, matter: null, kinds: [], until: null });
  for (const sender of ['joe', 'mail:joe']) expect(() => signed(sender)).toThrow(/Give the address of its mails/);
  expect(signed('joe@tiles.example').lacking).toBe('no matter or task names the sender under `senders`');
});
