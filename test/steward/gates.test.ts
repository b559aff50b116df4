import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_THRESHOLDS,
  decideOutcome,
  discretionThreshold,
  effectiveMode,
  freshnessGate,
  GATES,
  type Gate,
  type GateName,
  MODES,
  type Mode,
  modeGate,
  parseMode,
  type Right,
  routeAlone,
  type SignalReport,
  signalGates,
  type Witness,
} from '../../src/steward/gates.ts';
import { backoff, emptyGuard, findRefusal, reserve } from '../../src/steward/rate-guard.ts';
import { guardGate } from '../../src/steward/spending.ts';
import { EXIT, StewardError } from '../../src/vault/errors.ts';
import { ACTS_FROM, ALLOWED, DISCRETION_EDGES, MODE_OUTCOMES } from '../support/gates.ts';
import { lawRuns } from '../support/laws.ts';
import { fields, NOW } from './samples.ts';

describe('gates and outcome', () => {
  describe('mode', () => {
    test('the ceiling is shadow unless it says otherwise', () => {
      expect(parseMode(undefined)).toBe('shadow');
      expect(parseMode('')).toBe('shadow');
      expect(parseMode(' live ')).toBe('live');
      expect(parseMode('live_high_confidence_only')).toBe('live_high_confidence_only');
    });
    test('an unknown word is exit 78 and says which words are known', () => {
      try {
        parseMode('on');
        expect.unreachable();
      } catch (error) {
        if (!(error instanceof StewardError)) throw error;
        expect(error.exit).toBe(EXIT.settings);
        expect(error.trouble.code).toBe('settings-mode');
        expect(error.trouble.hint).toContain('live_high_confidence_only');
      }
    });
    test('the vault and the caller only lower', () => {
      expect(effectiveMode('live', null, null)).toBe('live');
      expect(effectiveMode('live', 'shadow', null)).toBe('shadow');
      expect(effectiveMode('live', 'live', 'live_high_confidence_only')).toBe('live_high_confidence_only');
      expect(effectiveMode('shadow', 'live', 'live')).toBe('shadow');
      expect(effectiveMode('live_high_confidence_only', 'live', null)).toBe('live_high_confidence_only');
      expect(() => parseMode('LIVE!')).toThrow(StewardError);
    });
  });

  describe('discretion', () => {
    test.each(DISCRETION_EDGES)('%i observations → %f', (observations, threshold) => {
      expect(discretionThreshold(observations, null)).toBe(threshold);
      expect(discretionThreshold(observations, 0.5)).toBe(0.5);
      expect(discretionThreshold(observations, 0)).toBe(0);
    });
  });

  describe('the mode’s threshold', () => {
    test.each(MODE_OUTCOMES)('%s at %f: %s', (mode, confidence, outcome) => {
      const gate = modeGate(mode, confidence, DEFAULT_THRESHOLDS);
      expect(gate.held).toBe(outcome === 'act');
      expect(gate.threshold).toBe(ACTS_FROM[mode]);
      const isClosedAnyway = mode === 'shadow' && confidence >= ACTS_FROM.shadow;
      expect(gate.sentence).toContain(isClosedAnyway ? 'mode: shadow changes no note.' : String(gate.threshold));
      expect(decideOutcome(mode, [gate], ALLOWED)).toBe(outcome);
    });
  });

  test('shadow records, live acts if all gates pass, else proposes', () => {
    const open = modeGate('live', 0.9, DEFAULT_THRESHOLDS);
    const shut = modeGate('live', 0.1, DEFAULT_THRESHOLDS);
    expect(decideOutcome('shadow', [open], ALLOWED)).toBe('record');
    expect(decideOutcome('live', [open, open], ALLOWED)).toBe('act');
    expect(decideOutcome('live', [open, shut], ALLOWED)).toBe('propose');
    expect(decideOutcome('live_high_confidence_only', [shut], ALLOWED)).toBe('propose');
  });

  test('the rate guard as a gate', () => {
    const target = { kind: 'task', path: 'task/a.md', matter: null, senders: [], licensed: true } as const;
    let state = emptyGuard();
    expect(guardGate(findRefusal(state, target, NOW), 'there was room')).toMatchObject({ held: true });
    for (let n = 0; n < 6; n++) state = reserve(state, target, NOW).state;
    const full = guardGate(findRefusal(state, target, NOW), 'there was room');
    expect(full).toMatchObject({ held: false, figure: 6, threshold: 6 });
    expect(full.sentence).toContain('6 of 6 used by this task in a day; free at 2026-11-22T20:19:54Z');
    const held = findRefusal(backoff(emptyGuard(), 60, NOW), null, NOW);
    expect(guardGate(held, 'there was room').sentence).toContain('asked for a pause');
  });
});

describe('the gates of one signal', () => {
  const ANNA = 'mail:anna@notary.example';
  const LICENSED: Right = { ok: true, licence: 'licence/anna.md', sentence: 'you allowed it in anna.' };
  const UNLICENSED: Right = { ok: false, sentence: 'anna@notary.example has no licence on house.' };

  /** A signal that passes every gate under a licence. */
  function witness(parts: Partial<Witness> = {}): Witness {
    return {
      source: ANNA,
      sender: 'anna@notary.example',
      vouched: 'pass',
      server: 'mx.sample.example',
      writer: 'own',
      evidence: ['sender', 'name'],
      near: true,
      targetConfidence: 0.9,
      reading: 0.95,
      effectConfidence: 0.95,
      threshold: 0.8,
      silence: null,
      endsMatter: false,
      warning: null,
      doubt: null,
      ...parts,
    };
  }

  const failed = (one: Witness, right: Right = LICENSED, openParts: number | null = null) =>
    signalGates(one, right, openParts).filter(({ held }) => !held);

  test('all hold for a sure signal of a licensed, authenticated sender', () => {
    expect(failed(witness())).toEqual([]);
    expect(failed(witness({ endsMatter: true }), LICENSED, 0)).toEqual([]);
  });

  test.each<[string, Partial<Witness>, GateName, RegExp]>([
    ['a forged sender', { vouched: 'fail' }, 'forged', /not from anna\S*: your mail server rejected the sender/],
    [
      'nobody to vouch for it',
      { vouched: 'none', server: null },
      'authenticated',
      /no trusted server authenticated anna/,
    ],
    [
      'no named sender',
      { source: 'calendar:unverified:nobody', vouched: 'none' },
      'authenticated',
      /: it names no sender\.$/,
    ],
    ['a warning about the sender', { warning: 'The address looks like it.' }, 'forged', /looks like it/],
    ['a target that is not sure', { targetConfidence: 0.84 }, 'target', /only 0\.84 confidence that anna/],
    ['a target found by words alone', { evidence: ['words'] }, 'target', /only words in common/],
    ['a target found by nothing', { evidence: [] }, 'target', /no evidence that can be checked/],
    ['a target named in another passage', { near: false }, 'target', /another passage/],
    ['a reading that is not sure', { reading: 0.84 }, 'reading', /scored 0\.84/],
    ['a doubt about the text', { doubt: 'It is marked as spam.' }, 'reading', /marked as spam/],
    [
      'too little confidence for its experience',
      { effectConfidence: 0.79 },
      'discretion',
      /: anna@notary\.example scored 0\.79, 0\.80 needed/,
    ],
    ['a sender that is silenced', { threshold: null, silence: 'it is pruned.' }, 'discretion', /pruned/],
  ])('%s fails one gate', (_, parts, name, words) => {
    const gates = failed(witness(parts)).filter((gate) => gate.name !== 'authenticated' || name === 'authenticated');
    expect(gates.map((gate) => gate.name)).toEqual([name]);
    expect(gates[0]?.sentence).toMatch(words);
  });

  test('one link or reference is enough to find the target, at exactly the threshold', () => {
    expect(failed(witness({ evidence: ['link'], targetConfidence: 0.85, reading: 0.85 }))).toEqual([]);
    expect(failed(witness({ evidence: ['reference'] }))).toEqual([]);
  });

  test('a licence is asked for, whatever else speaks for the sender', () => {
    const best = witness({
      evidence: ['link', 'reference', 'sender'],
      targetConfidence: 1,
      reading: 1,
      effectConfidence: 1,
    });
    expect(failed(best, UNLICENSED).map(({ name }) => name)).toEqual(['licence']);
  });

  test.each<[string, Partial<Witness>, number, RegExp]>([
    ['with an open task', { endsMatter: true }, 1, /1 open part/],
    ['where nothing says that the affair has ended', {}, 0, /does not say/],
  ])('a matter stays open %s', (_, parts, openParts, words) => {
    const gates = failed(witness(parts), LICENSED, openParts);
    expect(gates.map(({ name }) => name)).toEqual(['closing']);
    expect(gates[0]?.sentence).toMatch(words);
  });

  test('they are listed most serious first', () => {
    const names = signalGates(witness(), LICENSED, 0).map(({ name }) => GATES.indexOf(name));
    expect(names).toEqual(names.toSorted((one, other) => one - other));
  });

  test('LAW: worse figures never open a gate', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(unit, unit, unit, unit, (target, reading, effect, by) => {
        const parts = { targetConfidence: target, reading, effectConfidence: effect };
        const worse = { targetConfidence: target * by, reading: reading * by, effectConfidence: effect * by };
        const before = new Set(failed(witness(parts)).map(({ name }) => name));
        const after = new Set(failed(witness(worse)).map(({ name }) => name));
        return before.isSubsetOf(after);
      }),
      { numRuns: lawRuns(200) },
    );
  });
});

describe('the freshness gate', () => {
  const DAY = 86_400_000;
  const NOW = Date.UTC(2026, 10, 21);
  const told = (parts: Partial<SignalReport> = {}): SignalReport => ({
    source: 'mail:a@x.example',
    at: NOW,
    quote: 'paid',
    ...parts,
  });

  describe('what is told', () => {
    test.each<[string, SignalReport, boolean]>([
      ['later than what was decided may be acted upon', told({ at: NOW + 1 }), true],
      ['earlier may not', told({ at: NOW - 1 }), false],
      ['at the same moment in the same words is the same mail again', told(), false],
      ['at the same moment in other words is another mail', told({ quote: 'moved' }), true],
      ['at no known time may not, where something was decided', told({ at: null }), false],
    ])('%s', (_, one, held) => {
      expect(freshnessGate([one], [told()])).toMatchObject({ name: 'freshness', held });
    });

    test('first may be acted upon, whenever it was', () => {
      expect(freshnessGate([told({ at: null })], []).held).toBe(true);
    });

    test('names both moments where it is refused', () => {
      const { sentence } = freshnessGate([told({ at: NOW - DAY })], [told()]);
      expect(sentence).toBe(
        'freshness: what was decided (2026-11-21T00:00:00Z) is at least as new as what mail:a@x.example says (2026-11-20T00:00:00Z).',
      );
    });
  });

  test('more that was decided never opens the gate, and more that is told never opens it either', () => {
    const at = fc.option(fc.integer({ min: NOW - DAY, max: NOW + DAY }), { nil: null });
    const telling = fc.record({ source: fc.constant('mail'), at, quote: fc.constantFrom('paid', 'moved', null) });
    const tellings = fc.array(telling, { maxLength: 4 });
    fc.assert(
      fc.property(tellings, tellings, telling, (bearing, decided, more) => {
        const { held } = freshnessGate(bearing, decided);
        if (!held) expect(freshnessGate([...bearing, more], decided).held).toBe(false);
        if (!held) expect(freshnessGate(bearing, [...decided, more]).held).toBe(false);
      }),
    );
  });
});

describe('one signal alone', () => {
  interface Asked {
    readonly mode?: Mode;
    readonly effect?: number;
    readonly gates?: readonly Gate[];
  }

  function route(parts: Record<string, unknown> = {}, { mode = 'live', effect = 0.97, gates = [] }: Asked = {}) {
    return routeAlone(fields(parts), effect, { mode, thresholds: DEFAULT_THRESHOLDS }, () => gates);
  }

  function licence(held: boolean): Gate {
    return { name: 'licence', held, figure: null, threshold: 0, sentence: 'licence: anna has no licence on house.' };
  }

  test('a signal that passes its gates is routed, at min(target, effect)', () => {
    expect(route({ target_confidence: 0.8 })).toMatchObject({ route: true, confidence: 0.8 });
    expect(route({}, { gates: [licence(true)] }).gates.map((gate) => [gate.name, gate.held])).toEqual([
      ['licence', true],
      ['mode', true],
    ]);
  });

  test.each([
    [{ effect: 'action' }, 'asks you for something'],
    [{ effect: 'none' }, 'news that changes no note'],
    [{ mutation_proposal: null }, 'proposes no change'],
    [{ target_ambiguous: true }, 'may mean several'],
    [{ status: 'applied' }, 'applied already'],
    [{ status: 'skipped' }, 'skipped already'],
    [{ steward: false }, 'steward: false'],
  ])('%j is of no kind to be routed', (parts, reason) => {
    expect(route(parts)).toMatchObject({ route: false, gates: [] });
    expect(route(parts).reason).toContain(reason);
  });

  test('what the note says of its own effect counts for nothing: the speaker does', () => {
    expect(route({ effect_confidence: 1 }, { effect: 0.6 })).toMatchObject({ confidence: 0.6 });
    expect(route({ effect_confidence: 0 }, { effect: 0.97 })).toMatchObject({ route: true, confidence: 0.97 });
  });

  test('one gate that fails is enough to wait, and is named', () => {
    expect(route({}, { gates: [licence(false)] })).toMatchObject({
      route: false,
      reason: 'anna has no licence on house.',
    });
  });

  test('the mode’s threshold holds; shadow is judged as live', () => {
    expect(route({ target_confidence: 0.59 }).reason).toContain('live needs 0.60');
    for (const mode of MODES) {
      expect(route({ target_confidence: ACTS_FROM[mode] }, { mode }).route).toBe(true);
      expect(route({ target_confidence: ACTS_FROM[mode] - 0.01 }, { mode }).route).toBe(false);
    }
  });
});
