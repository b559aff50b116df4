import { z } from 'zod';
import { DECISIONS, type Question, type Verdict, type WeighedSignal } from '../../steward/ports/evaluator.ts';
import type { EvidenceItem } from '../../vault/records/event.ts';
import { plainLine } from '../plain.ts';
import { type Read, stricter } from '../reply.ts';
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
/** The same, of a judge who may ask what stands in files. */
export const askingJudgement = judgement.extend({
  requests: z.array(z.string().max(500)).max(5).describe('What is asked of the files; usually empty.'),
});
export type Judgement = z.infer<typeof judgement> & Partial<z.infer<typeof askingJudgement>>;

/** The verdict in a reply to a question (contract, sections 5 and 10). What it says of other notes or signals is not believed. */
export function judged(said: Judgement, question: Question): Read<Verdict> {
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
    value: {
      decision: said.decision,
      confidence: heldAgainst(said.confidence, evidence.length, madeUp),
      reasoning: plainLine(said.reasoning, MAX_REASONING) + madeUpWords(madeUp),
      evidence,
      source_contributions: contributionsOf(said, evidence),
      changes: said.changes,
      ...(said.requests === undefined ? {} : { requests: said.requests }),
    },
  };
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
