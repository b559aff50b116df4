/**
 * Why a source gave nothing. `away`: no server, no whole answer in time, the connection ended. `refused`: it does not let
 * us in: a wrong password, or none. `certificate`: it does not prove who it is. `missing`: the folder or calendar is not
 * there. `busy`: it asks to wait. `strange`: an answer that makes no sense. `setup`: the note, this machine or a library is
 * not ready for it. `fault`: the program itself failed in a way that nobody foresaw.
 */
export type SourceFailure = 'away' | 'refused' | 'certificate' | 'missing' | 'busy' | 'strange' | 'setup' | 'fault';

interface SourceErrorDetails {
  readonly kind: SourceFailure;
  /** One sentence in plain words, without any secret, and with nothing in it that the server said. */
  readonly message: string;
  /** What a person can do about it. */
  readonly hint: string;
  /** For how long (ms) it asks to be left alone; absent where it does not say. */
  readonly waitMs?: number;
}

/** A source that gave nothing, and why. */
export class SourceError extends Error {
  readonly kind: SourceFailure;
  readonly hint: string;
  readonly waitMs: number | null;

  constructor({ kind, message, hint, waitMs }: SourceErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.kind = kind;
    this.hint = hint;
    this.waitMs = waitMs ?? null;
  }
}
