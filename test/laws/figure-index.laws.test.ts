import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FigureIndex, figuresIn, supports } from '../../src/roundtable/figures.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();

const unit = fc.constantFrom('', ' %', ' EUR', ' seconds', ' minutes', ' ms', ' days', ' MB', ' kg', 'k', ' million');
const prefix = fc.constantFrom('', 'about ', 'over ', 'under ', '€', 'timeout_ms: ', 'rate: ', 'duration_minutes = ');
const figure = fc.tuple(
  fc.oneof(fc.nat(40), fc.nat(3000), fc.double({ min: 0.001, max: 500, noNaN: true })),
  prefix,
  unit,
  fc.nat(3),
);
const text = figure.map(
  ([value, before, after, places]) => `It is ${before}${value.toFixed(places)}${after}, we know.`,
);

test('whatever supports a claim is found in the index', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), text, (sources, said) => {
      const indexed = sources.flatMap((line) =>
        figuresIn(line).map((one) => ({ figure: one, line, beside: null, from: null })),
      );
      const index = new FigureIndex(indexed);
      for (const claim of figuresIn(said)) {
        const found = index.near(claim).filter((one) => supports(one, claim));
        expect(new Set(found)).toEqual(new Set(indexed.filter((one) => supports(one, claim))));
      }
    }),
    { numRuns: RUNS },
  );
});
