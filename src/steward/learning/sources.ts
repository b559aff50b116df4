import type { BadRecord, TargetRecord, VaultRecord } from '../../vault/index/record.ts';
import { sourceOf } from '../../vault/index-keys.ts';
import { fold, stem } from '../../vault/note-names.ts';
import { channelOf, patternOf, sourceKey } from '../../vault/source-names.ts';
import type { InstinctFields } from '../../vault/status-words.ts';
import { discretionThreshold } from '../gates-gate.ts';
import { afterEdit, carriedOver, type Instinct, initialInstinct, noteName, otherNoteName } from '../learning.ts';
import type { Records } from '../ports.ts';

/**
 * Returns what has been learnt of a source: what its note says. Without a note of its own a pattern starts at what its
 * channel has earned, and a channel at its prior.
 */
export function instinctOf(space: Records, source: string): Instinct {
  const record = space.vault.catalogue.instinctOf(source);
  if (record !== null) return instinctFrom(record.fields, source);
  if (patternOf(source) === null) return initialInstinct(source);
  return initialInstinct(source, instinctOf(space, channelOf(source)).confidence);
}

/** Returns the instinct of every source that has a note. */
export function knownInstincts({ vault: { catalogue } }: Records): Instinct[] {
  return catalogue
    .instincts()
    .filter((record) => catalogue.instinctOf(sourceOf(record))?.path === record.path)
    .map((record) => instinctFrom(record.fields, sourceOf(record)));
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
  const named = [noteName(source), otherNoteName(source)].flatMap((name) => namesakes(space, name));
  const about = space.vault.catalogue.bad().filter((note) => isOf(note, source));
  const bad = [...named, ...about].find(({ kind }) => kind === 'bad');
  if (bad !== undefined) return `${bad.path} cannot be read; ${source} waits until it is mended.`;
  // A pattern without a note of its own is as silent as its channel.
  return patternOf(source) === null ? null : silenceOf(space, channelOf(source));
}

/**
 * Returns what a note's fields say about a source, taking what a person wrote there as it stands (contract, section 3).
 */
export function instinctFrom(fields: InstinctFields, source: string): Instinct {
  const { prior, confidence, pinned } = fields;
  const left = instinctAsLeft(fields, source);
  if (!isOfOldRule(fields)) return afterEdit(left, { prior, confidence, pinned });
  // Its figures are the old rule's, not a person's; a pin may be, and so may the lack of one.
  const isOwnPin = pinned && fields.pinned_by === 'steward';
  return isOwnPin ? left : afterEdit(left, { prior: null, confidence: null, pinned });
}

/** Returns the instinct as the program left it in the note, before a person set or took away the pin. */
export function instinctAsLeft(fields: InstinctFields, source: string): Instinct {
  const lastNegative = fields.last_negative_at === null ? Number.NaN : Date.parse(fields.last_negative_at);
  const pinnedBy = PINNERS.find((who) => who === fields.pinned_by) ?? null;
  const start = initialInstinct(source, fields.prior ?? undefined);
  const { observations, wrong_in_a_row: wrongInARow, reversals } = fields;
  const wrong = fields.wrong ?? reversals;
  const left: Instinct = {
    ...start,
    confidence: fields.confidence ?? start.confidence,
    ...{ observations, wrong, wrongInARow, reversals },
    rightSinceReversal: fields.right_since_reversal,
    status: fields.calibration_status ?? (observations + wrong >= 3 ? 'live' : 'pending'),
    pinned: pinnedBy === 'steward' || (pinnedBy === 'person' && fields.pinned),
    pinnedBy,
    lastNegativeAt: Number.isFinite(lastNegative) ? lastNegative : null,
  };
  return isOfOldRule(fields) ? carriedOver(left) : left;
}

const PINNERS = ['steward', 'person'] as const;

/**
 * Whether the program wrote a note's figures before only outcomes taught. A note that a person made has no status.
 */
export function isOfOldRule({ learns_from: rule, calibration_status: status, pattern }: InstinctFields): boolean {
  return rule === null && status !== null && pattern === null;
}

/** Returns a free path for the note of a source that has none yet; null where a note in the way cannot be read. */
export function freePath(space: Records, source: string, taken: ReadonlySet<string>): string | null {
  const folder = space.vault.layout.folders.instinct;
  for (const name of [noteName(source), otherNoteName(source)]) {
    const path = `${folder}/${name}.md`;
    const records = namesakes(space, name).filter(
      (record) => patternOf(source) === null || fold(record.path) === fold(path),
    );
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

// The notes of the instinct folder that have this name, wherever in it they lie.
function namesakes({ vault }: Records, noteName: string): VaultRecord[] {
  const name = stem(noteName.endsWith('.md') ? noteName : `${noteName}.md`);
  return vault.catalogue.named(name).filter(({ path, name: own }) => {
    return vault.layout.folderKindOf(path) === 'instinct' && fold(own) === fold(name);
  });
}
