import { describe, expect, test } from 'vitest';
import { readByRules } from '../../src/reading/read-event.ts';
import { hasCandidates, type TargetIndex } from '../../src/reading/targets.ts';
import { checkRelevance } from '../../src/sources/relevance.ts';
import { admitted } from '../../src/streams/extract.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { type CorpusMail, corpusMails, dressed, labelled } from '../streams/text-mail-corpus.ts';
import { sampleIndex } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';
import { settings } from '../support/notes.ts';
import { bestTime } from '../support/own-time.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

/** A vault with these notes, at that moment. */
async function sieve(): Promise<(index: TargetIndex, now: Date) => Parameters<typeof checkRelevance>[0]> {
  const { ports } = await Bench.open(new TempVault({ 'steward.md': settings() }));
  return (index, now) => ({
    vault: ports.vault,
    context: { ...ports.context, now: () => now.getTime() },
    ingest: { ...ports.ingest, targets: { index, learnt: LEARNT, follow: () => {} } },
  });
}

function headersOf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return bytes.subarray(0, (/\r?\n\r?\n/.exec(text)?.index ?? bytes.length) + 2);
}

/** Where it was decided, and how: by the headers, by so many bytes, or by the whole. */
async function sifted(space: Parameters<typeof checkRelevance>[0], bytes: Buffer, most = 32 * 1024): Promise<string> {
  const head = headersOf(bytes);
  const first = await checkRelevance(space, { bytes: head, isWhole: false });
  if (first !== 'more') return `${first} by its headers`;
  const beginning = bytes.subarray(0, Math.max(most, head.length));
  const isWhole = beginning.length === bytes.length;
  return `${await checkRelevance(space, { bytes: beginning, isWhole })} by ${isWhole ? 'all of it' : 'its beginning'}`;
}

/** Whether the rules make a signal of it, or the search finds a note for it. */
async function isWorthReading({ bytes, index, now }: CorpusMail): Promise<boolean> {
  const parsed = await parseMail('', bytes, { sourceType: 'mail', trustedServers: [] });
  const admission = parsed.ok ? admitted(parsed.event, now) : null;
  if (admission?.ok !== true) return false;
  return (
    readByRules(admission.event, { index, learnt: LEARNT }).meanings.length > 0 || hasCandidates(index, admission.event)
  );
}

describe('no mail that is worth reading is passed over', () => {
  test.each([
    ['as it is', 32 * 1024, ({ bytes }: CorpusMail) => bytes],
    ['with HTML and an attachment, of which little is there', 1200, dressed],
  ])('%s', async (_, most, form) => {
    const at = await sieve();
    const foreign = labelled().map((mail) => ({ ...mail, index: sampleIndex() }));
    const missed: string[] = [];
    const passed = { worth: 0, others: 0 };
    for (const mail of [...corpusMails(), ...foreign]) {
      const bytes = form(mail);
      const isWorth = await isWorthReading({ ...mail, bytes });
      const isPassed = (await sifted(at(mail.index, mail.now), bytes, most)).startsWith('pass');
      passed[isWorth ? 'worth' : 'others'] += Number(isPassed);
      if (isWorth && isPassed) missed.push(mail.name);
    }
    expect(missed).toEqual([]);
    // Else it would fetch everything.
    expect(passed.others).toBeGreaterThan(200);
  });
});

const HEAD = 'From: Bo <bo@strangers.example>\nDate: Fri, 20 Nov 2026 09:00:00 +0000\n';
const mailOf = (subject: string, rest: string) => Buffer.from(`${HEAD}Subject: ${subject}\n${rest}`);
const PART = '--b\nContent-Type: text/plain\n\n';
const HTML = `--b\nContent-Type: text/html\n\n<p>${'x'.repeat(4000)}`;

const INVITATION =
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261203T090000Z\nSUMMARY:Notary appointment\nEND:VEVENT\nEND:VCALENDAR';

test('of what a machine sent, a notification about a note is fetched, and no newsletter', async () => {
  const at = await sieve();
  const list = 'List-Unsubscribe: <mailto:x@y.example>\n';
  const of = (subject: string, rest: string) =>
    sifted(at(sampleIndex(), NOW), Buffer.from(`${HEAD}Subject: ${subject}\n${list}${rest}`));
  const notification = '\nInvoice number: TRN-88123\nPayment status: Paid';
  expect(await of('Pay deposit invoice', notification)).toBe('fetch by all of it');
  expect(await of('Pay deposit invoice', '\nOur winter sale has begun.')).toBe('pass by all of it');
  expect(await of('Winter sale', notification)).toBe('pass by its headers');
});

describe('a mail is', () => {
  test.each([
    ['bulk', 'List-Unsubscribe: <mailto:x@y.example>\n\n[[Notary appointment]]', 'pass by its headers'],
    ['an automatic answer', 'Auto-Submitted: auto-replied\n\nThe deed of sale', 'pass by its headers'],
    [
      'an invitation to something in the vault, by its calendar alone',
      `Content-Type: multipart/mixed; boundary=b\n\n${PART}See below.\n--b\nContent-Type: text/calendar\n\n${INVITATION}\n--b--`,
      'fetch by all of it',
    ],
    ['too old', 'Date: Fri, 20 Nov 2020 09:00:00 +0000\n\nThe deed of sale', 'pass by its headers'],
    ['about nothing in the vault', '\nShall we have lunch?', 'pass by all of it'],
    ['about a note by its text', '\nThe deed of sale is ready.', 'fetch by all of it'],
    ['a template', '\nDear [NAME], the deed of sale is ready.', 'pass by all of it'],
    ['too large to tell', `\n${'lunch '.repeat(2000)}deed of sale`, 'fetch by its beginning'],
    [
      'about nothing, in the part that is there',
      `Content-Type: multipart/alternative; boundary=b\n\n${PART}Lunch?\n${HTML}`,
      'pass by its beginning',
    ],
    [
      'about a note, in the part that is there',
      `Content-Type: multipart/alternative; boundary=b\n\n${PART}The deed of sale.\n${HTML}`,
      'fetch by its beginning',
    ],
    ['in HTML alone', `Content-Type: multipart/alternative; boundary=b\n\n${HTML}\n--b--`, 'fetch by its beginning'],
    [
      'in HTML, beside a text of nothing',
      `Content-Type: multipart/alternative; boundary=b\n\n${PART} \n${HTML}`,
      'fetch by its beginning',
    ],
    [
      'below a picture',
      `Content-Type: multipart/mixed;\n boundary="b"\n\n--b\nContent-Type: image/png\n\nAAAA\n${PART}Lunch?\n${HTML}`,
      'pass by its beginning',
    ],
    [
      'below a text that is attached',
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Disposition: attachment\n\nLunch\n${HTML}`,
      'fetch by its beginning',
    ],
  ])('%s', async (_, rest, expected) => {
    const dated = rest.startsWith('Date:')
      ? Buffer.from(`From: a@b.example\nSubject: hi\n${rest}`)
      : mailOf('hi', rest);
    expect(await sifted((await sieve())(sampleIndex(), NOW), dated, 2000)).toBe(expected);
  });

  test('of a known sender, or about a note by its subject', async () => {
    const space = (await sieve())(sampleIndex(), NOW);
    const known = Buffer.from('From: anna@notary.example\nSubject: hi\n\nLunch?');
    expect(await sifted(space, known)).toBe('fetch by its headers');
    expect(await sifted(space, mailOf('The deed of sale', '\nLunch?'))).toBe('fetch by its headers');
  });

  test('none, or cannot be read', async () => {
    const space = (await sieve())(sampleIndex(), NOW);
    expect(await checkRelevance(space, { bytes: Buffer.from(''), isWhole: false })).toBe('more');
    expect(await checkRelevance(space, { bytes: Buffer.from('\n\n'), isWhole: false })).toBe('more');
    expect(await checkRelevance(space, { bytes: Buffer.from(''), isWhole: true })).toBe('fetch');
    expect(await checkRelevance(space, { bytes: Buffer.from('no mail\n\nat all'), isWhole: true })).toBe('fetch');
  });
});

test('headers are sifted by the thousand', async () => {
  const space = (await sieve())(sampleIndex(), NOW);
  const heads = Array.from({ length: 500 }, (_, nth) =>
    headersOf(mailOf(`Minutes of meeting ${nth}`, `Received: from a by b\nMessage-ID: <${nth}@b.example>\n\nhello`)),
  );
  const ms = await bestTime(async () => {
    for (const bytes of heads) await checkRelevance(space, { bytes, isWhole: false });
  });
  expect(ms).toBeLessThan(500);
});
