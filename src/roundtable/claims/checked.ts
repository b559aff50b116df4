/** A figure or a place that somebody stated, and the result of looking it up. */
export interface Checked {
  readonly agent: string;
  /** The index of its message, from 0. */
  readonly message: number;
  readonly about: 'figure' | 'place';
  /** As written. */
  readonly figure: string;
  /** Its offset in the message. */
  readonly at: number;
  /** The sentence around it, cut short. */
  readonly sentence: string;
  /**
   * `borne-out` by a source; `derived` from figures next to it that are; `proposed`, so not a statement of fact;
   * `repeated` after somebody else who said it first; or `unsupported`.
   */
  readonly finding: 'borne-out' | 'derived' | 'proposed' | 'repeated' | 'unsupported';
  /** Whether it cites a line of a file. */
  readonly cites: boolean;
  /** Why a place is not believed, as a sentence; null where it is, and for a figure that no source holds. */
  readonly reason: string | null;
}
