import { endOfLocalDay, isDateOnly, parseLocalTime } from '../vault/time.ts';

/*
 * The state of a task or matter on an earlier day, as far as that is known: when it was made, when it was completed, and
 * when its day was moved. Pure: the caller reads the vault and git.
 */

/** From where a date of a note's past is known, best first. `file`: the time of its file, which any later edit moves. */
export const PAST_SOURCES = ['completedDate', 'steward', 'git', 'file'] as const;
export type PastSource = (typeof PAST_SOURCES)[number];

/** The fields whose past is known. */
type PastField = 'state' | 'due';

/** One change of a field of a note. */
export interface PastMove {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly field: PastField;
  readonly before: string | null;
  readonly after: string | null;
  readonly by: PastSource;
}

export interface NotePast {
  /** In order of time. */
  readonly moves: readonly PastMove[];
  /** When it was made (epoch ms). Null if that isn't known: then it counts as there from the beginning. */
  readonly created: { readonly at: number; readonly by: 'created' | 'git' | 'file' } | null;
  /** From when on every change of its day is known (epoch ms); null without git. */
  readonly datesSince: number | null;
}

/** A note as it is now. */
export interface PresentNote {
  readonly state: string;
  readonly due: string | null;
  /** As written; null if the note has no such date. */
  readonly completedDate: string | null;
  /** When it says that it was made, as written; null if it doesn't say. */
  readonly created: string | null;
  readonly mtimeMs: number;
  /** When its file was made; null if the file system doesn't know. */
  readonly bornMs: number | null;
}

/** A note as a commit has it. */
export interface GitVersion {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly state: string;
  readonly due: string | null;
  readonly completedDate: string | null;
}

interface GitNote {
  /** Oldest first. */
  readonly versions: readonly GitVersion[];
  /** When the vault's first commit was made (epoch ms). A note in that commit may be older. */
  readonly firstCommit: number;
}

/** Returns what is known of a note's past. `own`: changes that Steward recorded, in order of time. */
export function pastOfNote(now: PresentNote, own: readonly PastMove[], git: GitNote | null): NotePast {
  const states = withPresent(movesOf('state', own, git), now);
  const moves = [...states, ...movesOf('due', own, git)].toSorted(byTime);
  const created = createdOf(now, git);
  // A note that was completed before it was made was entered later.
  const isEarlier = created !== null && moves.some(({ at }) => at < created.at);
  return { moves, created: isEarlier ? null : created, datesSince: git?.versions[0]?.at ?? null };
}

/** Returns what a field said at a moment (epoch ms). `now`: what it says now. */
export function valueAt(past: NotePast, field: PastField, at: number, now: string | null): string | null {
  const next = past.moves.find((move) => move.field === field && move.at > at);
  return next === undefined ? now : next.before;
}

/** Whether a note was there at a moment (epoch ms), as far as that is known. */
export function wasThere({ created }: NotePast, at: number): boolean {
  return created === null || created.at <= at;
}

/** Whether a state ends a task. */
export function isEnd(state: string | null): boolean {
  return state === 'done' || state === 'archived';
}

function byTime(one: PastMove, other: PastMove): number {
  return one.at - other.at;
}

// A commit is later than the change in it, and may have one that Steward recorded.
function movesOf(field: PastField, own: readonly PastMove[], git: GitNote | null): PastMove[] {
  const recorded = own.filter((move) => move.field === field);
  const versions = git?.versions ?? [];
  const committed = versions.flatMap((version, nth): PastMove[] => {
    const before = versions[nth - 1];
    if (before === undefined || before[field] === version[field]) return [];
    const isRecorded = recorded.some(({ after, at }) => after === version[field] && at > before.at && at <= version.at);
    return isRecorded ? [] : [dated({ field, before: before[field], after: version[field] }, version)];
  });
  return [...recorded, ...committed].toSorted(byTime);
}

function dated(change: Omit<PastMove, 'at' | 'by'>, version: GitVersion): PastMove {
  const said = change.field === 'state' && isEnd(change.after) ? completedAt(version.completedDate) : null;
  if (said === null || said > endOfLocalDay(version.at)) return { ...change, at: version.at, by: 'git' };
  return { ...change, at: Math.min(said, version.at), by: 'completedDate' };
}

// A state that neither Steward nor git has seen before is dated by the note itself, else by its file.
function withPresent(moves: readonly PastMove[], now: PresentNote): PastMove[] {
  const last = moves.at(-1)?.after ?? 'open';
  if (last === now.state) return [...moves];
  const said = isEnd(now.state) ? completedAt(now.completedDate) : null;
  // A file that was last written on the day of the completion says at which hour.
  const at = said === null || isSameDay(said, now.mtimeMs) ? now.mtimeMs : said;
  const by = said === null ? 'file' : 'completedDate';
  return [...moves, { at, field: 'state', before: last, after: now.state, by }];
}

/**
 * Returns the last moment of the day that a note names (epoch ms), or the moment that it names; null if it names
 * neither.
 */
function completedAt(written: string | null): number | null {
  const at = written === null ? null : parseLocalTime(written);
  return at === null || written === null || !isDateOnly(written) ? at : endOfLocalDay(at) - 1;
}

function isSameDay(one: number, other: number): boolean {
  return endOfLocalDay(one) === endOfLocalDay(other);
}

/** A file that was made at its last edit was replaced by it: editors and sync tools write so. */
const REPLACED_MS = 60_000;

function createdOf(now: PresentNote, git: GitNote | null): NotePast['created'] {
  const said = now.created === null ? null : parseLocalTime(now.created);
  if (said !== null) return { at: said, by: 'created' };
  const first = git?.versions[0];
  if (git !== null && first !== undefined) return first.at > git.firstCommit ? { at: first.at, by: 'git' } : null;
  const { bornMs, mtimeMs } = now;
  return bornMs !== null && mtimeMs - bornMs > REPLACED_MS ? { at: bornMs, by: 'file' } : null;
}
