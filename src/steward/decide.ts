import { makePatch, makeRecipe } from '../undo/recipe.ts';
import { editFields, type Step, textStep } from '../vault/edit.ts';
import { isRefusal } from '../vault/errors.ts';
import { type Changes, same, type Yaml } from '../vault/frontmatter.ts';
import { fold } from '../vault/layout.ts';
import { brief, sha256 } from '../vault/note-text.ts';
import {
  type EventRecord,
  type EvidenceItem,
  type FieldChange,
  type MutationProposal,
  parseState,
  type SignalRecord,
  type TargetRecord,
} from '../vault/record.ts';
import { claimedPattern, isOwnHand, OWN_HAND } from '../vault/source-names.ts';
import { quietUntil } from '../vault/time.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import { isStateField, mutationContext, type Permission, permitted, proposalChanges, readHeldValue } from './change.ts';
import {
  type EventNote,
  eventNoteText,
  externalEffect,
  NO_MARKS,
  type NoteMarks,
  recordedGate,
  spokenBy,
} from './event-note.ts';
import { editedAt, hasChanged } from './field-edits.ts';
import {
  currentMode,
  type Disposition,
  decideOutcome,
  effectiveThresholds,
  extractReason,
  freshnessGate,
  GATES,
  type Gate,
  type Mode,
  modeGate,
  type Right,
  type Route,
  refusalWords,
  routeAlone,
  type SignalReport,
  signalGates,
  unbasedGates,
  type Witness,
} from './gates.ts';
import { requiredConfidence } from './instinct.ts';
import { isLicensed, licensableOn, rightToAct } from './licence.ts';
import { collectMemory, withoutRepeats } from './memory.ts';
import {
  findAnswer,
  isHandsOff,
  listSpeakers,
  type Overtaking,
  readState,
  reversalHolding,
  supersedes,
  waitingAbout,
  withoutPending,
} from './proposals.ts';
import type { Slot } from './rate-guard.ts';
import { isKnownNote, matterField } from './records.ts';
import { evaluateForgery, findWarning, identifySpeaker, kindOfChange, names, sentAt } from './sender.ts';
import { freshSignals, isAgain, silenceFor, stampSteps, wasWeighed, weighSignal } from './signals.ts';
import {
  backOff,
  guardGate,
  mayRulesReplaceModel,
  type Refusal,
  recordUnanswered,
  recordUsage,
  refusalFor,
  releaseSlot,
  reserveCost,
  reserveSlot,
} from './spending.ts';
import { type EvaluatorQuestion, namedByChanges, UnansweredError, type Usage, type WeighedSignal } from './types.ts';
import type {
  DecisionContext,
  DecisionIndexAccess,
  DecisionModelAccess,
  DecisionReadAccess,
  DecisionWorkspace,
  DecisionWriteAccess,
} from './workspace.ts';

/**
 * A signal, or the fresh signals of a note together, lead to a decision. A decision passes the gates, and then it is
 * applied, proposed to a person, or only recorded: in one transaction with an event note that says what and why.
 */

/** A decision about one note, before the gates: from the evaluator at a check, or from one strong signal. */
export interface DecisionRecord {
  readonly type: EventNote['type'];
  readonly decision: string;
  readonly confidence: number;
  readonly reasoning: string;
  readonly evidence: readonly EvidenceItem[];
  readonly contributions: Readonly<Record<string, number>>;
  readonly changes: readonly FieldChange[];
  /** The signal's own proposal, which must keep to its class; null for an evaluator's changes. */
  readonly proposal: MutationProposal | null;
  readonly evaluator: string;
  readonly signals: readonly WeighedSignal[];
  /** Whether it rests on signals that were evaluated before a person changed the note: then it is only proposed. */
  readonly again: boolean;
  /** The tokens and cost of the model; absent if no model was asked. */
  readonly usage?: Usage | null;
}

/** A decision with its gates and its outcome, before anything is written. */
export interface DecisionDraft {
  readonly mode: Mode;
  readonly gates: readonly Gate[];
  readonly decision: DecisionRecord;
  readonly note: NoteSnapshot;
  readonly target: TargetRecord;
  readonly permission: Permission;
  readonly outcome: Disposition;
  /** The note of the licence under which it acts; null if it doesn't, or a setting gives the right. */
  readonly licence: string | null;
  /** All signals that were evaluated together, by path: the decision names only those that it is based on. */
  readonly considered: readonly string[];
}

/** How the check of one note ended. */
export type CheckResult =
  | { readonly kind: 'acted' | 'proposed' | 'recorded'; readonly event: string }
  | { readonly kind: 'guarded'; readonly refusal: Refusal }
  /** Somebody is typing, or it is quiet hours: the note is evaluated again at `until` (epoch ms). */
  | { readonly kind: 'settling'; readonly until: number }
  /** The model couldn't be asked, or it is quiet hours: the signals wait for a later check. */
  | { readonly kind: 'unasked'; readonly reason: string }
  | { readonly kind: 'gone' };

/**
 * Acts upon one signal at once if it is strong enough alone. A change by the user's own hand is decided at once too,
 * and proposed if the signal isn't strong enough: no model is asked about it. Returns null if the signal waits for the
 * next check.
 */
export async function routeSignal(
  space: DecisionWorkspace,
  signal: SignalRecord,
  caller: Mode | null,
): Promise<CheckResult | null> {
  return inTurn(space, signal, async () => {
    const routed = findRoute(space, signal, caller);
    if (routed === null || !isDecidedAlone(space, signal, routed)) return null;
    const how = routed.route.route ? 'passed all gates alone' : 'was evaluated alone';
    return decideAlone(space, signal, routed, how, caller);
  });
}

function isDecidedAlone(
  space: DecisionIndexAccess,
  signal: SignalRecord,
  { target, route: { route, gates } }: { readonly target: TargetRecord; readonly route: Route },
): boolean {
  if (route || gates.length === 0) return route;
  const { source, writer } = identifySpeaker(space, signal);
  return writer === 'own' && (isOwnHand(source) || (!isFromForger(gates) && isAboutItsEnd(space, signal, target)));
}

// No check evaluates a closed note: not that it is closed, which would be old news once it is open again, nor that it isn't.
function isAboutItsEnd(space: DecisionIndexAccess, { fields }: SignalRecord, target: TargetRecord): boolean {
  const { mutation_proposal: proposal, created } = fields;
  const { state } = target.fields;
  if (proposal === null || (state !== 'done' && state !== 'archived')) return false;
  const isNew = created !== null && Date.parse(created) > space.context.now() - DAY;
  const changes = proposalChanges(proposal).filter(isOwnChange);
  const isSame = ({ field, value }: FieldChange) =>
    isStateField(field) && typeof value === 'string' && [state, 'open'].includes(parseState(value) ?? '');
  return isNew && changes.length > 0 && changes.every(isSame);
}

/**
 * Evaluates one signal by itself at once, even if it doesn't pass its gates, for somebody who waits for the result. Asks no
 * model. Returns null if it was evaluated before, or doesn't count on its note.
 */
export async function decideSignal(space: DecisionWorkspace, signal: SignalRecord): Promise<CheckResult | null> {
  return inTurn(space, signal, async () => {
    const routed = findRoute(space, signal, null);
    return routed === null ? null : decideAlone(space, signal, routed, 'was evaluated alone', null);
  });
}

async function inTurn(
  space: DecisionWorkspace,
  signal: SignalRecord,
  work: () => Promise<CheckResult | null>,
): Promise<CheckResult | null> {
  const target = space.vault.catalogue.targetOf(signal);
  if (target === null || wasWeighed(space, signal)) return null;
  return space.transactions.inTurn(target.path, async () => {
    space.transactions.finishHeldUp([target.path, signal.path]); // a pending transaction may have weighed it
    return wasWeighed(space, signal) ? null : work();
  });
}

/**
 * Returns that a signal waits in the quiet hours: for their end if it is strong enough alone, as it would after a start at
 * that moment, else for the next check. Null if it isn't quiet hours.
 */
export function heldBack(space: DecisionWorkspace, signal: SignalRecord): CheckResult | null {
  const until = quietUntil(space.context.settings.quiet_hours, space.context.now());
  if (until === null) return null;
  const routed = wasWeighed(space, signal) ? null : findRoute(space, signal, null);
  return routed !== null && isDecidedAlone(space, signal, routed)
    ? { kind: 'settling', until }
    : { kind: 'unasked', reason: 'quiet hours' };
}

/**
 * Returns whether one signal would be acted upon at once, with its gates; null if it counts on no note of Steward's.
 */
export function findRoute(
  space: DecisionIndexAccess,
  signal: SignalRecord,
  caller: Mode | null,
): { target: TargetRecord; route: Route } | null {
  const target = space.vault.catalogue.targetOf(signal);
  if (target === null || isHandsOff(space, target)) return null;
  const { source, effectConfidence } = identifySpeaker(space, signal);
  if (silenceFor(space, source, target) !== null) return null;
  const { mutation_proposal: proposal } = signal.fields;
  const mode = { mode: currentMode(space.context, caller), thresholds: effectiveThresholds(space.context) };
  const route = routeAlone(signal.fields, effectConfidence, mode, () => {
    const changes = proposal === null ? [] : proposalChanges(proposal).filter(isOwnChange);
    return worst(
      changes.map((change) => gatesOf(space, target, signal, change, rightOf(space, signal, target, change))),
    );
  });
  return { target, route };
}

// The change that comes least close to being made says whether all of them are.
function worst(all: readonly (readonly Gate[])[]): readonly Gate[] {
  const failed = (gates: readonly Gate[]) => gates.filter(({ held }) => !held).length;
  return all.toSorted((one, other) => failed(other) - failed(one))[0] ?? [];
}

async function decideAlone(
  space: DecisionWorkspace,
  signal: SignalRecord,
  { target, route }: { readonly target: TargetRecord; readonly route: Route },
  how: 'passed all gates alone' | 'was evaluated alone',
  caller: Mode | null,
): Promise<CheckResult | null> {
  const { mutation_proposal: proposal, raw_quote: quote, headline, reasoning, source_event_path: file } = signal.fields;
  if (proposal === null) return null;
  const speaker = identifySpeaker(space, signal);
  const said = quote === null ? '' : ` It says: “${quote}”.`;
  const why = reasoning === null ? '' : ` ${reasoning}`;
  const decision: DecisionRecord = {
    type: 'signal-action',
    decision: proposal.class,
    confidence: route.confidence,
    reasoning: `One signal from ${speaker.source}, [[${signal.name}]], ${how} (${route.confidence}).${said}${why}`,
    evidence: [{ source: speaker.source, ref: file ?? signal.path, note: quote ?? headline ?? '' }],
    contributions: { [speaker.source]: route.confidence },
    changes: proposalChanges(proposal),
    proposal,
    evaluator:
      how === 'passed all gates alone'
        ? 'none: one signal passed its gates alone'
        : 'none: one signal was evaluated alone',
    signals: [weighSignal(signal, speaker, space.context.now())],
    again: isAgain(space, target, [signal.name]),
    usage: null,
  };
  const decider = { decide: async () => decision, estimate: () => null, signals: null };
  return decide(space, target, caller, 'signal-action', decider);
}

/** Evaluates the fresh signals of one note together, as a check does; returns null if there aren't any. */
export async function decideTogether(
  space: DecisionWorkspace,
  target: TargetRecord,
  caller: Mode | null,
  abort: AbortSignal,
): Promise<CheckResult | null> {
  try {
    return await space.transactions.inTurn(target.path, async () => {
      space.transactions.finishHeldUp([target.path]);
      const { signals } = freshSignals(space, target);
      if (signals.length === 0) return null;
      return decide(space, target, caller, 'steward-action', {
        decide: (note, slot) => evaluateNote(space, target, note, signals, slot, abort),
        estimate: (note) => space.models.evaluator.estimate?.(questionFor(space, target, note, signals, null)) ?? null,
        signals,
      });
    });
  } catch (error) {
    // The failure was reported when the question was asked: the signals wait.
    if (error instanceof UnansweredError) return { kind: 'unasked', reason: error.message };
    throw error;
  }
}

/**
 * Returns what the next check would decide about a note. Null if no signal waits, or a model would be asked. Makes no
 * changes.
 */
export async function previewCheck(
  space: DecisionModelAccess,
  target: TargetRecord,
): Promise<readonly DecisionDraft[] | null> {
  const { signals } = freshSignals(space, target);
  const note = space.notes.fresh(target.path);
  if (signals.length === 0 || note === null || space.models.evaluator.asksModel) return null;
  try {
    const asked = await evaluateNote(space, target, note, signals, null, new AbortController().signal);
    const decision = withoutRepeats(collectMemory(space, target, signals), asked);
    return draftsOf(space, target, note, decision, null, guardGate(null, 'no model is asked'));
  } catch (error) {
    if (error instanceof UnansweredError) return null; // recorded replies may lack one to this question
    throw error;
  }
}

async function evaluateNote(
  space: DecisionModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  signals: readonly WeighedSignal[],
  slot: Slot | null,
  abort: AbortSignal,
): Promise<DecisionRecord> {
  const names = signals.map(({ id }) => id);
  const again = isAgain(space, target, names);
  const verdict = await space.models.evaluate(questionFor(space, target, note, signals, slot), abort);
  const { evaluator } = space.models;
  const embedded = evaluator.asksModel ? evaluator.name : `${evaluator.name} (embedded, no model was asked)`;
  return {
    type: 'steward-action',
    decision: verdict.decision,
    confidence: verdict.confidence,
    reasoning: verdict.reasoning,
    evidence: verdict.evidence,
    contributions: verdict.source_contributions,
    changes: verdict.changes,
    proposal: null,
    evaluator: verdict.evaluator ?? embedded,
    signals,
    again,
    usage: verdict.usage ?? null,
  };
}

function questionFor(
  space: DecisionIndexAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  signals: readonly WeighedSignal[],
  slot: Slot | null,
): EvaluatorQuestion {
  const matter = target.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  return {
    target: {
      kind: target.kind,
      path: target.path,
      name: target.name,
      // The note may have changed since it was catalogued.
      state: readState(space, target, note),
      fields: note.data,
      matter: matter?.name ?? null,
      ...(target.kind === 'task' && { due: target.fields.due, snoozed_until: target.fields.snoozed_until }),
    },
    signals,
    slot,
    memory: collectMemory(space, target, signals),
    now: space.context.now(),
  };
}

/** How a decision about a note is made, and what it may cost at most. */
interface Decider {
  /** `slot`: the one that the rate guard reserved for the question; null if no model may be asked. */
  readonly decide: (note: NoteSnapshot, slot: Slot | null) => Promise<DecisionRecord>;
  /** Returns null if the evaluator doesn't say. */
  readonly estimate: (note: NoteSnapshot) => Usage | null;
  /** The signals that the evaluator is asked about; null if it isn't asked. */
  readonly signals: readonly WeighedSignal[] | null;
}

/**
 * Checks one note: reserve, decide, gate, and act, propose or record (contract, sections 5 and 6). The decider is asked
 * about the note as it is now, and again if the note changed before its change was published.
 */
async function decide(
  space: DecisionWorkspace,
  target: TargetRecord,
  caller: Mode | null,
  type: EventNote['type'],
  decider: Decider,
): Promise<CheckResult> {
  space.transactions.demandRoom(currentMode(space.context, caller) === 'shadow' ? null : target.path);
  const result = await space.transactions.attemptAsync([target.path], async (): Promise<CheckResult | null> => {
    const place = reserveSlot(space, target, decider.signals); // each question takes a slot of its own
    if (!place.ok) return recordRefusal(space, target, type, place.refusal, caller);
    const note = space.notes.fresh(target.path);
    if (note === null || note.settledAt > space.context.now()) {
      releaseSlot(space.context, place.slot); // no question was asked
      return note === null ? { kind: 'gone' } : { kind: 'settling', until: note.settledAt };
    }
    const asked = await askWithinBudget(space, target, note, decider, place.slot);
    if ('refusal' in asked) return recordRefusal(space, target, type, asked.refusal, caller);
    const now = space.vault.catalogue.get(target.path);
    // A person may have taken the note or its matter out of Steward's hands in the meantime.
    if ((now?.kind !== 'task' && now?.kind !== 'matter') || isHandsOff(space, now)) return { kind: 'gone' };
    const decision = withoutRepeats(collectMemory(space, now, asked.signals), asked);
    return carryOutAll(space, draftsOf(space, now, note, decision, caller, place.gate), asked.signals);
  });
  return result ?? { kind: 'settling', until: space.context.now() + 1000 };
}

/**
 * Asks for a decision within the budget: the estimate is set aside, then replaced by the real cost, or given back if
 * there was no cost. `slot` is given back if no question was asked. Throws `UnansweredError` if the model couldn't be
 * asked.
 */
export async function askWithinBudget(
  space: DecisionModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decider: Decider,
  slot: Slot | null,
): Promise<DecisionRecord | { readonly refusal: Refusal }> {
  if (decider.signals === null) return decider.decide(note, null);
  const cost = reserveCost(space, target, decider.estimate(note));
  if (!cost.ok) {
    releaseSlot(space.context, slot);
    return mayRulesReplaceModel(space.context) ? decider.decide(note, null) : { refusal: cost.refusal };
  }
  try {
    const decision = await decider.decide(note, slot);
    recordUsage(space.context, cost.id, decision.usage ?? null);
    return decision;
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error;
    if (!error.sent) releaseSlot(space.context, slot);
    recordUnanswered(space.context, cost.id, error);
    if (error.retryAfter !== undefined) backOff(space.context, error.retryAfter);
    // The provider asked us to wait, or others took the last place after this check had begun.
    const isToWait = error.retryAfter !== undefined || error.failure === 'no-room';
    const refusal = isToWait ? refusalFor(space, target, decider.signals) : null;
    if (refusal === null) throw error;
    return { refusal };
  }
}

const DAY = 24 * 60 * 60 * 1000;
/** Two machines' clocks differ by less (ms). */
const CLOCKS_APART_MS = 2 * 60 * 1000;
/** A window that is full again within this time gets no second event note: the same signals still wait. */
const REPORT_AGAIN_AFTER = 60 * 60 * 1000;

/**
 * Writes an event note that says why there was no evaluation. Each target and full window has one such note until the
 * window has had room for an hour, not one for each check.
 */
function recordRefusal(
  space: DecisionWriteAccess,
  target: TargetRecord,
  type: EventNote['type'],
  refusal: Refusal,
  caller: Mode | null,
): CheckResult {
  const { state, seal } = space.context;
  const now = space.context.now();
  const reported = state.get('guarded');
  const key = `${target.path} ${refusal.window}`;
  const until = reported[key] ?? 0;
  // A window lasts a day at most: a moment further off came from a clock that ran ahead.
  const isReported = until > now - REPORT_AGAIN_AFTER && until <= now + DAY;
  const note = isReported ? null : space.notes.fresh(target.path);
  if (!isReported && note === null) return { kind: 'gone' };
  if (note !== null) {
    const event = space.transactions.eventPath(type, target.path, now);
    const full = refusal.code === 'budget' ? 'the budget for models is used up' : 'the rate guard had no room';
    const guarded: EventNote = {
      type,
      now,
      target: target.path,
      decision: 'rate_guarded',
      confidence: 0,
      mode: currentMode(space.context, caller) === 'shadow' ? 'shadow' : 'live',
      outcome: 'record',
      priorState: target.fields.state,
      prior: note.data,
      changes: {},
      evidence: [],
      contributions: {},
      signals: [],
      signalsSummary: '',
      evaluator: 'none',
      gates: [refusal.gate],
      refusal: null,
      person: null,
      ...NO_MARKS,
      ...matterField(space.vault, target.path),
      targetLink: space.vault.catalogue.linkTo(target.path),
      spoken: spokenBy(space, freshSignals(space, target).signals),
      noteSha: note.sha,
      reasoning: `No signal was evaluated: ${full}. The signals wait for a later check.`,
    };
    const text = eventNoteText(guarded, event, seal);
    space.transactions.commit(event, [{ do: 'create', path: event, text }]);
  }
  reported[key] = refusal.freeAt; // for `status`, which says until when it waits
  state.touch('guarded', key);
  if (note !== null) state.save('guarded'); // as lasting as the note: a crash must not write it twice
  return { kind: 'guarded', refusal };
}

/** Whether a decision may write what it asks for into the note, and whether a person must confirm it. */
export function permissionFor(
  space: DecisionReadAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decision: DecisionRecord,
): Permission {
  const permission = permitted(
    decision,
    mutationContext(space, target, note.data, signalsOf(space, decision.signals)),
    space.context.settings.field_mapping,
  );
  const outdated =
    permission.ok && decision.again ? whyOutdated(space, target, note, decision, permission.changes) : null;
  if (outdated !== null) return { ok: false, reason: outdated };
  const leftToPerson = decision.again || decision.decision === 'needs_input';
  return permission.ok && leftToPerson ? { ...permission, needsPerson: true } : permission;
}

/**
 * Returns why what was asked before isn't asked again, a sentence; null if it is. Each field has got another value since it
 * was proposed, and by something at least as new as the signal: by the user's hand, or by a decision. `changes`: under the
 * note's own names.
 */
function whyOutdated(
  space: DecisionReadAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decision: DecisionRecord,
  changes: Changes,
): string | null {
  const [basis, ...others] = signalsOf(space, decision.signals);
  if (basis === undefined || others.length > 0) return null;
  const asked = decision.changes.filter(isOwnChange);
  // A list can still get the new member, and a task that the user has snoozed can still be done.
  if (asked.some(({ field, op }) => op !== 'set' || isStateField(field))) return null;
  const proposed = waitingAbout(space, target.path).filter(({ again }) => again.includes(fold(basis.name)));
  // Who has ticked it by now wants it.
  if (proposed.some(({ event }) => event.fields.confirm)) return null;
  const isMoved = (field: string) =>
    proposed.some(({ event }) => {
      const was = event.fields.changes[field];
      return was !== undefined && !same(brief(readHeldValue(note.data, field)), brief(was.before));
    });
  const isOlder = asked.every(({ field }) => !checkFreshness(space, target, basis, field).held);
  if (!isOlder || !Object.keys(changes).every(isMoved)) return null;
  return `${Object.keys(changes).join(', ')} was set otherwise since it was proposed, by you or by news at least as new.`;
}

interface BasedChange {
  readonly change: FieldChange;
  /** Null if no signal proposes exactly this. */
  readonly basis: SignalRecord | null;
  readonly gates: readonly Gate[];
  /** The licence under which it may be made; null if a setting gives the right, or there is no right. */
  readonly licence: string | null;
}

/**
 * Returns what becomes of a decision on the note as it is, each change with the gates of the one signal that proposes
 * it. Changes of one signal that end alike stay together: each draft becomes one event note. Makes no changes.
 */
function draftsOf(
  space: DecisionReadAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  asked: DecisionRecord,
  caller: Mode | null,
  rate: Gate,
): [DecisionDraft, ...DecisionDraft[]] {
  const mode = currentMode(space.context, caller);
  const shared = [modeGate(mode, asked.confidence, effectiveThresholds(space.context)), rate];
  const considered = asked.signals.map(({ path }) => path);
  const signals = signalsOf(space, asked.signals);
  const based = asked.changes.filter(isOwnChange).map((change) => basedOn(space, target, asked, signals, change));
  const parts = [...Map.groupBy(based, partKey).values()].map((part) => partOf(asked, part));
  const whole = permissionFor(space, target, note, asked);
  // One forbidden part refuses the whole proposal (contract, section 3), and a decision without a change is one record.
  const isOne = parts.length < 2 || (!whole.ok && asked.proposal !== null);
  const all = isOne
    ? [{ decision: asked.changes.length === 0 ? asked : (parts[0]?.decision ?? asked), part: based }]
    : parts.map(({ decision, part }) => ({ decision: namedByState(decision), part }));
  const drafts = all.map(({ decision, part }): DecisionDraft => {
    const permission = permissionFor(space, target, note, decision);
    const [first] = part;
    const gates = inOrder([...(first?.gates ?? forgeries(space, signals)), ...shared]);
    const named = permission.ok
      ? { ...decision, decision: namedByChanges(decision.decision, Object.keys(permission.changes)) }
      : decision; // a value that the note has already is no change
    const outcome = decideOutcome(mode, gates, permission);
    const licence = outcome === 'act' ? (first?.licence ?? null) : null;
    return { mode, gates, decision: named, note, target, permission, outcome, licence, considered };
  });
  return drafts as [DecisionDraft, ...DecisionDraft[]];
}

// A decision without an effect has no other gates of its own, but still says that it is forged.
function forgeries(space: DecisionIndexAccess, signals: readonly SignalRecord[]): Gate[] {
  const failed = signals.map((signal) => evaluateForgery(space, signal)).filter(({ held }) => !held);
  return failed.slice(0, 1);
}

// The day of completion goes with the state.
function isOwnChange({ field }: FieldChange): boolean {
  return field !== 'completedDate';
}

// Changes with the same signal and result share an event note.
function partKey({ basis, gates }: BasedChange): string {
  return JSON.stringify([basis?.path ?? null, gates.every(({ held }) => held)]);
}

// A part names its signal alone: as evidence, as the source that is taught, and as the one who spoke.
function partOf(
  asked: DecisionRecord,
  part: readonly BasedChange[],
): { decision: DecisionRecord; part: readonly BasedChange[] } {
  const basis = part[0]?.basis ?? null;
  const signals = asked.signals.filter(({ path }) => path === basis?.path);
  const changes = [
    ...part.map(({ change }) => change),
    ...asked.changes.filter(
      (change) => !isOwnChange(change) && part.some(({ change: { field } }) => isStateField(field)),
    ),
  ];
  const [speaker] = signals;
  const decision: DecisionRecord = {
    ...asked,
    changes,
    proposal: asked.proposal !== null && changes.length === asked.changes.length ? asked.proposal : null,
    signals,
    contributions: speaker === undefined ? {} : { [speaker.source]: asked.contributions[speaker.source] ?? 1 },
    evidence: evidenceFor(asked, speaker),
  };
  return { decision, part };
}

// Files that were looked up stay; of the signals only the one that the part is based on does.
function evidenceFor(asked: DecisionRecord, speaker: WeighedSignal | undefined): readonly EvidenceItem[] {
  if (speaker !== undefined && asked.signals.length === 1) return asked.evidence;
  const refs = new Set(asked.signals.flatMap(({ id, path }) => [`[[${id}]]`, path]));
  const files = asked.evidence.filter(({ ref }) => !refs.has(ref));
  return speaker === undefined ? files : [evidenceOf(speaker), ...files];
}

// A verdict is named after all of its changes; a part is named after its own.
function namedByState(decision: DecisionRecord): DecisionRecord {
  if (decision.proposal !== null || decision.decision === 'needs_input') return decision;
  const value = decision.changes.find(({ field }) => isStateField(field))?.value;
  const state = typeof value === 'string' ? parseState(value) : null;
  const ends = { done: 'likely_done', archived: 'stale_archive_candidate' } as const;
  return { ...decision, decision: state === 'done' || state === 'archived' ? ends[state] : 'still_active' };
}

function evidenceOf({ source, id, quote, headline }: WeighedSignal): EvidenceItem {
  return { source, ref: `[[${id}]]`, note: quote ?? headline ?? '' };
}

/** Returns the signal that a change is based on: the one that proposes exactly this and comes closest to being acted upon. */
function basedOn(
  space: DecisionIndexAccess,
  target: TargetRecord,
  asked: DecisionRecord,
  signals: readonly SignalRecord[],
  change: FieldChange,
): BasedChange {
  const isContested = asked.changes.some((other) => other.field === change.field && isOtherValue(other, change));
  const bases = signals
    .filter(({ fields }) => fields.mutation_proposal !== null && proposes(fields.mutation_proposal, change))
    .map((basis): BasedChange => {
      const right = rightOf(space, basis, target, change);
      const gates = gatesOf(space, target, basis, change, right);
      const all = isContested ? gates.map(contested) : gates;
      return { change, basis, gates: all, licence: right.ok ? right.licence : null };
    })
    .toSorted((one, other) => failures(one) - failures(other) || strength(other) - strength(one));
  return bases[0] ?? { change, basis: null, gates: unbasedGates(), licence: null };
}

function isOtherValue(one: FieldChange, other: FieldChange): boolean {
  if (one.op === other.op) return one.op === 'set' && !same(one.value, other.value);
  const members = new Set(membersIn(one.value).map((member) => sayingOf(one.field, member)));
  return membersIn(other.value).some((member) => members.has(sayingOf(other.field, member)));
}

function contested(gate: Gate): Gate {
  if (gate.name !== 'reading') return gate;
  return { ...gate, held: false, sentence: 'reading: another signal says something else about this field.' };
}

// The most serious failed gate counts most.
function failures({ gates }: BasedChange): number {
  return gates.reduce((sum, { name, held }) => sum + (held ? 0 : 2 ** (GATES.length - GATES.indexOf(name))), 0);
}

// Of signals that come equally close, the surest.
function strength({ gates }: BasedChange): number {
  const figures = gates.flatMap(({ name, figure }) => (SURENESS.includes(name) && figure !== null ? [figure] : []));
  return Math.min(1, ...figures);
}

const SURENESS: readonly Gate['name'][] = ['target', 'reading', 'discretion'];

/** Returns gates in the order in which they are listed. */
function inOrder(gates: readonly Gate[]): Gate[] {
  return gates.toSorted((one, other) => GATES.indexOf(one.name) - GATES.indexOf(other.name));
}

/** Whether a signal proposes exactly this: the same field and value, or each of these members. */
export function proposes(proposal: MutationProposal, change: FieldChange): boolean {
  const own = proposalChanges(proposal).filter(
    ({ field, op }) =>
      op === change.op && (field === change.field || (isStateField(field) && isStateField(change.field))),
  );
  if (change.op === 'set')
    return own.some(({ value }) => sayingOf(change.field, value) === sayingOf(change.field, change.value));
  const members = new Set(own.flatMap(({ value }) => membersIn(value)).map((one) => sayingOf(change.field, one)));
  const wanted = membersIn(change.value);
  return wanted.length > 0 && wanted.every((one) => members.has(sayingOf(change.field, one)));
}

function membersIn(value: Yaml): readonly Yaml[] {
  return Array.isArray(value) ? value : [value];
}

// Case, spaces and the brackets of a link make no other value.
function sayingOf(field: string, value: Yaml): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const state = isStateField(field) ? parseState(value) : null;
  const bare = value.replace(/^\s*\[\[|\]\]\s*$/g, '');
  return state ?? fold(bare.trim().replace(/\s+/g, ' '));
}

function rightOf(space: DecisionIndexAccess, basis: SignalRecord, target: TargetRecord, change: FieldChange): Right {
  const state = isStateField(change.field) && typeof change.value === 'string' ? parseState(change.value) : null;
  const kind = kindOfChange(target, change.field, state ?? change.value);
  return rightToAct(space, identifySpeaker(space, basis), target, kind);
}

/** Returns the gates of one change of a note that one signal proposes, without those that all changes share. */
function gatesOf(
  space: DecisionIndexAccess,
  target: TargetRecord,
  basis: SignalRecord,
  change: FieldChange,
  right: Right,
): Gate[] {
  const closes = target.kind === 'matter' && isStateField(change.field) && isEnd(change.value);
  return [
    ...signalGates(witnessOf(space, basis, target, right), right, closes ? countOpenParts(space, target) : null),
    checkFreshness(space, target, basis, change.field),
  ];
}

function checkFreshness(space: DecisionIndexAccess, target: TargetRecord, basis: SignalRecord, field: string): Gate {
  return freshnessGate(
    [reportOf(space, basis)],
    [
      ...earlierReports(space, target, [field], new Set([basis.path])),
      ...ownReports(space, target, field),
      ...lostReports(space),
    ],
  );
}

// Former decisions are known by these states alone.
function lostReports({ context }: DecisionIndexAccess): SignalReport[] {
  const at = context.state.lostAt('weighed', 'edited', 'cleared');
  return at === null || at > context.now() + CLOCKS_APART_MS
    ? []
    : [{ source: OWN_HAND, at, quote: null, isLost: true }];
}

/** Returns one signal as the gates look at it. */
function witnessOf(space: DecisionIndexAccess, signal: SignalRecord, target: TargetRecord, right: Right): Witness {
  const speaker = identifySpeaker(space, signal);
  const { source, pattern, writer } = speaker;
  const silence = silenceFor(space, source, target);
  return {
    ...speaker,
    sender: pattern === null ? source : claimedPattern(pattern),
    targetConfidence: signal.fields.target_confidence,
    reading: writer === 'trusted' ? 1 : (signal.fields.effect_confidence_raw ?? 0),
    threshold: silence === null ? requiredConfidence(space, source, target, right.ok) : null,
    silence,
    warning: findWarning(signal, speaker),
    doubt: signal.fields.doubts[0] ?? null,
  };
}

function signalsOf({ vault }: DecisionIndexAccess, signals: readonly WeighedSignal[]): SignalRecord[] {
  return signals.flatMap(({ path }) => {
    const signal = vault.catalogue.get(path);
    return signal?.kind === 'signal' ? [signal] : [];
  });
}

function isEnd(value: Yaml): boolean {
  const state = typeof value === 'string' ? parseState(value) : null;
  return state === 'done' || state === 'archived';
}

// A matter under a matter has `parent_matter` as a task has it.
function countOpenParts({ vault: { catalogue } }: DecisionIndexAccess, matter: TargetRecord): number {
  if (matter.kind !== 'matter') return 0;
  const isOpen = ({ fields }: TargetRecord) => fields.state === 'open' || fields.state === 'snoozed';
  const under = catalogue
    .matters()
    .filter(({ fields }) =>
      fields.parent_matter.some((link) => catalogue.resolve(link, ['matter'])?.path === matter.path),
    );
  return [...catalogue.tasksOf(matter), ...under].filter(isOpen).length;
}

/**
 * Returns the reports behind every decision about some fields of a note that was carried out or answered, whatever became
 * of it: if a person has undone it, it is not to be done again because the same mail comes twice. `except`: the paths of
 * the signals that are evaluated now.
 */
function earlierReports(
  space: DecisionIndexAccess,
  target: TargetRecord,
  fields: readonly string[],
  except: ReadonlySet<string>,
): SignalReport[] {
  const { catalogue } = space.vault;
  const isDecided = (event: EventRecord) =>
    event.fields.undo_recipe !== null || event.fields.confirms !== null || findAnswer(space, event) !== null;
  return catalogue
    .eventsAbout(target.path)
    .filter((event) => fields.some((field) => hasChanged(space, event, field)) && isDecided(event))
    .filter((event) => isKnownNote(space, event))
    .flatMap((event) => event.fields.signals)
    .flatMap((link) => catalogue.resolve(link, ['signal']) ?? [])
    .filter((signal): signal is SignalRecord => signal.kind === 'signal' && !except.has(signal.path))
    .map((signal) => reportOf(space, signal));
}

// A field that the user set by hand, or an undo, is news of that moment; a date in the future doesn't block news.
function ownReports(space: DecisionIndexAccess, target: TargetRecord, field: string): SignalReport[] {
  const undone = space.vault.catalogue
    .eventsAbout(target.path)
    .filter((event) => hasChanged(space, event, field) && isKnownNote(space, event))
    .map((event) => Date.parse(reversalHolding(space, event)?.fields.settled_at ?? ''));
  return [editedAt(space, target, field), ...undone]
    .filter((at) => at !== null && at <= space.context.now() + CLOCKS_APART_MS)
    .map((at) => ({ source: OWN_HAND, at, quote: null }));
}

function reportOf(space: DecisionIndexAccess, signal: SignalRecord): SignalReport {
  return { source: identifySpeaker(space, signal).source, at: sentAt(signal), quote: signal.fields.raw_quote };
}

const RESULT = { act: 'acted', propose: 'proposed', record: 'recorded' } as const;

/**
 * Carries out each draft with an event note of its own: first the drafts that act. Null if the note changed before
 * anything was written; a later part whose note changes in the meantime waits for the next check, with its signals.
 */
function carryOutAll(
  space: DecisionWriteAccess,
  drafts: readonly DecisionDraft[],
  signals: readonly WeighedSignal[],
): CheckResult | null {
  const [first, ...rest] = drafts.toSorted((one, other) => RANK[one.outcome] - RANK[other.outcome]);
  const result = first === undefined ? null : carryOut(space, first);
  if (result === null) return null;
  const unmade = new Set<string>();
  for (const draft of rest) {
    const note = space.notes.fresh(draft.note.path);
    const target = space.vault.catalogue.get(draft.target.path);
    const isTarget = target?.kind === 'task' || target?.kind === 'matter';
    const permission = note !== null && isTarget ? permissionFor(space, target, note, draft.decision) : null;
    // The usage of the question is recorded once, with the first draft.
    const decision = { ...draft.decision, usage: null };
    const made =
      note === null || !isTarget || permission === null
        ? null
        : carryOut(space, { ...draft, decision, note, target, permission });
    if (made === null) for (const { id } of draft.decision.signals) unmade.add(id);
  }
  rememberWeighed(
    space.context,
    signals.filter(({ id }) => !unmade.has(id)),
    space.context.now(),
  );
  return result;
}

const RANK: Readonly<Record<Disposition, number>> = { act: 0, propose: 1, record: 2 };

// Writes the edit and the event note in one transaction. Null if the note changed before that.
function carryOut(space: DecisionWriteAccess, asked: DecisionDraft): CheckResult | null {
  const now = space.context.now();
  const { draft, steps, marks } = editFor(space, asked, now);
  const event = space.transactions.eventPath(draft.decision.type, draft.target.path, now);
  const spoken = spokenBy(space, draft.decision.signals);
  const matter = matterField(space.vault, draft.target.path);
  const effect = draft.outcome === 'act' ? externalEffect(space, draft.target, changesOf(draft)) : null;
  const told = { ...noteFor(draft, now, marks), ...matter, spoken, effect };
  const licensable = draft.outcome === 'propose' && isLicensable(space, draft);
  const text = eventNoteText(
    { ...told, targetLink: space.vault.catalogue.linkTo(draft.target.path), licensable },
    event,
    space.context.seal,
  );
  const stamps = draft.outcome === 'act' ? stampSteps(space, draft.decision.signals, event, now) : [];
  // Without an edit, which compares the note with what was judged, the comparison is made here.
  if (steps.length === 0 && space.notes.fresh(draft.note.path)?.sha !== draft.note.sha) return null;
  const created: Step = { do: 'create', path: event, text };
  if (!space.transactions.commit(event, [...steps, created, ...stamps])) return null;
  emitDecided(space.context, draft, event);
  return { kind: RESULT[draft.outcome], event };
}

function noteFor(draft: DecisionDraft, now: number, marks: NoteMarks): EventNote {
  const { decision, target, note, permission } = draft;
  return {
    type: decision.type,
    now,
    target: target.path,
    decision: decision.decision,
    confidence: decision.confidence,
    mode: draft.mode === 'shadow' ? 'shadow' : 'live',
    outcome: draft.outcome,
    asks: asksPerson(draft),
    priorState: target.fields.state,
    prior: note.data,
    changes: changesOf(draft),
    evidence: decision.evidence,
    contributions: decision.contributions,
    signals: decision.signals.map((signal) => signal.path),
    considered: draft.considered,
    licence: draft.licence,
    signalsSummary: decision.signals.map((signal) => signal.headline ?? signal.quote ?? signal.id).join('; '),
    evaluator: decision.evaluator,
    usage: decision.usage ?? null,
    reasoning: withRemark(decision.reasoning, permission),
    gates: draft.gates,
    refusal: permission.ok ? null : permission.reason,
    person: personReason(draft),
    ...marks,
  };
}

function withRemark(reasoning: string, permission: Permission): string {
  return permission.ok && permission.remark !== undefined ? `${permission.remark} ${reasoning}`.trim() : reasoning;
}

function changesOf({ permission }: DecisionDraft): Changes {
  return permission.ok ? permission.changes : {};
}

// The user has to act because of a warning, the decision, or a signal that asks for an act without a change. Or only a
// person can make the change in the note.
function asksPerson({ decision: { decision, signals }, permission, gates }: DecisionDraft): boolean {
  const isLeft = !permission.ok && permission.byHand === true;
  const isForged = isFromForger(gates);
  return isForged || isLeft || decision === 'needs_input' || signals.some(({ effect }) => effect === 'action');
}

// Why only a person may decide it, whatever the gates say.
function personReason({ decision, permission }: DecisionDraft): string | null {
  if (!permission.ok || !permission.needsPerson) return null;
  if (decision.decision === 'needs_input') return 'it needs your decision.';
  return decision.again
    ? 'the note was changed by hand since this was first proposed, so it is only proposed again.'
    : 'reopening is only ever proposed.';
}

function rememberWeighed(context: DecisionContext, signals: readonly WeighedSignal[], now: number): void {
  const weighed = context.state.get('weighed');
  for (const { id } of signals) {
    weighed[id] = now;
    context.state.touch('weighed', id);
  }
}

function emitDecided(context: DecisionContext, draft: DecisionDraft, event: string): void {
  const refused = draft.gates.find((gate) => !gate.held);
  context.emit({
    what: RESULT[draft.outcome],
    event,
    target: draft.target.path,
    decision: draft.decision.decision,
    confidence: draft.decision.confidence,
    changes: changesOf(draft),
    reason: draft.permission.ok
      ? ((refused && refusalWords(refused.name, extractReason(refused.sentence))) ??
        personReason(draft) ??
        'every gate holds')
      : draft.permission.reason,
  });
}

/** How an event changes its note: the steps, and the marks that the event note keeps of them. */
interface NoteEdit {
  /** The draft that is carried out: as it was given, or refused because the note can't be edited. */
  readonly draft: DecisionDraft;
  readonly steps: readonly Step[];
  readonly marks: NoteMarks;
}

/**
 * Returns how a draft changes its note: it makes the change, or sets or clears the flag of a proposal; `now` in epoch
 * ms. A field that can't be edited to the byte is a refusal like any other, which the event note records.
 */
function editFor(space: DecisionReadAccess, draft: DecisionDraft, now: number): NoteEdit {
  const { note } = draft;
  try {
    const { text, ...marks } = editedNote(space, draft, now);
    if (text !== note.text && note.refusal !== null) throw note.refusal;
    const steps = text === note.text ? [] : [textStep(note.path, note.text, text)];
    return { draft, steps, marks: { ...NO_MARKS, ...marks, noteSha: sha256(text) } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const permission = { ok: false, reason: error.message, byHand: true } as const;
    return {
      draft: { ...draft, outcome: 'record', permission },
      steps: [],
      marks: { ...NO_MARKS, noteSha: note.sha },
    };
  }
}

function isFromForger(gates: readonly Gate[]): boolean {
  return gates.some(({ name, held }) => name === 'forged' && !held);
}

function editedNote(
  space: DecisionReadAccess,
  draft: DecisionDraft,
  now: number,
): { readonly text: string } & Partial<Omit<NoteMarks, 'noteSha'>> {
  const { note, permission, mode, outcome, decision } = draft;
  const superseding: Overtaking = {
    changes: changesOf(draft),
    signals: decision.signals.map((signal) => signal.id),
    speakers: outcome === 'act' ? null : listSpeakers(decision.contributions, isFromForger(draft.gates)),
    perceived: null,
  };
  const bare = mode === 'shadow' ? note.text : withoutPending(space, note, (event) => supersedes(superseding, event));
  const cleared = bare !== note.text;
  if (outcome === 'act' && permission.ok) {
    const edited = editFields(note.path, bare, permission.edits);
    return {
      text: edited.text,
      recipe: makeRecipe(makePatch(note.path, bare, edited.text, edited.patch), now),
      cleared,
    };
  }
  if (outcome === 'propose' && note.data.pending_confirmation !== true && mayFlag(space, draft)) {
    const edited = editFields(note.path, note.text, [{ op: 'set', field: 'pending_confirmation', value: true }]);
    return { text: edited.text, pendingPatch: makePatch(note.path, note.text, edited.text, edited.patch) };
  }
  return outcome === 'record' && cleared ? { text: bare, cleared } : { text: note.text };
}

// As `licenceTerms` finds it in the note that is being written.
function isLicensable(space: DecisionIndexAccess, { decision, gates, target, permission }: DecisionDraft): boolean {
  return (
    licensableOn(
      space,
      target,
      decision.contributions,
      gates.map(recordedGate),
      permission.ok ? permission.changes : {},
    ) !== null
  );
}

// A stranger's proposal leaves the user's note alone (contract, section 6).
function mayFlag(space: DecisionReadAccess, { target, decision }: DecisionDraft): boolean {
  return signalsOf(space, decision.signals).some((signal) => {
    const { source, pattern, vouched, writer } = identifySpeaker(space, signal);
    const isKnown = writer === 'trusted' || isOwnHand(source) || names(space, target, { pattern });
    return vouched === 'pass' && (isKnown || isLicensed(space, source, target));
  });
}
