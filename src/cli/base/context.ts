import type { ExitCode } from '../../vault/errors.ts';
import { Printer } from '../print/printer.ts';

/** What every command is given: where to print, and what the process was started with. */
export interface CommandContext {
  /** Results: standard output. */
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
  return {
    out: new Printer(process.stdout, process.env),
    err: new Printer(process.stderr, process.env),
    env: process.env,
    cwd: process.cwd(),
  };
}
