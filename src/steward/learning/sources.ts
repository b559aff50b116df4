import type { BadRecord, InstinctRecord, TargetRecord, VaultRecord } from '../../vault/index/record.ts';
import { fold, sourceKey } from '../../vault/note-names.ts';
import type { InstinctFields } from '../../vault/records/instinct.ts';
import { discretionThreshold } from '../gates/gate.ts';
import type { Records } from '../ports/space.ts';
import { afterEdit, type Instinct, initialInstinct } from './instinct.ts';
import { fileName, otherFileName } from './instinct-note.ts';

/** Returns what has been learnt of a source: what its note says, or its prior where it has no note yet. */
export function instinctOf(space: Records, source: string): Instinct {
  const record = space.vault.catalogue.instinctOf(source);
  return record === null ? initialInstinct(source) : instinctFrom(record.fields, source);
}

/** Returns the instinct of every source that has a note. */
export function knownInstincts({ vault: { catalogue } }: Records): Instinct[] {
  return catalogue
    .instincts()
    .filter((record) => catalogue.instinctOf(nameOf(record))?.path === record.path)
    .map((record) => instinctFrom(record.fields, nameOf(record)));
}

/**
 * Returns how sure a signal of a source must be to be acted upon; null where the source is silent. A task's own
 * `discretion_threshold` wins over its matter's, and either over what experience says.
 */
export function thresholdOf(space: Records, source: string, target: TargetRecord | null): number | null {
  if (silenceOf(space, source) !== null) return null;
  const matter = target?.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const own = target?.fields.discretion_threshold ?? matter?.fields.discretion_threshold ?? null;
  return discretionThreshold(instinctOf(space, source).observations, own);
}

/**
 * Returns why the signals of a source wait and contribute nothing, or null where they count. A pruned source is silent
 * until a person pins it. One whose note cannot be read is silent until the note is mended: it may say anything.
 */
export function silenceOf(space: Records, source: string): string | null {
  const record = space.vault.catalogue.instinctOf(source);
  if (record !== null) {
    const isPruned = instinctFrom(record.fields, source).status === 'pruned';
    return isPruned ? `${source} is pruned; \`pinned: true\` in ${record.path} lets it speak again.` : null;
  }
  const named = [fileName(source), otherFileName(source)].flatMap((name) => namesakes(space, name));
  const about = space.vault.catalogue.bad().filter((note) => isOf(note, source));
  const bad = [...named, ...about].find(({ kind }) => kind === 'bad');
  return bad === undefined ? null : `${bad.path} cannot be read; ${source} waits until it is mended.`;
}

/**
 * Returns what a note's fields say about a source, taking what a person wrote there as it stands (contract, section 3).
 */
export function instinctFrom(fields: InstinctFields, source: string): Instinct {
  const { prior, confidence, pinned } = fields;
  return afterEdit(instinctAsLeft(fields, source), { prior, confidence, pinned });
}

/** Returns the instinct as the program left it in the note, before a person set or took away the pin. */
export function instinctAsLeft(fields: InstinctFields, source: string): Instinct {
  const lastNegative = fields.last_negative_at === null ? Number.NaN : Date.parse(fields.last_negative_at);
  // Only `pinned_by: steward` tells that the program set a pin; any other pin is a person's.
  const autoPinned = fields.pinned_by === 'steward';
  const start = initialInstinct(source, fields.prior ?? undefined);
  return {
    ...start,
    confidence: fields.confidence ?? start.confidence,
    observations: fields.observations,
    reversals: fields.reversals,
    status: fields.calibration_status,
    pinned: autoPinned,
    lastNegativeAt: Number.isFinite(lastNegative) ? lastNegative : null,
    countedUntil: fields.windows_counted_until === null ? null : Date.parse(fields.windows_counted_until),
    counters: {
      ticks: fields.ticks_pending,
      gave: fields.gave_signal,
      low: fields.ticks_low,
      high: fields.ticks_high,
      autoPinned,
    },
  };
}

/** Returns a free path for the note of a source that has none yet; null where a note in the way cannot be read. */
export function freePath(space: Records, source: string, taken: ReadonlySet<string>): string | null {
  const folder = space.vault.layout.folders.instinct;
  for (const name of [fileName(source), otherFileName(source)]) {
    const records = namesakes(space, name);
    const path = `${folder}/${name}.md`;
    if (records.length === 0 && !taken.has(path)) return path;
    if (records.some((record) => record.kind === 'bad')) return null; // it may be the source's own note, to be mended
  }
  return null;
}

/** Returns each source once, however it is spelled, the first spelling winning. */
export function distinct(sources: readonly string[]): string[] {
  return [...new Map(sources.toReversed().map((source) => [sourceKey(source), source])).values()].toReversed();
}

function isOf({ source: known }: BadRecord, source: string): boolean {
  return known !== undefined && sourceKey(known) === sourceKey(source);
}

function namesakes({ vault }: Records, name: string): VaultRecord[] {
  return vault.catalogue.named(name).filter(({ path, name: own }) => {
    return vault.layout.folderKindOf(path) === 'instinct' && fold(own) === fold(name);
  });
}

function nameOf(record: InstinctRecord): string {
  return record.fields.source_type ?? record.name;
}
