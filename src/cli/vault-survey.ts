import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { areApart, folderName, KEYS } from '../daemon/settings.ts';
import type { Settings } from '../steward/settings.ts';
import { lazily, loadData } from '../vault/data.ts';
import { type Diagnostic, diagnostic, EXIT, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { readInside } from '../vault/files.ts';
import { type Frontmatter, readNote, type Yaml } from '../vault/frontmatter.ts';
import {
  DEFAULT_FOLDERS,
  FOLDER_KINDS,
  type FolderKind,
  type FolderNames,
  fold,
  isConflictCopy,
  isFolderNote,
  isHidden,
  MAX_NOTE_BYTES,
  OWN_FOLDER,
  SETTINGS_FILE,
  stem,
} from '../vault/layout.ts';
import { linkTarget } from '../vault/links.ts';
import { DEFAULT_MAPPING, NO_WORDS, type State, stateMeant, wordKey } from '../vault/record.ts';
import { type CommandContext, clean, count } from './terminal.ts';

/*
 * What `steward init` finds in a folder: notes that may be matters and tasks, what their properties and status words are
 * called, and whether the folder is a vault at all. Reads notes and the settings of TaskNotes, and changes nothing.
 */

/** The names of `data/vault-words.yaml`, by language. */
const vaultWords = lazily(() => {
  const names = z.array(z.string()).min(1);
  const language = z.strictObject({
    ...{ matters: names, tasks: names, parent: names, due: names },
    ...{ open: names, done: names, archived: names },
  });
  return loadData('vault-words.yaml', z.record(z.string(), language));
});

type WordKind = 'matters' | 'tasks' | 'parent' | 'due';
const WORD_STATES = ['open', 'done', 'archived'] as const;

function usualNames(kind: WordKind): string[] {
  return Object.values(vaultWords()).flatMap((language) => language[kind]);
}

/** What was found in a folder, and what the settings could say about it. */
export interface Survey {
  readonly files: FolderContents;
  /** The folders in which the settings look for records, and how many notes are there. */
  readonly folders: FolderNames;
  readonly records: { readonly tasks: number; readonly matters: number };
  /**
   * The tasks of TaskNotes, and a folder of projects; null if the settings name a folder that contains notes already.
   */
  readonly tasks: FoundFolder | null;
  readonly matters: FoundFolder | null;
  /** How many of the tasks name one of the matters, and in which property most of them do. */
  readonly tied: number;
  readonly parentName: string;
  /** The names of properties, a line of `field_mapping` each; empty if Steward knows them without. */
  readonly mapping: readonly string[];
  /** The words for states in those folders, the most frequent first. */
  readonly words: readonly FoundWord[];
  readonly statusValues: Settings['status_values'];
  /** Whether the settings explain no word yet, so that they can be put there. */
  readonly canExplain: boolean;
  /** In an existing vault: Steward's own folders, all in one folder. */
  readonly moved: Partial<FolderNames>;
}

/** A folder whose notes may be matters or tasks. */
export interface FoundFolder {
  readonly folder: string;
  readonly notes: number;
  /** How many of its notes may be no task or matter of their own: those next to others in a folder of it. */
  readonly beside: number;
  /** How many notes are directly in it or have the name of their folder, if most folders have such a note; else null. */
  readonly folderNotes: number | null;
  /** What the notes that would be records say as their status. */
  readonly statuses: readonly string[];
  /** How many notes of the folder that the settings name would be records no longer. */
  readonly instead: number;
}

/** A word for a state as notes use it, or TaskNotes lists it. */
export interface FoundWord {
  readonly word: string;
  readonly notes: number;
  /** Its meaning; null if neither the settings nor TaskNotes nor the program itself knows it. */
  readonly state: State | null;
}

/** Returns what the notes of a folder may be, with the settings it has. `parent`: the folder that gets Steward's own. */
export function surveyVault(
  files: FolderContents,
  { folders, status_values }: Settings,
  parent: string | null,
): Survey {
  const { notes, taskNotes } = files;
  const inside = (folder: string) => notes.filter((note) => isInside(note.path, folder));
  const records = { tasks: inside(folders.task).length, matters: inside(folders.matter).length };
  // Notes in `task/` may be of an earlier attempt; a folder that the settings name was chosen.
  const isChosen = records.tasks > 0 && folders.task !== DEFAULT_FOLDERS.task;
  const found = isChosen ? null : apart(taskFolder(files), folders, 'task');
  const isSetUp = files.marks.includes(SETTINGS_FILE) && records.tasks > 0;
  const tasks =
    found === null ? null : { ...found, instead: isSetUp ? Math.max(records.tasks, found.notes) : records.tasks };
  const matters = records.matters > 0 ? null : apart(matterFolder(files, tasks), folders, 'matter');
  const [ofTasks, ofMatters] = [inside(tasks?.folder ?? folders.task), inside(matters?.folder ?? folders.matter)];
  const names = new Set(ofMatters.map((note) => fold(stem(note.path))));
  const tied = ofTasks.filter(({ parent }) => parent !== null && names.has(parent.note));
  const parentName = mostFrequent(tied.flatMap(({ parent }) => parent?.name ?? [])) ?? 'projects';
  return {
    files,
    folders,
    records,
    tasks,
    matters,
    tied: tied.length,
    parentName,
    mapping: taskNotes === null ? usedNames(ofTasks, parentName) : taskNotesMapping(taskNotes),
    words: findWords([...ofTasks, ...ofMatters], taskNotes, status_values),
    statusValues: status_values,
    canExplain: status_values.length === 0,
    moved: ownFoldersIn(files, parent),
  };
}

// A folder that the settings could not name, or that would overlap with another of them, is not proposed.
function apart(found: FoundFolder | null, folders: FolderNames, kind: FolderKind): FoundFolder | null {
  if (found === null || !folderName.safeParse(found.folder).success) return null;
  return areApart(Object.values({ ...folders, [kind]: found.folder })) ? found : null;
}

function taskFolder({ notes, taskNotes }: FolderContents): FoundFolder | null {
  if (taskNotes === null) return namedTaskFolder(notes);
  const tagged = notes.filter(({ isTask, folder }) => isTask && folder !== '');
  const usual = foundFolder(notes, taskNotes.tasksFolder);
  if (taskNotes.tag === null || tagged.some(({ path: file }) => isInside(file, taskNotes.tasksFolder))) return usual;
  // Tagged tasks may be anywhere: this proposes the folder with the most of them, and lists the others.
  const [[folder] = ['']] = [...Map.groupBy(tagged, (note) => note.folder)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name]) => [name]);
  const found = folder === undefined || folder === '' ? null : foundFolder(notes, folder);
  if (found === null) return usual;
  const others = notes.filter(({ path: file, isTask }) => !isTask && isInside(file, found.folder)).length;
  return { ...found, beside: others };
}

/**
 * Returns the folder with the most notes whose name says tasks, if most of its notes have a property that tasks have. In a
 * folder of projects such a name is that of a project.
 */
function namedTaskFolder(notes: readonly FoundNote[]): FoundFolder | null {
  const projects = namedFolders(notes, 'matters');
  const [largest = null] = namedFolders(notes, 'tasks').filter(
    ({ folder }) => !projects.some((one) => isInside(folder, one.folder) || isInside(one.folder, folder)),
  );
  if (largest === null) return null;
  const inside = notes.filter((note) => isInside(note.path, largest.folder));
  const telling = inside.filter(({ status, parent, due }) => status !== null || parent !== null || due !== null);
  return telling.length * 2 > inside.length ? largest : null;
}

/** A folder of projects or tasks is at the top, or in one that contains all of PARA. */
const MAX_NAMED_DEPTH = 2;

/** Returns the folders whose name says what is in them, the one with the most notes first. */
function namedFolders(notes: readonly FoundNote[], kind: 'matters' | 'tasks'): FoundFolder[] {
  const names = usualNames(kind);
  const folders = new Set(
    notes.flatMap(({ folder }) => {
      const parts = folder.split('/').slice(0, MAX_NAMED_DEPTH);
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    }),
  );
  return [...folders]
    .filter((folder) => names.includes(plainName(folder)))
    .flatMap((folder) => foundFolder(notes, folder) ?? [])
    .toSorted((one, other) => other.notes - one.notes || one.folder.length - other.folder.length);
}

/** Returns the folder of projects with the most notes, apart from the tasks. */
function matterFolder({ notes }: FolderContents, tasks: FoundFolder | null): FoundFolder | null {
  const others = notes.filter((note) => !note.isTask && (tasks === null || !isInside(note.path, tasks.folder)));
  const [largest = null] = namedFolders(others, 'matters');
  if (largest === null || tasks === null) return largest;
  return isInside(`${tasks.folder}/`, largest.folder) || isInside(`${largest.folder}/`, tasks.folder) ? null : largest;
}

/** `01 - 📁 Projects` as `projects`. */
function plainName(folder: string): string {
  return fold(stem(folder))
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
}

function foundFolder(notes: readonly FoundNote[], folder: string): FoundFolder | null {
  const inside = notes.filter((note) => isInside(note.path, folder));
  const [first] = inside;
  if (first === undefined || folder === '') return null;
  const spelled = first.path.slice(0, folder.length); // as on disk
  const name = fold(spelled) === fold(folder) ? spelled : folder;
  const folderNotes = countFolderNotes(inside, name);
  const records = folderNotes === null ? inside : inside.filter((note) => isFolderNote(note.path, name));
  return {
    folder: name,
    notes: inside.length,
    beside: countBeside(inside, name),
    folderNotes,
    statuses: records.flatMap(({ status }) => status ?? []),
    instead: 0,
  };
}

// If a folder of a project has no note of its name, it isn't clear what the project's note is.
function countFolderNotes(inside: readonly FoundNote[], folder: string): number | null {
  const named = inside.filter((note) => isFolderNote(note.path, folder));
  const crowded = [...Map.groupBy(inside, (note) => note.folder)].filter(
    ([name, { length }]) => length > 1 && fold(name) !== fold(folder) && /\p{L}/u.test(stem(name)),
  );
  const has = ([name]: [string, FoundNote[]]) =>
    named.some(({ path: file }) => fold(stem(file)) === fold(stem(name)) && isInside(file, path.posix.dirname(name)));
  return crowded.length > 0 && crowded.filter(has).length * 2 > crowded.length ? named.length : null;
}

/**
 * How many notes are next to the one that a folder of a project is about: `Kitchen/offers.md`. A folder of a year, or
 * of another number, is no project.
 */
function countBeside(notes: readonly FoundNote[], folder: string): number {
  const deeper = notes.filter((note) => fold(note.folder) !== fold(folder) && /\p{L}/u.test(stem(note.folder)));
  const groups = [...Map.groupBy(deeper, (note) => fold(note.folder)).values()];
  return groups.reduce((sum, { length }) => sum + length - 1, 0);
}

function isInside(file: string, folder: string): boolean {
  return fold(file).startsWith(`${fold(folder)}/`);
}

function findWords(
  notes: readonly FoundNote[],
  taskNotes: TaskNotesSettings | null,
  known: Settings['status_values'],
): FoundWord[] {
  const said = notes.flatMap(({ status }) => status ?? []);
  const listed = (taskNotes?.statuses ?? []).map(({ value }) => value.trim()).filter((value) => value !== '');
  return [...Map.groupBy([...said, ...listed], wordKey)]
    .map(([key, group]) => {
      const spellings = [...Map.groupBy(group, (one) => one)].toSorted(
        ([, one], [, other]) => other.length - one.length,
      );
      const word = spellings[0]?.[0] ?? key;
      const uses = said.filter((one) => wordKey(one) === key).length;
      const state = stateMeant(word, known) ?? stateInTaskNotes(word, taskNotes) ?? usualState(word);
      return { word, notes: uses, state };
    })
    .toSorted((one, other) => other.notes - one.notes);
}

function stateInTaskNotes(word: string, taskNotes: TaskNotesSettings | null): State | null {
  const listed = taskNotes?.statuses.find(({ value }) => wordKey(value) === wordKey(word));
  if (listed === undefined) return null;
  return listed.isCompleted ? 'done' : 'open';
}

/** Returns the state that a word of the six languages means; null if it is none, or not the same in all of them. */
function usualState(word: string): State | null {
  const states = new Set(
    Object.values(vaultWords()).flatMap((language) =>
      WORD_STATES.filter((state) => language[state].includes(wordKey(word))),
    ),
  );
  const [state = null] = states;
  return states.size === 1 ? state : null;
}

/** Returns the words as the settings list them, TaskNotes' usual one first; empty if the program knows all of them. */
export function statusLines(words: readonly FoundWord[], taskNotes: TaskNotesSettings | null): string[] {
  const known = words.filter(({ state }) => state !== null);
  if (known.every(({ word, state }) => stateMeant(word, NO_WORDS) === state)) return [];
  const first = wordKey(taskNotes?.defaultTaskStatus ?? '');
  return [...known, ...(taskNotes === null ? missingWords(known) : [])]
    .toSorted((one, other) => Number(wordKey(other.word) === first) - Number(wordKey(one.word) === first))
    .map(({ word, state }) => `${word} = ${state}`)
    .filter((line) => KEYS.status_values.safeParse([line]).success);
}

/** Returns words for the states that the vault has no word for, in its language: who writes "offen" wants to read "erledigt". */
function missingWords(known: readonly FoundWord[]): { word: string; state: State }[] {
  const theirs = known.filter(({ word }) => stateMeant(word, NO_WORDS) === null).map(({ word }) => wordKey(word));
  const language = Object.values(vaultWords()).find((one) =>
    theirs.every((word) => WORD_STATES.some((state) => one[state].includes(word))),
  );
  if (language === undefined || language === vaultWords().en) return [];
  return WORD_STATES.filter((state) => known.every((one) => one.state !== state)).flatMap((state) =>
    language[state].slice(0, 1).map((word) => ({ word, state })),
  );
}

// Settings that name a field replace all of the usual names.
function taskNotesMapping(taskNotes: TaskNotesSettings): string[] {
  if (renamedFields(taskNotes).read.length === 0) return [];
  const { status, projects, ...others } = taskNotes.fields;
  const renamed = Object.entries(others)
    .filter(([name, theirs]) => theirs !== USUAL[name]?.theirs)
    .map(([name, theirs]) => `${theirs} = ${USUAL[name]?.ours}`);
  return [`${status} = state`, `${projects} = parent_matter`, ...renamed].filter(isMapping);
}

/** Returns the names that most tasks use for their matter and their due date, if Steward has to be told them. */
function usedNames(tasks: readonly FoundNote[], parentName: string): string[] {
  const dueName = mostFrequent(tasks.flatMap(({ due }) => due ?? [])) ?? 'due';
  const isKnown = parentName === 'parent_matter' || DEFAULT_MAPPING[parentName] === 'parent_matter';
  if (isKnown && dueName === 'due') return [];
  const parent = parentName === 'parent_matter' ? 'projects' : parentName;
  const lines = ['status = state', `${parent} = parent_matter`, ...(dueName === 'due' ? [] : [`${dueName} = due`])];
  return lines.filter(isMapping);
}

function mostFrequent(texts: readonly string[]): string | null {
  const [[text] = [null]] = [...Map.groupBy(texts, (one) => one)].toSorted(([, a], [, b]) => b.length - a.length);
  return text;
}

function isMapping(line: string): boolean {
  return KEYS.field_mapping.safeParse([line]).success;
}

/** Returns the renamed properties of TaskNotes that the settings can name, and those they can't, with their usual names. */
export function renamedFields({ fields }: TaskNotesSettings): {
  read: string[];
  unread: [name: string, theirs: string][];
} {
  const renamed = Object.entries(fields).filter(([name, theirs]) => theirs !== USUAL[name]?.theirs);
  const canBeNamed = ([name, theirs]: [string, string]) => isMapping(`${theirs} = ${USUAL[name]?.ours}`);
  return {
    read: renamed.filter(canBeNamed).map(([name, theirs]) => `${theirs} (${USUAL[name]?.theirs ?? name})`),
    unread: renamed.filter((one) => !canBeNamed(one)),
  };
}

const PARENTS = ['Steward', 'Vault Steward', 'Steward 2', 'Steward 3'];
/** An event note of a vault that Steward looked after before. */
const FORMER_EVENT = /^(?:(.+)\/)?event\/(?:\d{4}-\d\d\/)?(?:steward|signal)-action-[^/]+$/;

function ownFoldersIn(
  { marks, files, notes, topFolders, topNames }: FolderContents,
  named: string | null,
): Partial<FolderNames> {
  const hasFolders = (['signal', 'event', 'instinct', 'licence'] as const).some((kind) =>
    topFolders.has(DEFAULT_FOLDERS[kind]),
  );
  const isKnown = marks.includes(SETTINGS_FILE) || (marks.includes(OWN_FOLDER) && hasFolders);
  if (isKnown || (files === 0 && named === null)) return {};
  const former = notes.map((note) => FORMER_EVENT.exec(note.path)).find((match) => match !== null);
  if (former !== undefined && former[1] === undefined && named === null) return {};
  const parent = named ?? former?.[1] ?? PARENTS.find((one) => !topNames.has(fold(one))) ?? 'Steward/own';
  const own = FOLDER_KINDS.filter((kind) => kind !== 'task' && kind !== 'matter');
  return Object.fromEntries(own.map((kind) => [kind, `${parent}/${DEFAULT_FOLDERS[kind]}`]));
}

/** All that is in a folder, as far as a survey looks. */
interface FolderContents {
  /** Which of the things that only a vault has are there. */
  readonly marks: readonly string[];
  readonly notes: readonly FoundNote[];
  /** How many files there are, notes among them; hidden ones and links do not count. */
  readonly files: number;
  readonly topFolders: ReadonlySet<string>;
  readonly topNames: ReadonlySet<string>;
  /** Whether there were more files than are looked at. */
  readonly isCut: boolean;
  /** The settings of TaskNotes; null if that is not installed. */
  readonly taskNotes: TaskNotesSettings | null;
  readonly troubles: readonly Diagnostic[];
}

/** Returns how many tasks that TaskNotes knows by their tag are outside of a folder. */
export function countStray({ notes, taskNotes }: FolderContents, folder: string): number {
  if (taskNotes?.tag == null) return 0;
  return notes.filter(({ path: file, isTask }) => isTask && !isInside(file, folder)).length;
}

interface FoundNote {
  readonly path: string;
  readonly folder: string;
  /** The value of `status` or `state`, if it is one text. */
  readonly status: string | null;
  /** The first note that it names as its project or its matter, folded, and the property that does. */
  readonly parent: { readonly name: string; readonly note: string } | null;
  readonly due: string | null;
  /** Whether it is a task of TaskNotes by its tag. */
  readonly isTask: boolean;
}

/** No more is looked at than this: a survey takes seconds. */
const MAX_FILES = 200_000;
const MAX_DEPTH = 24;
/** Where nothing says that a folder is a vault, some hundred files show whether it may be one. */
const ENOUGH_FILES = 2000;
const NOTES_PER_REPORT = 500;
const MARKS = [SETTINGS_FILE, '.obsidian', '.steward'];

/** Looks at all that is in the folder. Throws `vault-unlikely` if it is unlikely to be meant as a vault. */
export function readFolder(
  root: string,
  options: { anyway?: boolean; yes?: boolean },
  { env, err }: CommandContext,
): FolderContents {
  const marks = MARKS.filter((name) => isThere(path.join(root, name)));
  const isVault = marks.includes(SETTINGS_FILE) || marks.includes('.obsidian');
  const place = isVault ? null : unlikelyPlace(root, env.HOME);
  if (place !== null && options.anyway !== true) throw unlikelyVault(root, place);
  const contents = contentsOf(root, marks, (notes) => err.renew(`Looking at your notes: ${notes}`));
  err.renew('');
  const reason = options.anyway === true ? null : unlikelyContents(contents, options.yes === true);
  if (reason !== null) throw unlikelyVault(root, reason);
  return contents;
}

/** Returns why a folder is unlikely to be a vault, by its place alone; null if it may be one. */
function unlikelyPlace(root: string, home: string | undefined): string | null {
  if (root === path.parse(root).root) return 'it is the root of the disk';
  if (home === undefined || home === '') return null;
  if (root === path.resolve(home)) return 'it is your home folder';
  return path.resolve(home).startsWith(`${root}/`) ? 'it contains your home folder' : null;
}

function unlikelyContents({ marks, files, notes, isCut }: FolderContents, isAgreed: boolean): string | null {
  if (marks.length > 0 || files === 0) return null;
  const all = `${isCut ? 'more than ' : ''}${count(files, 'file')}`;
  if (notes.length === 0) return `it has ${all} and no note`;
  if (notes.length * 2 < files)
    return `of its ${all}, ${notes.length} ${notes.length === 1 ? 'is a note' : 'are notes'}`;
  if (isAgreed || process.stdin.isTTY === true) return null;
  return 'it has notes, but neither .obsidian nor steward.md';
}

function unlikelyVault(root: string, reason: string): StewardError {
  return new StewardError(
    {
      code: 'vault-unlikely',
      file: clean(root),
      message: `This doesn't look like a vault: ${reason}. No file was created.`,
      hint: 'Name the folder of your notes, or add --anyway to use this one.',
    },
    EXIT.refused,
  );
}

// Follows no link, and makes no change.
function contentsOf(root: string, marks: readonly string[], report: (notes: number) => void): FolderContents {
  const troubles: Diagnostic[] = [];
  const taskNotes = readTaskNotes(root, troubles);
  const { files, isCut } = listFiles(root, marks.length === 0 ? ENOUGH_FILES : MAX_FILES, troubles);
  const notes: FoundNote[] = [];
  for (const file of files) {
    if (!/\.md$/i.test(file) || isConflictCopy(file) || fold(file) === SETTINGS_FILE) continue;
    const note = foundNote(root, file, taskNotes);
    if (note !== null) notes.push(note);
    if (notes.length % NOTES_PER_REPORT === 0) report(notes.length);
  }
  const topFolders = new Set(
    files.flatMap((file) => (file.includes('/') ? [fold(file.slice(0, file.indexOf('/')))] : [])),
  );
  const topNames = new Set(fs.existsSync(root) ? fs.readdirSync(root).map(fold) : []);
  return { marks, notes, files: files.length, topFolders, topNames, isCut, taskNotes, troubles };
}

/** Returns all plain files below a folder, shallow ones first. */
export function listFiles(root: string, most: number, troubles: Diagnostic[]): { files: string[]; isCut: boolean } {
  const files: string[] = [];
  let folders = [''];
  for (let depth = 0; folders.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return { files, isCut: true };
    const deeper: string[] = [];
    for (const folder of folders) {
      for (const entry of listEntries(root, folder, troubles)) {
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

function listEntries(root: string, folder: string, troubles: Diagnostic[]): fs.Dirent[] {
  try {
    return fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === '' && systemCode(error) === 'ENOENT') return [];
    const message = `The folder cannot be listed (${errorReason(error)}).`;
    troubles.push(diagnostic({ code: 'folder-unreadable', file: folder, message, hint: 'The survey leaves it out.' }));
    return [];
  }
}

/** Whether there is a file, a folder or a link. */
export function isThere(place: string): boolean {
  return fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

// Null if the note is too large, gone by now, or not to be read: `status` shows that.
function foundNote(root: string, file: string, taskNotes: TaskNotesSettings | null): FoundNote | null {
  const bytes = noteBytes(root, file);
  if (bytes === null) return null;
  const read = readNote(file, bytes);
  const data: Frontmatter = read.ok ? read.note.data : {};
  const states = textsIn(data.state ?? data[taskNotes?.fields.status ?? 'status'] ?? data.status);
  const tags = textsIn(data.tags).map((tag) => fold(tag.replace(/^#/, '')));
  const folder = path.posix.dirname(file);
  return {
    path: file,
    folder: folder === '.' ? '' : folder,
    status: states.length === 1 ? (states[0] ?? null) : null,
    parent: parentIn(data, ['parent_matter', taskNotes?.fields.projects ?? 'projects', 'projects']),
    due: dueIn(data),
    isTask: taskNotes?.tag != null && tags.includes(fold(taskNotes.tag)),
  };
}

function parentIn(data: Frontmatter, known: readonly string[]): FoundNote['parent'] {
  const name = [...known, ...namesIn(data, 'parent')].find((one) => textsIn(data[one]).length > 0);
  const [text] = name === undefined ? [] : textsIn(data[name]);
  return name === undefined || text === undefined ? null : { name, note: fold(stem(linkTarget(text))) };
}

function dueIn(data: Frontmatter): string | null {
  return ['due', ...namesIn(data, 'due')].find((name) => textsIn(data[name]).some((text) => DAY.test(text))) ?? null;
}

const DAY = /^\d{4}-\d\d-\d\d/;

/** The properties of a note, as they are written there, that have one of the usual names. */
function namesIn(data: Frontmatter, kind: 'parent' | 'due'): string[] {
  const names = usualNames(kind);
  return Object.keys(data).filter((key) => names.includes(key.normalize('NFC').toLowerCase()));
}

/** Returns the bytes of a note; null if it can't be read. */
export function noteBytes(root: string, file: string): Buffer | null {
  try {
    return readInside(root, file, MAX_NOTE_BYTES).bytes;
  } catch {
    return null;
  }
}

function textsIn(value: Yaml | undefined): string[] {
  const items: readonly Yaml[] = Array.isArray(value) ? value : [value ?? null];
  return items
    .flatMap((item) => (item === null || typeof item === 'object' ? [] : [String(item).trim()]))
    .filter(Boolean);
}

const TASKNOTES_FILE = '.obsidian/plugins/tasknotes/data.json';
const MAX_TASKNOTES_BYTES = 8 * 1024 * 1024;
/** The properties of TaskNotes that Steward reads, by their names in its settings: as it calls them, and our names. */
const USUAL: Readonly<Record<string, { readonly theirs: string; readonly ours: string }>> = {
  status: { theirs: 'status', ours: 'state' },
  projects: { theirs: 'projects', ours: 'parent_matter' },
  due: { theirs: 'due', ours: 'due' },
  scheduled: { theirs: 'scheduled', ours: 'scheduled' },
  completedDate: { theirs: 'completedDate', ours: 'completedDate' },
  recurrence: { theirs: 'recurrence', ours: 'recurrence' },
  recurrenceAnchor: { theirs: 'recurrence_anchor', ours: 'recurrence_anchor' },
  completeInstances: { theirs: 'complete_instances', ours: 'complete_instances' },
  skippedInstances: { theirs: 'skipped_instances', ours: 'skipped_instances' },
};

const words = z.string().max(200);
const taskStatus = z.looseObject({
  value: words,
  isCompleted: z.boolean().catch(false),
  order: z.number().catch(0),
});
const fieldNames = z.object({
  status: words.catch('status'),
  projects: words.catch('projects'),
  due: words.catch('due'),
  scheduled: words.catch('scheduled'),
  completedDate: words.catch('completedDate'),
  recurrence: words.catch('recurrence'),
  recurrenceAnchor: words.catch('recurrence_anchor'),
  completeInstances: words.catch('complete_instances'),
  skippedInstances: words.catch('skipped_instances'),
});

/**
 * The settings of TaskNotes about its tasks. They contain much else, such as a token, which is not kept. For a setting
 * that one of its versions does not write, TaskNotes' own default applies.
 */
const taskNotesSettings = z
  .looseObject({
    tasksFolder: words.catch('TaskNotes/Tasks'),
    defaultTaskStatus: words.catch('open'),
    taskIdentificationMethod: words.catch('tag'),
    taskTag: words.catch('task'),
    customStatuses: z.array(z.unknown()).max(200).catch([]),
    fieldMapping: fieldNames.catch(fieldNames.parse({})),
  })
  .transform(({ tasksFolder, defaultTaskStatus, customStatuses, fieldMapping: fields, ...others }) => ({
    /** The tag by which it knows a task; null if it goes by a property. */
    tag: others.taskIdentificationMethod === 'tag' ? others.taskTag : null,
    tasksFolder: tasksFolder.replace(/^\/+|(?<!\/)\/+$/g, ''),
    defaultTaskStatus,
    statuses: customStatuses
      .flatMap((one) => taskStatus.safeParse(one).data ?? [])
      .toSorted((one, other) => one.order - other.order),
    fields,
  }));
type TaskNotesSettings = z.infer<typeof taskNotesSettings>;

function readTaskNotes(root: string, troubles: Diagnostic[]): TaskNotesSettings | null {
  if (!isThere(path.join(root, path.dirname(TASKNOTES_FILE)))) return null;
  const asItComes = taskNotesSettings.parse({});
  if (!isThere(path.join(root, TASKNOTES_FILE))) return asItComes;
  try {
    const text = readInside(root, TASKNOTES_FILE, MAX_TASKNOTES_BYTES).bytes.toString('utf8');
    return taskNotesSettings.parse(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    troubles.push(
      diagnostic({
        code: 'plugin-unreadable',
        file: TASKNOTES_FILE,
        message: `The settings of TaskNotes cannot be read (${errorReason(error).split('\n')[0]}).`,
        hint: 'Its defaults are assumed: tasks in TaskNotes/Tasks, and its own words for states.',
      }),
    );
    return asItComes;
  }
}
