import fs from 'node:fs';
import path from 'node:path';
import { prepare } from '../../daemon/context/own-folders.ts';
import { type Settings, UNKNOWN_SETTINGS } from '../../daemon/context/settings.ts';
import { readSettings } from '../../daemon/context/settings-file.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import { type FolderNames, ownPlaces, SETTINGS_FILE } from '../../vault/layout.ts';
import type { CommandContext, CommandResult } from '../base/context.ts';
import { clean, count } from '../print/plain-text.ts';
import type { Printer } from '../print/printer.ts';
import {
  leftLines,
  lookingLine,
  printComplete,
  printFoundLines,
  printModelCost,
  printNextSteps,
  printNothingMade,
  printSetUp,
} from '../print/setup/init-words.ts';
import { alwaysYes, initAsking } from './init-asking.ts';
import { type InitPlan, plannedFor } from './init-plan.ts';
import { mendTypes } from './property-mends.ts';
import { addPropertyTypes, TYPES_FILE } from './property-types.ts';
import { writeSettings } from './settings-note.ts';
import { addSnippet, SNIPPET_FILE } from './snippet.ts';
import { lookAround, type Surroundings } from './survey/look-around.ts';
import { type Survey, surveyOf } from './survey/survey.ts';
import { adoptedLines, foundLines } from './survey/survey-lines.ts';
import { addTables, TABLES_FILE } from './tables.ts';
import { likenessOf, unlikelyPlace, unlikelyVault } from './vault-likeness.ts';
import { makeFolders, realPlace } from './vault-place.ts';

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
