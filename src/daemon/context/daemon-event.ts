import type { ItemCounts } from '../../stream/items/items-read.ts';
import type { Reversed } from '../../undo/order.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import type { Changes } from '../../vault/records/mutation.ts';

/** One thing that happened in the daemon, as plain data. `run` prints it as a line. */
export type DaemonEvent =
  | { readonly what: 'started'; readonly vault: string; readonly mode: string; readonly matters: number }
  | { readonly what: 'stopped' }
  | { readonly what: 'recovered'; readonly finished: number; readonly withdrawn: number }
  | { readonly what: 'schedule-provisioned'; readonly name: string; readonly cadence: string; readonly next: number }
  | { readonly what: 'schedule-removed'; readonly name: string; readonly reason: string }
  | {
      readonly what: 'ticked';
      readonly name: string;
      readonly targets: number;
      readonly events: number;
      /** Why nothing was judged; null where something was. */
      readonly skipped: string | null;
    }
  | { readonly what: 'skipped'; readonly name: string; readonly reason: string }
  /** A file that holds many events was read, to its end or until too many of them waited. */
  | {
      readonly what: 'items-read';
      readonly file: string;
      readonly signals: number;
      readonly items: ItemCounts;
      readonly reason: string | null;
    }
  | { readonly what: 'stream-read'; readonly file: string; readonly signals: number; readonly reason: string | null }
  /** The first file of a kind that is not read. */
  | { readonly what: 'kind-unread'; readonly file: string; readonly kind: string }
  | {
      readonly what: 'signal-written';
      readonly signal: string;
      readonly target: string;
      readonly headline: string;
      /** The notes it may mean; empty where only its target can be meant. */
      readonly candidates: readonly string[];
    }
  /** Edits by hand of which no signal was made: too many came at once, or a whole vault was set back. */
  | { readonly what: 'edits-passed'; readonly edits: number; readonly reason: string }
  /** A person is asked which of several notes a signal is about. */
  | { readonly what: 'asked'; readonly event: string; readonly signal: string; readonly candidates: readonly string[] }
  | {
      readonly what: 'acted' | 'proposed' | 'recorded' | 'confirmed';
      readonly event: string;
      readonly target: string;
      readonly decision: string;
      readonly confidence: number;
      readonly changes: Changes;
      readonly reason: string;
    }
  /** What the program found by itself is put to a person. */
  | { readonly what: 'perceived'; readonly event: string; readonly target: string; readonly sentence: string }
  | { readonly what: 'dismissed'; readonly event: string; readonly target: string }
  /** The proposals of a note have closed by themselves, and its flag was removed. */
  | { readonly what: 'closed'; readonly event: string; readonly target: string; readonly reason: string }
  /** A file that should confirm or dismiss a proposal, and could not. */
  | { readonly what: 'refused'; readonly file: string; readonly outcome: string; readonly reason: string }
  | Reversed
  | { readonly what: 'roundtable-round'; readonly id: string; readonly round: number; readonly converged: boolean }
  /** A roundtable about a proposal is over; the proposal links to its outcome as advice. */
  | { readonly what: 'deliberated'; readonly event: string; readonly folder: string; readonly converged: boolean }
  /** A source brought something, and so many files were made of it. */
  | { readonly what: 'fetched'; readonly source: string; readonly seen: number; readonly taken: number }
  /** Plane was told of an event, or it was taken back there; `remark`: what of it could not be done. */
  | {
      readonly what: 'plane';
      readonly event: string;
      readonly wants: 'said' | 'unsaid';
      readonly remark: string | null;
    }
  /** A message went out: how many things it told of, none of a digest. */
  | { readonly what: 'notified'; readonly channel: string; readonly things: number }
  /** What has changed in the program since it last ran on this vault. */
  | { readonly what: 'notice'; readonly text: string }
  | { readonly what: 'settings'; readonly troubles: number }
  /** Settled things that are older than these days (null: kept) leave the vault from a moment on (epoch ms). */
  | {
      readonly what: 'retention';
      readonly streamDays: number | null;
      readonly eventDays: number | null;
      readonly from: number;
    }
  /** Settled things that were older than the settings keep them have left the vault. */
  | { readonly what: 'retired'; readonly streams: number; readonly events: number; readonly signals: number }
  | { readonly what: 'away' | 'back'; readonly reason: string }
  /** One of several vaults cannot be kept just now; it is tried again at a moment (epoch ms), or when its folder changes. */
  | { readonly what: 'unkept'; readonly trouble: Diagnostic; readonly again: number }
  /** One of several vaults has left their folder, and is kept no longer. */
  | { readonly what: 'let-go' }
  /** How many vaults one process looks after, and of how many the daemon runs. */
  | { readonly what: 'keeping'; readonly vaults: number; readonly running: number }
  /** Lines that `run` could not write since a moment (epoch ms), and why not. */
  | { readonly what: 'unsaid'; readonly lines: number; readonly since: number; readonly reason: string }
  /** An error that no code foresaw, in a component of the program. */
  | {
      readonly what: 'fault';
      readonly component: string;
      readonly stack: string;
      readonly continued: boolean;
      readonly trouble: Diagnostic;
    }
  | { readonly what: 'trouble'; readonly trouble: Diagnostic };
