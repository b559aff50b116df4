import path from 'node:path';
import { type Door, Provider } from '../model/provider.ts';
import type { Evaluator } from '../steward/ports/evaluator.ts';
import { loadSystemCalls, type SystemCalls } from '../vault/disk/system-calls.ts';
import type { Diagnostic } from '../vault/errors.ts';
import { Journal } from '../vault/journal.ts';
import { Layout, type OwnPlaces, ownPlaces } from '../vault/layout.ts';
import { Memo } from '../vault/record-cache.ts';
import { Seal } from '../vault/seal.ts';
import { DisplacedFiles, type KeptList } from '../vault/transaction/displaced-files.ts';
import { HeldUp } from '../vault/transaction/held-up.ts';
import { Publisher, type PublisherParts } from '../vault/transaction/publish.ts';
import { Recovery } from '../vault/transaction/recovery.ts';
import type { TransactionVault } from '../vault/transaction/step-executor.ts';
import { Transactions } from '../vault/transaction/transaction.ts';
import { canExchange, DiskNotes, type Exchange, OwnWrites, systemExchange } from '../vault/transaction.ts';
import type { HeldUpListener } from '../vault/transaction-held.ts';
import { Vault } from '../vault/watch.ts';
import { questionDoor } from './budget.ts';
import { realRoot } from './context/own-folders.ts';
import { State } from './context/state.ts';
import {
  type Context,
  type Ingest,
  type Models,
  type Problems,
  readSettings,
  rememberGiven,
  settingsAgain,
  takeUpMoves,
  UNKNOWN_SETTINGS,
  type Workspace,
} from './context.ts';
import { evaluatorFor } from './decide/evaluator-choice.ts';
import type { DaemonEvent, Environment } from './environment.ts';
import { readersOf } from './ingest/readers.ts';
import { extractorFor, RememberedFiles } from './ingest.ts';
import { KnownEvents } from './item-file.ts';
import { sealKeyAt, Trail } from './seal-key.ts';
import type { SharedLoop } from './shared-loop.ts';

/** What differs from one composition to the next: the vault, the environment, the clock, and who hears of events. */
export interface Parts {
  readonly root: string;
  readonly env: Environment;
  readonly now: () => number;
  readonly emit: (event: DaemonEvent) => void;
  /** What is wrong around the program just now, for `status`; nothing where it is absent. */
  readonly outside?: () => readonly Diagnostic[];
  /** For a caller that only reads: refused settings or state do not stop it. */
  readonly readsOnly?: boolean;
  /** For a caller who will have the vault watched: each folder is, from its first listing on. */
  readonly watches?: boolean;
  /** Throws where the vault is no longer this process's to write to; nothing where nobody else could have it. */
  readonly demand?: () => void;
  /** Wraps the evaluator that the settings choose. */
  readonly around?: (evaluator: Evaluator) => Evaluator;
  /** Where questions to a provider take their place; in the state of this composition where it is absent. */
  readonly door?: Door;
  /** The event loop, where other daemons of this process share it. */
  readonly loop?: SharedLoop;
  /** How two files change places; the system's own way where it is absent, no exchange where it is null. */
  readonly exchange?: Exchange | null;
}

/** The work on one vault, and what only its start and its end need. */
export interface Composed {
  readonly space: Workspace;
  readonly recovery: Recovery;
  readonly displaced: DisplacedFiles;
}

/**
 * Puts everything together for one vault: the only place where real things meet. Reads the settings and every record;
 * writes nothing. Throws `vault-away` where the vault cannot be read, and (exit 75) where the disk refuses the settings
 * or what is remembered: by other settings than the person's nothing is judged.
 */
export async function compose(parts: Parts): Promise<Composed> {
  const root = realRoot(parts.root);
  const places = ownPlaces(root);
  const read = readSettings(root, UNKNOWN_SETTINGS);
  const { settings } = read;
  if (read.unread !== null && parts.readsOnly !== true) throw read.unread;
  const sealed = sealKeyAt(parts.env.sealKey ?? null, parts.readsOnly !== true);
  const vault = new Vault(root, new Layout(settings.folders), settings.field_mapping, settings.status_values);
  try {
    await vault.open(places.cache, new Seal(sealed.key), { watches: parts.watches === true });
    return await composeAround(vault, parts, read, sealed);
  } catch (error) {
    await vault.close(); // it may be watched by now
    throw error;
  }
}

async function composeAround(
  vault: Vault,
  parts: Parts,
  read: ReturnType<typeof readSettings>,
  { key, trouble: keyTrouble }: ReturnType<typeof sealKeyAt>,
): Promise<Composed> {
  const { root, places } = vault;
  const seal = new Seal(key);
  const state = new State(places.state, parts.demand);
  if (parts.readsOnly !== true) await state.readInTurns();
  if (parts.readsOnly !== true) state.load();
  takeUpMoves(vault, state);
  const isGone = read.isMissing && state.get('settings').given;
  const { settings, troubles } = isGone ? settingsAgain(root, UNKNOWN_SETTINGS) : read;
  if (!read.isMissing && parts.readsOnly !== true) rememberGiven(state);
  const { env, now, emit, loop, demand = () => {} } = parts;
  const context: Context = { env, settings, state, seal, now, emit, ...(loop && { turn: loop.turnstile.turn }) };
  const problems = problemsWith(troubles, parts.outside);
  if (keyTrouble !== null) problems.faults.set('seal key', keyTrouble);
  const system = systemOnce();
  const journal = new Journal(places.journal, seal);
  const isNeeded = (name: string) => journal.isNeeded(name);
  const kept = keptIn(state);
  const displaced = new DisplacedFiles({ root, history: places.history, kept, isNeeded, demand, now, system });
  const own = new OwnWrites();
  const heldUp = new HeldUp();
  problems.recovery = journal.pending().bad;
  const transactions = new Transactions({
    vault: transactionVault(vault),
    journal,
    publisher: new Publisher(publishPlaces(root, places, displaced, system, parts.exchange)),
    displaced,
    own,
    demand,
    heldUp,
    listener: heldUpListener(problems, parts.emit),
    system,
    now: parts.now,
  });
  const settleMs = () => context.settings.settle_seconds * 1000;
  const ingest: Ingest = {
    readers: readersOf({ context, vault }),
    known: new KnownEvents({ folder: path.join(places.state, 'known'), demand, now }),
    page: new Map(),
    trail: new Trail({ folder: places.state, demand, now }),
    unreadKinds: new Set(),
    targets: null,
    seen: new RememberedFiles(state),
    waiting: new Map(),
  };
  const space: Workspace = {
    context,
    vault,
    notes: new DiskNotes({ root, own, heldUp, settleMs, now: parts.now }),
    transactions,
    proposals: new Memo(),
    models: modelsFor({ context, vault, ingest }, parts),
    ingest,
    problems,
  };
  const recovery = new Recovery({ transactions, journal, displaced, places, now: parts.now });
  return { space, recovery, displaced };
}

function problemsWith(settings: readonly Diagnostic[], outside: Parts['outside'] = () => []): Problems {
  return { settings, recovery: [], records: new Memo(), faults: new Map(), outside };
}

function modelsFor(space: Pick<Workspace, 'context' | 'vault' | 'ingest'>, { around, door }: Parts): Models {
  const { context } = space;
  const { env } = context;
  const provider = env.provider ? new Provider(env.provider, door ?? questionDoor(context)) : null;
  const chosen = evaluatorFor(context, provider);
  const evaluator = around === undefined ? chosen : around(chosen);
  return { provider, evaluator, extractor: extractorFor(space, provider) };
}

function transactionVault(vault: Vault): TransactionVault {
  return {
    root: vault.root,
    get layout() {
      return vault.layout;
    },
    tmp: vault.places.tmp,
    count: (kind) => vault.catalogue.count(kind),
    named: (name) => vault.catalogue.named(name).map(({ path }) => path),
    look: (files) => void vault.look(files),
    sweep: () => void vault.sweep(),
  };
}

function keptIn(state: State): KeptList {
  return {
    get: () => state.get('kept'),
    set: (kept) => state.set('kept', kept),
    save: () => state.save('kept'),
  };
}

function heldUpListener({ faults }: Problems, emit: Context['emit']): HeldUpListener {
  return (diagnostics) => {
    const known = new Set([...faults.keys()].filter((key) => key.startsWith('held up ')));
    for (const trouble of diagnostics) {
      const key = `held up ${trouble.message}`;
      if (!known.delete(key)) emit({ what: 'trouble', trouble });
      faults.set(key, trouble);
    }
    for (const key of known) faults.delete(key);
  };
}

/** Returns what loads the system's own calls where they are first needed, once. */
export function systemOnce(): () => SystemCalls | null {
  let loaded: SystemCalls | null | undefined;
  return () => {
    if (loaded === undefined) loaded = loadSystemCalls();
    return loaded;
  };
}

// The exchange is looked for at the first edit: a start, and a command that only reads, need not load it.
function publishPlaces(
  root: string,
  { tmp, history }: OwnPlaces,
  displaced: DisplacedFiles,
  system: () => SystemCalls | null,
  given: Exchange | null | undefined,
): PublisherParts {
  let found = given;
  return {
    root,
    tmp,
    history,
    withdrawn: (note, file, sha) => displaced.keepWatch(note, file, sha),
    get exchange() {
      if (found === undefined) found = exchangeFor(tmp);
      return found;
    },
    get system() {
      return system();
    },
  };
}

/** Returns how two files change places on the file system of a folder; null where it knows no exchange. */
export function exchangeFor(tmp: string): Exchange | null {
  const exchange = systemExchange();
  return exchange !== null && canExchange(exchange, tmp) ? exchange : null;
}
