import fs from 'node:fs';
import { z } from 'zod';
import type { Provider } from '../model/provider.ts';
import { isProtected } from '../steward/changes-held-value.ts';
import { effectiveMode, type Mode } from '../steward/gates-rounding.ts';
import type { Hours } from '../steward/notify/hours.ts';
import { MOST_A_DAY, type NotifySettings, WANTS } from '../steward/notify/policy.ts';
import type { Evaluator } from '../steward/ports/evaluator.ts';
import type { Extractor, StreamEvent } from '../steward/ports.ts';
import type { OpenProposals } from '../steward/proposals.ts';
import { parseSchedule, scheduleName } from '../steward/schedule.ts';
import { bankFormatOf } from '../stream/bank-csv/format.ts';
import type { Identity, KnownVersion } from '../stream/items.ts';
import type { LanguageMemory } from '../stream/language.ts';
import type { MailDoor, ParsedMail } from '../stream/parse-mail.ts';
import type { TargetIndex } from '../stream/targets-target-index.ts';
import type { TaskBook } from '../stream/task-book.ts';
import type { TrainedReader } from '../stream/trained/trained-reader.ts';
import { type Diagnostic, diagnostic, EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { fileError } from '../vault/files.ts';
import { FORMATS, isNewer, newerFormat, upgraded, versionOf } from '../vault/formats.ts';
import { MAX_NOTE_BYTES, readNote } from '../vault/frontmatter-parse.ts';
import { DEFAULT_MAPPING, type FieldMapping } from '../vault/index/record.ts';
import type { Move } from '../vault/index/renames.ts';
import { DEFAULT_FOLDERS, FOLDER_KINDS, type FolderNames, SETTINGS_FILE } from '../vault/layout.ts';
import { fold, isHidden } from '../vault/note-names.ts';
import { plainPath } from '../vault/note-path.ts';
import { liveMark } from '../vault/notes.ts';
import { fieldPosition, keyPosition, type ParsedNote } from '../vault/parsed-note.ts';
import type { Memo } from '../vault/record-cache.ts';
import { issueWords } from '../vault/records/issue-words.ts';
import { type Frontmatter, STATES, textList, unit } from '../vault/records/values.ts';
import { nearest } from '../vault/records-task.ts';
import type { Seal } from '../vault/seal.ts';
import { readInside } from '../vault/slices.ts';
import { NO_WORDS, type StatusWord, type StatusWords, wordKey } from '../vault/status-words.ts';
import type { Transactions } from '../vault/transaction/transaction.ts';
import type { NoteReader } from '../vault/transaction.ts';
import type { Change, Vault } from '../vault/watch.ts';
import type { StreamRead } from './context/remembered/stream-read.ts';
import type { State } from './context/state.ts';
import type { DaemonEvent, Environment } from './environment.ts';
import type { Name } from './remembered.ts';
import type { Trail } from './seal-key.ts';

/** What a person sets in the frontmatter of `steward.md`. Every key has a default; no secret is ever read here. */
export interface Settings extends NotifySettings {
  /** May lower what the environment allows; null lowers nothing. */
  readonly mode: Mode | null;
  readonly default_schedule: string;
  /** How long a note must have been quiet before it is edited, in seconds. */
  readonly settle_seconds: number;
  readonly evaluator: 'auto' | 'rules' | 'anthropic';
  /** What happens while the model that judges cannot be asked: the signals wait, or the rules judge. */
  readonly evaluator_fallback: 'wait' | 'rules';
  /** The id of the model that judges. */
  readonly model_evaluation: string;
  /** The price of a million tokens, read and written, in US dollars; null where none is set. */
  readonly model_price_in: number | null;
  readonly model_price_out: number | null;
  /** The id of the model that reads stream events, and its own price. */
  readonly model_extraction: string;
  readonly model_extraction_price_in: number | null;
  readonly model_extraction_price_out: number | null;
  /** Whether a backlog of stream files is put to the provider as one batch: half the price, an answer within a day. */
  readonly model_batch: boolean;
  readonly confidence_threshold: number | null;
  readonly high_confidence_threshold: number | null;
  /** What may be spent on models in any 24 hours, by the vault and by each matter; null for no limit, written `unlimited`. */
  readonly budget_tokens_per_day: number | null;
  readonly budget_usd_per_day: number | null;
  readonly budget_tokens_per_matter_per_day: number | null;
  readonly budget_usd_per_matter_per_day: number | null;
  /** How many requests for evidence each agent has in a roundtable. */
  readonly budget_per_agent: number;
  /** How long an agent may look for evidence, and how long its answer may be. */
  readonly timeout_seconds: number;
  readonly max_response_tokens: number;
  /** The models that look for evidence: the first, and the one asked where the first found nothing usable. */
  readonly haiku_model: string;
  readonly sonnet_model: string;
  readonly editable_fields: readonly string[];
  readonly protected_fields: readonly string[];
  readonly field_mapping: FieldMapping;
  /** What the vault's own words for states mean; of several for one state, the first is written. */
  readonly status_values: StatusWords;
  /** The mail servers that are believed about who sent a mail, by the name in their `Authentication-Results`. */
  readonly trusted_mail_servers: readonly string[];
  /** The accounts whose statements are believed about whom the money went to or came from, by IBAN or as the bank names them. */
  readonly trusted_bank_accounts: readonly string[];
  /** The source types whose hand-dropped signals are believed: without them such a signal counts as `other`. */
  readonly trusted_signal_sources: readonly string[];
  /** How the files of banks are read that do not say it themselves; each a line of `bank_formats` as it is written. */
  readonly bank_formats: readonly string[];
  /** Local hours in which nothing is decided, as minutes since midnight; null for none. */
  readonly quiet_hours: Hours | null;
  /** After how many days what is settled leaves the vault: stream files that were read, records that changed nothing. */
  readonly keep_stream_days: number | null;
  readonly keep_event_days: number | null;
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
  budget_usd_per_day: 1,
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
  status_values: NO_WORDS,
  trusted_mail_servers: [],
  trusted_bank_accounts: [],
  trusted_signal_sources: [],
  bank_formats: [],
  quiet_hours: null,
  notify: null,
  notify_digest_at: 450, // 07:30
  notify_quiet_hours: null,
  notify_at_most: 5,
  keep_stream_days: null,
  keep_event_days: null,
  folders: DEFAULT_FOLDERS,
};

/**
 * What holds where the settings cannot be read and none were read before: shadow, nothing spent, nothing sent to a model and
 * no message, since the vault may allow no more than that.
 */
export const UNKNOWN_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  mode: 'shadow',
  evaluator: 'rules',
  notify: 'off',
  budget_tokens_per_day: 0,
  budget_usd_per_day: 0,
  budget_tokens_per_matter_per_day: 0,
  budget_usd_per_matter_per_day: 0,
};

/** Whether the local time at `now` (ms) lies in the quiet hours, which may span midnight. */
export function isQuiet(settings: Settings, now: number): boolean {
  const quiet = settings.quiet_hours;
  if (quiet === null) return false;
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  return quiet.from <= quiet.to ? minute >= quiet.from && minute < quiet.to : minute >= quiet.from || minute < quiet.to;
}

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
  // Under another name a protected field would be written, or a note that says hands off would no longer say so.
  if (pairs.some((pair) => [pair?.[1], pair?.[2]].some((name) => name !== undefined && isProtected(name, [])))) {
    context.addIssue({ code: 'custom', message: 'can give a protected field no other name, nor its name to another' });
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

const HOURS_ERROR = 'must be two times of day, such as "22:00-07:00", or none';

const quietOrNone = z.union([z.literal('none'), hours], { error: HOURS_ERROR });

/** A time of day as minutes since midnight; `never` for none. */
const timeOfDay = z
  .string({ error: 'must be a time of day, such as "07:30", or never' })
  .regex(/^(?:([01]?\d|2[0-3]):[0-5]\d|never)$/, { error: 'must be a time of day, such as "07:30", or never' })
  .transform((text) => {
    const [hour = 0, minute = 0] = text.split(':').map(Number);
    return text === 'never' ? null : hour * 60 + minute;
  });

/** `off` is how some programs that write YAML spell `false`. */
const want = z.union([z.literal(false).transform(() => 'off' as const), z.enum(WANTS)], {
  error: `must be ${WANTS.join(', ')}`,
});

/** What nobody means in a folder's name: a control character, a line end, a backslash, the start of an address. */
const ODD_NAME = /[\\\p{Cc}\p{Zl}\p{Zp}]|^[a-z][a-z\d+.-]{0,30}:/iu;

/** The name of a folder of the vault, without a slash at its end. */
export const folderName = z
  .string()
  .transform((name) => name.replace(/(?<!\/)\/+$/, ''))
  .refine((name) => plainPath(name) !== null && !ODD_NAME.test(name) && !name.split('/').some(isHidden), {
    error: 'must be the name of a folder inside the vault',
  });

/** Whether no folder lies in another: a note there would be two kinds of record. Letter case makes no two folders. */
export function areApart(names: readonly string[]): boolean {
  const folded = names.map((name) => `${fold(name)}/`);
  return folded.every((one, at) => folded.every((other, place) => at === place || !one.startsWith(other)));
}

function amount(unitName: string) {
  const error = `must be a number of ${unitName}, 0 or more`;
  return z.number({ error }).min(0, { error }).nullable();
}

/** A limit. That there is none must be said in so many words: a line without a value leaves the default. */
function limit(unitName: string) {
  const error = `must be a number of ${unitName}, 0 or more, or unlimited`;
  return z
    .union([z.number({ error }).min(0, { error }), z.literal('unlimited')], { error })
    .transform((written) => (written === 'unlimited' ? null : written));
}

function whole(unitName: string, min: number, max: number) {
  const error = `must be a whole number of ${unitName}, ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** What is younger may still be undone, or be looked for; what is to be kept for a century is kept for ever. */
const LEAST_DAYS = 30;
const MOST_DAYS = 36_500;

const bankFormats = textList.refine((lines) => lines.every((line) => bankFormatOf(line) !== null), {
  error: 'must be a list of lines such as "Date | Payee | Amount => order = dmy, sign = as written"',
});

/** A word of a vault is as long as people write one. */
const MOST_CHARACTERS = 60;
const WORD_LINE = new RegExp(`^\\s*(\\S.*?)\\s*[=:]\\s*(${STATES.join('|')})\\s*$`, 'iu');

/** `erledigt: done` is what YAML makes a map of, where a person means a line. */
const wordLines = z.preprocess((written) => {
  const parts = Array.isArray(written) ? written : [written];
  return parts.flatMap((part: unknown) => (isMap(part) ? linesOf(part) : [part]));
}, textList);

/** What the vault's own words for states mean: lines such as `erledigt = done`. */
const statusValues = wordLines.transform((written, context): StatusWords => {
  const words = written.map(wordOf);
  const known = words.filter((word) => word !== null);
  const fail = (message: string) => context.addIssue({ code: 'custom', message });
  if (known.length < words.length) {
    fail(`must be a list of lines such as "erledigt = done", with one of ${STATES.join(', ')} behind the word`);
  }
  const meanings = Map.groupBy(known, ({ word }) => wordKey(word));
  const unclear = [...meanings.values()].find((group) => new Set(group.map(({ state }) => state)).size > 1)?.[0];
  if (unclear !== undefined) fail(`gives "${unclear.word}" two meanings`);
  return known;
});

function wordOf(line: string): StatusWord | null {
  const [, word = '', name = ''] = WORD_LINE.exec(line) ?? [];
  const state = STATES.find((one) => one === name.toLowerCase());
  return state === undefined || !isWord(word) ? null : { word, state };
}

// It is written into notes: nothing that is live there, and no line ends.
function isWord(word: string): boolean {
  return word !== '' && word.length <= MOST_CHARACTERS && !/\p{Cc}/u.test(word) && liveMark(word) === null;
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function linesOf(map: object): string[] {
  return Object.entries(map).map(([word, state]) => `${word} = ${typeof state === 'string' ? state : ''}`);
}

const modelId = z.string().regex(/^[\w.:@/-]{1,100}$/, { error: 'must be the id of a model' });

/** How each key of `steward.md` is parsed, folders apart. */
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
  budget_tokens_per_day: limit('tokens'),
  budget_usd_per_day: limit('US dollars'),
  budget_tokens_per_matter_per_day: limit('tokens'),
  budget_usd_per_matter_per_day: limit('US dollars'),
  budget_per_agent: whole('requests', 0, 100),
  timeout_seconds: whole('seconds', 1, 3600),
  max_response_tokens: whole('tokens', 200, 20_000),
  haiku_model: modelId,
  sonnet_model: modelId,
  editable_fields: textList,
  protected_fields: textList,
  field_mapping: mapping,
  status_values: statusValues,
  trusted_mail_servers: textList,
  trusted_bank_accounts: textList,
  trusted_signal_sources: textList,
  bank_formats: bankFormats,
  quiet_hours: hours.nullable(),
  notify: want.nullable(),
  notify_digest_at: timeOfDay,
  notify_quiet_hours: quietOrNone.nullable(),
  notify_at_most: whole('messages', 0, MOST_A_DAY),
  keep_stream_days: whole('days', LEAST_DAYS, MOST_DAYS).nullable(),
  keep_event_days: whole('days', LEAST_DAYS, MOST_DAYS).nullable(),
} satisfies { [Key in Exclude<keyof Settings, 'folders'>]: z.ZodType<Settings[Key]> };

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
function unknownSettings(note: ParsedNote): Diagnostic[] {
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

/** Carries what is remembered about a note over to its new path, and keeps links to the old path working. */
export function carryOver(vault: Vault, state: State, [from, to]: Move): void {
  for (const former of vault.catalogue.moves.remember(from.path, to.path)) rememberMove(vault, state, former);
  carryCursor(state, from.path, to.path);
  carryPerceived(state, from.path, to.path);
  carrySpent(state, from.path, to.path);
  if (from.kind !== 'matter' || to.kind !== 'matter') return;
  const schedules = state.get('schedules');
  const known = schedules[scheduleName(from)];
  if (known === undefined) return;
  schedules[scheduleName(to)] = { ...known, path: to.path };
  state.touch('schedules', scheduleName(to));
}

function rememberMove({ catalogue: { moves } }: Vault, state: State, former: string): void {
  const [known, now] = [state.get('moves'), moves.whereTo(former)];
  if (now === null) delete known[former];
  else known[former] = now;
  state.touch('moves', former);
}

/** Restores the moves of earlier runs, and carries over those made while no daemon ran. */
export function takeUpMoves(vault: Vault, state: State): void {
  for (const [from, to] of Object.entries(state.get('moves'))) vault.catalogue.moves.remember(from, to);
  for (const move of vault.movedMeanwhile) carryOver(vault, state, move);
}

function carryCursor(state: State, from: string, to: string): void {
  const cursors = state.get('cursors');
  const known = cursors[from];
  if (known === undefined) return;
  cursors[to] = known;
  state.touch('cursors', to);
}

// Else it would be found once more under its new path.
function carryPerceived(state: State, from: string, to: string): void {
  for (const name of ['perceived', 'touched'] as const) {
    rename(state.get(name), from, to);
    for (const path of [from, to]) state.touch(name, path);
  }
}

function rename(remembered: Record<string, unknown>, from: string, to: string): void {
  const known = remembered[from];
  if (known === undefined) return;
  remembered[to] = known;
  delete remembered[from];
}

// What was spent on a note counts under its new path.
function carrySpent(state: State, from: string, to: string): void {
  const there = (path: string | null) => (path === from ? to : path);
  const guard = state.get('rate-guard');
  if (guard.entries.some(({ task, matter }) => task === from || matter === from)) {
    const entries = guard.entries.map((one) => ({ ...one, task: there(one.task), matter: there(one.matter) }));
    state.set('rate-guard', { ...guard, entries });
  }
  const budget = state.get('budget');
  if (budget.entries.some(({ matter }) => matter === from)) {
    state.set('budget', { ...budget, entries: budget.entries.map((one) => ({ ...one, matter: there(one.matter) })) });
  }
  const { rows } = state.get('ledger');
  if (!rows.some(({ matter }) => matter === from)) return;
  state.set('ledger', { rows: rows.map((one) => ({ ...one, matter: there(one.matter) })) });
}

/**
 * What all work depends on: what a person and the environment allow, what is remembered, and the time. It is one port on
 * purpose: apart, these would be five more parameters of every function that orchestrates.
 */
export interface Context {
  readonly env: Environment;
  /** The settings that hold now; replaced as a whole when `steward.md` changes. */
  settings: Settings;
  readonly state: State;
  /** The program's mark on notes that it wrote itself. */
  readonly seal: Seal;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: DaemonEvent) => void;
  /** Resolves when work that is queued may begin: where several daemons share a process, each has its turn. */
  readonly turn?: () => Promise<void>;
}

/** The models, and who asks them. */
export interface Models {
  /** The server of the models, shared by all who ask; null where there is no key. */
  readonly provider: Provider | null;
  /** Who judges under the settings that hold now. */
  evaluator: Evaluator;
  /** Who reads stream events under them. */
  extractor: Extractor;
}

/** A stream file that waits for a model that can be asked about it. */
interface WaitingStream {
  readonly reason: string;
  readonly tries: number;
  /** When it is tried again (epoch ms). */
  readonly at: number;
  /** Whether it is also tried again when the model answers about another. */
  readonly untilAnswer: boolean;
  /** The window of the rate guard or the budget that has no room for it until then; null where it waits for something else. */
  readonly window: string | null;
}

/** The notes that a stream event could be about, updated as the vault changes. */
export interface Targets {
  readonly index: TargetIndex;
  /** What the program has learnt of mails; read when it is first asked for. */
  readonly learnt: TrainedReader;
  /** What is remembered of tasks from mail to mail. */
  readonly book?: TaskBook;
  /** In what languages sentences and short texts were found to be. */
  readonly languages?: LanguageMemory;
  /** Updates the index for changes of the vault. */
  follow(changes: readonly Change[]): void;
}

/** Which stream files were read and gave signals, by the SHA-256 of their bytes. */
export interface SeenFiles {
  /** Returns the file that was read with this hash, or null. */
  of(sha256: string): string | null;
  /** Whether bytes with this hash were read, and have left the vault since. */
  isRetired(sha256: string): boolean;
  /** Remembers that a file with this hash gave signals. */
  add(sha256: string, file: string): void;
}

/** What reads one kind of stream file. */
export interface StreamReader {
  readonly name: string;
  /** Grows with what it understands: what an earlier version did not understand is read again, what it did is not. */
  readonly version: number;
  /** Whether it reads files of this name. */
  readonly takes: (file: string) => boolean;
  /** Returns the event in a file's bytes, or what is wrong with them. Never throws. */
  readonly read: (file: string, bytes: Buffer, door: MailDoor) => Promise<ParsedMail>;
}

/** Which events were read, by their identity. */
interface EventMemory {
  /** Returns the versions of an event that were read, oldest first. Throws what the disk refuses. */
  of(identity: Identity): readonly KnownVersion[];
  /** Remembers that an event was read; the next flush writes it. */
  add(identity: Identity, known: KnownVersion): void;
  /** Writes what was added since the last flush. Throws what the disk refuses. */
  flush(): void;
  /** Forgets what cannot come again. */
  prune(): void;
}

/** An event as it was read, and what makes it one and the same. */
interface HeldEvent {
  readonly event: StreamEvent;
  readonly identity: Identity;
}

/** What is known about stream files and what they could be about. */
export interface Ingest {
  readers: readonly StreamReader[];
  readonly known: EventMemory;
  /** Events of the file that was last opened for one that waits, by path: those that wait as well, a page at most. */
  readonly page: Map<string, HeldEvent>;
  /** Why files gave no signal. */
  readonly trail: Trail;
  /** The kinds of file that were said not to be read: each is said once. */
  readonly unreadKinds: Set<string>;
  /** What a stream event could be about; null until somebody asks (`targetsOf`), for what it needs is loaded then. */
  targets: Targets | null;
  readonly seen: SeenFiles;
  /** Stream files that no model can be asked about just now, by path. */
  readonly waiting: Map<string, WaitingStream>;
}

/**
 * A diagnostic that holds from one moment to another (epoch ms): what a note says about time may come true by waiting.
 */
export interface DatedDiagnostic {
  readonly trouble: Diagnostic;
  readonly from: number;
  readonly until: number;
}

/** What is wrong, as `status` lists it. */
export interface Problems {
  settings: readonly Diagnostic[];
  /** What of the journal cannot be carried out. */
  recovery: readonly Diagnostic[];
  /** What is wrong with the records themselves, as last computed. */
  readonly records: Memo<readonly DatedDiagnostic[]>;
  /** Failures that may pass (a full disk, a lost permission), by what was tried; removed once it works again. */
  readonly faults: Map<string, Diagnostic>;
  /** What is wrong around the program just now: with its output, for one. */
  readonly outside: () => readonly Diagnostic[];
}

/** Everything for the work on one vault, put together in `compose.ts`. A function declares the ports that it uses. */
export interface Workspace {
  readonly context: Context;
  /** The records, their index and the listing. */
  readonly vault: Vault;
  /** The notes as they are on disk at this moment. */
  readonly notes: NoteReader;
  /** All writing into notes. */
  readonly transactions: Transactions;
  /** The open proposals by the note they are about, computed when they are first asked for. */
  readonly proposals: OpenProposals;
  readonly models: Models;
  readonly ingest: Ingest;
  readonly problems: Problems;
}

/** The records as last read. */
export type IndexAccess = Pick<Workspace, 'context' | 'vault'>;

/** The records, and the notes as they are now; without transactions nothing can be written. */
export type ReadAccess = Pick<Workspace, 'context' | 'vault' | 'notes' | 'proposals'>;

/** Reading, and asking the models. */
export type ModelAccess = ReadAccess & Pick<Workspace, 'models' | 'problems'>;

/** Reading, and writing into notes. */
export type WriteAccess = ReadAccess & Pick<Workspace, 'transactions' | 'problems'>;

/** How long the schedule of a removed matter is remembered, so that a note that comes back continues its schedule. */
const KEEP_SCHEDULE_MS = 30 * 24 * 60 * 60 * 1000;

/** So long it is known of a signal that its mail lies in the account. */
const KEEP_CLEARED_MS = 400 * 24 * 60 * 60 * 1000;

/**
 * Forgets what is remembered about notes and files that are gone, so that the state grows no larger than the vault.
 * Pauses after each entry.
 */
export function* pruneState(space: IndexAccess): Generator<void> {
  const {
    vault,
    context: { state },
  } = space;
  const { now } = space.context;
  const isThere = (path: string) => vault.catalogue.saved.has(path); // without parsing any record
  const retired = state.get('retired');
  const isSignal = (name: string) => vault.catalogue.named(name).some(({ kind }) => kind === 'signal');
  yield* forget(state, 'weighed', state.get('weighed'), (name) => retired[name] === undefined && !isSignal(name));
  const isYoung = ({ at }: StreamRead) => Math.abs(now() - at) < KEEP_SCHEDULE_MS;
  yield* forget(state, 'streams', state.get('streams'), (file, read) => !vault.streams.has(file) && !isYoung(read));
  yield* forget(state, 'cleared', state.get('cleared'), (_, at) => now() - at > KEEP_CLEARED_MS);
  yield* forget(state, 'guarded', state.get('guarded'), (_, until) => until < now());
  yield* forget(state, 'cursors', state.get('cursors'), (path) => !isThere(path));
  const isKept = ({ path, last }: { path: string; last: number | null }) =>
    isThere(path) || (last !== null && now() - last < KEEP_SCHEDULE_MS);
  yield* forget(state, 'schedules', state.get('schedules'), (_, known) => !isKept(known));
  yield* forget(state, 'perceived', state.get('perceived'), (path) => !isThere(path));
  yield* forget(state, 'touched', state.get('touched'), (path) => !isThere(path));
  followMoves(state, vault.catalogue.moves.toRecord(isThere));
}

// A note that was gone may be back, and the moves that lead to it with it.
function followMoves(state: State, moves: Readonly<Record<string, string>>): void {
  const known = state.get('moves');
  const wanted = new Map(Object.entries(moves));
  for (const former of new Set([...Object.keys(known), ...wanted.keys()])) {
    const to = wanted.get(former);
    if (known[former] === to) continue;
    if (to === undefined) delete known[former];
    else known[former] = to;
    state.touch('moves', former);
  }
}

/** Deletes of the entries under a name what is over, and pauses after each. */
function* forget<Value>(
  state: State,
  name: Name,
  entries: Record<string, Value>,
  isOver: (key: string, value: Value) => boolean,
): Generator<void> {
  for (const key of state.keysOf(name)) {
    const value = entries[key];
    if (value !== undefined && isOver(key, value)) {
      delete entries[key];
      state.touch(name, key);
    }
    yield;
  }
}
