import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { readInside } from '../../../vault/disk/read-inside.ts';
import { type Diagnostic, diagnostic, reasonOf, systemCode } from '../../../vault/errors.ts';
import { MAX_NOTE_BYTES } from '../../../vault/frontmatter/parse.ts';
import { fold, isConflictCopy, isHidden } from '../../../vault/note-names.ts';
import { type FoundNote, foundNote } from './found-note.ts';
import { TASKNOTES_AS_IT_COMES, TASKNOTES_FILE, type TaskNotesSettings, taskNotesSettings } from './task-notes.ts';

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
