import { KEYS } from '../../../daemon/context/settings-schema.ts';
import type { Yaml } from '../../../vault/records/values.ts';
import { type FoundWord, listedWords } from './status-words.ts';
import type { Survey } from './survey.ts';
import type { TaskNotesSettings } from './task-notes.ts';

/** What a person lets the program take over of what was found. */
export interface Adoption {
  readonly tasks: boolean;
  readonly matters: boolean;
  /** The words as the person explained them. */
  readonly words: readonly FoundWord[];
}

/** Settings by their keys, as they are written into `steward.md`. */
export type ProposedSettings = Readonly<Record<string, Yaml>>;

/** Returns the settings by which the program looks after what a survey found, as far as a person lets it. */
export function proposedSettings(
  survey: Survey,
  adoption: Adoption,
  taskNotes: TaskNotesSettings | null,
): ProposedSettings {
  const { tasks, matters, moved, names } = survey;
  const words = listedWords(adoption.words, taskNotes)
    .map(({ word, state }) => `${word} = ${state}`)
    .filter((line) => KEYS.status_values.safeParse([line]).success);
  return {
    ...(tasks !== null && adoption.tasks ? { folder_task: tasks.folder } : {}),
    ...(matters !== null && adoption.matters ? { folder_matter: matters.folder } : {}),
    ...Object.fromEntries(Object.entries(moved).map(([kind, folder]) => [`folder_${kind}`, folder])),
    ...(Object.keys(names).length === 0
      ? {}
      : { field_mapping: Object.entries(names).map(([theirs, ours]) => `${theirs} = ${ours}`) }),
    ...(words.length === 0 ? {} : { status_values: words }),
  };
}
