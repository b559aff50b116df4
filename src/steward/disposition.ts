import { isWeighable, type SignalFields } from '../vault/status-words.ts';
import type { Permission } from './changes/permission.ts';
import { type Disposition, type Gate, judge } from './gates-gate.ts';
import type { Mode } from './gates-rounding.ts';
import type { WeighedSignal } from './ports/evaluator.ts';

/**
 * Returns what becomes of a decision by its gates and by the rules of writing. A change that may not be made, or that
 * would change nothing, is only recorded; one that needs a person is at most proposed (contract, section 16).
 */
export function dispositionOf(mode: Mode, gates: readonly Gate[], permission: Permission): Disposition {
  if (!permission.ok || permission.edits.length === 0) return 'record';
  const disposition = judge(mode, gates);
  return disposition === 'act' && permission.needsPerson ? 'propose' : disposition;
}

const MOST_SIGNALS = 50;

/** A signal note as the catalogue knows it, its target link already resolved. */
export interface Candidate {
  /** Vault-relative path of the signal note. */
  readonly path: string;
  /** The note's name without folder and `.md`. */
  readonly id: string;
  readonly fields: SignalFields;
  /** Who speaks in it: the source, and how far the source is believed. */
  readonly speaker: Pick<WeighedSignal, 'source' | 'effectConfidence'>;
  /** Vault-relative path of the note it is about; null where its link leads nowhere. */
  readonly targetPath: string | null;
  /** When it happened, in epoch milliseconds; null where the note does not say. */
  readonly at: number | null;
}

/** Which signals to gather. */
interface GatherRequest {
  /** Vault-relative path of the task or matter under judgement. */
  readonly targetPath: string;
  /** Ids or paths of signals that were weighed here before (contract, section 16). */
  readonly weighed: ReadonlySet<string>;
  readonly now: number;
}

/** A signal that may be about another note. */
export interface Ambiguous {
  readonly path: string;
  readonly id: string;
  readonly reason: string;
}

/** The signals for one note. */
export interface Gathered {
  /** Newest first, at most 50. */
  readonly signals: readonly WeighedSignal[];
  /** Signals that may be about this note; they wait until a person says so. */
  readonly ambiguous: readonly Ambiguous[];
  /** How many more wait for a later tick. */
  readonly waiting: number;
}

/**
 * Returns the signals to weigh for one note (contract, section 5, step 3). They are told apart by id, not by time: a
 * note that was synced late still counts, and one that lies in two folders counts once.
 */
export function gather(candidates: readonly Candidate[], request: GatherRequest): Gathered {
  const fresh = candidates.filter((one) => one.targetPath === request.targetPath && isFresh(one, request.weighed));
  const sure = onceEach(fresh.filter((one) => !one.fields.target_ambiguous)).toSorted(newestFirst);
  return {
    signals: sure.slice(0, MOST_SIGNALS).map((one) => weighed(one, request.now)),
    ambiguous: fresh.filter((one) => one.fields.target_ambiguous).map(ambiguity),
    waiting: Math.max(0, sure.length - MOST_SIGNALS),
  };
}

/** Returns a candidate as an evaluator is shown it. A time in the future is an age of 0. */
export function weighed({ path, id, fields, speaker, at }: Candidate, now: number): WeighedSignal {
  return {
    path,
    id,
    source: speaker.source,
    effect: fields.effect,
    effectConfidence: speaker.effectConfidence,
    targetConfidence: fields.target_confidence,
    ageMs: at === null ? 0 : Math.max(0, now - at),
    headline: fields.headline,
    quote: fields.raw_quote,
    proposal: fields.mutation_proposal,
  };
}

function isFresh({ path, id, fields }: Candidate, known: ReadonlySet<string>): boolean {
  return isWeighable(fields) && !known.has(id) && !known.has(path);
}

function onceEach(candidates: readonly Candidate[]): readonly Candidate[] {
  const byId = new Map<string, Candidate>();
  for (const one of candidates) if (!byId.has(one.id)) byId.set(one.id, one);
  return [...byId.values()];
}

function newestFirst(one: Candidate, other: Candidate): number {
  const byTime = (other.at ?? 0) - (one.at ?? 0);
  return byTime !== 0 ? byTime : one.id < other.id ? -1 : 1;
}

function ambiguity({ path, id, fields }: Candidate): Ambiguous {
  const names = fields.target_candidates.join(', ');
  return { path, id, reason: `The signal may mean any of several notes${names === '' ? '.' : `: ${names}.`}` };
}
