import { setTimeout as pause } from 'node:timers/promises';
import { StewardError } from '../steward.ts';
import type { HostEvent } from './host-log.ts';
import type { Registry } from './registry.ts';
import type { Sleepers } from './sleepers.ts';
import type { Standing, Standings } from './standings.ts';

/** Nothing is visited twice within this time (ms), whatever the visit says. */
const LEAST_MS = 1_000;
/** How long (ms) a vault is left alone whose visit came to nothing: at first, and at most. */
const TROUBLE_MS = 5_000;
const MOST_TROUBLE_MS = 300_000;
/** A vault that cannot be watched is visited as often (ms). */
const UNWATCHED_MS = 300_000;
/** A vault in which a visit finds something newer each time is left alone (ms) after so many looks. */
const MOST_LOOKS = 3;
const RESTLESS_MS = 5_000;
/** The clock of files is behind: what a look itself wrote last is older than the next look (ms). */
const BETWEEN_LOOKS_MS = 50;

/** Visits the vault at a path. Returns until when nothing is to be done (epoch ms; null: until something changes). */
export type VisitVault = (root: string, stop: AbortSignal) => Promise<{ readonly until: number | null }>;

interface HostVisitsParts {
  readonly registry: Registry;
  readonly standings: Standings;
  readonly sleepers: Sleepers;
  readonly visitVault: VisitVault;
  /** Folders among whose subfolders a vault is looked for that is not known here. */
  readonly folders: readonly string[];
  readonly now: () => number;
  readonly emit: (event: HostEvent) => void;
}

/** Visits vaults of this host. What comes of a visit is until when the vault sleeps: never what was in it. */
export class HostVisits {
  readonly #parts: HostVisitsParts;
  readonly #running = new Set<{ readonly id: string; readonly began: number }>();

  constructor(parts: HostVisitsParts) {
    this.#parts = parts;
  }

  /** Whether a visit of a vault goes on. */
  isVisiting(id: string): boolean {
    return this.#running.values().some((visit) => visit.id === id);
  }

  /** For how long (ms) the oldest of the visits that go on has lasted; 0 if none does. */
  get oldestMs(): number {
    const [oldest] = this.#running;
    return oldest === undefined ? 0 : Math.round(performance.now() - oldest.began);
  }

  /**
   * Visits a vault, again while something newer is found. Returns how it was left, and until when it sleeps.
   * A vault that cannot be visited now sleeps as well, longer each time, and so does one whose visit failed by a bug. Throws
   * `BrokenOff` if `stop` ends it or the vault was lost.
   */
  async visit(id: string, stop: AbortSignal): Promise<Standing> {
    const { standings, sleepers, now, emit } = this.#parts;
    const before = standings.get(id);
    const began = now();
    sleepers.begin(id);
    const visit = { id, began: performance.now() };
    this.#running.add(visit);
    let isThere = false;
    let left: Standing;
    try {
      left = await this.#lookUntilQuiet(id, before, stop);
      isThere = left.code !== 'vault-unknown';
    } catch (error) {
      sleepers.end(id);
      emit({ what: 'broken-off', vault: id, code: error instanceof BrokenOff ? error.code : 'fault' });
      throw error;
    } finally {
      this.#running.delete(visit);
    }
    standings.set(id, left); // before it is heard again: what it is compared with
    if (!sleepers.end(id) && isThere) {
      emit({ what: 'unwatched', vault: id });
      left = { ...left, until: Math.min(left.until ?? Number.POSITIVE_INFINITY, now() + UNWATCHED_MS) };
      standings.set(id, left);
    }
    emit({
      what: 'visited',
      vault: id,
      until: left.until === null ? null : new Date(left.until).toISOString(),
      ms: now() - began,
      late_ms: before?.until == null || before.until > began ? null : began - before.until,
      code: left.code,
    });
    return left;
  }

  async #lookUntilQuiet(id: string, before: Standing | null, stop: AbortSignal): Promise<Standing> {
    const { sleepers, visitVault, now } = this.#parts;
    for (let looks = 1; ; looks += 1) {
      const seen = now();
      const { until, code } = await refusalOf(() => visitVault(this.#demandRoot(id), stop));
      if (stop.aborted || code === 'lock-lost') throw new BrokenOff(code ?? 'stopped');
      if (code !== null) return this.#trouble(before, code);
      await pause(BETWEEN_LOOKS_MS);
      if (!(await sleepers.isChangedSince(id, seen))) return this.#slept(seen, until);
      if (looks === MOST_LOOKS)
        return this.#slept(seen, Math.min(until ?? Number.POSITIVE_INFINITY, now() + RESTLESS_MS));
    }
  }

  #demandRoot(id: string): string {
    const { registry, folders } = this.#parts;
    const root = registry.pathOf(id) ?? registry.find(id, folders);
    if (root !== null) return root;
    throw new StewardError({ code: 'vault-unknown', message: `${id} isn't known here.`, hint: 'Add it.' });
  }

  #slept(seen: number, until: number | null): Standing {
    const at = this.#parts.now();
    return { seen, at, until: until === null ? null : Math.max(until, at + LEAST_MS), code: null, troubles: 0 };
  }

  #trouble(before: Standing | null, code: string): Standing {
    const at = this.#parts.now();
    const troubles = (before?.troubles ?? 0) + 1;
    const until = at + Math.min(MOST_TROUBLE_MS, TROUBLE_MS * 2 ** Math.min(troubles - 1, 10));
    return { seen: before?.seen ?? 0, at, until, code, troubles };
  }
}

/** A visit that has no answer, since it was stopped or another has the vault; `code` says which. */
export class BrokenOff extends Error {
  readonly code: string;

  constructor(code: string) {
    super('The visit was broken off.');
    this.code = code;
  }
}

type Came = { readonly until: number | null; readonly code: string | null };

// An error without a code is a bug in the work on this vault. The engine would repeat the visit, and ignore nudges meanwhile.
async function refusalOf(visit: () => Promise<{ readonly until: number | null }>): Promise<Came> {
  try {
    return { until: (await visit()).until, code: null };
  } catch (error) {
    if (process.env.STEWARD_DEBUG === '1') console.error(error);
    return { until: null, code: error instanceof StewardError ? error.trouble.code : 'vault-fault' };
  }
}
