import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, type TreeAdapter } from 'parse5';

/** Anything in the tree. */
export type Node = DefaultTreeAdapterMap['node'];
type Document = DefaultTreeAdapterMap['document'];
/** An element of the tree. */
export type Element = DefaultTreeAdapterMap['element'];
type Parent = DefaultTreeAdapterMap['parentNode'];

/** No mail that a person wrote nests deeper; browsers stop at the same depth. */
const MAX_DEPTH = 512;
/** An element takes some letters to write: a tree with more of them has made them itself, out of misnested ones. */
const MAX_ELEMENTS = 100_000;
const LETTERS_EACH = 4;
/** How many siblings may be passed over while misplaced parts are put before a table. */
const MAX_PASSED = 20_000_000;

/** Thrown to end the building of a tree that grows out of proportion to its text. */
class TooLarge extends Error {}

/**
 * Returns the tree that a browser builds of an HTML text. Where that would grow out of proportion (misnested markup can
 * make a tree far larger than its text), it is what was built until then: what comes after is not read.
 */
export function documentOf(html: string): Document {
  const builder = new Builder(Math.min(MAX_ELEMENTS, 1000 + html.length / LETTERS_EACH));
  try {
    return parse(html, { treeAdapter: builder.adapter });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return builder.document;
  }
}

/** Returns a node as an element, or null where it is none. */
export function elementOf(node: Node | null): Element | null {
  return node !== null && defaultTreeAdapter.isElementNode(node) ? node : null;
}

/** Returns the text of a text node; '' where it is none, as a comment. */
export function textOf(node: Node): string {
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
