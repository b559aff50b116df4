import path from 'node:path';
import { composeTable } from '../../daemon/compose-table.ts';
import { readSettings, UNKNOWN_SETTINGS } from '../../daemon/context.ts';
import { readEnvironment } from '../../daemon/environment.ts';
import { cutOff } from '../../daemon/roundtable/errors.ts';
import { briefingFile, convene, type Holding, type RoundtableRequest } from '../../daemon/roundtable-convene.ts';
import { demandVault, runtimePaths } from '../../daemon/server/runtime-paths.ts';
import { logName, MAX_LOG_BYTES, roundtableLog } from '../../roundtable/log.ts';
import type { Progress } from '../../roundtable/session.ts';
import { EXIT } from '../../vault/errors.ts';
import { readInside } from '../../vault/slices.ts';
import { VaultBudget } from '../base/vault-budget.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { askDaemon, askOrDo, namedRoots, presentVaultDir } from '../daemon-client.ts';
import { printRoundtable, progressLine } from '../print-reading.ts';

interface RoundtableOptions extends CommonOptions {
  readonly recorded?: boolean;
  readonly root?: readonly string[];
}

const POLL_MS = 500;
/** For how long an agent waits for its share of the budget while another command has the vault. */
const LOCK_PATIENCE_MS = 240_000;

/** `steward roundtable BRIEFING`: holds or resumes it, shows its progress on a terminal, and prints what it came to. */
export async function roundtable(briefing: string, options: RoundtableOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const roots = [...namedRoots(options.root ?? [], context.cwd)];
  const request = { op: 'roundtable' as const, briefing, recorded: options.recorded === true, roots };
  const say = (progress: Progress) => {
    const line = progressLine(progress);
    if (line !== null) context.err.progress(line);
  };
  const abort = interruption();
  const alive = await askDaemon(context, root, { op: 'alive' });
  using _ = typeof alive === 'string' ? null : follow(root, briefing, say);
  const held = await askOrDo(context, root, request, () => holdHere(context, root, request, { say, abort }));
  if (options.json === true) context.out.json({ schemaVersion: 1, ...held });
  else printRoundtable(context.out, held);
  return EXIT.done;
}

// The vault's lock is free meanwhile: it is taken for the moments in which the budget is reserved and recorded.
async function holdHere(context: CommandContext, root: string, request: RoundtableRequest, holding: Holding) {
  demandVault(root, runtimePaths(root, context.env));
  const budget = new VaultBudget(context, root, LOCK_PATIENCE_MS);
  const ground = composeTable({ root, env: readEnvironment(context.env), now: Date.now, budget });
  return convene(ground, request, holding);
}

function interruption(): AbortSignal {
  const stop = new AbortController();
  const interrupt = () => stop.abort(cutOff('The roundtable was interrupted.'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  return stop.signal;
}

/** Reports each new entry in the log of a roundtable that the daemon holds, until it is disposed. */
function follow(root: string, briefing: string, say: (progress: Progress) => void): Disposable {
  const { folders } = readSettings(root, UNKNOWN_SETTINGS).settings;
  const folder = path.posix.dirname(briefingFile(folders.roundtable, briefing));
  const file = `${folder}/${logName(path.posix.basename(folder))}`;
  let seen = entriesIn(root, file).length;
  const poll = () => {
    const entries = entriesIn(root, file);
    for (const entry of entries.slice(seen)) say(entry);
    seen = entries.length;
  };
  const timer = setInterval(poll, POLL_MS);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      poll();
    },
  };
}

/** The entries of a roundtable's log; none while it has not begun, or where something else is in its place. */
function entriesIn(root: string, file: string): readonly Progress[] {
  try {
    const { bytes } = readInside(root, file, MAX_LOG_BYTES);
    return roundtableLog.parse(JSON.parse(bytes.toString('utf8'))).entries;
  } catch {
    return [];
  }
}
