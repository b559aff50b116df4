import type { Licence } from '../../steward/trust-licences.ts';
import type { RecordedGate } from '../../vault/records.ts';

/** Why the last tick did what it did, and what would happen now (`explain --json`). */
export interface Explanation {
  readonly schemaVersion: 1;
  /** The note's path; what the caller wrote where the steward does not know the note. */
  readonly note: string;
  readonly kind: string;
  /** The answer in one sentence. */
  readonly sentence: string;
  readonly sections: readonly Section[];
  /** The gates as they stood when the event was written: the event's own, or those of the last event about a note. */
  readonly gates: readonly RecordedGate[];
  /** The gates as they would stand now; empty where nothing would be judged. */
  readonly gatesNow: readonly RecordedGate[];
  /** For a proposal: what has become of it, through which event, and why; null for anything else. */
  readonly standing: { readonly kind: string; readonly by: string | null; readonly reason: string | null } | null;
  /** What the sources that spoke may do on the note's matter; for a source, what it may do on each matter. */
  readonly licences: readonly Licence[];
  /** For a source: what was shown of it, newest first. */
  readonly outcomes: readonly SourceOutcome[];
}

/** One outcome that a source was right or wrong by. */
export interface SourceOutcome {
  /** The event note that shows it: the decision, or its answer. */
  readonly event: string;
  readonly outcome: 'right' | 'wrong';
  /** In a person's words: `made by hand`. */
  readonly by: string;
  /** ISO, UTC; null where the note does not say. */
  readonly at: string | null;
  /** The name of the task or matter, or null. */
  readonly target: string | null;
}

/** A titled list of lines. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Formats a moment (epoch ms): ISO for programs, local time for people. */
export type Times = (ms: number) => string;

/** An explanation without its note, kind and sentence. */
export const BLANK = {
  schemaVersion: 1 as const,
  ...{ sections: [], gates: [], gatesNow: [], standing: null, licences: [], outcomes: [] },
};
