import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  genericEvent,
  genericName,
  genericText,
  makeIdentity,
  readFiledEvent,
  readGeneric,
} from '../../src/streams/generic-event.ts';
import { Seal } from '../../src/vault/seal.ts';
import { ibanForm } from '../../src/vault/source-names.ts';
import { lawRuns } from '../support/laws.ts';

const numRuns = lawRuns();
const seal = new Seal(Buffer.from('a key'));
const wallOf = (moment: number) => new Date(moment).toISOString().slice(0, 16);

const words = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.emailAddress(), fc.constant('DE89 3704 0044 0532 0130 00'))
  .map((text) => `${text}x`);
const time = fc
  .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const payment = fc.record({
  amount: fc.oneof(
    fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
    fc.constant('-12.5'),
  ),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  date: time.map((written) => written.slice(0, 10)),
  counterparty: maybe(words),
  account: maybe(words),
});
const appointment = fc.record({ start: time, cancelled: fc.boolean(), uid: maybe(words) });
const written = fc
  .record({ id: words, from: maybe(words), time: maybe(time), title: words, text: words })
  .chain((base) =>
    fc.oneof(
      fc.constant(base),
      payment.map((one) => ({ ...base, payment: one })),
      appointment.map((one) => ({ ...base, time: base.time ?? '2026-11-23T08:00:00Z', appointment: one })),
    ),
  );

test('an event goes through its file and comes back whole, with its source, as the same event', () => {
  fc.assert(
    fc.property(written, (one) => {
      const event = genericEvent.parse(one);
      const file = `stream/shop/${genericName('shop', event)}`;
      const bytes = Buffer.from(genericText(event, 'shop', file, seal));
      const filed = readGeneric(bytes, file, seal);
      expect(filed).toEqual({ source: 'shop', event });
      if (typeof filed === 'string') return;
      expect(makeIdentity(filed, wallOf)).toEqual(makeIdentity({ source: 'shop', event }, wallOf));
      expect(readFiledEvent(filed, { file, sourceType: 'other', wallOf }).text).not.toMatch(/\r/);
    }),
    { numRuns },
  );
});

test('whatever is written as from, the pattern is no address and no IBAN, and holds the source', () => {
  fc.assert(
    fc.property(words, (from) => {
      const event = genericEvent.parse({ id: '1', title: 'x', from });
      const heard = readFiledEvent({ source: 'shop', event }, { file: 'f', sourceType: 'other', wallOf });
      const pattern = heard.from ?? '';
      expect(pattern).not.toContain('@');
      expect(pattern).toMatch(/(?:^| )\(shop\)$/);
      expect(ibanForm(pattern)).toBeNull();
    }),
    { numRuns },
  );
});
