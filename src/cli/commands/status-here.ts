import { Schedules } from '../../daemon/schedule.ts';
import { type DaemonStatus, type Status, scheduleStatuses, statusOf } from '../../daemon/status.ts';
import { lockHolder } from '../../vault/lock.ts';
import { atOnce } from '../../vault/slices.ts';
import type { CommandContext } from '../base.ts';
import { readNotes } from './read-notes.ts';

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
