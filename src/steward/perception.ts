import { z } from 'zod';
import { monthName } from '../vault/notes.ts';
import { ASKED } from '../vault/reading-words.ts';
import { localDate } from '../vault/time.ts';

/** What a note can show by itself, the most pressing first. */
export const FINDING_KINDS = ['overdue', 'snooze_over', 'unblocked', 'tasks_done', 'silent'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** What a note shows by itself at one moment, without any signal. */
export interface Finding {
  readonly kind: FindingKind;
  /** What of the note it rests on: a due date, the end of a snooze. Where that changes, it is another finding. */
  readonly of: string;
  /** The milestone that is reached: days of being overdue, weeks of silence; 0 where there is only one. */
  readonly step: number;
  /** From when on it holds (epoch ms). */
  readonly since: number;
  readonly sentence: string;
}

/** Returns a finding as one text: the same for as long as it is nothing new to a person. */
export function keyOf({ kind, step, of }: Pick<Finding, 'kind' | 'step' | 'of'>): string {
  return `${kind} ${step} ${of}`;
}

/** Returns which finding a key stands for and what it rests on; null for what a model found. */
export function readKey(key: string): { readonly kind: FindingKind; readonly of: string } | null {
  const [word, , ...of] = key.split(' ');
  const kind = FINDING_KINDS.find((one) => one === word);
  return kind === undefined ? null : { kind, of: of.join(' ') };
}

/** Returns the key of what a model found: about a note, its matter and a day that had this fingerprint. */
export function judgedKey(print: string): string {
  return `judged ${print.slice(0, 16)}`;
}

/** What follows from a finding: something to decide, or a note that may have had its time. Never an act. */
interface Ruling {
  readonly decision: 'needs_input' | 'stale_archive_candidate';
  readonly confidence: number;
  readonly reasoning: string;
}

/** How sure it is that a note has had its time, only because it has been silent for weeks. */
const SILENT_IS_STALE = 0.6;

/** Returns what the rules make of all that a note shows, and of whom was last heard; null where it shows nothing. */
export function rulingOn(findings: readonly Finding[], heard: string | null): Ruling | null {
  const [first] = findings;
  if (first === undefined) return null;
  const said = [...findings.map(({ sentence }) => sentence), ...(heard === null ? [] : [heard])];
  const isStale = first.kind === 'silent';
  return {
    decision: isStale ? 'stale_archive_candidate' : 'needs_input',
    confidence: isStale ? SILENT_IS_STALE : 1,
    reasoning: [...said, ASKED[first.kind]].join(' '),
  };
}

/** Returns a local day as people say it: `4 November`, with the year where it is another one. */
export function dayWords(ms: number, now: number): string {
  const [at, today] = [new Date(ms), new Date(now)];
  const year = at.getFullYear() === today.getFullYear() ? '' : ` ${at.getFullYear()}`;
  return localDate(ms) === localDate(now) ? 'today' : `${at.getDate()} ${monthName(at.getMonth())}${year}`;
}

/** A day, in ms. */
export const DAY = 24 * 60 * 60 * 1000;
/** A week, in ms. */
export const WEEK = 7 * DAY;

/** What the last look at a note found. */
export const seen = z.lazy(() =>
  z.object({
    /** When it was looked at, and when time alone brings something else (epoch ms); null where it never does. */
    at: z.number(),
    next: z.number().nullable(),
    /** What the look depended on: the same for as long as neither the note nor what lies around it has changed. */
    stamp: z.string(),
    stage: z.string(),
    isHigh: z.boolean(),
    /** The most pressing finding; null where the note shows nothing. */
    found: z.object({ kind: z.enum(FINDING_KINDS), of: z.string(), step: z.number(), since: z.number() }).nullable(),
    /** The key of the finding that was last put to a person, or need not be. */
    told: z.string().nullable(),
    /**
     * What a model was last asked about, and on which local day: stamp, stage, and fingerprint of note, matter and stage.
     * The stamp is '' where the provider did not take the question: it is asked again on another day.
     */
    judged: z.object({ date: z.string(), stamp: z.string(), stage: z.string(), print: z.string() }).nullable(),
  }),
);
export type Seen = z.infer<typeof seen>;

/** The pace of perception. What was found stands in the event notes. */
export const perceptionState = z.lazy(() =>
  z.object({
    /** When the program first looked at a note of this vault without a signal (epoch ms); null before. */
    since: z.number().nullable(),
    /** The local day, and how many entries it has brought and questions to a model it has taken. */
    day: z.object({ date: z.string(), entries: z.number().int().min(0), questions: z.number().int().min(0) }),
    /** What was found at each note, and when each was last touched: earlier versions kept them here. */
    notes: z.record(z.string(), seen).optional(),
    touched: z.record(z.string(), z.number()).optional(),
  }),
);
type PerceptionState = z.infer<typeof perceptionState>;

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
export function isUntold({ found, told }: Seen): boolean {
  return found !== null && keyOf(found) !== told;
}

/** Whether a model is to be asked about a note. Where it is not high, once on a local day (`date`) is often enough. */
export function isUnjudged({ found, isHigh, judged, stamp, stage }: Seen, date: string): boolean {
  if (found === null && !isHigh) return false;
  if (judged === null) return true;
  if (judged.stamp === '') return judged.date !== date;
  return (judged.stamp !== stamp || judged.stage !== stage) && (isHigh || judged.date !== date);
}

/** Orders what was seen: high notes first, then by kind, then what has held for longest. */
export function byPressure(one: Seen, other: Seen): number {
  return (
    Number(other.isHigh) - Number(one.isHigh) ||
    rankOf(one.found?.kind) - rankOf(other.found?.kind) ||
    (one.found?.since ?? 0) - (other.found?.since ?? 0)
  );
}

function rankOf(kind: FindingKind | undefined): number {
  return kind === undefined ? FINDING_KINDS.length : FINDING_KINDS.indexOf(kind);
}
