import { briefly, changeTable, shown } from '../note-text.ts';
import { escapeMarkdown, linkTo } from '../notes.ts';
import type { Yaml } from '../records/values.ts';
import type { Changes, Outcome } from '../records.ts';
import { type Becoming, nowPart, paragraphs } from '../words.ts';

/** What the body of a reversal tells. Names are without folder and `.md`. */
interface ReversalTelling {
  readonly outcome: Outcome;
  /** The event note that was to be taken back; null where the order names none. */
  readonly event: string | null;
  readonly target: string | null;
  /** What the outcome alone does not say, as a sentence. */
  readonly why: string | null;
  readonly reason: string | null;
  readonly conflicts: readonly { readonly field: string; readonly wrote: Yaml; readonly found: Yaml }[];
  readonly changes: Changes;
}

/** Returns the body of a reversal note: how the order to take an event back has ended. */
export function reversalBody(telling: ReversalTelling, now: Becoming): string {
  const { why, reason, conflicts, changes } = telling;
  const met = conflicts.map(
    ({ field, wrote, found }) =>
      `- ${escapeMarkdown(`${field}: the steward wrote ${shown(wrote)}, the note now holds ${shown(found)}`)}`,
  );
  return paragraphs([
    headline(telling),
    reason === null ? null : `Your reason: ${escapeMarkdown(reason)}`,
    why === null ? null : escapeMarkdown(why),
    met.join('\n'),
    Object.keys(changes).length === 0 ? null : changeTable(briefly(changes)),
    nowPart(now),
  ]);
}

function headline({ outcome, event, target }: ReversalTelling): string {
  const what = event === null ? 'it' : linkTo(event);
  const note = target === null ? 'the note' : linkTo(target);
  switch (outcome) {
    case 'reversed':
      return `The steward took ${what} back: in ${note}, each field is as it was before.`;
    case 'conflict':
      return `Nothing was taken back: somebody has edited ${note} since ${what}.`;
    case 'expired':
      return `Too late to take ${what} back: its seven days are over.`;
    case 'already-reversed':
      return `Already taken back: ${what}.`;
    case 'not-applied':
      return `Nothing to take back: ${what} changed no note.`;
    case 'refused':
      return 'Nothing was taken back: there is no such event, or its recipe may not be carried out.';
  }
}
