import { weighed } from '../../steward/changes/gather-signals.ts';
import type { MutationContext } from '../../steward/changes/permission.ts';
import { discretionThreshold, type Gate, type Mode } from '../../steward/gates/gate.ts';
import type { Circumstances } from '../../steward/hindsight/replay.ts';
import type { Experience } from '../../steward/learning/experience.ts';
import type { WeighedSignal } from '../../steward/ports/evaluator.ts';
import { type Speaker, sentAt, speakerOf } from '../../steward/trust/speaker.ts';
import { type EventRecord, mapped, type SignalRecord, withState } from '../../vault/index/record.ts';
import { linkKey } from '../../vault/links.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import type { RecordedGate } from '../../vault/records/gate.ts';
import { stateMeant } from '../../vault/records/status-words.ts';
import type { Frontmatter, State, Yaml } from '../../vault/records/values.ts';
import { sourceKey } from '../../vault/source-names.ts';
import { localDate } from '../../vault/time.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { thresholdsOf } from '../context/effective-mode.ts';
import { targetPath } from '../context/event-target.ts';
import type { Context, Workspace } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';
import { bearing, recordedExperience } from './recorded-experience.ts';

/** A recorded decision and what it was made on, as far as the notes still tell. */
export interface DecisionContext {
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
export class DecisionContexts {
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
export function mutationContextThen(vault: Vault, context: DecisionContext, settings: Settings): MutationContext {
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
export function discretionFigures(
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
export function weighedThen(context: DecisionContext, signal: SignalRecord): WeighedSignal {
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
