import fs from 'node:fs';
import path from 'node:path';
import { adoptOtherKey, hasOtherKey } from '../host/other-key.ts';
import { type Registry, subfolders } from '../host/registry.ts';
import { giveId, vaultId } from '../host/vault-id.ts';
import {
  type CommandContext,
  demandVault,
  EXIT,
  type ExitCode,
  type Printer,
  runtimePaths,
  StewardError,
} from '../steward.ts';
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
  /** Files with another key's marks that the operator took over and that still wait for a person; null if none was taken over. */
  readonly waiting: readonly string[] | null;
}

/**
 * `steward-fleet add DIR…`: gives each vault an id, notes that it lies on this host, and has it kept. Throws
 * `vault-other-key` (2) before anything is added if the notes of one bear another key's marks, unless asked to adopt.
 */
export async function add(asked: Asked, context: CommandContext): Promise<ExitCode> {
  const roots = [...asked.words, ...asked.vaults.flatMap((folder) => vaultsIn(path.resolve(context.cwd, folder)))];
  if (roots.length === 0) throw noVault();
  const { out } = context;
  const dirs = roots.map((root) => path.resolve(context.cwd, root));
  if (!asked.adopt) await demandOwnKey(dirs, context);
  const added = await withFleet(asked, context, (fleet) =>
    forEach(dirs, (dir, nth) => {
      const delayMs = nth < AT_ONCE ? 0 : (roots.length - nth) * ADDING_MS + (nth - AT_ONCE) * BETWEEN_MS;
      return addOne(dir, fleet, { isTaken: asked.take, isAdopted: asked.adopt, delayMs }, context);
    }),
  );
  if (asked.json) out.json({ added });
  else for (const one of added) printAdded(out, one);
  return EXIT.done;
}

async function addOne(
  dir: string,
  { registry, keepers }: Fleet,
  { isAdopted, ...start }: { readonly isTaken: boolean; readonly isAdopted: boolean; readonly delayMs: number },
  { env }: CommandContext,
): Promise<Added> {
  demandVault(dir, runtimePaths(dir, env));
  const root = fs.realpathSync.native(dir);
  const waiting = isAdopted && (await hasOtherKey(root, env)) ? await adoptOtherKey(root, env) : null;
  const id = idFor(root, registry);
  registry.put(id, root);
  const { by, isNew } = await keepers.start(id, registry.host, start);
  const isHere = by === registry.host;
  if (isHere && !isNew) await keepers.nudgeKept(id); // it may sleep, told that nobody knows where it lies
  return { id, path: root, kept_here: isHere, waiting };
}

// A copy of a vault holds the id of the first: while that one is in its place, the copy gets its own.
function idFor(root: string, registry: Registry): string {
  const id = vaultId(root);
  if (id === null) return giveId(root);
  const known = registry.readablePathOf(id);
  const isCopy = known !== null && known !== root && fs.existsSync(known) && vaultId(known) === id;
  return isCopy ? giveId(root) : id;
}

function vaultsIn(folder: string): string[] {
  return subfolders(folder).filter((root) =>
    ['steward.md', '.obsidian'].some((mark) => fs.existsSync(path.join(root, mark))),
  );
}

async function demandOwnKey(dirs: readonly string[], { env }: CommandContext): Promise<void> {
  const others: string[] = [];
  for (const dir of dirs) {
    demandVault(dir, runtimePaths(dir, env));
    if (await hasOtherKey(dir, env)) others.push(dir);
  }
  if (others.length === 0) return;
  throw new StewardError(
    {
      code: 'vault-other-key',
      message: `Another key marked the notes of ${others.join(', ')}. This host couldn't undo what they say.`,
      hint: 'Give this host the key of the other one (STEWARD_SEAL_KEY_FILE, or the credential seal_key). If that is lost, `add --adopt` marks with this one what can be undone.',
    },
    EXIT.usage,
  );
}

function printAdded(out: Printer, { id, path: root, kept_here, waiting }: Added): void {
  out.plain(`${id}  ${root}${kept_here ? '' : '  (another host keeps it)'}`);
  for (const file of waiting ?? []) out.plain(`  not adopted: ${file}`);
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
