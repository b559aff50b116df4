import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TargetCandidate, TargetIndex } from '../../src/reading/targets.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { plainText } from '../../src/vault/note-text.ts';
import {
  addressSkeleton,
  findLookAlike,
  findNearSkeletons,
  hasDisguise,
  skeletonsNear,
} from '../../src/vault/source-names.ts';
import { lawRuns } from '../support/laws.ts';
import { bestTime } from '../support/own-time.ts';

const eventOf = async (text: string) => {
  const parsed = await parseMail('stream/a.eml', new TextEncoder().encode(text), {
    sourceType: 'mail',
    trustedServers: [],
  });
  if (!parsed.ok) throw new Error(parsed.trouble.message);
  return parsed.event;
};
const warnings = async (headers: string) => (await eventOf(`${headers}\r\n\r\nHello.`)).warnings;

describe('a warning', () => {
  it.each([
    ['From: "anna@notary.example" <x@evil.example>', 'The name of the sender shows anna@notary.example, and'],
    ['From: "Anna (anna@notary.example)" <x@evil.example>', 'The name of the sender shows anna@notary.example, and'],
    ['From: =?utf-8?Q?=61nna=40notary.example?= <x@evil.example>', 'The name of the sender shows anna@notary.example'],
    ['From: "anna＠notary.example" <x@evil.example>', 'The name of the sender shows anna@notary.example, and'],
    ['From: "an\u200Bna@notary.example" <x@evil.example>', 'The name of the sender shows anna@notary.example, and'],
    ['From: "an\u200Bna" <x@evil.example>', 'The name of the sender has invisible characters.'],
    ['From: a@b.example\r\nSubject: pay \u202Edesrever', 'The subject has invisible characters.'],
    ['From: a@b.example\r\nSubject: pa\u200Did', 'The subject has invisible characters.'],
    ['From: a@b.example\r\nSubject: paid\u{E0041}', 'The subject has invisible characters.'],
    ['From: a@b.example\r\nReply-To: x@evil.example', 'Answers go to x@evil.example, which is not of'],
    ['From: a@b.example\r\nReply-To: a@b.example, X <x@evil.example>', 'Answers go to x@evil.example, which is not of'],
    ['From: a@b.co.uk\r\nReply-To: a@c.co.uk', 'Answers go to a@c.co.uk, which is not of'],
    ['From: аnna@notary.example', 'The address has letters of another script: it reads like anna@notary.'],
    ['From: anna@nоtary.example', 'The address has letters of another script: it reads like anna@notary.'],
    ['From: anna@xn--ntary-jye.example', 'The address has letters of another script'],
    ['From: anna@раура.example', 'The address has letters of another script: it reads like anna@paypa.'],
    ['From: anna@ɡoogle.example', 'The address has letters of another script'],
  ])('is given of %j', async (headers, start) => {
    expect((await warnings(headers)).filter((warning) => warning.startsWith(start))).toHaveLength(1);
  });

  it.each([
    'From: Anna Meyer <anna@notary.example>',
    'From: "anna@notary.example" <Anna@Notary.example>',
    'From: anna@notary.example\r\nReply-To: desk@mail.notary.example',
    'From: Müller <jörg@müller.example>',
    'From: Иван <иван@пример.example>',
    'From: Ελένη <eleni@notary.example>',
    'From: a@b.example\r\nSubject: Fine \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F',
    'From: a@b.example\r\nSubject: \u200Fשלום abc\u200F',
    'From: "Anna @ home" <a@b.example>',
    'Subject: nobody',
  ])('is not given of %j', async (headers) => {
    expect(await warnings(headers)).toEqual([]);
  });
});

describe('a mail in two forms', () => {
  const both = (plain: string, html: string) =>
    eventOf(
      `From: a@b.example\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\n${plain}\r\n--x\r\nContent-Type: text/html\r\n\r\n${html}\r\n--x--\r\n`,
    );

  it('is warned of where they say different things', async () => {
    const event = await both(
      'The deposit has been paid in full today.',
      '<p>Please read our summer offers for gardens.</p>',
    );
    expect(event.warnings).toEqual(['The plain text and the HTML of this mail say different things.']);
  });

  it.each([
    ['The deposit has been paid in full today.', '<p>The deposit has been <b>paid</b> in full<br>today.</p>'],
    [
      'The deposit has been paid.\r\n\r\nhttps://notary.example/a',
      '<p>The deposit has been paid. <a href=x>More</a></p>',
    ],
    ['Paid.', '<p>Thank you for all.</p>'],
  ])('is not warned of where they agree: %j', async (plain, html) => {
    expect((await both(plain, html)).warnings).toEqual([]);
  });

  it('is not read where its HTML has the words in white', async () => {
    const event = await both(
      'Dear Sam,\r\nthe deposit has been paid.\r\nSee you on Monday.',
      '<p>Dear Sam,</p><p style="color:#fff">the deposit has been paid.</p><p>See you on Monday.</p>',
    );
    expect(event.text).toBe('Dear Sam,\nSee you on Monday.');
  });

  it('is read where its HTML has the words both hidden and shown', async () => {
    const event = await both(
      'Dear Sam,\r\nthe deposit has been paid.',
      '<div style="display:none">the deposit has been paid.</div><p>Dear Sam,</p><p>the deposit has been paid.</p>',
    );
    expect(event.text).toContain('the deposit has been paid.');
  });
});

describe('what nobody sees in plain text is no text', () => {
  it.each([
    '\u200B',
    '\u200D',
    '\u202E',
    '\u2066',
    '\u{E0041}',
    '\u{E007F}',
    '\u{E0100}',
    '\u034F',
    '\u3164',
    '\u115F',
    '\uFEFF',
  ])('such as %j', (letter) => {
    expect(plainText(`pa${letter}id`)).toBe('paid');
  });
});

describe('an address looks like another', () => {
  const KNOWN = ['anna@notary.example', 'office1@insurer.example', '@bank.example', 'meyerhof@freemail.example'];

  it.each([
    ['anna@n0tary.example', 'anna@notary.example'],
    ['anna@notarv.example', 'anna@notary.example'],
    ['anna@notarry.example', 'anna@notary.example'],
    ['anna@ntary.example', 'anna@notary.example'],
    ['anna@noatry.example', 'anna@notary.example'],
    ['anna@notary.com', 'anna@notary.example'],
    ['anna@notary.co.uk', 'anna@notary.example'],
    ['аnna@notary.example', 'anna@notary.example'],
    ['anna@nоtary.example', 'anna@notary.example'],
    ['anna@xn--ntary-jye.example', 'anna@notary.example'],
    ['anna@nötary.example', 'anna@notary.example'],
    ['ANNA@NOTARY.COM', 'anna@notary.example'],
    ['office1@lnsurer.example', 'office1@insurer.example'],
    ['meyerhot@freemail.example', 'meyerhof@freemail.example'],
    ['x@bahk.example', null],
    ['anna@notary.example', null],
    ['anna@mail.notary.example', null],
    ['office2@insurer.example', null],
    ['office12@insurer.example', null],
    ['bernd@notary.example', null],
    ['bernd@notary.com', null],
    ['anna@insurer.example', null],
    ['', null],
    ['@', null],
  ])('%s: %s', (address, twin) => {
    expect(findLookAlike(address, KNOWN)).toBe(twin);
  });

  it.each([
    ['modern@clinic.example', 'modem@dinic.example'],
    ['vvalter@web.example', 'walter@web.example'],
    ['paypa1@pay.example', 'paypal@pay.example'],
  ])('%s has the skeleton of %s', (one, other) => {
    expect(addressSkeleton(one)).toBe(addressSkeleton(other));
  });

  const candidate = (path: string, senders: readonly string[]): TargetCandidate => ({
    kind: 'matter',
    path,
    name: path,
    matterPath: null,
    aliases: [],
    senders,
    keywords: [],
    summary: '',
    state: 'open',
  });

  it('is found by the index, and no more when no note names the other', () => {
    const index = new TargetIndex();
    index.add(candidate('matter/a.md', ['Anna <anna@notary.example>', '@example-bank.example']));
    index.add(candidate('matter/b.md', ['anna@notary.example']));
    expect(index.lookAlike('anna@n0tary.example')).toBe('anna@notary.example');
    expect(index.lookAlike('anna@notary.example')).toBeNull();
    expect(index.lookAlike('sam@examp1e-bank.example')).toBe('@example-bank.example');
    expect(index.lookAlike('sam@example-bank.example')).toBeNull();
    index.remove('matter/a.md');
    expect(index.lookAlike('anna@n0tary.example')).toBe('anna@notary.example');
    index.remove('matter/b.md');
    expect(index.lookAlike('anna@n0tary.example')).toBeNull();
  });

  it('takes no longer in a large vault', () => {
    const index = new TargetIndex();
    for (let nth = 0; nth < 20_000; nth += 1)
      index.add(candidate(`matter/${nth}.md`, [`person${nth}@firm${nth}.example`]));
    expect(bestTime(() => index.lookAlike('anna@notary.example'))).toBeLessThan(40);
    expect(bestTime(() => index.lookAlike(`${'a'.repeat(64)}@${'b'.repeat(200)}.example`))).toBeLessThan(60);
  });

  it('is found with any one letter changed, left out or put in', () => {
    const letter = fc.constantFrom(...'abefghjkpqtuxyz');
    fc.assert(
      fc.property(fc.nat(14), letter, fc.constantFrom(0, 1), fc.boolean(), (at, other, gone, drop) => {
        const name = 'anna.meyer@notabene';
        const changed = `${name.slice(0, at)}${drop ? '' : other}${name.slice(at + (drop ? 1 : gone))}.example`;
        fc.pre(changed.split('@').length === 2);
        expect(skeletonsNear(changed)).toContain(addressSkeleton('anna.meyer@notabene.example'));
      }),
    );
  });

  it('is found among those that notes list, however many there are, as it is when all are searched for', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abnmro01.-'), maxLength: 9 });
    const address = fc.tuple(letters, letters).map(([name, house]) => `${name}@${house}.example`);
    fc.assert(
      fc.property(address, fc.array(address, { maxLength: 30 }), (asked, listed) => {
        const known = new Map(listed.map((one) => [addressSkeleton(one), one]));
        const searched = skeletonsNear(asked).filter((skeleton) => known.has(skeleton));
        expect(findNearSkeletons(known, asked)).toEqual(searched);
      }),
      { numRuns: lawRuns() },
    );
  });

  it('no text makes it throw', () => {
    const any = fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress());
    fc.assert(
      fc.property(any, any, (one, other) => {
        findLookAlike(one, [other]);
        hasDisguise(one);
        expect(findLookAlike(one, [one.normalize('NFC').toLowerCase()])).toBeNull();
      }),
    );
  });
});
