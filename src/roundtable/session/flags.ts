import { entriesOf, type Flag, type RoundtableLog } from '../log/log.ts';
import type { PromptBlock } from '../notes/prompt-context.ts';
import { citedSoFar } from './cited.ts';
import type { Session } from './session.ts';

/** A statement that nothing bears out. */
type Unsupported = Pick<Flag, 'agent' | 'figure' | 'sentence' | 'phase' | 'reason'>;

/** What an agent is told of such a statement. */
export type Told = Pick<Unsupported, 'agent' | 'figure' | 'sentence' | 'reason'>;

/** What was found in a round: the statements that nothing bears out, or why nothing was checked (else null). */
export interface Flagged {
  readonly flagged: readonly Unsupported[];
  readonly unchecked: string | null;
}

/** Returns the statements of a round that nothing bears out as far as it has been said. */
export async function unsupportedIn(session: Session, round: number): Promise<Flagged> {
  const { cited, unchecked } = await citedSoFar(session);
  const flagged = cited
    .filter((one) => one.round === round && one.finding === 'unsupported')
    .map(({ agent, figure, sentence, phase, reason }) => {
      return { agent, figure, sentence, phase, ...(reason === null ? {} : { reason }) };
    });
  return { flagged, unchecked };
}

/** Returns the block of a prompt that lists them. */
export function flaggedBlock(flagged: readonly Told[], unchecked: string | null): PromptBlock {
  if (unchecked !== null) return { name: 'flagged', lines: [{ not_checked: unchecked }] };
  const told = flagged.map(({ agent, figure, sentence, reason }) => {
    return { agent, figure, sentence, ...(reason === undefined ? {} : { reason }) };
  });
  return { name: 'flagged', lines: told };
}

const UNCHECKED = 'What was said is ';

/** Returns the note for the log that nothing of a round was checked, and why. */
export function uncheckedNote(why: string): string {
  return `${UNCHECKED}${why}.`;
}

/** Returns why nothing of a round was checked, as its log says; null where it was. */
export function uncheckedIn(log: RoundtableLog, round: number): string | null {
  const note = entriesOf(log, 'note').find((one) => one.round === round && one.text.startsWith(UNCHECKED));
  return note?.text.slice(UNCHECKED.length).replace(/\.$/, '') ?? null;
}
