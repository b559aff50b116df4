import { describe, expect, test } from 'vitest';
import type { Extractor, ExtractorResult } from '../../src/steward/types.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { matter, PAID_MAIL, settings, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const FILES = {
  'steward.md': settings({ settle_seconds: 0 }),
  'matter/roof.md': matter({ senders: ['billing@roof.example'] }),
  'task/Pay the roofer.md': task({ parent_matter: '[[roof]]' }),
  'task/pay.md': task({ parent_matter: '[[roof]]' }),
};
const MAIL = 'stream/mail/letter.eml';
const never = new AbortController().signal;

function mail(text: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { From: 'Bill <billing@roof.example>', Subject: 'News', Date: new Date().toUTCString(), ...headers };
  return [...Object.entries(all).map(([name, value]) => `${name}: ${value}`), '', text, ''].join('\r\n');
}

async function benchOn(files: Readonly<Record<string, string>>, extractor?: Extractor): Promise<Bench> {
  const bench = await Bench.open(new TempVault({ ...FILES, ...files }));
  if (extractor !== undefined) bench.ports.models.extractor = extractor;
  for (const file of Object.keys(files)) await readStream(bench.ports, file, never);
  await bench.sweep();
  return bench;
}

async function told(text: string, file = MAIL, extractor?: Extractor): Promise<{ sentence: string; lines: string }> {
  const bench = await benchOn({ [file]: text }, extractor);
  const { kind, note, sentence, sections } = await bench.explain(file);
  expect({ kind, note }).toEqual({ kind: 'stream', note: file });
  return { sentence, lines: sections.flatMap(({ title, lines }) => [`# ${title}`, ...lines]).join('\n') };
}

/** A model that answers so to every question. */
function model(answer: Partial<ExtractorResult>): Extractor {
  const usage = { model: 'model-x', tokens_in: 10, tokens_out: 10, usd: 0 };
  const all: ExtractorResult = {
    ...{ meanings: [], skipped: null, rejected: [], unusable: null, extractor: 'model-x', usage },
    ...answer,
  };
  return { name: 'model-x', asksModel: true, extract: async () => all };
}

const MADE_UP = {
  ...{ target: 'task/pay.md', candidates: [], ambiguous: false, targetConfidence: 0.9, targetEvidence: [] },
  ...{ targetNear: false, endsMatter: false, proposal: null, effectConfidence: 0.9, reasoning: 'So.' },
  quote: 'words that nobody wrote',
};

describe('why a file of the stream gave no signal', () => {
  test.each<[string, Parameters<typeof told>, RegExp, RegExp]>([
    ['bulk mail', [mail('Buy!', { 'List-Id': 'all' })], /was skipped as bulk mail: List-Id/, /from billing@roof/],
    [
      'an old mail',
      [mail('Hello.', { Date: 'Mon, 6 Jan 2020 10:00:00 +0000' })],
      /was skipped as older than 14 days/,
      /subject: News/,
    ],
    [
      'no note fits',
      [mail('Shall we have lunch?', { From: 'x@lunch.example', Subject: 'Lunch' })],
      /no note fits it well enough\.$/,
      /found in it: no news for a matter/,
    ],
    [
      'it says something, and of no note',
      [mail('The piano lesson has been cancelled.', { From: 'x@piano.example', Subject: 'Piano' })],
      /no note fits it well enough\.$/,
      /found in it: no matter fits/,
    ],
    [
      'a note fits, and nothing is said of it',
      [mail('The roof is lovely in autumn.', { Subject: 'Roof' })],
      /it may be about roof, and it has no news that changes it\.$/,
      /# Notes that it considered\nroof 0\.\d\d by its sender and its name \(0\.50 needed\)\n# What was missing\nA sentence that/,
    ],
    [
      'what it says is denied',
      [mail('The roofer has not been paid yet.', { Subject: 'Pay the roofer' })],
      /may be about Pay the roofer, and it reports no change: .*negated \("not"\)\.$/,
      /read \d{4}-.* by rules/,
    ],
    [
      'a model found nothing',
      [mail('The roof is lovely.'), MAIL, model({})],
      /^It gave no signal: model-x was asked whether it changes roof, and found no change\.$/,
      /by model-x/,
    ],
    [
      'a check refused it',
      [mail('The roof is lovely.'), MAIL, model({ meanings: [MADE_UP] })],
      /failed the checks\. .*Struck out of the reply: 1 × a quote that is not in the words of its author\.$/,
      /by model-x/,
    ],
    [
      "it isn't a mail",
      ['a\0b'],
      /It gave no signal: the file cannot be read as a mail: it is a binary file\.$/,
      /read \d{4}/,
    ],
    [
      'files of its kind are not read',
      ['words', 'stream/plan.pages'],
      /\.pages files are not read; it stays there/,
      /seen \d{4}/,
    ],
  ])('%s', async (_, asked, sentence, lines) => {
    const found = await told(...asked);
    expect(found.sentence).toMatch(sentence);
    expect(found.lines).toMatch(lines);
  });

  test('the same bytes under another name: the signals of the first are told', async () => {
    const bench = await benchOn({ 'stream/a.eml': PAID_MAIL, 'stream/b.eml': PAID_MAIL });
    const { sentence, sections } = await bench.explain('b.eml');
    expect(sentence).toMatch(/the same bytes were read before; it was read as stream\/a\.eml\.$/);
    expect(JSON.stringify(sections)).toContain('has been paid');
  });

  test('a file that has not been read yet, and one that is none', async () => {
    const bench = await Bench.open(new TempVault({ ...FILES, [MAIL]: mail('Hello.') }));
    expect((await bench.explain('letter')).sentence).toBe('It has not been read yet.');
    await expect(bench.explain('other.eml')).rejects.toThrow('or stream file named "other.eml"');
  });

  test('a file that is gone, for as long as it is remembered', async () => {
    const vault = new TempVault({ ...FILES, [MAIL]: mail('Buy!', { 'List-Id': 'all' }) });
    const bench = await Bench.open(vault);
    await readStream(bench.ports, MAIL, never);
    vault.remove(MAIL);
    await bench.sweep();
    expect((await bench.explain('letter.eml')).sentence).toContain('bulk mail');
  });

  test('no more of a mail is kept than a signal would keep', async () => {
    const bench = await benchOn({
      [MAIL]: mail('SECRET words of the letter, and more of them.', { Subject: `S${'x'.repeat(400)}` }),
    });
    const entry = JSON.stringify(bench.ports.ingest.trail.find(MAIL));
    expect(entry).not.toContain('SECRET');
    expect(entry.length).toBeLessThan(1000);
  });
});

describe('a file of events without a signal says of each why', () => {
  const entry = (uid: string, summary: string) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261101T080000Z',
    'DTSTART:20991209T090000Z',
    `SUMMARY:${summary}`,
    'END:VEVENT',
  ];
  const calendar = (...entries: string[][]) =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//a//b//EN', ...entries.flat(), 'END:VCALENDAR', ''].join('\r\n');
  const file = 'stream/calendar/entries.ics';

  test('one', async () => {
    const { sentence, lines } = await told(calendar(entry('a', 'Choir')), file);
    expect(sentence).toBe('It has one event. That gave no signal.');
    expect(lines.split('# Without a signal')[1]).toMatch(
      /Choir \(stream\/calendar\/entries\.ics#[0-9a-f]{12}\)\n {2}it was skipped as more than 2 years ahead/,
    );
  });

  test('many, and of those that were refused nothing is said twice', async () => {
    const broken = ['BEGIN:VEVENT', 'UID:c', 'DTSTART:soon', 'SUMMARY:Nothing', 'END:VEVENT'];
    const { sentence, lines } = await told(calendar(entry('a', 'Choir'), entry('b', 'Chess'), broken), file);
    expect(sentence).toBe('It has 2 events. No event gave a signal.');
    expect(lines.match(/2 years ahead/g)).toHaveLength(2);
    expect(lines.split('# Without a signal')[1]).not.toMatch(/line \d/);
  });
});

test('a file that gave signals: each with what has become of it', async () => {
  const bench = await benchOn({ [MAIL]: PAID_MAIL });
  const before = await bench.explain('letter.eml');
  expect(before.sentence).toMatch(/^It is about pay: it waits for the next check/);
  expect(before.considered).toMatchObject([{ note: 'task/pay.md', needed: 0.85 }]);
  const signals = async () => (await bench.explain('letter.eml')).sections.at(-1)?.lines ?? [];
  expect((await signals())[0]).toMatch(/^\[\[.*\]\] “.*” for pay$/);
  await bench.tick();
  await bench.sweep();
  expect((await signals())[1]).toMatch(/(steward|signal)-action-/);
});

test('a part of the name of a mail is enough, also once the mail is gone', async () => {
  const vault = new TempVault({ ...FILES, [MAIL]: mail('Lunch?', { From: 'x@lunch.example', Subject: 'Lunch' }) });
  const bench = await Bench.open(vault);
  await readStream(bench.ports, MAIL, never);
  const { considered, sentence } = await bench.explain('ETTER');
  expect(sentence).toMatch(/^It gave no signal/);
  expect(considered.every(({ score, needed }) => score !== null && score < needed)).toBe(true);
  vault.remove(MAIL);
  await bench.sweep();
  expect((await bench.explain('ETTER')).note).toBe(MAIL);
});

test('a part of the subject names a mail too, as `steward ledger` shows it', async () => {
  const bench = await benchOn({
    'stream/x1.eml': mail('Nothing at all.', { From: 'Bo <bo@else.example>', Subject: 'Winter tyres' }),
  });
  expect((await bench.explain('winter TYRES')).note).toBe('stream/x1.eml');
  await expect(bench.explain('summer tyres')).rejects.toThrow('There is no matter, task');
});

describe('a name, and bytes, that are not those which were read', () => {
  const NO_NOTE = mail('Nothing at all.', { From: 'Bo <bo@else.example>' });

  test('a name that several files have is none of them', async () => {
    const bench = await benchOn({ 'stream/a/letter.eml': PAID_MAIL, 'stream/b/letter.eml': NO_NOTE });
    await expect(bench.explain('letter.eml')).rejects.toThrow(
      '2 received files or subjects fit "letter.eml": stream/a/letter.eml, stream/b/letter.eml.',
    );
    expect((await bench.explain('stream/a/letter.eml')).sentence).toMatch(
      /^It is about pay: it waits for the next check/,
    );
    expect((await bench.explain('stream/b/letter.eml')).sentence).toBe(
      'It gave no signal: no note fits it well enough.',
    );
  });

  test('a file that was changed: what its former bytes came to is not told of it, nor once its signals are gone', async () => {
    const vault = new TempVault({ ...FILES, [MAIL]: NO_NOTE });
    const bench = await Bench.open(vault);
    await readStream(bench.ports, MAIL, never);
    expect((await bench.explain(MAIL)).sentence).toBe('It gave no signal: no note fits it well enough.');
    vault.write(MAIL, PAID_MAIL);
    await bench.sweep();
    expect((await bench.explain(MAIL)).sentence).toBe('It has not been read yet.');
    const read = await readStream(bench.ports, MAIL, never);
    await bench.sweep();
    expect((await bench.explain(MAIL)).sentence).toMatch(/^It is about pay: it waits for the next check/);
    if (read?.kind === 'read') for (const signal of read.signals) vault.remove(signal);
    await bench.sweep();
    expect((await bench.explain(MAIL)).sentence).toBe('It gave signals, but their notes are gone.');
  });
});
