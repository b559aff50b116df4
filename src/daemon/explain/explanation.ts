import type { RecordedGate } from '../../vault/records/gate.ts';

/** Why the last tick did what it did, and what would happen now (`explain --json`). */
export interface Explanation {
  readonly schemaVersion: 1;
  /** The note's path; what was asked for where it is no note of the steward's. */
  readonly note: string;
  readonly kind: string;
  /** The answer, first and alone. */
  readonly sentence: string;
  readonly sections: readonly Section[];
  /** The gates as they stood when the event was written: the event's own, or those of the last event about a note. */
  readonly gates: readonly RecordedGate[];
  /** The gates as they would stand now; empty where nothing would be judged. */
  readonly gatesNow: readonly RecordedGate[];
  /** Of a proposal: what has become of it, by which event, and why; null for anything else. */
  readonly standing: { readonly kind: string; readonly by: string | null; readonly reason: string | null } | null;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** How a moment (epoch ms) is written: ISO for programs, local for people. */
export type Times = (ms: number) => string;

/** The parts that an explanation may go without. */
export const BLANK = { schemaVersion: 1 as const, sections: [], gates: [], gatesNow: [], standing: null };
