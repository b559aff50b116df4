import { auditLog } from '../../daemon/explain/audit-log.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { readVault } from '../base/read-vault.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { printLog } from '../print/print-log.ts';

/** `steward log [-n N] [--matter M]`: the audit trail, newest first. */
export async function log(
  options: CommonOptions & { readonly count: number; readonly matter?: string },
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  const events = auditLog(await readVault(context, root), options.count, options.matter ?? null);
  if (options.json === true) context.out.json({ schemaVersion: 1, events });
  else printLog(context.out, events);
  return EXIT.done;
}
