import { unmarked } from '../vault/notes.ts';

/** Returns text from outside as one line of at most `max` characters that makes no link, embed or tag in a note. */
export function plainLine(text: string, max: number): string {
  const line = unmarked(text);
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}
