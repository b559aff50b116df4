import { monthName } from '../../vault/notes/day-words.ts';
import { localDate } from '../../vault/time.ts';
import { ASKED } from '../../vault/words/perception-words.ts';

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
