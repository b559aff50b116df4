import { sha256 } from '../hash.ts';

/** The two comments between which the program keeps a part of a note's body. */
export interface PartMarks {
  readonly begin: string;
  readonly end: string;
}

/** A kept part as it stands in a note. `unclear`: its marks are not there once each, so nobody knows what they hold. */
type FoundPart =
  | { readonly kind: 'absent' | 'unclear' }
  | {
      readonly kind: 'found';
      /** Offsets of the whole part, its marks included. */
      readonly start: number;
      readonly end: number;
      /** Whether the text is as the program wrote it; null where the line that tells is gone. */
      readonly isOwn: boolean | null;
    };

/** Returns a text between its marks. The line before the last says later whether it is still the program's. */
export function keptPart({ begin, end }: PartMarks, text: string): string {
  return `${begin}\n\n${text}\n\n%% ${fingerprint(text)} %%\n${end}`;
}

/** Returns where a kept part stands in a note, and whether anybody has edited it. */
export function findPart(note: string, { begin, end }: PartMarks): FoundPart {
  const body = FRONTMATTER.exec(note)?.[0].length ?? 0;
  const [begins, ends] = [offsetsOf(note, begin, body), offsetsOf(note, end, body)];
  const [first, last] = [begins[0], ends[0]];
  if (first === undefined && last === undefined) return { kind: 'absent' };
  if (first === undefined || last === undefined || begins.length + ends.length > 2 || last < first)
    return { kind: 'unclear' };
  const isOwn = isAsWritten(note.slice(first + begin.length, last));
  return { kind: 'found', start: first, end: last + end.length, isOwn };
}

/**
 * Returns a note with another text in its kept part, and every other byte as it was; null where the part is not there as
 * the program wrote it: then it stays as it is.
 */
export function withPart(note: string, marks: PartMarks, text: string): string | null {
  const part = findPart(note, marks);
  if (part.kind !== 'found' || part.isOwn !== true) return null;
  const eol = note.startsWith('\r\n', part.start + marks.begin.length) ? '\r\n' : '\n';
  return note.slice(0, part.start) + keptPart(marks, text).replaceAll('\n', eol) + note.slice(part.end);
}

/** What a field holds is no mark, whoever wrote it. */
const FRONTMATTER = /^\uFEFF?---\r?\n[\s\S]*?\n---(?=\r?\n|$)/;

function offsetsOf(note: string, mark: string, from: number): number[] {
  const offsets: number[] = [];
  for (let at = note.indexOf(mark, from); at >= 0; at = note.indexOf(mark, at + 1)) offsets.push(at);
  return offsets;
}

function isAsWritten(inside: string): boolean | null {
  const { index, 0: line, 1: said } = /^%% ([0-9a-f]{16}) %%\s*$/m.exec(inside) ?? { index: 0, 0: '', 1: undefined };
  if (said === undefined) return null;
  return inside.slice(index + line.length).trim() === '' && fingerprint(inside.slice(0, index)) === said;
}

function fingerprint(text: string): string {
  return sha256(text.replaceAll('\r\n', '\n').trim()).slice(0, 16);
}
