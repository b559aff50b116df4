import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { prepare } from '../../daemon/lease.ts';
import { folderName, readSettings } from '../../daemon/settings.ts';
import { type Settings, UNKNOWN_SETTINGS } from '../../steward/settings.ts';
import { editFields } from '../../vault/edit.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { createWhole, fileError, readBytes, writeState } from '../../vault/files.ts';
import { readNote, type Yaml } from '../../vault/frontmatter.ts';
import { readOwnJson } from '../../vault/json.ts';
import {
  DEFAULT_FOLDERS,
  FOLDER_KINDS,
  type FolderNames,
  MAX_NOTE_BYTES,
  OWN_FOLDER,
  ownPlaces,
  SETTINGS_FILE,
} from '../../vault/layout.ts';
import { STATES, type State, stateMeant, wordKey } from '../../vault/record.ts';
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
import {
  type CommandContext,
  type CommandResult,
  clean,
  count,
  PACKAGE,
  type Printer,
  usageError,
} from '../terminal.ts';
import {
  countStray,
  type FoundFolder,
  type FoundWord,
  isThere,
  noteBytes,
  readFolder,
  renamedFields,
  type Survey,
  statusLines,
  surveyVault,
} from '../vault-survey.ts';

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
  const files = readFolder(root, options, context);
  const { settings } = readSettings(root, UNKNOWN_SETTINGS);
  const survey = surveyVault(files, settings, parentFolder(options));
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
  const read = readNote(SETTINGS_FILE, noteBytes(root, SETTINGS_FILE) ?? Buffer.alloc(0));
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
  const bytes = noteBytes(root, `${OWN_FOLDER}/state/${DECLINED_FILE}`);
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

function foundLines({ files, tasks, matters, words, records, folders }: Survey): string[] {
  const known = words.filter(({ state }) => state !== null);
  const unknown = words.filter(({ state, notes }) => state === null && notes > 0);
  const meanings = [...Map.groupBy(known, ({ state }) => state)].map(
    ([state, group]) => `${listWords(group.map(({ word }) => word))} = ${state}`,
  );
  const frequencies = listWords(unknown.map(({ word, notes }) => `${word} (${notes})`));
  return [
    ...(tasks === null
      ? []
      : [`${count(tasks.notes, 'task')} in ${tasks.folder}${files.taskNotes === null ? '' : ' (TaskNotes)'}`]),
    ...(matters === null ? [] : [mattersLine(matters), ...besideLines(matters)]),
    // They are where the settings look for them.
    ...(tasks === null || records.matters === 0 ? [] : [`${count(records.matters, 'matter')} in ${folders.matter}`]),
    ...(known.length === 0 ? [] : [`${count(known.length, 'status word')}: ${meanings.join('; ')}`]),
    ...(unknown.length === 0 ? [] : [`${count(unknown.length, 'status word')} still unexplained: ${frequencies}`]),
    ...taskNotesLines(files, tasks),
  ];
}

function taskNotesLines(files: Survey['files'], tasks: FoundFolder | null): string[] {
  const { taskNotes } = files;
  if (taskNotes === null) return [];
  const { read, unread } = renamedFields(taskNotes);
  const folder = tasks?.folder ?? taskNotes.tasksFolder;
  const stray = countStray(files, folder);
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
  const { tasks, matters, tied, parentName, statusValues } = survey;
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
  const theirs = `${count(tied, 'task')} ${tied === 1 ? 'names' : 'name'} a matter in \`${parentName}\``;
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
    survey.canExplain && hasRecords(survey) && statusLines(survey.words, survey.files.taskNotes).length > 0;
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
  const { tasks, matters, moved, files, mapping } = survey;
  const folders = {
    ...moved,
    ...(tasks !== null && adoption.tasks ? { task: tasks.folder } : {}),
    ...(matters !== null && adoption.matters ? { matter: matters.folder } : {}),
  };
  const words = statusLines(adoption.words, files.taskNotes);
  const settings = {
    ...Object.fromEntries(Object.entries(folders).map(([kind, folder]) => [`folder_${kind}`, folder])),
    ...(matters?.folderNotes != null && adoption.matters ? { matter_notes: 'folder_notes' } : {}),
    ...(mapping.length === 0 ? {} : { field_mapping: [...mapping] }),
    ...(words.length === 0 ? {} : { status_values: words }),
  };
  return { ...rest, adoption, settings, folders: { ...DEFAULT_FOLDERS, ...survey.folders, ...folders } };
}

/** Settings by their keys, as they are written into `steward.md`. */
type ProposedSettings = Readonly<Record<string, Yaml>>;

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

function partsOf(root: string, tmp: string, plan: InitPlan): readonly (readonly [string, () => Made])[] {
  const madeIf = (isMade: boolean): Made => (isMade ? 'made' : null);
  const before = readSettings(root, UNKNOWN_SETTINGS).settings.folders;
  return [
    ...Object.values(plan.folders).map((name) => [`${name}/`, () => madeIf(makeFolders(root, name))] as const),
    [SETTINGS_FILE, () => writeSettings(root, tmp, plan)],
    [TABLES_FILE, () => madeIf(addTables(root, tmp, before))],
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
