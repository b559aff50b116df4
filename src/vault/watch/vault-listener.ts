import type { Change } from './known-files.ts';

/** What the vault tells its listener. Called once a batch, in the order things were found. */
export interface VaultListener {
  readonly changed: (changes: readonly Change[]) => void;
  /** Files under `stream/` that are new or changed. */
  readonly streamed: (files: readonly string[]) => void;
  readonly settings: () => void;
  /** A source note has changed, come or gone. */
  readonly sources: () => void;
  readonly presence: (away: string | null) => void;
}
