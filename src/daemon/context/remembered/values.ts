import { z } from 'zod';
import { type PlaneOrder, type PlaneSeen, planeOrder, planeSeen } from '../../../plane/order.ts';
import { type SourceState, sourceState } from '../../../source/source-state.ts';
import { budgetState, emptyBudget } from '../../../steward/gates/budget.ts';
import { emptyGuard, rateGuardState } from '../../../steward/gates/rate-guard.ts';
import { emptyLedger, ledgerState } from '../../../steward/gates/usage-ledger.ts';
import { emptyNotify, type NotifyMemory, notifyMemory } from '../../../steward/notify/memory.ts';
import { emptyPerception, perceptionState, type Seen, seen } from '../../../steward/perception/memory.ts';
import { type AgentsState, agentsState, emptyAgents } from '../../../stream/agents/room.ts';
import { batchState, emptyBatch } from '../../../stream/batch-state.ts';
import { type EditsState, editsState, emptyEdits } from '../../../stream/edits/room.ts';
import { type KeptBytes, keptBytes } from '../../../vault/transaction/displaced-files.ts';
import { type FaultEntry, faultEntry } from './fault-entry.ts';
import { type StreamRead, streamRead } from './stream-read.ts';

/** When a target was last checked (epoch ms), and for how many checks it has been quiet. */
const cursor = z.object({ at: z.number(), streak: z.number().int().min(0) });
export type Cursor = z.infer<typeof cursor>;

const scheduleState = z.lazy(() =>
  z.object({
    path: z.string(),
    last: z.number().nullable(),
    skipped: z.string().nullable(),
    streak: z.number().int().min(0),
    /** When a signal last ended the quiet (epoch ms). */
    heard: z.number().nullable().default(null),
    /** When it last fired (epoch ms), where that tick was skipped or is not over. */
    fired: z.number().nullable().default(null),
    /** When it is to fire next (epoch ms). */
    due: z.number().nullable().default(null),
  }),
);
type ScheduleState = z.infer<typeof scheduleState>;

/** A map keyed by text from the vault, where `constructor` and `toString` are names like any other. */
function keyed<Value>(value: z.ZodType<Value>): z.ZodType<Record<string, Value>> {
  // Not by `z.record`, which takes twice as long: this is most of what a start takes in a vault of many mails.
  return z.lazy(() =>
    z.custom<Map<string, unknown> | object>(isObject, 'no entries').transform((entries, { issues }) => {
      const record: Record<string, Value> = ownOnly({});
      for (const [key, one] of entries instanceof Map ? entries : Object.entries(entries)) {
        const { data, error } = value.safeParse(one);
        if (error === undefined) record[key] = data;
        for (const { message, path } of error?.issues ?? [])
          issues.push({ code: 'custom', input: one, path: [key, ...path], message });
      }
      return record;
    }),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownOnly<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.setPrototypeOf(record, null);
}

/** When it was last looked which files may leave the vault (epoch ms), by which settings, and how many left then. */
const retention = z.lazy(() =>
  z.object({
    at: z.number(),
    settings: z.string(),
    streams: z.number().int(),
    events: z.number().int(),
    signals: z.number().int(),
  }),
);
export type RetentionState = z.infer<typeof retention>;

/** All names that something is remembered under. */
export const NAMES = [
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
  'settings',
  'retention',
  'retired',
  'perception',
  'perceived',
  'touched',
  'edits',
  'agents',
  'plane',
  'plane-seen',
  'sources',
  'fleeting',
  'cleared',
  'notify',
  'faults',
] as const;
export type Name = (typeof NAMES)[number];

/** What is remembered, by name. */
export interface Values {
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
  /** Whether the vault has, or had, settings of its own. */
  settings: { given: boolean };
  retention: RetentionState;
  /** What has left the vault, a hash of a stream file's bytes or a signal's name → when (epoch ms). It is not read again. */
  retired: Record<string, number>;
  /** The pace at which notes are looked at without a signal. */
  perception: z.infer<typeof perceptionState>;
  /** Note → what the last look at it without a signal found, where it shows something or a model was asked about it. */
  perceived: Record<string, Seen>;
  /** Note → when it was last touched (epoch ms) by what has left the vault since. */
  touched: Record<string, number>;
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
  /** Mark of an unexpected error → when and where it came up. */
  faults: Record<string, FaultEntry>;
}

export const SCHEMAS: { readonly [N in Name]: z.ZodType<Values[N]> } = {
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
  settings: z.object({ given: z.boolean() }),
  retention,
  retired: keyed(z.number()),
  perception: perceptionState,
  perceived: keyed(seen),
  touched: keyed(z.number()),
  edits: editsState,
  agents: agentsState,
  plane: keyed(planeOrder),
  'plane-seen': keyed(planeSeen),
  sources: keyed(sourceState),
  fleeting: keyed(z.number()),
  cleared: keyed(z.number()),
  notify: notifyMemory,
  faults: keyed(faultEntry),
};

/** Returns what is remembered under a name at first. */
export const EMPTY: { readonly [N in Name]: () => Values[N] } = {
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
  settings: () => ({ given: false }),
  retention: () => ({ at: 0, settings: '', streams: 0, events: 0, signals: 0 }),
  retired: () => ownOnly({}),
  perception: emptyPerception,
  perceived: () => ownOnly({}),
  touched: () => ownOnly({}),
  edits: emptyEdits,
  agents: emptyAgents,
  plane: () => ownOnly({}),
  'plane-seen': () => ownOnly({}),
  sources: () => ownOnly({}),
  fleeting: () => ownOnly({}),
  cleared: () => ownOnly({}),
  notify: emptyNotify,
  faults: () => ownOnly({}),
};

/** The names under which there is an entry for each file or note: to save them costs what has changed. */
export const GROWING: readonly Name[] = [
  'cursors',
  'schedules',
  'moves',
  'weighed',
  'streams',
  'guarded',
  'retired',
  'perceived',
  'touched',
  'plane',
  'plane-seen',
  'sources',
  'fleeting',
  'cleared',
];
