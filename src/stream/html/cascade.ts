import { type Declaration, declarationsOf, rulesOf, type Value } from './css.ts';
import { type Reach, within } from './media.ts';
import {
  ANYTHING,
  isPlain,
  keyOf,
  keysFor,
  matches,
  type ParsedSelector,
  type Selectable,
  selectorsOf,
} from './selector.ts';

/** Each property's values, the one that wins last. */
export type Declared = ReadonlyMap<string, readonly Value[]>;

/** A style sheet, and whether every reader's program heeds it. */
export interface Sheet {
  readonly text: string;
  readonly isCertain: boolean;
}

/** What is declared for one element. */
interface Declarations {
  /** By the rules that hold for every reader, and by its own `style`. */
  readonly certain: Declared;
  /**
   * What it may be for some readers: the same with one more rule on top, for each rule that not all heed; and its own
   * `style` alone, since many programs drop style sheets.
   */
  readonly possible: readonly Declared[];
  /** What it is on other screens: the same with one more rule for telephones or for the dark on top, but for its colours. */
  readonly elsewhere: readonly Declared[];
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
      for (const { selectors, declarations, reach } of rulesOf(sheet.text)) {
        if (declarations.length === 0) continue;
        order += 1;
        for (const selector of selectorsOf(selectors) ?? [ANYTHING]) {
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

function inOrder(entries: readonly Entry[]): Declared {
  const rank = ({ declaration, weight }: Entry) => weight + Number(declaration.important) * IMPORTANT;
  const declared = new Map<string, Value[]>();
  for (const { declaration } of [...entries].sort((one, other) => rank(one) - rank(other) || one.order - other.order)) {
    const known = declared.get(declaration.property);
    if (known === undefined) declared.set(declaration.property, [declaration.value]);
    else known.push(declaration.value);
  }
  return declared;
}
