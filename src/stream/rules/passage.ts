import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { ownSubject } from '../mail/own-words.ts';
import { sentencesOf, viewOf } from '../mail/sentence.ts';
import type { Span } from '../mail/span.ts';

const MAX_SENTENCES = 400;

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

function passagesIn(text: string, isSubject: boolean): Passage[] {
  const view = viewOf(text);
  return sentencesOf(text).map((sentence) => {
    return { text, sentence, view: view.slice(sentence.start, sentence.end), isSubject };
  });
}
