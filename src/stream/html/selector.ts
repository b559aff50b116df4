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

const MAX_SELECTOR = 20_000;
const MAX_PARTS = 200;
/** What a reader brings about, or what is no element: such a rule says nothing of how the mail is first seen. */
const NOT_AT_REST =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|target|before|after|placeholder|selection|first-line|first-letter|marker)$/;

/** Holds for every element. */
export const ANYTHING: ParsedSelector = { parts: parse('*').flat(), weight: 0 };

/** Returns the selectors of a list; null for one that cannot be read here, and that a reader's program may heed. */
export function selectorsOf(list: string): readonly ParsedSelector[] | null {
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
