import { wholeText } from './chats/whole-text.ts';
import { type Meeting, meetingOf, Occurrences, turnContent, turnStart } from './chats.ts';
import type { ItemReader } from './items.ts';
import { spokenLines } from './transcript-line.ts';

const MOST_BYTES = 32 * 1024 * 1024;
const HEADING = 1000;
const MOST_TEXT = 16_000;
/** No meeting has lasted so long when its first word is said: such a time is that of a clock. */
const CLOCK = 5 * 3600;

/** A turn with the number of its first line, from 0 on, and that of the line behind it. */
interface Stretch {
  readonly line: number;
  readonly end: number;
  readonly speaker: string | null;
  readonly second: number | null;
  readonly text: string;
}

/** Reads the transcript of a meeting: each turn of a speaker is one item. */
export const readTranscript: ItemReader = function* (source, from, door) {
  const text = wholeText(source, MOST_BYTES);
  const seen = new Occurrences();
  let meeting: Meeting | null = null;
  for (const { line, end, ...turn } of stretchesIn(text)) {
    meeting ??= meetingFor(door.file, text, turn.second, door);
    const nth = seen.next(String(turn.second), `${turn.speaker ?? ''}\0${turnStart(turn.text)}`);
    const known = meeting;
    if (line < from) continue;
    yield { at: line, next: end, place: `line ${line + 1}`, read: () => turnContent({ ...turn, nth }, known, door) };
  }
};

function meetingFor(file: string, text: string, first: number | null, door: { readonly zone: string }): Meeting {
  const meeting = meetingOf(file, text.slice(0, HEADING), door);
  return (first ?? 0) >= CLOCK ? { ...meeting, began: meeting.midnight } : meeting;
}

/** Yields who speaks how long. What stands before the first who is named is a heading. */
function* stretchesIn(text: string): Generator<Stretch> {
  let open: Gathered | null = null;
  let second: number | null = null;
  let end = 0;
  for (const line of spokenLines(text)) {
    const { nth, speaker } = line;
    second = line.second ?? second;
    if (speaker !== null && (speaker !== open?.speaker || open.isFull)) {
      if (open !== null) yield open.upTo(nth);
      open = new Gathered(nth, speaker, second);
    }
    open?.add(line.text);
    end = nth + 1;
  }
  if (open !== null) yield open.upTo(end);
}

/** A turn that is still being read. */
class Gathered {
  readonly #line: number;
  readonly speaker: string;
  readonly #second: number | null;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(line: number, speaker: string, second: number | null) {
    this.#line = line;
    this.speaker = speaker;
    this.#second = second;
  }

  get isFull(): boolean {
    return this.#length > MOST_TEXT;
  }

  add(words: string): void {
    if (words !== '' && !this.isFull) this.#lines.push(words);
    this.#length += words.length + 1;
  }

  upTo(end: number): Stretch {
    return { line: this.#line, end, speaker: this.speaker, second: this.#second, text: this.#lines.join('\n') };
  }
}
