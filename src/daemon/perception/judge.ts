import { ProviderError } from '../../model/provider/provider-error.ts';
import { rulingOn } from '../../steward/perception/finding.ts';
import type { Perceived } from '../../steward/perception/perceive.ts';
import type { Perceiving, Question } from '../../steward/ports/evaluator.ts';
import { Unanswered } from '../../steward/ports/evaluator.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { releaseLook, reserveLook } from '../budget/guard-place.ts';
import type { Refusal } from '../budget/refusal.ts';
import type { ModelAccess } from '../context/ports.ts';
import { askWithinBudget } from '../decide/ask-evaluator.ts';
import type { Decision } from '../decide/decision.ts';
import { evaluate } from '../decide/evaluator-choice.ts';
import { heardLine } from './heard.ts';

/**
 * A note that was not judged, and what that holds for: every note, those of its matter, or it alone. `refused`: the
 * provider did not take this question, and would not take it the next time either.
 */
export interface Unjudged {
  readonly holds: 'all' | 'matter' | 'note' | 'refused';
}

/**
 * Returns what the evaluator makes of a note for which there is no signal, or that it could not be asked. A question to a
 * model is reserved like any other.
 */
export async function judgeAlone(
  space: ModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  perceived: Perceived,
  abort: AbortSignal,
): Promise<Decision | Unjudged> {
  const question = questionOf(space, target, note, perceived);
  if (!space.models.evaluator.asksModel) return decisionOn(space, question, abort);
  const look = reserveLook(space, target, true);
  if (!look.ok) return heldBy(look.refusal);
  if (abort.aborted) {
    releaseLook(space.context, look.id);
    return { holds: 'all' };
  }
  const decider = {
    decide: () => decisionOn(space, question, abort),
    estimate: () => space.models.evaluator.estimate?.(question) ?? null,
    asks: true,
  };
  try {
    const asked = await askWithinBudget(space, target, note, decider, look.id);
    return 'refusal' in asked ? heldBy(asked.refusal) : asked;
  } catch (error) {
    // The failure was reported where the question was asked.
    if (error instanceof Unanswered) return { holds: isOfOne(error) ? 'refused' : 'all' };
    throw error;
  }
}

// What has no room for one note may well have some for the next.
function heldBy({ window }: Refusal): Unjudged {
  if (window === 'task') return { holds: 'note' };
  return { holds: window === 'matter' || window.includes('per_matter') ? 'matter' : 'all' };
}

function isOfOne(error: Unanswered): boolean {
  return error instanceof ProviderError && OF_ONE.includes(error.failure);
}

const OF_ONE: readonly ProviderError['failure'][] = ['rejected', 'too-long', 'unrecorded'];

async function decisionOn(space: ModelAccess, question: Question, abort: AbortSignal): Promise<Decision> {
  const { evaluator } = space.models;
  const verdict = await evaluate(space, question, abort);
  const name = evaluator.asksModel ? evaluator.name : 'rules (embedded, no model was asked)';
  return {
    ...{ type: 'steward-action', decision: verdict.decision, confidence: verdict.confidence },
    ...{ reasoning: verdict.reasoning, evidence: [], contributions: {}, changes: [], proposal: null },
    ...{ evaluator: verdict.evaluator ?? name, signals: [], again: false, usage: verdict.usage ?? null },
  };
}

function questionOf(
  space: ModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  { findings }: Perceived,
): Question & { readonly perceiving: Perceiving } {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const heard = heardLine(space, target);
  const isLate = findings.some(({ kind }) => kind === 'overdue' || kind === 'silent');
  const { kind, path, name } = target;
  return {
    target: { kind, path, name, state: target.fields.state, fields: note.data, matter: matter?.name ?? null },
    signals: [],
    perceiving: {
      facts: [...findings.map(({ sentence }) => sentence), ...(heard === null ? [] : [heard])],
      matter: matter === null ? null : (space.notes.fresh(matter.path)?.data ?? null),
      byRules: rulingOn(findings, isLate ? heard : null),
    },
    now: space.context.now(),
  };
}
