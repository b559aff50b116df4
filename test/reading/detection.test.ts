import { describe, expect, test } from 'vitest';
import { detectLanguage, isInOtherLanguage, isRead, languageName, splitSentences } from '../../src/reading/text.ts';
import { loadCases } from '../eval/case.ts';
import { casesIn } from './cases.ts';

const MAILS = casesIn('mails-by-language.tsv').map(([language = '', text = '']) => [language, text] as const);
const READ = MAILS.filter(([language]) => isRead(language));
const OTHERS = MAILS.filter(([language]) => !isRead(language));
/** Those that may be looked at while the program is made. */
const CASES = loadCases().mails.filter((mail) => !mail.held_out);

function code(text: string): string | null {
  const written = detectLanguage(text);
  if (written.kind === 'unknown') return null;
  return written.kind === 'read' ? written.language : written.code;
}

describe('the language of a mail', () => {
  test.each(READ)('%s: %s', (language, text) => {
    expect(code(text)).toBe(language);
  });

  test('is another where it is not read', () => {
    const taken = OTHERS.filter(([, text]) => detectLanguage(text).kind === 'read').map(([language]) => language);
    // Catalan is unknown to the detector.
    expect(taken).toEqual(['ca']);
  });

  test('is told to be another one of each sentence as of a whole text', () => {
    const sentences = [...MAILS.map(([, text]) => text), ...CASES.slice(0, 60).map(({ text }) => text)]
      .flatMap((text) => [text, ...splitSentences(text).map(({ start, end }) => text.slice(start, end))])
      .flatMap((text) => [text, text.split(' ').slice(0, 11).join(' ')]);
    const others = sentences.filter((text) => detectLanguage(text).kind === 'other');
    expect(sentences.filter(isInOtherLanguage)).toEqual(others);
    expect(others.length).toBeGreaterThan(5);
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
      expect(detectLanguage(text)).toEqual({ kind: 'unknown' });
    },
  );

  test('is not that of the names in it', () => {
    const text =
      'Dear Sam,\n\nthe deposit invoice has been paid in full. Thank you.\n\nKind regards\nAnna Meyer\nDeposit';
    expect(detectLanguage(text)).not.toMatchObject({ kind: 'other' });
  });

  test('has a name for people', () => {
    expect([languageName('pl'), languageName('pt')]).toEqual(['Polish', 'Portuguese']);
  });
});
