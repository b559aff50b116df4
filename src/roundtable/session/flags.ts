import type { Flag } from '../log/log.ts';
import type { PromptBlock } from '../notes/prompt-context.ts';
import { citationsOf } from '../notes/transcript.ts';
import type { Session } from './session.ts';

/** A statement that nothing bears out. */
export type Unsupported = Pick<Flag, 'agent' | 'figure' | 'sentence' | 'phase'>;

/** Returns the statements of a round that nothing bears out as far as it has been said. */
export function unsupportedIn({ parts, log }: Session, round: number): Unsupported[] {
  return citationsOf(log, parts.briefing, parts.folder)
    .filter((one) => one.round === round && one.finding === 'unsupported')
    .map(({ agent, figure, sentence, phase }) => ({ agent, figure, sentence, phase }));
}

/** Returns the block of a prompt that lists them. */
export function flaggedBlock(unsupported: readonly Pick<Unsupported, 'agent' | 'figure' | 'sentence'>[]): PromptBlock {
  return { name: 'flagged', lines: unsupported.map(({ agent, figure, sentence }) => ({ agent, figure, sentence })) };
}
