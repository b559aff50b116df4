import type { ExitCode } from '../../vault/errors.ts';
import type { Printer } from '../print/print.ts';

/** What every command is given: where to print, what the process was started with. */
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
