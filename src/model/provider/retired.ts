/** When a model was or will be switched off by its provider. */
export interface Retirement {
  /** The first day without it, YYYY-MM-DD. */
  readonly since: string;
  /** The model that the provider recommends instead. */
  readonly successor: string;
}

const HAIKU = 'claude-haiku-4-5-20251001';
const SONNET = 'claude-sonnet-4-6';
const OPUS = 'claude-opus-4-8';

/**
 * The provider's list of November 2026 (platform.claude.com/docs/en/about-claude/model-deprecations), with every name of
 * each model. It applies to the provider's own server.
 */
const RETIRED: Readonly<Record<string, Retirement>> = {
  'claude-sonnet-4-5-20250929': { since: '2026-11-30', successor: 'claude-sonnet-5-5' },
  'claude-sonnet-4-5': { since: '2026-11-30', successor: 'claude-sonnet-5-5' },
  'claude-opus-4-1-20250805': { since: '2026-08-05', successor: OPUS },
  'claude-opus-4-1': { since: '2026-08-05', successor: OPUS },
  'claude-sonnet-4-20250514': { since: '2026-06-15', successor: SONNET },
  'claude-sonnet-4-0': { since: '2026-06-15', successor: SONNET },
  'claude-opus-4-20250514': { since: '2026-06-15', successor: OPUS },
  'claude-opus-4-0': { since: '2026-06-15', successor: OPUS },
  'claude-3-haiku-20240307': { since: '2026-04-20', successor: HAIKU },
  'claude-3-5-haiku-20241022': { since: '2026-02-19', successor: HAIKU },
  'claude-3-5-haiku-latest': { since: '2026-02-19', successor: HAIKU },
  'claude-3-7-sonnet-20250219': { since: '2026-02-19', successor: SONNET },
  'claude-3-7-sonnet-latest': { since: '2026-02-19', successor: SONNET },
  'claude-3-opus-20240229': { since: '2026-01-05', successor: OPUS },
  'claude-3-opus-latest': { since: '2026-01-05', successor: OPUS },
  'claude-3-5-sonnet-20240620': { since: '2025-10-28', successor: SONNET },
  'claude-3-5-sonnet-20241022': { since: '2025-10-28', successor: SONNET },
  'claude-3-5-sonnet-latest': { since: '2025-10-28', successor: SONNET },
  'claude-3-sonnet-20240229': { since: '2025-07-21', successor: SONNET },
  'claude-2.1': { since: '2025-07-21', successor: OPUS },
  'claude-2.0': { since: '2025-07-21', successor: OPUS },
};

/** Returns when a model was or will be retired, or null where no retirement is known. */
export function retirementOf(model: string): Retirement | null {
  return Object.hasOwn(RETIRED, model) ? (RETIRED[model] ?? null) : null;
}
