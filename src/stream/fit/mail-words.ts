import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { datePlacesIn } from '../dates/date-places.ts';
import type { DateOrigin } from '../dates/origin.ts';
import type { Language } from '../language/language.ts';
import { codesIn } from '../money/reference.ts';
import { linksIn } from '../targets/link.ts';
import type { TargetIndex } from '../targets/target-index.ts';
import { type ThingSet, thingsNamed, thingsOfSender } from '../things/things-named.ts';
import { senderWords } from './candidate-pool.ts';
import { MailZone } from './words/words-in-common.ts';

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
const MAX_TEXT = 4_000;
const MAX_LINES = 60;

/** Returns the words of a mail and what they name. */
export function mailWordsOf(event: StreamEvent, index: TargetIndex, origin: DateOrigin): MailWords {
  const { subject } = event;
  const text = event.text.slice(0, MAX_TEXT);
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
