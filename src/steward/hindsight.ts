import type { Changes } from '../vault/records.ts';
import { channelOf, sourceKey } from '../vault/source-names.ts';
import type { Permission } from './changes/permission.ts';
import { dispositionOf } from './disposition.ts';
import { discretionGate, type Gate, modeGate, reasonIn, type Thresholds } from './gates-gate.ts';
import { clamp, MODES, type Mode, round4 } from './gates-rounding.ts';
import { effectConfidence, HAND_COUNTS_FOR, handSays, type Sight } from './learning.ts';

/**
 * What became of a change that the steward made or would have made: the outcomes that teach (contract, section 7), and
 * what teaches nothing. Each change has exactly one fate:
 *
 * - `confirmed`, `dismissed`, `reversed`: a person said so (a confirmation that was taken back counts as reversed);
 * - `borne_out`: it was not made, and a person later made the same change by hand;
 * - `kept`: it was made and left alone for a week, by sources that had each been right five times before;
 * - `contradicted`: within a week of it a person set a field by hand to something else;
 * - `silent`: it was made and its week is over, but nothing follows from that: its sources were too little known, or the
 *   note had moved on;
 * - `overtaken`: before any of that was seen, the steward decided about the same field again; the later case counts;
 * - `open`: none of these, so far.
 */
export const FATES = [
  'confirmed',
  'borne_out',
  'kept',
  'dismissed',
  'reversed',
  'contradicted',
  'silent',
  'overtaken',
  'open',
] as const;
export type Fate = (typeof FATES)[number];

type Finding = 'right' | 'wrong' | 'undecided';

/** Returns whether a fate shows the steward right or wrong; undecided where it shows neither. */
export function findingOf(fate: Fate): Finding {
  if (fate === 'confirmed' || fate === 'kept' || fate === 'borne_out') return 'right';
  return fate === 'dismissed' || fate === 'reversed' || fate === 'contradicted' ? 'wrong' : 'undecided';
}

/** The note as it was seen at one moment after the change was decided. */
export interface Sighting extends Sight {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Fields the steward itself decided about at that moment: what they hold from then on is not the person's doing. */
  readonly decided: readonly string[];
}

/** Everything the notes say about one change. */
export interface Trail {
  readonly changes: Changes;
  /** When it was decided, in epoch milliseconds. */
  readonly at: number;
  /** Whether the change was made by the steward itself. */
  readonly acted: boolean;
  /** Whether its undo window has closed; false for a change that was not made. */
  readonly closed: boolean;
  /** Whether a week of silence counts for its sources, once the window has closed. */
  readonly known: boolean;
  readonly answer: 'confirmed' | 'dismissed' | null;
  /** Whether the action, or the confirmation of the proposal, was taken back. */
  readonly reversed: boolean;
  /** What the event note says that it has taught; null where nothing was learnt from it yet. */
  readonly taught: 'right' | 'wrong' | 'nothing' | null;
  /** Oldest first, ending with the note as it is now. */
  readonly sightings: Iterable<Sighting>;
  /** The note as it is now; null where it is gone. */
  readonly present: Sight | null;
}

/** Returns what became of a change: what the person said, else what was learnt from it, else what the notes show. */
export function fateOf(trail: Trail): Fate {
  if (trail.reversed) return 'reversed';
  if (trail.answer !== null) return trail.answer;
  switch (trail.taught) {
    case 'right':
      return trail.acted ? 'kept' : 'borne_out';
    case 'wrong':
      return 'contradicted';
    case 'nothing':
      return 'silent';
    default:
      return shownFate(trail);
  }
}

function shownFate(trail: Trail): Fate {
  for (const sighting of trail.sightings) {
    const said = handSays(trail, sighting);
    if (said === 'right') return 'borne_out';
    if (said === 'otherwise' && sighting.at - trail.at < HAND_COUNTS_FOR) return 'contradicted';
    if (!sighting.decided.some((field) => Object.hasOwn(trail.changes, field))) continue;
    if (!trail.acted) return 'overtaken';
    break;
  }
  if (!trail.closed) return 'open';
  const stands = trail.present !== null && handSays(trail, trail.present) === null;
  return trail.known && stands ? 'kept' : 'silent';
}

/** Settings to replay decisions with. Whatever is left out stays as it was recorded. */
export interface Overrides {
  readonly mode?: Mode | undefined;
  readonly confidence_threshold?: number | undefined;
  readonly high_confidence_threshold?: number | undefined;
  /** For every note, instead of the note's own threshold and of what experience says. */
  readonly discretion_threshold?: number | undefined;
  readonly editable_fields?: readonly string[] | undefined;
  readonly protected_fields?: readonly string[] | undefined;
  /** Source → the trust in it, instead of its instinct's confidence. A channel stands for all who speak in it. */
  readonly priors: ReadonlyMap<string, number>;
}

/** Replays decisions as they were recorded. */
export const NO_OVERRIDES: Overrides = { priors: new Map() };

/** What the gates asked when a decision was made. */
export interface Circumstances {
  readonly mode: Mode;
  readonly thresholds: Thresholds;
  /** The discretion threshold of a source; null where the source is never acted upon. */
  readonly discretion: (source: string) => number | null;
  /** The gates that asked who the sender was, as recorded; empty in a record of before they were asked. */
  readonly standing: readonly Gate[];
}

/** Returns circumstances with some settings replaced. */
export function under(overrides: Overrides, recorded: Circumstances): Circumstances {
  const { discretion_threshold: discretion } = overrides;
  return {
    mode: overrides.mode ?? recorded.mode,
    thresholds: {
      confidence: overrides.confidence_threshold ?? recorded.thresholds.confidence,
      highConfidence: overrides.high_confidence_threshold ?? recorded.thresholds.highConfidence,
    },
    discretion: discretion === undefined ? recorded.discretion : () => discretion,
    standing: recorded.standing,
  };
}

/**
 * Returns a signal's effect confidence under another trust in its source. `raw` is the confidence before any trust,
 * null where it is not known.
 */
export function trusted(
  signal: { readonly source: string; readonly effectConfidence: number; readonly raw: number | null },
  { priors }: Overrides,
): number {
  const prior = priors.get(sourceKey(signal.source)) ?? priors.get(sourceKey(channelOf(signal.source)));
  if (prior === undefined || signal.raw === null) return signal.effectConfidence;
  return effectConfidence(signal.raw, { confidence: clamp(prior, 0, 1) });
}

/** A recorded decision, as the gates see it. */
export interface Judged {
  readonly decision: string;
  readonly confidence: number;
  readonly permission: Permission;
  readonly signals: readonly { readonly source: string; readonly effectConfidence: number }[];
  /** Why the record says that only a person may decide it; null where it does not. */
  readonly person: string | null;
}

/** What becomes of a decision, and why. */
export interface Replayed {
  readonly outcome: Outcome;
  readonly decision: string;
  readonly confidence: number;
  /** The gate that decides; null where every gate holds. */
  readonly gate: string | null;
  /** One sentence with the gate's figures. */
  readonly reason: string;
}

/** Returns what becomes of a decision under given circumstances. The rate guard is assumed to have room, as it had. */
export function rejudge(judged: Judged, circumstances: Circumstances): Replayed {
  const { decision, confidence, permission, person } = judged;
  const gates = gatesFor(judged, circumstances);
  const disposition = dispositionOf(circumstances.mode, gates, permission);
  const decided = { decision, confidence: round4(confidence) };
  if (!permission.ok) return { ...decided, outcome: 'nothing', gate: 'writing', reason: permission.reason };
  if (permission.edits.length === 0)
    return { ...decided, outcome: 'nothing', gate: 'none', reason: 'No change proposed.' };
  if (disposition === 'act') return { ...decided, outcome: 'acted', gate: null, reason: 'Every gate holds.' };
  const outcome = disposition === 'propose' ? 'proposed' : 'recorded';
  return {
    ...decided,
    outcome,
    ...(decidingGate(gates, disposition === 'record') ?? { gate: 'person', reason: person ?? REOPENING }),
  };
}

const REOPENING = 'reopening always waits for a person.';

function gatesFor({ signals, confidence }: Judged, circumstances: Circumstances): readonly Gate[] {
  return [
    ...circumstances.standing,
    discretionGate(signals, circumstances.discretion),
    modeGate(circumstances.mode, confidence, circumstances.thresholds),
  ];
}

// In shadow the mode decides, whatever the other gates say.
function decidingGate(gates: readonly Gate[], isShadow: boolean): Pick<Replayed, 'gate' | 'reason'> | null {
  const closed = gates.find((gate) => !gate.held && (!isShadow || gate.name === 'mode'));
  if (closed === undefined) return null;
  return { gate: closed.name, reason: reasonIn(closed.sentence) };
}

/** A share, and the bounds it lies between given how few cases there are. All from 0 to 1. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution: both tails together leave 95 %. */
const Z = 1.959963984540054;

/**
 * Returns how often something was right, with the Wilson score interval at 95 %; null where nothing is decided yet. The
 * interval stays between 0 and 1, and is honest about few cases and shares near the ends (E. B. Wilson, 1927).
 */
export function shareOf(right: number, decided: number): Share | null {
  if (decided === 0) return null;
  const value = right / decided;
  const slack = (Z * Z) / decided;
  const centre = (value + slack / 2) / (1 + slack);
  const half = (Z * Math.sqrt((value * (1 - value)) / decided + slack / (4 * decided))) / (1 + slack);
  // At the ends the bound is the end itself; floating point may miss it by a hair.
  return { value, low: right === 0 ? 0 : centre - half, high: right === decided ? 1 : centre + half };
}

/** What becomes of a decision: its change is made, is proposed, is only recorded, or there is nothing to change. */
export const OUTCOMES = ['acted', 'proposed', 'recorded', 'nothing'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One change that the steward decided on, and what became of it. */
export interface Case {
  /** The event note's name. */
  readonly event: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly target: string | null;
  readonly decision: string;
  readonly class: string;
  /** The sources that the decision rests on. */
  readonly sources: readonly string[];
  readonly outcome: Exclude<Outcome, 'nothing'>;
  readonly fate: Fate;
  /** What each mode would have done; null where that cannot be known. */
  readonly inMode: Readonly<Record<Mode, Outcome | null>>;
}

/** Counted cases. Each case counts once as acted, proposed or shadow, and once as a fate. */
export interface Tally {
  readonly cases: number;
  readonly acted: number;
  readonly proposed: number;
  /** Recorded in shadow only. */
  readonly shadow: number;
  readonly fates: Readonly<Record<Fate, number>>;
  readonly right: number;
  readonly wrong: number;
  /** The share of right ones among those decided. */
  readonly precision: Share | null;
}

/** What one mode would have done with the same cases. */
export interface ModeTally {
  readonly mode: Mode;
  readonly acts: number;
  readonly proposes: number;
  readonly records: number;
  /** Cases for which it cannot be known. */
  readonly unknown: number;
  /** Of those that the mode would have acted upon. */
  readonly right: number;
  readonly wrong: number;
  readonly precision: Share | null;
}

/** The cases that share a name: a source, a class. */
export interface Group {
  readonly name: string;
  readonly tally: Tally;
}

const WEEK = 7 * 24 * 60 * 60 * 1000;

/** Returns the cases counted. */
export function tallyOf(cases: readonly Case[]): Tally {
  const right = cases.filter((one) => findingOf(one.fate) === 'right').length;
  const wrong = cases.filter((one) => findingOf(one.fate) === 'wrong').length;
  const became = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length;
  return {
    cases: cases.length,
    ...{ acted: became('acted'), proposed: became('proposed'), shadow: became('recorded') },
    fates: fatesOf(cases),
    ...{ right, wrong, precision: shareOf(right, right + wrong) },
  };
}

/**
 * Returns the cases counted under each of their names, in the order of names. A case with two names counts under both.
 */
export function groupsOf(cases: readonly Case[], namesOf: (one: Case) => readonly string[]): readonly Group[] {
  const named = cases.flatMap((one) => [...new Set(namesOf(one))].map((name) => ({ name, one })));
  return [...Map.groupBy(named, ({ name }) => name)]
    .map(([name, own]) => ({ name, tally: tallyOf(own.map(({ one }) => one)) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns how many cases are older than a week, and nothing says whether they were right. `now` in epoch ms. */
export function unheardIn(cases: readonly Case[], now: number): number {
  return cases.filter(({ fate, at }) => fate === 'silent' || (fate === 'open' && now - at > WEEK)).length;
}

/** Returns what a mode would have done with the cases, and how often it would have been right. */
export function modeTally(mode: Mode, cases: readonly Case[]): ModeTally {
  const would = (outcome: Outcome | null) => cases.filter((one) => one.inMode[mode] === outcome);
  const acts = would('acted');
  const found = (finding: ReturnType<typeof findingOf>) => acts.filter((one) => findingOf(one.fate) === finding);
  const [right, wrong] = [found('right').length, found('wrong').length];
  return {
    mode,
    acts: acts.length,
    proposes: would('proposed').length,
    records: would('recorded').length,
    unknown: would(null).length,
    ...{ right, wrong, precision: shareOf(right, right + wrong) },
  };
}

function fatesOf(cases: readonly Case[]): Readonly<Record<Fate, number>> {
  const none: Readonly<Record<Fate, number>> = {
    ...{ confirmed: 0, borne_out: 0, kept: 0, dismissed: 0, reversed: 0 },
    ...{ contradicted: 0, silent: 0, overtaken: 0, open: 0 },
  };
  const counts = Map.groupBy(cases, (one) => one.fate);
  return { ...none, ...Object.fromEntries([...counts].map(([fate, own]) => [fate, own.length])) };
}

/** What makes a mode ready: enough decisions that are known to be right or wrong, and a lower Wilson bound at 95 %. */
interface Bar {
  readonly decided: number;
  readonly low: number;
}

type LiveMode = Exclude<Mode, 'shadow'>;

/**
 * The bar of each mode: the more freely it acts, the more must speak for it. What is counted is all that was decided,
 * though a live mode acts upon the surest part only, by senders with a licence: in shadow no sender has one yet, so that
 * what the mode would have acted upon is next to nothing. The bounds are low since they are those of the larger part.
 */
export const BARS: Readonly<Record<LiveMode, Bar>> = {
  live_high_confidence_only: { decided: 12, low: 0.6 },
  live: { decided: 20, low: 0.7 },
};

/** Of what a mode would have done by itself, at most this share may have been wrong. */
const MOST_WRONG_ACTS = 0.1;

/**
 * What keeps a mode from being ready: too few known decisions, too few right ones, too many wrong ones among those that
 * it would have acted upon, or too many that nobody said anything about.
 */
type Missing = 'cases' | 'certainty' | 'acts' | 'silence';

/** Whether a mode above the present one is ready, with the figures behind it. */
export interface Advice {
  readonly mode: LiveMode;
  readonly ready: boolean;
  readonly missing: Missing | null;
  readonly right: number;
  readonly decided: number;
  /** The lower bound at 95 %; null where nothing is decided. */
  readonly low: number | null;
  readonly bar: Bar;
  /**
   * How many more decisions, all of them right, would make it ready; null where it is ready, or where more would not
   * help.
   */
  readonly more: number | null;
  /** How many are older than a week and still undecided. */
  readonly unheard: number;
  /** Of those that the mode would have acted upon. */
  readonly acts: { readonly right: number; readonly wrong: number };
}

/** Returns the advice on each mode above the present one, the next one first. `now` in epoch ms. */
export function adviceOn(present: Mode, cases: readonly Case[], now: number): readonly Advice[] {
  const above = MODES.slice(MODES.indexOf(present) + 1);
  return above.flatMap((mode) => (mode === 'shadow' ? [] : [adviceFor(mode, cases, now)]));
}

function adviceFor(mode: LiveMode, cases: readonly Case[], now: number): Advice {
  const { right, wrong, precision } = tallyOf(cases);
  const acts = modeTally(mode, cases);
  const figures = {
    ...{ mode, right, decided: right + wrong, low: precision?.low ?? null, bar: BARS[mode] },
    unheard: unheardIn(cases, now),
    acts: { right: acts.right, wrong: acts.wrong },
  };
  const missing = missingOf(figures);
  const more = missing === 'cases' || missing === 'certainty' ? moreNeeded(figures) : null;
  return { ...figures, ready: missing === null, missing, more };
}

type Figures = Omit<Advice, 'ready' | 'missing' | 'more'>;

// Decisions that nobody said anything about may have been wrong. Where they are the majority, the others prove little.
function missingOf({ right, decided, bar, unheard, acts }: Figures): Missing | null {
  if (decided < bar.decided) return 'cases';
  if (!meets(right, decided, bar)) return 'certainty';
  if (acts.wrong > MOST_WRONG_ACTS * (acts.right + acts.wrong)) return 'acts';
  return unheard > decided ? 'silence' : null;
}

function meets(right: number, decided: number, bar: Bar): boolean {
  return decided >= bar.decided && (shareOf(right, decided)?.low ?? 0) >= bar.low;
}

function moreNeeded({ right, decided, bar }: Figures): number {
  let more = 0;
  while (!meets(right + more, decided + more, bar)) more += 1;
  return more;
}

const FATE_WORDS: Readonly<Record<Fate, string>> = {
  confirmed: 'confirmed',
  borne_out: 'made by hand as proposed',
  kept: 'made and kept',
  dismissed: 'dismissed',
  reversed: 'taken back',
  contradicted: 'changed otherwise by hand',
  silent: 'made, and unremarked since',
  overtaken: 'overtaken by a later decision',
  open: 'still open',
};

/** Returns a fate in words for people. */
export function fateWords(fate: Fate): string {
  return FATE_WORDS[fate];
}

/** Returns a share in whole per cent, rounded down, so that no lower bound looks better than it is. */
export function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)} %`;
}

/** Returns whether a mode is ready, with the figures behind it, in a few plain sentences. */
export function adviceSentence(advice: Advice): string {
  const { mode, ready, right, decided, low, bar } = advice;
  const known = decided < bar.decided ? `${decided} of ${bar.decided}` : `${decided}`;
  const sure = low === null || decided < bar.decided ? '' : `: at least ${percent(low)} with 95 % confidence`;
  const figures = `${known} decisions known, ${right} right${sure}.`;
  return ready ? `${mode}: ready. ${figures}` : `${mode}: not yet. ${figures} ${missingSentence(advice)}`;
}

function missingSentence({ missing, more, unheard, decided, acts, bar }: Advice): string {
  if (missing === 'silence') {
    return `${unheard} more are older than a week and still undecided: more than the ${decided} known ones.`;
  }
  if (missing === 'acts') {
    return `Of the ${acts.right + acts.wrong} changes it would have made alone, ${acts.wrong} ${acts.wrong === 1 ? 'was' : 'were'} wrong.`;
  }
  const asks = missing === 'certainty' ? `It needs at least ${percent(bar.low)}. ` : '';
  return `${asks}${more} more right ${more === 1 ? 'decision' : 'decisions'} needed.`;
}

/** How many sources are named one by one. */
const NAMED = 5;

/**
 * Returns which sources the decisions are of that nothing is known of yet, in one sentence; null where there are none.
 */
export function unknownSentence(sources: readonly Group[]): string | null {
  const open = sources
    .map(({ name, tally }) => ({ name, count: tally.fates.open + tally.fates.silent }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  if (open.length === 0) return null;
  const named = open.slice(0, NAMED).map(({ name, count }) => `${count} from ${name}`);
  const more = open.length > NAMED ? `, and from ${open.length - NAMED} others` : '';
  return `Still undecided: ${named.join(', ')}${more}.`;
}
