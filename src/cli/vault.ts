import type { DaemonReply } from '../daemon/client.ts';
import { compose, composeStatus, type Status } from '../daemon/compose.ts';
import type { Workspace } from '../daemon/context.ts';
import { type Environment, readEnvironment } from '../daemon/environment.ts';
import { endedDaemonProblem } from '../daemon/lease.ts';
import { Schedules } from '../daemon/schedule.ts';
import { type DaemonStatus, scheduleStatuses } from '../daemon/status.ts';
import { parseMode } from '../steward/gates.ts';
import { lockHolder } from '../vault/lock.ts';
import type { CommandContext } from './terminal.ts';
import { VaultBudget } from './vault-budget.ts';

/** Returns the vault as it is on disk, without writing anything to it; only questions to a model are counted in it. */
export async function readVault(
  context: CommandContext,
  root: string,
  env: Environment = readEnvironment(context.env),
): Promise<Workspace> {
  const door = new VaultBudget(context, root);
  const outside = () => endedDaemonProblem(root, env.lockMemories);
  const { space } = await compose({ root, env, now: Date.now, emit: () => {}, readsOnly: true, door, outside });
  return space;
}

/** Returns the environment that decides: the running daemon's, by its answer to `status`; else this terminal's. */
export function readEnvironmentFor(context: CommandContext, asked: DaemonReply): Environment {
  const env = readEnvironment(context.env);
  if (typeof asked === 'string' || !asked.ok) return env;
  const { mode, gates } = asked.result as Status; // the daemon is this very program
  const { confidence, highConfidence } = gates.thresholds;
  return {
    ...env,
    ceiling: parseMode(mode.ceiling),
    confidenceThreshold: confidence,
    highConfidenceThreshold: highConfidence,
  };
}

/**
 * Returns the vault as it is on disk, without writing anything to it, for a command that asks no model and for no
 * stream event: what these need is not loaded.
 */
export async function readNotes(context: CommandContext, root: string): Promise<Workspace> {
  const env = readEnvironment(context.env);
  const outside = () => endedDaemonProblem(root, env.lockMemories);
  const { space } = await compose({ root, env, now: Date.now, emit: () => {}, readsOnly: true, outside });
  return space;
}

/** Returns the status of a vault whose daemon does not run or answer, read from the vault itself. Writes nothing. */
export async function statusHere(root: string, context: CommandContext, stalled: boolean): Promise<Status> {
  return statusFrom(await readNotes(context, root), stalled);
}

/** Returns the status, and what `steward doctor` examines besides, read from the vault itself. Writes nothing. */
export async function checkUpHere(root: string, context: CommandContext, asked: DaemonReply) {
  const [space, { examine }] = await Promise.all([
    readVault(context, root, readEnvironmentFor(context, asked)),
    import('../features/examination.ts'),
  ]);
  return { status: statusFrom(space, asked === 'stalled'), examination: await examine(space), space };
}

function statusFrom(space: Workspace, stalled: boolean): Status {
  const holder = lockHolder(space.vault.places.lock, Date.now());
  const daemon: DaemonStatus =
    holder?.role === 'daemon'
      ? { state: 'stalled', pid: holder.pid, since: holder.since }
      : { state: stalled ? 'stalled' : 'stopped', pid: null, since: null };
  const schedules = new Schedules({
    catalogue: space.vault.catalogue,
    state: space.context.state,
    now: space.context.now,
    defaultSchedule: space.context.settings.default_schedule,
    listener: { due: () => {}, provisioned: () => {}, removed: () => {} },
  });
  schedules.followAll();
  return composeStatus(space, scheduleStatuses(space.context, schedules.list()), daemon);
}
