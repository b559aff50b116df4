import type { MutationProposal } from '../../vault/records/mutation.ts';
import type { AuthenticationResult } from '../../vault/records/signal.ts';

/** Whether the event's channel vouches for its sender (contract, section 10). */
export interface Authentication {
  readonly result: AuthenticationResult;
  /** The server that said so; null where no trusted one said anything. */
  readonly server: string | null;
  /** Why, in a few words: `dmarc=pass`, or `no trusted server says who sent it`. */
  readonly reason: string;
}

/** Nobody vouches for the sender, and nobody denies it. */
export const NOT_VOUCHED: Authentication = { result: 'none', server: null, reason: 'nobody says who sent it' };

/** Something that happened outside, as its parser read it. All of it is data from strangers. */
export interface StreamEvent {
  /** Vault-relative path of the file under `stream/`. */
  readonly path: string;
  readonly sourceType: string;
  /** UTC, ISO with `Z`, to the second; null where the source gives no usable time. */
  readonly originAt: string | null;
  /** The bare address in lower case. */
  readonly from: string | null;
  /** The sender's display name. Never used to decide anything. */
  readonly fromName: string | null;
  readonly to: readonly string[];
  readonly subject: string;
  /** The author's own words: without quoted history, signature and forwarded mails. */
  readonly text: string;
  /** What was cut out of `text`. Searched for links only. */
  readonly quoted: string;
  /** Sent by a machine: to many people, or as an automatic reply. */
  readonly bulk: boolean;
  readonly bulkReason: string | null;
  /** Written by this program or by the vault's owner, so nothing is to be learnt from it. */
  readonly ownNote: boolean;
  readonly authentication: Authentication;
  /** What is odd about the sender or the text, each a sentence in plain words: a look-alike address, for one. */
  readonly warnings: readonly string[];
  /** What every reader is surely shown, where that is not all of `text`; else null. */
  readonly shown: string | null;
  /** Why nothing is to be done on its word alone, each a sentence. */
  readonly doubts: readonly string[];
  /** The one note that it is about, where its channel says so by an id; absent where its words must tell. */
  readonly about?: string;
  /** What it says has changed, where its channel says so in fields; absent where its words must tell. */
  readonly stated?: Stated;
}

/** A change that a channel tells in fields, and how it says so. */
export interface Stated {
  /** At most fifty characters, as they stand in the file. */
  readonly quote: string;
  readonly proposal: MutationProposal;
}
