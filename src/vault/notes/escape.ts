const UNSEEN = /[\p{Cf}\p{Co}\p{Cs}]/gu;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Characters that begin a link, an embed, HTML, code, a cell, a tag, a formula or a block's name anywhere in a line.
 */
const MARKS = /[\\`[\]<>|#$^]/g;
/**
 * Characters that are a mark only next to another: addresses, inline fields, comments, templates, fences, entities.
 * Some programs search the bytes for these and ignore Markdown's backslashes, so no two of them stay together.
 */
const PAIRS =
  /:(?=[:/])|(?<=:):|%(?=[%<>])|(?<=[%<>])%|~(?=~)|(?<=~)~|&(?=#|\w+;)|(?<=\w)@(?=\w)|(?<=\bwww)\.|(?<=\bmailto):/gi;
/** What turns a line into a heading, a list, a quote or a rule when it begins with it. */
const LINE_START = /^(?:[-+*=_]|\d+(?=[.)]))/;

/**
 * Returns text from outside for a note's body: one line that reads the same, and is only text to Obsidian, its usual
 * plugins and other readers of Markdown. Links to the notes in `names` stay links.
 */
export function escapeMarkdown(text: string, names: readonly string[] = []): string {
  const line = visible(text);
  const own = new Set(names.map(linkTo));
  return line
    .split(/(\[\[[^[\]]*\]\])/)
    .map((part) => (own.has(part) ? part : part.replace(MARKS, '\\$&').replace(PAIRS, '\\$&')))
    .join('')
    .replace(LINE_START, escapedStart);
}

/** Returns a link to a note for a body; where the name would break the link or change its meaning, the plain name. */
export function linkTo(name: string): string {
  return /[[\]|#^%`\\<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|::/u.test(name) ? escapeMarkdown(name) : `[[${name}]]`;
}

/** Returns text from outside for where marks cannot be escaped, such as a field: one line, without those characters. */
export function unmarked(text: string): string {
  return visible(text)
    .replace(/[[\]<>`|]/g, '')
    .trim();
}

/**
 * Names what in a text a program would render when it shows a field's value as Markdown; null where it is only text.
 */
export function liveMark(text: string): string | null {
  return FIELD_MARKS.find(([, mark]) => mark.test(text))?.[0] ?? null;
}

const FIELD_MARKS: readonly (readonly [what: string, mark: RegExp])[] = [
  ['an embed', /!\[/],
  ['a link with a text', /\]\(|\]\[/],
  ['an address', /[a-z]:\/\/|\bmailto:/i],
  ['HTML', /<[a-z!/?]/i],
  ['code', /`|~~~/],
  ['a template', /<%|%>|\{\{/],
  ['a comment', /%%/],
  ['an inline field', /::/],
  ['hidden text', /[\u200b\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u],
];

/** One line of visible text: direction marks, tag characters and the like can hide text from a reader. */
function visible(text: string): string {
  return text.replace(BREAKS, ' ').replace(UNSEEN, '').trim();
}

function escapedStart(mark: string): string {
  return /\d/.test(mark) ? `${mark}\\` : `\\${mark}`;
}
