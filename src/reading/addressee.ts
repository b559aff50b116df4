import { z } from 'zod';
import type { StreamEvent } from '../steward/types.ts';
import { lazily, loadData } from '../vault/data.ts';
import { cutAt } from '../vault/note-text.ts';
import { isOwnWord } from './own-word.ts';
import { namingWords, wordPattern } from './rules.ts';
import { LANGUAGES, stem, stemmedWords } from './text.ts';

/*
 * A mail that greets somebody else isn't about the user's task, whoever received it: "Dear Mr Miller, the deposit has been
 * paid". A name that can't be placed is taken for somebody else's, so that such a mail only proposes.
 */

const greetingWords = z.strictObject({
  greeting: z.string(),
  several: z.string(),
  titles: z.string(),
  anybody: z.string(),
});
const table = z.record(z.enum(LANGUAGES), greetingWords);

const known = lazily(() => {
  const all = Object.values(loadData('addressee.yaml', table));
  const anyOf = (name: 'greeting' | 'several') => all.map((each) => each[name]).join('|');
  const listed = (name: 'titles' | 'anybody') => all.flatMap((each) => stemmedWords(each[name])).map(stem);
  return {
    greeting: new RegExp(`^[^\\p{L}\\p{N}]*(?:${anyOf('greeting')})(?![\\p{L}\\p{N}])`, 'iu'),
    several: wordPattern(anyOf('several'), 'giu'),
    titles: new Set(listed('titles')),
    nameless: new Set([...listed('titles'), ...listed('anybody')]),
  };
});

/** The user's own names, as far as they are known. */
export interface OwnNames {
  /** Those that the settings list. If there are any, only they count. */
  readonly names: readonly string[];
  /** The addresses of the user's connected mailboxes. */
  readonly addresses: readonly string[];
}

const MAX_LINE = 160;
const MAX_NAME_WORDS = 6;

/**
 * Returns the salutation of a mail that greets somebody else by name; null if it greets the user, or has no name. The
 * user sent their own mails, and in a chat the others are greeted as well.
 */
export function otherAddressee(event: StreamEvent, own: OwnNames): string | null {
  if (isOwnWord(event) || event.spoken !== undefined) return null;
  const line = cutAt(event.text.trimStart().split('\n', 1)[0] ?? '', MAX_LINE);
  const greeting = known().greeting.exec(line)?.[0];
  if (greeting === undefined) return null;
  const named = readersIn(line.slice(greeting.length)).filter((names) => names.length > 0);
  const words = ownWords(event, own);
  if (named.length === 0 || named.some((names) => names.every((name) => isOwn(name, words)))) return null;
  return cutAt(line.replace(/[,!:;].*$/s, ''), MAX_LINE).trim();
}

/** Returns the names of each reader that is greeted, without titles; an empty list for a reader without a name. */
function readersIn(rest: string): readonly (readonly string[])[] {
  const isSetApart = /^\s*,/.test(rest);
  const behind = rest.replace(/^\s*,/, '');
  // A point ends a title, or the salutation.
  const end = /[,!:;–—]|(?<!(?<!\p{L})\p{L}{1,5})\.|\.$| - /u.exec(behind);
  const said = end === null ? behind : behind.slice(0, end.index);
  const isSalutation = end !== null && end[0] !== '.' && said.trim().split(/\s+/).length <= MAX_NAME_WORDS;
  if (isSetApart && !isSalutation) return [];
  const part = isSalutation && !isSetApart ? said : beginningOf(said);
  return part.split(known().several).map((reader) => namingWords(reader).filter(isName));
}

function isName(word: string): boolean {
  return /\p{L}/u.test(word) && !known().nameless.has(word);
}

/** Returns the titles and names with which a text begins: capitalised words, and what comes behind a title. */
function beginningOf(said: string): string {
  const words = said.trim().split(/\s+/);
  const isTitle = (word = '') => stemmedWords(word).some((one) => known().titles.has(stem(one)));
  const end = words.findIndex((word, nth) => !/^\p{Lu}/u.test(word) && !isTitle(word) && !isTitle(words[nth - 1]));
  return words.slice(0, end === -1 ? words.length : end).join(' ');
}

/** Returns the words of the user's names: those of the settings, else of the address that the mail was sent to. */
function ownWords({ to, toNames }: StreamEvent, { names, addresses }: OwnNames): ReadonlySet<string> {
  if (names.length > 0) return new Set(names.flatMap(namingWords));
  // Which of several is the user's isn't known without their addresses.
  const own = addresses.length > 0 ? to.filter((one) => addresses.includes(one)) : to.length === 1 ? to : [];
  const written = own.flatMap((address) => [address.split(/[@+]/, 1)[0] ?? '', toNames?.[address] ?? '']);
  return new Set(written.flatMap((one) => namingWords(one.replace(/[._\d-]+/g, ' '))));
}

const SHORTEST_PART = 4;

// A name may be a part of an address: `rplaceholder`.
function isOwn(name: string, own: ReadonlySet<string>): boolean {
  if (own.has(name)) return true;
  return name.length >= SHORTEST_PART && [...own].some((word) => word.startsWith(name) || word.endsWith(name));
}
