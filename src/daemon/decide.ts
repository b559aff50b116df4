import { ProviderError } from '../model/provider-error.ts';
import type { PlaneAction } from '../plane/order.ts';
import { mutationContext, type Permission } from '../steward/changes/permission.ts';
import { permitted } from '../steward/changes.ts';
import { dispositionOf, weighed } from '../steward/disposition.ts';
import { freshnessGate, type Route, routeAlone } from '../steward/gates-freshness-gate.ts';
import {
  type Disposition,
  discretionGate,
  type Gate,
  modeGate,
  reasonIn,
  refusalWords,
} from '../steward/gates-gate.ts';
import type { Mode } from '../steward/gates-rounding.ts';
import { closingGate, readingGate, senderGate, type Witness } from '../steward/gates-sender-gate.ts';
import { thresholdOf } from '../steward/learning/sources.ts';
import { quietUntil } from '../steward/notify/hours.ts';
import {
  namedByChanges,
  type Question,
  Unanswered,
  type Usage,
  type WeighedSignal,
} from '../steward/ports/evaluator.ts';
import { matterField } from '../steward/ports/matter-link.ts';
import { proposalChanges } from '../steward/ports/mutation-class.ts';
import { isHandsOff } from '../steward/proposal-fit.ts';
import { withoutPending } from '../steward/proposals/pending-flag.ts';
import { type Overtaking, speakersOf, stateIn, supersedes } from '../steward/proposals.ts';
import { speakerOf } from '../steward/trust/speaker.ts';
import { tellingOf, toldAbout } from '../steward/trust/told.ts';
import { witnessOf } from '../steward/trust.ts';
import { patchOf, recipeOf } from '../undo/recipe.ts';
import { isRefusal } from '../vault/errors.ts';
import { editFields } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/hash.ts';
import type { SignalRecord, TargetRecord } from '../vault/index/record.ts';
import { sealEvent } from '../vault/index-keys.ts';
import { wikilink } from '../vault/links.ts';
import { stem } from '../vault/note-names.ts';
import { briefly, brieflyAll, changeLine, clipped, fieldLine, noteText, oneLine } from '../vault/note-text.ts';
import { NOBODY_SPOKE, type SaidBy, spokenFields } from '../vault/notes/spoken.ts';
import type { Frontmatter } from '../vault/records/values.ts';
import type {
  Changes,
  EventOutcome,
  EvidenceItem,
  FieldChange,
  MutationProposal,
  RecordedGate,
  UndoRecipe,
  VaultPatch,
} from '../vault/records.ts';
import type { Seal } from '../vault/seal.ts';
import { isAgent, NOBODY, sourceKey } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import type { Step } from '../vault/transaction/intent.ts';
import { textStep } from '../vault/transaction/steps.ts';
import type { NoteSnapshot } from '../vault/transaction.ts';
import {
  type Becoming,
  boxFields,
  EVENT_CLASSES,
  type EventTelling,
  eventBody,
  type Standing,
  saysField,
  undoable,
} from '../vault/words.ts';
import { backOff } from './budget/provider-backoff.ts';
import {
  type GuardPlace,
  lookRefusal,
  type Refusal,
  recordUnanswered,
  recordUsage,
  refusalFor,
  releaseLook,
  reserveCost,
  reserveLook,
} from './budget.ts';
import type { Context, IndexAccess, ModelAccess, Models, ReadAccess, Workspace, WriteAccess } from './context.ts';
import { accountOf } from './context-fleeting.ts';
import { evaluate } from './decide/evaluator-choice.ts';
import { candidate, freshSignals, isAgain, silenceFor, stampSteps, wasWeighed } from './decide-fresh-signals.ts';
import { modeOf, thresholdsOf } from './effective-mode.ts';
import { planeActionFor, withPlaneRevert } from './plane-action.ts';

/** How a decision about a note is made, and what it may cost at most. */
interface Decider {
  readonly decide: (note: NoteSnapshot) => Promise<Decision>;
  /** Null where the evaluator does not say. */
  readonly estimate: (note: NoteSnapshot) => Usage | null;
  /** Whether the evaluator is asked, which the budget limits. */
  readonly asks: boolean;
}

/**
 * Asks for a decision within the budget: the estimate is set aside, then replaced by the real cost, or given back where
 * there was none. `look` is the place taken with the rate guard, given back where nothing was asked. Throws
 * `Unanswered` where the model could not be asked.
 */
export async function askWithinBudget(
  space: ModelAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decider: Decider,
  look: number,
): Promise<Decision | { readonly refusal: Refusal }> {
  if (!decider.asks) return decider.decide(note);
  const cost = reserveCost(space, target, decider.estimate(note));
  if (!cost.ok) {
    releaseLook(space.context, look);
    return { refusal: cost.refusal };
  }
  try {
    const decision = await decider.decide(note);
    recordUsage(space.context, cost.id, decision.usage ?? null);
    return decision;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    if (!error.sent) releaseLook(space.context, look);
    recordUnanswered(space.context, cost.id, error);
    if (error.retryAfter !== undefined) backOff(space.context, error.retryAfter);
    const refusal = isToWait(error) ? refusalFor(space, target) : null;
    if (refusal === null) throw error;
    return { refusal };
  }
}

// The provider asked us to wait, or others took the last place after this look had begun.
function isToWait(error: Unanswered): boolean {
  return error.retryAfter !== undefined || (error instanceof ProviderError && error.failure === 'no-room');
}

/** Everything an event note says of one action, proposal or record. */
export interface EventNote extends NoteMarks {
  readonly type: 'steward-action' | 'signal-action';
  readonly now: number;
  readonly target: string;
  /** The link to its matter; absent where there is none. */
  readonly matter?: string;
  readonly decision: string;
  readonly confidence: number;
  readonly mode: 'shadow' | 'live';
  readonly outcome: 'act' | 'propose' | 'record';
  /** Whether a person is asked for something though no change is proposed. */
  readonly asks?: boolean;
  readonly spoken?: Spoken;
  /** What the program found by itself, without a signal, as one text that can be compared; absent for anything else. */
  readonly perceived?: string;
  /** What Plane is to be told of it; absent or null where nothing. */
  readonly plane?: PlaneAction | null;
  readonly priorState: string;
  readonly prior: Frontmatter;
  readonly changes: Changes;
  readonly evidence: readonly EvidenceItem[];
  readonly contributions: Readonly<Record<string, number>>;
  /** Signal notes, by vault-relative path. */
  readonly signals: readonly string[];
  readonly signalsSummary: string;
  readonly evaluator: string;
  /** The tokens and cost of the model; absent where none was asked. */
  readonly usage?: Usage | null;
  readonly reasoning: string;
  readonly gates: readonly Gate[];
  /** Why the proposed change may not be made at all, or null. */
  readonly refusal: string | null;
  /** Why only a person may decide it, so that it is proposed even if every gate holds; null where no person has to. */
  readonly person: string | null;
}

/** Who spoke and in which words, where the signals say so. */
interface Spoken extends SaidBy {
  /** What is odd about the sender or the text: sentences. */
  readonly warnings: readonly string[];
  /** The accounts in which mails lie that the vault does not keep; absent where it keeps all. */
  readonly accounts?: readonly string[];
}

/** What an event did to the bytes of its target. */
interface NoteMarks {
  /** Removes the flag that this event set. */
  readonly pendingPatch: VaultPatch | null;
  /** Whether this event removed the flag of a proposal that it supersedes. */
  readonly cleared: boolean;
  readonly recipe: UndoRecipe | null;
  /** SHA-256 of the note as this event leaves it. */
  readonly noteSha: string;
}

/** The marks of an event that did nothing to the note. */
export const NO_MARKS = { pendingPatch: null, cleared: false, recipe: null };

/** The longest text of signals in a field. */
const MAX_TEXT = 4000;

function shortened({ source, ref, note }: EvidenceItem): EvidenceItem {
  return { source, ref: clipped(ref, 500), note: clipped(note, 500) };
}

function standingOf({ outcome, changes, asks }: EventNote): Standing {
  if (outcome === 'act') return 'acted';
  if (Object.keys(changes).length > 0) return 'proposal';
  return asks === true ? 'question' : 'record';
}

const OUTCOME: Readonly<Record<Standing, EventOutcome>> = {
  acted: 'acted',
  proposal: 'proposed',
  question: 'recorded',
  record: 'recorded',
};

/**
 * Returns the text of an event note: first what a person reads or ticks, then the frontmatter for programs with the
 * program's mark, then a body for people. `path`: where the note will be.
 */
export function eventNoteText(note: EventNote, path: string, seal: Seal): string {
  const standing = standingOf(note);
  const waits = standing === 'proposal' || standing === 'question';
  const now = becomingOf(note, standing);
  const said = spokenFields(note.spoken ?? NOBODY_SPOKE);
  const frontmatter = {
    ...boxFields(now),
    change: lineOf(note, standing),
    ...said,
    waiting: waits,
    outcome: OUTCOME[standing],
    cssclasses: EVENT_CLASSES,
    type: note.type,
    timestamp: utc(note.now),
    ...(note.matter === undefined ? {} : { matter: note.matter }),
    target: wikilink(note.target),
    target_path: note.target,
    decision: note.decision,
    confidence: note.confidence,
    mode: note.mode,
    prior_state: note.priorState,
    prior_frontmatter: brieflyAll(note.prior),
    // A proposal's values are compared with the note's before it is confirmed; an action's exact ones are in its
    // recipe.
    changes: note.outcome === 'act' ? briefly(note.changes) : note.changes,
    evidence: note.evidence.map(shortened),
    source_contributions: note.contributions,
    signals: note.signals.map(wikilink),
    signals_summary: clipped(oneLine(note.signalsSummary), MAX_TEXT),
    ...(note.perceived === undefined ? {} : { perceived: note.perceived }),
    evaluator: note.evaluator,
    ...(note.usage == null ? {} : { usage: note.usage }),
    gates: recordedGates(note),
    pending_confirmation: waits,
    ...(note.pendingPatch === null ? {} : { pending_patch: note.pendingPatch }),
    ...(note.cleared ? { pending_cleared: true } : {}),
    note_sha256: note.noteSha,
    ...saysField(now),
    plane_action: note.plane ?? null,
    undo_recipe: withPlaneRevert(note.recipe, note.plane ?? null, path),
  };
  return noteText(sealEvent(seal, path, frontmatter), eventBody(tellingOfEventNote(note, standing, said), now));
}

function becomingOf({ recipe }: EventNote, standing: Standing): Becoming {
  if (standing === 'proposal' || standing === 'question') return { kind: 'open', asks: standing };
  return standing === 'acted' ? undoable('change', recipe) : { kind: 'nothing' };
}

function tellingOfEventNote(note: EventNote, standing: Standing, said: SaidBy): EventTelling {
  return {
    ...{ standing, target: stem(note.target), decision: note.decision, confidence: note.confidence, mode: note.mode },
    ...{ changes: note.changes, isPerceived: note.perceived !== undefined, from: said.from, quote: said.quote },
    ...{ summary: note.signalsSummary, reasoning: note.reasoning, warnings: note.spoken?.warnings ?? [] },
    ...{ accounts: note.spoken?.accounts ?? [], gates: recordedGates(note), refusal: note.refusal },
    ...{ evaluator: note.evaluator, signals: note.signals.map(stem) },
  };
}

function lineOf(note: EventNote, standing: Standing): string | null {
  const line = changeLine(note.changes);
  if (line === null) return standing === 'question' ? questionLine(note) : null;
  return note.perceived === undefined ? line : fieldLine(`${line}: ${note.reasoning}`);
}

function questionLine({ signalsSummary, reasoning }: EventNote): string | null {
  return fieldLine(signalsSummary) ?? fieldLine(reasoning);
}

/** The gates as they are recorded: the measured ones, and those of the rules of writing that refused. */
function recordedGates({ gates, refusal, person }: EventNote): RecordedGate[] {
  const ruled = { figure: null, threshold: null, held: false };
  return [
    ...gates.map(recordedGate),
    ...(refusal === null ? [] : [{ gate: 'writing', ...ruled, reason: refusal }]),
    ...(person === null ? [] : [{ gate: 'person', ...ruled, reason: person }]),
  ];
}

/** Returns a gate as an event note records it. */
export function recordedGate({ name, figure, threshold, held, sentence }: Gate): RecordedGate {
  return { gate: name, figure, threshold, held, reason: reasonIn(sentence) };
}

/**
 * Returns who spoke in some signals, and in which words, as their notes say it: the strongest of them, with how many
 * others spoke beside that one.
 */
export function spokenBy(space: IndexAccess, signals: readonly { readonly path: string }[]): Spoken {
  const said = signals
    .flatMap(({ path }) => {
      const signal = space.vault.catalogue.get(path);
      return signal?.kind === 'signal' ? [{ signal, strength: strengthOf(space, signal) }] : [];
    })
    .sort((one, other) => other.strength - one.strength)
    .map(({ signal }) => signal.fields);
  const [strongest] = said;
  const senders = new Set(said.map(senderOf));
  return {
    from: strongest === undefined ? null : senderOf(strongest),
    others: Math.max(0, senders.size - 1),
    warnings: [...new Set(said.flatMap(({ warnings }) => warnings))].slice(0, MOST_NAMED),
    accounts: [...new Set(said.flatMap((one) => accountOf(space.context, one.source_event_path) ?? []))],
    quote: strongest?.raw_quote ?? strongest?.headline ?? null,
  };
}

/** How much of what is odd about the senders is named. */
const MOST_NAMED = 3;

function strengthOf(space: IndexAccess, signal: SignalRecord): number {
  return Math.min(signal.fields.target_confidence, speakerOf(space, signal).effectConfidence);
}

// Where nobody is named, the channel is all that is known.
function senderOf({ from, pattern, source_type: channel }: SignalRecord['fields']): string {
  return from ?? (pattern === null || pattern === NOBODY ? channel : pattern);
}

const DAY = 24 * 60 * 60 * 1000;
/** A window that is full again so soon is told of no second time: the same signals still wait. */
const SPELL = 60 * 60 * 1000;

/**
 * Writes an event note that says why nothing was judged: one for each target and full window until that has had room for an
 * hour, not one for each tick.
 */
function recordRefusal(
  space: WriteAccess,
  target: TargetRecord,
  type: EventNote['type'],
  refusal: Refusal,
  caller: Mode | null,
): Decided {
  const said = space.context.state.get('guarded');
  const key = `${target.path} ${refusal.window}`;
  const until = said[key] ?? 0;
  // A window lasts a day at most: a moment further off came from a clock that ran ahead.
  if (until > space.context.now() - SPELL && until <= space.context.now() + DAY) {
    said[key] = refusal.freeAt; // for `status`, which says until when it waits
    space.context.state.touch('guarded', key);
    return { kind: 'guarded', refusal };
  }
  const note = space.notes.fresh(target.path);
  if (note === null) return { kind: 'gone' };
  const now = space.context.now();
  const event = space.transactions.eventPath(type, target.path, now);
  const mode = modeOf(space.context, caller) === 'shadow' ? 'shadow' : 'live';
  const guarded: EventNote = {
    ...{ type, now, target: target.path, decision: 'rate_guarded', confidence: 0, mode, outcome: 'record' },
    ...{ priorState: target.fields.state, prior: note.data, changes: {}, evidence: [], contributions: {} },
    ...{ signals: [], signalsSummary: '', evaluator: 'none', gates: [refusal.gate], refusal: null, person: null },
    ...NO_MARKS,
    ...matterField(space.vault, target.path),
    spoken: spokenBy(space, freshSignals(space, target).signals),
    ...{
      noteSha: note.sha,
      reasoning: `Nothing was judged: ${refusal.code === 'budget' ? 'the budget for models is used up' : 'the rate guard had no room'}. The signals wait for a later tick.`,
    },
  };
  const text = eventNoteText(guarded, event, space.context.seal);
  space.transactions.commit(event, [{ do: 'create', path: event, text }]);
  said[key] = refusal.freeAt;
  space.context.state.touch('guarded', key);
  space.context.state.save('guarded'); // as lasting as the note: a crash must not write it twice
  return { kind: 'guarded', refusal };
}

/** How an event changes its note: the steps, and the marks that the event note keeps of them. */
interface NoteEdit {
  /** The draft that is carried out: as it was given, or refused because the note cannot be edited. */
  readonly draft: Draft;
  readonly steps: readonly Step[];
  readonly marks: NoteMarks;
}

/**
 * Returns how a draft changes its note: it makes the change, or sets or clears the flag of a proposal; `now` in epoch
 * ms. A field written in a way that cannot be edited to the byte is a refusal like any other, which the event note
 * records.
 */
function editFor(space: ReadAccess, draft: Draft, now: number): NoteEdit {
  try {
    return editOfNote(space, draft, now);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const permission = { ok: false, reason: error.message, byHand: true } as const;
    return {
      draft: { ...draft, outcome: 'record', permission },
      steps: [],
      marks: { ...NO_MARKS, noteSha: draft.note.sha },
    };
  }
}

function editOfNote(space: ReadAccess, draft: Draft, now: number): NoteEdit {
  const { note, permission, mode } = draft;
  const bare =
    mode === 'shadow' ? note.text : withoutPending(space, note, (event) => supersedes(lasting(draft), event));
  const cleared = bare !== note.text;
  if (draft.outcome === 'act' && permission.ok) {
    const edited = editFields(note.path, bare, permission.edits);
    const recipe = recipeOf(patchOf(note.path, bare, edited.text, edited.patch), now);
    return editing(draft, edited.text, { ...NO_MARKS, recipe, cleared });
  }
  if (draft.outcome === 'propose' && note.data.pending_confirmation !== true) {
    const edited = editFields(note.path, note.text, [{ op: 'set', field: 'pending_confirmation', value: true }]);
    const pendingPatch = patchOf(note.path, note.text, edited.text, edited.patch);
    return editing(draft, edited.text, { ...NO_MARKS, pendingPatch });
  }
  if (draft.outcome === 'record' && cleared) return editing(draft, bare, { ...NO_MARKS, cleared });
  return editing(draft, note.text, NO_MARKS);
}

function editing(draft: Draft, text: string, marks: Omit<NoteMarks, 'noteSha'>): NoteEdit {
  const { note } = draft;
  if (text !== note.text && note.refusal !== null) throw note.refusal;
  const steps = text === note.text ? [] : [textStep(note.path, note.text, text)];
  return { draft, steps, marks: { ...marks, noteSha: sha256(text) } };
}

// By what a draft supersedes an earlier proposal.
function lasting({ permission, decision, outcome }: Draft): Overtaking {
  return {
    changes: permission.ok ? permission.changes : {},
    signals: decision.signals.map((signal) => signal.id),
    speakers: outcome === 'act' ? null : speakersOf(decision.contributions),
    perceived: null,
  };
}

/** Whether a decision may write what it asks for into the note, and whether a person must confirm it. */
export function permissionFor(
  space: IndexAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decision: Decision,
): Permission {
  const permission = permitted(
    decision,
    mutationContext(space, target, note.data),
    space.context.settings.field_mapping,
  );
  const leftToPerson = decision.again || decision.decision === 'needs_input';
  return permission.ok && leftToPerson ? { ...permission, needsPerson: true } : permission;
}

/**
 * Judges one note: reserve, decide, gate, and act, propose or record (contract, sections 5 and 6). The decider is asked
 * about the note as it is now, and again where the note changed before its change was published.
 */
async function decide(
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
function preview(space: ModelAccess, target: TargetRecord, note: NoteSnapshot, decision: Decision): Draft {
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

/** A decision about one note, before the gates: from the evaluator at a tick, or from one strong signal. */
export interface Decision {
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
  /** Whether it rests on signals that were weighed before a person changed the note: then it is only proposed. */
  readonly again: boolean;
  /** The tokens and cost of the model; absent where none was asked. */
  readonly usage?: Usage | null;
}

/** How a look at one note ended. */
export type Decided =
  | { readonly kind: 'acted' | 'proposed' | 'recorded'; readonly event: string }
  | { readonly kind: 'guarded'; readonly refusal: Refusal }
  /** Somebody is typing, or hours are quiet: the note is judged again at `until` (epoch ms). */
  | { readonly kind: 'settling'; readonly until: number }
  /** The model could not be asked, or hours are quiet: the signals wait for a later tick. */
  | { readonly kind: 'unasked'; readonly reason: string }
  | { readonly kind: 'gone' };

/** A decision with its gates and its outcome, before anything is written. */
export interface Draft {
  readonly mode: Mode;
  readonly gates: readonly Gate[];
  readonly decision: Decision;
  readonly note: NoteSnapshot;
  readonly target: TargetRecord;
  readonly permission: Permission;
  readonly outcome: Disposition;
}
