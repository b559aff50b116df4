import { SEEN } from '../vault/reading-words.ts';
import type { State } from '../vault/records/values.ts';
import { parseLocalTime } from './local-time.ts';
import { DAY, type Finding, keyOf, WEEK } from './perception.ts';

/** After so many days of being overdue a person is told again; then every thirty. */
const OVERDUE_DAYS = [1, 3, 7, 14, 30];
const THEN_EVERY = 30;
/** After so many weeks without a touch a note counts as silent; then again each time that doubles. */
const SILENT_WEEKS = 6;

/** How long nobody has touched a note that counts as silent (ms). */
export const SILENT_MS = SILENT_WEEKS * WEEK;

/** The milestone that is reached, and how much of the span the next one takes (days, weeks). */
interface Milestone {
  /** 0 where none is reached. */
  readonly step: number;
  readonly next: number;
}

/** Returns the milestone that so many days of being overdue have reached. */
export function overdueMilestone(days: number): Milestone {
  const step = OVERDUE_DAYS.findLast((one) => one <= days) ?? 0;
  const next = OVERDUE_DAYS.find((one) => one > days);
  if (next !== undefined) return { step, next };
  const whole = Math.floor(days / THEN_EVERY) * THEN_EVERY;
  return { step: whole, next: whole + THEN_EVERY };
}

/** Returns the milestone that so many weeks of silence have reached. */
export function silentMilestone(weeks: number): Milestone {
  if (weeks < SILENT_WEEKS) return { step: 0, next: SILENT_WEEKS };
  const step = SILENT_WEEKS * 2 ** Math.floor(Math.log2(weeks / SILENT_WEEKS));
  return { step, next: step * 2 };
}

/** Returns how many calendar days lie between two local days: from the one of `from` to the one of `to` (epoch ms). */
function calendarDays(from: number, to: number): number {
  return Math.round((startOfDay(to) - startOfDay(from)) / DAY);
}

/** Returns the start of the local day so many days after the one of a moment (epoch ms). */
function startOfDay(ms: number, later = 0): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime();
}

/** How long all tasks of a matter have been over before it is asked whether it is, too: another may follow. */
const TASKS_REST_MS = 3 * DAY;

/** What a note shows by itself, and when it would next be something else. */
export interface Perceived {
  /** The most pressing first; empty where it shows nothing. */
  readonly findings: readonly Finding[];
  /** The same for as long as no day has come that matters: a question asked before need not be asked again. */
  readonly stage: string;
  /** The next moment (epoch ms) at which time alone brings another stage; null where none does. */
  readonly next: number | null;
}

/** Returns what a note shows by itself at a moment (epoch ms). LAW: from that moment until `next` the stage is the same. */
export function perceive(sight: Sight, now: number): Perceived {
  const looks = [overdue(sight, now), snooze(sight, now), unblocked(sight), tasksDone(sight, now), silence(sight, now)];
  const findings = looks.flatMap(({ finding }) => (finding === null ? [] : [finding]));
  const upcoming = looks.flatMap(({ next }) => (next === null || next <= now ? [] : [next]));
  return {
    findings,
    stage: [...findings.map(keyOf), ...(isNear(sight, now) ? [`near ${sight.due}`] : [])].join('; '),
    next: upcoming.length === 0 ? null : Math.min(...upcoming),
  };
}

/** What one look found, and when time alone would change that. */
interface Look {
  readonly finding: Finding | null;
  readonly next: number | null;
}

const NOTHING: Look = { finding: null, next: null };

function overdue({ due }: Sight, now: number): Look {
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

function isNear({ due }: Sight, now: number): boolean {
  const at = moment(due);
  return at !== null && now >= nearFrom(at) && calendarDays(at, now) < 1;
}

function snooze({ state, snoozedUntil }: Sight, now: number): Look {
  const at = state === 'snoozed' ? moment(snoozedUntil) : null;
  if (at === null || snoozedUntil === null) return NOTHING;
  if (at > now) return { finding: null, next: at };
  const sentence = SEEN.snoozeOver(snoozedUntil);
  return { finding: { kind: 'snooze_over', of: snoozedUntil, step: 0, since: at, sentence }, next: null };
}

function unblocked({ blockers, blockedOn }: Sight): Look {
  if (blockers.length === 0 || blockers.some(({ isOver }) => !isOver)) return NOTHING;
  const since = Math.max(...blockers.map(({ at }) => at));
  const sentence = SEEN.unblocked(blockers.map(({ name }) => name));
  return { finding: { kind: 'unblocked', of: blockedOn, step: 0, since, sentence }, next: null };
}

function tasksDone({ tasks }: Sight, now: number): Look {
  if (tasks === null || tasks.count === 0 || tasks.open > 0) return NOTHING;
  const at = tasks.restingSince + TASKS_REST_MS;
  if (at > now) return { finding: null, next: at };
  const sentence = SEEN.tasksDone(tasks.count);
  return { finding: { kind: 'tasks_done', of: String(tasks.count), step: 0, since: at, sentence }, next: null };
}

// What has a date ahead, or waits for something that is still open, is silent with good reason.
function silence({ untouchedSince: since, due, scheduled, blockers, of }: Sight, now: number): Look {
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

/** What a note waits for, and whether that is over. */
export interface Blocker {
  readonly name: string;
  readonly isOver: boolean;
  /** When its note last changed (epoch ms). */
  readonly at: number;
}

/** What is known of a note without any signal: its own dates, and what lies around it. */
export interface Sight {
  readonly state: State;
  readonly due: string | null;
  readonly scheduled: string | null;
  readonly snoozedUntil: string | null;
  readonly blockers: readonly Blocker[];
  /** `blocked_on` as text that can be compared. */
  readonly blockedOn: string;
  /** A matter's tasks, and since when (epoch ms) none of them nor the matter has changed; null for a task. */
  readonly tasks: { readonly count: number; readonly open: number; readonly restingSince: number } | null;
  /** When anything last happened to it (epoch ms); null where another note speaks for its silence. */
  readonly untouchedSince: number | null;
  /** The day of that, as text. */
  readonly of: string;
}
