import type { FieldEdit } from '../../vault/frontmatter/edit.ts';
import { sha256 } from '../../vault/hash.ts';
import { type HistoryRow, withHistory } from '../../vault/notes/history-block.ts';
import { noteText } from '../../vault/notes/note-text.ts';
import { LEARNS_FROM } from '../../vault/records/instinct.ts';
import type { Frontmatter } from '../../vault/records/values.ts';
import { channelOf, patternOf, sourceKey } from '../../vault/source-names.ts';
import { utc } from '../../vault/time.ts';
import { instinctOpening } from '../../vault/words/instinct-words.ts';
import { discretionThreshold } from '../gates/gate.ts';
import type { Instinct } from './instinct.ts';

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
