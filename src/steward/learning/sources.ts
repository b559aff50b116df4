import type { BadRecord, InstinctRecord, TargetRecord, VaultRecord } from '../../vault/index/record.ts';
import { fold, sourceKey } from '../../vault/note-names.ts';
import type { InstinctFields } from '../../vault/records/instinct.ts';
import { discretionThreshold } from '../gates/gate.ts';
import type { Records } from '../ports/space.ts';
import { afterEdit, type Instinct, initialInstinct } from './instinct.ts';
import { fileName, otherFileName } from './instinct-note.ts';

/** What has been learnt of a source: its note, or its prior where it has none yet. */
export function instinctOf(space: Records, source: string): Instinct {
  const record = space.vault.catalogue.instinctOf(source);
  return record === null ? initialInstinct(source) : instinctFrom(record.fields, source);
}

/** Every source that has a note, by name. */
export function knownInstincts({ vault: { catalogue } }: Records): Instinct[] {
  return catalogue
    .instincts()
    .filter((record) => catalogue.instinctOf(nameOf(record))?.path === record.path)
    .map((record) => instinctFrom(record.fields, nameOf(record)));
}

/**
 * How sure a signal of a source must be to be acted upon; null where nothing of it is acted upon. A note's own
 * `discretion_threshold` wins over what experience says, and a matter's over its tasks, unless a task has one itself.
 */
export function thresholdOf(space: Records, source: string, target: TargetRecord | null): number | null {
  if (silenceOf(space, source) !== null) return null;
  const matter = target?.kind === 'task' ? space.vault.catalogue.matterOf(target) : null;
  const own = target?.fields.discretion_threshold ?? matter?.fields.discretion_threshold ?? null;
  return discretionThreshold(instinctOf(space, source).observations, own);
}

/**
 * Why the signals of a source wait and contribute nothing, or null where they are heard. Of a source that is pruned
 * until a person pins it; of one whose note cannot be read until it is mended, since nobody knows what it said.
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

/** What a note's fields say of a source, with what a person wrote there taken as it stands (contract, section 3). */
export function instinctFrom(fields: InstinctFields, source: string): Instinct {
  const { prior, confidence, pinned } = fields;
  return afterEdit(instinctAsLeft(fields, source), { prior, confidence, pinned });
}

/** The same before the person's pin, or its taking away, is heeded: as the program left the note. */
export function instinctAsLeft(fields: InstinctFields, source: string): Instinct {
  const lastNegative = fields.last_negative_at === null ? Number.NaN : Date.parse(fields.last_negative_at);
  // A pin that is not its own came from a person, and one of its own may have been taken away.
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

/** Where the note of a source that has none yet may be made; null where what stands there is nobody's to replace. */
export function placeFor(space: Records, source: string, taken: ReadonlySet<string>): string | null {
  const folder = space.vault.layout.folders.instinct;
  for (const name of [fileName(source), otherFileName(source)]) {
    const there = namesakes(space, name);
    const path = `${folder}/${name}.md`;
    if (there.length === 0 && !taken.has(path)) return path;
    if (there.some((entry) => entry.kind === 'bad')) return null; // perhaps its own note, to be mended
  }
  return null;
}

/** Each source once, in whatever letters it is written. */
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
