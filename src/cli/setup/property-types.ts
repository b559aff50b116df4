import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseJson } from '../../evidence/formats/json.ts';
import { attributesOf, giveAttributes } from '../../vault/disk/attributes.ts';
import { attributesRefusal, editRefusal } from '../../vault/disk/edit-refusal.ts';
import { loadSystemCalls } from '../../vault/disk/system-calls.ts';
import { reasonOf, StewardError } from '../../vault/errors.ts';
import { createWhole, readBytes, replaceWhole } from '../../vault/files.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter/parse.ts';
import { PACKAGE } from '../base/package-dir.ts';
import { withMembers } from './json-insertion.ts';
import { makeFolder, realPlace } from './vault-place.ts';

const FOLDER = '.obsidian';
/** Where Obsidian keeps the type of each property. */
export const TYPES_FILE = `${FOLDER}/types.json`;

/**
 * Tells Obsidian the types of the properties that the notes use, and returns whether it knew any of them not. A type that
 * a person chose stays, and so does every byte that was in the file.
 */
export function addPropertyTypes(root: string, tmp: string): boolean {
  const shipped = fs.readFileSync(path.join(PACKAGE, 'vault-example', ...TYPES_FILE.split('/')), 'utf8');
  makeFolder(root, FOLDER);
  const place = realPlace(root, TYPES_FILE);
  if (place === null) return createWhole(root, tmp, TYPES_FILE, shipped);
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = textOf(former.bytes);
  const merged = withTypes(text, ourTypes.parse(JSON.parse(shipped)).types);
  if (merged === text) return false;
  const refusal = editRefusal(TYPES_FILE, place, former);
  if (refusal !== null) throw refusal;
  if (replaceWhole(tmp, place, merged, former, (part) => keepAttributes(place, part))) return true;
  throw unreadable('it was changed at this moment');
}

function keepAttributes(place: string, part: string): void {
  const system = loadSystemCalls();
  if (!giveAttributes(part, attributesOf(place, system), system)) throw attributesRefusal(TYPES_FILE);
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

function textOf(bytes: Buffer): string {
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
    hint: 'Mend or delete the file; nothing in it was changed.',
  });
}
