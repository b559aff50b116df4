/** How long a line is that was broken because it was full, with its `:86:`. */
const FULL = 65;
const TAG = ':86:'.length;

/**
 * Puts lines together that were broken where they were full, within a word too. A shorter line ended where a space was, or
 * before a mark with which the next one begins.
 */
export function joined(lines: readonly string[], marks: string): string {
  return lines.reduce((text, line, nth) => {
    const before = lines[nth - 1];
    if (before === undefined) return line;
    const isBroken = before.length + (nth === 1 ? TAG : 0) >= FULL || marks.includes(line.charAt(0));
    return text + (isBroken ? '' : ' ') + line;
  }, '');
}
