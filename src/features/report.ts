/*
 * The scorecard: how often Steward was right, and what each mode would have done.
 *
 * Every decision about a change is a case. Its outcome (its fate) shows whether it was right: a person's
 * answer, else what the notes show since. The gates are taken as the event note recorded them.
 */
import type { Context, IndexAccess, Workspace } from '../daemon/context.ts';
import { type KeptNote, keepNote } from '../daemon/managed-notes.ts';
import { classifyChanges, ourName } from '../steward/change.ts';
import { aboutMatter } from '../steward/find-event.ts';
import { currentMode, effectiveThresholds, MODES, type Mode, modeGate, type Thresholds } from '../steward/gates.ts';
import { HAND_COUNTS_FOR, handSays, type LessonSight } from '../steward/instinct.ts';
import { licensingPlace, type SenderHere, sendersOn } from '../steward/licence.ts';
import { findAnswer, isChoice, isReversed } from '../steward/proposals.ts';
import { isOwnNote, targetPath } from '../steward/records.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { fold, stem } from '../vault/layout.ts';
import { nameKey } from '../vault/links.ts';
import { joinLines, noteMoment } from '../vault/note-text.ts';
import {
  EVENT_TYPES,
  type EventRecord,
  type RecordedGate,
  type StatusWords,
  stateMeant,
  type TargetRecord,
} from '../vault/record.ts';
import { sourceKey } from '../vault/source-names.ts';
import { iso } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import { readMisses, type SampleMisses } from './ledger-sample-work.ts';
import { startOfSampleWeek } from './ledger-samples.ts';

/** How often Steward was right, and what each mode would have done (`report --json`). */
export interface Scorecard {
  readonly schemaVersion: 1;
  /** From when on decisions are counted, or null for all of them. */
  readonly since: string | null;
  readonly matter: string | null;
  readonly mode: Mode;
  readonly total: Tally;
  readonly automatic: Automatic;
  /** What is missed of what is set aside, estimated from the answers to the weekly samples of the ledger. */
  readonly missed: SampleMisses & { readonly share: Share | null };
  readonly sources: readonly Group[];
  /** By class of what was to be written. */
  readonly classes: readonly Group[];
  readonly decisions: readonly Group[];
  /** By ISO week, oldest first. */
  readonly weeks: readonly Group[];
  readonly modes: readonly ModeTally[];
  readonly advice: readonly Advice[];
  /** The record of each source on each matter, and what it still lacks to act there by itself. */
  readonly licences: readonly ReportedLicence[];
  readonly cases: readonly ReportedCase[];
}

/** One decision in the report: its event note and what became of it. */
interface ReportedCase extends Omit<Case, 'at'> {
  readonly time: string;
}

/** The note that contains the scorecard. */
export const REPORT_NOTE = 'Steward report.md';

/** The request of `steward report`; `since` in epoch ms. */
interface ReportRequest {
  readonly since: number | null;
  readonly matter: string | null;
}

/**
 * Returns the report that is asked for, and updates the note in the vault, which always covers the whole vault. Waits for a
 * note that is being edited, but not for ever. Throws `matter-unknown`.
 */
export async function report(
  space: Workspace,
  { since, matter }: ReportRequest,
): Promise<{ readonly report: Scorecard; readonly note: KeptNote }> {
  const asked = await composeReport(space, since, matter);
  const whole = since === null && matter === null ? asked : await composeReport(space, null, null);
  const note = await keepNote(space, { path: REPORT_NOTE, name: 'report' }, reportText(whole));
  return { report: asked, note };
}

/**
 * Returns the scorecard of a vault, from its notes alone: each event is read once. `since` in epoch ms, or null for all
 * decisions; `matter` limits it to one matter and its tasks. Throws `matter-unknown`.
 */
export async function composeReport(space: Workspace, since: number | null, matter: string | null): Promise<Scorecard> {
  const isAbout = aboutMatter(space.vault, matter);
  const isRecent = ({ name, fields }: EventRecord) => since === null || noteMoment(name, fields.timestamp) >= since;
  const cases = await casesOf(space, (event) => isAbout(event) && isRecent(event));
  const mode = currentMode(space.context, null);
  const modes = MODES.map((one) => modeTally(one, cases));
  return {
    schemaVersion: 1,
    since: since === null ? null : iso(since),
    matter,
    mode,
    total: tallyReport(cases),
    automatic: automaticIn(cases),
    missed: missedIn(space),
    sources: groupCases(cases, (one) => one.sources),
    classes: groupCases(cases, (one) => [one.class]),
    decisions: groupCases(cases, (one) => [one.decision]),
    weeks: groupCases(cases, (one) => [startOfSampleWeek(one.at)]),
    modes,
    advice: adviceOn(mode, cases, space.context.now()),
    licences: await licencesIn(space, cases),
    cases: cases.map(({ at, ...one }) => ({ ...one, time: iso(at) })),
  };
}

/** The outcome of a decision: its change is made, proposed or only recorded, or there isn't any change. */
export const OUTCOMES = ['acted', 'proposed', 'recorded', 'nothing'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** One change that Steward decided on, and what became of it. */
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
  /** Whether a licence, or a setting, gave the right to make the change. */
  readonly licensed: boolean;
  /** The outcome in each mode; null if that cannot be known. */
  readonly inMode: Readonly<Record<Mode, Outcome | null>>;
}

/** How long, at most, a long history blocks everything else. */
const SLICE_MS = 50;

/**
 * The wanted decisions that change something, oldest first, each with what became of it. Lets other work run between.
 */
async function casesOf(space: Workspace, isWanted: (event: EventRecord) => boolean): Promise<Case[]> {
  const observed = new ObservedStates(space);
  const cases: Case[] = [];
  let since = performance.now();
  for (const event of decisionsIn(space.vault)) {
    if (event.fields.decision === 'rate_guarded' || Object.keys(event.fields.changes).length === 0 || !isWanted(event))
      continue;
    const found = caseOf(space, event, observed);
    if (found !== null) cases.push(found);
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise(setImmediate);
    since = performance.now();
  }
  return cases;
}

function caseOf(space: IndexAccess, event: EventRecord, observed: ObservedStates): Case | null {
  const outcome = recordedOutcome(event);
  const at = noteMoment(event.name, event.fields.timestamp);
  if (outcome === 'nothing') return null;
  const { fields } = event;
  const names = Object.keys(fields.changes).map((field) => ourName(field, space.context.settings.field_mapping));
  return {
    event: event.name,
    at,
    target: fields.target_path,
    decision: fields.decision,
    outcome,
    class: classifyChanges(names.map((field) => ({ field }))),
    sources: bearing(event).toSorted(),
    fate: evaluateTrail({
      changes: fields.changes,
      at,
      acted: outcome === 'acted',
      closed: Date.parse(fields.undo_recipe?.expires_at ?? '') <= space.context.now(),
      ...answerTo(space, event),
      taught: fields.taught !== null && isOwnNote(space, event) ? fields.taught : null,
      sightings: observed.after(event),
      present: observed.present(event),
    }),
    licensed: fields.gates.some(({ gate, held }) => gate === 'licence' && held),
    inMode: outcomesByMode(space, event),
  };
}

function answerTo(space: IndexAccess, event: EventRecord) {
  const answer = findAnswer(space, event);
  if (answer === null) return { answer, reversed: isReversed(space, event) };
  const isDismissed = answer.fields.dismisses !== null;
  const dismissed = answer.fields.later ? ('put_off' as const) : ('dismissed' as const);
  return {
    answer: isDismissed ? dismissed : ('confirmed' as const),
    reversed: isReversed(space, event) || (!isDismissed && isReversed(space, answer)),
  };
}

/** Returns the event notes that record a decision, oldest first: actions, proposals and records, not their answers. */
function decisionsIn(vault: Vault): EventRecord[] {
  const decisions = vault.catalogue
    .events()
    .filter(({ fields }) => EVENT_TYPES.some((type) => type === fields.type))
    .filter(({ fields }) => fields.decision !== 'proposal_closed')
    // An event without a signal is decided by a person alone: it doesn't show how far Steward may go.
    .filter((event) => !isChoice(event) && event.fields.perceived === null);
  return inOrder(decisions);
}

/** Returns events oldest first, whatever order they were read in. Leaves out those without a readable time. */
function inOrder(events: readonly EventRecord[]): EventRecord[] {
  return events
    .map((event) => ({ event, at: noteMoment(event.name, event.fields.timestamp) }))
    .filter(({ at }) => Number.isFinite(at))
    .sort((one, other) => one.at - other.at || byName(one.event, other.event))
    .map(({ event }) => event);
}

function byName(one: EventRecord, other: EventRecord): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.path < other.path ? -1 : 1;
}

function recordedOutcome({ fields }: EventRecord): Outcome {
  if (fields.undo_recipe !== null) return 'acted';
  if (Object.keys(fields.changes).length === 0) return 'nothing';
  return fields.mode === 'shadow' ? 'recorded' : 'proposed';
}

/** In another mode, the gates are taken as they were recorded, and only that of the mode is asked again. */
function outcomesByMode({ context, vault }: IndexAccess, event: EventRecord): Case['inMode'] {
  const thresholds = recordedThresholds(context, event);
  const mustAsk = isReopening(event.fields.changes, vault.catalogue.words);
  return {
    shadow: 'recorded',
    live_high_confidence_only: outcomeIn('live_high_confidence_only', event, thresholds, mustAsk),
    live: outcomeIn('live', event, thresholds, mustAsk),
  };
}

function outcomeIn(mode: Mode, event: EventRecord, thresholds: Thresholds, mustAsk: boolean): Outcome | null {
  const { gates, confidence, mode: written } = event.fields;
  // An event note tells only shadow from live; its mode gate says which live mode it was.
  if (written !== 'shadow' && isHighOnly(event) === (mode === 'live_high_confidence_only'))
    return recordedOutcome(event);
  if (gates.length === 0) return null; // a note of a version that recorded no gates
  const othersPassed = gates.every(({ gate, held }) => held || gate === 'mode');
  return othersPassed && modeGate(mode, confidence, thresholds).held && !mustAsk ? 'acted' : 'proposed';
}

// A reopening is only ever proposed, whatever the gates say.
function isReopening(changes: Changes, words: StatusWords): boolean {
  const change = changes.state ?? changes.status;
  const before = change === undefined ? null : stateMeant(change.before, words);
  return (before === 'done' || before === 'archived') && stateMeant(change?.after ?? null, words) === 'open';
}

function recordedThresholds(context: Context, event: EventRecord): Thresholds {
  const { confidence, highConfidence } = effectiveThresholds(context);
  const asked = modeGateOf(event)?.threshold ?? null;
  if (isHighOnly(event)) return { confidence, highConfidence: asked ?? highConfidence };
  return { confidence: asked ?? confidence, highConfidence };
}

function isHighOnly(event: EventRecord): boolean {
  return modeGateOf(event)?.reason.includes('live_high_confidence_only') === true;
}

function modeGateOf({ fields }: EventRecord): RecordedGate | undefined {
  return fields.gates.find(({ gate }) => gate === 'mode');
}

function bearing({ fields }: EventRecord): readonly string[] {
  return Object.entries(fields.source_contributions).flatMap(([source, share]) => (share > 0 ? [source] : []));
}

/**
 * The outcome of a change that Steward made or would have made: those that teach (contract, section 7), and those that
 * don't. Each change has exactly one fate:
 *
 * - `confirmed`, `dismissed`, `reversed`: a person said so;
 * - `taken_back`: a person confirmed it and undid that, which undoes the lesson too;
 * - `borne_out`: it was not made, and a person later made the same change by hand;
 * - `put_off`: a person said "not now";
 * - `contradicted`: within a week of it a person set a field by hand to something else;
 * - `silent`: it was made and its week is over, which doesn't decide it;
 * - `overtaken`: before any of that was seen, Steward decided about the same field again; the later case counts;
 * - `open`: no other fate so far.
 */
export const FATES = [
  'confirmed',
  'borne_out',
  'put_off',
  'dismissed',
  'reversed',
  'taken_back',
  'contradicted',
  'silent',
  'overtaken',
  'open',
] as const;
export type Fate = (typeof FATES)[number];

type Finding = 'right' | 'wrong' | 'undecided';

/** Returns whether a fate shows Steward right or wrong; undecided if it shows neither. */
export function evaluateFate(fate: Fate): Finding {
  if (fate === 'confirmed' || fate === 'borne_out') return 'right';
  return fate === 'dismissed' || fate === 'reversed' || fate === 'contradicted' ? 'wrong' : 'undecided';
}

/** The note as it was seen at one moment after the change was decided. */
export interface Sighting extends LessonSight {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Fields that Steward itself decided about at that moment: their values from then on aren't the person's doing. */
  readonly decided: readonly string[];
}

/** Everything the notes say about one change. */
export interface DecisionTrail {
  readonly changes: Changes;
  /** When it was decided, in epoch milliseconds. */
  readonly at: number;
  /** Whether the change was made by Steward itself. */
  readonly acted: boolean;
  /** Whether its undo window has closed; false for a change that was not made. */
  readonly closed: boolean;
  readonly answer: 'confirmed' | 'dismissed' | 'put_off' | null;
  /** Whether the action, or the confirmation of the proposal, was taken back. */
  readonly reversed: boolean;
  /** The lesson of the event, by its note; null if it has taught no lesson yet. */
  readonly taught: 'right' | 'wrong' | 'nothing' | null;
  /** Oldest first, ending with the note as it is now. */
  readonly sightings: Iterable<Sighting>;
  /** The note as it is now; null if it is gone. */
  readonly present: LessonSight | null;
}

/** Returns what became of a change: what the person said, else what was learnt from it, else what the notes show. */
export function evaluateTrail(trail: DecisionTrail): Fate {
  if (trail.reversed) return trail.answer === 'confirmed' ? 'taken_back' : 'reversed';
  if (trail.answer !== null) return trail.answer;
  switch (trail.taught) {
    case 'right':
      return trail.acted ? 'silent' : 'borne_out';
    case 'wrong':
      return 'contradicted';
    default:
      return shownFate(trail);
  }
}

function shownFate(trail: DecisionTrail): Fate {
  for (const sighting of trail.sightings) {
    const said = handSays(trail, sighting);
    if (said === 'right') return 'borne_out';
    if (said === 'otherwise' && sighting.at - trail.at < HAND_COUNTS_FOR) return 'contradicted';
    if (!sighting.decided.some((field) => Object.hasOwn(trail.changes, field))) continue;
    if (!trail.acted) return 'overtaken';
    break;
  }
  return trail.closed ? 'silent' : 'open';
}

/**
 * Below this many characters of JSON an event note contains the whole former frontmatter; above it, fields are left
 * out.
 */
const SURELY_WHOLE = 12 * 1024;

/** A state of a note, and the names of the signals that were weighed on it. */
interface ObservedState extends Sighting {
  readonly signals: ReadonlySet<string>;
}

/** The states that one note was observed in, oldest first. */
interface NoteHistory {
  readonly states: readonly ObservedState[];
  readonly present: LessonSight | null;
  /** Event path → how many of the states are not later than it. */
  readonly until: ReadonlyMap<string, number>;
}

/** The states that each note was observed in: at every event about it, and as it is now. Each event is read once. */
class ObservedStates {
  readonly #space: Workspace;
  readonly #histories = new Map<string, NoteHistory>();
  readonly #eventsAbout: ReadonlyMap<string, readonly EventRecord[]>;

  constructor(space: Workspace) {
    this.#space = space;
    this.#eventsAbout = Map.groupBy(space.vault.catalogue.events(), (event) => pathKey(targetPath(space.vault, event)));
  }

  /**
   * Returns the states of the event's note after the event, oldest first. A later event that weighed one of its signals
   * decided about all its fields again.
   */
  *after(event: EventRecord): Generator<Sighting> {
    const { states, until } = this.#historyOf(targetPath(this.#space.vault, event));
    const decided = Object.keys(event.fields.changes);
    const signals = event.fields.signals.map(nameKey);
    for (const state of states.slice(until.get(event.path) ?? states.length)) {
      yield signals.some((signal) => state.signals.has(signal)) ? { ...state, decided } : state;
    }
  }

  /** Returns the event's note as it is now; null if it is gone, or cannot be read. */
  present(event: EventRecord): LessonSight | null {
    return this.#historyOf(targetPath(this.#space.vault, event)).present;
  }

  #historyOf(path: string | null): NoteHistory {
    const key = pathKey(path);
    const known = this.#histories.get(key);
    if (known !== undefined) return known;
    const events = inOrder(this.#eventsAbout.get(key) ?? []);
    const { words } = this.#space.vault.catalogue;
    const note = path === null ? null : this.#space.notes.fresh(path);
    const present = note === null ? null : { fields: note.data, isWhole: true, words };
    const now = { at: this.#space.context.now(), decided: [], signals: new Set<string>() };
    const history: NoteHistory = {
      states: [
        ...events.map((event) => stateBefore(event, words)),
        ...(present === null ? [] : [{ ...present, ...now }]),
      ],
      present,
      until: new Map(events.map((event, nth) => [event.path, nth + 1])),
    };
    this.#histories.set(key, history);
    return history;
  }
}

// A note is known by its current path, as names compare.
function pathKey(path: string | null): string {
  return path === null ? '' : fold(path);
}

// The recorded frontmatter shortens long values; a change holds the former value of its own field.
function stateBefore({ name, fields }: EventRecord, words: StatusWords): ObservedState {
  const before = Object.entries(fields.changes).map(([field, change]) => [field, change.before] as const);
  return {
    fields: { ...fields.prior_frontmatter, ...Object.fromEntries(before) },
    isWhole:
      Object.keys(fields.prior_frontmatter).length > 0 &&
      JSON.stringify(fields.prior_frontmatter).length < SURELY_WHOLE,
    words,
    at: noteMoment(name, fields.timestamp),
    decided: Object.keys(fields.changes),
    signals: new Set(fields.signals.map(nameKey)),
  };
}

/** A share, and the bounds it is between given how few cases there are. All from 0 to 1. */
interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution: both tails together leave 95 %. */
const Z = 1.959963984540054;

/**
 * Returns how often something was right, with the Wilson score interval at 95 %; null if no case is decided yet. The
 * interval stays between 0 and 1, and is honest about few cases and shares near the ends (E. B. Wilson, 1927).
 */
export function computeShare(right: number, decided: number): Share | null {
  if (decided === 0) return null;
  const value = right / decided;
  const slack = (Z * Z) / decided;
  const centre = (value + slack / 2) / (1 + slack);
  const half = (Z * Math.sqrt((value * (1 - value)) / decided + slack / (4 * decided))) / (1 + slack);
  // At the ends the bound is the end itself; floating point may miss it by a hair.
  return { value, low: right === 0 ? 0 : centre - half, high: right === decided ? 1 : centre + half };
}

/** Counted cases. Each case counts once as acted, proposed or shadow, and once as a fate. */
interface Tally {
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

/** The results of one mode over the same cases. */
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

/** The changes that were made without asking, and how many of them are known to be wrong. */
interface Automatic {
  readonly changes: number;
  readonly wrong: number;
  /** The share of wrong ones; null if no change was made without asking. */
  readonly share: Share | null;
}

/** Returns the changes that were made without asking. One without a reaction isn't known to be wrong. */
function automaticIn(cases: readonly Case[]): Automatic {
  const acts = cases.filter(({ outcome }) => outcome === 'acted');
  const wrong = acts.filter(({ fate }) => evaluateFate(fate) === 'wrong').length;
  return { changes: acts.length, wrong, share: computeShare(wrong, acts.length) };
}

function missedIn(space: Workspace): Scorecard['missed'] {
  const missed = readMisses(space);
  return { ...missed, share: computeShare(missed.mattered, missed.drawn) };
}

/** Returns the estimate of what is missed in one sentence, with its interval; or how it can be known. */
export function missedWords({ mattered, drawn, setAside, unanswered, share }: Scorecard['missed']): string {
  if (share === null) {
    const how = unanswered === null ? 'the first weekly sample comes when a week is over' : `tick in ${unanswered}`;
    return `It isn't known yet how many important events are set aside: ${how}.`;
  }
  const about = Math.round(share.value * setAside);
  return `Of ${drawn} drawn from ${setAside} events that were set aside, ${mattered} mattered: ${shareWords(share, drawn)}, so about ${about} missed.`;
}

/** The cases that share a name: a source, a class. */
export interface Group {
  readonly name: string;
  readonly tally: Tally;
}

const WEEK = 7 * 24 * 60 * 60 * 1000;

export function tallyReport(cases: readonly Case[]): Tally {
  const right = cases.filter((one) => evaluateFate(one.fate) === 'right').length;
  const wrong = cases.filter((one) => evaluateFate(one.fate) === 'wrong').length;
  const became = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length;
  return {
    cases: cases.length,
    acted: became('acted'),
    proposed: became('proposed'),
    shadow: became('recorded'),
    fates: fatesOf(cases),
    right,
    wrong,
    precision: computeShare(right, right + wrong),
  };
}

/**
 * Returns the cases counted under each of their names, in the order of names. A case with two names counts under both.
 */
export function groupCases(cases: readonly Case[], namesOf: (one: Case) => readonly string[]): readonly Group[] {
  const named = cases.flatMap((one) => [...new Set(namesOf(one))].map((name) => ({ name, one })));
  return [...Map.groupBy(named, ({ name }) => name)]
    .map(([name, own]) => ({ name, tally: tallyReport(own.map(({ one }) => one)) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns how many cases are older than a week, and nothing says whether they were right. `now` in epoch ms. */
export function countUnanswered(cases: readonly Case[], now: number): number {
  return cases.filter(({ fate, at }) => fate === 'silent' || (fate === 'open' && now - at > WEEK)).length;
}

/** Returns what a mode would have done with the cases, and how often it would have been right. */
export function modeTally(mode: Mode, cases: readonly Case[]): ModeTally {
  const would = (outcome: Outcome | null) => cases.filter((one) => one.inMode[mode] === outcome);
  const acts = would('acted');
  const found = (finding: ReturnType<typeof evaluateFate>) => acts.filter((one) => evaluateFate(one.fate) === finding);
  const [right, wrong] = [found('right').length, found('wrong').length];
  return {
    mode,
    acts: acts.length,
    proposes: would('proposed').length,
    records: would('recorded').length,
    unknown: would(null).length,
    right,
    wrong,
    precision: computeShare(right, right + wrong),
  };
}

function fatesOf(cases: readonly Case[]): Readonly<Record<Fate, number>> {
  const count = (fate: Fate) => cases.filter((one) => one.fate === fate).length;
  return {
    confirmed: count('confirmed'),
    borne_out: count('borne_out'),
    put_off: count('put_off'),
    dismissed: count('dismissed'),
    reversed: count('reversed'),
    taken_back: count('taken_back'),
    contradicted: count('contradicted'),
    silent: count('silent'),
    overtaken: count('overtaken'),
    open: count('open'),
  };
}

/**
 * The conditions for a mode to be ready: enough decisions that are known to be right or wrong, and a lower Wilson bound
 * at 95 %.
 */
interface Bar {
  readonly decided: number;
  readonly low: number;
}

type LiveMode = Exclude<Mode, 'shadow'>;

/**
 * The bar of each mode: the more freely it acts, the more must speak for it. All decisions count, though a live mode
 * applies the surest part only, of senders with a licence. The bounds are low since they are those of the larger part.
 */
export const BARS: Readonly<Record<LiveMode, Bar>> = {
  live_high_confidence_only: { decided: 12, low: 0.6 },
  live: { decided: 20, low: 0.7 },
};

/** Of what a mode would have done by itself, at most this share may have been wrong. */
const MOST_WRONG_ACTS = 0.1;

/**
 * The reason why a mode isn't ready. Too few decisions are known, or too few were right; too many were wrong among
 * those that it would have applied, or too many had no reaction. Or it would have applied no change: no licence covers
 * any, another gate failed for all, or their outcomes are unknown.
 */
type Missing = 'cases' | 'certainty' | 'licence' | 'gates' | 'outcomes' | 'acts' | 'silence';

/** Whether a mode above the present one is ready, with the figures behind it. */
interface Advice {
  readonly mode: LiveMode;
  readonly ready: boolean;
  readonly missing: Missing | null;
  readonly right: number;
  readonly decided: number;
  /** The lower bound at 95 %; null if no case is decided. */
  readonly low: number | null;
  readonly bar: Bar;
  /**
   * How many more decisions, all of them right, would make it ready; null if it is ready, or if more would not help.
   */
  readonly more: number | null;
  /** How many are older than a week and still undecided. */
  readonly unheard: number;
  /** Of those that the mode would have applied. */
  readonly acts: { readonly right: number; readonly wrong: number; readonly all: number };
  /** How many of the changes a licence covers. */
  readonly licensed: number;
}

/** Returns the advice on each mode above the present one, the next one first. `now` in epoch ms. */
export function adviceOn(present: Mode, cases: readonly Case[], now: number): readonly Advice[] {
  const above = MODES.slice(MODES.indexOf(present) + 1);
  return above.flatMap((mode) => (mode === 'shadow' ? [] : [adviceFor(mode, cases, now)]));
}

function adviceFor(mode: LiveMode, cases: readonly Case[], now: number): Advice {
  const { right, wrong, precision } = tallyReport(cases);
  const acts = modeTally(mode, cases);
  const figures = {
    mode,
    right,
    decided: right + wrong,
    low: precision?.low ?? null,
    bar: BARS[mode],
    unheard: countUnanswered(cases, now),
    acts: { right: acts.right, wrong: acts.wrong, all: acts.acts },
    licensed: cases.filter(({ licensed }) => licensed).length,
  };
  const missing = missingOf(figures);
  const more = missing === 'cases' || missing === 'certainty' ? moreNeeded(figures) : null;
  return { ...figures, ready: missing === null, missing, more };
}

type Figures = Omit<Advice, 'ready' | 'missing' | 'more'>;

// Decisions without a reaction may have been wrong. If they are the majority, the others prove little.
function missingOf(figures: Figures): Missing | null {
  const { right, decided, bar, unheard, acts } = figures;
  if (decided < bar.decided) return 'cases';
  if (!meets(right, decided, bar)) return 'certainty';
  if (acts.right + acts.wrong === 0) return unappliedReason(figures);
  if (acts.wrong > MOST_WRONG_ACTS * (acts.right + acts.wrong)) return 'acts';
  return unheard > decided ? 'silence' : null;
}

// A mode that would have applied nothing has shown nothing.
function unappliedReason({ acts, licensed }: Pick<Figures, 'acts' | 'licensed'>): Missing {
  if (acts.all > 0) return 'outcomes';
  return licensed === 0 ? 'licence' : 'gates';
}

function meets(right: number, decided: number, bar: Bar): boolean {
  return decided >= bar.decided && (computeShare(right, decided)?.low ?? 0) >= bar.low;
}

function moreNeeded({ right, decided, bar }: Figures): number {
  let more = 0;
  while (!meets(right + more, decided + more, bar)) more += 1;
  return more;
}

const FATE_WORDS: Readonly<Record<Fate, string>> = {
  confirmed: 'confirmed',
  borne_out: 'made by hand as proposed',
  put_off: 'not now',
  dismissed: 'dismissed',
  reversed: 'undone',
  taken_back: 'confirmed, then undone',
  contradicted: 'changed otherwise by hand',
  silent: 'made, without a reaction since',
  overtaken: 'replaced by a later decision',
  open: 'still open',
};

/** Returns a share in whole per cent, rounded down, so that no lower bound looks better than it is. */
function percent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)} %`;
}

function percentUp(share: number): string {
  return `${Math.ceil(share * 100 - 1e-9)} %`;
}

/** Returns a share with what it was counted among and its interval at 95 %: `92 % of 25 (75 % to 98 %)`. */
export function shareWords(share: Share | null, among: number): string {
  if (share === null) return '–';
  return `${percent(share.value)} of ${among} (${percent(share.low)} to ${percentUp(share.high)})`;
}

/**
 * Returns how many changes were made without asking and how many of them are known to be wrong, with the interval. Only
 * many changes give a low bound: after 600 without a wrong one it is still 0.7 %.
 */
export function automaticWords({ changes, wrong, share }: Automatic): string {
  const counted = `${changes} ${changes === 1 ? 'change' : 'changes'} made without asking`;
  if (share === null) return counted;
  const low = `${Math.floor(share.low * 1000 + 1e-9) / 10} %`;
  const high = `${Math.ceil(share.high * 1000 - 1e-9) / 10} %`;
  const value = `${Math.round(share.value * 1000) / 10} %`;
  return `${counted}, ${wrong} known to be wrong: ${value} of ${changes} (${low} to ${high})`;
}

/** Returns whether a mode is ready, with the figures behind it, in a few plain sentences. */
export function adviceSentence(advice: Advice): string {
  const { mode, ready, right, decided, bar } = advice;
  const known = decided < bar.decided ? `${decided} of ${bar.decided}` : `${decided}`;
  const sure = decided === 0 ? '' : `: ${shareWords(computeShare(right, decided), decided)}`;
  const figures = `${known} decisions known, ${right} right${sure}.`;
  return ready ? `${mode}: ready. ${figures}` : `${mode}: not yet. ${figures} ${missingSentence(advice)}`;
}

const UNAPPLIED: Readonly<Partial<Record<Missing, string>>> = {
  licence: 'No licence covers any of these changes: see `steward licence`.',
  gates: 'It would not have applied the changes that a licence covers: other gates failed.',
  outcomes: "The outcome of the changes that it would have applied isn't known yet.",
};

function missingSentence(advice: Advice): string {
  const { missing, more, unheard, decided, acts, bar } = advice;
  const unapplied = missing === null ? undefined : UNAPPLIED[missing];
  if (unapplied !== undefined) return unapplied;
  if (missing === 'silence') {
    return `${unheard} more are older than a week and still undecided: more than the ${decided} known ones.`;
  }
  if (missing === 'acts') {
    const known = acts.right + acts.wrong;
    const wrong = shareWords(computeShare(acts.wrong, known), known);
    return `Of the ${known} changes it would have applied, ${acts.wrong} ${acts.wrong === 1 ? 'was' : 'were'} wrong: ${wrong}.`;
  }
  const asks = missing === 'certainty' ? `It needs at least ${percent(bar.low)}. ` : '';
  const unlicensed = acts.all === 0 && unappliedReason(advice) === 'licence' ? ` ${UNAPPLIED.licence}` : '';
  return `${asks}${more} more right ${more === 1 ? 'decision' : 'decisions'} needed.${unlicensed}`;
}

const NAMED = 5;

/** Returns one sentence that names the sources whose decisions have no known outcome yet; null if there aren't any. */
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

/** The licence of a source on a matter that it has led to decisions about. */
interface ReportedLicence extends SenderHere {
  /** The name of the matter, or of a task without one. */
  readonly where: string;
}

/**
 * Returns the licence of each source on each matter that some cases are about, the one that has shown most first. A
 * matter that is over needs no licence. Lets other work run between.
 */
async function licencesIn(space: IndexAccess, cases: readonly Case[]): Promise<ReportedLicence[]> {
  const licences: ReportedLicence[] = [];
  for (const place of placesIn(space, cases).values()) {
    licences.push(...licencesAt(space, place));
    await new Promise(setImmediate);
  }
  return licences.sort((one, other) => other.right - one.right || (placeKey(one) < placeKey(other) ? -1 : 1));
}

function licencesAt(space: IndexAccess, { target, where, sources }: Place): ReportedLicence[] {
  return sendersOn(space, target)
    .filter(({ source }) => sources.has(sourceKey(source)))
    .map((sender) => ({ ...sender, where }));
}

interface Place {
  readonly target: TargetRecord;
  readonly where: string;
  readonly sources: ReadonlySet<string>;
}

// The newest case decides for its matter: a task may name senders that its matter does not name.
function placesIn(space: IndexAccess, cases: readonly Case[]): Map<string, Place> {
  const { catalogue } = space.vault;
  const places = new Map<string, Place>();
  for (const { target: path, sources } of cases) {
    const target = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
    if ((target?.kind !== 'task' && target?.kind !== 'matter') || isOver(space, target)) continue;
    const where = licensingPlace(space, target);
    const known = places.get(where)?.sources ?? [];
    places.set(where, { target, where, sources: new Set([...known, ...sources.map(sourceKey)]) });
  }
  return places;
}

function isOver({ vault: { catalogue } }: IndexAccess, target: TargetRecord): boolean {
  const { state } = (target.kind === 'task' ? catalogue.matterOf(target) : target)?.fields ?? target.fields;
  return state === 'done' || state === 'archived';
}

function placeKey({ source, where }: ReportedLicence): string {
  return `${source} ${where}`;
}

/** The most rows of a list of events, and the most weeks of a chart: a note is for reading. */
const ROWS = 20;
const WEEKS = 12;

/**
 * Returns the scorecard as Markdown with Mermaid charts. Without a date: an unchanged report leaves the note unchanged.
 */
function reportText(report: Scorecard): string {
  const { total } = report;
  if (total.cases === 0) return `Steward hasn't decided about a change yet. ${missedWords(report.missed)}`;
  return [
    summary(report),
    section('Ready?', adviceLines(report)),
    fence(fateChart(report)),
    ...(total.precision === null ? [] : [fence(weekChart(report.weeks))]),
    section('By source', groupTable('source', report.sources)),
    section('By kind of change', groupTable('class', report.classes)),
    section('The modes compared on the same decisions', modeTable(report.modes)),
    section('Wrong decisions', caseTable(report.cases.filter((one) => evaluateFate(one.fate) === 'wrong'))),
    section('Newest decisions', caseTable(report.cases)),
    'How each is counted: docs/go-live.md of the program.',
  ].join('\n\n');
}

function summary({ total, automatic, missed, mode }: Scorecard): string {
  const { cases, right, wrong, precision } = total;
  const undecided = cases - right - wrong;
  const figures = `${cases} ${cases === 1 ? 'decision' : 'decisions'} about a change: ${right} right, ${wrong} wrong, ${undecided} not decided so far.`;
  const share =
    precision === null
      ? 'How often it was right is not known yet.'
      : `**Right: ${shareWords(precision, right + wrong)}**, with 95 % confidence.`;
  return `${figures} ${share} ${automaticWords(automatic)}. ${missedWords(missed)} The mode is \`${mode}\`.`;
}

/** Returns who may not act by itself, on which matter, and why: a sentence each. */
export function lackingLines(licences: readonly ReportedLicence[]): string[] {
  return licences.flatMap(({ source, where, lack }) => (lack === null ? [] : [`${source} in ${where}: ${lack}`]));
}

function adviceLines({ advice, sources, licences }: Scorecard): string {
  if (advice.length === 0) return 'Already the highest mode.';
  const unknown = unknownSentence(sources);
  const lacking = lackingLines(licences);
  const rest = lacking.length > ROWS ? [`And ${moreSenders(lacking.length - ROWS)} who may only propose.`] : [];
  const lines = [...(unknown === null ? [] : [unknown]), ...lacking.slice(0, ROWS), ...rest];
  return [...advice.map(adviceSentence), ...lines.map(plain)].map((one) => `- ${one}`).join('\n');
}

/** Greens are right, reds are wrong, greys are undecided. */
const COLOURS: Readonly<Record<Fate, string>> = {
  confirmed: '#2f8f5b',
  borne_out: '#5fb384',
  put_off: '#c4c8d0',
  dismissed: '#e0a458',
  reversed: '#c8553d',
  taken_back: '#aeb4c0',
  contradicted: '#e08e79',
  silent: '#b8bcc6',
  overtaken: '#9aa0ad',
  open: '#d6d9e0',
};

function fateChart({ total }: Scorecard): string {
  const seen = FATES.filter((fate) => total.fates[fate] > 0);
  const slices = seen.map((fate) => `    "${FATE_WORDS[fate]}" : ${total.fates[fate]}`);
  const colours = Object.fromEntries(seen.map((fate, nth) => [`pie${nth + 1}`, COLOURS[fate]]));
  return [themed({ ...colours, pieOpacity: '1' }), 'pie showData', '    title What became of them', ...slices].join(
    '\n',
  );
}

// The colours are in the chart itself, so that they mean the same in every theme of Obsidian.
function themed(themeVariables: Readonly<Record<string, unknown>>): string {
  return `%%{init: ${JSON.stringify({ theme: 'base', themeVariables })}}%%`;
}

function weekChart(weeks: readonly Group[]): string {
  const told = weeks.filter(({ tally }) => tally.precision !== null).slice(-WEEKS);
  const names = told.map(({ name }) => `"${name}"`).join(', ');
  const shares = told.map(({ tally }) => Math.round((tally.precision?.value ?? 0) * 100)).join(', ');
  return [
    themed({ xyChart: { plotColorPalette: COLOURS.confirmed } }),
    'xychart-beta',
    '    title "Right, per cent of what is decided, by week"',
    `    x-axis [${names}]`,
    '    y-axis "per cent" 0 --> 100',
    `    bar [${shares}]`,
  ].join('\n');
}

function groupTable(what: string, groups: readonly Group[]): string {
  const rows = groups.map(({ name, tally }) => [
    cell(name),
    ...[tally.shadow, tally.proposed, tally.acted, tally.right, tally.wrong].map(String),
    String(tally.cases - tally.right - tally.wrong),
    shareWords(tally.precision, tally.right + tally.wrong),
  ]);
  return table([what, 'in shadow', 'proposed', 'acted', 'right', 'wrong', 'undecided', 'right of decided'], rows);
}

function modeTable(modes: readonly ModeTally[]): string {
  const rows = modes.map((one) => [
    one.mode,
    ...[one.acts, one.proposes, one.records, one.unknown].map(String),
    shareWords(one.precision, one.right + one.wrong),
  ]);
  return table(['mode', 'would act', 'propose', 'only record', 'unknown', 'right, of those applied'], rows);
}

function caseTable(cases: readonly ReportedCase[]): string {
  if (cases.length === 0) return 'None.';
  const newest = cases.slice(-ROWS).reverse();
  const rows = newest.map((one) => [
    one.time.slice(0, 10),
    link(one.event),
    one.target === null ? '–' : link(stem(one.target)),
    cell(one.decision),
    FATE_WORDS[one.fate],
  ]);
  const rest = cases.length - newest.length;
  const more = rest === 0 ? [] : ['', `And ${rest} before these.`];
  return [table(['day', 'event', 'note', 'decision', 'outcome'], rows), ...more].join('\n');
}

function section(title: string, text: string): string {
  return `### ${title}\n\n${text}`;
}

function fence(chart: string): string {
  return `\`\`\`mermaid\n${chart}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A link, or the bare name where it has characters that a link cannot hold. */
function link(name: string): string {
  return /[[\]|#^<>%\\`\p{Cc}\u2028\u2029]/u.test(name) ? cell(name) : `[[${name}]]`;
}

function cell(text: string): string {
  return plain(text).slice(0, 80);
}

// Names come from outside, so they must not form a table cell, a link, code or a comment.
function plain(text: string): string {
  return joinLines(text).replace(/[[\]|<>\\`%*]/g, ' ');
}

/** Returns how many senders aren't listed: `1 more sender`. */
export function moreSenders(many: number): string {
  return many === 1 ? '1 more sender' : `${many} more senders`;
}
