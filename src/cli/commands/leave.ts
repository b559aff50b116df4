import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DIGEST_NOTE } from '../../channels/outbox.ts';
import { undoAll, undoableChanges } from '../../daemon/answers.ts';
import type { Workspace } from '../../daemon/context.ts';
import { lockMemoryFile } from '../../daemon/lease.ts';
import { withoutOwnPart } from '../../daemon/managed-notes.ts';
import { attentionNow } from '../../daemon/problems.ts';
import { lockMemories, runtimePaths, stateFolder } from '../../daemon/runtime-paths.ts';
import { isUnknownSetting, SETTING_KEYS } from '../../daemon/settings.ts';
import { REPORT_NOTE } from '../../features/report.ts';
import { grantsFile } from '../../sources/source-note.ts';
import { concernedBy, isUpToDate, noteNow, outcomeWithoutSteward } from '../../steward/event-note.ts';
import { NO_ATTENTION, type WaitingEntry, withDigest, withSection } from '../../steward/inbox.ts';
import { entryName, isDone, NOUNS } from '../../steward/inbox-words.ts';
import { isHandsOff, withoutPending } from '../../steward/proposals.ts';
import { isKnownNote } from '../../steward/records.ts';
import type { DecisionReadAccess, DecisionWriteAccess } from '../../steward/workspace.ts';
import { editFields, textStep } from '../../vault/edit.ts';
import { type Diagnostic, EXIT, type ExitCode, StewardError, systemCode } from '../../vault/errors.ts';
import { saysForcible } from '../../vault/event-text.ts';
import {
  copyWhole,
  createWhole,
  fileError,
  hasSameBytes,
  insideVault,
  openFile,
  readBytes,
  readInside,
} from '../../vault/files.ts';
import { readNote } from '../../vault/frontmatter.ts';
import {
  DEFAULT_FOLDERS,
  FOLDER_KINDS,
  type FolderKind,
  type FolderNames,
  MAX_NOTE_BYTES,
  OWN_FOLDER,
  SETTINGS_FILE,
} from '../../vault/layout.ts';
import { type LockHolder, lockHolder, place } from '../../vault/lock.ts';
import type { TargetRecord } from '../../vault/record.ts';
import { nameTime, nameTimeExact } from '../../vault/time.ts';
import { presentVaultDir, underLock } from '../client.ts';
import {
  areShippedTables,
  isShippedSnippet,
  realPlace,
  removeSnippet,
  removeTypes,
  replaceInVault,
  SNIPPET_FILE,
  TABLES_FILE,
  TYPES_FILE,
  unusedTypes,
} from '../obsidian-files.ts';
import { printAnswers } from '../print.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  count,
  type Printer,
  usageError,
} from '../terminal.ts';
import { readNotes } from '../vault.ts';
import { listFiles } from '../vault-survey.ts';
import { settingsTemplate } from './init.ts';
import { type InstalledService, installedServices } from './service.ts';

interface LeaveOptions extends CommonOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  /** Undoes the changes that can be undone first. */
  readonly undo?: boolean;
  /** The default, for scripts that want to say it. */
  readonly keepEvents?: boolean;
  /** The folder that gets what leaves the vault, event notes included. */
  readonly export?: string;
}

/**
 * `steward leave`: stops what runs, and takes Steward out of a vault. Keeps every note and every change that was made; with
 * `--undo`, undoes those that can be undone first. Run again after an interruption, it finishes.
 */
export async function leave(options: LeaveOptions, context: CommandContext): CommandResult {
  const root = fs.realpathSync.native(presentVaultDir(options, context));
  const target = exportFolder(root, options, context);
  const services = installedServices(root, context);
  const space = await readNotes(context, root);
  const plan = planOf(space, target !== null);
  if (isAllGone(root, plan)) {
    context.out.plain(`Steward has left no file in ${root}.`);
    return EXIT.done;
  }
  printPlan(context.out, root, plan, { target, services, holder: lockHolder(space.vault.places.lock, Date.now()) });
  if (options.dryRun === true) return EXIT.done;
  if (options.yes !== true && !(await isAgreed(context))) return EXIT.refused;
  for (const service of services) {
    const exit = service.remove();
    if (exit !== EXIT.done) return exit;
  }
  await stopDaemon(root);
  const work = (locked: Workspace) => takeOut(locked, { context, target, undoes: options.undo === true });
  const { exit, refused } = await underLock(context, root, work);
  if (exit !== EXIT.done) return exit;
  const left = [...refused, ...attempt(OWN_FOLDER, () => removeOwnFolder(root))];
  forgetVault(root, context.env);
  return printEnd(context, root, left, plan);
}

function exportFolder(root: string, options: LeaveOptions, { cwd }: CommandContext): string | null {
  if (options.export === undefined) return null;
  if (options.keepEvents === true) throw usageError('--keep-events and --export exclude each other.', 'Choose one.');
  const target = withoutLinks(path.resolve(cwd, options.export));
  if (!isWithin(target, root)) return target;
  throw usageError('The folder for the export is in the vault.', 'Name one outside.');
}

// A mount may show the vault under another name.
function isWithin(place: string, root: string): boolean {
  const [own, other] = [fs.statSync(root), fs.statSync(place, { throwIfNoEntry: false })];
  if (place === root || (other !== undefined && other.dev === own.dev && other.ino === own.ino)) return true;
  return path.dirname(place) !== place && isWithin(path.dirname(place), root);
}

// The folder need not be there yet.
function withoutLinks(place: string): string {
  if (fs.existsSync(place)) return fs.realpathSync.native(place);
  return path.join(withoutLinks(path.dirname(place)), path.basename(place));
}

async function isAgreed({ err }: CommandContext): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    err.line('No file was removed. Add --yes to remove all this.');
    return false;
  }
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: 'Remove all this?', initialValue: false });
  if (!isCancel(answer) && answer) return true;
  err.line('No file was removed.');
  return false;
}

/** Notes that Steward keeps for the user, with the name of its part in each. */
const KEPT_NOTES = [
  { path: REPORT_NOTE, name: 'report' },
  { path: DIGEST_NOTE, name: 'digest' },
];
/**
 * By which `type` the notes of each folder are Steward's. The settings name the folders, and whoever shares the vault can
 * name one of the user's there. What arrived has no type. Without an export, only the last three kinds leave.
 */
const OWN_TYPES: Readonly<Partial<Record<FolderKind, RegExp>>> = {
  event: /^(?:steward|signal)-/,
  signal: /^signal$/,
  stream: /^/,
  instinct: /^instinct$/,
  licence: /^licence$/,
  source: /^source$/,
};
const OWN_KINDS: readonly FolderKind[] = ['instinct', 'licence', 'source'];
const HELD: Readonly<Partial<Record<FolderKind, string>>> = {
  event: 'what was done, and why',
  signal: 'what each mail, booking or appointment meant',
  stream: 'what arrived',
  instinct: 'how often each sender was right',
  licence: 'who may act without asking',
  source: 'connected mailboxes, calendars and programs',
};

interface LeavePlan {
  /** Whole files, vault-relative, by the folder that they are listed under. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Files of which only Steward's part leaves. */
  readonly parts: readonly string[];
  readonly types: readonly string[];
  /** Notes that lose the flag `pending_confirmation`. */
  readonly flagged: readonly string[];
  /** What waits for the user, and is closed without an answer. */
  readonly waiting: readonly WaitingEntry[];
  /** Earlier versions of notes that go beside their notes. */
  readonly versions: readonly string[];
  readonly undoable: number;
  readonly stays: ReadonlyMap<string, number>;
  /** Folders that are links, which stay as they are. */
  readonly links: readonly string[];
}

function planOf(space: Workspace, exports: boolean): LeavePlan {
  const { root, layout } = space.vault;
  const files = new Map<string, readonly string[]>();
  const stays = new Map<string, number>();
  const links: string[] = [];
  for (const kind of ownKinds(space)) {
    const folder = layout.folders[kind];
    const found = filesBelow(root, folder);
    if (found === null) {
      links.push(folder);
      continue;
    }
    const leaving = found.filter((file) => leaves(root, kind, file, exports));
    if (leaving.length > 0) files.set(folder, leaving);
    if (leaving.length < found.length) stays.set(folder, found.length - leaving.length);
  }
  const { whole, parts } = ownFiles(space);
  for (const file of whole) files.set(file, withTarget(root, file));
  const gone = new Set([...files.values()].flat());
  const { decisions, warnings } = attentionNow(space);
  return {
    files,
    parts,
    waiting: [...warnings, ...decisions],
    types: orNull(() => unusedTypes(root, propertiesIn(root, gone))) ?? [],
    flagged: flaggedNotes(space).map((note) => note.path),
    versions: keptVersions(space).map(({ beside }) => beside),
    undoable: undoableChanges(space).length,
    stays,
    links,
  };
}

// Without settings it isn't known which folders are Steward's, and a folder of that name may be anybody's.
function ownKinds({ vault: { root }, problems }: Workspace): readonly FolderKind[] {
  const [wrong] = problems.settings.filter((one) => !isUnknownSetting(one));
  if (wrong !== undefined) {
    const hint = `Correct ${SETTINGS_FILE}, and run \`steward leave\` again. No file was removed yet.`;
    throw new StewardError({ ...wrong, hint });
  }
  if (parseProperties(SETTINGS_FILE, Buffer.from(textIn(root, SETTINGS_FILE) ?? '')).type !== 'steward') return [];
  return FOLDER_KINDS.filter((one) => one !== 'matter' && one !== 'task');
}

function isAllGone(root: string, { files, parts, types, flagged }: LeavePlan): boolean {
  const isThere = fs.lstatSync(path.join(root, OWN_FOLDER), { throwIfNoEntry: false }) !== undefined;
  return !isThere && files.size + parts.length + types.length + flagged.length === 0;
}

/** Returns the files below a folder of the vault, without hidden ones and links; null if the folder itself is behind a link. */
function filesBelow(root: string, folder: string): string[] | null {
  const place = path.join(root, folder);
  if (fs.lstatSync(place, { throwIfNoEntry: false }) === undefined) return [];
  if (fs.realpathSync.native(place) !== place) return null;
  return fs
    .readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

function leaves(root: string, kind: FolderKind, file: string, exports: boolean): boolean {
  const own = exports || OWN_KINDS.includes(kind) ? OWN_TYPES[kind] : undefined;
  return own?.test(String(typeIn(root, file) ?? '')) === true;
}

function typeIn(root: string, file: string): unknown {
  return /\.md$/i.test(file) ? propertiesOf(root, file).type : undefined;
}

function propertiesOf(root: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return parseProperties(file, readBytes(path.join(root, file), MAX_NOTE_BYTES, fs.constants.O_NOFOLLOW).bytes);
  } catch {
    return {}; // what can't be read isn't Steward's
  }
}

function parseProperties(file: string, bytes: Buffer): Readonly<Record<string, unknown>> {
  const read = readNote(file, bytes);
  return read.ok ? read.note.data : {};
}

/** More notes than any vault has whose properties are typed by hand. */
const MAX_FILES = 200_000;

function propertiesIn(root: string, gone: ReadonlySet<string>): ReadonlySet<string> {
  const { files } = listFiles(root, MAX_FILES, []);
  const notes = files.filter((file) => /\.md$/i.test(file) && !gone.has(file) && file !== SETTINGS_FILE);
  return new Set(notes.flatMap((file) => Object.keys(propertiesOf(root, file))));
}

/** Returns Steward's files at the top of the vault: those that leave as a whole, and those in which a person wrote. */
function ownFiles({ vault }: Workspace): { readonly whole: readonly string[]; readonly parts: readonly string[] } {
  const { root, layout } = vault;
  const texts = [SETTINGS_FILE, ...KEPT_NOTES.map((note) => note.path)].flatMap((file) => {
    const text = textIn(root, file);
    return text === null ? [] : [{ file, text, rest: restOf(file, text, layout.folders) }];
  });
  const others = [
    { file: TABLES_FILE, isAsMade: orNull(() => areShippedTables(root, layout.folders)) },
    { file: SNIPPET_FILE, isAsMade: orNull(() => isShippedSnippet(root)) },
  ];
  return {
    whole: [
      ...texts.filter(({ rest }) => rest === null).map(({ file }) => file),
      ...others.filter(({ isAsMade }) => isAsMade === true).map(({ file }) => file),
    ],
    parts: texts.filter(({ text, rest }) => rest !== null && rest !== text).map(({ file }) => file),
  };
}

/** Returns a file, and the one that it leads to if it is a link within the vault. */
function withTarget(root: string, file: string): string[] {
  const target = realFile(root, file);
  // Obsidian's own part of the style sheet goes with it, in `removeSnippet`.
  return target === file || file === SNIPPET_FILE ? [file] : [file, target];
}

/** Throws `path-outside-vault` if it leads out of the vault. */
function realFile(root: string, file: string): string {
  return path.relative(root, insideVault(root, file)).split(path.sep).join('/');
}

function orNull<Result>(look: () => Result): Result | null {
  try {
    return look();
  } catch {
    return null; // a link that leads elsewhere, or a file that can't be read: it stays
  }
}

function textIn(root: string, file: string): string | null {
  return orNull(() => {
    const found = realPlace(root, file);
    return found === null ? null : readBytes(found, MAX_NOTE_BYTES).bytes.toString('utf8');
  });
}

// Null if nothing in it is a person's.
function restOf(file: string, text: string, folders: FolderNames): string | null {
  const part = KEPT_NOTES.find((note) => note.path === file);
  return part === undefined ? restOfSettings(text, folders) : withoutOwnPart(text, part);
}

const BLOCK = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;
const MARKED = /<!-- steward:(waiting|seen) -->[\s\S]*?<!-- \/steward:\1 -->\r?\n?/g;

function restOfSettings(text: string, folders: FolderNames): string | null {
  const template = settingsTemplate(folders);
  const read = readNote(SETTINGS_FILE, Buffer.from(text));
  if (!read.ok) return text;
  const own = ['type', 'format', ...SETTING_KEYS];
  const isOnlyOurs = Object.keys(read.note.data).every((key) => own.includes(key));
  if (isOnlyOurs && bodyOf(text) === bodyOf(template)) return null;
  const bare = isOnlyOurs
    ? text.replace(BLOCK, '')
    : editFields(
        SETTINGS_FILE,
        text,
        own.filter((key) => key in read.note.data).map((field) => ({ op: 'delete' as const, field })),
      ).text;
  return withoutMarked(bare);
}

// A line of the user between the marks moves below them first. If the marks aren't there once each, it isn't clear what is whose.
function withoutMarked(text: string): string {
  const moved = withSection(withDigest(text, null) ?? text, NO_ATTENTION) ?? text;
  return moved.replace(MARKED, (part, name: string) =>
    moved.split(`<!-- steward:${name} -->`).length === 2 ? '' : part,
  );
}

// The text between the marks is Steward's.
function bodyOf(text: string): string {
  const still = withSection(withDigest(text, null) ?? text, NO_ATTENTION) ?? text;
  return still.replace(BLOCK, '').replaceAll('\r\n', '\n').trim();
}

interface Surroundings {
  readonly target: string | null;
  readonly services: readonly InstalledService[];
  readonly holder: LockHolder | null;
}

function printPlan(out: Printer, root: string, plan: LeavePlan, { target, services, holder }: Surroundings): void {
  out.plain(`Steward leaves ${root}.`);
  const running = holder?.role === 'daemon' ? [`the daemon (pid ${holder.pid})`] : [];
  const stops = [...services.map(({ name }) => `the service ${name}`), ...running];
  if (stops.length > 0) out.plain(`Stops: ${stops.join(', ')}`);
  out.line(target === null ? 'Removes:' : `Moves to ${clean(target)}, or removes:`);
  for (const [folder, files] of plan.files) out.plain(`  ${folderLine(folder, files)}`);
  for (const file of plan.parts) out.plain(`  ${file}: only what Steward wrote; your text stays`);
  if (plan.types.length > 0)
    out.plain(`  ${TYPES_FILE}: ${count(plan.types.length, 'type')} of properties that no note has`);
  if (plan.flagged.length > 0) out.plain(`  pending_confirmation in ${count(plan.flagged.length, 'note')} of yours`);
  out.line('  .steward/: state, cache and history');
  out.line('  folders that are empty then');
  printClosed(out, plan.waiting);
  out.line('Keeps:');
  const undoing = plan.undoable === 0 ? '' : `; ${plan.undoable} can still be undone (--undo)`;
  out.line(`  all your notes, and every change in them${undoing}`);
  for (const [folder, files] of plan.stays) out.plain(`  ${folder}/: ${count(files, 'file')}`);
  for (const beside of plan.versions) out.plain(`  ${beside}: a version of your note that Steward had kept`);
  for (const link of plan.links) out.plain(`  ${link}: a link, which stays as it is`);
  if (target === null)
    out.line('This can’t be undone. `--export DIR` moves the notes to a folder outside the vault instead.');
}

const MAX_WAITING_SHOWN = 10;

function printClosed(out: Printer, waiting: readonly WaitingEntry[]): void {
  if (waiting.length === 0) return;
  out.line('Closes without your answer:');
  for (const entry of waiting.slice(0, MAX_WAITING_SHOWN)) {
    const what = [NOUNS[entry.kind], entryName(entry), entry.change ?? entry.quote ?? ''].filter((part) => part !== '');
    out.plain(`  ${what.join('  ')}`);
  }
  const more = waiting.length - MAX_WAITING_SHOWN;
  if (more > 0) out.line(`  and ${more} more; \`steward inbox\` shows them`);
}

function folderLine(folder: string, files: readonly string[]): string {
  const [first, target] = files;
  if (first === folder) {
    const name = target === undefined ? folder : `${folder} (a link to ${target})`;
    return folder === SETTINGS_FILE ? `${name}: your settings` : name;
  }
  const kind = FOLDER_KINDS.find((one) => folder.split('/').at(-1) === one);
  const held = kind === undefined ? undefined : HELD[kind];
  return `${folder}/: ${count(files.length, 'file')}${held === undefined ? '' : `, ${held}`}`;
}

/** A daemon ends in order within seconds. */
const STOP_MS = 30_000;
const BETWEEN_MS = 50;

/** Stops the daemon of this machine. Throws `vault-locked` (75) if one that can't be stopped from here has the vault. */
async function stopDaemon(root: string): Promise<void> {
  const lock = path.join(root, OWN_FOLDER, 'lock');
  const holder = lockHolder(lock, Date.now());
  if (holder?.role !== 'daemon') return;
  if (!isOnlyHere(holder) || !isSignalled(holder.pid)) throw notStopped(holder);
  for (let left = STOP_MS / BETWEEN_MS; left > 0; left -= 1) {
    if (lockHolder(lock, Date.now())?.token !== holder.token) return;
    await wait(BETWEEN_MS);
  }
  throw notStopped(holder);
}

// A process of the fleet has other vaults too.
function isOnlyHere(holder: LockHolder): boolean {
  const here = place();
  const isHere = holder.host === here.host && holder.boot === here.boot && holder.pid_namespace === here.pid_namespace;
  return isHere && !commandOf(holder.pid).includes('fleet');
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // not Linux
  }
}

function isSignalled(pid: number): boolean {
  try {
    process.kill(pid, 'SIGTERM');
    return true;
  } catch (error) {
    return systemCode(error) === 'ESRCH';
  }
}

function notStopped({ pid, host }: LockHolder): StewardError {
  const message = `A daemon that can’t be stopped from here has the vault (pid ${pid} on ${host}).`;
  const hint = 'Stop it there, then run `steward leave` again. No file was removed yet.';
  return new StewardError({ code: 'vault-locked', message, hint }, EXIT.tryAgain);
}

interface Work {
  readonly context: CommandContext;
  readonly target: string | null;
  readonly undoes: boolean;
}

interface Result {
  readonly exit: ExitCode;
  /** What the disk refused; it stays. */
  readonly refused: readonly Diagnostic[];
}

// A person's own notes first, while all that is known of them is there; what `init` made comes last.
async function takeOut(space: Workspace, { context, target, undoes }: Work): Promise<Result> {
  const { root, places } = space.vault;
  if (undoes && !(await isAllUndone(space, context))) return { exit: EXIT.refused, refused: [] };
  const edited = [...(await removeFlags(space)), ...(await closeEventNotes(space))];
  if (edited.length > 0) {
    const message = `${edited.join(', ')} is being edited.`;
    throw new StewardError(
      { code: 'settling', message, hint: 'Run `steward leave` again in a moment. No note is removed yet.' },
      EXIT.tryAgain,
    );
  }
  putKeptBeside(space);
  const plan = planOf(space, target !== null);
  const seen = new Map([...plan.files.values()].flat().map((file) => [file, versionOf(root, file)]));
  if (target !== null) await exportFiles(root, target, [...plan.files.values(), plan.parts].flat());
  const refused: Diagnostic[] = [];
  const settings = plan.files.get(SETTINGS_FILE) ?? [];
  const files = [...plan.files.values()].flat();
  for (const file of files.filter((one) => one !== SNIPPET_FILE && !settings.includes(one)))
    refused.push(...attempt(file, () => removeInside(root, file, seen)));
  refused.push(...attempt(TYPES_FILE, () => removeTypes(root, plan.types)));
  if (files.includes(SNIPPET_FILE)) refused.push(...attempt(SNIPPET_FILE, () => removeSnippet(root)));
  for (const file of plan.parts.filter((one) => one !== SETTINGS_FILE || refused.length === 0))
    refused.push(...attempt(file, () => removePart(root, file, space.vault.layout.folders)));
  for (const folder of ownFolders(space)) removeEmpty(root, folder);
  // The settings name the folders: an interrupted run needs them to the end.
  if (refused.length === 0)
    for (const file of settings) refused.push(...attempt(file, () => removeInside(root, file, seen)));
  for (const folder of ['.obsidian/snippets', '.obsidian']) removeEmpty(root, folder);
  fs.rmSync(places.cache, { recursive: true, force: true });
  return { exit: EXIT.done, refused };
}

async function isAllUndone(space: Workspace, { out, err }: CommandContext): Promise<boolean> {
  const events = undoableChanges(space);
  if (events.length === 0) return true;
  const order = { events, last: null, reason: 'Steward left the vault.', force: false, dryRun: false };
  const answers = await undoAll(space, order);
  printAnswers(out, answers, false);
  if (answers.every(isDone)) return true;
  err.line('Some changes can’t be undone, so no file was removed. Undo them with --force, or leave without --undo.');
  return false;
}

/** Copies the files to the same paths in a folder outside. Throws `export-taken` if another file has the name there. */
async function exportFiles(root: string, target: string, files: readonly string[]): Promise<void> {
  fs.mkdirSync(target, { recursive: true });
  for (const file of new Set(files.map((one) => realFile(root, one)))) {
    const source = await openFile(path.join(root, file), fs.constants.O_NOFOLLOW);
    try {
      const order = { root: target, tmp: target, file, ready: () => {}, demand: () => {}, copied: () => {} };
      const isNew = await copyWhole(source, { ...order, abort: new AbortController().signal });
      if (!isNew && !(await hasSameBytes(target, file, source))) throw taken(target, file);
    } finally {
      await source.handle.close();
    }
  }
}

function taken(target: string, file: string): StewardError {
  return new StewardError({
    code: 'export-taken',
    message: `${path.join(target, file)} is there already, with other bytes.`,
    hint: 'Name an empty folder with --export. No file was removed yet.',
  });
}

// Not through a link: what is behind it isn't in this place of the vault.
function removeInside(root: string, file: string, seen: ReadonlyMap<string, string | null>): void {
  const place = path.join(root, file);
  const folder = path.dirname(place);
  if (fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
  if (fs.realpathSync.native(folder) !== folder) {
    const hint = 'Remove the link, and run `steward leave` again.';
    throw new StewardError({ code: 'folder-link', file, message: `${file} is behind a link.`, hint });
  }
  if (versionOf(root, file) !== seen.get(file)) {
    const hint = 'Run `steward leave` again, with an empty folder if you export.';
    throw new StewardError({
      code: 'leave-changed',
      file,
      message: `${file} changed during the run, and stays.`,
      hint,
    });
  }
  fs.rmSync(place, { force: true });
}

function versionOf(root: string, file: string): string | null {
  const stat = fs.lstatSync(path.join(root, file), { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? null : [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
}

function removePart(root: string, file: string, folders: FolderNames): void {
  const found = realPlace(root, file);
  if (found === null) return;
  const former = readBytes(found, MAX_NOTE_BYTES);
  const text = former.bytes.toString('utf8');
  const rest = restOf(file, text, folders);
  if (rest !== null && rest !== text) replaceInVault({ file, place: found, former }, rest);
}

// A folder of matters or tasks that `init` adopted is the user's.
function ownFolders({ vault: { layout } }: Workspace): string[] {
  const isOwn = (kind: FolderKind) =>
    (kind !== 'matter' && kind !== 'task') || layout.folders[kind] === DEFAULT_FOLDERS[kind];
  return FOLDER_KINDS.filter(isOwn).map((kind) => layout.folders[kind]);
}

/** Removes a folder, those in it and the one around it, as far as they are empty. */
function removeEmpty(root: string, folder: string): void {
  const place = path.join(root, folder);
  if (place === root || fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  if (fs.realpathSync.native(place) !== place) return;
  for (const entry of fs.readdirSync(place, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyBelow(path.join(place, entry.name));
  }
  if (isRemoved(place)) removeEmpty(root, path.posix.dirname(folder));
}

function removeEmptyBelow(place: string): void {
  for (const entry of fs.readdirSync(place, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyBelow(path.join(place, entry.name));
  }
  isRemoved(place);
}

function isRemoved(place: string): boolean {
  try {
    fs.rmdirSync(place);
    return true;
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return false; // not empty
  }
}

function attempt(file: string, work: () => void): Diagnostic[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof StewardError) return [error.trouble];
    if (systemCode(error) === null) throw error;
    return [fileError(error, file).trouble];
  }
}

function removeOwnFolder(root: string): void {
  const own = path.join(root, OWN_FOLDER);
  if (fs.lstatSync(own).isSymbolicLink()) return;
  fs.rmSync(own, { recursive: true, force: true });
}

// The key of this machine and the ended licences stay: if the vault comes back from a backup, the ended licences stay
// ended.
function forgetVault(root: string, env: NodeJS.ProcessEnv): void {
  const { snapshot } = runtimePaths(root, env);
  const memory = lockMemoryFile(root, lockMemories(env));
  const grants = grantsFile(root, path.join(stateFolder(env), 'sources'));
  for (const file of [snapshot, memory, grants]) if (file !== null) fs.rmSync(file, { force: true });
}

function printEnd({ out, err }: CommandContext, root: string, left: readonly Diagnostic[], plan: LeavePlan): ExitCode {
  for (const trouble of left) err.trouble(trouble);
  if (left.length > 0) {
    err.line('Steward has left, except for what is named above. Run `steward leave` again to finish.');
    return EXIT.refused;
  }
  const rest = plan.stays.size === 0 ? '' : ` What stays is yours: ${[...plan.stays.keys()].join(', ')}.`;
  out.plain(`Steward has left ${root}.${rest}`);
  return EXIT.done;
}

// How Steward puts the user's notes in order before it leaves a vault.

/** Returns the notes in which Steward set `pending_confirmation`. A flag that a person set isn't Steward's. */
function flaggedNotes(space: DecisionReadAccess): TargetRecord[] {
  const { catalogue } = space.vault;
  return [...catalogue.matters(), ...catalogue.tasks()].filter(
    (note) => note.fields.pending_confirmation && !isHandsOff(space, note) && bareText(space, note.path) !== null,
  );
}

// Null if the note is gone, or has no flag of Steward's.
function bareText(space: DecisionReadAccess, file: string): string | null {
  const note = space.notes.fresh(file);
  const bare = note === null ? null : withoutPending(space, note, () => true);
  return bare === note?.text ? null : bare;
}

/** Removes these flags, byte for byte as each note was before. Returns the notes that are being edited: they keep theirs. */
async function removeFlags(space: DecisionWriteAccess): Promise<string[]> {
  const left: string[] = [];
  for (const { path: file } of flaggedNotes(space))
    if (!(await isEdited(space, file, () => bareText(space, file)))) left.push(file);
  return left;
}

/**
 * Closes what waits for an answer, and takes away the boxes: without Steward, neither an answer nor an undo has an effect.
 * Returns the event notes that are being edited, which stay as they are.
 */
async function closeEventNotes(space: DecisionWriteAccess): Promise<string[]> {
  const at = space.context.now();
  const left: string[] = [];
  for (const file of invitingNotes(space))
    if (!(await isEdited(space, file, () => closedText(space, file, at)))) left.push(file);
  return left;
}

/** Returns the paths of the event notes that invite an answer or an undo, there or in another note. */
function invitingNotes({ vault, ...space }: DecisionReadAccess): ReadonlySet<string> {
  const { catalogue } = vault;
  const undoable = [...catalogue.chronicle.undoableHours(space.context.now())].flat();
  const forcible = catalogue.reversals().filter(({ fields: { says } }) => says !== null && saysForcible(says));
  const offers = [...undoable, ...forcible];
  return new Set([
    ...catalogue.waiting('event').map(({ path: file }) => file),
    ...offers.flatMap((record) => [record.path, ...concernedBy({ vault, ...space }, record)]),
  ]);
}

// Null if the note is gone, says it already, or belongs to another machine.
function closedText(space: DecisionReadAccess, file: string, at: number): string | null {
  const event = space.vault.catalogue.get(file);
  if ((event?.kind !== 'event' && event?.kind !== 'reversal') || !isKnownNote(space, event)) return null;
  const now = outcomeWithoutSteward(space, event, at);
  const remark = event.kind === 'event' ? event.fields.remark : null;
  const note = isUpToDate(event.fields, now, remark) ? null : space.notes.fresh(file);
  if (note === null) return null;
  const text = noteNow(file, note.text, note.data, now, remark);
  return text === note.text ? null : text;
}

/** Edits a note once its editor is quiet. `textNow` returns null if no edit is needed. Returns false if the note is being edited. */
async function isEdited(space: DecisionWriteAccess, file: string, textNow: () => string | null): Promise<boolean> {
  const { context, notes, transactions } = space;
  const deadline = context.now() + 2 * context.settings.settle_seconds * 1000 + 2000;
  for (;;) {
    transactions.finishHeldUp([file]);
    const [note, text] = [notes.fresh(file), textNow()];
    if (note === null || text === null) return true;
    if (note.settledAt > deadline) return false;
    const quietIn = note.settledAt - context.now();
    if (quietIn > 0) await wait(quietIn);
    else if (transactions.commit(`leave-action-${nameTimeExact(context.now())}`, [textStep(file, note.text, text)]))
      return true;
    else if (context.now() > deadline) return false;
  }
}

/** A version of a person's note that Steward kept when two programs wrote at once. */
interface KeptVersion {
  /** Its place below `.steward/`. */
  readonly file: string;
  /** The path that it gets next to the note, vault-relative. */
  readonly beside: string;
}

function keptVersions({ context, vault }: Pick<Workspace, 'context' | 'vault'>): KeptVersion[] {
  return context.state
    .get('kept')
    .filter(({ file }) => fs.existsSync(path.join(vault.root, file)))
    .map(({ note, file, at }) => ({ file, beside: besideName(note, at) }));
}

function besideName(note: string, at: string): string {
  const { dir, name, ext } = path.posix.parse(note);
  return path.posix.join(dir, `${name} (kept ${nameTime(Date.parse(at))})${ext}`);
}

/** Puts each kept version next to its note; one that is there already stays. Throws what the disk refuses. */
function putKeptBeside(space: Pick<Workspace, 'context' | 'vault'>): void {
  const { root, places } = space.vault;
  if (space.context.state.lostAt('kept') !== null) throw keptUnread();
  for (const { file, beside } of keptVersions(space)) {
    const { bytes } = readInside(root, file, MAX_KEPT_BYTES);
    for (let nth = 1; !isPut(root, numbered(beside, nth), bytes); nth += 1)
      if (createWhole(root, places.tmp, numbered(beside, nth), bytes)) break;
  }
}

function numbered(file: string, nth: number): string {
  const { dir, name, ext } = path.posix.parse(file);
  return nth === 1 ? file : path.posix.join(dir, `${name} ${nth}${ext}`);
}

function isPut(root: string, file: string, bytes: Buffer): boolean {
  return fs.existsSync(path.join(root, file)) && readInside(root, file, MAX_KEPT_BYTES).bytes.equals(bytes);
}

function keptUnread(): StewardError {
  return new StewardError({
    code: 'kept-unread',
    message: "It can't be read which versions of your notes Steward kept.",
    hint: 'Look for them in .steward/history and copy what you need. Then delete .steward, and run `steward leave` again.',
  });
}

const MAX_KEPT_BYTES = 64 * 1024 * 1024;
