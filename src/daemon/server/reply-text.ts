import type { Reply } from './protocol.ts';

/** How long (in characters) a piece is at least. */
const PIECE = 64 * 1024;
/** A list of so many items is taken apart; a shorter one is written at once. */
const LONG = 32;
/** The lists of a reply lie no deeper: `status` has them in a member, a tick in a member of an item. */
const DEPTH = 4;

/**
 * Returns the line of a reply as `JSON.stringify` writes it, in pieces, and null after each small step between them: what
 * is told of a large vault is megabytes long.
 */
export function* replyText(reply: Reply): Generator<string | null> {
  let piece = '';
  for (const part of partsOf(reply, DEPTH)) {
    piece += part;
    if (piece.length >= PIECE) {
      yield piece;
      piece = '';
    } else yield null;
  }
  yield `${piece}\n`;
}

function* partsOf(value: unknown, depth: number): Generator<string> {
  if (depth > 0 && Array.isArray(value) && value.length >= LONG) yield* itemsOf(value, depth - 1);
  else if (depth > 0 && isPlain(value) && !isShort(value)) yield* membersOf(value, depth - 1);
  else yield JSON.stringify(value) ?? 'null';
}

function* itemsOf(list: readonly unknown[], depth: number): Generator<string> {
  yield '[';
  for (const [nth, item] of list.entries()) {
    if (nth > 0) yield ',';
    yield* partsOf(item, depth);
  }
  yield ']';
}

function* membersOf(box: object, depth: number): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(box)) {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(value, depth);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

// Each of its members would be written at once: a list of schedules has a thousand such items.
function isShort(box: object): boolean {
  for (const value of Object.values(box)) {
    if (typeof value === 'object' && value !== null && !(Array.isArray(value) && value.length < LONG)) return false;
  }
  return true;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  const form: unknown = Object.getPrototypeOf(value);
  return form === Object.prototype || form === null;
}
