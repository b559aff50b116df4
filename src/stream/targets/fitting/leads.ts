import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import { asWritten } from '../../mail/word.ts';

/** What leads from an event to a note. */
export interface Leads {
  /** As a person says them: `the sender`, `the name`. */
  readonly nouns: readonly string[];
  /** The words that both have, folded and stemmed. */
  readonly stems: readonly string[];
}

/** Returns leads that are no words in common. */
export function byNouns(...nouns: readonly string[]): Leads {
  return { nouns, stems: [] };
}

/** Returns what leads to a matter, said of one of its tasks. */
export function ofMatter({ nouns, stems }: Leads): Leads {
  return { nouns: nouns.map((noun) => noun.replace(/^(?:the (name|keyword)|a link)$/, wordsOfMatter)), stems };
}

function wordsOfMatter(noun: string, what?: string): string {
  return what === undefined ? `${noun} to the matter` : `the matter's ${what}`;
}

/** Returns what leads to a note, with the words as the event writes them. */
export function leadsIn({ nouns, stems }: Leads, { subject, text, spoken }: StreamEvent) {
  return { nouns, words: stems.length === 0 ? [] : asWritten(stems, `${subject} ${spoken?.room ?? ''} ${text}`) };
}
