import type { Declared } from './cascade.ts';
import { attributeColour, colourOf, looksLike, over, WHITE } from './colour.ts';
import type { Declaration, Names, Value } from './css.ts';
import { bringsPlainLetters, namesMarks } from './fonts.ts';
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
/** A text drawn this far back, in px, may lie under what comes after it, or over what comes before. */
const [BACK, UP] = [-24, -8];
/** A shadow this broad, in px, covers what lies beside it. */
const BROAD = 60;
/** What is added and says nothing: blanks, signs, and where it is taken from. */
const NO_WORDS = /^(?:none|normal|initial|inherit|unset|["'][^\p{L}\p{N}]*["'])$/u;
/** What is moved so far from its place, in px, may cover another text. */
const MOVED = 12;

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
  if (property === 'font' || property === 'font-family') return namesMarks(value.map(({ text }) => text).join(' '));
  const lengths = lengthsIn(value, { em: 16, whole: 1000 });
  if (property.startsWith('margin')) return lengths.some((length) => length < BACK) || isUp(property, lengths);
  if (/^(?:top|bottom|left|right|inset.*|translate|(?:-webkit-|-ms-)?transform)$/.test(property))
    return lengths.some((length) => Math.abs(length) > MOVED);
  if (property.startsWith('outline')) return lengths.some((length) => length > MOVED || length < UP);
  if (property === 'border-image')
    return value.some(({ text }) => text === 'fill') || lengths.some((one) => one > BROAD);
  return /^(?:-webkit-)?box-shadow$/.test(property) && isBroad(value, lengths);
}

function isUp(property: string, lengths: readonly number[]): boolean {
  const isUpright = property === 'margin' ? lengths.filter((_, at) => at % 2 === 0) : lengths;
  return !/left|right|inline/.test(property) && isUpright.some((length) => length < UP);
}

/** A shadow that may cover what lies beside it, or, inside, its own text. */
function isBroad(value: Value, lengths: readonly number[]): boolean {
  return (
    lengths.some((length) => Math.abs(length) > BROAD) ||
    (value.some(({ text }) => text === 'inset') && lengths.some((one) => Math.abs(one) > MOVED))
  );
}

/** Returns why what a style sheet puts before or after an element may change what is read; null where it does not. */
export function addedDoubt(declarations: readonly Declaration[]): string | null {
  const saysMore = declarations.some(
    ({ property, value }) => property === 'content' && value.some(({ text }) => !NO_WORDS.test(text)),
  );
  const isPlaced = declarations.some(
    ({ property, value }) =>
      property === 'position' && value.some(({ text }) => /^(?:absolute|fixed|sticky)$/.test(text)),
  );
  return saysMore || isPlaced ? 'its style adds words or covers' : null;
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
  if (name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel') ?? ''))
    return bringsPlainLetters(attributes.get('href') ?? '') ? null : 'its style lies elsewhere';
  if (name === 'font' && namesMarks(attributes.get('face') ?? '')) return 'its letters are signs';
  if (attributes.get('aria-hidden') === 'true' || attributes.has('inert')) return 'a part of it is marked as hidden';
  const link = name === 'body' ? attributeColour(attributes.get('link') ?? '') : null;
  return link !== null && looksLike(link, WHITE, NEAR) ? 'its links have the colour of paper' : null;
}

const ODD_RULES: ReadonlyMap<string, string> = new Map([
  ['font-face', 'it brings letters of its own'],
  ['position-try', 'its style says position'],
]);
const ODD_WORDS: ReadonlySet<string> = new Set(['first-line', 'first-letter']);

/** Returns why a style sheet may hide a text, from what it names; null where it hides none so. */
export function sheetDoubt({ rules, imports, words }: Names): string | null {
  if (!imports.every(bringsPlainLetters)) return 'its style lies elsewhere';
  const rule = rules.map((name) => ODD_RULES.get(name)).find((why) => why !== undefined);
  return rule ?? (words.intersection(ODD_WORDS).size > 0 ? 'its style says first-line or first-letter' : null);
}
