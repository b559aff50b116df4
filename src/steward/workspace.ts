import { z } from 'zod';
import type { Diagnostic } from '../vault/errors.ts';
import type { Changes } from '../vault/frontmatter.ts';
import type { Seal } from '../vault/seal.ts';
import type { NoteReader, Transactions } from '../vault/transaction.ts';
import type { Vault } from '../vault/vault.ts';
import type { BudgetState, LedgerState, SharedBudget } from './budget.ts';
import type { Mode } from './gates.ts';
import type { PerceptionState, SeenNote } from './perceive.ts';
import type { OpenProposals } from './proposals.ts';
import type { RateGuardState } from './rate-guard.ts';
import type { Settings, UnagreedSetting } from './settings.ts';
import type { Evaluator, EvaluatorQuestion, ExternalSystem, ReadMail, Verdict } from './types.ts';

/** What neither the vault nor a caller can raise; the environment sets it. */
export interface Ceilings {
  readonly ceiling: Mode;
  /** `STEWARD_CONFIDENCE_THRESHOLD`, or null if it isn't set. */
  readonly confidenceThreshold: number | null;
  /** `STEWARD_HIGH_CONFIDENCE_THRESHOLD`, or null if it isn't set. */
  readonly highConfidenceThreshold: number | null;
  /**
   * `STEWARD_BUDGET_USD_PER_DAY`: what models may cost in any 24 hours, in US dollars, whatever the vault allows; absent or
   * null if it isn't set.
   */
  readonly budgetUsdPerDay?: number | null;
  /** A budget for all vaults of this process, on top of their own; absent or null if there isn't one. */
  readonly sharedBudget?: SharedBudget | null;
}

/** When a target was last checked (epoch ms), and for how many checks it has been quiet. */
export interface Cursor {
  at: number;
  streak: number;
}

export interface ScheduleState {
  path: string;
  last: number | null;
  skipped: string | null;
  streak: number;
  /** When a signal last ended the quiet (epoch ms). */
  heard: number | null;
  /** When it last fired (epoch ms), if that check was skipped or isn't over. */
  fired: number | null;
  /** When it is to fire next (epoch ms). */
  due: number | null;
}

interface FindingSelection {
  /** Returns the selected findings by note, and pauses often. `isChosen` depends on the finding and on `question` only. */
  ask(question: string, isChosen: (finding: SeenNote) => boolean): Generator<void, ReadonlyMap<string, SeenNote>>;
}

/** What decisions depend on and survives a restart, by name. */
export interface DecisionState {
  /** Target path → cursor. */
  cursors: Record<string, Cursor>;
  /** Schedule name → what it last did. */
  schedules: Record<string, ScheduleState>;
  /** Signal name → when it was evaluated (epoch ms). */
  weighed: Record<string, number>;
  /** Target and window → until when (epoch ms) no further `rate_guarded` note is written for them. */
  guarded: Record<string, number>;
  'rate-guard': RateGuardState;
  budget: BudgetState;
  ledger: LedgerState;
  /** Licences that have ended, and offers that were made → when (epoch ms). */
  licences: Record<string, number>;
  /** The vault's own id; empty until it is first needed. */
  /** `met`: the mark of the key by which the vault was kept last. */
  identity: { id: string; met?: string | null | undefined };
  /** The pace at which notes are checked without a signal. */
  perception: PerceptionState;
  /** Note → what its last check without a signal found, if it found something or asked a model. */
  perceived: Record<string, SeenNote>;
  /** Mail that is only fetched to be read, and is still in the vault or about to be → since when (epoch ms). */
  fleeting: Record<string, number>;
  /** Those that were deleted once they had been read, and gave signals → when (epoch ms). */
  cleared: Record<string, number>;
  /** Note → when it was last touched (epoch ms) by something that has left the vault since. */
  touched: Record<string, number>;
  /** Kind and sender → suspicious mails that were about no note. */
  suspects: Record<string, Suspects>;
  /** Note → field → when the user last set it by hand (epoch ms). */
  edited: Record<string, Readonly<Record<string, number>>>;
}

type DecisionStateName = keyof DecisionState;

/** The stored state, as decisions use it. */
export interface StoredState {
  /** Returns the value under a name. After a change in place, call `touch`. */
  get<N extends DecisionStateName>(name: N): DecisionState[N];
  /** Replaces the value under a name; the next flush writes it. */
  set<N extends DecisionStateName>(name: N, value: DecisionState[N]): void;
  /** The keys under a name that grows; some may come twice, or be gone. */
  keysOf(name: DecisionStateName): Iterable<string>;
  /** The findings in notes, to be asked which of them a person or a model hasn't seen. */
  readonly seen: FindingSelection;
  /** Marks the value under a name, or one of its entries, as changed in place; the next flush writes it. */
  touch(name: DecisionStateName, key?: string): void;
  /** The same, for an entry whose loss would only repeat a check without findings. */
  touchLater(name: DecisionStateName, key: string): void;
  /** Writes one value to disk now. Throws what the disk refuses. */
  save(name: DecisionStateName): void;
  /**
   * Returns when a part of what is under these names could not be read (epoch ms), the last time; null if it always
   * could.
   */
  lostAt(...names: readonly DecisionStateName[]): number | null;
}

/** What a decision reports, as plain data. `run` prints it as a line. */
export type DecisionEvent =
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
  /** A licence was offered, signed, or has ended. `matter`: a link; null for every matter that names the sender. */
  | {
      readonly what: 'licence';
      readonly licence: string;
      readonly sender: string;
      readonly matter: string | null;
      readonly change: 'offered' | 'signed' | 'ended';
      readonly reason: string;
    }
  /** A finding in a note that has no signal is put to a person. */
  | { readonly what: 'perceived'; readonly event: string; readonly target: string; readonly sentence: string }
  | { readonly what: 'dismissed'; readonly event: string; readonly target: string }
  /** All proposals about a note have closed, and its flag was removed. */
  | { readonly what: 'closed'; readonly event: string; readonly target: string; readonly reason: string }
  /** A file or box that asked for something, and couldn't have it. */
  | { readonly what: 'refused'; readonly file: string; readonly outcome: string; readonly reason: string }
  /** An order to undo a change was answered. */
  | {
      readonly what: 'reversed';
      readonly event: string;
      readonly outcome: string;
      readonly target: string;
      readonly calibration: Readonly<Record<string, string>>;
    }
  /** A sender was right or wrong: its confidence before and after, and how often it was right by now. */
  | {
      readonly what: 'learned';
      readonly source: string;
      readonly outcome: string;
      readonly before: number;
      readonly after: number;
      readonly observations: number;
      readonly note: string;
    }
  /** A change of the program since it last ran on this vault. */
  | { readonly what: 'trouble'; readonly trouble: Diagnostic };

/** What every decision depends on: the permissions, the stored state, and the time. */
export interface DecisionContext {
  readonly env: Ceilings;
  /** The current settings, as far as the user has agreed to them; replaced as a whole when `steward.md` changes. */
  settings: Settings;
  /**
   * Values of settings that give a right and that the user has not agreed to on this machine; absent if all are agreed
   * to.
   */
  readonly unagreed?: () => readonly UnagreedSetting[];
  /** Lets such a value count from now on. */
  readonly agree?: (setting: UnagreedSetting) => void;
  /** The file of this machine's key, and what tells the vault from others; absent without a key. */
  readonly meeting?: { readonly keyFile: string; readonly vaultId: string };
  readonly state: StoredState;
  /** The licences that have ended, remembered outside the vault; absent without such a memory. */
  readonly ended?: { has(key: string): boolean; add(key: string): void };
  /** The program's mark on notes that it wrote. */
  readonly seal: Seal;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: DecisionEvent) => void;
  /** A system outside the vault that actions affect too; absent or null if no system is connected. */
  readonly external?: ExternalSystem | null;
  /** Returns the mails of the last 90 days that gave no signal; pauses often. Absent if no mail is read. */
  readonly silentMails?: () => Generator<void, readonly ReadMail[]>;
  /** The servers of the mailboxes that are connected now; absent if there aren't any. */
  readonly accountServers?: () => readonly string[];
  /** The connected mailboxes whose sent mails the user allowed to count as their own word, by source. */
  readonly sentAccounts?: () => readonly string[];
  /** The user's addresses in the mailboxes that are connected now; absent if there aren't any. */
  readonly ownAddresses?: () => readonly string[];
}

/** Who evaluates signals under the current settings. */
export interface DecisionModels {
  evaluator: Evaluator;
  /**
   * Puts a question to the evaluator. While its model can't be asked, the rules answer if the settings allow it; otherwise it
   * throws `UnansweredError`, and the signals wait.
   */
  readonly evaluate: (question: EvaluatorQuestion, abort: AbortSignal) => Promise<Verdict>;
}

/** A diagnostic that is true from one moment to another (epoch ms): a note may become wrong by waiting. */
export interface DatedDiagnostic {
  readonly trouble: Diagnostic;
  readonly from: number;
  readonly until: number;
}

export interface NoteProblems {
  /** Wrong until a note changes. */
  readonly lasting: readonly Diagnostic[];
  readonly dated: readonly DatedDiagnostic[];
  /** Whether it has a status that the settings don't explain. */
  readonly isUnexplained: boolean;
}

interface RecordProblems {
  /** The revision of the catalogue, and the settings, that it was computed for. */
  revision: number;
  settings: Settings | null;
  byNote: Map<string, NoteProblems>;
}

/** The problems, as `status` lists them. */
export interface Problems {
  settings: readonly Diagnostic[];
  /** Entries of the journal that can't be carried out. */
  recovery: readonly Diagnostic[];
  readonly records: RecordProblems;
  /** Failures that may pass (a full disk, a lost permission), by what was tried; removed when it works again. */
  readonly faults: Map<string, Diagnostic>;
  /** Problems around the program at the moment, for example with its output. */
  readonly outside: () => readonly Diagnostic[];
}

/** The ports that decisions on one vault need. A function declares the ports that it uses. */
export interface DecisionWorkspace {
  readonly context: DecisionContext;
  /** The records, their index and the listing. */
  readonly vault: Vault;
  /** The notes as they are on disk at this moment. */
  readonly notes: NoteReader;
  /** All writing into notes. */
  readonly transactions: Transactions;
  /** The open proposals by the note they are about, computed at the first use. */
  readonly proposals: OpenProposals;
  readonly models: DecisionModels;
  readonly problems: Problems;
}

/** The records as last read. */
export type DecisionIndexAccess = Pick<DecisionWorkspace, 'context' | 'vault'>;

/** The records, and the notes as they are now; without transactions it can't write. */
export type DecisionReadAccess = Pick<DecisionWorkspace, 'context' | 'vault' | 'notes' | 'proposals'>;

/** Reading, and asking the models. */
export type DecisionModelAccess = DecisionReadAccess & Pick<DecisionWorkspace, 'models' | 'problems'>;

/** Reading, and writing into notes. */
export type DecisionWriteAccess = DecisionReadAccess & Pick<DecisionWorkspace, 'transactions' | 'problems'>;

// Apart from suspects.ts, which needs the state that has this part.

/** The memory of all mails of one kind that pretend to be the same sender: their count, and the last of them. */
export const suspects = z.lazy(() =>
  z.object({
    warning: z.string(),
    from: z.string().nullable(),
    subject: z.string(),
    file: z.string(),
    count: z.int().min(1),
    /** When the first and the last were read (epoch ms). */
    first: z.number(),
    last: z.number(),
  }),
);
type Suspects = z.infer<typeof suspects>;
