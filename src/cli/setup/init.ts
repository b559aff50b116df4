import fs from 'node:fs';
import path from 'node:path';
import { prepare } from '../../daemon/context/own-folders.ts';
import { UNKNOWN_SETTINGS } from '../../daemon/context/settings.ts';
import { readSettings } from '../../daemon/context/settings-file.ts';
import { type Diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import { DEFAULT_FOLDERS, ownPlaces, SETTINGS_FILE } from '../../vault/layout.ts';
import type { CommandContext, CommandResult } from '../base/context.ts';
import { PACKAGE } from '../base/package-dir.ts';
import { addPropertyTypes, TYPES_FILE } from './property-types.ts';
import { addTables, TABLES_FILE } from './tables.ts';
import { copyNew, makeFolder, realPlace } from './vault-place.ts';

/**
 * `steward init [DIR]`: makes a new vault, or adds what this program needs to an existing one. Changes no note;
 * what it could not make is said, and the rest is made (exit 1).
 */
export async function init(
  dir: string | undefined,
  options: { readonly yes?: boolean; readonly vault?: string },
  context: CommandContext,
): CommandResult {
  const root = path.resolve(context.cwd, dir ?? options.vault ?? '.');
  refuseFile(root);
  const isNew = !fs.existsSync(root) || fs.readdirSync(root).length === 0;
  const asks = options.yes !== true && process.stdin.isTTY === true;
  if (asks && !(await isAgreed(root, isNew))) {
    context.err.line('Nothing was made.');
    return EXIT.refused;
  }
  const { made, refused } = makeVault(root);
  context.out.line(`${isNew ? 'A new vault lies' : 'The steward has its place'} in ${root}.`);
  for (const file of made) context.out.line(`  made ${file}`);
  for (const trouble of refused) context.err.trouble(trouble);
  if (refused.length > 0) return EXIT.refused;
  if (made.length === 0) context.out.line('  everything was there already');
  for (const line of budgetLines(root)) context.out.line(line);
  context.out.line(
    'Next: put a matter into matter/, then `steward run --vault DIR`. It starts in shadow and touches nothing.',
  );
  context.out.line('`steward source add` connects your mailbox, so that what comes in reaches the vault by itself.');
  return EXIT.done;
}

function refuseFile(root: string): void {
  if (!fs.existsSync(root) || fs.statSync(root).isDirectory()) return;
  const hint = 'Name a folder, or one that is not there yet.';
  throw new StewardError(
    { code: 'vault-no-folder', file: root, message: 'A vault is a folder; this is none.', hint },
    EXIT.usage,
  );
}

/** What models may cost in this vault, where its settings can be read: a person should not learn it from a bill. */
function budgetLines(root: string): string[] {
  const { settings, unread } = readSettings(root, UNKNOWN_SETTINGS);
  if (unread !== null || settings.evaluator === 'rules') return [];
  const { budget_usd_per_day: cap } = settings;
  const may = cap === null ? 'any sum a day' : `${cap} US dollar${cap === 1 ? '' : 's'} a day at most`;
  return [`Models are asked only where there is a key, and may cost ${may}: budget_usd_per_day in ${SETTINGS_FILE}.`];
}

async function isAgreed(root: string, isNew: boolean): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const message = isNew
    ? `Make a new vault in ${root}?`
    : `Add the steward's folders and settings to ${root}? No note is changed.`;
  const agreed = await confirm({ message });
  return !isCancel(agreed) && agreed;
}

interface Making {
  /** What was missing and was made, relative to the vault. */
  readonly made: string[];
  /** What could not be made or added to, and why; it was left as it is. */
  readonly refused: Diagnostic[];
}

/** Makes what is missing. Replaces nothing, and writes through no link that leads out of the vault. */
function makeVault(root: string): Making {
  fs.mkdirSync(root, { recursive: true });
  const places = ownPlaces(root);
  for (const place of Object.values(places)) realPlace(root, path.relative(root, place));
  prepare(places);
  const making: Making = { made: [], refused: [] };
  for (const [name, make] of Object.entries(partsOf(root, places.tmp))) {
    try {
      if (make()) making.made.push(name);
    } catch (error) {
      making.refused.push(refusal(error, name));
    }
  }
  return making;
}

/** What a vault has, and how each of it is made where it is missing. */
function partsOf(root: string, tmp: string): Readonly<Record<string, () => boolean>> {
  const folders = Object.values(DEFAULT_FOLDERS).map((name) => [`${name}/`, () => makeFolder(root, name)] as const);
  return {
    ...Object.fromEntries(folders),
    [SETTINGS_FILE]: () => copyNew(path.join(PACKAGE, 'template', SETTINGS_FILE), root, tmp, SETTINGS_FILE),
    [TABLES_FILE]: () => addTables(root, tmp),
    [TYPES_FILE]: () => addPropertyTypes(root, tmp),
  };
}

function refusal(error: unknown, name: string): Diagnostic {
  if (error instanceof StewardError) return error.trouble;
  if (systemCode(error) === null) throw error;
  const { trouble } = fileError(error, name);
  return { ...trouble, hint: 'What was there is as it was. Mend that, and run `steward init` again.' };
}
