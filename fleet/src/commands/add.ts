import fs from 'node:fs';
import path from 'node:path';
import { type Registry, subfolders } from '../host/registry.ts';
import { giveId, vaultId } from '../host/vault-id.ts';
import { type CommandContext, demandVault, EXIT, type ExitCode, runtimePaths, StewardError } from '../steward.ts';
import { type Asked, type Fleet, forEach, withFleet } from './context.ts';

/** So many of those that are added together are visited at once. */
const AT_ONCE = 20;
/** The others when all have been added, which takes about as long (ms) for each, one after the other (ms). */
const ADDING_MS = 33;
const BETWEEN_MS = 50;

interface Added {
  readonly id: string;
  readonly path: string;
  /** Whether this host keeps it from now on; else another does, until it is drained or lost. */
  readonly kept_here: boolean;
}

/** `steward-fleet add DIR…`: gives each vault an id, notes that it lies on this host, and has it kept. */
export async function add(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const roots = [...asked.words, ...asked.vaults.flatMap((folder) => vaultsIn(path.resolve(context.cwd, folder)))];
  if (roots.length === 0) throw noVault();
  const { out } = context;
  const added = await withFleet(asked, context, (fleet) =>
    forEach(roots, (root, nth) => {
      const delayMs = nth < AT_ONCE ? 0 : (roots.length - nth) * ADDING_MS + (nth - AT_ONCE) * BETWEEN_MS;
      return addOne(path.resolve(context.cwd, root), fleet, { isTaken: asked.take, delayMs }, context);
    }),
  );
  if (asked.json) out.json({ added });
  else for (const one of added) out.plain(`${one.id}  ${one.path}${one.kept_here ? '' : '  (another host keeps it)'}`);
  return EXIT.done;
}

async function addOne(
  dir: string,
  { registry, keepers }: Fleet,
  start: { readonly isTaken: boolean; readonly delayMs: number },
  context: CommandContext,
): Promise<Added> {
  demandVault(dir, runtimePaths(dir, context.env));
  const root = fs.realpathSync.native(dir);
  const id = idFor(root, registry);
  registry.put(id, root);
  const { by, isNew } = await keepers.start(id, registry.host, start);
  const isHere = by === registry.host;
  if (isHere && !isNew) await keepers.nudgeKept(id); // it may sleep, told that nobody knows where it lies
  return { id, path: root, kept_here: isHere };
}

// A copy of a vault holds the id of the first: while that one is in its place, the copy gets its own.
function idFor(root: string, registry: Registry): string {
  const id = vaultId(root);
  if (id === null) return giveId(root);
  const known = registry.pathOf(id);
  const isCopy = known !== null && known !== root && fs.existsSync(known) && vaultId(known) === id;
  return isCopy ? giveId(root) : id;
}

function vaultsIn(folder: string): string[] {
  return subfolders(folder).filter((root) =>
    ['steward.md', '.obsidian'].some((mark) => fs.existsSync(path.join(root, mark))),
  );
}

function noVault(): StewardError {
  return new StewardError(
    {
      code: 'vault-unknown',
      message: 'No vault is named.',
      hint: 'Name folders of vaults, or a folder of vaults with --vaults DIR.',
    },
    EXIT.usage,
  );
}
