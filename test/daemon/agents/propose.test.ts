// Over 5 s: it gives dozens of answers in a vault on disk.
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/daemon/environment.ts';
import type { AgentProposal } from '../../../src/features/agent-proposal.ts';
import { propose } from '../../../src/features/agents.ts';
import { Clock, DAY, quietHoursAround, SECOND } from '../../support/clock.ts';
import { instinct, matter, settings, task } from '../../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../../support/own-signal.ts';
import { Running } from '../../support/running.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench, HIGH_ONLY, LIVE, only, SHADOW } from '../../support/workspace.ts';

const PAY = 'task/pay.md';
const PLAIN: Files = {
  'steward.md': settings(),
  'matter/house.md': matter(),
  [PAY]: task({ due: '2035-12-01' }),
  'task/plan.md': task(),
};

const ORDER: AgentProposal = {
  ...{ client: 'helper', note: 'pay', set: { due: '2035-12-16' }, quote: 'the 16th suits us', confidence: 1 },
  reason: 'The minutes of the call say so.',
};

async function opened(files: Files = {}, env: Environment = LIVE, clock = new Clock()) {
  const vault = new TempVault({ ...PLAIN, ...files });
  const bench = await Bench.open(vault, { env, clock });
  const hand = async (order: Partial<AgentProposal> = {}) => {
    await bench.sweep();
    return propose(bench.ports, { ...ORDER, ...order });
  };
  return { vault, bench, hand };
}

describe('what an agent proposes', () => {
  test('is a signal of its own channel, and waits for the person', async () => {
    const { vault, bench, hand } = await opened();
    const made = await hand({ source: 'notes of the call' });
    expect(made).toMatchObject({
      ...{ outcome: 'waiting', known: false, target: PAY, change: 'due 2035-12-01 → 2035-12-16' },
      heldBy: expect.arrayContaining([{ gate: 'licence', reason: expect.stringMatching(/^agent:helper is an agent/) }]),
    });
    expect(vault.fields(`signal/${made.signal}.md`)).toMatchObject({
      ...{ source_type: 'agent', pattern: 'helper', sender_known: 'unknown', authenticated: 'none' },
      ...{ effect_confidence_raw: 1, effect_confidence: 0.7, raw_quote: 'the 16th suits us', target_path: PAY },
      from: 'agent <helper>',
      reasoning: 'The agent helper says: The minutes of the call say so. (It names as its source: notes of the call)',
    });
    expect(vault.fields(`event/${made.event}.md`)).toMatchObject({
      ...{ waiting: true, outcome: 'proposed', from: 'agent (helper)', source_contributions: { 'agent:helper': 0.7 } },
      evaluator: 'none: one signal was evaluated alone',
    });
    expect(vault.fields(PAY).due).toBe('2035-12-01');
    expect(vault.fields(PAY)).not.toHaveProperty('pending_confirmation');
    expect(only(bench.waiting())).toMatchObject({
      kind: 'proposal',
      event: made.event,
      answers: ['confirm', 'dismiss', 'later'],
    });
  });

  test('is made once it is confirmed, and teaches the agent that it was right', async () => {
    const { vault, bench, hand } = await opened();
    const { event } = await hand();
    await bench.confirm(event ?? '');
    expect(vault.fields(PAY).due).toBe('2035-12-16');
    expect(vault.fields('instinct/agent/helper.md')).toMatchObject({ observations: 1, confidence: 0.73 });
  });

  test('teaches that it was wrong once it is dismissed, and is not asked again for a week', async () => {
    const clock = new Clock();
    const { vault, bench, hand } = await opened({}, LIVE, clock);
    const { event } = await hand();
    await bench.dismiss(event ?? '');
    expect(vault.fields('instinct/agent/helper.md')).toMatchObject({ observations: 0, wrong: 1, confidence: 0.65 });
    await expect(hand()).rejects.toThrow('it was dismissed. It is not asked again for a week.');
    await expect(hand({ client: 'other' })).resolves.toMatchObject({ outcome: 'waiting' });
    clock.move(8 * DAY);
    await expect(hand({ set: { due: '2035-12-17' } })).resolves.toMatchObject({ outcome: 'waiting', known: false });
  });

  test('is one, however often it is handed in and by whom', async () => {
    const { vault, hand } = await opened();
    const first = await hand();
    expect(await hand()).toMatchObject({ known: true, event: first.event, outcome: 'waiting' });
    expect(await hand({ client: 'other', quote: 'else' })).toMatchObject({ known: true, event: first.event });
    expect(vault.names('signal')).toHaveLength(1);
    expect(vault.events()).toHaveLength(1);
  });

  test('is recorded and waits in shadow too, and no other note is touched', async () => {
    const { vault, bench, hand } = await opened({}, SHADOW);
    const before = vault.read(PAY);
    expect(await hand()).toMatchObject({ outcome: 'waiting' });
    expect(vault.read(PAY)).toBe(before);
    expect(bench.waiting()).toHaveLength(1);
  });

  test('is weighed once: the next tick has nothing to add', async () => {
    const { vault, bench, hand } = await opened();
    await hand();
    await bench.tick();
    expect(vault.events()).toHaveLength(1);
  });

  test('asks no model', async () => {
    const asked: unknown[] = [];
    const vault = new TempVault(PLAIN);
    const evaluator = {
      ...{ name: 'model', asksModel: true },
      evaluate: async (question: unknown) => {
        asked.push(question);
        throw new Error('asked');
      },
    };
    const bench = await Bench.open(vault, { evaluator });
    expect(await propose(bench.ports, ORDER)).toMatchObject({ outcome: 'waiting' });
    expect(asked).toEqual([]);
  });
});

describe('it never acts', () => {
  const ALL = {
    trusted_signal_sources: ['agent', 'Agent', 'agent:helper'],
    confidence_threshold: 0,
    settle_seconds: 0,
  };
  const FAVOURED: Files = {
    'steward.md': settings({ ...ALL, editable_fields: ['note_of_mine'] }),
    'matter/house.md': matter({ senders: ['helper', 'agent'], discretion_threshold: 0, signal_sources: ['agent'] }),
    [PAY]: task({ due: '2035-12-01', senders: ['helper', 'agent:helper'], discretion_threshold: 0 }),
    'instinct/agent.md': instinct('agent', { confidence: 1, observations: 90, pinned: true }),
    'instinct/agent/helper.md': instinct('agent', { pattern: 'helper', confidence: 1, observations: 90, pinned: true }),
  };

  test.each<[string, Environment]>([
    ['live', { ...LIVE, confidenceThreshold: 0 }],
    ['live_high_confidence_only', { ...HIGH_ONLY, highConfidenceThreshold: 0 }],
    ['shadow', SHADOW],
  ])('in %s, also where the settings, the notes and ninety right outcomes speak for it', async (_, env) => {
    const { vault, bench, hand } = await opened(FAVOURED, env);
    for (const set of [{ due: '2035-12-16' }, { state: 'done' }, { summary: 'new' }]) await hand({ set });
    await hand({ note: 'house', set: { state: 'archived' } });
    await bench.tick();
    await bench.tick();
    expect(vault.fields(PAY)).toMatchObject({ due: '2035-12-01', state: 'open' });
    expect(vault.fields('matter/house.md').state).toBe('open');
    for (const event of vault.events()) expect(vault.fields(event)).toMatchObject({ undo_recipe: null, waiting: true });
  });

  test('after fifty confirmations either', async () => {
    const clock = new Clock();
    const { vault, bench, hand } = await opened(FAVOURED, { ...LIVE, confidenceThreshold: 0 }, clock);
    for (let at = 0; at < 52; at += 1) {
      clock.move(DAY);
      const { event } = await hand({ set: { due: `2036-01-${String(1 + (at % 28)).padStart(2, '0')}` } });
      await bench.confirm(event ?? '');
    }
    expect(Number(vault.fields('instinct/agent/helper.md').observations)).toBeGreaterThan(50);
    clock.move(DAY);
    expect(await hand({ set: { due: '2037-01-01' } })).toMatchObject({ outcome: 'waiting' });
    expect(vault.fields(PAY).due).not.toBe('2037-01-01');
  });

  test.each([
    ['alone', false],
    ['that an agent repeats, which opens no gate and is no part of it', true],
  ])('a model acts on the word of a licensed sender %s', async (_, withAgent) => {
    const clock = new Clock();
    const evaluator = {
      ...{ name: 'model', asksModel: false },
      evaluate: async () => ({
        ...{ decision: 'likely_done' as const, confidence: 1, reasoning: 'So it is.', evidence: [] },
        source_contributions: { [`mail:${ANNA}`]: 1 },
        changes: [{ field: 'state', op: 'set' as const, value: 'done' }],
      }),
    };
    const vault = new TempVault({
      ...{ ...FAVOURED, [PAY]: task({ senders: [ANNA], discretion_threshold: 0 }) },
      ...{ 'matter/house.md': matter(), 'steward.md': settings({ ...ALL, settle_seconds: 10 }) },
      'licence/anna.md': ownLicence('licence/anna.md'),
    });
    const bench = await Bench.open(vault, { env: HIGH_ONLY, clock, evaluator });
    // Too weak for this mode, but for a model that is surer of it.
    vault.write('signal/mail.md', ownSignal('signal/mail.md', { effect_confidence: 0.8 }));
    if (withAgent) {
      vault.write(PAY, vault.read(PAY), 0); // somebody is editing it, so it is weighed with the mail
      await bench.sweep();
      expect(await propose(bench.ports, { ...ORDER, set: { state: 'done' } })).toMatchObject({ outcome: 'later' });
    }
    clock.move(60 * SECOND);
    await bench.tick();
    expect(vault.fields(PAY).state).toBe('done');
    const event = vault.fields(only(vault.events()));
    expect(event).toMatchObject({ signals: ['[[mail]]'], source_contributions: { [`mail:${ANNA}`]: 1 } });
    if (withAgent) expect(event.considered).toHaveLength(2);
  });
});

describe('it is refused, and the agent hears why', () => {
  test.each<[string, Partial<AgentProposal>, RegExp]>([
    ['of a note that is not there', { note: '../../etc/passwd' }, /no task or matter of that name/],
    ['of a note that is neither', { note: 'steward' }, /no task or matter of that name/],
    ['of a protected field', { set: { type: 'matter' } }, /^type is protected and never written/],
    ['of a protected field in other letters', { set: { Steward: false } }, /protected/],
    ['of a field of nobody', { set: { colour: 'red' } }, /not a field that may be written/],
    ['of no field', { set: {} }, /name a field/],
    ['of two kinds at once', { set: { due: '2035-12-16', state: 'done' } }, /state and due are of different kinds/],
    ['of what stands there', { set: { due: '2035-12-01' } }, /would have no effect/],
    ['of what is no day', { set: { due: 'soon' } }, /due/],
    ['with something live in it', { set: { summary: '![x](http://evil.example/p.png)' } }, /summary/],
    ['of a matter that is not there', { set: { parent_matter: '[[nowhere]]' } }, /parent_matter/],
  ])('%s', async (_, order, why) => {
    const { vault, hand } = await opened();
    const before = vault.read(PAY);
    await expect(hand(order)).rejects.toThrow(why);
    expect([vault.names('signal'), vault.events(), vault.read(PAY)]).toEqual([[], [], before]);
  });

  test('about a note that is hands off, and one whose matter hears others only', async () => {
    const { hand } = await opened({ [PAY]: task({ steward: false }) });
    await expect(hand()).rejects.toThrow('steward: false');
    const other = await opened({ 'matter/house.md': matter({ signal_sources: ['mail'] }) });
    await expect(other.hand()).rejects.toThrow('accepts only mail');
  });

  test('where its source is pruned', async () => {
    const pruned = { pattern: 'helper', confidence: 0.1, calibration_status: 'pruned', wrong: 9 };
    const { hand } = await opened({ 'instinct/agent/helper.md': instinct('agent', pruned) });
    await expect(hand()).rejects.toThrow('agent:helper is pruned');
  });

  test('where it proposes too much, about one note and in all', async () => {
    const notes = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`task/t${at}.md`, task()]));
    const { vault, hand } = await opened(notes);
    for (const day of [10, 11, 12]) await hand({ set: { due: `2035-12-${day}` } });
    await expect(hand({ set: { due: '2035-12-13' } })).rejects.toThrow('3 a day about one note');
    for (let at = 0; at < 7; at += 1) await hand({ note: `t${at}` });
    await expect(hand({ note: 't8' })).rejects.toThrow('10 an hour of one agent');
    expect(await hand({ note: 't8', client: 'other' })).toMatchObject({ outcome: 'waiting' });
    expect(vault.names('signal')).toHaveLength(11);
  });
});

describe('it is looked at later', () => {
  test('where somebody is editing the note; handed in again, it is still one', async () => {
    const clock = new Clock();
    const { vault, hand } = await opened({}, LIVE, clock);
    vault.write(PAY, task({ due: '2035-12-02' }), 0);
    const first = await hand();
    expect(first).toMatchObject({ outcome: 'later', event: null, known: false, again: expect.any(Number) });
    clock.move(12 * SECOND);
    expect(await hand()).toMatchObject({ outcome: 'waiting', known: true, signal: first.signal });
    expect(vault.names('signal')).toHaveLength(1);
  });

  test('in the quiet hours', async () => {
    const clock = Clock.atNoon();
    const { vault, hand } = await opened(
      { 'steward.md': settings({ quiet_hours: quietHoursAround(clock.now()) }) },
      LIVE,
      clock,
    );
    expect(await hand()).toMatchObject({ outcome: 'later', reason: expect.stringMatching(/quiet hours/) });
    expect(vault.events()).toEqual([]);
  });
});

describe('with a daemon', () => {
  test('it does the same, over the socket', async () => {
    const vault = new TempVault(PLAIN);
    const running = await Running.start(vault);
    const made = await running.ask({ op: 'propose', ...ORDER });
    expect(made).toMatchObject({ outcome: 'waiting', target: PAY });
    await running.sync();
    expect(vault.events()).toHaveLength(1);
    await expect(running.ask({ op: 'propose', ...ORDER, client: 'No token!' })).rejects.toThrow(/client/);
    await running.saved('agents', { made: [{ client: 'helper', target: PAY }] });
  });
});
