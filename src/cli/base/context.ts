import type { ExitCode } from '../../vault/errors.ts';
import { Printer } from '../print/printer.ts';
import { diagnosticOutput, endingOutput } from './command-output.ts';

/** What every command is given: where to print, and what the process was started with. */
export interface CommandContext {
  /** Results: standard output. The command ends where they cannot be written. */
  readonly out: Printer;
  /** Diagnostics: standard error. */
  readonly err: Printer;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The options that every command takes. */
export interface CommonOptions {
  readonly vault?: string;
  readonly json?: boolean;
}

export type CommandResult = Promise<ExitCode>;

/** Returns the context of this very process. */
export function processContext(): CommandContext {
  const err = new Printer(diagnosticOutput(process.stderr), process.env);
  return {
    out: new Printer(endingOutput(process.stdout, err), process.env),
    err,
    env: process.env,
    cwd: currentFolder(),
  };
}

// The folder may have been deleted under the shell: every path that is given whole still means something.
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    process.chdir('/');
    return '/';
  }
}
