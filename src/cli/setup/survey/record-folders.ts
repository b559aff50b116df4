import type { FolderNames } from '../../../vault/layout.ts';
import { fold, stem } from '../../../vault/note-names.ts';
import type { FoundNote } from './found-note.ts';
import type { Surroundings } from './look-around.ts';

/** A folder that holds what the program calls tasks or matters. */
export interface FoundFolder {
  readonly folder: string;
  readonly notes: number;
  /** Why it is thought to: `TaskNotes`, `its name`, `what its notes say`. */
  readonly by: string;
  /** How many of its notes lie so that they may be no task or matter of their own: beside others in a folder of it. */
  readonly beside: number;
}

// English, German, French, Spanish, Italian, Dutch, as PARA and others name such folders, without their numbers.
const TASK_NAMES = [
  'tasks',
  'task',
  'todo',
  'todos',
  'to dos',
  'aufgaben',
  'tâches',
  'taches',
  'tareas',
  'attività',
].concat(['compiti', 'taken']);
const MATTER_NAMES = [
  'projects',
  'project',
  'projekte',
  'projets',
  'proyectos',
  'progetti',
  'projecten',
  'matters',
].concat(['angelegenheiten', 'vorhaben', 'affaires', 'asuntos', 'pratiche', 'zaken']);
const TASK_KINDS = ['task', 'tasks', 'todo', 'aufgabe', 'aufgaben'];
const MATTER_KINDS = ['project', 'projects', 'projekt', 'projekte', 'matter', 'projet', 'proyecto', 'progetto'];
/** A folder is one of tasks where most of its notes say that they are. */
const MOST_SAY_SO = 0.6;
const LEAST_NOTES = 3;
/** A folder of projects lies at the top, or in one that holds all of PARA. */
const DEEPEST = 2;

/** Returns the folder of the tasks; null where there is none, or the one that the settings name holds notes already. */
export function taskFolder(around: Surroundings, standing: FolderNames): FoundFolder | null {
  if (around.notes.some((note) => isInside(note.path, standing.task))) return null;
  const own = around.taskNotes === null ? null : found(around.notes, around.taskNotes.tasksFolder, 'TaskNotes');
  if (own !== null) return own;
  const isTask = (note: FoundNote) => note.kinds.some((kind) => TASK_KINDS.includes(kind));
  const named = byName(around.notes, TASK_NAMES, (notes) => notes.some((note) => note.looksLikeTask || isTask(note)));
  return named ?? byKind(around.notes, isTask);
}

/** Returns the folder of the matters; null where there is none, or the one that the settings name holds notes already. */
export function matterFolder(
  around: Surroundings,
  standing: FolderNames,
  tasks: FoundFolder | null,
): FoundFolder | null {
  if (around.notes.some((note) => isInside(note.path, standing.matter))) return null;
  const isFree = (folder: string) =>
    tasks === null || !(isInside(`${folder}/`, tasks.folder) || isInside(`${tasks.folder}/`, folder));
  const isMatter = (note: FoundNote) => note.kinds.some((kind) => MATTER_KINDS.includes(kind));
  const notes = around.notes.filter((note) => tasks === null || !isInside(note.path, tasks.folder));
  const folder = byName(notes, MATTER_NAMES, () => true) ?? byKind(notes, isMatter);
  return folder === null || !isFree(folder.folder) ? null : folder;
}

/** Whether a path lies in a folder at any depth. */
export function isInside(path: string, folder: string): boolean {
  return fold(path).startsWith(`${fold(folder)}/`);
}

function byName(
  notes: readonly FoundNote[],
  names: readonly string[],
  isMeant: (notes: readonly FoundNote[]) => boolean,
): FoundFolder | null {
  const folders = foldersOf(notes).filter(
    (folder) => folder.split('/').length <= DEEPEST && names.includes(plainName(folder)),
  );
  const meant = folders.filter((folder) => isMeant(notes.filter((note) => isInside(note.path, folder))));
  return most(meant.flatMap((folder) => found(notes, folder, 'its name') ?? []));
}

// kepano's vaults, and those of many others, say in each note what it is.
function byKind(notes: readonly FoundNote[], isMeant: (note: FoundNote) => boolean): FoundFolder | null {
  const folders = foldersOf(notes.filter(isMeant)).filter((folder) => {
    const inside = notes.filter((note) => isInside(note.path, folder));
    const meant = inside.filter(isMeant);
    return meant.length >= LEAST_NOTES && meant.length >= inside.length * MOST_SAY_SO;
  });
  return most(folders.flatMap((folder) => found(notes, folder, 'what its notes say') ?? []));
}

function found(notes: readonly FoundNote[], folder: string, by: string): FoundFolder | null {
  const inside = notes.filter((note) => isInside(note.path, folder));
  const first = inside[0];
  if (first === undefined || folder === '') return null;
  // As it is spelled on disk.
  const spelled = first.path.slice(0, folder.length);
  return {
    folder: fold(spelled) === fold(folder) ? spelled : folder,
    notes: inside.length,
    by,
    beside: beside(inside, folder),
  };
}

/**
 * How many notes lie beside the one that a folder of a project is about: `Kitchen/offers.md`. A folder of a year, or of
 * another number, is no project.
 */
function beside(notes: readonly FoundNote[], folder: string): number {
  const deeper = notes.filter((note) => fold(note.folder) !== fold(folder) && /\p{L}/u.test(stem(note.folder)));
  return [...Map.groupBy(deeper, (note) => fold(note.folder)).values()].reduce(
    (sum, { length }) => sum + length - 1,
    0,
  );
}

function most(folders: readonly FoundFolder[]): FoundFolder | null {
  return (
    folders.toSorted((one, other) => other.notes - one.notes || one.folder.length - other.folder.length)[0] ?? null
  );
}

/** All folders that notes lie in, at any depth. */
function foldersOf(notes: readonly FoundNote[]): string[] {
  const folders = new Set<string>();
  for (const { folder } of notes) {
    const parts = folder.split('/');
    for (let depth = 1; depth <= parts.length; depth += 1) folders.add(parts.slice(0, depth).join('/'));
  }
  folders.delete('');
  return [...folders];
}

/** `01 - 📁 Projects` as `projects`. */
function plainName(folder: string): string {
  return fold(folder.split('/').at(-1) ?? '')
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
}
