import { expect, test } from 'vitest';
import type { StreamEvent } from '../../src/steward/types.ts';
import { makeDrafts, type SignalDraft } from '../../src/streams/signal.ts';
import { markedQuote } from '../../src/vault/event-text.ts';
import { eventWith, HOUSE, sampleIndex } from '../support/events.ts';
import { bankLine, ROOFER, STRANGER } from './bank-line.ts';

const SPOKEN = { sourceType: 'slack', from: 'U123', spoken: { room: 'general', isPersonal: false } };

/** The pattern of a signal, where the settings trust a mail server that did not vouch for its sender. */
function patternOf(event: StreamEvent): string | undefined {
  return draftOf(event)?.pattern;
}

function draftOf(event: StreamEvent, quote = 'x'): SignalDraft | undefined {
  const meaning = {
    ...{
      target: HOUSE,
      candidates: [HOUSE],
      ambiguous: false,
      targetConfidence: 1,
      targetEvidence: [],
      targetNear: true,
    },
    ...{ endsMatter: false, quote, proposal: null, effectConfidence: 1, reasoning: '' },
  };
  const extracted = {
    meanings: [meaning],
    skipped: null,
    rejected: [],
    unusable: null,
    extractor: 'rules',
    usage: null,
  };
  const context = {
    now: new Date('2026-11-20T12:00:00Z'),
    confidenceOf: () => 1,
    standingOf: () => 'unknown' as const,
  };
  return makeDrafts(event, extracted, sampleIndex(), context)[0];
}

test.each<[string, StreamEvent, string]>([
  ['a mail', eventWith({}), 'unverified:anna@notary.example'],
  ['a bank line with an IBAN', bankLine(), ROOFER],
  ['a bank line with a name', bankLine({ iban: null }), 'Roof & Sons'],
  [
    'a name that is an address',
    bankLine({ iban: null, counterparty: 'anna@notary.example' }),
    'unverified:anna@notary.example',
  ],
  ['a name that is an IBAN', bankLine({ iban: null, counterparty: ROOFER }), `unverified:${ROOFER}`],
  ['a sender that is not the IBAN of the line', bankLine({ iban: STRANGER }, { from: ROOFER }), `unverified:${ROOFER}`],
  ['something said in a chat', eventWith(SPOKEN), 'U123'],
])('%s: who speaks where no mail server vouches', (_, event, pattern) => {
  expect(patternOf(event)).toBe(pattern);
});

test('a name that is all that is known of a sender is shown once', () => {
  expect(draftOf(eventWith({ ...SPOKEN, from: 'mia doe', fromName: 'Mia Doe' }))?.from).toBe('Mia Doe');
  expect(draftOf(eventWith({ ...SPOKEN, fromName: 'Mia Doe' }))?.from).toBe('Mia Doe <U123>');
});

test.each([
  ['The receipts are due on 10 January, as agreed.', 'The receipts are due on 10 January,', true],
  ['It was paid, Sam says', 'It was paid', true],
  ['It was paid\n\nAnna', 'It was paid', false],
  ['It was paid. Thank you.', 'It was paid.', false],
])('a quote is marked if its sentence goes on behind it: %j', (text, quote, isOpen) => {
  const draft = draftOf(eventWith({ text }), quote);
  expect(draft?.quote_open === true).toBe(isOpen);
  expect(draft === undefined ? '' : markedQuote(draft)).toBe(isOpen ? `${quote}…` : quote);
});

test.each([
  ['Dear Sam,\n\nplease hand in the receipts by 10 January.', 'the receipts by 10 January.', true],
  ['Dear Sam,\n\nplease hand in\nthe receipts by 10 January.', 'the receipts by 10 January.', true],
  ['Dear Sam,\n\nthe receipts are due on 10 January.', 'the receipts are due on 10 January.', false],
  ['Dear Sam,\nthe receipts are due on 10 January.', 'the receipts are due on 10 January.', false],
  ['It rained. The receipts are due on 10 January.', 'The receipts are due on 10 January.', false],
])('a quote is marked if its sentence begins before it: %j', (text, quote, isCut) => {
  const draft = draftOf(eventWith({ text }), quote);
  expect(draft?.raw_quote).toBe(quote);
  expect(draft?.quote_cut === true).toBe(isCut);
});
