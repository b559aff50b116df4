// Over 5 s: each case runs a daemon over months on a vault on disk.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { retireOld } from '../../../src/features/retention.ts';
import { stem } from '../../../src/vault/layout.ts';
import { Clock, DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { HOUSE, instinct, matter, PAID_MAIL, SELDOM, settings, signal, task } from '../../support/notes.ts';
import { ANNA, ownSignal, ROOF_LICENCE } from '../../support/own-signal.ts';
import { Running } from '../../support/running.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

const PAY = 'task/pay.md';
const STREAMS = settings({ settle_seconds: 0, keep_stream_days: 60 });
const EVENTS = settings({ settle_seconds: 0, keep_event_days: 60 });
const SURE = { 'instinct/mail.md': instinct('mail', { confidence: 1, observations: 60 }) };
const MAIL = { ...SURE, ...ROOF_LICENCE, 'stream/mail/paid.eml': PAID_MAIL };

async function house(files: Files, clock = new Clock()) {
  const vault = new TempVault({ ...HOUSE, ...files });
  const running = await Running.start(vault, { clock });
  await running.sync();
  await running.until(() => isAllRead(running));
  await running.daemon.idle();
  return { vault, running, clock };
}

function isAllRead({ daemon }: Running): boolean {
  const { seen, read, unreadKinds } = daemon.status().streams;
  return seen === unreadKinds.reduce((sum, { files }) => sum + files, read);
}

/** Lets days pass, and the round of a day after them. */
async function pass({ running, clock }: { running: Running; clock: Clock }, days: number): Promise<void> {
  for (const ms of [days * DAY, DAY + HOUR]) {
    clock.move(ms);
    await running.daemon.wake();
    await running.daemon.idle();
  }
}

function history(vault: TempVault): string[] {
  return vault.names('.steward/history').filter((name) => name.startsWith('removed-'));
}

describe('stream files', () => {
  test('stay for ever where the settings say nothing', async () => {
    const there = await house({ ...MAIL, 'steward.md': settings({ settle_seconds: 0 }) });
    await pass(there, 1000);
    expect(there.vault.has('stream/mail/paid.eml')).toBe(true);
    expect(there.running.daemon.status().retention).toBeNull();
  });

  test('leave once they were read, are older, and nothing of them is open; the notes still say what they were', async () => {
    const there = await house({ ...MAIL, 'steward.md': STREAMS });
    const { vault, running } = there;
    await running.heard('acted');
    expect(await running.heard('retention')).toMatchObject({ streamDays: 60, eventDays: null });
    await pass(there, 50);
    expect(vault.has('stream/mail/paid.eml')).toBe(true);
    await pass(there, 10);
    expect(vault.has('stream/mail/paid.eml')).toBe(false);
    expect(await running.heard('retired')).toMatchObject({ streams: 1, events: 0, signals: 0 });
    const [kept] = history(vault);
    expect(vault.read(`.steward/history/${kept}`)).toBe(PAID_MAIL);
    const [event] = vault.events();
    expect(vault.read(event ?? '')).toContain('stream/mail/paid.eml');
    expect(running.daemon.status()).toMatchObject({ retention: { streamDays: 60, last: { streams: 1 } }, trouble: [] });
  });

  test('what a sync brings back is not read twice, under no name and after a restart', async () => {
    const clock = new Clock();
    const dateless = PAID_MAIL.replace(/^Date: .*\r\n/m, '');
    const there = await house({ ...MAIL, 'stream/mail/paid.eml': dateless, 'steward.md': STREAMS }, clock);
    await there.running.heard('acted');
    await pass(there, 61);
    await there.running.stop();
    there.vault.write('stream/again/paid.eml', dateless);
    const again = await Running.start(there.vault, { clock });
    const read = await again.heard('stream-read');
    expect(read).toMatchObject({
      signals: 0,
      reason: 'it was read before, and left the vault since (keep_stream_days)',
    });
    expect(there.vault.names('signal')).toHaveLength(1);
  });

  test.each<[string, Files, string]>([
    ['that nobody can read yet', { 'stream/scan.pages': 'x' }, 'stream/scan.pages'],
    ['that was refused', { 'stream/broken.eml': Buffer.alloc(0) }, 'stream/broken.eml'],
    [
      'whose signal nobody has weighed, since its source may not speak',
      { ...MAIL, 'matter/house.md': matter({ signal_sources: ['bank'] }) },
      'stream/mail/paid.eml',
    ],
    ['of which something waits for a person', { ...SURE, 'stream/mail/paid.eml': PAID_MAIL }, 'stream/mail/paid.eml'],
  ])('one stays %s', async (_, files, file) => {
    const there = await house({ ...files, 'steward.md': STREAMS });
    await pass(there, 200);
    expect(there.vault.has(file)).toBe(true);
    expect(there.running.count('retired')).toBe(0);
  });

  test('one that was changed since it was read is read again, and stays', async () => {
    const there = await house({ ...MAIL, 'steward.md': STREAMS });
    await there.running.heard('acted');
    there.clock.move(61 * DAY);
    there.vault.write('stream/mail/paid.eml', `${PAID_MAIL}P.S. Bring the keys.\r\n`, 0);
    await there.running.sync();
    await pass(there, 1);
    expect(there.vault.has('stream/mail/paid.eml')).toBe(true);
  });
});

/** The event notes but for those in which the steward says what it sees by itself, which come as the years pass. */
function decided({ vault }: { vault: TempVault }): string[] {
  return vault.events().filter((event) => vault.fields(event).perceived === undefined);
}

describe('records', () => {
  const still = (name: string, more: object = {}) => ({ [name]: ownSignal(name, { ...NOTHING, ...more }) });
  const NOTHING = { mutation_proposal: null, effect: 'mutation', raw_quote: 'I shall write to you on Monday' };

  async function recorded(files: Files, keep = EVENTS) {
    const there = await house({ [PAY]: task({ senders: [ANNA] }), 'steward.md': keep, ...files });
    await there.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await there.running.sync();
    return there;
  }

  test('a decision that changed nothing leaves with its signal, the signal first; nothing is weighed anew', async () => {
    const there = await recorded(still('signal/s.md'));
    expect([decided(there).length, there.vault.names('signal').length]).toEqual([1, 1]);
    await pass(there, 50);
    expect([decided(there).length, there.vault.names('signal').length]).toEqual([1, 1]);
    const said = there.vault.read('signal/s.md');
    await pass(there, 20);
    expect([decided(there).length, there.vault.names('signal')]).toEqual([1, []]);
    expect(history(there.vault)).toHaveLength(1);
    await pass(there, 1);
    expect(decided(there)).toEqual([]);
    there.vault.write('signal/s.md', said);
    await there.running.sync();
    await there.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(decided(there)).toEqual([]);
    expect(there.running.daemon.status().vault.state).toBe('present');
  });

  test.each<[string, Files]>([
    [
      'what changed a note, and can be taken back or was right',
      still('signal/s.md', { mutation_proposal: { class: 'state_change', set: { state: 'done' } } }),
    ],
    [
      'what waits for a person',
      {
        ...still('signal/s.md', { mutation_proposal: { class: 'state_change', set: { state: 'done' } } }),
        [PAY]: task(),
      },
    ],
    [
      'what somebody else wrote',
      {
        'signal/s.md': signal({ target_path: 'task/nowhere.md' }),
        'event/steward-action-2020-01-01T00-00-00Z-pay.md':
          '---\ntype: steward-action\ntimestamp: 2020-01-01T00:00:00Z\ntarget_path: task/pay.md\ndecision: still_active\n---\n',
      },
    ],
  ])('%s stays', async (_, files) => {
    const there = await recorded(files);
    const before = [decided(there), there.vault.names('signal')];
    expect(before[0]).toHaveLength(1);
    await pass(there, 1000);
    expect([decided(there), there.vault.names('signal')]).toEqual(before);
  });

  test('nothing leaves that came after a proposal which still waits: it may be what settles it one day', async () => {
    const due = { mutation_proposal: { class: 'context_edit', set: { due: '2031-01-01' } } };
    const there = await recorded({ [PAY]: task(), ...still('signal/s.md', due) });
    there.vault.write('signal/t.md', ownSignal('signal/t.md', NOTHING));
    await there.running.sync();
    await there.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await there.running.sync();
    expect(decided(there)).toHaveLength(2);
    expect(there.running.daemon.status().proposals).toHaveLength(1);
    await pass(there, 400);
    await pass(there, 1);
    expect([decided(there).length, there.vault.names('signal').length]).toEqual([2, 2]);
    const waiting = there.running.daemon.status().proposals.map(({ event }) => event);
    expect(decided(there).filter((event) => waiting.includes(stem(event)))).toHaveLength(1);
  });

  test('a note that somebody has written into lately stays, and so does one that is linked elsewhere', async () => {
    const there = await recorded(still('signal/s.md'));
    const [event = ''] = decided(there);
    there.clock.move(61 * DAY);
    there.vault.write(event, `${there.vault.read(event)}\nAsk Robin about this.\n`, -61 * DAY);
    fs.linkSync(there.vault.at('signal/s.md'), there.vault.at('second-name.md'));
    await there.running.sync();
    await pass(there, 1);
    expect([decided(there), there.vault.names('signal')]).toEqual([[event], ['s.md']]);
  });
});

test('a note does not seem silent for longer because what it was touched by has left', async () => {
  const clock = Clock.atNoon();
  const vault = new TempVault({
    'steward.md': settings({ default_schedule: SELDOM, keep_event_days: 30 }),
    'matter/house.md': matter({ surface_class: 'none' }),
    'signal/s.md': ownSignal('signal/s.md', {
      mutation_proposal: null,
      effect: 'mutation',
      raw_quote: 'I shall write',
    }),
  });
  vault.write(PAY, task({ senders: [ANNA] }), 70 * DAY);
  const bench = await Bench.open(vault, { clock });
  await bench.tick();
  expect(vault.events()).toHaveLength(1);
  await retireOld(bench.ports);
  for (let day = 0; day < 34; day += 1) {
    clock.move(DAY + MINUTE);
    await bench.sweep();
    await retireOld(bench.ports);
  }
  expect([vault.events(), vault.names('signal')]).toEqual([[], []]);
  bench.close();
  const later = await Bench.open(vault, { clock });
  const said = (await later.explain('pay')).sections.find(({ title }) => title === 'Without a signal');
  expect(said?.lines[0]).toBe('nothing noticed');
});

describe('when', () => {
  test('new days are said first, and hold from the next day on; a clock that jumps is believed after a day', async () => {
    const there = await house({ ...MAIL, 'steward.md': settings({ settle_seconds: 0, keep_stream_days: 90 }) });
    const { running, clock, vault } = there;
    await running.heard('acted');
    for (let week = 0; week < 10; week += 1) {
      clock.move(6 * DAY);
      await running.daemon.wake();
      await running.daemon.idle();
    }
    vault.write('steward.md', settings({ settle_seconds: 0, keep_stream_days: 30 }));
    await running.sync();
    clock.move(2 * HOUR);
    await running.daemon.wake();
    await running.daemon.idle();
    expect(running.count('retention')).toBe(2);
    expect(vault.has('stream/mail/paid.eml')).toBe(true);
    clock.move(DAY);
    await running.daemon.wake();
    await running.daemon.idle();
    expect(vault.has('stream/mail/paid.eml')).toBe(false);
  });
});
