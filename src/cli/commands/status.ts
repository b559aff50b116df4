import fs from 'node:fs';
import { demandVault, missingReason, runtimePaths } from '../../daemon/server/runtime-paths.ts';
import type { Asked } from '../../daemon/server-runtime-paths.ts';
import type { Status } from '../../daemon/status.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { askDaemon, vaultDir } from '../daemon-client.ts';
import { printStatus, type Shown } from '../print/print-status.ts';

interface StatusOptions extends CommonOptions, Shown {
  /** Renews itself until a person ends it. */
  readonly watch?: boolean;
}

/**
 * `steward status`: from the daemon where one answers, else from the vault itself, else, where the vault is away, the
 * last known one (exit 75).
 */
export async function status(options: StatusOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options, context);
  if (options.watch === true)
    return (await import('../commands-screens.ts')).watch(options, context, () => statusNow(root, context));
  const current = await statusNow(root, context);
  if (options.json === true) context.out.json(current);
  else printStatus(context.out, current, options);
  return current.vault.state === 'away' ? EXIT.tryAgain : EXIT.done;
}

/** Returns how things stand, from whoever knows it best. */
export async function statusNow(root: string, context: CommandContext): Promise<Status> {
  const asked = await askDaemon(context, root, { op: 'status' });
  const isAnswered = typeof asked === 'object' && asked.ok;
  return isAnswered ? filled(asked.result as Status) : statusWithoutDaemon(root, context, asked);
}

async function statusWithoutDaemon(root: string, context: CommandContext, asked: Asked): Promise<Status> {
  const outside = runtimePaths(root, context.env);
  const missing = missingReason(root, outside);
  if (missing !== null) return lastKnown(root, missing, outside.snapshot, asked === 'stalled');
  demandVault(root, outside);
  const { statusHere } = await import('./status-here.ts');
  return statusHere(root, context, asked === 'stalled');
}

function lastKnown(root: string, reason: string, snapshot: string, stalled: boolean): Status {
  const known = readSnapshot(snapshot) ?? EMPTY;
  return {
    ...known,
    at: new Date().toISOString(),
    daemon: { state: stalled ? 'stalled' : 'stopped', pid: null, since: null },
    vault: { ...known.vault, path: root, state: 'away', reason },
  };
}

function readSnapshot(file: string): Status | null {
  try {
    // The program's own file in its own state folder, written by `statusOf`.
    return filled(JSON.parse(fs.readFileSync(file, 'utf8')) as Status);
  } catch {
    return null;
  }
}

// A daemon that was started before an update, or the last status of one, knows nothing of fields that are newer.
function filled(known: Status): Status {
  return { ...EMPTY, ...known, streams: { ...EMPTY.streams, ...known.streams } };
}

const NO_COST = { questions: 0, tokens: 0, usd: 0, unpriced: 0, models: [], matters: [] };

const EMPTY: Status = {
  schemaVersion: 1,
  at: '',
  vault: { path: '', state: 'away', reason: null, notes: 0 },
  daemon: { state: 'stopped', pid: null, since: null },
  mode: { ceiling: 'shadow', vault: null, effective: 'shadow' },
  evaluator: 'rules',
  extractor: 'rules',
  waiting: [],
  schedules: [],
  proposals: [],
  gates: {
    rateGuard: {},
    backoffUntil: null,
    held: [],
    budget: { vault: { tokens: 0, usd: 0, caps: { tokens: null, usd: null } }, matters: [] },
    thresholds: { confidence: 0.6, highConfidence: 0.85 },
  },
  costs: { day: NO_COST, week: NO_COST },
  sources: [],
  streams: {
    seen: 0,
    read: 0,
    signals: 0,
    skipped: 0,
    events: 0,
    refused: [],
    unreadKinds: [],
    waiting: [],
    newest: null,
  },
  edits: { heard: 0, passed: 0 },
  retention: null,
  sourceNotes: [],
  plane: null,
  notify: null,
  kept: [],
  conflictCopies: 0,
  trouble: [],
};
