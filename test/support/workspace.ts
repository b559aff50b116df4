import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { meetVault } from '../../src/daemon/adoption.ts';
import { answerAll, undoAll } from '../../src/daemon/answers.ts';
import { type Composition, compose, composeStatus, type Status } from '../../src/daemon/compose.ts';
import type { Workspace } from '../../src/daemon/context.ts';
import type { DaemonEvent, Environment } from '../../src/daemon/environment.ts';
import { pruneState } from '../../src/daemon/housekeeping.ts';
import { prepare } from '../../src/daemon/lease.ts';
import { followAllFlags } from '../../src/daemon/managed-notes.ts';
import { readSettings } from '../../src/daemon/settings.ts';
import type { Slice, SliceKey, Values } from '../../src/daemon/state.ts';
import { type TickRequest, tickAll } from '../../src/daemon/ticker.ts';
import { type Explanation, explain } from '../../src/features/explain.ts';
import type { BudgetClient } from '../../src/providers/agent.ts';
import { followSettings } from '../../src/providers/choice.ts';
import { routeSignal } from '../../src/steward/decide.ts';
import { type Attention, collectAttention, type WaitingEntry } from '../../src/steward/inbox.ts';
import { learningOutcomes } from '../../src/steward/outcomes.ts';
import { type OpenProposal, openProposals } from '../../src/steward/proposals.ts';
import type { Settings } from '../../src/steward/settings.ts';
import { pendingSignals, waitingStopped } from '../../src/steward/signals.ts';
import { recordErrand, reserveErrand } from '../../src/steward/spending.ts';
import { waitingSuspects } from '../../src/steward/suspects.ts';
import type { Evaluator, Extractor } from '../../src/steward/types.ts';
import type { Exchange } from '../../src/vault/files.ts';
import type { Catalogue } from '../../src/vault/index.ts';
import type { DisplacedFiles } from '../../src/vault/publish.ts';
import { atOnce } from '../../src/vault/time.ts';
import type { Recovery } from '../../src/vault/transaction.ts';
import { Clock } from './clock.ts';
import { TEST_KEY, type TempVault } from './temp-vault.ts';

/**
 * One key for all tests of a process: a vault that is opened again finds its own notes to be its own. It stays until the
 * process ends, as test files share their modules.
 */
const KEY_FOLDER = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-key-'));
process.once('exit', () => fs.rmSync(KEY_FOLDER, { recursive: true, force: true }));
const SEAL_KEY = path.join(KEY_FOLDER, 'seal-key');
fs.writeFileSync(SEAL_KEY, TEST_KEY);

export const LIVE: Environment = {
  ceiling: 'live',
  confidenceThreshold: null,
  highConfidenceThreshold: null,
  sealKey: SEAL_KEY,
};
export const SHADOW: Environment = { ...LIVE, ceiling: 'shadow' };
export const HIGH_ONLY: Environment = { ...LIVE, ceiling: 'live_high_confidence_only' };

export interface Setting {
  readonly env?: Environment;
  readonly clock?: Clock;
  readonly evaluator?: Evaluator;
}

interface BenchSetting extends Setting {
  readonly exchange?: Exchange | null;
}

/** Work on a vault without a daemon, as a one-shot command does it. Each call reads the disk first. */
export class Bench {
  readonly happenings: DaemonEvent[];
  readonly #ports: Workspace;
  readonly #recovery: Recovery;
  readonly #displaced: DisplacedFiles;

  private constructor({ space, recovery, displaced }: Composition, happenings: DaemonEvent[]) {
    this.#ports = space;
    this.#recovery = recovery;
    this.#displaced = displaced;
    this.happenings = happenings;
  }

  static async open(
    vault: TempVault,
    { env = LIVE, clock = new Clock(), evaluator, exchange }: BenchSetting = {},
  ): Promise<Bench> {
    prepare(vault.places);
    vault.identify();
    const happenings: DaemonEvent[] = [];
    const emit = (event: DaemonEvent) => void happenings.push(event);
    const parts = { root: vault.root, env, now: clock.now, emit };
    const around = evaluator === undefined ? {} : { around: () => evaluator };
    const composed = await compose({ ...parts, ...around, ...(exchange === undefined ? {} : { exchange }) });
    composed.recovery.run();
    atOnce(meetVault(composed.space));
    return new Bench(composed, happenings);
  }

  /** A vault as a command sees it that only reads: nothing of it is written. */
  static async reading(vault: TempVault, { env = LIVE, clock = new Clock() }: Setting = {}): Promise<Bench> {
    return new Bench(await compose({ root: vault.root, env, now: clock.now, emit: () => {}, readsOnly: true }), []);
  }

  /** For a function of some room that takes ports: the whole, to be handed on as it is. */
  get ports(): Workspace {
    return this.#ports;
  }

  /** The records as last listed. */
  get catalogue(): Catalogue {
    return this.#ports.vault.catalogue;
  }

  /** The settings as they hold now. */
  get settings(): Settings {
    return this.#ports.context.settings;
  }

  /** Who judges. */
  get evaluator(): Evaluator {
    return this.#ports.models.evaluator;
  }

  /** Who reads stream files. */
  get extractor(): Extractor {
    return this.#ports.models.extractor;
  }

  /** How things stand, as `status` says it where no daemon runs. */
  status(): Status {
    return composeStatus(this.#ports, [], { state: 'stopped', pid: null, since: null });
  }

  /** The proposals that wait for a person. */
  openProposals(): OpenProposal[] {
    return openProposals(this.#ports);
  }

  explain(note: string): Promise<Explanation> {
    return explain(this.#ports, note);
  }

  /** Lists the vault. */
  async sweep(): Promise<void> {
    await this.#ports.vault.sweep();
  }

  /** Does `act` at the end of every sweep from now on: what happens behind the look at the disk. */
  afterSweeps(act: () => void): void {
    const { vault } = this.#ports;
    const sweep = vault.sweep.bind(vault);
    vault.sweep = async () => {
      await sweep();
      act();
    };
  }

  /** What the program remembers under a name, saved or not. */
  remembered<N extends keyof Values>(name: N): Values[N];
  remembered<Value>(slice: Slice<Value>): Value;
  remembered(key: SliceKey): unknown {
    return this.#ports.context.state.get(key);
  }

  /** Has the program remember something else under a name. */
  remember<N extends keyof Values>(name: N, value: Values[N]): void;
  remember<Value>(slice: Slice<Value>, value: Value): void;
  remember(key: SliceKey, value: unknown): void {
    const { state } = this.#ports.context;
    if (typeof key === 'string') state.set(key, value as never);
    else state.set(key, value);
  }

  /** Where the cost of an errand is reserved and booked. */
  get budget(): BudgetClient {
    const { context } = this.#ports;
    return {
      reserve: async (estimate) => reserveErrand(context, estimate),
      record: async (cost) => recordErrand(context, cost),
    };
  }

  /** Reads `steward.md` again, as a daemon does after an edit. */
  reloadSettings(): void {
    const { context, vault } = this.#ports;
    const before = context.settings;
    context.settings = readSettings(vault.root, before).settings;
    followSettings(this.#ports, before);
  }

  /** Routes every signal that is strong enough, then ticks the named matters, or all. */
  async tick(...matters: string[]) {
    return this.tickAs({ matters, force: true, mode: null });
  }

  /** The same, by a request of its own. */
  async tickAs(request: TickRequest, signal = new AbortController().signal) {
    await this.sweep();
    return tickAll(this.#ports, request, signal);
  }

  /** Routes one signal note, as the daemon does when the note appears. */
  async route(path: string) {
    await this.sweep();
    const found = this.catalogue.get(path);
    if (found?.kind !== 'signal') throw new Error(`${path} is no signal but ${found?.kind}`);
    return routeSignal(this.#ports, found, null);
  }

  async undo(event: string, { force = false, reason = null as string | null } = {}) {
    await this.sweep();
    return only(await undoAll(this.#ports, { events: [event], last: null, reason, force, dryRun: false }));
  }

  /** Takes back the newest that can still be taken back. */
  async undoLast(last: number) {
    return undoAll(this.#ports, { events: [], last, reason: null, force: false, dryRun: false });
  }

  /** Learns from every outcome so far, as the daemon does soon after each. */
  async learn(): Promise<void> {
    await this.sweep();
    atOnce(learningOutcomes(this.#ports, 0));
    await this.sweep();
  }

  async confirm(event: string) {
    return this.#answer('confirm', event);
  }

  async dismiss(event: string) {
    return this.#answer('dismiss', event);
  }

  /** Answers what waits by its name, be it no event note. */
  async answerNamed(kind: 'confirm' | 'dismiss', name: string, { later = false } = {}) {
    await this.sweep();
    return only(await answerAll(this.#ports, { kind, events: [name], later, dryRun: false }));
  }

  /** Answers those that pass a filter, as one command. */
  async answerAll(request: Pick<Parameters<typeof answerAll>[1], 'kind' | 'filter' | 'later'>) {
    await this.sweep();
    return answerAll(this.#ports, { events: [], dryRun: false, ...request });
  }

  /** Brings what a crash left to its end, as a start does. */
  recover() {
    return this.#recovery.run();
  }

  /** Forgets what is remembered about what is gone. */
  prune(): void {
    atOnce(pruneState(this.#ports));
  }

  /** Lets go of the former bytes whose time has come. */
  pruneHistory(): void {
    this.#displaced.prune();
  }

  /** Leaves what is remembered on disk, as a process that ends does. */
  close(): void {
    this.#ports.context.state.flush();
    this.#displaced.close();
  }

  /** Takes a note for what a choice asks about. */
  async choose(event: string, note: string) {
    await this.sweep();
    return only(await answerAll(this.#ports, { kind: 'confirm', events: [event], choose: note, dryRun: false }));
  }

  /** Lets the event notes say what has become of them, as a command does at its end. */
  async follow(): Promise<void> {
    await this.sweep();
    followAllFlags(this.#ports);
  }

  /** What waits for a person, as every list shows it. */
  waiting(): readonly WaitingEntry[] {
    return this.attention().decisions;
  }

  /** What is brought to a person, in its lists. */
  attention(): Attention {
    return collectAttention(this.#ports, {
      kept: [],
      trouble: [],
      arrived: [],
      unfinished: [],
      stopped: waitingStopped(this.#ports),
      suspects: waitingSuspects(this.#ports),
      pending: pendingSignals(this.#ports).length,
    });
  }

  async #answer(kind: 'confirm' | 'dismiss', event: string) {
    await this.sweep();
    return only(await answerAll(this.#ports, { kind, events: [event], dryRun: false }));
  }
}

/** Returns the only element of a list. Throws where there is not exactly one. */
export function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw new Error(`expected one, got ${JSON.stringify(items)}`);
  return item;
}
