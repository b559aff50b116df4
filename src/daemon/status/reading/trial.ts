import { ProviderError } from '../../../model/provider/provider-error.ts';
import { costOf } from '../../../steward/gates/budget.ts';
import type { Usage } from '../../../steward/ports/evaluator.ts';
import type { Extracted, ExtractionQuestion, Extractor } from '../../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import { admitted } from '../../../stream/admission.ts';
import { checked } from '../../../stream/checking.ts';
import { draftsOf, type SignalDraft } from '../../../stream/draft.ts';
import type { Known } from '../../../stream/learnt-meanings.ts';
import { readByRules } from '../../../stream/rules-extractor.ts';
import { candidatesFor } from '../../../stream/targets/candidates.ts';
import type { BudgetClient } from '../../budget/budgeted-agent.ts';
import { costOfFailure } from '../../decide/model-check.ts';
import { isExpected, sampleEvent } from './sample-mail.ts';
import { SAMPLES, type Sample } from './samples.ts';

/** One thing that a reader got wrong. `said`: what it proposed; null where it missed a change. */
interface Mistake {
  readonly sample: string;
  readonly expected: string;
  readonly said: string | null;
}

/** How well the samples were read. */
export interface Reading {
  /** The model, or `embedded`. */
  readonly reader: string;
  readonly mails: number;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  /** The share of the proposed changes that are right; null where none was proposed. */
  readonly precision: number | null;
  /** The share of the changes that were found; null where there was none. */
  readonly recall: number | null;
  /** How many replies could not be used. */
  readonly unusable: number;
  readonly secondsPerMail: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Null where no price is known. */
  readonly usd: number | null;
  readonly mistakes: readonly Mistake[];
  /** Why it ended before the last mail; null where it did not. */
  readonly stopped: string | null;
}

/** What a reader made of one mail. */
interface SampleRead {
  readonly sample: Sample;
  readonly drafts: readonly SignalDraft[];
  readonly isUnusable: boolean;
  readonly ms: number;
  readonly usage: Usage | null;
}

/** A sample as its event, with what a model would be asked about it; null where the search finds no note. */
interface Asked {
  readonly sample: Sample;
  readonly event: StreamEvent;
  readonly question: ExtractionQuestion | null;
}

/** Returns the samples as they are read, after the same admission and the same search as any mail. */
export async function sampleQuestions({ index }: Known, now: number): Promise<readonly Asked[]> {
  return Promise.all(
    SAMPLES.map(async (sample) => {
      const admission = admitted(await sampleEvent(sample, now), new Date(now));
      if (!admission.ok) throw new Error(`The sample ${sample.id} is not admitted: ${admission.reason}`);
      const candidates = candidatesFor(index, admission.event);
      const question = candidates.length === 0 ? null : { event: admission.event, candidates, now };
      return { sample, event: admission.event, question };
    }),
  );
}

/**
 * Returns the most that a model can take for the samples, each asked about twice where a first reply cannot be used, the second
 * time with twice the room. `usd`: null where no price is known.
 */
export function mostOf(asked: readonly Asked[], extractor: Extractor): Pick<Usage, 'tokens_in' | 'tokens_out' | 'usd'> {
  const estimates = asked.flatMap(({ question }) => (question && extractor.estimate?.(question)) ?? []);
  const sum = (of: (usage: Usage) => number) => estimates.reduce((all, one) => all + of(one), 0);
  const isPriced = estimates.every(({ usd }) => usd !== null);
  return {
    tokens_in: 2 * sum(({ tokens_in }) => tokens_in),
    tokens_out: 3 * sum(({ tokens_out }) => tokens_out),
    usd: isPriced ? 3 * sum(({ usd }) => usd ?? 0) : null,
  };
}

/** Reads the samples as the program does without a model. */
export function readEmbedded(asked: readonly Asked[], known: Known, now: number): Reading {
  const reads = asked.map(({ sample, event }) => {
    const began = performance.now();
    const drafts = draftsFrom(event, readByRules(event, known), known, now);
    return { sample, drafts, isUnusable: false, ms: performance.now() - began, usage: null };
  });
  return readingOf('embedded', reads, now, null);
}

/**
 * Has a model read the samples, one after the other, through the same checks as any mail. Each question counts in the budget
 * and the rate guard. Ends early where the model can no longer be asked. `heard` is told of each mail.
 */
export async function readByModel(
  asked: readonly Asked[],
  { extractor, budget, known, now }: { extractor: Extractor; budget: BudgetClient; known: Known; now: number },
  heard: (nth: number, ms: number) => void,
): Promise<Reading> {
  const reads: SampleRead[] = [];
  for (const { sample, event, question } of asked) {
    const began = performance.now();
    const answer = question === null ? NOT_ASKED : await askedOf(extractor, question, budget);
    if (typeof answer === 'string') return readingOf(extractor.name, reads, now, answer);
    const drafts = answer.unusable === null ? draftsFrom(event, checked(answer, event, known.index), known, now) : [];
    const ms = performance.now() - began;
    reads.push({ sample, drafts, isUnusable: answer.unusable !== null, ms, usage: answer.usage });
    heard(reads.length, ms);
  }
  return readingOf(extractor.name, reads, now, null);
}

const NOT_ASKED: Extracted = {
  ...{ meanings: [], rejected: [], skipped: null, unusable: null, extractor: '', usage: null },
};

/** Returns the answer to one question, or why the model cannot be asked any more. */
async function askedOf(
  extractor: Extractor,
  question: ExtractionQuestion,
  budget: BudgetClient,
): Promise<Extracted | string> {
  const estimate = extractor.estimate?.(question);
  if (estimate === undefined) throw new Error(`${extractor.name} is no model`);
  const reserved = await budget.reserve(estimate);
  if (!reserved.ok) return reserved.reason;
  try {
    const answer = await extractor.extract(question, new AbortController().signal);
    const usage = answer.usage ?? estimate;
    await budget.record({ id: reserved.id, cost: costOf(usage), usage });
    return answer;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await budget.record({ id: reserved.id, ...costOfFailure(error) });
    return error.failure === 'rejected' ? { ...NOT_ASKED, unusable: error.message } : error.message;
  }
}

// As if every sender were known: what is measured is the reading alone.
function draftsFrom(event: StreamEvent, extracted: Extracted, { index }: Known, now: number): readonly SignalDraft[] {
  const context = { confidenceOf: () => 1, standingOf: () => 'unknown' as const, canVouch: false };
  return draftsOf(event, extracted, index, { ...context, now: new Date(now) });
}

function readingOf(reader: string, reads: readonly SampleRead[], now: number, stopped: string | null): Reading {
  const judged = reads.map((read) => judgedOf(read, now));
  const sum = (of: (one: (typeof judged)[number]) => number) => judged.reduce((all, one) => all + of(one), 0);
  const [right, wrong] = [sum((one) => one.right), sum(({ wrongly }) => wrongly.length)];
  const missed = judged.filter(({ isMissed }) => isMissed).length;
  const usages = reads.flatMap(({ usage }) => usage ?? []);
  return {
    ...{ reader, mails: reads.length, right, wrong, missed },
    precision: shareOf(right, right + wrong),
    recall: shareOf(right, right + missed),
    unusable: reads.filter(({ isUnusable }) => isUnusable).length,
    secondsPerMail: reads.reduce((all, { ms }) => all + ms, 0) / 1000 / Math.max(1, reads.length),
    tokensIn: usages.reduce((all, { tokens_in }) => all + tokens_in, 0),
    tokensOut: usages.reduce((all, { tokens_out }) => all + tokens_out, 0),
    usd: usages.some(({ usd }) => usd === null) ? null : usages.reduce((all, { usd }) => all + (usd ?? 0), 0),
    mistakes: judged.flatMap(mistakesOf),
    stopped,
  };
}

/** What is proposed for the one expected change, and what besides. What may mean several notes is neither. */
function judgedOf({ sample, drafts }: SampleRead, now: number) {
  const proposed = drafts.filter(({ effect, target_ambiguous }) => effect === 'mutation' && !target_ambiguous);
  const wrongly = proposed.filter((draft) => !isExpected(draft, sample, now));
  const right = proposed.length > wrongly.length ? 1 : 0;
  return { sample, wrongly, right, isMissed: sample.expect !== null && right === 0 };
}

function mistakesOf({ sample, wrongly, isMissed }: ReturnType<typeof judgedOf>): Mistake[] {
  const expected = sample.expect === null ? 'nothing' : `${sample.expect.change}: ${sample.expect.task}`;
  const said = wrongly.map((draft) => ({ sample: sample.id, expected, said: toldOf(draft) }));
  return isMissed && said.length === 0 ? [{ sample: sample.id, expected, said: null }] : said;
}

/** `due 2026-12-11: Repair visit for the slipway`. */
function toldOf({ mutation_proposal, target_path }: SignalDraft): string {
  const set = Object.entries(mutation_proposal?.set ?? {}).map(([field, value]) => `${field} ${String(value)}`);
  const task = target_path.replace(/^.*\//, '').replace(/\.md$/, '');
  return `${set.join(', ') || 'another field'}: ${task}`;
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
