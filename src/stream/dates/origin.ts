import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { type LanguageMemory, writtenIn } from '../language/detection.ts';
import type { Language, WrittenIn } from '../language/language.ts';

/** Whether a day or a month comes first where both are written in figures. */
type FigureOrder = 'day first' | 'month first';

/** When and in which language words were written: what days without a year, weekdays and figures are read by. */
export interface DateOrigin {
  /** Where the writer was: `YYYY-MM-DD…`; null where nobody knows. */
  readonly at: string | null;
  /** `other`: one whose words are not read. Null where it cannot be told. */
  readonly language: Language | 'other' | null;
  /** Null where both may be meant. */
  readonly order: FigureOrder | null;
  /** In what languages its sentences were found to be. */
  readonly languages?: LanguageMemory;
}

const IN_FIGURES = /(?<![\d./-])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?![\d/-])/g;
const MOST_FIGURES = 50;
/** Fewer words say too little by themselves. */
const LEAST_WORDS_OF_A_SENTENCE = 8;
const MOST_WORDS_OF_A_SENTENCE = 40;

/** Returns what the days in an event are read by. `written`: what language it is in; `languages`: what is remembered of sentences. */
export function originOf(
  event: Pick<StreamEvent, 'subject' | 'text' | 'originAt' | 'writtenAt'>,
  written: WrittenIn,
  languages?: LanguageMemory,
): DateOrigin {
  // A time that is not believed is taken away from both.
  const at = event.originAt === null ? null : (event.writtenAt ?? event.originAt);
  const language = languageOf(written);
  const order = orderOf(language) ?? orderBy(`${event.subject}\n${event.text}`);
  return { at, language, order, ...(languages === undefined ? {} : { languages }) };
}

/** Returns the origin for one sentence: a long one may be in a language of its own. */
export function originIn(view: string, origin: DateOrigin): DateOrigin {
  const words = view.split(' ', MOST_WORDS_OF_A_SENTENCE).filter((word) => /\p{L}/u.test(word));
  if (words.length < LEAST_WORDS_OF_A_SENTENCE) return origin;
  const language = languageOf(writtenIn(words.join(' '), origin.languages));
  if (language === null || language === 'other' || language === origin.language) return origin;
  return { ...origin, language, order: orderOf(language) ?? origin.order };
}

function languageOf(written: WrittenIn): DateOrigin['language'] {
  if (written.kind === 'read') return written.language;
  return written.kind === 'other' ? 'other' : null;
}

/** All but the writers of English put the day first. */
function orderOf(language: DateOrigin['language']): FigureOrder | null {
  return language === null || language === 'other' || language === 'en' ? null : 'day first';
}

/** A text that writes 25/12/2026 writes its other days in that order as well. */
function orderBy(text: string): FigureOrder | null {
  const orders = [...text.matchAll(IN_FIGURES)]
    .slice(0, MOST_FIGURES)
    .flatMap(([, one, two]) => orderShownBy(one, two));
  const [first] = orders;
  return first !== undefined && orders.every((order) => order === first) ? first : null;
}

function orderShownBy(one: string | undefined, two: string | undefined): FigureOrder[] {
  const [first, second] = [Number(one), Number(two)];
  if (first > 12 && first <= 31 && second <= 12) return ['day first'];
  return second > 12 && second <= 31 && first <= 12 ? ['month first'] : [];
}
