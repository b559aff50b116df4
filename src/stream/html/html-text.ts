import { Cascade, type Sheet, TooCostly } from './cascade.ts';
import { namesIn } from './css.ts';
import { documentOf, type Element, elementOf, type Node, textOf } from './document.ts';
import { elementDoubt, sheetDoubt, sightDoubt, styleDoubt } from './doubts.ts';
import type { Selectable } from './selector.ts';
import { faultsOf, isSeen, PLAIN_SIGHT, type Sight, sightOf } from './visibility.ts';

/** What an HTML text says to a reader, and what else it holds. */
interface HtmlReading {
  /** With `> ` before quoted lines, as in a plain mail. */
  readonly seen: string;
  /** What nobody sees. */
  readonly unseen: string;
  /** Why a reader may not see it so after all, in a few words each. */
  readonly doubts: readonly string[];
}

/** An element that is open while the tree is walked. */
interface Open extends Selectable {
  readonly parent: Open | null;
  readonly sight: Sight;
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
const MAX_DEPTH = 1000;
const MOST_DOUBTS = 3;
const GONE: Sight = { ...PLAIN_SIGHT, gone: true };

/** Returns the visible words of an HTML mail, with `> ` before quoted lines as in a plain mail. */
export function htmlToText(html: string): string {
  return readHtml(html).seen;
}

/**
 * Reads an HTML text as a browser shows it, as far as that can be told without drawing it. Where telling would take too
 * long, or only the reader's program knows, a text counts as unseen. Takes time in proportion to the text.
 */
export function readHtml(html: string): HtmlReading {
  const root = documentOf(html);
  const sheets = sheetsIn(root, 0);
  const reader = new Reader(new Cascade(sheets));
  for (const { text } of sheets) reader.doubt(sheetNameDoubt(text));
  reader.read(root);
  return { seen: tidy(reader.seen.join('')), unseen: tidy(reader.unseen.join('')), doubts: [...reader.doubts] };
}

/** Returns the style sheets of a tree, in order. */
function sheetsIn(node: Node, depth: number): readonly Sheet[] {
  if (depth > MAX_DEPTH) return [];
  return childrenOf(node).flatMap((child) => {
    const element = elementOf(child);
    if (element?.tagName !== 'style') return sheetsIn(child, depth + 1);
    const { type = '', media = '' } = Object.fromEntries(attributesOf(element));
    if (!/^(?:text\/css)?$/i.test(type) || /^\s*print\s*$/i.test(media)) return [];
    const text = childrenOf(child).map(textOf).join('');
    return [{ text, isCertain: media === '' }];
  });
}

function sheetNameDoubt(sheet: string): string | null {
  const { rules, words } = namesIn(sheet);
  return sheetDoubt(rules, words);
}

/** Walks a tree once, and gathers its text. */
class Reader {
  readonly seen: string[] = [];
  readonly unseen: string[] = [];
  readonly doubts = new Set<string>();
  readonly #cascade: Cascade;

  constructor(cascade: Cascade) {
    this.#cascade = cascade;
  }

  read(root: Node): void {
    const common = { attributes: new Map<string, string>(), parent: null, before: null, last: null };
    this.#children(root, { ...common, name: '#document', sight: PLAIN_SIGHT, depth: 0, quotes: 0 });
  }

  /** Keeps a reason to doubt what is read. */
  doubt(why: string | null): void {
    if (why !== null && this.doubts.size < MOST_DOUBTS) this.doubts.add(why);
  }

  #children(node: Node, open: Open): void {
    for (const child of childrenOf(node)) {
      const element = elementOf(child);
      // Of closed details only the first line is shown.
      const isClosed = open.name === 'details' && !open.attributes.has('open');
      const isShown = !isClosed || (element?.tagName === 'summary' && open.last === null);
      const within = isShown ? open : { ...open, sight: GONE };
      if (element !== null) this.#element(element, within);
      else this.#text(textOf(child), within.sight);
      open.last = within.last;
    }
  }

  #text(text: string, sight: Sight): void {
    (isSeen(sight) ? this.seen : this.unseen).push(text.replace(/\s+/g, ' '));
    if (isSeen(sight) && text.trim() !== '') this.doubt(sightDoubt(sight));
  }

  #element(element: Element, parent: Open): void {
    const name = element.tagName;
    if (CODE.has(name) || parent.depth > MAX_DEPTH) return;
    const open = this.#opened(element, parent);
    // A link to a style sheet is nothing to be seen, and changes what is.
    if (name === 'link') this.doubt(elementDoubt(name, open.attributes));
    parent.last = open;
    if (name === 'br') this.#say(lineIn(open));
    this.#break(open, open);
    this.#children(element, open);
    this.#break(open, parent);
  }

  #opened(element: Element, parent: Open): Open {
    const name = element.tagName;
    const selectable = { name, attributes: attributesOf(element), parent, before: parent.last };
    const quotes = parent.quotes + Number(name === 'blockquote');
    return {
      ...selectable,
      parent,
      sight: this.#sightOf(selectable, parent),
      depth: parent.depth + 1,
      quotes,
      last: null,
    };
  }

  #sightOf(element: Selectable, { sight: around }: Open): Sight {
    const { name: own, attributes } = element;
    if (around.gone || UNSEEN.has(own)) return GONE;
    if (own === 'dialog' && !attributes.has('open')) return GONE;
    const sight = this.#declaredSight(element, around);
    if (isSeen(sight)) this.doubt(elementDoubt(own, attributes));
    return sight;
  }

  #declaredSight(element: Selectable, around: Sight): Sight {
    const { name, attributes } = element;
    try {
      const { certain, possible } = this.#cascade.declaredFor(element);
      if (attributes.size + certain.size + possible.length === 0) return around;
      const sight = sightOf(around, name, attributes, certain);
      const faults = faultsOf(sight);
      const isHidden = possible
        .flatMap((declared) => faultsOf(sightOf(around, name, attributes, declared)))
        .some((fault) => !faults.includes(fault));
      if (!isHidden && faults.length === 0) for (const one of [certain, ...possible]) this.doubt(styleDoubt(one));
      return isHidden ? GONE : sight;
    } catch (error) {
      if (error instanceof TooCostly) return GONE;
      throw error;
    }
  }

  /** Begins a new line where an element begins or ends one. After it ends, the line is as quoted as what is around it. */
  #break({ name }: Open, within: Open): void {
    const line = lineIn(within);
    if (PARAGRAPHS.has(name)) this.#say(line + line);
    else if (BREAKS.has(name)) this.#say(line);
    else if (name === 'td' || name === 'th') this.#say(' ');
  }

  #say(space: string): void {
    this.seen.push(space);
    this.unseen.push(space);
  }
}

function lineIn({ quotes }: Open): string {
  return quotes > 0 ? '\n> ' : '\n';
}

function attributesOf({ attrs }: Element): ReadonlyMap<string, string> {
  return new Map(attrs.map(({ name, value }) => [name, value]));
}

function childrenOf(node: Node): readonly Node[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[ \u00A0]+/g, ' ').trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
