import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { utc } from '../../src/vault/time.ts';
import { DAY } from '../support/clock.ts';
import { HOUSE, instinct, matter, ODD_TASK, reversal, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, SHADOW } from '../support/workspace.ts';

const YEAR = 365 * DAY;
const KEEN = { ...HOUSE, 'steward.md': settings({ settle_seconds: 1 }) };

/** A vault in which one action was taken, by another machine: its task note before and after, and its event note. */
async function actedElsewhere() {
  const vault = new TempVault({ ...KEEN, 'instinct/mail.md': instinct('mail'), 'signal/s1.md': signal() });
  const bench = await Bench.open(vault);
  await bench.tick();
  bench.close();
  const [event = ''] = vault.events();
  return { vault, event, name: stem(event), done: vault.read('task/pay.md') };
}

/** The same, undone there: what that machine sends of it. */
async function undoneElsewhere() {
  const acted = await actedElsewhere();
  const bench = await Bench.open(acted.vault);
  await bench.undo(acted.event);
  bench.close();
  const [theirs = ''] = acted.vault.events('signal-action-reversed-');
  const sent = {
    reversal: acted.vault.read(theirs),
    task: acted.vault.read('task/pay.md'),
    instinct: acted.vault.read('instinct/mail.md'),
  };
  expect(sent.task).toBe(ODD_TASK);
  return { ...acted, theirs, sent };
}

/** A machine of its own, with the notes of another, and a `.steward` that was never synced. */
function otherMachine(vault: TempVault, without: readonly string[] = []): TempVault {
  const files = Object.entries(vault.snapshot()).filter(([file]) => !without.includes(file));
  return new TempVault(Object.fromEntries(files));
}

describe('files that come late, and out of order', () => {
  test('a signal years old by its time is acted upon when it comes', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    vault.write('signal/s1.md', signal({ created: '2019-01-01T00:00:00Z' }), 7 * YEAR);
    await running.heard('acted');
  });

  test('a changed note with an older time and the same size is read again', async () => {
    const vault = new TempVault({ ...HOUSE, 'matter/boat.md': matter({ steward_schedule: 'every 2h' }) });
    const running = await Running.start(vault);
    vault.write('matter/boat.md', matter({ steward_schedule: 'every 3h' }), YEAR);
    await running.heard('schedule-provisioned', ({ cadence }) => cadence.includes('every 3 h'));
  });

  test('a signal before its task, and the task before its matter', async () => {
    const vault = new TempVault({ 'steward.md': settings(), 'matter/other.md': matter() });
    const running = await Running.start(vault);
    vault.write('signal/s1.md', signal());
    await running.sync();
    vault.write('task/pay.md', ODD_TASK);
    await running.heard('acted');
    vault.write('matter/house.md', matter());
    await running.heard('schedule-provisioned', ({ name }) => name === 'steward-house');
    expect(running.daemon.status().trouble).toEqual([]);
    expect(vault.fields('task/pay.md').state).toBe('done');
  });

  test('a ticked proposal before its task', async () => {
    const source = new TempVault({ ...KEEN, 'signal/s1.md': signal() });
    const bench = await Bench.open(source, { env: SHADOW });
    await bench.tick();
    const [event = ''] = source.events();
    source.edit(event, 'confirm: false', 'confirm: true');
    const vault = otherMachine(source, ['task/pay.md']);
    const running = await Running.start(vault, { env: SHADOW });
    await running.sync();
    expect(running.count('confirmed')).toBe(0);
    vault.write('task/pay.md', ODD_TASK);
    await running.heard('confirmed');
    expect(vault.fields('task/pay.md').state).toBe('done');
  });

  test('a reversal before its event note', async () => {
    const { vault: source, event, name, done } = await actedElsewhere();
    const vault = otherMachine(source, [event]);
    const running = await Running.start(vault);
    vault.write('event/signal-action-reversed-mine.md', reversal(`[[${name}]]`, { type: 'signal-action-reversed' }));
    await running.sync();
    expect(vault.read('task/pay.md')).toBe(done);
    vault.write(event, source.read(event), DAY);
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
  });

  test.each(['by its link', 'by its name alone'])(
    'a reversal (%s) so long before its event note that it was refused: it is taken up again',
    async (how) => {
      const { vault: source, event, name } = await actedElsewhere();
      const vault = otherMachine(source, [event]);
      const running = await Running.start(vault);
      const file = `event/${name.replace('signal-action-', 'signal-action-reversed-')}.md`;
      vault.write(file, how === 'by its link' ? reversal(`[[${name}]]`, { type: 'signal-action-reversed' }) : '');
      expect(await running.heard('reversed')).toMatchObject({ outcome: 'refused' });
      expect(vault.fields(file)).toMatchObject({ outcome: 'refused', event_found: false });
      vault.write(event, source.read(event), DAY);
      await running.heard('reversed', ({ outcome }) => outcome === 'reversed');
      expect(vault.read('task/pay.md')).toBe(ODD_TASK);
      expect(vault.fields(file)).toMatchObject({ outcome: 'reversed', event_found: true, reverses: `[[${name}]]` });
      expect(vault.fields('instinct/mail.md').confidence).toBe(0.8);
      expect(running.daemon.status().trouble).toEqual([]);
    },
  );

  test('a reversal and its event note before their task', async () => {
    const { vault: source, event, name, done } = await actedElsewhere();
    const vault = otherMachine(source, [event, 'task/pay.md']);
    const running = await Running.start(vault);
    vault.write('event/signal-action-reversed-mine.md', reversal(`[[${name}]]`, { type: 'signal-action-reversed' }));
    vault.write(event, source.read(event));
    await running.sync();
    vault.write('task/pay.md', done);
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'reversed' });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
  });
});

describe('files that come twice', () => {
  test('the same bytes again, of every note: nothing happens twice', async () => {
    const { vault, name } = await actedElsewhere();
    const running = await Running.start(vault);
    vault.write('event/signal-action-reversed-mine.md', reversal(`[[${name}]]`, { type: 'signal-action-reversed' }));
    await running.heard('reversed');
    await running.sync();
    // What came just now from elsewhere says that it was taken back once it has been quiet.
    for (const [file, text] of Object.entries(vault.snapshot())) vault.write(file, text, DAY);
    await running.sync();
    const before = vault.snapshot();
    for (const ageMs of [0, DAY]) {
      for (const [file, text] of Object.entries(before)) vault.write(file, text, ageMs);
      await running.sync();
      await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    }
    expect(vault.snapshot()).toEqual(before);
    expect(running.count('acted')).toBe(0);
    expect(running.count('reversed')).toBe(1);
  });

  test("a signal's former bytes again, unrouted, after it was applied", async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
    const running = await Running.start(vault);
    await running.heard('acted');
    vault.write('task/pay.md', ODD_TASK); // a person opens it again
    vault.write('signal/s1.md', signal());
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
    expect(vault.events()).toHaveLength(1);
  });

  test("a person's reversal in its former form, after it was completed: it teaches nobody twice", async () => {
    const { vault, name } = await actedElsewhere();
    const running = await Running.start(vault);
    const mine = reversal(`[[${name}]]`, { type: 'signal-action-reversed' });
    vault.write('event/signal-action-reversed-mine.md', mine);
    await running.heard('reversed', ({ outcome }) => outcome === 'reversed');
    await running.sync();
    vault.write('event/signal-action-reversed-mine.md', mine);
    await running.heard('reversed', ({ outcome }) => outcome === 'already-reversed');
    expect(vault.read('task/pay.md')).toBe(ODD_TASK);
    expect(vault.fields('instinct/mail.md')).toMatchObject({ confidence: 0.8, reversals: 1 });
  });
});

describe('conflict copies', () => {
  const NAMES = [
    (name: string) => `${name} (Conflicted copy laptop 202611212019).md`,
    (name: string) => `${name} (CONFLICTED COPY Phone 202611212019).md`,
    (name: string) => `${name}.sync-conflict-20261121-201954-ABCDEFG.md`,
    (name: string) => `${name}.Sync-Conflict-20261121-201954-abcdefg.MD`,
    (name: string) => `${name} (Robin's conflicted copy 2026-11-21).md`,
  ];

  test.each(NAMES.map((named) => [named('x'), named] as const))(
    'named like "%s" are counted at once, and are no records',
    async (_, named) => {
      const { vault, name } = await actedElsewhere();
      const running = await Running.start(vault);
      const copies: Record<string, string> = {
        [`matter/${named('boat')}`]: matter(),
        [`matter/${named('house')}`]: matter({ state: 'done' }),
        [`task/${named('pay')}`]: task(),
        [`signal/${named('s2')}`]: signal({ raw_quote: 'something else' }),
        [`event/${named(name)}`]: vault.read(`event/${name}.md`).replace('undo: false', 'undo: true'),
        [`event/${named('signal-action-reversed-mine')}`]: reversal(`[[${name}]]`),
        [`instinct/${named('mail')}`]: instinct('mail', { confidence: 0.1 }),
        [`stream/${named('mail')}`]: 'From: a@b.example\n\nThe invoice is paid.',
        [named('steward')]: settings({ mode: 'shadow' }),
      };
      const before = vault.snapshot();
      for (const [file, text] of Object.entries(copies)) vault.write(file, text);
      await running.sync();
      await running.ask({ op: 'tick', matters: [], force: true, mode: null });
      const status = running.daemon.status();
      expect(status.conflictCopies).toBe(9);
      expect(status.trouble.map(({ code, file }) => `${code} ${file}`).sort()).toEqual(
        Object.keys(copies)
          .map((file) => `conflict-copy ${file}`)
          .sort(),
      );
      expect(status).toMatchObject({ schedules: [{ name: 'steward-house' }], mode: { effective: 'live' } });
      expect(vault.snapshot()).toEqual({ ...before, ...copies });
      for (const file of Object.keys(copies)) vault.remove(file);
      await running.sync();
      expect(running.daemon.status()).toMatchObject({ conflictCopies: 0, trouble: [] });
    },
  );

  test('one that comes and goes is seen without a sweep', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    vault.write('task/pay.sync-conflict-20261121-201954-ABCDEFG.md', task());
    vault.write('matter/sign1.md', matter());
    await running.heard('schedule-provisioned', ({ name }) => name === 'steward-sign1');
    expect(running.daemon.status().trouble).toMatchObject([
      { code: 'conflict-copy', file: 'task/pay.sync-conflict-20261121-201954-ABCDEFG.md' },
    ]);
  });
});

describe('two machines that undid the same action', () => {
  test('both completed: what both did is one thing', async () => {
    const { vault, theirs, sent, event } = await undoneElsewhere();
    const mine = theirs.replace('.md', '-2.md');
    vault.write(mine, sent.reversal.replace(/^timestamp: .*$/m, 'timestamp: 2026-11-21T20:20:54Z'));
    const running = await Running.start(vault);
    await running.daemon.idle(); // the event note says what has become of it
    const before = vault.snapshot();
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.snapshot()).toEqual(before);
    expect(running.count('reversed')).toBe(0);
    const [answer] = (await running.ask({
      op: 'undo',
      events: [event],
      last: null,
      reason: null,
      force: false,
      dryRun: true,
    })) as { outcome: string }[];
    expect(answer?.outcome).toBe('already-reversed');
  });

  // What the other machine sends of its undo may come in any order, while a person's own order waits here.
  const ORDERS = [
    ['reversal', 'task', 'instinct'],
    ['task', 'instinct', 'reversal'],
    ['instinct', 'task', 'reversal'],
    ['task', 'reversal', 'instinct'],
  ] as const;
  test.each(ORDERS)('one comes completed while one waits here: %s, %s, %s', async (...order) => {
    const { vault, theirs, sent, name, done } = await undoneElsewhere();
    const here = otherMachine(vault, [theirs]);
    here.write('task/pay.md', done);
    here.write('instinct/mail.md', instinct('mail'));
    const running = await Running.start(here);
    const places = { reversal: theirs, task: 'task/pay.md', instinct: 'instinct/mail.md' } as const;
    here.write('event/signal-action-reversed-mine.md', reversal(`[[${name}]]`, { type: 'signal-action-reversed' }), 0);
    for (const what of order) {
      here.write(places[what], sent[what]);
      await running.sync();
    }
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'already-reversed' });
    await running.sync();
    expect(running.count('reversed')).toBe(1);
    expect(here.read('task/pay.md')).toBe(ODD_TASK);
    expect(here.read('instinct/mail.md')).toBe(sent.instinct);
    expect(here.read(theirs)).toBe(sent.reversal);
  });

  test('the note is changed back already, and the reversal never comes: no conflict, and nothing is taught', async () => {
    const { vault, theirs, name } = await undoneElsewhere();
    const here = otherMachine(vault, [theirs]);
    const taught = here.read('instinct/mail.md');
    here.edit('task/pay.md', 'the end', 'the end, with a line of mine');
    here.write('event/signal-action-reversed-mine.md', reversal(`[[${name}]]`, { type: 'signal-action-reversed' }));
    const running = await Running.start(here);
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'already-reversed', calibration: {} });
    await running.sync();
    expect(here.read('instinct/mail.md')).toBe(taught);
  });

  test('a field that a person has since set to something else is a conflict still', async () => {
    const { vault, name } = await actedElsewhere();
    const running = await Running.start(vault);
    vault.edit('task/pay.md', "'done'", "'archived'");
    vault.write('event/signal-action-reversed-mine.md', reversal(`[[${name}]]`, { type: 'signal-action-reversed' }));
    expect(await running.heard('reversed')).toMatchObject({ outcome: 'conflict' });
  });
});

describe('two machines, each with a daemon and a .steward of its own', () => {
  test('what one did, the other does not do again', async () => {
    const { vault } = await actedElsewhere();
    const here = otherMachine(vault);
    const running = await Running.start(here);
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(here.snapshot()).toEqual(vault.snapshot());
  });

  test('its event note before its edit: the signal counts as weighed, and the edit comes by itself', async () => {
    const { vault, event, done } = await actedElsewhere();
    const here = otherMachine(vault, [event]);
    here.write('task/pay.md', ODD_TASK);
    here.remove('signal/s1.md');
    const running = await Running.start(here);
    here.write(event, vault.read(event));
    await running.sync();
    here.write('signal/s1.md', signal({ effect_confidence: 0.8 }));
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(here.read('task/pay.md')).toBe(ODD_TASK);
    here.write('task/pay.md', done);
    await running.sync();
    expect(here.events()).toEqual([event]);
  });

  test("each can take back what the other did, and undo the other's undo", async () => {
    const { vault, theirs, done } = await undoneElsewhere();
    const here = otherMachine(vault);
    const bench = await Bench.open(here);
    expect(await bench.undo(theirs)).toMatchObject({ outcome: 'reversed' });
    expect(here.read('task/pay.md')).toBe(done);
    expect(here.fields('instinct/mail.md').confidence).toBe(0.9);
  });
});

describe('names', () => {
  const LOOKED_AT = { at: expect.any(Number), streak: 1 };
  const cursorOf = (vault: TempVault, path: string) => (vault.state('cursors') as Record<string, unknown>)[path];

  test.each([
    ['matter/House.md', 'matter/house.md', 'steward-House', 'steward-house'],
    ['matter/house.md', 'matter/2026/house.md', 'steward-house', 'steward-house'],
    ['matter/Cafe\u0301.md', 'matter/Café.md', 'steward-Cafe\u0301', 'steward-Café'],
  ])('a matter %s becomes %s and keeps its history; for no moment are there two of it', async (from, to, was, is) => {
    const vault = new TempVault({ 'steward.md': settings(), [from]: matter(), 'matter/other.md': matter() });
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    const last = running.daemon.status().schedules.find(({ name }) => name === was)?.last;
    fs.mkdirSync(vault.at(to).replace(/\/[^/]*$/, ''), { recursive: true });
    vault.rename(from, to);
    await running.until(() => running.daemon.status().schedules.some(({ matter: path }) => path === to));
    await running.sync();
    expect(running.daemon.status().schedules.filter(({ name }) => name !== 'steward-other')).toMatchObject([
      { name: is, matter: to, last },
    ]);
    await running.saved('cursors', { [to]: LOOKED_AT });
    expect(running.happenings.filter((one) => one.what === 'schedule-removed' && /same slug/.test(one.reason))).toEqual(
      [],
    );
  });

  test('a move that a sync tool makes (a new file with the same bytes and time) keeps the history too', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    const { mtime } = fs.statSync(vault.at('task/pay.md'));
    fs.mkdirSync(vault.at('task/2026'));
    fs.writeFileSync(vault.at('task/2026/.pay.md.tmp'), ODD_TASK);
    fs.utimesSync(vault.at('task/2026/.pay.md.tmp'), mtime, mtime);
    vault.rename('task/2026/.pay.md.tmp', 'task/2026/pay.md');
    vault.remove('task/pay.md');
    await running.sync();
    await running.saved('cursors', { 'task/2026/pay.md': LOOKED_AT });
  });

  const MOVES = [
    ['task/pay.md', 'task/2026/pay.md'],
    ['task/pay.md', 'task/Pay.md'],
    ['task/pay.md', 'task/paid.md'],
  ] as const;
  describe.each(MOVES)('a task %s becomes %s', (from, to) => {
    function move(vault: TempVault): void {
      fs.mkdirSync(vault.at('task/2026'), { recursive: true });
      vault.rename(from, to);
    }

    test.each(['seen', 'while the daemon is down', 'seen, then the daemon starts again'])(
      '%s: signals, proposals, cursors and undo still lead to it',
      async (when) => {
        const vault = new TempVault({
          ...HOUSE,
          'signal/s1.md': weak({ raw_quote: 'it is paid' }),
          'task/done.md': task(),
          'signal/s2.md': signal({ target_path: 'task/done.md', raw_quote: 'it is done' }),
        });
        let running = await Running.start(vault);
        await running.heard('acted');
        await running.ask({ op: 'tick', matters: [], force: true, mode: null });
        const { event: proposal } = await running.heard('proposed');
        await running.saved('cursors', { [from]: expect.anything() });
        const cursor = cursorOf(vault, from);
        if (when === 'while the daemon is down') await running.stop();
        move(vault);
        if (when !== 'while the daemon is down') await running.sync();
        if (when === 'seen, then the daemon starts again') await running.stop();
        if (when !== 'seen') running = await Running.start(vault);
        await running.sync();
        await running.saved('cursors', { [to]: cursor });
        expect(running.daemon.status()).toMatchObject({ proposals: [{ target: to }], trouble: [] });
        await running.ask({ op: 'answer', kind: 'confirm', events: [proposal], dryRun: false });
        expect(vault.fields(to)).toMatchObject({ state: 'done' });
        expect(vault.fields(to)).not.toHaveProperty('pending_confirmation');
        await running.ask({ op: 'undo', events: [proposal], last: null, reason: null, force: false, dryRun: false });
        expect(vault.read(to)).toBe(ODD_TASK);
        // The undo is the newest decision: only what was written after it may act.
        const news = { origin_at: utc(Date.now()), raw_quote: 'paid, once more' };
        vault.write('signal/s3.md', signal({ target_path: from, ...news }));
        expect(await running.heard('acted', ({ target }) => target === to)).toMatchObject({ decision: 'state_change' });
        expect(vault.has(from)).toBe(false);
      },
    );
  });

  test('another note that takes the former place is its own: nothing of the moved one leads to it', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/s1.md': weak() });
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.heard('proposed');
    fs.mkdirSync(vault.at('task/2026'));
    vault.rename('task/pay.md', 'task/2026/pay.md');
    await running.sync();
    vault.write('task/pay.md', task());
    await running.sync();
    vault.write('signal/s2.md', signal({ raw_quote: 'about the new one' }));
    expect(await running.heard('acted')).toMatchObject({ target: 'task/pay.md' });
    expect(vault.fields('task/2026/pay.md').state).toBe('open');
  });

  test('a note of the same name in another folder is never taken for one that is gone', async () => {
    const vault = new TempVault({ ...HOUSE, 'task/2025/tax.md': task(), 'task/2026/tax.md': task() });
    const running = await Running.start(vault);
    vault.remove('task/2026/tax.md');
    await running.sync();
    vault.write('signal/s1.md', signal({ target_path: 'task/2026/tax.md' }));
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields('task/2025/tax.md').state).toBe('open');
    expect(running.daemon.status().trouble).toMatchObject([{ code: 'target-missing' }]);
  });

  test('a note with a decomposed name is led to by composed links, and the other way round', async () => {
    const vault = new TempVault({
      'steward.md': settings(),
      'matter/Cafe\u0301.md': matter(),
      'task/Cre\u0300me.md': task({ parent_matter: '[[Café]]' }),
      'task/Crêpe.md': task({ parent_matter: '[[Cafe\u0301]]' }),
    });
    const running = await Running.start(vault);
    expect(running.daemon.status().trouble).toEqual([]);
    vault.write('signal/s1.md', signal({ target_path: 'task/Crème.md' }));
    vault.write('signal/s2.md', signal({ target_path: 'task/Cre\u0302pe.md', raw_quote: 'so is this' }));
    await running.until(() => running.count('acted') === 2);
    expect(vault.names('task')).toEqual(['Cre\u0300me.md', 'Crêpe.md']);
    // The other machine writes names composed, and has the event notes of this one.
    const files = Object.entries(vault.snapshot()).map(([file, text]) => [file.normalize('NFC'), text] as const);
    const here = new TempVault(Object.fromEntries(files));
    const bench = await Bench.open(here);
    for (const event of here.events()) expect(await bench.undo(event)).toMatchObject({ outcome: 'reversed' });
    expect(here.fields('task/Crème.md').state).toBe('open');
  });

  test('two matters whose names differ in letters only are two of one slug', async () => {
    const vault = new TempVault({ 'steward.md': settings(), 'matter/Café.md': matter() });
    const running = await Running.start(vault);
    vault.write('matter/CAFE\u0301.md', matter());
    await running.heard('schedule-removed');
    expect(running.schedules()).toEqual([]);
    expect(running.daemon.status().trouble.map(({ code }) => code)).toEqual(['slug-twice', 'slug-twice']);
  });
});
