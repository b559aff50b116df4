import type { CandidateNote, StreamEvent } from '../steward/types.ts';
import { notesByFit } from './learnt.ts';
import { rightNotes } from './past-answers.ts';
import { type RememberingBasis, readFindings } from './read-event.ts';
import { byNouns, describeCandidate, likelyTargets, type TargetCandidate, type TargetIndex } from './targets.ts';

/**
 * How many notes a model is offered. Measured on the mails of test/eval, whose vaults have about 110 tasks: of the notes
 * that are meant, 92 in a hundred are among the first 12, 96 among 40, 98 among 60. A note takes about 35 tokens.
 */
const MAX_OFFERED = 60;
/** So many notes that the search finds come before those that were learnt to fit. */
const MAX_BY_SEARCH = 4;
/** This many notes come first because the user found the sender right about them. */
const MAX_REMEMBERED = 4;
/** All open tasks of the matters of this many notes are offered before other notes. */
const BEST_NOTES = 12;

/**
 * Returns the notes that a model is asked about, likeliest first, at most sixty. First come those that the event leads
 * to, those that fit its words, and those about which the user found its sender right. All open tasks of their matters
 * follow, then the open tasks whose day is nearest. A vault with fewer open tasks is offered whole. Empty if no note is
 * open.
 */
export function candidatesFor(event: StreamEvent, known: RememberingBasis): readonly CandidateNote[] {
  const { index } = known;
  const likely = likelyTargets(index, event);
  const remembered = rightNotes(known.answers?.(event) ?? [], index).slice(0, MAX_REMEMBERED);
  const leads = new Map([
    ...remembered.map((note) => [note, byNouns('your earlier answers')] as const),
    ...likely.map((each) => [each.candidate, each.leads] as const),
  ]);
  const byFit = notesByFit(event, readFindings(event), known);
  const best = [...new Set([...likely.slice(0, MAX_BY_SEARCH).map(({ candidate }) => candidate), ...byFit])];
  const offered = new Set([...best.slice(0, BEST_NOTES), ...remembered]);
  for (const note of siblingsOf(offered, index)) offered.add(note);
  for (const note of best) offered.add(note);
  if (offered.size < MAX_OFFERED) for (const note of byNearestDay(index, event)) offered.add(note);
  return [...offered]
    .slice(0, MAX_OFFERED)
    .map((note) => describeCandidate(index, note, leads.get(note) ?? null, event));
}

function siblingsOf(notes: ReadonlySet<TargetCandidate>, index: TargetIndex): readonly TargetCandidate[] {
  const matters = new Set([...notes].map(({ kind, path, matterPath }) => (kind === 'matter' ? path : matterPath)));
  return [...matters].flatMap((matter) => (matter === null ? [] : index.openTasksOf(matter)));
}

const DAY_MS = 86_400_000;
/** A task without a day comes after those that are due within a month of the event. */
const WITHOUT_DAY = 30 * DAY_MS;

function byNearestDay(index: TargetIndex, { originAt }: StreamEvent): readonly TargetCandidate[] {
  const at = Date.parse(originAt ?? '');
  const distance = ({ due, scheduled }: TargetCandidate) => {
    const apart = Math.abs(Date.parse(due ?? scheduled ?? '') - at);
    return Number.isNaN(apart) ? WITHOUT_DAY : apart;
  };
  return [...index.openTasks()]
    .map((task) => ({ task, apart: distance(task) }))
    .toSorted((one, other) => one.apart - other.apart || (one.task.path < other.task.path ? -1 : 1))
    .map(({ task }) => task);
}
