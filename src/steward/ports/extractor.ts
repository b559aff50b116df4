import type { MutationProposal } from '../../vault/records/mutation.ts';
import type { Usage } from './evaluator.ts';
import type { StreamEvent } from './stream-event.ts';

/** A note that an event may be about, as the search in the vault found it. */
export interface CandidateNote {
  readonly kind: 'task' | 'matter';
  /** Vault-relative, with `.md`. */
  readonly path: string;
  readonly name: string;
  /** The name of a task's matter; null for a matter, and for a task without one. */
  readonly matter: string | null;
  readonly state: string;
  readonly summary: string;
  /** Why it could be meant, in a few words. */
  readonly why: string;
}

/** What is asked of one stream event: what it means for a few notes, and for no others. */
export interface ExtractionQuestion {
  readonly event: StreamEvent;
  /** At most five, best first. Whoever searches by itself needs none. */
  readonly candidates: readonly CandidateNote[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What an event means for one note: a signal before it is written. */
export interface Meaning {
  /** The note that is meant, by path. */
  readonly target: string;
  /** Every note that could be meant, best first, by path; the target among them. */
  readonly candidates: readonly string[];
  /** Which of them is meant is not certain: never to be acted upon. */
  readonly ambiguous: boolean;
  readonly targetConfidence: number;
  /** The words it rests on. From a model they are a claim, until they are found in the source. */
  readonly quote: string;
  /** Null where something is asked of the person, and nothing is to be changed. */
  readonly proposal: MutationProposal | null;
  /** Before the instinct of its source. */
  readonly effectConfidence: number;
  readonly reasoning: string;
}

/** What an extractor made of one event. */
export interface Extracted {
  readonly meanings: readonly Meaning[];
  /** Why there is none; null where there is one. */
  readonly skipped: string | null;
  /** What of a reply could not be used, each in a few words: `a note that was not given`. */
  readonly rejected: readonly string[];
  /** Why no reply of a model could be used; null where one could. */
  readonly unusable: string | null;
  /** Who read it, as it stands in the signal. */
  readonly extractor: string;
  /** What it took; null where no model was asked. */
  readonly usage: Usage | null;
}

/** The port behind which a reader of stream events sits: the embedded rules, or a model. */
export interface Extractor {
  /** `rules`, or the model's id. */
  readonly name: string;
  /** Whether a provider is asked: what it says is then checked, costs something, and can be held back. */
  readonly asksModel: boolean;
  /** Rejects with `Unanswered` where nobody could be asked: then the event is as unread as before. */
  extract(question: ExtractionQuestion, abort: AbortSignal): Promise<Extracted>;
  /** At most what one question may take, set aside from the budget before it is asked. */
  estimate?(question: ExtractionQuestion): Usage;
}
