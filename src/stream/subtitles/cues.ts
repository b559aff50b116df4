import { secondsIn } from '../chats/seconds.ts';
import { linesOf } from '../chats/text-lines.ts';

/** What is shown at one time. */
interface Cue {
  /** The number of its first line, from 0 on, and that of the line behind it. */
  readonly line: number;
  readonly end: number;
  /** Seconds from the beginning; null where its times cannot be read. */
  readonly from: number | null;
  readonly until: number;
  readonly lines: readonly string[];
}

const ARROW = '-->';
/** Blocks that say how something is shown, and comments. */
const NO_CUE = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t]|$)/;
const MOST_LINES = 200;
const MOST_LINE = 2000;

/** Yields the cues of a file in order, those with times that cannot be read among them. */
export function* cuesIn(text: string): Generator<Cue> {
  let block: string[] = [];
  let [start, last] = [0, 0];
  for (const { nth, text: line } of linesOf(text)) {
    last = nth + 1;
    if (line.trim() === '') {
      yield* cuesOf(block, start, nth);
      block = [];
      continue;
    }
    // A time in the middle of a block begins the next cue: its blank line was lost.
    if (line.includes(ARROW) && block.some((one) => one.includes(ARROW))) {
      const carried = /^\d{1,9}$/.test(block.at(-1)?.trim() ?? '') ? block.splice(-1) : [];
      yield* cuesOf(block, start, nth - carried.length);
      block = carried;
      start = nth - carried.length;
    }
    if (block.length === 0) start = nth;
    if (block.length < MOST_LINES) block.push(line.slice(0, MOST_LINE));
  }
  yield* cuesOf(block, start, last);
}

function* cuesOf(block: readonly string[], line: number, end: number): Generator<Cue> {
  const arrow = block.findIndex((one) => one.includes(ARROW));
  if (arrow < 0 || NO_CUE.test(block[0] ?? '')) return;
  const [before = '', after = ''] = (block[arrow] ?? '').split(ARROW);
  const [from, until] = [secondsIn(before), secondsIn(after.trim().split(/\s/, 1)[0] ?? '')];
  const lines = block.slice(arrow + 1);
  yield { line, end, from: until === null ? null : from, until: until ?? 0, lines };
}
