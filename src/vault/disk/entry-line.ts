/** A line of a log of entries: what lies under a key from now on, or that nothing does. */
export interface EntryLine {
  readonly key: string;
  /** Undefined where nothing lies under the key any more. */
  readonly value: unknown;
  /** How long the line is. */
  readonly chars: number;
}

/** The lines of a part of a log. */
interface PartLines {
  readonly lines: readonly EntryLine[];
  /** How many lines are none of the program's. A last one without its end was cut off by a crash, and is not counted. */
  readonly bad: number;
  /** Whether the last line has its end. */
  readonly isWhole: boolean;
}

/** Returns the line that says what lies under a key; that nothing does where the value is undefined. */
export function lineOf(key: string, value: unknown): string {
  return `${JSON.stringify(value === undefined ? [key] : [key, value])}\n`;
}

/** Returns the lines of a text. */
export function linesIn(text: string): PartLines {
  const all = text.split('\n');
  const rest = all.pop() ?? '';
  const lines: EntryLine[] = [];
  let bad = 0;
  for (const one of all) {
    const line = one === '' ? null : lineIn(one);
    if (line !== null) lines.push(line);
    else if (one !== '') bad += 1;
  }
  const last = lineIn(rest);
  return { lines: last === null ? lines : [...lines, last], bad, isWhole: rest === '' };
}

function lineIn(text: string): EntryLine | null {
  const entry = parsed(text);
  if (!Array.isArray(entry) || entry.length < 1 || entry.length > 2) return null;
  const [key, value]: readonly unknown[] = entry;
  return typeof key === 'string' ? { key, value, chars: text.length + 1 } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
