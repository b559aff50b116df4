import { type Usage, usageOfBoth } from '../../../steward/ports/evaluator.ts';
import type { SignalDraft } from '../../../stream/draft.ts';
import type { Silence } from '../../../stream/silence.ts';

/** How many refused events of a file are named. */
const MOST_TROUBLES = 5;

/** A signal that would be written. */
export interface DrySignal {
  /** The event's path as it would be in the vault, and where it stands in its file. */
  readonly event: string;
  readonly place: string | null;
  readonly from: string | null;
  readonly headline: string;
  readonly quote: string;
  readonly target: string;
  readonly targetConfidence: number;
  /** Where any of several notes may be meant: all of them. */
  readonly candidates: readonly string[];
  /** What it proposes to change; null where it only asks something of the person. */
  readonly change: SignalDraft['mutation_proposal'];
  /** After what was learnt of its source. */
  readonly confidence: number;
  /** Why it would be signalled. */
  readonly reasoning: string;
  /** What is odd about it, and why nothing would be done on its word alone. */
  readonly warnings: readonly string[];
  readonly doubts: readonly string[];
}

/** What became of one file in a dry run. */
export interface DryResult {
  readonly from: string;
  /** Where it would lie in the vault; null where it would not be put there. */
  readonly file: string | null;
  readonly understood: boolean;
  /** Why it would not be imported; null where it would. */
  readonly reason: string | null;
  readonly events: number;
  readonly signals: number;
  /** Events that were read before. */
  readonly known: number;
  readonly refused: number;
  /** Why events would give no signal, the most frequent reason first. */
  readonly silent: readonly { readonly reason: string; readonly count: number }[];
  readonly troubles: readonly { readonly place: string; readonly reason: string }[];
}

/** What a model would be asked. */
export interface DryQuestions {
  readonly questions: number;
  /** The most that they may take; null where that is not known. */
  readonly most: Usage | null;
}

/** Gathers what the events of one file come to. */
export class DryTally {
  readonly from: string;
  readonly file: string;
  #events = 0;
  #signals = 0;
  #known = 0;
  #refused = 0;
  readonly #silent = new Map<string, number>();
  readonly #troubles: { readonly place: string; readonly reason: string }[] = [];

  /** `file`: where it would lie in the vault. */
  constructor(from: string, file: string) {
    this.from = from;
    this.file = file;
  }

  /** How many events were looked at, and the signals that they would give. */
  get counts(): { readonly read: number; readonly signals: number } {
    return { read: this.#events, signals: this.#signals };
  }

  /** Counts an event that gives so many signals, or none for that reason. */
  event(signals: number, silence: Silence | null): void {
    this.#events += 1;
    this.#signals += signals;
    if (silence !== null) this.#silent.set(whyIn(silence), (this.#silent.get(whyIn(silence)) ?? 0) + 1);
  }

  /** Counts an event that was read before. */
  known(): void {
    this.#events += 1;
    this.#known += 1;
  }

  /** Counts an event that cannot be read. */
  refused(place: string, reason: string): void {
    this.#events += 1;
    this.#refused += 1;
    if (this.#troubles.length < MOST_TROUBLES) this.#troubles.push({ place, reason });
  }

  /** Returns what it came to. */
  result(): DryResult {
    const silent = [...this.#silent].map(([reason, count]) => ({ reason, count }));
    return {
      ...{ from: this.from, file: this.file, understood: this.#events > this.#refused || this.#refused === 0 },
      ...{ reason: null, events: this.#events, signals: this.#signals, known: this.#known, refused: this.#refused },
      ...{ silent: silent.sort((one, other) => other.count - one.count), troubles: this.#troubles },
    };
  }
}

/** Returns what is known of a file that would not be imported. */
export function notImported(from: string, reason: string): DryResult {
  const none = { events: 0, signals: 0, known: 0, refused: 0, silent: [], troubles: [] };
  return { from, file: null, understood: false, reason, ...none };
}

/** Returns the questions with one more, that may take so much. */
export function withQuestion({ questions, most }: DryQuestions, usage: Usage | null): DryQuestions {
  if (usage === null) return { questions: questions + 1, most: null };
  if (questions === 0) return { questions: 1, most: usage };
  return { questions: questions + 1, most: most === null ? null : usageOfBoth(most, usage) };
}

/** Why an event gives no signal, in words that many events share. */
function whyIn({ kind, reason }: Silence): string {
  if (kind === 'not-admitted') return reason.split(':')[0] ?? reason;
  if (kind === 'no-note') return 'no note fits';
  return kind === 'nothing-said' ? 'a note fits but is not changed' : reason;
}

/** Returns what a person is shown of a signal that would be written. */
export function drySignal(draft: SignalDraft, place: string | null): DrySignal {
  return {
    ...{ event: draft.source_event_path, place, from: draft.from, headline: draft.headline, quote: draft.raw_quote },
    ...{ target: draft.target_path, targetConfidence: draft.target_confidence },
    candidates: draft.target_ambiguous ? draft.target_candidates : [],
    ...{ change: draft.mutation_proposal, confidence: draft.effect_confidence, reasoning: draft.reasoning },
    ...{ warnings: draft.warnings ?? [], doubts: draft.doubts ?? [] },
  };
}
