import fs from 'node:fs';
import path from 'node:path';
import { UNKNOWN_SETTINGS } from '../../daemon/context/settings.ts';
import { readSettings } from '../../daemon/context/settings-file.ts';
import { createWhole } from '../../vault/files.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames } from '../../vault/layout.ts';
import { PACKAGE } from '../base/package-dir.ts';
import { realPlace } from './vault-place.ts';

/** The tables that Obsidian shows of what waits and what was done. */
export const TABLES_FILE = 'Steward.base';

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
