import { isWaiting } from '../steward/attention.ts';
import { scheduleName } from '../steward/schedule.ts';
import type { Answer } from '../undo/order.ts';
import { undo } from '../undo/undo.ts';
import { StewardError } from '../vault/errors.ts';
import type { MatterRecord, SignalRecord, TargetRecord, VaultRecord } from '../vault/index/record.ts';
import { Renames } from '../vault/index/renames.ts';
import { chosenIn } from '../vault/notes.ts';
import type { Change } from '../vault/watch.ts';
import {
  answer as answerProposal,
  carryDroppedAnswer,
  clearFlag,
  type Order,
  orderOf,
  strangersNote,
} from './answers/answer.ts';
import { askChoice } from './ask-choice.ts';
import { AttentionFollower, heardAnew } from './attention.ts';
import { carryOver, type Workspace } from './context.ts';
import { isListenedTo, wasWeighed } from './decide-fresh-signals.ts';
import { FrontPage } from './front-page.ts';
import { quietAt, type Streams, unreadStreams } from './ingest-queue.ts';
import { followInstinct, learnByHand, sayNotices } from './outcomes.ts';
import type { RetryQueue } from './queues.ts';
import type { Deliberations } from './roundtable.ts';
import { Routing } from './routing.ts';
import { endQuiet, isQuietSince } from './schedule/due.ts';
import type { Schedules } from './schedule.ts';
import { futureSignal } from './status.ts';
import type { Timers } from './timers.ts';

/** What the daemon does about a change in the vault: follow a matter, act on a signal, carry out a person's order. */
export class Reactions {
  readonly #space: Workspace;
  readonly #schedules: Schedules;
  readonly #retries: RetryQueue;
  readonly #streams: Streams;
  readonly #timers: Timers;
  readonly #deliberations: Deliberations;
  readonly #renames = new Renames();
  readonly #attention: AttentionFollower;
  readonly #frontPage: FrontPage;
  readonly #routing: Routing;

  constructor(parts: {
    space: Workspace;
    schedules: Schedules;
    retries: RetryQueue;
    streams: Streams;
    timers: Timers;
    deliberations: Deliberations;
  }) {
    this.#space = parts.space;
    this.#schedules = parts.schedules;
    this.#retries = parts.retries;
    this.#streams = parts.streams;
    this.#timers = parts.timers;
    this.#deliberations = parts.deliberations;
    this.#attention = new AttentionFollower(parts);
    this.#frontPage = new FrontPage(parts);
    this.#routing = new Routing(parts);
  }

  /** Takes up what came while the program was away: orders first, then signals. Pauses after each of them. */
  *catchUp(): Generator<void> {
    sayNotices(this.#space);
    const { catalogue } = this.#space.vault;
    const asking = catalogue.eventsThat('asking');
    for (const event of asking) this.#order(event.path, null, event);
    for (const path of [...catalogue.pathsOf('reversal'), ...catalogue.pathsOf('order')].sort()) {
      yield;
      const order = catalogue.get(path);
      if (order !== undefined) this.#order(path, null, order);
    }
    for (const event of asking) this.#deliberations.look(event);
    for (const { fields } of catalogue.eventsThat('flagged')) {
      if (fields.pending_patch !== null) this.#flag(catalogue.currentPath(fields.pending_patch.target));
    }
    for (const signal of catalogue.unrouted()) {
      yield;
      this.#heard(signal);
    }
    for (const instinct of catalogue.instincts()) this.#pinned(instinct.path);
    this.#attention.all();
    this.#frontPage.look();
    this.streamed(unreadStreams(this.#space));
  }

  /** Brings the list on the front page up to date, where something else than a record has changed. */
  refresh(): void {
    this.#frontPage.look();
  }

  /** Reacts to records that are new, changed or gone. */
  changed(changes: readonly Change[]): void {
    this.#space.ingest.targets?.follow(changes);
    for (const change of changes) {
      const move = this.#renames.follow(change, this.#space.context.now());
      if (move !== null) carryOver(this.#space.vault, this.#space.context.state, move);
    }
    for (const { path, before, after } of changes) {
      if (before?.kind === 'matter' && after?.kind !== 'matter') this.#matterGone(before, after);
      if (after?.kind === 'matter') this.#matterThere(after);
      if (after?.kind === 'matter' || after?.kind === 'task') this.#targetThere(before, after);
      if (after?.kind === 'signal') {
        if (before === null) {
          for (const { trouble } of futureSignal(this.#space, after))
            this.#space.context.emit({ what: 'trouble', trouble });
        }
        this.#heard(after, before?.kind !== 'signal');
      }
      if (after?.kind === 'instinct') this.#pinned(path);
      if (after?.kind === 'event' || after?.kind === 'reversal' || after?.kind === 'order') {
        this.#order(path, before, after);
      }
      if (after?.kind === 'event') this.#deliberations.look(after);
      if (after?.kind === 'matter' || after?.kind === 'task') {
        this.#learn(path);
        this.#flag(path);
      }
      if (after?.kind === 'event' && after.fields.target_path !== null) {
        this.#flag(this.#space.vault.catalogue.currentPath(after.fields.target_path));
      }
      if (after?.kind === 'bad') this.#space.context.emit({ what: 'trouble', trouble: after.trouble });
    }
    for (const signal of heardAnew(this.#space, changes)) this.#heard(signal);
    for (const path of this.#mattersOfTasks(changes)) this.#followPath(path);
    this.#forgetClosed();
    this.#attention.changed(changes);
    this.#frontPage.look();
    if (changes.some(({ before, after }) => before === null && after?.kind === 'event')) this.#orderEarly();
  }

  /** Reacts to stream files that are new or changed. A file that is still being copied is read once it has kept still. */
  streamed(files: readonly string[]): void {
    for (const file of files) {
      const at = quietAt(this.#space, file);
      if (at === null) continue;
      if (at > this.#space.context.now()) this.#timers.at(at, () => this.streamed([file]));
      else this.#streams.add(file);
    }
  }

  #matterThere(matter: MatterRecord): void {
    this.#schedules.follow(matter);
    for (const other of this.#space.vault.catalogue.namesakes(matter)) this.#schedules.follow(other);
  }

  // A matter's schedule depends on its tasks. Each matter that has or had one of the changed tasks is followed once.
  #mattersOfTasks(changes: readonly Change[]): Set<string> {
    const { catalogue } = this.#space.vault;
    const matters = new Set<string>();
    for (const record of changes.flatMap(({ before, after }) => [before, after])) {
      const matter = record?.kind === 'task' ? catalogue.matterOf(record) : null;
      if (matter !== null) matters.add(matter.path);
    }
    return matters;
  }

  #followPath(path: string): void {
    const matter = this.#space.vault.catalogue.get(path);
    if (matter?.kind === 'matter') this.#schedules.follow(matter);
  }

  #heard(signal: SignalRecord, isNew = true): void {
    if (isNew) this.#endQuiet(signal);
    this.#routing.route(signal.path);
    this.#ask(signal);
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
  #targetThere(before: VaultRecord | null, target: TargetRecord): void {
    const wasThere = before?.kind === target.kind;
    if (wasThere && before.fields.aliases.join() === target.fields.aliases.join()) return;
    const { catalogue } = this.#space.vault;
    for (const signal of catalogue.signalsFor(target)) this.#routing.route(signal.path);
    for (const event of catalogue.eventsAbout(target.path)) this.#order(event.path, null, event);
  }

  // A person's file may have come before the event it is about.
  #orderEarly(): void {
    const { catalogue } = this.#space.vault;
    for (const file of [...catalogue.reversals(), ...catalogue.orders()]) this.#order(file.path, null, file);
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
  #flag(path: string): void {
    const found = this.#space.vault.catalogue.get(path);
    if ((found?.kind !== 'task' && found?.kind !== 'matter') || !found.fields.pending_confirmation) return;
    this.#retries.add(`flag ${path}`, path, async () => {
      const target = this.#space.vault.catalogue.get(path);
      if (target?.kind !== 'task' && target?.kind !== 'matter') return;
      const until = await this.#space.transactions.inTurn(path, async () => clearFlag(this.#space, target));
      if (until !== null) this.#timers.at(until, () => this.#flag(path));
    });
  }

  // A person may have made a proposed change by hand, or decided otherwise.
  #learn(path: string): void {
    this.#retries.add(`learn ${path}`, path, async () => {
      const target = this.#space.vault.catalogue.get(path);
      if (target?.kind !== 'task' && target?.kind !== 'matter') return;
      const until = await this.#space.transactions.inTurn(path, async () => learnByHand(this.#space, target));
      if (until !== null) this.#timers.at(until, () => this.#learn(path));
    });
  }

  #matterGone(matter: MatterRecord, now: VaultRecord | null): void {
    const others = this.#space.vault.catalogue.namesakes(matter);
    // A note that cannot be read may be half written: its schedule waits until the note is whole. A namesake that differs
    // only in case has a schedule of its own.
    const isTaken = others.some((other) => scheduleName(other) === scheduleName(matter));
    if (now?.kind !== 'bad' && !isTaken) this.#schedules.remove(scheduleName(matter), 'its note is gone');
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

  #pinned(path: string): void {
    this.#retries.add(`instinct ${path}`, path, async () => {
      const until = followInstinct(this.#space, path);
      if (until !== null) this.#timers.at(until, () => this.#pinned(path));
    });
  }

  #order(path: string, before: VaultRecord | null, after: VaultRecord): void {
    const order = orderOf(this.#space, before, after);
    if (order !== null) this.#retries.add(`order ${path}`, path, async () => this.#carry(order, before));
  }

  #carry(order: Order, before: VaultRecord | null): void {
    const space = this.#space;
    space.transactions.finishHeldUp([order.path]); // an action that the disk held up may be the answer to this order
    const now = space.vault.catalogue.get(order.path) ?? null;
    // It may have been answered through another door while it waited.
    const current = orderOf(space, before, now);
    if (now === null || current === null || current.kind !== order.kind) return;
    const answer = strangersNote(space, current) ?? this.#answer(current);
    // Where it is still unanswered, an answer that stands at the next try counts.
    const known = orderOf(space, null, now) === null ? before : null;
    if (answer.until !== null) this.#timers.at(answer.until, () => this.#order(order.path, known, now));
    else if (answer.note === null)
      this.#retries.fault(`answer ${order.path}`, order.path, notDone(order.path, answer.message));
    else space.problems.faults.delete(`answer ${order.path}`);
  }

  #answer(order: Order): Answer {
    if (order.kind === 'undo') return undo(this.#space, order.order);
    if (order.kind === 'file') return carryDroppedAnswer(this.#space, order.order);
    const { kind, event } = order;
    return answerProposal(this.#space, { kind, event, choose: chosenIn(event.fields), by: 'checkbox', file: null });
  }
}

function notDone(file: string, message: string): StewardError {
  return new StewardError({ code: 'not-done', file, message, hint: 'Untick the box, or dismiss the proposal.' });
}
