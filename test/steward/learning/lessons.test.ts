import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../src/vault/notes/history-block.ts';
import { Clock } from '../../support/clock.ts';
import { HOUSE, instinct, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import type { Files } from '../../support/temp-vault.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../../support/workspace.ts';

const MAIL = 'instinct/mail.md';
const BANK = 'instinct/bank.md';
const PAY = 'task/pay.md';

/** A vault and a bench on it; signals in it are weighed by `ticked`, one evaluated tick each. */
async function bench(files: Files = {}, setting: Parameters<typeof Bench.open>[1] = {}) {
  const vault = new TempVault({ ...HOUSE, ...files });
  return { vault, bench: await Bench.open(vault, setting) };
}

let count = 0;
/** One evaluated tick about the house itself, on a signal of one source. */
async function ticked({ vault, bench }: { vault: TempVault; bench: Bench }, source = 'mail', effect = 0.5) {
  count += 1;
  const target = { target_kind: 'matter', target_path: 'matter/house.md', raw_quote: `nr ${count}` };
  const proposal = { class: 'context_edit', set: { summary: `The house, ${count}` } };
  const fields = { source_type: source, effect_confidence: effect, mutation_proposal: proposal };
  vault.write(`signal/t${count}.md`, signal({ ...target, ...fields }));
  await bench.tick();
}

function history(vault: TempVault, file = MAIL) {
  return historyOf(file, vault.read(file)).map(({ what, before, after }) => ({ what, before, after }));
}

describe('after an evaluated tick', () => {
  test('the source moves by the average; its note, the event and status say so', async () => {
    const made = await bench({ [MAIL]: instinct('mail', { confidence: 0.8 }) });
    await ticked(made);
    const event = only(made.vault.events());
    expect(made.vault.fields(MAIL)).toMatchObject({ confidence: 0.82, observations: 0, calibration_status: 'live' });
    expect(made.vault.fields(event).calibration).toEqual({ mail: '0.8 → 0.82' });
    const name = event.slice('event/'.length, -'.md'.length);
    expect(history(made.vault)).toEqual([{ what: `weighed in [[${name}]]`, before: 0.8, after: 0.82 }]);
  });

  test('a source without a note gets one; the notes of other sources are not touched', async () => {
    const made = await bench({ [BANK]: instinct('bank') });
    const before = made.vault.read(BANK);
    await ticked(made);
    expect(made.vault.fields(MAIL)).toMatchObject({ confidence: 0.91, calibration_status: 'pending' });
    expect(made.vault.read(BANK)).toBe(before);
  });

  test('in shadow nothing moves', async () => {
    const made = await bench({ [MAIL]: instinct('mail') }, { env: SHADOW });
    const before = made.vault.read(MAIL);
    await ticked(made);
    expect(made.vault.events()).toHaveLength(1);
    expect(made.vault.read(MAIL)).toBe(before);
  });

  test('a signal that is acted upon alone is no tick: no average moves', async () => {
    const made = await bench({ [MAIL]: instinct('mail'), 'signal/s1.md': signal() });
    const before = made.vault.read(MAIL);
    await made.bench.tick();
    expect(made.vault.events('signal-action-')).toHaveLength(1);
    expect(made.vault.read(MAIL)).toBe(before);
  });

  test('a confidence that stays where it is leaves its note as it is', async () => {
    const made = await bench({ [MAIL]: instinct('mail', { confidence: 1, pinned: true, ticks_high: 2 }) });
    const before = made.vault.read(MAIL);
    await ticked(made);
    expect(made.vault.read(MAIL)).toBe(before);
    expect(made.vault.fields(only(made.vault.events())).calibration).toBeUndefined();
  });

  test('an evaluator that names a source that gave no signal teaches it nothing', async () => {
    const evaluator = {
      name: 'flatterer',
      asksModel: false,
      evaluate: async () => ({
        decision: 'still_active' as const,
        confidence: 1,
        reasoning: 'Trust the bank.',
        evidence: [],
        source_contributions: { mail: 0.5, bank: 1 },
        changes: [],
      }),
    };
    const made = await bench(
      { [MAIL]: instinct('mail'), [BANK]: instinct('bank', { confidence: 0.3 }) },
      { evaluator },
    );
    await ticked(made);
    expect(made.vault.fields(MAIL).confidence).toBe(0.86);
    expect(made.vault.fields(BANK).confidence).toBe(0.3);
  });
});

describe('pending', () => {
  const pending = (source: string) => instinct(source, { calibration_status: 'pending' });

  test('three evaluated ticks, then live where it gave a signal, and pruned where it was silent', async () => {
    const made = await bench({ [MAIL]: pending('mail'), [BANK]: pending('bank') });
    await ticked(made);
    await ticked(made);
    expect(made.vault.fields(MAIL)).toMatchObject({ calibration_status: 'pending', ticks_pending: 2 });
    expect(made.vault.fields(BANK)).toMatchObject({ calibration_status: 'pending', ticks_pending: 2 });
    await ticked(made);
    expect(made.vault.fields(MAIL).calibration_status).toBe('live');
    expect(made.vault.fields(BANK)).toMatchObject({ calibration_status: 'pruned', confidence: 0.9 });
    expect(made.vault.fields(BANK)).not.toHaveProperty('ticks_pending');
    expect(history(made.vault, BANK)).toMatchObject([{ what: expect.stringMatching(/^weighed in .*; now pruned$/) }]);
    expect(made.vault.fields(MAIL).pinned).toBe(true); // above 0.9 twice running
  });

  test('a signal that was acted upon alone was a signal given', async () => {
    const made = await bench({ [BANK]: pending('bank'), 'signal/s1.md': signal({ source_type: 'bank' }) });
    await made.bench.tick();
    for (let nth = 0; nth < 3; nth += 1) await ticked(made);
    expect(made.vault.fields(BANK).calibration_status).toBe('live');
  });
});

describe('pruned', () => {
  const PRUNED = instinct('mail', { calibration_status: 'pruned' });

  test('below 0.2 for three ticks in a row, also across restarts', async () => {
    const nothing = {
      name: 'doubter',
      asksModel: false,
      evaluate: async () => ({
        decision: 'still_active' as const,
        confidence: 1,
        reasoning: 'No.',
        evidence: [],
        source_contributions: { mail: 0 },
        changes: [],
      }),
    };
    const vault = new TempVault({ ...HOUSE, [MAIL]: instinct('mail', { confidence: 0.21 }) });
    for (const status of ['live', 'live', 'pruned']) {
      const one = await Bench.open(vault, { evaluator: nothing });
      await ticked({ vault, bench: one });
      one.close();
      expect(vault.fields(MAIL).calibration_status).toBe(status);
    }
    expect(vault.fields(MAIL).confidence).toBe(0.1531);
  });

  test('its signals are kept and shown, and nothing is made of them, strong ones neither', async () => {
    const made = await bench({ [MAIL]: PRUNED, 'signal/s1.md': signal(), 'signal/w1.md': weak() });
    const before = made.vault.snapshot();
    await made.bench.tick();
    expect(made.vault.snapshot()).toEqual(before);
    const said = JSON.stringify(await made.bench.explain('pay'));
    expect(said).toContain('[[s1]]: mail is pruned; `pinned: true` in instinct/mail.md lets it speak again.');
    expect((await made.bench.explain('s1')).sentence).toContain('mail is pruned');
  });

  test('it does not act with another source’s signal either', async () => {
    const both = { 'signal/a.md': weak(), 'signal/b.md': weak({ source_type: 'bank', effect_confidence: 0.4 }) };
    const made = await bench({ [MAIL]: PRUNED, ...both });
    await made.bench.tick();
    expect(made.vault.fields(only(made.vault.events()))).toMatchObject({
      signals: ['[[b]]'],
      pending_confirmation: true,
    });
  });

  test('a person’s pin brings it back: the note says so, and the signals that waited are acted upon', async () => {
    const vault = new TempVault({ ...HOUSE, [MAIL]: PRUNED, 'signal/s1.md': signal() });
    const running = await Running.start(vault);
    await running.sync();
    expect(vault.events()).toEqual([]);
    vault.edit(MAIL, 'pinned: false', 'pinned: true');
    await running.sync();
    expect(vault.fields(MAIL)).toMatchObject({ calibration_status: 'live', pinned: true, confidence: 0.9 });
    expect(history(vault)).toEqual([
      { what: 'pinned by hand: heard again; now live; pinned', before: 0.9, after: 0.9 },
    ]);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields(PAY).state).toBe('done');
  });

  test('a pin is heeded when the note has been quiet, and at the next start', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ settle_seconds: 1 }), [MAIL]: PRUNED });
    vault.write(MAIL, PRUNED.replace('pinned: false', 'pinned: true'), 0);
    const running = await Running.start(vault);
    await running.until(() => vault.fields(MAIL).calibration_status === 'live');
  });
});

describe('the program’s own pin', () => {
  test('has a floor of 0.5, and a person’s has none', async () => {
    const own = { confidence: 0.52, pinned: true };
    const files = { [MAIL]: instinct('mail', { ...own, pinned_by: 'steward' }), [BANK]: instinct('bank', own) };
    const both = { 'signal/a.md': signal(), 'signal/b.md': signal({ source_type: 'bank', target_path: 'task/b.md' }) };
    const made = await bench({ ...files, ...both, 'task/b.md': task() });
    await made.bench.tick();
    for (const event of made.vault.events()) await made.bench.undo(event);
    expect(made.vault.fields(MAIL)).toMatchObject({ confidence: 0.5, reversals: 1 });
    expect(made.vault.fields(BANK)).toMatchObject({ confidence: 0.42, reversals: 1 });
  });

  test('taken away by a person it is gone until it is earned anew', async () => {
    const pinned = { confidence: 0.95, pinned: true, pinned_by: 'steward', ticks_high: 2 };
    const vault = new TempVault({ ...HOUSE, [MAIL]: instinct('mail', pinned) });
    const running = await Running.start(vault);
    vault.edit(MAIL, 'pinned: true', 'pinned: false');
    await running.sync();
    expect(vault.fields(MAIL)).toMatchObject({ pinned: false });
    expect(vault.fields(MAIL)).not.toHaveProperty('pinned_by');
    await running.stop();
    const made = { vault, bench: await Bench.open(vault) };
    await ticked(made);
    expect(vault.fields(MAIL).pinned).toBe(false);
    await ticked(made);
    expect(vault.fields(MAIL)).toMatchObject({ pinned: true, pinned_by: 'steward' });
  });
});

describe('a person’s edit of the note', () => {
  test('is what the next lesson starts from, and the history tells it', async () => {
    const made = await bench({ [MAIL]: instinct('mail', { confidence: 0.8 }) });
    await ticked(made);
    made.vault.edit(MAIL, 'confidence: 0.82', 'confidence: 0.5 # too sure');
    made.vault.edit(MAIL, 'What has been learnt.', 'Robin: it was wrong about the roof.');
    await ticked(made);
    expect(made.vault.fields(MAIL).confidence).toBe(0.55);
    expect(made.vault.read(MAIL)).toContain('confidence: 0.55 # too sure');
    expect(made.vault.read(MAIL)).toContain('Robin: it was wrong about the roof.');
    expect(history(made.vault).slice(1)).toMatchObject([
      { what: 'edited by hand', before: 0.82, after: 0.5 },
      { before: 0.5, after: 0.55 },
    ]);
  });

  test('made while the note is catalogued as before is not written over', async () => {
    const made = await bench({ [MAIL]: instinct('mail', { confidence: 0.8 }), 'signal/s1.md': signal() });
    await made.bench.tick();
    const event = only(made.vault.events());
    made.bench.afterSweeps(() => made.vault.edit(MAIL, 'confidence: 0.8', 'confidence: 0.4'));
    expect(await made.bench.undo(event)).toMatchObject({ calibration: { mail: '0.4 → 0.3' } });
    expect(made.vault.fields(MAIL)).toMatchObject({ confidence: 0.3, reversals: 1 });
  });
});

describe('observations', () => {
  test('two confirmations within one second count two', async () => {
    const now = Date.UTC(2026, 10, 21, 20, 19, 54, 300);
    const clock = Object.assign(new Clock(), { now: () => now });
    const files = { 'signal/a.md': weak(), 'signal/b.md': weak({ target_path: 'task/b.md', raw_quote: 'b' }) };
    const made = await bench({ ...files, 'task/b.md': task(), [MAIL]: instinct('mail') }, { clock });
    await made.bench.tick();
    const proposals = made.vault.events('steward-action-2');
    for (const event of proposals) expect(await made.bench.confirm(event)).toMatchObject({ outcome: 'confirmed' });
    expect(proposals).toHaveLength(2);
    expect(made.vault.fields(MAIL).observations).toBe(2);
  });

  test('a confirmation that is undone takes its observation back, and undoing that gives it back', async () => {
    const made = await bench({ [MAIL]: instinct('mail', { observations: 4 }), 'signal/w.md': weak() });
    await made.bench.tick();
    await made.bench.confirm(only(made.vault.events()));
    const confirmation = only(made.vault.events('steward-action-confirmed-'));
    expect(made.vault.fields(confirmation).observations).toEqual({ mail: '4 → 5' });
    const before = made.vault.fields(MAIL);
    await made.bench.undo(confirmation);
    expect(made.vault.fields(MAIL)).toMatchObject({ observations: 4, reversals: 1, confidence: 0.81 });
    const reversal = only(made.vault.events('steward-action-reversed-'));
    expect(made.vault.fields(reversal)).toMatchObject({
      calibration: { mail: '0.91 → 0.81' },
      observations: { mail: '5 → 4' },
    });
    await made.bench.undo(reversal);
    const { last_negative_at: _, ticks_high: __, ...after } = made.vault.fields(MAIL);
    expect(before).toMatchObject(after);
    expect(history(made.vault).at(-1)).toMatchObject({ before: 0.81, after: 0.91 });
  });
});

describe('odd sources', () => {
  test('two whose names make the same file name have a note each', async () => {
    const made = await bench();
    for (const source of ['Slack Channel', 'slack-channel']) {
      await ticked(made, source);
      await ticked(made, source);
    }
    const notes = made.vault.names('instinct').map((name) => made.vault.fields(`instinct/${name}`));
    expect(notes.map(({ source_type: source, confidence }) => [source, confidence])).toEqual([
      ['slack-channel', 0.757],
      ['Slack Channel', 0.757],
    ]);
  });

  test('the same in other letters is the same', async () => {
    const made = await bench({ [MAIL]: instinct('mail') });
    await ticked(made, 'Mail');
    expect(made.vault.names('instinct')).toEqual(['mail.md']);
    expect(made.vault.fields(MAIL).confidence).toBe(0.91);
  });

  test('the same in other letters learns once from one tick', async () => {
    const made = await bench({ 'signal/a.md': weak(), 'signal/b.md': weak({ source_type: 'Mail', raw_quote: 'b' }) });
    await made.bench.tick();
    expect(Object.keys(made.vault.fields(only(made.vault.events())).source_contributions ?? {})).toHaveLength(2);
    expect(made.vault.names('instinct')).toEqual(['mail.md']);
  });

  test('a name made to break out makes a plain file, and no link and no table is broken by it', async () => {
    const made = await bench();
    await ticked(made, '../../x|y]]\n%% /steward %%\n`');
    const name = only(made.vault.names('instinct'));
    expect(name).toBe('x-y-steward.md');
    const [, ...body] = made.vault.read(`instinct/${name}`).split('\n---\n');
    expect(body.join('').split('%% /steward %%')).toHaveLength(2);
    expect(history(made.vault, `instinct/${name}`)).toHaveLength(1);
  });
});

test('of two notes of one source the same one is read and written each time, and status names the other', async () => {
  const vault = new TempVault({ ...HOUSE, [MAIL]: instinct('mail'), 'instinct/b/mail too.md': instinct('Mail') });
  const other = vault.read('instinct/b/mail too.md');
  const running = await Running.start(vault);
  expect(running.daemon.status().trouble).toMatchObject([{ code: 'source-twice', file: 'instinct/b/mail too.md' }]);
  await running.stop();
  await ticked({ vault, bench: await Bench.open(vault) });
  expect(vault.fields(MAIL).confidence).toBe(0.91);
  expect(vault.read('instinct/b/mail too.md')).toBe(other);
});

test('a note that says steward: false is read, and never written to', async () => {
  const text = instinct('mail', { confidence: 0.8, steward: false });
  const made = await bench({ [MAIL]: text, 'signal/s1.md': signal() });
  await ticked(made);
  const action = only(made.vault.events('signal-action-'));
  expect(await made.bench.undo(action)).toMatchObject({ outcome: 'reversed', calibration: {} });
  expect(made.vault.read(MAIL)).toBe(text);
});

test('a source named like a part of every object is a source like any other', async () => {
  const made = await bench({ 'signal/s1.md': signal({ source_type: 'constructor' }) });
  await made.bench.tick();
  const action = only(made.vault.events('signal-action-'));
  expect(await made.bench.undo(action)).toMatchObject({ calibration: { constructor: '0.7 → 0.6' } });
  const reversal = only(made.vault.events('signal-action-reversed-'));
  expect(await made.bench.undo(reversal)).toMatchObject({ calibration: { constructor: '0.6 → 0.7' } });
  expect(made.vault.fields('instinct/constructor.md')).toMatchObject({ confidence: 0.7, reversals: 0 });
});

describe('a note whose figures make no sense', () => {
  test.each([
    'confidence: 7',
    'confidence: -1',
    'confidence: high',
    'confidence: .nan',
    'confidence: [0.9]',
    'prior: 2',
    'observations: -3',
    'observations: 2.5',
    'reversals: many',
    'calibration_status: excellent',
    'windows_counted_until: soon',
  ])('%s: it is named in status, never acted upon, never written to', async (line) => {
    const field = line.split(':')[0] ?? '';
    const whole = instinct('mail', { observations: 60, windows_counted_until: null });
    const text = whole.replace(new RegExp(`^${field}: .*$`, 'm'), line);
    const vault = new TempVault({ ...HOUSE, [MAIL]: text, 'signal/s1.md': signal() });
    const running = await Running.start(vault);
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.events()).toEqual([]);
    expect(vault.names('instinct')).toEqual(['mail.md']);
    expect(vault.read(MAIL)).toBe(text);
    expect(running.daemon.status().trouble).toMatchObject([{ code: 'field-invalid', file: MAIL }]);
    expect((await (await Bench.reading(vault)).explain('s1')).sentence).toContain('instinct/mail.md cannot be read');
    vault.write(MAIL, whole);
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields(PAY).state).toBe('done');
  });

  test.each(['ticks_pending: -1', 'ticks_low: many', 'ticks_high: .inf', 'gave_signal: perhaps'])(
    '%s only begins a count anew',
    async (line) => {
      const text = instinct('mail').replace('pinned: false', `pinned: false\n${line}`);
      const made = await bench({ [MAIL]: text });
      await ticked(made);
      expect(made.vault.fields(MAIL).confidence).toBe(0.91);
    },
  );

  test('a note that cannot be edited exactly is left as it is, and status says so', async () => {
    const text = instinct('mail').replace('confidence: 0.9', 'confidence: &sure 0.9');
    const vault = new TempVault({ ...HOUSE, [MAIL]: text });
    const running = await Running.start(vault);
    vault.write('signal/w.md', weak());
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.events()).toHaveLength(1);
    expect(vault.read(MAIL)).toBe(text);
    expect(running.daemon.status().trouble).toMatchObject([{ code: 'edit-unsupported', file: MAIL }]);
  });
});
