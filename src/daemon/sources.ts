import { discretionThreshold } from '../steward/gate.ts';
import { type Instinct, initialInstinct } from '../steward/instinct.ts';
import type { FieldEdit } from '../vault/edit.ts';
import { noteText } from '../vault/event-note.ts';
import type { Step } from '../vault/journal.ts';
import type { InstinctRecord, TargetRecord } from '../vault/record.ts';
import type { Frontmatter } from '../vault/records/values.ts';
import { utc } from '../vault/time.ts';
import { followStep } from './steps.ts';
import type { Workspace } from './workspace.ts';

/** What has been learnt of a source: its note, or its prior where it has none yet. */
export function instinctOf(space: Workspace, source: string): Instinct {
  const record = space.vault.catalogue.instinctOf(source);
  return record === null ? initialInstinct(source) : fromRecord(record, source);
}

/**
 * How sure a signal of a source must be to be acted upon. A note's own `discretion_threshold` wins over what experience
 * says, and a matter's over its tasks, unless a task has one itself.
 */
export function thresholdOf(space: Workspace, source: string, target: TargetRecord | null): number {
  const matter = target?.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const own = target?.fields.discretion_threshold ?? matter?.fields.discretion_threshold ?? null;
  return discretionThreshold(instinctOf(space, source).observations, own);
}

export interface Calibration {
  readonly source: string;
  readonly before: number;
  readonly after: number;
}

/** The steps that move the instincts of some sources, and what each moved from and to. */
export function calibrate(
  space: Workspace,
  sources: readonly string[],
  move: (instinct: Instinct) => Instinct,
): { steps: Step[]; calibrations: Calibration[] } {
  const steps: Step[] = [];
  const calibrations: Calibration[] = [];
  for (const source of sources) {
    const before = instinctOf(space, source);
    const after = move(before);
    const step = stepFor(space, source, after);
    if (step === null) continue;
    steps.push(step);
    calibrations.push({ source, before: before.confidence, after: after.confidence });
  }
  return { steps, calibrations };
}

function stepFor(space: Workspace, source: string, after: Instinct): Step | null {
  const record = space.vault.catalogue.instinctOf(source);
  if (record !== null) return followStep(space, record.path, (data) => fieldEdits(after, data));
  const path = `${space.vault.layout.folders.instinct}/${fileName(source)}.md`;
  // A note under that name that is not an instinct of this source is a person's; it is not replaced.
  if (space.vault.catalogue.get(path) !== undefined) return null;
  return { do: 'create', path, text: instinctNote(after) };
}

function fieldEdits(after: Instinct, data: Frontmatter): FieldEdit[] {
  const figures: readonly [string, number | string | null][] = [
    ['confidence', after.confidence],
    ['observations', after.observations],
    ['reversals', after.reversals],
    ['last_negative_at', after.lastNegativeAt === null ? null : utc(after.lastNegativeAt)],
  ];
  return figures
    .filter(([field, value]) => value !== (data[field] ?? null) && !(value === 0 && data[field] === undefined))
    .map(([field, value]) => ({ op: 'set', field, value }));
}

function instinctNote(instinct: Instinct): string {
  const frontmatter = {
    type: 'instinct',
    source_type: instinct.source,
    prior: instinct.prior,
    confidence: instinct.confidence,
    observations: instinct.observations,
    reversals: instinct.reversals,
    calibration_status: instinct.status,
    pinned: instinct.pinned,
    last_negative_at: instinct.lastNegativeAt === null ? null : utc(instinct.lastNegativeAt),
  };
  return noteText(frontmatter, `What has been learnt of \`${instinct.source}\`: how often its signals were right.`);
}

function fromRecord({ fields }: InstinctRecord, source: string): Instinct {
  const start = initialInstinct(source, fields.prior ?? undefined);
  const lastNegative = fields.last_negative_at === null ? Number.NaN : Date.parse(fields.last_negative_at);
  return {
    ...start,
    confidence: fields.confidence ?? start.confidence,
    observations: fields.observations,
    reversals: fields.reversals,
    status: fields.calibration_status,
    pinned: fields.pinned,
    lastNegativeAt: Number.isFinite(lastNegative) ? lastNegative : null,
  };
}

// A source's name comes from outside: only plain letters make a file name.
function fileName(source: string): string {
  const plain = source
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60);
  return plain === '' ? 'other' : plain;
}
