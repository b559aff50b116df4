import type { ParsedNote } from '../../vault/frontmatter/parsed-note.ts';

/** Returns a note's text without its frontmatter, trimmed. */
export function bodyOf({ text, block }: Pick<ParsedNote, 'text' | 'block'>): string {
  return (block === null ? text : text.slice(block.end).replace(/^[^\n]*\n?/, '')).trim(); // from below the closing fence
}
