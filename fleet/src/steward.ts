/*
 * All that the fleet uses of the steward, but for `steward-daemon.ts`: nothing else here reaches into ../../src, and nothing there
 * knows the fleet.
 */

export type { CommandContext, Printer } from '../../src/cli/terminal.ts';
export { printUnexpected, processContext } from '../../src/cli/terminal.ts';
export { demandVault, runtimePaths, stateFolder } from '../../src/daemon/runtime-paths.ts';
export { readSettings } from '../../src/daemon/settings.ts';
export type { BudgetRefusal, SharedBudget, Spending, SpendingCaps } from '../../src/steward/budget.ts';
export { findSharedRefusal, sumLastDay } from '../../src/steward/budget.ts';
export { DEFAULT_SETTINGS } from '../../src/steward/settings.ts';
export { type Diagnostic, EXIT, type ExitCode, errorReason, StewardError, systemCode } from '../../src/vault/errors.ts';
export { writeState } from '../../src/vault/files.ts';
export { Layout, OWN_FOLDER, ownPlaces } from '../../src/vault/layout.ts';
export { lockHolder } from '../../src/vault/lock.ts';
export { inSlices } from '../../src/vault/time.ts';
export type { Watcher } from '../../src/vault/watcher.ts';
export { isRemote, VaultWalk, watcherFor } from '../../src/vault/watcher.ts';
