import type { EventRecord, ReversalRecord } from '../vault/index/record.ts';
import type { OrderOutcome } from '../vault/records/answer-file.ts';
import type { Outcome } from '../vault/records/event.ts';
import type { Changes } from '../vault/records/mutation.ts';

/** Told when an order to take an event back has been answered. */
export interface Reversed {
  readonly what: 'reversed';
  readonly event: string;
  readonly outcome: string;
  readonly target: string;
  readonly calibration: Readonly<Record<string, string>>;
}

/** Through which door a person gave an order. */
export type Door = 'file' | 'checkbox' | 'command';

/** An event that a person may answer: an action or proposal, or a reversal that is to be reversed itself. */
export type Answerable = EventRecord | ReversalRecord;

/** What came of a person's order about one event. */
export interface Answer {
  /** The event note's name, without folder and `.md`. */
  readonly event: string;
  readonly outcome: Outcome | OrderOutcome | 'settling';
  /** The note that records it, vault-relative, or null where none was written. */
  readonly note: string | null;
  readonly target: string | null;
  readonly changes: Changes;
  /** Source → "before → after". */
  readonly calibration: Readonly<Record<string, string>>;
  /** One sentence in plain words. */
  readonly message: string;
  /** When to try again (epoch ms), where somebody is editing the note just now. */
  readonly until: number | null;
}

/** The message of a dry run whose order could be carried out. */
export const ONLY_ASKED = 'Nothing was changed; this is what would happen.';

/** Whether an order was carried out. */
export function isDone(answer: Answer): boolean {
  return answer.outcome === 'reversed' || answer.outcome === 'confirmed' || answer.outcome === 'dismissed';
}
