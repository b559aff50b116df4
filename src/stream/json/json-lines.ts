import { type ByteSource, type Item, type ItemContent, refused } from '../items/item.ts';
import { ByteWindow } from './byte-window.ts';

const MOST_LINE = 1024 * 1024;
const LINE_END = 0x0a;

/** Yields the lines of a file, each a JSON value, from the one that begins at `from` on, without reading it into memory. */
export function* jsonLines(source: ByteSource, from: number, read: (text: string) => ItemContent): Generator<Item> {
  const bytes = new ByteWindow(source);
  let nth = 0;
  for (let at = 0; at < source.size; ) {
    const end = lineEnd(bytes, at, source.size);
    const [start, next] = [at, Math.min(end + 1, source.size)];
    nth += 1;
    at = next;
    if (start < from || isBlank(bytes, start, end)) continue;
    yield {
      ...{ at: start, next, place: `line ${nth}` },
      read: () => (end - start > MOST_LINE ? TOO_LONG : read(bytes.text(start, end))),
    };
  }
}

const TOO_LONG = refused('It is longer than any message.');

function lineEnd(bytes: ByteWindow, from: number, size: number): number {
  let at = from;
  while (at < size && bytes.at(at) !== LINE_END) at += 1;
  return at;
}

function isBlank(bytes: ByteWindow, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes.at(at) <= 0x20) at += 1;
  return at === end;
}
