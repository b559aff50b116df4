import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { prepare } from '../../daemon/lease.ts';
import { areApart, folderName, KEYS, readSettings } from '../../daemon/settings.ts';
import { type Settings, UNKNOWN_SETTINGS } from '../../steward/settings.ts';
import { editFields } from '../../vault/edit.ts';
import { type Diagnostic, diagnostic, EXIT, errorReason, StewardError, systemCode } from '../../vault/errors.ts';
import { createWhole, fileError, readBytes, readInside, writeState } from '../../vault/files.ts';
import { type Frontmatter, readNote, type Yaml } from '../../vault/frontmatter.ts';
import { readOwnJson } from '../../vault/json.ts';
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
  ownPlaces,
  SETTINGS_FILE,
  stem,
} from '../../vault/layout.ts';
import { linkTarget } from '../../vault/links.ts';
import { NO_WORDS, STATES, type State, stateMeant, wordKey } from '../../vault/record.ts';
import {
  addPropertyTypes,
  addSnippet,
  addTables,
  lacksSnippet,
  lacksTypes,
  makeFolders,
  mendTypes,
  realPlace,
  replaceInVault,
  SNIPPET_FILE,
  TABLES_FILE,
  TYPES_FILE,
  type WrongType,
  wrongTypes,
} from '../obsidian-files.ts';
import { PACKAGE } from '../package-dir.ts';
import { type CommandContext, type CommandResult, clean, count, type Printer, usageError } from '../terminal.ts';

interface InitOptions {
  readonly yes?: boolean;
  /** Also in a folder that does not look like a vault. */
  readonly anyway?: boolean;
  /** The folder in an existing vault that gets Steward's own folders. */
  readonly folder?: string;
  readonly vault?: string;
}

/**
 * `steward init [DIR]`: makes a new vault, or adds what this program needs to an existing one, after a survey of what is
 * there. Changes no note; what it could not make is said, and the rest is made (exit 1).
 */
export async function init(dir: string | undefined, options: InitOptions, context: CommandContext): CommandResult {
  const root = path.resolve(context.cwd, dir ?? options.vault ?? '.');
  if (options.vault !== undefined && root !== path.resolve(context.cwd, options.vault)) throw twoFolders();
  refuseFile(root);
  const files = surveyFolder(root, options, context);
  const { settings } = readSettings(root, UNKNOWN_SETTINGS);
  const survey = surveyOf(files, settings, parentFolder(options));
  printFound(context, root, survey);
  const asking = options.yes === true ? alwaysYes() : await terminalAsking();
  const plan = asking === null ? planUnasked(root, survey) : await planWithPerson(root, survey, asking);
  const todo = plan === null ? [] : planLines(root, survey, plan);
  // Of a new vault, what was made says the same.
  if (files.files > 0 || options.yes !== true) printPlan(context.out, todo);
  if (plan === null || (todo.length > 0 && !(await isAgreed(root, survey, asking)))) {
    context.err.line('Nothing is made.');
    return EXIT.refused;
  }
  const { made, refused } = makeVault(root, settings, plan);
  rememberDeclined(root, plan.declined);
  const isNew = files.files === 0 && files.marks.length === 0;
  context.out.line(`${isNew ? 'A new vault is ready' : 'Steward is set up'} in ${clean(root)}.`);
  for (const line of made) context.out.line(`  ${line}`);
  for (const trouble of refused) context.err.trouble(trouble);
  if (refused.length > 0) return EXIT.refused;
  if (made.length === 0) context.out.line('  everything was there already');
  printEnd(context.out, root, survey, plan);
  return EXIT.done;
}

/** Returns the folder that a person named for Steward's own. Throws a usage error if no vault can have it. */
function parentFolder({ folder }: InitOptions): string | null {
  if (folder === undefined) return null;
  const name = folderName.safeParse(folder);
  if (name.success) return name.data;
  throw usageError(
    `No folder of a vault can be called ${clean(folder)}.`,
    'Name one inside the vault, such as Steward.',
  );
}

/** Returns the planned changes, a line each; empty if all is there. */
function planLines(root: string, survey: Survey, plan: InitPlan): string[] {
  const { tasks, matters } = survey;
  const { adoption, folders } = plan;
  const missing = FOLDER_KINDS.map((kind) => folders[kind]).filter((name) => !isThere(path.join(root, name)));
  const parents = Map.groupBy(missing, (name) => (name.includes('/') ? path.posix.dirname(name) : ''));
  const files = [SETTINGS_FILE, TABLES_FILE].filter((name) => !isThere(path.join(root, name)));
  const added = isThere(path.join(root, SETTINGS_FILE)) ? missingSettings(root, plan.settings) : [];
  return [
    ...(tasks !== null && adoption.tasks
      ? [
          `use the ${count(tasks.notes, 'task')} in ${tasks.folder}, in place`,
          ...leftAloneLines(survey, adoption, tasks),
        ]
      : []),
    ...(matters !== null && adoption.matters
      ? [
          `use the ${count(matters.folderNotes ?? matters.notes, 'matter')} in ${matters.folder}, in place`,
          ...leftAloneLines(survey, adoption, matters),
        ]
      : []),
    ...[...parents].map(([parent, names]) => `make ${listFolders(parent, names)}`),
    ...files.map((name) => `make ${name}`),
    ...(added.length === 0 ? [] : [`add to ${SETTINGS_FILE}: ${listWords(added)}`]),
    ...(lacksTypes(root) ? [`add the types of Steward's properties to ${TYPES_FILE}`] : []),
    ...(plan.mendsTypes ? [`correct types in ${TYPES_FILE}: ${listTypes(wrongTypes(root))}`] : []),
    ...(plan.addsSnippet ? [`make ${SNIPPET_FILE}`] : []),
  ];
}

/** Says which of the notes Steward leaves alone, because it doesn't know what their status means. */
function leftAloneLines({ statusValues }: Survey, adopted: Adoption, found: FoundFolder): string[] {
  const statuses = unexplainedStatuses(found, adopted, statusValues);
  if (statuses.length === 0) return [];
  const words = [...Map.groupBy(statuses, wordKey).values()]
    .toSorted((one, other) => other.length - one.length)
    .map(([word = '', ...others]) => `${word} (${others.length + 1})`);
  return [`  ${statuses.length} of them only once status_values explains their status: ${listWords(words)}`];
}

function unexplainedStatuses(found: FoundFolder, { words }: Adoption, known: Settings['status_values']): string[] {
  const explained = words.map(({ word }) => wordKey(word));
  return found.statuses.filter((status) => stateMeant(status, known) === null && !explained.includes(wordKey(status)));
}

function listFolders(parent: string, names: readonly string[]): string {
  if (parent === '') return names.map((name) => `${name}/`).join(', ');
  return `${parent}/ with ${names.map((name) => path.posix.basename(name)).join(', ')}`;
}

function missingSettings(root: string, proposed: ProposedSettings): string[] {
  const read = readNote(SETTINGS_FILE, bytesOf(root, SETTINGS_FILE) ?? Buffer.alloc(0));
  return read.ok ? Object.keys(proposed).filter((key) => (read.note.data[key] ?? null) === null) : [];
}

function printPlan(out: Printer, lines: readonly string[]): void {
  if (lines.length === 0) return;
  out.line('Plan:');
  for (const line of lines) out.line(`  ${clean(line)}`);
}

async function isAgreed(root: string, { files }: Survey, asking: InitAsking | null): Promise<boolean> {
  if (asking === null) return true;
  const question = files.files === 0 ? `Make a new vault in ${clean(root)}?` : 'Do this? Your notes stay as they are.';
  return (await asking.agree(question)) === true;
}

/** What a person said no to: it isn't asked again. */
const DECLINED_FILE = 'setup.json';
const declinedFile = z.object({ declined: z.array(z.string().max(1000)).max(1000) });

function declinedBefore(root: string): ReadonlySet<string> {
  const bytes = bytesOf(root, `${OWN_FOLDER}/state/${DECLINED_FILE}`);
  return new Set((bytes === null ? undefined : readOwnJson(declinedFile, bytes.toString('utf8')))?.declined);
}

function rememberDeclined(root: string, declined: readonly string[]): void {
  const before = declinedBefore(root);
  if (declined.every((one) => before.has(one))) return;
  writeState(path.join(ownPlaces(root).state, DECLINED_FILE), JSON.stringify({ declined: [...before, ...declined] }));
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

function printFound({ out, err }: CommandContext, root: string, survey: Survey): void {
  const { notes, isCut, troubles } = survey.files;
  for (const trouble of troubles) err.trouble(trouble);
  const lines = foundLines(survey);
  if (lines.length === 0) return;
  out.line(`Found in ${clean(root)}, among ${isCut ? 'more than ' : ''}${count(notes.length, 'note')}:`);
  for (const line of lines) out.line(`  ${clean(line)}`);
}

function foundLines({ files, tasks, matters, words }: Survey): string[] {
  const known = words.filter(({ state }) => state !== null);
  const unknown = words.filter(({ state, notes }) => state === null && notes > 0);
  const meanings = [...Map.groupBy(known, ({ state }) => state)].map(
    ([state, group]) => `${listWords(group.map(({ word }) => word))} = ${state}`,
  );
  const frequencies = listWords(unknown.map(({ word, notes }) => `${word} (${notes})`));
  return [
    ...(tasks === null ? [] : [`${count(tasks.notes, 'task')} in ${tasks.folder} (TaskNotes)`]),
    ...(matters === null ? [] : [mattersLine(matters), ...besideLines(matters)]),
    ...(known.length === 0 ? [] : [`${count(known.length, 'status word')}: ${meanings.join('; ')}`]),
    ...(unknown.length === 0 ? [] : [`${count(unknown.length, 'status word')} still unexplained: ${frequencies}`]),
    ...(files.taskNotes === null ? [] : taskNotesLines(files, files.taskNotes, tasks)),
  ];
}

function taskNotesLines({ notes }: FolderContents, taskNotes: TaskNotesSettings, tasks: FoundFolder | null): string[] {
  const { read, unread } = renamedFields(taskNotes);
  const folder = tasks?.folder ?? taskNotes.tasksFolder;
  const stray =
    taskNotes.tag === null ? 0 : notes.filter(({ path: file, isTask }) => isTask && !isInside(file, folder)).length;
  return [
    ...(read.length === 0 ? [] : [`${count(read.length, 'field')} with names of your own: ${listWords(read)}`]),
    ...unread.map(([name, theirs]) => `TaskNotes keeps ${name} as "${theirs}" here, which Steward doesn't read.`),
    ...(stray === 0
      ? []
      : [
          `${count(stray, 'task')} with the tag ${taskNotes.tag} outside of ${folder}: move them there so that Steward manages them`,
        ]),
  ];
}

function besideLines({ beside, folderNotes }: FoundFolder): string[] {
  if (beside === 0 || folderNotes !== null) return [];
  return [
    `  ${beside === 1 ? '1 of these is in a folder with others, and would become a separate matter' : `${beside} of these are in a folder with others, and would become separate matters`}`,
  ];
}

function mattersLine({ folder, notes, folderNotes }: FoundFolder): string {
  if (folderNotes === null) return `${count(notes, 'matter')} in ${folder}`;
  const others = notes - folderNotes;
  const beside =
    others === 0 ? '' : `; Steward leaves the ${others === 1 ? 'other note' : `${others} other notes`} there alone`;
  return `${count(folderNotes, 'folder note')} in ${folder}${beside}`;
}

/** No more words than these are asked about or named at once; `status` names the others. */
const MAX_WORDS = 12;

function listWords(words: readonly string[]): string {
  const rest = words.length - MAX_WORDS;
  return [...words.slice(0, MAX_WORDS), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

function printEnd(out: Printer, root: string, survey: Survey, plan: InitPlan): void {
  for (const line of adoptedLines(survey, plan.adoption)) out.line(clean(line));
  if (plan.left.length > 0) {
    out.line('With your yes:');
    for (const line of plan.left) out.line(`  ${clean(line)}`);
    out.line(`  All of it: \`steward init ${quoted(root)} --yes\`.`);
  }
  printModelCost(out, root);
  const options = `--vault ${quoted(root)}`;
  const hasMatters = plan.adoption.matters || survey.records.matters > 0;
  const first = hasMatters ? '' : `put a matter into ${clean(plan.folders.matter)}/, then `;
  out.plain(`Next: ${first}\`steward run ${options}\`. It starts in shadow, and your notes stay as they are.`);
  out.plain(`\`steward source add ${options}\` connects your mailbox.`);
  const rehearse = `steward rehearse --source NAME --since DAY ${options}`;
  out.plain(
    `\`${rehearse}\` then compares what Steward would have done with your past mail, with what you did. It changes no note.`,
  );
}

function adoptedLines(survey: Survey, adopted: Adoption): string[] {
  const { tasks, matters, tied, statusValues } = survey;
  const managed = (found: FoundFolder, noun: string) => {
    const all = found.folderNotes ?? found.notes;
    const left = unexplainedStatuses(found, adopted, statusValues).length;
    const managed = left === 0 ? count(all, noun) : `${all - left} of ${all} ${noun}s`;
    return `${managed} in ${found.folder}`;
  };
  const parts = [
    ...(tasks !== null && adopted.tasks ? [managed({ ...tasks, folderNotes: null }, 'task')] : []),
    ...(matters !== null && adopted.matters ? [managed(matters, 'matter')] : []),
  ];
  if (parts.length === 0) return [];
  const folders = [...(adopted.tasks ? [tasks] : []), ...(adopted.matters ? [matters] : [])];
  const left = folders.flatMap((one) => (one === null ? [] : unexplainedStatuses(one, adopted, statusValues)));
  const lines = [
    `It manages ${parts.join(' and ')}. They stay in their folders.`,
    ...(left.length === 0
      ? []
      : [
          `  The rest ${left.length === 1 ? 'waits' : 'wait'} until status_values in ${SETTINGS_FILE} explains ${listWords([...new Set(left)])}.`,
        ]),
  ];
  if (tasks === null || !adopted.tasks) return lines;
  const free = tasks.notes - tied;
  const theirs = `${count(tied, 'task')} ${tied === 1 ? 'names' : 'name'} a matter in \`projects\``;
  if (free === 0) return [...lines, `  ${theirs}.`];
  const others = free === 1 ? '1 has no matter, and waits until you give it one.' : null;
  return [...lines, `  ${theirs}; ${others ?? `${free} have no matter, and wait until you give them one.`}`];
}

// A person should not learn it from a bill. Said only if the settings can be read.
function printModelCost(out: Printer, root: string): void {
  const { settings, unread } = readSettings(root, UNKNOWN_SETTINGS);
  if (unread !== null || settings.evaluator === 'rules') return;
  const cap = settings.budget_usd_per_day;
  const may = cap === null ? 'any sum a day' : `up to ${count(cap, 'US dollar')} a day`;
  out.plain(
    `Steward asks models only if there is a key. They may cost ${may}: budget_usd_per_day in ${SETTINGS_FILE}.`,
  );
}

/** A path as it can be typed into a shell. */
function quoted(root: string): string {
  const text = clean(root);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How a person is asked while a vault is set up. Each answers null if they break it off. */
interface InitAsking {
  /** `usual`: what Enter means. */
  readonly agree: (message: string, usual?: boolean) => Promise<boolean | null>;
  /** The meaning of a word for a state; `unknown` if the person leaves it open. */
  readonly meaning: (word: FoundWord) => Promise<State | 'unknown' | null>;
}

async function terminalAsking(): Promise<InitAsking | null> {
  if (process.stdin.isTTY !== true) return null;
  const { confirm, isCancel, select } = await import('@clack/prompts');
  return {
    agree: async (message, usual = true) => {
      const answer = await confirm({ message, initialValue: usual });
      return isCancel(answer) ? null : answer;
    },
    meaning: async ({ word, notes }) => {
      const message = `${count(notes, 'note')} ${notes === 1 ? 'says' : 'say'} "${clean(word)}". What does it mean?`;
      const options = [
        { value: 'unknown' as const, label: 'leave these notes alone' },
        ...STATES.map((state) => ({ value: state, label: state })),
      ];
      const answer = await select<State | 'unknown'>({ message, options });
      return isCancel(answer) ? null : answer;
    },
  };
}

/** Returns how `--yes` answers: what Enter would, and it explains no word. */
function alwaysYes(): InitAsking {
  return { agree: async (_, usual = true) => usual, meaning: async () => 'unknown' };
}

interface Adoption {
  readonly tasks: boolean;
  readonly matters: boolean;
  /** The words as the person explained them. */
  readonly words: readonly FoundWord[];
}

interface InitPlan {
  readonly adoption: Adoption;
  readonly settings: ProposedSettings;
  /** Where the records lie. */
  readonly folders: FolderNames;
  readonly mendsTypes: boolean;
  readonly addsSnippet: boolean;
  /** The additions that need a yes, if no person was there to be asked. */
  readonly left: readonly string[];
  readonly declined: readonly string[];
}

/** Asks what may be made and taken over, except what was declined before. Returns null if the person breaks it off. */
async function planWithPerson(root: string, survey: Survey, asking: InitAsking): Promise<InitPlan | null> {
  const declined = new Set(declinedBefore(root));
  const agree: Agree = async (key, message, usual) => {
    if (declined.has(key)) return false;
    const answer = await asking.agree(message, usual);
    if (answer === false) declined.add(key);
    return answer;
  };
  const adoption = await askAdoption(survey, agree, asking, declined);
  if (adoption === null) return null;
  const wrong = wrongTypes(root);
  const mend = `In Obsidian ${listTypes(wrong)} can't be ticked, because the type isn't checkbox. Correct that?`;
  const mends = wrong.length === 0 ? false : await agree('types', mend);
  const hide = `Let Obsidian hide Steward's own fields in event notes (${SNIPPET_FILE})?`;
  const adds = lacksSnippet(root) ? await agree('snippet', hide) : false;
  if (mends === null || adds === null) return null;
  return planFor(survey, adoption, { mendsTypes: mends, addsSnippet: adds, left: [], declined: [...declined] });
}

/** Asks once: a no is remembered under the key. Null if the person breaks it off. */
type Agree = (key: string, message: string, usual?: boolean) => Promise<boolean | null>;

async function askAdoption(
  survey: Survey,
  agree: Agree,
  asking: InitAsking,
  declined: Set<string>,
): Promise<Adoption | null> {
  const agreed = (found: FoundFolder | null, noun: 'task' | 'matter') => {
    if (found === null) return false;
    const what = found.folderNotes === null ? count(found.notes, 'note') : count(found.folderNotes, 'folder note');
    const others =
      found.instead === 0 ? '' : ` The ${count(found.instead, 'note')} in ${survey.folders[noun]} then aren't.`;
    const question = `Manage the ${what} in ${clean(found.folder)} as ${noun}s, in their present folders?${others} Steward writes it into the settings.`;
    return agree(`${noun} ${found.folder}`, question, isClear(found));
  };
  const tasks = await agreed(survey.tasks, 'task');
  const matters = await agreed(survey.matters, 'matter');
  if (tasks === null || matters === null) return null;
  if (!survey.canExplain || !(tasks || matters || hasRecords(survey))) return { tasks, matters, words: [] };
  const words = survey.words.filter(({ state }) => state !== null);
  for (const word of survey.words.filter(({ state, notes }) => state === null && notes > 0).slice(0, MAX_WORDS)) {
    const key = `word ${wordKey(word.word)}`;
    const meaning = declined.has(key) ? 'unknown' : await asking.meaning(word);
    if (meaning === null) return null;
    if (meaning === 'unknown') declined.add(key);
    else words.push({ ...word, state: meaning });
  }
  return { tasks, matters, words };
}

/** Whether most notes of a folder are what the folder is for; else only a person says so. */
function isClear(found: FoundFolder): boolean {
  return found.instead < found.notes && (found.folderNotes !== null || found.beside * 2 <= found.notes);
}

function hasRecords({ records }: Survey): boolean {
  return records.tasks + records.matters > 0;
}

function listTypes(wrong: readonly WrongType[]): string {
  return wrong.map(({ key, is }) => `${key} (${clean(is)})`).join(', ');
}

function planUnasked(root: string, survey: Survey): InitPlan {
  const folders = [survey.tasks, survey.matters].filter((one) => one !== null && isClear(one));
  const wrong = wrongTypes(root);
  const explains =
    survey.canExplain && hasRecords(survey) && wordLines(survey.words, survey.files.taskNotes).length > 0;
  const left = [
    ...folders.flatMap((one) => (one === null ? [] : [`look after the notes in ${one.folder}`])),
    ...(explains ? ['explain your words for states in the settings'] : []),
    ...(wrong.length === 0 ? [] : [`correct the types of ${listTypes(wrong)} in Obsidian`]),
  ];
  const nothing = { tasks: false, matters: false, words: [] };
  return planFor(survey, nothing, { mendsTypes: false, addsSnippet: false, left, declined: [] });
}

function planFor(
  survey: Survey,
  adoption: Adoption,
  rest: Pick<InitPlan, 'mendsTypes' | 'addsSnippet' | 'left' | 'declined'>,
): InitPlan {
  const { tasks, matters, moved, files } = survey;
  const folders = {
    ...moved,
    ...(tasks !== null && adoption.tasks ? { task: tasks.folder } : {}),
    ...(matters !== null && adoption.matters ? { matter: matters.folder } : {}),
  };
  const mapping = fieldMapping(files.taskNotes);
  const words = wordLines(adoption.words, files.taskNotes);
  const settings = {
    ...Object.fromEntries(Object.entries(folders).map(([kind, folder]) => [`folder_${kind}`, folder])),
    ...(matters?.folderNotes != null && adoption.matters ? { matter_notes: 'folder_notes' } : {}),
    ...(mapping.length === 0 ? {} : { field_mapping: mapping }),
    ...(words.length === 0 ? {} : { status_values: words }),
  };
  return { ...rest, adoption, settings, folders: { ...DEFAULT_FOLDERS, ...survey.folders, ...folders } };
}

/** Settings by their keys, as they are written into `steward.md`. */
type ProposedSettings = Readonly<Record<string, Yaml>>;

// Settings that name a field replace all of the usual names.
function fieldMapping(taskNotes: TaskNotesSettings | null): string[] {
  if (taskNotes === null || renamedFields(taskNotes).read.length === 0) return [];
  const { status, projects, ...others } = taskNotes.fields;
  const renamed = Object.entries(others)
    .filter(([name, theirs]) => theirs !== USUAL[name]?.theirs)
    .map(([name, theirs]) => `${theirs} = ${USUAL[name]?.ours}`);
  return [`${status} = state`, `${projects} = parent_matter`, ...renamed].filter(isMapping);
}

function isMapping(line: string): boolean {
  return KEYS.field_mapping.safeParse([line]).success;
}

/** Returns the renamed properties of TaskNotes that the settings can name, and those they can't, with their usual names. */
function renamedFields({ fields }: TaskNotesSettings): { read: string[]; unread: [name: string, theirs: string][] } {
  const renamed = Object.entries(fields).filter(([name, theirs]) => theirs !== USUAL[name]?.theirs);
  const canBeNamed = ([name, theirs]: [string, string]) => isMapping(`${theirs} = ${USUAL[name]?.ours}`);
  return {
    read: renamed.filter(canBeNamed).map(([name, theirs]) => `${theirs} (${USUAL[name]?.theirs ?? name})`),
    unread: renamed.filter((one) => !canBeNamed(one)),
  };
}

/** Returns the words as the settings list them, TaskNotes' usual one first; empty if the program knows all of them. */
function wordLines(words: readonly FoundWord[], taskNotes: TaskNotesSettings | null): string[] {
  const known = words.filter(({ state }) => state !== null);
  if (known.every(({ word, state }) => stateMeant(word, NO_WORDS) === state)) return [];
  const first = wordKey(taskNotes?.defaultTaskStatus ?? '');
  return known
    .toSorted((one, other) => Number(wordKey(other.word) === first) - Number(wordKey(one.word) === first))
    .map(({ word, state }) => `${word} = ${state}`)
    .filter((line) => KEYS.status_values.safeParse([line]).success);
}

interface Survey {
  readonly files: FolderContents;
  /** The folders in which the settings look for records, and how many notes are there. */
  readonly folders: FolderNames;
  readonly records: { readonly tasks: number; readonly matters: number };
  /**
   * The tasks of TaskNotes, and a folder of projects; null if the settings name a folder that contains notes already.
   */
  readonly tasks: FoundFolder | null;
  readonly matters: FoundFolder | null;
  /** How many of the tasks name one of the matters. */
  readonly tied: number;
  /** The words for states in those folders, the most frequent first. */
  readonly words: readonly FoundWord[];
  /** What the settings say of words for states. */
  readonly statusValues: Settings['status_values'];
  /** Whether the settings explain no word yet, so that they can be put there. */
  readonly canExplain: boolean;
  /** In an existing vault: Steward's own folders, all in one folder. */
  readonly moved: Partial<FolderNames>;
}

interface FoundFolder {
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
interface FoundWord {
  readonly word: string;
  /** How many notes say it. */
  readonly notes: number;
  /** Its meaning; null if neither the settings nor TaskNotes nor the program itself knows it. */
  readonly state: State | null;
}

function surveyOf(files: FolderContents, { folders, status_values }: Settings, parent: string | null): Survey {
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
  return {
    files,
    folders,
    records,
    tasks,
    matters,
    tied: ofTasks.filter(({ project }) => names.has(project ?? '')).length,
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
  if (taskNotes === null) return null;
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

/** What people call a folder of projects in six languages, as PARA and others do. */
const PROJECTS =
  'projects project projekte projets proyectos progetti projecten matters angelegenheiten vorhaben affaires asuntos pratiche zaken'.split(
    ' ',
  );
/** A folder of projects is at the top, or in one that contains all of PARA. */
const MAX_PROJECTS_DEPTH = 2;

/** Returns the folder of projects with the most notes, apart from the tasks. */
function matterFolder({ notes }: FolderContents, tasks: FoundFolder | null): FoundFolder | null {
  const folders = new Set(
    notes.flatMap(({ folder }) => {
      const parts = folder.split('/').slice(0, MAX_PROJECTS_DEPTH);
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    }),
  );
  const others = notes.filter((note) => !note.isTask && (tasks === null || !isInside(note.path, tasks.folder)));
  const [largest = null] = [...folders]
    .filter((folder) => PROJECTS.includes(plainName(folder)))
    .flatMap((folder) => foundFolder(others, folder) ?? [])
    .toSorted((one, other) => other.notes - one.notes || one.folder.length - other.folder.length);
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
      return { word, notes: uses, state: stateMeant(word, known) ?? stateInTaskNotes(word, taskNotes) };
    })
    .toSorted((one, other) => other.notes - one.notes);
}

function stateInTaskNotes(word: string, taskNotes: TaskNotesSettings | null): State | null {
  const listed = taskNotes?.statuses.find(({ value }) => wordKey(value) === wordKey(word));
  if (listed === undefined) return null;
  return listed.isCompleted ? 'done' : 'open';
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

interface FolderContents {
  /** Which of the things that only a vault has are there. */
  readonly marks: readonly string[];
  readonly notes: readonly FoundNote[];
  /** How many files there are, notes among them; hidden ones and links do not count. */
  readonly files: number;
  /** The folded names of the folders at the top that hold files. */
  readonly topFolders: ReadonlySet<string>;
  /** The folded names of all that is at the top. */
  readonly topNames: ReadonlySet<string>;
  /** Whether there were more files than are looked at. */
  readonly isCut: boolean;
  /** The settings of TaskNotes; null if that is not installed. */
  readonly taskNotes: TaskNotesSettings | null;
  readonly troubles: readonly Diagnostic[];
}

interface FoundNote {
  readonly path: string;
  /** Its folder, '' at the top of the vault. */
  readonly folder: string;
  /** The value of `status` or `state`, if it is one text. */
  readonly status: string | null;
  /** The first note that it names as its project or its matter, folded. */
  readonly project: string | null;
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
function surveyFolder(root: string, options: InitOptions, { env, err }: CommandContext): FolderContents {
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

function isThere(place: string): boolean {
  return fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

// Null if the note is too large, gone by now, or not to be read: `status` shows that.
function foundNote(root: string, file: string, taskNotes: TaskNotesSettings | null): FoundNote | null {
  const bytes = bytesOf(root, file);
  if (bytes === null) return null;
  const read = readNote(file, bytes);
  const data: Frontmatter = read.ok ? read.note.data : {};
  const states = textsIn(data.state ?? data[taskNotes?.fields.status ?? 'status'] ?? data.status);
  const tags = textsIn(data.tags).map((tag) => fold(tag.replace(/^#/, '')));
  const [project] = textsIn(data.parent_matter ?? data[taskNotes?.fields.projects ?? 'projects'] ?? data.projects);
  const folder = path.posix.dirname(file);
  return {
    path: file,
    folder: folder === '.' ? '' : folder,
    status: states.length === 1 ? (states[0] ?? null) : null,
    project: project === undefined ? null : fold(stem(linkTarget(project))),
    isTask: taskNotes?.tag != null && tags.includes(fold(taskNotes.tag)),
  };
}

function bytesOf(root: string, file: string): Buffer | null {
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

interface Making {
  /** What was missing and was made, and what was added to, in words. */
  readonly made: string[];
  /** The parts that could not be made or added to, and why; they were left as they are. */
  readonly refused: Diagnostic[];
}

/** The change to a part; null if it was there already. */
type Made = 'made' | 'added to' | 'mended' | null;

/** Makes what is missing. Replaces no file, and writes through no link that leads out of the vault. */
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

/** The parts of a vault, and how to make each one that is missing. */
function partsOf(root: string, tmp: string, plan: InitPlan): readonly (readonly [string, () => Made])[] {
  const madeIf = (isMade: boolean): Made => (isMade ? 'made' : null);
  return [
    ...Object.values(plan.folders).map((name) => [`${name}/`, () => madeIf(makeFolders(root, name))] as const),
    [SETTINGS_FILE, () => writeSettings(root, tmp, plan)],
    [TABLES_FILE, () => madeIf(addTables(root, tmp))],
    [TYPES_FILE, () => madeIf(addPropertyTypes(root, tmp))],
    ...(plan.mendsTypes ? [[TYPES_FILE, () => (mendTypes(root) ? 'mended' : null)] as const] : []),
    ...(plan.addsSnippet ? [[SNIPPET_FILE, () => madeIf(addSnippet(root, tmp))] as const] : []),
  ];
}

function refusal(error: unknown, name: string): Diagnostic {
  if (error instanceof StewardError) return error.trouble;
  if (systemCode(error) === null) throw error;
  const { trouble } = fileError(error, name);
  return { ...trouble, hint: 'Your files are unchanged. Correct this, and run `steward init` again.' };
}

/**
 * Makes `steward.md` with these settings, or adds to one that is there those that it does not have. One that cannot be
 * read counts as complete: it is left as it is.
 */
function writeSettings(root: string, tmp: string, { settings: proposed, folders }: InitPlan): Made {
  const place = realPlace(root, SETTINGS_FILE);
  if (place === null) {
    const template = settingsTemplate(folders);
    return createWhole(root, tmp, SETTINGS_FILE, withSettings(template, proposed)) ? 'made' : null;
  }
  const former = readBytes(place, MAX_NOTE_BYTES);
  const read = readNote(SETTINGS_FILE, former.bytes);
  if (!read.ok) return null;
  const missing = Object.entries(proposed).filter(([key]) => (read.note.data[key] ?? null) === null);
  if (missing.length === 0) return null;
  const text = withSettings(former.bytes.toString('utf8'), Object.fromEntries(missing));
  replaceInVault({ file: SETTINGS_FILE, place, former }, text);
  return 'added to';
}

/** Returns `steward.md` as it is made, with the folder names of one vault in its text. */
export function settingsTemplate(folders: FolderNames): string {
  const shipped = fs.readFileSync(path.join(PACKAGE, 'template', SETTINGS_FILE), 'utf8');
  return FOLDER_KINDS.reduce(
    (text, kind) => text.replaceAll(`\`${DEFAULT_FOLDERS[kind]}/\``, () => `\`${folders[kind]}/\``),
    shipped,
  );
}

function withSettings(text: string, settings: ProposedSettings): string {
  const edits = Object.entries(settings).map(([field, value]) => ({ op: 'set' as const, field, value }));
  return edits.length === 0 ? text : editFields(SETTINGS_FILE, text, edits).text;
}
