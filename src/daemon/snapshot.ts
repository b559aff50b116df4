import { writeState } from '../vault/files.ts';
import type { Workspace } from './context/ports.ts';
import type { Schedules } from './schedule/schedules.ts';
import { ownFolder, type RuntimePaths } from './server/runtime-paths.ts';
import { type DaemonStatus, statusOf } from './status/status.ts';

/** Keeps the last known status outside the vault, for `status` while the vault is away and no daemon runs. */
export function writeSnapshot(space: Workspace, schedules: Schedules, paths: RuntimePaths, daemon: DaemonStatus): void {
  try {
    ownFolder(paths.snapshot);
    writeState(paths.snapshot, JSON.stringify(statusOf(space, schedules.list(), daemon)));
  } catch {
    // A user without a state folder: `status` then knows only what the vault itself tells.
  }
}
