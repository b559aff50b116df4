import fs from 'node:fs';
import type { z } from 'zod';
import { effectiveMode } from '../../steward/gates/gate.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { type Diagnostic, diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import { FORMATS, isNewer, newerFormat, upgraded, versionOf } from '../../vault/formats.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import { fieldPosition, type ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames, SETTINGS_FILE } from '../../vault/layout.ts';
import { issueWords } from '../../vault/records/issue-words.ts';
import type { Frontmatter } from '../../vault/records/values.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import { areApart, folderName, KEYS } from './settings-schema.ts';
import type { State } from './state.ts';
import { unknownSettings } from './unknown-settings.ts';

const RESTRAINING = ['protected_fields', 'editable_fields', 'confidence_threshold', 'high_confidence_threshold'];

interface SettingsRead {
  readonly settings: Settings;
  readonly troubles: readonly Diagnostic[];
  /** The disk refused an existing file: `settings` are the last good ones, and reading it again may succeed. */
  readonly unread: StewardError | null;
  /** There is no settings note, or none with frontmatter: the defaults hold, unless there was one before. */
  readonly isMissing: boolean;
}

/** Returns the settings of the vault at `root`; a value that cannot be read is taken from `last`. Never throws. */
export function readSettings(root: string, last: Settings): SettingsRead {
  const bytes = settingsBytes(root);
  if (bytes === null) return { settings: DEFAULT_SETTINGS, troubles: [], unread: null, isMissing: true };
  if (!Buffer.isBuffer(bytes)) return { settings: last, ...bytes, isMissing: false };
  const read = readNote(SETTINGS_FILE, bytes);
  if (!read.ok) return { settings: last, troubles: [keptLast(read.trouble)], unread: null, isMissing: false };
  const { data } = read.note;
  if (isNewer('settings', data)) {
    const newer = keptLast(newerFormat('settings', data, SETTINGS_FILE, 'the settings'));
    return { settings: last, troubles: [newer], unread: null, isMissing: false };
  }
  // Each migration gives values of YAML for values of YAML.
  const note = { ...read.note, data: upgraded('settings', data) as Frontmatter };
  return { ...settingsOf(note, last), isMissing: note.block === null };
}

/**
 * Returns the settings of a vault that had some before. Where they are gone, by a sync tool or by mistake, the last ones hold:
 * the defaults would take every restraint away that a person wrote there.
 */
export function settingsAgain(root: string, last: Settings): SettingsRead {
  const read = readSettings(root, last);
  return read.isMissing ? { ...read, settings: last, troubles: [GONE] } : read;
}

/** Remembers that the vault has settings of its own: when they are gone, the defaults do not take their place. */
export function rememberGiven(state: State): void {
  if (state.get('settings').given) return;
  state.get('settings').given = true;
  state.touch('settings');
}

const GONE = diagnostic({
  code: 'settings-gone',
  file: SETTINGS_FILE,
  message: 'The settings of this vault are gone: the note is missing, or has no frontmatter any more.',
  hint: 'Put them back, or write two lines of --- to begin anew. Until then the last ones hold; at a start the defaults hold, in shadow and without a model.',
});

function settingsBytes(root: string): Buffer | Pick<SettingsRead, 'troubles' | 'unread'> | null {
  try {
    return readInside(root, SETTINGS_FILE, MAX_NOTE_BYTES).bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' && fs.existsSync(root)) return null;
    const known = error instanceof StewardError ? error : fileError(error, SETTINGS_FILE);
    const told = { ...known.trouble, file: SETTINGS_FILE };
    return { troubles: [keptLast(told)], unread: known === error ? null : new StewardError(told, EXIT.tryAgain) };
  }
}

function keptLast(cause: Diagnostic): Diagnostic {
  return {
    ...cause,
    hint: `${cause.hint} Until then the last good settings hold; at a start the defaults hold, in shadow and without a model.`,
  };
}

function settingsOf(note: ParsedNote, last: Settings): Omit<SettingsRead, 'isMissing'> {
  const { key } = FORMATS.settings;
  const isVersion = versionOf('settings', note.data) !== null;
  const troubles = isVersion ? [] : [keyTrouble(note, key, 'must be a whole number, 1 or more')];
  const failed = new Set<string>();
  const take = <Key extends keyof typeof KEYS>(key: Key): Settings[Key] => {
    const written = note.data[key];
    if (written === undefined || (written === null && key !== 'mode')) return DEFAULT_SETTINGS[key];
    const schema: z.ZodType<unknown> = KEYS[key];
    const result = schema.safeParse(written);
    // `KEYS` satisfies the type of each key of Settings, so the parsed value has the key's own type.
    if (result.success) return result.data as Settings[Key];
    troubles.push(keyTrouble(note, key, issueWords(result.error.issues[0])));
    failed.add(key);
    return last[key];
  };
  const settings: Settings = {
    mode: take('mode'),
    default_schedule: take('default_schedule'),
    settle_seconds: take('settle_seconds'),
    evaluator: take('evaluator'),
    evaluator_fallback: take('evaluator_fallback'),
    model_evaluation: take('model_evaluation'),
    model_price_in: take('model_price_in'),
    model_price_out: take('model_price_out'),
    model_extraction: take('model_extraction'),
    model_extraction_price_in: take('model_extraction_price_in'),
    model_extraction_price_out: take('model_extraction_price_out'),
    model_batch: take('model_batch'),
    confidence_threshold: take('confidence_threshold'),
    high_confidence_threshold: take('high_confidence_threshold'),
    budget_tokens_per_day: take('budget_tokens_per_day'),
    budget_usd_per_day: take('budget_usd_per_day'),
    budget_tokens_per_matter_per_day: take('budget_tokens_per_matter_per_day'),
    budget_usd_per_matter_per_day: take('budget_usd_per_matter_per_day'),
    budget_per_agent: take('budget_per_agent'),
    timeout_seconds: take('timeout_seconds'),
    max_response_tokens: take('max_response_tokens'),
    haiku_model: take('haiku_model'),
    sonnet_model: take('sonnet_model'),
    editable_fields: take('editable_fields'),
    protected_fields: take('protected_fields'),
    field_mapping: take('field_mapping'),
    status_values: take('status_values'),
    trusted_mail_servers: take('trusted_mail_servers'),
    trusted_bank_accounts: take('trusted_bank_accounts'),
    trusted_signal_sources: take('trusted_signal_sources'),
    bank_formats: take('bank_formats'),
    quiet_hours: take('quiet_hours'),
    notify: take('notify'),
    notify_digest_at: take('notify_digest_at'),
    notify_quiet_hours: take('notify_quiet_hours'),
    notify_at_most: take('notify_at_most'),
    keep_stream_days: take('keep_stream_days'),
    keep_event_days: take('keep_event_days'),
    folders: foldersOf(note, last.folders, troubles),
  };
  // While a setting that restrains the program cannot be read, the mode is not raised.
  const unsure = RESTRAINING.some((key) => failed.has(key));
  const mode = unsure ? effectiveMode('live', settings.mode, last.mode) : settings.mode;
  return { settings: { ...settings, mode }, troubles: [...troubles, ...unknownSettings(note)], unread: null };
}

// One flat key for each folder (`folder_task: todo`): Obsidian's property editor shows no nested values.
function foldersOf(note: ParsedNote, last: FolderNames, troubles: Diagnostic[]): FolderNames {
  const names = Object.fromEntries(
    FOLDER_KINDS.map((kind) => {
      const written = note.data[`folder_${kind}`];
      if (written === undefined || written === null) return [kind, DEFAULT_FOLDERS[kind]];
      const result = folderName.safeParse(written);
      if (result.success) return [kind, result.data];
      troubles.push(keyTrouble(note, `folder_${kind}`, 'must be the name of a folder inside the vault'));
      return [kind, last[kind]];
    }),
  );
  const folders = { ...DEFAULT_FOLDERS, ...names };
  if (areApart(Object.values(folders))) return folders;
  const key = FOLDER_KINDS.map((kind) => `folder_${kind}`).find((name) => typeof note.data[name] === 'string');
  troubles.push(
    keyTrouble(
      note,
      key ?? 'folder_matter',
      'and the other folders must each have a place of their own, none inside another',
    ),
  );
  return last;
}

function keyTrouble(note: ParsedNote, key: string, message: string): Diagnostic {
  return diagnostic({
    code: 'settings-invalid',
    file: SETTINGS_FILE,
    ...fieldPosition(note, key),
    message: `${key} ${message}.`,
    hint: `Until it is mended the last good value holds; at a start ${atStart(key)}.`,
  });
}

function atStart(key: string): string {
  if (key.startsWith('budget_')) return 'nothing is spent';
  if (key.startsWith('keep_')) return 'everything is kept';
  return key === 'mode' ? 'that is shadow' : 'the default';
}
