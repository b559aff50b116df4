import type { Declared } from './cascade.ts';
import { attributeColour, colourOf, looksLike, over, WHITE } from './colour.ts';
import type { Value } from './css.ts';
import { isUnknown, lengthsIn } from './lengths.ts';
import type { Sight } from './visibility.ts';

// What a reader may not see although it is not hidden by anything that is computed: covered, drawn in letters that the
// mail brings along, cut off by what nobody has heard of yet. Such a text is read, and nothing is done on its word alone.

/** Beginnings of the names of properties that hide a text, if at all, only in ways that `visibility.ts` knows. */
const PLAIN_FAMILIES: readonly string[] = `
  align- background border bottom box-shadow box-sizing break- caption-side clear clip color-scheme column-gap
  content-visibility cursor direction display empty-cells flex float font gap height hyphens inset
  interpolation-mode justify- left letter-spacing line-break line-height list-style margin mask max-height
  max-width min- mso- object-fit object-position opacity orphans outline overflow padding page-break place-
  pointer-events quotes right rotate row-gap scale supported-color-schemes tab-size table-layout text-align
  text-decoration text-indent text-overflow text-rendering text-shadow text-size-adjust text-transform
  text-underline text-wrap top transform transition translate unicode-bidi user-select vertical-align visibility
  white-space widows width word-break word-wrap zoom -- -moz-border -moz-box-sizing -moz-hyphens
  -moz-osx-font-smoothing -moz-text-size-adjust -moz-user-select -ms- -premailer- -webkit-border
  -webkit-box-shadow -webkit-box-sizing -webkit-clip-path -webkit-font-smoothing -webkit-hyphens -webkit-mask
  -webkit-tap -webkit-text-fill-color -webkit-text-security -webkit-text-size-adjust -webkit-transform
  -webkit-user-select
`
  .trim()
  .split(/\s+/);
/** Of these families, what changes the letters themselves. */
const ODD_LETTERS = ['font-size-adjust', 'font-stretch', 'font-palette', 'font-variation'];
const COLOUR_WORD = /^(?:inherit|currentcolor|unset|initial|revert|transparent|none)$/;
/** A value of one of these that is any other word makes a doubt. */
const PLAIN_VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['position', /^(?:static|relative|initial|inherit|unset)$/],
  ['filter', /^none$/],
  ['mix-blend-mode', /^normal$/],
  ['order', /^0$/],
  ['word-spacing', /^(?:normal|\+?[\d.]+[a-z%]*)$/],
  ['animation', /^none$/],
  ['content', /^(?:none|normal|["'].*)$/s],
  ['z-index', /^(?:auto|\d+)$/],
]);
/** Letters smaller than this, in px, are small print that few read; fainter ones are hardly seen. */
const SMALL = 7;
const FAINT = 0.4;
const NEAR = 64;
/** A text drawn this far back, in px, may lie under what comes after it. */
const BACK = -24;

/** Returns why a reader may not see a text as it is read, in a few words; null where nothing speaks against it. */
export function styleDoubt(declared: Declared): string | null {
  for (const [property, values] of declared) {
    const plain = PLAIN_VALUES.get(property);
    if (plain === undefined ? !isPlain(property) : values.some((value) => !isAll(value, plain)))
      return `its style says ${property.slice(0, 40)}`;
    if (values.some((value) => isOdd(property, value))) return `its style says ${property.slice(0, 40)} in an odd way`;
  }
  return null;
}

function isPlain(property: string): boolean {
  if (property === 'color') return true;
  const begins = (start: string) => property.startsWith(start);
  return PLAIN_FAMILIES.some(begins) && !ODD_LETTERS.some(begins);
}

function isAll(value: Value, plain: RegExp): boolean {
  return value.every(({ text }) => plain.test(text));
}

function isOdd(property: string, value: Value): boolean {
  if (property === 'color' || property === '-webkit-text-fill-color')
    return !isUnknown(value) && colourOf(value) === null && !isAll(value, COLOUR_WORD);
  if (property.startsWith('text-decoration')) return value.some(({ text }) => text === 'line-through');
  if (property === 'flex-direction' || property === 'flex-flow')
    return value.some(({ text }) => text.endsWith('-reverse'));
  if (property.startsWith('margin')) return lengthsIn(value, { em: 16, whole: 1000 }).some((length) => length < BACK);
  return false;
}

/** Returns why a reader may not see a text of this size and colour; null where nothing speaks against it. */
export function sightDoubt({ size, opacity, ink, papers }: Sight): string | null {
  if (size < SMALL) return 'its letters are very small';
  const isFaint = opacity < FAINT || papers.some((paper) => looksLike(over(ink, paper), paper, NEAR));
  return isFaint ? 'its letters are very faint' : null;
}

/** Returns why a reader may not see what an element holds, by its name and attributes; null where nothing speaks against it. */
export function elementDoubt(name: string, attributes: ReadonlyMap<string, string>): string | null {
  if (name === 'del' || name === 's' || name === 'strike') return 'a part of it is struck through';
  if (name === 'textarea') return 'a part of it stands in a form';
  if (name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel') ?? '')) return 'its style lies elsewhere';
  if (attributes.get('aria-hidden') === 'true' || attributes.has('inert')) return 'a part of it is marked as hidden';
  const link = name === 'body' ? attributeColour(attributes.get('link') ?? '') : null;
  return link !== null && looksLike(link, WHITE, NEAR) ? 'its links have the colour of paper' : null;
}

const ODD_RULES: ReadonlyMap<string, string> = new Map([
  ['import', 'its style lies elsewhere'],
  ['font-face', 'it brings letters of its own'],
  ['position-try', 'its style says position'],
]);
const ODD_WORDS: ReadonlySet<string> = new Set(['first-line', 'first-letter']);

/** Returns why a style sheet may hide a text, from the names of its rules and its words; null where it hides none so. */
export function sheetDoubt(rules: readonly string[], words: ReadonlySet<string>): string | null {
  const rule = rules.map((name) => ODD_RULES.get(name)).find((why) => why !== undefined);
  return rule ?? (words.intersection(ODD_WORDS).size > 0 ? 'its style says first-line or first-letter' : null);
}
