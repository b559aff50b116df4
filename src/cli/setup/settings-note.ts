import fs from 'node:fs';
import path from 'node:path';
import { createWhole, readBytes } from '../../vault/files.ts';
import { editFields } from '../../vault/frontmatter/edit.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import { SETTINGS_FILE } from '../../vault/layout.ts';
import { PACKAGE } from '../base/package-dir.ts';
import type { ProposedSettings } from './survey/proposed-settings.ts';
import { realPlace, replaceInVault } from './vault-place.ts';

/**
 * Makes `steward.md` with these settings, or adds to one that is there those that it does not have. Returns what was done;
 * null where nothing was to do.
 */
export function writeSettings(root: string, tmp: string, proposed: ProposedSettings): 'made' | 'added to' | null {
  const place = realPlace(root, SETTINGS_FILE);
  if (place === null) {
    const template = fs.readFileSync(path.join(PACKAGE, 'template', SETTINGS_FILE), 'utf8');
    return createWhole(root, tmp, SETTINGS_FILE, withSettings(template, proposed)) ? 'made' : null;
  }
  const missing = missingSettings(place, proposed);
  if (Object.keys(missing).length === 0) return null;
  const former = readBytes(place, MAX_NOTE_BYTES);
  const text = withSettings(former.bytes.toString('utf8'), missing);
  replaceInVault(tmp, { file: SETTINGS_FILE, place, former }, text);
  return 'added to';
}

/** Returns the settings that a note lacks. One that cannot be read lacks none: nothing is written into it. */
function missingSettings(place: string, proposed: ProposedSettings): ProposedSettings {
  const read = readNote(SETTINGS_FILE, readBytes(place, MAX_NOTE_BYTES).bytes);
  if (!read.ok) return {};
  return Object.fromEntries(Object.entries(proposed).filter(([key]) => (read.note.data[key] ?? null) === null));
}

function withSettings(text: string, settings: ProposedSettings): string {
  const edits = Object.entries(settings).map(([field, value]) => ({ op: 'set' as const, field, value }));
  return edits.length === 0 ? text : editFields(SETTINGS_FILE, text, edits).text;
}
