import type { KEYS } from '../../src/daemon/settings.ts';
import type { FolderKind } from '../../src/vault/layout.ts';

type SettingKey = keyof typeof KEYS;

/** One part of the settings page. A key that is missing in all of them does not compile. */
export interface SettingGroup {
  readonly title: string;
  readonly keys: readonly SettingKey[];
}

export const GROUPS: readonly SettingGroup[] = [
  {
    title: 'Mode and limits',
    keys: [
      'mode',
      'autonomy',
      'confidence_threshold',
      'high_confidence_threshold',
      'propose_from',
      'ask_from',
      'editable_fields',
      'protected_fields',
    ],
  },
  { title: 'Checks', keys: ['default_schedule', 'quiet_hours', 'settle_seconds'] },
  {
    title: 'Trusted servers, accounts and programs',
    keys: ['trusted_mail_servers', 'trusted_bank_accounts', 'trusted_signal_sources'],
  },
  {
    title: 'Words of your vault',
    keys: ['own_names', 'field_mapping', 'status_values', 'matter_notes', 'bank_formats'],
  },
  {
    title: 'Rules and models',
    keys: [
      'evaluator',
      'evaluator_fallback',
      'model_evaluation',
      'model_price_in',
      'model_price_out',
      'model_extraction',
      'model_extraction_price_in',
      'model_extraction_price_out',
    ],
  },
  {
    title: 'Budget',
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
  { title: 'Notifications', keys: ['notify', 'notify_digest_at', 'notify_quiet_hours', 'notify_at_most'] },
  { title: 'Retention', keys: ['keep_stream_days', 'keep_event_days'] },
];

export const FOLDER_WORDS: Readonly<Record<FolderKind, string>> = {
  matter: 'Your matters.',
  task: 'Your tasks.',
  signal: 'Signals.',
  event: 'Changes, proposals and answers.',
  licence: 'Licences.',
  instinct: 'How often each sender and channel was right.',
  stream: 'Mails, statements, calendars and chats to read.',
  source: 'The mailboxes, calendars and programs that you connected.',
  roundtable: 'Briefings, and the texts of agents.',
};

/** The variables of the environment. A test compares the names with the source. */
export const ENVIRONMENT_WORDS: Readonly<Record<string, string>> = {
  STEWARD_VAULT: 'The vault, if there is no `--vault`.',
  STEWARD_LIVE_MODE: 'The highest mode: `shadow` (default), `live_high_confidence_only` or `live`.',
  STEWARD_CONFIDENCE_THRESHOLD: 'The least confidence of a change in `live` (0.6). The vault may require more.',
  STEWARD_HIGH_CONFIDENCE_THRESHOLD: 'The same in `live_high_confidence_only` (0.85).',
  STEWARD_BUDGET_USD_PER_DAY: 'The highest cost of models in any 24 hours. The vault can only lower it.',
  STEWARD_SEAL_KEY_FILE:
    'A file with the secret for the marks on notes, the same on each machine, with mode 0600. In a service: the credential `seal_key`.',
  STEWARD_EVIDENCE_ROOTS: 'Folders outside the vault that a lookup may read, separated by colons.',
  STEWARD_RECORDED_REPLIES: 'A folder of recorded replies that replace a model.',
  STEWARD_LOG: 'How `run` logs: `text` or `json`.',
  STEWARD_LOG_LEVEL: '`warning`, `info`, or `debug`, which includes the content of notes.',
  STEWARD_DEBUG: '`1` prints the stack of an unexpected error.',
  STEWARD_SOURCE_NAME_PASSWORD: 'The password of the source NAME, in capitals.',
  STEWARD_NOTIFY_NTFY: 'See [notifications](notifications.md).',
  STEWARD_NOTIFY_NTFY_TOKEN: 'See [notifications](notifications.md).',
  STEWARD_NOTIFY_DESKTOP: 'See [notifications](notifications.md).',
  STEWARD_NOTIFY_COMMAND: 'See [notifications](notifications.md).',
  STEWARD_NOTIFY_QUOTES: 'See [notifications](notifications.md).',
  STEWARD_NOTIFY_ACTIONS: 'See [notifications](notifications.md).',
  STEWARD_NOTIFY_ACTIONS_URL: 'See [notifications](notifications.md).',
  ANTHROPIC_API_KEY: 'The key for models. In a service: the credential `anthropic_api_key`.',
  ANTHROPIC_BASE_URL: 'Another server that offers the Messages API.',
  PLANE_API_KEY: 'See [Plane](plane.md).',
  PLANE_BASE_URL: 'See [Plane](plane.md).',
  PLANE_WORKSPACE: 'See [Plane](plane.md).',
  CREDENTIALS_DIRECTORY: 'The folder of systemd credentials: keys, and passwords as `source_NAME`.',
  NO_COLOR: 'Any value switches colours off.',
};
