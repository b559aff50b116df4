import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type { Agent, AgentTool, Errand, Report } from '../../steward/ports/agent.ts';
import { prefix, replied, textBlocks } from '../messages.ts';
import { heeding, type Provider } from '../provider/provider.ts';
import { issueOf, type Reply } from '../reply.ts';
import { type Price, Tally } from '../tally.ts';

/** Stop reasons of a model that has said all it wanted to say. */
const AT_ITS_END = ['end_turn', 'stop_sequence'];

/** Sends a provider's models on errands: each may call tools, whose results it is told, until it has come to an end. */
export class ToolAgent implements Agent {
  readonly #provider: Provider;
  readonly #priceOf: (model: string) => Price | null;

  /** `priceOf`: null for a model that has no cost in money. */
  constructor(provider: Provider, priceOf: (model: string) => Price | null) {
    this.#provider = provider;
    this.#priceOf = priceOf;
  }

  async send(errand: Errand, abort: AbortSignal): Promise<Report> {
    const tally = new Tally();
    const price = this.#priceOf(errand.model);
    let last: Reply | null = null;
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
    return { text: last?.text ?? '', finished: last !== null && AT_ITS_END.includes(last.stopReason), usage };
  }

  /** One reply after the other, as many as there may be. The tools run between two requests, in nobody's place. */
  async *#replies(errand: Errand, abort: AbortSignal): AsyncGenerator<Reply> {
    const sdk = await this.#provider.client();
    const tools = await runnable(errand.tools);
    const runner = sdk.beta.messages.toolRunner({ ...paramsOf(errand), tools }, { signal: abort });
    const turns = runner[Symbol.asyncIterator]();
    for (let turn = 1; turn <= errand.maxTurns; turn += 1) {
      const reply = await this.#provider.request(errand, abort, async () => {
        const { done, value } = await turns.next();
        return done === true ? null : replied(errand.model, value);
      });
      if (reply === null) return;
      yield reply;
      if (reply.stopReason === 'tool_use' && turn < errand.maxTurns) {
        await heeding(abort, runner.generateToolResponse());
      }
    }
  }
}

function paramsOf({ model, system, task, maxTokens }: Errand) {
  return {
    model,
    max_tokens: maxTokens,
    system: prefix(system),
    messages: [{ role: 'user' as const, content: textBlocks(task) }],
    thread: false as const, // only the provider's own server keeps a conversation
  };
}

async function runnable(tools: readonly AgentTool[]): Promise<BetaRunnableTool[]> {
  const { betaZodTool } = await import('@anthropic-ai/sdk/helpers/beta/zod');
  return tools.map((tool) => ({
    ...betaZodTool({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.input,
      // Half a character, where a text was cut, would have the whole request refused.
      run: async (input) => (await tool.run(input)).toWellFormed(),
    }),
    parse: (given) => inputOf(tool, given),
  }));
}

/** What a model gave to a tool, as the tool's schema has it. What is thrown is told to the model. */
function inputOf({ name, input }: AgentTool, given: unknown): unknown {
  const parsed = input.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error(`The input of ${name} does not keep to its schema (${issueOf(parsed.error)}).`);
}
