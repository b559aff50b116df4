import type { BudgetClient } from '../../daemon/budget/budgeted-agent.ts';
import { type ErrandOrder, type LockedState, recordErrand, reserveErrand } from '../../daemon/budget/errand-budget.ts';
import { withLockedState } from '../../daemon/budget/locked-state.ts';
import type { Request } from '../../daemon/server/protocol.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext } from './context.ts';
import { askDaemon } from './daemon-session.ts';

/** The vault's budget: the running daemon keeps it, else what the program remembers is changed here, under the lock. */
export class VaultBudget implements BudgetClient {
  readonly #context: CommandContext;
  readonly #root: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: CommandContext, root: string) {
    this.#context = context;
    this.#root = root;
  }

  reserve(cost: { readonly tokens: number; readonly usd: number }): Promise<ErrandOrder> {
    // The daemon is this very program: its result is what the same function returned there.
    return this.#asked({ op: 'reserve', ...cost }, (account) => reserveErrand(account, cost)) as Promise<ErrandOrder>;
  }

  /** What cannot be settled stays as it was set aside, and is said: the answer is there all the same. */
  async record(settlement: Parameters<BudgetClient['record']>[0]): Promise<void> {
    try {
      await this.#asked({ op: 'record', ...settlement }, (account) => recordErrand(account, settlement));
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      this.#context.err.trouble(error.trouble);
    }
  }

  // One after the other: several agents of one command would find the lock taken by their own command.
  #asked(request: Request, here: (account: LockedState) => unknown): Promise<unknown> {
    const asked = this.#last.then(() => this.#once(request, here));
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  async #once(request: Request, here: (account: LockedState) => unknown): Promise<unknown> {
    const asked = await askDaemon(this.#context, this.#root, request);
    if (asked === 'absent') return withLockedState(this.#root, Date.now, here);
    if (asked !== 'stalled' && asked.ok) return asked.result;
    const trouble = asked === 'stalled' ? STALLED : asked.trouble;
    throw new StewardError(trouble, EXIT.tryAgain);
  }
}

const STALLED = {
  code: 'daemon-stalled',
  message: 'The daemon holds the vault but does not answer.',
  hint: 'Try again in a moment; if it stays so, restart it.',
};
