import { ourName } from '../../steward/changes/field-mapping.ts';
import { MODES, type Mode } from '../../steward/gates/mode.ts';
import { type Advice, adviceOn } from '../../steward/hindsight/advice.ts';
import { fateOf } from '../../steward/hindsight/hindsight.ts';
import { NO_OVERRIDES } from '../../steward/hindsight/replay.ts';
import {
  type Case,
  type Group,
  groupsOf,
  type ModeTally,
  modeTally,
  type Outcome,
  type Tally,
  tallyOf,
} from '../../steward/hindsight/scorecard.ts';
import type { Experience } from '../../steward/learning/experience.ts';
import { silenceCounts } from '../../steward/learning/outcomes.ts';
import { classOf } from '../../steward/ports/mutation-class.ts';
import { isOwnNote } from '../../steward/ports/own-notes.ts';
import { answerOf } from '../../steward/proposals/proposal-status.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { iso } from '../../vault/time.ts';
import { aboutMatter } from '../answers/find-note.ts';
import { modeOf } from '../context/effective-mode.ts';
import type { IndexAccess, Workspace } from '../context/ports.ts';
import { ObservedStates } from './observed-states.ts';
import { decisionsIn, isGuarded, recordedOutcome } from './recorded-decisions.ts';
import { bearing, recordedExperience } from './recorded-experience.ts';
import { Replayer, type Reproduction } from './replayer.ts';
import { licencesIn, type ReportedLicence } from './report-licences.ts';

/** How often the steward was right, and what each mode would have done (`report --json`). */
export interface Report {
  readonly schemaVersion: 1;
  /** From when on decisions are counted, or null for all of them. */
  readonly since: string | null;
  readonly matter: string | null;
  readonly mode: Mode;
  readonly total: Tally;
  readonly sources: readonly Group[];
  /** By class of what was to be written. */
  readonly classes: readonly Group[];
  readonly decisions: readonly Group[];
  /** By ISO week, oldest first. */
  readonly weeks: readonly Group[];
  readonly modes: readonly ModeTally[];
  readonly advice: readonly Advice[];
  /** What each source has shown on each matter, and what it still lacks to act there by itself. */
  readonly licences: readonly ReportedLicence[];
  readonly cases: readonly ReportedCase[];
}

/** One decision in the report: its event note and what became of it. */
export interface ReportedCase extends Omit<Case, 'at'> {
  readonly time: string;
}

/**
 * Returns the scorecard of a vault, from its notes alone: each event is read once. `since` in epoch ms, or null for all
 * decisions; `matter` limits it to one matter and its tasks. Throws `matter-unknown`.
 */
export async function reportOf(space: Workspace, since: number | null, matter: string | null): Promise<Report> {
  const isAbout = aboutMatter(space.vault, matter);
  const isRecent = ({ name, fields }: EventRecord) => since === null || momentOf(name, fields.timestamp) >= since;
  const cases = await casesOf(space, (event) => isAbout(event) && isRecent(event));
  const mode = modeOf(space.context, null);
  const modes = MODES.map((one) => modeTally(one, cases));
  return {
    schemaVersion: 1,
    since: since === null ? null : iso(since),
    matter,
    mode,
    total: tallyOf(cases),
    sources: groupsOf(cases, (one) => one.sources),
    classes: groupsOf(cases, (one) => [one.class]),
    decisions: groupsOf(cases, (one) => [one.decision]),
    weeks: groupsOf(cases, (one) => [weekOf(one.at)]),
    modes,
    advice: adviceOn(mode, cases, space.context.now()),
    licences: await licencesIn(space, cases),
    cases: cases.map(({ at, ...one }) => ({ ...one, time: iso(at) })),
  };
}

/** How long, at most, a long history blocks everything else. */
const SLICE_MS = 50;

/**
 * The wanted decisions that change something, oldest first, each with what became of it. Lets other work run between.
 */
async function casesOf(space: Workspace, isWanted: (event: EventRecord) => boolean): Promise<Case[]> {
  const looking: Looking = {
    replayer: new Replayer(space),
    observed: new ObservedStates(space),
    experience: recordedExperience(space),
  };
  const cases: Case[] = [];
  let since = performance.now();
  for (const event of decisionsIn(space.vault)) {
    if (isGuarded(event) || Object.keys(event.fields.changes).length === 0 || !isWanted(event)) continue;
    const found = caseOf(space, event, looking);
    if (found !== null) cases.push(found);
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise(setImmediate);
    since = performance.now();
  }
  return cases;
}

/** What it takes to look back at one event after the other. */
interface Looking {
  readonly replayer: Replayer;
  readonly observed: ObservedStates;
  readonly experience: Experience;
}

function caseOf(space: IndexAccess, event: EventRecord, looking: Looking): Case | null {
  const outcome = recordedOutcome(event);
  const at = momentOf(event.name, event.fields.timestamp);
  if (outcome === 'nothing') return null;
  const { fields } = event;
  const names = Object.keys(fields.changes).map((field) => ourName(field, space.context.settings.field_mapping));
  return {
    ...{ event: event.name, at, target: fields.target_path, decision: fields.decision, outcome },
    class: classOf(names.map((field) => ({ field }))),
    sources: bearing(event).toSorted(),
    fate: fateOf({
      ...{ changes: fields.changes, at, acted: outcome === 'acted' },
      ...weekOfSilence(space, event, looking.experience),
      ...answerTo(space, event),
      taught: fields.taught !== null && isOwnNote(space, event) ? fields.taught : null,
      sightings: looking.observed.after(event),
      present: looking.observed.present(event),
    }),
    inMode: outcomesOf(looking.replayer.reproduce(event)),
  };
}

function answerTo(space: IndexAccess, event: EventRecord) {
  const answer = answerOf(space, event);
  if (answer === null) return { answer, reversed: isReversed(space, event) };
  const isDismissed = answer.fields.dismisses !== null;
  return {
    answer: isDismissed ? ('dismissed' as const) : ('confirmed' as const),
    reversed: isReversed(space, event) || (!isDismissed && isReversed(space, answer)),
  };
}

function weekOfSilence(space: IndexAccess, { fields }: EventRecord, experience: Experience) {
  const expires = Date.parse(fields.undo_recipe?.expires_at ?? '');
  return {
    closed: expires <= space.context.now(),
    known: silenceCounts(fields.source_contributions, (source) => experience.before(source, expires)),
  };
}

function outcomesOf(reproduction: Reproduction): Case['inMode'] {
  const outcome = (mode: Mode): Outcome | null =>
    reproduction.ok ? reproduction.under({ ...NO_OVERRIDES, mode }).outcome : null;
  return {
    shadow: outcome('shadow'),
    live_high_confidence_only: outcome('live_high_confidence_only'),
    live: outcome('live'),
  };
}

/** The ISO week of a moment (epoch ms), as `2026-W47`, in UTC. */
function weekOf(at: number): string {
  const day = new Date(at);
  day.setUTCHours(0, 0, 0, 0);
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const week = Math.ceil(((day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7);
  return `${day.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
