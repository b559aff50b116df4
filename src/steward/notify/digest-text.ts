import { stem } from '../../vault/note-names.ts';
import { escapeMarkdown, linkTo } from '../../vault/notes/escape.ts';
import { localDate, localTime } from '../../vault/time.ts';
import { NOUNS, waitingText } from '../attention/kinds.ts';
import type { Waiting } from '../attention/waiting.ts';
import { startOfDay } from './hours.ts';
import type { Message } from './message.ts';
import type { Deed } from './news.ts';
import { obsidianLink } from './vault-link.ts';
import { plainLine, several, titleOf, withDays } from './words.ts';

/** A task with a day. */
export interface DueTask {
  readonly path: string;
  /** YYYY-MM-DD */
  readonly day: string;
}

/** What a digest tells. */
export interface Digest {
  /** Epoch ms. */
  readonly now: number;
  /** Since when it tells what was done (epoch ms). */
  readonly since: number;
  readonly waiting: readonly Waiting[];
  /** Newest first. */
  readonly done: readonly Deed[];
  /** Open tasks that are due within a week or overdue, the earliest first. */
  readonly due: readonly DueTask[];
}

/** The note that holds the digest. It lies in the root, where no note is a record. */
export const DIGEST_NOTE = 'Steward digest.md';

const MOST_LISTED = 20;
const MOST_SAID = 3;
const MAX_LINE = 200;
const WEEK = 7;

/** Returns the digest as Markdown. */
export function digestText(digest: Digest): string {
  const { now, since, waiting, done, due } = digest;
  const today = localDate(now);
  const parts = [
    `As of ${withDays(localTime(now).slice(0, 16).replace('T', ', '), now)}`,
    section('Waits for you', waiting.map(waitingLine), 'Nothing waits for you.'),
    section(
      `Done since ${withDays(localTime(since).slice(0, 16).replace('T', ', '), now)}`,
      done.map((deed) => deedLine(deed, now)),
      'Nothing was changed.',
    ),
    ...(overdueIn(due, today).length > 0
      ? [
          section(
            'Overdue',
            overdueIn(due, today).map((task) => taskLine(task, now)),
            '',
          ),
        ]
      : []),
    section(
      'Due today',
      todayIn(due, today).map(({ path }) => `- ${linkTo(stem(path))}`),
      'Nothing is due today.',
    ),
    section(
      'Due this week',
      laterIn(due, today).map((task) => taskLine(task, now)),
      'Nothing else is due within a week.',
    ),
  ];
  return parts.join('\n\n');
}

/** Returns the digest as a message; null where there is nothing to tell. */
export function digestMessage(digest: Digest, vault: string): Message | null {
  const { now, waiting, done, due } = digest;
  const today = localDate(now);
  const [overdue, soon] = [overdueIn(due, today), todayIn(due, today)];
  if (waiting.length + done.length + overdue.length + soon.length === 0) return null;
  const counted = [
    ...(waiting.length === 0 ? [] : [`${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'}`]),
    ...(done.length === 0 ? [] : [`${done.length} done`]),
    ...(soon.length === 0 ? [] : [`${soon.length} due today`]),
    ...(overdue.length === 0 ? [] : [`${overdue.length} overdue`]),
  ];
  const lines = [
    ...(waiting.length === 0
      ? []
      : [`${waitingText(waiting).split(':', 1)[0]}${named(waiting.flatMap(({ target }) => target ?? []))}`]),
    ...(done.length === 0
      ? []
      : [`${several(done.length, 'change')} made${named(done.flatMap(({ target }) => target ?? []))}`]),
    ...(soon.length === 0 ? [] : [`Due today${named(soon.map(({ path }) => path))}`]),
    ...(overdue.length === 0 ? [] : [`Overdue${named(overdue.map(({ path }) => path))}`]),
  ];
  const link = obsidianLink(vault, DIGEST_NOTE);
  return { title: `Today: ${counted.join(', ')}`, text: lines.join('\n'), link, actions: [], events: [] };
}

/** Returns the days that a digest made now tells of as due: through the last one of a week (YYYY-MM-DD). */
export function lastDueDay(now: number): string {
  return localDate(startOfDay(now, WEEK - 1));
}

function overdueIn(due: readonly DueTask[], today: string): readonly DueTask[] {
  return due.filter(({ day }) => day < today);
}

function todayIn(due: readonly DueTask[], today: string): readonly DueTask[] {
  return due.filter(({ day }) => day === today);
}

function laterIn(due: readonly DueTask[], today: string): readonly DueTask[] {
  return due.filter(({ day }) => day > today);
}

function section(title: string, lines: readonly string[], nothing: string): string {
  const more = lines.length > MOST_LISTED ? [`- and ${lines.length - MOST_LISTED} more`] : [];
  const text = lines.length === 0 ? nothing : [...lines.slice(0, MOST_LISTED), ...more].join('\n');
  return `### ${title}\n\n${text}`;
}

function waitingLine({ kind, target, change, event, candidates }: Waiting): string {
  const about =
    target === null ? candidates.map((link) => linkTo(stem(link.replace(/^\[\[|\]\]$/g, '')))) : [linkTo(stem(target))];
  const what = change === null ? [] : [escapeMarkdown(plainLine(change, MAX_LINE))];
  const note = event === null ? [] : [linkTo(event)];
  return `- ${NOUNS[kind]}: ${[about.join(' or '), ...what, ...note].filter((part) => part !== '').join(' · ')}`;
}

function deedLine({ target, change, event }: Deed, now: number): string {
  const about = target === null ? [] : [linkTo(stem(target))];
  const what = change === null ? [] : [escapeMarkdown(plainLine(withDays(change, now), MAX_LINE))];
  return `- ${[...about, ...what, linkTo(event)].join(' · ')}`;
}

function taskLine({ path, day }: DueTask, now: number): string {
  return `- ${linkTo(stem(path))} · ${withDays(day, now)}`;
}

function named(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length > MOST_SAID ? [`and ${paths.length - MOST_SAID} more`] : [];
  return `: ${[...paths.slice(0, MOST_SAID).map(titleOf), ...more].join(', ')}`;
}
