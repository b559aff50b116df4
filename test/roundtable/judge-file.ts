import { readNote } from '../../src/vault/frontmatter.ts';

/** A label as it stands in a file: only plain characters between its brackets. */
const LABEL = /(?<![\p{L}\p{N}\\])([PT]\d{2})[*_]{0,3} ?\[([\p{L}\p{M}\p{N} .,;?!()'’“”"+/–—-]+)\]/gu;
/** What would be live in Obsidian or for its usual plugins, or is a bracket that belongs to no label. */
const LIVE = /[[\]<>`$#^]|::|%%|:\/\/|~~~|www\.|\|/i;

/** One section of a judge's file: its heading, its list, its tables, its other lines. */
export interface Section {
  readonly heading: string;
  readonly items: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly string[];
}

/** A judge's file as a program reads it. */
export interface JudgeFile {
  readonly roundtable: string;
  readonly round: number;
  readonly writtenBy: string;
  readonly sections: readonly Section[];
  /** Every label in it, in order. */
  readonly labels: readonly { readonly id: string; readonly label: string }[];
}

/** Reads scoreboard.md, tensions.md or round-N.summary.md by a strict grammar. Throws with the line that does not keep to it. */
export function parseJudgeFile(file: string, bytes: Buffer): JudgeFile {
  const read = readNote(file, bytes);
  if (!read.ok || read.note.block === null) throw new Error(`${file} has no frontmatter`);
  const { roundtable, round, written_by, ...others } = read.note.data;
  if (typeof roundtable !== 'string' || typeof round !== 'number' || typeof written_by !== 'string')
    throw new Error(`${file}: its fields are ${JSON.stringify(read.note.data)}`);
  if (Object.keys(others).length > 0) throw new Error(`${file}: it has the fields ${Object.keys(others)}`);
  const body = read.note.text.slice(read.note.block.end).replace(/^[^\n]*\n?/, '');
  const lines = body.split('\n');
  for (const line of lines) demandPlain(file, line);
  const labels = lines.flatMap((line) => [...line.matchAll(LABEL)].map(([, id = '', label = '']) => ({ id, label })));
  return { roundtable, round, writtenBy: written_by, sections: sectionsOf(lines), labels };
}

function demandPlain(file: string, line: string): void {
  if (/[PT]\d{2}[*_]{0,3} ?\\\[/.test(line.replace(/\\\\/g, ''))) throw new Error(`${file}: an escaped label: ${line}`);
  const text = line
    .replace(/^[ \t]*(?:#{1,6}[ \t]|>[ \t]?)/, '')
    .replace(/^\|.*\|$/, (row) => row.replaceAll(' | ', ' ').slice(1, -1))
    .replace(LABEL, (whole, id: string, _label, at: number, all: string) =>
      /^[(:[]/.test(all.slice(at + whole.length)) ? '[' : id,
    )
    .replace(/\\[!-/:-@[-`{-~]/g, ' ');
  const mark = LIVE.exec(text)?.[0];
  if (mark !== undefined) throw new Error(`${file}: ${JSON.stringify(mark)} is live in ${line}`);
}

function sectionsOf(lines: readonly string[]): Section[] {
  const starts = lines.flatMap((line, at) => (/^#{1,6} /.test(line) ? [at] : []));
  const hasPreamble = lines.slice(0, starts[0]).some((line) => line !== '');
  const begins = hasPreamble ? [-1, ...starts] : starts;
  return begins.map((at, nth) => {
    const own = lines.slice(at + 1, begins[nth + 1]);
    return {
      heading: (lines[at] ?? '').replace(/^#{1,6} /, ''),
      items: own.flatMap((line) => /^- (.*)$/.exec(line)?.[1] ?? []),
      rows: rowsOf(own.filter((line) => line.startsWith('|'))),
      lines: own.filter((line) => line !== '' && !/^(?:- |\|)/.test(line)),
    };
  });
}

function rowsOf(lines: readonly string[]): string[][] {
  const rows = lines.map((line) => line.slice(2, -2).split(' | '));
  const [head, rule, ...rest] = rows;
  if (head === undefined) return [];
  if (rule?.every((cell) => /^-{3}:?$/.test(cell)) !== true) throw new Error(`no rule under ${head.join(', ')}`);
  if (rest.some((row) => row.length !== head.length))
    throw new Error(`a row of another width under ${head.join(', ')}`);
  return [head, ...rest];
}
