import { convene } from '../daemon/convene.ts';
import { EXIT } from '../vault/trouble.ts';
import type { CommandContext, CommandResult, CommonOptions } from './context.ts';
import { printOutcome, Watcher } from './print-roundtable.ts';
import { handOver } from './session.ts';
import { vaultDir } from './vault-dir.ts';

export interface RoundtableOptions extends CommonOptions {
  readonly recorded?: boolean;
}

/** `steward roundtable BRIEFING`: holds it, or goes on with it, and says what came of it. */
export async function roundtable(briefing: string, options: RoundtableOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  const request = { op: 'roundtable' as const, briefing, recorded: options.recorded === true };
  const watcher = new Watcher(context.err);
  const stop = new AbortController();
  const interrupted = () =>
    stop.abort(new Error('It was interrupted. What was said is kept; the same command goes on.'));
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  const held = await handOver(context, root, request, (space) =>
    convene(space, request, { say: (progress) => watcher.see(progress), abort: stop.signal, matter: null }),
  );
  if (options.json === true) context.out.json({ schemaVersion: 1, ...held });
  else printOutcome(context.out, held);
  return held.ended === null ? EXIT.tryAgain : EXIT.done;
}
