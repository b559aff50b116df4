import { escapeMarkdown } from '../../vault/notes/escape.ts';

/** What may stand before a line's text and means no more than how it is set: a heading, a list's mark, a quote. */
const SETTING = /^[ \t]{0,12}(?:#{1,6}[ \t]|(?:[-*+]|\d{1,3}[.)])[ \t]|>[ \t]?)?/;

/**
 * Markdown that a model wrote, as a note may hold it: headings, lists and quotes stay, and everything else is text. No
 * link, embed, address, code or template of it does anything where the note is opened.
 */
export function sanitize(markdown: string): string {
  return markdown
    .split(/\r?\n/)
    .map((line) => {
      const setting = SETTING.exec(line)?.[0] ?? '';
      return setting + escapeMarkdown(line.slice(setting.length));
    })
    .join('\n');
}
