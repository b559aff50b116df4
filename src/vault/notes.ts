import { linkKey } from './links.ts';
import { nameTime, nameTimeExact } from './time.ts';

/** The checkboxes of a note's body. */
export interface Checkboxes {
  readonly open: number;
  /** Ticked, or crossed out (`[-]`). */
  readonly ticked: number;
}

/** `- [x] text`, also numbered, indented and quoted: the mark is what stands in the brackets. */
const BOX = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\](?:[ \t]|$)/u;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
/** Themes know many more marks: started, put off, a question. Whatever is none of these is still open. */
const TICKED: ReadonlySet<string> = new Set(['x', 'X', '-']);

/** Returns how many checkboxes a note's body has; null where there are none. What stands in a block of code is none. */
export function checkboxesIn(body: string): Checkboxes | null {
  const marks = boxesOf(body).map(({ mark }) => mark);
  const ticked = marks.filter((mark) => TICKED.has(mark)).length;
  return marks.length === 0 ? null : { open: marks.length - ticked, ticked };
}

/** Returns the last line with a ticked checkbox, without the spaces around it; null where none is ticked. */
export function lastTicked(body: string): string | null {
  return boxesOf(body).findLast(({ mark }) => TICKED.has(mark))?.line ?? null;
}

/** Returns each line with a checkbox that is ticked with an x, without the spaces around it. */
function tickedLines(body: string): string[] {
  return boxesOf(body).flatMap(({ mark, line }) => (mark === 'x' || mark === 'X' ? [line] : []));
}

interface Box {
  readonly line: string;
  readonly mark: string;
}

function boxesOf(body: string): Box[] {
  if (!body.includes('[')) return []; // most notes have none, and are read often
  const boxes: Box[] = [];
  let fence: string | null = null;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const marks = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (marks?.startsWith(fence)) fence = null;
      continue;
    }
    fence = marks;
    const mark = marks === null ? BOX.exec(line)?.[1] : undefined;
    if (mark !== undefined) boxes.push({ line: line.trim(), mark });
  }
  return boxes;
}

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

/** Returns the notes that could be meant as a list of checkboxes: on a phone, one tick there is the whole answer. */
export function choiceList(links: readonly string[]): string {
  // A name that would break the link stands there as text: it is chosen by writing it.
  return links.map((link) => `- [ ] ${linkTo(link.slice(2, -2))}`).join('\n');
}

/**
 * Returns which of the candidates are ticked in a note's body, each once and as it stands among the candidates. A line
 * counts where it holds the link and nothing else but the day that a plugin puts behind what is ticked: with other words
 * it is a line of somebody's own. A link with a shown name is none: it may show another note than it means.
 */
export function tickedCandidates(body: string, candidates: readonly string[]): string[] {
  if (candidates.length === 0) return [];
  const links = tickedLines(body).flatMap((line) => LINE.exec(line)?.[1] ?? []);
  const ticked = new Set(links.map(linkKey));
  return candidates.filter((link) => ticked.has(linkKey(link)));
}

const LINE = /^[^[]*\[.\][ \t]+(\[\[[^[\]|]+\]\])(?:[ \t]+(?:✅|\[completion::)[ \t]*\d{4}-\d\d-\d\d\]?)?$/u;

/**
 * Returns the note that a person has chosen: by what they wrote, else by the only tick. Null where they have chosen none,
 * or where written word and ticks, or two ticks, mean different notes.
 */
export function chosenIn({ choose, ticked }: Choosing): string | null {
  const chosen = choose === null ? [] : [choose];
  const [first, ...others] = new Map([...chosen, ...ticked].map((link) => [linkKey(link), link])).values();
  return others.length > 0 ? null : (first ?? null);
}

/** Whether a person has said something of which note is meant, even if nobody could tell which. */
export function isChosenIn({ choose, ticked }: Choosing): boolean {
  return choose !== null || ticked.length > 0;
}

interface Choosing {
  readonly choose: string | null;
  readonly ticked: readonly string[];
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;

/** Returns the name of a month, 0 to 11. */
export function monthName(month: number): string {
  return MONTHS[month] ?? '';
}

/** Returns a date as a field has it, as people say it: `16 December 2026`, `16 December 2026, 9:20`. What is no date stays as it is. */
export function dateInWords(written: string): string {
  const [, year, month, day, hour, minute] = WRITTEN.exec(written) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (year === undefined || name === undefined) return written;
  const time = hour === undefined ? '' : `, ${Number(hour)}:${minute}`;
  return `${Number(day)} ${name} ${year}${time}`;
}

/**
 * The times in the names of event notes: to the second, or to the millisecond where another was named within the same
 * second, so that the names show in which order things happened.
 */
export class EventClock {
  #last = Number.NEGATIVE_INFINITY;

  /** Returns the time for a name; `isFree` says whether no note has that name yet. `now` in epoch ms. */
  next(now: number, isFree: (time: string) => boolean): string {
    const isFirst = Math.floor(now / 1000) !== Math.floor(this.#last / 1000);
    if (isFirst && isFree(nameTime(now))) {
      this.#last = now;
      return nameTime(now);
    }
    let at = isFirst ? now : Math.max(now, this.#last + 1);
    while (!isFree(nameTimeExact(at))) at += 1;
    this.#last = at;
    return nameTimeExact(at);
  }
}
