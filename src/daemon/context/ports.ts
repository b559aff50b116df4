import type { Provider } from '../../model/provider/provider.ts';
import type { Evaluator } from '../../steward/ports/evaluator.ts';
import type { Extractor } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import type { OpenProposals } from '../../steward/proposals/proposal-status.ts';
import type { TaskBook } from '../../stream/fit/task-book.ts';
import type { Identity } from '../../stream/items/item.ts';
import type { KnownVersion } from '../../stream/items/standing.ts';
import type { LanguageMemory } from '../../stream/language/detection.ts';
import type { MailDoor, ParsedMail } from '../../stream/mail/mail.ts';
import type { TargetIndex } from '../../stream/targets/target-index.ts';
import type { TrainedReader } from '../../stream/trained/trained-reader.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import type { Memo } from '../../vault/index/memo.ts';
import type { Seal } from '../../vault/seal.ts';
import type { NoteReader } from '../../vault/transaction/note-snapshot.ts';
import type { Transactions } from '../../vault/transaction/transaction.ts';
import type { Change } from '../../vault/watch/known-files.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { DaemonEvent } from './daemon-event.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';
import type { Trail } from './trail.ts';

/** What all work depends on: what a person and the environment allow, what is remembered, and the time. */
export interface Context {
  readonly env: Environment;
  /** The settings that hold now; replaced as a whole when `steward.md` changes. */
  settings: Settings;
  readonly state: State;
  /** The program's mark on notes that it wrote itself. */
  readonly seal: Seal;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: DaemonEvent) => void;
  /** Resolves when work that is queued may begin: where several daemons share a process, each has its turn. */
  readonly turn?: () => Promise<void>;
}

/** The models, and who asks them. */
export interface Models {
  /** The server of the models, shared by all who ask; null where there is no key. */
  readonly provider: Provider | null;
  /** Who judges under the settings that hold now. */
  evaluator: Evaluator;
  /** Who reads stream events under them. */
  extractor: Extractor;
}

/** A stream file that waits for a model that can be asked about it. */
interface WaitingStream {
  readonly reason: string;
  readonly tries: number;
  /** When it is tried again (epoch ms). */
  readonly at: number;
  /** Whether it is also tried again when the model answers about another. */
  readonly untilAnswer: boolean;
  /** The window of the rate guard or the budget that has no room for it until then; null where it waits for something else. */
  readonly window: string | null;
}

/** The notes that a stream event could be about, updated as the vault changes. */
export interface Targets {
  readonly index: TargetIndex;
  /** What the program has learnt of mails; read when it is first asked for. */
  readonly learnt: TrainedReader;
  /** What is remembered of tasks from mail to mail. */
  readonly book?: TaskBook;
  /** In what languages sentences and short texts were found to be. */
  readonly languages?: LanguageMemory;
  /** Updates the index for changes of the vault. */
  follow(changes: readonly Change[]): void;
}

/** Which stream files were read and gave signals, by the SHA-256 of their bytes. */
export interface SeenFiles {
  /** Returns the file that was read with this hash, or null. */
  of(sha256: string): string | null;
  /** Whether bytes with this hash were read, and have left the vault since. */
  isRetired(sha256: string): boolean;
  /** Remembers that a file with this hash gave signals. */
  add(sha256: string, file: string): void;
}

/** What reads one kind of stream file. */
export interface StreamReader {
  readonly name: string;
  /** Grows with what it understands: what an earlier version did not understand is read again, what it did is not. */
  readonly version: number;
  /** Whether it reads files of this name. */
  readonly takes: (file: string) => boolean;
  /** Returns the event in a file's bytes, or what is wrong with them. Never throws. */
  readonly read: (file: string, bytes: Buffer, door: MailDoor) => Promise<ParsedMail>;
}

/** Which events were read, by their identity. */
interface EventMemory {
  /** Returns the versions of an event that were read, oldest first. Throws what the disk refuses. */
  of(identity: Identity): readonly KnownVersion[];
  /** Remembers that an event was read; the next flush writes it. */
  add(identity: Identity, known: KnownVersion): void;
  /** Writes what was added since the last flush. Throws what the disk refuses. */
  flush(): void;
  /** Forgets what cannot come again. */
  prune(): void;
}

/** An event as it was read, and what makes it one and the same. */
interface HeldEvent {
  readonly event: StreamEvent;
  readonly identity: Identity;
}

/** What is known about stream files and what they could be about. */
export interface Ingest {
  readers: readonly StreamReader[];
  readonly known: EventMemory;
  /** Events of the file that was last opened for one that waits, by path: those that wait as well, a page at most. */
  readonly page: Map<string, HeldEvent>;
  /** Why files gave no signal. */
  readonly trail: Trail;
  /** The kinds of file that were said not to be read: each is said once. */
  readonly unreadKinds: Set<string>;
  /** What a stream event could be about; null until somebody asks (`targetsOf`), for what it needs is loaded then. */
  targets: Targets | null;
  readonly seen: SeenFiles;
  /** Stream files that no model can be asked about just now, by path. */
  readonly waiting: Map<string, WaitingStream>;
}

/**
 * A diagnostic that holds from one moment to another (epoch ms): what a note says about time may come true by waiting.
 */
export interface DatedDiagnostic {
  readonly trouble: Diagnostic;
  readonly from: number;
  readonly until: number;
}

/** What is wrong, as `status` lists it. */
export interface Problems {
  settings: readonly Diagnostic[];
  /** What of the journal cannot be carried out. */
  recovery: readonly Diagnostic[];
  /** What is wrong with the records themselves, as last computed. */
  readonly records: Memo<readonly DatedDiagnostic[]>;
  /** Failures that may pass (a full disk, a lost permission), by what was tried; removed once it works again. */
  readonly faults: Map<string, Diagnostic>;
  /** What is wrong around the program just now: with its output, for one. */
  readonly outside: () => readonly Diagnostic[];
}

/** Everything for the work on one vault, put together in `compose.ts`. A function declares the ports that it uses. */
export interface Workspace {
  readonly context: Context;
  /** The records, their index and the listing. */
  readonly vault: Vault;
  /** The notes as they are on disk at this moment. */
  readonly notes: NoteReader;
  /** All writing into notes. */
  readonly transactions: Transactions;
  /** The open proposals by the note they are about, computed when they are first asked for. */
  readonly proposals: OpenProposals;
  readonly models: Models;
  readonly ingest: Ingest;
  readonly problems: Problems;
}

/** The records as last read. */
export type IndexAccess = Pick<Workspace, 'context' | 'vault'>;

/** The records, and the notes as they are now; without transactions nothing can be written. */
export type ReadAccess = Pick<Workspace, 'context' | 'vault' | 'notes' | 'proposals'>;

/** Reading, and asking the models. */
export type ModelAccess = ReadAccess & Pick<Workspace, 'models' | 'problems'>;

/** Reading, and writing into notes. */
export type WriteAccess = ReadAccess & Pick<Workspace, 'transactions' | 'problems'>;
