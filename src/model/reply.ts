import { z } from 'zod';
import type { EvidenceItem } from '../vault/records/event.ts';
import { DECISIONS, type Question, type Verdict, type WeighedSignal } from '../vault/records/verdict.ts';
import { plainLine } from './plain.ts';
import { signalName } from './question-text.ts';

const MAX_REASONING = 2000;
const MAX_SAID = 200;
const MAX_ITEMS = 50;
/** What nobody could judge is left as it is, and surely below every gate. */
const FALLBACK_CONFIDENCE = 0.3;

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** What a model must answer: the schema it is held to by the provider, and checked against here all the same. */
export const judgement = z.object({
  note: z.string().describe('The path of the note under judgement, exactly as given.'),
  decision: z.enum(DECISIONS),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
  evidence: z.array(z.object({ signal: z.string(), says: z.string() })),
  contributions: z.array(z.object({ source: z.string(), share: z.number().min(0).max(1) })),
  changes: z.array(z.object({ field: z.string().min(1), op: z.enum(['set', 'add', 'remove']), value })),
});
type Judgement = z.infer<typeof judgement>;

/** A reply of the provider, as far as it matters here. Its text is data until `readReply` has found it to be a judgement. */
export interface Reply {
  readonly text: string;
  readonly stopReason: string;
  /** What it took, what the provider had kept included. */
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** A reply as read: the verdict, or why it is none and how it may be asked for again. */
export type Read =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly reason: string; readonly again: 'stricter' | 'roomier' | 'briefer' | 'never' };

/** Reads a reply to a question (contract, sections 5 and 10). What it says of other notes or signals is not believed. */
export function readReply(reply: Reply, question: Question): Read {
  const { stopReason } = reply;
  if (stopReason === 'refusal') return { ok: false, reason: 'the model refused to answer.', again: 'never' };
  if (stopReason === 'max_tokens') return { ok: false, reason: 'it was cut off before its end.', again: 'roomier' };
  if (stopReason === 'model_context_window_exceeded') return tooLong();
  const parsed = judgement.safeParse(jsonOf(reply.text));
  if (!parsed.success) return stricter(`it does not keep to the schema (${issueOf(parsed.error)}).`);
  return judged(parsed.data, question);
}

/** The question was more than the model can read at once. */
export function tooLong(): Read {
  return { ok: false, reason: 'the question was too long for the model.', again: 'briefer' };
}

/** The verdict where no reply could be used: nothing changes, and the confidence is below every gate (section 5). */
export function fallbackVerdict(reason: string): Verdict {
  return {
    decision: 'still_active',
    confidence: FALLBACK_CONFIDENCE,
    reasoning: `No judgement could be had from the model: ${reason} The note is left as it is.`,
    evidence: [],
    source_contributions: {},
    changes: [],
    fallback: true,
  };
}

function judged(said: Judgement, question: Question): Read {
  if (said.note.normalize('NFC').trim() !== question.target.path.normalize('NFC')) {
    return stricter('it names another note than the one under judgement.');
  }
  if (Math.max(said.evidence.length, said.changes.length) > MAX_ITEMS) return stricter('it lists too much.');
  const given = new Map(question.signals.map((signal, index) => [signalName(index), signal]));
  const evidence = said.evidence.flatMap(({ signal, says }) => {
    const known = given.get(signal.trim());
    return known === undefined ? [] : [evidenceItem(known, says)];
  });
  const madeUp = said.evidence.length - evidence.length;
  return {
    ok: true,
    verdict: {
      decision: said.decision,
      confidence: heldAgainst(said.confidence, evidence.length, madeUp),
      reasoning: plainLine(said.reasoning, MAX_REASONING) + madeUpWords(madeUp),
      evidence,
      source_contributions: contributionsOf(said, evidence),
      changes: said.changes,
    },
  };
}

function evidenceItem(signal: WeighedSignal, says: string): EvidenceItem {
  return { source: signal.sourceType, ref: `[[${signal.id}]]`, note: plainLine(says, MAX_SAID) };
}

// A reply that makes up its evidence is believed as far as the rest of it goes: by the share that was really given.
function heldAgainst(confidence: number, real: number, madeUp: number): number {
  return madeUp === 0 ? confidence : Math.round(confidence * (real / (real + madeUp)) * 10_000) / 10_000;
}

function madeUpWords(count: number): string {
  if (count === 0) return '';
  return ` (${count === 1 ? 'One piece of evidence named a signal that was' : `${count} pieces of evidence named signals that were`} not given; dropped, and the confidence lowered.)`;
}

/** The shares of the sources behind the evidence; each its whole share where the reply names none of them. */
function contributionsOf(said: Judgement, evidence: readonly EvidenceItem[]): Record<string, number> {
  const sources = new Set(evidence.map((item) => item.source));
  const named = said.contributions.filter(({ source }) => sources.has(source));
  const shares = named.length > 0 ? named : [...sources].map((source) => ({ source, share: 1 }));
  return Object.fromEntries(shares.map(({ source, share }) => [source, share]));
}

function stricter(reason: string): Read {
  return { ok: false, reason, again: 'stricter' };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the whole' : issue.path.join('.');
  return `${place} is not as it must be`;
}
