import { describe, expect, test } from 'vitest';
import {
  type GenericEvent,
  genericEvent,
  genericName,
  genericText,
  makeIdentity,
  readFiledEvent,
  readGeneric,
  whyNoEvent,
} from '../../src/streams/generic-event.ts';
import { Seal } from '../../src/vault/seal.ts';

const seal = new Seal(Buffer.from('a key'));
const FILE = 'stream/tickets/x.event.json';
const wallOf = (moment: number) => new Date(moment + 3_600_000).toISOString().slice(0, 16);
const TICKET = { id: '17', from: 'Anna@Notary.example', title: 'Ticket 17', text: 'Is done.\r\n\u202Eabc' };

function event(parts: object = {}): GenericEvent {
  return genericEvent.parse({ ...TICKET, ...parts });
}

function heard(parts: object = {}, source: string | null = 'tickets') {
  return readFiledEvent({ source, event: event(parts) }, { file: FILE, sourceType: 'other', wallOf });
}

function wrong(parts: object): string {
  const read = genericEvent.safeParse({ ...TICKET, ...parts });
  return read.success ? '' : whyNoEvent(read.error);
}

describe('what a program hands in', () => {
  test('speaks as a name that is no address, with its source behind it', () => {
    expect(heard()).toMatchObject({ from: 'anna notary.example (tickets)', fromName: 'Anna@Notary.example' });
    expect(heard({ from: 'anna (bank)' }).from).toBe('anna bank (tickets)');
    expect(heard({ from: undefined }).from).toBe('tickets (tickets)');
    expect(heard({}, null).from).toBe('anna notary.example (a dropped file)');
    expect(heard({ from: undefined }, null).from).toBeNull();
  });

  test('has words that are safe in a note, and nobody who vouches for them', () => {
    expect(heard()).toMatchObject({ subject: 'Ticket 17', text: 'Is done.\nabc', authentication: { result: 'none' } });
    expect(heard({ title: 'two\nlines' }).subject).toBe('two lines');
    expect(heard({ time: '2026-11-23T08:00:00+01:00' }).originAt).toBe('2026-11-23T07:00:00Z');
  });

  test('may be a payment', () => {
    const payment = { amount: -12.5, currency: 'EUR', date: '2026-11-23', iban: 'DE89 3704 0044 0532 0130 00' };
    const { from, payment: read, subject, originAt } = heard({ payment: { ...payment, reference: '4711' } });
    expect(read).toMatchObject({ amount: '-12.50', iban: 'DE89370400440532013000', references: ['4711'] });
    expect(read).toMatchObject({ status: 'booked', counterparty: 'Anna@Notary.example', account: null });
    expect(from).toBe('DE89370400440532013000');
    expect([subject, originAt]).toEqual([
      'Anna@Notary.example 12.50 EUR out: Ticket 17 Is done. abc',
      '2026-11-23T00:00:00Z',
    ]);
    expect(heard({ payment: { ...payment, amount: '-12.50', iban: undefined } }).from).toBe('anna notary example');
  });

  test('may be an appointment, on the clock of the person; a later one with its uid takes its place', () => {
    const appointment = { start: '2026-12-01T09:00:00+00:00', end: '2026-12-01T10:00:00+00:00', uid: 'dentist' };
    const time = '2026-11-20T08:00:00Z';
    expect(heard({ appointment, time }).appointment).toMatchObject({
      start: '2026-12-01T10:00',
      end: '2026-12-01T11:00',
    });
    const identity = (parts: object) => makeIdentity({ source: 'tickets', event: event(parts) }, wallOf);
    const first = identity({ appointment, time });
    const moved = { ...appointment, start: '2026-11-30', end: undefined };
    const second = identity({ id: '18', appointment: moved, time: '2026-11-21T08:00:00Z' });
    expect(second.key).toBe(first.key);
    expect(second.version > first.version).toBe(true);
    expect(second.version).toMatch(/ 2026-11-30$/);
    expect(heard({ appointment: { ...moved, cancelled: true }, time }).appointment?.status).toBe('cancelled');
  });

  test('is one and the same by its source and its id', () => {
    const of = (source: string | null, id: string) => makeIdentity({ source, event: event({ id }) }, wallOf).key;
    expect(new Set([of('tickets', '17'), of('shop', '17'), of(null, '17'), of('tickets', '18')]).size).toBe(4);
    expect(genericName('tickets', event())).toMatch(/^[0-9a-f]{32}\.event\.json$/);
    expect(genericName('tickets', event(), 2)).toMatch(/^[0-9a-f]{32}-2\.event\.json$/);
    expect(genericName('tickets', event())).not.toBe(genericName('shop', event()));
  });

  test.each([
    ['an unknown field', { color: 'red' }, /^it has a field that no event has; its fields are id, from, time, title/],
    ['no title', { title: undefined }, /^title is missing/],
    ['a time without a zone', { time: '2026-11-23T08:00:00' }, /^time must be a time with its zone/],
    ['a sum that is none', { payment: { amount: 1e30, currency: 'EUR', date: '2026-11-23' } }, /^payment.amount must/],
    ['a wrong IBAN', { payment: { amount: 1, currency: 'EUR', date: '2026-11-23', iban: 'DE00' } }, /iban must be an/],
    ['a payment with more', { payment: { amount: 1, currency: 'EUR', date: '2026-11-23', to: 1 } }, /amount, currency/],
    ['an end before the start', { appointment: { start: '2026-11-23', end: '2026-11-22' } }, /^appointment.end must/],
    ['no time beside a uid', { appointment: { start: '2026-11-23', uid: 'x' } }, /^time must come with/],
    ['no day', { appointment: { start: 'tomorrow' } }, /^appointment.start must be a time with its zone/],
    ['a long text', { text: 'x'.repeat(16_001) }, /^text is not as it must be: at most 16000 characters$/],
    ['an empty id', { id: ' ' }, /^id is not as it must be: it must not be empty$/],
    ['a number for a title', { title: 3 }, /^title is missing or is of another type|^title is not as it must be/],
  ])('says what is wrong with %s, and shows no value', (_, parts, reason) => {
    expect(wrong(parts)).toMatch(reason);
    expect(wrong(parts)).not.toMatch(/color|tomorrow|DE00|1e\+30/);
  });
});

describe('the file of an event', () => {
  test('gives it back with its source, where the program wrote it under this name', () => {
    const text = Buffer.from(genericText(event(), 'tickets', FILE, seal));
    expect(readGeneric(text, FILE, seal)).toEqual({ source: 'tickets', event: event() });
    expect(readGeneric(text, 'stream/bank/x.event.json', seal)).toEqual({ source: null, event: event() });
    expect(readGeneric(text, FILE, new Seal(Buffer.from('another key')))).toEqual({ source: null, event: event() });
    const changed = Buffer.from(text.toString().replace('Ticket 17', 'Ticket 18'));
    expect(readGeneric(changed, FILE, seal)).toMatchObject({ source: null, event: { title: 'Ticket 18' } });
  });

  test('is the event alone where a person drops it', () => {
    const text = Buffer.from(JSON.stringify(TICKET));
    expect(readGeneric(text, FILE, seal)).toEqual({ source: null, event: event() });
  });

  test.each([
    ['[1', /not JSON/],
    ['\xff', /not JSON/],
    ['[]', /it must be an object in braces/],
    ['{"id":"1"}', /title is missing/],
    [' '.repeat(600_000), /larger than 512 KiB/],
  ])('is refused with its reason: %#', (text, reason) => {
    expect(readGeneric(Buffer.from(text, 'latin1'), FILE, seal)).toMatch(reason);
  });
});
