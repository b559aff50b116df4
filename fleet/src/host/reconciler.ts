import type { Keepers } from '../engine/keepers.ts';
import { lockHolder, ownPlaces } from '../steward.ts';
import type { HostEvent } from './host-log.ts';
import type { Registry } from './registry.ts';
import type { Standings } from './standings.ts';
import type { HostVisits } from './visits.ts';

/** How often (ms) registry, workflows and locks are compared. */
const EVERY_MS = 60_000;
/** A vault is overdue if its visit hasn't begun so long (ms) after its time. */
const LATE_MS = 60_000;
/** A new vault is visited first within this time (ms), also if thousands are added together. */
const FIRST_VISIT_MS = 20 * 60_000;

interface ReconcilerParts {
  readonly registry: Registry;
  readonly standings: Standings;
  readonly visits: Pick<HostVisits, 'isVisiting' | 'oldestMs'>;
  readonly keepers: Pick<Keepers, 'keptOn' | 'keptBy' | 'wasEnded' | 'start'>;
  /** Has a vault visited now. */
  readonly nudge: (id: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: HostEvent) => void;
}

/**
 * Compares what this host knows of its vaults with what the engine does, and repairs what it can: a vault without a workflow
 * gets one, and one that is overdue is nudged.
 */
export class Reconciler {
  readonly #parts: ReconcilerParts;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  /** Compares now, and once a minute until `close`. If the engine is away, the next time compares. */
  start(): void {
    if (this.#isClosed) return;
    void this.check()
      .catch(() => {})
      .then(() => {
        if (!this.#isClosed) this.#timer = setTimeout(() => this.start(), EVERY_MS).unref();
      });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Compares once. Rejects with the engine's error. */
  async check(): Promise<void> {
    const { registry, keepers, visits, emit } = this.#parts;
    const [ids, kept] = [registry.ids(), await keepers.keptOn(registry.host)];
    const found = { vaults: ids.length, kept_elsewhere: 0, unkept: 0, overdue: 0, locked: 0 };
    for (const id of ids) {
      // The engine's list is some seconds late.
      const by = kept.has(id) ? registry.host : await keepers.keptBy(id);
      if (by === null && !(await this.#repair(id))) found.unkept += 1;
      if (by !== null && by !== registry.host) found.kept_elsewhere += 1;
      if (by !== registry.host || visits.isVisiting(id)) continue;
      if (this.#isLocked(id)) found.locked += 1;
      if (!isOverdue(id, this.#parts)) continue;
      found.overdue += 1;
      await this.#parts.nudge(id);
    }
    const unknown = [...kept].filter((id) => !ids.includes(id)).length;
    emit({ what: 'reconciled', ...found, unknown, oldest_visit_ms: visits.oldestMs });
  }

  // A vault that was removed elsewhere stays without a workflow.
  async #repair(id: string): Promise<boolean> {
    const { registry, keepers, emit } = this.#parts;
    if (registry.addedAt(id) === null) return true; // removed just now
    if (await keepers.wasEnded(id)) return false;
    const { isNew } = await keepers.start(id, registry.host);
    if (isNew) emit({ what: 'repaired', vault: id });
    return true;
  }

  #isLocked(id: string): boolean {
    const root = this.#parts.registry.readablePathOf(id);
    return root !== null && lockHolder(ownPlaces(root).lock, this.#parts.now()) !== null;
  }
}

/** Whether a vault should have been visited by now, and wasn't. */
export function isOverdue(
  id: string,
  { registry, standings, now }: Pick<ReconcilerParts, 'registry' | 'standings' | 'now'>,
): boolean {
  const left = standings.get(id);
  if (left !== null) return left.until !== null && left.until + LATE_MS < now();
  const added = registry.addedAt(id);
  return added !== null && added + FIRST_VISIT_MS < now();
}
