import { describe, expect, test } from 'vitest';
import { MOST_A_DAY } from '../../src/steward/perceive.ts';
import { localDate } from '../../src/vault/time.ts';
import { MessagesServer, noteOf, type Script, textOf } from '../providers/messages-server.ts';
import { Clock, DAY, HOUR } from '../support/clock.ts';
import { matter, SELDOM, settings, task } from '../support/notes.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, only } from '../support/workspace.ts';

const PAY = 'task/pay.md';
const ago = (days: number) => localDate(Clock.atNoon().now() - days * DAY);
const PLAIN = {
  'steward.md': settings({ default_schedule: SELDOM }),
  'matter/house.md': matter({ summary: 'The house' }),
};
const HIGH = { [PAY]: task({ surface_class: 'high' }) };

/** A model that says the same of every note. */
const says =
  (said: object): Script =>
  (asked) => ({
    do: 'say',
    text: JSON.stringify({
      note: noteOf(asked),
      decision: 'needs_input',
      confidence: 0.8,
      reasoning: 'Did the bank answer?',
      ...said,
    }),
  });

async function world(script: Script, files: Files) {
  const server = await MessagesServer.start(script);
  const vault = new TempVault({ ...PLAIN, ...files });
  const clock = Clock.atNoon();
  const bench = await Bench.open(vault, { env: { ...LIVE, provider: server.access }, clock });
  return { server, vault, clock, bench };
}

describe('a model looks at a note without a signal', () => {
  test('it is given the note, its matter and the facts; what it says is put to the person', async () => {
    const { server, vault, bench } = await world(says({ reasoning: 'The deposit is late: will you ask Anna?' }), {
      [PAY]: task({ due: ago(3) }),
    });
    const before = vault.read(PAY);
    await bench.tick();
    expect(vault.fields(only(vault.events()))).toMatchObject({
      decision: 'needs_input',
      confidence: 0.8,
      change: 'The deposit is late: will you ask Anna?',
      changes: {},
      source_contributions: {},
      evaluator: 'claude-sonnet-5-5 (prompt perceive-4)',
      perceived: expect.stringMatching(/^judged [0-9a-f]{16}$/),
      usage: { model: 'claude-sonnet-5-5' },
    });
    expect(vault.read(PAY)).toBe(before);
    const asked = textOf(only(server.requests));
    expect(asked).toContain('"summary":"The house"');
    expect(asked).toContain(`Overdue for 3 days (due ${ago(3)}).`);
    expect(bench.remembered('rate-guard').entries).toHaveLength(1);
    expect(bench.remembered('budget').entries).toHaveLength(1);
  });

  test.each([
    ['still_active', 'Did the bank answer?', []],
    ['likely_done', 'Did the bank answer?', []],
    ['stale_archive_candidate', 'Did the bank answer?', []],
    ['needs_input', 'It is late.', []],
    ['needs_input', 'Did the bank answer?', ['needs_input']],
  ])('%s with “%s” becomes %j, and never a change', async (decision, reasoning, decisions) => {
    const changes = [{ field: 'due', op: 'set', value: '2030-01-01' }];
    const { vault, bench } = await world(says({ decision, reasoning, changes }), HIGH);
    const before = vault.read(PAY);
    await bench.tick();
    expect(vault.events().map((path) => vault.fields(path).decision)).toEqual(decisions);
    for (const path of vault.events()) expect(vault.fields(path)).toMatchObject({ undo_recipe: null });
    expect(vault.events().flatMap((path) => Object.keys(vault.fields(path).changes ?? {}))).toEqual([]);
    expect(vault.read(PAY)).toBe(before);
  });

  test('LAW: in thirty days in which nothing changes it is asked once for each day that matters', async () => {
    const { server, bench, clock } = await world(says({ decision: 'still_active' }), {
      [PAY]: task({ surface_class: 'high', due: ago(-2) }),
      'task/calm.md': task(),
    });
    for (let look = 0; look < 30 * 3; look += 1) {
      await bench.tick();
      clock.move(DAY / 3);
    }
    // Before it is near, near, and overdue for 1, 3, 7 and 14 days.
    expect(server.requests.map(noteOf)).toEqual(Array(6).fill(PAY));
  });

  test('again where the note or its matter has changed, not where only its file time has', async () => {
    const { server, vault, bench, clock } = await world(says({ decision: 'still_active' }), HIGH);
    const looks = async () => {
      await bench.tick();
      clock.move(HOUR);
      return server.requests.length;
    };
    expect([await looks(), await looks()]).toEqual([1, 1]);
    vault.write(PAY, HIGH[PAY], 2 * HOUR);
    expect(await looks()).toBe(1);
    vault.edit(PAY, 'A task.', 'A task, and more.');
    expect(await looks()).toBe(2);
    vault.edit('matter/house.md', 'The house', 'The other house');
    expect([await looks(), await looks()]).toEqual([3, 3]);
  });

  test('what it found is closed where the note has changed since', async () => {
    const { vault, bench, clock } = await world(says({}), HIGH);
    await bench.tick();
    expect(bench.waiting()).toHaveLength(1);
    clock.move(HOUR);
    vault.edit(PAY, 'A task.', 'A task, and more.');
    await bench.follow();
    expect(bench.waiting()).toEqual([]);
    expect(vault.fields(only(vault.events()))).toMatchObject({ waiting: false, outcome: 'expired' });
  });

  test('a day takes so many questions, whatever the vault holds, and they come back the next day', async () => {
    const many = Array.from({ length: 40 }, (_, at) => [`task/t${at}.md`, task({ due: ago(at + 2) })] as const);
    const files = { 'matter/house.md': matter(), ...Object.fromEntries(many) };
    const { server, bench, clock } = await world(says({ decision: 'still_active' }), files);
    await bench.tick();
    await bench.tick();
    expect(server.requests).toHaveLength(MOST_A_DAY.questions);
    clock.move(DAY + HOUR);
    await bench.tick();
    expect(server.requests.length).toBeGreaterThan(MOST_A_DAY.questions);
    expect(server.requests.length).toBeLessThanOrEqual(2 * MOST_A_DAY.questions);
  });

  test('one that fails judges nothing, and is asked at a later look; the rules keep silent', async () => {
    const { server, vault, bench, clock } = await world(() => ({ do: 'fail', status: 500 }), {
      [PAY]: task({ due: ago(3) }),
    });
    await bench.tick();
    expect(vault.events()).toEqual([]);
    expect(bench.status().trouble).toHaveLength(1);
    server.script = says({});
    clock.move(HOUR);
    await bench.tick();
    expect(vault.events()).toHaveLength(1);
    expect(bench.status().trouble).toEqual([]);
  });

  test('unless the settings let the rules stand in', async () => {
    const files = {
      'steward.md': settings({ default_schedule: SELDOM, evaluator_fallback: 'rules' }),
      [PAY]: task({ due: ago(3) }),
    };
    const { vault, bench } = await world(() => ({ do: 'fail', status: 500 }), files);
    await bench.tick();
    expect(vault.events()).toEqual([]);
    expect(bench.status().findings).toMatchObject([{ notes: [{ note: PAY, kind: 'overdue' }] }]);
  });

  test('held off by the provider, nobody is asked', async () => {
    const { server, vault, bench } = await world(
      () => ({ do: 'fail', status: 429, headers: { 'retry-after': '3600' } }),
      {
        ...HIGH,
        'task/two.md': task({ surface_class: 'high' }),
      },
    );
    await bench.tick();
    await bench.tick();
    expect(server.requests).toHaveLength(1);
    expect(vault.events()).toEqual([]);
  });
});

describe('one note keeps no other from being judged', () => {
  const BAD = 'task/bad.md';
  const FILES = { [BAD]: task({ due: ago(9), surface_class: 'high' }), [PAY]: task({ due: ago(3) }) };

  test('whose question the provider does not take: it is asked once a day, and counts as a question', async () => {
    const script: Script = (asked, nth) => (noteOf(asked) === BAD ? { do: 'fail', status: 400 } : says({})(asked, nth));
    const { server, vault, bench, clock } = await world(script, FILES);
    const aboutBad = () => server.requests.filter((asked) => noteOf(asked) === BAD).length;
    await bench.tick();
    const once = aboutBad();
    for (let hour = 0; hour < 8; hour += 1) {
      clock.move(HOUR);
      await bench.tick();
    }
    expect(vault.events().map((path) => vault.fields(path).target_path)).toEqual([PAY]);
    expect(aboutBad()).toBe(once);
    expect(bench.remembered('perception').day.questions).toBe(2);
    server.script = says({});
    clock.move(DAY);
    await bench.tick();
    expect(vault.events()).toHaveLength(2);
  });

  test.each([
    ['that has had its six looks today', BAD, 'matter/attic.md', 6],
    ['whose matter has had its fifty', 'task/else.md', 'matter/attic.md', 50],
  ])('%s', async (_, noted, attic, looks) => {
    const { vault, bench, clock } = await world(says({}), {
      ...FILES,
      [BAD]: task({ due: ago(9), surface_class: 'high', parent_matter: '[[attic]]' }),
      'matter/attic.md': matter(),
    });
    const entries = Array.from({ length: looks }, (_, id) => ({
      ...{ id, at: clock.now() - 1, task: noted, matter: attic },
      ...{ senders: [], sent: true },
    }));
    bench.remember('rate-guard', { ...bench.remembered('rate-guard'), entries });
    await bench.tick();
    expect(vault.events().map((path) => vault.fields(path).target_path)).toEqual([PAY]);
  });
});
