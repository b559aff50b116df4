// Over 5 s: each case lives through an action and its answer in a vault on disk.
import { describe, expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { readHistory } from '../../src/vault/note-text.ts';
import { Clock, DAY } from '../support/clock.ts';
import { HOUSE, instinct, matter, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench, only, SHADOW } from '../support/workspace.ts';

const MAIL = 'instinct/mail.md';
const BANK = 'instinct/bank.md';
const ANNA = 'instinct/mail/anna@notary.example.md';
const BY_ANNA = { pattern: 'anna@notary.example' };
const SOURCE = 'mail:anna@notary.example';
const PAY = 'task/pay.md';

async function bench(files: Files = {}, setting: Parameters<typeof Bench.open>[1] = {}) {
  const vault = new TempVault({ ...HOUSE, ...files });
  return { vault, bench: await Bench.open(vault, setting) };
}

/** A vault with one open proposal of Anna's. */
async function proposed(files: Files = {}, setting: Parameters<typeof Bench.open>[1] = {}) {
  const made = await bench({ 'signal/w.md': weak(BY_ANNA), ...files }, setting);
  await made.bench.tick();
  return { ...made, proposal: only(made.vault.events('steward-action-2')) };
}

function history(vault: TempVault, file = MAIL) {
  return readHistory(file, vault.read(file)).map(({ what, before, after }) => ({ what, before, after }));
}

function figuresIn(vault: TempVault, file: string) {
  const { confidence, observations, wrong, wrong_in_a_row, reversals, pinned } = vault.fields(file);
  return [confidence, observations, wrong ?? 0, wrong_in_a_row ?? 0, reversals, pinned];
}

function linkTo(event: string): string {
  return `[[${stem(event)}]]`;
}

describe('weighing', () => {
  test('teaches nothing, in no mode: a proposal that nobody answers moves no source', async () => {
    for (const env of [undefined, SHADOW]) {
      const setting = env === undefined ? {} : { env };
      const made = await bench({ [MAIL]: instinct('mail', { confidence: 0.8 }) }, setting);
      const before = made.vault.read(MAIL);
      for (const nth of [1, 2, 3]) {
        made.vault.write(`signal/w${nth}.md`, weak({ ...BY_ANNA, raw_quote: `${nth}` }));
        await made.bench.tick();
      }
      expect(made.vault.events().length).toBeGreaterThan(0);
      expect(made.vault.read(MAIL)).toBe(before);
      expect(made.vault.names('instinct')).toEqual(['mail.md']);
    }
  });

  test('nor does silence: a change that is left alone for weeks says nothing about its sender', async () => {
    const clock = new Clock();
    const known = instinct('mail', { observations: 60 });
    const { vault, bench: one } = await bench({ [MAIL]: known, 'signal/s.md': signal() }, { clock });
    await one.tick();
    clock.move(30 * DAY);
    await one.tick();
    await one.learn();
    expect(vault.read(MAIL)).toBe(known);
    expect(vault.fields(only(vault.events('signal-action-2'))).taught).toBeUndefined();
  });

  test('nor does an act by itself, a question, or what is still active', async () => {
    const asks = weak({ effect: 'action', mutation_proposal: null, raw_quote: 'please look' });
    const made = await bench({ 'signal/s.md': signal(BY_ANNA), 'signal/q.md': asks });
    await made.bench.tick();
    expect(made.vault.events('signal-action-')).toHaveLength(1);
    for (const question of made.bench.openProposals()) await made.bench.dismiss(question.event.path);
    expect(made.vault.names('instinct')).toEqual([]);
  });
});

describe('confirmed', () => {
  test('the sender learns, its channel a fifth of that, and both notes link the answer', async () => {
    const { vault, bench, proposal } = await proposed({ [MAIL]: instinct('mail') });
    expect(await bench.confirm(proposal)).toMatchObject({ outcome: 'confirmed' });
    const answer = only(vault.events('steward-action-confirmed-'));
    expect(vault.fields(ANNA)).toMatchObject({
      ...{ type: 'instinct', source_type: 'mail', pattern: 'anna@notary.example', prior: 0.9, confidence: 0.91 },
      ...{ observations: 1, wrong: 0, reversals: 0, calibration_status: 'pending', learns_from: 'outcomes' },
    });
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.902, observations: 0 });
    expect(vault.fields(answer)).toMatchObject({
      calibration: { [SOURCE]: '0.9 → 0.91', mail: '0.9 → 0.902' },
      observations: { [SOURCE]: '0 → 1' },
    });
    const what = `confirmed in ${linkTo(answer)}`;
    expect(history(vault, ANNA)).toEqual([{ what, before: 0.9, after: 0.91 }]);
    expect(history(vault)).toEqual([{ what, before: 0.9, after: 0.902 }]);
  });

  test('in shadow as in live, since the outcome is a person’s', async () => {
    const { vault, bench, proposal } = await proposed({}, { env: SHADOW });
    await bench.confirm(proposal);
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.91, observations: 1 });
  });

  test('only the sender that the change is based on learns', async () => {
    const both = { 'signal/w.md': weak(BY_ANNA), 'signal/b.md': weak({ source_type: 'bank', effect_confidence: 0.3 }) };
    const { vault, bench, proposal } = await proposed(both);
    expect(vault.fields(proposal).considered).toHaveLength(2);
    await bench.confirm(proposal);
    expect(vault.fields(ANNA).confidence).toBe(0.91);
    expect(vault.has(BANK)).toBe(false);
  });

  test('two confirmations within one second, on two matters, count two', async () => {
    const now = Date.now();
    const clock = Object.assign(new Clock(), { now: () => now });
    const other = {
      'matter/garden.md': matter(),
      'task/b.md': task({ parent_matter: '[[garden]]' }),
      'signal/b.md': weak({ ...BY_ANNA, target_path: 'task/b.md', raw_quote: 'b' }),
    };
    const made = await bench({ 'signal/w.md': weak(BY_ANNA), ...other }, { clock });
    await made.bench.tick();
    for (const event of made.vault.events('steward-action-2')) await made.bench.confirm(event);
    expect(made.vault.fields(ANNA).observations).toBe(2);
  });
});

describe('dismissed', () => {
  test('−0.05 for each source that contributed, a fifth of it for the channel, and no observation', async () => {
    const { vault, bench, proposal } = await proposed({ [MAIL]: instinct('mail') });
    await bench.dismiss(proposal);
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.85, observations: 0, wrong: 1, reversals: 0 });
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.89, observations: 0 });
    const answer = only(vault.events('steward-action-dismissed-'));
    expect(history(vault, ANNA)).toEqual([{ what: `dismissed in ${linkTo(answer)}`, before: 0.9, after: 0.85 }]);
  });

  test('five times without a right one silences the sender, and nobody else of the channel', async () => {
    const made = await bench();
    for (const nth of [1, 2, 3, 4, 5]) {
      made.vault.write(`task/t${nth}.md`, task());
      made.vault.write(`signal/t${nth}.md`, weak({ ...BY_ANNA, target_path: `task/t${nth}.md`, raw_quote: `${nth}` }));
      await made.bench.tick();
      await made.bench.dismiss(only(made.bench.openProposals()).event.path);
    }
    expect(made.vault.fields(ANNA)).toMatchObject({ calibration_status: 'pruned', confidence: 0.65, wrong: 5 });
    expect(made.vault.fields(MAIL)).toMatchObject({ calibration_status: 'pending', confidence: 0.85 });
    const before = made.vault.events().length;
    made.vault.write('signal/again.md', weak({ ...BY_ANNA, raw_quote: 'again' }));
    await made.bench.tick();
    expect(made.vault.events()).toHaveLength(before);
    made.vault.write('signal/ben.md', weak({ pattern: 'ben@notary.example', raw_quote: 'ben' }));
    await made.bench.tick();
    expect(made.vault.events().length).toBeGreaterThan(before);
  });
});

describe('taken back', () => {
  test('an act: −0.1, once; undone itself, every figure is as it was', async () => {
    const files = { [ANNA]: instinct('mail', { ...BY_ANNA, observations: 6, wrong: 1 }), [MAIL]: instinct('mail') };
    const { vault, bench: one } = await bench({ ...files, 'signal/s.md': signal(BY_ANNA) });
    await one.tick();
    const action = only(vault.events('signal-action-2'));
    const figures = () => [ANNA, MAIL].map((file) => figuresIn(vault, file));
    const before = figures();
    expect(await one.undo(action)).toMatchObject({ calibration: { [SOURCE]: '0.9 → 0.8', mail: '0.9 → 0.88' } });
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.8, reversals: 1, wrong: 2, observations: 6 });
    const reversal = only(vault.events('signal-action-reversed-'));
    expect(await one.undo(action)).toMatchObject({ outcome: 'already-reversed' });
    expect(vault.fields(ANNA)).toMatchObject({ confidence: 0.8, reversals: 1 });
    await one.undo(reversal);
    expect(figures()).toEqual(before);
    expect(history(vault, ANNA).at(-1)).toMatchObject({ before: 0.8, after: 0.9 });
  });

  test('a confirmation: exactly what it taught is given back, and the sender was not wrong', async () => {
    const { vault, bench, proposal } = await proposed({ [MAIL]: instinct('mail') });
    const figures = () => [ANNA, MAIL].map((file) => figuresIn(vault, file));
    await bench.confirm(proposal);
    const confirmed = figures();
    await bench.undo(only(vault.events('steward-action-confirmed-')));
    const undone = figures();
    expect(undone).toEqual([
      [0.9, 0, 0, 0, 0, false],
      [0.9, 0, 0, 0, 0, false],
    ]);
    const reversal = only(vault.events('steward-action-reversed-'));
    expect(vault.fields(reversal)).toMatchObject({
      calibration: { [SOURCE]: '0.91 → 0.9', mail: '0.902 → 0.9' },
      observations: { [SOURCE]: '1 → 0' },
    });
    await bench.undo(reversal);
    expect(figures()).toEqual(confirmed);
    await bench.undo(only(vault.events('steward-action-reversed-').filter((path) => path !== reversal)));
    expect(figures()).toEqual(undone);
  });
});

describe('a person’s edit of the note', () => {
  test('is what the next lesson starts from, and the history tells it', async () => {
    const { vault, bench, proposal } = await proposed();
    await bench.confirm(proposal);
    vault.edit(ANNA, 'confidence: 0.91', 'confidence: 0.5 # too sure');
    await bench.undo(only(vault.events('steward-action-confirmed-')));
    expect(vault.read(ANNA)).toContain('confidence: 0.49 # too sure');
    expect(history(vault, ANNA).slice(1)).toMatchObject([
      { what: 'edited by hand', before: 0.91, after: 0.5 },
      { before: 0.5, after: 0.49 },
    ]);
  });

  test('made while the note is catalogued as before is not written over', async () => {
    const { vault, bench: one } = await bench({
      [MAIL]: instinct('mail', { confidence: 0.8 }),
      'signal/s.md': signal(),
    });
    await one.tick();
    one.afterSweeps(() => vault.edit(MAIL, 'confidence: 0.8', 'confidence: 0.4'));
    expect(await one.undo(only(vault.events()))).toMatchObject({ calibration: { mail: '0.4 → 0.3' } });
    expect(vault.fields(MAIL)).toMatchObject({ confidence: 0.3, reversals: 1 });
  });

  test('steward: false is heeded: the note is read, and never written to', async () => {
    const text = instinct('mail', { confidence: 0.8, steward: false });
    const { vault, bench: one } = await bench({ [MAIL]: text, 'signal/s.md': signal() });
    await one.tick();
    expect(await one.undo(only(vault.events()))).toMatchObject({ outcome: 'reversed', calibration: {} });
    expect(vault.read(MAIL)).toBe(text);
  });
});

describe('odd names', () => {
  test('the same source in other letters is the same, and learns once from one answer', async () => {
    const twice = weak({ source_type: 'Mail', pattern: 'Anna@Notary.example', raw_quote: 'b' });
    const settled = settings({ trusted_signal_sources: ['mail', 'Mail'] });
    const { vault, bench, proposal } = await proposed({ 'steward.md': settled, 'signal/b.md': twice });
    await bench.confirm(proposal);
    expect(vault.fields(proposal).considered).toHaveLength(2);
    expect(vault.names('instinct')).toEqual(['mail', 'mail.md']);
    expect(vault.names('instinct/mail')).toEqual(['anna@notary.example.md']);
    expect(vault.fields(ANNA).observations).toBe(1);
  });

  test('a source named like a part of every object is a source like any other', async () => {
    const settled = settings({ trusted_signal_sources: ['constructor'] });
    const by = { source_type: 'constructor', pattern: '__proto__' };
    const { vault, bench: one } = await bench({ 'steward.md': settled, 'signal/s.md': signal(by) });
    await one.tick();
    await one.undo(only(vault.events('signal-action-2')));
    expect(vault.fields('instinct/constructor/__proto__.md')).toMatchObject({ confidence: 0.6, reversals: 1 });
    expect(vault.fields('instinct/constructor.md')).toMatchObject({ confidence: 0.68 });
    await one.undo(only(vault.events('signal-action-reversed-')));
    expect(vault.fields('instinct/constructor.md')).toMatchObject({ confidence: 0.7 });
  });

  test('of two notes of one source the same one is read and written each time, and status names the other', async () => {
    const files = { [MAIL]: instinct('mail'), 'instinct/b/mail too.md': instinct('Mail'), 'signal/s.md': signal() };
    const vault = new TempVault({ ...HOUSE, ...files });
    const running = await Running.start(vault);
    expect(running.daemon.status().trouble).toMatchObject([{ code: 'source-twice', file: 'instinct/b/mail too.md' }]);
    const { event } = await running.heard('acted');
    await running.stop();
    await (await Bench.open(vault)).undo(event);
    expect(vault.fields(MAIL).confidence).toBe(0.8);
    expect(vault.read('instinct/b/mail too.md')).toBe(files['instinct/b/mail too.md']);
  });
});

describe('a note whose figures make no sense', () => {
  test.each([
    ...['confidence: 7', 'confidence: -1', 'confidence: high', 'confidence: .nan', 'confidence: [0.9]', 'prior: 2'],
    ...['observations: -3', 'observations: 2.5', 'reversals: many', 'wrong: -1', 'calibration_status: excellent'],
  ])('%s: it is named in status, never acted upon, never written to', async (line) => {
    const field = line.split(':')[0] ?? '';
    const whole = instinct('mail', { observations: 60, wrong: 0 });
    const text = whole.replace(new RegExp(`^${field}: .*$`, 'm'), line);
    const vault = new TempVault({ ...HOUSE, [MAIL]: text, 'signal/s1.md': signal() });
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.events()).toEqual([]);
    expect(vault.read(MAIL)).toBe(text);
    expect(running.daemon.status().trouble).toMatchObject([{ code: 'field-invalid', file: MAIL }]);
    expect((await (await Bench.reading(vault)).explain('s1')).sentence).toContain("instinct/mail.md can't be read");
    vault.write(MAIL, whole);
    await running.sync();
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields(PAY).state).toBe('done');
  });

  test('a note that cannot be edited exactly is left as it is, and status says so', async () => {
    const text = instinct('mail').replace('confidence: 0.9', 'confidence: &sure 0.9');
    const { vault, bench, proposal } = await proposed({ [MAIL]: text });
    await bench.confirm(proposal);
    expect(vault.read(MAIL)).toBe(text);
    expect(bench.status().trouble).toMatchObject([{ code: 'edit-unsupported', file: MAIL }]);
    expect(vault.fields(ANNA).confidence).toBe(0.91);
  });
});
