import { DEFAULT_FOLDERS, type FolderNames, type MatterNotes } from '../vault/layout.ts';
import { DEFAULT_MAPPING, type FieldMapping, NO_WORDS, type StatusWords } from '../vault/record.ts';
import { sourceKey } from '../vault/source-names.ts';
import type { Hours } from '../vault/time.ts';
import type { Mode } from './gates.ts';

/** How many messages a person wants: no messages, a digest a day, or each item by itself and the digest. */
export const WANTS = ['off', 'digest', 'each'] as const;
export type Want = (typeof WANTS)[number];

/** No vault has more messages sent in a day than this, whatever its settings say. */
export const MOST_MESSAGES_A_DAY = 20;
export interface NotifySettings {
  /** Null if unset. */
  readonly notify: Want | null;
  /** Minutes since midnight; null for no digest. */
  readonly notify_digest_at: number | null;
  /** `none`: no quiet hours. Null if unset. */
  readonly notify_quiet_hours: Hours | 'none' | null;
  readonly notify_at_most: number;
  readonly quiet_hours: Hours | null;
}

/** The settings in the frontmatter of `steward.md`. Every key has a default; no secret is ever read here. */
export interface Settings extends NotifySettings {
  /** May lower what the environment allows; null leaves it as it is. */
  readonly mode: Mode | null;
  /** `by_count`: a licence is signed by itself at five right outcomes on three days (contract, section 6). */
  readonly autonomy: 'ask' | 'by_count';
  readonly default_schedule: string;
  /** How long a note must have been quiet before it is edited, in seconds. */
  readonly settle_seconds: number;
  readonly evaluator: 'auto' | 'rules' | 'anthropic';
  /** Whether signals wait or the rules judge while the model that judges can't be asked. */
  readonly evaluator_fallback: 'wait' | 'rules';
  readonly model_evaluation: string;
  /** The price of a million tokens, read and written, in US dollars; null if unset. */
  readonly model_price_in: number | null;
  readonly model_price_out: number | null;
  /** The id of the model that reads stream events, and its own price. */
  readonly model_extraction: string;
  readonly model_extraction_price_in: number | null;
  readonly model_extraction_price_out: number | null;
  readonly confidence_threshold: number | null;
  readonly high_confidence_threshold: number | null;
  /** How likely a mail must mean a change for Steward to propose it, and to ask about it, 0–1. */
  readonly propose_from: number;
  readonly ask_from: number;
  /**
   * The limits of spending on models in any 24 hours, by the vault and by each matter; null for no limit, written
   * `unlimited`.
   */
  readonly budget_tokens_per_day: number | null;
  readonly budget_usd_per_day: number | null;
  readonly budget_tokens_per_matter_per_day: number | null;
  readonly budget_usd_per_matter_per_day: number | null;
  /** How many requests for evidence each agent has in a roundtable. */
  readonly budget_per_agent: number;
  /** How long an agent may look for evidence, and how long its answer may be. */
  readonly timeout_seconds: number;
  readonly max_response_tokens: number;
  /** The models that look for evidence: the first, and the one asked if the first found no usable evidence. */
  readonly haiku_model: string;
  readonly sonnet_model: string;
  readonly editable_fields: readonly string[];
  readonly protected_fields: readonly string[];
  readonly field_mapping: FieldMapping;
  readonly matter_notes: MatterNotes;
  /** The meanings of the vault's own words for states; of several for one state, the first is written. */
  readonly status_values: StatusWords;
  /** The names by which mails greet the user; if empty, those of the address that a mail was sent to. */
  readonly own_names: readonly string[];
  /** The mail servers that are believed about who sent a mail, by the name in their `Authentication-Results`. */
  readonly trusted_mail_servers: readonly string[];
  /** The accounts whose statements are believed about the payer or payee, by IBAN or as the bank names them. */
  readonly trusted_bank_accounts: readonly string[];
  /** The source types whose hand-dropped signals are believed: without them such a signal counts as `other`. */
  readonly trusted_signal_sources: readonly string[];
  /** How the files of banks are read that do not say it themselves; each a line of `bank_formats` as it is written. */
  readonly bank_formats: readonly string[];
  /** Local hours without decisions, as minutes since midnight; null without such hours. */
  readonly quiet_hours: Hours | null;
  /** After this many days settled files leave the vault: stream files that were read, records without a change. */
  readonly keep_stream_days: number | null;
  readonly keep_event_days: number | null;
  readonly folders: FolderNames;
}

export const DEFAULT_SETTINGS: Settings = {
  mode: null,
  autonomy: 'ask',
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
  confidence_threshold: null,
  high_confidence_threshold: null,
  propose_from: 0.7,
  ask_from: 0.3,
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
  matter_notes: 'all',
  status_values: NO_WORDS,
  own_names: [],
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
 * The settings if the note cannot be read and was never read before: shadow, no spending, no question to a model and no
 * message. The vault may allow no more than that.
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

/** Whether the local time at `now` (ms) is in the quiet hours, which may span midnight. */
export function isQuiet(settings: Settings, now: number): boolean {
  const quiet = settings.quiet_hours;
  if (quiet === null) return false;
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  return quiet.from <= quiet.to ? minute >= quiet.from && minute < quiet.to : minute >= quiet.from || minute < quiet.to;
}

/**
 * The settings that give somebody a right. A sync or another person may write them into the vault. So a new value
 * counts only once the user has said on this machine that it is theirs (contract, section 6).
 */
const GRANTING = ['trusted_signal_sources', 'trusted_bank_accounts', 'trusted_mail_servers'] as const;

/** A value of a setting that gives a right, and that the user has not agreed to on this machine. */
export interface UnagreedSetting {
  readonly field: (typeof GRANTING)[number] | 'autonomy';
  readonly value: string;
}

/** Says that this vault's settings were taken as the user's own, when the program first ran on it. */
const FIRST = 'settings';

/** Returns the name by which a value is agreed to: `setting-trusted_mail_servers-mx.sample.example`. */
export function settingName({ field, value }: UnagreedSetting): string {
  return `setting-${field}-${sourceKey(value)}`;
}

/** The settings of a vault: as they are written, and as far as the user has agreed to them on this machine. */
export class AgreedSettings {
  #written: Settings;
  readonly #agreed: () => Record<string, number>;
  readonly #markOf: (name: string) => string;
  #current: Settings | null = null;

  /**
   * `agreed`: the values that the user has agreed to, as stored in the vault. Anyone who shares the vault can write
   * there, so each entry bears a mark (`markOf`) that only this machine can make.
   */
  constructor(written: Settings, agreed: () => Record<string, number>, markOf: (name: string) => string) {
    this.#written = written;
    this.#agreed = agreed;
    this.#markOf = markOf;
  }

  /** The settings without the values that the user has not agreed to. */
  get current(): Settings {
    this.#current ??= withoutUnagreed(this.#written, this.unagreed());
    return this.#current;
  }

  /** Replaces the settings by those that are written now. */
  write(written: Settings): void {
    this.#written = written;
    this.#current = null;
  }

  /** Returns the values that give a right and that the user has not agreed to. */
  unagreed(): UnagreedSetting[] {
    if (!this.#has(FIRST)) return [];
    return grantsOf(this.#written).filter((one) => !this.#has(settingName(one)));
  }

  /** Lets a value count from now on. */
  agree(setting: UnagreedSetting, now: number): void {
    this.#add(settingName(setting), now);
    this.#current = null;
  }

  /**
   * Begins to ask about values. `isOwn`: whether those that are written now are taken as the user's own, as at the first run
   * on a vault that does not come from elsewhere.
   */
  begin(isOwn: boolean, now: number): void {
    if (this.#has(FIRST)) return;
    this.#add(FIRST, now);
    if (isOwn) for (const one of grantsOf(this.#written)) this.#add(settingName(one), now);
    this.#current = null;
  }

  #has(name: string): boolean {
    return this.#agreed()[this.#keyOf(name)] !== undefined;
  }

  #add(name: string, now: number): void {
    this.#agreed()[this.#keyOf(name)] = now;
  }

  #keyOf(name: string): string {
    return `${name} ${this.#markOf(name)}`;
  }
}

function grantsOf(written: Settings): UnagreedSetting[] {
  const listed = GRANTING.flatMap((field) => written[field].map((value) => ({ field, value })));
  return written.autonomy === 'by_count' ? [...listed, { field: 'autonomy', value: 'by_count' }] : listed;
}

function withoutUnagreed(written: Settings, unagreed: readonly UnagreedSetting[]): Settings {
  if (unagreed.length === 0) return written;
  const left = (field: UnagreedSetting['field']) =>
    unagreed.filter((one) => one.field === field).map(({ value }) => value);
  const lists = GRANTING.map((field) => [field, written[field].filter((value) => !left(field).includes(value))]);
  return { ...written, ...Object.fromEntries(lists), autonomy: left('autonomy').length > 0 ? 'ask' : written.autonomy };
}
