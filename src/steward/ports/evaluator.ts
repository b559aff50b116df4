import { z } from 'zod';
import { evidenceItem } from '../../vault/records/event.ts';
import { fieldChange, type MutationProposal } from '../../vault/records/mutation.ts';
import { type Frontmatter, type State, unit } from '../../vault/records/values.ts';

export const DECISIONS = ['still_active', 'likely_done', 'needs_input', 'stale_archive_candidate'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What one answer took of a model. */
export const usage = z.object({
  /** The model's id. */
  model: z.string(),
  tokens_in: z.number().min(0),
  tokens_out: z.number().min(0),
  /** US dollars; null where the model has no price. */
  usd: z.number().min(0).nullable(),
});
export type Usage = z.infer<typeof usage>;

/** What two askings took, as one. */
export function usageOfBoth(one: Usage, other: Usage): Usage {
  return {
    model: one.model === other.model ? one.model : `${one.model}, ${other.model}`,
    tokens_in: one.tokens_in + other.tokens_in,
    tokens_out: one.tokens_out + other.tokens_out,
    usd: one.usd === null && other.usd === null ? null : (one.usd ?? 0) + (other.usd ?? 0),
  };
}

/** What an evaluator answers (contract, section 5, step 6). */
export const verdict = z.object({
  decision: z.enum(DECISIONS),
  confidence: unit,
  reasoning: z.string(),
  evidence: z.array(evidenceItem),
  /** Source type → how much of the conclusion it bears, 0–1. */
  source_contributions: z.record(z.string(), unit),
  changes: z.array(fieldChange),
  /** What the answer took; absent where no model was asked. */
  usage: usage.nullish(),
  /** Who judged and by which prompt, where that is more than the evaluator's name. */
  evaluator: z.string().optional(),
  /** What is asked of the registered files before the verdict is believed; only where they were offered. */
  requests: z.array(z.string()).optional(),
  /** True where no reply could be used, and the note is left as it is for want of one. */
  fallback: z.boolean().optional(),
});
export type Verdict = z.infer<typeof verdict>;

/** A signal as it is put before an evaluator. Its texts come from outside: data, never instructions (section 10). */
export interface WeighedSignal {
  /** Vault-relative path of the signal note. */
  readonly path: string;
  /** The note's name without folder and `.md`. */
  readonly id: string;
  readonly sourceType: string;
  readonly effect: 'mutation' | 'action' | 'none';
  /** After the source's instinct. */
  readonly effectConfidence: number;
  readonly targetConfidence: number;
  readonly ageMs: number;
  readonly headline: string | null;
  readonly quote: string | null;
  readonly proposal: MutationProposal | null;
}

interface QuestionTarget {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  readonly name: string;
  readonly state: State;
  readonly fields: Frontmatter;
  /** The name of the task's matter; null for a matter, and for a task without one. */
  readonly matter: string | null;
}

/** The files that a person registered for a matter, as far as a judge may ask what stands in them. */
export interface QuestionFiles {
  readonly paths: readonly string[];
  /** What was found of what it asked for, as data; null while it may still ask. */
  readonly extracts: readonly string[] | null;
}

/** What is asked at a tick: one note, and the signals that have come in for it. */
export interface Question {
  readonly target: QuestionTarget;
  readonly signals: readonly WeighedSignal[];
  readonly files?: QuestionFiles;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The port behind which a judge sits: the embedded rules, a model, or replies from files. */
export interface Evaluator {
  /** `rules`, or the model's id: as written in the event note. */
  readonly name: string;
  /** Whether a provider is asked, so that its backoff holds this evaluator back (section 6). */
  readonly asksModel: boolean;
  evaluate(question: Question, signal: AbortSignal): Promise<Verdict>;
  /** At most what a question may take, set aside from the budget before it is asked; without it, the dearest of the day. */
  estimate?(question: Question): Usage;
}

/** A question that was not answered. Any other error of an evaluator counts as a call that was made. */
export class Unanswered extends Error {
  /** Whether anything was sent: if not, the place and the budget set aside for it are given back. */
  readonly sent: boolean;
  /** A provider's 429: how long it asked us to wait, in seconds, or null where it did not say; undefined for anything else. */
  readonly retryAfter: number | null | undefined;
  /** What replies to the same question had taken before it failed; null where there were none. */
  readonly took: Usage | null;

  constructor(message: string, { sent, retryAfter, took = null }: UnansweredDetails) {
    super(message);
    this.name = 'Unanswered';
    this.sent = sent;
    this.retryAfter = retryAfter;
    this.took = took;
  }
}

interface UnansweredDetails {
  readonly sent: boolean;
  readonly retryAfter?: number | null;
  readonly took?: Usage | null;
}
