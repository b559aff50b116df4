import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshnessGate, type Telling } from '../../../src/steward/gates-freshness-gate.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);
const told = (parts: Partial<Telling> = {}): Telling => ({
  source: 'mail:a@x.example',
  at: NOW,
  quote: 'paid',
  ...parts,
});

describe('what is told', () => {
  test.each<[string, Telling, boolean]>([
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
