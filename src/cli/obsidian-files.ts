import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readSettings } from '../daemon/settings.ts';
import { type JsonNode, parseJson } from '../evidence/rows.ts';
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
 * a person chose stays, and so does every byte that was in the file.
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
const typesFile = z.looseObject({ types: z.looseObject({}).default({}) });

/** Returns the text with the types it lacks. Throws `types-unreadable` if it contains no such list. */
export function withTypes(text: string, types: Readonly<Record<string, string>>): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(bom.length);
  const before = readOrRefuse(() => typesFile.parse(JSON.parse(json)));
  const merged = withMembers(
    json,
    readOrRefuse(() => parseJson(json)),
    { types },
  );
  const meant = { ...before, types: { ...types, ...before.types } };
  // Read again before it is written, as every edit of a note is.
  if (merged === null || !isDeepStrictEqual(JSON.parse(merged), meant)) throw unreadable('it is written in an odd way');
  return bom + merged;
}

/** Returns the file as text. Throws `types-unreadable` if it isn't text. */
function typesText(bytes: Buffer): string {
  return readOrRefuse(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

function readOrRefuse<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw unreadable(errorReason(error).split('\n')[0] ?? '');
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

/** Makes them boxes, and returns whether there were any. Changes no other byte. */
export function mendTypes(root: string): boolean {
  return rewrite(root, TYPES_FILE, withBoxes, typesText);
}

/** Returns the text with the type of each such box repaired. */
export function withBoxes(text: string): string {
  const wrong = wrongIn(text).map(({ key }) => key);
  if (wrong.length === 0) return text;
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const json = text.slice(bom);
  const values = members(members([parseJson(json)], 'types'), ...wrong);
  const mended = values
    .toSorted((one, other) => other.from - one.from)
    .reduce((made, { from, to }) => `${made.slice(0, from)}"${BOX}"${made.slice(to)}`, json);
  // Read again before it is written, to make sure that only the intended change was made.
  const before = typesFile.parse(JSON.parse(json));
  const meant = { ...before, types: { ...before.types, ...Object.fromEntries(wrong.map((key) => [key, BOX])) } };
  return isDeepStrictEqual(JSON.parse(mended), meant) ? text.slice(0, bom) + mended : text;
}

function wrongIn(text: string): WrongType[] {
  const json = text.replace(/^\uFEFF/, '');
  const there = typesFile.parse(JSON.parse(json)).types;
  const boxes = Object.entries(shippedTypes()).filter(([, type]) => type === BOX);
  return boxes.flatMap(([key]) => {
    const is = Object.hasOwn(there, key) ? there[key] : BOX;
    return typeof is === 'string' && is !== BOX ? [{ key, is }] : [];
  });
}

/** Of two members alike the last one counts. */
function members(nodes: readonly JsonNode[], ...keys: readonly string[]): JsonNode[] {
  return nodes.flatMap((node) =>
    keys.flatMap((key) => node.members?.findLast((member) => member.key === key)?.value ?? []),
  );
}

/** Properties of matters and tasks: other programs use them too, and their types may be older than Steward. */
const OF_TASKS: ReadonlySet<string> = new Set([...Object.keys(matterFields.shape), ...Object.keys(taskFields.shape)]);

/** Returns the properties whose types `init` gave to Obsidian and that no note has (`used`: those that notes have). */
export function unusedTypes(root: string, used: ReadonlySet<string>): string[] {
  const place = realPlace(root, TYPES_FILE);
  if (place === null) return [];
  const { types } = typesFile.parse(
    JSON.parse(typesText(readBytes(place, MAX_NOTE_BYTES).bytes).replace(/^\uFEFF/, '')),
  );
  // In this order, `init` made the list.
  const isMade = isDeepStrictEqual(Object.entries(types), Object.entries(shippedTypes()));
  return Object.entries(shippedTypes()).flatMap(([key, type]) =>
    (isMade || !OF_TASKS.has(key)) && Object.hasOwn(types, key) && types[key] === type && !used.has(key) ? [key] : [],
  );
}

/** Removes these types; every other byte stays. A file that contains nothing else is removed. */
export function removeTypes(root: string, keys: readonly string[]): void {
  rewrite(root, TYPES_FILE, (text) => withoutTypes(text, keys));
}

/** Returns the text without these types. Throws `types-unreadable` if it contains no such list. */
export function withoutTypes(text: string, keys: readonly string[]): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return readOrRefuse(() => {
    const json = text.slice(bom.length);
    const cut = keys.reduce((made, key) => withoutMember(made, members([parseJson(made)], 'types')[0], key), json);
    const { types, ...rest } = typesFile.parse(JSON.parse(json));
    const kept = Object.fromEntries(Object.entries(types).filter(([key]) => !keys.includes(key)));
    if (isDeepStrictEqual(JSON.parse(cut), { ...rest, types: kept })) return bom + cut;
    throw unreadable('it is written in an odd way');
  });
}

// With the comma before it, or the one behind it if it is the first.
function withoutMember(json: string, object: JsonNode | undefined, key: string): string {
  const all = object?.members ?? [];
  const nth = all.findIndex((member) => member.key === key);
  const [found, before, next] = [all[nth], all[nth - 1], all[nth + 1]];
  if (found === undefined) return json;
  const from = before?.value.to ?? found.from;
  const to = before === undefined ? (next?.from ?? found.value.to) : found.value.to;
  return json.slice(0, from) + json.slice(to);
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
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(bom.length);
  try {
    const before = appearance.parse(JSON.parse(json));
    const names = before[KEY] ?? [];
    if (!names.includes(NAME)) return text;
    const made = withoutItem(json, members([parseJson(json)], KEY)[0], JSON.stringify(NAME));
    if (isDeepStrictEqual(JSON.parse(made), { ...before, [KEY]: names.filter((name) => name !== NAME) }))
      return bom + made;
  } catch (error) {
    throw unreadableSnippet(errorReason(error).split('\n')[0] ?? '');
  }
  throw unreadableSnippet('it is written in an odd way');
}

function withoutItem(json: string, list: JsonNode | undefined, item: string): string {
  const all = list?.items ?? [];
  const nth = all.findIndex(({ from, to }) => json.slice(from, to) === item);
  const [found, before, next] = [all[nth], all[nth - 1], all[nth + 1]];
  if (found === undefined) return json;
  return (
    json.slice(0, before?.to ?? found.from) + json.slice(before === undefined ? (next?.from ?? found.to) : found.to)
  );
}

const appearance = z.looseObject({ [KEY]: z.array(z.string()).optional() });

/** Returns the text of `appearance.json` with the style sheet among those that are used. */
export function withSnippet(text: string): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(bom.length);
  try {
    const before = appearance.parse(JSON.parse(json));
    const names = before[KEY] ?? [];
    if (names.includes(NAME)) return text;
    const made = withItem(json, parseJson(json), KEY, NAME);
    const meant = { ...before, [KEY]: [...names, NAME] };
    if (made !== null && isDeepStrictEqual(JSON.parse(made), meant)) return bom + made;
  } catch (error) {
    throw unreadableSnippet(errorReason(error).split('\n')[0] ?? '');
  }
  throw unreadableSnippet('it is written in an odd way');
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

/** Members to put into a JSON object: by key, a text, a list of texts or one more level of them. */
interface NewMembers {
  readonly [key: string]: NewValue;
}
type NewValue = string | readonly string[] | NewMembers;

/** How the members of one object are laid out. */
interface Style {
  /** Between the opening brace or a comma and the key. */
  readonly lead: string;
  /** From the end of the key to its value. */
  readonly colon: string;
  /** Between the last value and the closing brace. */
  readonly tail: string;
}

/**
 * Returns the JSON text with the members it lacks, each behind the last one of its object and laid out as that is. The
 * rest of the text stays, and so do existing members. Returns null if a place for members is no object.
 */
function withMembers(text: string, root: JsonNode, members: NewMembers): string | null {
  const insertions = insertionsInto(text, root, members, rootStyle(text, root));
  if (insertions === null) return null;
  return insertions.reduceRight((made, { at, put }) => made.slice(0, at) + put + made.slice(at), text);
}

/**
 * Returns the JSON text with one more text in the list that a member of its object holds, laid out as the others are;
 * with the member, where that is missing. Returns null if it contains no list.
 */
function withItem(text: string, root: JsonNode, key: string, item: string): string | null {
  const list = root.members?.findLast((member) => member.key === key)?.value;
  if (list === undefined) return withMembers(text, root, { [key]: [item] });
  if (list.items === undefined) return null;
  const last = list.items.at(-1);
  const lead = text.slice(list.items.at(-2)?.to ?? list.from + 1, last?.from ?? list.from + 1).replace(',', '');
  const at = last?.to ?? list.from + 1;
  const put = `${last === undefined ? '' : ','}${lastLine(lead)}${JSON.stringify(item)}`;
  return text.slice(0, at) + put + text.slice(at);
}

interface Insertion {
  readonly at: number;
  readonly put: string;
}

function insertionsInto(text: string, object: JsonNode, members: NewMembers, style: Style): Insertion[] | null {
  if (object.members === undefined) return null;
  const there = new Map(object.members.map(({ key, value }) => [key, value])); // of two alike the last one counts
  const deeper: Insertion[] = [];
  const missing: [string, NewValue][] = [];
  for (const [key, value] of Object.entries(members)) {
    const found = there.get(key);
    if (found === undefined) missing.push([key, value]);
    else if (typeof value !== 'string' && !isTexts(value)) {
      const inside = insertionsInto(text, found, value, styleOf(text, found, nested(style)));
      if (inside === null) return null;
      deeper.push(...inside);
    }
  }
  if (missing.length > 0) deeper.push(insertion(text, object, missing, style));
  return deeper.sort((one, other) => one.at - other.at);
}

function insertion(
  text: string,
  object: JsonNode,
  missing: readonly (readonly [string, NewValue])[],
  style: Style,
): Insertion {
  const put = missing.map(([key, value]) => written(key, value, style)).join(',');
  const last = object.members?.at(-1);
  if (last !== undefined) return { at: last.value.to, put: `,${put}` };
  const isOpen = /[\r\n]/.test(text.slice(object.from, object.to));
  return { at: object.from + 1, put: isOpen ? put : put + style.tail };
}

function written(key: string, value: NewValue, style: Style): string {
  return style.lead + JSON.stringify(key) + style.colon + valueText(value, nested(style));
}

function valueText(value: NewValue, style: Style): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isTexts(value)) return `[${value.map((one) => style.lead + JSON.stringify(one)).join(',')}${style.tail}]`;
  const entries = Object.entries(value).map(([key, one]) => written(key, one, style));
  return `{${entries.join(',')}${style.tail}}`;
}

function isTexts(value: Exclude<NewValue, string>): value is readonly string[] {
  return Array.isArray(value);
}

/** The style of an object: that of its members, if it has any. */
function styleOf(text: string, object: JsonNode, otherwise: Style): Style {
  const members = object.members ?? [];
  const leads = members.map(({ from }, nth) => text.slice(members[nth - 1]?.value.to ?? object.from + 1, from));
  const last = members.at(-1);
  if (last === undefined) return otherwise;
  const lead = leads.findLast((one) => one.includes('\n')) ?? leads.at(-1) ?? '';
  return { lead: lastLine(lead.replace(',', '')), colon: colonOf(text, last.from, last.value), tail: otherwise.tail };
}

// A blank line before a member is not repeated before each new one; the space before a comma neither.
function lastLine(lead: string): string {
  return /\r?\n[^\n]*$/.exec(lead)?.[0] ?? lead;
}

// The text between a key's closing quote and its value.
function colonOf(text: string, from: number, value: JsonNode): string {
  const member = text.slice(from, value.from);
  return member.slice(member.lastIndexOf('"') + 1);
}

/** An empty text is laid out as Obsidian does, with the line ends it has. */
function rootStyle(text: string, root: JsonNode): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  return styleOf(text, root, { lead: `${eol}  `, colon: ': ', tail: eol });
}

/** The style one level deeper: the same indentation once more. */
function nested(style: Style): Style {
  const [, eol, indent] = /^(\r?\n)(\s*)$/.exec(style.lead) ?? [];
  if (eol === undefined || indent === undefined) return { ...style, tail: '' };
  const step = /^\s*/.exec(style.tail.replace(/^\r?\n/, ''))?.[0] ?? '';
  const unit = indent.slice(step.length) || '  ';
  return { lead: `${eol}${indent}${unit}`, colon: style.colon, tail: `${eol}${indent}` };
}
