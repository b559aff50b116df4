import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type JsonNode, parseJson } from '../../evidence/formats/json.ts';
import { readBytes } from '../../vault/files.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter/parse.ts';
import { shippedTypes, TYPES_FILE, typesText } from './property-types.ts';
import { realPlace, replaceInVault } from './vault-place.ts';

/** A box to tick that Obsidian shows as something else. */
export interface WrongType {
  readonly key: string;
  readonly is: string;
}

const BOX = 'checkbox';
const types = z.looseObject({ types: z.looseObject({}).default({}) });

/** Returns the boxes that Obsidian does not show as boxes, so that nobody can tick them; none where that cannot be read. */
export function wrongTypes(root: string): WrongType[] {
  try {
    const place = realPlace(root, TYPES_FILE);
    return place === null ? [] : wrongIn(typesText(readBytes(place, MAX_NOTE_BYTES).bytes));
  } catch {
    return []; // said where the missing types are put in
  }
}

/** Makes them boxes, and returns whether there were any. Changes no other byte. */
export function mendTypes(root: string, tmp: string): boolean {
  const place = realPlace(root, TYPES_FILE);
  if (place === null) return false;
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = typesText(former.bytes);
  const mended = withBoxes(text);
  if (mended === text) return false;
  replaceInVault(tmp, { file: TYPES_FILE, place, former }, mended);
  return true;
}

/** Returns the text with the type of each such box mended. */
export function withBoxes(text: string): string {
  const wrong = wrongIn(text).map(({ key }) => key);
  if (wrong.length === 0) return text;
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const json = text.slice(bom);
  const values = members(members([parseJson(json)], 'types'), ...wrong);
  const mended = values
    .toSorted((one, other) => other.from - one.from)
    .reduce((made, { from, to }) => `${made.slice(0, from)}"${BOX}"${made.slice(to)}`, json);
  // Read again before it is written: what is meant, and nothing else.
  const before = types.parse(JSON.parse(json));
  const meant = { ...before, types: { ...before.types, ...Object.fromEntries(wrong.map((key) => [key, BOX])) } };
  return isDeepStrictEqual(JSON.parse(mended), meant) ? text.slice(0, bom) + mended : text;
}

function wrongIn(text: string): WrongType[] {
  const json = text.replace(/^\uFEFF/, '');
  const there = types.parse(JSON.parse(json)).types;
  const boxes = Object.entries(shippedTypes()).filter(([, type]) => type === BOX);
  return boxes.flatMap(([key]) => {
    const is = Object.hasOwn(there, key) ? there[key] : BOX;
    return typeof is === 'string' && is !== BOX ? [{ key, is }] : [];
  });
}

/** Of two members alike the last one counts. */
function members(nodes: readonly JsonNode[], ...keys: readonly string[]): JsonNode[] {
  return nodes.flatMap((node) =>
    keys.flatMap((key) => node.members?.findLast((member) => member.key === key)?.value ?? []),
  );
}
