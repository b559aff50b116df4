import { auditLog } from '../../daemon/explain/audit-log.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { demandVault, readVault } from '../base/daemon-session.ts';
import { vaultDir } from '../base/vault-dir.ts';

/** `steward log [-n N] [--matter M]`: the audit trail, newest first. */
export async function log(
  options: CommonOptions & { readonly count: number; readonly matter?: string },
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  demandVault(root, context.env);
  const events = auditLog(await readVault(context, root), options.count, options.matter ?? null);
  if (options.json === true) context.out.json({ schemaVersion: 1, events });
  else context.out.log(events);
  return EXIT.done;
}
