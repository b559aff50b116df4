import {
  answer as answerProposal,
  askChoice,
  carryDroppedAnswer,
  clearFlag,
  type Order,
  readOrder,
  strangersNote,
} from '../steward/answer.ts';
import { heldBack, routeSignal } from '../steward/decide.ts';
import { rememberFieldEdits } from '../steward/field-edits.ts';
import { lookAtAll } from '../steward/findings.ts';
import { considerOutcome, followLicence, licenceGone, offerFromPast, reportGone } from '../steward/licence.ts';
import { followInstinct, learnByHand } from '../steward/outcomes.ts';
import { isWaiting } from '../steward/proposals.ts';
import { scheduleName } from '../steward/schedule.ts';
import { isRight } from '../steward/sender.ts';
import { isListenedTo, pendingAs, wasWeighed } from '../steward/signals.ts';
import type { AnswerRecord } from '../steward/types.ts';
import { undo } from '../undo/undo.ts';
import { StewardError } from '../vault/errors.ts';
import { Renames } from '../vault/index.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { findChosen } from '../vault/note-text.ts';
import type { EventRecord, MatterRecord, SignalRecord, TargetRecord, VaultRecord } from '../vault/record.ts';
import type { RecordChange } from '../vault/vault.ts';
import type { Workspace } from './context.ts';
import { carryOver } from './housekeeping.ts';
import { AttentionFollower, FrontPage } from './managed-notes.ts';
import { futureSignal } from './problems.ts';
import type { RetryQueue } from './queue.ts';
import { endQuiet, isQuietSince, type Schedules } from './schedule.ts';
import type { Timers } from './timers.ts';

/**
 * Lets signals act that are strong enough alone: at once, or as soon as their note is quiet or the quiet hours are
 * over. They ask no model, so the rate guard doesn't delay them.
 */
class Routing {
  readonly #space: Workspace;
  readonly #retries: RetryQueue;
  readonly #timers: Timers;

  constructor({ space, retries, timers }: { space: Workspace; retries: RetryQueue; timers: Timers }) {
    this.#space = space;
    this.#retries = retries;
    this.#timers = timers;
  }

  /** Lets a signal act, if it is one that asks for a change and has had no answer. */
  route(path: string): void {
    const signal = this.#space.vault.catalogue.get(path);
    if (signal?.kind !== 'signal' || signal.fields.status !== 'unrouted' || signal.fields.effect !== 'mutation') return;
    this.#retries.add(`route ${path}`, path, async () => this.#try(path));
  }

  async #try(path: string): Promise<void> {
    const signal = this.#space.vault.catalogue.get(path);
    if (signal?.kind !== 'signal') return;
    const decided = heldBack(this.#space, signal) ?? (await routeSignal(this.#space, signal, null));
    if (decided?.kind === 'settling') this.#timers.at(decided.until, () => this.route(path));
  }
}

/** How to react to a new or changed record, by its kind. `before`: the former record; null for a new one. */
type Handlers = {
  readonly [Kind in VaultRecord['kind']]: (
    after: Extract<VaultRecord, { kind: Kind }>,
    before: VaultRecord | null,
  ) => void;
};

/** The daemon's reactions to a change in the vault: follow a matter, act on a signal, carry out a person's order. */
export class Reactions {
  readonly #space: Workspace;
  readonly #schedules: Schedules;
  readonly #retries: RetryQueue;
  readonly #timers: Timers;
  readonly #renames = new Renames();
  readonly #attention: AttentionFollower;
  readonly #frontPage: FrontPage;
  readonly #routing: Routing;
  readonly #newsAbout: (path: string) => void;
  readonly #handlers: Handlers = {
    matter: (matter, before) => {
      this.#followWithNamesakes(matter);
      this.#targetChanged(matter, before);
    },
    task: (task, before) => this.#targetChanged(task, before),
    signal: (signal, before) => this.#signalChanged(signal, before),
    instinct: ({ path }) => this.#followInstinct(path),
    licence: ({ path }) => this.#followLicence(path),
    event: (event, before) => {
      this.#carryOut(event.path, before, event);
      if (before === null || before.kind !== 'event') this.#considerLicence(event);
      const { target_path: target } = event.fields;
      if (target !== null) this.#clearFlag(this.#space.vault.catalogue.currentPath(target));
      if (before?.kind !== 'event') this.#takeUpLeftOut(event);
    },
    reversal: (reversal, before) => this.#carryOut(reversal.path, before, reversal),
    order: (order, before) => this.#carryOut(order.path, before, order),
    bad: ({ trouble }) => this.#space.context.emit({ what: 'trouble', trouble }),
  };

  constructor(parts: {
    space: Workspace;
    schedules: Schedules;
    retries: RetryQueue;
    timers: Timers;
    /** Evaluates the news about a task soon. */
    newsAbout: (path: string) => void;
  }) {
    this.#newsAbout = parts.newsAbout;
    this.#space = parts.space;
    this.#schedules = parts.schedules;
    this.#retries = parts.retries;
    this.#timers = parts.timers;
    this.#attention = new AttentionFollower(parts);
    this.#frontPage = new FrontPage(parts);
    this.#routing = new Routing(parts);
  }

  /** Takes up what came while the program was away: orders first, then signals. Pauses after each of them. */
  *catchUp(): Generator<void> {
    const { catalogue } = this.#space.vault;
    const asking = catalogue.eventsThat('asking');
    for (const event of asking) this.#carryOut(event.path, null, event);
    for (const path of [...catalogue.pathsOf('reversal'), ...catalogue.pathsOf('order')].sort()) {
      yield;
      const order = catalogue.get(path);
      if (order !== undefined) this.#carryOut(path, null, order);
    }
    for (const { fields } of catalogue.eventsThat('flagged')) {
      if (fields.pending_patch !== null) this.#clearFlag(catalogue.currentPath(fields.pending_patch.target));
    }
    for (const signal of catalogue.unrouted()) {
      yield;
      this.#takeUp(signal);
    }
    for (const instinct of catalogue.instincts()) this.#followInstinct(instinct.path);
    if (!this.#space.vault.unreadable.has(this.#space.vault.layout.folders.licence)) reportGone(this.#space);
    for (const licence of catalogue.licences()) this.#followLicence(licence.path);
    this.#retries.addSteps('offers', 'licence', () => offerFromPast(this.#space));
    this.#attention.all();
    this.#retries.addSteps('first look', SETTINGS_FILE, () => lookAtAll(this.#space));
    this.#frontPage.look();
  }

  /** Brings the list on the front page up to date, where something else than a record has changed. */
  refresh(): void {
    this.#frontPage.look();
  }

  changed(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const move = this.#renames.follow(change, this.#space.context.now());
      if (move !== null) carryOver(this.#space.vault, this.#space.context.state, move);
    }
    rememberFieldEdits(this.#space, changes);
    for (const { before, after } of changes) {
      if (before?.kind === 'matter' && after?.kind !== 'matter') this.#matterGone(before, after);
      if (before?.kind === 'licence' && after?.kind !== 'licence') licenceGone(this.#space, before);
      if (after !== null) this.#handle(after, before);
    }
    for (const signal of findReadmittedSignals(this.#space, changes)) this.#takeUp(signal);
    for (const path of this.#mattersOfTasks(changes)) this.#followPath(path);
    this.#forgetClosed();
    this.#attention.changed(changes);
    this.#frontPage.look();
    if (changes.some(({ before, after }) => before === null && after?.kind === 'event')) this.#carryOutEarly();
  }

  #handle<Kind extends VaultRecord['kind']>(after: Extract<VaultRecord, { kind: Kind }>, before: VaultRecord | null) {
    const handler: Handlers[Kind] = this.#handlers[after.kind as Kind];
    handler(after, before);
  }

  #signalChanged(signal: SignalRecord, before: VaultRecord | null): void {
    if (before === null) {
      for (const { trouble } of futureSignal(this.#space, signal)) {
        this.#space.context.emit({ what: 'trouble', trouble });
      }
    }
    this.#takeUp(signal, before?.kind !== 'signal');
  }

  #targetChanged(target: TargetRecord, before: VaultRecord | null): void {
    this.#takeUpWaiting(target, before);
    this.#learn(target.path);
    this.#clearFlag(target.path);
  }

  #followWithNamesakes(matter: MatterRecord): void {
    this.#schedules.follow(matter);
    for (const other of this.#space.vault.catalogue.namesakes(matter)) this.#schedules.follow(other);
  }

  // A matter's schedule depends on its tasks. Each matter that has or had one of the changed tasks is followed once.
  #mattersOfTasks(changes: readonly RecordChange[]): Set<string> {
    const { catalogue } = this.#space.vault;
    const matters = new Set<string>();
    for (const record of changes.flatMap(({ before, after }) => [before, after])) {
      const matter = record?.kind === 'task' ? catalogue.matterOf(record) : null;
      if (matter !== null) matters.add(matter.path);
    }
    return matters;
  }

  // Signals that a dismissed decision left out are news again.
  #takeUpLeftOut({ fields: { dismisses } }: EventRecord): void {
    const { catalogue } = this.#space.vault;
    const answered = dismisses === null ? null : catalogue.resolve(dismisses, ['event']);
    if (answered?.kind !== 'event' || answered.fields.target_path === null) return;
    const { considered, signals, target_path: target } = answered.fields;
    if (considered.some((link) => !signals.includes(link))) this.#newsAbout(catalogue.currentPath(target));
  }

  #followPath(path: string): void {
    const matter = this.#space.vault.catalogue.get(path);
    if (matter?.kind === 'matter') this.#schedules.follow(matter);
  }

  #takeUp(signal: SignalRecord, isNew = true): void {
    if (isNew) this.#endQuiet(signal);
    this.#routing.route(signal.path);
    this.#ask(signal);
    const pending = isNew ? pendingAs(this.#space, signal) : null;
    if (pending?.isNews === true) this.#newsAbout(pending.target.path);
  }

  // A signal ends the backoff of its note and of the matter.
  #endQuiet(signal: SignalRecord): void {
    if (signal.fields.effect === 'none' || signal.fields.status !== 'unrouted') return;
    if (wasWeighed(this.#space, signal)) return;
    const target = this.#space.vault.catalogue.targetOf(signal);
    if (target === null || !isListenedTo(this.#space, signal, target) || !isQuietSince(this.#space, target)) return;
    endQuiet(this.#space, target);
    const matter = target.kind === 'matter' ? target : this.#space.vault.catalogue.matterOf(target);
    if (matter !== null) this.#schedules.follow(matter);
  }

  // Sync tools deliver notes in any order: signals, ticked boxes and reversals may have waited for this matter or task.
  #takeUpWaiting(target: TargetRecord, before: VaultRecord | null): void {
    const wasThere = before?.kind === target.kind;
    if (wasThere && before.fields.aliases.join() === target.fields.aliases.join()) return;
    const { catalogue } = this.#space.vault;
    for (const signal of catalogue.signalsFor(target)) this.#routing.route(signal.path);
    for (const event of catalogue.eventsAbout(target.path)) this.#carryOut(event.path, null, event);
  }

  // A person's file may have come before the event it is about.
  #carryOutEarly(): void {
    const { catalogue } = this.#space.vault;
    for (const file of [...catalogue.reversals(), ...catalogue.orders()]) this.#carryOut(file.path, null, file);
  }

  // Once a proposal is closed, an answer to it that could not be carried out is no problem any more.
  #forgetClosed(): void {
    const {
      vault,
      problems: { faults },
    } = this.#space;
    for (const key of [...faults.keys()].filter((one) => one.startsWith('answer '))) {
      const event = vault.catalogue.get(key.slice('answer '.length));
      if (event?.kind === 'event' && !isWaiting(this.#space, event)) faults.delete(key);
    }
  }

  // Removes the flag of proposals that have closed themselves, as soon as the note is quiet.
  #clearFlag(path: string): void {
    if (this.#target(path)?.fields.pending_confirmation !== true) return;
    this.#whenQuiet(`flag ${path}`, path, (target) => clearFlag(this.#space, target));
  }

  // A person may have made a proposed change by hand, or decided otherwise.
  #learn(path: string): void {
    this.#whenQuiet(`learn ${path}`, path, (target) => learnByHand(this.#space, target));
  }

  /** Does some work on a matter or task. It returns when to try again (epoch ms) if somebody is editing the note. */
  #whenQuiet(key: string, path: string, work: (target: TargetRecord) => number | null): void {
    this.#retries.add(key, path, async () => {
      const target = this.#target(path);
      if (target === null) return;
      const until = await this.#space.transactions.inTurn(path, async () => work(target));
      if (until !== null) this.#timers.at(until, () => this.#whenQuiet(key, path, work));
    });
  }

  #target(path: string): TargetRecord | null {
    const found = this.#space.vault.catalogue.get(path);
    return found?.kind === 'task' || found?.kind === 'matter' ? found : null;
  }

  #matterGone(matter: MatterRecord, now: VaultRecord | null): void {
    const others = this.#space.vault.catalogue.namesakes(matter);
    // A note that cannot be read may be half written: its schedule waits until the note is whole. A namesake that differs
    // only in case has a schedule of its own.
    const isTaken = others.some((other) => scheduleName(other) === scheduleName(matter));
    const isUnread = now?.kind === 'bad' && now.copyOf === undefined;
    if (!isUnread && !isTaken) this.#schedules.remove(scheduleName(matter), 'its note is gone');
    for (const other of others) this.#schedules.follow(other);
  }

  // Asks which note an ambiguous signal is about.
  #ask({ path, fields }: SignalRecord): void {
    if (!fields.target_ambiguous || fields.status !== 'unrouted') return;
    this.#retries.add(`ask ${path}`, path, async () => {
      const current = this.#space.vault.catalogue.get(path);
      if (current?.kind === 'signal') askChoice(this.#space, current);
    });
  }

  #followInstinct(path: string): void {
    this.#retries.add(`instinct ${path}`, path, async () => {
      const until = followInstinct(this.#space, path);
      if (until !== null) this.#timers.at(until, () => this.#followInstinct(path));
    });
  }

  #followLicence(path: string): void {
    this.#retries.add(`licence ${path}`, path, async () => {
      const until = followLicence(this.#space, path);
      if (until !== null) this.#timers.at(until, () => this.#followLicence(path));
    });
  }

  // A change that the user found right may be a reason to offer a licence.
  #considerLicence(event: EventRecord): void {
    if (!isRight(event)) return;
    this.#retries.add(`offer ${event.path}`, event.path, async () => considerOutcome(this.#space, event));
  }

  #carryOut(path: string, before: VaultRecord | null, after: VaultRecord): void {
    const order = readOrder(this.#space, before, after);
    if (order !== null) this.#retries.add(`order ${path}`, path, async () => this.#carryOrder(order, before));
  }

  #carryOrder(order: Order, before: VaultRecord | null): void {
    const space = this.#space;
    space.transactions.finishHeldUp([order.path]); // an action that the disk held up may be the answer to this order
    const now = space.vault.catalogue.get(order.path) ?? null;
    // It may have been answered through another door while it waited.
    const current = readOrder(space, before, now);
    if (now === null || current === null || current.kind !== order.kind) return;
    const answer = strangersNote(space, current) ?? this.#answer(current);
    // If it is still unanswered, an answer that is there at the next try counts.
    const known = readOrder(space, null, now) === null ? before : null;
    if (answer.until !== null) this.#timers.at(answer.until, () => this.#carryOut(order.path, known, now));
    else if (answer.note === null)
      this.#retries.fault(`answer ${order.path}`, order.path, notDone(order.path, answer.message));
    else space.problems.faults.delete(`answer ${order.path}`);
  }

  #answer(order: Order): AnswerRecord {
    if (order.kind === 'undo') return undo(this.#space, order.order);
    if (order.kind === 'file') return carryDroppedAnswer(this.#space, order.order);
    const { kind, event, later } = order;
    const { always } = event.fields;
    const choose = findChosen(event.fields);
    return answerProposal(this.#space, { kind, event, choose, by: 'checkbox', always, file: null, later });
  }
}

function notDone(file: string, message: string): StewardError {
  return new StewardError({ code: 'not-done', file, message, hint: 'Untick the box, or dismiss the proposal.' });
}

/**
 * Returns the signals that a change of a matter's `signal_sources` may readmit: those for the matter and its tasks, and
 * those whose target is uncertain.
 */
function findReadmittedSignals({ vault: { catalogue } }: Workspace, changes: readonly RecordChange[]): SignalRecord[] {
  const sourcesOf = ({ fields }: MatterRecord) => fields.signal_sources.join('\n');
  const matters = changes.flatMap(({ before, after }) =>
    before?.kind === 'matter' && after?.kind === 'matter' && sourcesOf(before) !== sourcesOf(after) ? [after] : [],
  );
  if (matters.length === 0) return [];
  const notes = matters.flatMap((matter) => [matter, ...catalogue.tasksOf(matter)]);
  return [...notes.flatMap((note) => catalogue.signalsFor(note)), ...catalogue.waiting('signal')];
}
