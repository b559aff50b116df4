import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type { Agent, AgentTool, Errand, Report } from '../steward/ports.ts';
import { cachedPrefix, issueOf, type Price, type Reply, requireReply, Tally, textBlocks } from './model.ts';
import type { Provider } from './provider.ts';
import { abortable } from './provider-error.ts';

/** The stop reasons of a model that has finished by itself. */
const FINISHED = ['end_turn', 'stop_sequence'];

/** Sends a provider's models on errands. A model may call tools and is told their results, until it finishes. */
export class ToolAgent implements Agent {
  readonly #provider: Provider;
  readonly #priceOf: (model: string) => Price | null;

  /** `priceOf`: returns null for a model without a price. */
  constructor(provider: Provider, priceOf: (model: string) => Price | null) {
    this.#provider = provider;
    this.#priceOf = priceOf;
  }

  /** Returns the model's last words. Throws `ProviderError` if there is no reply, and the signal's reason on abort. */
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
    return { text: last?.text ?? '', finished: last !== null && FINISHED.includes(last.stopReason), usage };
  }

  /** Yields one reply after another, at most `maxTurns`. The tools run between two requests, so they block no other request. */
  async *#replies(errand: Errand, abort: AbortSignal): AsyncGenerator<Reply> {
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
  throw new Error(`The input of ${name} does not keep to its schema (${issueOf(parsed.error)}).`);
}
