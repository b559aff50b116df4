import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { newId, opaqueId } from '../ids.ts';
import { OWN_FOLDER, StewardError, systemCode, writeState } from '../steward.ts';

const schema = z.object({ id: opaqueId });

/** Returns the id of the vault at `root`, or null where it has none. Throws `fleet-id` where its file is no such file. */
export function vaultId(root: string): string | null {
  const file = fileOf(root);
  try {
    return schema.parse(JSON.parse(fs.readFileSync(file, 'utf8'))).id;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null;
    throw new StewardError({
      code: 'fleet-id',
      message: `The id of the vault ${root} cannot be read.`,
      hint: `Look at ${file}; without it, \`steward-fleet add\` gives the vault a new id.`,
    });
  }
}

/** Gives the vault at `root` a new id, which it keeps wherever it is moved to. Returns it. Throws the system's error. */
export function giveId(root: string): string {
  const id = newId('v');
  fs.mkdirSync(path.join(root, OWN_FOLDER), { recursive: true, mode: 0o700 });
  writeState(fileOf(root), `${JSON.stringify({ id })}\n`);
  return id;
}

function fileOf(root: string): string {
  return path.join(root, OWN_FOLDER, 'fleet.json');
}
