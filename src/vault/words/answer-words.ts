import { escapeMarkdown, linkTo } from '../notes/escape.ts';
import { briefly, changeTable } from '../notes/note-text.ts';
import type { Changes } from '../records/mutation.ts';
import type { Becoming } from './becoming.ts';
import { changePhrase } from './change-words.ts';
import { nowPart, paragraphs, toldBy } from './event-words.ts';

/** What the body of an answer tells. Names are without folder and `.md`. */
interface AnswerTelling {
  readonly what: 'confirmed' | 'dismissed';
  /** The event note that was answered. */
  readonly event: string;
  /** The note that it is about; null where none was meant yet. */
  readonly target: string | null;
  readonly changes: Changes;
  readonly from: string | null;
  readonly quote: string | null;
}

/** Returns the body of the note that records a person's answer. */
export function answerBody(telling: AnswerTelling, now: Becoming): string {
  const isChanged = telling.what === 'confirmed' && Object.keys(telling.changes).length > 0;
  return paragraphs([
    headline(telling),
    ...toldBy({ ...telling, summary: '' }),
    isChanged ? changeTable(briefly(telling.changes)) : null,
    nowPart(now),
  ]);
}

function headline({ what, event, target, changes }: AnswerTelling): string {
  const about = target === null ? '' : ` about ${linkTo(target)}`;
  if (what === 'dismissed') return `You dismissed ${linkTo(event)}${about}. Your notes stay as they are.`;
  if (target === null || Object.keys(changes).length === 0)
    return `You confirmed ${linkTo(event)}${about}. It proposed no change.`;
  return `You confirmed ${linkTo(event)}, and the steward ${changePhrase('past', target, changes)}.`;
}

/** Returns the body of the note that says why a note waits no more. `names`: the event notes that may be linked. */
export function closedBody(reason: string, names: readonly string[], target: string): string {
  return paragraphs([
    escapeMarkdown(reason, names),
    `${linkTo(target)} no longer says that something waits. All else in it stays.`,
  ]);
}

/** Returns why the proposals about a note wait no more. */
export function closedWords(closed: readonly { readonly name: string; readonly reason: string }[]): string {
  if (closed.length === 0) return 'No proposal about it waits any more.';
  return closed.map(({ name, reason }) => `[[${name}]] closed itself: ${reason}.`).join(' ');
}

/** What stands for the evaluator where a person decides. */
export const JUDGED_BY = {
  settled: 'none: a person settled it',
  chooses: 'none: a person says which note is meant',
} as const;
