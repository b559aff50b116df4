import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';
import { colord, extend } from 'colord';
import hwb from 'colord/plugins/hwb';
import lab from 'colord/plugins/lab';
import lch from 'colord/plugins/lch';
import names from 'colord/plugins/names';
import oklab from 'colord/plugins/oklab';
import oklch from 'colord/plugins/oklch';
import { type AttributeSelector, parse, type Selector } from 'css-what';

/** A piece of a query: a word, a sign, or a number with its unit. */
interface Word {
  readonly text: string;
  readonly number: number | null;
  readonly unit: string;
}
type Query = readonly Word[];

/**
 * The readers that a rule applies to: `every` reader, `some` of those at a desk, only on `other` screens (a phone's, a
 * dark one), or `none`.
 */
type Reach = 'every' | 'some' | 'other' | 'none';

const REACHES: readonly Reach[] = ['none', 'other', 'some', 'every'];
/** The narrowest window at a desk, and the widest, in px. */
const [NARROWEST, WIDEST] = [1000, 8000];

function within(outer: Reach, inner: Reach): Reach {
  return REACHES.find((reach) => reach === outer || reach === inner) ?? 'none';
}

/** Returns for whom a list of media queries holds: for whom any of them does. What cannot be told is `some`. */
function reachOf(list: Query): Reach {
  const queries: Word[][] = [[]];
  for (const part of list) {
    if (part.text === ',') queries.push([]);
    else queries.at(-1)?.push(part);
  }
  const reaches = queries.map(reachOfOne);
  return REACHES.findLast((reach) => reaches.includes(reach)) ?? 'none';
}

function reachOfOne(query: Query): Reach {
  const words = query.map(({ text }) => text);
  if (words.every((word) => /^(?:only|screen|all)$/.test(word))) return 'every';
  if (words.some((word) => /^(?:not|or|[<>=])$/.test(word))) return 'some';
  if (words.some((word) => /^(?:print|speech)$/.test(word))) return 'none';
  const widths = query.flatMap(({ text }, at) => widthReach(text, query[at + 2]));
  const dark: readonly Reach[] = words.includes('dark') ? ['other'] : [];
  return [...widths, ...dark].reduce(within, 'some');
}

function widthReach(feature: string, limit: Word | undefined): readonly Reach[] {
  const [, bound] = /^(min|max)-(?:device-)?width$/.exec(feature) ?? [];
  if (bound === undefined || limit === undefined || limit.number === null) return [];
  const width = limit.unit === 'px' ? limit.number : limit.number * 16;
  if (bound === 'min') return width > WIDEST ? ['none'] : [];
  return width < NARROWEST ? ['other'] : [];
}

/** One piece of a value, in lower case: a word, a function's name with its `(`, a sign, or a number with its unit. */
export interface Part {
  readonly text: string;
  /** Null if it is not a number. */
  readonly number: number | null;
  /** `px`, `%`; '' for a bare number and for what is none. */
  readonly unit: string;
}

/** The value of a property in a declaration, with escapes read and without comments. */
export type Value = readonly Part[];

/** One `property: value`, the property in lower case. */
export interface Declaration {
  readonly property: string;
  readonly value: Value;
  readonly important: boolean;
}

/** A selector list as written, and what is declared for it. */
interface Rule {
  readonly selectors: string;
  readonly declarations: readonly Declaration[];
  /** The readers that it applies to: `some` if it is under a condition, or within another rule. */
  readonly reach: Reach;
}

interface Block {
  readonly declarations: Declaration[];
  readonly rules: Rule[];
}

type Tokens = readonly CSSToken[];

/** Blocks of these contain no rules for elements. */
const NO_RULES = new Set(['font-face', 'keyframes', '-webkit-keyframes', '-moz-keyframes', 'page', 'property']);
/** Declarations in these without a selector apply to the rule around them. */
const GROUPS = new Set(['media', 'supports', 'layer', 'container', 'scope', 'starting-style']);
const AROUND = '&';
const MAX_DEPTH = 16;
/** Used for blocks that are nested too deeply to be read. */
const UNREAD = 'display:none';
const CLOSERS: ReadonlyMap<string, string> = new Map<string, string>([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.Function, TokenType.CloseParen],
]);

/** Returns the declarations of a `style` attribute, in order. Any that no browser could read are left out. */
function declarationsOf(style: string): readonly Declaration[] {
  return blockOf(tokensOf(style), 0).declarations;
}

/**
 * Returns the rules of a style sheet that apply on some screen, in order. A block that is nested too deeply counts as
 * one that may hide everything.
 */
export function parseRules(sheet: string): readonly Rule[] {
  return blockOf(tokensOf(sheet), 0).rules;
}

export interface Names {
  readonly rules: readonly string[];
  /** The addresses of the style sheets that it imports; '' for one that cannot be read. */
  readonly imports: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** Returns what a style sheet names. */
export function listNames(sheet: string): Names {
  const tokens = tokensOf(sheet).filter(([type]) => !isBlank(type));
  const rules = tokens.flatMap((token) => (token[0] === TokenType.AtKeyword ? token[4].value.toLowerCase() : []));
  const words = tokens.flatMap((token) => (token[0] === TokenType.Ident ? token[4].value.toLowerCase() : []));
  const imports = tokens.flatMap((token, at) =>
    token[0] === TokenType.AtKeyword && token[4].value.toLowerCase() === 'import'
      ? addressAt(tokens.slice(at + 1, at + 3))
      : [],
  );
  return { rules, imports, words: new Set(words) };
}

/** Returns the address that `url(a)`, `url("a")` or `"a"` is. */
function addressAt([first, second]: Tokens): string {
  const isQuoted = first?.[0] === TokenType.Function && first[4].value.toLowerCase() === 'url';
  const token = isQuoted ? second : first;
  return token?.[0] === TokenType.URL || token?.[0] === TokenType.String ? token[4].value : '';
}

function tokensOf(css: string): Tokens {
  return tokenize({ css }).filter(
    ([type]) => type !== TokenType.CDO && type !== TokenType.CDC && type !== TokenType.EOF,
  );
}

function blockOf(tokens: Tokens, depth: number): Block {
  const block: Block = { declarations: [], rules: [] };
  let at = 0;
  if (depth >= MAX_DEPTH)
    return { ...block, rules: [{ selectors: '*', declarations: declarationsOf(UNREAD), reach: 'some' }] };
  while (at < tokens.length) {
    const { end, opens } = itemEnd(tokens, at);
    const prelude = trimmed(tokens.slice(at, end));
    const close = opens ? blockEnd(tokens, end) : end;
    if (opens) readBlock(prelude, tokens.slice(end + 1, close), depth, block);
    else block.declarations.push(...declarationIn(prelude));
    at = close + 1;
  }
  return block;
}

function itemEnd(tokens: Tokens, from: number): { end: number; opens: boolean } {
  const open: string[] = [];
  for (let at = from; at < tokens.length; at += 1) {
    const type = tokens[at]?.[0] ?? '';
    if (open.length === 0 && type === TokenType.Semicolon) return { end: at, opens: false };
    if (open.length === 0 && type === TokenType.OpenCurly) return { end: at, opens: true };
    nest(open, type);
  }
  return { end: tokens.length, opens: false };
}

function blockEnd(tokens: Tokens, from: number): number {
  const open: string[] = [];
  for (let at = from; at < tokens.length; at += 1) {
    nest(open, tokens[at]?.[0] ?? '');
    if (open.length === 0) return at;
  }
  return tokens.length;
}

/** Keeps the brackets that are still to be closed. A closing bracket without an open one is ignored. */
function nest(open: string[], type: string): void {
  const closer = CLOSERS.get(type);
  if (closer !== undefined) open.push(closer);
  else if (open.at(-1) === type) open.pop();
}

function readBlock(prelude: Tokens, content: Tokens, depth: number, into: Block): void {
  const [first] = prelude;
  const name = first?.[0] === TokenType.AtKeyword ? first[4].value.toLowerCase() : null;
  const reach = name === null ? 'every' : name === 'media' ? reachOf(valueIn(prelude.slice(1))) : 'some';
  if (NO_RULES.has(name ?? '') || reach === 'none') return;
  const { declarations, rules } = blockOf(content, depth + 1);
  // A rule within a rule says `&` for the rule around it; read as any element, it applies to no fewer than it should.
  const own = name === null ? textOf(prelude).replaceAll('&', '*') : AROUND;
  if (name === null || GROUPS.has(name)) into.rules.push({ selectors: own, declarations, reach });
  const inner = name === null ? 'some' : reach;
  into.rules.push(
    ...rules.map((rule) => ({
      ...rule,
      selectors: rule.selectors === AROUND ? own : rule.selectors,
      reach: within(inner, rule.reach),
    })),
  );
}

function declarationIn(tokens: Tokens): readonly Declaration[] {
  const [name, ...rest] = tokens.filter(([type]) => !isBlank(type));
  if (name?.[0] !== TokenType.Ident || rest[0]?.[0] !== TokenType.Colon) return [];
  const parts = valueIn(rest.slice(1));
  const important = parts.at(-2)?.text === '!' && parts.at(-1)?.text === 'important';
  const value = important ? parts.slice(0, -2) : parts;
  return value.length === 0 ? [] : [{ property: name[4].value.toLowerCase(), value, important }];
}

function valueIn(tokens: Tokens): Value {
  return tokens.filter(([type]) => !isBlank(type)).map(partOf);
}

function partOf(token: CSSToken): Part {
  switch (token[0]) {
    case TokenType.Dimension:
      return { text: token[1].toLowerCase(), number: token[4].value, unit: token[4].unit.toLowerCase() };
    case TokenType.Percentage:
      return { text: token[1].toLowerCase(), number: token[4].value, unit: '%' };
    case TokenType.Number:
      return { text: token[1].toLowerCase(), number: token[4].value, unit: '' };
    case TokenType.Ident:
      return { text: token[4].value.toLowerCase(), number: null, unit: '' };
    case TokenType.Function:
      return { text: `${token[4].value.toLowerCase()}(`, number: null, unit: '' };
    case TokenType.Hash:
      return { text: `#${token[4].value.toLowerCase()}`, number: null, unit: '' };
    case TokenType.String:
      return { text: `"${token[4].value.toLowerCase()}"`, number: null, unit: '' };
    default:
      return { text: token[1].toLowerCase(), number: null, unit: '' };
  }
}

function textOf(tokens: Tokens): string {
  return tokens.map(([type, raw]) => (type === TokenType.Comment ? '' : raw)).join('');
}

function trimmed(tokens: Tokens): Tokens {
  const first = tokens.findIndex(([type]) => !isBlank(type));
  const last = tokens.findLastIndex(([type]) => !isBlank(type));
  return first === -1 ? [] : tokens.slice(first, last + 1);
}

function isBlank(type: CSSToken[0]): boolean {
  return type === TokenType.Whitespace || type === TokenType.Comment;
}

/** An element as selectors see it. */
export interface Selectable {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: Selectable | null;
  /** The element before it under the same parent. */
  readonly before: Selectable | null;
}

/** One selector, with how much it weighs against others. */
interface ParsedSelector {
  readonly parts: readonly Selector[];
  readonly weight: number;
}

const MAX_SELECTOR = 20_000;
const MAX_PARTS = 200;
/**
 * States that a reader brings about, or that aren't elements: such a rule doesn't affect how the mail is first seen.
 */
const NOT_AT_REST =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|target|before|after|placeholder|selection|first-line|first-letter|marker)$/;

/** Holds for every element. */
const ANYTHING: ParsedSelector = { parts: parse('*').flat(), weight: 0 };

/** Returns the selectors of a list; null for one that cannot be read here, and that a reader's program may heed. */
export function parseSelectors(list: string): readonly ParsedSelector[] | null {
  if (list.length > MAX_SELECTOR) return null;
  try {
    const read = parse(list);
    if (read.some(({ length }) => length > MAX_PARTS)) return null;
    return read.map((parts) => ({ parts, weight: parts.reduce((sum, part) => sum + weightOf(part), 0) }));
  } catch {
    return null;
  }
}

function weightOf(part: Selector): number {
  if (part.type === 'attribute') return part.name === 'id' && part.action === 'equals' ? 10_000 : 100;
  return part.type === 'tag' ? 1 : Number(part.type === 'pseudo') * 100;
}

/** Whether a selector says something of what a program adds before or after an element. */
export function isOfAddition({ parts }: ParsedSelector): boolean {
  return parts.some(
    (part) => /^pseudo/.test(part.type) && 'name' in part && /^(?:before|after|marker)$/.test(part.name.toLowerCase()),
  );
}

/** Returns what an element must have for a selector to hold: `#id`, `.class`, its name, or `*`. */
function keyOf({ parts }: ParsedSelector): string {
  const last = parts.slice(parts.findLastIndex((part) => isStep(part)) + 1);
  const named = last.find((part) => part.type === 'attribute' && isName(part));
  if (named?.type === 'attribute') return `${named.action === 'equals' ? '#' : '.'}${named.value.toLowerCase()}`;
  const tag = last.find((part) => part.type === 'tag');
  return tag?.type === 'tag' ? tag.name.toLowerCase() : '*';
}

function keysFor({ name, attributes }: Selectable): readonly string[] {
  const classes = wordsIn(attributes.get('class')).map((word) => `.${word}`);
  const id = attributes.get('id');
  return [...new Set(['*', name, ...(id === undefined ? [] : [`#${id.toLowerCase()}`]), ...classes])];
}

/** Whether a selector is read in full: `matches` then says neither too much nor too little. */
function isPlain({ parts }: ParsedSelector): boolean {
  return parts.every(({ type }) => ['tag', 'attribute', 'universal', 'descendant'].includes(type));
}

/**
 * Returns whether a selector applies to an element. A condition that cannot be decided here (`:nth-child(2)`) counts as
 * met, and a child as any descendant. `spend` is called for each comparison, and may throw to end a search that costs
 * too much.
 */
function matches({ parts }: ParsedSelector, element: Selectable, spend: () => void): boolean {
  return endsAt(parts, parts.length, element, spend);
}

/** Whether the first `end` parts of a selector hold where their last ones are said of this element. */
function endsAt(parts: readonly Selector[], end: number, element: Selectable, spend: () => void): boolean {
  spend();
  const start = parts.findLastIndex((part, at) => at < end && isStep(part)) + 1;
  if (!parts.slice(start, end).every((part) => holds(part, element))) return false;
  const step = parts[start - 1];
  if (step === undefined) return true;
  const way = step.type === 'sibling' || step.type === 'adjacent' ? 'before' : 'parent';
  for (let here = element[way]; here !== null; here = here[way]) {
    if (endsAt(parts, start - 1, here, spend)) return true;
  }
  return false;
}

function isStep({ type }: Selector): boolean {
  return ['descendant', 'child', 'adjacent', 'sibling', 'parent', 'column-combinator'].includes(type);
}

function isName({ name, action }: AttributeSelector): boolean {
  return (name === 'class' && action === 'element') || (name === 'id' && action === 'equals');
}

function holds(part: Selector, element: Selectable): boolean {
  if (part.type === 'tag') return part.name.toLowerCase() === element.name;
  if (part.type === 'attribute') return hasValue(part, element.attributes.get(part.name.toLowerCase()));
  if (part.type === 'pseudo-element') return false;
  if (part.type === 'pseudo') return !NOT_AT_REST.test(part.name.toLowerCase());
  return true;
}

/** Compares without regard to case, as a mail without a document type is read. */
function hasValue({ action, value }: AttributeSelector, attribute: string | undefined): boolean {
  if (attribute === undefined) return action === 'not';
  const [wanted, found] = [value.toLowerCase(), attribute.toLowerCase()];
  switch (action) {
    case 'exists':
      return true;
    case 'element':
      return wordsIn(found).includes(wanted);
    case 'hyphen':
      return found === wanted || found.startsWith(`${wanted}-`);
    case 'start':
      return wanted !== '' && found.startsWith(wanted);
    case 'end':
      return wanted !== '' && found.endsWith(wanted);
    case 'any':
      return wanted !== '' && found.includes(wanted);
    case 'not':
      return found !== wanted;
    default:
      return found === wanted;
  }
}

function wordsIn(text = ''): readonly string[] {
  return text.toLowerCase().match(/\S+/g) ?? [];
}

/** Each property's values, the one that wins last. */
export type DeclaredValues = ReadonlyMap<string, readonly Value[]>;

/** A style sheet, and whether every reader's program heeds it. */
export interface Sheet {
  readonly text: string;
  readonly isCertain: boolean;
}

interface Declarations {
  /** By the rules that apply to every reader, and by its own `style`. */
  readonly certain: DeclaredValues;
  /**
   * The values that it may have for some readers. For each rule that not all apply: the same with that rule on top. And
   * its own `style` alone, since many programs drop style sheets.
   */
  readonly possible: readonly DeclaredValues[];
  /** What it is on other screens: the same with one more rule for telephones or for the dark on top, but for its colours. */
  readonly elsewhere: readonly DeclaredValues[];
}

/** One declaration for an element, and what decides between it and others. */
interface Entry {
  readonly declaration: Declaration;
  readonly weight: number;
  readonly order: number;
}

interface SheetRule {
  readonly selector: ParsedSelector;
  readonly declarations: readonly Declaration[];
  readonly reach: Reach;
  readonly order: number;
}

/** Beyond so many comparisons no more are made: an element that is not looked at counts as hidden. */
const MOST_COMPARISONS = 500_000;
const INLINE = 1_000_000;
const IMPORTANT = 10 * INLINE;
const TOP = 100 * INLINE;

/** Thrown where telling what is seen would take longer than a mail is worth. */
export class TooCostly extends Error {}

/** The style sheets of a mail: says what is declared for an element. */
export class Cascade {
  readonly #rules = new Map<string, SheetRule[]>();
  readonly #inline = new Map<string, readonly Declaration[]>();
  #spent = 0;

  constructor(sheets: readonly Sheet[]) {
    let order = 0;
    for (const sheet of sheets) {
      for (const { selectors, declarations, reach } of parseRules(sheet.text)) {
        if (declarations.length === 0) continue;
        order += 1;
        for (const selector of parseSelectors(selectors) ?? [ANYTHING]) {
          const isCertain = sheet.isCertain && selector !== ANYTHING && isPlain(selector);
          this.#add({ selector, declarations, reach: within(isCertain ? 'every' : 'some', reach), order });
        }
      }
    }
  }

  /** Returns what is declared for an element. Throws `TooCostly`. */
  declaredFor(element: Selectable): Declarations {
    const lists = keysFor(element).map((key) => this.#rules.get(key) ?? []);
    this.#spend(lists.reduce((sum, list) => sum + list.length, 0));
    const held = lists.flat().filter(({ selector }) => matches(selector, element, () => this.#spend(1)));
    const own = this.#inlineOf(element.attributes.get('style') ?? '').map(inline);
    const sure = held.filter(({ reach }) => reach === 'every').flatMap(entriesOf);
    const others = held.filter(({ reach }) => reach === 'some');
    const foreign = held.flatMap((rule) => (rule.reach === 'other' ? withoutColours(rule) : []));
    this.#spend((own.length + sure.length + others.length) * (1 + others.length + foreign.length));
    const all = [...sure, ...own];
    const possible = others.map((rule) => inOrder([...all, ...entriesOf(rule).map(onTop)]));
    const elsewhere = foreign.map((rule) => inOrder([...all, ...entriesOf(rule).map(onTop)]));
    return { certain: inOrder(all), possible: sure.length === 0 ? possible : [inOrder(own), ...possible], elsewhere };
  }

  #add(rule: SheetRule): void {
    const key = keyOf(rule.selector);
    const known = this.#rules.get(key);
    if (known === undefined) this.#rules.set(key, [rule]);
    else known.push(rule);
  }

  /** The same few styles are written over and over in one mail. */
  #inlineOf(style: string): readonly Declaration[] {
    const known = this.#inline.get(style) ?? declarationsOf(style);
    this.#inline.set(style, known);
    return known;
  }

  #spend(comparisons: number): void {
    this.#spent += comparisons;
    if (this.#spent > MOST_COMPARISONS) throw new TooCostly();
  }
}

/** Colours for the dark come with a paper of their own, which is not worked out here. */
function withoutColours(rule: SheetRule): readonly SheetRule[] {
  const declarations = rule.declarations.filter(({ property }) => !/color$|^background/.test(property));
  return declarations.length === 0 ? [] : [{ ...rule, declarations }];
}

function entriesOf({ selector: { weight }, declarations, order }: SheetRule): readonly Entry[] {
  return declarations.map((declaration) => ({ declaration, weight, order }));
}

function inline(declaration: Declaration): Entry {
  return { declaration, weight: INLINE, order: 0 };
}

function onTop(entry: Entry): Entry {
  return { ...entry, weight: TOP };
}

function inOrder(entries: readonly Entry[]): DeclaredValues {
  const rank = ({ declaration, weight }: Entry) => weight + Number(declaration.important) * IMPORTANT;
  const declared = new Map<string, Value[]>();
  for (const { declaration } of [...entries].sort((one, other) => rank(one) - rank(other) || one.order - other.order)) {
    const known = declared.get(declaration.property);
    if (known === undefined) declared.set(declaration.property, [declaration.value]);
    else known.push(declaration.value);
  }
  return declared;
}

extend([names, hwb, lab, lch, oklab, oklch]);

/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
export type Colour = Readonly<Record<'r' | 'g' | 'b' | 'a', number>>;

export const WHITE: Colour = { r: 255, g: 255, b: 255, a: 1 };
export const BLACK: Colour = { r: 0, g: 0, b: 0, a: 1 };
/** Colours of the reader's system, as most have them. */
const SYSTEM: ReadonlyMap<string, Colour> = new Map([
  ...['canvas', 'window', 'field', 'background'].map((name) => [name, WHITE] as const),
  ...['canvastext', 'windowtext', 'fieldtext', 'initial'].map((name) => [name, BLACK] as const),
]);
const FUNCTION = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\($/;
const MAX_COLOUR_PARTS = 20;
const MAX_COLOURS = 100;
/** Two colours whose red, green and blue all differ by no more than this are one to a reader. */
const SAME_COLOUR_DISTANCE = 32;

/** Returns the colour that a value is as a whole, or null. */
export function parseColour(value: Value): Colour | null {
  if (value.length > MAX_COLOUR_PARTS) return null;
  const text = value.map((part) => part.text).join(' ');
  // Six digits that are no colour to a strict reader are one to a lenient one: `color: ffffff`.
  return SYSTEM.get(text) ?? parsed(text) ?? (/^(?:[\da-f]{3}|[\da-f]{6})$/.test(text) ? parsed(`#${text}`) : null);
}

/** Returns the colours that a value names, in order, those of a gradient too. */
export function findColours(value: Value): readonly Colour[] {
  const parts = value.slice(0, MAX_COLOURS);
  return parts.flatMap(({ text }, at) => {
    const end = FUNCTION.test(text) ? parts.findIndex((part, here) => here > at && part.text === ')') : at;
    return parseColour(parts.slice(at, end + 1)) ?? [];
  });
}

function parsed(text: string): Colour | null {
  const colour = colord(text);
  return colour.isValid() ? colour.rgba : null;
}

/** Returns the colour of an attribute such as `bgcolor`, by the lenient rules of HTML: any text but an empty one is one. */
export function attributeColour(text: string): Colour | null {
  const name = text.trim().toLowerCase();
  if (name === '' || name === 'transparent') return null;
  const known = parsed(name);
  if (known !== null && !name.includes('(')) return known;
  const digits = name
    .slice(0, 128)
    .replace(/^#/, '')
    .replace(/[^\da-f]/g, '0');
  const third = Math.max(1, Math.ceil(digits.length / 3));
  const padded = digits.padEnd(third * 3, '0');
  const channels = [0, 1, 2].map((nth) => padded.slice(nth * third, (nth + 1) * third).slice(-8));
  const [r = 0, g = 0, b = 0] = channels.map((channel) => Number.parseInt(channel.slice(0, 2), 16));
  return { r, g, b, a: 1 };
}

/** Returns the colour that is seen if one lies over another. */
export function over(top: Colour, below: Colour): Colour {
  const mixed = (one: number, other: number) => one * top.a + other * (1 - top.a);
  return { r: mixed(top.r, below.r), g: mixed(top.g, below.g), b: mixed(top.b, below.b), a: 1 };
}

/** Whether a reader cannot tell two colours apart. `within`: how much red, green and blue may differ. */
export function looksLike(one: Colour, other: Colour, within: number = SAME_COLOUR_DISTANCE): boolean {
  return [one.r - other.r, one.g - other.g, one.b - other.b].every((step) => Math.abs(step) <= within);
}

/**
 * Families of letters that are what they look like. Others are not known, or show something else: bars, blanks, signs.
 */
const PLAIN_FAMILIES: ReadonlySet<string> = new Set(
  `
  abel, archivo, arimo, arvo, asap, assistant, barlow, be vietnam pro, bitter, cabin, catamaran, cormorant garamond,
  crimson text, dm sans, dm serif display, dosis, droid sans, droid serif, eb garamond, exo 2, figtree, fira sans, heebo,
  hind, ibm plex mono, ibm plex sans, ibm plex serif, inconsolata, inter, inter tight, josefin sans, jost, kanit, karla,
  lato, lexend, libre baskerville, libre franklin, lora, manrope, maven pro, merriweather, merriweather sans, montserrat,
  mukta, muli, mulish, noto sans, noto serif, nunito, nunito sans, open sans, oswald, outfit, overpass, oxygen,
  playfair display, plus jakarta sans, poppins, prompt, pt sans, pt serif, public sans, quicksand, raleway, red hat display,
  red hat text, roboto, roboto condensed, roboto mono, roboto slab, rubik, signika, sora, source code pro, source sans 3,
  source sans pro, source serif 4, source serif pro, space grotesk, titillium web, ubuntu, urbanist, varela round, work sans
  `
    .split(',')
    .map((name) => name.replace(/\s+/g, ' ').trim()),
);
/** Serves nothing that a sender could have put there. */
const HOST = 'fonts.googleapis.com';
const PARAMETERS: ReadonlySet<string> = new Set(['family', 'display', 'subset']);
/** Families of a system that show signs in place of letters. */
const MARKS = /^(?:["']?)(?:wingdings|webdings|symbol|zapf ?dingbats|bookshelf symbol|marlett|mt extra)\b/;

/** Whether an address is a style sheet that only brings fonts as plain as a reader's own. */
export function bringsPlainLetters(address: string): boolean {
  const text = address.trim().replaceAll('&amp;', '&');
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.host !== HOST || !/^\/css2?$/.test(url.pathname))
    return false;
  if (![...url.searchParams.keys()].every((key) => PARAMETERS.has(key))) return false;
  const families = url.searchParams.getAll('family').flatMap((list) => list.split('|'));
  return families.every((family) => PLAIN_FAMILIES.has((family.split(':')[0] ?? '').trim().toLowerCase()));
}

/** Whether a list of families names one that shows signs in place of letters. */
export function namesMarks(families: string): boolean {
  return families.split(',').some((family) => MARKS.test(family.trim().toLowerCase()));
}

/** How many px a unit has; `%` and the sizes of a font are relative and come in by themselves. */
const PX: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 37.8],
  ['mm', 3.78],
  ['q', 0.945],
  ['rem', 16],
  ['vw', 10],
  ['vh', 8],
  ['vmin', 8],
  ['vmax', 10],
]);
const MOST_PARTS = 100;

/** Against what relative lengths are measured, in px. */
export interface Measure {
  readonly em: number;
  /** What 100 % are. */
  readonly whole: number;
}

/** Whether a value is only known to a reader: it names a variable, or what surrounds it. */
export function isUnknown(value: Value): boolean {
  return value.length > MOST_PARTS || value.some(({ text }) => /^(?:var|env|attr)\($/.test(text));
}

/** Returns one number with its unit in px, or null. */
function pixelsOf({ number, unit }: Part, { em, whole }: Measure): number | null {
  if (number === null) return null;
  if (unit === '%') return (number / 100) * whole;
  if (unit === 'em') return number * em;
  if (unit === 'ex' || unit === 'ch' || unit === 'lh') return (number * em) / 2;
  return number * (PX.get(unit) ?? Number.NaN);
}

/** Returns all lengths of a value in px, those within functions too. */
export function findLengths(value: Value, measure: Measure): readonly number[] {
  return value.map((part) => pixelsOf(part, measure)).filter((length) => length !== null);
}

/**
 * Returns the one length that a value is, in px: NaN if only a reader knows it, null if it isn't a length. For a
 * calculation (`clamp(14px, 2vw, 20px)`) it is the least number.
 */
export function parseLength(value: Value, measure: Measure): number | null {
  if (isUnknown(value)) return Number.NaN;
  const [first] = value;
  if (first === undefined) return null;
  if (!first.text.endsWith('(')) return value.length === 1 ? pixelsOf(first, measure) : null;
  return Math.min(...findLengths(value, measure).map(Math.abs));
}
