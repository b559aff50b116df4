import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, type TreeAdapter } from 'parse5';
import {
  attributeColour,
  BLACK,
  bringsPlainLetters,
  Cascade,
  type Colour,
  type Declaration,
  type DeclaredValues,
  findColours,
  findLengths,
  isOfAddition,
  isUnknown,
  listNames,
  looksLike,
  type Measure,
  type Names,
  namesMarks,
  over,
  type Part,
  parseColour,
  parseLength,
  parseRules,
  parseSelectors,
  type Selectable,
  type Sheet,
  TooCostly,
  type Value,
  WHITE,
} from './mail-css.ts';

/** Anything in the tree. */
export type HtmlNode = DefaultTreeAdapterMap['node'];
type Document = DefaultTreeAdapterMap['document'];
/** An element of the tree. */
export type Element = DefaultTreeAdapterMap['element'];
type Parent = DefaultTreeAdapterMap['parentNode'];

/** No mail that a person wrote nests deeper; browsers stop at the same depth. */
const MAX_DEPTH = 512;
/** An element takes some letters to write: a tree with more of them has made them itself, out of misnested ones. */
const MAX_ELEMENTS = 100_000;
const LETTERS_EACH = 4;
/** How many siblings may be skipped while misplaced parts are put before a table. */
const MAX_PASSED = 20_000_000;

/** Thrown to end the building of a tree that grows out of proportion to its text. */
class TooLarge extends Error {}

/**
 * Returns the tree that a browser builds of an HTML text. Misnested markup can make a tree far larger than its text:
 * then it is the part that was built until a limit, and the rest is not read.
 */
export function parseDocument(html: string): Document {
  const builder = new Builder(Math.min(MAX_ELEMENTS, 1000 + html.length / LETTERS_EACH));
  try {
    return parse(html, { treeAdapter: builder.adapter });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return builder.document;
  }
}

/** Returns a node as an element, or null for other nodes. */
export function asElement(node: HtmlNode | null): Element | null {
  return node !== null && defaultTreeAdapter.isElementNode(node) ? node : null;
}

/** Returns the text of a text node; '' for other nodes, such as comments. */
export function nodeText(node: HtmlNode): string {
  return defaultTreeAdapter.isTextNode(node) ? node.value : '';
}

/** Builds the tree within bounds. */
class Builder {
  readonly document: Document = defaultTreeAdapter.createDocument();
  readonly #mostElements: number;
  #depth = 0;
  #elements = 0;
  #passed = 0;

  constructor(mostElements: number) {
    this.#mostElements = mostElements;
  }

  get adapter(): TreeAdapter<DefaultTreeAdapterMap> {
    const before = (parent: Parent) => this.#pass(parent);
    return {
      ...defaultTreeAdapter,
      createDocument: () => this.document,
      createElement: (...parts): Element => this.#counted(defaultTreeAdapter.createElement(...parts)),
      onItemPush: () => this.#push(),
      onItemPop: () => {
        this.#depth -= 1;
      },
      insertBefore: (parent, node, reference) => {
        before(parent);
        defaultTreeAdapter.insertBefore(parent, node, reference);
      },
      insertTextBefore: (parent, text, reference) => {
        before(parent);
        defaultTreeAdapter.insertTextBefore(parent, text, reference);
      },
      detachNode: (node) => {
        if (node.parentNode !== null) before(node.parentNode);
        defaultTreeAdapter.detachNode(node);
      },
    };
  }

  #counted(element: Element): Element {
    this.#elements += 1;
    if (this.#elements > this.#mostElements) throw new TooLarge();
    return element;
  }

  #push(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TooLarge();
  }

  #pass(parent: Parent): void {
    this.#passed += parent.childNodes.length;
    if (this.#passed > MAX_PASSED) throw new TooLarge();
  }
}

// Text that a reader may not see although no computed style hides it. It may be covered, drawn in fonts that the mail
// brings along, or cut off in a way not known yet. Such a text is read, but Steward doesn't act on its word alone.

/** Beginnings of the names of properties that hide a text, if at all, only in ways that are known below. */
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
/** A text drawn this far back, in px, may be under what comes after it, or over what comes before. */
const [BACK, UP] = [-24, -8];
/** A shadow this broad, in px, covers what is next to it. */
const BROAD = 60;
/** Added content without words: blanks, signs, and the place that it is taken from. */
const NO_WORDS = /^(?:none|normal|initial|inherit|unset|["'][^\p{L}\p{N}]*["'])$/u;
/** Content that is moved this far from its place, in px, may cover another text. */
const MOVED = 12;

/** Returns why a reader may not see a text as it is read, in a few words; null if it seems visible. */
function styleDoubt(declared: DeclaredValues): string | null {
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
    return !isUnknown(value) && parseColour(value) === null && !isAll(value, COLOUR_WORD);
  if (property.startsWith('text-decoration')) return value.some(({ text }) => text === 'line-through');
  if (property === 'flex-direction' || property === 'flex-flow')
    return value.some(({ text }) => text.endsWith('-reverse'));
  if (property === 'font' || property === 'font-family') return namesMarks(value.map(({ text }) => text).join(' '));
  const lengths = findLengths(value, { em: 16, whole: 1000 });
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

/** A shadow that may cover what is next to it, or, inside, its own text. */
function isBroad(value: Value, lengths: readonly number[]): boolean {
  return (
    lengths.some((length) => Math.abs(length) > BROAD) ||
    (value.some(({ text }) => text === 'inset') && lengths.some((one) => Math.abs(one) > MOVED))
  );
}

/** Returns why what a style sheet puts before or after an element may change what is read; null if it does not. */
function addedDoubt(declarations: readonly Declaration[]): string | null {
  const saysMore = declarations.some(
    ({ property, value }) => property === 'content' && value.some(({ text }) => !NO_WORDS.test(text)),
  );
  const isPlaced = declarations.some(
    ({ property, value }) =>
      property === 'position' && value.some(({ text }) => /^(?:absolute|fixed|sticky)$/.test(text)),
  );
  return saysMore || isPlaced ? 'its style adds words or covers' : null;
}

/** Returns why a reader may not see a text of this size and colour; null if it seems visible. */
function sightDoubt({ size, opacity, ink, papers }: Sight): string | null {
  if (size < SMALL) return 'its text is very small';
  const isFaint = opacity < FAINT || papers.some((paper) => looksLike(over(ink, paper), paper, NEAR));
  return isFaint ? 'its text is very faint' : null;
}

/** Returns why a reader may not see the content of an element, by its name and attributes; null if it seems visible. */
function elementDoubt(name: string, attributes: ReadonlyMap<string, string>): string | null {
  if (name === 'del' || name === 's' || name === 'strike') return 'a part of it is struck through';
  if (name === 'textarea') return 'a part of it is in a form';
  if (name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel') ?? ''))
    return bringsPlainLetters(attributes.get('href') ?? '') ? null : 'its style is in another file';
  if (name === 'font' && namesMarks(attributes.get('face') ?? '')) return 'its font shows symbols';
  if (attributes.get('aria-hidden') === 'true' || attributes.has('inert')) return 'a part of it is marked as hidden';
  const link = name === 'body' ? attributeColour(attributes.get('link') ?? '') : null;
  return link !== null && looksLike(link, WHITE, NEAR) ? 'its links have the colour of the background' : null;
}

const ODD_RULES: ReadonlyMap<string, string> = new Map([
  ['font-face', 'it uses its own font'],
  ['position-try', 'its style says position'],
]);
const ODD_WORDS: ReadonlySet<string> = new Set(['first-line', 'first-letter']);

/** Returns why a style sheet may hide a text, by the names in it; null if it does not. */
function sheetDoubt({ rules, imports, words }: Names): string | null {
  if (!imports.every(bringsPlainLetters)) return 'its style is in another file';
  const rule = rules.map((name) => ODD_RULES.get(name)).find((why) => why !== undefined);
  return rule ?? (words.intersection(ODD_WORDS).size > 0 ? 'its style says first-line or first-letter' : null);
}

const MEASURE = { em: 16, whole: Number.POSITIVE_INFINITY };
const PICTURED = ['background', 'background-image', 'border-image', 'border-image-source'];

/**
 * Whether a part of an element's content may not be seen, as far as that is known without drawing it. It may run over a
 * box that cuts it off, or be on a picture of the same colour.
 */
function isPartlySeen(attributes: ReadonlyMap<string, string>, declared: DeclaredValues): boolean {
  const says = (property: string, words: RegExp) =>
    (declared.get(property) ?? []).some((value) => value.some(({ text }) => words.test(text)));
  if ((attributes.get('background') ?? '').trim() !== '') return true;
  if (
    PICTURED.some((property) => says(property, /^(?:(?:-webkit-)?(?:url|image-set|image|cross-fade|element)\(|url\()/))
  )
    return true;
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((property) => says(property, /^(?:hidden|clip)$/));
  if (!isCut) return false;
  const isLow = ['height', 'max-height', 'block-size', 'max-block-size'].some((one) => isBounded(declared.get(one)));
  const isNarrow = ['width', 'max-width', 'inline-size', 'max-inline-size'].some((one) => isBounded(declared.get(one)));
  return isLow || (isNarrow && says('white-space', /^(?:nowrap|pre)$/));
}

function isBounded(values: readonly Value[] | undefined): boolean {
  return (values ?? []).some((value) => {
    const length = parseLength(value, MEASURE);
    return length !== null && length !== Number.POSITIVE_INFINITY;
  });
}

/** How the text of an element is seen, as far as it tells whether it is. */
interface Sight {
  /** Nothing within can be seen again. */
  readonly gone: boolean;
  /** By `visibility`, which an element within can take back. */
  readonly invisible: boolean;
  readonly size: number;
  readonly spacing: number;
  readonly indent: number;
  readonly opacity: number;
  readonly ink: Colour;
  /** The colours that are behind it; more than one where they change from place to place. */
  readonly papers: readonly Colour[];
}

/** The look of a mail's text without any style. */
const PLAIN_SIGHT: Sight = {
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
function isSeen(sight: Sight): boolean {
  return faultsOf(sight).length === 0;
}

/**
 * Returns the causes that keep a reader from seeing a text, each by a name. An unknown value (`NaN`) counts as a cause.
 */
function faultsOf({ gone, invisible, size, spacing, indent, opacity, ink, papers }: Sight): readonly string[] {
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
function sightOf(
  around: Sight,
  name: string,
  attributes: ReadonlyMap<string, string>,
  declared: DeclaredValues,
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
    spacing: lastOf(declared, ['letter-spacing'], (value) => parseLength(value, measure)) ?? around.spacing,
    indent:
      lastOf(declared, ['text-indent'], (value) => findLengths(value, measure)[0] ?? unknown(value)) ?? around.indent,
    ink: inkOf(around, name, attributes, declared) ?? around.ink,
  };
}

/** Returns what the last value says that says anything: one that cannot be read leaves the one before it in force. */
function lastOf<T>(
  declared: DeclaredValues,
  properties: readonly string[],
  read: (value: Value) => T | null,
): T | null {
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
  const share = parseLength(value, { em: 1, whole: 1 });
  return share === null ? unknown(value) : Math.min(1, share);
}

function invisibleBy(value: Value): boolean | null {
  if (isUnknown(value)) return true;
  const word = value.length === 1 ? (value[0]?.text ?? '') : '';
  if (/^(?:hidden|collapse)$/.test(word)) return true;
  return /^(?:visible|initial)$/.test(word) ? false : null;
}

function sizeOf(
  around: Sight,
  name: string,
  attributes: ReadonlyMap<string, string>,
  declared: DeclaredValues,
): number {
  const measure = { em: around.size, whole: around.size };
  const said = lastOf(declared, ['font-size'], (value) => wordSize(value, around.size) ?? parseLength(value, measure));
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
  return at === -1 ? null : parseLength(value.slice(at, at + 1), measure);
}

function inkOf(
  around: Sight,
  name: string,
  attributes: ReadonlyMap<string, string>,
  declared: DeclaredValues,
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
  return /^(?:inherit|currentcolor|unset)$/.test(text) ? around.ink : parseColour(value);
}

function papersOf(
  around: Sight,
  attributes: ReadonlyMap<string, string>,
  declared: DeclaredValues,
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
  const colours = findColours(value);
  const isRead = value.every((part) => part.number !== null || BACKGROUND_WORDS.test(part.text) || isColourWord(part));
  return isRead ? colours : null;
}

function isColourWord(part: Part): boolean {
  return parseColour([part]) !== null;
}

function isGone(attributes: ReadonlyMap<string, string>, declared: DeclaredValues, measure: Measure): boolean {
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

/**
 * Whether any of the values has such a word: a browser may ignore a later one. A value that only a reader knows counts
 * as having it.
 */
function saysAny(declared: DeclaredValues, property: string, words: RegExp): boolean {
  const values = declared.get(property) ?? [];
  return values.some((value) => isUnknown(value) || value.some(({ text }) => words.test(text)));
}

/** `clip: rect(top, right, bottom, left)` with nothing left within. */
function isClipped(declared: DeclaredValues, measure: Measure): boolean {
  return (declared.get('clip') ?? []).some((value) => {
    if (isUnknown(value)) return true;
    const [top, right, bottom, left] = findLengths(value, measure);
    if (top === undefined || right === undefined || bottom === undefined || left === undefined) return false;
    return !(bottom - top > SMALLEST && right - left > SMALLEST);
  });
}

/** No room to be seen in: no width, or no height and what runs over is cut off. */
function isSqueezed(declared: DeclaredValues, measure: Measure): boolean {
  const isTiny = (property: string) =>
    lastOf(declared, [property], (value) => {
      const isFactor = property === 'line-height' && value[0]?.unit === '';
      const length = parseLength(value, measure);
      return length === null ? null : !((isFactor ? length * measure.em : length) > SMALLEST);
    }) ?? false;
  if (isTiny('width')) return true;
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((property) =>
    saysAny(declared, property, /^(?:hidden|clip|scroll|auto)$/),
  );
  return isCut && ['height', 'max-height', 'max-width', 'line-height'].some(isTiny);
}

/** Moved out of the page. */
function isAway(declared: DeclaredValues, measure: Measure): boolean {
  const sides = ['left', 'top', 'right', 'bottom', 'inset', 'inset-inline-start', 'inset-block-start', 'translate'];
  const margins = ['margin', 'margin-left', 'margin-top', 'margin-right', 'margin-bottom', 'margin-inline-start'];
  const paddings = ['padding', 'padding-left', 'padding-top', 'padding-inline-start', 'padding-block-start'];
  return [...sides, ...margins, ...paddings].some((property) =>
    (declared.get(property) ?? []).some(
      (value) => isUnknown(value) || findLengths(value, measure).some((length) => !(length > -FAR && length < FARTHER)),
    ),
  );
}

/** Made too small, turned on its edge, or moved away by a transformation. */
function isShrunk(declared: DeclaredValues, measure: Measure): boolean {
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
  const moved = findLengths(
    value.filter(({ unit }) => !/^(?:deg|rad|turn|grad)$/.test(unit)),
    measure,
  );
  return moved.some((length) => !(length > -FAR && length < FARTHER));
}

/** What an HTML text says to a reader, and what else it holds. */
interface HtmlReading {
  /** With `> ` before quoted lines, as in a plain mail. */
  readonly seen: string;
  /**
   * The part of that which every reader sees, also on a telephone: text that is on a picture, or may be cut off, is
   * left out.
   */
  readonly surelySeen: string;
  readonly unseen: string;
  /** Why a reader may not see it so after all, in a few words each. */
  readonly doubts: readonly string[];
}

/** An element that is open while the tree is walked. */
interface Open extends Selectable {
  readonly parent: Open | null;
  readonly sight: Sight;
  /** Whether some readers may not see it. */
  readonly isPartly: boolean;
  /** How many elements are open, and how many of them are quotations. */
  readonly depth: number;
  readonly quotes: number;
  /** The last element that was met in it. */
  last: Selectable | null;
}

/** Elements whose text no reader sees, or which may show it in another order than it has. */
const UNSEEN = new Set(
  (
    'head title template noscript noembed noframes svg math object iframe embed applet audio video canvas datalist ' +
    'select option optgroup marquee rp bdo progress meter map'
  ).split(' '),
);
const CODE = new Set(['script', 'style']);
const BREAKS = new Set(['div', 'li', 'tr', 'dt', 'dd', 'hr', 'ul', 'ol', 'pre']);
const PARAGRAPHS = new Set(['p', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'section', 'article', 'blockquote']);
const MAX_READ_DEPTH = 1000;
const MOST_DOUBTS = 3;
/** The names that mail programs give to the element that has the earlier mail, as a class, an id or a name. */
const QUOTING =
  /(?:^|\s)(?:x_)*(?:gmail_quote|yahoo_quoted|protonmail_quote|tutanota_quote|moz-forward-container|zmail_extra|ms-outlook-mobile-reference-message|mail-editor-reference-message-container|messageReplySection|isReplyContent|isForwardContent)(?:$|\s)/;
/** Of these, the element has only the head of the earlier mail, which comes after it. */
const HEADS = /(?:^|\s)(?:x_)*(?:divRplyFwdMsg|OutlookMessageHeader)(?:$|\s)/;
/** Outlook's line above the head of the earlier mail. */
const LINE_ABOVE_HEAD = /border-top: ?solid [^;]{1,40};\s*padding: ?3(?:\.0)?pt 0/i;
const GONE: Sight = { ...PLAIN_SIGHT, gone: true };

/** Returns the visible words of an HTML mail, with `> ` before quoted lines as in a plain mail. */
export function htmlToText(html: string): string {
  return readHtml(html).seen;
}

/**
 * Reads an HTML text as a browser shows it, as far as that is known without drawing it. If finding out would take too
 * long, or only the reader's program knows, a text counts as unseen. Takes time in proportion to the text.
 */
export function readHtml(html: string): HtmlReading {
  return readTree(parseDocument(html));
}

/** Does the same with the tree of an HTML text. */
export function readTree(root: HtmlNode): HtmlReading {
  const sheets = sheetsIn(root, 0);
  const reader = new Reader(new Cascade(sheets));
  for (const { text } of sheets) {
    reader.doubt(sheetDoubt(listNames(text)));
    reader.doubt(additionDoubt(text));
  }
  reader.read(root);
  const [seen = '', surelySeen = '', unseen = ''] = [reader.seen, reader.sure, reader.unseen].map((all) =>
    tidy(all.join('')),
  );
  return { seen, surelySeen, unseen, doubts: [...reader.doubts] };
}

/** Returns the style sheets of a tree, in order. */
function sheetsIn(node: HtmlNode, depth: number): readonly Sheet[] {
  if (depth > MAX_READ_DEPTH) return [];
  return childrenOf(node).flatMap((child) => {
    const element = asElement(child);
    if (element?.tagName !== 'style') return sheetsIn(child, depth + 1);
    const { type = '', media = '' } = Object.fromEntries(attributesOf(element));
    if (!/^(?:text\/css)?$/i.test(type) || /^\s*print\s*$/i.test(media)) return [];
    const text = childrenOf(child).map(nodeText).join('');
    return [{ text, isCertain: media === '' }];
  });
}

/** Words, or a cover, that a style sheet puts before or after an element. */
function additionDoubt(sheet: string): string | null {
  const added = parseRules(sheet).filter(({ selectors }) => parseSelectors(selectors)?.some(isOfAddition));
  const doubts = added.map(({ declarations }) => addedDoubt(declarations));
  return doubts.find((doubt) => doubt !== null) ?? null;
}

/** Walks a tree once, and gathers its text. */
class Reader {
  readonly seen: string[] = [];
  readonly sure: string[] = [];
  readonly unseen: string[] = [];
  readonly doubts = new Set<string>();
  /** Whether an earlier mail has begun that goes on to the end. */
  #isHistory = false;
  readonly #cascade: Cascade;

  constructor(cascade: Cascade) {
    this.#cascade = cascade;
  }

  read(root: HtmlNode): void {
    const common = { attributes: new Map<string, string>(), parent: null, before: null, last: null };
    this.#children(root, { ...common, name: '#document', sight: PLAIN_SIGHT, isPartly: false, depth: 0, quotes: 0 });
  }

  /** Keeps a reason to doubt what is read. */
  doubt(why: string | null): void {
    if (why !== null && this.doubts.size < MOST_DOUBTS) this.doubts.add(why);
  }

  #children(node: HtmlNode, open: Open): void {
    for (const child of childrenOf(node)) {
      const element = asElement(child);
      // Of closed details only the first line is shown.
      const isClosed = open.name === 'details' && !open.attributes.has('open');
      const isShown = !isClosed || (element?.tagName === 'summary' && open.last === null);
      const within = isShown ? open : { ...open, sight: GONE };
      if (element !== null) this.#element(element, within);
      else this.#text(nodeText(child), within);
      open.last = within.last;
    }
  }

  #text(text: string, { sight, isPartly }: Open): void {
    const words = text.replace(/\s+/g, ' ');
    (isSeen(sight) ? this.seen : this.unseen).push(words);
    if (isSeen(sight) && !isPartly) this.sure.push(words);
    if (isSeen(sight) && text.trim() !== '') this.doubt(sightDoubt(sight));
  }

  #element(element: Element, parent: Open): void {
    const name = element.tagName;
    // This content is shown by programs that run no scripts, which are most of those that show mails.
    if (name === 'noscript' && childrenOf(element).some((child) => nodeText(child).trim() !== ''))
      this.doubt('a part of it is for some programs only');
    if (CODE.has(name) || parent.depth > MAX_READ_DEPTH) return;
    const open = this.#opened(element, parent);
    // A link to a style sheet is nothing to be seen, and changes what is.
    if (name === 'link') this.doubt(elementDoubt(name, open.attributes));
    parent.last = open;
    this.#isHistory ||= beginsHistory(open);
    if (name === 'br') this.#say(this.#line(open));
    this.#break(open, open);
    this.#children(element, open);
    this.#break(open, parent);
  }

  #opened(element: Element, parent: Open): Open {
    const name = element.tagName;
    const selectable = { name, attributes: attributesOf(element), parent, before: parent.last };
    const quotes = parent.quotes + Number(name === 'blockquote' || isNamed(selectable, QUOTING));
    return {
      ...selectable,
      parent,
      ...this.#sightOf(selectable, parent),
      depth: parent.depth + 1,
      quotes,
      last: null,
    };
  }

  #sightOf(element: Selectable, { sight: around, isPartly }: Open): Pick<Open, 'sight' | 'isPartly'> {
    const { name: own, attributes } = element;
    if (around.gone || UNSEEN.has(own)) return { sight: GONE, isPartly };
    if (own === 'dialog' && !attributes.has('open')) return { sight: GONE, isPartly };
    const declared = this.#declaredSight(element, around);
    if (isSeen(declared.sight)) this.doubt(elementDoubt(own, attributes));
    // The style of a column applies to cells elsewhere.
    else if (own === 'col' || own === 'colgroup') this.doubt('a column of it may not be shown');
    return { ...declared, isPartly: isPartly || declared.isPartly };
  }

  #declaredSight(element: Selectable, around: Sight): Pick<Open, 'sight' | 'isPartly'> {
    const { name, attributes } = element;
    try {
      const { certain, possible, elsewhere } = this.#cascade.declaredFor(element);
      if (attributes.size + certain.size + possible.length + elsewhere.length === 0)
        return { sight: around, isPartly: false };
      const sight = sightOf(around, name, attributes, certain);
      const faults = faultsOf(sight);
      const hides = (declared: DeclaredValues) =>
        faultsOf(sightOf(around, name, attributes, declared)).some((fault) => !faults.includes(fault));
      const isHidden = possible.some(hides);
      if (!isHidden && faults.length === 0) for (const one of [certain, ...possible]) this.doubt(styleDoubt(one));
      const isPartly = elsewhere.some(hides) || [certain, ...possible].some((one) => isPartlySeen(attributes, one));
      return { sight: isHidden ? GONE : sight, isPartly };
    } catch (error) {
      if (error instanceof TooCostly) return { sight: GONE, isPartly: false };
      throw error;
    }
  }

  /** Begins a new line where an element begins or ends one. After it ends, the line is as quoted as what is around it. */
  #break({ name }: Open, within: Open): void {
    const line = this.#line(within);
    if (PARAGRAPHS.has(name)) this.#say(line + line);
    else if (BREAKS.has(name)) this.#say(line);
    else if (name === 'td' || name === 'th') this.#say(' ');
  }

  #line({ quotes }: Open): string {
    return quotes > 0 || this.#isHistory ? '\n> ' : '\n';
  }

  #say(space: string): void {
    this.seen.push(space);
    this.sure.push(space);
    this.unseen.push(space);
  }
}

function isNamed({ attributes }: Selectable, names: RegExp): boolean {
  return ['class', 'id', 'name'].some((attribute) => names.test(attributes.get(attribute) ?? ''));
}

function beginsHistory(element: Selectable): boolean {
  return isNamed(element, HEADS) || LINE_ABOVE_HEAD.test(element.attributes.get('style') ?? '');
}

function attributesOf({ attrs }: Element): ReadonlyMap<string, string> {
  return new Map(attrs.map(({ name, value }) => [name, value]));
}

function childrenOf(node: HtmlNode): readonly HtmlNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[ \u00A0]+/g, ' ').trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
