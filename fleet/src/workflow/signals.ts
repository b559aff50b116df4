/** What the workflow of a vault is called, and what it hears. The engine keeps these names: they are never changed. */
export const KEEPER = 'vaultKeeper';
/** Something has changed in the vault: it is visited now. */
export const NUDGE = 'nudge';
/** The vault is on another host from now on: its workflow goes on in the queue that is named. */
export const MOVE = 'move';

/** What the host does for the workflow. */
export interface Visits {
  /** Visits the vault of this workflow. Returns until when (epoch ms) nothing is to be done there; null: until a nudge. */
  visit(): Promise<number | null>;
}
