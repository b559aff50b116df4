import type { KEYS } from '../../src/daemon/context.ts';
import type { FolderKind } from '../../src/vault/layout.ts';

/** What the settings page says of one key: an example line, and a sentence or two. */
export interface KeyWords {
  readonly example: string;
  readonly words: string;
}

type SettingKey = keyof typeof KEYS;

/** One part of the settings page. A key that stands in none of them does not compile. */
export interface SettingGroup {
  readonly title: string;
  readonly keys: readonly SettingKey[];
}

export const GROUPS: readonly SettingGroup[] = [
  {
    title: 'How far it may go',
    keys: ['mode', 'confidence_threshold', 'high_confidence_threshold', 'editable_fields', 'protected_fields'],
  },
  { title: 'When it looks', keys: ['default_schedule', 'quiet_hours', 'settle_seconds'] },
  { title: 'Whom it believes', keys: ['trusted_mail_servers', 'trusted_bank_accounts', 'trusted_signal_sources'] },
  { title: 'The words of your vault', keys: ['field_mapping', 'status_values', 'bank_formats'] },
  {
    title: 'Who judges and reads',
    keys: [
      'evaluator',
      'evaluator_fallback',
      'model_evaluation',
      'model_price_in',
      'model_price_out',
      'model_extraction',
      'model_extraction_price_in',
      'model_extraction_price_out',
      'model_batch',
    ],
  },
  {
    title: 'What models may cost',
    keys: [
      'budget_usd_per_day',
      'budget_tokens_per_day',
      'budget_usd_per_matter_per_day',
      'budget_tokens_per_matter_per_day',
    ],
  },
  {
    title: 'Evidence and roundtables',
    keys: ['budget_per_agent', 'timeout_seconds', 'max_response_tokens', 'haiku_model', 'sonnet_model'],
  },
  { title: 'Messages', keys: ['notify', 'notify_digest_at', 'notify_quiet_hours', 'notify_at_most'] },
  { title: 'What leaves the vault', keys: ['keep_stream_days', 'keep_event_days'] },
];

export const SETTING_WORDS: Readonly<Record<SettingKey, KeyWords>> = {
  mode: {
    example: 'shadow',
    words:
      'How far the steward may go in this vault. It can lower what `STEWARD_LIVE_MODE` allows, and never raise it. Without a line it lowers nothing.',
  },
  confidence_threshold: {
    example: '0.6',
    words: 'How sure a decision must be in `live`. The environment may set one too; the stricter one holds.',
  },
  high_confidence_threshold: { example: '0.85', words: 'The same in `live_high_confidence_only`.' },
  editable_fields: {
    example: '[room]',
    words:
      'Fields that a decision may write beside `summary`, `description`, `owner`, `due`, `blocked_on` and `current_state`.',
  },
  protected_fields: {
    example: '[price]',
    words:
      'Fields that no decision ever writes, beside `type`, `id`, `steward`, `tags`, `discretion_threshold` and `pinned`.',
  },
  default_schedule: {
    example: 'every 30m',
    words: 'How often a matter is looked at that names no schedule of its own: an interval or a cron expression.',
  },
  quiet_hours: { example: '"22:00-07:00"', words: 'Local hours in which nothing is decided. They may span midnight.' },
  settle_seconds: { example: '10', words: 'How long a note must have been quiet before the steward edits it.' },
  trusted_mail_servers: {
    example: '[mx.mailhost.example]',
    words:
      'Mail servers that are believed about who sent a mail, by the name they write into `Authentication-Results`. Without one, dropped mails only propose. `steward doctor` shows the names that your mails carry.',
  },
  trusted_bank_accounts: {
    example: '[DE02120300000000202051]',
    words:
      'Accounts whose statements are believed about whom money went to or came from. Without one, bank lines only propose.',
  },
  trusted_signal_sources: {
    example: '[bank]',
    words:
      'Source types whose hand-dropped signals are believed. Any other such signal counts as `other` and is proposed at most.',
  },
  field_mapping: {
    example: '[status = state, projects = parent_matter]',
    words: "Your vault's names for the steward's fields, one `yours = its` a line.",
  },
  status_values: {
    example: '[erledigt = done, in Arbeit = open]',
    words:
      "What your vault's own words for a state mean, one `yours = its` a line. Of several words for one state the first is written.",
  },
  bank_formats: {
    example: '["Date | Payee | Amount => order = dmy, sign = as written"]',
    words:
      "How a bank's CSV is read where the file itself leaves it open. `steward import` asks on a terminal and writes the line.",
  },
  evaluator: {
    example: 'auto',
    words:
      '`auto` asks a model where there is a key, else the embedded rules; `rules` never asks a model; `anthropic` always does.',
  },
  evaluator_fallback: {
    example: 'wait',
    words: 'While the model is out of reach, signals and mails wait, or the rules judge and read.',
  },
  model_evaluation: { example: 'claude-sonnet-5-5', words: 'The model that judges.' },
  model_price_in: {
    example: '3',
    words: "US dollars for a million tokens that it reads. Prices of Anthropic's models are known.",
  },
  model_price_out: { example: '15', words: 'US dollars for a million tokens that it writes.' },
  model_extraction: { example: 'claude-haiku-4-5-20251001', words: 'The model that reads mails.' },
  model_extraction_price_in: { example: '1', words: 'Its price for a million tokens that it reads.' },
  model_extraction_price_out: { example: '5', words: 'Its price for a million tokens that it writes.' },
  model_batch: {
    example: 'true',
    words: 'Ten mails or more that wait at once are asked as one batch: half the price, answered within a day.',
  },
  budget_usd_per_day: {
    example: '1',
    words:
      'What models may cost in any 24 hours, in US dollars. `STEWARD_BUDGET_USD_PER_DAY` is a ceiling: the lower holds.',
  },
  budget_tokens_per_day: { example: '200000', words: 'How many tokens models may take in any 24 hours.' },
  budget_usd_per_matter_per_day: { example: '0.2', words: 'The same cost limit for each matter.' },
  budget_tokens_per_matter_per_day: { example: '40000', words: 'The same token limit for each matter.' },
  budget_per_agent: { example: '3', words: 'How many requests for evidence each agent of a roundtable has.' },
  timeout_seconds: { example: '120', words: 'How long a reading agent may look for evidence.' },
  max_response_tokens: { example: '2000', words: 'How long an answer with evidence may be.' },
  haiku_model: { example: 'claude-haiku-4-5-20251001', words: 'The model that looks for evidence first.' },
  sonnet_model: {
    example: 'claude-sonnet-5-5',
    words: 'The model that is asked where the first found nothing usable.',
  },
  notify: {
    example: 'digest',
    words:
      'Each thing by itself and a digest, the digest alone, or nothing. Messages go where this machine says, and nowhere else: [notifications.md](notifications.md).',
  },
  notify_digest_at: { example: '"07:30"', words: 'When the daily digest comes; `never` for none.' },
  notify_quiet_hours: {
    example: '"22:00-07:00"',
    words:
      'What is new in these hours is told at their end. `quiet_hours` where it is not set, else the night; `none` for none.',
  },
  notify_at_most: { example: '5', words: 'How many messages a day; the rest stands in the digest.' },
  keep_stream_days: {
    example: '90',
    words:
      'After how many days a stream file that was read and settled leaves the vault. It can be brought back from `.steward/history` for a week.',
  },
  keep_event_days: {
    example: '180',
    words: 'The same for records that changed nothing and wait for nobody, together with their signals.',
  },
};

export const FOLDER_WORDS: Readonly<Record<FolderKind, string>> = {
  matter: 'Your matters.',
  task: 'Your tasks.',
  signal: 'What stream events mean for your notes.',
  event: 'What was done, proposed and answered.',
  instinct: 'What each source has earned.',
  stream: 'Mails, statements, calendars and chats to be read.',
  source: 'The mailboxes, calendars and programs that are asked.',
  roundtable: 'Briefings, and what agents wrote.',
};

/** What only the environment of this machine says. A test holds the names against the source. */
export const ENVIRONMENT_WORDS: Readonly<Record<string, string>> = {
  STEWARD_VAULT: 'The vault, where no `--vault` is given.',
  STEWARD_LIVE_MODE: 'The ceiling: `shadow` (unless you say otherwise), `live_high_confidence_only` or `live`.',
  STEWARD_CONFIDENCE_THRESHOLD: 'How sure a decision must be in `live`: 0.6. The vault may ask for more.',
  STEWARD_HIGH_CONFIDENCE_THRESHOLD: 'The same in `live_high_confidence_only`: 0.85.',
  STEWARD_BUDGET_USD_PER_DAY: 'What models may cost in any 24 hours at most, whatever the vault says.',
  STEWARD_EVIDENCE_ROOTS: 'Folders outside the vault that notes may have read, with colons between.',
  STEWARD_RECORDED_REPLIES: "A folder of replies that stand for a model's.",
  STEWARD_LOG: 'How `run` logs: `text`, or `json` with one object a line.',
  STEWARD_LOG_LEVEL: 'How much `run` tells: `warning`, `info`, or `debug`, which shows what notes say.',
  STEWARD_DEBUG: '`1` prints the stack of an error that nobody expected.',
  STEWARD_SOURCE_NAME_PASSWORD: 'The password of the source NAME, in capitals.',
  STEWARD_NOTIFY_NTFY: 'The address of a topic of an ntfy server.',
  STEWARD_NOTIFY_NTFY_TOKEN: 'Its token. In a service: the credential `ntfy_token`.',
  STEWARD_NOTIFY_DESKTOP: '`yes`: messages on this desktop.',
  STEWARD_NOTIFY_COMMAND: 'A program of yours that is given each message.',
  STEWARD_NOTIFY_QUOTES: '`yes`: messages quote what a sender wrote.',
  STEWARD_NOTIFY_ACTIONS: 'The address and port for buttons in messages: this machine or a private network.',
  STEWARD_NOTIFY_ACTIONS_URL: 'Under which address a phone reaches that port.',
  ANTHROPIC_API_KEY: 'The key for models. In a service: the credential `anthropic_api_key`.',
  ANTHROPIC_BASE_URL: 'Another server that offers the Messages API.',
  PLANE_API_KEY: 'The key for Plane. In a service: the credential `plane_api_key`.',
  PLANE_BASE_URL: 'The Plane server.',
  PLANE_WORKSPACE: 'The slug of the workspace.',
  CREDENTIALS_DIRECTORY: 'Where systemd puts credentials: keys, and `source_NAME` for the password of a source.',
  NO_COLOR: 'Set, nothing is coloured.',
};
