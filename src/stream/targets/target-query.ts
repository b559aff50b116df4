import type { StreamEvent } from '../../steward/ports.ts';
import type { MutationClass } from '../../vault/records/mutation-class.ts';
import { stem, wordsOf } from '../mail/word.ts';
import type { Finding } from '../rules.ts';

/** The sentence of an event that a search is about, and what it says was done. */
export interface Clue extends Pick<Finding, 'sentence' | 'verbs' | 'otherVerbs' | 'onlyAsked'> {
  /** Null where nothing is to be changed. */
  readonly class: MutationClass | null;
  /** See `Finding.references`. */
  readonly references?: readonly string[];
}

/** An event as words to search for. All words are folded and stemmed. */
export interface TargetQuery {
  readonly event: StreamEvent;
  readonly clue: Clue | null;
  readonly sentence: readonly string[];
  readonly subject: readonly string[];
  readonly text: readonly string[];
  /** How much each word counts, 0–1. */
  readonly weights: ReadonlyMap<string, number>;
  readonly verbs: ReadonlySet<string>;
  readonly otherVerbs: ReadonlySet<string>;
}

/** How much a word counts, by where it is: in the clue's sentence, the subject, or elsewhere. */
const WORD_WEIGHT = { sentence: 1, subject: 0.95, elsewhere: 0.4 } as const;

/** Returns the query for an event. Without a clue, the whole text counts as its sentence. */
export function queryFor(event: StreamEvent, clue: Clue | null): TargetQuery {
  const sentence = wordsOf(clue?.sentence ?? event.text);
  const subject = event.spoken === undefined ? wordsOf(event.subject) : [];
  // What a room is called says what is mostly spoken of in it, and no more.
  const text = wordsOf(event.spoken?.room === undefined ? event.text : `${event.spoken.room ?? ''} ${event.text}`);
  const weights = new Map<string, number>();
  for (const word of text) weights.set(word, WORD_WEIGHT.elsewhere);
  for (const word of subject) weights.set(word, WORD_WEIGHT.subject);
  for (const word of sentence) weights.set(word, WORD_WEIGHT.sentence);
  return {
    event,
    clue,
    sentence,
    subject,
    text,
    weights,
    verbs: new Set(clue?.verbs.map(stem)),
    otherVerbs: new Set(clue?.otherVerbs.map(stem)),
  };
}
