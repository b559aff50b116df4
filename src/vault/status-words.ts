import { z } from 'zod';
import { fold } from './note-names.ts';
import {
  checkbox,
  optionalText,
  optionalUnit,
  orNull,
  type State,
  stateOf,
  stewardSwitch,
  textList,
  unit,
  type Yaml,
} from './records/values.ts';
import { mutationProposal } from './records.ts';

const count = z
  .number()
  .int({ error: 'must be a whole number, 0 or more' })
  .min(0, { error: 'must be a whole number, 0 or more' })
  .nullish()
  .transform((value) => value ?? 0);

/** By which rule a note's figures came about: `outcomes` since only what a person lets be known teaches. */
export const LEARNS_FROM = 'outcomes';

/** `instinct/<channel>.md` and `instinct/<channel>/<pattern>.md`: how often one source was right. */
export const instinctFields = z.object({
  source_type: optionalText,
  /** Who speaks in the channel; absent for the channel itself. */
  pattern: optionalText,
  prior: optionalUnit,
  confidence: optionalUnit,
  /** How often it was right; wrong, wrong since it was last right, and taken back. */
  observations: count,
  wrong: orNull(count),
  wrong_in_a_row: count,
  reversals: count,
  /** How often it was right since an action of it was last taken back; absent where none was. */
  right_since_reversal: orNull(count),
  calibration_status: z
    .enum(['pending', 'live', 'pruned'])
    .nullish()
    .transform((value) => value ?? null),
  pinned: checkbox,
  last_negative_at: optionalText,
  /** `steward` where the program itself set the pin, with its floor; absent for a person's pin. */
  pinned_by: optionalText,
  /** `outcomes`; absent in a note of before this rule, and in one that a person made. */
  learns_from: optionalText,
  steward: stewardSwitch,
});
export type InstinctFields = z.infer<typeof instinctFields>;

/** How well a sender is known to the note that a signal is about (contract, section 6). */
export const SENDER_STANDINGS = ['named', 'earned', 'unknown'] as const;
export type SenderStanding = (typeof SENDER_STANDINGS)[number];

/** Whether a channel vouches for a sender (contract, section 10). */
export const AUTHENTICATION_RESULTS = ['pass', 'fail', 'none'] as const;
export type AuthenticationResult = (typeof AUTHENTICATION_RESULTS)[number];

/** The kinds of evidence that lead from an event to a note. */
export const TARGET_EVIDENCE = ['link', 'reference', 'sender', 'name', 'keyword', 'words', 'amount'] as const;
export type TargetEvidence = (typeof TARGET_EVIDENCE)[number];

const SIGNAL_STATUSES = ['unrouted', 'applied', 'skipped'] as const;

/** `signal/<id>.md`: what one stream event means for one matter or task. One dropped by hand may lack many fields. */
export const signalFields = z.object({
  created: optionalText,
  origin_at: optionalText,
  source_type: optionalText.transform((value) => value ?? 'other'),
  source_event_path: optionalText,
  raw_quote: optionalText,
  target_kind: orNull(z.enum(['task', 'matter'])),
  target_path: optionalText,
  target_matter_path: optionalText,
  target_confidence: unit.nullish().transform((value) => value ?? 1),
  target_candidates: textList,
  target_ambiguous: checkbox,
  effect: z
    .enum(['mutation', 'action', 'none'])
    .nullish()
    .transform((value) => value ?? 'none'),
  effect_confidence: unit.nullish().transform((value) => value ?? 0),
  effect_confidence_raw: optionalUnit,
  mutation_proposal: orNull(mutationProposal),
  reasoning: optionalText,
  headline: optionalText,
  /** The part of a task's sum that a bank line paid: `500.00 EUR`; `-500.00 EUR` where it went back. */
  paid: optionalText,
  /** The sender as shown, and the address: `Anna Example <anna@northgate-notary.example>`. */
  from: optionalText,
  /** Who in the channel spoke: a mail's sender address, a counterparty, an organiser, an author. */
  pattern: optionalText,
  /** Whether the target or its matter names the sender, or it had earned that, when the signal was written. */
  sender_known: orNull(z.enum(SENDER_STANDINGS)),
  /** Whether the channel vouches for the sender, and which server said so. */
  authenticated: z
    .enum(AUTHENTICATION_RESULTS)
    .nullish()
    .catch('none')
    .transform((value) => value ?? 'none'),
  authenticated_by: optionalText,
  /** What led to the target: see `TARGET_EVIDENCE`. */
  target_evidence: textList,
  /** Whether what led to the target stands in the same passage as the finding, or the sender belongs to it alone. */
  target_near: checkbox,
  /** Whether the source says that the affair itself has ended, not that one thing under it was done. */
  ends_matter: checkbox,
  /** What is odd about the sender or the text, in plain words. */
  warnings: textList,
  /** Why nothing is done on its word alone: marked as spam, or perhaps not seen as it is read. */
  doubts: textList,
  /** The program's mark on a signal that it wrote itself. */
  seal: optionalText,
  status: z
    .enum(SIGNAL_STATUSES)
    .nullish()
    .transform((value) => value ?? 'unrouted'),
  applied_at: optionalText,
  audit_record_path: optionalText,
  steward: stewardSwitch,
});
export type SignalFields = z.infer<typeof signalFields>;

/** Whether a signal asks for something that was not done yet. Nothing else of it can be weighed, whoever sent it. */
export function isWeighable({ steward, effect, status }: SignalFields): boolean {
  return steward && effect !== 'none' && status !== 'applied';
}

/** What one of a vault's own words for the state of a note means. */
export interface StatusWord {
  /** As the person spells it, and as it is written. */
  readonly word: string;
  readonly state: State;
}

/** The words of one vault, in the order in which its settings list them. */
export type StatusWords = readonly StatusWord[];
export const NO_WORDS: StatusWords = [];

/** The words that TaskNotes comes with, beside those of this program. */
const TASKNOTES: StatusWords = [
  { word: 'none', state: 'open' },
  { word: 'in-progress', state: 'open' },
];

/**
 * Returns the state that a field's value means, or null where nothing explains it: no word of the vault, of this program
 * or of TaskNotes, or more than one value.
 */
export function stateMeant(value: unknown, words: StatusWords): State | null {
  const text = singleText(value);
  if (text === null || text === '') return null;
  const listed = wordIn(text, words)?.state;
  return listed ?? stateOf(text) ?? wordIn(text, TASKNOTES)?.state ?? null;
}

/** Whether a field's value says nothing of a state: it is absent or empty. */
export function saysNoState(value: unknown): boolean {
  return singleText(value) === '';
}

/**
 * Returns how a state is written where a note holds `held`: as the first word that the vault lists for it, and as a list
 * of one where the note has a list. Where a note names its state `state`, only in place of one of the vault's own words.
 */
export function stateWritten(state: State, field: 'state' | 'status', held: unknown, words: StatusWords): Yaml {
  const text = singleText(held) ?? '';
  const isTheirs = field === 'status' || wordIn(text, words) !== null;
  const word = (isTheirs ? words.find((one) => one.state === state)?.word : null) ?? state;
  return Array.isArray(held) ? [word] : word;
}

/** Returns a value as the text that a person reads there. */
export function statusText(value: unknown): string {
  return singleText(value) ?? JSON.stringify(value);
}

function wordIn(text: string, words: StatusWords): StatusWord | null {
  if (words.length === 0) return null;
  const key = wordKey(text);
  return words.find(({ word }) => wordKey(word) === key) ?? null;
}

/** Under which key two spellings are one word: case, composition and the blanks at its ends make no difference. */
export function wordKey(word: string): string {
  return fold(word.trim());
}

// Null where there are several, or something that is no word.
function singleText(value: unknown): string | null {
  if (Array.isArray(value)) return value.length > 1 ? null : Array.isArray(value[0]) ? null : singleText(value[0]);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? null : String(value).trim();
}
