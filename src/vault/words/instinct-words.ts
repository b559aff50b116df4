import { MAY_EDIT } from '../history-block.ts';
import { fieldLine, oneLine } from '../note-text.ts';
import { escapeMarkdown } from '../notes.ts';

/** What the opening of an instinct note tells. */
interface InstinctTelling {
  readonly channel: string;
  /** Who speaks in the channel; null for the whole of it. */
  readonly speaker: string | null;
  readonly right: number;
  readonly wrong: number;
  readonly reversals: number;
  readonly status: 'pending' | 'live' | 'pruned';
  /** From which confidence on a signal of it may act alone. */
  readonly threshold: number;
}

/** Returns what an instinct note says first: what it measures, what that means, and what a person may edit. */
export function instinctOpening({ right, wrong, reversals, status, ...telling }: InstinctTelling): string[] {
  const back = reversals === 0 ? '' : ` You took it back ${times(reversals)}.`;
  const few = status === 'pending' ? ' That is little so far.' : '';
  const alone =
    status === 'pruned'
      ? ' It was wrong too often, so the steward no longer listens to it: set `pinned: true` above to let it speak again.'
      : ` It may act alone from ${telling.threshold} on, where every gate holds.`;
  return [`${who(telling)} right ${right} of ${right + wrong} times.${back}${few}${alone}`, MAY_EDIT];
}

function who({ channel, speaker }: Pick<InstinctTelling, 'channel' | 'speaker'>): string {
  const shown = escapeMarkdown(fieldLine(channel) ?? 'it');
  if (speaker === null) return `What came by ${shown} was`;
  return `What ${escapeMarkdown(oneLine(speaker).replace(/[[\]|#^%`\\<>]+/g, ' '))} said by ${shown} was`;
}

function times(number: number): string {
  if (number === 1) return 'once';
  return number === 2 ? 'twice' : `${number} times`;
}
