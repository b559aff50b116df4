import os from 'node:os';
import path from 'node:path';
import { usageError } from '../../base/usage-error.ts';

/** A run of text in one kind of quotes, or a piece without any. */
const PIECE = /"([^"]*)"|'([^']*)'|([^\s"']+)/y;

/**
 * Returns a program and its arguments: several words as they are, a single text split at its blanks, where quotes keep words
 * together, and `~/` at the beginning of a word is the home of whoever typed it. No shell sees it: no variable, wildcard or pipe
 * means anything. Throws `usage` where a quote is not closed.
 */
export function programWords(given: readonly string[]): readonly string[] {
  const [only = '', ...more] = given;
  if (more.length > 0 || given.length === 0) return given;
  const words: string[] = [];
  let at = 0;
  let isOpen = false;
  while (at < only.length) {
    if (/\s/.test(only[at] ?? '')) {
      isOpen = false;
      at += 1;
      continue;
    }
    PIECE.lastIndex = at;
    const found = PIECE.exec(only);
    if (found === null) throw usageError('A quote in the command is not closed.', 'Close it, or leave it out.');
    const piece = found[1] ?? found[2] ?? (isOpen ? found[3] : atHome(found[3])) ?? '';
    if (isOpen) words.push(`${words.pop() ?? ''}${piece}`);
    else words.push(piece);
    isOpen = true;
    at = PIECE.lastIndex;
  }
  return words;
}

// A shell would have done it, had the text stood without quotes.
function atHome(piece: string | undefined): string | undefined {
  return piece?.startsWith('~/') === true ? path.join(os.homedir(), piece.slice(2)) : piece;
}
