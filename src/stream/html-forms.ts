import type { Forms } from '../steward/ports.ts';
import { hiddenThing, saidText, type Thing, thingsInJson, thingsInMicrodata, withAllWithin } from './forms-schema.ts';
import { elementOf, type Node, textOf } from './html.ts';

/** Whether there can be a form at all: most mails are not walked a second time. */
const MAY_HOLD = /ld\+json|itemtype|<(?:s|del|strike)[\s>]|line-through/i;
const STRUCK = new Set(['s', 'del', 'strike']);
const MOST_DEPTH = 512;
const MOST_SCRIPTS = 10;
const MOST_THINGS = 20;
const MOST_STRUCK = 20;
const MOST_STRUCK_CHARACTERS = 80;

/** What is gathered on one walk. */
interface Gathered {
  readonly scripts: string[];
  readonly struck: string[];
}

/**
 * Returns what the HTML of a mail says beside its text: things told to programs, and what is crossed out.
 * `root` is its tree. Null for nothing.
 */
export function formsIn(html: string, root: Node): Forms | null {
  if (!MAY_HOLD.test(html)) return null;
  const { scripts, struck } = gathered(root);
  const told = [...scripts.flatMap(thingsInJson), ...thingsInMicrodata(root)];
  const things = told.flatMap(readable).slice(0, MOST_THINGS);
  return things.length + struck.length === 0 ? null : { things, struck };
}

function readable(thing: Thing): Forms['things'] {
  return withAllWithin(thing).flatMap((one) => hiddenThing(one) ?? []);
}

function gathered(root: Node): Gathered {
  const found: Gathered = { scripts: [], struck: [] };
  walk(root, found, 0);
  return found;
}

function walk(node: Node, found: Gathered, depth: number): void {
  if (depth > MOST_DEPTH || !('childNodes' in node)) return;
  for (const child of node.childNodes) {
    const element = elementOf(child);
    if (element === null) continue;
    const { tagName, attrs } = element;
    const says = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? '';
    const isData = tagName === 'script' && /^\s*application\/ld\+json\b/i.test(says('type'));
    if (isData && found.scripts.length < MOST_SCRIPTS) found.scripts.push(textWithin(element));
    const isStruck = STRUCK.has(tagName) || /line-through/i.test(says('style'));
    if (isStruck && found.struck.length < MOST_STRUCK) {
      const text = saidText(textWithin(element));
      if (text !== '' && text.length <= MOST_STRUCK_CHARACTERS) found.struck.push(text);
    } else walk(element, found, depth + 1);
  }
}

function textWithin(node: Node): string {
  if (!('childNodes' in node)) return textOf(node);
  return node.childNodes.map((child) => (elementOf(child) === null ? textOf(child) : textWithin(child))).join(' ');
}
