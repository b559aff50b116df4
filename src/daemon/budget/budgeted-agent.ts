import { ToolAgent } from '../../model/agent/tool-agent.ts';
import type { Provider } from '../../model/provider/provider.ts';
import { type Price, usageOf } from '../../model/tally.ts';
import { costOf, greater, type Spending } from '../../steward/gates/budget.ts';
import type { Agent, Errand, Report } from '../../steward/ports/agent.ts';
import { Unanswered, type Usage } from '../../steward/ports/evaluator.ts';
import type { Settings } from '../context/settings.ts';
import { priceUnder } from './costs.ts';
import type { ErrandCost, ErrandOrder } from './errand-budget.ts';

/** Where what an errand costs is set aside and settled: the running daemon, or the vault's state. */
export interface BudgetClient {
  reserve(cost: Spending): Promise<ErrandOrder>;
  record(settlement: ErrandCost): Promise<void>;
}

/** What the tools' descriptions take of a request, generously. */
const TOOL_TOKENS = 1_000;

/**
 * The agents that may be sent under these settings; null where there is no key, or where no model is to be asked at
 * all.
 */
export function agentFor(provider: Provider | null, settings: Settings, budget: BudgetClient): Agent | null {
  if (provider === null || settings.evaluator === 'rules') return null;
  const price = (model: string) => priceUnder(settings, model);
  return new BudgetedAgent(new ToolAgent(provider, price), budget, price);
}

/** Sends agents within the budget, and never while a provider wants to be left alone (contract, section 6). */
export class BudgetedAgent implements Agent {
  readonly #agent: Agent;
  readonly #budget: BudgetClient;
  readonly #priceOf: (model: string) => Price | null;

  constructor(agent: Agent, budget: BudgetClient, priceOf: (model: string) => Price | null) {
    this.#agent = agent;
    this.#budget = budget;
    this.#priceOf = priceOf;
  }

  async send(errand: Errand, abort: AbortSignal): Promise<Report> {
    const estimate = estimateOf(errand, this.#priceOf(errand.model));
    const reserved = await this.#budget.reserve(estimate);
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
      await this.#budget.record({ id: reserved.id, ...costOfFailure(error, took, estimate) });
      throw error;
    }
  }
}

/**
 * What an errand may take of one turn; more turns are settled afterwards. No script needs more than a token for three
 * bytes.
 */
function estimateOf({ model, system, task, maxTokens }: Errand, price: Price | null): Spending {
  const asked = Buffer.byteLength([...system, ...task].join(''));
  return costOf(usageOf(model, { tokensIn: Math.ceil(asked / 3) + TOOL_TOKENS, tokensOut: maxTokens }, price));
}

// What was refused before it was read cost nothing; of what may have been read, what was set aside stands, and never
// less than the replies took that came before.
function costOfFailure(error: unknown, took: Usage | null, estimate: Spending): Omit<ErrandCost, 'id'> {
  const { sent, retryAfter } = error instanceof Unanswered ? error : { sent: true, retryAfter: undefined };
  const waited = retryAfter === undefined ? {} : { retryAfter };
  if (took === null) return { cost: sent ? null : { tokens: 0, usd: 0 }, ...waited };
  const cost = retryAfter === undefined ? greater(costOf(took), estimate) : costOf(took);
  return { cost, usage: took, ...waited };
}
