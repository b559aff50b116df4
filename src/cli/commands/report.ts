import { reportOf } from '../../daemon/report/report.ts';
import { report as reportAndKeep } from '../../daemon/report/report-note.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { handOver } from '../base/hand-over.ts';
import { readVault } from '../base/read-vault.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { printReport } from '../print/print-report.ts';

interface ReportOptions extends CommonOptions {
  /** Epoch milliseconds. */
  readonly since?: number;
  readonly matter?: string;
  /** False with --no-note. */
  readonly note: boolean;
}

/** `steward report [--since DATE] [--matter M]`: the scorecard, and the note in the vault that holds it. */
export async function report(options: ReportOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const request = { op: 'report' as const, since: options.since ?? null, matter: options.matter ?? null };
  const { report: scorecard, note } = options.note
    ? await handOver(context, root, request, (space) => reportAndKeep(space, request))
    : { report: await reportOf(await readVault(context, root), request.since, request.matter), note: null };
  if (options.json === true) context.out.json({ ...scorecard, note });
  else printReport(context.out, scorecard, note);
  return EXIT.done;
}
