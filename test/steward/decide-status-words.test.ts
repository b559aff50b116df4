import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STATES } from '../../src/vault/record.ts';
import { lawRuns } from '../support/laws.ts';
import { matter, settings, signal } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

// A vault whose words for states are its own: what is read, what is written, what is said of a word that the settings do not explain.

const PAY = 'task/pay.md';
const WORDS = ['in Arbeit = open', 'offen = open', 'wartet = snoozed', 'erledigt = done', 'fertig = done'];

function vaultWith(status: string, words: unknown = WORDS, more: Readonly<Record<string, string>> = {}) {
  return new TempVault({
    'steward.md': settings({ settle_seconds: 0, ...(words === null ? {} : { status_values: words }) }),
    'matter/house.md': matter(),
    [PAY]: `---\n# mine\n${status}\nprojects: ["[[house]]"]\ndue: 2035-12-01\n---\nPay it.\n`,
    ...more,
  });
}

const SIGNAL = {
  'signal/s.md': signal({
    target_path: PAY,
    target_kind: 'task',
    mutation_proposal: { class: 'state_change', set: { state: 'done' } },
  }),
};

function eventIn(vault: TempVault): string {
  return path.basename(vault.events()[0] ?? '', '.md');
}

async function stateOfPay(vault: TempVault) {
  const record = (await Bench.reading(vault)).catalogue.get(PAY);
  return record?.kind === 'task' ? [record.fields.state, record.fields.unexplained] : [record?.kind];
}

describe('a vault with words of its own', () => {
  test.each([
    ['status: erledigt', 'done'],
    ['status: "  ERLEDIGT "', 'done'],
    ['status: fertig', 'done'],
    ['status: in arbeit', 'open'],
    ['status: wartet', 'snoozed'],
    ['status: [erledigt]', 'done'],
    ['status:\n  - wartet', 'snoozed'],
    ['status: []', 'open'],
    ['status:', 'open'],
    ['state: erledigt', 'done'],
    ['state: [done]', 'done'],
    ['status: done', 'done'],
    ['status: none', 'open'],
    ['status: in-progress', 'open'],
    ['status: completed', 'done'],
  ])('%j is %s', async (status, state) => {
    expect(await stateOfPay(vaultWith(status))).toEqual([state, null]);
  });

  test('letters that are composed otherwise are the same word', async () => {
    expect(await stateOfPay(vaultWith('status: "u\u0308berholt"', ['überholt = archived']))).toEqual([
      'archived',
      null,
    ]);
  });

  test('a map says the same as a list of lines, and a listed word wins over one of the program', async () => {
    expect(await stateOfPay(vaultWith('status: erledigt', { erledigt: 'done' }))).toEqual(['done', null]);
    expect(await stateOfPay(vaultWith('status: erledigt', [{ erledigt: 'done' }]))).toEqual(['done', null]);
    expect(await stateOfPay(vaultWith('status: open', ['open = snoozed']))).toEqual(['snoozed', null]);
  });

  test.each([
    ['status: in Arbeit # now', 'status: erledigt # now'],
    ['status: "in Arbeit"', 'status: "erledigt"'],
    ['status: [in Arbeit] # now', 'status: [erledigt] # now'],
    ["status:\n  - 'offen'", "status:\n  - 'erledigt'"],
    ['status:\n- offen', 'status:\n- erledigt'],
    ['state: open', 'state: done'],
    ['state: offen', 'state: erledigt'],
  ])('%j becomes %j, and the undo gives each byte back', async (before, after) => {
    const vault = vaultWith(before, WORDS, SIGNAL);
    const former = vault.read(PAY);
    const bench = await Bench.open(vault);
    await bench.tick();
    expect(vault.read(PAY)).toContain(after);
    const name = eventIn(vault);
    expect(vault.fields(`event/${name}.md`)).toMatchObject({
      prior_state: 'open',
      change: expect.stringMatching(/(erledigt|done)/),
    });
    expect(await bench.undo(name)).toMatchObject({ outcome: 'reversed' });
    expect(vault.read(PAY)).toBe(former);
  });

  test('LAW: whatever the words and the form, what is written means the state, and goes back to the byte', async () => {
    const word = fc.stringMatching(/^[\p{L}][\p{L}\d ~+-]{0,12}[\p{L}\d]$/u);
    const form = fc.constantFrom(
      (text: string) => `status: ${text}`,
      (text: string) => `status: [${text}]`,
      (text: string) => `status:\n  - ${text}`,
    );
    await fc.assert(
      fc.asyncProperty(word, word, form, async (open, done, written) => {
        const fold = (text: string) => text.normalize('NFC').toLowerCase();
        const isOwn = (text: string) => STATES.some((state) => state === fold(text));
        fc.pre(fold(open) !== fold(done) && !isOwn(open) && !isOwn(done));
        const vault = vaultWith(written(JSON.stringify(open)), [`${open} = open`, `${done} = done`], SIGNAL);
        const former = vault.read(PAY);
        const bench = await Bench.open(vault);
        await bench.tick();
        expect(await stateOfPay(vault)).toEqual(['done', null]);
        expect([vault.fields(PAY).status].flat()).toEqual([done]);
        const name = eventIn(vault);
        await bench.undo(name);
        expect(vault.read(PAY)).toBe(former);
      }),
      { numRuns: lawRuns(12) },
    );
  });

  test('a proposal in its words is confirmed as it stands', async () => {
    const vault = vaultWith('status: in Arbeit', WORDS, SIGNAL);
    vault.edit('steward.md', 'type: steward', 'type: steward\nmode: shadow');
    const bench = await Bench.open(vault);
    await bench.tick();
    const name = eventIn(vault);
    expect(vault.fields(`event/${name}.md`)).toMatchObject({
      change: expect.stringMatching(/^status in Arbeit → erledigt/),
    });
    await bench.confirm(name);
    expect(vault.read(PAY)).toContain('status: erledigt\n');
  });

  test('a person who wrote another word for the same state has done what was proposed', async () => {
    const vault = vaultWith('status: in Arbeit', WORDS, SIGNAL);
    vault.edit('steward.md', 'type: steward', 'type: steward\nmode: shadow');
    const bench = await Bench.open(vault);
    await bench.tick();
    vault.edit(PAY, 'in Arbeit', 'fertig');
    expect((await Bench.open(vault)).waiting()).toEqual([]);
  });
});

describe('a status that the settings do not explain', () => {
  const SEVEN = Object.fromEntries(
    Array.from({ length: 7 }, (_, nth) => [
      `task/t${nth}.md`,
      `---\nstatus: ${nth % 2 ? 'Someday' : 'someday'}\n---\n`,
    ]),
  );

  test('is told once with its count, and how it is explained', async () => {
    const { trouble } = (await Bench.reading(vaultWith('status: open', null, SEVEN))).status();
    expect(trouble.filter(({ code }) => code === 'status-unexplained')).toEqual([
      expect.objectContaining({
        message: '7 tasks say `status: someday`, which the settings do not explain.',
        hint: expect.stringContaining('"someday = open"'),
      }),
    ]);
  });

  test.each(['status: someday', 'status: [offen, erledigt]', 'status: {a: 1}'])(
    '%s: the note is left alone',
    async (status) => {
      const vault = vaultWith(status, WORDS, SIGNAL);
      const former = vault.read(PAY);
      const bench = await Bench.open(vault);
      await bench.tick();
      expect(vault.read(PAY)).toBe(former);
      expect(bench.status().trouble).toContainEqual(expect.objectContaining({ code: 'status-unexplained', file: PAY }));
      expect((await stateOfPay(vault))[0]).toBe('open');
    },
  );

  test('once it is explained the note is judged', async () => {
    const vault = vaultWith('status: someday', WORDS, SIGNAL);
    vault.edit('steward.md', 'in Arbeit = open', 'someday = open');
    await (await Bench.open(vault)).tick();
    expect(vault.read(PAY)).toContain('status: erledigt');
  });
});

test('tasks of a project that is no matter are told in one line', async () => {
  const tasks = Array.from({ length: 9 }, (_, nth) => [`task/t${nth}.md`, '---\nprojects: ["[[Boat]]"]\n---\n']);
  const { trouble } = (await Bench.reading(vaultWith('status: open', WORDS, Object.fromEntries(tasks)))).status();
  expect(trouble.map(({ message }) => message)).toEqual(['9 tasks belong to "Boat", but there is no such matter.']);
});

describe('what stands in status_values', () => {
  test.each([
    [['erledigt'], 'must be a list of lines such as "erledigt = done"'],
    [['erledigt = finished'], 'must be a list of lines such as "erledigt = done"'],
    [['weg = done', 'Weg = open'], 'gives "weg" two meanings'],
    [['<% tp.x %> = done'], 'must be a list of lines such as "erledigt = done"'],
    [[`${'x'.repeat(61)} = done`], 'must be a list of lines such as "erledigt = done"'],
  ])('%j is refused, and the rest of the settings holds', async (words, said) => {
    const { trouble } = (await Bench.reading(vaultWith('status: open', words))).status();
    expect(trouble).toContainEqual(
      expect.objectContaining({ code: 'settings-invalid', message: expect.stringContaining(said) }),
    );
  });
});

describe('a matter', () => {
  test('that says status is read and written as a task is', async () => {
    const about = { target_path: 'matter/kitchen.md', target_kind: 'matter' };
    const vault = vaultWith('status: open', WORDS, {
      'matter/kitchen.md': '---\nstatus: [erledigt]\n---\n',
      'matter/attic.md': '---\nstatus: someday\n---\n',
      'signal/s.md': signal({ ...about, mutation_proposal: { class: 'context_edit', set: { owner: 'Robin' } } }),
    });
    const bench = await Bench.open(vault);
    const states = bench.catalogue.matters().map(({ name, fields }) => [name, fields.state, fields.unexplained]);
    expect(Object.fromEntries(states.map(([name, ...rest]) => [name, rest]))).toEqual({
      house: ['open', null],
      kitchen: ['done', null],
      attic: ['open', 'someday'],
    });
  });
});

test('a question about one note names its subject, and the change in the note’s own field and word', async () => {
  const unsure = signal({
    ...{ target_path: PAY, target_kind: 'task', target_ambiguous: true, target_candidates: [PAY] },
    mutation_proposal: { class: 'state_change', set: { state: 'done' } },
    headline: 'Your payment',
  });
  const vault = vaultWith('status: offen', WORDS, { 'signal/s.md': unsure });
  const bench = await Bench.open(vault);
  await bench.tick();
  expect(bench.waiting()).toMatchObject([{ kind: 'choice', change: 'status → erledigt', candidates: ['[[pay]]'] }]);
  const body = vault.read(vault.events()[0] ?? '');
  expect(body).toContain('\n# Is this note meant?\n\n“Your payment” may be about this note. Tick it if it is:\n');
  expect(body).toContain('\n- status → erledigt\n');
});
