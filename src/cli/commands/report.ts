import { type Report, report as reportAndKeep, reportOf } from '../../daemon/report-note.ts';
import type { Asked } from '../../daemon/server-runtime-paths.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { environmentOf, readVault } from '../base-read-vault.ts';
import { askDaemon, handOver, presentVaultDir } from '../daemon-client.ts';
import { printReport } from '../print-reading.ts';

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
  const asked = await askDaemon(context, root, { op: 'status' });
  const { report: scorecard, note } = options.note
    ? await handOver(context, root, request, (space) => reportAndKeep(space, request))
    : { report: await readHere(context, root, asked, request), note: null };
  const modeOf = typeof asked === 'object' ? 'daemon' : 'shell';
  if (options.json === true) context.out.json({ ...scorecard, modeOf, note });
  else printReport(context.out, scorecard, modeOf, note);
  return EXIT.done;
}

async function readHere(
  context: CommandContext,
  root: string,
  asked: Asked,
  { since, matter }: { readonly since: number | null; readonly matter: string | null },
): Promise<Report> {
  return reportOf(await readVault(context, root, environmentOf(context, asked)), since, matter);
}
