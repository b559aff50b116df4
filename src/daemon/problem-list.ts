import { type Diagnostic, StewardError } from '../vault/errors.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { sha256 } from '../vault/note-text.ts';
import { problemKind, SEVERITIES, type Severity } from '../vault/problem-codes.ts';
import type { Context } from './context.ts';

/** A problem as `status` and `doctor` list it. */
export interface Problem extends Diagnostic {
  /** Tells it from other problems: the same problem has the same id after a restart. */
  readonly id: string;
  readonly severity: Severity;
}

/** The problems of a vault, most serious first: those to show, and those that the user knows and has hidden. */
export interface ProblemList {
  readonly shown: readonly Problem[];
  readonly hidden: readonly Problem[];
}

/** Returns the list of some problems. Each appears once: one cause may block several actions. */
export function listProblems({ state }: Pick<Context, 'state'>, found: readonly Diagnostic[]): ProblemList {
  const known = state.get('known-problems');
  return sortProblems(found, (id) => known[id] !== undefined);
}

/** Does the same. `isHidden`: whether the user has hidden the problem with this id. */
export function sortProblems(found: readonly Diagnostic[], isHidden: (id: string) => boolean): ProblemList {
  const all = [
    ...new Map(found.map((one) => [`${one.code} ${one.file} ${one.line} ${one.message}`, toProblem(one)])).values(),
  ].sort(mostSeriousFirst);
  return { shown: all.filter(({ id }) => !isHidden(id)), hidden: all.filter(({ id }) => isHidden(id)) };
}

// The line is left out: text above it may move it. If a message has counts in it, only its words identify it.
function toProblem(one: Diagnostic): Problem {
  const { severity, counts } = problemKind(one.code);
  const words = counts ? one.message.replace(/\d+/g, '0') : one.message;
  return { ...one, id: `${one.code}-${sha256(`${one.file}\0${words}`).slice(0, 6)}`, severity };
}

// The settings come before notes: while they can't be read, those of before apply to everything.
function mostSeriousFirst(one: Problem, other: Problem): number {
  const ofNotes = ({ file }: Problem) => Number(file !== SETTINGS_FILE);
  return (
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    ofNotes(one) - ofNotes(other) ||
    (one.file ?? '').localeCompare(other.file ?? '') ||
    one.code.localeCompare(other.code)
  );
}

/** An order to hide problems that the user knows, or to show hidden ones again. */
interface HideOrder {
  /** Ids, codes, or the files that the problems are about. */
  readonly names: readonly string[];
  readonly hide: boolean;
}

/**
 * Hides the named problems until they recur, or shows them again, and saves that. Returns those problems. Throws
 * `problem-unknown` for a name that fits no problem; then no problem was changed.
 */
export function hideProblems(
  { state, now }: Pick<Context, 'state' | 'now'>,
  { shown, hidden }: ProblemList,
  { names, hide }: HideOrder,
): readonly Problem[] {
  const offered = hide ? shown : hidden;
  const chosen = names.map((name) => offered.filter((one) => [one.id, one.code, one.file].includes(name)));
  const unknown = names.find((_, at) => chosen[at]?.length === 0);
  if (unknown !== undefined) throw problemUnknown(unknown, hide);
  const all = [...new Set(chosen.flat())];
  const known = state.get('known-problems');
  for (const { id } of all) {
    if (hide) known[id] = { since: now(), gone: null };
    else delete known[id];
  }
  state.touch('known-problems');
  state.save('known-problems');
  return all;
}

function problemUnknown(name: string, hide: boolean): StewardError {
  return new StewardError({
    code: 'problem-unknown',
    message: `There is no ${hide ? '' : 'hidden '}problem ${JSON.stringify(name)}.`,
    hint: 'Name its code, its file or its id: `steward status --all` lists them.',
  });
}

/** A problem that was gone for so long has recurred when it comes back. A source that fails now and then hasn't. */
const GONE_MS = 60 * 60 * 1000;

/** Notes which hidden problems are gone, and forgets those that were gone for an hour. Costs what is hidden. */
export function followHidden({ state, now }: Pick<Context, 'state' | 'now'>, list: () => ProblemList): void {
  const known = state.get('known-problems');
  if (Object.keys(known).length === 0) return;
  const present = new Set(list().hidden.map(({ id }) => id));
  for (const [id, entry] of Object.entries(known)) {
    const gone = present.has(id) ? null : (entry.gone ?? now());
    if (gone !== null && now() - gone >= GONE_MS) delete known[id];
    else if (gone !== entry.gone) known[id] = { ...entry, gone };
    else continue;
    state.touch('known-problems');
  }
}
