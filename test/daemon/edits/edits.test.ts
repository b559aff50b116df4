// Over 5 s: each case edits notes while a daemon runs.
import fs from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { localDate } from '../../../src/vault/time.ts';
import { MessagesServer } from '../../providers/messages-server.ts';
import { Clock, DAY, HOUR, SECOND } from '../../support/clock.ts';
import { instinct, matter, SELDOM, settings, signal, task, weak } from '../../support/notes.ts';
import { ownLicence, ownSignal } from '../../support/own-signal.ts';
import { Running } from '../../support/running.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench, LIVE, only, type Setting, SHADOW } from '../../support/workspace.ts';

const HOUSE = 'matter/house.md';
const PAY = 'task/pay.md';
const KEYS = 'task/keys.md';
/** More than three settle windows. */
const REST = 31 * SECOND;

const PLAIN: Files = {
  'steward.md': settings({ default_schedule: SELDOM }),
  [HOUSE]: matter({ summary: 'The house' }),
  [PAY]: task(),
  [KEYS]: task(),
};

async function house(files: Files = {}, setting: Setting = {}) {
  const vault = new TempVault({ ...PLAIN, ...files });
  const clock = new Clock();
  const running = await Running.start(vault, { clock, ...setting });
  return { vault, clock, running };
}

type World = Awaited<ReturnType<typeof house>>;

/** Lets what was edited come to rest, and everything follow from it. */
async function rest({ running, clock }: Pick<World, 'running' | 'clock'>): Promise<void> {
  await running.sync();
  clock.move(REST);
  await running.daemon.wake();
  await running.daemon.idle();
}

/** By when the notes were made. */
const tick = (vault: TempVault, file: string, ageMs?: number) => vault.edit(file, 'state: open', 'state: done', ageMs);

afterEach(() => vi.restoreAllMocks());

/** Lets no event note be opened, as if the process had too many files open, until what it returns is called. */
function withoutEvents(): () => void {
  const open = fs.openSync;
  const spy = vi.spyOn(fs, 'openSync').mockImplementation((...given: Parameters<typeof open>) => {
    if (!String(given[0]).includes('/event/') || String(given[0]).endsWith('/event')) return open(...given);
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', syscall: 'open' });
  });
  return () => spy.mockRestore();
}

describe('what the program did itself', () => {
  test('is no edit of a person, also where the record of it cannot be read for a while', async () => {
    const world = await house();
    const { vault, running, clock } = world;
    vault.write('signal/paid.md', signal());
    const given = withoutEvents();
    await running.heard('acted');
    await running.sync();
    expect(vault.fields(PAY)).toMatchObject({ state: 'done' });
    await rest(world);
    expect(running.daemon.status().trouble.map(({ code }) => code)).toContain('too-many-open');
    for (let wake = 0; wake < 3; wake += 1) await rest(world);
    expect(vault.paths('signal')).toEqual(['signal/paid.md']);
    // What a person does to another note is heard meanwhile.
    tick(vault, KEYS);
    await rest({ running, clock });
    const heard = vault.paths('signal').filter((path) => path !== 'signal/paid.md');
    expect(vault.fields(only(heard))).toMatchObject({ source_event_path: KEYS });
    given();
    for (let wake = 0; wake < 3; wake += 1) await rest(world);
    expect(vault.paths('signal')).toEqual(['signal/paid.md', ...heard].sort());
  });
});

describe('a task that is ticked done by hand', () => {
  test('is a signal for its matter, which is told and asked of nobody', async () => {
    const world = await house();
    tick(world.vault, PAY);
    await rest(world);
    const path = only(world.vault.paths('signal'));
    expect(world.vault.fields(path)).toMatchObject({
      ...{ source_type: 'vault_edit', pattern: 'you', from: 'you', sender_known: 'named', authenticated: 'pass' },
      ...{ source_event_path: PAY, raw_quote: 'state: done', target_kind: 'matter', target_path: HOUSE },
      ...{ effect: 'none', mutation_proposal: null, status: 'skipped', headline: 'pay is done' },
      reasoning: 'You ticked “pay” as done. 1 task of “house” is still open.',
    });
    expect(world.vault.events()).toEqual([]);
    expect(world.running.daemon.status().waiting).toEqual([]);
  });

  test('by a legacy word, in a note with `status`, in the words of the note', async () => {
    const world = await house({ [PAY]: task({ state: undefined, status: 'in-progress' }) });
    world.vault.edit(PAY, 'status: in-progress', 'status: Completed # at last');
    await rest(world);
    expect(world.vault.fields(only(world.vault.paths('signal')))).toMatchObject({
      raw_quote: 'status: Completed # at last',
    });
  });

  test('ends the quiet of its matter', async () => {
    const world = await house({ 'steward.md': settings({ default_schedule: 'every 30m' }) });
    for (let hour = 0; hour < 12; hour += 1) {
      world.clock.move(HOUR);
      await world.running.daemon.wake();
      await world.running.daemon.idle();
    }
    await world.running.saved('schedules', { 'steward-house': { streak: expect.any(Number) } });
    tick(world.vault, PAY);
    await rest(world);
    await world.running.saved('schedules', { 'steward-house': { streak: 0, heard: expect.any(Number) } });
  });

  test('costs nothing: no model is asked, by itself or at the next tick', async () => {
    const server = await MessagesServer.start(() => ({ do: 'say', text: '{}' }));
    const world = await house({}, { env: { ...LIVE, provider: server.access } });
    tick(world.vault, PAY);
    await rest(world);
    tick(world.vault, KEYS);
    await rest(world);
    await world.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(world.vault.paths('signal')).toHaveLength(2);
    expect(server.requests).toEqual([]);
  });

  test('and unticked again before it came to rest says nothing', async () => {
    const world = await house();
    tick(world.vault, PAY);
    await world.running.sync();
    world.vault.edit(PAY, 'state: done', 'state: open');
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
  });

  test('while somebody still types, waits', async () => {
    const world = await house();
    tick(world.vault, PAY, -25 * SECOND);
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
    await rest(world);
    expect(world.vault.paths('signal')).toHaveLength(1);
  });

  test('half written in between, it is still known what it was before', async () => {
    const world = await house();
    const whole = world.vault.read(PAY);
    world.vault.write(PAY, '', HOUR);
    await rest(world);
    world.vault.write(PAY, whole.replace('state: open', 'state: done'), HOUR);
    await rest(world);
    expect(world.vault.paths('signal')).toHaveLength(1);
  });

  test.each([
    ['a task of no matter', { [PAY]: task({ parent_matter: null }) }],
    ['a task with `steward: false`', { [PAY]: task({ steward: false }) }],
    ['a matter with `steward: false`', { [HOUSE]: matter({ steward: false }) }],
    ['a matter that has ended', { [HOUSE]: matter({ state: 'done' }) }],
  ])('says nothing in %s', async (_, files) => {
    const world = await house(files);
    tick(world.vault, PAY);
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
  });
});

describe('the last open task of a matter', () => {
  test('leads to the question whether the matter is over, once, and never to more', async () => {
    const world = await house({ [KEYS]: task({ state: 'done' }) });
    tick(world.vault, PAY);
    await rest(world);
    const event = only(world.vault.events());
    expect(world.vault.fields(event)).toMatchObject({
      ...{ type: 'signal-action', target_path: HOUSE, decision: 'state_change', from: 'you', quote: 'state: done' },
      ...{ outcome: 'proposed', waiting: true, changes: { state: { before: 'open', after: 'done' } } },
    });
    expect(world.vault.fields(HOUSE)).toMatchObject({ state: 'open', pending_confirmation: true });
    expect(world.vault.fields(event)).not.toHaveProperty('always'); // one's own hand needs no licence
    // Three days later the program would find it by itself: it is in the list already, and stays there once.
    world.clock.move(4 * DAY);
    await world.running.daemon.wake();
    await world.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await world.running.daemon.idle();
    expect(world.running.daemon.status().waiting).toHaveLength(1);
  });

  test('two at once ask once', async () => {
    const world = await house();
    tick(world.vault, PAY);
    tick(world.vault, KEYS);
    await rest(world);
    expect(
      world.vault
        .paths('signal')
        .map((path) => world.vault.fields(path).effect)
        .sort(),
    ).toEqual(['mutation', 'none']);
    expect(world.running.daemon.status().waiting).toHaveLength(1);
  });

  test('not while a checkbox of the matter is open', async () => {
    const world = await house({ [KEYS]: task({ state: 'done' }), [HOUSE]: matter({}, '- [x] one\n- [ ] two') });
    tick(world.vault, PAY);
    await rest(world);
    expect(world.vault.fields(only(world.vault.paths('signal')))).toMatchObject({
      effect: 'none',
      reasoning: 'You ticked “pay” as done. 1 checkbox of “house” is still open.',
    });
  });

  test('once the person has said no, the program does not find the same by itself', async () => {
    const world = await house({ [KEYS]: task({ state: 'done' }) });
    tick(world.vault, PAY);
    await rest(world);
    await world.running.ask({ op: 'answer', kind: 'dismiss', events: world.vault.events(), dryRun: false });
    world.clock.move(4 * DAY);
    await world.running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await world.running.daemon.idle();
    expect(world.running.daemon.status().waiting).toEqual([]);
  });
});

describe('the checkboxes of a matter', () => {
  test('once all are ticked, it is asked whether the matter is over', async () => {
    const files = {
      [HOUSE]: matter({}, '- [x] one\n- [ ] two\n\n## More\n* [ ] three'),
      [PAY]: task({ state: 'done' }),
    };
    const world = await house({ ...files, [KEYS]: task({ state: 'done' }) });
    world.vault.edit(HOUSE, '- [ ] two', '- [x] two');
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
    world.vault.edit(HOUSE, '* [ ] three', '* [x] three');
    await rest(world);
    expect(world.vault.fields(only(world.vault.paths('signal')))).toMatchObject({
      ...{ raw_quote: '* [x] three', source_event_path: HOUSE, target_path: HOUSE, effect: 'mutation' },
      headline: 'All checkboxes of house are ticked',
    });
    expect(world.running.daemon.status().waiting).toMatchObject([{ kind: 'proposal', change: 'state open → done' }]);
  });

  test('one that is taken away is not ticked', async () => {
    const world = await house({ [HOUSE]: matter({}, '- [x] one\n- [ ] two') });
    world.vault.edit(HOUSE, '\n- [ ] two', '');
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
  });
});

describe('a completedDate in a task that is open', () => {
  const today = localDate(Date.now());
  const dated = (vault: TempVault, day = today) => vault.edit(PAY, 'state: open', `state: open\ncompletedDate: ${day}`);

  test('is acted upon, and can be taken back', async () => {
    const world = await house();
    dated(world.vault);
    const before = world.vault.read(PAY);
    await rest(world);
    expect(world.vault.fields(only(world.vault.paths('signal')))).toMatchObject({
      ...{ target_path: PAY, effect: 'mutation', status: 'applied', raw_quote: `completedDate: ${today}` },
    });
    expect(world.vault.read(PAY)).toBe(before.replace('state: open', 'state: done'));
    const event = only(world.vault.events());
    await world.running.ask({ op: 'undo', events: [event], last: null, reason: null, force: false, dryRun: false });
    expect(world.vault.read(PAY)).toBe(before);
    await rest(world);
    expect(world.vault.paths('signal')).toHaveLength(1);
  });

  test.each(['2026-11-02', '"2026-11-02T10:30"', '2026-11-02T10:30:00.000Z'])(
    '%s stays as it was written',
    async (day) => {
      const world = await house({ [PAY]: task({ state: undefined, status: 'open' }) });
      world.vault.edit(PAY, 'status: open', `status: open\ncompletedDate: ${day}`);
      const before = world.vault.read(PAY);
      await rest(world);
      expect(world.vault.read(PAY)).toBe(before.replace('status: open', 'status: done'));
    },
  );

  test('in shadow nothing is touched', async () => {
    const world = await house({}, { env: SHADOW });
    dated(world.vault);
    const before = world.vault.read(PAY);
    await rest(world);
    expect(world.vault.read(PAY)).toBe(before);
    expect(world.vault.fields(only(world.vault.events()))).toMatchObject({ outcome: 'proposed', mode: 'shadow' });
  });

  test('that lies ahead is a plan', async () => {
    const world = await house();
    dated(world.vault, '2099-01-01');
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
  });
});

describe('what is no hand of a person', () => {
  test('notes that were done long ago, in a vault that is met for the first time', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, nth) => [
        `task/old-${nth}.md`,
        task({ state: 'done', completedDate: '2024-01-01' }),
      ]),
    );
    const world = await house(many);
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
    for (const [file, text] of Object.entries(many)) world.vault.write(file.replace('old', 'new'), text);
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
  });

  test('what a person has the program do: a confirmation, its undo, and the undo of that', async () => {
    const path = 'signal/paid.md';
    const world = await house({ [path]: ownSignal(path, { effect_confidence: 0.9 }) });
    const { running, vault } = world;
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await running.ask({ op: 'answer', kind: 'confirm', events: vault.events(), dryRun: false });
    await rest(world);
    for (const [state, kind] of [
      ['open', '-confirmed-'],
      ['done', '-reversed-'],
    ] as const) {
      const events = vault.events().filter((event) => event.includes(kind) && vault.fields(event).undo_recipe);
      expect(events).toHaveLength(1);
      await running.ask({ op: 'undo', events, last: null, reason: null, force: false, dryRun: false });
      expect(vault.fields(PAY)).toMatchObject({ state });
      await rest(world);
    }
    expect(vault.paths('signal')).toEqual([path]);
  });

  test('what another steward did, whose records a sync brings along', async () => {
    const there = await house({
      'licence/anna.md': ownLicence('licence/anna.md'),
      'signal/paid.md': ownSignal('signal/paid.md'),
    });
    await there.running.heard('acted');
    const here = await house();
    here.vault.write(PAY, there.vault.read(PAY));
    await here.running.sync();
    for (const event of there.vault.events()) here.vault.write(event, there.vault.read(event));
    await rest(here);
    expect(here.vault.fields(PAY)).toMatchObject({ state: 'done' });
    expect(here.vault.paths('signal')).toEqual([]);
  });

  test('an older file that a backup brings back', async () => {
    const world = await house();
    tick(world.vault, PAY, 5 * HOUR);
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
  });

  test('five hundred at once: some are heard, the rest is counted and said', async () => {
    const names = Array.from({ length: 100 }, (_, nth) => `task/many-${nth}.md`);
    const world = await house(Object.fromEntries(names.map((name) => [name, task()])));
    for (const name of names) tick(world.vault, name);
    await rest(world);
    expect(world.vault.paths('signal')).toHaveLength(20);
    expect(await world.running.heard('edits-passed')).toMatchObject({ edits: 80 });
    await world.running.saved('edits', { heard: 20, passed: 80 });
  });

  test('a whole vault that is set back', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, nth) => [`task/many-${nth}.md`, task({ state: nth < 30 ? 'open' : 'done' })]),
    );
    const world = await house(files);
    for (const [nth, name] of Object.keys(files).entries()) {
      world.vault.edit(name, nth < 30 ? 'state: open' : 'state: done', nth < 30 ? 'state: done' : 'state: open');
    }
    await rest(world);
    expect(world.vault.paths('signal')).toEqual([]);
    expect(await world.running.heard('edits-passed')).toMatchObject({ edits: 30 });
  });
});

describe('while the program was away', () => {
  test('what was ticked then is heard at the start, once', async () => {
    const vault = new TempVault(PLAIN);
    const clock = new Clock();
    const first = await Running.start(vault, { clock });
    await first.stop();
    tick(vault, PAY);
    const second = await Running.start(vault, { clock });
    await rest({ running: second, clock });
    expect(vault.fields(only(vault.paths('signal')))).toMatchObject({
      source_event_path: PAY,
      raw_quote: 'state: done',
    });
    await second.stop();
    const third = await Running.start(vault, { clock });
    await rest({ running: third, clock });
    expect(vault.paths('signal')).toHaveLength(1);
  });

  test('is heard at last by whoever never stays for as long as a note has to rest', async () => {
    const vault = new TempVault(PLAIN);
    const clock = new Clock();
    const brief = async () => {
      const running = await Running.start(vault, { clock });
      await running.daemon.wake();
      await running.daemon.idle();
      await running.stop();
    };
    await brief();
    tick(vault, PAY);
    await brief();
    expect(vault.paths('signal')).toEqual([]);
    clock.move(REST);
    await brief();
    expect(vault.fields(only(vault.paths('signal')))).toMatchObject({ raw_quote: 'state: done' });
  });

  test('after a crash, whose cache knows only what was before, nothing is told twice', async () => {
    const vault = new TempVault(PLAIN);
    const clock = new Clock();
    const first = await Running.start(vault, { clock });
    await first.stop();
    const cache = vault
      .names('.steward/cache')
      .map((name) => [`.steward/cache/${name}`, vault.bytes(`.steward/cache/${name}`)] as const);
    const second = await Running.start(vault, { clock });
    tick(vault, PAY);
    await rest({ running: second, clock });
    vault.edit(KEYS, 'state: open', `state: open\ncompletedDate: ${localDate(Date.now())}`);
    await rest({ running: second, clock });
    expect(vault.fields(KEYS).state).toBe('done');
    // Its file is newer than the edit by now.
    vault.edit(PAY, 'A task.', 'A task, and more.', HOUR / 2);
    await rest({ running: second, clock });
    const before = vault.paths('signal');
    await second.stop();
    for (const [file, bytes] of cache) vault.write(file, bytes);
    const third = await Running.start(vault, { clock });
    await rest({ running: third, clock });
    expect(vault.paths('signal')).toEqual(before);
  });
});

describe('what an edit teaches', () => {
  const START = { [KEYS]: task({ state: 'done' }), 'signal/s.md': weak(), 'instinct/mail.md': instinct('mail') };
  const rightOf = (vault: TempVault) => vault.fields('instinct/mail.md').observations;

  test('a proposal that is made by hand while the program is away is right, once, and the edit is heard as well', async () => {
    const vault = new TempVault({ ...PLAIN, ...START });
    const clock = new Clock();
    const first = await Running.start(vault, { clock });
    await first.ask({ op: 'tick', matters: [], force: true, mode: null });
    await first.stop();
    vault.edit(PAY, 'state: open', 'state: done');
    const second = await Running.start(vault, { clock });
    await rest({ running: second, clock });
    expect(rightOf(vault)).toBe(1);
    expect(vault.paths('signal').filter((path) => vault.fields(path).source_type === 'vault_edit')).toHaveLength(1);
    await rest({ running: second, clock });
    expect(rightOf(vault)).toBe(1);
  });

  test('set otherwise within seven days is wrong, though the program was away for longer', async () => {
    const due = weak({ mutation_proposal: { class: 'context_edit', set: { due: '2035-12-24' } } });
    const vault = new TempVault({ ...PLAIN, ...START, [PAY]: task({ due: '2035-12-01' }), 'signal/s.md': due });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    await bench.tick();
    clock.move(20 * DAY);
    vault.edit(PAY, '2035-12-01', '2035-12-31', -2 * DAY);
    await bench.learn();
    expect(vault.fields('instinct/mail.md')).toMatchObject({ observations: 0, wrong: 1 });
  });

  test('set otherwise after eight days is not', async () => {
    const due = weak({ mutation_proposal: { class: 'context_edit', set: { due: '2035-12-24' } } });
    const vault = new TempVault({ ...PLAIN, ...START, [PAY]: task({ due: '2035-12-01' }), 'signal/s.md': due });
    const clock = new Clock();
    const bench = await Bench.open(vault, { clock });
    await bench.tick();
    clock.move(20 * DAY);
    vault.edit(PAY, '2035-12-01', '2035-12-31', -8 * DAY);
    await bench.learn();
    expect(vault.fields('instinct/mail.md').wrong ?? 0).toBe(0);
  });
});
