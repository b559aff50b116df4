import { z } from 'zod';
import { mutationProposal } from './mutation.ts';
import { checkbox, optionalText, optionalUnit, orNull, stewardSwitch, textList, unit } from './values.ts';

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
