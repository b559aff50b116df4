/** What a driver process is asked to do to a vault. */
export interface Job {
  readonly root: string;
  /** `daemon` starts, runs while something arrives, and stops. All others are one-shot commands. */
  readonly op:
    | 'tick'
    | 'undo'
    | 'confirm'
    | 'dismiss'
    | 'dismiss all'
    | 'dropped'
    | 'stream'
    | 'fetch'
    | 'fetch to read'
    | 'recover'
    | 'daemon';
  /** The event that undo, confirm and dismiss are about. */
  readonly event?: string;
  /** Whether the system's atomic exchange may be used; otherwise notes are renamed. */
  readonly exchange: boolean;
  /** How often the same process retries work that failed, as the daemon does. */
  readonly again?: number;
  /** Another writer, who writes to a note at the worst moment. */
  readonly meddle?: Meddle;
  /** What somebody puts into the vault while the daemon runs, one after the other. */
  readonly arrivals?: readonly Arrival[];
}

/** A file that arrives in the vault complete, under its final name. */
export interface Arrival {
  readonly file: string;
  readonly text: string;
}

export interface Meddle {
  /** Vault-relative path of the note. */
  readonly note: string;
  /** `before`: between the last comparison and the swap. `after`: between the swap and the check of what it displaced.
   * `late`: at the very end, through a handle opened before the swap. */
  readonly when: 'before' | 'after' | 'late';
  readonly how: 'rewrite' | 'rename' | 'append' | 'delete';
}

export type Report =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string | null; readonly message: string };

/** What a driver process prints when it waits for the next arrival. */
export const WAITS = '{"waits":true}';

/** What the other writer writes; it must turn up in the note or among the kept files. */
export const TOKEN = 'typed by a person at this very moment';
