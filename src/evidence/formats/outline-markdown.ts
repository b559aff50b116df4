import { CodeFences } from '../files/code-fences.ts';
import type { NamedPart } from './named-part.ts';
import { yamlNames } from './outline-yaml.ts';

const FRONTMATTER = /^---[ \t]*\r?\n/;
const FRONTMATTER_END = /^(?:---|\.\.\.)[ \t]*\r?$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\r\n]*)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*\r?$/;

/** Returns the headings of a Markdown text, each with its section, and the fields of its frontmatter. */
export function markdownNames(text: string): readonly NamedPart[] {
  const block = frontmatterOf(text);
  return [...(block === null ? [] : fieldsIn(text, block)), ...headingsIn(text, block?.to ?? 0)];
}

/** Returns the fields of the frontmatter. None where it is malformed, so that the headings are still found. */
function fieldsIn(text: string, { from, to }: { readonly from: number; readonly to: number }): readonly NamedPart[] {
  try {
    // A comment of the same length replaces the fence, so that the offsets are those of the note.
    return yamlNames(`${'#'.repeat(from - 1)}\n${text.slice(from, to)}`);
  } catch {
    return [];
  }
}

/** Returns the offsets of the text between the fences, or null. */
function frontmatterOf(text: string): { readonly from: number; readonly to: number } | null {
  const opening = FRONTMATTER.exec(text);
  if (opening === null) return null;
  const from = opening[0].length;
  for (const line of linesFrom(text, from)) if (FRONTMATTER_END.test(line.line)) return { from, to: line.from };
  return null;
}

interface Heading {
  readonly name: string;
  readonly level: number;
  readonly from: number;
}

function headingsIn(text: string, body: number): readonly NamedPart[] {
  const headings: Heading[] = [];
  const fences = new CodeFences();
  let before: { line: string; from: number } | null = null;
  for (const { line, from } of linesFrom(text, body)) {
    const isCode = fences.isCode(line);
    const heading = isCode ? null : headingAt(line, from, before);
    if (heading !== null) headings.push(heading);
    before = isCode ? null : { line, from };
  }
  return sectionsOf(headings, text.length);
}

function headingAt(line: string, from: number, before: { line: string; from: number } | null): Heading | null {
  const [, marks, title = ''] = HEADING.exec(line) ?? [];
  if (marks !== undefined) return { name: plain(title), level: marks.length, from };
  const isText = before !== null && /\S/.test(before.line) && !/^\s{0,9}(?:[#>|*+-]|\d+[.)])/.test(before.line);
  if (!isText || !UNDERLINE.test(line)) return null;
  return { name: plain(before.line), level: line.includes('=') ? 1 : 2, from: before.from };
}

/** A section extends to the next heading of the same or a higher level. */
function sectionsOf(headings: readonly Heading[], end: number): readonly NamedPart[] {
  const open: Heading[] = [];
  const parts: NamedPart[] = [];
  const close = (level: number, to: number) => {
    for (let top = open.at(-1); top !== undefined && top.level >= level; top = open.at(-1)) {
      parts.push({ name: top.name, kind: 'heading', noun: 'section', from: top.from, to });
      open.pop();
    }
  };
  for (const heading of headings) {
    close(heading.level, heading.from);
    open.push(heading);
  }
  close(0, end);
  return parts;
}

function plain(title: string): string {
  return title
    .trim()
    .replace(/(?<=\s)#+$/, '')
    .replace(/[*_`]/g, '')
    .trim();
}

function* linesFrom(text: string, start: number): Generator<{ readonly line: string; readonly from: number }> {
  for (let from = start; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield { line: text.slice(from, to), from };
    from = to + 1;
  }
}
