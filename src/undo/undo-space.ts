import type { Classroom } from '../steward/learning/lessons.ts';
import type { FieldMapping } from '../vault/index/record.ts';
import type { Seal } from '../vault/seal.ts';
import type { Transactions } from '../vault/transaction/transaction.ts';
import type { Reversed } from './order.ts';

/** What an undo needs: the notes, the one place that writes into them, and what the settings allow it to write. */
export interface UndoSpace extends Classroom {
  readonly transactions: Transactions;
  readonly context: {
    /** Epoch milliseconds. */
    readonly now: () => number;
    /** The program's mark on its own notes. */
    readonly seal: Seal;
    readonly settings: UndoSettings;
    readonly emit: (event: Reversed) => void;
  };
}

interface UndoSettings {
  readonly settle_seconds: number;
  readonly editable_fields: readonly string[];
  readonly protected_fields: readonly string[];
  readonly field_mapping: FieldMapping;
}
