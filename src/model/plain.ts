import { unmarked } from '../vault/notes/escape.ts';

/** Text from outside on one line, at most `max` characters, and without what would make a link, embed or tag in a note. */
export function plainLine(text: string, max: number): string {
  const line = unmarked(text);
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}
