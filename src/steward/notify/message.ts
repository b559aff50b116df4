import { stem } from '../../vault/note-names.ts';
import { isOpen, type News } from './news.ts';
import { obsidianLink } from './vault-link.ts';
import { plainLine, several, titleOf, titleOfLink, withDays } from './words.ts';

/** One button of a message. */
export interface MessageAction {
  readonly label: string;
  /** Where it is asked for, by a POST. */
  readonly url: string;
}

/** A message as every channel is given it: plain text. */
export interface Message {
  readonly title: string;
  readonly text: string;
  /** Opens a note in Obsidian. */
  readonly link: string;
  readonly actions: readonly MessageAction[];
  /** What it tells of: the names of event notes. */
  readonly events: readonly string[];
}

/** What a message is made with. */
interface MessageGround {
  /** The name of the vault's folder. */
  readonly vault: string;
  readonly now: number;
  /** Whether the sender and the words of a mail may leave this machine. */
  readonly quotes: boolean;
  /** What is said where this is the last message of the day; null where it is not. */
  readonly last: string | null;
  /** Returns the buttons for one thing; none where there are none to press. */
  readonly actions: (news: News) => readonly MessageAction[];
  /** Returns the path of an event note. */
  readonly pathOf: (event: string) => string | null;
}

/** The page on which everything stands. */
const FRONT_PAGE = 'steward.md';
/** Whose address it is, is nobody's business elsewhere. */
const ADDRESS = /[^\s@<>()]{1,100}@[^\s@<>()]{1,100}/g;
const MOST_LINES = 6;
const MAX_TEXT = 300;
const MAX_LINE = 160;

/** Returns one message for all that there is to say; null for nothing. */
export function messageOf(all: readonly News[], ground: MessageGround): Message | null {
  const [only, ...more] = all;
  if (only === undefined) return null;
  return more.length === 0 ? single(only, ground) : bundle(all, ground);
}

function single(news: News, ground: MessageGround): Message {
  const { quotes } = ground;
  const said = quotes && news.quote !== null ? [quoted(news)] : [];
  return {
    title: headOf(news),
    text: [bodyOf(news, ground, MAX_TEXT), ...said, ...rest(ground)].join('\n'),
    link: obsidianLink(ground.vault, placeOf(news, ground)),
    actions: ground.actions(news),
    events: eventsOf([news]),
  };
}

function bundle(all: readonly News[], ground: MessageGround): Message {
  const open = all.filter(({ kind }) => isOpen(kind));
  const done = all.length - open.length;
  const waits =
    open.length === 0 ? [] : [`${several(open.length, 'thing')} ${open.length === 1 ? 'waits' : 'wait'} for you`];
  const made = done === 0 ? [] : [`${several(done, 'change')} ${done === 1 ? 'was' : 'were'} made`];
  const lines = all.slice(0, MOST_LINES).map((news) => `• ${lineOf(news, ground)}`);
  const more = all.length > MOST_LINES ? [`and ${all.length - MOST_LINES} more`] : [];
  return {
    title: [...waits, ...made].join(', '),
    text: [...lines, ...more, ...rest(ground)].join('\n'),
    link: obsidianLink(ground.vault, FRONT_PAGE),
    actions: [],
    events: eventsOf(all),
  };
}

function lineOf(news: News, ground: MessageGround): string {
  const { kind, change, candidates } = news;
  if (kind === 'choice') return `${headOf(news)} ${plainLine(candidates.map(titleOfLink).join(' or '), MAX_LINE)}`;
  if (kind !== 'done') return `${headOf(news)}: ${bodyOf(news, ground, MAX_LINE)}`;
  return `${headOf(news)}${change === null ? '' : `, ${plainLine(shownChange(change, ground), MAX_LINE)}`}`;
}

/** What it is about: the note, or that something is wrong. */
function headOf({ kind, target, candidates }: News): string {
  if (kind === 'trouble') return 'Steward needs you';
  if (kind === 'unfinished') return 'An action is unfinished';
  if (kind === 'kept') return 'Words of yours were kept';
  if (kind === 'done' && target !== null) return `Done: ${titleOf(target)}`;
  if (target !== null) return titleOf(target);
  return candidates.length > 0 ? 'Which note is meant?' : 'Steward';
}

// What somebody asks, and what a mail may mean, is told in the words of a mail: those stay here.
function bodyOf(news: News, ground: MessageGround, most: number): string {
  const { kind, change, candidates } = news;
  if (kind === 'choice') return plainLine(`It may be about ${candidates.map(titleOfLink).join(' or ')}.`, most);
  if (kind === 'question') return 'Somebody asks you for something.';
  const said = kind === 'found' ? firstSentence(change, ground) : change;
  const line = said === null ? null : plainLine(shownChange(said, ground), most);
  if (kind === 'done')
    return `${line ?? 'It was changed.'}${line === null ? ' ' : '. '}You can take it back for seven days.`;
  if (kind === 'proposal') return line === null ? 'A change is proposed.' : `${line}?`;
  return line ?? 'It waits for you.';
}

// What was found goes on to say from whom nothing was heard.
function firstSentence(change: string | null, { quotes }: MessageGround): string | null {
  return quotes ? change : (change?.split(/(?<=[.?!])\s/)[0] ?? null);
}

function shownChange(change: string, { now, quotes }: MessageGround): string {
  const days = withDays(change, now);
  return quotes ? days : days.replace(ADDRESS, 'somebody');
}

function quoted({ from, quote }: News): string {
  const who = from === null ? '' : `${plainLine(from, 100)}: `;
  return `${who}“${plainLine(quote ?? '', 200)}”`;
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
