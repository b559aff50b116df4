/** The names of the workflow of a vault, its signals and its update. The engine stores these names: never change them. */
export const KEEPER = 'vaultKeeper';
/** Something has changed in the vault: it is visited now. */
export const NUDGE = 'nudge';
/** The vault is on another host from now on: its workflow goes on in the queue that is named. */
export const MOVE = 'move';
/** An update: has the vault visited now, and answers when that visit has ended. */
export const VISIT_NOW = 'visitNow';

/** What came of a visit. Durations, since the clocks of host and engine may differ. */
export interface Visited {
  /** For how long (ms) nothing is to be done in the vault; null: until a nudge. */
  readonly restMs: number | null;
  /** Why the visit came to nothing: a code; null if it didn't. */
  readonly code: string | null;
}

/** The answer to `VISIT_NOW`: a visit, or that the vault has moved to another host first. */
export type VisitAnswer = Pick<Visited, 'code'> | 'moved';

/** What the host does for the workflow. */
export interface Visits {
  /** Visits the vault of this workflow. */
  visitVault(): Promise<Visited>;
  /** For runs that began before `visitVault`. Returns until when (epoch ms, by the host's clock) nothing is to be done; null: until a nudge. */
  visit(): Promise<number | null>;
}
