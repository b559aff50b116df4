import { cron } from '../vault/data.ts';
import type { MatterRecord, State, TaskFields } from '../vault/record.ts';
import { endOfLocalDay, isDateOnly, parseLocalTime } from '../vault/time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How often a steward ticks: a period at the matter's own phase, or a cron expression in local time. */
export type Cadence =
  | { readonly kind: 'every'; readonly ms: number }
  | { readonly kind: 'cron'; readonly expression: string };

type ParsedSchedule =
  | { readonly ok: true; readonly cadence: Cadence }
  | { readonly ok: false; readonly reason: string };

const LONGEST = 366 * DAY;
/** The shortest period between ticks: an edited note must be quiet for at least as long before it is judged. */
const SHORTEST = 10 * SECOND;
/** Some moment from which to ask whether a cron expression ever fires: its parser looks eight years ahead. */
const SOME_DAY = Date.UTC(2026, 0, 1);
/** A last firing further in the future than this was stamped by a wrong clock and does not count. */
export const SET_BACK_LIMIT = 7 * DAY;

/** The most characters of a schedule: it is in a line of `status`, and of `run`. */
const MAX_LENGTH = 120;

const TOO_OFTEN = 'fires more often than every 10 s';

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^s(ec(ond)?s?)?$/, SECOND],
  [/^m(in(ute)?s?)?$/, MINUTE],
  [/^h((ou)?rs?)?$/, HOUR],
  [/^d(ays?)?$/, DAY],
  [/^w(eeks?)?$/, 7 * DAY],
];

/**
 * Returns the cadence that a `steward_schedule` or `default_schedule` means, or why it is invalid: `every 30m`,
 * `every 2 hours`, `30m`, or a cron expression (contract, section 3).
 */
export function parseSchedule(text: string): ParsedSchedule {
  if (text.length > MAX_LENGTH) return refused(text, `is longer than ${MAX_LENGTH} characters`);
  const folded = text.trim().toLowerCase();
  const period = /^(?:every\s+)?(\d{1,6}(?:\.\d{1,3})?)?\s*([a-z]+)$/.exec(folded);
  if (period !== null && !isBareUnit(folded)) return parsePeriod(text, Number(period[1] ?? 1), period[2] ?? '');
  const fields = folded.split(/\s+/).length;
  if (!folded.startsWith('@') && fields !== 5 && fields !== 6)
    return refused(text, 'is neither an interval nor a cron expression');
  const fault = cronFault(folded);
  if (fault !== null) return refused(text, `: ${fault}`);
  const cadence: Cadence = { kind: 'cron', expression: folded };
  if (mayNeverFire(folded) && nextCron(folded, SOME_DAY) === null) return refused(text, 'never fires');
  return isTooOften(folded) ? refused(text, TOO_OFTEN) : { ok: true, cadence };
}

// Only a day that some months lack may never come. Most schedules name no day of the month, which saves a long search.
function mayNeverFire(expression: string): boolean {
  const [day, month] = expression.split(/\s+/).slice(-3);
  return !expression.startsWith('@') && day !== '*' && month !== '*';
}

// Only cron expressions with a field for seconds can fire more often than once a minute.
function isTooOften(expression: string): boolean {
  const fields = expression.split(/\s+/);
  if (fields.length !== 6 || /^\d+$/.test(fields[0] ?? '')) return false;
  let at = nextCron(expression, SOME_DAY);
  for (let count = 0; at !== null && count < 60; count += 1) {
    const next = nextCron(expression, at);
    if (next !== null && next - at < SHORTEST) return true;
    at = next;
  }
  return false;
}

/** Returns the first firing strictly after a moment (epoch ms); null if a cron expression never fires again. */
export function nextFire(cadence: Cadence, phase: number, after: number): number | null {
  if (cadence.kind === 'cron') return nextCron(cadence.expression, after);
  const { ms } = cadence;
  const offset = ((phase % ms) + ms) % ms;
  return (Math.floor((after - offset) / ms) + 1) * ms + offset;
}

interface Firing {
  /** The next firing, later than now and than the last one. */
  readonly at: number | null;
  /** True if firings since the last one are due or were slept through: one tick is owed, however many there were. */
  readonly missed: boolean;
}

/**
 * Returns the next firing, and whether one was missed (contract, section 4). `last` is the moment of the last firing,
 * or of the start of the schedule. After the clock was set back, the schedule waits until the last firing has passed
 * again, so that no moment fires twice. More than a week back, the earlier clock was wrong, and the schedule starts
 * over.
 */
export function nextAfter(cadence: Cadence, phase: number, last: number | null, now: number): Firing {
  const fired = last === null || last > now + SET_BACK_LIMIT ? null : last;
  const due = fired === null ? null : nextFire(cadence, phase, fired);
  const missed = due !== null && due <= now;
  return { at: due !== null && !missed ? due : nextFire(cadence, phase, Math.max(fired ?? now, now)), missed };
}

/** The matters of one vault tick within this many ms of each other if their periods are an hour and more. */
const TOGETHER_MS = 15 * MINUTE;

/**
 * Returns a matter's phase in ms. It depends on the vault's id, so that the same matter of many vaults doesn't fire in
 * all of them at once, and on the slug (section 4). Slow matters of one vault fire close together: one wake can serve
 * them all.
 */
export function schedulePhase({ vault, slug }: Pick<OwnPace, 'vault' | 'slug'>, periodMs: number): number {
  if (periodMs <= 0) return 0;
  const spread = isShareable(periodMs) ? TOGETHER_MS : periodMs;
  return (fnv1a(vault) + (fnv1a(slug.normalize('NFC').toLowerCase()) % spread)) % periodMs;
}

/** Whether a tick of this period may be a little late, so that it shares a wake with others. */
export function isShareable(every: number | null): boolean {
  return every !== null && every >= HOUR;
}

/** Returns a period in words: `30 min`, `4 h`, `2 d`. */
function periodWords(ms: number): string {
  const [size, unit] = (
    [
      [DAY, 'd'],
      [HOUR, 'h'],
      [MINUTE, 'min'],
    ] as const
  ).find(([one]) => ms >= one && ms % one === 0) ?? [SECOND, 's'];
  return `${Math.round((ms / size) * 100) / 100} ${unit}`;
}

/** `every day` means every 1 day; `day` alone is invalid. */
function isBareUnit(folded: string): boolean {
  return /^[a-z]+$/.test(folded);
}

function parsePeriod(text: string, count: number, word: string): ParsedSchedule {
  const unit = UNITS.find(([pattern]) => pattern.test(word))?.[1];
  if (unit === undefined) return refused(text, `has no unit of time ("${word}")`);
  const ms = Math.round(count * unit);
  if (ms < SHORTEST) return refused(text, TOO_OFTEN);
  if (ms > LONGEST) return refused(text, 'is longer than a year');
  return { ok: true, cadence: { kind: 'every', ms } };
}

function refused(text: string, fault: string): ParsedSchedule {
  const shown = text.trim().slice(0, 60);
  return { ok: false, reason: `The schedule "${shown}" ${fault}.`.replace('" :', '":') };
}

/** FNV-1a, 32 bits, over UTF-8. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Returns a cadence in words: `every 30 min`, or the cron expression. */
export function cadenceWords(cadence: Cadence): string {
  return cadence.kind === 'every' ? `every ${periodWords(cadence.ms)}` : `cron ${cadence.expression}`;
}

/** Returns the name of a matter's schedule: `steward-<slug>`; the slug is the note's file name. */
export function scheduleName(matter: Pick<MatterRecord, 'name'>): string {
  return `steward-${matter.name}`;
}

const QUIET_PACE = 4 * HOUR;
const TASK_CAP = 24 * HOUR;
const MATTER_CAP = 4 * HOUR;

/**
 * A tick also makes a check that is due up to this many ms later. Judging takes time, so without slack the next check
 * of the same pace could come just before the note is due.
 */
export const SLACK = 30_000;

/** The fields of a task that decide when it is checked next. */
export type TaskTimes = Pick<TaskFields, 'state' | 'surface_class' | 'due' | 'snoozed_until' | 'next_check_after'>;

/** The check of a note of `surface_class: none`: only when it is asked for, or a signal comes. */
const UNASKED: NextCheck = { at: null, every: null, reason: 'none: only on request or for a signal' };

/** Whether a note is looked at by itself; else only if somebody asks for it, or a signal comes (section 4). */
export function comesUp({ surface_class }: Pick<TaskTimes, 'surface_class'>): boolean {
  return surface_class !== 'none';
}

/** How long news about a task waits for more of it (ms): it is evaluated within a minute (contract, section 5). */
export const NEWS_MS = 15_000;

/** Whether a signal for a task is news: it is evaluated soon by itself, and shifts no check. */
export function isNews({ state, next_check_after }: TaskTimes, now: number): boolean {
  return state === 'open' && (momentIn(next_check_after) ?? now) <= now;
}

/** A matter's own schedule, and for how many ticks it has been quiet. */
export interface OwnPace {
  /** The vault's own id. */
  readonly vault: string;
  readonly slug: string;
  readonly cadence: Cadence;
  /** The setting that gives the cadence: `steward_schedule`, `default`. */
  readonly source: string;
  /** True for the default, from which a quiet matter backs off. A person's own schedule is kept as written. */
  readonly backsOff: boolean;
  /** Ticks in a row without a signal. */
  readonly streak: number;
}

/** When a note is checked next, and why then. */
export interface NextCheck {
  /** Epoch milliseconds; null is never. */
  readonly at: number | null;
  /** The period it follows from, in ms; null if the note names a moment. */
  readonly every: number | null;
  /** As `status` and `explain` say it: `high: every 30 min`. */
  readonly reason: string;
}

/**
 * Returns when a task that was checked at `now` is checked next (contract, section 4). `streak` counts the checks in a
 * row that found no signal. A `next_check_after` in the note can put the check off further.
 */
export function nextCheck(task: TaskTimes, streak: number, now: number): NextCheck {
  if (task.state === 'done' || task.state === 'archived')
    return { at: null, every: null, reason: `it is ${task.state}` };
  // A date that a person wrote asks for a look, even if there is no other reason for one.
  const check = snoozedCheck(task, now) ?? (comesUp(task) ? pacedCheck(task, streak, now) : UNASKED);
  return putOff(check, task.next_check_after, now);
}

/** Returns when a matter that was checked at `at` is checked next: when its own schedule fires next. */
export function matterCheck(
  matter: Pick<TaskTimes, 'next_check_after' | 'surface_class'>,
  own: OwnPace,
  at: number,
): NextCheck {
  if (!comesUp(matter)) return putOff(UNASKED, matter.next_check_after, at);
  const { cadence, phase, reason } = presentPace(own);
  const every = cadence.kind === 'every' ? cadence.ms : null;
  return putOff({ at: nextFire(cadence, phase, at), every, reason }, matter.next_check_after, at);
}

/** Returns the cadence that a matter keeps at present, with its phase in ms, and why it keeps it. */
function presentPace(own: OwnPace): { cadence: Cadence; phase: number; reason: string } {
  const cadence = own.backsOff ? matterCadence(own.cadence, own.streak) : own.cadence;
  const phase = cadence.kind === 'every' ? schedulePhase(own, cadence.ms) : 0;
  const isQuiet = own.backsOff && own.streak >= 3 && cadence.kind === 'every';
  const word = isQuiet ? `quiet for ${own.streak} ticks` : own.source;
  return { cadence, phase, reason: `${word}: ${cadenceWords(cadence)}` };
}

/** Returns whether a task asks for more than the ordinary pace: it is high, due within a day, or overdue. */
export function isPressing(task: TaskTimes, now: number): boolean {
  return comesUp(task) && paceIn(task, dueWindow(task), now).every < QUIET_PACE;
}

function putOff(check: NextCheck, until: string | null, now: number): NextCheck {
  const asked = momentIn(until);
  if (asked === null || asked <= now || (check.at !== null && asked <= check.at)) return check;
  return { at: asked, every: null, reason: `not before ${until}, as the note says` };
}

/**
 * Returns a matter's period in ms after `streak` ticks without signals: doubled every third tick, up to 4 h, never
 * below its base.
 */
export function matterPeriod(base: number, streak: number): number {
  return Math.max(base, Math.min(backedOff(base, streak), MATTER_CAP));
}

/** Returns a matter's cadence after `streak` ticks without signals. A cron expression is kept as it is. */
export function matterCadence(cadence: Cadence, streak: number): Cadence {
  return cadence.kind === 'cron' ? cadence : { kind: 'every', ms: matterPeriod(cadence.ms, streak) };
}

/** The check at the end of a snooze; null if the snooze is over or has no end: then the ordinary pace applies. */
function snoozedCheck({ state, snoozed_until }: TaskTimes, now: number): NextCheck | null {
  const until = state === 'snoozed' ? momentIn(snoozed_until) : null;
  if (until === null || until <= now) return null;
  return { at: until, every: null, reason: `snoozed until ${snoozed_until}` };
}

function pacedCheck(task: TaskTimes, streak: number, now: number): NextCheck {
  const window = dueWindow(task);
  const { every, word } = paceIn(task, window, now);
  const period = Math.min(backedOff(every, streak), TASK_CAP);
  const quiet = period === every ? word : quietWords(word, streak);
  const check = { at: now + period, every: period, reason: `${quiet}: every ${periodWords(period)}` };
  const dueSoon = window?.opens ?? null;
  // A quiet task must not sleep past the moment from which it is due within a day.
  if (dueSoon === null || dueSoon <= now || dueSoon >= check.at) return check;
  return { at: dueSoon, every: null, reason: `due ${task.due}: from 24 h before` };
}

/** The table of section 4; if two lines fit, the one with the shorter period. */
function paceIn(
  task: TaskTimes,
  window: Window | null,
  now: number,
): { readonly every: number; readonly word: string } {
  if (task.surface_class === 'high') return { every: 30 * MINUTE, word: 'high' };
  if (window === null || now < window.opens) return { every: QUIET_PACE, word: awakeWord(task) };
  return { every: HOUR, word: now >= window.closes ? 'overdue' : 'due within 24 h' };
}

function awakeWord({ state, snoozed_until }: TaskTimes): string {
  if (state !== 'snoozed') return 'normal';
  return momentIn(snoozed_until) === null ? 'snoozed without a date' : 'snooze over';
}

/** From 24 h before a task is due until it is overdue. */
interface Window {
  readonly opens: number;
  readonly closes: number;
}

/** A date without a time is due all through its local day. */
function dueWindow({ due }: TaskTimes): Window | null {
  const at = momentIn(due);
  if (at === null || due === null) return null;
  return { opens: at - DAY, closes: isDateOnly(due) ? endOfLocalDay(at) : at };
}

/** The base × 2^(streak div 3). The exponent is bounded only so that the figure stays finite. */
function backedOff(base: number, streak: number): number {
  return base * 2 ** Math.min(Math.floor(Math.max(0, streak) / 3), 40);
}

function quietWords(word: string, streak: number): string {
  const quiet = `quiet for ${streak} ticks`;
  return word === 'normal' ? quiet : `${word}, ${quiet}`;
}

function momentIn(text: string | null): number | null {
  return text === null ? null : parseLocalTime(text);
}

/** A matter's own schedule and its history. Moments in epoch milliseconds. */
export interface OwnSchedule extends OwnPace {
  /** When it last fired, even if the tick was skipped; null if it never did. */
  readonly last: number | null;
  /** When a signal last ended the quiet. */
  readonly heard: number | null;
  /** Whether the matter comes up by itself; else it ticks after a signal, until a tick finds no more. */
  readonly comesUp: boolean;
}

/** The next check of an open task. */
export interface TaskCheck extends NextCheck {
  readonly name: string;
  /** Whether the task is high, due within a day or overdue, so that it outranks a matter's rhythm of the same pace. */
  readonly presses: boolean;
}

/** When a steward ticks next, how often, and why. */
export interface Rhythm {
  /** Epoch milliseconds; null is never. */
  readonly at: number | null;
  /** The period (ms) that this moment follows from; null if a note or a cron expression names it. */
  readonly every: number | null;
  readonly cadence: Cadence;
  /** As `status` shows it: `high: every 30 min — pay-deposit`. */
  readonly reason: string;
}

/**
 * Returns when a steward ticks next: at the earliest next check of its matter and the matter's open tasks (contract,
 * section 4). A period in `steward_schedule` is only the slowest rhythm; a pressing task speeds it up. A cron
 * expression is a person's word for when Steward may tick, and is kept. Ticks missed while the machine slept are caught
 * up with one tick now. After the clock was set back, no tick comes before the time of the last one has passed again.
 */
export function planRhythm(own: OwnSchedule, tasks: readonly TaskCheck[], now: number): Rhythm {
  const mine = isAwake(own, tasks) ? ownRhythm(own, now) : { ...ownRhythm(own, now), ...ASLEEP };
  if (own.cadence.kind === 'cron' || waitsForLast(own, mine, now)) return mine;
  const upcoming = tasks.map((task) => ({ ...task, at: caughtUp(task.at, own, mine, now) }));
  const first = upcoming.reduce<TaskCheck | null>((one, other) => (isSooner(other, one) ? other : one), null);
  if (first?.at == null) return mine;
  const at = isBefore(first.at, mine.at) ? first.at : mine.at;
  const every = at === first.at ? first.every : mine.every;
  const isFirsts = mine.at === null || (first.every === null && at === first.at);
  const named = isFirsts ? first : pacing(tasks, mine);
  if (named === null) return { ...mine, at, every };
  const cadence: Cadence = named.every === null ? mine.cadence : { kind: 'every', ms: named.every };
  return { at, every, cadence, reason: `${named.reason} — ${named.name}` };
}

const ASLEEP = { at: null, every: null, reason: 'none: only on request or for a signal' };

// A cron expression says when its tasks are looked at, even if the matter itself does not come up.
function isAwake(own: OwnSchedule, tasks: readonly TaskCheck[]): boolean {
  const isStirred = own.streak === 0 && (own.last !== null || own.heard !== null);
  return own.comesUp || isStirred || (own.cadence.kind === 'cron' && tasks.some(({ at }) => at !== null));
}

// The task whose pace Steward keeps: one quicker than the matter, or a pressing one of the same pace.
function pacing(tasks: readonly TaskCheck[], mine: Rhythm): TaskCheck | null {
  const own = mine.cadence.kind === 'every' ? mine.cadence.ms : 0;
  return tasks.reduce<TaskCheck | null>((one, other) => {
    if (other.at === null || other.every === null) return one;
    const best = one?.every ?? own;
    return other.every < best || (one === null && other.presses && other.every === best) ? other : one;
  }, null);
}

function ownRhythm(own: OwnSchedule, now: number): Rhythm {
  const { cadence, phase, reason } = presentPace(own);
  // A signal that ends the quiet is weighed when the ordinary pace fires next, not at once.
  const since = own.heard !== null && own.heard <= now ? Math.max(own.heard, own.last ?? own.heard) : own.last;
  const { at, missed } = nextAfter(cadence, phase, since, now);
  return { at: missed ? now : at, every: cadence.kind === 'every' ? cadence.ms : null, cadence, reason };
}

// After the clock was set back, the matter fires next after its last tick. A last tick stamped by a clock far ahead
// does not count: `nextAfter` ignores it.
function waitsForLast({ last }: OwnSchedule, mine: Rhythm, now: number): boolean {
  return last !== null && last > now && mine.at !== null && mine.at > last;
}

function isSooner(one: TaskCheck, other: TaskCheck | null): boolean {
  if (one.at === null) return false;
  return other?.at == null || one.at < other.at || (one.at === other.at && (one.every ?? 0) < (other.every ?? 0));
}

// Within the slack, one tick serves both.
function isBefore(at: number, mine: number | null): boolean {
  return mine === null || at < mine - SLACK;
}

// An overdue check is caught up once, now. One that the last tick already tried waits for the matter's own pace.
function caughtUp(at: number | null, own: OwnSchedule, mine: Rhythm, now: number): number | null {
  if (at === null || at > now) return at;
  return own.last === null || own.last < at ? now : mine.at;
}

/** Why a note was not judged, in one word for programs. */
export type SkipCode =
  | 'vault-away'
  | 'hands-off'
  | 'finished'
  | 'quiet-hours'
  | 'not-due'
  | 'no-signals'
  | 'settling'
  | 'rate-guarded'
  | 'budget'
  | 'unasked'
  | 'running';

/** Why a note was not judged. */
export interface Skip {
  readonly code: SkipCode;
  /** For people: `not due: normal: every 4 h`. */
  readonly reason: string;
  /** Until when, as far as this is known (epoch ms). */
  readonly until?: number;
}

/** Everything that decides whether a note is judged now. */
interface TickConditions {
  /** Why the vault is away, or null. */
  readonly away: string | null;
  /** Why Steward keeps its hands off the note, such as `steward: false`; null if it doesn't. */
  readonly handsOff: string | null;
  readonly state: State;
  /** Whether a person asked for a tick of notes that are not due, too. */
  readonly force: boolean;
  readonly quietHours: boolean;
  readonly check: NextCheck;
  readonly signals: number;
  /** How many more wait of sources that it ignores. */
  readonly silenced: number;
  /** When the note will have been quiet for the settle window, in epoch ms. */
  readonly settledAt: number;
  /** Why the rate guard or the budget refuses, or null if there is room. */
  readonly refusal: Skip | null;
  readonly now: number;
}

/** Returns the first reason why a note is not judged now, in the order of a tick (section 5); null if it is judged. */
export function findSkip(conditions: TickConditions): Skip | null {
  return notLookedAt(conditions) ?? notJudged(conditions);
}

/** Returns why a note is not even looked at, so that its cursor stays in place; null if it is looked at. */
export function notLookedAt(
  conditions: Omit<TickConditions, 'signals' | 'silenced' | 'settledAt' | 'refusal'>,
): Skip | null {
  if (conditions.away !== null) return { code: 'vault-away', reason: `the vault is away: ${conditions.away}` };
  if (conditions.handsOff !== null) return { code: 'hands-off', reason: conditions.handsOff };
  if (conditions.state === 'done' || conditions.state === 'archived')
    return { code: 'finished', reason: `it is ${conditions.state}` };
  if (conditions.force) return null;
  if (conditions.quietHours) return { code: 'quiet-hours', reason: 'quiet hours' };
  const { at, reason } = conditions.check;
  if (at !== null && at <= conditions.now + SLACK) return null;
  return { code: 'not-due', reason: `not due: ${reason}`, ...(at !== null && { until: at }) };
}

function notJudged({ signals, silenced, settledAt, refusal, now }: TickConditions): Skip | null {
  if (signals === 0) return noSignals(silenced);
  return settledAt > now ? settlingUntil(settledAt) : refusal;
}

/** Returns that no fresh signal waits for the note, but for those of sources that it ignores. */
export function noSignals(silenced: number): Skip {
  const others = silenced === 0 ? '' : ` (${silenced} of ${silenced === 1 ? 'a source' : 'sources'} ignored here)`;
  return { code: 'no-signals', reason: `no signals${others}` };
}

/** Returns that somebody has just edited the note, which is checked once it has been quiet (`until`: epoch ms). */
export function settlingUntil(until: number): Skip {
  return { code: 'settling', reason: 'settling: it was just edited', until };
}

/** The reasons that a person may want to act on. The others are in the ordinary course of things. */
const REMARKABLE: readonly SkipCode[] = ['vault-away', 'budget', 'rate-guarded', 'unasked', 'settling', 'quiet-hours'];

/** Whether a note was skipped for a reason out of the ordinary. */
export function isRemarkable({ code }: Skip): boolean {
  return REMARKABLE.includes(code);
}

/** From what a person most needs to know to what is ordinary. */
const TELLING: readonly SkipCode[] = [
  ...(['vault-away', 'budget', 'rate-guarded', 'unasked', 'settling', 'running', 'quiet-hours'] as const),
  ...(['no-signals', 'not-due', 'hands-off', 'finished'] as const),
];

/** Returns the most telling of the reasons why notes were skipped; null if there are no reasons. */
export function mostTelling(skips: readonly Skip[]): Skip | null {
  return skips.toSorted((one, other) => TELLING.indexOf(one.code) - TELLING.indexOf(other.code))[0] ?? null;
}

/** Longer than clocks were ever moved at once: a whole day, where islands crossed the date line. */
const LONGEST_GAP = 25 * HOUR;

/** Returns what is wrong with a cron expression (five or six fields, or a name like `@daily`); null if it is valid. */
function cronFault(expression: string): string | null {
  const { valid, error } = cron().CronTime.validateCronExpression(expression);
  return valid ? null : (error?.message ?? 'cannot be read');
}

/**
 * Returns the first firing of a cron expression after a moment (both epoch ms), in local time; null if it never fires.
 *
 * The expression is applied to the clock on the wall, without a time zone, and the zone then says which moment that is.
 * A wall time that comes twice in autumn fires the first time only; one that spring skips fires at the change. An
 * expression for every hour also fires in the hour that comes twice, both times, and has no firing to catch up in
 * spring.
 */
export function nextCron(expression: string, after: number): number | null {
  const { CronTime } = cron(); // outside of the try: a package that can't be loaded is no fault of the expression
  const next = (wall: number) => new CronTime(expression, 'UTC').getNextDateFrom(new Date(wall), 'UTC').toMillis();
  try {
    return isEveryHour(expression) ? firstInAnyHour(next, after) : firstAfter(next, after);
  } catch {
    return null; // CronTime found no date within its eight years, such as 30 February
  }
}

function isEveryHour(expression: string): boolean {
  const [hour = ''] = expression.split(/\s+/).slice(-4);
  return expression === '@hourly' || /^(?:\*(?:\/1)?|0-23)$/.test(hour);
}

function firstInAnyHour(next: (wall: number) => number, after: number): number {
  const wall = next(wallOf(after));
  const before = offsetAt(after);
  const moment = wall - before;
  const now = offsetAt(moment);
  if (now === before) return moment;
  if (moment - after > LONGEST_GAP) return momentOf(wall);
  return next(changeBefore(moment) + now - SECOND) - now;
}

function firstAfter(next: (wall: number) => number, after: number): number {
  const moment = momentOf(next(wallOf(after)));
  if (moment > after) return moment;
  // `after` is in the hour that comes twice, and all of it has fired already: search on from the end of that hour.
  const change = changeBefore(after);
  return momentOf(next(change + offsetAt(change - 1) - SECOND));
}

/** The wall clock's time at a moment, as if it were UTC. */
function wallOf(moment: number): number {
  const local = new Date(moment);
  const day = [local.getFullYear(), local.getMonth(), local.getDate()] as const;
  return Date.UTC(...day, local.getHours(), local.getMinutes(), local.getSeconds(), local.getMilliseconds());
}

/**
 * The first moment at which the clock on the wall shows this time; for a time that is skipped, the moment of the
 * change.
 */
function momentOf(wall: number): number {
  const read = new Date(wall);
  const day = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate()] as const;
  const moment = new Date(...day, read.getUTCHours(), read.getUTCMinutes(), read.getUTCSeconds()).getTime();
  return wallOf(moment) === wall ? moment : changeBefore(moment);
}

/** The latest change of the zone's offset before a moment, by binary search. */
function changeBefore(moment: number): number {
  const offset = offsetAt(moment);
  let [before, after] = [moment - LONGEST_GAP, moment];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

function offsetAt(moment: number): number {
  return wallOf(moment) - moment;
}
