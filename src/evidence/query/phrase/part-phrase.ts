import type { PartAsked } from '../asked.ts';
import { pathOf } from '../condition.ts';
import { nameIn, type PlainText } from './plain-text.ts';

const SETTING =
  'variable|constant|const|setting|option|field|key|property|parameter|threshold|attribute|default|default value';
const CODE =
  'async function|function|func|fn|def|method|routine|class|interface|type|enum|struct|structure|trait|impl|record|constructor|getter|macro|module|namespace|mixin|extension|typedef|table|object|widget|component';
const HEADING = 'heading|section|subsection|chapter';
const KIND = `${CODE}|${HEADING}|${SETTING}`;
const TEXT = 'source code|source|code|body|text|contents?|definition|declaration|implementation';
const FULL = '(?:(?:full|whole|entire|complete|exact|actual|current) )?';
const IS = "what(?: is|'s|’s| are)";
const FOUND = '(?:defined|declared|implemented|located|found|written|coded)';

const VALUES = [
  form(`(?:${IS} )?(?:the )?(?:current |exact |actual |default )?values? (?:of|for) (?:the )?(.+)`),
  form('(?:what|which) value does (?:the )?(\\S+) have'),
  form('(?:what|which) value does (?:give|set|have|use) (?:to|for) (\\S+)'),
  form('(?:to )?what is (?:the )?(\\S+) (?:set(?: to)?|equal to|assigned(?: to)?)'),
  form('what (\\S+) is set to'),
  form('what does set (\\S+) to'),
  form(`(?:${IS} )?(\\S+?)(?:'s|’s) (?:current |exact )?value`),
];
/** These may also be questions: "what is new in README.md". */
const PERHAPS_VALUES = [
  form(`${IS} (?:the )?(?:(?:${SETTING}) )?(\\S+)`),
  form(`(?:${IS} )?(?:the )?(?:current )?(\\S+) (?:${SETTING}|value)`),
  form('what (\\S+) is'),
];
const QUESTIONS = [
  form(`where(?: is|'s|’s) (.+) ${FOUND}`),
  form(`how(?: is|'s|’s) (.+) ${FOUND}`),
  form('what does (.+) look like'),
  form(`${IS} ((?:the )?${FULL}(?:${TEXT}) (?:of|for) .+)`),
  form(`what does ((?:the )?(?:${HEADING}) .+|.+ (?:${HEADING})) (?:say|contain|read)`),
  form(`what(?: is|'s|’s) (?:written |said )?(?:in|under) ((?:the )?(?:${HEADING}) .+|.+ (?:${HEADING}))`),
];
/** "the definition of load", "load's body", "load defined". */
const AROUND = [
  form(`${FULL}(?:${TEXT}) (?:of |for |from )?(.+)`),
  form(`(.+?)(?:'s|’s)? (?:${TEXT})`),
  form(`(.+?)(?: that is| which is)? ${FOUND}`),
];
/** "the method step of class Foo": one of the two is said to be code, since "statement of work" may be a heading. */
const INNER = form(
  `(?:(?<kind>${CODE}) )?(?<inner>\\S+)(?: (?<behind>${CODE}))? (?:of|in|on|from|inside) (?:the )?(?:(?<outerKind>${CODE}) )?(?<outer>\\S+?)(?: (?<outerBehind>${CODE}))?`,
);
const KIND_FIRST = form(`(${KIND})(?: (?:named|called|titled))? (.+)`);
const KIND_LAST = form(`(.+) (${KIND})`);
const HEADINGS = form(HEADING);
const SAID = form(`(?:the )?${FULL}(?:(?:${KIND}|${TEXT}) .+|.+ (?:${KIND}|${TEXT}))`);
/** What stands where a name would, and tells which part rather than what it is called: "the second section". */
const TELLING = form(
  'after|before|on|about|with|without|that|which|whose|every|each|all|any|no|only|other|another|same|first|second|third|fourth|fifth|last|next|previous|top|bottom|exported|private|public|static|nested|main|return|\\d+',
);
const NOUN = form(KIND);
const MARKED = /^(?:\uE000\d+\uE001|(?=\S*?[\p{Lu}\d_.()[\]$])\S+)$/u;

/** How a request began: with a word for showing, with one that may also begin a search, or with neither. */
export type Opening = 'show' | 'find' | 'none';

/** Returns the part that a phrase without its file asks for; null where it asks for something else. */
export function partAsked(plain: PlainText, phrase: string, opening: Opening): PartAsked | null {
  const value = firstOf(VALUES, phrase);
  if (value !== null) return valueAsked(plain, value);
  const question = firstOf(QUESTIONS, phrase);
  if (question !== null) return namedAsked(plain, question);
  const perhaps = opening === 'show' ? null : firstOf(PERHAPS_VALUES, phrase);
  if (perhaps !== null) return maybe(valueAsked(plain, perhaps));
  if (opening === 'show') return namedAsked(plain, phrase);
  if (SAID.test(phrase)) return unlessMarked(namedAsked(plain, phrase), phrase);
  return MARKED.test(phrase) || opening === 'find' ? maybe(namedAsked(plain, phrase)) : null;
}

function form(text: string): RegExp {
  return new RegExp(`^(?:${text})$`, 'i');
}

function firstOf(forms: readonly RegExp[], phrase: string): string | null {
  for (const one of forms) {
    const found = one.exec(phrase)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

function valueAsked(plain: PlainText, piece: string): PartAsked | null {
  const only = form(`(?:(?:${SETTING}) )?(\\S+)(?: (?:${SETTING}))?`).exec(piece)?.[1];
  const name = only === undefined ? '' : nameIn(plain, only);
  return pathOf(name).length === 0 ? null : { kind: 'value', name };
}

function namedAsked(plain: PlainText, phrase: string): PartAsked | null {
  const piece = bareName(phrase);
  const { kind, inner, behind, outerKind, outer, outerBehind } = INNER.exec(piece)?.groups ?? {};
  const code = kind ?? behind;
  if (inner !== undefined && outer !== undefined && (code ?? outerKind ?? outerBehind) !== undefined)
    return shown(`${nameIn(plain, outer)}.${bareCall(nameIn(plain, inner))}`, code, nameIn(plain, inner));
  const [, first, named] = KIND_FIRST.exec(piece) ?? [];
  if (named !== undefined) return shown(nameIn(plain, named), first, named);
  const [, before, last] = KIND_LAST.exec(piece) ?? [];
  const name = before ?? piece;
  return shown(nameIn(plain, name), last, name);
}

/** Returns a name without what is said around it. */
function bareName(phrase: string): string {
  const bare = phrase.replace(/^(?:the|a|an) (?=\S)/i, '');
  const inner = firstOf(AROUND, bare);
  return inner === null ? bare : bareName(inner);
}

/** `load()` is load. */
function bareCall(name: string): string {
  return name.replace(/\(\)$/, '');
}

/** Several words that stand in no quotes may be a question rather than a name. */
function shown(written: string, noun: string | undefined, words: string): PartAsked | null {
  const name = bareCall(written);
  if (name === '') return null;
  const said: PartAsked = { kind: 'show', name, ...(noun === undefined ? {} : { noun: noun.toLowerCase() }) };
  const isTelling = TELLING.test(words.split(' ')[0] ?? '') || NOUN.test(words);
  return isTelling || (/\s/.test(words) && !HEADINGS.test(noun ?? '')) ? maybe(said) : said;
}

function maybe(asked: PartAsked | null): PartAsked | null {
  return asked === null ? null : { ...asked, maybe: true };
}

/** Without a word for showing, "errors in the parser" names something only where it looks like a name. */
function unlessMarked(asked: PartAsked | null, phrase: string): PartAsked | null {
  return phrase.split(' ').some((word) => MARKED.test(word)) ? asked : maybe(asked);
}
