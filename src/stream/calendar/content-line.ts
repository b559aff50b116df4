/** A line as it is meant, where it may have been folded into several. */
interface Line {
  readonly text: string;
  /** Its number in the file, from 1 on. */
  readonly at: number;
}

/** One property of an entry, as its line has it. */
export interface Property {
  /** In capitals. */
  readonly name: string;
  /** By their names in capitals, without quotes. */
  readonly params: ReadonlyMap<string, string>;
  /** As written, escapes and all. */
  readonly value: string;
  readonly line: number;
}

/** More of a line is not read: nothing that is made of it is so long. */
const MOST = 65_536;
const NAME = /^[A-Za-z0-9-]{1,100}(?=[;:])/;
const ESCAPED = /\\([\\;,nN"])/g;

/** Returns the lines of a calendar, unfolded: one that begins with a blank goes on from the one before. */
export function* linesIn(text: string): Generator<Line> {
  let parts: string[] = [];
  let [length, began, number] = [0, 1, 0];
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at);
    const isMore = text[at] === ' ' || text[at] === '\t';
    number += 1;
    if (!isMore) {
      if (length > 0) yield { text: parts.join(''), at: began };
      [parts, length, began] = [[], 0, number];
    }
    const part = text.slice(isMore ? at + 1 : at, Math.min(end, at + MOST - Math.min(length, MOST))).replace(/\r$/, '');
    if (part !== '') parts.push(part);
    length += part.length;
    at = end + 1;
  }
  if (length > 0) yield { text: parts.join(''), at: began };
}

/** Returns the property of a line; null where it is none. */
export function propertyIn({ text, at }: Line): Property | null {
  const name = nameIn(text);
  if (name === null) return null;
  const [colon, marks] = headEnd(text, name.length);
  if (colon === -1) return null;
  const params = new Map<string, string>();
  for (const [nth, mark] of marks.entries()) {
    const [key = '', value = ''] = splitAt(text.slice(mark + 1, marks[nth + 1] ?? colon), '=');
    if (!params.has(key.toUpperCase())) params.set(key.toUpperCase(), value.replaceAll('"', ''));
  }
  return { name, params, value: text.slice(colon + 1), line: at };
}

/** Returns the name of a line's property in capitals; null where the line has none. */
export function nameIn(text: string): string | null {
  return NAME.exec(text)?.[0].toUpperCase() ?? null;
}

/** Returns a value of text without its escapes. */
export function textOf({ value }: Property): string {
  return value.replace(ESCAPED, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Returns where the value's colon is, −1 without one, and where each parameter begins; neither counts between quotes. Some write an address without. */
function headEnd(text: string, from: number): [number, readonly number[]] {
  const marks: number[] = [];
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (sign === ':' && !(marks.length > 0 && text.startsWith('//', at + 1))) return [at, marks];
    if (sign === ';') marks.push(at);
  }
  return [-1, marks];
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
