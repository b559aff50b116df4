import type { Provider } from '../../model/provider/provider.ts';
import type { Evaluator } from '../../steward/ports/evaluator.ts';
import type { Extractor } from '../../steward/ports/extractor.ts';
import type { OpenProposal } from '../../steward/proposals/proposal-status.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import type { OwnPlaces } from '../../vault/layout.ts';
import type { EventClock } from '../../vault/notes/event-clock.ts';
import type { DisplacedFiles } from '../../vault/transaction/displaced-files.ts';
import type { Intent, Journal } from '../../vault/transaction/journal.ts';
import type { OwnWrites } from '../../vault/transaction/own-writes.ts';
import type { Publisher } from '../../vault/transaction/publish.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { SeenFiles } from '../ingest/seen-files.ts';
import type { WaitingStream } from '../ingest/stream-file.ts';
import type { TargetSync } from '../ingest/target-sync.ts';
import type { KeyedMutex } from '../runtime/keyed-mutex.ts';
import type { DatedDiagnostic } from '../status/date-problems.ts';
import type { DaemonEvent } from './daemon-event.ts';
import type { Environment } from './environment.ts';
import type { Memo } from './memo.ts';
import type { Settings } from './settings.ts';
import type { State } from './state.ts';

/** Everything the work on one vault needs, put together in `compose.ts` and handed down. Nothing else is global. */
export interface Workspace {
  readonly vault: Vault;
  readonly places: OwnPlaces;
  readonly env: Environment;
  /** The settings as they hold now; replaced whole when `steward.md` changes. */
  settings: Settings;
  settingsTroubles: readonly Diagnostic[];
  /** What start-up recovery could not make sense of. */
  recoveryTroubles: readonly Diagnostic[];
  /** What is wrong with the records themselves, as last worked out. */
  readonly recordTroubles: Memo<readonly DatedDiagnostic[]>;
  /** The proposals that wait, by the note they are about, as far as somebody has asked. */
  readonly proposals: Memo<Map<string, readonly OpenProposal[]>>;
  /** Failures that may pass (a full disk, a lost permission), by what was tried; struck out when it works again. */
  readonly faults: Map<string, Diagnostic>;
  readonly state: State;
  readonly twins: SeenFiles;
  readonly journal: Journal;
  /** Intents that were decided and then held up by the disk: nothing else is decided before they are finished. */
  readonly unfinished: Map<string, Intent>;
  /** One judgement of a note at a time. */
  readonly turns: KeyedMutex;
  readonly publisher: Publisher;
  readonly displaced: DisplacedFiles;
  readonly own: OwnWrites;
  /** The times that event notes are named by. */
  readonly stamps: EventClock;
  /** The server that models are asked of, whoever asks; null where there is no key. */
  readonly provider: Provider | null;
  /** Who judges, by the settings as they hold now. */
  evaluator: Evaluator;
  /** Who reads stream events, likewise. */
  extractor: Extractor;
  /** What a stream event could be about. */
  readonly targets: TargetSync;
  /** Stream files that nobody can be asked about just now, by path. */
  readonly heldStreams: Map<string, WaitingStream>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly say: (happening: DaemonEvent) => void;
}
