import type { ProblemCode } from './problem-codes.ts';

/** Something a person should know about, as `status` and `doctor` list it. Plain data, safe to serialise. */
export interface Diagnostic {
  readonly code: string;
  /** Vault-relative path with forward slashes, or null if no file is concerned. */
  readonly file: string | null;
  /** 1-based, in the file (not in the frontmatter). */
  readonly line: number | null;
  /** 1-based, in characters. */
  readonly column: number | null;
  /** One sentence in plain words. */
  readonly message: string;
  readonly hint: string;
  /** The line concerned with a caret under the column, ready to print. */
  readonly excerpt?: string;
  /** For an unexpected error: the component of the program, and the place in it. */
  readonly component?: string;
  readonly stack?: string;
}

/** All exit codes of the command line, so that no door invents its own. */
export const EXIT = { done: 0, refused: 1, usage: 2, tryAgain: 75, settings: 78, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface DiagnosticDetails {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly file?: string | null;
  readonly line?: number | null;
  readonly column?: number | null;
  readonly excerpt?: string;
}

/** Returns a `Diagnostic` from the parts that are known. Its code has a row in the table of problems. */
export function diagnostic(details: DiagnosticDetails & { readonly code: ProblemCode }): Diagnostic {
  return withAllParts(details);
}

function withAllParts(details: DiagnosticDetails): Diagnostic {
  const { excerpt } = details;
  return {
    code: details.code,
    file: details.file ?? null,
    line: details.line ?? null,
    column: details.column ?? null,
    message: details.message,
    hint: details.hint,
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}

/** An error with a code, one sentence, a hint, and the exit code of a command that ends with it. */
export class StewardError extends Error {
  readonly trouble: Diagnostic;
  readonly exit: ExitCode;

  constructor(details: DiagnosticDetails, exit: ExitCode = EXIT.refused, options?: ErrorOptions) {
    super(details.message, options);
    this.name = 'StewardError';
    this.trouble = withAllParts(details);
    this.exit = exit;
  }
}

/** Whether an error is a permanent refusal: the next try would meet it again. */
export function isRefusal(error: unknown): error is StewardError {
  return error instanceof StewardError && error.exit !== EXIT.tryAgain;
}

/** Whether an error says that the next try may go well (75). */
export function isPassing(error: unknown): error is StewardError {
  return error instanceof StewardError && error.exit === EXIT.tryAgain;
}

/** Returns the error of a vault that is away for now, `vault-away` (exit 75). */
export function awayRefusal(reason: string): StewardError {
  const message = `The vault is away: ${reason}.`;
  return new StewardError({ code: 'vault-away', message, hint: 'Try again when it is back.' }, EXIT.tryAgain);
}

/** The code of the error of a vault that is no longer this process's to write to. */
export const LOCK_LOST = 'lock-lost';

/**
 * Whether the vault is still this process's, as `demand` checks. Also true if the vault is away, or the disk gives no
 * answer.
 */
export function isOurs(demand: () => void): boolean {
  try {
    demand();
    return true;
  } catch (error) {
    return !(error instanceof StewardError && error.trouble.code === LOCK_LOST);
  }
}

/**
 * Returns the message of an unknown thrown value, without a stack; for a failed schema, its first issue with its path.
 */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return issueOf(error) ?? error.message;
}

// A schema's error message is all its issues as JSON. Recognised by shape: not every command has loaded the schemas.
function issueOf(error: Error): string | null {
  const [issue]: unknown[] = 'issues' in error && Array.isArray(error.issues) ? error.issues : [];
  if (typeof issue !== 'object' || issue === null || !('message' in issue)) return null;
  const where = 'path' in issue && Array.isArray(issue.path) ? issue.path.join('.') : '';
  return where === '' ? String(issue.message) : `${where}: ${issue.message}`;
}

/** Returns the `code` of a Node system error (`ENOENT`, …), or null. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The meaning of a system error for a file, in plain words, by its code. */
export const SYSTEM_ERRORS: Readonly<Record<string, { code: ProblemCode; says: string; hint: string }>> = {
  ENOENT: { code: 'file-gone', says: 'is not there.', hint: 'Somebody moved or deleted it.' },
  EACCES: {
    code: 'no-permission',
    says: 'cannot be opened: permission denied.',
    hint: 'Give the user who runs the daemon read and write permission.',
  },
  EPERM: {
    code: 'no-permission',
    says: 'cannot be changed: permission denied.',
    hint: 'Give the user who runs the daemon read and write permission.',
  },
  EROFS: {
    code: 'read-only',
    says: 'is on a read-only disk.',
    hint: 'Mount the vault writable.',
  },
  ENOSPC: {
    code: 'disk-full',
    says: 'cannot be written: the disk is full.',
    hint: 'Free some space; Steward tries again automatically.',
  },
  EDQUOT: {
    code: 'disk-full',
    says: 'cannot be written: the quota is used up.',
    hint: 'Free some space; Steward tries again automatically.',
  },
  EMFILE: {
    code: 'too-many-open',
    says: 'cannot be opened: too many files are open.',
    hint: 'Raise the limit of open files (ulimit -n).',
  },
  ENFILE: {
    code: 'too-many-open',
    says: 'cannot be opened: too many files are open.',
    hint: 'Close other programs or raise the limit.',
  },
  EIO: {
    code: 'disk-error',
    says: 'cannot be read or written: the disk reports an error.',
    hint: 'Check the disk; Steward tries again automatically.',
  },
  EXDEV: {
    code: 'other-disk',
    says: 'is on another file system than the vault.',
    hint: 'Keep record folders on the same file system as .steward.',
  },
  ELOOP: { code: 'link-loop', says: 'is a link that leads in a circle.', hint: 'Remove the link.' },
  ENAMETOOLONG: { code: 'name-too-long', says: 'has too long a name.', hint: 'Give the note a shorter name.' },
};

/**
 * Returns how many letters must be put in, taken out or replaced to make one word of another; infinite if the lengths
 * alone differ by more than `most`.
 */
export function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, edits) => edits);
  for (const [nth, letter] of [...from].entries()) {
    const next = [nth + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
