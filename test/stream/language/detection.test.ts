import { describe, expect, test } from 'vitest';
import { isRead, LanguageMemory, languageName, writtenIn } from '../../../src/stream/language.ts';
import { loadCases } from '../../eval/case.ts';
import { MAILS } from './mails.ts';

const READ = MAILS.filter(([language]) => isRead(language));
const OTHERS = MAILS.filter(([language]) => !isRead(language));
/** Those that may be looked at while the program is made. */
const CASES = loadCases().mails.filter((mail) => !mail.held_out);

function code(text: string): string | null {
  const written = writtenIn(text);
  if (written.kind === 'unknown') return null;
  return written.kind === 'read' ? written.language : written.code;
}

describe('the language of a mail', () => {
  test.each(READ)('%s: %s', (language, text) => {
    expect(code(text)).toBe(language);
  });

  test('is another where it is not read', () => {
    const taken = OTHERS.filter(([, text]) => writtenIn(text).kind === 'read').map(([language]) => language);
    // Catalan is unknown to the detector.
    expect(taken).toEqual(['ca']);
  });

  test('is right in 97 of 100 cases, and never taken for one that is not read', () => {
    const long = CASES.filter(({ text }) => text.split(/\s+/).length >= 8);
    const codes = long.map(({ text, subject, lang }) => ({ lang, got: code(`${text}\n${subject}`) }));
    expect(long.length).toBeGreaterThan(150);
    expect(codes.filter(({ lang, got }) => lang === got).length / codes.length).toBeGreaterThanOrEqual(0.97);
    expect(codes.filter(({ got }) => got !== null && !isRead(got))).toEqual([]);
  });

  test.each(['', '   ', 'Invoice', '12345 67890', 'Re: 4711', 'https://a.example/b c@d.example'])(
    'is not guessed from too little: %j',
    (text) => {
      expect(writtenIn(text)).toEqual({ kind: 'unknown' });
    },
  );

  test('is not that of the names in it', () => {
    const text =
      'Dear Sam,\n\nthe deposit invoice has been paid in full. Thank you.\n\nKind regards\nAnna Meyer\nDeposit';
    expect(writtenIn(text)).not.toMatchObject({ kind: 'other' });
  });

  test('has a name for people', () => {
    expect([languageName('pl'), languageName('pt')]).toEqual(['Polish', 'Portuguese']);
  });
});

describe('what is remembered of languages', () => {
  test('changes no answer, whichever was asked before', () => {
    const memory = new LanguageMemory();
    const texts = MAILS.map(([, text]) => text);
    for (const text of [...texts, ...texts.toReversed()]) expect(writtenIn(text, memory)).toEqual(writtenIn(text));
  });

  test('is asked for the same words, with whatever names and numbers among them', () => {
    const memory = new LanguageMemory();
    writtenIn('The due date of letter-12@post.example has moved to another day, 2026-12-01.', memory);
    const words = 'The due date of has moved to another day';
    expect(memory.get(words)).toEqual({ kind: 'read', language: 'en' });
    memory.put(words, { kind: 'read', language: 'nl' });
    expect(writtenIn('The due date of letter-77@post.example has moved to another day, 2027-01-31.', memory)).toEqual({
      kind: 'read',
      language: 'nl',
    });
  });
});
