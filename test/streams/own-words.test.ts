import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ownSubject, separateOwnWords } from '../../src/reading/own-words.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { ownTime } from '../support/own-time.ts';

/*
 * Whose words each line of a mail is counted as: for the heads that mail programs put before an earlier mail, in plain text
 * and in HTML, and for texts that only look like one. The files are in own-words/.
 */

const OWN = ['I will look at it on Monday.', 'Rita'];
const ORIGINAL = [
  'Hello Rita,',
  'The roof contract has been signed.',
  'The scaffold was delivered this morning, and the invoice for it has been paid.',
];
const LEAST_SHARE = 0.95;

/** How a mail says that it continues a thread. */
const THREADS = {
  'a mark before the subject': 'Subject: RE: Sign roof contract',
  'its headers': 'Subject: Your question of yesterday\nIn-Reply-To: <1@home.example>',
} as const;
const NEW_MAIL = 'Subject: Roof';

function readCases(file: string): readonly (readonly [string, string])[] {
  const text = readFileSync(new URL(`own-words/${file}`, import.meta.url), 'utf8');
  return Object.entries(z.record(z.string(), z.string()).parse(load(text)));
}

async function readMail(headers: string, type: 'plain' | 'html', body: string) {
  const bytes = new TextEncoder().encode(
    `From: Rita Moos <rita@dachbau.example>\nTo: Me Porter <me@home.example>\n${headers}\n` +
      `Date: Sat, 28 Nov 2026 09:00:00 +0000\nContent-Type: text/${type}; charset=utf-8\n\n${body}`,
  );
  const parsed = await parseMail('stream/mail/x.eml', bytes, { sourceType: 'mail', trustedServers: [] });
  if (!parsed.ok) throw new Error(parsed.trouble.message);
  return parsed.event;
}

function linesIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** The lines of a mail that are counted as the sender's, and how many lines there are. */
interface Attribution {
  readonly name: string;
  readonly own: readonly string[];
  readonly lines: number;
}

async function attribute(name: string, headers: string, type: 'plain' | 'html', body: string): Promise<Attribution> {
  const { text, quoted } = await readMail(headers, type, body);
  return { name, own: linesIn(text), lines: linesIn(text).length + linesIn(quoted).length };
}

function isOfOriginal(line: string): boolean {
  return ORIGINAL.some((one) => line.includes(one));
}

/** The share of the lines that are counted as what they are. */
function shareRight(all: readonly Attribution[]): number {
  const wrong = all.map(({ own }) => new Set(own).symmetricDifference(new Set(OWN)).size);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return 1 - sum(wrong) / sum(all.map(({ lines }) => lines));
}

const HEADS = readCases('heads.yaml').map(([name, head]) => {
  return { name, type: 'plain' as const, body: [OWN.join('\n\n'), head.trimEnd(), ORIGINAL.join('\n\n')].join('\n\n') };
});
const HTML = readCases('html.yaml').map(([name, html]) => {
  const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${line}</p>`).join('');
  return { name, type: 'html' as const, body: paragraphs(OWN) + html.replace('ORIGINAL', paragraphs(ORIGINAL)) };
});

describe.each(Object.entries(THREADS))('a mail that continues a thread by %s', (_, headers) => {
  test.each([
    ['plain text', HEADS],
    ['HTML', HTML],
  ])('%s: nothing of the earlier mail is the sender’s, and nearly every line is counted right', async (__, cases) => {
    const all = await Promise.all(cases.map(({ name, type, body }) => attribute(name, headers, type, body)));
    expect(all.filter(({ own }) => own.some(isOfOriginal)).map(({ name }) => name)).toEqual([]);
    expect(all.filter(({ own }) => OWN.some((line) => !own.includes(line))).map(({ name }) => name)).toEqual([]);
    const odd = all.filter(({ own }) => own.length !== OWN.length);
    expect(shareRight(all), JSON.stringify(odd, null, 1)).toBeGreaterThanOrEqual(LEAST_SHARE);
  });
});

const FORWARDED = readCases('forwards.yaml').flatMap(([name, carried]) => {
  const text = carried.trimEnd().replace('ORIGINAL', ORIGINAL.join('\n\n'));
  const ways = { 'as it is': '', 'indented by blanks': '    ', 'indented by tabs': '\t' };
  return Object.entries(ways)
    .filter(([, indent]) => indent !== '' || !name.endsWith('without a head'))
    .map(([way, indent]) => [`${name}, ${way}`, text.replace(/^(?=.)/gm, indent)] as const);
});

test.each(FORWARDED)(
  'nothing of a mail that is passed on without a mark or an address is the sender’s: %s',
  async (name, carried) => {
    const body = `${OWN.join('\n\n')}\n\n${carried}`;
    const { own } = await attribute(name, 'Subject: Sign roof contract', 'plain', body);
    expect(own).toEqual(OWN);
  },
);

test('there are enough programs and languages to tell', () => {
  expect(HEADS.filter(({ name }) => name.startsWith('Outlook,')).length).toBeGreaterThanOrEqual(31);
  expect(HEADS.length + HTML.length).toBeGreaterThanOrEqual(60);
});

test.each(readCases('own.yaml'))('%s is all the sender’s', async (_, body) => {
  const isReply = body.startsWith('RE\n');
  const text = isReply ? body.replace('RE\n', '') : body;
  const [headers] = isReply ? Object.values(THREADS) : [NEW_MAIL];
  const event = await readMail(headers ?? '', 'plain', text);
  expect(event.text).toBe(text.trim());
  expect(event.quoted).toBe('');
});

test('lines that the HTML has only in its quotation are quoted in the plain text beside it', async () => {
  const part = (type: string, text: string) => `--b\nContent-Type: text/${type}; charset=utf-8\n\n${text}\n`;
  const plain = part('plain', `${OWN.join('\n')}\n\nMe skrev\n\n${ORIGINAL.join('\n')}`);
  const html = part(
    'html',
    `<p>${OWN.join('<br>')}</p><div class="gmail_quote">Me skrev<br>${ORIGINAL.join('<br>')}</div>`,
  );
  const bytes = new TextEncoder().encode(
    `From: rita@dachbau.example\nContent-Type: multipart/alternative; boundary=b\n\n${plain}${html}--b--\n`,
  );
  const parsed = await parseMail('stream/mail/x.eml', bytes, { sourceType: 'mail', trustedServers: [] });
  expect(parsed).toMatchObject({ ok: true, event: { text: OWN.join('\n') } });
});

test.each([
  ['The roof contract has been signed', [], true],
  ['DHL: the roof contract has been signed', [], true],
  ['SV: The roof contract has been signed', [], false],
  ['Odp: The roof contract has been signed', [], false],
  ['回复：The roof contract has been signed', [], false],
  ['The roof contract has been signed', ['In-Reply-To: <1@home.example>'], false],
  ['The roof contract has been signed', ['References: <1@home.example>'], false],
  ['Továbbítás: Roof contract signed', [], false],
])('the subject "%s" with %j is the sender’s own: %s', async (subject, headers, isOwn) => {
  const body =
    'See below.\n\n----- Továbbított levél -----\nFeladó: Me <me@home.example>\nTárgy: Roof contract signed\n\nHello';
  const event = await readMail([`Subject: ${subject}`, ...headers].join('\n'), 'plain', body);
  expect(ownSubject(event)).toBe(isOwn ? subject : '');
});

test.each([
  'a: b\n',
  'a:\nb,\n',
  '> a\n',
  '|a|b|\n',
  '-----\na@b.example\n',
  'On 1.1.2026 10:00\n',
  'a@b.example:\n',
  'x\n\n Hello,\n',
  'x\n\n a: b\n\n',
])('a body of a million characters of %j is read in good time, and no line is lost', (pump) => {
  const body = pump.repeat(1_000_000 / pump.length);
  const begin = ownTime();
  const { text, quoted } = separateOwnWords(body);
  expect(ownTime() - begin).toBeLessThan(3000);
  expect(linesIn(text).length + linesIn(quoted).length).toBe(linesIn(body).length);
});
