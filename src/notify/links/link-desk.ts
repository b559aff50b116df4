import type { LinkClaim } from './link-token.ts';

/** What a person reads before they press. */
export type Preview =
  | { readonly isOpen: true; readonly title: string; readonly change: string }
  /** `reason`: why there is nothing to press any more, as one sentence. */
  | { readonly isOpen: false; readonly reason: string };

/** What came of pressing. */
export interface Pressed {
  readonly isDone: boolean;
  /** Whether nothing was done, and the link may be pressed again in a moment. */
  readonly mayRetry: boolean;
  /** One sentence. */
  readonly message: string;
}

/** Where a link is answered, by the same functions as a command. */
export interface LinkDesk {
  /** Says what it is about. Changes nothing. */
  preview(claim: LinkClaim): Preview;
  /** Uses a link up, on disk; false where it was used before. Throws what the disk refuses. */
  use(id: string, until: number): boolean;
  /** Gives it back where nothing was done. */
  giveBack(id: string): void;
  /** Does what it asks for. Never throws what a person could be told. */
  press(claim: LinkClaim): Promise<Pressed>;
}
