import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMail } from '../../src/streams/mail.ts';
import { findSourceType } from '../../src/streams/stream.ts';
import { fixture, mail } from '../support/events.ts';
import { lawRuns } from '../support/laws.ts';
import { ownTime } from '../support/own-time.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => parseMail('stream/mail/x.eml', bytes(text), { sourceType: 'mail', trustedServers: [] });
const textOf = async (body: string) => {
  const parsed = await read(`From: a@b.example\nContent-Type: text/plain; charset=utf-8\n\n${body}`);
  return parsed.ok ? parsed.event : null;
};

describe('a mail', () => {
  it('gives its parts, with bare lower-case addresses and the time in UTC', async () => {
    expect(await mail('plain.eml')).toMatchObject({
      path: 'stream/gmail/plain.eml',
      sourceType: 'gmail',
      originAt: '2026-11-20T08:15:30Z',
      from: 'anna@notary.example',
      fromName: 'Anna Meyer',
      to: ['sam@home.example'],
      subject: 'Deposit for the house',
      bulk: false,
      ownNote: false,
      shown: null,
      doubts: [],
    });
  });

  it('loses its signature', async () => {
    const event = await mail('plain.eml');
    expect(event.text).not.toContain('within 14 days');
    expect(event.quoted).toContain('within 14 days');
  });

  it('is read from the plain part of many', async () => {
    const event = await mail('multipart.eml');
    expect(event.text).toBe('The deed of sale was signed yesterday by both parties.');
    expect(event.to).toEqual(['sam@home.example', 'lee@bank.example']);
  });

  it('is decoded: quoted-printable, base64, ISO-8859-1, encoded words', async () => {
    expect(await mail('quoted-printable.eml')).toMatchObject({ subject: 'Überweisung erhalten' });
    expect((await mail('quoted-printable.eml')).text).toContain(
      'Ihre Zahlung über 1.200 € ist heute bei uns eingegangen.',
    );
    expect(await mail('base64.eml')).toMatchObject({ subject: 'Référence 12' });
    expect((await mail('base64.eml')).text).toContain('La facture a bien été payée.');
    expect(await mail('latin1.eml')).toMatchObject({
      subject: 'Vertrag für das Büro',
      text: 'Der Mietvertrag für das Büro wurde gestern unterschrieben.',
    });
  });

  it('is read from HTML where there is nothing else: visible words only', async () => {
    const event = await mail('html-only.eml');
    expect(event.text).toBe('Dear Sam, the flight to Zürich & the hotel have been booked.\n\n1 < 2 € €');
    expect(event.quoted).toContain('Has it been booked?');
  });

  it('may lack headers, and a time without zone is UTC', async () => {
    expect(await mail('missing-headers.eml')).toMatchObject({ from: null, fromName: null, originAt: null, to: [] });
    expect(await mail('no-date-zone.eml')).toMatchObject({ originAt: '2026-11-20T09:15:30Z' });
  });

  it('has the sender its address says, not its display name', async () => {
    expect(await mail('spoofed.eml')).toMatchObject({ from: 'mallory@evil.example', fromName: 'anna@notary.example' });
    const two = await read('From: anna@notary.example\nFrom: mallory@evil.example\n\nhello');
    expect(two).toMatchObject({ ok: true, event: { from: null } });
  });

  it.each([
    '\u202Eeve@evil.example',
    'e\u200Bve@evil.example',
    '[[pay|x]]@evil.example',
    'a|b@evil.example',
    'a`b`@evil.example',
    'a\\b@evil.example',
  ])('has no sender whose address %j reads as something else', async (address) => {
    expect(await read(`From: <${address}>\n\nhello`)).toMatchObject({ ok: true, event: { from: null } });
  });

  it('is cut at 16 000 characters', async () => {
    const event = await textOf('word '.repeat(10_000));
    expect(event?.text.length).toBeLessThanOrEqual(16_000);
  });

  it('has neither control nor invisible characters', async () => {
    const event = await textOf('pa\u200Bid\u0007 \u202Edesrever\u202C\tx');
    expect(event?.text).toBe('paid desrever x');
  });
});

describe('words that are not the author’s', () => {
  it('are told by > and an attribution over two lines', async () => {
    const event = await mail('reply.eml');
    expect(event.text).toBe('Hello Sam,\n\nI checked again: the deposit invoice has not yet been paid.\n\nAnna');
    expect(event.quoted).toContain('the deposit invoice has been paid.');
  });

  it.each([
    ['Ok.\n\n-----Original Message-----\nFrom: x\nThe invoice was paid.'],
    ['Ok.\n\nAm 19.11.2026 um 18:00 schrieb Sam Porter <sam@home.example>:\nDie Rechnung wurde bezahlt.'],
    ['Ok.\n\nLe jeu. 19 nov. 2026 à 18:00, Sam <sam@home.example> a écrit :\n> La facture est payée.'],
    ['Ok.\n\nEl jue, 19 nov 2026 a las 18:00, Sam (<sam@home.example>) escribió:\n> Pagado.'],
    ['Ok.\n\nFrom: Sam <sam@home.example>\nSent: Thursday, 19 November 2026\nTo: Anna\nSubject: x\n\nPaid.'],
    ['Ok.\n\nBegin forwarded message:\n\nPaid.'],
    ['Ok.\n-- \nPaid.'],
    ['Ok.\n> Paid.'],
    ['Ok.\n\nSent from my iPhone'],
  ])('%j', async (body) => {
    const event = await textOf(body);
    expect(event?.text).toBe('Ok.');
    expect(event?.quoted).not.toBe('');
  });

  it('keep what stands between and below quotations', async () => {
    const event = await textOf('On Thu, 19 Nov 2026, Sam wrote:\n> Paid?\nNot yet.\n> Signed?\nSigned today.');
    expect(event?.text).toBe('Not yet.\nSigned today.');
  });

  it('are not seen where somebody only writes "On Monday"', async () => {
    const event = await textOf('On Monday, 3 December we meet.\nI wrote: yes.\nThe invoice was paid.');
    expect(event?.text).toContain('The invoice was paid.');
  });

  it('take the whole of a mere forward, as in an Outlook reply all but its head', async () => {
    expect((await mail('forward.eml')).text).toBe('');
    expect((await mail('outlook-reply.eml')).text).toBe('Danke, das passt.');
  });
});

describe('bulk mail', () => {
  it.each([
    ['newsletter.eml', 'List-Unsubscribe'],
    ['out-of-office.eml', 'Auto-Submitted: auto-replied'],
  ])('%s', async (name, reason) => {
    expect(await mail(name)).toMatchObject({ bulk: true, bulkReason: reason });
  });

  it.each([
    ['List-Id: <x.example>', true],
    ['Precedence: bulk', true],
    ['Precedence: junk', true],
    ['Precedence: first-class', false],
    ['Auto-Submitted: no', false],
  ])('%s', async (header, bulk) => {
    expect(await read(`From: a@b.example\n${header}\n\nhello`)).toMatchObject({ ok: true, event: { bulk } });
  });
});

describe('what is no mail', () => {
  it.each([
    ['', 'mail-empty'],
    [' \r\n\n', 'mail-empty'],
    ['just some text\nwithout headers', 'mail-unreadable'],
    ['PK\u0003\u0004\u0000\u0000\u0000', 'mail-unreadable'],
    ['a: b\n\nno header of a mail', 'mail-unreadable'],
  ])('%j', async (text, code) => {
    expect(await read(text)).toMatchObject({ ok: false, trouble: { code, file: 'stream/mail/x.eml' } });
  });

  it('is told with a sentence and a hint', async () => {
    const parsed = await parseMail('stream/x.eml', fixture('no-headers.txt'), {
      sourceType: 'mail',
      trustedServers: [],
    });
    if (parsed.ok) throw new Error('read');
    expect(parsed.trouble.message).toMatch(/\.$/);
    expect(parsed.trouble.hint).not.toBe('');
  });

  it('or too large', async () => {
    const parsed = await parseMail('stream/x.eml', new Uint8Array(10 * 1024 * 1024 + 1).fill(65), {
      sourceType: 'mail',
      trustedServers: [],
    });
    expect(parsed).toMatchObject({ ok: false, trouble: { code: 'mail-too-large' } });
  });

  it('never throws, whatever the bytes', async () => {
    const raw = fc.uint8Array({ maxLength: 400 });
    const shaped = fc.tuple(
      fc.constantFrom('plain.eml', 'multipart.eml', 'html-only.eml', 'base64.eml'),
      fc.nat(900),
      raw,
    );
    const any = fc.oneof(
      raw,
      shaped.map(([name, at, noise]) =>
        Uint8Array.from([...fixture(name).slice(0, at), ...noise, ...fixture(name).slice(at)]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(any, async (input) => {
        const parsed = await parseMail('stream/x.eml', input, { sourceType: 'mail', trustedServers: [] });
        if (!parsed.ok) return;
        expect(parsed.event.text).not.toMatch(/[^\P{Cc}\n]/u);
        expect(parsed.event.subject).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: lawRuns() },
    );
  });

  it.each([
    '<div hidden>'.repeat(50_000),
    '<a href="'.repeat(50_000),
    '<!--'.repeat(50_000),
    '<script>'.repeat(50_000),
    '&'.repeat(500_000),
    '<blockquote>'.repeat(50_000),
  ])('hostile HTML is read in good time: %#', async (html) => {
    const begin = ownTime();
    await read(`From: a@b.example\nContent-Type: text/html\n\n${html}`);
    expect(ownTime() - begin).toBeLessThan(3000);
  });
});

describe('the source of a file', () => {
  it.each([
    ['stream/gmail/a.eml', true, 'gmail'],
    ['stream/gmail/2026/a.eml', false, 'gmail_unknown'],
    ['stream/Slack/a.md', false, 'slack'],
    ['stream/gcal/a.ics', false, 'gcal'],
    ['stream/a.eml', false, 'mail'],
    ['stream/inbox/a.eml', false, 'mail'],
    ['stream/a.ics', false, 'calendar'],
    ['stream/inbox/a.txt', true, 'other'],
    ['stream/gmail', true, 'other'],
  ])('%s %s', (path, known, source) => {
    expect(findSourceType(path, known)).toBe(source);
  });
});
