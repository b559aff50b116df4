import type { FieldEdit } from '../../vault/frontmatter/edit.ts';
import { sha256 } from '../../vault/hash.ts';
import { sourceKey } from '../../vault/note-names.ts';
import { type HistoryRow, withHistory } from '../../vault/notes/history-block.ts';
import { noteText, oneLine } from '../../vault/notes/note-text.ts';
import type { Frontmatter } from '../../vault/records/values.ts';
import { utc } from '../../vault/time.ts';
import type { Instinct } from './instinct.ts';

/** Returns the text of a new instinct note, with what has just been learnt of its source. */
export function instinctNote(path: string, after: Instinct, rows: readonly HistoryRow[]): string {
  const { source } = after;
  const fields = Object.entries(fieldsOf(after)).filter(([field, value]) => SHOWN.has(field) || needsField(value));
  const opening = `What has been learnt of \`${plain(source)}\`: how often its signals were right.`;
  const text = noteText({ type: 'instinct', source_type: source, ...Object.fromEntries(fields) }, opening);
  return withHistory(path, text, rows);
}

/**
 * Returns the edits that take a note from one instinct to the next. Only fields that moved are written, so that an old
 * figure never overwrites what a person wrote. What follows from the person's own edit is written too.
 */
export function instinctEdits(before: Instinct, after: Instinct, data: Frontmatter): FieldEdit[] {
  const former = fieldsOf(before);
  return Object.entries(fieldsOf(after)).flatMap(([field, value]): FieldEdit[] => {
    const held = data[field] ?? null;
    const follows = FOLLOWING.has(field) && held !== null && value !== held;
    if (value === held || (value === former[field] && !follows)) return [];
    if (SHOWN.has(field) || needsField(value)) return [{ op: 'set', field, value }];
    return held === null ? [] : [{ op: 'delete', field }];
  });
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
  const seen = ({ confidence, observations, reversals, status, pinned }: Instinct) =>
    JSON.stringify([confidence, observations, reversals, status, pinned]);
  return seen(before) !== seen(after);
}

/** Returns the name of a source's note, without `.md`. A source's name comes from outside: only plain letters stay. */
export function fileName(source: string): string {
  const letters = source
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60);
  return letters === '' ? 'other' : letters;
}

/** Returns the note's name where another source's note already has the plain one. */
export function otherFileName(source: string): string {
  return `${fileName(source)}-${sha256(sourceKey(source)).slice(0, 8)}`;
}

const SHOWN: ReadonlySet<string> = new Set([
  'prior',
  'confidence',
  'observations',
  'reversals',
  'calibration_status',
  'pinned',
  'last_negative_at',
]);

/** Fields that follow from a person's edit of other fields. */
const FOLLOWING: ReadonlySet<string> = new Set(['calibration_status', 'pinned_by', 'ticks_high']);

function fieldsOf(instinct: Instinct): Record<string, string | number | boolean | null> {
  const { counters, lastNegativeAt, countedUntil } = instinct;
  return {
    prior: instinct.prior,
    confidence: instinct.confidence,
    observations: instinct.observations,
    reversals: instinct.reversals,
    calibration_status: instinct.status,
    pinned: instinct.pinned,
    last_negative_at: lastNegativeAt === null ? null : utc(lastNegativeAt),
    pinned_by: counters.autoPinned ? 'steward' : null,
    ticks_pending: counters.ticks,
    gave_signal: counters.gave,
    ticks_low: counters.low,
    ticks_high: counters.high,
    windows_counted_until: countedUntil === null ? null : utc(countedUntil),
  };
}

// Zero, no and nothing need no field of their own.
function needsField(value: string | number | boolean | null): boolean {
  return value !== null && value !== false && value !== 0;
}

function plain(text: string): string {
  return oneLine(text).replace(/[[\]|#^%`\\<>]+/g, ' ');
}
