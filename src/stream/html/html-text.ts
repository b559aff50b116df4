import { Cascade, type Declared, type Sheet, TooCostly } from './cascade.ts';
import { namesIn, rulesOf } from './css.ts';
import { documentOf, type Element, elementOf, type Node, textOf } from './document.ts';
import { addedDoubt, elementDoubt, sheetDoubt, sightDoubt, styleDoubt } from './doubts.ts';
import { isPartlySeen } from './partly.ts';
import { isOfAddition, type Selectable, selectorsOf } from './selector.ts';
import { faultsOf, isSeen, PLAIN_SIGHT, type Sight, sightOf } from './visibility.ts';

/** What an HTML text says to a reader, and what else it holds. */
interface HtmlReading {
  /** With `> ` before quoted lines, as in a plain mail. */
  readonly seen: string;
  /** Of that, what every reader sees, also on a telephone; what lies on a picture or may be cut off is left out. */
  readonly surelySeen: string;
  /** What nobody sees. */
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
  return readTree(documentOf(html));
}

/** Does the same with the tree of an HTML text. */
export function readTree(root: Node): HtmlReading {
  const sheets = sheetsIn(root, 0);
  const reader = new Reader(new Cascade(sheets));
  for (const { text } of sheets) {
    reader.doubt(sheetDoubt(namesIn(text)));
    reader.doubt(additionDoubt(text));
  }
  reader.read(root);
  const [seen = '', surelySeen = '', unseen = ''] = [reader.seen, reader.sure, reader.unseen].map((all) =>
    tidy(all.join('')),
  );
  return { seen, surelySeen, unseen, doubts: [...reader.doubts] };
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

/** Words, or a cover, that a style sheet puts before or after an element. */
function additionDoubt(sheet: string): string | null {
  const added = rulesOf(sheet).filter(({ selectors }) => selectorsOf(selectors)?.some(isOfAddition));
  const doubts = added.map(({ declarations }) => addedDoubt(declarations));
  return doubts.find((doubt) => doubt !== null) ?? null;
}

/** Walks a tree once, and gathers its text. */
class Reader {
  readonly seen: string[] = [];
  readonly sure: string[] = [];
  readonly unseen: string[] = [];
  readonly doubts = new Set<string>();
  readonly #cascade: Cascade;

  constructor(cascade: Cascade) {
    this.#cascade = cascade;
  }

  read(root: Node): void {
    const common = { attributes: new Map<string, string>(), parent: null, before: null, last: null };
    this.#children(root, { ...common, name: '#document', sight: PLAIN_SIGHT, isPartly: false, depth: 0, quotes: 0 });
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
      else this.#text(textOf(child), within);
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
    // What stands here is read by programs that run no scripts, which are most of those that show mails.
    if (name === 'noscript' && childrenOf(element).some((child) => textOf(child).trim() !== ''))
      this.doubt('a part of it is for some programs only');
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
    // What is said of a column holds for cells elsewhere.
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
      const hides = (declared: Declared) =>
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
    const line = lineIn(within);
    if (PARAGRAPHS.has(name)) this.#say(line + line);
    else if (BREAKS.has(name)) this.#say(line);
    else if (name === 'td' || name === 'th') this.#say(' ');
  }

  #say(space: string): void {
    this.seen.push(space);
    this.sure.push(space);
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
