import { stem } from '../../vault/note-names.ts';
import { escapeMarkdown, linkTo } from '../../vault/notes/escape.ts';
import { clipped } from '../../vault/notes/note-text.ts';
import { NOUNS, waitingText } from './kinds.ts';
import type { Waiting } from './waiting.ts';

const BEGIN = '<!-- steward:waiting -->';
const END = '<!-- /steward:waiting -->';
/** How many entries the front page lists. */
const MOST_LISTED = 20;
const MAX_TEXT = 300;

/** A line that the program wrote: the first one, an entry, or the last one. What a person adds to an entry makes it theirs. */
const OWN_LINE = new RegExp(
  [
    'Nothing waits for you\\.',
    '\\d+ things? waits? for you: .*',
    `- (?:${NOUNS.proposal}|${NOUNS.question}|${NOUNS.choice}|${NOUNS.found}|${NOUNS.conflict}): .*\\]\\]`,
    `- (?:${NOUNS.kept}|${NOUNS.trouble}): .*`,
    '- and \\d+ more: `steward inbox`',
  ]
    .map((line) => `^${line}$`)
    .join('|'),
);

/**
 * Returns a note's text with the list between its two marks, and every other byte as it was; null where the marks do not
 * stand there once each, on lines of their own. What somebody wrote between them moves below them.
 */
export function withSection(text: string, waiting: readonly Waiting[]): string | null {
  const [begin, end] = [lineOf(text, BEGIN), lineOf(text, END)];
  if (begin === null || end === null || end < begin) return null;
  const from = begin + BEGIN.length;
  const eol = text.startsWith('\r\n', from) ? '\r\n' : '\n';
  const strangers = text
    .slice(from, end)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !OWN_LINE.test(line));
  const below = strangers.length === 0 ? '' : `${eol}${eol}${strangers.join(eol)}`;
  const after = end + END.length;
  return `${text.slice(0, from)}${eol}${sectionOf(waiting).join(eol)}${eol}${END}${below}${text.slice(after)}`;
}

// Where a mark stands alone on its line; null where it does so nowhere, or more than once: then nobody knows which is meant.
function lineOf(text: string, mark: string): number | null {
  const [only, ...more] = [...text.matchAll(new RegExp(`^${mark}(?=[ \\t]*\\r?$)`, 'gm'))];
  return only === undefined || more.length > 0 ? null : only.index;
}

function sectionOf(waiting: readonly Waiting[]): string[] {
  const more = waiting.length - MOST_LISTED;
  const lines = waiting.slice(0, MOST_LISTED).map(entryLine);
  return [waitingText(waiting), '', ...lines, ...(more > 0 ? [`- and ${more} more: \`steward inbox\``] : [])];
}

function entryLine({ kind, event, target, change, candidates }: Waiting): string {
  const about = target === null ? candidates.map(linked) : [linked(target)];
  const what = change === null ? [] : [escapeMarkdown(clipped(change, MAX_TEXT))];
  const note = event === null ? [] : [linkTo(event)];
  return `- ${NOUNS[kind]}: ${[about.join(' or '), ...what, ...note].filter((part) => part !== '').join(' · ')}`;
}

function linked(written: string): string {
  return linkTo(stem(written.replace(/^\[\[|\]\]$/g, '')));
}
