import { z } from 'zod';
import { SEEN } from '../vault/event-text.ts';
import { monthName } from '../vault/note-text.ts';
import type { State } from '../vault/record.ts';
import { parseLocalTime } from '../vault/time.ts';
import { FINDING_KINDS, type FindingKind, findingKey, type NoteFinding } from './proposals.ts';

/**
 * Returns a local day as people say it: `4 November`, with the year if it is another one. It stays true on later days.
 */
export function dayWords(ms: number, now: number): string {
  const [at, today] = [new Date(ms), new Date(now)];
  const year = at.getFullYear() === today.getFullYear() ? '' : ` ${at.getFullYear()}`;
  return `${at.getDate()} ${monthName(at.getMonth())}${year}`;
}

/** A day, in ms. */
const DAY = 24 * 60 * 60 * 1000;
/** A week, in ms. */
const WEEK = 7 * DAY;

export const seen = z.lazy(() =>
  z.object({
    /** When it was looked at, and when time alone brings another stage (epoch ms); null if it never does. */
    at: z.number(),
    next: z.number().nullable(),
    /** The stamp of the look: the same for as long as neither the note nor its surroundings have changed. */
    stamp: z.string(),
    stage: z.string(),
    isHigh: z.boolean(),
    /** The most pressing finding; null if there is no finding. */
    found: z.object({ kind: z.enum(FINDING_KINDS), of: z.string(), step: z.number(), since: z.number() }).nullable(),
    /** The key of the finding that was last put to a person, or need not be. */
    told: z.string().nullable(),
    /**
     * The last question to a model, and its local day: stamp, stage, and fingerprint of note, matter and stage. The
     * stamp is '' if the provider did not take the question: it is asked again on another day.
     */
    judged: z.object({ date: z.string(), stamp: z.string(), stage: z.string(), print: z.string() }).nullable(),
  }),
);
export type SeenNote = z.infer<typeof seen>;

/** The pace of perception. The findings themselves are in the event notes. */
export const perceptionState = z.lazy(() =>
  z.object({
    /** When the program first looked at a note of this vault without a signal (epoch ms); null before. */
    since: z.number().nullable(),
    /** The local day, and how many entries it has brought and questions to a model it has taken. */
    day: z.object({ date: z.string(), entries: z.number().int().min(0), questions: z.number().int().min(0) }),
  }),
);
export type PerceptionState = z.infer<typeof perceptionState>;

/** Returns what is remembered before the first look. */
export function emptyPerception(): PerceptionState {
  return { since: null, day: { date: '', entries: 0, questions: 0 } };
}

/** How many new entries a day brings at most, and how many questions to a model: else an old vault buries its owner. */
export const MOST_A_DAY = { entries: 12, questions: 24 } as const;

/** On a vault that it meets for the first time, the program first looks around before it says what is most pressing. */
export const LOOK_AROUND_MS = 30 * 60 * 1000;

/** How far a clock may have been set back for its day to count still: beyond, a wrong clock has booked it. */
const SET_BACK_MS = WEEK;

// A clock set back gets no second portion of a day.
function isOtherDay(booked: string, date: string): boolean {
  return booked < date || Date.parse(booked) - Date.parse(date) > SET_BACK_MS;
}

/** Returns how much room a day has left. `date`: the local day. */
export function roomOn(
  { day }: PerceptionState,
  date: string,
): { readonly entries: number; readonly questions: number } {
  if (isOtherDay(day.date, date)) return MOST_A_DAY;
  return {
    entries: Math.max(0, MOST_A_DAY.entries - day.entries),
    questions: Math.max(0, MOST_A_DAY.questions - day.questions),
  };
}

/** Returns the day's account with one more entry or question. */
export function booked({ day }: PerceptionState, date: string, what: keyof typeof MOST_A_DAY): PerceptionState['day'] {
  const current = isOtherDay(day.date, date) ? { date, entries: 0, questions: 0 } : day;
  return { ...current, [what]: current[what] + 1 };
}

/** Whether a look found something that a person has not been told. */
export function isUntold({ found, told }: SeenNote): boolean {
  return found !== null && findingKey(found) !== told;
}

/** Whether a model is to be asked about a note. A note that is not high is asked about once a local day (`date`). */
export function isUnjudged({ found, isHigh, judged, stamp, stage }: SeenNote, date: string): boolean {
  if (found === null && !isHigh) return false;
  if (judged === null) return true;
  if (judged.stamp === '') return judged.date !== date;
  return (judged.stamp !== stamp || judged.stage !== stage) && (isHigh || judged.date !== date);
}

/** Orders the findings: high notes first, then by kind, then by age. */
export function byPressure(one: SeenNote, other: SeenNote): number {
  return (
    Number(other.isHigh) - Number(one.isHigh) ||
    rankOf(one.found?.kind) - rankOf(other.found?.kind) ||
    (one.found?.since ?? 0) - (other.found?.since ?? 0)
  );
}

function rankOf(kind: FindingKind | undefined): number {
  return kind === undefined ? FINDING_KINDS.length : FINDING_KINDS.indexOf(kind);
}

/** A person is reminded after this many days of being overdue; then every thirty. */
const OVERDUE_DAYS = [1, 3, 7, 14, 30];
const THEN_EVERY = 30;
/** After so many weeks without a touch a note counts as silent; then again each time that doubles. */
const SILENT_WEEKS = 6;

/** The time without a touch after which a note counts as silent (ms). */
export const SILENT_MS = SILENT_WEEKS * WEEK;

/** The milestone that is reached, and how much of the span the next one takes (days, weeks). */
interface Milestone {
  /** 0 before the first. */
  readonly step: number;
  readonly next: number;
}

/** Returns the milestone that this many days of being overdue have reached. */
export function overdueMilestone(days: number): Milestone {
  const step = OVERDUE_DAYS.findLast((one) => one <= days) ?? 0;
  const next = OVERDUE_DAYS.find((one) => one > days);
  if (next !== undefined) return { step, next };
  const whole = Math.floor(days / THEN_EVERY) * THEN_EVERY;
  return { step: whole, next: whole + THEN_EVERY };
}

/** Returns the milestone that this many weeks of silence have reached. */
export function silentMilestone(weeks: number): Milestone {
  if (weeks < SILENT_WEEKS) return { step: 0, next: SILENT_WEEKS };
  const step = SILENT_WEEKS * 2 ** Math.floor(Math.log2(weeks / SILENT_WEEKS));
  return { step, next: step * 2 };
}

/** Returns how many calendar days are between two local days: from the one of `from` to the one of `to` (epoch ms). */
function calendarDays(from: number, to: number): number {
  return Math.round((startOfDay(to) - startOfDay(from)) / DAY);
}

/** Returns the start of the local day this many days after the one of a moment (epoch ms). */
function startOfDay(ms: number, later = 0): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime();
}

/** How long all tasks of a matter have been over before it is asked whether it is, too: another may follow. */
const TASKS_REST_MS = 3 * DAY;

/** The findings at a note, and when they would next be others. */
export interface Perception {
  /** The most pressing first; may be empty. */
  readonly findings: readonly NoteFinding[];
  /** The same for as long as no day has come that matters: a question asked before need not be asked again. */
  readonly stage: string;
  /** The next moment (epoch ms) at which time alone brings another stage; null if it never does. */
  readonly next: number | null;
}

/** Returns what a note shows by itself at a moment (epoch ms). LAW: from that moment until `next` the stage is the same. */
export function perceive(sight: NoteSight, now: number): Perception {
  const looks = [overdue(sight, now), snooze(sight, now), unblocked(sight), tasksDone(sight, now), silence(sight, now)];
  const findings = looks.flatMap(({ finding }) => (finding === null ? [] : [finding]));
  const upcoming = looks.flatMap(({ next }) => (next === null || next <= now ? [] : [next]));
  return {
    findings,
    stage: [...findings.map(findingKey), ...(isNear(sight, now) ? [`near ${sight.due}`] : [])].join('; '),
    next: upcoming.length === 0 ? null : Math.min(...upcoming),
  };
}

interface Look {
  readonly finding: NoteFinding | null;
  readonly next: number | null;
}

const NOTHING: Look = { finding: null, next: null };

function overdue({ due }: NoteSight, now: number): Look {
  const at = moment(due);
  if (at === null || due === null) return NOTHING;
  const days = calendarDays(at, now);
  if (days < 1) return { finding: null, next: now < nearFrom(at) ? nearFrom(at) : startOfDay(at, 1) };
  const { step, next } = overdueMilestone(days);
  const sentence = SEEN.overdue(days, due);
  return {
    finding: { kind: 'overdue', of: due, step, since: startOfDay(at, 1), sentence },
    next: startOfDay(at, next),
  };
}

/** From the day before on, what is due is near: a model may see something that the rules do not. */
function nearFrom(at: number): number {
  return startOfDay(at, -1);
}

function isNear({ due }: NoteSight, now: number): boolean {
  const at = moment(due);
  return at !== null && now >= nearFrom(at) && calendarDays(at, now) < 1;
}

function snooze({ state, snoozedUntil }: NoteSight, now: number): Look {
  const at = state === 'snoozed' ? moment(snoozedUntil) : null;
  if (at === null || snoozedUntil === null) return NOTHING;
  if (at > now) return { finding: null, next: at };
  const sentence = SEEN.snoozeOver(snoozedUntil);
  return { finding: { kind: 'snooze_over', of: snoozedUntil, step: 0, since: at, sentence }, next: null };
}

function unblocked({ blockers, blockedOn }: NoteSight): Look {
  if (blockers.length === 0 || blockers.some(({ isOver }) => !isOver)) return NOTHING;
  const since = Math.max(...blockers.map(({ at }) => at));
  const sentence = SEEN.unblocked(blockers.map(({ name }) => name));
  return { finding: { kind: 'unblocked', of: blockedOn, step: 0, since, sentence }, next: null };
}

function tasksDone({ tasks }: NoteSight, now: number): Look {
  if (tasks === null || tasks.count === 0 || tasks.open > 0) return NOTHING;
  const at = tasks.restingSince + TASKS_REST_MS;
  if (at > now) return { finding: null, next: at };
  const sentence = SEEN.tasksDone(tasks.count);
  return { finding: { kind: 'tasks_done', of: String(tasks.count), step: 0, since: at, sentence }, next: null };
}

// A note with a date ahead, or with an open blocker, is silent with good reason.
function silence({ untouchedSince: since, due, scheduled, blockers, of }: NoteSight, now: number): Look {
  if (since === null) return NOTHING;
  const ahead = [due, scheduled].flatMap((text) => moment(text) ?? []).filter((at) => startOfDay(at, 1) > now);
  if (ahead.length > 0) return { finding: null, next: startOfDay(Math.max(...ahead), 1) };
  if (blockers.some(({ isOver }) => !isOver)) return NOTHING;
  const weeks = Math.floor((now - since) / WEEK);
  const { step, next } = silentMilestone(weeks);
  if (step === 0) return { finding: null, next: since + SILENT_MS };
  const sentence = SEEN.silent(weeks);
  return { finding: { kind: 'silent', of, step, since, sentence }, next: since + next * WEEK };
}

function moment(text: string | null): number | null {
  return text === null ? null : parseLocalTime(text);
}

/** A blocker of a note, and whether that is over. */
export interface Blocker {
  readonly name: string;
  readonly isOver: boolean;
  /** When its note last changed (epoch ms). */
  readonly at: number;
}

/** The known facts about a note without any signal: its own dates, and its surroundings. */
export interface NoteSight {
  readonly state: State;
  readonly due: string | null;
  readonly scheduled: string | null;
  readonly snoozedUntil: string | null;
  readonly blockers: readonly Blocker[];
  /** `blocked_on` as text that can be compared. */
  readonly blockedOn: string;
  /** A matter's tasks, and since when (epoch ms) neither the matter nor a task of it has changed; null for a task. */
  readonly tasks: { readonly count: number; readonly open: number; readonly restingSince: number } | null;
  /** When anything last happened to it (epoch ms); null if another note speaks for its silence. */
  readonly untouchedSince: number | null;
  /** The day of that, as text. */
  readonly of: string;
}
