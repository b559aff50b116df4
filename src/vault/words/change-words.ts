import { escapeMarkdown, linkTo } from '../notes/escape.ts';
import { clipped, shown } from '../notes/note-text.ts';
import type { Changes } from '../records/mutation.ts';
import type { Yaml } from '../records/values.ts';

/** The longest value that a sentence holds. The table has the whole. */
const MAX_VALUE = 60;

/** Verbs for what the steward did (`past`) and for what it proposes (`plain`). */
const VERBS = {
  past: { done: 'marked', archived: 'archived', open: 'reopened', set: 'set', change: 'changed', remove: 'removed' },
  plain: { done: 'mark', archived: 'archive', open: 'reopen', set: 'set', change: 'change', remove: 'remove' },
} as const;
type Tense = keyof typeof VERBS;

/** Returns what is changed in a note as a phrase: `mark [[pay]] as done`, `changed due of [[pay]] from A to B`. */
export function changePhrase(tense: Tense, name: string, changes: Changes): string {
  const verbs = VERBS[tense];
  const note = linkTo(name);
  const telling = tellingOf(changes);
  const [only, ...more] = telling;
  if (only === undefined || more.length > 0) return `${verbs.change} ${telling.length} fields of ${note}`;
  const [field, { before, after }] = only;
  if (isState(field)) {
    if (after === 'done') return `${verbs.done} ${note} as done`;
    if (after === 'archived') return `${verbs.archived} ${note}`;
    if (after === 'open') return `${verbs.open} ${note}`;
  }
  const what = `\`${field.replace(/[^\w .-]/g, '')}\``;
  if (after === null) return `${verbs.remove} ${what} from ${note}`;
  if (before === null) return `${verbs.set} ${what} of ${note} to ${value(after)}`;
  return `${verbs.change} ${what} of ${note} from ${value(before)} to ${value(after)}`;
}

// The day of completion goes with the state, and is in the table.
function tellingOf(changes: Changes): [string, Changes[string]][] {
  const entries = Object.entries(changes);
  const others = entries.filter(([field]) => field !== 'completedDate');
  return others.length === 0 ? entries : others;
}

function isState(field: string): boolean {
  return field === 'state' || field === 'status';
}

function value(held: Yaml): string {
  return escapeMarkdown(clipped(shown(held), MAX_VALUE));
}
