import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { FORMATS } from '../../vault/formats.ts';
import { keyPosition, type ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { FOLDER_KINDS, SETTINGS_FILE } from '../../vault/layout.ts';
import { nearest } from '../../vault/records/near-name.ts';
import { KEYS } from './settings-schema.ts';

const CODE = 'settings-unknown';
/** Every key of `steward.md` that is a setting. */
export const SETTING_KEYS = [...Object.keys(KEYS), ...FOLDER_KINDS.map((kind) => `folder_${kind}`)];
/** The version of the settings, and what people have in the frontmatter of any note, in Obsidian's own words for the most part. */
const KEYS_OF_ANY_NOTE = [
  FORMATS.settings.key,
  'type',
  'tags',
  'aliases',
  'cssclasses',
  'publish',
  'created',
  'modified',
];
/** A note that is full of other keys is no list of mistyped ones. */
const MOST_NAMED = 20;
const MOST_LETTERS = 60;

/** Returns a problem for each key of `steward.md` that is no setting. Such a key changes nothing. */
export function unknownSettings(note: ParsedNote): Diagnostic[] {
  return Object.keys(note.data)
    .filter((key) => !SETTING_KEYS.includes(key) && !KEYS_OF_ANY_NOTE.includes(key.toLowerCase()))
    .slice(0, MOST_NAMED)
    .map((key) => unknownSetting(note, key));
}

/** Whether a trouble with the settings is a key that is none, rather than a value that cannot be read. */
export function isUnknownSetting({ code }: Diagnostic): boolean {
  return code === CODE;
}

function unknownSetting(note: ParsedNote, key: string): Diagnostic {
  const near = nearest(key, SETTING_KEYS);
  const name = key.length > MOST_LETTERS ? `${key.slice(0, MOST_LETTERS)}…` : key;
  return diagnostic({
    code: CODE,
    file: SETTINGS_FILE,
    ...keyPosition(note, key),
    message: near === null ? `${name} is no setting.` : `${name} is no setting; did you mean ${near}?`,
    hint:
      near === null
        ? 'docs/settings.md lists the settings; this key changes nothing.'
        : 'As it is, the key changes nothing.',
  });
}
