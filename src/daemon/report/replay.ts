import { weigh } from '../../model/evaluators/rules.ts';
import { permitted } from '../../steward/changes/field-mapping.ts';
import type { Permission } from '../../steward/changes/permission.ts';
import { recordedChanges } from '../../steward/changes/recorded-changes.ts';
import { routeAlone } from '../../steward/gates/route.ts';
import {
  type Judged,
  NO_OVERRIDES,
  type Overrides,
  type Replayed,
  rejudge,
  trusted,
  under,
} from '../../steward/hindsight/replay.ts';
import type { Outcome } from '../../steward/hindsight/scorecard.ts';
import { proposalChanges } from '../../steward/ports/mutation-class.ts';
import { same } from '../../vault/frontmatter/equal.ts';
import type { EventRecord, SignalRecord } from '../../vault/index/record.ts';
import { stem } from '../../vault/note-names.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { briefly } from '../../vault/notes/note-text.ts';
import { EVENT_TYPES } from '../../vault/records/event.ts';
import type { FieldChange, MutationProposal } from '../../vault/records/mutation.ts';
import { iso } from '../../vault/time.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Context, Workspace } from '../context/ports.ts';
import {
  contextThen,
  type DecisionContext,
  DecisionContexts,
  discretionFigures,
  weighedThen,
} from './decision-context.ts';

/** Whose word a replayed line goes by: the rules asked again, the signal that was strong enough alone, or the record. */
export type JudgedBy = 'rules' | 'signal' | 'record';

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
}

/** What a replay came to (`replay --json`). */
export interface Replay {
  readonly schemaVersion: 1;
  readonly since: string;
  readonly until: string | null;
  readonly summary: {
    /** Decisions that could be compared. */
    readonly actions: number;
    readonly differ: number;
    /** Decisions that cannot be compared, since what they rest on is gone. */
    readonly unknown: number;
    /** Looks that the rate guard or the budget turned away: nothing was judged. */
    readonly guarded: number;
    /** Outcome → how often it was recorded, and how often it would have come. */
    readonly outcomes: Readonly<Record<Outcome, { readonly recorded: number; readonly replayed: number }>>;
  };
  readonly lines: readonly ReplayLine[];
  readonly unknown: readonly { readonly event: string; readonly time: string; readonly reason: string }[];
}

/**
 * Runs the recorded decisions of a stretch of time again under other settings. Times are epoch ms; `until` may be null.
 * Changes nothing, and asks neither clock nor chance: the same notes give the same answer.
 */
export function replay(space: Workspace, since: number, until: number | null, overrides: Overrides): Replay {
  const replayer = new Replayer(space);
  const all = decisionsIn(space.vault).filter((event) => isWithin(event, since, until));
  const judged = all.filter((event) => !isGuarded(event));
  const found = judged.map((event) => ({ event, take: replayer.takeOf(event) }));
  const lines = found.flatMap(({ event, take }) => (take.ok ? [lineOf(event, take, overrides)] : []));
  const unknown = found.flatMap(({ event, take }) =>
    take.ok ? [] : [{ event: event.name, time: event.fields.timestamp, reason: take.reason }],
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

/** The notes of decisions, oldest first: every action, proposal and record, without what answers or closes them. */
export function decisionsIn(vault: Vault): EventRecord[] {
  const decisions = vault.catalogue
    .events()
    .filter(({ fields }) => EVENT_TYPES.some((type) => type === fields.type))
    .filter(({ fields }) => fields.decision !== 'proposal_closed');
  return inOrder(decisions);
}

/** Events oldest first, the same whatever order they were read in; without those whose time cannot be read. */
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

/** Whether an event note says only that there was no room in the rate guard or the budget. */
export function isGuarded(event: EventRecord): boolean {
  return event.fields.decision === 'rate_guarded';
}

/** What became of a decision when it was made. */
export function recordedOutcome({ fields }: EventRecord): Outcome {
  if (fields.undo_recipe !== null) return 'acted';
  if (Object.keys(fields.changes).length === 0) return 'nothing';
  return fields.mode === 'shadow' ? 'recorded' : 'proposed';
}

/** A decision that can be made again, or the sentence that says why not. */
export type Take =
  | {
      readonly ok: true;
      readonly judgedBy: JudgedBy;
      /** What became of it, with the gate that decided. */
      readonly recorded: Replayed;
      /** What would have become of it. */
      readonly under: (overrides: Overrides) => Replayed;
    }
  | { readonly ok: false; readonly reason: string };

/** Makes recorded decisions again. */
export class Replayer {
  readonly #space: Workspace;
  readonly #recollection: DecisionContexts;

  constructor(space: Workspace) {
    this.#space = space;
    this.#recollection = new DecisionContexts(space);
  }

  /** A decision as it was made: only one that comes out as it was recorded can be asked what else might have come. */
  takeOf(event: EventRecord): Take {
    const scene = this.#recollection.sceneOf(event);
    if (scene === null) return { ok: false, reason: 'Which note it is about, or when, cannot be read from it.' };
    const again = this.#take(scene, judgesOf(scene));
    if (again !== null) return again;
    return this.#take(scene, 'record') ?? { ok: false, reason: unlikeReason(scene) };
  }

  #take(scene: DecisionContext, judgedBy: JudgedBy): Take | null {
    const take = (overrides: Overrides) => this.#judged(scene, judgedBy, overrides);
    const judged = take(NO_OVERRIDES);
    const recorded = rejudge(judged, scene.circumstances);
    if (!agrees(scene.event, judged, recorded)) return null;
    const then = (overrides: Overrides) => rejudge(take(overrides), under(overrides, scene.circumstances));
    return { ok: true, judgedBy, recorded, under: then };
  }

  #judged(scene: DecisionContext, judgedBy: JudgedBy, overrides: Overrides): Judged {
    const signals = discretionFigures(scene, (signal) => trust(signal, overrides));
    const said = this.#said(scene, judgedBy, overrides);
    const settings = {
      ...this.#space.context.settings,
      ...(overrides.editable_fields === undefined ? {} : { editable_fields: overrides.editable_fields }),
      ...(overrides.protected_fields === undefined ? {} : { protected_fields: overrides.protected_fields }),
    };
    const context = contextThen(this.#space.vault, scene, settings);
    const permission = permitted(said, context, settings.field_mapping);
    const { decision, confidence } = said;
    return { decision, confidence, permission: leftToPerson(permission, scene), signals, person: scene.person };
  }

  #said(scene: DecisionContext, judgedBy: JudgedBy, overrides: Overrides): Said {
    const [signal] = scene.signals ?? [];
    if (judgedBy === 'record' || signal === undefined) return recordedWord(scene, this.#space.context);
    const routed = judgedBy === 'signal' ? wordOfSignal(scene, signal, overrides) : null;
    return routed ?? wordOfRules(scene, overrides);
  }
}

/** A decision as it comes from whoever judges, before the rules of writing and the gates. */
interface Said {
  readonly decision: string;
  readonly confidence: number;
  readonly changes: readonly FieldChange[];
  readonly proposal: MutationProposal | null;
}

function judgesOf({ event, signals }: DecisionContext): JudgedBy {
  if (signals === null || signals.length === 0) return 'record';
  if (event.fields.type === 'signal-action') return signals.length === 1 ? 'signal' : 'record';
  return event.fields.evaluator?.startsWith('rules') === true ? 'rules' : 'record';
}

function recordedWord({ event }: DecisionContext, context: Context): Said {
  const { decision, confidence, changes } = event.fields;
  return {
    decision,
    confidence,
    changes: recordedChanges(changes, context.settings.field_mapping),
    proposal: null,
  };
}

// A signal that would not have been strong enough alone would have waited for the tick; null then.
function wordOfSignal(scene: DecisionContext, { fields, ...signal }: SignalRecord, overrides: Overrides): Said | null {
  const proposal = fields.mutation_proposal;
  if (proposal === null) return null;
  const asked = under(overrides, scene.circumstances);
  const routable = {
    ...fields,
    effect_confidence: trust({ ...signal, fields }, overrides),
    ...{ status: 'unrouted' as const, steward: true, target_ambiguous: false },
  };
  const route = routeAlone(routable, { ...asked, discretion: asked.discretion(fields.source_type) });
  if (!route.route) return null;
  return { decision: proposal.class, confidence: route.confidence, changes: proposalChanges(proposal), proposal };
}

function wordOfRules(scene: DecisionContext, overrides: Overrides): Said {
  const { event, kind, state, fields, matter, at } = scene;
  const path = event.fields.target_path ?? '';
  const signals = (scene.signals ?? []).map((signal) => ({
    ...weighedThen(scene, signal),
    effectConfidence: trust(signal, overrides),
  }));
  const { decision, confidence, changes } = weigh({
    target: { kind, path, name: stem(path), state, fields, matter },
    signals,
    now: at,
  });
  return { decision, confidence: figureThen(confidence, event, overrides), changes, proposal: null };
}

// An event's time is written to the second, so that the weight of an old signal may come out a hair beside what it was.
function figureThen(confidence: number, event: EventRecord, { priors }: Overrides): number {
  const isHair = Math.abs(confidence - event.fields.confidence) <= HAIR;
  return isHair && priors.size === 0 ? event.fields.confidence : confidence;
}

const HAIR = 0.0005;

function trust({ fields }: Pick<SignalRecord, 'fields'>, overrides: Overrides): number {
  const { source_type: source, effect_confidence: effectConfidence, effect_confidence_raw: raw } = fields;
  return trusted({ source, effectConfidence, raw }, overrides);
}

function agrees(event: EventRecord, { permission }: Judged, replayed: Replayed): boolean {
  const { decision, confidence, changes } = event.fields;
  if (replayed.outcome !== recordedOutcome(event) || replayed.decision !== decision) return false;
  return Math.abs(replayed.confidence - confidence) <= HAIR && same(briefly(madeBy(permission)), briefly(changes));
}

// What was weighed again on a note that a person had changed was only ever to be proposed.
function leftToPerson(permission: Permission, { person }: DecisionContext): Permission {
  return permission.ok && person !== null ? { ...permission, needsPerson: true } : permission;
}

function madeBy(permission: Permission) {
  return permission.ok ? permission.changes : {};
}

function unlikeReason({ signals }: DecisionContext): string {
  const missing =
    signals === null ? 'Signals it rests on are gone' : 'The settings or notes around it were others then';
  return `${missing}: what is recorded does not follow from what is there now.`;
}

function lineOf(event: EventRecord, take: Extract<Take, { ok: true }>, overrides: Overrides): ReplayLine {
  const { judgedBy, recorded } = take;
  const replayed = take.under(overrides);
  const { timestamp: time, target_path: target } = event.fields;
  return {
    event: event.name,
    time,
    target,
    judgedBy,
    recorded,
    replayed,
    differs: recorded.outcome !== replayed.outcome,
  };
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
