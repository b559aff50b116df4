import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readSettings } from '../daemon/settings.ts';
import { UNKNOWN_SETTINGS } from '../steward/settings.ts';
import { errorReason, StewardError, systemCode } from '../vault/errors.ts';
import {
  attributesRefusal,
  createWhole,
  editRefusal,
  type FileBytes,
  giveAttributes,
  insideVault,
  loadSystemCalls,
  readAttributes,
  readBytes,
  replaceWhole,
} from '../vault/files.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames, MAX_NOTE_BYTES } from '../vault/layout.ts';
import { matterFields, taskFields } from '../vault/record.ts';
import { PACKAGE } from './terminal.ts';

/** Where Obsidian keeps the type of each property. */
export const TYPES_FILE = '.obsidian/types.json';

/**
 * Tells Obsidian the types of the properties that the notes use, and returns whether it knew any of them not. A type that
 * a person chose stays, and so does all else in the file.
 */
export function addPropertyTypes(root: string, tmp: string): boolean {
  makeFolder(root, '.obsidian');
  if (realPlace(root, TYPES_FILE) === null) return createWhole(root, tmp, TYPES_FILE, shippedText());
  return rewrite(root, TYPES_FILE, (text) => withTypes(text, shippedTypes()), typesText);
}

/** Whether Obsidian lacks a type of the program's properties; false if its file can't be read. */
export function lacksTypes(root: string): boolean {
  try {
    const place = realPlace(root, TYPES_FILE);
    if (place === null) return true;
    const text = typesText(readBytes(place, MAX_NOTE_BYTES).bytes);
    return withTypes(text, shippedTypes()) !== text;
  } catch {
    return false; // said when they are added
  }
}

function shippedTypes(): Readonly<Record<string, string>> {
  return shippedFile.parse(JSON.parse(shippedText())).types;
}

function shippedText(): string {
  return fs.readFileSync(path.join(PACKAGE, 'vault-example', ...TYPES_FILE.split('/')), 'utf8');
}

const shippedFile = z.object({ types: z.record(z.string(), z.string()) });

/** Returns the text with the types it lacks. Throws `types-unreadable` if it contains no such list. */
export function withTypes(text: string, types: Readonly<Record<string, string>>): string {
  return editTypes(text, (there) => ({ ...there, ...omit(types, Object.keys(there)) }));
}

function editTypes(text: string, edit: (types: JsonObject) => JsonObject): string {
  return editJson(text, (file) => ({ ...file, types: edit(typesIn(text)) }), unreadable);
}

function typesIn(text: string): JsonObject {
  const { types = {} } = readJson(text, unreadable);
  if (isObject(types)) return types;
  throw unreadable('it has no list of types');
}

/** Returns the file as text. Throws `types-unreadable` if it isn't text. */
function typesText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable(errorReason(error));
  }
}

function unreadable(reason: string): StewardError {
  return new StewardError({
    code: 'types-unreadable',
    file: TYPES_FILE,
    message: `The property types of Obsidian cannot be read (${reason}).`,
    hint: 'Correct or delete the file; it is unchanged.',
  });
}

/** A box to tick that Obsidian shows as something else. */
export interface WrongType {
  readonly key: string;
  readonly is: string;
}

const BOX = 'checkbox';

/**
 * Returns the boxes that Obsidian does not show as boxes, so that they can't be ticked; empty if the file can't be
 * read.
 */
export function wrongTypes(root: string): WrongType[] {
  try {
    const place = realPlace(root, TYPES_FILE);
    return place === null ? [] : wrongIn(typesText(readBytes(place, MAX_NOTE_BYTES).bytes));
  } catch {
    return []; // said where the missing types are put in
  }
}

/** Makes them boxes, and returns whether there were any. */
export function mendTypes(root: string): boolean {
  return rewrite(root, TYPES_FILE, withBoxes, typesText);
}

/** Returns the text with the type of each such box repaired. */
export function withBoxes(text: string): string {
  const boxes = Object.fromEntries(wrongIn(text).map(({ key }) => [key, BOX]));
  return editTypes(text, (types) => ({ ...types, ...boxes }));
}

function wrongIn(text: string): WrongType[] {
  const there = typesIn(text);
  const boxes = Object.entries(shippedTypes()).filter(([, type]) => type === BOX);
  return boxes.flatMap(([key]) => {
    const is = Object.hasOwn(there, key) ? there[key] : BOX;
    return typeof is === 'string' && is !== BOX ? [{ key, is }] : [];
  });
}

/** Properties of matters and tasks: other programs use them too, and their types may be older than Steward. */
const OF_TASKS: ReadonlySet<string> = new Set([...Object.keys(matterFields.shape), ...Object.keys(taskFields.shape)]);

/** Returns the properties whose types `init` gave to Obsidian and that no note has (`used`: those that notes have). */
export function unusedTypes(root: string, used: ReadonlySet<string>): string[] {
  const place = realPlace(root, TYPES_FILE);
  if (place === null) return [];
  const types = typesIn(typesText(readBytes(place, MAX_NOTE_BYTES).bytes));
  // In this order, `init` made the list.
  const isMade = isDeepStrictEqual(Object.entries(types), Object.entries(shippedTypes()));
  return Object.entries(shippedTypes()).flatMap(([key, type]) =>
    (isMade || !OF_TASKS.has(key)) && Object.hasOwn(types, key) && types[key] === type && !used.has(key) ? [key] : [],
  );
}

/** Removes these types. A file that contains nothing else is removed. */
export function removeTypes(root: string, keys: readonly string[]): void {
  rewrite(root, TYPES_FILE, (text) => withoutTypes(text, keys));
}

/** Returns the text without these types. Throws `types-unreadable` if it contains no such list. */
export function withoutTypes(text: string, keys: readonly string[]): string {
  return editTypes(text, (types) => omit(types, keys));
}

// Returns whether there was anything to change. A file in which nothing is left is removed.
function rewrite(
  root: string,
  file: string,
  change: (text: string) => string,
  textOf = (bytes: Buffer) => bytes.toString('utf8'),
): boolean {
  const place = realPlace(root, file);
  if (place === null) return false;
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = textOf(former.bytes);
  const changed = change(text);
  if (changed === text) return false;
  if (isBare(JSON.parse(changed.replace(/^\uFEFF/, '')))) fs.rmSync(place);
  else replaceInVault({ file, place, former }, changed);
  return true;
}

function isBare(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isBare);
}

const NAME = 'steward-event';
const TEMPLATE = path.join(PACKAGE, 'template', `${NAME}.css`);
/** The style sheet that hides in event notes what is for the program alone. */
export const SNIPPET_FILE = `.obsidian/snippets/${NAME}.css`;
const APPEARANCE_FILE = '.obsidian/appearance.json';
const KEY = 'enabledCssSnippets';

/** Whether the style sheet can be had and is not there yet. */
export function lacksSnippet(root: string): boolean {
  return (
    fs.existsSync(TEMPLATE) && fs.lstatSync(path.join(root, SNIPPET_FILE), { throwIfNoEntry: false }) === undefined
  );
}

/** Copies the style sheet and has Obsidian use it. Returns whether it was missing. */
export function addSnippet(root: string, tmp: string): boolean {
  makeFolder(root, '.obsidian');
  makeFolder(root, path.posix.dirname(SNIPPET_FILE));
  if (!copyNew(TEMPLATE, root, tmp, SNIPPET_FILE)) return false;
  enable(root, tmp);
  return true;
}

function enable(root: string, tmp: string): void {
  if (realPlace(root, APPEARANCE_FILE) === null) createWhole(root, tmp, APPEARANCE_FILE, withSnippet('{}'));
  else rewrite(root, APPEARANCE_FILE, withSnippet);
}

/** Whether the style sheet in the vault is the one that `init` put there; null if there is no such file. */
export function isShippedSnippet(root: string): boolean | null {
  const place = realPlace(root, SNIPPET_FILE);
  return place === null ? null : readBytes(place, MAX_NOTE_BYTES).bytes.equals(fs.readFileSync(TEMPLATE));
}

/** Removes the style sheet, and has Obsidian no longer use it. */
export function removeSnippet(root: string): void {
  rewrite(root, APPEARANCE_FILE, withoutSnippet);
  const place = realPlace(root, SNIPPET_FILE);
  if (place !== null) fs.rmSync(place);
}

/** Returns the text of `appearance.json` without the style sheet among those that are used. */
export function withoutSnippet(text: string): string {
  return editSnippets(text, (names) => names.filter((name) => name !== NAME));
}

/** Returns the text of `appearance.json` with the style sheet among those that are used. */
export function withSnippet(text: string): string {
  return editSnippets(text, (names) => [...new Set([...names, NAME])]);
}

function editSnippets(text: string, edit: (names: readonly string[]) => readonly string[]): string {
  const { [KEY]: there = [] } = readJson(text, unreadableSnippet);
  const read = z.array(z.string()).safeParse(there);
  if (!read.success) throw unreadableSnippet('it has no list of style sheets');
  const names = edit(read.data);
  if (names.length === read.data.length) return text;
  return editJson(text, (file) => ({ ...file, [KEY]: names }), unreadableSnippet);
}

function unreadableSnippet(reason: string): StewardError {
  return new StewardError({
    code: 'appearance-unreadable',
    file: APPEARANCE_FILE,
    message: `Obsidian’s appearance settings cannot be read (${reason}).`,
    hint: `The style sheet is in ${SNIPPET_FILE}: turn it on in Obsidian, under Appearance.`,
  });
}

/** The tables that Obsidian shows of what waits and what was done. */
export const TABLES_FILE = 'Steward.base';

/**
 * Puts the tables into a vault, with the folder names of its settings, and returns whether they were missing, or were as
 * they are made with the names that the folders had (`before`). Tables that a person changed stay.
 */
export function addTables(root: string, tmp: string, before: FolderNames): boolean {
  const shipped = fs.readFileSync(path.join(PACKAGE, 'vault-example', TABLES_FILE), 'utf8');
  const wanted = tablesFor(shipped, readSettings(root, UNKNOWN_SETTINGS).settings.folders);
  const place = realPlace(root, TABLES_FILE);
  if (place === null) return createWhole(root, tmp, TABLES_FILE, wanted);
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = former.bytes.toString('utf8');
  if (text === wanted || text !== tablesFor(shipped, before)) return false;
  replaceInVault({ file: TABLES_FILE, place, former }, wanted);
  return true;
}

/** Whether the tables in the vault are as `init` made them; null if there are no tables. */
export function areShippedTables(root: string, folders: FolderNames): boolean | null {
  const place = realPlace(root, TABLES_FILE);
  if (place === null) return null;
  const shipped = fs.readFileSync(path.join(PACKAGE, 'vault-example', TABLES_FILE), 'utf8');
  return readBytes(place, MAX_NOTE_BYTES).bytes.toString('utf8') === tablesFor(shipped, folders);
}

/** Returns the tables as they are shipped, with the folder names of one vault. */
export function tablesFor(shipped: string, folders: FolderNames): string {
  return shipped.replaceAll(IN_FOLDER, (filter, name: string) => {
    const kind = FOLDER_KINDS.find((one) => DEFAULT_FOLDERS[one] === name);
    return kind === undefined ? filter : yamlText(`file.inFolder(${textLiteral(folders[kind])})`);
  });
}

/** A filter by folder, as the shipped file writes it: quoted, since a folder's name may contain YAML syntax. */
const IN_FOLDER = /'file\.inFolder\("([^"']+)"\)'/g;

// The published syntax knows text in either kind of quotes and names no way to escape one.
function textLiteral(text: string): string {
  return text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text);
}

function yamlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Returns the real path of what is at a place of the vault, or null if no file is there. Throws `path-outside-vault` if
 * a link leads out of the vault, `link-dead` if it leads nowhere.
 */
export function realPlace(root: string, file: string): string | null {
  try {
    return insideVault(root, file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  if (fs.lstatSync(path.join(root, file), { throwIfNoEntry: false }) === undefined) return null;
  throw new StewardError({
    code: 'link-dead',
    file,
    message: `${file} is a link that leads nowhere.`,
    hint: 'Remove the link, or make what it leads to.',
  });
}

/** Makes a folder of the vault, and returns whether it was missing. Throws `not-a-folder` if a file has its name. */
function makeFolder(root: string, folder: string): boolean {
  const place = realPlace(root, folder);
  if (place === null) {
    fs.mkdirSync(path.join(root, folder));
    return true;
  }
  if (fs.statSync(place).isDirectory()) return false;
  throw new StewardError({
    code: 'not-a-folder',
    file: folder,
    message: `${folder} is not a folder.`,
    hint: 'Move it elsewhere; it is as it was.',
  });
}

/** Makes a folder of the vault and those it lies in, and returns whether it was missing. */
export function makeFolders(root: string, folder: string): boolean {
  const parts = folder.split('/');
  return parts.map((_, nth) => makeFolder(root, parts.slice(0, nth + 1).join('/'))).at(-1) ?? false;
}

/** Copies a file into the vault, whole or not at all, and returns whether it was missing. */
export function copyNew(from: string, root: string, tmp: string, file: string): boolean {
  if (realPlace(root, file) !== null) return false;
  return createWhole(root, tmp, file, fs.readFileSync(from));
}

/** A file of the vault as it was read, to be written again. */
interface Former {
  /** Vault-relative. */
  readonly file: string;
  readonly place: string;
  readonly former: FileBytes;
}

/**
 * Writes a file of the vault again and keeps its owner, mode and attributes. Throws if it may not be written, or was
 * changed since it was read.
 */
export function replaceInVault({ file, place, former }: Former, text: string): void {
  const refusal = editRefusal(file, place, former);
  if (refusal !== null) throw refusal;
  const system = loadSystemCalls();
  const keep = (part: string) => {
    if (!giveAttributes(part, readAttributes(place, system), system)) throw attributesRefusal(file);
  };
  if (replaceWhole(place, text, former, keep)) return;
  throw new StewardError({
    code: 'file-changed',
    file,
    message: `${file} changed at this very moment.`,
    hint: 'It is as it was; run `steward init` again.',
  });
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readJson(text: string, refusal: (reason: string) => StewardError): JsonObject {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
  } catch (error) {
    throw refusal(errorReason(error).split('\n')[0] ?? '');
  }
  throw refusal('it has no properties');
}

/** Returns the JSON text after an edit, with its indentation and line ends; as it was if the edit changes no value. */
function editJson(
  text: string,
  edit: (value: JsonObject) => JsonObject,
  refusal: (reason: string) => StewardError,
): string {
  const before = readJson(text, refusal);
  const after = edit(before);
  if (isDeepStrictEqual(before, after)) return text;
  const [, start = '', json = '', end = ''] = /^(\uFEFF?\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  // Obsidian indents by two blanks; a file on one line stays on one.
  const indent = /\n([ \t]+)"/.exec(json)?.[1] ?? (json.length > 2 ? '' : '  ');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return start + JSON.stringify(after, null, indent).replaceAll('\n', eol) + end;
}

function omit<Value>(from: Readonly<Record<string, Value>>, keys: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
}
