import fs from 'node:fs';
import path from 'node:path';
import { readSettings, UNKNOWN_SETTINGS } from '../../daemon/context/settings.ts';
import { briefingFile, convene } from '../../daemon/roundtable/convene.ts';
import { cutOff } from '../../daemon/roundtable/errors.ts';
import { logName, roundtableLog } from '../../roundtable/log/log.ts';
import type { Progress } from '../../roundtable/session/session.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { askDaemon, demandVault, handOver } from '../base/daemon-session.ts';
import { vaultDir } from '../base/vault-dir.ts';
import { lineOf, printOutcome } from '../print/print-roundtable.ts';

interface RoundtableOptions extends CommonOptions {
  readonly recorded?: boolean;
}

const LOOK_MS = 500;

/** `steward roundtable BRIEFING`: holds it, or goes on with it, tells a terminal what happens, and says what came of it. */
export async function roundtable(briefing: string, options: RoundtableOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  demandVault(root, context.env);
  const request = { op: 'roundtable' as const, briefing, recorded: options.recorded === true };
  const say = (progress: Progress) => {
    const line = lineOf(progress);
    if (line !== null) context.err.progress(line);
  };
  const abort = interruption();
  const alive = await askDaemon(context, root, { op: 'status' });
  using _ = typeof alive === 'string' ? null : follow(root, briefing, say);
  const held = await handOver(context, root, request, (space) => convene(space, request, { say, abort, matter: null }));
  if (options.json === true) context.out.json({ schemaVersion: 1, ...held });
  else printOutcome(context.out, held);
  return EXIT.done;
}

function interruption(): AbortSignal {
  const stop = new AbortController();
  const interrupted = () => stop.abort(cutOff('The roundtable was interrupted.'));
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  return stop.signal;
}

/** Tells what is new in the log of a roundtable that the daemon holds. */
function follow(root: string, briefing: string, say: (progress: Progress) => void): Disposable {
  const { folders } = readSettings(root, UNKNOWN_SETTINGS).settings;
  const folder = path.posix.dirname(briefingFile(folders.roundtable, briefing));
  const file = path.join(root, folder, logName(path.posix.basename(folder)));
  let seen = entriesIn(file).length;
  const look = () => {
    const entries = entriesIn(file);
    for (const entry of entries.slice(seen)) say(entry);
    seen = entries.length;
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      look();
    },
  };
}

function entriesIn(file: string): readonly Progress[] {
  try {
    return roundtableLog.parse(JSON.parse(fs.readFileSync(file, 'utf8'))).entries;
  } catch {
    return []; // it has not begun
  }
}
