/** A tag with the text that follows it. */
export interface Tag {
  /** In capitals, without a prefix. */
  readonly name: string;
  readonly isEnd: boolean;
  /** Up to the next tag, with its entities read; empty at an end tag. */
  readonly value: string;
}

const TAG = /<(\/?)(?:[A-Za-z][\w-]*:)?([A-Za-z][\w.-]*)(?:\s[^<>]*)?>/y;
const CDATA = '<![CDATA[';
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** No value of the format is longer; what follows is not kept. */
const MAX_VALUE = 40_000;

/**
 * Yields the tags of a text that is SGML or XML, or neither quite: an end tag may be missing where a value stands, and a
 * sign that begins no tag is text. Comments are left out.
 */
export function* tagsOf(text: string): Generator<Tag> {
  let open: Omit<Tag, 'value'> | null = null;
  let value = '';
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    at = piece.end;
    if (piece.tag === null) {
      if (value.length < MAX_VALUE) value += piece.text;
      continue;
    }
    if (open !== null) yield { ...open, value: textOf(open, value) };
    open = piece.tag;
    value = '';
  }
  if (open !== null) yield { ...open, value: textOf(open, value) };
}

interface Piece {
  readonly end: number;
  readonly text: string;
  readonly tag: Omit<Tag, 'value'> | null;
}

function pieceAt(text: string, at: number): Piece {
  if (text[at] !== '<') return plain(text, at);
  if (text.startsWith('<!--', at)) return { end: after(text, '-->', at), text: '', tag: null };
  if (text.startsWith(CDATA, at)) {
    const end = after(text, ']]>', at);
    return { end, text: text.slice(at + CDATA.length, Math.min(end - 3, at + MAX_VALUE)), tag: null };
  }
  TAG.lastIndex = at;
  const [whole, slash = '', name = ''] = TAG.exec(text) ?? [];
  if (whole === undefined) return { end: at + 1, text: '<', tag: null };
  return { end: at + whole.length, text: '', tag: { name: name.toUpperCase(), isEnd: slash !== '' } };
}

function plain(text: string, at: number): Piece {
  const next = text.indexOf('<', at);
  const end = next === -1 ? text.length : next;
  return { end, text: withEntities(text.slice(at, Math.min(end, at + MAX_VALUE))), tag: null };
}

/** The place after `mark`; the end of the text where it does not come. */
function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

function withEntities(text: string): string {
  return text.replace(ENTITY, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function textOf({ isEnd }: Omit<Tag, 'value'>, value: string): string {
  return isEnd ? '' : value.trim();
}
