import type { Workspace } from '../context/ports.ts';
import type { Waits } from '../ingest/extract-signals.ts';
import type { ItemTaker } from '../ingest/items/read-items.ts';
import type { StreamResult } from '../ingest/stream-file.ts';
import type { ImportCounts } from './counts.ts';
import type { ImportProgress } from './progress.ts';

/** What importing one file, or one Maildir, came to. */
export interface Imported {
  /** The file as it was named. */
  readonly from: string;
  /** Where it lies in the vault now; null where nothing of it was put there. */
  readonly file: string | null;
  readonly signals: readonly string[];
  /** Why it gave no signal, or was not put into the vault; else null. */
  readonly reason: string | null;
  /** False where no reader understood the file. */
  readonly understood: boolean;
  /** Whether it is all there and read; false where the import was ended before. */
  readonly complete: boolean;
  /** What became of its events; null of a file with one event. */
  readonly items: ImportCounts | null;
}

/** Who reads, who hears how far it is, and who may end it. */
export interface ImportWork {
  /** Reads a stream file of the vault. */
  readonly read: (file: string, onProgress: ItemTaker['onProgress']) => Promise<StreamResult | Waits | null>;
  readonly tell: (progress: ImportProgress) => void;
  /** Ends the import: nothing half copied is left, and what is read stays read. */
  readonly abort: AbortSignal;
}

/** The records as last read, who reads stream files, and whether the vault is still ours. */
export type ImportAccess = Pick<Workspace, 'context' | 'vault' | 'ingest' | 'transactions'>;

/** Of a file that gave no signal and is as it should be. */
export const PLAIN = { signals: [], understood: true, complete: true, items: null } as const;
