import type { Provider } from '../providers/provider.ts';
import type { TaskBook, Tiers, TrainedReader } from '../reading/learnt.ts';
import type { TargetIndex } from '../reading/targets.ts';
import type { Settings } from '../steward/settings.ts';
import type { Extractor, PastAnswer, StandingChange, StreamEvent } from '../steward/types.ts';
import type { DecisionContext, DecisionModels, DecisionWorkspace } from '../steward/workspace.ts';
import type { MailContext, ParsedMail } from '../streams/mail.ts';
import type { EventMemory, ReadingTrail } from '../streams/state.ts';
import type { IdentifiedEvent } from '../streams/stream.ts';
import type { RecordChange } from '../vault/vault.ts';
import type { DaemonEvent, Environment } from './environment.ts';
import type { StateStore } from './state.ts';

/**
 * What all work depends on: what a person and the environment allow, what is remembered, and the time. It is one port on
 * purpose: apart, these would be five more parameters of every function that orchestrates.
 */
export interface Context extends DecisionContext {
  readonly env: Environment;
  readonly state: StateStore;
  readonly emit: (event: DaemonEvent) => void;
  /** Resolves when work that is queued may begin: where several daemons share a process, each has its turn. */
  readonly turn?: () => Promise<void>;
}

/** The models, and who asks them. */
export interface Models extends DecisionModels {
  /** The server of the models, shared by all who ask; null if there is no key. */
  readonly provider: Provider | null;
  /** Who reads stream events under the settings that hold now. */
  extractor: Extractor;
  /** Chooses the evaluator again if the settings name another one. */
  readonly settingsChanged: (before: Settings) => void;
}

/** A stream file that waits for a model that can be asked about it. */
interface WaitingStream {
  readonly reason: string;
  readonly tries: number;
  /** When it is tried again (epoch ms). */
  readonly at: number;
  /** Whether it is also tried again when the model answers about another. */
  readonly untilAnswer: boolean;
  /** The window of the rate guard or the budget that is full until then; null if it waits for something else. */
  readonly window: string | null;
}

/** The notes that a stream event could be about, updated as the vault changes. */
export interface Targets {
  readonly index: TargetIndex;
  /** The program's knowledge from mails; read when first asked for. */
  readonly learnt: TrainedReader;
  readonly book?: TaskBook;
  /** From which likelihood on a change is proposed, or asked about, by the settings of today. */
  readonly tiers?: Tiers;
  /** Returns what the user said about earlier changes of an event's sender. */
  readonly answers?: (event: StreamEvent) => readonly PastAnswer[];
  /** Returns what was changed on the word of an event's sender and still stands. */
  readonly standing?: (event: StreamEvent) => readonly StandingChange[];
  /** Makes the index a note at a time, so that the first event that is read doesn't block other work. */
  readonly prepare?: () => Generator<void>;
  /** Updates the index for changes of the vault. */
  follow(changes: readonly RecordChange[]): void;
}

/** Which stream files were read and gave signals, by the SHA-256 of their bytes. */
interface SeenFiles {
  /** Returns the file that was read with this hash, or null. */
  of(sha256: string): string | null;
  /** Whether bytes with this hash were read, and have left the vault since. */
  isRetired(sha256: string): boolean;
  /** Remembers that a file with this hash gave signals. */
  add(sha256: string, file: string): void;
}

export interface StreamReader {
  readonly name: string;
  /** Grows with what it understands: what an earlier version did not understand is read again, what it did is not. */
  readonly version: number;
  /** Whether it reads files of this name. */
  readonly takes: (file: string) => boolean;
  /** Returns the event in a file's bytes, or what is wrong with them. Never throws. */
  readonly read: (file: string, bytes: Buffer, door: MailContext) => Promise<ParsedMail>;
}

/** The known stream files and the notes that they could be about. */
export interface Ingest {
  readers: readonly StreamReader[];
  readonly known: EventMemory;
  /** Events of the file that was last opened for one that waits, by path: those that wait as well, a page at most. */
  readonly page: Map<string, IdentifiedEvent>;
  /** Why files gave no signal. */
  readonly trail: ReadingTrail;
  /** The kinds of file that were said not to be read: each is said once. */
  readonly unreadKinds: Set<string>;
  /**
   * The notes that a stream event could be about; null until first asked for (`syncTargets`), since their code is
   * loaded then.
   */
  targets: Targets | null;
  readonly seen: SeenFiles;
  /** Whether the system says that no process has a stream file, by vault-relative path, open for writing. */
  readonly isClosed: (file: string) => boolean;
  /** Stream files that no model can be asked about just now, by path. */
  readonly waiting: Map<string, WaitingStream>;
}

/** Everything for the work on one vault, put together in `compose.ts`. A function declares the ports that it uses. */
export interface Workspace extends DecisionWorkspace {
  readonly context: Context;
  readonly models: Models;
  readonly ingest: Ingest;
}

/** The records as last read. */
export type IndexAccess = Pick<Workspace, 'context' | 'vault'>;

/** The records, and the notes as they are now; without transactions nothing can be written. */
export type ReadAccess = Pick<Workspace, 'context' | 'vault' | 'notes' | 'proposals'>;

/** Reading, and asking the models. */
export type ModelAccess = ReadAccess & Pick<Workspace, 'models' | 'problems'>;

/** Reading, and writing into notes. */
export type WriteAccess = ReadAccess & Pick<Workspace, 'transactions' | 'problems'>;
