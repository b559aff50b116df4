import type { StreamEvent } from '../steward/ports.ts';
import { type DateOrigin, datePlacesIn } from './dates.ts';
import type { Language } from './language.ts';
import { wordsOf } from './mail/word.ts';
import { codesIn } from './money.ts';
import { linksIn } from './targets/link.ts';
import type { TargetCandidate, TargetIndex } from './targets-target-index.ts';
import { type ThingSet, thingsNamed, thingsOfSender } from './things.ts';
import { MailZone } from './words-in-common.ts';

const MAX_CANDIDATES = 40;
const MAX_TASKS_OF_MATTER = 25;
const MAX_ALIKE = 30;
const MAX_POOL = 90;
const MAX_TEXT = 800;

/** Returns the open notes that an event could mean at all: by link, sender, name, keyword, reference, words or things named, and their matters' tasks. */
export function candidatePool(event: StreamEvent, index: TargetIndex, named: ThingSet): readonly TargetCandidate[] {
  const found = new Set<string>();
  for (const { target } of [...linksIn(event.subject), ...linksIn(event.text)])
    for (const path of index.byLink(target)) found.add(path);
  for (const { path } of index.bySender(event.from ?? '')) found.add(path);
  for (const { path } of index.phrasesIn(wordsOf(`${event.subject} \n ${event.text}`))) found.add(path);
  const asked = [`${event.subject} ${senderWords(event)}`, event.subject, event.text.slice(0, MAX_TEXT)];
  for (const text of asked) for (const { path } of index.search(text)) found.add(path);
  const notes = [...found].flatMap((path) => index.get(path) ?? []).slice(0, MAX_CANDIDATES);
  const matters = new Set(notes.map((note) => (note.kind === 'matter' ? note.path : note.matterPath)));
  const tasks = [...matters].flatMap((path) =>
    path === null ? [] : index.openTasksOf(path).toSorted(byPath).slice(0, MAX_TASKS_OF_MATTER),
  );
  const above = [...matters].flatMap((path) => (path === null ? [] : (index.get(path) ?? [])));
  const alike = index.things.naming(named).flatMap((path) => index.get(path) ?? []);
  const all = new Map([...notes, ...alike.slice(0, MAX_ALIKE), ...tasks, ...above].map((note) => [note.path, note]));
  return [...all.values()].filter((note) => index.isOpen(note.path)).slice(0, MAX_POOL);
}

function byPath(one: TargetCandidate, other: TargetCandidate): number {
  return one.path < other.path ? -1 : 1;
}

/** Returns the words by which a sender goes: the display name, and those of the domain. */
function senderWords({ from, fromName }: StreamEvent): string {
  const [local = '', domain = ''] = (from ?? '').split('@');
  const labels = domain.split('.').slice(0, -1).join(' ').replaceAll('-', ' ');
  return `${fromName ?? ''} ${local.replace(/[._+-]/g, ' ')} ${labels}`;
}

/** The words of a mail, each part for itself, and what they name. */
export interface MailWords {
  readonly language: Language | null;
  readonly subject: MailZone;
  readonly text: MailZone;
  readonly sender: MailZone;
  readonly things: ThingsOfMail;
  readonly notes: NotesOfMail;
  /** The days it speaks of, as `2026-12-04`. */
  readonly days: ReadonlySet<string>;
}

/** The notes that a mail leads to by itself. */
interface NotesOfMail {
  /** By its links, by path. */
  readonly linked: ReadonlySet<string>;
  /** By a reference number that no other open note has, by path; null for one that leads to none. */
  readonly referenced: ReadonlySet<string | null>;
  /** Those that list its sender. */
  readonly listing: ReturnType<TargetIndex['listing']>;
  /** Whether one note alone does. */
  readonly isListedOnce: boolean;
}

/** The things that the parts of a mail name. */
interface ThingsOfMail {
  readonly subject: ThingSet;
  readonly text: ThingSet;
  readonly sender: ThingSet;
  /** Those of its subject and text. */
  readonly near: ThingSet;
  readonly all: ThingSet;
}

/** Words further on in a mail are small print. */
const MAX_TEXT_MAIL_WORDS = 4_000;
const MAX_LINES = 60;

/** Returns the words of a mail and what they name. */
export function mailWordsOf(event: StreamEvent, index: TargetIndex, origin: DateOrigin): MailWords {
  const { subject } = event;
  const text = event.text.slice(0, MAX_TEXT_MAIL_WORDS);
  const language = origin.language === 'other' ? null : origin.language;
  const sender = senderWords(event);
  const lines = [subject, ...text.split('\n').slice(0, MAX_LINES)];
  const listing = index.listing(event.from ?? '');
  return {
    language,
    ...{ subject: new MailZone(subject), text: new MailZone(text), sender: new MailZone(sender) },
    things: thingsOfMail(thingsNamed(subject, language), thingsNamed(text, language), thingsOfSender(sender, language)),
    days: new Set(
      lines.flatMap((line) => datePlacesIn(line, origin).flatMap(({ date }) => (date === null ? [] : [date.day]))),
    ),
    notes: {
      linked: new Set([...linksIn(subject), ...linksIn(text)].flatMap(({ target }) => index.byLink(target))),
      referenced: new Set([...codesIn(`${subject}\n${text}`)].map((code) => index.byReference(code))),
      listing,
      isListedOnce: new Set(listing.map(({ path }) => path)).size === 1,
    },
  };
}

function thingsOfMail(subject: ThingSet, text: ThingSet, sender: ThingSet): ThingsOfMail {
  const near = subject.union(text);
  return { subject, text, sender, near, all: near.union(sender) };
}

/** How much each word, or thing, of some tasks tells: the fewer of them have it, the more. */
export type Rarity<K> = ReadonlyMap<K, number>;

/** Returns the rarity of the words, or things, that some tasks have, each task's in a list of their own. */
export function rarityOf<K>(owned: readonly Iterable<K>[]): Rarity<K> {
  const counts = new Map<K, number>();
  for (const own of owned) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Map([...counts].map(([one, count]) => [one, Math.log(1 + owned.length / count)]));
}
