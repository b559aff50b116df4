import { describe, expect, test } from 'vitest';
import { decode, detectCharset } from '../../src/streams/mail-parts.ts';
import { decodeAscii } from '../../src/streams/stream.ts';

/** Writes a text in a charset of one byte a character. */
function inCharset(text: string, charset: string): Buffer {
  const decoder = new TextDecoder(charset);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from([...text].map((character) => bytes.get(character) ?? 63));
}

const GERMAN = ':86:166?00Überweisung?20Prämie für Müller?32Bäckerei Groß';
const POLISH = ':86:020~00Opłata~20Opłata za prowadzenie rachunku, usługi księgowe, płatność~32Źródło';
const RUSSIAN = 'Оплата по счёту за услуги связи, перевод средств на карту';

describe('a text without a word on its charset', () => {
  test.each([
    ['windows-1252', GERMAN],
    ['windows-1252', ':86:020?00Ueberweisung?20Rechnung 4711?32Müller'],
    ['windows-1252', 'Virement reçu, prélèvement échéance café'],
    ['windows-1252', 'Kostprijs € 12,50 – “korting”'],
    ['windows-1250', POLISH],
    ['iso-8859-2', POLISH],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['ibm866', RUSSIAN],
  ])('is read as what its bytes look like: %s %j', (charset, text) => {
    expect(decode(inCharset(text, charset))).toBe(text);
  });

  test.each([GERMAN, POLISH, RUSSIAN, '日本語の取引', ''])('is UTF-8 where it is valid: %j', (text) => {
    expect(decode(Buffer.from(text))).toBe(text);
  });

  test('is told by the lines that have more than ASCII, wherever they are', () => {
    const text = `${':61:3503020302D12,50NTRFNONREF\n'.repeat(20_000)}${POLISH}\n`;
    expect(decode(inCharset(text, 'windows-1250'))).toBe(text);
  });
});

describe('a mark', () => {
  test.each([
    ['utf-8', Buffer.from(`\uFEFF${GERMAN}`)],
    ['utf-16le', Buffer.from(`\uFEFF${GERMAN}`, 'utf16le')],
    ['utf-16be', Buffer.from(`\uFEFF${GERMAN}`, 'utf16le').swap16()],
  ])('is believed, and is no part of the text: %s', (charset, bytes) => {
    expect(detectCharset(bytes, 'windows-1252')).toBe(charset);
    expect(decode(bytes)).toBe(GERMAN);
  });
});

describe('UTF-16 without a mark', () => {
  test('is seen by its zeros', () => {
    expect(decode(Buffer.from(GERMAN, 'utf16le'))).toBe(GERMAN);
    expect(decode(Buffer.from(GERMAN, 'utf16le').swap16())).toBe(GERMAN);
  });

  test('is not guessed from a declaration or a few zeros', () => {
    expect(decode(Buffer.from('<?xml version="1.0" encoding="utf-16"?>'), 'utf-16')).toContain('<?xml');
    expect(detectCharset(Buffer.from('a\0b, and so on'))).toBe('utf-8');
    expect(detectCharset(Buffer.from(`${'\0'.repeat(50)}words`))).toBe('utf-8');
  });
});

describe('a declared charset', () => {
  test.each([
    '1252',
    'CP1252',
    'windows-1252',
    'ANSI-1252',
    'ISO-8859-1',
    'iso8859-1',
    'latin1',
    'USASCII',
    'us-ascii',
  ])('%s is what Western programs write', (declared) => {
    expect(decode(inCharset('Straße € 5', 'windows-1252'), declared)).toBe('Straße € 5');
  });

  test.each([
    ['windows-1250', POLISH],
    ['ISO-8859-2', POLISH],
    ['1251', RUSSIAN],
  ])('decides where several would do: %s', (declared, text) => {
    expect(decode(inCharset(text, declared === '1251' ? 'windows-1251' : declared), declared)).toBe(text);
  });

  test('does not spoil UTF-8 that was written all the same, also where the head ends within a character', () => {
    const bytes = Buffer.from(GERMAN);
    expect(decode(bytes, '1252')).toBe(GERMAN);
    expect(detectCharset(Buffer.from('für ü').subarray(0, -1), '1252')).toBe('utf-8');
  });

  test('that is not kept, or that nobody knows, is passed over', () => {
    expect(decode(inCharset(GERMAN, 'windows-1252'), 'UTF-8')).toBe(GERMAN);
    expect(decode(inCharset(GERMAN, 'windows-1252'), 'NONE')).toBe(GERMAN);
    expect(decode(Buffer.from(GERMAN), 'x-unheard-of')).toBe(GERMAN);
  });
});

test('a head is read for its ASCII in any charset', () => {
  expect(decodeAscii(Buffer.from('\uFEFF<OFX>', 'utf16le'))).toContain('<OFX>');
  expect(decodeAscii(inCharset('é<OFX>', 'windows-1252'))).toContain('<OFX>');
});
