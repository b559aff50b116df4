import { choiceList } from '../notes/choice-list.ts';
import { escapeMarkdown, linkTo } from '../notes/escape.ts';
import { clipped } from '../notes/note-text.ts';
import { nowPart, paragraphs, toldBy } from './event-words.ts';

/** What the body of a note tells that asks which of several notes is meant. `signal` is a name without folder and `.md`. */
interface ChoiceTelling {
  readonly signal: string;
  /** The notes that could be meant, as links. */
  readonly candidates: readonly string[];
  readonly from: string | null;
  readonly quote: string | null;
  readonly headline: string | null;
  readonly reasoning: string | null;
  /** What would be changed in the right note, one line each. */
  readonly changes: readonly string[];
}

const MAX_TEXT = 4000;

/** Returns the body of an event note that asks which of several notes a signal is about. */
export function choiceBody(telling: ChoiceTelling): string {
  const { signal, candidates, from, quote, headline, reasoning, changes } = telling;
  return paragraphs([
    `What ${linkTo(signal)} says may be about any of these notes. Tick the right one:`,
    // Apart from the program's own part, which is left alone once anybody has changed it.
    choiceList(candidates),
    ...toldBy({ from, quote, summary: headline ?? '' }),
    reasoning === null ? null : escapeMarkdown(clipped(reasoning, MAX_TEXT)),
    changes.length === 0
      ? 'No change proposed.'
      : `This would change in the right one:\n\n${changes.map((change) => `- ${escapeMarkdown(change)}`).join('\n')}`,
    nowPart({ kind: 'open', asks: 'choice' }),
  ]);
}
