import { type Element, elementOf, type Node, textOf } from '../../html/document.ts';
import { localName, saidText, type Thing } from './thing.ts';

const MOST_DEPTH = 512;
const MOST_TEXTS = 200;
const MOST_NAMES = 60;
const MOST_OF_ONE_NAME = 30;

/** A thing that is being read. */
interface Open extends Thing {
  readonly said: Map<string, (string | Thing)[]>;
}

/** Returns the things that the attributes of an HTML tree tell of (itemscope, itemprop), without those within others. */
export function thingsInMicrodata(root: Node): readonly Thing[] {
  const found: Thing[] = [];
  walk(root, null, found, 0);
  return found;
}

function walk(node: Node, open: Open | null, found: Thing[], depth: number): void {
  if (depth > MOST_DEPTH || !('childNodes' in node)) return;
  for (const child of node.childNodes) {
    const element = elementOf(child);
    if (element !== null) walk(element, enter(element, open, found), found, depth + 1);
  }
}

/** Returns the thing that what lies within an element is said of. */
function enter(element: Element, open: Open | null, found: Thing[]): Open | null {
  const name = attributeOf(element, 'itemprop') ?? '';
  const type = attributeOf(element, 'itemtype');
  const own = attributeOf(element, 'itemscope') === null && type === null ? null : opened(type ?? '');
  if (own !== null && (open === null || name === '')) found.push(own);
  if (open !== null && name !== '') say(open, name, own ?? statedBy(element));
  return own ?? open;
}

function opened(type: string): Open {
  return { types: type.split(/\s+/).filter(Boolean).map(localName), said: new Map() };
}

function say({ said }: Open, names: string, value: string | Thing): void {
  if (value === '') return;
  for (const name of names.split(/\s+/, MOST_NAMES)) {
    const known = said.get(name) ?? [];
    if (known.length < MOST_OF_ONE_NAME && (known.length > 0 || said.size < MOST_NAMES))
      said.set(name, [...known, value]);
  }
}

/** What an element says is in an attribute, where it has one for it, else its text. */
function statedBy(element: Element): string {
  const stated = ['content', 'datetime', 'href', 'src', 'value'].map((name) => attributeOf(element, name));
  return saidText(stated.find((one) => one !== null) ?? textWithin(element));
}

function textWithin(element: Element): string {
  const texts: string[] = [];
  const gather = (node: Node, depth: number): void => {
    if (depth > MOST_DEPTH || texts.length >= MOST_TEXTS) return;
    texts.push(textOf(node));
    if ('childNodes' in node) for (const child of node.childNodes) gather(child, depth + 1);
  };
  gather(element, 0);
  return texts.join(' ');
}

function attributeOf({ attrs }: Element, wanted: string): string | null {
  return attrs.find(({ name }) => name === wanted)?.value ?? null;
}
