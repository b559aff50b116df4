import type { MetricMeter } from '@temporalio/common';
import type { SharedBudget } from '../steward.ts';
import type { HostEvent } from './host-log.ts';

type SpentBudget = ReturnType<SharedBudget['spent']>;

/**
 * Returns who counts what a host says, for Prometheus. No figure names a vault. `spent`: the budget of all vaults; null if there
 * isn't one.
 */
export function meters(meter: MetricMeter, spent: () => SpentBudget | null): (event: HostEvent) => void {
  const visits = meter.createCounter('steward_fleet_visits', undefined, 'Visits, by how they ended.');
  const took = meter.createHistogram('steward_fleet_visit_ms', 'int', 'ms', 'How long a visit took.');
  const late = meter.createHistogram('steward_fleet_late_ms', 'int', 'ms', 'How long after its time a visit began.');
  const nudges = meter.createCounter('steward_fleet_nudges', undefined, 'Vaults that changed while they slept.');
  const unwatched = meter.createCounter('steward_fleet_unwatched', undefined, 'Vaults that could not be watched.');
  const gauges = {
    vaults: meter.createGauge('steward_fleet_vaults', 'int', undefined, 'Vaults that this host knows.'),
    overdue: meter.createGauge('steward_fleet_overdue', 'int', undefined, 'Vaults whose visit is over a minute late.'),
    unkept: meter.createGauge('steward_fleet_unkept', 'int', undefined, 'Vaults without a workflow.'),
    locked: meter.createGauge('steward_fleet_locked', 'int', undefined, 'Vaults that another process has locked.'),
    unknown: meter.createGauge('steward_fleet_unknown', 'int', undefined, 'Workflows of vaults not known here.'),
    oldest_visit_ms: meter.createGauge(
      'steward_fleet_oldest_visit_ms',
      'int',
      'ms',
      'How long the oldest visit lasts.',
    ),
  };
  const repaired = meter.createCounter('steward_fleet_repaired', undefined, 'Vaults that got a workflow again.');
  const budget = budgetMeters(meter, spent);
  return (event) => {
    if (event.what === 'visited' || event.what === 'reconciled') budget();
    if (event.what === 'repaired') repaired.add(1);
    if (event.what === 'reconciled')
      for (const [name, gauge] of Object.entries(gauges)) gauge.set(event[name as keyof typeof gauges]);
    if (event.what === 'nudged') nudges.add(1);
    if (event.what === 'unwatched') unwatched.add(1);
    if (event.what !== 'visited') return;
    visits.add(1, { code: event.code ?? 'done' });
    took.record(event.ms);
    if (event.late_ms !== null) late.record(event.late_ms);
  };
}

function budgetMeters(meter: MetricMeter, spent: () => SpentBudget | null): () => void {
  const gauge = (name: string, words: string) =>
    meter.createGauge(`steward_fleet_budget_${name}`, 'float', undefined, words);
  const used = {
    usd: gauge('spent_usd', 'US dollars spent on models in 24 hours.'),
    tokens: gauge('spent_tokens', 'Tokens used in 24 hours.'),
  };
  const limits = { usd: gauge('usd', 'The limit of US dollars.'), tokens: gauge('tokens', 'The limit of tokens.') };
  return () => {
    const now = spent();
    for (const unit of ['usd', 'tokens'] as const) {
      const cap = now?.caps[unit] ?? null;
      if (now === null || cap === null) continue;
      used[unit].set(now[unit]);
      limits[unit].set(cap);
    }
  };
}
