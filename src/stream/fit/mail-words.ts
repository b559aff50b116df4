import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { datePlacesIn } from '../dates/date-places.ts';
import type { DateOrigin } from '../dates/origin.ts';
import type { Language } from '../language/language.ts';
import { codesIn } from '../money/reference.ts';
import { linksIn } from '../targets/link.ts';
import type { TargetIndex } from '../targets/target-index.ts';
import { type ThingSet, thingsNamed, thingsOfSender } from '../things/things-named.ts';
import { senderWords } from './candidate-pool.ts';
import { type Zone, zoneOf } from './words-in-common.ts';

/** The words of a mail, each part for itself, and what they name. */
export interface MailWords {
  readonly language: Language | null;
  readonly subject: Zone;
  readonly text: Zone;
  readonly sender: Zone;
  readonly things: { readonly subject: ThingSet; readonly text: ThingSet; readonly sender: ThingSet };
  /** Reference numbers. */
  readonly codes: ReadonlySet<string>;
  /** The days it speaks of, as `2026-12-04`. */
  readonly days: ReadonlySet<string>;
  /** The notes that it links to, by path. */
  readonly linked: ReadonlySet<string>;
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
  return {
    language,
    ...{ subject: zoneOf(subject), text: zoneOf(text), sender: zoneOf(sender) },
    things: {
      subject: thingsNamed(subject, language),
      text: thingsNamed(text, language),
      sender: thingsOfSender(sender, language),
    },
    codes: codesIn(`${subject}\n${text}`),
    days: new Set(
      lines.flatMap((line) => datePlacesIn(line, origin).flatMap(({ date }) => (date === null ? [] : [date.day]))),
    ),
    linked: new Set([...linksIn(subject), ...linksIn(text)].flatMap(({ target }) => index.byLink(target))),
  };
}

/** How much each word, or thing, of some tasks tells: the fewer of them have it, the more. */
export type Rarity<K> = ReadonlyMap<K, number>;

/** Returns the rarity of the words, or things, that some tasks have, each task's in a list of their own. */
export function rarityOf<K>(owned: readonly Iterable<K>[]): Rarity<K> {
  const counts = new Map<K, number>();
  for (const own of owned) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Map([...counts].map(([one, count]) => [one, Math.log(1 + owned.length / count)]));
}
