import fs from 'node:fs';
import path from 'node:path';
import type { TargetIndex } from '../../src/reading/targets.ts';
import { loadCases } from '../eval/case.ts';
import { bytesOf, indexOf, readAt } from '../eval/case-event.ts';
import { candidate, fixture, sampleIndex } from '../support/events.ts';
import { ATTACKS, HONEST_MAILS } from '../trust/corpus/corpus.ts';
import { AFFAIR_OF, MATTERS, NAMED, TASKS } from '../trust/corpus/household.ts';
import { fromLine, rawMail, vouched } from '../trust/corpus/letter.ts';

/** A mail of one of the corpora, with the notes it may be about, and when it is read. */
export interface CorpusMail {
  readonly name: string;
  readonly bytes: Buffer;
  readonly index: TargetIndex;
  readonly now: Date;
}

const FIXTURES = path.join(import.meta.dirname, 'mail');

/** Returns every mail that the other tests know: the labelled ones, hostile and honest ones, and those of mail programs. */
export function corpusMails(): readonly CorpusMail[] {
  return [...labelled(), ...household(), ...fixtures()];
}

/** Returns the labelled mails of the evaluation. */
export function labelled(): readonly CorpusMail[] {
  const cases = loadCases();
  const index = indexOf(cases.vault);
  return cases.mails.map((mail) => {
    return { name: `eval ${mail.domain} ${mail.id}`, bytes: Buffer.from(bytesOf(mail)), index, now: readAt(mail) };
  });
}

/** Returns a mail as a mail program writes it: with HTML beside its text, and an attachment. */
export function dressed({ bytes }: Pick<CorpusMail, 'bytes'>): Buffer {
  const [head = '', ...rest] = bytes.toString('utf8').split(/\r?\n\r?\n/);
  const text = rest.join('\r\n\r\n');
  const headers = head.replace(/^(?:MIME-Version|Content-[\w-]+):.*(?:\r?\n[ \t].*)*\r?\n?/gim, '').trimEnd();
  const html = `<html><head><title>Mail</title><style>p { color: #222 }</style></head><body>${text
    .split(/\r?\n/)
    .map((line) => `<p>${line.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`)
    .join('')}</body></html>`;
  const lines = [
    headers,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=outer',
    '',
    '--outer',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    ...['--inner', 'Content-Type: text/plain; charset=utf-8', '', text],
    ...['--inner', 'Content-Type: text/html; charset=utf-8', '', html],
    ...['--inner--', '--outer', 'Content-Type: application/pdf; name=a.pdf'],
    ...['Content-Disposition: attachment; filename=a.pdf', 'Content-Transfer-Encoding: base64', ''],
    ...Array.from({ length: 40 }, () => 'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoKPDwvTGVuZ3RoIDMgMCBSL0ZpbHRlci9GbGF0ZURl'),
    ...['--outer--', ''],
  ];
  return Buffer.from(lines.join('\r\n'));
}

function household(): CorpusMail[] {
  const index = householdIndex();
  const now = new Date();
  const hostile = ATTACKS.flatMap(({ id, mails }) => mails.map((mail, nth) => ({ name: `attack ${id} ${nth}`, mail })));
  const honest = HONEST_MAILS.map(({ id, from, subject, text }) => {
    const address = NAMED[from];
    return { name: `honest ${id}`, mail: { head: [...vouched(address), fromLine(from, address)], subject, text } };
  });
  return [...hostile, ...honest].map(({ name, mail }) => ({ name, bytes: Buffer.from(rawMail(mail)), index, now }));
}

function householdIndex(): TargetIndex {
  const matters = Object.entries(MATTERS).map(([word, file]) => {
    const senders = Object.entries(AFFAIR_OF).flatMap(([who, affair]) =>
      affair === word ? Object.entries(NAMED).flatMap(([name, address]) => (name === who ? [address] : [])) : [],
    );
    return candidate({ path: file, senders });
  });
  const index = sampleIndex(...matters);
  for (const file of Object.values(TASKS)) index.add(candidate({ path: file }));
  return index;
}

function fixtures(): CorpusMail[] {
  const names = fs.readdirSync(FIXTURES).filter((name) => name.endsWith('.eml'));
  const now = new Date('2026-11-20T12:00:00Z');
  const index = sampleIndex();
  return names.map((name) => ({ name, bytes: Buffer.from(fixture(name)), index, now }));
}
