/** Elements whose content the author did not write. */
const DROPPED = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'svg',
  'math',
  'object',
  'iframe',
]);
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const BREAKS = new Set(['br', 'div', 'li', 'tr', 'dt', 'dd', 'hr', 'ul', 'ol', 'pre']);
const PARAGRAPHS = new Set(['p', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'article', 'blockquote']);
const HIDDEN =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])/i;
const TAG = /^<(\/?)([a-z][a-z0-9:-]*)/i;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '',
  zwj: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  sect: '§',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  iexcl: '¡',
  iquest: '¿',
  ordf: 'ª',
  ordm: 'º',
  frac12: '½',
  times: '×',
  szlig: 'ß',
  aelig: 'æ',
  AElig: 'Æ',
  oelig: 'œ',
  OElig: 'Œ',
  oslash: 'ø',
  Oslash: 'Ø',
  aring: 'å',
  Aring: 'Å',
  ccedil: 'ç',
  Ccedil: 'Ç',
  ntilde: 'ñ',
  Ntilde: 'Ñ',
};
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  caron: '\u030C',
};

interface Conversion {
  readonly out: string[];
  /** How many `blockquote` elements are open. */
  quotes: number;
  /** The hidden element that is being skipped, and how deeply it is nested in itself. */
  skipping: { name: string; depth: number } | null;
}

/** Returns the visible words of an HTML mail, with `> ` before quoted lines as in a plain mail. Linear in its length. */
export function htmlToText(html: string): string {
  const conversion: Conversion = { out: [], quotes: 0, skipping: null };
  let at = 0;
  while (at < html.length) at = readNext(html, at, conversion);
  return tidy(conversion.out.join(''));
}

function readNext(html: string, at: number, conversion: Conversion): number {
  if (html.startsWith('<!--', at)) return after(html, '-->', at + 4);
  if (isMarkup(html, at)) return readTag(html, at, conversion);
  const next = html.indexOf('<', at + 1);
  const end = next === -1 ? html.length : next;
  if (conversion.skipping === null) conversion.out.push(decodeEntities(html.slice(at, end)).replace(/\s+/g, ' '));
  return end;
}

function isMarkup(html: string, at: number): boolean {
  return html[at] === '<' && /[a-z/!?]/i.test(html[at + 1] ?? '');
}

function readTag(html: string, at: number, conversion: Conversion): number {
  const end = tagEnd(html, at);
  const tag = html.slice(at, Math.min(end, at + 4000));
  const [, slash, rawName] = TAG.exec(tag) ?? [];
  if (rawName === undefined) return end;
  const name = rawName.toLowerCase();
  const closes = slash === '/';
  if (conversion.skipping !== null) skip(name, closes, conversion);
  else if (!closes && isDropped(name, tag)) conversion.skipping = { name, depth: 1 };
  else applyTag(name, closes, conversion);
  return conversion.skipping?.name === 'script' || conversion.skipping?.name === 'style'
    ? rawTextEnd(html, end, name)
    : end;
}

/** Returns the offset after the `>` that ends the tag. A `>` in a quoted attribute does not end it. */
function tagEnd(html: string, at: number): number {
  let quote = '';
  const limit = Math.min(html.length, at + 100_000);
  for (let here = at + 1; here < limit; here += 1) {
    const letter = html.charAt(here);
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if ((letter === '"' || letter === "'") && html[here - 1] === '=') quote = letter;
    else if (letter === '>') return here + 1;
  }
  // The quote of an attribute is never closed. No browser would show this mail as meant, so the nearest `>` will do.
  return after(html, '>', at);
}

/** In a script or style, only its own closing tag is markup. */
function rawTextEnd(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name === 'script' ? 'script' : 'style'}`, 'ig');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function isDropped(name: string, tag: string): boolean {
  if (VOID.has(name) || tag.endsWith('/>')) return false;
  return DROPPED.has(name) || HIDDEN.test(tag) || /\shidden(?=[\s>=])/i.test(tag);
}

function skip(name: string, closes: boolean, conversion: Conversion): void {
  const skipping = conversion.skipping;
  if (skipping === null || name !== skipping.name) return;
  skipping.depth += closes ? -1 : 1;
  if (skipping.depth === 0) conversion.skipping = null;
}

function applyTag(name: string, closes: boolean, conversion: Conversion): void {
  if (name === 'blockquote') conversion.quotes = Math.max(0, conversion.quotes + (closes ? -1 : 1));
  const line = conversion.quotes > 0 ? '\n> ' : '\n';
  if (PARAGRAPHS.has(name)) conversion.out.push(line + line);
  else if (BREAKS.has(name)) conversion.out.push(line);
  else if (name === 'td' || name === 'th') conversion.out.push(' ');
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[ \u00A0]+/g, ' ').trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));?/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return named(name) ?? whole;
    return fromCodePoint(typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function named(name: string): string | null {
  if (Object.hasOwn(ENTITIES, name)) return ENTITIES[name] ?? null;
  const accent = name.slice(1);
  return !Object.hasOwn(ACCENTS, accent) ? null : (name.charAt(0) + ACCENTS[accent]).normalize('NFC');
}

function fromCodePoint(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}
