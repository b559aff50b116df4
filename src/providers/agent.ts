import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import { computeUsage, priceUnder, sumCost } from '../steward/budget.ts';
import type { Settings } from '../steward/settings.ts';
import type { ErrandCost, ErrandOrder } from '../steward/spending.ts';
import {
  type Agent,
  type AgentReport,
  type AgentTool,
  type Errand,
  UnansweredError,
  type Usage,
} from '../steward/types.ts';
import type { Price } from '../vault/data.ts';
import { cachedPrefix, formatIssue, type ModelReply, requireReply, TokenTally, textBlocks } from './messages.ts';
import { abortable, type Provider } from './provider.ts';

/** The stop reasons of a model that has finished by itself. */
const FINISHED = ['end_turn', 'stop_sequence'];

/** Sends a provider's models on errands. A model may call tools and is told their results, until it finishes. */
export class ToolAgent implements Agent {
  readonly #provider: Provider;
  readonly #priceOf: (model: string) => Price | null;

  /** `findPrice`: returns null for a model without a price. */
  constructor(provider: Provider, priceOf: (model: string) => Price | null) {
    this.#provider = provider;
    this.#priceOf = priceOf;
  }

  /** Returns the model's last words. Throws `ProviderError` if there is no reply, and the signal's reason on abort. */
  async send(errand: Errand, abort: AbortSignal): Promise<AgentReport> {
    const tally = new TokenTally();
    const price = this.#priceOf(errand.model);
    let last: ModelReply | null = null;
    try {
      for await (const reply of this.#replies(errand, abort)) {
        tally.add(reply);
        errand.heard?.(tally.usage(errand.model, price));
        last = reply;
      }
    } catch (error) {
      throw abort.aborted ? abort.reason : tally.after(error, errand.model, price);
    }
    const usage = tally.usage(errand.model, price);
    return { text: last?.text ?? '', finished: last !== null && FINISHED.includes(last.stopReason), usage };
  }

  /** Yields one reply after another, at most `maxTurns`. The tools run between two requests, so they block no other request. */
  async *#replies(errand: Errand, abort: AbortSignal): AsyncGenerator<ModelReply> {
    const sdk = await this.#provider.client();
    const tools = await runnable(errand.tools);
    const runner = sdk.beta.messages.toolRunner({ ...paramsOf(errand), tools }, { signal: abort });
    const turns = runner[Symbol.asyncIterator]();
    for (let turn = 1; turn <= errand.maxTurns; turn += 1) {
      const reply = await this.#provider.request(errand, abort, async () => {
        const { done, value } = await turns.next();
        return done === true ? null : requireReply(errand.model, value);
      });
      if (reply === null) return;
      yield reply;
      if (reply.stopReason === 'tool_use' && turn < errand.maxTurns) {
        await abortable(abort, runner.generateToolResponse());
      }
    }
  }
}

function paramsOf({ model, system, task, maxTokens }: Errand) {
  return {
    model,
    max_tokens: maxTokens,
    system: cachedPrefix(system),
    messages: [{ role: 'user' as const, content: textBlocks(task) }],
    thread: false as const, // only the provider's own server stores a conversation
  };
}

async function runnable(tools: readonly AgentTool[]): Promise<BetaRunnableTool[]> {
  const { betaZodTool } = await import('@anthropic-ai/sdk/helpers/beta/zod');
  return tools.map((tool) => ({
    ...betaZodTool({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.input,
      // Half a character, where a text was cut, would make the server refuse the whole request.
      run: async (input) => (await tool.run(input)).toWellFormed(),
    }),
    parse: (given) => inputOf(tool, given),
  }));
}

/** Returns a tool's input, parsed by its schema. The model is told what is thrown. */
function inputOf({ name, input }: AgentTool, given: unknown): unknown {
  const parsed = input.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error(`The input of ${name} does not keep to its schema (${formatIssue(parsed.error)}).`);
}

/** Where the cost of an errand is reserved and recorded: the running daemon, or the vault's state. */
export interface BudgetClient {
  reserve(estimate: Usage): Promise<ErrandOrder>;
  record(cost: ErrandCost): Promise<void>;
}

/** What the descriptions of the tools add to a request, generously. */
const TOOL_TOKENS = 1_000;

/** Returns the agent that may be sent under these settings; null if there is no key, or no model may be asked. */
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

  /** Returns the agent's report. Rejects with `UnansweredError` if there is no budget, and as the agent does. */
  async send(errand: Errand, abort: AbortSignal): Promise<AgentReport> {
    const reserved = await this.#budget.reserve(estimateOf(errand, this.#priceOf(errand.model)));
    if (!reserved.ok) throw new UnansweredError(reserved.reason, { sent: false });
    let took: Usage | null = null;
    const heard = (usage: Usage) => {
      took = usage;
    };
    try {
      const report = await this.#agent.send({ ...errand, heard }, abort);
      await this.#budget.record({ id: reserved.id, cost: sumCost(report.usage), usage: report.usage });
      return report;
    } catch (error) {
      await this.#budget.record({ id: reserved.id, ...costOfFailure(error, took) });
      throw error;
    }
  }
}

/**
 * The highest cost of one turn of an errand; further turns are recorded afterwards. No script needs more than one token
 * for three bytes.
 */
function estimateOf({ model, system, task, maxTokens }: Errand, price: Price | null): Usage {
  const asked = Buffer.byteLength([...system, ...task].join(''));
  return computeUsage(model, { tokensIn: Math.ceil(asked / 3) + TOOL_TOKENS, tokensOut: maxTokens }, price);
}

// A request that was refused before it was read is free. If it may have been read, the estimate counts, but never less
// than the usage of the replies that came before.
function costOfFailure(error: unknown, took: Usage | null): Omit<ErrandCost, 'id'> {
  const { sent, retryAfter } = error instanceof UnansweredError ? error : { sent: true, retryAfter: undefined };
  const waited = retryAfter === undefined ? {} : { retryAfter };
  if (took === null) return { cost: sent ? null : { tokens: 0, usd: 0 }, ...waited };
  return { cost: retryAfter === undefined ? null : sumCost(took), usage: took, ...waited };
}
