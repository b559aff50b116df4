import { setTimeout as wait } from 'node:timers/promises';
import type { Request } from '../daemon/compose.ts';
import { readEnvironment } from '../daemon/environment.ts';
import { withLockedState } from '../daemon/locked-state.ts';
import { lockMemories } from '../daemon/runtime-paths.ts';
import type { BudgetClient } from '../providers/agent.ts';
import { noRoom, type RequestGate } from '../providers/provider.ts';
import type { ErrandCost, ErrandOrder, LockedState, QuestionOrder } from '../steward/spending.ts';
import type { Usage } from '../steward/types.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { Mutex } from '../vault/time.ts';
import { askDaemon, daemonStalled } from './client.ts';
import type { CommandContext } from './terminal.ts';

const AGAIN_MS = 200;
/** How long a command that has patience waits for room among the questions of a minute. */
const ROOM_PATIENCE_MS = 60_000;
const MAY_PASS = ['vault-locked', 'daemon-stalled'];

/** A lookup without a model costs no money, and needs no part of it. */
const spending = () => import('../steward/spending.ts');

type Answered = { readonly ok: true } | { readonly ok: false; readonly freeAt: number };

/**
 * The vault's budget and the door to its provider. The running daemon keeps both; if no daemon runs, this changes the
 * vault's state under the lock, for a moment each time.
 */
export class VaultBudget implements BudgetClient, RequestGate {
  readonly #context: CommandContext;
  readonly #root: string;
  readonly #patienceMs: number;
  readonly #turns = new Mutex();

  /**
   * `patienceMs`: for how long it asks again if another command has the vault, or a daemon is about to answer, and
   * whether it waits for room if there is some within the minute.
   */
  constructor(context: CommandContext, root: string, patienceMs = 0) {
    this.#context = context;
    this.#root = root;
    this.#patienceMs = patienceMs;
  }

  /** Sets aside what an errand is expected to take, or returns why it may not be sent. Throws `daemon-stalled` (75). */
  async reserve(estimate: Usage): Promise<ErrandOrder> {
    const { reserveErrand } = await spending();
    // The daemon is this very program: its result is what the same function returned there.
    const once = () => this.#queue({ op: 'reserve', estimate }, (state) => reserveErrand(state, estimate));
    return await this.#withRoom(once as () => Promise<ErrandOrder>);
  }

  /** Records what an errand cost. Prints a failure instead of throwing it, so that the answer is not lost. */
  async record(cost: ErrandCost): Promise<void> {
    const { recordErrand } = await spending();
    try {
      await this.#queue({ op: 'record', ...cost }, (state) => recordErrand(state, cost));
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      this.#context.err.trouble(error.trouble);
    }
  }

  /** Takes places for questions. Throws `ProviderError` if there is no room, and `daemon-stalled` (75). */
  async pass(questions: number): Promise<void> {
    const { orderQuestions } = await spending();
    const once = () => this.#queue({ op: 'question', questions }, (state) => orderQuestions(state, questions));
    const order = await this.#withRoom(once as () => Promise<QuestionOrder>); // as above
    if (!order.ok) throw noRoom(order.reason);
  }

  /** Remembers that the provider asked to wait. Prints a failure, as `record` does. */
  heldOff(retryAfter: number | null): Promise<void> {
    return this.record({ id: null, cost: null, retryAfter });
  }

  // An order that is refused for longer than it may wait is refused at once.
  async #withRoom<Order extends Answered>(once: () => Promise<Order>): Promise<Order> {
    const until = Date.now() + Math.min(this.#patienceMs, ROOM_PATIENCE_MS);
    for (;;) {
      const order = await once();
      if (order.ok || order.freeAt > until) return order;
      await wait(Math.max(AGAIN_MS, order.freeAt - Date.now()));
    }
  }

  // One after the other: otherwise the agents of one command would lock each other out.
  #queue(request: Request, work: (state: LockedState) => unknown): Promise<unknown> {
    return this.#turns.run(() => this.#patiently(request, work));
  }

  #here(work: (state: LockedState) => unknown): Promise<unknown> {
    const { env } = this.#context;
    const vault = { root: this.#root, env: readEnvironment(env), memories: lockMemories(env), now: Date.now };
    return withLockedState(vault, work);
  }

  // Asks for the daemon each time, since one may have started, or ended, in the meantime.
  async #patiently(request: Request, work: (state: LockedState) => unknown): Promise<unknown> {
    const until = Date.now() + this.#patienceMs;
    for (;;) {
      try {
        return await this.#once(request, work);
      } catch (error) {
        const mayPass = error instanceof StewardError && MAY_PASS.includes(error.trouble.code);
        if (!mayPass || Date.now() >= until) throw error;
        await wait(AGAIN_MS);
      }
    }
  }

  async #once(request: Request, work: (state: LockedState) => unknown): Promise<unknown> {
    const asked = await askDaemon(this.#context, this.#root, request);
    if (asked === 'absent') return this.#here(work);
    if (asked === 'stalled') throw daemonStalled();
    if (asked.ok) return asked.result;
    throw new StewardError(asked.trouble, EXIT.tryAgain);
  }
}
