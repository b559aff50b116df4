import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { areApart, folderName, KEYS, type Settings } from '../daemon/context.ts';
import { type Diagnostic, diagnostic, reasonOf, systemCode } from '../vault/errors.ts';
import { MAX_NOTE_BYTES, readNote } from '../vault/frontmatter-parse.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderKind, type FolderNames } from '../vault/layout.ts';
import { linkTarget } from '../vault/links.ts';
import { fold, isConflictCopy, isHidden, stem } from '../vault/note-names.ts';
import { bodyOf } from '../vault/parsed-note.ts';
import { type Frontmatter, type State, stateOf, type Yaml } from '../vault/records/values.ts';
import { readInside } from '../vault/slices.ts';
import { NO_WORDS, type StatusWord, type StatusWords, stateMeant, wordKey } from '../vault/status-words.ts';
import { clean, count } from './print/plain-text.ts';

/** What the survey keeps of one note. */
interface FoundNote {
  readonly path: string;
  /** Its folder, '' at the top of the vault. */
  readonly folder: string;
  /** The value of `status` or `state`, where it is one text. */
  readonly status: string | null;
  /** What it is by its own words: tags, `type` and `categories`, without brackets and folded. */
  readonly kinds: readonly string[];
  /** The notes it names as its projects or its matter, folded. */
  readonly projects: readonly string[];
  /** Whether it has a field that tasks have. */
  readonly looksLikeTask: boolean;
  /** How many lines of it are open tasks with a date, as the Tasks plugin writes them. */
  readonly taskLines: number;
}

const NAME_OF_KIND = ['type', 'categories', 'category'];
const TASK_FIELDS = ['status', 'state', 'due', 'scheduled', 'completedDate'];
const TASK_LINE = /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+\[ \].*(?:📅|⏳|🛫|🔁|➕|⏫|🔼|🔽|🔺|⏬)/gmu;

/** Returns what the survey keeps of a note. One that cannot be read counts as a note without fields. */
function foundNote(file: string, bytes: Buffer, { fields }: TaskNotesSettings): FoundNote {
  const read = readNote(file, bytes);
  const data: Frontmatter = read.ok ? read.note.data : {};
  const parents = [data.parent_matter, data[fields.projects], data.projects];
  const folder = path.posix.dirname(file);
  return {
    path: file,
    folder: folder === '.' ? '' : folder,
    status: single(data.state ?? data.status),
    kinds: [...textsOf(data.tags).map(tagName), ...NAME_OF_KIND.flatMap((name) => textsOf(data[name])).map(kindName)],
    projects: textsOf(parents.find((one) => one !== undefined && one !== null)).map((link) =>
      fold(stem(linkTarget(link))),
    ),
    looksLikeTask: TASK_FIELDS.some((name) => Object.hasOwn(data, name)),
    taskLines: read.ok ? (bodyOf(read.note).match(TASK_LINE)?.length ?? 0) : 0,
  };
}

function kindName(text: string): string {
  return fold(stem(linkTarget(text)));
}

// `task/urgent` is a task.
function tagName(text: string): string {
  return fold(text.replace(/^#/, '').split('/')[0] ?? '');
}

function single(value: Yaml | undefined): string | null {
  const texts = textsOf(value);
  return texts.length === 1 ? (texts[0] ?? null) : null;
}

function textsOf(value: Yaml | undefined): string[] {
  const items: readonly Yaml[] = Array.isArray(value) ? value : [value ?? null];
  return items
    .flatMap((item) => (item === null || typeof item === 'object' ? [] : [String(item).trim()]))
    .filter(Boolean);
}

/** Where TaskNotes keeps its settings in a vault. */
const TASKNOTES_FILE = '.obsidian/plugins/tasknotes/data.json';

const words = z.string().max(200);
const status = z.looseObject({ value: words, isCompleted: z.boolean().catch(false), order: z.number().catch(0) });
const fieldNames = z.looseObject({
  status: words.catch('status'),
  due: words.catch('due'),
  scheduled: words.catch('scheduled'),
  completedDate: words.catch('completedDate'),
  projects: words.catch('projects'),
});

/**
 * What TaskNotes says of its tasks. Its settings hold much else, a token among it, and none of that is kept. What one
 * version of it does not write is as TaskNotes itself takes it.
 */
const taskNotesSettings = z
  .looseObject({
    tasksFolder: words.catch('TaskNotes/Tasks'),
    taskTag: words.catch('task'),
    defaultTaskStatus: words.catch('open'),
    customStatuses: z.array(z.unknown()).max(200).catch([]),
    fieldMapping: fieldNames.catch(fieldNames.parse({})),
  })
  .transform(({ tasksFolder, taskTag, defaultTaskStatus, customStatuses, fieldMapping }) => ({
    tasksFolder: tasksFolder.replace(/^\/+|(?<!\/)\/+$/g, ''),
    taskTag,
    defaultTaskStatus,
    statuses: customStatuses
      .flatMap((one) => status.safeParse(one).data ?? [])
      .toSorted((one, other) => one.order - other.order)
      .map(({ value, isCompleted }) => ({ value, isCompleted })),
    fields: {
      status: fieldMapping.status,
      due: fieldMapping.due,
      scheduled: fieldMapping.scheduled,
      completedDate: fieldMapping.completedDate,
      projects: fieldMapping.projects,
    },
  }));
type TaskNotesSettings = z.infer<typeof taskNotesSettings>;

/** What TaskNotes does where it was never set up. */
const TASKNOTES_AS_IT_COMES: TaskNotesSettings = taskNotesSettings.parse({});

/** No more is looked at than this: a survey takes seconds. */
const MOST_FILES = 200_000;
const MOST_DEPTH = 24;
/** Where nothing says that a folder is a vault, some hundred files show whether it may be one. */
const ENOUGH_FILES = 2000;
const TOLD_EACH = 500;
const MAX_PLUGIN_BYTES = 8 * 1024 * 1024;
const TASKS_PLUGIN = '.obsidian/plugins/obsidian-tasks-plugin';
const MARKS = ['steward.md', '.obsidian', '.steward'];

/** What lies in a folder that is to become a vault, or is one. */
export interface Surroundings {
  /** Which of the things that only a vault has are there. */
  readonly marks: readonly string[];
  readonly notes: readonly FoundNote[];
  /** How many files there are, notes among them; hidden ones and links do not count. */
  readonly files: number;
  /** How many files lie in each folder directly in it, by its folded name. */
  readonly folders: ReadonlyMap<string, number>;
  /** Whether there were more files than are looked at. */
  readonly isCut: boolean;
  /** The settings of TaskNotes; null where that is not installed. */
  readonly taskNotes: TaskNotesSettings | null;
  readonly hasTasksPlugin: boolean;
  readonly troubles: readonly Diagnostic[];
}

/** Looks at all that lies in a folder, without following a link and without writing. `told`: hears how many notes were read. */
export function lookAround(root: string, told: (notes: number) => void): Surroundings {
  const marks = MARKS.filter((name) => isThere(path.join(root, name)));
  const troubles: Diagnostic[] = [];
  const taskNotes = taskNotesIn(root, troubles);
  const most = marks.length === 0 ? ENOUGH_FILES : MOST_FILES;
  const { files, isCut } = filesIn(root, most, troubles);
  const notes: FoundNote[] = [];
  for (const file of files) {
    if (!/\.md$/i.test(file) || isConflictCopy(file) || fold(file) === 'steward.md') continue;
    const note = noteIn(root, file, taskNotes ?? TASKNOTES_AS_IT_COMES);
    if (note !== null) notes.push(note);
    if (notes.length % TOLD_EACH === 0) told(notes.length);
  }
  return {
    ...{ marks, notes, files: files.length, isCut, taskNotes, troubles },
    folders: countedByFolder(files),
    hasTasksPlugin: isThere(path.join(root, TASKS_PLUGIN)),
  };
}

function countedByFolder(files: readonly string[]): ReadonlyMap<string, number> {
  const inFolders = files.filter((file) => file.includes('/'));
  const groups = Map.groupBy(inFolders, (file) => fold(file.split('/')[0] ?? ''));
  return new Map([...groups].map(([name, { length }]) => [name, length]));
}

function noteIn(root: string, file: string, taskNotes: TaskNotesSettings): FoundNote | null {
  try {
    return foundNote(file, readInside(root, file, MAX_NOTE_BYTES).bytes, taskNotes);
  } catch {
    return null; // too large, gone by now, or not to be read: `status` tells of that
  }
}

/** All plain files below a folder, shallow ones first. */
function filesIn(root: string, most: number, troubles: Diagnostic[]): { files: string[]; isCut: boolean } {
  const files: string[] = [];
  let folders = [''];
  for (let depth = 0; folders.length > 0; depth += 1) {
    if (depth > MOST_DEPTH) return { files, isCut: true };
    const deeper: string[] = [];
    for (const folder of folders) {
      for (const entry of entriesOf(root, folder, troubles)) {
        if (isHidden(entry.name)) continue;
        const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) deeper.push(place);
        else if (entry.isFile()) files.push(place);
        if (files.length >= most) return { files, isCut: true };
      }
    }
    folders = deeper;
  }
  return { files, isCut: false };
}

function entriesOf(root: string, folder: string, troubles: Diagnostic[]): fs.Dirent[] {
  try {
    return fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder !== '' || systemCode(error) !== 'ENOENT') troubles.push(unlisted(folder, reasonOf(error)));
    return [];
  }
}

function unlisted(folder: string, reason: string): Diagnostic {
  return diagnostic({
    code: 'folder-unreadable',
    file: folder,
    message: `The folder cannot be listed (${reason}).`,
    hint: 'The survey leaves it out.',
  });
}

function taskNotesIn(root: string, troubles: Diagnostic[]): TaskNotesSettings | null {
  if (!isThere(path.join(root, path.dirname(TASKNOTES_FILE)))) return null;
  if (!isThere(path.join(root, TASKNOTES_FILE))) return TASKNOTES_AS_IT_COMES;
  const settings = jsonIn(root, TASKNOTES_FILE, taskNotesSettings);
  if (!(settings instanceof Error)) return settings;
  troubles.push(
    diagnostic({
      code: 'plugin-unreadable',
      file: TASKNOTES_FILE,
      message: `The settings of TaskNotes cannot be read (${settings.message.split('\n')[0]}).`,
      hint: 'Its defaults are assumed: tasks in TaskNotes/Tasks, and its own words for states.',
    }),
  );
  return TASKNOTES_AS_IT_COMES;
}

function jsonIn<Value>(root: string, file: string, schema: z.ZodType<Value>): Value | Error {
  try {
    const text = readInside(root, file, MAX_PLUGIN_BYTES).bytes.toString('utf8');
    return schema.parse(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    return new Error(reasonOf(error));
  }
}

function isThere(place: string): boolean {
  return fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

/** What a word for a state tells: the state, and which of several words for it a person would write first. */
interface Meaning {
  readonly state: State;
  /** Lower stands first: `open` before `in progress`, which is more than a task that was opened again. */
  readonly rank: number;
}

// English, German, French, Spanish, Italian, Dutch. What waits for somebody is open: that it is overdue is worth saying.
const OPEN = `open, to do, todo, backlog, next, new, active, planned, not started, inbox,
  offen, zu tun, neu, aktiv, geplant, nicht begonnen,
  à faire, ouvert, ouverte, nouveau, nouvelle, actif, active, prévu,
  por hacer, abierto, abierta, pendiente, nuevo, nueva, activo, activa, planificado,
  da fare, aperto, aperta, nuovo, nuova, attivo, attiva, pianificato,
  te doen, nieuw, actief, gepland`;
const DOING = `in progress, doing, wip, ongoing, started, working on it,
  in arbeit, in bearbeitung, läuft, laufend, begonnen, angefangen,
  en cours, commencé, commencée,
  en curso, en progreso, en proceso, empezado,
  in corso, iniziato, iniziata, in lavorazione,
  bezig, in behandeling, lopend`;
const WAITING = `waiting, waiting for, blocked, delegated, in review,
  warten, wartet, wartend, blockiert, delegiert,
  en attente, bloqué, bloquée, délégué,
  esperando, en espera, bloqueado, bloqueada, delegado,
  in attesa, bloccato, bloccata, delegato,
  wachten, wacht, wachtend, wachten op, geblokkeerd, gedelegeerd`;
const SNOOZED = `snoozed, someday, maybe, someday maybe, later, deferred, postponed, paused, on hold,
  irgendwann, vielleicht, später, verschoben, pausiert, zurückgestellt, ruht,
  un jour, peut être, plus tard, reporté, reportée, en pause,
  algún día, quizás, más tarde, aplazado, aplazada, pospuesto, en pausa,
  un giorno, forse, più tardi, rimandato, rimandata, in pausa,
  ooit, misschien, uitgesteld, gepauzeerd`;
const DONE = `done, complete, completed, finished, closed, resolved,
  erledigt, fertig, abgeschlossen, beendet, geschlossen, gemacht,
  fait, faite, terminé, terminée, fini, finie, achevé, clos,
  hecho, hecha, terminado, terminada, completado, completada, finalizado, cerrado,
  fatto, fatta, completato, completata, finito, concluso, terminato, chiuso,
  klaar, gedaan, afgerond, voltooid, gereed, gesloten`;
const ARCHIVED = `archived, cancelled, canceled, dropped, abandoned,
  archiviert, abgebrochen, abgesagt, verworfen, storniert, gestrichen,
  archivé, archivée, annulé, annulée, abandonné,
  archivado, archivada, cancelado, cancelada, anulado, abandonado,
  archiviato, archiviata, annullato, annullata, abbandonato,
  gearchiveerd, geannuleerd, vervallen, afgezegd`;

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  (
    [
      [ARCHIVED, 'archived'],
      [DONE, 'done'],
      [SNOOZED, 'snoozed'],
      [WAITING, 'open'],
      [DOING, 'open'],
      [OPEN, 'open'],
    ] as const
  ).flatMap(([words, state], nth) => words.split(',').map((word) => [plain(word), { state, rank: 9 - nth }] as const)),
);

/** Returns what a status most likely means in one of six languages; null for a word that is none of theirs. */
function usualMeaning(word: string): Meaning | null {
  return MEANINGS.get(plain(word)) ?? null;
}

/** A word without the brackets, numbers and emojis that people put around it. */
function plain(word: string): string {
  return fold(word)
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
}

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
function wordsIn(notes: readonly FoundNote[], taskNotes: TaskNotesSettings | null, standing: StatusWords): FoundWord[] {
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
function listedWords(words: readonly FoundWord[], taskNotes: TaskNotesSettings | null): StatusWords {
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
function taskFolder(around: Surroundings, standing: FolderNames): FoundFolder | null {
  if (around.notes.some((note) => isInside(note.path, standing.task))) return null;
  const own = around.taskNotes === null ? null : found(around.notes, around.taskNotes.tasksFolder, 'TaskNotes');
  if (own !== null) return own;
  const isTask = (note: FoundNote) => note.kinds.some((kind) => TASK_KINDS.includes(kind));
  const named = byName(around.notes, TASK_NAMES, (notes) => notes.some((note) => note.looksLikeTask || isTask(note)));
  return named ?? byKind(around.notes, isTask);
}

/** Returns the folder of the matters; null where there is none, or the one that the settings name holds notes already. */
function matterFolder(around: Surroundings, standing: FolderNames, tasks: FoundFolder | null): FoundFolder | null {
  if (around.notes.some((note) => isInside(note.path, standing.matter))) return null;
  const isFree = (folder: string) =>
    tasks === null || !(isInside(`${folder}/`, tasks.folder) || isInside(`${tasks.folder}/`, folder));
  const isMatter = (note: FoundNote) => note.kinds.some((kind) => MATTER_KINDS.includes(kind));
  const notes = around.notes.filter((note) => tasks === null || !isInside(note.path, tasks.folder));
  const folder = byName(notes, MATTER_NAMES, () => true) ?? byKind(notes, isMatter);
  return folder === null || !isFree(folder.folder) ? null : folder;
}

/** Whether a path lies in a folder at any depth. */
function isInside(path: string, folder: string): boolean {
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

const MOST_WORDS = 12;

/** Returns what a survey found, a line each. */
export function foundLines(survey: Survey): string[] {
  const { tasks, matters, words, taskLines, remarks } = survey;
  const known = words.filter(({ state }) => state !== null);
  const unknown = words.filter(({ state, notes }) => state === null && notes > 0);
  return [
    ...(tasks === null ? [] : [folderLine(tasks, 'task')]),
    ...(matters === null ? [] : [folderLine(matters, 'matter'), ...besideLines(matters)]),
    ...(known.length === 0 ? [] : [`${count(known.length, 'status word')}: ${meanings(known)}`]),
    ...(unknown.length === 0
      ? []
      : [`${count(unknown.length, 'status word')} still unexplained: ${frequencies(unknown)}`]),
    ...(taskLines.lines === 0
      ? []
      : [
          `${count(taskLines.lines, 'task line')} in ${count(taskLines.notes, 'note')}: the steward looks after whole notes only`,
        ]),
    ...Object.values(survey.moved).map(
      (folder) => `${folder.split('/').at(-1)} is a folder of yours, so the steward uses ${folder}`,
    ),
    ...remarks,
  ].map(clean);
}

/** Returns what is looked after once the settings say so. */
export function adoptedLines(
  survey: Survey,
  adopted: { readonly tasks: boolean; readonly matters: boolean },
): string[] {
  const parts = [
    ...(survey.tasks !== null && adopted.tasks
      ? [`${count(survey.tasks.notes, 'task')} in ${survey.tasks.folder}`]
      : []),
    ...(survey.matters !== null && adopted.matters
      ? [`${count(survey.matters.notes, 'matter')} in ${survey.matters.folder}`]
      : []),
  ];
  if (parts.length === 0) return [];
  return [`It looks after ${parts.join(' and ')}, where they lie.`, ...tiedLines(survey, adopted.tasks)].map(clean);
}

function tiedLines({ tasks, tied }: Survey, isAdopted: boolean): string[] {
  if (tasks === null || !isAdopted) return [];
  const free = tasks.notes - tied;
  const theirs = `${count(tied, 'task')} ${tied === 1 ? 'names' : 'name'} a matter in \`projects\``;
  if (free === 0) return [`  ${theirs}.`];
  return [
    `  ${theirs}; ${free === 1 ? '1 names' : `${free} name`} none, and wait${free === 1 ? 's' : ''} until you give ${free === 1 ? 'it' : 'them'} one.`,
  ];
}

function folderLine({ folder, notes, by }: FoundFolder, noun: string): string {
  return `${count(notes, noun)} in ${folder}${by === 'TaskNotes' ? ' (TaskNotes)' : ''}`;
}

function besideLines({ beside }: FoundFolder): string[] {
  if (beside === 0) return [];
  return [
    `  ${beside === 1 ? '1 of these lies' : `${beside} of these lie`} beside others in a folder, and would be a matter of its own`,
  ];
}

function meanings(words: readonly FoundWord[]): string {
  const groups = [...Map.groupBy(words, ({ state }) => state ?? 'open')];
  return groups.map(([state, group]) => `${listed(group.map(({ word }) => word))} = ${state}`).join('; ');
}

function frequencies(words: readonly FoundWord[]): string {
  return listed(words.map(({ word, notes }) => `${word} (${notes})`));
}

function listed(words: readonly string[]): string {
  const rest = words.length - MOST_WORDS;
  return [...words.slice(0, MOST_WORDS), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

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
