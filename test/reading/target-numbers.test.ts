import { describe, expect, test } from 'vitest';
import { rankTargets, TargetIndex } from '../../src/reading/targets.ts';
import { candidate, eventWith } from '../support/events.ts';

const ROOF = 'matter/Roof.md';
const FIRST = 'task/First bill.md';
const LAST = 'task/Last bill.md';

function found(first: object, event: Parameters<typeof eventWith>[0], last: object = {}) {
  const index = new TargetIndex();
  index.add(candidate({ path: ROOF, senders: ['office@roof.example'] }));
  index.add(candidate({ path: FIRST, matterPath: ROOF, ...first }));
  index.add(candidate({ path: LAST, matterPath: ROOF, ...last }));
  const sentence = event.text ?? '';
  const clue = { sentence, verbs: ['paid'], otherVerbs: [], class: 'state_change' } as const;
  return rankTargets(index, eventWith({ from: 'office@roof.example', subject: 'Hello', ...event }), clue);
}

describe('a number that one open task alone is known by leads to it', () => {
  const payment = (parts: object) => ({ payment: { amount: [], reference: [], iban: [], counterparty: [], ...parts } });
  test.each([
    ['a keyword', { keywords: ['INV-2041'] }, 'INV-2041 has been paid.'],
    ['a field, written otherwise', payment({ reference: ['INV 2041'] }), 'INV-2041 has been paid.'],
    ['its body', { numbers: 'Contract 88-1204 of May' }, 'All paid for 88-1204.'],
    ['an IBAN', payment({ iban: ['DE89370400440532013000'] }), 'It was paid to DE89 3704 0044 0532 0130 00.'],
  ])('in %s', (_, first, text) => {
    const [best] = found(first, { text });
    expect(best?.candidate.path).toBe(FIRST);
    expect(best?.evidence).toContain('reference');
    expect(best?.score).toBeGreaterThanOrEqual(0.85);
  });

  test('two tasks with the number: it tells nothing', () => {
    const both = { numbers: 'Contract 88-1204' };
    const evidence = found(both, { text: 'All paid for 88-1204.' }, both).flatMap((each) => each.evidence);
    expect(evidence).not.toContain('reference');
  });

  test('a telephone number in the body is none', () => {
    const ranked = found({ numbers: 'Call +49 30 1234567 or (030) 7654321' }, { text: 'Paid. Tel. 1234567, 7654321' });
    expect(ranked.flatMap((each) => each.evidence)).not.toContain('reference');
  });
});

describe('a sum that one open task alone names', () => {
  test('supports it, together with the sender of its matter', () => {
    const [best] = found({ numbers: 'It costs 1.240,50 EUR' }, { text: 'We have received € 1,240.50.' });
    expect(best).toMatchObject({ candidate: { path: FIRST }, evidence: ['sender', 'amount'] });
  });

  test('leads nowhere by itself', () => {
    const ranked = found({ numbers: '1240.50 EUR' }, { from: 'cy@other.example', text: 'We received 1240.50 EUR.' });
    expect(ranked.every(({ score }) => score < 0.5)).toBe(true);
  });

  test('tells nothing where two tasks name it', () => {
    const ranked = found({ numbers: '90 EUR' }, { text: 'We have received 90 EUR.' }, { numbers: 'EUR 90' });
    expect(ranked.flatMap((each) => each.evidence)).not.toContain('amount');
  });
});
