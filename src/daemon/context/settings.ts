import type { Mode } from '../../steward/gates/gate.ts';
import type { Hours } from '../../steward/notify/hours.ts';
import type { NotifySettings } from '../../steward/notify/policy.ts';
import { DEFAULT_MAPPING, type FieldMapping } from '../../vault/index/record.ts';
import { DEFAULT_FOLDERS, type FolderNames } from '../../vault/layout.ts';
import { NO_WORDS, type StatusWords } from '../../vault/records/status-words.ts';

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
