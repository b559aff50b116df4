import { requestWords } from '../word.ts';

/** Stands in a phrase in the place of the file. */
export const HOLE = '▢';
const MARK = /\uE000(\d{1,4})\uE001/g;
const OWN_SIGNS = /[\uE000\uE001▢]/gu;

/** A text that stood in quotes, with and without them. */
interface Quote {
  readonly written: string;
  readonly inner: string;
}

/** A request in which each text in quotes is one mark, so that nothing within quotes is taken for a word. */
export interface PlainText {
  /** With single spaces, and without the signs that end a sentence. */
  readonly text: string;
  readonly quotes: readonly Quote[];
}

/** Returns a request with its quotes as marks. */
export function plainText(request: string): PlainText {
  const clean = request.replace(OWN_SIGNS, ' ');
  const quoted = requestWords(clean).filter(({ kind }) => kind === 'quoted');
  const between = quoted.map(({ from }, nth) => `${clean.slice(quoted[nth - 1]?.to ?? 0, from)}\uE000${nth}\uE001`);
  const text = between.join('') + clean.slice(quoted.at(-1)?.to ?? 0);
  return {
    text: text
      .replace(/\s+/g, ' ')
      .replace(/^ /, '')
      .replace(/(?<=\S)[ .?!]{1,20}$/, ''),
    quotes: quoted.map(({ from, to, text: inner }) => ({ written: clean.slice(from, to), inner })),
  };
}

/** Returns a piece of a plain text as it was written. */
export function written({ quotes }: PlainText, piece: string): string {
  return piece.replace(MARK, (_, nth) => quotes[Number(nth)]?.written ?? '').trim();
}

/** Returns the name that a piece of a plain text is: a text in quotes without them, or else the words as written. */
export function nameIn(plain: PlainText, piece: string): string {
  const only = /^\uE000(\d{1,4})\uE001$/.exec(piece.trim())?.[1];
  return only === undefined ? written(plain, piece) : (plain.quotes[Number(only)]?.inner ?? '');
}
