import { dispositionOf } from '../../steward/changes/disposition.ts';
import { isHandsOff } from '../../steward/changes/opt-out.ts';
import type { Permission } from '../../steward/changes/permission.ts';
import { freshnessGate } from '../../steward/gates/freshness-gate.ts';
import { discretionGate, type Gate, type Mode, modeGate } from '../../steward/gates/gate.ts';
import { reasonIn, refusalWords } from '../../steward/gates/refusal-words.ts';
import { closingGate, readingGate, senderGate, type Witness } from '../../steward/gates/sender-gate.ts';
import { thresholdOf } from '../../steward/learning/sources.ts';
import { namedByChanges, type WeighedSignal } from '../../steward/ports/evaluator.ts';
import { matterField } from '../../steward/ports/matter-link.ts';
import { witnessOf } from '../../steward/trust/licence.ts';
import { tellingOf, toldAbout } from '../../steward/trust/told.ts';
import type { SignalRecord, TargetRecord } from '../../vault/index/record.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import { isAgent, sourceKey } from '../../vault/source-names.ts';
import type { Step } from '../../vault/transaction/intent.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { type GuardPlace, lookRefusal, releaseLook, reserveLook } from '../budget/guard-place.ts';
import { modeOf, thresholdsOf } from '../context/effective-mode.ts';
import type { Context, IndexAccess, ModelAccess, Workspace, WriteAccess } from '../context/ports.ts';
import { planeActionFor } from '../plane/plane-action.ts';
import { askWithinBudget, type Decider } from './ask-evaluator.ts';
import type { Decided, Decision, Draft } from './decision.ts';
import { type EventNote, eventNoteText, type NoteMarks } from './event-note.ts';
import { recordRefusal } from './guarded-note.ts';
import { editFor } from './note-edit.ts';
import { permissionFor } from './permission.ts';
import { stampSteps } from './signal-stamps.ts';
import { spokenBy } from './spoken.ts';

/**
 * Judges one note: reserve, decide, gate, and act, propose or record (contract, sections 5 and 6). The decider is asked
 * about the note as it is now, and again where the note changed before its change was published.
 */
export async function decide(
  space: Workspace,
  target: TargetRecord,
  caller: Mode | null,
  type: EventNote['type'],
  decider: Decider,
): Promise<Decided> {
  let look: GuardPlace | null = null;
  space.transactions.demandRoom(modeOf(space.context, caller) === 'shadow' ? null : target.path);
  const decided = await space.transactions.attemptAsync([target.path], async () => {
    // Each question takes a place of its own. Where none is asked, there is one look, however often the note changes.
    if (look === null || decider.asks) look = reserveLook(space, target, decider.asks);
    if (!look.ok) return recordRefusal(space, target, type, look.refusal, caller);
    const note = space.notes.fresh(target.path);
    const unfit = unfitNow(space.context, note);
    if (note === null || unfit !== null) {
      releaseLook(space.context, look.id); // nothing was asked
      return unfit ?? GONE;
    }
    const asked = await askWithinBudget(space, target, note, decider, look.id);
    if ('refusal' in asked) return recordRefusal(space, target, type, asked.refusal, caller);
    const now = space.vault.catalogue.get(target.path);
    // A person may have taken the note or its matter out of the steward's hands while it was judged.
    if ((now?.kind !== 'task' && now?.kind !== 'matter') || isHandsOff(space, now)) return GONE;
    return carryOut(space, draftOf(space, now, note, asked, caller, look.gate));
  });
  return decided ?? { kind: 'settling', until: space.context.now() + 1000 };
}

const GONE: Decided = { kind: 'gone' };

function unfitNow(context: Context, note: NoteSnapshot | null): Decided | null {
  if (note === null) return GONE;
  return note.settledAt > context.now() ? { kind: 'settling', until: note.settledAt } : null;
}

/** Returns what would become of a decision on the note as it is, each gate with its figures. Changes nothing. */
export function preview(space: ModelAccess, target: TargetRecord, note: NoteSnapshot, decision: Decision): Draft {
  const room: Gate = {
    name: 'rate_guard',
    held: true,
    figure: null,
    threshold: 0,
    sentence: 'rate guard: there is room.',
  };
  return draftOf(space, target, note, decision, null, lookRefusal(space, target)?.gate ?? room);
}

function draftOf(
  space: IndexAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decision: Decision,
  caller: Mode | null,
  rate: Gate,
): Draft {
  const mode = modeOf(space.context, caller);
  const permission = permissionFor(space, target, note, decision);
  const bearing = contributing(decision);
  const witnesses = witnessesOf(space, bearing, target);
  // Who speaks comes first: where that is what holds a decision back, it is what a person should hear.
  const gates = [
    senderGate(witnesses),
    readingGate(witnesses),
    ...(closesMatter(target, permission) ? [closingGate({ openTasks: openTasksOf(space, target), witnesses })] : []),
    ...freshness(space, target, bearing, permission),
    discretionGate(bearing, (source) => thresholdOf(space, source, target)),
    modeGate(mode, decision.confidence, thresholdsOf(space.context)),
    rate,
  ];
  const outcome = dispositionOf(mode, gates, permission);
  return { mode, gates, decision: namedRightly(decision, permission), note, target, permission, outcome };
}

// What the note holds already is no change.
function namedRightly(decision: Decision, permission: Permission): Decision {
  if (!permission.ok) return decision;
  return { ...decision, decision: namedByChanges(decision.decision, Object.keys(permission.changes)) };
}

/**
 * The signals of the sources that contribute to the conclusion: the others open no gate for it. An agent's always count: it
 * could tell a model to credit somebody else with what it wants.
 */
function contributing({ signals, contributions }: Decision): readonly WeighedSignal[] {
  const contributors = Object.entries(contributions).filter(([, share]) => share > 0);
  const sources = new Set(contributors.map(([source]) => sourceKey(source)));
  return signals.filter(({ source }) => isAgent(source) || sources.has(sourceKey(source)));
}

function witnessesOf(space: IndexAccess, signals: readonly WeighedSignal[], target: TargetRecord): Witness[] {
  return signalsOf(space, signals).map((signal) => witnessOf(space, signal, target));
}

// Only what changes something can be old news.
function freshness(
  space: IndexAccess,
  target: TargetRecord,
  bearing: readonly WeighedSignal[],
  permission: Permission,
): Gate[] {
  const fields = permission.ok ? Object.keys(permission.changes) : [];
  if (fields.length === 0) return [];
  const judged = new Set(bearing.map(({ path }) => path));
  const tellings = signalsOf(space, bearing).map((signal) => tellingOf(space, signal));
  return [freshnessGate(tellings, toldAbout(space, target, fields, judged))];
}

function signalsOf({ vault }: IndexAccess, signals: readonly WeighedSignal[]): SignalRecord[] {
  return signals.flatMap(({ path }) => {
    const signal = vault.catalogue.get(path);
    return signal?.kind === 'signal' ? [signal] : [];
  });
}

function closesMatter({ kind }: TargetRecord, permission: Permission): boolean {
  if (kind !== 'matter' || !permission.ok) return false;
  const state = permission.changes.state?.after;
  return state === 'done' || state === 'archived';
}

function openTasksOf({ vault: { catalogue } }: IndexAccess, target: TargetRecord): number {
  const tasks = target.kind === 'matter' ? catalogue.tasksOf(target) : [];
  return tasks.filter(({ fields }) => fields.state === 'open' || fields.state === 'snoozed').length;
}

// Writes the edit and the event note in one transaction. Null where the note changed before that.
function carryOut(space: WriteAccess, asked: Draft): Decided | null {
  const now = space.context.now();
  const { draft, steps, marks } = editFor(space, asked, now);
  const event = space.transactions.eventPath(draft.decision.type, draft.target.path, now);
  const spoken = spokenBy(space, draft.decision.signals);
  const matter = matterField(space.vault, draft.target.path);
  const plane = draft.outcome === 'act' ? planeActionFor(space, draft.target, changesOf(draft)) : null;
  const text = eventNoteText({ ...noteFor(draft, now, marks), ...matter, spoken, plane }, event, space.context.seal);
  const stamps = draft.outcome === 'act' ? stampSteps(space.notes, draft.decision.signals, event, now) : [];
  // Without an edit, which compares the note with what was judged, the comparison is made here.
  if (steps.length === 0 && space.notes.fresh(draft.note.path)?.sha !== draft.note.sha) return null;
  const created: Step = { do: 'create', path: event, text };
  if (!space.transactions.commit(event, [...steps, created, ...stamps])) return null;
  rememberWeighed(space.context, draft.decision.signals, now);
  emitDecided(space.context, draft, event);
  return { kind: ({ act: 'acted', propose: 'proposed', record: 'recorded' } as const)[draft.outcome], event };
}

function noteFor(draft: Draft, now: number, marks: NoteMarks): EventNote {
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
    signalsSummary: decision.signals.map((signal) => signal.headline ?? signal.quote ?? signal.id).join('; '),
    evaluator: decision.evaluator,
    usage: decision.usage ?? null,
    reasoning: decision.reasoning,
    gates: draft.gates,
    refusal: permission.ok ? null : permission.reason,
    person: personReason(draft),
    ...marks,
  };
}

function changesOf({ permission }: Draft): Changes {
  return permission.ok ? permission.changes : {};
}

// Something is asked of a person: by the decision, by a signal that asks for an act and proposes no change, or by a note in
// which only a person can make the change.
function asksPerson({ decision: { decision, signals }, permission }: Draft): boolean {
  const isLeft = !permission.ok && permission.byHand === true;
  return isLeft || decision === 'needs_input' || signals.some(({ effect }) => effect === 'action');
}

// Why only a person may decide it, whatever the gates say.
function personReason({ decision, permission }: Draft): string | null {
  if (!permission.ok || !permission.needsPerson) return null;
  if (decision.decision === 'needs_input') return 'something is asked of a person.';
  return decision.again
    ? 'the note was changed by hand since this was first proposed, so it is only proposed again.'
    : 'reopening is only ever proposed.';
}

function rememberWeighed(context: Context, signals: readonly WeighedSignal[], now: number): void {
  const weighed = context.state.get('weighed');
  for (const { id } of signals) {
    weighed[id] = now;
    context.state.touch('weighed', id);
  }
}

function emitDecided(context: Context, draft: Draft, event: string): void {
  const refused = draft.gates.find((gate) => !gate.held);
  context.emit({
    what: ({ act: 'acted', propose: 'proposed', record: 'recorded' } as const)[draft.outcome],
    event,
    target: draft.target.path,
    decision: draft.decision.decision,
    confidence: draft.decision.confidence,
    changes: changesOf(draft),
    reason: draft.permission.ok
      ? ((refused && refusalWords(refused.name, reasonIn(refused.sentence))) ??
        personReason(draft) ??
        'every gate holds')
      : draft.permission.reason,
  });
}
