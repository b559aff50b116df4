import fs from 'node:fs';
import { z } from 'zod';
import { effectiveMode, type Mode } from '../../steward/gates/gate.ts';
import { parseSchedule } from '../../steward/schedule/cadence.ts';
import { type Diagnostic, diagnostic, EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { fileError, insideVault, readBytes, staysInside } from '../../vault/files.ts';
import { MAX_NOTE_BYTES, readNote } from '../../vault/frontmatter/parse.ts';
import { fieldPosition, type ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { DEFAULT_MAPPING, type FieldMapping } from '../../vault/index/record.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames, SETTINGS_FILE } from '../../vault/layout.ts';
import { textList, unit } from '../../vault/records/values.ts';

/** What a person sets in the frontmatter of `steward.md`. Every key has a default; no secret is ever read here. */
export interface Settings {
  /** May lower what the environment allows; null lowers nothing. */
  readonly mode: Mode | null;
  readonly default_schedule: string;
  /** How long a note must have been quiet before it is edited, in seconds. */
  readonly settle_seconds: number;
  readonly evaluator: 'auto' | 'rules' | 'anthropic';
  /** What happens while the model that should judge cannot be asked: the signals wait, or the rules judge. */
  readonly evaluator_fallback: 'wait' | 'rules';
  /** The id of the model that judges. */
  readonly model_evaluation: string;
  /** What a million tokens cost, read and written, in US dollars; null where nobody has said. */
  readonly model_price_in: number | null;
  readonly model_price_out: number | null;
  /** The id of the model that reads stream events, and its own price. */
  readonly model_extraction: string;
  readonly model_extraction_price_in: number | null;
  readonly model_extraction_price_out: number | null;
  /** Whether a backlog of stream files is put to the provider as one batch: at half the price, answered within a day. */
  readonly model_batch: boolean;
  readonly confidence_threshold: number | null;
  readonly high_confidence_threshold: number | null;
  /** What may be spent on models in any 24 hours, by the vault and by each matter; null for no limit. */
  readonly budget_tokens_per_day: number | null;
  readonly budget_usd_per_day: number | null;
  readonly budget_tokens_per_matter_per_day: number | null;
  readonly budget_usd_per_matter_per_day: number | null;
  /** How many requests for evidence each agent has in a roundtable. */
  readonly budget_per_agent: number;
  /** How long an agent may look for evidence, and how much may be handed out. */
  readonly timeout_seconds: number;
  readonly max_response_tokens: number;
  /** The models that look for evidence: the first, and the one asked where it brought back nothing that can be used. */
  readonly haiku_model: string;
  readonly sonnet_model: string;
  readonly editable_fields: readonly string[];
  readonly protected_fields: readonly string[];
  readonly field_mapping: FieldMapping;
  /** Local hours in which nothing is decided, as minutes since midnight; null for none. */
  readonly quiet_hours: { readonly from: number; readonly to: number } | null;
  readonly folders: FolderNames;
}

export const DEFAULT_SETTINGS: Settings = {
  mode: null,
  default_schedule: 'every 30m',
  settle_seconds: 10,
  evaluator: 'auto',
  evaluator_fallback: 'wait',
  model_evaluation: 'claude-sonnet-5-5',
  model_price_in: null,
  model_price_out: null,
  model_extraction: 'claude-haiku-4-5-20251001',
  model_extraction_price_in: null,
  model_extraction_price_out: null,
  model_batch: false,
  confidence_threshold: null,
  high_confidence_threshold: null,
  budget_tokens_per_day: null,
  budget_usd_per_day: null,
  budget_tokens_per_matter_per_day: null,
  budget_usd_per_matter_per_day: null,
  budget_per_agent: 3,
  timeout_seconds: 120,
  max_response_tokens: 2000,
  haiku_model: 'claude-haiku-4-5-20251001',
  sonnet_model: 'claude-sonnet-5-5',
  editable_fields: [],
  protected_fields: [],
  field_mapping: DEFAULT_MAPPING,
  quiet_hours: null,
  folders: DEFAULT_FOLDERS,
};

/**
 * What holds where the settings cannot be read and none were good before: nobody knows that the vault allows more than
 * shadow, that it allows anything to be spent, or that anything of it may be sent to a model.
 */
export const UNKNOWN_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  mode: 'shadow',
  evaluator: 'rules',
  budget_tokens_per_day: 0,
  budget_usd_per_day: 0,
  budget_tokens_per_matter_per_day: 0,
  budget_usd_per_matter_per_day: 0,
};

const MODES = ['shadow', 'live', 'live_high_confidence_only'] as const;

const schedule = z.string().refine((text) => parseSchedule(text).ok, {
  error: 'must be a cron expression or an interval such as "every 30m"',
});

const mapping = textList.transform((lines, context) => {
  const pairs = lines.map((line) => /^\s*([^=:\s]+)\s*[=:]\s*([^=:\s]+)\s*$/.exec(line));
  if (pairs.some((pair) => pair === null)) {
    context.addIssue({ code: 'custom', message: 'must be a list of lines such as "status = state"' });
  }
  if (pairs.some((pair) => pair?.[2] === 'state' && pair[1] !== 'status')) {
    context.addIssue({ code: 'custom', message: 'can give the state one other name, which is status' });
  }
  return Object.fromEntries(pairs.flatMap((pair) => (pair?.[1] && pair[2] ? [[pair[1], pair[2]]] : [])));
});

const hours = z
  .string()
  .regex(/^([01]?\d|2[0-3]):[0-5]\d\s*-\s*([01]?\d|2[0-3]):[0-5]\d$/, {
    error: 'must be two times of day, such as "22:00-07:00"',
  })
  .transform((text) => {
    const [from = 0, to = 0] = text.split('-').map((part) => {
      const [hour = 0, minute = 0] = part.trim().split(':').map(Number);
      return hour * 60 + minute;
    });
    return { from, to };
  });

const folderName = z
  .string()
  .refine((name) => staysInside(name) && name !== '' && !name.startsWith('.') && !name.includes('/.'), {
    error: 'must be the name of a folder inside the vault',
  })
  .transform((name) => name.replace(/(?<!\/)\/+$/, ''));

function amount(unitName: string) {
  const error = `must be a number of ${unitName}, 0 or more`;
  return z.number({ error }).min(0, { error }).nullable();
}

function whole(unitName: string, min: number, max: number) {
  const error = `must be a whole number of ${unitName}, ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

const modelId = z.string().regex(/^[\w.:@/-]{1,100}$/, { error: 'must be the id of a model' });

/** How each key is read. A key that does not parse keeps its last good value, and says so. */
export const KEYS = {
  mode: z.enum(MODES, { error: `must be ${MODES.join(', ')}` }).nullable(),
  default_schedule: schedule,
  settle_seconds: z.number({ error: 'must be a number of seconds, 0 to 3600' }).min(0).max(3600),
  evaluator: z.enum(['auto', 'rules', 'anthropic'], { error: 'must be auto, rules or anthropic' }),
  evaluator_fallback: z.enum(['wait', 'rules'], { error: 'must be wait or rules' }),
  model_evaluation: modelId,
  model_price_in: amount('US dollars'),
  model_price_out: amount('US dollars'),
  model_extraction: modelId,
  model_extraction_price_in: amount('US dollars'),
  model_extraction_price_out: amount('US dollars'),
  model_batch: z.boolean({ error: 'must be true or false' }),
  confidence_threshold: unit.nullable(),
  high_confidence_threshold: unit.nullable(),
  budget_tokens_per_day: amount('tokens'),
  budget_usd_per_day: amount('US dollars'),
  budget_tokens_per_matter_per_day: amount('tokens'),
  budget_usd_per_matter_per_day: amount('US dollars'),
  budget_per_agent: whole('requests', 0, 100),
  timeout_seconds: whole('seconds', 1, 3600),
  max_response_tokens: whole('tokens', 200, 20_000),
  haiku_model: modelId,
  sonnet_model: modelId,
  editable_fields: textList,
  protected_fields: textList,
  field_mapping: mapping,
  quiet_hours: hours.nullable(),
} satisfies { [Key in Exclude<keyof Settings, 'folders'>]: z.ZodType<Settings[Key]> };

const HOLDING_BACK = ['protected_fields', 'editable_fields', 'confidence_threshold', 'high_confidence_threshold'];

interface SettingsRead {
  readonly settings: Settings;
  readonly troubles: readonly Diagnostic[];
  /** The disk refused a file that is there: `settings` are the last good ones, and reading it again may succeed. */
  readonly unread: StewardError | null;
}

/** The settings of the vault at `root`; what cannot be read keeps its value from `last`. Never throws. */
export function readSettings(root: string, last: Settings): SettingsRead {
  const bytes = settingsBytes(root);
  if (bytes === null) return { settings: DEFAULT_SETTINGS, troubles: [], unread: null };
  if (!Buffer.isBuffer(bytes)) return { settings: last, ...bytes };
  const read = readNote(SETTINGS_FILE, bytes);
  if (!read.ok) return { settings: last, troubles: [keptLast(read.trouble)], unread: null };
  return settingsOf(read.note, last);
}

function settingsBytes(root: string): Buffer | Omit<SettingsRead, 'settings'> | null {
  try {
    return readBytes(insideVault(root, SETTINGS_FILE), MAX_NOTE_BYTES).bytes;
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
    hint: `${cause.hint} Until then the last good settings hold; at a start the defaults, in shadow, and nothing is spent on a model.`,
  };
}

function settingsOf(note: ParsedNote, last: Settings): SettingsRead {
  const troubles: Diagnostic[] = [];
  const failed = new Set<string>();
  const take = <Key extends keyof typeof KEYS>(key: Key): Settings[Key] => {
    const written = note.data[key];
    if (written === undefined || (written === null && key !== 'mode')) return DEFAULT_SETTINGS[key];
    const schema: z.ZodType<unknown> = KEYS[key];
    const result = schema.safeParse(written);
    // KEYS is checked against Settings key by key above, so the parsed value is the key's own type.
    if (result.success) return result.data as Settings[Key];
    troubles.push(keyTrouble(note, key, result.error.issues[0]?.message ?? 'is not valid'));
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
    quiet_hours: take('quiet_hours'),
    folders: foldersOf(note, last.folders, troubles),
  };
  // While one of these cannot be read, nobody knows how far it should hold the program back: the mode is not raised.
  const unsure = HOLDING_BACK.some((key) => failed.has(key));
  const mode = unsure ? effectiveMode('live', settings.mode, last.mode) : settings.mode;
  return { settings: { ...settings, mode }, troubles, unread: null };
}

// One flat key a folder (`folder_task: todo`), since Obsidian's property editor shows no nested values.
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
  if (new Set(Object.values(folders)).size === FOLDER_KINDS.length) return folders;
  const key = FOLDER_KINDS.map((kind) => `folder_${kind}`).find((name) => typeof note.data[name] === 'string');
  troubles.push(keyTrouble(note, key ?? 'folder_matter', 'and the other folders must each have a name of their own'));
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
  return key === 'mode' ? 'that is shadow' : 'the default';
}

/** Whether the local time at `now` (ms) lies in the quiet hours, which may span midnight. */
export function isQuiet(settings: Settings, now: number): boolean {
  const quiet = settings.quiet_hours;
  if (quiet === null) return false;
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  return quiet.from <= quiet.to ? minute >= quiet.from && minute < quiet.to : minute >= quiet.from || minute < quiet.to;
}
