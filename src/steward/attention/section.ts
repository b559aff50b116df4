import { stem } from '../../vault/note-names.ts';
import { clipped } from '../../vault/note-text.ts';
import { escapeMarkdown, linkTo } from '../../vault/notes.ts';
import { withLines } from '../attention.ts';
import type { Waiting } from '../attention-waiting.ts';
import { NOUNS, waitingText } from './kinds.ts';

/** How many entries the front page lists. */
const MOST_LISTED = 20;
const MAX_TEXT = 300;

/** A line that the program wrote: the first one, an entry, or the last one. What a person adds to an entry makes it theirs. */
const OWN_LINE = new RegExp(
  [
    'Nothing waits for you\\.',
    '\\d+ things? waits? for you: .*',
    `- (?:${NOUNS.proposal}|${NOUNS.question}|${NOUNS.choice}|${NOUNS.found}|${NOUNS.conflict}): .*\\]\\]`,
    `- (?:${NOUNS.unfinished}|${NOUNS.kept}|${NOUNS.trouble}): .*`,
    '- and \\d+ more: `steward inbox`',
  ]
    .map((line) => `^${line}$`)
    .join('|'),
);

const PART = {
  begin: '<!-- steward:waiting -->',
  end: '<!-- /steward:waiting -->',
  isOwn: (line: string) => OWN_LINE.test(line),
};

/** Returns a note's text with the list between its two marks; null where the marks are not there as they should be. */
export function withSection(text: string, waiting: readonly Waiting[]): string | null {
  return withLines(text, PART, sectionOf(waiting));
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
