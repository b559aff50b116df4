const UNSEEN = /[\p{Cf}\p{Co}\p{Cs}]/gu;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** What begins a link, an embed, HTML, code, a cell, a tag, a formula or a block's name, wherever it stands. */
const MARKS = /[\\`[\]<>|#$^]/g;
/**
 * What is a mark only beside its like: addresses, inline fields, comments, templates, fences, entities. Some programs
 * look for these in the bytes, whatever Markdown says of a backslash, so no two of them stay together.
 */
const PAIRS =
  /:(?=[:/])|(?<=:):|%(?=[%<>])|(?<=[%<>])%|~(?=~)|(?<=~)~|&(?=#|\w+;)|(?<=\w)@(?=\w)|(?<=\bwww)\.|(?<=\bmailto):/gi;
/** What at the beginning of a line makes a heading, a list, a quote or a rule of it. */
const LINE_START = /^(?:[-+*=_]|\d+(?=[.)]))/;

/**
 * Text from outside as a note's body shows it: one line that reads the same, and is nothing more than text in Obsidian,
 * its usual plugins and other readers of Markdown. Links to the notes in `names` stay links.
 */
export function escapeMarkdown(text: string, names: readonly string[] = []): string {
  const line = seen(text);
  const own = new Set(names.map(linkTo));
  return line
    .split(/(\[\[[^[\]]*\]\])/)
    .map((part) => (own.has(part) ? part : part.replace(MARKS, '\\$&').replace(PAIRS, '\\$&')))
    .join('')
    .replace(LINE_START, escapedStart);
}

/** A link to a note in a body; where its name would break the link, or mean something in it, its plain text. */
export function linkTo(name: string): string {
  return /[[\]|#^%`\\<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|::/u.test(name) ? escapeMarkdown(name) : `[[${name}]]`;
}

/** Text from outside where no mark can be written as text, such as in a field: one line, without what makes one. */
export function unmarked(text: string): string {
  return seen(text)
    .replace(/[[\]<>`|]/g, '')
    .trim();
}

/** What of a text is more than text where a program shows a field's value as Markdown, in a word; null where nothing is. */
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

/** One line of what can be seen: direction marks, tag characters and the like are how text is hidden from a reader. */
function seen(text: string): string {
  return text.replace(BREAKS, ' ').replace(UNSEEN, '').trim();
}

function escapedStart(mark: string): string {
  return /\d/.test(mark) ? `${mark}\\` : `\\${mark}`;
}
