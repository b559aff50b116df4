import { CodeFences } from './code-fences.ts';

/** A file or glob that a briefing registers: the paths it may mean, the likeliest first. */
export interface RegisteredItem {
  readonly candidates: readonly string[];
  /** 1-based, in the text. */
  readonly line: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\n]*)$/;
const BULLET = /^[ \t]{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?([^\n]*)$/;
const TITLE = 'steward-registered files';
/** What may separate a path from a comment on it. */
const COMMENT = /\s(?:—|–|--?|#|\/\/)\s|<!--|:\s|\t/;

/** Returns the items of a briefing's section `## Steward-Registered Files`; null where there is no such section. */
export function registeredItems(text: string): readonly RegisteredItem[] | null {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  let level: number | null = null;
  const fences = new CodeFences();
  let comment: string | null = null;
  const items: RegisteredItem[] = [];
  for (const [index, line] of lines.entries()) {
    const within = comment !== null;
    if (!fences.isOpen) comment = commentAfter(line.replace(/`[^`]*`/g, ''), comment);
    if (within || fences.isCode(line)) continue;
    const [, marks = '', title = ''] = HEADING.exec(line) ?? [];
    if (isTitle(title)) level = marks.length;
    else if (level !== null && marks !== '' && marks.length <= level) break;
    const written = level === null ? undefined : BULLET.exec(line)?.[1];
    if (written !== undefined) items.push({ candidates: candidatesOf(written.trim()), line: index + 1 });
  }
  return level === null ? null : items;
}

/** Returns the end mark of the HTML or Obsidian comment that is open after a line; null where none is. */
function commentAfter(line: string, open: string | null): string | null {
  if (open !== null) return line.includes(open) ? null : open;
  if (line.lastIndexOf('<!--') > line.lastIndexOf('-->')) return '-->';
  return line.split('%%').length % 2 === 0 ? '%%' : null;
}

function isTitle(title: string): boolean {
  const bare = title.trim().replace(/(?<=\s)#+$/, '');
  return bare.trim().toLowerCase() === TITLE;
}

/** Backticks, quotes or a link delimit a path. A bare path ends at a comment or at its first blank. */
function candidatesOf(written: string): readonly string[] {
  const marked =
    /^(?:(`+)([^`]+)\1|"([^"]+)"|'([^']+)'|\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]|\[[^\]]*\]\(<?([^)>]+)>?\))/.exec(written);
  if (marked !== null)
    return withNote(marked.slice(2).find((part) => part !== undefined) ?? '', marked[5] !== undefined);
  const path = written.split(COMMENT, 1)[0]?.trim() ?? '';
  const word = path.split(/\s/, 1)[0] ?? '';
  return [...new Set([path, word])].filter((one) => one !== '');
}

// A wikilink names a note without its extension.
function withNote(path: string, isLink: boolean): readonly string[] {
  return isLink ? [path.trim(), `${path.trim()}.md`] : [path.trim()];
}
