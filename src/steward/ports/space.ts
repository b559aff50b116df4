import type { Catalogue } from '../../vault/index/catalogue.ts';
import type { Layout } from '../../vault/layout.ts';
import type { Seal } from '../../vault/seal.ts';
import type { NoteReader } from '../../vault/transaction/note-snapshot.ts';

// The parts of the work on a vault that judging may use. A function names the ones it needs: `Records & Notes & Clock`.

/** The records of the vault. */
export interface Records {
  readonly vault: { readonly catalogue: Catalogue; readonly layout: Layout };
}

/** The notes as they are at this moment. */
export interface Notes {
  readonly notes: NoteReader;
}

/** The program's mark on notes that it wrote itself. */
export interface Seals {
  readonly context: { readonly seal: Seal };
}

/** The time, in epoch milliseconds. */
export interface Clock {
  readonly context: { readonly now: () => number };
}
