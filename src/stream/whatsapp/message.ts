import { linesOf } from '../chats/text-lines.ts';
import { firstLine, type Stamp } from './stamp.ts';

/** One message of a WhatsApp export, as it stands there. */
export interface WhatsAppMessage {
  /** The number of its first line, from 0 on, and that of the line behind it. */
  readonly line: number;
  readonly end: number;
  readonly stamp: Stamp;
  /** Null for a line of the program itself: who joined, what the group is called. */
  readonly author: string | null;
  readonly text: string;
}

/** As much of a message is kept. */
const MAX_KEPT = 40_000;
const AUTHOR = /^([^:\n]{1,120}):(?: |$|(?=[^\s\d/]))/;
/** `Anna changed the subject to "Trip: 12 May"` is no author. */
const NO_AUTHOR = /["“”«»„]|https?$/;

/** Yields the messages of an export in order. What stands before the first is no message. */
export function* messagesIn(text: string): Generator<WhatsAppMessage> {
  let open: Gathered | null = null;
  let last = 0;
  for (const { nth, text: line } of linesOf(text)) {
    const first = firstLine(line);
    if (first !== null) {
      if (open !== null) yield open.upTo(nth);
      open = new Gathered(nth, first.stamp, first.rest);
    } else open?.add(line);
    last = nth + 1;
  }
  if (open !== null) yield open.upTo(last);
}

/** A message whose lines are still being read. */
class Gathered {
  readonly #line: number;
  readonly #stamp: Stamp;
  readonly #lines: string[];
  #kept: number;

  constructor(line: number, stamp: Stamp, first: string) {
    this.#line = line;
    this.#stamp = stamp;
    this.#lines = [first];
    this.#kept = first.length;
  }

  add(line: string): void {
    if (this.#kept < MAX_KEPT) this.#lines.push(line);
    this.#kept += line.length + 1;
  }

  upTo(end: number): WhatsAppMessage {
    const written = this.#lines.join('\n').slice(0, MAX_KEPT);
    const found = AUTHOR.exec(written);
    const name = found?.[1] ?? null;
    const author = name === null || NO_AUTHOR.test(name) ? null : name;
    const text = author === null ? written : written.slice(found?.[0].length ?? 0);
    return { line: this.#line, end, stamp: this.#stamp, author, text };
  }
}
