import { z } from 'zod';
import type { StreamEvent } from '../steward/types.ts';
import { AUTHENTICATION_RESULTS } from '../vault/record.ts';
import { PAST_SOURCES } from './note-past.ts';
import { rehearsedChange } from './rehearsal-evaluation.ts';
import { computeShare } from './report.ts';

/** An event of a file, with its moment. */
export interface GatheredEvent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly event: StreamEvent;
  readonly file: string;
  readonly place: string | null;
}

/** One event, and one thing that Steward would have done about it, or has missed. */
export const rehearsedCase = z
  .object({
    /** When the event happened: ISO, UTC. */
    at: z.string(),
    /** The sender as shown, and as what is learnt about it is called. */
    from: z.string().nullable(),
    source: z.string(),
    authenticated: z.enum(AUTHENTICATION_RESULTS),
    subject: z.string(),
    /** The absolute path of its file, or the name of its source; and where in it the event is, null if it is the whole file. */
    file: z.string(),
    place: z.string().nullable(),
    would: z.enum(['applied', 'proposed', 'asked', 'missed']),
    /** The notes that it could be about, the likeliest first. */
    notes: z.array(z.string()).readonly(),
    /** The name of the matter; null without a matter. */
    matter: z.string().nullable(),
    change: rehearsedChange.nullable(),
    /** The change in one line. */
    words: z.string(),
    /** The sentence that it rests on. */
    quote: z.string(),
    confidence: z.number(),
    /** Why it would only have been proposed, most serious first; why nothing was read in a missed one. */
    why: z.array(z.string()).readonly(),
    needsLicenceOnly: z.boolean(),
    verdict: z.enum(['right', 'wrong', 'unknown', 'missed']),
    reason: z.string(),
    /** When the user did it: ISO; null if they didn't, or it isn't known. */
    doneAt: z.string().nullable(),
    by: z.enum(PAST_SOURCES).nullable(),
    /** Whether its sender had said the same within fourteen days before: it isn't counted again. */
    isRepeat: z.boolean(),
  })
  .readonly();
export type RehearsedCase = z.infer<typeof rehearsedCase>;

export interface TallyRow {
  readonly name: string;
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly unknown: number;
  /** The share of right ones among those that are known to be right or wrong; null if they are too few for a figure. */
  readonly share: ReturnType<typeof computeShare>;
}

/** The outcome of all cases. If a source says the same twice within fourteen days, it is counted once. */
export interface RehearsalTally {
  readonly total: TallyRow;
  readonly byWould: readonly TallyRow[];
  readonly bySender: readonly TallyRow[];
  readonly byMatter: readonly TallyRow[];
  readonly byKind: readonly TallyRow[];
}

/** From what touches notes most to what touches them least. */
const WOULD = ['applied', 'proposed', 'asked'] as const;

/** Fewer known cases give no figure. */
export const FEWEST_CASES = 10;

/** Returns the cases that count: those with a change that their sender has not said before. */
export function countedCases(cases: readonly RehearsedCase[]): readonly RehearsedCase[] {
  return cases.filter(({ change, isRepeat }) => change !== null && !isRepeat);
}

/** Returns what became of some cases, in total and by what they have in common. */
export function tallyCases(cases: readonly RehearsedCase[]): RehearsalTally {
  const counted = countedCases(cases);
  const by = (name: (one: RehearsedCase) => string) =>
    [...Map.groupBy(counted, name)]
      .map(([group, own]) => rowOf(group, own))
      .toSorted((one, other) => sizeOf(other) - sizeOf(one) || (one.name < other.name ? -1 : 1));
  return {
    total: rowOf('all', counted),
    byWould: WOULD.flatMap((would) => by(({ would: one }) => one).find(({ name }) => name === would) ?? []),
    bySender: by(({ source }) => source),
    byMatter: by(({ matter }) => matter ?? 'no matter'),
    byKind: by(({ change }) => change?.kind ?? ''),
  };
}

function rowOf(name: string, cases: readonly RehearsedCase[]): TallyRow {
  const count = (verdict: RehearsedCase['verdict']) => cases.filter((one) => one.verdict === verdict).length;
  const [right, wrong] = [count('right'), count('wrong')];
  const known = right + wrong;
  const share = known < FEWEST_CASES ? null : computeShare(right, known);
  return { name, right, wrong, missed: count('missed'), unknown: count('unknown'), share };
}

function sizeOf({ right, wrong, missed, unknown }: TallyRow): number {
  return right + wrong + missed + unknown;
}
