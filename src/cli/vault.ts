import type { Asked } from '../daemon/client.ts';
import { compose, type Status, statusOf } from '../daemon/compose.ts';
import type { Workspace } from '../daemon/context.ts';
import { type Environment, readEnvironment } from '../daemon/environment.ts';
import { Schedules } from '../daemon/schedule.ts';
import { type DaemonStatus, scheduleStatuses } from '../daemon/status.ts';
import { parseMode } from '../steward/gates.ts';
import { lockHolder } from '../vault/lock.ts';
import { atOnce } from '../vault/time.ts';
import type { CommandContext } from './terminal.ts';
import { VaultBudget } from './vault-budget.ts';

/** Returns the vault as it is on disk, without writing anything to it; only questions to a model are counted in it. */
export async function readVault(
  context: CommandContext,
  root: string,
  env: Environment = readEnvironment(context.env),
): Promise<Workspace> {
  const door = new VaultBudget(context, root);
  const { space } = await compose({ root, env, now: Date.now, emit: () => {}, readsOnly: true, door });
  return space;
}

/** Returns the environment that decides: the running daemon's, by its answer to `status`; else this terminal's. */
export function environmentOf(context: CommandContext, asked: Asked): Environment {
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
  const { space } = await compose({ root, env, now: Date.now, emit: () => {}, readsOnly: true });
  return space;
}

/** Returns the status of a vault whose daemon does not run or answer, read from the vault itself. Writes nothing. */
export async function statusHere(root: string, context: CommandContext, stalled: boolean): Promise<Status> {
  const space = await readNotes(context, root);
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
  return statusOf(space, atOnce(scheduleStatuses(space.context, schedules.list())), daemon);
}
