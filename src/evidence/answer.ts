import type { Usage } from '../steward/ports/evaluator.ts';
import { type Citation, cite, type Extract, type Finding } from './files.ts';
import { tokensIn } from './tokens.ts';

/** The answer to a request. */
export interface Answer {
  /** Whether something was found. */
  readonly ok: boolean;
  /** The answer with its header, within the token limit. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** `deterministic`, `search`, the short name of a model, or `none` where nothing was looked up. */
  readonly by: string;
  readonly seconds: number;
  /** The paths that were looked at. */
  readonly checked: readonly string[];
  /** An upper bound on the tokens of `text`. */
  readonly tokens: number;
  /** The sum over all models that were asked; null where none was. */
  readonly usage: Usage | null;
}

/** What an answer is written from besides its finding: who asked, who looked and for how long, the token limit. */
interface AnswerContext {
  readonly agent: string;
  readonly by: string;
  readonly seconds: number;
  readonly maxTokens: number;
  readonly usage: Usage | null;
}

const TRUNCATED = '[truncated]';
const MAX_STATED = 4_000;
const MAX_CHECKED = 20;

/** Writes a finding as an answer: header, statements, then each extract verbatim below its citation. */
export function answerOf(finding: Finding, context: AnswerContext): Answer {
  const { by, seconds, maxTokens, usage } = context;
  const page = new BoundedPage(headerOf(context), maxTokens);
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

function headerOf({ agent, by, seconds }: AnswerContext): string {
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
 * A text that never exceeds its token limit. Each extract is in a fence longer than any inside it, so that nothing in a
 * file can end its extract, imitate a header, or be read as a request.
 */
class BoundedPage {
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

  /** Adds a statement as one line. */
  state(statement: string): void {
    const line = statement.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    const short = line.length > MAX_STATED ? `${line.slice(0, MAX_STATED)} ${TRUNCATED}` : line;
    this.#add(short);
  }

  /** Adds as many lines of an extract as fit. Returns their citation, or nothing where not one line fits. */
  show(extract: Extract): readonly Citation[] {
    if (this.#full) return [];
    const fence = fenceFor(extract.lines);
    const frame = `${headOf(extract, extract.part)}\n${fence}\n\n${fence}\n`;
    const room = this.#left - tokensIn(frame) - 4;
    const lines = fitting(extract.lines, room);
    if (lines.length === 0) return this.#partOfLine(extract, room, fence);
    const citation = { path: extract.path, first: extract.first, last: extract.first + lines.length - 1 };
    this.#add(`${headOf(citation, extract.part)}\n${fence}\n${lines.join('\n')}\n${fence}`);
    if (lines.length < extract.lines.length) this.#stop(`${TRUNCATED} of ${cite(extract)}`);
    return [citation];
  }

  /** Adds the beginning of a line that is too long for the page. */
  #partOfLine(extract: Extract, room: number, fence: string): readonly Citation[] {
    const [line = ''] = extract.lines;
    const start = startOf(line, room);
    if (start === '') {
      this.#stop(TRUNCATED);
      return [];
    }
    const citation = { path: extract.path, first: extract.first, last: extract.first };
    this.#add(`${headOf(citation, extract.part)}\n${fence}\n${start}\n${fence}`);
    this.#stop(TRUNCATED);
    return [citation];
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

  // Room for the bare mark is reserved from the start. The longer one, which says what was cut, is used only if it fits.
  #stop(mark: string): void {
    if (this.#full) return;
    this.#full = true;
    const fits = tokensIn([...this.#parts, mark].join('\n')) <= this.#max;
    this.#parts.push(fits ? mark : TRUNCATED);
  }
}

/** Returns the line above an extract: where it stands, and what it is. */
function headOf(citation: Citation, part: string | null): string {
  return part === null ? cite(citation) : `${cite(citation)} — ${part}`;
}

function fitting(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  const over = lines.findIndex((line) => {
    left -= tokensIn(`${line}\n`);
    return left < 0;
  });
  return over === -1 ? lines : lines.slice(0, over);
}

/** Returns as much of the beginning of a line as fits, in whole characters. */
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
