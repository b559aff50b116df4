import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { prepare } from '../../daemon/context/own-folders.ts';
import { EXIT, reasonOf, StewardError } from '../../vault/errors.ts';
import { DEFAULT_FOLDERS, ownPlaces } from '../../vault/layout.ts';
import type { CommandContext, CommandResult } from '../base/context.ts';
import { PACKAGE } from '../base/package-dir.ts';

/** `steward init [DIR]`: makes a new vault, or adds what this program needs to an existing one. Changes no note. */
export async function init(
  dir: string | undefined,
  options: { readonly yes?: boolean; readonly vault?: string },
  context: CommandContext,
): CommandResult {
  const root = path.resolve(context.cwd, dir ?? options.vault ?? '.');
  const isNew = !fs.existsSync(root) || fs.readdirSync(root).length === 0;
  const asks = options.yes !== true && process.stdin.isTTY === true;
  if (asks && !(await isAgreed(root, isNew))) {
    context.err.line('Nothing was made.');
    return EXIT.refused;
  }
  const made = makeVault(root);
  context.out.line(`${isNew ? 'A new vault lies' : 'The steward has its place'} in ${root}.`);
  for (const file of made) context.out.line(`  made ${file}`);
  if (made.length === 0) context.out.line('  everything was there already');
  context.out.line(
    'Next: put a matter into matter/, then `steward run --vault DIR`. It starts in shadow and touches nothing.',
  );
  return EXIT.done;
}

async function isAgreed(root: string, isNew: boolean): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts');
  const message = isNew
    ? `Make a new vault in ${root}?`
    : `Add the steward's folders and settings to ${root}? No note is changed.`;
  const agreed = await confirm({ message });
  return !isCancel(agreed) && agreed;
}

/** Makes what is missing. Returns the paths of what it made, relative to the vault. */
function makeVault(root: string): string[] {
  const made: string[] = [];
  fs.mkdirSync(root, { recursive: true });
  for (const folder of Object.values(DEFAULT_FOLDERS)) {
    if (fs.existsSync(path.join(root, folder))) continue;
    fs.mkdirSync(path.join(root, folder));
    made.push(`${folder}/`);
  }
  prepare(ownPlaces(root));
  if (copyNew(path.join(PACKAGE, 'template', 'steward.md'), path.join(root, 'steward.md'))) made.push('steward.md');
  const base = path.join(PACKAGE, 'vault-example', 'Steward.base');
  if (copyNew(base, path.join(root, 'Steward.base'))) made.push('Steward.base');
  if (mergeTypes(root)) made.push('.obsidian/types.json');
  return made;
}

function copyNew(from: string, to: string): boolean {
  if (fs.existsSync(to)) return false;
  fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
  return true;
}

const typesFile = z.looseObject({ types: z.record(z.string(), z.string()).default({}) });

// A type that a person chose for a property stays; only missing ones are added.
function mergeTypes(root: string): boolean {
  const file = path.join(root, '.obsidian', 'types.json');
  const ours = readTypes(path.join(PACKAGE, 'vault-example', '.obsidian', 'types.json'));
  const theirs = fs.existsSync(file) ? readTypes(file) : { types: {} };
  const types = { ...ours.types, ...theirs.types };
  if (Object.keys(types).length === Object.keys(theirs.types).length) return false;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify({ ...theirs, types }, null, 2)}\n`);
  return true;
}

function readTypes(file: string): z.infer<typeof typesFile> {
  try {
    return typesFile.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StewardError({
      code: 'types-unreadable',
      file,
      message: `The property types of Obsidian cannot be read (${reasonOf(error).split('\n')[0]}).`,
      hint: 'Mend or delete the file; nothing in it was changed.',
    });
  }
}
