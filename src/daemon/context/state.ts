import { z } from 'zod';
import { type PlaneOrder, type PlaneSeen, planeOrder, planeSeen } from '../../plane/order.ts';
import { type SourceState, sourceState } from '../../source/source-state.ts';
import { budgetState, emptyBudget } from '../../steward/gates/budget.ts';
import { emptyGuard, rateGuardState } from '../../steward/gates/rate-guard.ts';
import { emptyLedger, ledgerState } from '../../steward/gates/usage-ledger.ts';
import { emptyNotify, type NotifyMemory, notifyMemory } from '../../steward/notify/memory.ts';
import { emptyPerception, perceptionState } from '../../steward/perception/memory.ts';
import { type AgentsState, agentsState, emptyAgents } from '../../stream/agents/room.ts';
import { batchState, emptyBatch } from '../../stream/batch-state.ts';
import { type EditsState, editsState, emptyEdits } from '../../stream/edits/room.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import { type KeptBytes, keptBytes } from '../../vault/transaction/displaced-files.ts';
import { StateFolder } from './remembered/state-folder.ts';
import { type StreamRead, streamRead } from './remembered/stream-read.ts';

/** When a target was last checked (epoch ms), and for how many checks it has been quiet. */
const cursor = z.object({ at: z.number(), streak: z.number().int().min(0) });
export type Cursor = z.infer<typeof cursor>;

const scheduleState = z.object({
  path: z.string(),
  last: z.number().nullable(),
  skipped: z.string().nullable(),
  streak: z.number().int().min(0),
  /** When a signal last ended the quiet (epoch ms). */
  heard: z.number().nullable().default(null),
});
type ScheduleState = z.infer<typeof scheduleState>;

/** A map keyed by text from the vault, where `constructor` and `toString` are names like any other. */
function keyed<Value>(value: z.ZodType<Value>): z.ZodType<Record<string, Value>> {
  // Not by `z.record`, which takes twice as long: this is most of what a start takes in a vault of many mails.
  return z.custom<Map<string, unknown> | object>(isObject, 'no entries').transform((entries, { issues }) => {
    const record: Record<string, Value> = ownOnly({});
    for (const [key, one] of entries instanceof Map ? entries : Object.entries(entries)) {
      const { data, error } = value.safeParse(one);
      if (error === undefined) record[key] = data;
      for (const { message, path } of error?.issues ?? [])
        issues.push({ code: 'custom', input: one, path: [key, ...path], message });
    }
    return record;
  });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownOnly<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.setPrototypeOf(record, null);
}

/** When it was last looked which files may leave the vault (epoch ms), by which settings, and how many left then. */
const retention = z.object({
  at: z.number(),
  settings: z.string(),
  streams: z.number().int(),
  events: z.number().int(),
  signals: z.number().int(),
});
export type RetentionState = z.infer<typeof retention>;

const NAMES = [
  'cursors',
  'schedules',
  'moves',
  'weighed',
  'streams',
  'kept',
  'guarded',
  'rate-guard',
  'budget',
  'ledger',
  'batch',
  'notices',
  'identity',
  'retention',
  'retired',
  'perception',
  'edits',
  'agents',
  'plane',
  'plane-seen',
  'sources',
  'fleeting',
  'cleared',
  'notify',
] as const;
type Name = (typeof NAMES)[number];

interface Values {
  /** Target path → cursor. */
  cursors: Record<string, Cursor>;
  /** Schedule name → what it last did. */
  schedules: Record<string, ScheduleState>;
  /** Former path of a matter or task → its path now. */
  moves: Record<string, string>;
  /** Signal name → when it was weighed (epoch ms). */
  weighed: Record<string, number>;
  /** Stream file → what it gave. Each file is read once. */
  streams: Record<string, StreamRead>;
  /** Bytes of people that were found next to a note, and the files that keep them. */
  kept: KeptBytes[];
  /** Target and window → until when (epoch ms) no further `rate_guarded` note is written for them. */
  guarded: Record<string, number>;
  'rate-guard': z.infer<typeof rateGuardState>;
  budget: z.infer<typeof budgetState>;
  ledger: z.infer<typeof ledgerState>;
  batch: z.infer<typeof batchState>;
  /** Change of the program → when the vault was told of it (epoch ms). */
  notices: Record<string, number>;
  /** What tells this vault from others, wherever it lies; empty until it is first needed. */
  identity: { id: string };
  retention: RetentionState;
  /** What has left the vault, a hash of a stream file's bytes or a signal's name → when (epoch ms). It is not read again. */
  retired: Record<string, number>;
  /** What each look at a note without a signal found. */
  perception: z.infer<typeof perceptionState>;
  /** How many edits by hand were heard today. */
  edits: EditsState;
  /** What agents have handed in in the last day. */
  agents: AgentsState;
  /** Event note's name → what Plane is to be told of it. */
  plane: Record<string, PlaneOrder>;
  /** Plane project → what was last seen there. */
  'plane-seen': Record<string, PlaneSeen>;
  /** Source → what is remembered of it. */
  sources: Record<string, SourceState>;
  /** Mail that is fetched only to be read, and still lies in the vault or is about to → since when (epoch ms). */
  fleeting: Record<string, number>;
  /** Those that were deleted once they had been read, and gave signals → when (epoch ms). */
  cleared: Record<string, number>;
  /** What was said, and what is still to be. */
  notify: NotifyMemory;
}
const SCHEMAS: { readonly [N in Name]: z.ZodType<Values[N]> } = {
  cursors: keyed(cursor),
  schedules: keyed(scheduleState),
  moves: keyed(z.string()),
  weighed: keyed(z.number()),
  streams: keyed(streamRead),
  kept: z.array(keptBytes),
  guarded: keyed(z.number()),
  'rate-guard': rateGuardState,
  budget: budgetState,
  ledger: ledgerState,
  batch: batchState,
  notices: keyed(z.number()),
  identity: z.object({ id: z.string() }),
  retention,
  retired: keyed(z.number()),
  perception: perceptionState,
  edits: editsState,
  agents: agentsState,
  plane: keyed(planeOrder),
  'plane-seen': keyed(planeSeen),
  sources: keyed(sourceState),
  fleeting: keyed(z.number()),
  cleared: keyed(z.number()),
  notify: notifyMemory,
};

const EMPTY: { readonly [N in Name]: () => Values[N] } = {
  cursors: () => ownOnly({}),
  schedules: () => ownOnly({}),
  moves: () => ownOnly({}),
  weighed: () => ownOnly({}),
  streams: () => ownOnly({}),
  kept: () => [],
  guarded: () => ownOnly({}),
  'rate-guard': emptyGuard,
  budget: emptyBudget,
  ledger: emptyLedger,
  batch: emptyBatch,
  notices: () => ownOnly({}),
  identity: () => ({ id: '' }),
  retention: () => ({ at: 0, settings: '', streams: 0, events: 0, signals: 0 }),
  retired: () => ownOnly({}),
  perception: emptyPerception,
  edits: emptyEdits,
  agents: emptyAgents,
  plane: () => ownOnly({}),
  'plane-seen': () => ownOnly({}),
  sources: () => ownOnly({}),
  fleeting: () => ownOnly({}),
  cleared: () => ownOnly({}),
  notify: emptyNotify,
};

/** The names under which there is an entry for each file or note: to save them costs what has changed. */
const GROWING: readonly Name[] = [
  'cursors',
  'schedules',
  'moves',
  'weighed',
  'streams',
  'guarded',
  'retired',
  'plane',
  'plane-seen',
  'sources',
  'fleeting',
  'cleared',
];

const NOTHING: ReadonlySet<string> = new Set();

/**
 * What the program must remember between ticks and restarts, each noun by itself under `.steward/state`. Undoing an
 * action needs none of it: what that takes is in the notes.
 */
export class State {
  readonly #files: StateFolder;
  readonly #demand: () => void;
  readonly #values: Partial<Values> = {};
  /** What has changed since it was written: the entries under these keys, or all where they are null. */
  readonly #changed = new Map<Name, Set<string> | null>();
  /** What has changed and may be written later: where it is lost, a quiet look is only made once more. */
  readonly #later = new Map<Name, Set<string>>();

  /** `demand` throws where the folder is no longer this process's to write to. */
  constructor(folder: string, demand: () => void = () => {}) {
    this.#files = new StateFolder(folder, GROWING);
    this.#demand = demand;
  }

  /** What could not be read. */
  get troubles(): readonly Diagnostic[] {
    return this.#files.troubles;
  }

  /**
   * Reads all files, so that none has to be read later, and moves aside what is damaged. Throws (exit 75) where the disk
   * refuses an existing file: without its content nothing may be decided.
   */
  load(): void {
    for (const name of NAMES) {
      this.get(name);
      this.#files.setAside(name);
    }
    if (this.#files.refused !== null) throw this.#files.refused;
  }

  /** Returns the value under a name, read from disk at first use. After a change in place, call `touch`. */
  get<N extends Name>(name: N): Values[N] {
    const value: Values[N] = this.#values[name] ?? this.#read(name);
    this.#values[name] = value;
    return value;
  }

  /** Replaces the value under a name; the next flush writes it. */
  set<N extends Name>(name: N, value: Values[N]): void {
    this.get(name); // what is on disk is replaced
    this.#values[name] = value;
    this.#changed.set(name, null);
  }

  /**
   * Marks the value under a name as changed in place; the next flush writes it. `key`: the entry that has changed, and no
   * other; without it all may have.
   */
  touch(name: Name, key?: string): void {
    const changed = this.#changed.get(name);
    if (key === undefined || changed === null) this.#changed.set(name, null);
    else this.#changed.set(name, (changed ?? new Set()).add(key));
  }

  /** Marks an entry whose loss would only have a quiet look made once more: `flushPressing` leaves it to a later flush. */
  touchLater(name: Name, key: string): void {
    this.#later.set(name, (this.#later.get(name) ?? new Set()).add(key));
  }

  /** Writes all that changed since the last flush. Throws what the disk refuses. */
  flush(): void {
    for (const name of new Set([...this.#changed.keys(), ...this.#later.keys()])) this.save(name);
  }

  /** The same, but for what may be written later. */
  flushPressing(): void {
    for (const name of [...this.#changed.keys()]) this.save(name);
  }

  /** Writes one value to disk now; of what grows, what was marked as changed. Throws what the disk refuses. */
  save(name: Name): void {
    this.#demand();
    const value = this.get(name);
    this.#files.write(name, value, this.#marked(name));
    this.#changed.delete(name);
    this.#later.delete(name);
  }

  #marked(name: Name): ReadonlySet<string> | null {
    const changed = this.#changed.get(name);
    return changed === null ? null : (changed ?? NOTHING).union(this.#later.get(name) ?? NOTHING);
  }

  #read<N extends Name>(name: N): Values[N] {
    const raw = this.#files.read(name);
    if (raw === undefined) return EMPTY[name]();
    const parsed = SCHEMAS[name].safeParse(raw);
    const left = parsed.success ? raw : this.#files.reject(name, raw, parsed.error);
    if (this.#files.isOwed(name) && !this.#changed.has(name)) this.#changed.set(name, new Set());
    if (parsed.success) return parsed.data;
    return left === undefined ? EMPTY[name]() : (SCHEMAS[name].safeParse(left).data ?? EMPTY[name]());
  }
}
