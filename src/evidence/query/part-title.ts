import type { PlacedPart } from '../formats/outline.ts';

const MOST_LETTERS = 100;
/** What could end a line, or pass for a mark of an answer or for a request. */
const NO_NAME = /[\p{C}\p{Zl}\p{Zp}`[\]|]+/gu;

/** Returns what a part is called, as `method Store.load` or `section Setup`. One line, whatever its name holds. */
export function partTitle({ noun, kind, path }: Pick<PlacedPart, 'noun' | 'kind' | 'path'>): string {
  const name = (kind === 'heading' ? (path.at(-1) ?? '') : path.join('.'))
    .replace(NO_NAME, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return `${noun} ${name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}…` : name}`.trim();
}
