import fs from 'node:fs';
import type { Asked } from '../daemon/ask.ts';
import { isWritable } from '../daemon/disk.ts';
import { type ModelTrial, tryModel } from '../daemon/model-trial.ts';
import type { Status } from '../daemon/status.ts';
import { troublesOf } from '../daemon/troubles.ts';
import type { Workspace } from '../daemon/workspace.ts';
import { canExchange, systemExchange } from '../vault/exchange.ts';
import { EXIT } from '../vault/trouble.ts';
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
  demandVault(root, context.env);
  const space = await readVault(context, root);
  const asked = await askDaemon(context, root, { op: 'status' });
  // A running daemon knows more of its troubles than the notes tell. It is this very program: its result is a Status.
  const answered = typeof asked === 'object' && asked.ok;
  const known = answered ? (asked.result as Status).trouble : troublesOf(space);
  const evaluator = answered ? (asked.result as Status).evaluator : space.evaluator.name;
  const model = evaluator === 'rules' ? null : await tryModel(space);
  const failure = model?.outcome === 'failed' ? [model.trouble] : [];
  const troubles = [...known.filter(({ code }) => code !== failure[0]?.code), ...failure];
  const checks = checksOf(space, root, asked, evaluatorWords(space, evaluator, model));
  if (options.json === true) context.out.json({ schemaVersion: 1, checks, model, trouble: troubles });
  else context.out.doctor(troubles, checks);
  return troubles.length === 0 ? EXIT.done : EXIT.refused;
}

function checksOf(space: Workspace, root: string, asked: Asked, evaluator: string): Check[] {
  const { catalogue } = space.vault;
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
    { name: 'evaluator', found: evaluator },
    { name: 'editing', found: exchangeWords(space) },
    { name: 'daemon', found: daemon },
    { name: 'node', found: process.versions.node },
  ];
}

// Where a daemon runs it may have a key that this shell has not: then nothing is known of its provider but its name.
function evaluatorWords({ provider }: Workspace, name: string, model: ModelTrial | null): string {
  if (model === null) return `${name} (embedded; ${provider === null ? 'no key, no network' : 'no network'})`;
  if (model.outcome === 'failed') return `${name} (it cannot be asked)`;
  if (model.outcome === 'not-asked') return `${name} (not asked: ${model.reason})`;
  const where = model.server === null ? '' : ` at ${model.server}`;
  return `${name}${where} (answered in ${(model.ms / 1000).toFixed(1)} s, held to its form by ${model.way})`;
}

function exchangeWords(space: Workspace): string {
  const { tmp } = space.places;
  if (!fs.existsSync(tmp)) return 'not tried: .steward is made at the first start';
  const exchange = systemExchange();
  const can = exchange !== null && isWritable(tmp) && canExchange(exchange, tmp);
  return can ? 'notes are swapped atomically (renameat2)' : 'notes are renamed, with a link to what was there';
}
