import type { MutationProposal } from '../../vault/records/mutation.ts';
import type { TargetEvidence } from '../../vault/records/signal.ts';
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
  /** Why the event may be about it, in a few words. */
  readonly why: string;
}

/** What an extractor is asked: what one stream event means for a few notes, and for no others. */
export interface ExtractionQuestion {
  readonly event: StreamEvent;
  /** At most five, best first. Empty for an extractor that searches by itself. */
  readonly candidates: readonly CandidateNote[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What an event means for one note: a signal that is not written yet. */
export interface Meaning {
  /** The path of the note that is meant. */
  readonly target: string;
  /** The paths of all notes that could be meant, best first, the target among them. */
  readonly candidates: readonly string[];
  /** True where it is not certain which of them is meant; such a signal is never acted upon. */
  readonly ambiguous: boolean;
  readonly targetConfidence: number;
  /** What led to the note, and whether that stands beside the finding: see the signal's fields of those names. */
  readonly targetEvidence: readonly TargetEvidence[];
  readonly targetNear: boolean;
  /** Whether it says that the affair itself has ended. */
  readonly endsMatter: boolean;
  /** The words it rests on. A model's quote is only a claim until it is found in the source. */
  readonly quote: string;
  /** Null where nothing is to be changed: the person is asked for something, or it is only news. */
  readonly proposal: MutationProposal | null;
  /** The time of day that goes with a new day, `HH:mm`; absent where none is named. */
  readonly time?: string;
  /** What a person should read first, where the event's own subject does not say it. */
  readonly headline?: string;
  /** The part of a sum that was paid, `500.00 EUR`, or that went back, `-500.00 EUR`; absent where no part was. */
  readonly paid?: string;
  /** True where it only tells that something has happened, and asks nothing of anybody. */
  readonly isNews?: boolean;
  /** Before the instinct of its source is applied. */
  readonly effectConfidence: number;
  readonly reasoning: string;
}

/** What an extractor made of one event. */
export interface Extracted {
  readonly meanings: readonly Meaning[];
  /** Why there is none; null where there is one. */
  readonly skipped: string | null;
  /** The parts of a reply that could not be used, each in a few words: `a note that was not given`. */
  readonly rejected: readonly string[];
  /** Why no reply of a model could be used; null where one could. */
  readonly unusable: string | null;
  /** Who read the event, as the signal names it. */
  readonly extractor: string;
  /** What it took; null where no model was asked. */
  readonly usage: Usage | null;
}

/** The port behind which stream events are read: by the embedded rules, or by a model. */
export interface Extractor {
  /** `rules`, or the model's id. */
  readonly name: string;
  /** Whether a provider is asked, so that its answers are checked, cost something, and may have to wait. */
  readonly asksModel: boolean;
  /** Rejects with `Unanswered` where nobody could be asked: the event then still counts as unread. */
  extract(question: ExtractionQuestion, abort: AbortSignal): Promise<Extracted>;
  /** Returns the most a question may take, to be set aside from the budget before it is asked. */
  estimate?(question: ExtractionQuestion): Usage;
}
