// Without any import: `status` prints these words in the time it takes to ask the daemon.

/** What can wait for a person. `found`: what the steward saw by itself; `conflict`: an undo that found the field changed; `kept`: bytes put aside for them; `unfinished`: an action that an update or another program left half done. */
const WAITING_KINDS = ['proposal', 'question', 'choice', 'found', 'conflict', 'unfinished', 'kept', 'trouble'] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** What each kind of entry is called. */
export const NOUNS: Readonly<Record<WaitingKind, string>> = {
  proposal: 'proposal',
  question: 'question',
  choice: 'choice',
  found: 'finding',
  conflict: 'conflict',
  unfinished: 'unfinished action',
  kept: 'kept file',
  trouble: 'problem',
};

/** Returns the list in one line: `3 things wait for you: 2 proposals, 1 question`. */
export function waitingText(waiting: readonly { readonly kind: WaitingKind }[]): string {
  if (waiting.length === 0) return 'Nothing waits for you.';
  const kinds = WAITING_KINDS.map((kind) => ({ kind, number: waiting.filter((one) => one.kind === kind).length }));
  const parts = kinds.filter(({ number }) => number > 0).map(({ kind, number }) => several(number, NOUNS[kind]));
  return `${several(waiting.length, 'thing')} ${waiting.length === 1 ? 'waits' : 'wait'} for you: ${parts.join(', ')}`;
}

function several(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
