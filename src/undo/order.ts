import type { OrderOutcome } from '../vault/answer-file.ts';
import type { EventRecord, ReversalRecord } from '../vault/index/record.ts';
import type { Changes, Outcome } from '../vault/records.ts';

/** The daemon event that says how an order to take an event back was answered. */
export interface Reversed {
  readonly what: 'reversed';
  readonly event: string;
  readonly outcome: string;
  readonly target: string;
  readonly calibration: Readonly<Record<string, string>>;
}

/** The door through which a person gave an order. `link`: the button of a message. */
export type Door = 'file' | 'checkbox' | 'command' | 'link';

/** An event that a person may answer: an action or a proposal, or a reversal that is itself to be reversed. */
export type Answerable = EventRecord | ReversalRecord;

/** A person's order to take an event back. */
export interface UndoOrder {
  /** The event, or null where a dropped file names none. */
  readonly event: Answerable | null;
  readonly by: Door;
  readonly reason: string | null;
  readonly force: boolean;
  /** The reversal note that a person dropped, to be completed; null where the program writes one. */
  readonly file: ReversalRecord | null;
}

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
export const ONLY_ASKED = 'A dry run: this is what would happen.';

/** Returns whether an order was carried out. */
export function isDone(answer: Answer): boolean {
  return answer.outcome === 'reversed' || answer.outcome === 'confirmed' || answer.outcome === 'dismissed';
}

/** Returns the path of the note that an event changed or would change, or null where the event names none. */
export function targetOf(event: Answerable): string | null {
  if (event.kind === 'event') return event.fields.target_path;
  return event.fields.undo_recipe?.vault_patch.target ?? null;
}
