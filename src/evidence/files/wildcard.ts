/** Whether a text holds a wildcard: `*`, `?`, or choices in braces. */
export function isWild(text: string): boolean {
  return /[*?{]/.test(text);
}

/** The patterns that choices in braces stand for: `a.{ts,js}` for two of them. At most `max`; braces do not nest. */
export function expandBraces(pattern: string, max: number): readonly string[] {
  let patterns = [''];
  for (const part of pattern.split(/(\{[^{}]*\})/)) {
    const choices = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1).split(',') : [part];
    patterns = patterns.flatMap((begun) => choices.map((choice) => begun + choice)).slice(0, max);
  }
  return patterns;
}

/** Whether a name (no slashes) fits a pattern in which `*` stands for any run and `?` for one character. Linear. */
export function nameFits(name: string, pattern: string): boolean {
  return fits([...name], [...pattern], (one, wanted) => wanted === '?' || one === wanted, '*');
}

/** Whether a path fits a pattern whose segments are such patterns, and `**` any run of folders. */
export function pathFits(path: string, pattern: string): boolean {
  return fits(path.split('/'), pattern.split('/'), nameFits, '**');
}

/** The known two-pointer match: after a mismatch, only the last star takes one more. */
function fits<One>(
  given: readonly One[],
  pattern: readonly string[],
  same: (one: One, wanted: string) => boolean,
  star: string,
): boolean {
  let [at, wanted, starAt, resume] = [0, 0, -1, 0];
  while (at < given.length) {
    const [one, want] = [given[at], pattern[wanted]];
    if (want === star) {
      [starAt, resume] = [wanted, at];
      wanted += 1;
    } else if (one !== undefined && want !== undefined && same(one, want)) {
      at += 1;
      wanted += 1;
    } else if (starAt !== -1) {
      resume += 1;
      [at, wanted] = [resume, starAt + 1];
    } else return false;
  }
  return pattern.slice(wanted).every((left) => left === star);
}
