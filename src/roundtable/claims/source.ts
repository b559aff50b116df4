/** Text that a claim may rest on: the briefing, or the result of a lookup. */
export interface Source {
  /** The path under which its own line numbers may be cited, as for the briefing; null where they may not. */
  readonly file: string | null;
  readonly text: string;
  /**
   * Set where the text is a condition in the asker's own words: it may only be repeated next to one of these counts.
   */
  readonly beside?: readonly number[];
}
