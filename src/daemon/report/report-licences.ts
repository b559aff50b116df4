import type { Case } from '../../steward/hindsight/scorecard.ts';
import { lackWords } from '../../steward/trust/licence-words.ts';
import { type Licence, licencesOn, licensingMatter } from '../../steward/trust/licences.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { sourceKey } from '../../vault/source-names.ts';
import type { IndexAccess } from '../context/ports.ts';

/** The licence of a source on a matter that it has led to decisions about. */
export interface ReportedLicence extends Licence {
  /** The name of the matter, or of a task without one. */
  readonly where: string;
  /** What it lacks to act there by itself, in plain words; null where it lacks nothing, or never acts by itself. */
  readonly lack: string | null;
}

/**
 * Returns the licence of each source on each matter that some cases are about, the one that has shown most first. What
 * is over needs none. Lets other work run between.
 */
export async function licencesIn(space: IndexAccess, cases: readonly Case[]): Promise<ReportedLicence[]> {
  const licences: ReportedLicence[] = [];
  for (const place of placesIn(space, cases).values()) {
    licences.push(...licencesAt(space, place));
    await new Promise(setImmediate);
  }
  return licences.sort((one, other) => other.right - one.right || (keyOf(one) < keyOf(other) ? -1 : 1));
}

function licencesAt(space: IndexAccess, { target, where, sources }: Place): ReportedLicence[] {
  return licencesOn(space, target)
    .filter(({ source }) => sources.has(sourceKey(source)))
    .map((licence) => ({ ...licence, where, lack: lackWords(licence, where) }));
}

/** A matter with the sources that spoke about it, and a note of it that stands for the others. */
interface Place {
  readonly target: TargetRecord;
  readonly where: string;
  readonly sources: ReadonlySet<string>;
}

// The newest case stands for its matter: a task may name senders that its matter does not name.
function placesIn(space: IndexAccess, cases: readonly Case[]): Map<string, Place> {
  const { catalogue } = space.vault;
  const places = new Map<string, Place>();
  for (const { target: path, sources } of cases) {
    const target = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
    if ((target?.kind !== 'task' && target?.kind !== 'matter') || isOver(space, target)) continue;
    const where = licensingMatter(space, target) ?? target.name;
    const known = places.get(where)?.sources ?? [];
    places.set(where, { target, where, sources: new Set([...known, ...sources.map(sourceKey)]) });
  }
  return places;
}

function isOver({ vault: { catalogue } }: IndexAccess, target: TargetRecord): boolean {
  const { state } = (target.kind === 'task' ? catalogue.matterOf(target) : target)?.fields ?? target.fields;
  return state === 'done' || state === 'archived';
}

function keyOf({ source, where }: ReportedLicence): string {
  return `${source} ${where}`;
}
