import { ProviderError } from '../../model/provider/provider-error.ts';
import { weighed } from '../../steward/changes/gather-signals.ts';
import { isHandsOff } from '../../steward/changes/opt-out.ts';
import type { Mode } from '../../steward/gates/gate.ts';
import { type Route, routeAlone } from '../../steward/gates/route.ts';
import { readingGate, senderGate } from '../../steward/gates/sender-gate.ts';
import { thresholdOf } from '../../steward/learning/sources.ts';
import { quietUntil } from '../../steward/notify/hours.ts';
import type { Question, WeighedSignal } from '../../steward/ports/evaluator.ts';
import { proposalChanges } from '../../steward/ports/mutation-class.ts';
import { stateIn } from '../../steward/proposals/note-now.ts';
import { witnessOf } from '../../steward/trust/licence.ts';
import { speakerOf } from '../../steward/trust/speaker.ts';
import type { SignalRecord, TargetRecord } from '../../vault/index/record.ts';
import type { EvidenceItem } from '../../vault/records/event.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { modeOf, thresholdsOf } from '../context/effective-mode.ts';
import type { IndexAccess, ModelAccess, Models, Workspace } from '../context/ports.ts';
import { decide, preview } from './decide.ts';
import type { Decided, Decision, Draft } from './decision.ts';
import { evaluate } from './evaluator-choice.ts';
import { candidate, freshSignals, isAgain, silenceFor, wasWeighed } from './fresh-signals.ts';

/**
 * Returns whether one signal would be acted upon at once, with its gates; null where it leads to no note of the
 * steward's.
 */
export function routeOf(
  space: IndexAccess,
  signal: SignalRecord,
  caller: Mode | null,
): { target: TargetRecord; route: Route } | null {
  const target = space.vault.catalogue.targetOf(signal);
  if (target === null || isHandsOff(space, target)) return null;
  const speaker = speakerOf(space, signal);
  if (silenceFor(space, speaker.source, target) !== null) return null;
  const discretion = thresholdOf(space, speaker.source, target);
  const witnesses = [witnessOf(space, signal, target)];
  const standing = [senderGate(witnesses), readingGate(witnesses)];
  const gates = { mode: modeOf(space.context, caller), thresholds: thresholdsOf(space.context), discretion, standing };
  return { target, route: routeAlone(signal.fields, speaker, gates) };
}

/**
 * Returns that a signal waits in the quiet hours: for their end where it is strong enough alone, so that a daemon that stays acts
 * when one would that starts after them, else for a tick. Null where no hours are quiet.
 */
export function heldBack(space: Workspace, signal: SignalRecord): Decided | null {
  const until = quietUntil(space.context.settings.quiet_hours, space.context.now());
  if (until === null) return null;
  const isStrong = !wasWeighed(space, signal) && routeOf(space, signal, null)?.route.route === true;
  return isStrong ? { kind: 'settling', until } : { kind: 'unasked', reason: 'quiet hours' };
}

/** Acts upon one signal at once if it is strong enough alone; returns null where it waits for the tick. */
export async function routeSignal(
  space: Workspace,
  signal: SignalRecord,
  caller: Mode | null,
): Promise<Decided | null> {
  const target = space.vault.catalogue.targetOf(signal);
  if (target === null || wasWeighed(space, signal)) return null;
  return space.transactions.inTurn(target.path, async () => {
    space.transactions.finishHeldUp([target.path, signal.path]); // a pending transaction may have weighed it
    const routed = wasWeighed(space, signal) ? null : routeOf(space, signal, caller);
    return routed?.route.route ? decideAlone(space, signal, { ...routed, ...STRONG }, caller) : null;
  });
}

/**
 * Judges one signal by itself at once, whether or not it clears its gates, for somebody who waits to hear what comes of it.
 * Asks no model. Returns null where it was weighed before, or is not heard.
 */
export async function judgeAlone(space: Workspace, signal: SignalRecord): Promise<Decided | null> {
  const target = space.vault.catalogue.targetOf(signal);
  if (target === null) return null;
  return space.transactions.inTurn(target.path, async () => {
    space.transactions.finishHeldUp([target.path, signal.path]);
    const heard = wasWeighed(space, signal) ? null : routeOf(space, signal, null);
    return heard === null ? null : decideAlone(space, signal, { ...heard, ...ASKED }, null);
  });
}

/** How a signal came to be judged by itself. */
interface Occasion {
  readonly words: (route: Route) => string;
  readonly evaluator: string;
}

const STRONG: Occasion = {
  words: ({ confidence }) => `was strong enough alone (${confidence})`,
  evaluator: 'none: one signal cleared its gates by itself',
};
const ASKED: Occasion = {
  words: ({ confidence }) => `was looked at by itself (${confidence})`,
  evaluator: 'none: one signal was looked at by itself',
};

async function decideAlone(
  space: Workspace,
  signal: SignalRecord,
  { target, route, words, evaluator }: Occasion & { readonly target: TargetRecord; readonly route: Route },
  caller: Mode | null,
): Promise<Decided | null> {
  const proposal = signal.fields.mutation_proposal;
  if (proposal === null) return null;
  const again = isAgain(space, target, [signal.name]);
  const decision: Decision = {
    type: 'signal-action',
    decision: proposal.class,
    confidence: route.confidence,
    reasoning: aloneReasoning(space, signal, words(route)),
    evidence: [evidenceOf(space, signal)],
    contributions: { [speakerOf(space, signal).source]: route.confidence },
    changes: proposalChanges(proposal),
    proposal,
    evaluator,
    signals: [weighed(candidate(space, signal, target.path), space.context.now())],
    again,
    usage: null,
  };
  const decider = { decide: async () => decision, estimate: () => null, asks: false };
  return decide(space, target, caller, 'signal-action', decider);
}

function aloneReasoning(space: IndexAccess, signal: SignalRecord, how: string): string {
  const quote = signal.fields.raw_quote === null ? '' : ` It says: “${signal.fields.raw_quote}”.`;
  const why = signal.fields.reasoning === null ? '' : ` ${signal.fields.reasoning}`;
  return `One signal from ${speakerOf(space, signal).source}, [[${signal.name}]], ${how}.${quote}${why}`;
}

function evidenceOf(space: IndexAccess, signal: SignalRecord): EvidenceItem {
  return {
    source: speakerOf(space, signal).source,
    ref: signal.fields.source_event_path ?? signal.path,
    note: signal.fields.raw_quote ?? signal.fields.headline ?? '',
  };
}

/** Weighs the fresh signals of one note together, as a tick does; returns null where there are none. */
export async function weighTogether(
  space: Workspace,
  target: TargetRecord,
  caller: Mode | null,
  abort: AbortSignal,
): Promise<Decided | null> {
  return space.transactions
    .inTurn(target.path, async () => {
      space.transactions.finishHeldUp([target.path]);
      const { signals } = freshSignals(space, target);
      if (signals.length === 0) return null;
      const again = isAgain(
        space,
        target,
        signals.map(({ id }) => id),
      );
      return decide(space, target, caller, 'steward-action', {
        decide: async (note) => ({ ...(await evaluateNote(space, target, note, signals, abort)), again }),
        estimate: (note) => space.models.evaluator.estimate?.(questionFor(space, target, note, signals)) ?? null,
        asks: true,
      });
    })
    .catch(unasked);
}

// Nothing was judged, and the failure was reported where the question was asked: the signals wait.
function unasked(error: unknown): Decided {
  if (error instanceof ProviderError) return { kind: 'unasked', reason: error.message };
  throw error;
}

/**
 * Returns what the next tick would decide about a note, as far as that is known without asking a model; null where no
 * signal waits, or a model would be asked. Changes nothing.
 */
export async function previewTick(space: ModelAccess, target: TargetRecord): Promise<Draft | null> {
  const { signals } = freshSignals(space, target);
  const note = space.notes.fresh(target.path);
  if (signals.length === 0 || note === null || space.models.evaluator.asksModel) return null;
  const again = isAgain(
    space,
    target,
    signals.map(({ id }) => id),
  );
  const judged = await evaluateNote(space, target, note, signals, new AbortController().signal).catch(noReply);
  return judged === null ? null : preview(space, target, note, { ...judged, again });
}

// Among recorded replies there may be none to this question.
function noReply(error: unknown): null {
  if (error instanceof ProviderError) return null;
  throw error;
}

async function evaluateNote(
  space: ModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  signals: readonly WeighedSignal[],
  abort: AbortSignal,
): Promise<Omit<Decision, 'again'>> {
  const verdict = await evaluate(space, questionFor(space, target, note, signals), abort);
  const {
    source_contributions: contributions,
    usage = null,
    evaluator = evaluatorName(space.models),
    ...rest
  } = verdict;
  return { ...rest, contributions, usage, evaluator, signals, type: 'steward-action', proposal: null };
}

function evaluatorName(models: Models): string {
  return models.evaluator.asksModel ? models.evaluator.name : `${models.evaluator.name} (embedded, no model was asked)`;
}

function questionFor(
  space: IndexAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  signals: readonly WeighedSignal[],
): Question {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  return {
    target: {
      kind: target.kind,
      path: target.path,
      name: target.name,
      // The note may have changed since it was catalogued.
      state: stateIn(space, target, note),
      fields: note.data,
      matter: matter?.name ?? null,
    },
    signals,
    now: space.context.now(),
  };
}
