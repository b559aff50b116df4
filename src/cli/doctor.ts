import fs from 'node:fs';
import { troublesOf } from '../daemon/troubles.ts';
import type { Workspace } from '../daemon/workspace.ts';
import { canExchange, systemExchange } from '../vault/exchange.ts';
import { EXIT, reasonOf, type Trouble, trouble } from '../vault/trouble.ts';
import type { CommandContext, CommandResult, CommonOptions } from './context.ts';
import { askDaemon, demandVault, readVault } from './session.ts';
import { vaultDir } from './vault-dir.ts';

interface Check {
  readonly name: string;
  readonly found: string;
}

/** `steward doctor`: looks at the vault, the settings, the disk and the daemon; exit 1 when something is wrong. */
export async function doctor(options: CommonOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  demandVault(root);
  const space = await readVault(context, root);
  const disk = diskTroubles(space);
  const troubles = [...disk, ...troublesOf(space)];
  const checks = await checksOf(context, space, root);
  if (options.json === true) context.out.json({ schemaVersion: 1, checks, trouble: troubles });
  else context.out.doctor(troubles, checks);
  return troubles.length === 0 ? EXIT.done : EXIT.refused;
}

async function checksOf(context: CommandContext, space: Workspace, root: string): Promise<Check[]> {
  const { catalogue } = space.vault;
  const asked = await askDaemon(context, root, { op: 'status' });
  const daemon = asked === 'absent' ? 'not running' : asked === 'stalled' ? 'does not answer' : 'running';
  return [
    {
      name: 'vault',
      found: `${root}: ${catalogue.count('matter')} matters, ${catalogue.count('task')} tasks, ${catalogue.count('signal')} signals, ${catalogue.count('event')} events`,
    },
    {
      name: 'settings',
      found: space.settingsTroubles.length === 0 ? 'read' : `${space.settingsTroubles.length} values cannot be read`,
    },
    {
      name: 'mode',
      found: `the environment allows ${space.env.ceiling}, the vault says ${space.settings.mode ?? 'nothing'}`,
    },
    { name: 'evaluator', found: `${space.evaluator.name} (embedded; no key, no network)` },
    { name: 'editing', found: exchangeWords(space) },
    { name: 'daemon', found: daemon },
    { name: 'node', found: process.versions.node },
  ];
}

function exchangeWords(space: Workspace): string {
  const { tmp } = space.places;
  if (!fs.existsSync(tmp)) return 'not tried: .steward is made at the first start';
  const exchange = systemExchange();
  const can = exchange !== null && isWritable(tmp) && canExchange(exchange, tmp);
  return can ? 'notes are swapped atomically (renameat2)' : 'notes are renamed, with a link to what was there';
}

function diskTroubles(space: Workspace): Trouble[] {
  const folders = ['', ...Object.values(space.vault.layout.folders)].filter((folder) =>
    fs.existsSync(`${space.vault.root}/${folder}`),
  );
  const closed = folders.filter((folder) => !isWritable(`${space.vault.root}/${folder}`));
  return closed.map((folder) =>
    trouble({
      code: 'not-writable',
      file: folder === '' ? '.' : folder,
      message: `The folder cannot be written to (${writeFault(`${space.vault.root}/${folder}`)}).`,
      hint: 'Give the user who runs the daemon write permission, or mount the disk writable; until then nothing is changed.',
    }),
  );
}

function isWritable(folder: string): boolean {
  return writeFault(folder) === null;
}

function writeFault(folder: string): string | null {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return null;
  } catch (error) {
    return reasonOf(error).split(',')[0] ?? '';
  }
}
