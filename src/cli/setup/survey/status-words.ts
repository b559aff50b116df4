import {
  NO_WORDS,
  type StatusWord,
  type StatusWords,
  stateMeant,
  wordKey,
} from '../../../vault/records/status-words.ts';
import { type State, stateOf } from '../../../vault/records/values.ts';
import type { FoundNote } from './found-note.ts';
import { usualMeaning } from './status-dictionary.ts';
import type { TaskNotesSettings } from './task-notes.ts';

/** A word for a state as notes use it, or TaskNotes lists it. */
export interface FoundWord {
  readonly word: string;
  /** How many notes say it. */
  readonly notes: number;
  /** What it means; null where nothing tells. */
  readonly state: State | null;
}

/**
 * Returns the words for states of these notes and of TaskNotes, the most frequent first. `standing`: those that the
 * settings explain already.
 */
export function wordsIn(
  notes: readonly FoundNote[],
  taskNotes: TaskNotesSettings | null,
  standing: StatusWords,
): FoundWord[] {
  const said = notes.flatMap(({ status }) => (status === null ? [] : [status]));
  const listed = (taskNotes?.statuses ?? []).map(({ value }) => value.trim()).filter((value) => value !== '');
  const groups = [...Map.groupBy([...said, ...listed], wordKey).values()];
  return groups
    .flatMap((group) => {
      const word = mostFrequent(group);
      const count = said.filter((one) => wordKey(one) === wordKey(word)).length;
      return [{ word, notes: count, state: stateMeant(word, standing) ?? meaningOf(word, taskNotes) }];
    })
    .toSorted((one, other) => other.notes - one.notes);
}

/** Returns the words as the settings list them; empty where the program knows all of them by itself. */
export function listedWords(words: readonly FoundWord[], taskNotes: TaskNotesSettings | null): StatusWords {
  const known = words.flatMap(({ word, state, notes }) => (state === null ? [] : [{ word, state, notes }]));
  if (known.every(({ word, state }) => stateMeant(word, NO_WORDS) === state)) return NO_WORDS;
  const first = wordKey(taskNotes?.defaultTaskStatus ?? '');
  const place = ({ word, notes }: StatusWord & { readonly notes: number }) =>
    wordKey(word) === first ? -1 : (usualMeaning(word)?.rank ?? 10) * 1_000_000 - notes;
  return known.toSorted((one, other) => place(one) - place(other)).map(({ word, state }) => ({ word, state }));
}

// TaskNotes knows which of its words mean that a task is over; what the others mean their language tells.
function meaningOf(word: string, taskNotes: TaskNotesSettings | null): State | null {
  const usual = stateOf(word) ?? usualMeaning(word)?.state ?? stateMeant(word, NO_WORDS);
  const listed = taskNotes?.statuses.find(({ value }) => wordKey(value) === wordKey(word));
  if (listed === undefined) return usual;
  if (listed.isCompleted) return usual === 'archived' ? 'archived' : 'done';
  return usual === 'snoozed' ? 'snoozed' : 'open';
}

function mostFrequent(spellings: readonly string[]): string {
  const counted = [...Map.groupBy(spellings, (one) => one).entries()];
  return counted.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? '';
}
