import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseJson } from '../../evidence/formats/json.ts';
import { reasonOf, StewardError } from '../../vault/errors.ts';
import { createWhole, readBytes } from '../../vault/files.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter/parse.ts';
import { PACKAGE } from '../base/package-dir.ts';
import { withItem } from './json-insertion.ts';
import { copyNew, makeFolder, realPlace, replaceInVault } from './vault-place.ts';

const NAME = 'steward-event';
const TEMPLATE = path.join(PACKAGE, 'template', `${NAME}.css`);
/** The style sheet that hides in event notes what is for the program alone. */
export const SNIPPET_FILE = `.obsidian/snippets/${NAME}.css`;
const APPEARANCE_FILE = '.obsidian/appearance.json';
const KEY = 'enabledCssSnippets';

/** Whether the style sheet can be had and is not there yet. */
export function lacksSnippet(root: string): boolean {
  return (
    fs.existsSync(TEMPLATE) && fs.lstatSync(path.join(root, SNIPPET_FILE), { throwIfNoEntry: false }) === undefined
  );
}

/** Copies the style sheet and has Obsidian use it. Returns whether it was missing. */
export function addSnippet(root: string, tmp: string): boolean {
  makeFolder(root, '.obsidian');
  makeFolder(root, path.posix.dirname(SNIPPET_FILE));
  if (!copyNew(TEMPLATE, root, tmp, SNIPPET_FILE)) return false;
  enable(root, tmp);
  return true;
}

function enable(root: string, tmp: string): void {
  const place = realPlace(root, APPEARANCE_FILE);
  if (place === null) {
    createWhole(root, tmp, APPEARANCE_FILE, withSnippet('{}'));
    return;
  }
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = former.bytes.toString('utf8');
  const enabled = withSnippet(text);
  if (enabled !== text) replaceInVault(tmp, { file: APPEARANCE_FILE, place, former }, enabled);
}

const appearance = z.looseObject({ [KEY]: z.array(z.string()).optional() });

/** Returns the text of `appearance.json` with the style sheet among those that are used. */
export function withSnippet(text: string): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const json = text.slice(bom.length);
  try {
    const before = appearance.parse(JSON.parse(json));
    const names = before[KEY] ?? [];
    if (names.includes(NAME)) return text;
    const made = withItem(json, parseJson(json), KEY, NAME);
    const meant = { ...before, [KEY]: [...names, NAME] };
    if (made !== null && isDeepStrictEqual(JSON.parse(made), meant)) return bom + made;
  } catch (error) {
    throw unreadable(reasonOf(error).split('\n')[0] ?? '');
  }
  throw unreadable('it is written in an odd way');
}

function unreadable(reason: string): StewardError {
  return new StewardError({
    code: 'appearance-unreadable',
    file: APPEARANCE_FILE,
    message: `Obsidian’s appearance settings cannot be read (${reason}).`,
    hint: `The style sheet lies in ${SNIPPET_FILE}: turn it on in Obsidian, under Appearance.`,
  });
}
