import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { prepare } from '../daemon/context/own-folders.ts';
import { readSettings, type Settings, UNKNOWN_SETTINGS } from '../daemon/context.ts';
import { type JsonNode, parseJson } from '../evidence/formats-json.ts';
import { loadSystemCalls } from '../vault/disk/system-calls.ts';
import { attributesOf, attributesRefusal, editRefusal, giveAttributes } from '../vault/disk-readers.ts';
import { type Diagnostic, EXIT, reasonOf, StewardError, systemCode } from '../vault/errors.ts';
import { createWhole, type FileBytes, fileError, insideVault, readBytes, replaceWhole } from '../vault/files.ts';
import { editFields } from '../vault/frontmatter.ts';
import { MAX_NOTE_BYTES, readNote } from '../vault/frontmatter-parse.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames, ownPlaces, SETTINGS_FILE } from '../vault/layout.ts';
import { STATES, type State } from '../vault/records/values.ts';
import { PACKAGE } from './base/package-dir.ts';
import type { CommandContext, CommandResult } from './base.ts';
import { clean, count } from './print/plain-text.ts';
import type { Printer } from './print/printer.ts';
import {
  INIT_QUESTIONS,
  LEFT,
  leftLines,
  lookingLine,
  printComplete,
  printFoundLines,
  printModelCost,
  printNextSteps,
  printNothingMade,
  printSetUp,
  stateChoices,
} from './print-setup.ts';
import {
  type Adoption,
  adoptedLines,
  type FoundFolder,
  type FoundWord,
  foundLines,
  lookAround,
  type ProposedSettings,
  proposedSettings,
  type Surroundings,
  type Survey,
  surveyOf,
} from './setup-survey.ts';

/** How a person is asked while a vault is set up. Each answers null where they break it off. */
interface InitAsking {
  /** `standing`: what Enter means. */
  readonly agree: (message: string, standing?: boolean) => Promise<boolean | null>;
  /** What a word for a state means; `unknown` where the person leaves it open. */
  readonly meaning: (word: string, notes: number) => Promise<State | 'unknown' | null>;
}

/** Returns how to ask the person at this terminal; null where nobody is there to be asked. */
async function initAsking(): Promise<InitAsking | null> {
  if (process.stdin.isTTY !== true) return null;
  const { confirm, isCancel, select } = await import('@clack/prompts');
  return {
    agree: async (message, standing = true) => {
      const answer = await confirm({ message, initialValue: standing });
      return isCancel(answer) ? null : answer;
    },
    meaning: async (word, notes) => {
      const options = [{ value: 'unknown' as const, label: INIT_QUESTIONS.leaveAlone }, ...stateChoices(STATES)];
      const answer = await select<State | 'unknown'>({ message: INIT_QUESTIONS.meaning(notes, word), options });
      return isCancel(answer) ? null : answer;
    },
  };
}

/** Returns how `--yes` answers: what Enter would, and it explains no word. */
function alwaysYes(): InitAsking {
  return { agree: async (_, standing = true) => standing, meaning: async () => 'unknown' };
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
 * Returns the JSON text with the members it lacks, each behind the last one of its object and laid out as that is.
 * Nothing else changes, and no member that is there. Returns null where a place for members is no object.
 */
function withMembers(text: string, root: JsonNode, members: NewMembers): string | null {
  const insertions = insertionsInto(text, root, members, rootStyle(text, root));
  if (insertions === null) return null;
  return insertions.reduceRight((made, { at, put }) => made.slice(0, at) + put + made.slice(at), text);
}

/**
 * Returns the JSON text with one more text in the list that a member of its object holds, laid out as the others are; with
 * the member, where that is missing. Returns null where it holds no list.
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

/** The style of an object: that of its members, where it has any. */
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

// What stands between a key's closing quote and its value.
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

/**
 * Returns the real path of what lies at a place of the vault, or null where nothing does. Throws `path-outside-vault`
 * where a link leads out of the vault, `link-dead` where it leads nowhere.
 */
function realPlace(root: string, file: string): string | null {
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

/** Makes a folder of the vault, and returns whether it was missing. Throws `not-a-folder` where a file has its name. */
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
function makeFolders(root: string, folder: string): boolean {
  const parts = folder.split('/');
  return parts.map((_, nth) => makeFolder(root, parts.slice(0, nth + 1).join('/'))).at(-1) ?? false;
}

/** Copies a file into the vault, whole or not at all, and returns whether it was missing. */
export function copyNew(from: string, root: string, tmp: string, file: string): boolean {
  if (realPlace(root, file) !== null) return false;
  return createWhole(root, tmp, file, fs.readFileSync(from));
}

/** A file of the vault as it was read, to be written anew. */
interface Former {
  /** Vault-relative. */
  readonly file: string;
  readonly place: string;
  readonly former: FileBytes;
}

/**
 * Writes a file of the vault anew and keeps its owner, mode and attributes. Throws where it may not be written, or was
 * changed since it was read.
 */
function replaceInVault(tmp: string, { file, place, former }: Former, text: string): void {
  const refusal = editRefusal(file, place, former);
  if (refusal !== null) throw refusal;
  const system = loadSystemCalls();
  const keep = (part: string) => {
    if (!giveAttributes(part, attributesOf(place, system), system)) throw attributesRefusal(file);
  };
  if (replaceWhole(tmp, place, text, former, keep)) return;
  throw new StewardError({
    code: 'file-changed',
    file,
    message: `${file} changed at this very moment.`,
    hint: 'It is as it was; run `steward init` again.',
  });
}

const FOLDER = '.obsidian';
/** Where Obsidian keeps the type of each property. */
const TYPES_FILE = `${FOLDER}/types.json`;

/**
 * Tells Obsidian the types of the properties that the notes use, and returns whether it knew any of them not. A type that
 * a person chose stays, and so does every byte that was in the file.
 */
export function addPropertyTypes(root: string, tmp: string): boolean {
  makeFolder(root, FOLDER);
  const place = realPlace(root, TYPES_FILE);
  if (place === null) return createWhole(root, tmp, TYPES_FILE, shippedText());
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = typesText(former.bytes);
  const merged = withTypes(text, shippedTypes());
  if (merged === text) return false;
  replaceInVault(tmp, { file: TYPES_FILE, place, former }, merged);
  return true;
}

/** Returns the types that the program's properties have. */
function shippedTypes(): Readonly<Record<string, string>> {
  return ourTypes.parse(JSON.parse(shippedText())).types;
}

function shippedText(): string {
  return fs.readFileSync(path.join(PACKAGE, 'vault-example', ...TYPES_FILE.split('/')), 'utf8');
}

const ourTypes = z.object({ types: z.record(z.string(), z.string()) });
const theirTypes = z.looseObject({ types: z.looseObject({}).default({}) });

/** Returns the text with the types it lacks. Throws `types-unreadable` where it holds no such list. */
export function withTypes(text: string, types: Readonly<Record<string, string>>): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(bom.length);
  const before = read(() => theirTypes.parse(JSON.parse(json)));
  const merged = withMembers(
    json,
    read(() => parseJson(json)),
    { types },
  );
  const meant = { ...before, types: { ...types, ...before.types } };
  // Read again before it is written, as every edit of a note is.
  if (merged === null || !isDeepStrictEqual(JSON.parse(merged), meant)) throw unreadable('it is written in an odd way');
  return bom + merged;
}

/** Returns the file as text. Throws `types-unreadable` where it is none. */
function typesText(bytes: Buffer): string {
  return read(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

function read<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw unreadable(reasonOf(error).split('\n')[0] ?? '');
  }
}

function unreadable(reason: string): StewardError {
  return new StewardError({
    code: 'types-unreadable',
    file: TYPES_FILE,
    message: `The property types of Obsidian cannot be read (${reason}).`,
    hint: 'Mend or delete the file; it is as it was.',
  });
}

/** A box to tick that Obsidian shows as something else. */
interface WrongType {
  readonly key: string;
  readonly is: string;
}

const BOX = 'checkbox';
const types = z.looseObject({ types: z.looseObject({}).default({}) });

/** Returns the boxes that Obsidian does not show as boxes, so that nobody can tick them; none where that cannot be read. */
function wrongTypes(root: string): WrongType[] {
  try {
    const place = realPlace(root, TYPES_FILE);
    return place === null ? [] : wrongIn(typesText(readBytes(place, MAX_NOTE_BYTES).bytes));
  } catch {
    return []; // said where the missing types are put in
  }
}

/** Makes them boxes, and returns whether there were any. Changes no other byte. */
function mendTypes(root: string, tmp: string): boolean {
  const place = realPlace(root, TYPES_FILE);
  if (place === null) return false;
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = typesText(former.bytes);
  const mended = withBoxes(text);
  if (mended === text) return false;
  replaceInVault(tmp, { file: TYPES_FILE, place, former }, mended);
  return true;
}

/** Returns the text with the type of each such box mended. */
export function withBoxes(text: string): string {
  const wrong = wrongIn(text).map(({ key }) => key);
  if (wrong.length === 0) return text;
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const json = text.slice(bom);
  const values = members(members([parseJson(json)], 'types'), ...wrong);
  const mended = values
    .toSorted((one, other) => other.from - one.from)
    .reduce((made, { from, to }) => `${made.slice(0, from)}"${BOX}"${made.slice(to)}`, json);
  // Read again before it is written: what is meant, and nothing else.
  const before = types.parse(JSON.parse(json));
  const meant = { ...before, types: { ...before.types, ...Object.fromEntries(wrong.map((key) => [key, BOX])) } };
  return isDeepStrictEqual(JSON.parse(mended), meant) ? text.slice(0, bom) + mended : text;
}

function wrongIn(text: string): WrongType[] {
  const json = text.replace(/^\uFEFF/, '');
  const there = types.parse(JSON.parse(json)).types;
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

const NAME = 'steward-event';
const TEMPLATE = path.join(PACKAGE, 'template', `${NAME}.css`);
/** The style sheet that hides in event notes what is for the program alone. */
const SNIPPET_FILE = `.obsidian/snippets/${NAME}.css`;
const APPEARANCE_FILE = '.obsidian/appearance.json';
const KEY = 'enabledCssSnippets';

/** Whether the style sheet can be had and is not there yet. */
function lacksSnippet(root: string): boolean {
  return (
    fs.existsSync(TEMPLATE) && fs.lstatSync(path.join(root, SNIPPET_FILE), { throwIfNoEntry: false }) === undefined
  );
}

/** Copies the style sheet and has Obsidian use it. Returns whether it was missing. */
function addSnippet(root: string, tmp: string): boolean {
  makeFolder(root, '.obsidian');
  makeFolder(root, path.posix.dirname(SNIPPET_FILE));
  if (!copyNew(TEMPLATE, root, tmp, SNIPPET_FILE)) return false;
  enable(root, tmp);
  return true;
}

function enable(root: string, tmp: string): void {
  const place = realPlace(root, APPEARANCE_FILE);
  if (place === null) {
    createWhole(root, tmp, APPEARANCE_FILE, withSnippet('{}'));
    return;
  }
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = former.bytes.toString('utf8');
  const enabled = withSnippet(text);
  if (enabled !== text) replaceInVault(tmp, { file: APPEARANCE_FILE, place, former }, enabled);
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
    throw unreadableSnippet(reasonOf(error).split('\n')[0] ?? '');
  }
  throw unreadableSnippet('it is written in an odd way');
}

function unreadableSnippet(reason: string): StewardError {
  return new StewardError({
    code: 'appearance-unreadable',
    file: APPEARANCE_FILE,
    message: `Obsidian’s appearance settings cannot be read (${reason}).`,
    hint: `The style sheet lies in ${SNIPPET_FILE}: turn it on in Obsidian, under Appearance.`,
  });
}

/** What a person agreed to, before anything is made. */
interface InitPlan {
  readonly adoption: Adoption;
  readonly settings: ProposedSettings;
  /** Where the records lie. */
  readonly folders: FolderNames;
  readonly mendsTypes: boolean;
  readonly addsSnippet: boolean;
  /** What a person was not asked about, because nobody was there to be asked. */
  readonly left: readonly string[];
}

interface Place {
  readonly root: string;
  readonly around: Surroundings;
  readonly survey: Survey;
  readonly isNew: boolean;
}

/** No more words than that are asked about; the others are named by `status`. */
const MOST_WORDS = 12;

/** Asks what may be made and taken over. Returns null where the person wants nothing made. */
async function plannedFor(place: Place, asking: InitAsking | null): Promise<InitPlan | null> {
  if (asking === null) return untoldPlan(place);
  if (!(await asking.agree(INIT_QUESTIONS.begin(place.root, place.isNew)))) return null;
  const adoption = await adopted(place.survey, asking);
  if (adoption === null) return null;
  const wrong = wrongTypes(place.root);
  const mends = wrong.length === 0 ? false : await asking.agree(INIT_QUESTIONS.mend(wrongWords(wrong)));
  const adds = lacksSnippet(place.root) ? await asking.agree(INIT_QUESTIONS.snippet(SNIPPET_FILE)) : false;
  if (mends === null || adds === null) return null;
  const settings = proposedSettings(place.survey, adoption, place.around.taskNotes);
  return { ...planWith(place, adoption, settings), mendsTypes: mends, addsSnippet: adds };
}

function untoldPlan(place: Place): InitPlan {
  const { survey, root } = place;
  const nothing = { tasks: false, matters: false, words: [] };
  const wrong = wrongTypes(root);
  const folders = [survey.tasks, isClear(survey.matters) ? survey.matters : null].filter((one) => one !== null);
  const words = survey.words.filter(({ state }) => state !== null);
  const asked = proposedSettings(survey, { ...nothing, words }, place.around.taskNotes).status_values !== undefined;
  const { folder_task: _, folder_matter: __, ...settings } = proposedSettings(survey, nothing, null);
  const left = [
    ...folders.map(({ folder }) => LEFT.folder(folder)),
    ...(asked && survey.canExplain && hasRecords(survey) ? [LEFT.words] : []),
    ...(wrong.length === 0 ? [] : [LEFT.types(wrongWords(wrong))]),
  ];
  return { ...planWith(place, nothing, settings), left };
}

function planWith({ survey }: Place, adoption: Adoption, settings: ProposedSettings): InitPlan {
  const named = FOLDER_KINDS.flatMap((kind) => {
    const name = settings[`folder_${kind}`];
    return typeof name === 'string' ? [[kind, name] as const] : [];
  });
  const folders = { ...DEFAULT_FOLDERS, ...survey.folders, ...Object.fromEntries(named) };
  return { adoption, settings, folders, mendsTypes: false, addsSnippet: false, left: [] };
}

async function adopted(survey: Survey, asking: InitAsking): Promise<Adoption | null> {
  const tasks = await agreedTo(survey.tasks, 'task', asking);
  const matters = await agreedTo(survey.matters, 'matter', asking);
  if (tasks === null || matters === null) return null;
  const isUsed = survey.canExplain && (tasks || matters || hasRecords(survey));
  const words = isUsed ? await explained(survey.words, asking) : [];
  return words === null ? null : { tasks, matters, words };
}

/** Whether notes lie where the settings already look for them. */
function hasRecords({ standing }: Survey): boolean {
  return standing.tasks + standing.matters > 0;
}

async function agreedTo(
  found: FoundFolder | null,
  noun: 'task' | 'matter',
  asking: InitAsking,
): Promise<boolean | null> {
  if (found === null) return false;
  return asking.agree(INIT_QUESTIONS.lookAfter(found.notes, found.folder, noun), isClear(found));
}

/** Whether most notes of a folder are what the folder is for; else only a person says so. */
function isClear(found: FoundFolder | null): boolean {
  return found !== null && found.beside * 2 <= found.notes;
}

async function explained(words: readonly FoundWord[], asking: InitAsking): Promise<FoundWord[] | null> {
  const known = words.filter(({ state }) => state !== null);
  for (const word of words.filter(({ state, notes }) => state === null && notes > 0).slice(0, MOST_WORDS)) {
    const meaning = await asking.meaning(clean(word.word), word.notes);
    if (meaning === null) return null;
    if (meaning !== 'unknown') known.push({ ...word, state: meaning });
  }
  return known;
}

function wrongWords(wrong: readonly WrongType[]): string {
  return wrong.map(({ key, is }) => `${key} (${clean(is)})`).join(', ');
}

/**
 * Makes `steward.md` with these settings, or adds to one that is there those that it does not have. Returns what was done;
 * null where nothing was to do.
 */
function writeSettings(root: string, tmp: string, proposed: ProposedSettings): 'made' | 'added to' | null {
  const place = realPlace(root, SETTINGS_FILE);
  if (place === null) {
    const template = fs.readFileSync(path.join(PACKAGE, 'template', SETTINGS_FILE), 'utf8');
    return createWhole(root, tmp, SETTINGS_FILE, withSettings(template, proposed)) ? 'made' : null;
  }
  const missing = missingSettings(place, proposed);
  if (Object.keys(missing).length === 0) return null;
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = withSettings(former.bytes.toString('utf8'), missing);
  replaceInVault(tmp, { file: SETTINGS_FILE, place, former }, text);
  return 'added to';
}

/** Returns the settings that a note lacks. One that cannot be read lacks none: nothing is written into it. */
function missingSettings(place: string, proposed: ProposedSettings): ProposedSettings {
  const read = readNote(SETTINGS_FILE, readBytes(place, MAX_NOTE_BYTES).bytes);
  if (!read.ok) return {};
  return Object.fromEntries(Object.entries(proposed).filter(([key]) => (read.note.data[key] ?? null) === null));
}

function withSettings(text: string, settings: ProposedSettings): string {
  const edits = Object.entries(settings).map(([field, value]) => ({ op: 'set' as const, field, value }));
  return edits.length === 0 ? text : editFields(SETTINGS_FILE, text, edits).text;
}

/** The tables that Obsidian shows of what waits and what was done. */
const TABLES_FILE = 'Steward.base';

/** Puts the tables into a vault, with the folder names of its settings, and returns whether they were missing. */
export function addTables(root: string, tmp: string): boolean {
  if (realPlace(root, TABLES_FILE) !== null) return false;
  const shipped = fs.readFileSync(path.join(PACKAGE, 'vault-example', TABLES_FILE), 'utf8');
  const { folders } = readSettings(root, UNKNOWN_SETTINGS).settings;
  return createWhole(root, tmp, TABLES_FILE, tablesFor(shipped, folders));
}

/** Returns the tables as they are shipped, with the folder names of one vault. */
export function tablesFor(shipped: string, folders: FolderNames): string {
  return shipped.replaceAll(IN_FOLDER, (filter, name: string) => {
    const kind = FOLDER_KINDS.find((one) => DEFAULT_FOLDERS[one] === name);
    return kind === undefined ? filter : yamlText(`file.inFolder(${textLiteral(folders[kind])})`);
  });
}

/** A filter by folder, as the shipped file writes it: quoted, since a folder's name may hold what YAML would read. */
const IN_FOLDER = /'file\.inFolder\("([^"']+)"\)'/g;

// The published syntax knows text in either kind of quotes and names no way to escape one.
function textLiteral(text: string): string {
  return text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text);
}

function yamlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * What a folder is before anything is made in it: `new` holds nothing yet, a `vault` says that it is one, `notes` are
 * Markdown files that nothing calls a vault; `unlikely`: something else, and why.
 */
type Likeness =
  | { readonly kind: 'new' }
  | { readonly kind: 'vault' }
  | { readonly kind: 'notes' }
  | { readonly kind: 'unlikely'; readonly reason: string };

/** Returns what a folder looks like. */
function likenessOf({ marks, files, notes, isCut }: Surroundings): Likeness {
  if (marks.length > 0) return { kind: 'vault' };
  if (files === 0) return { kind: 'new' };
  const held = `${isCut ? 'more than ' : ''}${count(files, 'file')}`;
  if (notes.length === 0) return { kind: 'unlikely', reason: `it holds ${held} and no note` };
  if (notes.length * 2 < files) {
    return {
      kind: 'unlikely',
      reason: `of its ${held}, ${notes.length} ${notes.length === 1 ? 'is a note' : 'are notes'}`,
    };
  }
  return { kind: 'notes' };
}

/** Returns why a folder is none that anybody makes a vault of, by its place alone; null where it may be one. */
function unlikelyPlace(root: string, home: string | undefined): string | null {
  if (root === path.parse(root).root) return 'it is the root of the disk';
  if (home === undefined || home === '') return null;
  if (root === path.resolve(home)) return 'it is your home folder';
  return path.resolve(home).startsWith(`${root}/`) ? 'your home folder lies in it' : null;
}

/** Returns the refusal to make a vault of a folder. */
function unlikelyVault(root: string, reason: string): StewardError {
  return new StewardError(
    {
      code: 'vault-unlikely',
      file: clean(root),
      message: `This looks like no vault: ${reason}. Nothing is made.`,
      hint: 'Name the folder of your notes, or add --anyway to use this one.',
    },
    EXIT.refused,
  );
}

interface InitOptions {
  readonly yes?: boolean;
  /** Also in a folder that does not look like a vault. */
  readonly anyway?: boolean;
  readonly vault?: string;
}

/**
 * `steward init [DIR]`: makes a new vault, or adds what this program needs to an existing one, after a look at what is
 * there. Changes no note; what it could not make is said, and the rest is made (exit 1).
 */
export async function init(dir: string | undefined, options: InitOptions, context: CommandContext): CommandResult {
  const root = path.resolve(context.cwd, dir ?? options.vault ?? '.');
  if (options.vault !== undefined && root !== path.resolve(context.cwd, options.vault)) throw twoFolders();
  refuseFile(root);
  const around = seen(root, options, context);
  const { settings } = readSettings(root, UNKNOWN_SETTINGS);
  const survey = surveyOf(around, settings);
  printFound(context, root, survey, around);
  const asking = options.yes === true ? alwaysYes() : await initAsking();
  const plan = await plannedFor({ root, around, survey, isNew: around.files === 0 }, asking);
  if (plan === null) {
    printNothingMade(context.err);
    return EXIT.refused;
  }
  const { made, refused } = makeVault(root, settings, plan);
  const isNew = around.files === 0 && around.marks.length === 0;
  printSetUp(context.out, root, isNew, made);
  for (const trouble of refused) context.err.trouble(trouble);
  if (refused.length > 0) return EXIT.refused;
  if (made.length === 0) printComplete(context.out);
  printEnd(context, root, { survey, plan, isAsked: asking !== null });
  return EXIT.done;
}

function twoFolders(): StewardError {
  const message = 'The folder and --vault name two different places.';
  return new StewardError({ code: 'usage', message, hint: 'Name the folder once.' }, EXIT.usage);
}

function refuseFile(root: string): void {
  if (!fs.existsSync(root) || fs.statSync(root).isDirectory()) return;
  const hint = 'Name a folder; a new one is made.';
  throw new StewardError(
    { code: 'vault-no-folder', file: root, message: 'A vault is a folder; this is a file.', hint },
    EXIT.usage,
  );
}

/** What lies in the folder. Throws `vault-unlikely` where nobody would make a vault of it. */
function seen(root: string, options: InitOptions, context: CommandContext): Surroundings {
  const isMarked = ['.obsidian', SETTINGS_FILE].some((name) => fs.existsSync(path.join(root, name)));
  const place = isMarked ? null : unlikelyPlace(root, context.env.HOME);
  if (place !== null && options.anyway !== true) throw unlikelyVault(root, place);
  const around = lookAround(root, (notes) => context.err.renew(lookingLine(notes)));
  context.err.renew('');
  const likeness = likenessOf(around);
  if (likeness.kind === 'unlikely' && options.anyway !== true) throw unlikelyVault(root, likeness.reason);
  if (likeness.kind === 'notes' && options.yes !== true && options.anyway !== true && process.stdin.isTTY !== true) {
    throw unlikelyVault(root, 'it holds notes, but neither .obsidian nor steward.md');
  }
  return around;
}

function printFound({ out, err }: CommandContext, root: string, survey: Survey, around: Surroundings): void {
  for (const trouble of around.troubles) err.trouble(trouble);
  const lines = foundLines(survey);
  if (lines.length === 0) return;
  printFoundLines(out, root, `${survey.isCut ? 'more than ' : ''}${count(survey.notes, 'note')}`, lines);
}

interface Ending {
  readonly survey: Survey;
  readonly plan: InitPlan;
  readonly isAsked: boolean;
}

function printEnd({ out }: CommandContext, root: string, { survey, plan, isAsked }: Ending): void {
  for (const line of adoptedLines(survey, plan.adoption)) out.line(line);
  const command = `--vault ${quoted(root)}`;
  if (!isAsked) for (const line of leftLines(plan.left, `steward init ${quoted(root)} --yes`)) out.line(line);
  printCost(out, root);
  const hasMatters = plan.adoption.matters || survey.standing.matters > 0;
  printNextSteps(out, command, hasMatters ? null : plan.folders.matter);
}

/** A path as it can be typed into a shell. */
function quoted(root: string): string {
  const text = clean(root);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Says what models may cost in this vault, where its settings can be read. */
function printCost(out: Printer, root: string): void {
  const { settings, unread } = readSettings(root, UNKNOWN_SETTINGS);
  if (unread !== null || settings.evaluator === 'rules') return;
  printModelCost(out, settings.budget_usd_per_day, SETTINGS_FILE);
}

interface Making {
  /** What was missing and was made, and what was added to, in words. */
  readonly made: string[];
  /** What could not be made or added to, and why; it was left as it is. */
  readonly refused: Diagnostic[];
}

/** What became of a part; null where it was there already. */
type Made = 'made' | 'added to' | 'mended' | null;

/** Makes what is missing. Replaces nothing, and writes through no link that leads out of the vault. */
function makeVault(root: string, settings: Settings, plan: InitPlan): Making {
  fs.mkdirSync(root, { recursive: true });
  const places = ownPlaces(root);
  for (const place of Object.values(places)) realPlace(root, path.relative(root, place));
  prepare(places);
  const making: Making = { made: [], refused: [] };
  const folders = { ...settings.folders, ...plan.folders };
  for (const [name, make] of partsOf(root, places.tmp, { ...plan, folders })) {
    try {
      const how = make();
      if (how !== null) making.made.push(`${how} ${clean(name)}`);
    } catch (error) {
      making.refused.push(refusal(error, name));
    }
  }
  return making;
}

/** What a vault has, and how each of it is made where it is missing. */
function partsOf(root: string, tmp: string, plan: InitPlan): readonly (readonly [string, () => Made])[] {
  const madeIf = (isMade: boolean): Made => (isMade ? 'made' : null);
  return [
    ...foldersOf(plan.folders).map((name) => [`${name}/`, () => madeIf(makeFolders(root, name))] as const),
    [SETTINGS_FILE, () => writeSettings(root, tmp, plan.settings)],
    [TABLES_FILE, () => madeIf(addTables(root, tmp))],
    [TYPES_FILE, () => madeIf(addPropertyTypes(root, tmp))],
    ...(plan.mendsTypes ? [[TYPES_FILE, () => (mendTypes(root, tmp) ? 'mended' : null)] as const] : []),
    ...(plan.addsSnippet ? [[SNIPPET_FILE, () => madeIf(addSnippet(root, tmp))] as const] : []),
  ];
}

function foldersOf(folders: FolderNames): readonly string[] {
  return Object.values(folders);
}

function refusal(error: unknown, name: string): Diagnostic {
  if (error instanceof StewardError) return error.trouble;
  if (systemCode(error) === null) throw error;
  const { trouble } = fileError(error, name);
  return { ...trouble, hint: 'What was there is as it was. Mend that, and run `steward init` again.' };
}
