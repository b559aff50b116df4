import { stem } from '../../vault/note-names.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import { localDate } from '../../vault/time.ts';
import { DIGEST } from '../../vault/words/perception-words.ts';
import { FINDING_KINDS, type FindingKind } from '../perception/finding.ts';
import { byPressure, type Seen } from '../perception/memory.ts';
import { withLines } from './marked.ts';

/** A note that shows something by itself, as it was last seen. */
export interface Shown {
  readonly path: string;
  readonly seen: Seen;
  readonly found: NonNullable<Seen['found']>;
}

/** How many notes the digest names. */
const MOST_NAMED = 10;

/** How the digest counts each kind. */
const COUNTED: Readonly<Record<FindingKind, string>> = {
  overdue: 'overdue',
  snooze_over: 'snooze over',
  unblocked: 'free to go on',
  tasks_done: 'all tasks done',
  silent: 'silent for weeks',
};
/** As earlier versions wrote it. */
const FORMER_NOTHING = 'Nothing is overdue, and nothing has been silent for weeks.';

const PART = {
  begin: '<!-- steward:seen -->',
  end: '<!-- /steward:seen -->',
  isOwn: (line: string) => OWN_LINE.test(line),
};
const KINDS = Object.values(COUNTED).join('|');
const OWN_LINE = new RegExp(
  `^(?:${[DIGEST.nothing, DIGEST.notYet, FORMER_NOTHING].join('|').replaceAll('.', '\\.')}|(?:${KINDS}): \\d+(?: · (?:${KINDS}): \\d+)*|- .* · (?:${KINDS}|silent)(?: since \\d{4}-\\d\\d-\\d\\d)?|- and \\d+ more)$`,
);

/**
 * Returns a note's text with what all looks have found between its two marks: how many of each kind, and the most pressing.
 * It names days, not spans: so it changes only where something has. `shown` is null where there was no look yet. Null where
 * the marks are not there as they should be.
 */
export function withDigest(text: string, shown: readonly Shown[] | null): string | null {
  return withLines(text, PART, digestOf(shown));
}

function digestOf(shown: readonly Shown[] | null): string[] {
  if (shown === null) return [DIGEST.notYet];
  if (shown.length === 0) return [DIGEST.nothing];
  const counts = FINDING_KINDS.map((kind) => ({
    kind,
    number: shown.filter(({ found }) => found.kind === kind).length,
  }));
  const counted = counts.filter(({ number }) => number > 0).map(({ kind, number }) => `${COUNTED[kind]}: ${number}`);
  const more = shown.length - MOST_NAMED;
  const lines = mostPressing(shown).map(lineOf);
  return [counted.join(' · '), '', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])];
}

// Not all put in order: a large vault may have a hundred thousand that are overdue.
function mostPressing(shown: readonly Shown[]): Shown[] {
  const first: Shown[] = [];
  for (const one of shown) {
    const last = first[MOST_NAMED - 1];
    if (last !== undefined && inOrder(last, one) < 0) continue;
    first.push(one);
    first.sort(inOrder).splice(MOST_NAMED);
  }
  return first;
}

function inOrder(one: Shown, other: Shown): number {
  return byPressure(one.seen, other.seen) || (one.path < other.path ? -1 : 1);
}

function lineOf({ path, found: { kind, since } }: Shown): string {
  if (kind === 'unblocked') return `- ${linkTo(stem(path))} · ${COUNTED[kind]}`;
  return `- ${linkTo(stem(path))} · ${kind === 'silent' ? 'silent' : COUNTED[kind]} since ${localDate(since)}`;
}
