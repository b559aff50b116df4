import type { Provider } from '../../model/provider/provider.ts';
import type { Evaluator } from '../../steward/ports/evaluator.ts';
import type { Extractor } from '../../steward/ports/extractor.ts';
import type { OpenProposals } from '../../steward/proposals/proposal-status.ts';
import type { TargetIndex } from '../../stream/targets/target-index.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import type { Memo } from '../../vault/index/memo.ts';
import type { NoteReader } from '../../vault/transaction/note-snapshot.ts';
import type { Transactions } from '../../vault/transaction/transaction.ts';
import type { Change } from '../../vault/watch/known-files.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { DaemonEvent } from './daemon-event.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';

/** What holds while the work goes on: what a person and the environment allow, what is remembered, and the time. */
export interface Context {
  readonly env: Environment;
  /** The settings as they hold now; replaced whole when `steward.md` changes. */
  settings: Settings;
  readonly state: State;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: DaemonEvent) => void;
}

/** Who is asked. */
export interface Models {
  /** The server that models are asked of, whoever asks; null where there is no key. */
  readonly provider: Provider | null;
  /** Who judges, by the settings as they hold now. */
  evaluator: Evaluator;
  /** Who reads stream events, likewise. */
  extractor: Extractor;
}

/** A stream file that waits for somebody who can be asked about it. */
export interface WaitingStream {
  readonly reason: string;
  readonly tries: number;
  /** When it is tried again (epoch ms). */
  readonly at: number;
  /** Whether it is also tried again when the model answers about another. */
  readonly untilAnswer: boolean;
}

/** The notes that a stream event could be about, in step with the vault. */
export interface Targets {
  readonly index: TargetIndex;
  /** Follows changes of the vault. */
  follow(changes: readonly Change[]): void;
}

/** Which stream files were read and gave signals, by the SHA-256 of their bytes. */
export interface SeenFiles {
  /** The file that was read with this hash, or null. */
  of(sha256: string): string | null;
  /** Says that signals were taken from a file with this hash. */
  add(sha256: string, file: string): void;
}

/** What is known of stream files and of what they could be about. */
export interface Ingest {
  /** What a stream event could be about. */
  readonly targets: Targets;
  readonly seen: SeenFiles;
  /** Stream files that nobody can be asked about just now, by path. */
  readonly waiting: Map<string, WaitingStream>;
}

/** A trouble that is one from one moment to another (epoch ms): what a note says of time may come true by waiting. */
export interface DatedDiagnostic {
  readonly trouble: Diagnostic;
  readonly from: number;
  readonly until: number;
}

/** What is wrong, as `status` lists it. */
export interface Problems {
  settings: readonly Diagnostic[];
  /** What start-up recovery could not make sense of. */
  recovery: readonly Diagnostic[];
  /** What is wrong with the records themselves, as last worked out. */
  readonly records: Memo<readonly DatedDiagnostic[]>;
  /** Failures that may pass (a full disk, a lost permission), by what was tried; removed when it works again. */
  readonly faults: Map<string, Diagnostic>;
}

/** The work on one vault, put together in `compose.ts`: whoever is handed it names the ports that it uses. */
export interface Workspace {
  readonly context: Context;
  /** The records, their index and the listing. */
  readonly vault: Vault;
  /** The notes as they are on disk at this moment. */
  readonly notes: NoteReader;
  /** All writing into notes. */
  readonly transactions: Transactions;
  /** The proposals that wait, by the note they are about, as far as somebody has asked. */
  readonly proposals: OpenProposals;
  readonly models: Models;
  readonly ingest: Ingest;
  readonly problems: Problems;
}

/** What is known of the records, as last read. */
export type IndexAccess = Pick<Workspace, 'context' | 'vault'>;

/** The same, and the notes as they are now: whoever has no more writes nothing. */
export type ReadAccess = Pick<Workspace, 'context' | 'vault' | 'notes' | 'proposals'>;

/** Reading, and asking whoever judges. */
export type ModelAccess = ReadAccess & Pick<Workspace, 'models' | 'problems'>;

/** Reading, and writing into notes. */
export type WriteAccess = ReadAccess & Pick<Workspace, 'transactions' | 'problems'>;
