import { z } from 'zod';
import { type Frontmatter, type State, unit } from '../../vault/records/values.ts';
import { evidenceItem, fieldChange, type MutationProposal } from '../../vault/records.ts';

export const DECISIONS = ['still_active', 'changed', 'likely_done', 'needs_input', 'stale_archive_candidate'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Whether a decision says that the affair goes on, with or without a change of its fields. */
export function goesOn(decision: string): boolean {
  return decision === 'still_active' || decision === 'changed';
}

/**
 * Returns the decision under the name that its changes give it: what goes on has `changed` where a field other than the
 * state moves, and is `still_active` where none does.
 */
export function namedByChanges<Name extends string>(
  decision: Name,
  fields: readonly string[],
): Name | 'changed' | 'still_active' {
  if (!goesOn(decision)) return decision;
  return fields.some((field) => field !== 'state' && field !== 'status') ? 'changed' : 'still_active';
}

/** What one answer of a model took. */
export const usage = z.object({
  /** The model's id. */
  model: z.string(),
  tokens_in: z.number().min(0),
  tokens_out: z.number().min(0),
  /** US dollars; null where the model has no price. */
  usd: z.number().min(0).nullable(),
});
export type Usage = z.infer<typeof usage>;

/** Returns what two answers took together. */
export function usageOfBoth(one: Usage, other: Usage): Usage {
  return {
    model: one.model === other.model ? one.model : `${one.model}, ${other.model}`,
    tokens_in: one.tokens_in + other.tokens_in,
    tokens_out: one.tokens_out + other.tokens_out,
    usd: one.usd === null && other.usd === null ? null : (one.usd ?? 0) + (other.usd ?? 0),
  };
}

/** What an evaluator answers (contract, section 5, step 6). */
export const verdict = z.lazy(() =>
  z.object({
    decision: z.enum(DECISIONS),
    confidence: unit,
    reasoning: z.string(),
    evidence: z.array(evidenceItem),
    /** Source → its share of the conclusion, 0–1. */
    source_contributions: z.record(z.string(), unit),
    changes: z.array(fieldChange),
    /** What the answer took; absent where no model was asked. */
    usage: usage.nullish(),
    /** Who judged and by which prompt, where that is more than the evaluator's name. */
    evaluator: z.string().optional(),
    /** What to look up in the registered files before the verdict counts; only where files were offered. */
    requests: z.array(z.string()).optional(),
    /** True where no reply could be used, so that the note is left as it is. */
    fallback: z.boolean().optional(),
  }),
);
export type Verdict = z.infer<typeof verdict>;

/** A signal as an evaluator is shown it. Its texts come from outside: data, never instructions (section 10). */
export interface WeighedSignal {
  /** Vault-relative path of the signal note. */
  readonly path: string;
  /** The note's name without folder and `.md`. */
  readonly id: string;
  /** The source: its channel, and who spoke in it. */
  readonly source: string;
  readonly effect: 'mutation' | 'action' | 'none';
  /** After the source's instinct. */
  readonly effectConfidence: number;
  readonly targetConfidence: number;
  readonly ageMs: number;
  readonly headline: string | null;
  readonly quote: string | null;
  readonly proposal: MutationProposal | null;
}

/** The note that a question is about. */
interface QuestionTarget {
  readonly kind: 'task' | 'matter';
  readonly path: string;
  readonly name: string;
  readonly state: State;
  readonly fields: Frontmatter;
  /** The name of the task's matter; null for a matter, and for a task without one. */
  readonly matter: string | null;
}

/** The files that a person registered for a matter, and what was found in them. */
export interface QuestionFiles {
  readonly paths: readonly string[];
  /** What was found in answer to the evaluator's requests, as data; null while it may still ask. */
  readonly extracts: readonly string[] | null;
}

/**
 * What a note shows without any signal, and what the rules make of it. Whoever judges it finds something for a person to
 * see, or nothing: there is no change to make.
 */
export interface Perceiving {
  /** Plain sentences in the program's own words. */
  readonly facts: readonly string[];
  /** The fields of the task's matter; null where there is none. */
  readonly matter: Frontmatter | null;
  readonly byRules: Pick<Verdict, 'decision' | 'confidence' | 'reasoning'> | null;
}

/** What a tick asks an evaluator: about one note, and the signals that have come in for it. */
export interface Question {
  readonly target: QuestionTarget;
  readonly signals: readonly WeighedSignal[];
  readonly files?: QuestionFiles;
  /** Where there is no signal, and the note is looked at for what it shows by itself. */
  readonly perceiving?: Perceiving;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The port behind which evaluators work: the embedded rules, a model, or replies from files. */
export interface Evaluator {
  /** `rules`, or the model's id: as written in the event note. */
  readonly name: string;
  /** Whether a provider is asked, so that its backoff applies to this evaluator (section 6). */
  readonly asksModel: boolean;
  /** Rejects with `Unanswered` where no answer can be had. */
  evaluate(question: Question, signal: AbortSignal): Promise<Verdict>;
  /**
   * Returns the most a question may take, to be set aside from the budget. Without it, the dearest call of the day is.
   */
  estimate?(question: Question): Usage;
}

/** A question that was not answered. Any other error of an evaluator counts as a call that was made. */
export class Unanswered extends Error {
  /** Whether anything was sent. If not, the place and the budget set aside for the question are given back. */
  readonly sent: boolean;
  /**
   * After a provider's 429: how many seconds it asked us to wait, null where it named none. Undefined for anything
   * else.
   */
  readonly retryAfter: number | null | undefined;
  /** What earlier replies to the same question took; null where there were none. */
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
