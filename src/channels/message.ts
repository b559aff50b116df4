import { type Attention, entryLine, type WaitingEntry } from '../steward/inbox.ts';
import { findingsLine, type MatterFindings, several, waitingText } from '../steward/inbox-words.ts';
import { stem } from '../vault/layout.ts';
import { clipped, escapeMarkdown, joinLines, linkTo } from '../vault/note-text.ts';
import { localDate, localTime } from '../vault/time.ts';
import type { Message, MessageAction } from './channel.ts';
import { DIGEST_NOTE, isOpen, type News, type RecentChange } from './outbox.ts';

interface MessageGround {
  /** The name of the vault's folder. */
  readonly vault: string;
  readonly now: number;
  /** Whether the sender and the words of a mail may leave this machine. */
  readonly quotes: boolean;
  /** The words for the last message of the day; null if this isn't the last. */
  readonly last: string | null;
  /** Returns the buttons for one thing; empty if it has no buttons. */
  readonly actions: (news: News) => readonly MessageAction[];
  readonly pathOf: (event: string) => string | null;
}

/** The page on which everything stands. */
const FRONT_PAGE = 'steward.md';
/** Whose address it is, is nobody's business elsewhere. */
const ADDRESS = /[^\s@<>()]{1,100}@[^\s@<>()]{1,99}[^\s@<>():.,;]/g;
const MOST_LINES = 6;
const MAX_TEXT = 300;
const MAX_LISTED_LINE = 160;
const MAX_LISTED_SAID = 120;

/** Returns one message for all that there is to say; null for nothing. */
export function buildMessage(all: readonly News[], ground: MessageGround): Message | null {
  const [only, ...more] = all;
  if (only === undefined) return null;
  return more.length === 0 ? single(only, ground) : bundle(all, ground);
}

function single(news: News, ground: MessageGround): Message {
  const { quotes } = ground;
  const said = quotes && (news.quote !== null || news.from !== null) ? [quoted(news)] : [];
  const warned = news.warning === null ? [] : [warningText(news.warning, ground)];
  return {
    title: headOf(news),
    text: [...warned, bodyOf(news, ground, MAX_TEXT), ...said, ...rest(ground)].join('\n'),
    link: obsidianLink(ground.vault, placeOf(news, ground)),
    actions: ground.actions(news),
    events: eventsOf([news]),
  };
}

function bundle(all: readonly News[], ground: MessageGround): Message {
  const warnings = all.filter(({ warning }) => warning !== null);
  const open = all.filter(({ kind, warning }) => isOpen(kind) && warning === null);
  const done = all.filter(({ kind }) => !isOpen(kind)).length;
  const sorted = [...warnings, ...all.filter(({ warning }) => warning === null)];
  const warned = warnings.length === 0 ? [] : [`⚠ ${several(warnings.length, 'warning')}`];
  const waits =
    open.length === 0 ? [] : [`${several(open.length, 'thing')} ${open.length === 1 ? 'waits' : 'wait'} for you`];
  const made = done === 0 ? [] : [`${several(done, 'change')} ${done === 1 ? 'was' : 'were'} made`];
  const lines = sorted.slice(0, MOST_LINES).map((news) => `• ${lineOf(news, ground)}`);
  const more = all.length > MOST_LINES ? [`and ${all.length - MOST_LINES} more`] : [];
  return {
    title: [...warned, ...waits, ...made].join(', '),
    text: [...lines, ...more, ...rest(ground)].join('\n'),
    link: obsidianLink(ground.vault, FRONT_PAGE),
    actions: [],
    events: eventsOf(all),
  };
}

function lineOf(news: News, ground: MessageGround): string {
  const { kind, target, change, warning } = news;
  if (warning !== null) return `${warningText(warning, ground)}${target === null ? '' : ` (${readTitle(target)})`}`;
  if (kind !== 'done') {
    const asked = plainLine(
      kind === 'choice' ? choiceText(news, ground) : bodyOf(news, ground, MAX_LISTED_LINE),
      MAX_LISTED_LINE,
    );
    const about = kind === 'choice' ? asked : `${headOf(news)}: ${asked}`;
    const isSaid = ground.quotes && news.from !== null && kind !== 'question';
    return isSaid ? `${about} ${plainLine(quoted(news), MAX_LISTED_SAID)}` : about;
  }
  return `${headOf(news)}${change === null ? '' : `, ${plainLine(shownChange(change, ground), MAX_LISTED_LINE)}`}`;
}

/** The subject of the message: the note, or that something is wrong. */
function headOf({ kind, target, candidates, warning }: News): string {
  if (warning !== null) return target === null ? '⚠ A warning' : `⚠ ${readTitle(target)}`;
  if (kind === 'trouble') return 'Steward needs you';
  if (kind === 'arrival') return 'Is this vault yours?';
  if (kind === 'unfinished') return 'An action is unfinished';
  if (kind === 'stopped') return 'A sender that you stopped has written';
  if (kind === 'kept') return 'Steward kept your text';
  if (kind === 'done' && target !== null) return `Done: ${readTitle(target)}`;
  if (target !== null) return readTitle(target);
  return candidates.length > 0 ? 'Which note is meant?' : 'Steward';
}

function warningText(warning: string, { quotes }: MessageGround): string {
  return plainLine(quotes ? warning : warning.replace(ADDRESS, 'the sender that it names'), MAX_TEXT);
}

// A question, or a possible meaning of a mail, would be given in the words of the mail: those stay here.
function bodyOf(news: News, ground: MessageGround, most: number): string {
  const { kind, change } = news;
  const { quotes } = ground;
  if (kind === 'choice') return plainLine(choiceText(news, ground), most);
  if (kind === 'question')
    return quotes && change !== null ? plainLine(change, most) : 'Somebody asks you for something.';
  const said = kind === 'found' ? askedText(change, ground) : change;
  const line = said === null ? null : plainLine(shownChange(said, ground), most);
  if (kind === 'done')
    return `${line ?? 'It was changed.'}${line === null ? ' ' : '. '}You can undo it for seven days.`;
  if (kind === 'proposal') return line === null ? 'A change is proposed.' : `${line}?`;
  return line ?? 'It waits for you.';
}

function choiceText({ change, candidates }: News, ground: MessageGround): string {
  const notes = candidates.map(titleOfLink).join(' or ');
  return change === null ? `Is it about ${notes}?` : `${notes}: ${shownChange(change, ground)}?`;
}

// The rest names a sender and a subject.
function askedText(change: string | null, { quotes }: MessageGround): string | null {
  return quotes ? change : 'Steward asks whether a mail settles it.';
}

function shownChange(change: string, { now, quotes }: MessageGround): string {
  const days = withDays(change, now);
  return quotes ? days : days.replace(ADDRESS, 'somebody');
}

// Who wrote what: of a proposal, an asked question, a warning.
function quoted({ from, quote }: News): string {
  const who = from === null ? [] : [plainLine(from, 100)];
  const words = quote === null ? [] : [`“${plainLine(quote, 200)}”`];
  return [...who, ...words].join(' wrote: ');
}

function rest({ last }: MessageGround): string[] {
  return last === null ? [] : [last];
}

// The event note has the boxes.
function placeOf({ event, target }: News, { pathOf }: MessageGround): string {
  return (event === null ? null : pathOf(event)) ?? target ?? FRONT_PAGE;
}

function eventsOf(all: readonly News[]): string[] {
  return all.flatMap(({ event }) => (event === null ? [] : [stem(event)]));
}

/** A task with a day. */
export interface DueTask {
  readonly path: string;
  /** YYYY-MM-DD */
  readonly day: string;
}

export interface Digest extends Attention {
  /** Epoch ms. */
  readonly now: number;
  /** Since when it tells what was done (epoch ms). */
  readonly since: number;
  /** Newest first. */
  readonly done: readonly RecentChange[];
  /** Open tasks that are due within a week, the earliest first. */
  readonly due: readonly DueTask[];
  /** The findings without a signal, one entry for each matter. */
  readonly findings: readonly MatterFindings[];
}

const MOST_LISTED = 20;
const MOST_SAID = 3;
const MAX_LINE = 200;

export function digestText(digest: Digest): string {
  const { now, since, decisions, warnings, problems, pending, done, due, findings } = digest;
  const today = localDate(now);
  const parts = [
    `As of ${withDays(localTime(now).slice(0, 16).replace('T', ', '), now)}`,
    ...(warnings.length === 0 ? [] : [section('Warnings', warnings.map(waitingLine), '')]),
    section('Waits for you', decisions.map(waitingLine), waitingText([], pending)),
    ...(problems.length === 0 ? [] : [section('Problems', problems.map(waitingLine), '')]),
    section(
      `Done since ${withDays(localTime(since).slice(0, 16).replace('T', ', '), now)}`,
      done.map((change) => changeLine(change, now)),
      'No note was changed.',
    ),
    section(
      'Due today',
      todayIn(due, today).map(({ path }) => `- ${linkTo(stem(path))}`),
      'No task is due today.',
    ),
    section(
      'Due this week',
      due.filter(({ day }) => day > today).map((task) => `- ${linkTo(stem(task.path))} · ${withDays(task.day, now)}`),
      'No other task is due within a week.',
    ),
    ...(findings.length === 0
      ? []
      : [
          section(
            'Findings',
            findings.map((one) => findingLine(one, now)),
            '',
          ),
        ]),
  ];
  return parts.join('\n\n');
}

/** Returns the digest as a message; null if it would be empty. */
export function digestMessage(digest: Digest, vault: string): Message | null {
  const { now, decisions, warnings, problems, done, due, findings } = digest;
  const today = localDate(now);
  const soon = todayIn(due, today);
  const all = [warnings, decisions, problems, done, findings, soon];
  if (all.every(({ length }) => length === 0)) return null;
  const counted = [
    ...(warnings.length === 0 ? [] : [`⚠ ${several(warnings.length, 'warning')}`]),
    ...(decisions.length === 0 ? [] : [`${decisions.length} ${decisions.length === 1 ? 'waits' : 'wait'}`]),
    ...(problems.length === 0 ? [] : [several(problems.length, 'problem')]),
    ...(done.length === 0 ? [] : [`${done.length} done`]),
    ...(soon.length === 0 ? [] : [`${soon.length} due today`]),
  ];
  const lines = [
    ...(decisions.length === 0
      ? []
      : [`${waitingText(decisions, 0).split(':', 1)[0]}${named(decisions.flatMap(({ target }) => target ?? []))}`]),
    ...(done.length === 0
      ? []
      : [`${several(done.length, 'change')} made${named(done.flatMap(({ target }) => target ?? []))}`]),
    ...(soon.length === 0 ? [] : [`Due today${named(soon.map(({ path }) => path))}`]),
    ...findings.slice(0, MOST_SAID).map((one) => plainLine(withDays(findingsLine(one, readTitle), now), MAX_LINE)),
    ...(findings.length > MOST_SAID ? [`and findings in ${findings.length - MOST_SAID} more matters`] : []),
  ];
  const link = obsidianLink(vault, DIGEST_NOTE);
  const title = counted.length === 0 ? 'Today: nothing to do for you' : `Today: ${counted.join(', ')}`;
  return { title, text: lines.join('\n'), link, actions: [], events: [] };
}

function todayIn(due: readonly DueTask[], today: string): readonly DueTask[] {
  return due.filter(({ day }) => day === today);
}

function section(title: string, lines: readonly string[], nothing: string): string {
  const more = lines.length > MOST_LISTED ? [`- and ${lines.length - MOST_LISTED} more`] : [];
  const text = lines.length === 0 ? nothing : [...lines.slice(0, MOST_LISTED), ...more].join('\n');
  return `### ${title}\n\n${text}`;
}

function waitingLine(entry: WaitingEntry): string {
  return `- ${entryLine(entry)}`;
}

function changeLine({ target, change, event }: RecentChange, now: number): string {
  const about = target === null ? [] : [linkTo(stem(target))];
  const what = change === null ? [] : [escapeMarkdown(plainLine(withDays(change, now), MAX_LINE))];
  return `- ${[...about, ...what, linkTo(event)].join(' · ')}`;
}

function findingLine(one: MatterFindings, now: number): string {
  return `- ${withDays(
    findingsLine(one, (path) => linkTo(stem(path))),
    now,
  )}`;
}

function named(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length > MOST_SAID ? [`and ${paths.length - MOST_SAID} more`] : [];
  return `: ${[...paths.slice(0, MOST_SAID).map(readTitle), ...more].join(', ')}`;
}

/** Returns the address that opens a note in Obsidian. `vault`: the name of its folder; `path`: vault-relative. */
export function obsidianLink(vault: string, path: string): string {
  return `obsidian://open?vault=${encoded(vault)}&file=${encoded(path.replace(/\.md$/i, ''))}`;
}

// Half a surrogate is no text that an address could hold.
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = /\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/g;
/** Characters that change the direction of a text, are invisible, or are no real characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Returns text from outside in one short line that is only text, wherever it is shown. */
export function plainLine(text: string, most: number): string {
  return clipped(joinLines(text).replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim(), most);
}

/** Returns a text with days as people write them: `9 Dec`, and `9 Dec 2027` in another year than that of `now`. */
export function withDays(text: string, now: number): string {
  const year = String(new Date(now).getFullYear());
  return text.replace(DAY, (_, written: string, month: string, day: string) => {
    const name = MONTHS[Number(month) - 1] ?? month;
    return `${Number(day)} ${name}${written === year ? '' : ` ${written}`}`;
  });
}

/** Returns the title of the note at a path, in one line. */
export function readTitle(path: string): string {
  return plainLine(stem(path), 100);
}

/** Returns the title of the note that a link names, with its folders if the link has them: then another has that title. */
export function titleOfLink(link: string): string {
  return plainLine((link.replace(/^\[\[|\]\]$/g, '').split('|')[0] ?? link).replace(/\.md$/i, ''), 100);
}
