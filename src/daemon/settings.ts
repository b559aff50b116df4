import fs from 'node:fs';
import { z } from 'zod';
import { isProtected } from '../steward/change.ts';
import { effectiveMode } from '../steward/gates.ts';
import { parseSchedule } from '../steward/schedule.ts';
import { DEFAULT_SETTINGS, MOST_MESSAGES_A_DAY, type Settings, WANTS } from '../steward/settings.ts';
import { parseBankFormat } from '../streams/bank-columns.ts';
import { type Diagnostic, diagnostic, EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, readInside } from '../vault/files.ts';
import { fieldPosition, keyPosition, type ParsedNote, readNote } from '../vault/frontmatter.ts';
import { isObject } from '../vault/json.ts';
import {
  DEFAULT_FOLDERS,
  FOLDER_KINDS,
  type FolderNames,
  fold,
  isHidden,
  Layout,
  MATTER_NOTES,
  MAX_NOTE_BYTES,
  plainPath,
  SETTINGS_FILE,
} from '../vault/layout.ts';
import { liveMark } from '../vault/note-text.ts';
import {
  FORMATS,
  formatVersionNumber,
  isNewer,
  issueWords,
  nearest,
  newerFormat,
  STATES,
  type StatusWord,
  type StatusWords,
  textList,
  unit,
  wordKey,
} from '../vault/record.ts';
import type { StartedCapability } from './capability.ts';
import type { Workspace } from './context.ts';
import { within } from './faults.ts';
import type { RetryQueue } from './queue.ts';
import type { Schedules } from './schedule.ts';
import type { StateStore } from './state.ts';

const MODES = ['shadow', 'live', 'live_high_confidence_only'] as const;

const schedule = z.string().refine((text) => parseSchedule(text).ok, {
  error: 'must be a cron expression or an interval such as "every 30m"',
});

const mapping = textList.transform((lines, context) => {
  const pairs = lines.map((line) => /^\s*([^=:\s]+)\s*[=:]\s*([^=:\s]+)\s*$/.exec(line));
  if (pairs.some((pair) => pair === null)) {
    context.addIssue({ code: 'custom', message: 'must be a list of lines such as "status = state"' });
  }
  if (pairs.filter((pair) => pair?.[2] === 'state').length > 1) {
    context.addIssue({ code: 'custom', message: 'can give the state only one other name' });
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

/** Whether no folder is in another: a note there would be two kinds of record. Letter case makes no two folders. */
export function areApart(names: readonly string[]): boolean {
  const folded = names.map((name) => `${fold(name)}/`);
  return folded.every((one, at) => folded.every((other, place) => at === place || !one.startsWith(other)));
}

function amount(unitName: string) {
  const error = `must be a number of ${unitName}, 0 or more`;
  return z.number({ error }).min(0, { error }).nullable();
}

/** A limit. To have no limit, `unlimited` must be written: a line without a value leaves the default. */
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

/** A younger note may still be undone, or be looked for. A note that is to be kept for a century is kept for ever. */
const LEAST_DAYS = 30;
const MOST_DAYS = 36_500;

const bankFormats = textList.refine((lines) => lines.every((line) => parseBankFormat(line) !== null), {
  error: 'must be a list of lines such as "Date | Payee | Amount => order = dmy, sign = as written"',
});

/** A word of a vault is as long as people write one. */
const MOST_CHARACTERS = 60;
const WORD_LINE = new RegExp(`^\\s*(\\S.*?)\\s*[=:]\\s*(${STATES.join('|')})\\s*$`, 'iu');

/** `erledigt: done` is what YAML makes a map of, where a person means a line. */
const wordLines = z.preprocess((written) => {
  const parts = Array.isArray(written) ? written : [written];
  return parts.flatMap((part: unknown) => (isObject(part) ? linesOf(part) : [part]));
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

function linesOf(map: object): string[] {
  return Object.entries(map).map(([word, state]) => `${word} = ${typeof state === 'string' ? state : ''}`);
}

const modelId = z.string().regex(/^[\w.:@/-]{1,100}$/, { error: 'must be the id of a model' });

/** How each key of `steward.md` is parsed, and what its documentation says. The folders are apart. */
export const KEYS = {
  mode: z
    .enum(MODES, { error: `must be ${MODES.join(', ')}` })
    .nullable()
    .meta({
      example: 'shadow',
      help: 'The mode of this vault. It can only lower `STEWARD_LIVE_MODE`, its default.',
    }),
  autonomy: z.enum(['ask', 'by_count']).meta({
    example: 'ask',
    help: '`ask`: only you sign licences. `by_count`: Steward signs one when a sender was right five times on a matter, on three days.',
  }),
  default_schedule: schedule.meta({
    example: 'every 30m',
    help: 'How often to check a matter without `steward_schedule`: an interval or a cron expression.',
  }),
  settle_seconds: z
    .number({ error: 'must be a number of seconds, 0 to 3600' })
    .min(0)
    .max(3600)
    .meta({ example: '10', help: 'For how many seconds a note must be quiet before Steward edits it.' }),
  evaluator: z.enum(['auto', 'rules', 'anthropic'], { error: 'must be auto, rules or anthropic' }).meta({
    example: 'auto',
    help: '`auto`: a model if there is a key, else the rules. `rules`: never a model. `anthropic`: always a model.',
  }),
  evaluator_fallback: z.enum(['wait', 'rules'], { error: 'must be wait or rules' }).meta({
    example: 'wait',
    help: 'If the model is unavailable: `wait`, or use the `rules`.',
  }),
  model_evaluation: modelId.meta({ example: 'claude-sonnet-5-5', help: 'The model that evaluates.' }),
  model_price_in: amount('US dollars').meta({
    example: '3',
    help: "US dollars for a million tokens of input. Anthropic's prices are built in.",
  }),
  model_price_out: amount('US dollars').meta({
    example: '15',
    help: 'US dollars for a million tokens of output.',
  }),
  model_extraction: modelId.meta({ example: 'claude-haiku-4-5-20251001', help: 'The model that reads mails.' }),
  model_extraction_price_in: amount('US dollars').meta({
    example: '1',
    help: 'Its price for a million tokens of input.',
  }),
  model_extraction_price_out: amount('US dollars').meta({
    example: '5',
    help: 'Its price for a million tokens of output.',
  }),
  confidence_threshold: unit.nullable().meta({
    example: '0.6',
    help: 'The confidence that a change needs in `live`. The environment may require more.',
  }),
  high_confidence_threshold: unit
    .nullable()
    .meta({ example: '0.85', help: 'The same in `live_high_confidence_only`.' }),
  propose_from: unit.meta({
    example: '0.7',
    help: 'How likely a mail must mean a change to become a proposal.',
  }),
  ask_from: unit.meta({
    example: '0.3',
    help: 'How likely it must mean one to become a question. Below this it is set aside.',
  }),
  budget_tokens_per_day: limit('tokens').meta({
    example: '200000',
    help: 'Tokens that models may use in any 24 hours.',
  }),
  budget_usd_per_day: limit('US dollars').meta({
    example: '1',
    help: 'US dollars that models may cost in any 24 hours, or `unlimited`. `STEWARD_BUDGET_USD_PER_DAY` may lower it.',
  }),
  budget_tokens_per_matter_per_day: limit('tokens').meta({
    example: '40000',
    help: 'The same token limit for each matter.',
  }),
  budget_usd_per_matter_per_day: limit('US dollars').meta({
    example: '0.2',
    help: 'The same cost limit for each matter.',
  }),
  budget_per_agent: whole('requests', 0, 100).meta({
    example: '3',
    help: 'Requests for evidence of each agent in a roundtable.',
  }),
  timeout_seconds: whole('seconds', 1, 3600).meta({
    example: '120',
    help: 'Seconds for a search for evidence.',
  }),
  max_response_tokens: whole('tokens', 200, 20_000).meta({
    example: '2000',
    help: 'Tokens of an answer with evidence.',
  }),
  haiku_model: modelId.meta({
    example: 'claude-haiku-4-5-20251001',
    help: 'The model that searches for evidence first.',
  }),
  sonnet_model: modelId.meta({
    example: 'claude-sonnet-5-5',
    help: 'The model that searches if the first one gives no usable answer.',
  }),
  editable_fields: textList.meta({
    example: '[room]',
    help: 'Fields that a decision may write, in addition to `summary`, `description`, `owner`, `due`, `blocked_on` and `current_state`.',
  }),
  protected_fields: textList.meta({
    example: '[price]',
    help: 'Fields that a decision never writes, in addition to `type`, `id`, `steward`, `tags`, `discretion_threshold` and `pinned`.',
  }),
  field_mapping: mapping.meta({
    example: '[status = state, projects = parent_matter]',
    help: "Your names for Steward's fields, one `yours = its` a line.",
  }),
  matter_notes: z.enum(MATTER_NOTES, { error: `must be ${MATTER_NOTES.join(' or ')}` }).meta({
    example: 'folder_notes',
    help: 'Which notes in the folder of matters count: `all`, or `folder_notes`: those directly in it, and those named like their folder, such as `Bathroom/Bathroom.md`.',
  }),
  status_values: statusValues.meta({
    example: '[erledigt = done, in Arbeit = open]',
    help: 'Your words for a state, one `yours = its` a line. Of several for one state, Steward writes the first.',
  }),
  own_names: textList.meta({
    example: '[Robin Placeholder, Robin and Alex]',
    help: 'Your names, as mails greet you. A mail that greets somebody else only proposes. Default: the name in the address that received it.',
  }),
  trusted_mail_servers: textList.meta({
    example: '[gmail, mx.mailhost.example]',
    help: 'Mail servers that authenticate senders ([names](trust.md#trust-your-mail-server)). Without one, mails only propose.',
  }),
  trusted_bank_accounts: textList.meta({
    example: '[DE02120300000000202051]',
    help: 'Your accounts. Their bookings may settle a task without asking; others only propose.',
  }),
  trusted_signal_sources: textList.meta({
    example: '[bank]',
    help: 'Channels whose dropped signals count as written. Others count as `other` and only propose.',
  }),
  bank_formats: bankFormats.meta({
    example: '["Date | Payee | Amount => order = dmy, sign = as written"]',
    help: "How to read a bank's CSV if the file is ambiguous. `steward import FILE` asks in a terminal and writes the line.",
  }),
  quiet_hours: hours
    .nullable()
    .meta({ example: '"22:00-07:00"', help: 'Local hours without decisions. They may span midnight.' }),
  notify: want.nullable().meta({
    example: 'digest',
    help: '`each` event and a digest, only the `digest`, or no messages (`off`, `false`). See [notifications](notifications.md).',
  }),
  notify_digest_at: timeOfDay.meta({
    example: '"07:30"',
    help: 'When the daily digest comes; `never` switches it off.',
  }),
  notify_quiet_hours: quietOrNone.nullable().meta({
    example: '"22:00-07:00"',
    help: 'Messages of these hours come at their end. Default: `quiet_hours`, else the night. `none`: at all hours.',
  }),
  notify_at_most: whole('messages', 0, MOST_MESSAGES_A_DAY).meta({
    example: '5',
    help: 'Messages a day; the rest is in the digest.',
  }),
  keep_stream_days: whole('days', LEAST_DAYS, MOST_DAYS).nullable().meta({
    example: '90',
    help: 'Days until a settled stream file leaves the vault. `.steward/history` keeps it for a week.',
  }),
  keep_event_days: whole('days', LEAST_DAYS, MOST_DAYS).nullable().meta({
    example: '180',
    help: 'The same for records without a change or an open question, with their signals.',
  }),
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

/** Returns a problem for each key of `steward.md` that is no setting. Such a key has no effect. */
function unknownSettings(note: ParsedNote): Diagnostic[] {
  return Object.keys(note.data)
    .filter((key) => !SETTING_KEYS.includes(key) && !KEYS_OF_ANY_NOTE.includes(key.toLowerCase()))
    .slice(0, MOST_NAMED)
    .map((key) => unknownSetting(note, key));
}

/** Whether a problem of the settings is an unknown key, rather than a value that cannot be read. */
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
    message: near === null ? `Unknown setting "${name}".` : `Unknown setting "${name}". Did you mean "${near}"?`,
    hint: near === null ? 'docs/settings.md lists the settings; this key has no effect.' : 'This key has no effect.',
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
  return { ...settingsOf(read.note, last), isMissing: read.note.block === null };
}

/**
 * Returns the settings of a vault that had some before. If they are gone, by a sync tool or by mistake, the last ones
 * apply: the defaults would remove every limit that a person wrote there.
 */
export function settingsAgain(root: string, last: Settings): SettingsRead {
  const read = readSettings(root, last);
  return read.isMissing ? { ...read, settings: last, troubles: [GONE] } : read;
}

/** Remembers that the vault has settings of its own: when they are gone, the defaults do not take their place. */
export function rememberGiven(state: StateStore): void {
  if (state.get('settings').given) return;
  state.get('settings').given = true;
  state.touch('settings');
}

const GONE = diagnostic({
  code: 'settings-gone',
  file: SETTINGS_FILE,
  message: 'The settings of this vault are gone: the note is missing, or has no frontmatter any more.',
  hint: 'Restore them, or write two lines of --- to start again. Until then the last settings apply; after a start the defaults apply, in shadow and without a model.',
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
    hint: `${cause.hint} Until then the last good settings apply; after a start the defaults apply, in shadow and without a model.`,
  };
}

function settingsOf(note: ParsedNote, last: Settings): Omit<SettingsRead, 'isMissing'> {
  const { key } = FORMATS.settings;
  const isVersion = formatVersionNumber('settings', note.data) !== null;
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
  const taken = Object.fromEntries(Object.keys(KEYS).map((key) => [key, take(key as keyof typeof KEYS)]));
  // `take` gives each key its own type, which `fromEntries` forgets.
  const settings = { ...taken, folders: foldersOf(note, last.folders, troubles) } as Settings;
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
      'and the other folders must each have their own place, not inside one another',
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
    hint: `Until it is corrected the last good value applies; after a start ${atStart(key)}.`,
  });
}

function atStart(key: string): string {
  if (key.startsWith('budget_')) return 'nothing is spent';
  if (key.startsWith('keep_')) return 'everything is kept';
  return key === 'mode' ? 'that is shadow' : 'the default';
}

interface SettingsReloadParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly schedules: Schedules;
  readonly started: readonly StartedCapability[];
}

/** Takes up an edit of `steward.md` while the daemon runs. */
export class SettingsReload {
  readonly #parts: SettingsReloadParts;

  constructor(parts: SettingsReloadParts) {
    this.#parts = parts;
  }

  /**
   * Reads the settings at once, before anything is judged that came after the edit. If the disk refuses, it tries
   * again; until then the last good settings apply.
   */
  run(): void {
    try {
      this.#read();
    } catch {
      this.#parts.retries.add('settings', SETTINGS_FILE, async () => this.#read());
    }
  }

  #read(): void {
    const { context, vault, problems } = this.#parts.space;
    const before = context.settings;
    const { given } = context.state.get('settings');
    const { settings, troubles, unread, isMissing } = (given ? settingsAgain : readSettings)(vault.root, before);
    if (unread !== null) throw unread;
    if (!isMissing) rememberGiven(context.state);
    context.settings = settings;
    const isSame = JSON.stringify([before, problems.settings]) === JSON.stringify([context.settings, troubles]);
    problems.settings = troubles;
    if (isSame) return; // only the body was edited, by the program itself for one
    this.#follow(before);
    context.emit({ what: 'settings', troubles: troubles.filter((one) => !isUnknownSetting(one)).length });
    for (const trouble of troubles) context.emit({ what: 'trouble', trouble });
    this.#parts.schedules.setDefault(settings.default_schedule);
    if (layoutOf(before) !== layoutOf(settings)) this.#relayout(settings);
  }

  #follow(before: Settings): void {
    this.#parts.space.models.settingsChanged(before);
    for (const { capability, running } of this.#parts.started) {
      within(capability, () => running.settingsChanged?.(before));
    }
  }

  #relayout({ folders, matter_notes, field_mapping, status_values }: Settings): void {
    const { space, retries } = this.#parts;
    retries.add('relayout', SETTINGS_FILE, () =>
      space.vault.relayout(new Layout(folders, matter_notes), field_mapping, status_values),
    );
  }
}

function layoutOf({ folders, matter_notes, field_mapping, status_values }: Settings): string {
  return JSON.stringify([folders, matter_notes, field_mapping, status_values]);
}
