import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../../src/steward/types.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { signalFields } from '../../src/vault/record.ts';
import { candidate, eventWith, extractSignals, HOUSE, mail, sampleIndex } from '../support/events.ts';
import { lawRuns } from '../support/laws.ts';

const context = {
  now: new Date('2026-11-23T20:19:54.123Z'),
  standingOf: () => 'unknown' as const,
  confidenceOf: () => 0.9,
};
const extract = (event: StreamEvent) => extractSignals(event, sampleIndex(), context);

describe('a signal', () => {
  it('has the fields of a signal note, and a name made from time and hash', async () => {
    const { signals, skipped } = extract(await mail('plain.eml'));
    expect(skipped).toBeNull();
    expect(signals).toHaveLength(1);
    const [signal] = signals;
    const hash = createHash('sha256').update(`stream/gmail/plain.eml\0${signal?.raw_quote}`).digest('hex').slice(0, 8);
    expect(signal).toMatchObject({
      id: `2026-11-20T08-15-30Z-${hash}`,
      type: 'signal',
      created: '2026-11-23T20:19:54Z',
      origin_at: '2026-11-20T08:15:30Z',
      source_type: 'gmail',
      source_event_path: 'stream/gmail/plain.eml',
      raw_quote: 'the deposit invoice has been paid in full.',
      target_kind: 'task',
      target_path: 'task/Pay deposit invoice.md',
      target_matter_path: HOUSE,
      target_ambiguous: false,
      effect: 'mutation',
      effect_confidence: 0.864,
      effect_confidence_raw: 0.96,
      mutation_proposal: { class: 'state_change', set: { state: 'done' } },
      headline: 'Deposit for the house',
      status: 'unrouted',
    });
    expect(signalFields.safeParse(signal).success).toBe(true);
  });

  it('is one for each thing said', async () => {
    const { signals } = extract(await mail('moved.eml'));
    expect(signals.map(({ effect, target_path }) => [effect, target_path])).toEqual([
      ['mutation', 'task/Notary appointment.md'],
      ['action', 'task/Notary appointment.md'],
    ]);
    expect(signals[0]?.mutation_proposal).toEqual({ class: 'context_edit', set: { due: '2026-12-11' } });
  });

  it('is one for each thing said in one sentence, each with a quote of its own', () => {
    const { signals } = extract(eventWith({ text: 'Deposit was paid and deed of sale was signed.' }));
    expect(signals.map(({ raw_quote, target_path }) => [raw_quote, target_path])).toEqual([
      ['was paid', 'task/Pay deposit invoice.md'],
      ['was signed', 'task/Sign deed of sale.md'],
    ]);
  });

  it('is of a task to cancel something when that is cancelled: done, not called off', () => {
    const index = sampleIndex(candidate({ path: 'task/Cancel old broadband.md' }));
    const { signals } = extractSignals(
      eventWith({ from: 'care@snail.example', text: 'Your old broadband has been cancelled.' }),
      index,
      context,
    );
    expect(signals.map((signal) => signal.mutation_proposal?.set)).toEqual([{ state: 'done' }]);
  });

  it('closes no matter that has open tasks, but says that something was done', () => {
    const { signals } = extract(eventWith({ text: 'The drainage report has been delivered.' }));
    expect(signals).toMatchObject([{ target_path: HOUSE, effect: 'action', mutation_proposal: null }]);
    expect(signals[0]?.reasoning).toContain('No task fits best, so no change is proposed.');
  });

  it.each(['Dear {{first_name}}, the deposit has been paid.', 'The deposit of [AMOUNT] has been paid.'])(
    'is not made of a template: %s',
    (text) => {
      expect(extract(eventWith({ text })).skipped).toContain('a template');
      expect(extract(eventWith({ text: text.replace(/[{[].*[\]}]/, 'ten') })).signals).toHaveLength(1);
    },
  );

  it('proposes no date for a matter', () => {
    const { signals } = extract(eventWith({ text: 'All of it has been moved to 12 December 2026.' }));
    expect(signals).toMatchObject([{ effect: 'action', target_kind: 'matter', mutation_proposal: null }]);
  });

  it('is read in other languages', async () => {
    expect(extract(await mail('multipart.eml')).signals).toMatchObject([{ target_path: 'task/Sign deed of sale.md' }]);
    expect(extract(await mail('base64.eml')).signals).toMatchObject([{ target_kind: 'matter', target_path: HOUSE }]);
  });

  it('takes nothing from words for a program', async () => {
    const { signals } = extract(await mail('injection.eml'));
    for (const signal of signals) {
      expect(signal.effect_confidence_raw).toBeLessThanOrEqual(0.5);
      expect(signal.target_path).not.toContain('..');
    }
  });
});

describe('no signal', () => {
  it.each([
    ['newsletter.eml', 'bulk mail: List-Unsubscribe'],
    ['out-of-office.eml', 'bulk mail: Auto-Submitted: auto-replied'],
    ['outlook-reply.eml', 'no news for a matter'],
    ['forward.eml', 'only quoted or forwarded words'],
  ])('from %s', async (name, reason) => {
    expect(extract(await mail(name))).toEqual({ signals: [], skipped: reason });
  });

  it('where the phrase was defeated, and says by what', async () => {
    const { signals, skipped } = extract(await mail('reply.eml'));
    expect(signals).toEqual([]);
    expect(skipped).toContain('not yet been paid');
    expect(skipped).toContain('negated');
  });

  it('where no note fits', () => {
    const event = eventWith({ from: 'x@y.example', text: 'The notary has been paid.' });
    expect(extract(event).skipped).toMatch(/^no matter fits \(best 0\.\d\d /);
    expect(extract(eventWith({ from: 'x@y.example', text: 'It has been paid.' })).skipped).toBe('no matter fits');
  });

  it('from what is old, or the vault’s own', () => {
    const text = 'The deposit invoice has been paid.';
    expect(extract(eventWith({ text, originAt: '2026-11-01T00:00:00Z' })).skipped).toBe('older than 14 days');
    expect(extract(eventWith({ text, ownNote: true })).skipped).toBe("the vault's own note");
  });

  it('counts from a time to come', () => {
    const { signals } = extract(
      eventWith({ text: 'The notary appointment was moved to 12 December.', originAt: '2031-01-01T00:00:00Z' }),
    );
    expect(signals).toEqual([]);
  });
});

const piece = fc.constantFrom(
  'The deposit invoice has been paid.',
  'not',
  '[[Notary appointment]]',
  'moved to 12 December 2026',
  'Please sign the deed of sale.',
  'obsidian://open?file=%E0%A4%A',
  '\n',
  '\n> ',
  '---js',
  '"',
  '\u2028',
  '😀'.repeat(30),
);

describe('whatever the mail', () => {
  it('notes hold single lines, and quotes are verbatim', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(fc.oneof(piece, fc.string())), async (subject, body) => {
        const raw = `From: anna@notary.example\nSubject: ${subject.join(' ').replaceAll('\n', ' ')}\nContent-Type: text/plain; charset=utf-8\n\n${body.join(' ')}`;
        const parsed = await parseMail('stream/mail/x.eml', new TextEncoder().encode(raw), {
          sourceType: 'mail',
          trustedServers: [],
        });
        if (!parsed.ok) return;
        const { event } = parsed;
        const { signals, skipped } = extract(event);
        expect(signals.length === 0).toBe(skipped !== null);
        expect(new Set(signals.map(({ id }) => id)).size).toBe(signals.length);
        for (const signal of signals) {
          expect(event.text.includes(signal.raw_quote) || event.subject.includes(signal.raw_quote)).toBe(true);
          expect(signal.raw_quote.length).toBeLessThanOrEqual(50);
          for (const text of [signal.raw_quote, signal.headline, signal.reasoning, signal.id]) {
            expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          }
          expect(signal.effect_confidence).toBeLessThanOrEqual(signal.effect_confidence_raw);
        }
      }),
      { numRuns: lawRuns() },
    );
  });
});
