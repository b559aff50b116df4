import type { MatterRecord } from '../../vault/index/record.ts';
import { cronFault, nextCron } from './cron-time.ts';

/** How often a steward ticks: a period at the matter's own phase, or a cron expression in local time. */
export type Cadence =
  | { readonly kind: 'every'; readonly ms: number }
  | { readonly kind: 'cron'; readonly expression: string };

type ParsedSchedule =
  | { readonly ok: true; readonly cadence: Cadence }
  | { readonly ok: false; readonly reason: string };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LONGEST = 366 * DAY;
/** The shortest period between ticks: an edited note must be quiet for at least as long before it is judged. */
const SHORTEST = 10 * SECOND;
/** Some moment from which to ask whether a cron expression ever fires: its parser looks eight years ahead. */
const SOME_DAY = Date.UTC(2026, 0, 1);
/** A last firing further in the future than this was stamped by a wrong clock and does not count. */
export const SET_BACK_LIMIT = 7 * DAY;

/** The most characters of a schedule: it stands in a line of `status`, and of `run`. */
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
 * Returns the cadence that a `steward_schedule` or `default_schedule` means, or why it means none: `every 30m`,
 * `every 2 hours`, `30m`, or a cron expression (contract, section 3).
 */
export function parseSchedule(text: string): ParsedSchedule {
  if (text.length > MAX_LENGTH) return refused(text, `is longer than ${MAX_LENGTH} characters`);
  const folded = text.trim().toLowerCase();
  const period = /^(?:every\s+)?(\d{1,6}(?:\.\d{1,3})?)?\s*([a-z]+)$/.exec(folded);
  if (period !== null && !isBareUnit(folded)) return parsePeriod(text, Number(period[1] ?? 1), period[2] ?? '');
  const fields = folded.split(/\s+/).length;
  if (!folded.startsWith('@') && fields !== 5 && fields !== 6)
    return refused(text, 'is no period and no cron expression');
  const fault = cronFault(folded);
  if (fault !== null) return refused(text, `: ${fault}`);
  const cadence: Cadence = { kind: 'cron', expression: folded };
  if (mayNeverFire(folded) && nextCron(folded, SOME_DAY) === null) return refused(text, 'never fires');
  return isTooOften(folded) ? refused(text, TOO_OFTEN) : { ok: true, cadence };
}

// Only a day of the month that some months lack may never come. Most schedules name none, which saves a long search.
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

/** Returns the first firing strictly after a moment (epoch ms); null where a cron expression never fires again. */
export function nextFire(cadence: Cadence, phase: number, after: number): number | null {
  if (cadence.kind === 'cron') return nextCron(cadence.expression, after);
  const { ms } = cadence;
  const offset = ((phase % ms) + ms) % ms;
  return (Math.floor((after - offset) / ms) + 1) * ms + offset;
}

interface Firing {
  /** The next firing, later than now and than the last one. */
  readonly at: number | null;
  /** True where firings since the last one are due or were slept through: one tick is owed, however many there were. */
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
  return { at: nextFire(cadence, phase, Math.max(fired ?? now, now)), missed: due !== null && due <= now };
}

/**
 * Returns a matter's phase in ms. It depends on the slug alone, so that matters of one period do not all fire at once
 * (section 4).
 */
export function phaseOf(slug: string, periodMs: number): number {
  return periodMs > 0 ? fnv1a(slug.normalize('NFC').toLowerCase()) % periodMs : 0;
}

/** Returns a period in words: `30 min`, `4 h`, `2 d`. */
export function periodWords(ms: number): string {
  const [size, unit] = (
    [
      [DAY, 'd'],
      [HOUR, 'h'],
      [MINUTE, 'min'],
    ] as const
  ).find(([one]) => ms >= one && ms % one === 0) ?? [SECOND, 's'];
  return `${Math.round((ms / size) * 100) / 100} ${unit}`;
}

/** `every day` means every 1 day; `day` alone means nothing. */
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

/** FNV-1a, 32 bits, over UTF-8. Most names are their own bytes: encoding one takes ten times as long as all the rest. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return fnv1aOf(new TextEncoder().encode(text));
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

function fnv1aOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Returns a cadence in words: `every 30 min`, or the cron expression. */
export function cadenceWords(cadence: Cadence): string {
  return cadence.kind === 'every' ? `every ${periodWords(cadence.ms)}` : `cron ${cadence.expression}`;
}

/** Returns the name of a matter's schedule: `steward-<slug>`, where the slug is the note's file name. */
export function scheduleName(matter: Pick<MatterRecord, 'name'>): string {
  return `steward-${matter.name}`;
}
