import type { LoggedEvent } from '../../daemon/explain/audit-log.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { askDaemon, presentVaultDir } from '../daemon-client.ts';
import { printLog } from '../print.ts';

/** `steward log [-n N] [--matter M]`: the audit trail, newest first. */
export async function log(
  options: CommonOptions & { readonly count: number; readonly matter?: string },
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  const events = await newestEvents(context, root, options.count, options.matter ?? null);
  if (options.json === true) context.out.json({ schemaVersion: 1, events });
  else printLog(context.out, events);
  return EXIT.done;
}

/**
 * Returns the newest entries of the audit trail. A daemon knows them at once; without one, or where it does not answer, the
 * vault itself is read.
 */
export async function newestEvents(
  context: CommandContext,
  root: string,
  count: number,
  matter: string | null,
): Promise<readonly LoggedEvent[]> {
  const asked = await askDaemon(context, root, { op: 'log', count, matter });
  if (typeof asked === 'object' && asked.ok) return asked.result as LoggedEvent[]; // by the same function
  if (typeof asked === 'object' && asked.trouble.code === 'matter-unknown') throw new StewardError(asked.trouble);
  const [{ auditLog }, { readNotes }] = await Promise.all([
    import('../../daemon/explain/audit-log.ts'),
    import('./read-notes.ts'),
  ]);
  return auditLog(await readNotes(context, root), count, matter);
}
