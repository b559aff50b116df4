import fs from 'node:fs';
import type { DaemonEvent } from '../../daemon/environment.ts';
import { type Diagnostic, EXIT, StewardError } from '../../vault/errors.ts';
import { LastingOutput } from '../base.ts';
import { clean, whereOf } from '../print/plain-text.ts';
import { type Detail, eventText } from '../print/print-event.ts';
import { Printer } from '../print/printer.ts';
import { type LogRecord, levelOf, logRecord, priorityOf } from '../print-daemon-log.ts';

/** `text`: lines for people. `json`: one object a line, for programs. */
const LOG_FORMS = ['text', 'json'] as const;
/** The least that is told: what is wrong; what happened, without what notes say; all. */
const LOG_LEVELS = ['warning', 'info', 'debug'] as const;

/** How the daemon tells what happens, as a person asked for it; absent: as the environment says, or as fits the output. */
export interface LogOptions {
  readonly log?: (typeof LOG_FORMS)[number];
  readonly logLevel?: (typeof LOG_LEVELS)[number];
}

/** One of several vaults, as the lines about it name it. */
interface Named {
  /** What lines for people begin with. */
  readonly name: string;
  /** Its absolute path, in lines for programs. */
  readonly root: string;
}

type Standard = NodeJS.WriteStream & { readonly fd: number };

/** Where the daemon tells what happens: to a person at a terminal, into a file, or to journald. */
export class DaemonLog {
  readonly #form: (typeof LOG_FORMS)[number];
  readonly #level: (typeof LOG_LEVELS)[number];
  readonly #inJournal: boolean;
  readonly #output: LastingOutput;
  readonly #out: Printer;

  /** Throws `settings-log` (78) where the environment asks for a log that there is not. */
  constructor(stream: Standard, env: NodeJS.ProcessEnv, options: LogOptions) {
    this.#form = options.log ?? chosen(env, 'STEWARD_LOG', LOG_FORMS) ?? 'text';
    // Who looks on at a terminal may see it all. A log is kept by others, and for long.
    const usual = stream.isTTY === true ? 'debug' : 'info';
    this.#level = options.logLevel ?? chosen(env, 'STEWARD_LOG_LEVEL', LOG_LEVELS) ?? usual;
    this.#inJournal = isJournal(stream.fd, env);
    this.#output = new LastingOutput(stream, (unsaid) => this.#line(unsaid));
    this.#out = new Printer(this.#output, env);
  }

  /** What is wrong with the output, as `status` lists it. */
  get trouble(): Diagnostic | null {
    return this.#output.trouble;
  }

  /** Tells one thing that happened. */
  readonly emit = (event: DaemonEvent): void => this.#emit(event, null);

  /** Returns what tells of one of several vaults. */
  of(vault: Named): (event: DaemonEvent) => void {
    return (event) => this.#emit(event, vault);
  }

  /** Tells why the daemon ends, where the log is for programs or for journald; returns whether it did. */
  ended(trouble: Diagnostic): boolean {
    if (this.#form === 'text' && !this.#inJournal) return false;
    const where = trouble.file === null ? '' : `${clean(whereOf(trouble))}: `;
    const text = `ended: ${where}${clean(trouble.message)} ${clean(trouble.hint)} (${clean(trouble.code)})`;
    const time = new Date().toISOString();
    const { code, file, message, hint } = trouble;
    const record = { time, level: 'error', code: 'ended', trouble: code, file, message, hint } as const;
    this.#out.line(`${this.#prefix(priorityOf('error'))}${this.#form === 'json' ? jsonLine(record) : text}`);
    return true;
  }

  /** Lets the process end, also where nobody takes what still waits. */
  close(): void {
    this.#output.close();
  }

  #emit(event: DaemonEvent, vault: Named | null): void {
    const isWanted = this.#level !== 'warning' || ['error', 'warning'].includes(levelOf(event));
    if (isWanted) this.#out.line(this.#line(event, vault));
  }

  #line(event: DaemonEvent, vault: Named | null = null): string {
    const detail: Detail = this.#level === 'debug' ? 'whole' : 'figures';
    const prefix = this.#prefix(priorityOf(levelOf(event)));
    if (this.#form === 'json') {
      const record = logRecord(event, detail, Date.now());
      return `${prefix}${jsonLine(vault === null ? record : { ...record, vault: vault.root })}`;
    }
    const time = this.#inJournal ? '' : `${new Date().toTimeString().slice(0, 8)}  `;
    const whose = vault === null ? '' : `${this.#out.paint('dim', `${clean(vault.name)}:`)} `;
    const lines = `${time}${whose}${eventText(this.#out, event, detail)}`.split('\n');
    return lines.map((line) => `${prefix}${line}`).join('\n');
  }

  // journald takes a priority at the start of a line, and adds the time itself.
  #prefix(priority: number): string {
    return this.#inJournal ? `<${priority}>` : '';
  }
}

// A line of the log is one line, whatever a path holds, and does nothing to a terminal that shows it.
function jsonLine(record: LogRecord): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(record).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, escaped);
}

// The variable is inherited by whatever a service starts, also by a terminal: it says which file is the journal's.
function isJournal(fd: number, env: NodeJS.ProcessEnv): boolean {
  const [device, inode] = (env.JOURNAL_STREAM ?? '').split(':');
  if (device === undefined || inode === undefined) return false;
  try {
    const { dev, ino } = fs.fstatSync(fd, { bigint: true });
    return `${dev}` === device && `${ino}` === inode;
  } catch {
    return false; // it is closed
  }
}

function chosen<Choice extends string>(
  env: NodeJS.ProcessEnv,
  variable: string,
  choices: readonly Choice[],
): Choice | undefined {
  const written = env[variable]?.trim() ?? '';
  const found = choices.find((choice) => choice === written);
  if (found !== undefined || written === '') return found;
  throw new StewardError(
    {
      code: 'settings-log',
      message: `${variable} is ${JSON.stringify(written)}, and must be one of: ${choices.join(', ')}.`,
      hint: 'Set it to one of these, or unset it.',
    },
    EXIT.settings,
  );
}
