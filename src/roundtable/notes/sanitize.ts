import { escapeMarkdown } from '../../vault/notes/escape.ts';
import { withPlainLabels } from './labels.ts';

/** Marks before the text of a line that are harmless: a heading, a list item, a quote. */
const PREFIX = /^[ \t]{0,12}(?:#{1,6}[ \t]|(?:[-*+]|\d{1,3}[.)])[ \t]|>[ \t]?)?/;

/**
 * Returns Markdown of a model as a note may hold it: headings, lists and quotes stay, everything else becomes plain
 * text. No link, embed, address, code or template in it works where the note is opened. Labels keep their brackets, so
 * that a program finds them again: `P01 [cost first]`.
 */
export function sanitize(markdown: string): string {
  return markdown
    .split(/\r?\n/)
    .map((line) => {
      const prefix = PREFIX.exec(line)?.[0] ?? '';
      return prefix + withPlainLabels(escapeMarkdown(line.slice(prefix.length)));
    })
    .join('\n');
}
