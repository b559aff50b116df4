import type { Checked } from '../claims/checked.ts';
import type { Message } from '../claims/citations.ts';
import { checkClaims } from '../claims/process/check-process.ts';
import type { Phase } from '../log/log.ts';
import { sourcesOf, transcriptOf } from '../notes/transcript.ts';
import type { Session } from './session.ts';

/** A checked figure or place, and when it was said. */
interface Cited extends Checked {
  readonly round: number;
  readonly phase: Phase;
}

/** What was checked so far. `unchecked`: why nothing could be checked, or null. */
interface CitedSoFar {
  readonly cited: readonly Cited[];
  /** Of the lines that were given beside what was said: what was found in each, by its index. */
  readonly beside: ReadonlyMap<number, readonly Checked[]>;
  readonly unchecked: string | null;
}

/** Looks up every figure and place that was said, and those of the lines that are given beside it. */
export async function citedSoFar({ parts, log }: Session, lines: readonly Message[] = []): Promise<CitedSoFar> {
  const transcript = transcriptOf(log, parts.folder);
  const job = {
    messages: [...transcript, ...lines],
    sources: sourcesOf(log, parts.briefing),
    files: parts.evidence?.files ?? [],
  };
  const { checked, unchecked } = await checkClaims(job, parts.abort);
  const cited = checked.flatMap((one) => {
    const message = transcript[one.message];
    return message === undefined ? [] : [{ ...one, round: message.round, phase: message.phase }];
  });
  const later = checked.filter(({ message }) => message >= transcript.length);
  return { cited, beside: Map.groupBy(later, ({ message }) => message - transcript.length), unchecked };
}
