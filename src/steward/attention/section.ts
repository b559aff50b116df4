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

/**
 * Returns a note's text with the list between its two marks, and every other byte as it was; null where the marks are
 * not there.
 */
export function withSection(text: string, waiting: readonly Waiting[]): string | null {
  const begin = text.indexOf(BEGIN);
  const end = begin === -1 ? -1 : text.indexOf(END, begin);
  if (end === -1) return null;
  const from = begin + BEGIN.length;
  const eol = text.startsWith('\r\n', from) ? '\r\n' : '\n';
  return `${text.slice(0, from)}${eol}${sectionOf(waiting).join(eol)}${eol}${text.slice(end)}`;
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
