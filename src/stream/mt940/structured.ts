import { ibanForm } from '../../vault/source-names.ts';
import type { Details } from './details.ts';
import { joined } from './joined.ts';

/** `166?00Credit?20…`: three digits, then fields of two digits after a sign that each bank chooses. */
const BEGIN = /^\s{0,4}\d{0,3}([^\w\s/:.,+()-])\d{2}/;
/** The words of who paid, in pieces. */
const PURPOSE = /^(?:2\d|6[0-3])$/;
/** The width of a piece: what fills it goes on in the next one without a space. */
const PIECE = 27;
const KEYWORD = /((?:EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP)(?=\+)|MTLG(?=:))[+:]/g;
const NO_REFERENCE = /^(?:notprovided|nonref)?$/i;

/** Returns what a `:86:` of the German way says; null where it is written in another. */
export function structuredNarrative(lines: readonly string[]): Details | null {
  const [, sign] = BEGIN.exec(lines[0] ?? '') ?? [];
  if (sign === undefined) return null;
  const fields = fieldsOf(joined(lines, sign), sign);
  const said = keywordsOf(purposeOf(fields));
  return {
    counterparty: nameOf(fields) ?? (said.get('ABWA') || said.get('ABWE') || null),
    iban: ibanForm(only(fields, '31')) ?? ibanForm(only(fields, '38')) ?? ibanForm(said.get('IBAN')),
    references: ['EREF', 'MREF', 'KREF']
      .map((key) => said.get(key) ?? '')
      .filter((one) => !NO_REFERENCE.test(one.replace(/\s+/g, ''))),
    purpose:
      said.get('SVWZ') ||
      said.get('') ||
      said.get('MTLG') ||
      (fields.find(({ code }) => code === '00')?.text.trim() ?? ''),
  };
}

interface Part {
  readonly code: string;
  readonly text: string;
}

function fieldsOf(text: string, sign: string): readonly Part[] {
  const pieces = text.split(sign);
  const parts: Part[] = [];
  for (const piece of pieces.slice(1)) {
    const [, code, rest = ''] = /^(\d{2})(.*)$/s.exec(piece) ?? [];
    const last = parts.at(-1);
    if (code !== undefined) parts.push({ code, text: rest });
    else if (last !== undefined) parts[parts.length - 1] = { code: last.code, text: last.text + sign + piece };
  }
  return parts;
}

/** Returns a field that the bank fills. One that is there twice was written by who paid, and is not believed. */
function only(fields: readonly Part[], code: string): string | null {
  const found = fields.filter((one) => one.code === code);
  return found.length === 1 ? (found[0]?.text.trim() ?? null) : null;
}

function nameOf(fields: readonly Part[]): string | null {
  const [first, second] = [only(fields, '32'), only(fields, '33')];
  if (first === null) return null;
  return `${first}${glue(first, second ?? '', PIECE)}`.trim() || null;
}

function purposeOf(fields: readonly Part[]): string {
  const pieces = fields.filter(({ code }) => PURPOSE.test(code)).map(({ text }) => text);
  const width = Math.max(PIECE, ...pieces.map((piece) => piece.length));
  return pieces.reduce((text, piece, nth) => text + glue(pieces[nth - 1], piece, width), '').trim();
}

/** Returns a piece as it goes on behind the one before: a short one ended where a space was. */
function glue(before: string | undefined, piece: string, width: number): string {
  if (before === undefined || before.length >= width || before.endsWith(' ')) return piece;
  return ` ${piece.trimStart()}`;
}

/**
 * The purpose by its keywords; under the empty one what stands before them. The first of each counts. What follows the words
 * of who paid cannot say whose account it was.
 */
function keywordsOf(purpose: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  const parts = purpose.split(KEYWORD);
  said.set('', (parts[0] ?? '').trim());
  for (let nth = 1; nth < parts.length; nth += 2) {
    const [key = '', text = ''] = [parts[nth], parts[nth + 1]];
    const isTooLate = key === 'IBAN' && said.has('SVWZ');
    if (!said.has(key) && !isTooLate) said.set(key, text.trim());
  }
  return said;
}
