import type { FieldEdit } from '../vault/frontmatter.ts';
import { sha256 } from '../vault/hash.ts';
import { type HistoryRow, withHistory } from '../vault/history-block.ts';
import { brief, noteText } from '../vault/note-text.ts';
import { same } from '../vault/parsed-note.ts';
import type { Frontmatter, Yaml } from '../vault/records/values.ts';
import type { BeforeAfter, Changes } from '../vault/records.ts';
import { channelOf, patternOf, sourceKey } from '../vault/source-names.ts';
import { LEARNS_FROM, NO_WORDS, type StatusWords, stateMeant } from '../vault/status-words.ts';
import { utc } from '../vault/time.ts';
import { instinctOpening } from '../vault/words/instinct-words.ts';
import { includesLink, sameLink } from './changes.ts';
import { isStateField } from './changes-held-value.ts';
import { discretionThreshold } from './gates-gate.ts';
import { clamp, round4 } from './gates-rounding.ts';

/** Returns the text of a new instinct note, with what has just been learnt of its source. */
export function instinctNote(path: string, after: Instinct, rows: readonly HistoryRow[]): string {
  const { source } = after;
  const pattern = patternOf(source);
  const named = { source_type: channelOf(source), ...(pattern === null ? {} : { pattern }) };
  const fields = Object.entries(fieldsOf(after)).filter(
    ([field, value]) => SHOWN.has(field) || needsField(field, value),
  );
  const text = noteText({ type: 'instinct', ...named, ...Object.fromEntries(fields) }, '');
  return withHistory(path, text, rows, openingOf(after));
}

/** Returns what an instinct note says first: what it measures, what that means, and what a person may edit. */
export function openingOf({ source, observations: right, wrong, reversals, status }: Instinct): string[] {
  const threshold = discretionThreshold(right, null);
  const named = { channel: channelOf(source), speaker: patternOf(source) };
  return instinctOpening({ ...named, right, wrong, reversals, status, threshold });
}

/**
 * Returns the edits that take a note from one instinct to the next. Only fields that moved are written, so that an old
 * figure never overwrites what a person wrote. What follows from the person's own edit is written too, and all of a
 * note that is carried over from before only outcomes taught.
 */
export function instinctEdits(before: Instinct, after: Instinct, data: Frontmatter): FieldEdit[] {
  const former = fieldsOf(before);
  const isCarriedOver = data.learns_from == null && data.calibration_status != null;
  const edits = Object.entries(fieldsOf(after)).flatMap(([field, value]): FieldEdit[] => {
    const held = data[field] ?? null;
    const follows = FOLLOWING.has(field) && (held !== null || field === 'learns_from') && value !== held;
    if (value === held || (value === former[field] && !follows && !isCarriedOver)) return [];
    if (SHOWN.has(field) || needsField(field, value)) return [{ op: 'set', field, value }];
    return held === null ? [] : [{ op: 'delete', field }];
  });
  // A note that a person made is left as it is until something is learnt.
  const isLessonless = !isCarriedOver && edits.every(({ field }) => field === 'learns_from');
  return isLessonless ? [] : edits;
}

/** Returns a row of the history: what happened, and where the confidence moved from and to. */
export function rowOf(before: Instinct, after: Instinct, at: number, what: string): HistoryRow {
  const changes = [
    ...(before.status === after.status ? [] : [`now ${after.status}`]),
    ...(!before.pinned && after.pinned ? ['pinned'] : []),
  ];
  return {
    at: utc(at),
    what: [what, ...changes].join('; '),
    before: before.confidence,
    after: after.confidence,
    observations: after.observations,
  };
}

/** Returns whether a person would see a difference. What only counts towards a later step makes no row. */
export function isVisible(before: Instinct, after: Instinct): boolean {
  const seen = ({ confidence, observations, wrong, reversals, status, pinned }: Instinct) =>
    JSON.stringify([confidence, observations, wrong, reversals, status, pinned]);
  return seen(before) !== seen(after);
}

/**
 * Returns where a source's note lies below the instinct folder, without `.md`: `mail`, or `mail/anna@notary.example`. A
 * source's name comes from outside: only plain letters stay.
 */
export function noteName(source: string): string {
  const pattern = patternOf(source);
  const channel = plainName(channelOf(source), /[^a-z0-9_-]+/g);
  return pattern === null ? channel : `${channel}/${plainName(pattern, /[^a-z0-9_@.+-]+/g)}`;
}

/** Returns the same where another source's note already has the plain name. */
export function otherNoteName(source: string): string {
  return `${noteName(source)}-${sha256(sourceKey(source)).slice(0, 8)}`;
}

/** Returns a source as a part of a file name. */
export function fileName(source: string): string {
  return noteName(source).replace('/', '-');
}

// A name that begins or ends with a dot would be hidden, or lose its ending.
function plainName(name: string, others: RegExp): string {
  const letters = name
    .toLowerCase()
    .replace(others, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, 60);
  const trimmed = letters.replace(/^[-.]+/, '').replace(/(?<![-.])[-.]+$/, '');
  return trimmed === '' ? 'other' : trimmed;
}

const SHOWN: ReadonlySet<string> = new Set([
  'prior',
  'confidence',
  'observations',
  'wrong',
  'reversals',
  'calibration_status',
  'pinned',
  'last_negative_at',
  'learns_from',
]);

/** Fields that follow from a person's edit of other fields. */
const FOLLOWING: ReadonlySet<string> = new Set(['calibration_status', 'pinned_by', 'learns_from']);

function fieldsOf(instinct: Instinct): Record<string, string | number | boolean | null> {
  const { lastNegativeAt } = instinct;
  return {
    prior: instinct.prior,
    confidence: instinct.confidence,
    observations: instinct.observations,
    wrong: instinct.wrong,
    reversals: instinct.reversals,
    calibration_status: instinct.status,
    pinned: instinct.pinned,
    last_negative_at: lastNegativeAt === null ? null : utc(lastNegativeAt),
    pinned_by: instinct.pinnedBy,
    right_since_reversal: instinct.rightSinceReversal,
    wrong_in_a_row: instinct.wrongInARow,
    learns_from: LEARNS_FROM,
  };
}

// Zero, no and nothing need no field of their own, but for a source that was taken back just now.
function needsField(field: string, value: string | number | boolean | null): boolean {
  return value !== null && value !== false && (value !== 0 || field === 'right_since_reversal');
}

/** Where a channel starts (contract, section 7). */
export const PRIORS: ReadonlyMap<string, number> = new Map([
  ['gmail', 1.0],
  ['gmail_unknown', 0.7],
  ['mail', 0.9],
  ['slack', 0.95],
  ['slack_channel', 0.6],
  ['gcal', 0.8],
  ['calendar', 0.8],
  ['sure', 0.9],
  ['bank', 0.9],
  ['plane', 0.9],
  ['vexa', 0.85],
  ['transcript', 0.85],
  ['vault_edit', 0.95],
  ['agent', 0.7],
  ['other', 0.7],
]);

const LIVE_AFTER = 3;
const PRUNE_BELOW = 0.2;
const PRUNE_AFTER = 5;
const PIN_FROM = 0.9;
const PIN_AFTER = 10;
const PINNED_FLOOR = 0.5;
const REVERSAL = 0.1;
const DISMISSAL = 0.05;
/** How much of what its patterns move a channel moves itself. */
const CHANNEL_SHARE = 0.2;

/**
 * What has been learnt of one source. It moves by outcomes alone, which are a person's doing: a decision of the program
 * teaches nothing. Each outcome teaches once. A confirmation, dismissal or reversal is a note that counts once; what an
 * edit by hand or a quiet week has shown is marked on the event note (`taught`), in one transaction with the lesson.
 */
export interface Instinct {
  readonly source: string;
  readonly prior: number;
  readonly confidence: number;
  /** How often it was right; discretion goes by it. */
  readonly observations: number;
  readonly wrong: number;
  /** Wrong outcomes since it was last right. */
  readonly wrongInARow: number;
  /** How often what it led to was taken back. */
  readonly reversals: number;
  /** Right outcomes since what it led to was last taken back; null where it never was. */
  readonly rightSinceReversal: number | null;
  readonly status: 'pending' | 'live' | 'pruned';
  readonly pinned: boolean;
  /** Whose word the pin is, or its absence; null where nobody has said anything. */
  readonly pinnedBy: 'steward' | 'person' | null;
  /** Epoch milliseconds. */
  readonly lastNegativeAt: number | null;
}

/** What a person may write into an instinct note (contract, section 3); null where the note says nothing. */
interface InstinctEdit {
  readonly prior: number | null;
  readonly confidence: number | null;
  readonly pinned: boolean;
}

/** Returns where a channel starts. One that is not in the table starts as `other`. */
export function priorOf(channel: string): number {
  return PRIORS.get(channel.trim().toLowerCase()) ?? PRIORS.get('other') ?? 0.7;
}

/** Returns the instinct of a source of which nothing has been learnt. */
export function initialInstinct(source: string, prior: number = priorOf(channelOf(source))): Instinct {
  return {
    source,
    prior,
    confidence: prior,
    observations: 0,
    wrong: 0,
    wrongInARow: 0,
    reversals: 0,
    rightSinceReversal: null,
    status: 'pending',
    pinned: false,
    pinnedBy: null,
    lastNegativeAt: null,
  };
}

/** Returns how far a signal is believed: effect_confidence = raw × the confidence in its source. */
export function effectConfidence(raw: number, instinct: Pick<Instinct, 'confidence'>): number {
  return round4(clamp(raw, 0, 1) * instinct.confidence);
}

/**
 * Returns the instinct after it was right (contract, section 7). `share`, 0–1: what it bore of the conclusion, 1 for the
 * source that bore most.
 */
export function afterRight(instinct: Instinct, share: number): Instinct {
  const confidence = floored(instinct, 0.9 * instinct.confidence + 0.1 * clamp(share, 0, 1));
  const { observations, rightSinceReversal: since } = instinct;
  const rightSinceReversal = since === null ? null : since + 1;
  const after = { ...instinct, confidence, observations: observations + 1, rightSinceReversal, wrongInARow: 0 };
  return settled(pinnedWhenSure(after));
}

/** Returns the instinct after what it led to was taken back: −0.1. Call once per reversal. */
export function afterReversal(instinct: Instinct, now: number): Instinct {
  return { ...afterWrong(instinct, REVERSAL, now), reversals: instinct.reversals + 1, rightSinceReversal: 0 };
}

/** Returns the instinct after a proposal was dismissed, or a person decided otherwise by hand: −0.05. */
export function afterDismissal(instinct: Instinct, now: number): Instinct {
  return afterWrong(instinct, DISMISSAL, now);
}

/** Returns the instinct after what the person had left in place was changed by hand within its week: −0.1. */
export function afterContradiction(instinct: Instinct, now: number): Instinct {
  return afterWrong(instinct, REVERSAL, now);
}

/** Returns the instinct without a right outcome that it had: the confirmation, or the week, did not hold. */
export function withoutRight(instinct: Instinct): Instinct {
  return { ...instinct, observations: Math.max(0, instinct.observations - 1) };
}

/**
 * Returns the instinct after a reversal was itself reversed, with the exact former confidence (contract, section 16).
 */
export function afterReversalUndone(instinct: Instinct, formerConfidence: number): Instinct {
  const figures = {
    confidence: clamp(formerConfidence, 0, 1),
    reversals: Math.max(0, instinct.reversals - 1),
    wrong: Math.max(0, instinct.wrong - 1),
    wrongInARow: Math.max(0, instinct.wrongInARow - 1),
    // What it had owed before is not remembered: with nothing taken back any more, it owes nothing.
    rightSinceReversal: instinct.reversals > 1 ? instinct.rightSinceReversal : null,
  };
  return settled({ ...instinct, ...figures, status: instinct.status === 'pruned' ? 'live' : instinct.status });
}

/**
 * Returns a channel after its patterns moved by `moved` together: it moves by a fifth of that. They never prune it: then
 * any number of strangers could silence whoever is still to be heard there.
 */
export function afterPatterns(channel: Instinct, moved: number): Instinct {
  const lowest = Math.min(PRUNE_BELOW, channel.confidence);
  const confidence = Math.max(lowest, channel.confidence + CHANNEL_SHARE * moved);
  return settled({ ...channel, confidence: floored(channel, confidence) });
}

/** Returns the instinct with a confidence given back, and nothing else changed. */
export function withConfidence(instinct: Instinct, confidence: number): Instinct {
  return { ...instinct, confidence: round4(clamp(confidence, 0, 1)) };
}

/**
 * Returns the instinct after a person edited its note, taking the edit as it stands. A new pin is the person's: it has
 * no floor, is never pruned, and brings a pruned source back. A pin that a person took away never comes back by itself.
 */
export function afterEdit(instinct: Instinct, edit: InstinctEdit): Instinct {
  const isKept = edit.pinned === instinct.pinned;
  const edited: Instinct = {
    ...instinct,
    prior: clamp(edit.prior ?? instinct.prior, 0, 1),
    confidence: clamp(edit.confidence ?? instinct.confidence, 0, 1),
    pinned: edit.pinned,
    pinnedBy: isKept ? instinct.pinnedBy : 'person',
  };
  return isPersonsPin(edited) && edited.status === 'pruned' ? { ...edited, status: 'live' } : edited;
}

/**
 * Returns the instinct of a note of before only outcomes taught: its confidence up to its prior, and no pin that the
 * program would not set today (contract, section 7).
 */
export function carriedOver(instinct: Instinct): Instinct {
  const confidence = Math.min(instinct.confidence, instinct.prior);
  const pinHolds = instinct.pinnedBy !== 'steward' || (confidence >= PIN_FROM && instinct.observations >= PIN_AFTER);
  return pinHolds ? { ...instinct, confidence } : { ...instinct, confidence, pinned: false, pinnedBy: null };
}

/** Pending until three outcomes. Pruned below 0.2, or after five wrong ones in a row, unless a person pinned it. */
function settled(instinct: Instinct): Instinct {
  const isHopeless = instinct.confidence < PRUNE_BELOW || instinct.wrongInARow >= PRUNE_AFTER;
  if (isHopeless && !isPersonsPin(instinct)) {
    return { ...instinct, status: 'pruned', pinned: false, pinnedBy: instinct.pinned ? null : instinct.pinnedBy };
  }
  const hasSaid = instinct.observations + instinct.wrong >= LIVE_AFTER;
  return instinct.status === 'pending' && hasSaid ? { ...instinct, status: 'live' } : instinct;
}

/** From 0.9 on, with ten right outcomes, a source is pinned by the program, with a floor of 0.5. */
function pinnedWhenSure(instinct: Instinct): Instinct {
  const isSure = instinct.confidence >= PIN_FROM && instinct.observations >= PIN_AFTER;
  if (instinct.pinned || !isSure || instinct.pinnedBy === 'person' || instinct.status === 'pruned') return instinct;
  return { ...instinct, pinned: true, pinnedBy: 'steward' };
}

function isPersonsPin({ pinned, pinnedBy }: Instinct): boolean {
  return pinned && pinnedBy !== 'steward';
}

function afterWrong(instinct: Instinct, by: number, now: number): Instinct {
  const confidence = floored(instinct, instinct.confidence - by);
  const [wrong, wrongInARow] = [instinct.wrong + 1, instinct.wrongInARow + 1];
  return settled({ ...instinct, confidence, wrong, wrongInARow, lastNegativeAt: now });
}

/** The floor never lifts a source: one that a person set below it stays there. */
function floored({ pinned, pinnedBy, confidence }: Instinct, figure: number): number {
  const floor = pinned && pinnedBy === 'steward' ? Math.min(PINNED_FLOOR, confidence) : 0;
  return round4(clamp(figure, floor, 1));
}

// What a person's own hand says about a decision is asked twice: when it is learnt from, and when one looks back. Both
// ask here, so that the report counts what teaches.

/** How long a decision can be shown wrong by hand: as long as it can be taken back. */
export const HAND_COUNTS_FOR = 7 * 24 * 60 * 60 * 1000;

/** A change that was decided: made (`acted`), or only proposed or recorded. */
interface Decided {
  readonly changes: Changes;
  readonly acted: boolean;
}

/** A note as it was seen after the decision. */
export interface Sight {
  readonly fields: Frontmatter;
  /** False where the record of the note may lack some fields: then an absent field says nothing. */
  readonly isWhole: boolean;
  /** What the vault's own words for states mean. */
  readonly words?: StatusWords;
}

/**
 * Returns what a note says about a decision, if nobody but a person has touched its fields since: `right` where the note
 * holds a change that was not made, `otherwise` where it holds something else than what was made, or than what was found
 * and proposed; null where it says neither.
 */
export function handSays({ changes, acted }: Decided, seen: Sight): 'right' | 'otherwise' | null {
  const moves = Object.entries(decidingChanges(changes)).map(([field, change]) => moveOf(field, change, seen));
  const known = moves.filter((move) => move !== 'unknown');
  if (acted) return known.every((move) => move === 'after') ? null : 'otherwise';
  if (known.some((move) => move === 'elsewhere')) return 'otherwise';
  return moves.length > 0 && moves.every((move) => move === 'after') ? 'right' : null;
}

/** `completedDate` only goes with the state: the person who made the change says on which day, or on none. */
function decidingChanges(changes: Changes): Changes {
  const others = Object.entries(changes).filter(([field]) => field !== 'completedDate');
  return others.length > 0 ? Object.fromEntries(others) : changes;
}

/** What a field holds: what it held before the decision, what was decided, or something else. */
type Move = 'before' | 'after' | 'elsewhere' | 'unknown';

function moveOf(field: string, { before, after }: BeforeAfter, seen: Sight): Move {
  const held = heldIn(seen, field);
  if (held === undefined) return 'unknown';
  const isShort = [held, before, after].every((value) => brief(value) === value);
  if (isShort && !isStateField(field) && (isList(field, before) || isList(field, after)))
    return memberMove(held, before, after);
  const isHeld = (value: Yaml) => isSame(field, held, value, seen.words ?? NO_WORDS);
  const [isAfter, isBefore] = [isHeld(after), isHeld(before)];
  if (isAfter && isBefore) return 'unknown'; // two long values with one beginning
  return isAfter ? 'after' : isBefore ? 'before' : 'elsewhere';
}

// A list holds many things: a change of its other members says nothing about these, and it is never elsewhere.
function memberMove(held: Yaml, before: Yaml, after: Yaml): Move {
  const [now, former, latter] = [membersOf(held), membersOf(before), membersOf(after)];
  const added = latter.filter((member) => !includesLink(former, member));
  const removed = former.filter((member) => !includesLink(latter, member));
  const isMade = added.every((one) => includesLink(now, one)) && !removed.some((one) => includesLink(now, one));
  return isMade ? 'after' : 'before';
}

// `state` and `status` count as one field. Every object answers to `constructor`, so only own keys count.
function heldIn({ fields, isWhole }: Sight, field: string): Yaml | undefined {
  const names = isStateField(field) ? [field, 'state', 'status'] : [field];
  const name = names.find((one) => Object.hasOwn(fields, one));
  if (name !== undefined) return fields[name] ?? null;
  return isWhole ? null : undefined;
}

function isList(field: string, value: Yaml): boolean {
  return field.startsWith('related_') || Array.isArray(value);
}

// Event notes cut long values short, so the shortened values are compared.
function isSame(field: string, one: Yaml, other: Yaml, words: StatusWords): boolean {
  if (same(brief(one), brief(other))) return true;
  if (isStateField(field)) {
    const state = stateMeant(one, words);
    return state !== null && state === stateMeant(other, words);
  }
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.trim() === other.trim() || (one.includes('[[') && sameLink(one, other));
}

function membersOf(value: Yaml): readonly string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => item !== null).map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}
