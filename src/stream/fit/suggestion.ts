import type { DateOrigin } from '../dates/origin.ts';
import type { Finding } from '../rules/finding.ts';
import type { Change } from '../trained/labels.ts';
import type { Heard } from './heard.ts';

/** What one sentence of a mail may say of some note, before it is known of which. */
export interface Suggestion {
  readonly effect: Change;
  /** The day that something has moved to, with its time where it says one; null for the other effects. */
  readonly day: string | null;
  readonly heard: Heard;
  readonly finding: Finding;
  /** Neither the phrase table nor a form reads it so: it was only learnt. */
  readonly isLearnt: boolean;
}

/** What the rules find in an event. */
export interface Found {
  /** What is meant, weighed against each other. */
  readonly findings: readonly Finding[];
  /** All that was found, meant or not. */
  readonly read: readonly Finding[];
  /** When the event was written, and in which language. */
  readonly origin: DateOrigin;
}
