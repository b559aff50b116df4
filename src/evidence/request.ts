/** The marks of a message: fences, runs of backticks, openings of requests, and blank lines, which end inline code. */
const MARKS =
  /^ {0,3}(?<fence>`{3,}|~{3,})(?<rest>[^\n]*)|(?<run>`+)|(?<opening>\[\[\s{0,9}request\s{0,9}:)|(?<blank>(?:^[ \t]*\r?\n)+)/gim;
/** How many characters of a request have their brackets matched. A longer request ends at the first `]]`. */
const MAX_BALANCED = 2_000;

interface Mark {
  readonly kind: 'fence' | 'run' | 'opening' | 'blank';
  /** The backticks or tildes of a fence or run. */
  readonly ticks: string;
  /** For a fence: whether nothing follows it on its line. */
  readonly bare: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the requests in an agent's message, in order, each on one line. Requests in code, fenced or inline, do not
 * count, and neither do openings that are never closed.
 */
export function parseRequests(message: string): readonly string[] {
  const marks = marksOf(message);
  const lastEnd = message.lastIndexOf(']]');
  const requests: string[] = [];
  let past = 0;
  for (let index = 0; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark === undefined || mark.from < past) continue;
    if (mark.kind === 'fence') index = closingFence(marks, index);
    if (mark.kind === 'run') index = closingRun(marks, index);
    const end = mark.kind === 'opening' && mark.to <= lastEnd ? endOfRequest(message, mark.to) : null;
    if (end === null) continue;
    requests.push(
      message
        .slice(mark.to, end - 2)
        .replace(/\s+/g, ' ')
        .trim(),
    );
    past = end;
  }
  return requests.filter((request) => request !== '');
}

function marksOf(message: string): readonly Mark[] {
  return [...message.matchAll(MARKS)].map((match) => {
    const { fence, run, opening, rest = '' } = match.groups ?? {};
    const kind =
      fence !== undefined ? 'fence' : run !== undefined ? 'run' : opening !== undefined ? 'opening' : 'blank';
    const ticks = fence ?? run ?? '';
    return { kind, ticks, bare: rest.trim() === '', from: match.index, to: match.index + match[0].length };
  });
}

/** Returns the index of the mark that closes a fenced block, or the end where none does. */
function closingFence(marks: readonly Mark[], opening: number): number {
  const ticks = marks[opening]?.ticks ?? '';
  for (let index = opening + 1; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark?.kind === 'fence' && mark.bare && mark.ticks.startsWith(ticks)) return index;
  }
  return marks.length;
}

/**
 * Returns the index of the mark that closes inline code: as many backticks in the same paragraph. Without one,
 * `opening`.
 */
function closingRun(marks: readonly Mark[], opening: number): number {
  const ticks = marks[opening]?.ticks;
  for (let index = opening + 1; index < marks.length; index += 1) {
    const mark = marks[index];
    if (mark?.kind === 'blank' || mark?.kind === 'fence') break;
    if (mark?.kind === 'run' && mark.ticks === ticks) return index;
  }
  return opening;
}

/** Returns the offset after the brackets that close a request. It may contain pairs, as in `a.b[0]` and `[[note]]`. */
function endOfRequest(text: string, at: number): number {
  let depth = 0;
  for (let end = at; end < Math.min(text.length, at + MAX_BALANCED); end += 1) {
    if (text[end] === '[') depth += 1;
    else if (text[end] === ']' && depth > 0) depth -= 1;
    else if (text.startsWith(']]', end)) return end + 2;
  }
  return text.indexOf(']]', at) + 2;
}
