import { FILE, type NamedIn, type Place, RANGE } from './place.ts';

/** What may stand around the name of a file. */
const OPEN = '[`"\'“(\\[]{0,2}';
const SHUT = '[`"\'”)\\]]{0,2}';

const LINES = [
  new RegExp(`${FILE}(?::|#L)${RANGE}`, 'g'),
  new RegExp(`${FILE}${SHUT},?\\s\\(?(?:(?:at|on|in)\\s)?lines?\\s${RANGE}`, 'g'),
];
const LINES_OF = new RegExp(`\\b[Ll]ines?\\s${RANGE}\\s(?:of|in|from)\\s${OPEN}${FILE}`, 'g');
const BARE_LINES = new RegExp(`(?:\\b[Ll]ines?\\s|(?<=[\\s(\`]):)${RANGE}`, 'g');

const DEFINED =
  'function|method|class|enum|interface|type|constant|const|constructor|getter|setter|struct|mixin|extension|helper|routine';
const VALUED = 'variable|field|property|parameter|key|setting|option|flag|value|test';
const KIND = `(?:${DEFINED}|${VALUED}|columns?)`;
const NAME = String.raw`[A-Za-z_$#][\w$#]{0,80}(?:\.[A-Za-z_$#][\w$#]{0,80}){0,4}`;
/** A name that is marked as one: in code, with brackets, or spelled as no word is. */
const SPAN = `\`(${NAME})(?:\\([^)\`\\n]{0,80}\\))?\``;
const CALL = `\\b(${NAME})\\([\\w, ]{0,60}\\)`;
const SPELLED = String.raw`\b([a-z]{1,30}[A-Z]\w{0,60}|[A-Za-z]{1,30}_\w{1,60}|_\w{1,60}|[A-Z][a-z]{1,30}[A-Z]\w{0,60})\b`;
const MARKED = `(?:${SPAN}|${CALL}|${SPELLED})`;
const IN = `\\s(?:in|of|from|inside|within)\\s(?:the\\s(?:file|module)\\s)?${OPEN}`;
const OF = `(?:\\s(?:of|on|in)\\s(?:the\\s)?(?:class\\s)?\`?(${NAME})\`?(?:\\sclass)?)?`;

/** Each pattern has the groups `kind`, three spellings of the name, what it is part of, and the file, in this order. */
const NAMED = [
  new RegExp(`(?:\\b(${KIND})\\s)?${MARKED}(?:\\s${KIND})?${OF}${IN}${FILE}`, 'g'),
  new RegExp(`()${MARKED}(?:\\s(${KIND})\\b)${OF}${IN}${FILE}`, 'g'),
  new RegExp(`\\b(${KIND})\\s()()([A-Za-z_]\\w{0,80})${OF}${IN}${FILE}`, 'g'),
];
const TITLED = 'section|heading|headline|chapter|entry|part|paragraph';
const QUOTED = String.raw`["“'‘*\x60]{1,2}([^"”’*\x60\n]{2,80})["”'’*\x60]{1,2}`;
const TITLE = String.raw`((?:[A-Z][\w-]{0,30})(?:\s[\w-]{1,30}){0,5}?)`;
const SECTIONS = [
  new RegExp(`\\b(?:${TITLED})\\s(?:on\\s|called\\s|named\\s)?(?:${QUOTED}|${TITLE}),?${IN}${FILE}`, 'g'),
  new RegExp(`(?:${QUOTED}|\\b(?:[Tt]he\\s)${TITLE})\\s(?:${TITLED})${IN}${FILE}`, 'g'),
];
const SECTIONS_AFTER = [
  new RegExp(`${FILE}${SHUT}['’]s\\s(?:${QUOTED}|${TITLE})\\s(?:${TITLED})`, 'g'),
  new RegExp(`${FILE}${SHUT},?\\s(?:the\\s)?(?:${TITLED})\\s${QUOTED}`, 'g'),
  new RegExp(`${FILE}${SHUT},?\\s§\\s?(?:${QUOTED}|${TITLE})`, 'g'),
];

/** Words that stand where a name might, and are none. */
const NO_NAME = /^(?:is|was|are|that|which|who|lies|lives|stands|sits|found|named|called|it|this|here|and|or|of|in)$/i;

/** Endings of files that people name. A bare `node.js` is a product. */
const KNOWN =
  /\.(?:md|markdown|mdx|txt|rst|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|sql|sh|bash|ps1|[cm]?[jt]sx?|dart|pyi?|ipynb|rs|go|java|kt|swift|c|cc|cpp|h|hpp|cs|rb|php|pl|r|lua|log|pdf|docx?|xlsx?|pptx?|odt|ods|eml|zip|tar|gz|png|jpe?g|svg|gradle|proto|graphql|vue|svelte)$/i;
const PRODUCT =
  /^(?:node|deno|vue|next|nuxt|react|angular|d3|three|express|ember|backbone|p5|chart|moment|p?react|asp)\.(?:js|net)$/i;
const WITHOUT = [
  /\[\[\s{0,9}request\s{0,9}:(?:[^\]]|\](?!\])){0,2000}\]\]/gi,
  /\bhttps?:\/\/[^\s)>\]]{1,500}/g,
  /^[ \t*_-]{0,6}FILE_WRITTEN:.*$/gim,
];

/**
 * Returns the places that a text names, in order: `a.ts:3-5`, `the function foo in a.ts`, `the section "Setup" of a.md`,
 * and files by themselves. `line 3` alone means the file that was named before it. No two of them overlap.
 */
export function placesIn(text: string): Place[] {
  const found: Place[] = [];
  let rest = WITHOUT.reduce((plain, pattern) => plain.replace(pattern, blank), text);
  for (const finder of FINDERS) {
    const more = finder(rest, found).filter(
      (one) => !found.some((other) => one.start < other.end && other.start < one.end),
    );
    found.push(...withoutOverlap(more));
    for (const { start, end } of more) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  return found.sort((one, other) => one.start - other.start);
}

type Finder = (text: string, before: readonly Place[]) => Place[];
const FINDERS: readonly Finder[] = [linesIn, sectionsIn, namesIn, filesIn, bareLinesIn];

function linesIn(text: string): Place[] {
  const behind = LINES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => place(match, match[1], linesOf(match[2], match[3]))),
  );
  const before = [...text.matchAll(LINES_OF)].map((match) => place(match, match[3], linesOf(match[1], match[2])));
  return [...behind, ...before];
}

function bareLinesIn(text: string, before: readonly Place[]): Place[] {
  return [...text.matchAll(BARE_LINES)].flatMap((match) => {
    const last = before
      .filter(({ start }) => start < match.index)
      .toSorted((one, other) => one.start - other.start)
      .at(-1);
    return last === undefined ? [] : [place(match, last.file, linesOf(match[1], match[2]))];
  });
}

function sectionsIn(text: string): Place[] {
  const named = (name: string): NamedIn => ({ kind: 'section', name, of: null });
  return [
    ...SECTIONS.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => place(match, match[3], null, named(match[1] ?? match[2] ?? ''))),
    ),
    ...SECTIONS_AFTER.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => place(match, match[1], null, named(match[2] ?? match[3] ?? ''))),
    ),
  ];
}

function namesIn(text: string): Place[] {
  return NAMED.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const groups = match.slice(1).filter((one) => one !== undefined && one !== '');
      const kind = groups.find((one) => new RegExp(`^${KIND}$`).test(one)) ?? '';
      const [name = '', of = null] = groups.filter((one) => one !== kind).slice(0, -1);
      const file = groups.at(-1);
      if (NO_NAME.test(name) || NO_NAME.test(of ?? '') || name === file) return [];
      return [place(match, file, null, { kind: kindOf(kind), name, of })];
    }),
  );
}

function kindOf(word: string): NamedIn['kind'] {
  if (word.startsWith('column')) return 'column';
  return new RegExp(`^(?:${DEFINED})$`).test(word) ? 'definition' : 'any';
}

function filesIn(text: string): Place[] {
  return [...text.matchAll(new RegExp(FILE, 'g'))]
    .filter(({ 1: file = '' }) => KNOWN.test(file) && !PRODUCT.test(file))
    .map((match) => place(match, match[1], null));
}

function place(match: RegExpExecArray, file = '', lines: Place['lines'], named: NamedIn | null = null): Place {
  const start = match.index;
  return { text: match[0], start, end: start + match[0].length, file, lines, named };
}

function linesOf(first = '0', last = first): Place['lines'] {
  return { first: Number(first), last: Number(last) };
}

/** Of those that overlap, the longest stays. */
function withoutOverlap(places: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const one of places.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some((other) => one.start < other.end && other.start < one.end)) kept.push(one);
  return kept;
}

const blank = (found: string) => ' '.repeat(found.length);
