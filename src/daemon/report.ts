import { weigh } from '../model/evaluators.ts';
import { isChoice } from '../steward/attention.ts';
import type { MutationContext, Permission } from '../steward/changes/permission.ts';
import { recordedChanges } from '../steward/changes/recorded-changes.ts';
import { permitted } from '../steward/changes.ts';
import { weighed } from '../steward/disposition.ts';
import { routeAlone } from '../steward/gates-freshness-gate.ts';
import { discretionThreshold, type Gate } from '../steward/gates-gate.ts';
import type { Mode } from '../steward/gates-rounding.ts';
import {
  type Circumstances,
  type Judged,
  NO_OVERRIDES,
  type Outcome,
  type Overrides,
  type Replayed,
  rejudge,
  trusted,
  under,
} from '../steward/hindsight.ts';
import { Experience, type Observation } from '../steward/learning/experience.ts';
import { instinctOf } from '../steward/learning/sources.ts';
import { goesOn, type WeighedSignal } from '../steward/ports/evaluator.ts';
import { proposalChanges } from '../steward/ports/mutation-class.ts';
import { isReversed } from '../steward/proposals/reversed.ts';
import { answerOf } from '../steward/proposals.ts';
import { type Speaker, sentAt, speakerOf } from '../steward/trust/speaker.ts';
import { type EventRecord, mapped, type SignalRecord, withState } from '../vault/index/record.ts';
import { linkKey } from '../vault/links.ts';
import { stem } from '../vault/note-names.ts';
import { briefly, momentOf } from '../vault/note-text.ts';
import { same } from '../vault/parsed-note.ts';
import type { Frontmatter, State, Yaml } from '../vault/records/values.ts';
import { EVENT_TYPES, type RecordedGate } from '../vault/records.ts';
import { sourceKey } from '../vault/source-names.ts';
import { stateMeant } from '../vault/status-words.ts';
import { iso, localDate } from '../vault/time.ts';
import type { Vault } from '../vault/watch.ts';
import type { Context, IndexAccess, Settings, Workspace } from './context.ts';
import type { Decision } from './decide.ts';
import { targetPath, thresholdsOf } from './effective-mode.ts';

/** Returns how often each source had been right at any moment, as the notes tell it. */
export function recordedExperience(space: IndexAccess): Experience {
  return new Experience(observationsIn(space), (source) => instinctOf(space, source).observations);
}

/** Returns the sources that bore something of a conclusion. */
export function bearing({ fields }: EventRecord): readonly string[] {
  return Object.entries(fields.source_contributions).flatMap(([source, share]) => (share > 0 ? [source] : []));
}

/** The right outcomes that were not taken back: each counts for every source that bore something of the conclusion. */
function observationsIn(space: IndexAccess): readonly Observation[] {
  return space.vault.catalogue.events().flatMap((event) => {
    const at = observedAt(event);
    if (!Number.isFinite(at) || isReversed(space, event)) return [];
    return bearing(event).map((source) => ({ source, at }));
  });
}

// A confirmation counts from when it is made. A decision that was borne out counts from when that was noticed.
function observedAt({ fields }: EventRecord): number {
  if (fields.confirms !== null && Object.keys(fields.changes).length > 0) return Date.parse(fields.timestamp);
  return fields.taught === 'right' ? Date.parse(fields.taught_at ?? fields.timestamp) : Number.NaN;
}

/** A recorded decision and what it was made on, as far as the notes still tell. */
interface DecisionContext {
  readonly event: EventRecord;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly note: NoteThen;
  /** The signal notes it rests on; null where one of them is gone. */
  readonly signals: readonly SignalRecord[] | null;
  /** Returns who speaks in a signal, and how far that is believed. */
  readonly speakerOf: (signal: SignalRecord) => Voice;
  readonly circumstances: Circumstances;
  /** Why only a person could decide it, or null. */
  readonly person: string | null;
}

/** Who spoke in a signal, and how far that was believed. */
type Voice = Pick<Speaker, 'source' | 'effectConfidence'>;

/** A note as it was before a decision about it. */
interface NoteThen {
  readonly kind: 'task' | 'matter';
  /** The name of the task's matter; null for a matter, or where there is none. */
  readonly matter: string | null;
  readonly state: State;
  readonly fields: Frontmatter;
}

/** Restores the context that recorded decisions were made in. Reads notes, writes nothing, and uses no clock. */
class DecisionContexts {
  readonly #space: Workspace;
  readonly #experience: Experience;

  constructor(space: Workspace) {
    this.#space = space;
    this.#experience = recordedExperience(space);
  }

  /** Returns the context of a decision; null where its time, or the kind of note it is about, cannot be known. */
  contextOf(event: EventRecord): DecisionContext | null {
    const { catalogue, layout } = this.#space.vault;
    const path = targetPath(this.#space.vault, event);
    const target = path === null ? undefined : catalogue.get(path);
    const kind = target?.kind ?? (path === null ? null : layout.folderKindOf(path));
    const at = momentOf(event.name, event.fields.timestamp);
    if (path === null || !Number.isFinite(at) || (kind !== 'task' && kind !== 'matter')) return null;
    const fields = fieldsThen(event, () => this.#space.notes.fresh(path)?.data ?? {});
    const signals = signalsOf(this.#space.vault, event);
    const parent = target?.kind === 'task' ? catalogue.matterOf(target) : null;
    const own = thresholdIn(fields) ?? parent?.fields.discretion_threshold ?? null;
    return {
      ...{ event, at, signals, speakerOf: this.#voicesThen(event) },
      note: {
        ...{ kind, fields, matter: parent?.name ?? null },
        state: stateIn(fields, kind, this.#space.context.settings).state,
      },
      person: gateIn(event, 'person')?.reason ?? null,
      circumstances: {
        ...gatesThen(this.#space.context, event),
        discretion: this.#discretionThen(event, at, signals, own),
        standing: standingThen(event),
      },
    };
  }

  // Before it was asked who the sender is, every signal spoke for its whole channel.
  #voicesThen(event: EventRecord): (signal: SignalRecord) => Voice {
    if (gateIn(event, 'sender') !== null) return (signal) => speakerOf(this.#space, signal);
    return ({ fields }) => ({ source: fields.source_type, effectConfidence: fields.effect_confidence });
  }

  // The recorded threshold, where it is clear which source it was for; else it follows from the history before.
  #discretionThen(event: EventRecord, at: number, signals: DecisionContext['signals'], own: number | null) {
    const gate = gateIn(event, 'discretion');
    const voice = this.#voicesThen(event);
    const sources = new Set(signals?.map((signal) => voice(signal).source));
    const isSilent = gate !== null && !gate.held && gate.figure === null && sources.size > 0;
    if (isSilent) return () => null;
    const recorded = gate?.threshold ?? null;
    if (recorded !== null && sources.size <= 1) return () => recorded;
    return (source: string) => discretionThreshold(this.#experience.before(source, at), own);
  }
}

/** Returns what the rules of writing need to know of the note as it was, under the given settings. */
function mutationContextThen(vault: Vault, context: DecisionContext, settings: Settings): MutationContext {
  const { catalogue } = vault;
  // A link that was permitted then led to a note, even if that note has been moved or deleted since.
  const existed = new Set(Object.values(context.event.fields.changes).flatMap(({ after }) => linksIn(after)));
  return {
    ...{ kind: context.note.kind, fields: context.note.fields },
    ...stateIn(context.note.fields, context.note.kind, settings),
    editable: settings.editable_fields,
    protectedFields: settings.protected_fields,
    words: settings.status_values,
    matterExists: (link) => existed.has(linkKey(link)) || catalogue.resolve(link, ['matter'])?.kind === 'matter',
    noteExists: (link) => existed.has(linkKey(link)) || catalogue.exists(link),
    today: localDate(context.at),
  };
}

function linksIn(value: Yaml): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => (typeof item === 'string' && item.includes('[[') ? [linkKey(item)] : []));
}

/** Returns what the discretion gate looks at: the signals, or the recorded figure where one of them is gone. */
function discretionFigures(
  { event, signals, speakerOf: speaker }: DecisionContext,
  trust: (signal: SignalRecord) => number,
): readonly { readonly source: string; readonly effectConfidence: number }[] {
  if (signals !== null) {
    const sources = new Set(bearing(event).map(sourceKey));
    const heard = signals.map((signal) => ({ source: speaker(signal).source, effectConfidence: trust(signal) }));
    return heard.filter(({ source }) => sources.has(sourceKey(source)));
  }
  const figure = gateIn(event, 'discretion')?.figure ?? null;
  const [source = 'other'] = bearing(event);
  return figure === null ? [] : [{ source, effectConfidence: figure }];
}

/** Returns a signal as the evaluator was shown it at the time. */
function weighedThen(context: DecisionContext, signal: SignalRecord): WeighedSignal {
  const speaker = context.speakerOf(signal);
  return weighed(
    { path: signal.path, id: signal.name, fields: signal.fields, speaker, targetPath: null, at: sentAt(signal) },
    context.at,
  );
}

// The recorded frontmatter shortens long values; a change holds the former value of its own field.
function fieldsThen({ fields }: EventRecord, present: () => Frontmatter): Frontmatter {
  const known = Object.entries(fields.prior_frontmatter);
  const base = known.length > 0 ? known : Object.entries(present());
  const before = Object.entries(fields.changes).map(([field, change]) => [field, change.before] as const);
  const changed = new Set(before.map(([field]) => field));
  return Object.fromEntries([
    ...base.filter(([field]) => !changed.has(field)),
    ...before.filter(([, value]) => value !== null),
  ]);
}

function stateIn(
  fields: Frontmatter,
  kind: 'task' | 'matter',
  { field_mapping: mapping, status_values: words }: Settings,
): { readonly state: State; readonly stateField: 'state' | 'status' } {
  const ours = kind === 'task' ? mapped(fields, mapping, words) : withState(fields, fields, mapping, words);
  return {
    state: stateMeant(ours.state, words) ?? 'open',
    stateField: ours.state_field === 'status' ? 'status' : 'state',
  };
}

function signalsOf(vault: Vault, event: EventRecord): readonly SignalRecord[] | null {
  const found = event.fields.signals.map((link) => vault.catalogue.resolve(link, ['signal']));
  const signals = found.filter((entry): entry is SignalRecord => entry?.kind === 'signal');
  return signals.length === found.length ? signals : null;
}

// An event note tells only shadow from live. Which live mode it was, and at which threshold, its mode gate tells.
function gatesThen(context: Context, event: EventRecord): Pick<Circumstances, 'mode' | 'thresholds'> {
  const gate = gateIn(event, 'mode');
  const isHigh = gate?.reason.includes('live_high_confidence_only') === true;
  const live: Mode = isHigh ? 'live_high_confidence_only' : 'live';
  const present = thresholdsOf(context);
  const asked = gate?.threshold ?? null;
  return {
    mode: event.fields.mode === 'shadow' ? 'shadow' : live,
    thresholds: {
      confidence: isHigh ? present.confidence : (asked ?? present.confidence),
      highConfidence: isHigh ? (asked ?? present.highConfidence) : present.highConfidence,
    },
  };
}

// Who the sender was to the note then cannot be asked again: the record says it.
function standingThen(event: EventRecord): Gate[] {
  return (['sender', 'reading', 'closing', 'freshness'] as const).flatMap((name) => {
    const gate = gateIn(event, name);
    if (gate === null) return [];
    return [
      {
        name,
        held: gate.held,
        figure: gate.figure,
        threshold: gate.threshold ?? 0,
        sentence: `${name}: ${gate.reason}`,
      },
    ];
  });
}

function gateIn(event: EventRecord, name: string): RecordedGate | null {
  return event.fields.gates.find((one) => one.gate === name) ?? null;
}

function thresholdIn({ discretion_threshold: own }: Frontmatter): number | null {
  return typeof own === 'number' && own >= 0 && own <= 1 ? own : null;
}

/** Returns the event notes that record a decision, oldest first: actions, proposals and records, not their answers. */
export function decisionsIn(vault: Vault): EventRecord[] {
  const decisions = vault.catalogue
    .events()
    .filter(({ fields }) => EVENT_TYPES.some((type) => type === fields.type))
    .filter(({ fields }) => fields.decision !== 'proposal_closed')
    // What was seen without a signal is decided by a person alone: it says nothing of how far the steward may go.
    .filter((event) => !isChoice(event) && event.fields.perceived === null);
  return inOrder(decisions);
}

/** Returns events oldest first, whatever order they were read in. Leaves out those without a readable time. */
export function inOrder(events: readonly EventRecord[]): EventRecord[] {
  return events
    .map((event) => ({ event, at: momentOf(event.name, event.fields.timestamp) }))
    .filter(({ at }) => Number.isFinite(at))
    .sort((one, other) => one.at - other.at || byName(one.event, other.event))
    .map(({ event }) => event);
}

function byName(one: EventRecord, other: EventRecord): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.path < other.path ? -1 : 1;
}

/** Whether an event note says only that the rate guard or the budget had no room. */
export function isGuarded(event: EventRecord): boolean {
  return event.fields.decision === 'rate_guarded';
}

/** Returns what became of a decision at the time it was made. */
export function recordedOutcome({ fields }: EventRecord): Outcome {
  if (fields.undo_recipe !== null) return 'acted';
  if (Object.keys(fields.changes).length === 0) return 'nothing';
  return fields.mode === 'shadow' ? 'recorded' : 'proposed';
}

/**
 * Where a replayed decision comes from: the rules asked again, the signal that was strong enough alone, or the record.
 */
export type JudgedBy = 'rules' | 'signal' | 'record';

/** A decision made again, before the rules of writing and the gates. */
type ReplayedDecision = Pick<Decision, 'decision' | 'confidence' | 'changes' | 'proposal'>;

/** Returns who can judge a recorded decision again: the rules and single signals can, a model cannot. */
function judgeOf({ event, signals }: DecisionContext): JudgedBy {
  if (signals === null || signals.length === 0) return 'record';
  if (event.fields.type === 'signal-action') return signals.length === 1 ? 'signal' : 'record';
  return event.fields.evaluator?.startsWith('rules') === true ? 'rules' : 'record';
}

/** Returns the decision as it would be made under other settings. */
function replayedDecision(
  context: DecisionContext,
  judgedBy: JudgedBy,
  settings: Settings,
  overrides: Overrides,
): ReplayedDecision {
  const [signal] = context.signals ?? [];
  if (judgedBy === 'record' || signal === undefined) return recordedDecision(context, settings);
  const routed = judgedBy === 'signal' ? decisionBySignal(context, signal, overrides) : null;
  return routed ?? decisionByRules(context, overrides);
}

/** Returns a signal's effect confidence, 0–1, given the trust that the overrides put in its source. */
function trust(context: DecisionContext, signal: SignalRecord, overrides: Overrides): number {
  const { source, effectConfidence } = context.speakerOf(signal);
  return trusted({ source, effectConfidence, raw: signal.fields.effect_confidence_raw }, overrides);
}

/**
 * Whether two confidences are the same but for the rounding of an event's time to the second, which makes an old signal
 * weigh a little more or less.
 */
function isSameConfidence(one: number, other: number): boolean {
  return Math.abs(one - other) <= 0.0005;
}

function recordedDecision({ event }: DecisionContext, settings: Settings): ReplayedDecision {
  const { decision, confidence, changes } = event.fields;
  return {
    decision,
    confidence,
    changes: recordedChanges(changes, settings.field_mapping, settings.status_values),
    proposal: null,
  };
}

// Null where the signal would not have been strong enough alone, and would have waited for the tick.
function decisionBySignal(
  context: DecisionContext,
  signal: SignalRecord,
  overrides: Overrides,
): ReplayedDecision | null {
  const { fields } = signal;
  const proposal = fields.mutation_proposal;
  if (proposal === null) return null;
  const asked = under(overrides, context.circumstances);
  const routable = {
    ...fields,
    ...{ status: 'unrouted' as const, steward: true, target_ambiguous: false },
  };
  const { source } = context.speakerOf(signal);
  const speaker = { source, effectConfidence: trust(context, signal, overrides) };
  // Whether a matter may be closed is asked of the decision, not of the signal.
  const standing = asked.standing.filter(({ name }) => name === 'sender' || name === 'reading');
  const route = routeAlone(routable, speaker, { ...asked, standing, discretion: asked.discretion(source) });
  if (!route.route) return null;
  return { decision: proposal.class, confidence: route.confidence, changes: proposalChanges(proposal), proposal };
}

function decisionByRules(context: DecisionContext, overrides: Overrides): ReplayedDecision {
  const { event, at } = context;
  const { kind, state, fields, matter } = context.note;
  const path = event.fields.target_path ?? '';
  const signals = (context.signals ?? []).map((signal) => ({
    ...weighedThen(context, signal),
    effectConfidence: trust(context, signal, overrides),
  }));
  const { decision, confidence, changes } = weigh({
    target: { kind, path, name: stem(path), state, fields, matter },
    signals,
    now: at,
  });
  return { decision, confidence: confidenceThen(confidence, event, overrides), changes, proposal: null };
}

function confidenceThen(confidence: number, event: EventRecord, { priors }: Overrides): number {
  const recorded = event.fields.confidence;
  return isSameConfidence(confidence, recorded) && priors.size === 0 ? recorded : confidence;
}

/** A recorded decision that can be made again, or the sentence that says why it cannot. */
export type Reproduction =
  | {
      readonly ok: true;
      readonly judgedBy: JudgedBy;
      /** What became of it, with the gate that decided. */
      readonly recorded: Replayed;
      /** Returns what would have become of it under other settings. */
      readonly under: (overrides: Overrides) => Replayed;
    }
  | { readonly ok: false; readonly reason: string };

/** Makes recorded decisions again. */
export class Replayer {
  readonly #space: Workspace;
  readonly #contexts: DecisionContexts;

  constructor(space: Workspace) {
    this.#space = space;
    this.#contexts = new DecisionContexts(space);
  }

  /**
   * Makes a decision again as it was made. Only one that comes out as it was recorded can tell what else might have
   * come of it.
   */
  reproduce(event: EventRecord): Reproduction {
    const context = this.#contexts.contextOf(event);
    if (context === null) return { ok: false, reason: 'Which note it is about, or when, cannot be read from it.' };
    return (
      this.#reproducedBy(context, judgeOf(context)) ??
      this.#reproducedBy(context, 'record') ?? { ok: false, reason: unlikeReason(context) }
    );
  }

  #reproducedBy(context: DecisionContext, judgedBy: JudgedBy): Reproduction | null {
    const judge = (overrides: Overrides) => this.#judged(context, judgedBy, overrides);
    const judged = judge(NO_OVERRIDES);
    const recorded = rejudge(judged, context.circumstances);
    if (!agrees(context.event, judged, recorded)) return null;
    const replayed = (overrides: Overrides) => rejudge(judge(overrides), under(overrides, context.circumstances));
    return { ok: true, judgedBy, recorded, under: replayed };
  }

  #judged(context: DecisionContext, judgedBy: JudgedBy, overrides: Overrides): Judged {
    const settings = {
      ...this.#space.context.settings,
      ...(overrides.editable_fields === undefined ? {} : { editable_fields: overrides.editable_fields }),
      ...(overrides.protected_fields === undefined ? {} : { protected_fields: overrides.protected_fields }),
    };
    const decision = replayedDecision(context, judgedBy, settings, overrides);
    const mutationContext = mutationContextThen(this.#space.vault, context, settings);
    const permission = permitted(decision, mutationContext, settings.field_mapping);
    return {
      decision: decision.decision,
      confidence: decision.confidence,
      permission: leftToPerson(permission, context),
      signals: discretionFigures(context, (signal) => trust(context, signal, overrides)),
      person: context.person,
    };
  }
}

function agrees(event: EventRecord, { permission }: Judged, replayed: Replayed): boolean {
  const { decision, confidence, changes } = event.fields;
  if (replayed.outcome !== recordedOutcome(event)) return false;
  // A date that moved was called still_active before there was a word for it; the changes are compared below.
  if (replayed.decision !== decision && !(goesOn(replayed.decision) && goesOn(decision))) return false;
  const made = permission.ok ? permission.changes : {};
  return isSameConfidence(replayed.confidence, confidence) && same(briefly(made), briefly(changes));
}

// A decision that was weighed again, after a person had changed the note, could only ever be proposed.
function leftToPerson(permission: Permission, { person }: DecisionContext): Permission {
  return permission.ok && person !== null ? { ...permission, needsPerson: true } : permission;
}

function unlikeReason({ signals }: DecisionContext): string {
  const missing =
    signals === null ? 'Signals it rests on are gone' : 'The settings or notes around it were others then';
  return `${missing}: what is recorded does not follow from what is there now.`;
}

/** One recorded decision, and what would have become of it. */
export interface ReplayLine {
  /** The event note's name. */
  readonly event: string;
  readonly time: string;
  readonly target: string | null;
  readonly judgedBy: JudgedBy;
  readonly recorded: Replayed;
  readonly replayed: Replayed;
  readonly differs: boolean;
  /** What a person said to it, where they did. */
  readonly answer: ReplayAnswer | null;
}

/** `reversed`: confirmed or made, and taken back since. */
type ReplayAnswer = 'confirmed' | 'dismissed' | 'reversed';

/** The result of a replay (`replay --json`). */
export interface Replay {
  readonly schemaVersion: 1;
  readonly since: string;
  readonly until: string | null;
  readonly summary: {
    /** Decisions that could be compared. */
    readonly actions: number;
    readonly differ: number;
    /** Decisions that cannot be compared, because what they rest on is gone. */
    readonly unknown: number;
    /** Looks that the rate guard or the budget refused: nothing was judged. */
    readonly guarded: number;
    /** Outcome → how often it was recorded, and how often it would have come about. */
    readonly outcomes: Readonly<Record<Outcome, { readonly recorded: number; readonly replayed: number }>>;
  };
  readonly lines: readonly ReplayLine[];
  readonly unknown: readonly { readonly event: string; readonly time: string; readonly reason: string }[];
}

/**
 * Makes the recorded decisions of a period again under other settings. Times are epoch ms; `until` may be null. Changes
 * nothing, and uses neither clock nor chance: the same notes give the same result.
 */
export function replay(space: Workspace, since: number, until: number | null, overrides: Overrides): Replay {
  const replayer = new Replayer(space);
  const all = decisionsIn(space.vault).filter((event) => isWithin(event, since, until));
  const judged = all.filter((event) => !isGuarded(event));
  const found = judged.map((event) => ({ event, reproduction: replayer.reproduce(event) }));
  const lines = found.flatMap(({ event, reproduction }) =>
    reproduction.ok ? [lineOf(event, reproduction, overrides, answerTo(space, event))] : [],
  );
  const unknown = found.flatMap(({ event, reproduction }) =>
    reproduction.ok ? [] : [{ event: event.name, time: event.fields.timestamp, reason: reproduction.reason }],
  );
  return {
    schemaVersion: 1,
    since: iso(since),
    until: until === null ? null : iso(until),
    summary: {
      actions: lines.length,
      differ: lines.filter((line) => line.differs).length,
      unknown: unknown.length,
      guarded: all.length - judged.length,
      outcomes: outcomesIn(lines),
    },
    lines,
    unknown,
  };
}

function lineOf(
  event: EventRecord,
  reproduction: Extract<Reproduction, { ok: true }>,
  overrides: Overrides,
  answer: ReplayAnswer | null,
): ReplayLine {
  const { judgedBy, recorded } = reproduction;
  const replayed = reproduction.under(overrides);
  const { timestamp: time, target_path: target } = event.fields;
  return {
    event: event.name,
    time,
    target,
    judgedBy,
    recorded,
    replayed,
    differs: recorded.outcome !== replayed.outcome,
    answer,
  };
}

function answerTo(space: Workspace, event: EventRecord): ReplayAnswer | null {
  const answer = answerOf(space, event);
  if (isReversed(space, answer ?? event)) return 'reversed';
  if (answer === null) return null;
  return answer.fields.dismisses === null ? 'confirmed' : 'dismissed';
}

function isWithin({ name, fields }: EventRecord, since: number, until: number | null): boolean {
  const at = momentOf(name, fields.timestamp);
  return at >= since && (until === null || at < until);
}

function outcomesIn(lines: readonly ReplayLine[]): Replay['summary']['outcomes'] {
  const count = (outcome: Outcome) => ({
    recorded: lines.filter((line) => line.recorded.outcome === outcome).length,
    replayed: lines.filter((line) => line.replayed.outcome === outcome).length,
  });
  return { acted: count('acted'), proposed: count('proposed'), recorded: count('recorded'), nothing: count('nothing') };
}
