import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StateSelection } from '../../src/daemon/state.ts';
import { MOST_A_DAY } from '../../src/steward/perceive.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { localDate } from '../../src/vault/time.ts';
import { Clock, DAY, HOUR, MINUTE, quietHoursAround } from '../support/clock.ts';
import { matter, PAID_MAIL, SELDOM, settings, task, weak } from '../support/notes.ts';
import { ANNA, ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

const PAY = 'task/pay.md';
const WEEK = 7 * DAY;
/** The local day so many days from now. */
const ago = (days: number) => localDate(Clock.atNoon().now() - days * DAY);
const SENDERS = { senders: [ANNA] };
const PLAIN = { 'steward.md': settings({ default_schedule: SELDOM }), 'matter/house.md': matter(SENDERS) };
const late = (days = 3, more = {}) => task({ due: ago(days), ...more });

async function opened(files: Files, env = LIVE) {
  const vault = new TempVault({ ...PLAIN, ...files });
  const clock = Clock.atNoon();
  const bench = await Bench.open(vault, { clock, env });
  return { vault, clock, bench };
}

/** What is listed as noticed. */
const noticed = (bench: Bench) =>
  bench.status().findings.flatMap(({ notes }) => notes.map(({ note, kind }) => ({ note, kind })));
const waits = (bench: Bench) => bench.waiting().map(({ kind, target, change }) => ({ kind, target, change }));

describe('without a signal', () => {
  test.each([LIVE, SHADOW])('an overdue task is a finding: it is listed, and nothing waits ($ceiling)', async (env) => {
    const { vault, bench } = await opened({ [PAY]: late() }, env);
    const before = vault.read(PAY);
    const [result] = await bench.tick();
    expect(vault.events()).toEqual([]);
    expect(result?.events).toEqual([]);
    expect(vault.read(PAY)).toBe(before);
    expect(bench.waiting()).toEqual([]);
    expect(bench.status().findings).toEqual([
      { matter: 'matter/house.md', notes: [{ note: PAY, kind: 'overdue', since: ago(2) }] },
    ]);
    expect(bench.remembered('rate-guard').entries).toEqual([]);
    const explained = await bench.explain('pay');
    expect(explained.sections).toContainEqual({
      title: 'Without a signal',
      lines: [expect.stringContaining('Overdue for 3 days'), expect.any(String), expect.stringContaining('next time')],
    });
  });

  test.each<[string, Files]>([
    ['that is done', { [PAY]: late(3, { state: 'done' }) }],
    ['with surface_class: none', { [PAY]: late(3, { surface_class: 'none' }) }],
    ['that says hands off', { [PAY]: late(3, { steward: false }) }],
    ['of a matter that says so', { [PAY]: late(), 'matter/house.md': matter({ steward: false }) }],
    ['that is snoozed', { [PAY]: late(3, { state: 'snoozed', snoozed_until: ago(-9) }) }],
    ['that is put off', { [PAY]: late(3, { next_check_after: ago(-9) }) }],
    [
      'in the quiet hours',
      { [PAY]: late(), 'steward.md': settings({ quiet_hours: quietHoursAround(Clock.atNoon().now()) }) },
    ],
    ['that Plane shows', { [PAY]: late(3, { plane_issue_id: '0b1c' }) }],
    ['that has its state in `status`, as another program writes it', { [PAY]: late().replace('state:', 'status:') }],
  ])('nothing is noticed about a task %s', async (_, files) => {
    const { vault, bench } = await opened(files);
    await bench.tick();
    expect(vault.events()).toEqual([]);
    expect(noticed(bench)).toEqual([]);
  });

  test.each<[string, Files, string]>([
    ['a snooze is over', { [PAY]: task({ state: 'snoozed', snoozed_until: ago(1) }) }, 'snooze_over'],
    [
      'what blocked it is done',
      { [PAY]: task({ blocked_on: '[[deed]]' }), 'task/deed.md': task({ state: 'done' }) },
      'unblocked',
    ],
  ])('%s', async (_, files, kind) => {
    const { bench } = await opened(files);
    await bench.tick();
    expect(noticed(bench)).toEqual([{ note: PAY, kind }]);
    expect(bench.waiting()).toEqual([]);
  });

  test('a matter all of whose tasks are done, once that has rested', async () => {
    const { bench, clock } = await opened({ [PAY]: task({ state: 'done' }) });
    await bench.tick();
    expect(noticed(bench)).toEqual([]);
    clock.move(4 * DAY);
    await bench.tick();
    expect(noticed(bench)).toEqual([{ note: 'matter/house.md', kind: 'tasks_done' }]);
  });

  test('each matter has one entry, the most pressing first, with the high notes in front', async () => {
    const { bench } = await opened({
      'matter/flat.md': matter(),
      'task/a.md': late(2),
      'task/b.md': late(9, { parent_matter: '[[flat]]' }),
      'task/c.md': late(1, { surface_class: 'high' }),
      'task/d.md': late(4),
    });
    await bench.tick();
    expect(bench.status().findings.map(({ matter: of, notes }) => [of, notes.map(({ note }) => note)])).toEqual([
      ['matter/house.md', ['task/c.md', 'task/d.md', 'task/a.md']],
      ['matter/flat.md', ['task/b.md']],
    ]);
  });
});

describe('a mail of somebody whom the note names', () => {
  const then = new Date(Clock.atNoon().now() - 5 * DAY);
  const at = then.toISOString().replace(/\.\d+Z$/, 'Z');
  const DEED = 'task/deed.md';
  const SIBLING = 'signal/a.md';
  /** A mail of Anna's about another task of the matter. */
  const sibling = (fields: object = {}) =>
    ownSignal(SIBLING, {
      origin_at: at,
      target_path: DEED,
      status: 'skipped',
      headline: 'Contract',
      effect: 'none',
      mutation_proposal: null,
      ...fields,
    });
  const trusting = {
    'steward.md': settings({ default_schedule: SELDOM, trusted_mail_servers: ['mx.notary.example'] }),
  };
  const scene = (files: Files = {}) =>
    opened({
      ...trusting,
      [PAY]: late(),
      [DEED]: task(),
      [SIBLING]: sibling(),
      'stream/paid.eml': PAID_MAIL,
      ...files,
    });
  const mailOf = (from: string, subject: string, result = 'dmarc=pass') =>
    `Authentication-Results: mx.notary.example; ${result}\nFrom: ${from}\nTo: me@here.example\nDate: ${then.toUTCString()}\nMessage-ID: <1@notary.example>\nSubject: ${subject}\n\nHello.\n`;

  async function withMail(mail: string) {
    const world = await opened({ ...trusting, [PAY]: late(), 'stream/mail/a.eml': mail });
    await world.bench.sweep();
    await readStream(world.bench.ports, 'stream/mail/a.eml', new AbortController().signal);
    await world.bench.tick();
    return world;
  }

  test('that was about a sibling task makes a late one a question; yes closes the task, and can be undone', async () => {
    const { vault, bench, clock } = await scene();
    await bench.tick();
    const entry = only(bench.waiting());
    expect(entry).toMatchObject({
      kind: 'found',
      target: PAY,
      from: ANNA,
      quote: 'Contract',
      mail: 'stream/paid.eml',
      answers: ['confirm', 'dismiss', 'later'],
    });
    expect(entry.change).toMatch(
      /^state open → done: anna@notary\.example wrote on \d+ \w+ \(“Contract”\)\. Does that settle it\? It was due on \d{4}-/,
    );
    expect(entry.why).toEqual([expect.stringContaining('only you decide')]);
    const event = only(vault.events());
    const body = vault.read(event);
    expect(body).toContain('Does that settle it?');
    expect(body).not.toContain('Nothing was heard');
    expect(vault.fields(PAY).pending_confirmation).toBeUndefined();
    const before = vault.read(PAY);
    clock.move(HOUR);
    expect(await bench.confirm(event)).toMatchObject({ outcome: 'confirmed', calibration: {} });
    expect(vault.fields(PAY).state).toBe('done');
    expect(vault.events('instinct')).toEqual([]);
    clock.move(HOUR);
    expect(await bench.undo(only(vault.events('steward-action-confirmed')))).toMatchObject({ outcome: 'reversed' });
    expect(vault.read(PAY)).toBe(before);
  });

  test('that is understood already settles no other task: its change waits elsewhere, until it is dismissed', async () => {
    const said = {
      status: 'unrouted',
      effect: 'mutation',
      mutation_proposal: { class: 'state_change', set: { state: 'done' } },
    };
    const { vault, bench, clock } = await scene({ [SIBLING]: sibling(said) });
    await bench.tick();
    clock.move(HOUR);
    await bench.tick();
    expect(bench.waiting()).toMatchObject([{ kind: 'proposal', target: DEED }]);
    await bench.dismiss(only(vault.events()));
    clock.move(5 * DAY); // the next time that it is looked at as late
    await bench.tick();
    expect(bench.waiting()).toMatchObject([{ kind: 'found', target: PAY }]);
  });

  test('no means no: it is not asked about that mail again, and the finding stays a finding', async () => {
    const { vault, bench, clock } = await scene();
    await bench.tick();
    await bench.dismiss(only(vault.events()));
    for (let day = 0; day < 10; day += 1) {
      clock.move(DAY);
      await bench.tick();
    }
    expect(bench.waiting()).toEqual([]);
    expect(noticed(bench)).toEqual([{ note: PAY, kind: 'overdue' }]);
  });

  test('is asked about once, for the most pressing of the late tasks', async () => {
    const { bench } = await scene({ 'task/older.md': late(9) });
    await bench.tick();
    expect(waits(bench)).toMatchObject([{ target: 'task/older.md' }]);
  });

  test('that gave no signal counts as well', async () => {
    const { bench } = await withMail(mailOf(`Anna <${ANNA}>`, 'News from us'));
    expect(only(bench.waiting())).toMatchObject({ target: PAY, mail: 'stream/mail/a.eml' });
    expect(only(waits(bench)).change).toContain(`${ANNA} wrote on`);
  });

  test('is not said to be theirs if no server vouches for it', async () => {
    const { bench } = await withMail(mailOf(`Anna <${ANNA}>`, 'News from us', 'dmarc=none'));
    expect(only(waits(bench)).change).toContain(`A mail that names ${ANNA} as its sender came on`);
  });

  test.each([
    ['rejected by the server', mailOf(`Anna <${ANNA}>`, 'News from us', 'dmarc=fail')],
    ['of somebody else', mailOf('Eve <eve@evil.example>', 'News from us', 'dmarc=pass')],
    ['of somebody else whose name is an address', mailOf(`"${ANNA}" <eve@evil.example>`, 'News', 'dmarc=pass')],
  ])('nothing is asked about a mail %s', async (_, mail) => {
    const { bench } = await withMail(mail);
    expect(bench.waiting()).toEqual([]);
    expect(noticed(bench)).toEqual([{ note: PAY, kind: 'overdue' }]);
  });

  test('a subject is only text in the question', async () => {
    const subject = '=?utf-8?Q?[[house]]_%%_/steward_%%_=E2=80=AE<b>![x](https://evil.example)?=';
    const { vault, bench } = await withMail(mailOf(`Anna <${ANNA}>`, subject));
    const [, , body = ''] = vault.read(only(vault.events())).split(/^---$/m);
    expect(body).not.toMatch(/!\[|<b>|(?<!\\)\[\[house\]\]|‮|%% \/steward %% <|https:\/\//);
    expect(only(waits(bench)).change).not.toMatch(/‮|\[\[|<b>/);
  });

  test('nothing is asked about a mail of which a hand-dropped note tells', async () => {
    const { bench } = await scene({
      'steward.md': settings({ default_schedule: SELDOM, trusted_signal_sources: [] }),
      [SIBLING]: weak({
        effect: 'none',
        mutation_proposal: null,
        origin_at: at,
        target_path: DEED,
        pattern: ANNA,
        status: 'skipped',
      }),
    });
    await bench.tick();
    expect(bench.waiting()).toEqual([]);
  });

  test('nor if it is long ago, or the task is not late', async () => {
    const old = new Date(Clock.atNoon().now() - 40 * DAY).toISOString();
    for (const files of [{ [SIBLING]: sibling({ origin_at: old }) }, { [PAY]: task({ due: ago(-3) }) }]) {
      const { bench } = await scene(files);
      await bench.tick();
      expect(bench.waiting()).toEqual([]);
    }
  });

  test('nor where something else about the note waits for the user', async () => {
    const { bench } = await scene({ 'signal/b.md': weak() });
    await bench.tick();
    await bench.tick();
    expect(waits(bench)).toMatchObject([{ kind: 'proposal' }]);
  });

  test('nor twice if what was remembered is lost: the notes tell', async () => {
    const { vault, bench, clock } = await scene();
    await bench.tick();
    bench.close();
    vault.remove('.steward/state');
    const again = await Bench.open(vault, { clock });
    await again.tick();
    expect(vault.events()).toHaveLength(1);
  });

  test.each([
    ['a new date', (vault: TempVault) => vault.edit(PAY, ago(3), ago(-9))],
    ['done', (vault: TempVault) => vault.edit(PAY, 'state: open', 'state: done')],
    ['gone', (vault: TempVault) => vault.remove(PAY)],
    ['put off', (vault: TempVault) => vault.write(PAY, late(3, { next_check_after: ago(-30) }))],
    ['of a matter that is done', (vault: TempVault) => vault.write('matter/house.md', matter({ state: 'done' }))],
  ])('the question closes itself if the task is %s', async (_, mend) => {
    const { vault, bench, clock } = await scene();
    await bench.tick();
    const event = only(vault.events());
    clock.move(HOUR);
    mend(vault);
    await bench.follow();
    expect(bench.waiting()).toEqual([]);
    expect(vault.fields(event)).toMatchObject({ waiting: false, pending_confirmation: false });
    expect(noticed(bench)).toEqual([]);
  });

  test('a running daemon closes it as soon as the matter says so', async () => {
    const { vault, clock, bench } = await scene();
    await bench.tick();
    bench.close();
    const running = await Running.start(vault, { clock });
    clock.move(HOUR);
    vault.write('matter/house.md', matter({ state: 'done' }));
    await running.sync();
    await expect.poll(() => vault.fields(only(vault.events())).waiting).toBe(false);
  });

  test('a day brings a limited number of questions, and a clock that ran ahead does not silence the next ones', async () => {
    const matters = Array.from({ length: 30 }, (_, nth) => ({
      [`matter/m${nth}.md`]: matter({ senders: [`p${nth}@notary.example`] }),
      [`task/t${nth}.md`]: late(nth + 2, { parent_matter: `[[m${nth}]]` }),
      [`signal/s${nth}.md`]: ownSignal(`signal/s${nth}.md`, {
        ...{ origin_at: at, status: 'skipped', effect: 'none', mutation_proposal: null, target_path: DEED },
        ...{ pattern: `p${nth}@notary.example`, source_event_path: `stream/${nth}.eml` },
      }),
    }));
    const { vault, bench, clock } = await scene(Object.assign({}, ...matters));
    clock.move(900 * DAY);
    await bench.tick();
    clock.move(-900 * DAY);
    await bench.tick();
    await bench.tick();
    const first = vault.events().length;
    expect(first).toBe(MOST_A_DAY.entries);
    clock.move(DAY);
    await bench.tick();
    expect(vault.events().length).toBeLessThanOrEqual(2 * MOST_A_DAY.entries);
    expect(vault.events().length).toBeGreaterThan(first);
    expect(bench.remembered('perception').since).toBeLessThanOrEqual(clock.now());
  });
});

describe('what is untouched for weeks', () => {
  const OLD = {
    'matter/old.md': matter(),
    'task/a.md': task({ parent_matter: '[[old]]' }),
    'task/b.md': task({ parent_matter: '[[old]]' }),
  };
  async function silent(more: Files = {}) {
    const vault = new TempVault({ ...PLAIN, ...more });
    for (const [file, text] of Object.entries(OLD)) vault.write(file, text, 7 * WEEK);
    const clock = Clock.atNoon();
    return { vault, clock, bench: await Bench.open(vault, { clock }) };
  }

  test('is listed and changes nothing', async () => {
    const { vault, bench } = await silent();
    const before = vault.read('matter/old.md');
    await bench.tick();
    expect(vault.events()).toEqual([]);
    expect(noticed(bench)).toEqual([{ note: 'matter/old.md', kind: 'silent' }]);
    expect(vault.read('matter/old.md')).toBe(before);
  });

  test('a matter speaks for its tasks; one task that somebody touched leaves the other to speak for itself', async () => {
    const { vault, bench } = await silent();
    vault.write('task/b.md', OLD['task/b.md']);
    await bench.tick();
    expect(noticed(bench)).toEqual([{ note: 'task/a.md', kind: 'silent' }]);
  });

  test('an affair with a task that is overdue, or has a day ahead, is not untouched', async () => {
    for (const [days, found] of [
      [-3, []],
      [3, [{ note: 'task/b.md', kind: 'overdue' }]],
    ] as const) {
      const { vault, bench } = await silent();
      vault.write('task/b.md', late(days, { parent_matter: '[[old]]' }), 7 * WEEK);
      await bench.sweep();
      await bench.tick();
      expect(noticed(bench)).toEqual(found);
    }
  });

  test('a signal counts as a touch', async () => {
    const { bench } = await silent({
      'signal/a.md': weak({ target_path: 'task/a.md', effect: 'none', status: 'skipped' }),
    });
    await bench.tick();
    expect(noticed(bench)).toEqual([{ note: 'task/b.md', kind: 'silent' }]);
  });

  test('an edit takes it off the list', async () => {
    const { vault, bench, clock } = await silent();
    await bench.tick();
    clock.move(HOUR);
    vault.edit('matter/old.md', 'A matter.', 'A matter of note.');
    await bench.tick();
    expect(noticed(bench)).toEqual(['a', 'b'].map((name) => ({ note: `task/${name}.md`, kind: 'silent' })));
  });
});

describe('the daemon', () => {
  const PAGE = settings({ default_schedule: 'every 30m' }).replace(
    'Settings.',
    '<!-- steward:seen -->\n<!-- /steward:seen -->\n\nMine.',
  );

  test('looks around at its start, and keeps the findings on the front page, a line for each matter', async () => {
    const vault = new TempVault({ ...PLAIN, 'steward.md': PAGE, [PAY]: late(), 'task/b.md': late(9) });
    const clock = Clock.atNoon();
    const running = await Running.start(vault, { clock });
    const lives = async (ms: number) => {
      clock.move(ms);
      await running.daemon.wake();
      await running.daemon.idle();
    };
    await expect.poll(() => vault.read('steward.md')).toContain('overdue: 2');
    await lives(35 * MINUTE);
    await lives(65 * MINUTE);
    const lines = `overdue: 2\n\n- [[house]]: [[b]] overdue since ${ago(8)}, [[pay]] overdue since ${ago(2)}\n`;
    await lives(10 * MINUTE);
    await expect.poll(() => vault.read('steward.md')).toContain(lines);
    expect(vault.events()).toEqual([]);
    const page = vault.read('steward.md');
    for (let day = 0; day < 10; day += 1) await lives(DAY / 5);
    expect(vault.read('steward.md')).toBe(page);
    vault.edit(PAY, 'state: open', 'state: done');
    vault.edit('task/b.md', ago(9), ago(-90));
    await lives(HOUR);
    await expect.poll(() => vault.read('steward.md')).toContain('No findings.');
    expect(vault.read('steward.md')).toContain('Mine.');
  });
});

test('LAW: a tick goes over what earlier looks found only where it has changed', async () => {
  const tasks = Array.from({ length: 50 }, (_, nth) => [`task/t${nth}.md`, late()]);
  const { vault, clock, bench } = await opened(Object.fromEntries(tasks));
  await bench.tick();
  const followed = vi.spyOn(StateSelection.prototype, 'follow');
  onTestFinished(() => followed.mockRestore());
  clock.move(MINUTE);
  vault.write('task/t7.md', late(4));
  clock.move(DAY);
  await bench.tick('house');
  expect(followed.mock.calls.length).toBeLessThan(50 + 2 * MOST_A_DAY.entries);
  followed.mockClear();
  clock.move(MINUTE);
  await bench.tick('house');
  expect(followed).not.toHaveBeenCalled();
});
