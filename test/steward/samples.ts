import type { MutationContext } from '../../src/steward/change.ts';
import type { EvaluatorQuestion, WeighedSignal } from '../../src/steward/types.ts';
import { type SignalFields, type State, signalFields } from '../../src/vault/record.ts';

export const NOW = Date.UTC(2026, 10, 21, 20, 19, 54);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function signal(parts: Partial<WeighedSignal> = {}): WeighedSignal {
  const id = parts.id ?? '2026-11-21T20-19-54Z-0a1b2c3d';
  return {
    path: `signal/${id}.md`,
    id,
    source: 'gmail',
    effect: 'mutation',
    effectConfidence: 0.93,
    targetConfidence: 1,
    ageMs: 0,
    headline: 'Invoice paid',
    quote: 'your invoice is paid',
    proposal: { class: 'state_change', set: { state: 'done' }, add: {}, remove: {} },
    ...parts,
  };
}

export function question(signals: readonly WeighedSignal[], state: State = 'open'): EvaluatorQuestion {
  const fields = { type: 'task', state };
  return {
    target: { kind: 'task', path: 'task/pay.md', name: 'pay', state, fields, matter: 'house' },
    signals,
    now: NOW,
  };
}

export function context(parts: Partial<MutationContext> = {}): MutationContext {
  return {
    kind: 'task',
    fields: {},
    state: 'open',
    stateField: 'state',
    editable: [],
    protectedFields: [],
    words: [],
    matterExists: (link) => link.includes('house'),
    noteExists: (link) => /anna|bob|acme/i.test(link),
    today: '2026-11-21',
    ...parts,
  };
}

export function fields(parts: Record<string, unknown> = {}): SignalFields {
  const mutation_proposal = { class: 'state_change', set: { state: 'done' } };
  return signalFields.parse({ effect: 'mutation', effect_confidence: 0.97, mutation_proposal, ...parts });
}
