import { ToolAgent } from '../../model/agent/tool-agent.ts';
import type { Provider } from '../../model/provider/provider.ts';
import { type Price, usageOf } from '../../model/tally.ts';
import { costOf } from '../../steward/gates/budget.ts';
import type { Agent, Errand, Report } from '../../steward/ports/agent.ts';
import { Unanswered, type Usage } from '../../steward/ports/evaluator.ts';
import type { Settings } from '../context/settings.ts';
import { priceUnder } from './costs.ts';
import type { ErrandCost, ErrandOrder } from './errand-budget.ts';

/** Where the cost of an errand is reserved and recorded: the running daemon, or the vault's state. */
export interface BudgetClient {
  reserve(estimate: Usage): Promise<ErrandOrder>;
  record(cost: ErrandCost): Promise<void>;
}

/** What the descriptions of the tools add to a request, generously. */
const TOOL_TOKENS = 1_000;

/** Returns the agent that may be sent under these settings; null where there is no key, or no model may be asked. */
export function agentFor(provider: Provider | null, settings: Settings, budget: BudgetClient): Agent | null {
  if (provider === null || settings.evaluator === 'rules') return null;
  const price = (model: string) => priceUnder(settings, model);
  return new BudgetedAgent(new ToolAgent(provider, price), budget, price);
}

/** Sends an agent within the budget, and never while the provider asks us to wait (contract, section 6). */
export class BudgetedAgent implements Agent {
  readonly #agent: Agent;
  readonly #budget: BudgetClient;
  readonly #priceOf: (model: string) => Price | null;

  constructor(agent: Agent, budget: BudgetClient, priceOf: (model: string) => Price | null) {
    this.#agent = agent;
    this.#budget = budget;
    this.#priceOf = priceOf;
  }

  /** Returns the agent's report. Rejects with `Unanswered` where there is no budget, and as the agent does. */
  async send(errand: Errand, abort: AbortSignal): Promise<Report> {
    const reserved = await this.#budget.reserve(estimateOf(errand, this.#priceOf(errand.model)));
    if (!reserved.ok) throw new Unanswered(reserved.reason, { sent: false });
    let took: Usage | null = null;
    const heard = (usage: Usage) => {
      took = usage;
    };
    try {
      const report = await this.#agent.send({ ...errand, heard }, abort);
      await this.#budget.record({ id: reserved.id, cost: costOf(report.usage), usage: report.usage });
      return report;
    } catch (error) {
      await this.#budget.record({ id: reserved.id, ...costOfFailure(error, took) });
      throw error;
    }
  }
}

/**
 * What one turn of an errand may cost; further turns are recorded afterwards. No script needs more than a token for
 * three bytes.
 */
function estimateOf({ model, system, task, maxTokens }: Errand, price: Price | null): Usage {
  const asked = Buffer.byteLength([...system, ...task].join(''));
  return usageOf(model, { tokensIn: Math.ceil(asked / 3) + TOOL_TOKENS, tokensOut: maxTokens }, price);
}

// A request that was refused before it was read cost nothing. If it may have been read, the estimate stands, but never
// less than the usage of the replies that came before.
function costOfFailure(error: unknown, took: Usage | null): Omit<ErrandCost, 'id'> {
  const { sent, retryAfter } = error instanceof Unanswered ? error : { sent: true, retryAfter: undefined };
  const waited = retryAfter === undefined ? {} : { retryAfter };
  if (took === null) return { cost: sent ? null : { tokens: 0, usd: 0 }, ...waited };
  return { cost: retryAfter === undefined ? null : costOf(took), usage: took, ...waited };
}
