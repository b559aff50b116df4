import type { Declared } from './cascade.ts';
import { attributeColour, BLACK, type Colour, colourOf, coloursIn, looksLike, over, WHITE } from './colour.ts';
import type { Part, Value } from './css.ts';
import { isUnknown, lengthOf, lengthsIn, type Measure } from './lengths.ts';

/** How the text of an element is seen, as far as it tells whether it is. */
export interface Sight {
  /** Nothing within can be seen again. */
  readonly gone: boolean;
  /** By `visibility`, which an element within can take back. */
  readonly invisible: boolean;
  /** The size of its letters in px. */
  readonly size: number;
  readonly spacing: number;
  readonly indent: number;
  readonly opacity: number;
  readonly ink: Colour;
  /** The colours that lie behind it; more than one where they change from place to place. */
  readonly papers: readonly Colour[];
}

/** How the text of a mail is seen that says nothing of it. */
export const PLAIN_SIGHT: Sight = {
  gone: false,
  invisible: false,
  size: 16,
  spacing: 0,
  indent: 0,
  opacity: 1,
  ink: BLACK,
  papers: [WHITE],
};

const SMALLEST = 2;
const FAINTEST = 0.1;
/** So far to a side, in px, nothing is seen any more. */
const [FAR, FARTHER] = [200, 2000];
const LINK: Colour = { r: 0, g: 0, b: 238, a: 1 };
const FONT_SIZES = [10, 10, 13, 16, 18, 24, 32, 48];
const SIZE_WORDS: ReadonlyMap<string, number> = new Map([
  ['xx-small', 9],
  ['x-small', 10],
  ['small', 13],
  ['medium', 16],
  ['initial', 16],
  ['large', 18],
  ['x-large', 24],
  ['xx-large', 32],
  ['xxx-large', 48],
]);
const DISPLAYS =
  /^(?:block|inline|inline-block|flex|inline-flex|grid|inline-grid|flow-root|contents|list-item|table|inline-table|table-(?:row|cell|caption|row-group|header-group|footer-group)|run-in|initial|inherit|unset|revert|revert-layer)$/;
const BACKGROUND_WORDS =
  /^(?:[,/)]|#[\da-f]+|none|repeat(?:-[xy])?|no-repeat|space|round|scroll|fixed|local|center|top|left|right|bottom|cover|contain|auto|border-box|padding-box|content-box|to|at|circle|ellipse|closest-side|farthest-corner|transparent|url\(.*|["'].*|[a-z-]*\()$/s;

/** Whether a reader sees a text that is seen so. */
export function isSeen(sight: Sight): boolean {
  return faultsOf(sight).length === 0;
}

/** Returns what keeps a reader from seeing a text, each by a name. What is not known (`NaN`) keeps him too. */
export function faultsOf({ gone, invisible, size, spacing, indent, opacity, ink, papers }: Sight): readonly string[] {
  const faults: readonly (readonly [string, boolean])[] = [
    ['gone', gone],
    ['invisible', invisible],
    ['size', !(size > SMALLEST)],
    ['opacity', !(opacity > FAINTEST)],
    ['spacing', !(spacing > -size / 3)],
    ['indent', !(Math.abs(indent) < FAR)],
    ['ink', papers.some((paper) => looksLike(over(ink, paper), paper))],
  ];
  return faults.filter(([, holds]) => holds).map(([name]) => name);
}

/** Returns how the text of an element is seen, from how that around it is, its attributes, and what is declared for it. */
export function sightOf(
  around: Sight,
  name: string,
  attributes: ReadonlyMap<string, string>,
  declared: Declared,
): Sight {
  const size = sizeOf(around, name, attributes, declared);
  const measure = { em: size, whole: 1000 };
  const papers = papersOf(around, attributes, declared);
  return {
    gone: around.gone || isGone(attributes, declared, measure),
    invisible: lastOf(declared, ['visibility'], invisibleBy) ?? around.invisible,
    size,
    papers: papers ?? around.papers,
    opacity: around.opacity * (lastOf(declared, ['opacity'], shareOf) ?? 1),
    spacing: lastOf(declared, ['letter-spacing'], (value) => lengthOf(value, measure)) ?? around.spacing,
    indent:
      lastOf(declared, ['text-indent'], (value) => lengthsIn(value, measure)[0] ?? unknown(value)) ?? around.indent,
    ink: inkOf(around, name, attributes, declared) ?? around.ink,
  };
}

/** Returns what the last value says that says anything: one that cannot be read leaves the one before it in force. */
function lastOf<T>(declared: Declared, properties: readonly string[], read: (value: Value) => T | null): T | null {
  for (const property of properties) {
    for (const value of (declared.get(property) ?? []).toReversed()) {
      const said = read(value);
      if (said !== null) return said;
    }
  }
  return null;
}

function unknown(value: Value): number | null {
  return isUnknown(value) ? Number.NaN : null;
}

function shareOf(value: Value): number | null {
  const share = lengthOf(value, { em: 1, whole: 1 });
  return share === null ? unknown(value) : Math.min(1, share);
}

function invisibleBy(value: Value): boolean | null {
  if (isUnknown(value)) return true;
  const word = value.length === 1 ? (value[0]?.text ?? '') : '';
  if (/^(?:hidden|collapse)$/.test(word)) return true;
  return /^(?:visible|initial)$/.test(word) ? false : null;
}

function sizeOf(around: Sight, name: string, attributes: ReadonlyMap<string, string>, declared: Declared): number {
  const measure = { em: around.size, whole: around.size };
  const said = lastOf(declared, ['font-size'], (value) => wordSize(value, around.size) ?? lengthOf(value, measure));
  const short = lastOf(declared, ['font'], (value) => shorthandSize(value, measure));
  const attribute = name === 'font' ? Number.parseInt(attributes.get('size') ?? '', 10) : Number.NaN;
  const own = Number.isNaN(attribute) ? around.size : (FONT_SIZES[Math.min(7, Math.max(0, attribute))] ?? around.size);
  // Which of the two is written later is not known here, so the smaller one is believed.
  if (said !== null && short !== null) return Math.min(said, short);
  return said ?? short ?? own;
}

function wordSize(value: Value, around: number): number | null {
  const word = value.length === 1 ? (value[0]?.text ?? '') : '';
  if (word === 'smaller') return around / 1.2;
  if (word === 'larger') return around * 1.2;
  return SIZE_WORDS.get(word) ?? null;
}

/** `font: 700 16px/1.5 Arial`: the size is the first number with a unit, or a bare 0. */
function shorthandSize(value: Value, measure: Measure): number | null {
  if (isUnknown(value)) return Number.NaN;
  const at = value.findIndex(({ number, unit }) => number !== null && (unit !== '' || number === 0));
  return at === -1 ? null : lengthOf(value.slice(at, at + 1), measure);
}

function inkOf(
  around: Sight,
  name: string,
  attributes: ReadonlyMap<string, string>,
  declared: Declared,
): Colour | null {
  const fill = lastOf(declared, ['-webkit-text-fill-color', 'color'], (value) => inkBy(value, around));
  if (fill !== null) return fill;
  const attribute = attributes.get(name === 'body' ? 'text' : 'color');
  if (attribute !== undefined && (name === 'font' || name === 'body')) return attributeColour(attribute);
  return name === 'a' && attributes.has('href') ? LINK : null;
}

/** A colour that only a reader knows counts as none at all. */
function inkBy(value: Value, around: Sight): Colour | null {
  const text = value[0]?.text ?? '';
  if (isUnknown(value) || /^(?:color|color-mix|light-dark)\($/.test(text)) return { ...BLACK, a: 0 };
  return /^(?:inherit|currentcolor|unset)$/.test(text) ? around.ink : colourOf(value);
}

function papersOf(
  around: Sight,
  attributes: ReadonlyMap<string, string>,
  declared: Declared,
): readonly Colour[] | null {
  const long = lastOf(declared, ['background-color'], papersBy);
  const short = lastOf(declared, ['background'], papersBy);
  const image = lastOf(declared, ['background-image'], papersBy) ?? [];
  const attribute = attributeColour(attributes.get('bgcolor') ?? '');
  // Whichever of them is on top: letters that look like one of them may not be seen.
  const said = [...(long ?? []), ...(short ?? []), ...image];
  const tops = said.length === 0 && attribute !== null && long === null && short === null ? [attribute] : said;
  const below = around.papers.slice(0, 8);
  return tops.length === 0 ? null : tops.flatMap((top) => below.map((paper) => over(top, paper))).slice(0, 64);
}

function papersBy(value: Value): readonly Colour[] | null {
  if (isUnknown(value) || /^(?:color|color-mix|light-dark)\($/.test(value[0]?.text ?? '')) return [WHITE, BLACK];
  const colours = coloursIn(value);
  const isRead = value.every((part) => part.number !== null || BACKGROUND_WORDS.test(part.text) || isColourWord(part));
  return isRead ? colours : null;
}

function isColourWord(part: Part): boolean {
  return colourOf([part]) !== null;
}

function isGone(attributes: ReadonlyMap<string, string>, declared: Declared, measure: Measure): boolean {
  const display = lastOf(declared, ['display'], displayedBy);
  if (display === false || (display === null && (attributes.has('hidden') || attributes.has('popover')))) return true;
  return (
    saysAny(declared, 'mso-hide', /^(?:all|screen)$/) ||
    saysAny(declared, 'content-visibility', /^hidden$/) ||
    saysAny(declared, 'unicode-bidi', /^(?:bidi-override|isolate-override)$/) ||
    saysAny(declared, '-webkit-text-security', /^(?:disc|circle|square)$/) ||
    saysAny(declared, 'filter', /^(?:opacity|blur)\($/) ||
    ['clip-path', '-webkit-clip-path', 'mask', 'mask-image', '-webkit-mask', '-webkit-mask-image'].some((property) =>
      saysAny(declared, property, /\($/),
    ) ||
    isClipped(declared, measure) ||
    isSqueezed(declared, measure) ||
    isAway(declared, measure) ||
    isShrunk(declared, measure)
  );
}

function displayedBy(value: Value): boolean | null {
  const words = value.map(({ text }) => text);
  if (words.some((word) => /^table-column(?:-group)?$/.test(word))) return false;
  if (isUnknown(value) || (words.length === 1 && words[0] === 'none')) return false;
  return words.length > 0 && words.every((word) => DISPLAYS.test(word)) ? true : null;
}

/** Whether any value has such a word: a later one may be none at all. Where only a reader knows a value, it has. */
function saysAny(declared: Declared, property: string, words: RegExp): boolean {
  const values = declared.get(property) ?? [];
  return values.some((value) => isUnknown(value) || value.some(({ text }) => words.test(text)));
}

/** `clip: rect(top, right, bottom, left)` with nothing left within. */
function isClipped(declared: Declared, measure: Measure): boolean {
  return (declared.get('clip') ?? []).some((value) => {
    if (isUnknown(value)) return true;
    const [top, right, bottom, left] = lengthsIn(value, measure);
    if (top === undefined || right === undefined || bottom === undefined || left === undefined) return false;
    return !(bottom - top > SMALLEST && right - left > SMALLEST);
  });
}

/** No room to be seen in: no width, or no height and what runs over is cut off. */
function isSqueezed(declared: Declared, measure: Measure): boolean {
  const isTiny = (property: string) =>
    lastOf(declared, [property], (value) => {
      const isFactor = property === 'line-height' && value[0]?.unit === '';
      const length = lengthOf(value, measure);
      return length === null ? null : !((isFactor ? length * measure.em : length) > SMALLEST);
    }) ?? false;
  if (isTiny('width')) return true;
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((property) =>
    saysAny(declared, property, /^(?:hidden|clip|scroll|auto)$/),
  );
  return isCut && ['height', 'max-height', 'max-width', 'line-height'].some(isTiny);
}

/** Moved out of the page. */
function isAway(declared: Declared, measure: Measure): boolean {
  const sides = ['left', 'top', 'right', 'bottom', 'inset', 'inset-inline-start', 'inset-block-start', 'translate'];
  const margins = ['margin', 'margin-left', 'margin-top', 'margin-right', 'margin-bottom', 'margin-inline-start'];
  const paddings = ['padding', 'padding-left', 'padding-top', 'padding-inline-start', 'padding-block-start'];
  return [...sides, ...margins, ...paddings].some((property) =>
    (declared.get(property) ?? []).some(
      (value) => isUnknown(value) || lengthsIn(value, measure).some((length) => !(length > -FAR && length < FARTHER)),
    ),
  );
}

/** Made too small, turned on its edge, or moved away by a transformation. */
function isShrunk(declared: Declared, measure: Measure): boolean {
  return ['transform', '-webkit-transform', '-ms-transform', 'scale', 'rotate', 'zoom'].some((property) =>
    (declared.get(property) ?? []).some((value) => isUnknown(value) || isLost(property, value, measure)),
  );
}

function isLost(property: string, value: Value, measure: Measure): boolean {
  const words = value.map(({ text }) => text).filter((text) => text.endsWith('('));
  const numbers = value.filter(({ number }) => number !== null);
  const isScaled = /^(?:scale|zoom)$/.test(property) || words.some((word) => /^(?:scale|matrix)/.test(word));
  if (words.some((word) => /^(?:rotate(?:x|y|3d)|matrix|skew|perspective)/.test(word))) return true;
  if (isScaled && numbers.some(({ number, unit }) => Math.abs(number ?? 0) <= (unit === '%' ? 10 : 0.1))) return true;
  const moved = lengthsIn(
    value.filter(({ unit }) => !/^(?:deg|rad|turn|grad)$/.test(unit)),
    measure,
  );
  return moved.some((length) => !(length > -FAR && length < FARTHER));
}
