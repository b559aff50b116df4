import type { TrailEntry } from '../context/trail.ts';
import { lowerFirst } from './wording.ts';

/** Returns why a file or an event gave no signal: the rest of the sentence `It gave no signal: …`, without its full stop. */
export function silentWords(entry: TrailEntry): string {
  return SAID[entry.kind](entry);
}

const SAID: Readonly<Record<TrailEntry['kind'], (entry: TrailEntry) => string>> = {
  'unread-kind': ({ reason }) => reason,
  unreadable: ({ reason }) => lowerFirst(ended(reason)),
  'same-bytes': ({ reason }) => `the same bytes were read before; ${reason}`,
  'not-admitted': ({ reason }) => `it was skipped as ${reason}`,
  'no-note': () => 'no note fits it well enough',
  'nothing-said': ({ closest, reason }) =>
    `it may be about ${closest[0]?.note ?? 'a note'}, and ${saidNothing(reason)}`,
  struck: ({ reason }) => `what was read in it failed the checks. ${ended(reason)}`,
  'model-none': ({ by, closest }) =>
    `${by ?? 'a model'} was asked whether it changes ${closest[0]?.note ?? 'a note'}, and found nothing`,
};

/** What the rules say where they find no phrase that means a change. */
const NO_PHRASE = 'nothing that changes a matter';

function saidNothing(reason: string): string {
  return reason === NO_PHRASE ? 'says nothing that changes it' : `what it says is no change: ${ended(reason)}`;
}

/** Returns a text without what ends its last sentence. */
export function ended(reason: string): string {
  return reason.replace(/(?<![.\s])[.\s]+$/, '');
}
