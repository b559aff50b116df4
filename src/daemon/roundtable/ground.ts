import type { Door } from '../../model/provider.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Seal } from '../../vault/seal.ts';
import { nameTimeExact } from '../../vault/time.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { Transactions } from '../../vault/transaction/transaction.ts';
import { type BudgetClient, questionDoor, recordErrand, reserveErrand } from '../budget.ts';
import type { IndexAccess, Settings, Workspace } from '../context.ts';
import type { Environment } from '../environment.ts';
import type { TablePlace } from './table-place.ts';

/** Publishes over files of a roundtable, as over notes, and closes what it needs for that. */
export interface Publishing {
  /** False, with nothing lost, where the file does not hold `before` any more. Throws where the disk refuses. */
  readonly replace: (file: string, before: string, text: string) => boolean;
  /** Throws where the roundtable, or a vault that is held for it, is no longer this process's to write to. */
  readonly demand: () => void;
  close(): Promise<void>;
}

/** What a roundtable is held on: a vault, with or without a daemon. */
export interface TableGround {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Vault-relative: the folder of all roundtables. */
  readonly home: string;
  readonly env: Environment;
  readonly settings: Settings;
  readonly seal: Seal;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** What it may cost, and the door to the provider. */
  readonly budget: BudgetClient & Door;
  /** Called once the table is held. */
  readonly publishing: (place: TablePlace) => Publishing;
}

/** Reading, and publishing what a person may be typing into. */
type RoundtableAccess = IndexAccess & Pick<Workspace, 'transactions'>;

/** Returns the ground of a running daemon. `matter`: the matter whose budget a roundtable also counts against, or null. */
export function groundIn({ vault, context, transactions }: RoundtableAccess, matter: string | null): TableGround {
  return {
    root: vault.root,
    home: vault.layout.folders.roundtable,
    env: context.env,
    settings: context.settings,
    seal: context.seal,
    now: context.now,
    budget: {
      ...questionDoor(context),
      reserve: async (estimate) => reserveErrand(context, estimate, matter),
      record: async (settlement) => recordErrand(context, settlement),
    },
    publishing: (place) => ({
      replace: replaceBy(transactions, context.now),
      demand: () => {
        transactions.demand();
        place.demand();
      },
      close: async () => {},
    }),
  };
}

/** Returns how these transactions publish over a file of a roundtable. */
export function replaceBy(transactions: Transactions, now: () => number): Publishing['replace'] {
  return (file, before, text) =>
    transactions.commit(`roundtable-action-${nameTimeExact(now())}-${sha256(file).slice(0, 8)}`, [
      textStep(file, before, text),
    ]);
}
