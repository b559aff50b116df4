import { type AttributeSelector, parse, type Selector } from 'css-what';

/** An element as selectors see it. */
export interface Selectable {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: Selectable | null;
  /** The element before it under the same parent. */
  readonly before: Selectable | null;
}

/** One selector, with how much it weighs against others. */
export interface ParsedSelector {
  readonly parts: readonly Selector[];
  readonly weight: number;
}

const MAX_SELECTOR = 2000;
/** What a reader brings about, or what is no element: such a rule says nothing of how the mail is first seen. */
const NOT_AT_REST =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|target|checked|before|after|placeholder|selection|first-line|first-letter|marker|-(?:webkit|moz|ms)-.*)$/;

/** Returns the selectors of a list. A list with one that cannot be read is no list, as in a browser. */
export function selectorsOf(list: string): readonly ParsedSelector[] {
  if (list.length > MAX_SELECTOR) return [];
  try {
    return parse(list).map((parts) => ({ parts, weight: parts.reduce((sum, part) => sum + weightOf(part), 0) }));
  } catch {
    return []; // it is no selector
  }
}

function weightOf(part: Selector): number {
  if (part.type === 'attribute') return part.name === 'id' && part.action === 'equals' ? 10_000 : 100;
  return part.type === 'tag' ? 1 : Number(part.type === 'pseudo') * 100;
}

/** Returns what an element must have for a selector to hold: `#id`, `.class`, its name, or `*`. */
export function keyOf({ parts }: ParsedSelector): string {
  const last = parts.slice(parts.findLastIndex((part) => isStep(part)) + 1);
  const named = last.find((part) => part.type === 'attribute' && isName(part));
  if (named?.type === 'attribute') return `${named.action === 'equals' ? '#' : '.'}${named.value.toLowerCase()}`;
  const tag = last.find((part) => part.type === 'tag');
  return tag?.type === 'tag' ? tag.name.toLowerCase() : '*';
}

/** Returns the keys of all selectors that may hold for an element. */
export function keysFor({ name, attributes }: Selectable): readonly string[] {
  const classes = wordsIn(attributes.get('class')).map((word) => `.${word}`);
  const id = attributes.get('id');
  return [...new Set(['*', name, ...(id === undefined ? [] : [`#${id.toLowerCase()}`]), ...classes])];
}

/** Whether a selector is read in full: `matches` then says neither too much nor too little. */
export function isPlain({ parts }: ParsedSelector): boolean {
  return parts.every(({ type }) => ['tag', 'attribute', 'universal', 'descendant'].includes(type));
}

/**
 * Returns whether a selector holds for an element. What cannot be told here (`:nth-child(2)`) counts as true, and a child
 * as any descendant. `spend` is called for each comparison, and may throw to end a search that costs too much.
 */
export function matches({ parts }: ParsedSelector, element: Selectable, spend: () => void): boolean {
  let here: Selectable | null = element;
  let at = parts.length - 1;
  for (; at >= 0 && here !== null; at -= 1) {
    const part = parts[at];
    if (part === undefined) return false;
    spend();
    if (!isStep(part)) {
      if (!holds(part, here)) return false;
    } else {
      const compound = compoundBefore(parts, at);
      const isSibling = part.type === 'sibling' || part.type === 'adjacent';
      here = nearest(isSibling ? here.before : here.parent, isSibling ? 'before' : 'parent', compound, spend);
      at -= compound.length;
    }
  }
  return here !== null;
}

function nearest(
  from: Selectable | null,
  way: 'before' | 'parent',
  compound: readonly Selector[],
  spend: () => void,
): Selectable | null {
  for (let here = from; here !== null; here = here[way]) {
    spend();
    const element = here;
    if (compound.every((part) => holds(part, element))) return here;
  }
  return null;
}

function compoundBefore(parts: readonly Selector[], step: number): readonly Selector[] {
  return parts.slice(parts.slice(0, step).findLastIndex((part) => isStep(part)) + 1, step);
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
  if (part.type === 'pseudo' || part.type === 'pseudo-element') return !NOT_AT_REST.test(part.name.toLowerCase());
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
