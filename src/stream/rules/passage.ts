import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { ownSubject } from '../mail/own-words.ts';
import { sentencesOf, viewOf } from '../mail/sentence.ts';
import type { Span } from '../mail/span.ts';

const MAX_SENTENCES = 400;
const MAX_SHOWN = 300;

/** One sentence of a mail, with the text it is part of. */
export interface Passage {
  /** The whole subject or body. */
  readonly text: string;
  /** Where the sentence is in the text. */
  readonly sentence: Span;
  /** The sentence as `viewOf` shows it, character for character as long as the sentence. */
  readonly view: string;
  readonly isSubject: boolean;
}

/** Returns the sentences that the mail's author wrote: the subject's, then the body's, at most 400. */
export function passagesOf(event: StreamEvent): readonly Passage[] {
  return [...passagesIn(ownSubject(event), true), ...passagesIn(event.text, false)].slice(0, MAX_SENTENCES);
}

/** Returns the sentences of a text. */
export function passagesIn(text: string, isSubject: boolean): readonly Passage[] {
  const view = viewOf(text);
  return sentencesOf(text).map((sentence) => {
    return { text, sentence, view: view.slice(sentence.start, sentence.end), isSubject };
  });
}

/** Returns a sentence as findings carry it: with single blanks, at most 300 characters. */
export function shownSentence(view: string): string {
  return view.replace(/ +/g, ' ').trim().slice(0, MAX_SHOWN);
}

/**
 * Returns the sentences of the same paragraph that stand before a sentence of the body, nearest first. None for a sentence
 * of the subject, and for one that the mail says more than once.
 */
export function sentencesBefore(event: StreamEvent, sentence: string): readonly string[] {
  const passages = passagesOf(event);
  const same = passages.filter(({ view }) => shownSentence(view) === sentence);
  const [only] = same;
  if (only === undefined || only.isSubject || same.length > 1) return [];
  const body = passages.filter(({ isSubject }) => !isSubject);
  const at = body.indexOf(only);
  const start = body.findLastIndex((passage, nth) => nth <= at && startsParagraph(body[nth - 1], passage));
  return body
    .slice(start, at)
    .map(({ view }) => shownSentence(view))
    .reverse();
}

function startsParagraph(before: Passage | undefined, { text, sentence }: Passage): boolean {
  return before === undefined || /\n[^\S\n]*\n/.test(text.slice(before.sentence.start, sentence.start));
}
