import { z } from 'zod';
import { round4 } from '../../steward/gates/rounding.ts';
import {
  DECISIONS,
  namedByChanges,
  type Question,
  type Verdict,
  type WeighedSignal,
} from '../../steward/ports/evaluator.ts';
import type { EvidenceItem } from '../../vault/records/event.ts';
import { claimedChange } from '../claimed-change.ts';
import { plainLine } from '../plain.ts';
import { type Read, stricter } from '../reply.ts';
import { signalName } from './question-text.ts';

const MAX_REASONING = 2000;
const MAX_SAID = 200;
const MAX_ITEMS = 50;
/** Below every gate, so that a note without a usable judgement is left as it is. */
const FALLBACK_CONFIDENCE = 0.3;

/** The schema of a model's answer. The provider holds the model to it, and the reply is checked against it again here. */
export const judgement = z.object({
  note: z.string().describe('The path of the note under judgement, exactly as given.'),
  decision: z.enum(DECISIONS),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
  evidence: z.array(z.object({ signal: z.string(), says: z.string() })),
  contributions: z.array(z.object({ source: z.string(), share: z.number().min(0).max(1) })),
  changes: z.array(claimedChange),
});
/** The same for a judge who may ask what the registered files say. */
export const askingJudgement = judgement.extend({
  requests: z.array(z.string().max(500)).max(5).describe('What is asked of the files; usually empty.'),
});
export type Judgement = z.infer<typeof judgement> & Partial<z.infer<typeof askingJudgement>>;

/** Returns the verdict in a reply (contract, sections 5 and 10). What it says about other notes or signals is dropped. */
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
  const decision = namedByChanges(
    said.decision,
    said.changes.map(({ field }) => field),
  );
  return {
    ok: true,
    value: {
      decision,
      confidence: discounted(said.confidence, evidence.length, madeUp),
      reasoning: plainLine(said.reasoning, MAX_REASONING) + renamedWords(said, decision) + madeUpWords(madeUp),
      evidence,
      source_contributions: contributionsOf(said, evidence),
      changes: said.changes,
      ...(said.requests === undefined ? {} : { requests: said.requests }),
    },
  };
}

/**
 * Returns the verdict of a reply that was read, or the fallback where it could not be used, with its `evaluator`: the
 * judge, and in brackets the details, such as the prompt.
 */
export function signedVerdict(read: Read<Verdict>, judge: string, details: string): Verdict {
  const unused = read.ok ? '' : '; no reply could be used';
  return { ...(read.ok ? read.value : fallbackVerdict(read.reason)), evaluator: `${judge} (${details}${unused})` };
}

/** Nothing changes, and the confidence is below every gate (section 5). */
function fallbackVerdict(reason: string): Verdict {
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
  return { source: signal.source, ref: `[[${signal.id}]]`, note: plainLine(says, MAX_SAID) };
}

// A reply with made-up evidence is only believed by the share of its evidence that is real.
function discounted(confidence: number, real: number, madeUp: number): number {
  return madeUp === 0 ? confidence : round4(confidence * (real / (real + madeUp)));
}

function madeUpWords(count: number): string {
  if (count === 0) return '';
  return ` (${count === 1 ? 'One piece of evidence named a signal that was' : `${count} pieces of evidence named signals that were`} not given; dropped, and the confidence lowered.)`;
}

function renamedWords({ decision, changes }: Judgement, read: string): string {
  if (decision === read) return '';
  return ` (The reply said ${decision} and named ${changes.length === 0 ? 'no change' : 'a change'}; it is read as ${read}.)`;
}

/** Returns the shares of the sources behind the evidence; 1 for each where the reply names none of them. */
function contributionsOf(said: Judgement, evidence: readonly EvidenceItem[]): Record<string, number> {
  const sources = new Set(evidence.map((item) => item.source));
  const named = said.contributions.filter(({ source }) => sources.has(source));
  const shares = named.length > 0 ? named : [...sources].map((source) => ({ source, share: 1 }));
  return Object.fromEntries(shares.map(({ source, share }) => [source, share]));
}
