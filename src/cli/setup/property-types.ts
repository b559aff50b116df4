import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseJson } from '../../evidence/formats/json.ts';
import { reasonOf, StewardError } from '../../vault/errors.ts';
import { createWhole, readBytes } from '../../vault/files.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter/parse.ts';
import { PACKAGE } from '../base/package-dir.ts';
import { withMembers } from './json-insertion.ts';
import { makeFolder, realPlace, replaceInVault } from './vault-place.ts';

const FOLDER = '.obsidian';
/** Where Obsidian keeps the type of each property. */
export const TYPES_FILE = `${FOLDER}/types.json`;

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
export function shippedTypes(): Readonly<Record<string, string>> {
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
export function typesText(bytes: Buffer): string {
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
