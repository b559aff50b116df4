import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/daemon/environment.ts';
import type { KeptNote } from '../../src/daemon/managed-notes.ts';
import { adviceSentence, composeReport, REPORT_NOTE, report, type Scorecard } from '../../src/features/report.ts';
import { stem } from '../../src/vault/layout.ts';
import { Clock, DAY, MINUTE } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../support/notes.ts';
import { ownLicence } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { type Answer, acts, liveThrough, SENDERS, shadowWeek } from '../support/week.ts';
import { Bench, LIVE, only, SHADOW } from '../support/workspace.ts';

const PLAIN = { ...HOUSE, 'task/pay.md': task(), 'instinct/mail.md': instinct('mail', { observations: 60 }) };
const SIGNAL = 'signal/2026-11-21T20-19-54Z-0a1b2c3d.md';
const ALL = { since: null, matter: null };

function tasks(count: number): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, nth) => nth);
  return Object.fromEntries(
    numbers.flatMap((nth) => [
      [`task/t${nth}.md`, task({ due: '2035-12-01' })],
      [`signal/s${nth}.md`, signal({ target_path: `task/t${nth}.md`, raw_quote: `paid ${nth}` })],
    ]),
  );
}

async function reported(vault: TempVault, clock = new Clock(), env = SHADOW): Promise<Scorecard> {
  const bench = await Bench.open(vault, { env, clock });
  return composeReport(bench.ports, null, null);
}

async function learnt(vault: TempVault, clock: Clock): Promise<void> {
  const bench = await Bench.open(vault, { env: LIVE, clock });
  await bench.learn();
  bench.close();
}

async function kept(vault: TempVault): Promise<KeptNote> {
  const bench = await Bench.open(vault, { env: SHADOW });
  const { note } = await report(bench.ports, ALL);
  bench.close();
  return note;
}

describe('a simulated week in shadow', () => {
  const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer);

  /** The answers mixed, so that each sender gets of each kind. */
  function mixed(...answers: readonly Answer[]): Answer[] {
    return answers.map((_, nth) => answers[(nth * 11) % answers.length] ?? 'leaves it');
  }

  /** One licence for each of the three senders, on its matter. */
  const LICENSED = Object.fromEntries(
    SENDERS.map((sender, nth) => {
      const path = `licence/m${nth}.md`;
      return [path, ownLicence(path, { sender: `mail:${sender}`, matter: `[[m${nth}]]` })];
    }),
  );
  const ordinary = () =>
    mixed(...times(14, 'confirms'), ...times(9, 'does it'), ...times(2, 'dismisses'), ...times(5, 'leaves it'));

  test('an ordinary one without licences makes no mode ready, and says why', async () => {
    const { vault, clock } = await shadowWeek(ordinary());
    const { advice, licences } = await reported(vault, clock);
    expect(advice.map(adviceSentence)).toEqual([
      'live_high_confidence_only: not yet. 25 decisions known, 23 right: 92 % of 25 (75 % to 98 %). No licence covers any of these changes: see `steward licence`.',
      'live: not yet. 25 decisions known, 23 right: 92 % of 25 (75 % to 98 %). No licence covers any of these changes: see `steward licence`.',
    ]);
    expect(licences.map(({ lack }) => lack)).toEqual(times(3, 'confirms').map(() => 'No licence here.'));
  });

  test('an ordinary one, of thirty proposals of three licensed senders, makes both live modes ready', async () => {
    const { vault, clock } = await shadowWeek(ordinary(), LICENSED);
    const { total, advice, licences, sources } = await reported(vault, clock);
    expect(total).toMatchObject({ cases: 30, shadow: 30, right: 23, wrong: 2 });
    expect(total.fates).toMatchObject({ confirmed: 14, borne_out: 9, dismissed: 2, open: 5 });
    expect(advice.map(adviceSentence)).toEqual([
      'live_high_confidence_only: ready. 25 decisions known, 23 right: 92 % of 25 (75 % to 98 %).',
      'live: ready. 25 decisions known, 23 right: 92 % of 25 (75 % to 98 %).',
    ]);
    expect(sources.map(({ name }) => name)).toEqual(SENDERS.map((sender) => `mail:${sender}`).sort());
    expect(licences.map(({ known, lack }) => [known, lack])).toEqual(
      times(3, 'confirms').map(() => ['licensed', null]),
    );
  });

  test('a short one says how many decisions are missing, and what each sender still lacks', async () => {
    const { vault, clock } = await shadowWeek(mixed(...times(8, 'confirms'), 'dismisses', ...times(5, 'does it')));
    const { advice, licences } = await reported(vault, clock);
    expect(advice.map(adviceSentence)[1]).toBe(
      'live: not yet. 14 of 20 decisions known, 13 right: 92 % of 14 (68 % to 99 %). 6 more right decisions needed. No licence covers any of these changes: see `steward licence`.',
    );
    expect(licences.map(({ source, right, kinds }) => [source, right, kinds])).toEqual([
      ['mail:anna@notary.example', 5, []],
      ['mail:billing@roof.example', 5, []],
      ['mail:office@garden.example', 3, []],
    ]);
  });

  test('a bad one makes nothing ready, and a sender who was wrong five times in a row is heard no more', async () => {
    const { vault, clock } = await shadowWeek(
      mixed(...times(11, 'confirms'), ...times(5, 'does it'), ...times(8, 'dismisses'), ...times(6, 'does otherwise')),
    );
    const { total, advice, licences } = await reported(vault, clock);
    expect(licences.filter(({ lack }) => lack?.includes('is pruned') === true)).toHaveLength(1);
    expect(total).toMatchObject({ cases: 27, right: 13, wrong: 14, fates: { contradicted: 6, dismissed: 8 } });
    expect(advice.map(({ ready, missing }) => [ready, missing])).toEqual(
      times(2, 'confirms').map(() => [false, 'certainty']),
    );
  });

  test('one that nobody answered is not ready either, a week later', async () => {
    const { vault, clock } = await shadowWeek([...times(20, 'confirms'), ...times(21, 'leaves it')], LICENSED);
    clock.move(8 * DAY);
    const { advice } = await reported(vault, clock);
    expect(advice.map(({ missing, unheard }) => [missing, unheard])).toEqual([
      ['silence', 21],
      ['silence', 21],
    ]);
  });
});

describe('a week in shadow', () => {
  test('what a person did by hand afterwards tells how often it would have been right, and in which mode', async () => {
    const vault = new TempVault({ ...PLAIN, ...tasks(5) });
    const bench = await Bench.open(vault, { env: SHADOW });
    await bench.tick();
    vault.edit('task/t0.md', 'state: open', 'state: done');
    vault.edit('task/t1.md', 'state: open', 'state: archived');
    vault.edit('task/t2.md', 'due: 2035-12-01', 'due: 2035-12-24');
    await bench.confirm(only(vault.events().filter((event) => event.endsWith('-t3.md'))));
    await bench.dismiss(only(vault.events().filter((event) => event.endsWith('-t4.md'))));
    bench.close();

    const { total, modes, sources, advice } = await reported(vault);
    expect(total).toMatchObject({ cases: 5, shadow: 5, acted: 0, proposed: 0, right: 2, wrong: 2 });
    expect(total.fates).toMatchObject({ borne_out: 1, contradicted: 1, open: 1, confirmed: 1, dismissed: 1 });
    expect(modes.map(({ mode, acts: acting, right, wrong }) => [mode, acting, right, wrong])).toEqual([
      ['shadow', 0, 0, 0],
      ['live_high_confidence_only', 5, 2, 2],
      ['live', 5, 2, 2],
    ]);
    expect(sources.map(({ name }) => name)).toEqual(['mail']);
    expect(advice.every(({ ready }) => !ready)).toBe(true);
  });

  test('twelve that were all right make the first live mode ready', async () => {
    const vault = new TempVault({ ...PLAIN, ...tasks(12) });
    await (await Bench.open(vault, { env: SHADOW })).tick();
    for (let nth = 0; nth < 12; nth += 1) vault.edit(`task/t${nth}.md`, 'state: open', 'state: done');
    const { advice } = await reported(vault);
    expect(advice.map(({ mode, ready }) => [mode, ready])).toEqual([
      ['live_high_confidence_only', true],
      ['live', false],
    ]);
  });

  test('the same thing said twice counts once, and what a later event saw of the note counts too', async () => {
    const vault = new TempVault({ ...PLAIN, 'signal/s1.md': signal() });
    const clock = new Clock();
    const bench = await Bench.open(vault, { env: SHADOW, clock });
    await bench.tick();
    clock.move(MINUTE);
    vault.write('signal/s2.md', signal({ raw_quote: 'again' }));
    await bench.tick();
    vault.edit('task/pay.md', 'state: open', 'state: done');
    expect((await reported(vault)).total.fates).toMatchObject({ overtaken: 1, borne_out: 1 });

    clock.move(MINUTE);
    vault.write('signal/s3.md', weak({ mutation_proposal: { class: 'context_edit', set: { due: '2035-12-24' } } }));
    await bench.tick('house');
    vault.edit('task/pay.md', 'state: done', 'state: open');
    expect((await reported(vault)).total.fates).toMatchObject({ overtaken: 1 });
  });
});

test('a signal weighed again overtakes what it first led to, though nothing comes of it any more', async () => {
  const proposal = { class: 'parent_matter', set: { parent_matter: '[[garden]]' } };
  const vault = new TempVault({
    ...PLAIN,
    'matter/garden.md': matter(),
    [SIGNAL]: weak({ source_type: 'bank', mutation_proposal: proposal }),
  });
  const bench = await Bench.open(vault, { env: LIVE });
  await bench.tick();
  vault.remove('matter/garden.md');
  vault.edit('task/pay.md', 'state: open', 'state: snoozed');
  await bench.tick();
  expect((await reported(vault)).cases.map(({ outcome, fate }) => [outcome, fate])).toEqual([
    ['proposed', 'overtaken'],
  ]);
});

describe('live', () => {
  test('an action that is taken back or set back by hand is wrong; one that is left alone says nothing', async () => {
    const vault = new TempVault({ ...PLAIN, ...tasks(3) });
    const clock = new Clock();
    const bench = await Bench.open(vault, { env: LIVE, clock });
    await bench.tick();
    await bench.undo(only(vault.events().filter((event) => event.endsWith('-t0.md'))));
    vault.edit('task/t1.md', 'state: done', 'state: open');
    bench.close();
    const now = await reported(vault, clock);
    expect(now.total.fates).toMatchObject({ reversed: 1, contradicted: 1, open: 1 });
    await learnt(vault, clock);
    clock.move(8 * DAY);
    const fates = { reversed: 1, contradicted: 1, silent: 1 };
    expect((await reported(vault, clock, LIVE)).total).toMatchObject({ acted: 3, right: 0, wrong: 2, fates });
    await learnt(vault, clock);
    expect((await reported(vault, clock, LIVE)).total).toMatchObject({ acted: 3, right: 0, wrong: 2, fates });
  });

  test('since a day, and of one matter', async () => {
    const other = { 'matter/garden.md': matter(), 'task/dig.md': task({ parent_matter: '[[garden]]' }) };
    const vault = new TempVault({
      ...PLAIN,
      ...other,
      [SIGNAL]: signal(),
      'signal/s2.md': signal({ target_path: 'task/dig.md' }),
    });
    const bench = await Bench.open(vault, { env: LIVE });
    await bench.tick();
    expect((await composeReport(bench.ports, null, 'garden')).cases.map(({ target }) => target)).toEqual([
      'task/dig.md',
    ]);
    expect((await composeReport(bench.ports, Date.now() + DAY, null)).total.cases).toBe(0);
    await expect(composeReport(bench.ports, null, 'nothing')).rejects.toThrow(/no matter/);
  });
});

test('over weeks of signals, answers and edits the figures are those of a plain recount of the event notes', async () => {
  await fc.assert(
    fc.asyncProperty(acts({ minLength: 10, maxLength: 25 }), fc.constantFrom(LIVE, SHADOW), async (week, env) => {
      const vault = await liveThrough(week, env);
      const { total, cases, sources } = await reported(vault, new Clock(), env);
      const notes = vault.events().map((file) => ({ file, fields: vault.fields(file) }));
      const decisions = notes.filter(
        ({ file, fields }) => !/-(confirmed|dismissed|reversed)-/.test(file) && hasChanges(fields.changes),
      );
      expect(cases.map(({ event }) => event).sort()).toEqual(decisions.map(({ file }) => stem(file)).sort());
      const acted = decisions.filter(({ fields }) => fields.undo_recipe !== null);
      expect(total.acted).toBe(acted.length);
      expect(total.shadow + total.proposed + total.acted).toBe(decisions.length);
      const count = (kind: string) => notes.filter(({ file }) => file.includes(`-${kind}-`)).length;
      expect(total.fates.dismissed).toBe(count('dismissed'));
      expect(total.fates.confirmed).toBeLessThanOrEqual(count('confirmed'));
      expect(total.fates.reversed).toBeLessThanOrEqual(count('reversed'));
      expect(total.right + total.wrong + total.fates.open + total.fates.overtaken).toBe(total.cases);
      const mail = decisions.filter(({ fields }) => Object.keys(fields.source_contributions ?? {}).includes('mail'));
      expect(sources.find(({ name }) => name === 'mail')?.tally.cases ?? 0).toBe(mail.length);
    }),
    { numRuns: lawRuns(6) },
  );
});

test('what somebody else writes into an event note, as if it had taught, is not believed', async () => {
  const vault = new TempVault({ ...PLAIN, [SIGNAL]: signal() });
  await (await Bench.open(vault, { env: SHADOW })).tick();
  vault.edit(only(vault.events()), 'confirm: false', 'confirm: false\ntaught: right\ntaught_by: made by hand');
  expect((await reported(vault)).total).toMatchObject({ cases: 1, right: 0, fates: { open: 1, borne_out: 0 } });
});

test('the report says the same of a decision whether it was learnt from or not', async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(acts({ minLength: 12, maxLength: 30 }), fc.constantFrom(LIVE, SHADOW), async (week, env) => {
      const vault = await liveThrough(week, env);
      const fates = async (reader: Environment) => {
        const { cases } = await reported(vault, new Clock(), reader);
        return cases.map(({ event, fate }) => `${event}: ${fate}`);
      };
      const learnt = vault.events().filter((event) => vault.fields(event).taught !== undefined);
      told += learnt.length;
      const own = await fates(env);
      // With another key, and the user's yes to the notes of the first, the answers count, and nothing of what they taught.
      const stranger = { ...env, sealKey: `${vault.home}/another-key` };
      const bench = await Bench.open(vault, { env: stranger });
      if (vault.events().length > 0) await bench.answerNamed('confirm', 'this-vault');
      bench.close();
      // What a person set and changed again between two event notes is in none of them: then only what was learnt shows it.
      const isUnseen = (one: string, nth: number) =>
        /: overtaken$/.test(one) && /: (?:borne_out|contradicted)$/.test(own[nth] ?? '');
      const theirs = await fates(stranger);
      expect(theirs.map((one, nth) => (isUnseen(one, nth) ? own[nth] : one))).toEqual(own);
    }),
    { numRuns: lawRuns(8) },
  );
  expect(told).toBeGreaterThan(1);
});

function hasChanges(changes: unknown): boolean {
  return typeof changes === 'object' && changes !== null && Object.keys(changes).length > 0;
}

describe('the note', () => {
  async function acted(): Promise<TempVault> {
    const vault = new TempVault({ ...PLAIN, 'steward.md': settings({ settle_seconds: 0 }), [SIGNAL]: signal() });
    const bench = await Bench.open(vault, { env: LIVE });
    await bench.tick();
    bench.close();
    return vault;
  }

  test('is made, holds charts and links to the events, and is no record', async () => {
    const vault = await acted();
    expect(await kept(vault)).toEqual({ path: REPORT_NOTE, state: 'made', reason: null });
    const text = vault.read(REPORT_NOTE);
    expect(vault.fields(REPORT_NOTE)).toEqual({ steward: false });
    expect(text).toMatch(/^```mermaid\n%%\{init: \{.*\}\}%%\npie showData$/m);
    expect(text).toContain(`[[${stem(only(vault.events()))}]]`);
    const bench = await Bench.open(vault);
    expect(bench.catalogue.get(REPORT_NOTE)).toBeUndefined();
    expect(bench.catalogue.bad()).toEqual([]);
  });

  test('is not touched where it says so already', async () => {
    const vault = await acted();
    await kept(vault);
    const before = fs.statSync(vault.at(REPORT_NOTE));
    expect((await kept(vault)).state).toBe('unchanged');
    expect(fs.statSync(vault.at(REPORT_NOTE))).toMatchObject({
      ino: before.ino,
      mtimeMs: before.mtimeMs,
      ctimeMs: before.ctimeMs,
    });
  });

  test('keeps what a person wrote around the program’s part, byte for byte', async () => {
    const vault = await acted();
    await kept(vault);
    const made = vault.read(REPORT_NOTE);
    const [from, to] = [
      made.indexOf('%% steward: report %%'),
      made.indexOf('%% /steward %%') + '%% /steward %%'.length,
    ];
    // As a version before it signed its part, and another text: nobody has typed that.
    const older = made
      .slice(from, to)
      .replace('decision', 'DECISION')
      .replace(/^%% [0-9a-f]{16} %%\n/m, '');
    const words = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\r\n', '#', '- [ ] ', '```\n', '%%', '|', '🌱', '\t'),
    });
    await fc.assert(
      fc.asyncProperty(words, words, async (above, below) => {
        vault.write(REPORT_NOTE, `x${above}\n${older}${below}`);
        expect((await kept(vault)).state).toBe('changed');
        expect(vault.read(REPORT_NOTE)).toBe(`x${above}\n${made.slice(from, to)}${below}`);
      }),
      { numRuns: lawRuns(15) },
    );
  });

  test('gets its part behind a person’s own text of that name, and what it replaces is kept', async () => {
    const vault = await acted();
    vault.write(REPORT_NOTE, 'My own report.');
    expect((await kept(vault)).state).toBe('changed');
    expect(vault.read(REPORT_NOTE).startsWith('My own report.\n\n%% steward: report %%\n')).toBe(true);
    expect(vault.names('.steward/history').some((name) => name.startsWith('report-action-'))).toBe(true);
  });

  test.each([
    ['a mark is missing', 'text\n%% steward: report %%\nrest'],
    ['there are two parts', '%% steward: report %%\n%% /steward %%\n%% steward: report %%\n%% /steward %%\n'],
    ['the marks are the wrong way round', '%% /steward %%\n%% steward: report %%\n'],
    ['it is no note', '\u0000'],
    ['its frontmatter is broken', '---\na: [\n---\n'],
  ])('is left as it is where %s', async (_, text) => {
    const vault = await acted();
    vault.write(REPORT_NOTE, text);
    expect(await kept(vault)).toMatchObject({ state: 'left', reason: expect.any(String) });
    expect(vault.read(REPORT_NOTE)).toBe(text);
  });

  test('is left to who is typing in it, where that would take long to wait for; what is quiet is waited for', async () => {
    const vault = await acted();
    vault.write('steward.md', settings({ settle_seconds: 600 }));
    vault.write(REPORT_NOTE, 'My own report.', 0);
    expect(await kept(vault)).toMatchObject({ state: 'left', reason: expect.stringContaining('editing it just now') });
    expect(vault.read(REPORT_NOTE)).toBe('My own report.');
    vault.write('steward.md', settings({ settle_seconds: 1 }));
    vault.write(REPORT_NOTE, 'My own report.', 0);
    expect((await kept(vault)).state).toBe('changed');
  });

  test('is left alone where it leads out of the vault, or is a folder', async () => {
    const vault = await acted();
    fs.writeFileSync(`${vault.home}/outside.md`, 'theirs');
    fs.symlinkSync(`${vault.home}/outside.md`, vault.at(REPORT_NOTE));
    expect((await kept(vault)).state).toBe('left');
    expect(fs.readFileSync(`${vault.home}/outside.md`, 'utf8')).toBe('theirs');
    vault.remove(REPORT_NOTE);
    fs.mkdirSync(vault.at(REPORT_NOTE));
    expect((await kept(vault)).state).toBe('left');
  });

  test('draws no more than it means to, whatever notes and sources are called', async () => {
    const hostile = 'a%% /steward %%`';
    const vault = new TempVault({
      ...PLAIN,
      [`task/${hostile}.md`]: task(),
      [SIGNAL]: signal({ target_path: `task/${hostile}.md`, source_type: '"]\n```\n%% /steward %% | [[x]]' }),
    });
    await (await Bench.open(vault, { env: LIVE })).tick();
    await kept(vault);
    const text = vault.read(REPORT_NOTE);
    expect(text.split('%% /steward %%')).toHaveLength(2);
    expect(text.match(/^```/gm)).toHaveLength(2);
    expect(await kept(vault)).toMatchObject({ state: 'unchanged' });
  });

  test('is kept by the daemon where one runs, beside what it says', async () => {
    const vault = await acted();
    const running = await Running.start(vault, { env: LIVE });
    const answer = await running.ask({ op: 'report', ...ALL });
    expect(answer).toMatchObject({ report: { total: { cases: 1, acted: 1 } }, note: { state: 'made' } });
    expect(await running.ask({ op: 'report', ...ALL })).toMatchObject({ note: { state: 'unchanged' } });
  });
});
