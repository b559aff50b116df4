import type { Usage } from '../steward/ports/evaluator.ts';
import { type Citation, cite, type Extract, type Finding } from './files/finding.ts';
import { tokensIn } from './tokens.ts';

/** What came of a request. */
export interface Answer {
  /** Whether something was found and is handed out. */
  readonly ok: boolean;
  /** With its header; at most as many tokens as were asked for. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** `deterministic`, `search`, `none` where nothing was looked for, or the short name of the model that looked. */
  readonly by: string;
  readonly seconds: number;
  /** What was looked at. */
  readonly checked: readonly string[];
  /** Of `text`, at most. */
  readonly tokens: number;
  /** What was taken of all the models that were asked; null where none was. */
  readonly usage: Usage | null;
}

/** Who asked, who looked and for how long, and what an answer may take. */
interface Occasion {
  readonly agent: string;
  readonly by: string;
  readonly seconds: number;
  readonly maxTokens: number;
  readonly usage: Usage | null;
}

const TRUNCATED = '[truncated]';
const MAX_STATED = 4_000;
const MAX_CHECKED = 20;

/** A finding as it is handed out: header, statements, then each extract verbatim under its place. */
export function answerOf(finding: Finding, occasion: Occasion): Answer {
  const { by, seconds, maxTokens, usage } = occasion;
  const page = new Page(headerOf(occasion), maxTokens);
  for (const statement of finding.found ? finding.statements : nothing(finding)) page.state(statement);
  const shown = finding.extracts.flatMap((extract) => page.show(extract));
  const text = page.text;
  return {
    ok: finding.found,
    text,
    citations: [...shown, ...finding.citations],
    by,
    seconds,
    checked: finding.checked,
    tokens: tokensIn(text),
    usage,
  };
}

function headerOf({ agent, by, seconds }: Occasion): string {
  const name = agent.replace(/[\p{Cc}\p{Zl}\p{Zp}[\]|]+/gu, ' ').trim();
  return `[Research result for ${name} | ${by} | ${seconds.toFixed(1)}s]:`;
}

function nothing({ statements, checked }: Finding): readonly string[] {
  const shown = checked
    .slice(0, MAX_CHECKED)
    .map((path) => (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path));
  const rest = checked.length > MAX_CHECKED ? ` and ${checked.length - MAX_CHECKED} more` : '';
  return ['Not found.', ...statements, `Checked: ${shown.length === 0 ? 'nothing' : shown.join(', ')}${rest}.`];
}

/**
 * A text that never takes more than its tokens. Extracts stand in fences longer than any within them, so that nothing in
 * a file can end its extract, look like a header, or be taken for a request.
 */
class Page {
  readonly #parts: string[];
  readonly #max: number;
  #left: number;
  #full = false;

  constructor(header: string, maxTokens: number) {
    this.#parts = [header];
    this.#max = maxTokens;
    this.#left = maxTokens - tokensIn(header) - tokensIn(TRUNCATED) - 2;
  }

  get text(): string {
    return this.#parts.join('\n');
  }

  state(statement: string): void {
    const line = statement.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    const short = line.length > MAX_STATED ? `${line.slice(0, MAX_STATED)} ${TRUNCATED}` : line;
    this.#add(short);
  }

  /** Shows as many lines as there is room for. Gives the place of those, or nothing where not one fits. */
  show(extract: Extract): readonly Citation[] {
    if (this.#full) return [];
    const fence = fenceFor(extract.lines);
    const frame = `${cite(extract)}\n${fence}\n\n${fence}\n`;
    const room = this.#left - tokensIn(frame) - 4;
    const lines = fitting(extract.lines, room);
    if (lines.length === 0) return this.#partOfLine(extract, room, fence);
    const place = { path: extract.path, first: extract.first, last: extract.first + lines.length - 1 };
    this.#add(`${cite(place)}\n${fence}\n${lines.join('\n')}\n${fence}`);
    if (lines.length < extract.lines.length) this.#stop(`${TRUNCATED} of ${cite(extract)}`);
    return [place];
  }

  /** The beginning of a line that is too long for the page. */
  #partOfLine(extract: Extract, room: number, fence: string): readonly Citation[] {
    const [line = ''] = extract.lines;
    const start = startOf(line, room);
    if (start === '') {
      this.#stop(TRUNCATED);
      return [];
    }
    const place = { path: extract.path, first: extract.first, last: extract.first };
    this.#add(`${cite(place)}\n${fence}\n${start}\n${fence}`);
    this.#stop(TRUNCATED);
    return [place];
  }

  #add(part: string): void {
    const tokens = tokensIn(part) + 1;
    if (this.#full) return;
    if (tokens > this.#left) {
      this.#stop(TRUNCATED);
      return;
    }
    this.#parts.push(part);
    this.#left -= tokens;
  }

  // Room for the word itself was kept from the start; what it is cut from is said only where that fits too.
  #stop(word: string): void {
    if (this.#full) return;
    this.#full = true;
    const fits = tokensIn([...this.#parts, word].join('\n')) <= this.#max;
    this.#parts.push(fits ? word : TRUNCATED);
  }
}

function fitting(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  const over = lines.findIndex((line) => {
    left -= tokensIn(`${line}\n`);
    return left < 0;
  });
  return over === -1 ? lines : lines.slice(0, over);
}

/** As much of the beginning of a line as fits, in whole characters. */
function startOf(line: string, room: number): string {
  const characters = [...line.slice(0, 4 * Math.max(0, room))];
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tokensIn(characters.slice(0, middle).join('')) <= room) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join('');
}

function fenceFor(lines: readonly string[]): string {
  const longest = lines.reduce(
    (most, line) => Math.max(most, ...[...line.matchAll(/`{3,}/g)].map(([run]) => run.length)),
    2,
  );
  return '`'.repeat(longest + 1);
}
