import { ownWords } from '../mail/own-words.ts';
import { cutAt, plainText } from '../mail/plain-text.ts';

/** A message in two parts: what its author says, and what it only carries along. */
interface SaidWords {
  readonly text: string;
  readonly quoted: string;
}

const MAX_TEXT = 16_000;
const FENCE = '```';
/** What its author has struck out: `~I have paid~`. */
const STRUCK = /(?<![\p{L}\p{N}~])~~?(?=[^\s~])[^~\n]{1,500}~~?(?![\p{L}\p{N}~])/gu;

/**
 * Returns a message's own words. Quoted lines, pasted mails, blocks of code and what is struck out are `quoted`; `more` is
 * what else it carries: the message that it answers, or one that it passes on.
 */
export function saidWords(written: string, more: readonly string[] = []): SaidWords {
  const { outside, inside } = withoutFences(cutAt(plainText(written), 2 * MAX_TEXT));
  const struck = outside.match(STRUCK) ?? [];
  const { text, quoted } = ownWords(outside.replace(STRUCK, ' '));
  const carried = [...more.map(plainText), quoted, ...inside, ...struck].filter((part) => part.trim() !== '');
  return { text: cutAt(text, MAX_TEXT), quoted: cutAt(carried.join('\n\n'), MAX_TEXT) };
}

function withoutFences(text: string): { outside: string; inside: readonly string[] } {
  const parts = text.split(FENCE);
  // A fence that nobody closed hides nothing.
  const closed = parts.length % 2 === 1 ? parts.length : parts.length - 1;
  const inside = parts.filter((_, nth) => nth % 2 === 1 && nth < closed);
  return { outside: parts.filter((_, nth) => nth % 2 === 0 || nth >= closed).join('\n'), inside };
}
