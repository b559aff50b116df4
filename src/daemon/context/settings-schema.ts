import { z } from 'zod';
import { isProtected } from '../../steward/changes/writable-fields.ts';
import { MOST_A_DAY, WANTS } from '../../steward/notify/policy.ts';
import { parseSchedule } from '../../steward/schedule/cadence.ts';
import { bankFormatOf } from '../../stream/bank-csv/format.ts';
import { fold, isHidden } from '../../vault/note-names.ts';
import { plainPath } from '../../vault/note-path.ts';
import { liveMark } from '../../vault/notes/escape.ts';
import { type StatusWord, type StatusWords, wordKey } from '../../vault/records/status-words.ts';
import { STATES, textList, unit } from '../../vault/records/values.ts';
import type { Settings } from './settings.ts';

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
