import path from 'node:path';
import { notifications } from '../channels/notifier.ts';
import { handEdits } from '../features/hand-edits.ts';
import { agents, examination, importing, ledger, log, rehearsal, report } from '../features/lazy.ts';
import { plane } from '../features/plane.ts';
import { retention } from '../features/retention.ts';
import { evaluate, evaluatorFor, evaluatorProblems, followSettings, questionGate } from '../providers/choice.ts';
import { Provider, type RequestGate } from '../providers/provider.ts';
import { roundtable } from '../roundtable/capability.ts';
import { sources } from '../sources/capability.ts';
import { SOURCES } from '../sources/source.ts';
import { AgreedSettings, UNKNOWN_SETTINGS } from '../steward/settings.ts';
import type { Evaluator, EvaluatorQuestion, Verdict } from '../steward/types.ts';
import type { Problems } from '../steward/workspace.ts';
import { KnownEvents, ReadingTrail, RememberedFiles } from '../streams/state.ts';
import { extractorFor, listReaders, streams } from '../streams/streams.ts';
import type { Diagnostic } from '../vault/errors.ts';
import { canExchange, type Exchange, loadSystemCalls, type SystemCalls, systemExchange } from '../vault/files.ts';
import { Memo } from '../vault/index.ts';
import { Journal } from '../vault/journal.ts';
import { Layout, type OwnPlaces, ownPlaces } from '../vault/layout.ts';
import { DisplacedFiles, isClosed, type KeptList, Publisher, type PublisherParts } from '../vault/publish.ts';
import type { Seal } from '../vault/seal.ts';
import {
  DiskNotes,
  HeldUp,
  type HeldUpListener,
  OwnWrites,
  Recovery,
  Transactions,
  type TransactionVault,
} from '../vault/transaction.ts';
import { Vault } from '../vault/vault.ts';
import { isFromElsewhere, isKnownToKey } from './adoption.ts';
import type { Capability, Own, RequestOf } from './capability.ts';
import type { Context, Ingest, ModelAccess, Models, Workspace } from './context.ts';
import {
  type DaemonEvent,
  EndedLicences,
  type Environment,
  hasMetSettings,
  isFirstMeeting,
  keyMemory,
  rememberSettings,
  vaultSeal,
} from './environment.ts';
import { takeUpMoves } from './housekeeping.ts';
import { realRoot } from './lease.ts';
import type { coreRequests } from './server.ts';
import { readSettings, rememberGiven, settingsAgain } from './settings.ts';
import { findMissing, noteSign, SIGNS, type SignsOfLife, signProblems, signsOfLife } from './signs-of-life.ts';
import { StateStore } from './state.ts';
import { type CoreStatus, coreStatus, type DaemonStatus, type ScheduleStatus } from './status.ts';
import type { SharedLoop } from './timers.ts';

/** All capabilities, in the order in which they start. To add one, add a line. */
export const CAPABILITIES = [
  streams,
  roundtable,
  handEdits,
  plane,
  notifications,
  sources,
  retention,
  log,
  examination,
  report,
  ledger,
  agents,
  importing,
  rehearsal,
] as const satisfies readonly Capability[];

type RunningOf<One> = One extends { start(own: Own): infer Started } ? NonNullable<Awaited<Started>> : never;
type RequestsOf<One> = One extends { readonly requests: infer Handlers } ? RequestOf<Handlers> : never;

export type Request =
  | { readonly op: 'alive' }
  | { readonly op: 'status' }
  | RequestOf<ReturnType<typeof coreRequests>>
  | RequestsOf<RunningOf<(typeof CAPABILITIES)[number]>>;

type StatusOf<One> = One extends { readonly status: (space: Workspace) => infer Part } ? Part : never;
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type CapabilityStatus = Together<StatusOf<(typeof CAPABILITIES)[number]>>;

/** `status --json` (contract, 12.10): the status of the core, and that of the capabilities. */
export type Status = CoreStatus & CapabilityStatus & { readonly missing: string | null; readonly signs: SignsOfLife };

/** Returns everything that `status` shows, from memory. Reads only notes that have a problem. */
export function composeStatus(space: Workspace, schedules: readonly ScheduleStatus[], daemon: DaemonStatus): Status {
  // Each has the type that the list infers for it, which `assign` forgets.
  const parts = Object.assign(
    {},
    ...CAPABILITIES.map((one) => ('status' in one ? one.status(space) : {})),
  ) as CapabilityStatus;
  // Last, because reading what is remembered shows what of it is damaged.
  const { kept, conflictCopies, trouble, knownTrouble, ...core } = coreStatus(space, schedules, daemon);
  const missing = findMissing(space, parts.sourceNotes);
  const signs = signsOfLife(space.context);
  return { ...core, ...parts, missing, signs, kept, conflictCopies, trouble, knownTrouble };
}

/** What differs from one composition to the next: the vault, the environment, the clock, and who hears of events. */
export interface Parts {
  readonly root: string;
  /** All of them, if absent. */
  readonly capabilities?: readonly Capability[];
  readonly env: Environment;
  readonly now: () => number;
  readonly emit: (event: DaemonEvent) => void;
  /** The present problems around the program, for `status`; absent: no problems. */
  readonly outside?: () => readonly Diagnostic[];
  /** For a caller that only reads: refused settings or state do not stop it. */
  readonly readsOnly?: boolean;
  /** Throws if the vault is no longer this process's to write to; absent if no other process could have it. */
  readonly demand?: () => void;
  /** Wraps the evaluator that the settings choose. */
  readonly around?: (evaluator: Evaluator) => Evaluator;
  /** Where questions to a provider take their place; in the state of this composition where it is absent. */
  readonly door?: RequestGate;
  /** The event loop, if other daemons of this process share it. */
  readonly loop?: SharedLoop;
  /** How two files change places; the system's own way where it is absent, no exchange where it is null. */
  readonly exchange?: Exchange | null;
}

/** The work on one vault, and what only its start and its end need. */
export interface Composition {
  readonly space: Workspace;
  readonly recovery: Recovery;
  readonly displaced: DisplacedFiles;
}

/**
 * Puts everything together for one vault: the only place where real things meet. Reads the settings and every record;
 * writes no file. Throws `vault-away` if the vault cannot be read, and (exit 75) if the disk refuses the settings or
 * what is remembered: Steward doesn't judge by other settings than the person's.
 */
export async function compose(parts: Parts): Promise<Composition> {
  const root = realRoot(parts.root);
  const places = ownPlaces(root);
  const read = readSettings(root, UNKNOWN_SETTINGS);
  const { settings } = read;
  if (read.unread !== null && parts.readsOnly !== true) throw read.unread;
  const sealed = vaultSeal(parts.env, places.state, parts.readsOnly !== true);
  const vault = new Vault(
    root,
    new Layout(settings.folders, settings.matter_notes),
    settings.field_mapping,
    settings.status_values,
  );
  try {
    await vault.open(places.cache, sealed.seal);
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
  { seal, id, trouble: keyTrouble }: ReturnType<typeof vaultSeal>,
): Promise<Composition> {
  const { root, places } = vault;
  const capabilities: readonly Capability[] = parts.capabilities ?? CAPABILITIES;
  const slices = [SIGNS, ...capabilities.flatMap((one) => one.state ?? [])];
  const state = new StateStore(places.state, parts.demand, slices, parts.now);
  if (parts.readsOnly !== true) await state.readInTurns();
  if (parts.readsOnly !== true) state.load();
  if (parts.readsOnly !== true && state.get('identity').id !== id) {
    state.set('identity', { id });
    state.save('identity'); // before anything is marked by it
  }
  takeUpMoves(vault, state);
  const isGone = read.isMissing && state.get('settings').given;
  const { settings, troubles } = isGone ? settingsAgain(root, UNKNOWN_SETTINGS) : read;
  if (!read.isMissing && parts.readsOnly !== true) rememberGiven(state);
  const { env, now, loop, demand = () => {} } = parts;
  const emit = (event: DaemonEvent) => {
    noteSign({ state, now }, event);
    parts.emit(event);
  };
  const accountServers = () => Object.values(state.get(SOURCES)).flatMap(({ server }) => server ?? []);
  const sentAccounts = () => Object.entries(state.get(SOURCES)).flatMap(([name, { sent }]) => (sent ? [name] : []));
  const ownAddresses = () => Object.values(state.get(SOURCES)).flatMap(({ own }) => own);
  const memory = keyMemory(env);
  const markOf = (name: string) => seal.of(`agreed ${name}`);
  const agreed = new AgreedSettings(settings, () => state.get('licences'), markOf);
  if (!read.isMissing && parts.readsOnly !== true) {
    agreed.begin(areSettingsOwn(vault, memory, id, seal), now());
    state.touch('licences');
    state.save('licences'); // before the settings count as known
    rememberSettings(memory, root);
  }
  const ended = new EndedLicences(keyTrouble === null ? memory : null, root);
  const context: Context = {
    env,
    ended,
    get settings() {
      return agreed.current;
    },
    set settings(given) {
      agreed.write(given);
    },
    unagreed: () => agreed.unagreed(),
    agree: (setting) => {
      agreed.agree(setting, now());
      state.touch('licences');
      state.save('licences');
    },
    // A key of this run alone can remember no answer.
    ...(memory === null || keyTrouble !== null ? {} : { meeting: { keyFile: memory, vaultId: id } }),
    state,
    seal,
    now,
    emit,
    accountServers,
    sentAccounts,
    ownAddresses,
    silentMails: () => ingest.trail.mails(),
    external: capabilities.flatMap((one) => one.external?.({ env, vault }) ?? [])[0] ?? null,
    ...(loop && { turn: loop.turn }),
  };
  const problems = problemsWith(troubles, () => [...(parts.outside?.() ?? []), ...outerProblems(space)]);
  if (keyTrouble !== null) problems.faults.set('seal key', keyTrouble);
  if (ended.trouble !== null) problems.faults.set('ended licences', ended.trouble);
  const system = systemOnce();
  const journal = new Journal(places.journal, seal, demand);
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
    listener: heldUpListener(problems, emit),
    system,
    now: parts.now,
  });
  const settleMs = () => context.settings.settle_seconds * 1000;
  const ingest: Ingest = {
    readers: listReaders(
      { context, vault },
      capabilities.flatMap((one) => one.readers?.({ context, vault }) ?? []),
    ),
    known: new KnownEvents({ folder: path.join(places.state, 'known'), demand, now }),
    page: new Map(),
    trail: new ReadingTrail({ folder: places.state, demand, now }),
    unreadKinds: new Set(),
    targets: null,
    seen: new RememberedFiles(state),
    isClosed: (file) => isClosed(path.join(root, file), system()),
    waiting: new Map(),
  };
  const space: Workspace = {
    context,
    vault,
    notes: new DiskNotes({ root, own, heldUp, settleMs, now: parts.now }),
    transactions,
    proposals: new Memo(),
    models: {
      ...modelsFor({ context, vault, ingest }, parts),
      evaluate: (question, abort) => evaluate(space, askWithEvidence, question, abort),
      settingsChanged: (before) => followSettings(space, before),
    },
    ingest,
    problems,
  };
  if (parts.readsOnly !== true && vault.editedMeanwhile.length > 0) {
    const { rememberFieldEdits } = await import('../steward/field-edits.ts');
    rememberFieldEdits(space, vault.editedMeanwhile);
  }
  const recovery = new Recovery({ transactions, journal, displaced, places, now: parts.now });
  return { space, recovery, displaced };
}

// The first time, what is written there is the user's own, unless the vault comes from elsewhere.
function areSettingsOwn(vault: Vault, file: string | null, id: string, seal: Seal): boolean {
  if (hasMetSettings(file, vault.root)) return false;
  const isNew = file !== null && isFirstMeeting(file, { root: vault.root, id });
  return !isNew || !(isFromElsewhere(vault, seal) || isKnownToKey(vault, seal));
}

function problemsWith(settings: readonly Diagnostic[], outside: Problems['outside']): Problems {
  const records = { revision: 0, settings: null, byNote: new Map() };
  return { settings, recovery: [], records, faults: new Map(), outside };
}

/** The problems of the parts that the core doesn't know. */
function outerProblems(space: Workspace): Diagnostic[] {
  const found = CAPABILITIES.flatMap((one: Capability) => one.problems?.(space) ?? []);
  return [...evaluatorProblems(space), ...signProblems(space), ...found];
}

function modelsFor(
  space: Pick<Workspace, 'context' | 'vault' | 'ingest'>,
  { around, door }: Parts,
): Omit<Models, 'evaluate' | 'settingsChanged'> {
  const { context } = space;
  const { env } = context;
  const provider = env.provider ? new Provider(env.provider, door ?? questionGate(context)) : null;
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

function keptIn(state: StateStore): KeptList {
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

/** Returns how two files change places on the file system of a folder; null if that has no exchange. */
export function exchangeFor(tmp: string): Exchange | null {
  const exchange = systemExchange();
  return exchange !== null && canExchange(exchange, tmp) ? exchange : null;
}

// Loaded when a model is first asked: the modules that look into files take time and memory.
async function askWithEvidence(space: ModelAccess, question: EvaluatorQuestion, abort: AbortSignal): Promise<Verdict> {
  const { withEvidence } = await import('../evidence/researcher.ts');
  return withEvidence(space, question, abort);
}
