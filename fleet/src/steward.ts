/*
 * All that the fleet uses of the steward: nothing else here reaches into ../../src, and nothing there knows the fleet.
 */

export type { CommandContext } from '../../src/cli/base.ts';

import { runtimePaths } from '../../src/daemon/server/runtime-paths.ts';

export { processContext } from '../../src/cli/base.ts';
export type { Printer } from '../../src/cli/print/printer.ts';
export { printUnexpected } from '../../src/cli/print-errors.ts';
export { DEFAULT_SETTINGS, readSettings } from '../../src/daemon/context.ts';
export { demandVault, runtimePaths, stateFolder } from '../../src/daemon/server/runtime-paths.ts';
export { EXIT, type ExitCode, reasonOf, StewardError, systemCode } from '../../src/vault/errors.ts';
export { writeState } from '../../src/vault/files.ts';
export { Layout, OWN_FOLDER } from '../../src/vault/layout.ts';
export { inSlices } from '../../src/vault/slices.ts';
export type { Watcher } from '../../src/vault/watch/watchers/watcher.ts';
export { isRemote, watcherFor } from '../../src/vault/watch/watchers/watcher-choice.ts';
export { VaultWalk } from '../../src/vault/watch.ts';

/**
 * Returns who visits vaults, with what the environment says of models, sources and channels. `leaseMs`: for how long (ms) a
 * process that stands still keeps a vault; the steward's own length where it is absent. What a visit tells of the vault
 * stays in the vault. It is loaded here and no earlier: it is most of the program.
 */
export async function vaultVisitor(env: NodeJS.ProcessEnv, leaseMs?: number) {
  const [{ readEnvironment }, { FileKeeper }, { visit }] = await Promise.all([
    import('../../src/daemon/environment.ts'),
    import('../../src/daemon/keeper.ts'),
    import('../../src/daemon/visit.ts'),
  ]);
  const own = readEnvironment(env);
  return (root: string, stop: AbortSignal): Promise<{ readonly until: number | null; readonly epoch: number }> => {
    const paths = runtimePaths(root, env);
    const parts = { root, env: own, now: Date.now, emit: () => {} };
    return visit(
      parts,
      paths,
      new FileKeeper({ ...parts, paths, ...(leaseMs === undefined ? {} : { leaseMs }) }),
      stop,
    );
  };
}
