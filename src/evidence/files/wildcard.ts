/** Returns whether a text contains a wildcard: `*`, `?`, or alternatives in braces. */
export function isWild(text: string): boolean {
  return /[*?{]/.test(text);
}

/** Expands alternatives in braces: `a.{ts,js}` into two patterns. Returns at most `max`. Braces do not nest. */
export function expandBraces(pattern: string, max: number): readonly string[] {
  let patterns = [''];
  for (const part of pattern.split(/(\{[^{}]*\})/)) {
    const choices = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1).split(',') : [part];
    patterns = patterns.flatMap((prefix) => choices.map((choice) => prefix + choice)).slice(0, max);
  }
  return patterns;
}

/** Returns whether a name without slashes matches a pattern with `*` for any characters and `?` for one. */
export function nameFits(name: string, pattern: string): boolean {
  const ending = pattern.slice(1);
  // Most patterns are of this form, and most names are asked for one.
  if (pattern.startsWith('*') && !/[*?]/.test(ending)) return name.endsWith(ending);
  return fits([...name], [...pattern], (one, wanted) => wanted === '?' || one === wanted, '*');
}

/** Returns whether a path matches a pattern whose segments are such patterns, with `**` for any number of folders. */
export function pathFits(path: string, pattern: string): boolean {
  return fits(path.split('/'), pattern.split('/'), nameFits, '**');
}

/** The common two-pointer match without recursion: after a mismatch, only the last star takes one item more. */
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
