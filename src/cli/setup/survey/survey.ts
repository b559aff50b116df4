import type { Settings } from '../../../daemon/context/settings.ts';
import { areApart, folderName } from '../../../daemon/context/settings-schema.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderKind, type FolderNames } from '../../../vault/layout.ts';
import { fold, stem } from '../../../vault/note-names.ts';
import type { FoundNote } from './found-note.ts';
import type { Surroundings } from './look-around.ts';
import { type FoundFolder, isInside, matterFolder, taskFolder } from './record-folders.ts';
import { type FoundWord, wordsIn } from './status-words.ts';

/** What a vault is found to hold, as far as this program has a use for it. */
export interface Survey {
  readonly notes: number;
  /** How many of them lie where the settings already look for tasks and matters. */
  readonly standing: { readonly tasks: number; readonly matters: number };
  /** Where the settings look. */
  readonly folders: FolderNames;
  readonly isCut: boolean;
  readonly tasks: FoundFolder | null;
  readonly matters: FoundFolder | null;
  /** How many of the tasks name one of the matters. */
  readonly tied: number;
  /** The words for states in those folders, the most frequent first. */
  readonly words: readonly FoundWord[];
  /** Whether the settings say nothing of them yet, so that they can be put there. */
  readonly canExplain: boolean;
  /** Other names for the program's fields: theirs → ours. */
  readonly names: Readonly<Record<string, string>>;
  /** Folders of the program that would fall on a person's own, and where they go instead. */
  readonly moved: Partial<FolderNames>;
  /** Open tasks that are lines in notes, and in how many notes. */
  readonly taskLines: { readonly lines: number; readonly notes: number };
  /** What was found and cannot be looked after, in whole sentences. */
  readonly remarks: readonly string[];
}

/** The settings that hold already. */
type Standing = Pick<Settings, 'folders' | 'status_values'>;

/** Returns what the surroundings hold, in a vault with these settings. */
export function surveyOf(around: Surroundings, { folders: standing, status_values }: Standing): Survey {
  const tasks = keptApart(taskFolder(around, standing), standing, 'task');
  const matters = keptApart(matterFolder(around, standing, tasks), standing, 'matter');
  const taskFolderName = tasks?.folder ?? standing.task;
  const matterFolderName = matters?.folder ?? standing.matter;
  const taskNotes = around.notes.filter((note) => isInside(note.path, taskFolderName));
  const matterNotes = around.notes.filter((note) => isInside(note.path, matterFolderName));
  const lined = around.notes.filter((note) => note.taskLines > 0);
  return {
    notes: around.notes.length,
    standing: { tasks: countIn(around, standing.task), matters: countIn(around, standing.matter) },
    folders: standing,
    isCut: around.isCut,
    tasks,
    matters,
    tied: tiedTo(taskNotes, matterNotes),
    words: wordsIn([...taskNotes, ...matterNotes], around.taskNotes, status_values),
    canExplain: status_values.length === 0,
    names: namesOf(around),
    moved: movedAside(around, { ...standing, task: taskFolderName, matter: matterFolderName }),
    taskLines: { lines: lined.reduce((sum, note) => sum + note.taskLines, 0), notes: lined.length },
    remarks: remarksOn(around, taskNotes),
  };
}

function countIn({ notes }: Surroundings, folder: string): number {
  return notes.filter(({ path }) => isInside(path, folder)).length;
}

function keptApart(found: FoundFolder | null, standing: FolderNames, kind: FolderKind): FoundFolder | null {
  if (found === null || !folderName.safeParse(found.folder).success) return null;
  return areApart(Object.values({ ...standing, [kind]: found.folder })) ? found : null;
}

function tiedTo(tasks: readonly FoundNote[], matters: readonly FoundNote[]): number {
  const names = new Set(matters.map((note) => fold(stem(note.path))));
  return tasks.filter(({ projects }) => names.has(projects[0] ?? '')).length;
}

/** Only the field for the project can have any name: a change of another is written under the program's own name. */
function namesOf({ taskNotes }: Surroundings): Readonly<Record<string, string>> {
  const projects = taskNotes?.fields.projects ?? 'projects';
  if (projects === 'projects' || !/^[^=:\s]+$/.test(projects)) return {};
  return { status: 'state', [projects]: 'parent_matter' };
}

/** A folder that a person has for something else is not taken: the program makes its own inside `steward`. */
function movedAside({ marks, folders }: Surroundings, standing: FolderNames): Partial<FolderNames> {
  if (marks.includes('steward.md')) return {};
  const taken = FOLDER_KINDS.filter(
    (kind) => kind !== 'task' && kind !== 'matter' && standing[kind] === DEFAULT_FOLDERS[kind] && folders.has(kind),
  );
  return Object.fromEntries(taken.map((kind) => [kind, `steward/${DEFAULT_FOLDERS[kind]}`]));
}

function remarksOn({ taskNotes, notes }: Surroundings, tasks: readonly FoundNote[]): string[] {
  if (taskNotes === null) return [];
  const { fields, taskTag } = taskNotes;
  const tagged = notes.filter((note) => note.kinds.includes(fold(taskTag)));
  const elsewhere = tagged.length - tagged.filter((note) => tasks.includes(note)).length;
  const named = (['status', 'due', 'scheduled', 'completedDate'] as const).filter((name) => fields[name] !== name);
  return [
    ...named.map((name) => `TaskNotes keeps ${name} as "${fields[name]}" here, which the steward does not read.`),
    ...(elsewhere > 0
      ? [`${elsewhere} of the notes that TaskNotes calls tasks lie in other folders; only those in its folder count.`]
      : []),
  ];
}
