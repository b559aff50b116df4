import type { Provider } from '../model/provider.ts';
import { type Price, usageOf } from '../model/tally.ts';
import { ToolAgent } from '../model/tool-agent.ts';
import { costOf, type Spending } from '../steward/budget.ts';
import type { Agent, Errand, Report } from '../vault/records/agent.ts';
import { Unanswered } from '../vault/records/verdict.ts';
import { priceUnder } from './costs.ts';
import type { Settings } from './settings.ts';
import type { SetAside, Settlement } from './spending.ts';

/** Where what an errand costs is set aside and settled: the running daemon, or the vault's state. */
export interface Purse {
  setAside(cost: Spending): Promise<SetAside>;
  settle(settlement: Settlement): Promise<void>;
}

/** What the tools' descriptions take of a request, generously. */
const TOOL_TOKENS = 1_000;

/** The agents that may be sent under these settings; null where there is no key, or where no model is to be asked at all. */
export function agentFor(provider: Provider | null, settings: Settings, purse: Purse): Agent | null {
  if (provider === null || settings.evaluator === 'rules') return null;
  const price = (model: string) => priceUnder(settings, model);
  return new PayingAgent(new ToolAgent(provider, price), purse, price);
}

/** Sends agents within the budget, and never while a provider wants to be left alone (contract, section 6). */
export class PayingAgent implements Agent {
  readonly #agent: Agent;
  readonly #purse: Purse;
  readonly #priceOf: (model: string) => Price | null;

  constructor(agent: Agent, purse: Purse, priceOf: (model: string) => Price | null) {
    this.#agent = agent;
    this.#purse = purse;
    this.#priceOf = priceOf;
  }

  async send(errand: Errand, abort: AbortSignal): Promise<Report> {
    const reserved = await this.#purse.setAside(estimateOf(errand, this.#priceOf(errand.model)));
    if (!reserved.ok) throw new Unanswered(reserved.reason, { sent: false });
    try {
      const report = await this.#agent.send(errand, abort);
      await this.#purse.settle({ id: reserved.id, cost: costOf(report.usage), usage: report.usage });
      return report;
    } catch (error) {
      if (error instanceof Unanswered) await this.#purse.settle(settlementOf(reserved.id, error));
      throw error;
    }
  }
}

/** What an errand may take of one turn; more turns are settled afterwards. No script needs more than a token for three bytes. */
function estimateOf({ model, system, task, maxTokens }: Errand, price: Price | null): Spending {
  const asked = Buffer.byteLength([...system, ...task].join(''));
  return costOf(usageOf(model, { tokensIn: Math.ceil(asked / 3) + TOOL_TOKENS, tokensOut: maxTokens }, price));
}

// What was refused before it was read cost nothing; of what may have been read, what was set aside stands.
function settlementOf(id: number, { sent, retryAfter }: Unanswered): Settlement {
  const cost = sent ? null : { tokens: 0, usd: 0 };
  return { id, cost, ...(retryAfter === undefined ? {} : { retryAfter }) };
}
