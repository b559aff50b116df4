import { type Environment, readEnvironment } from '../../daemon/environment.ts';
import type { PaidReader } from '../../features/rehearse.ts';
import { AnthropicExtractor } from '../../providers/extractor.ts';
import { noRoom, Provider, ProviderError, type RequestGate } from '../../providers/provider.ts';
import { computeUsage, priceUnder, sumCost } from '../../steward/budget.ts';
import type { Settings } from '../../steward/settings.ts';
import type { Extractor, Usage } from '../../steward/types.ts';
import type { Price } from '../../vault/data.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext } from '../terminal.ts';
import { VaultBudget } from '../vault-budget.ts';

/** How long a question waits for the daemon or another command, and for room among the questions of a minute (ms). */
const PATIENCE_MS = 90_000;

interface BudgetedModel {
  /** `model`: the one that the settings name for reading; else the id of a model. */
  readonly named: string;
  /** In US dollars. */
  readonly budgetUsd: number;
}

type Answer = Awaited<ReturnType<PaidReader['ask']>>;

/**
 * Returns a reader that asks a model. Each request is sent only if the rest of the budget pays for it at its most expensive,
 * and if the vault's own budget and limits have room. Throws `rehearsal-key` and `rehearsal-price`.
 */
export function modelReader(
  context: CommandContext,
  root: string,
  settings: Settings,
  { named, budgetUsd }: BudgetedModel,
): PaidReader {
  const env: Environment = readEnvironment(context.env);
  const model = named === 'model' ? settings.model_extraction : named;
  const price = priceUnder(settings, model);
  if (env.provider === undefined || env.provider === null) throw noKey();
  if (price === null) throw noPrice(model);
  const account = new VaultBudget(context, root, PATIENCE_MS);
  const gate = new BudgetGate(account);
  return new ModelReader(new AnthropicExtractor(new Provider(env.provider, gate), { model, price }), price, {
    ...{ account, gate, budgetUsd },
  });
}

function noKey(): StewardError {
  const message = 'There is no key for a model.';
  const hint = 'Set ANTHROPIC_API_KEY, or leave out `--evaluator`: the rules read without a key.';
  return new StewardError({ code: 'rehearsal-key', message, hint }, EXIT.settings);
}

function noPrice(model: string): StewardError {
  const message = `No price of ${model} is known, so a budget can't limit it.`;
  const hint = 'Set model_extraction to this model, with model_extraction_price_in and model_extraction_price_out.';
  return new StewardError({ code: 'rehearsal-price', message, hint }, EXIT.settings);
}

/** Lets a request pass only if what is left of the budget pays for it. */
class BudgetGate implements RequestGate {
  readonly #account: VaultBudget;
  /** The remaining budget of the question under way, and the most that one of its requests takes, in US dollars. */
  #left = 0;
  #most = 0;
  /** Whether a request was refused since the question began. */
  isSpent = false;

  constructor(account: VaultBudget) {
    this.#account = account;
  }

  begin(left: number, most: number): void {
    this.#left = left;
    this.#most = most;
    this.isSpent = most > left;
  }

  async pass(questions: number): Promise<void> {
    const cost = questions * this.#most;
    if (cost > this.#left) {
      this.isSpent = true;
      throw noRoom('The budget of the rehearsal is used up.');
    }
    await this.#account.pass(questions);
    this.#left -= cost;
  }

  heldOff(retryAfterSeconds: number | null): Promise<void> {
    return this.#account.heldOff(retryAfterSeconds);
  }
}

interface Account {
  readonly account: VaultBudget;
  readonly gate: BudgetGate;
  readonly budgetUsd: number;
}

class ModelReader implements PaidReader {
  readonly extractor: Extractor;
  readonly #price: Price;
  readonly #account: Account;

  constructor(extractor: Extractor, price: Price, account: Account) {
    this.extractor = extractor;
    this.#price = price;
    this.#account = account;
  }

  mostUsd(question: Parameters<PaidReader['ask']>[0]): number {
    const estimate = this.extractor.estimate?.(question) ?? null;
    return estimate === null ? 0 : (estimate.usd ?? 0) + this.#mostOf(estimate);
  }

  async ask(question: Parameters<PaidReader['ask']>[0], spent: number, abort: AbortSignal): Promise<Answer> {
    const { account, gate, budgetUsd } = this.#account;
    const estimate = this.extractor.estimate?.(question) ?? null;
    if (estimate === null) return { kind: 'unread', reason: 'its cost is unknown', usd: 0 };
    gate.begin(budgetUsd - spent, this.#mostOf(estimate));
    if (gate.isSpent) return this.#usedUp(0);
    const reserved = await account.reserve(estimate);
    if (!reserved.ok) return waits(reserved.reason, 0);
    try {
      const answer = await this.extractor.extract(question, abort);
      const { usage } = answer;
      await account.record({
        id: reserved.id,
        cost: usage === null ? null : sumCost(usage),
        usage: usage ?? undefined,
      });
      return { kind: 'answered', answer, usd: usage?.usd ?? estimate.usd ?? 0 };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return this.#failed(error, reserved.id, estimate);
    }
  }

  // A reply is repeated in the second request about the same event.
  #mostOf({ model, tokens_in: tokensIn, tokens_out: tokensOut }: Usage): number {
    return computeUsage(model, { tokensIn: tokensIn + tokensOut, tokensOut }, this.#price).usd ?? 0;
  }

  async #failed(error: ProviderError, id: number, estimate: Usage): Promise<Answer> {
    const { account, gate } = this.#account;
    const { sent, took, retryAfter, failure, message } = error;
    const isUnknown = sent && took === null && retryAfter === undefined;
    const cost = took === null ? (isUnknown ? null : { tokens: 0, usd: 0 }) : sumCost(took);
    await account.record({ id, cost, usage: took ?? undefined });
    const usd = took?.usd ?? (isUnknown ? (estimate.usd ?? 0) : 0);
    if (gate.isSpent) return this.#usedUp(usd);
    // Only this event can't be asked about.
    if (failure === 'rejected' || failure === 'too-long') return { kind: 'unread', reason: message, usd };
    return waits(message, usd);
  }

  #usedUp(usd: number): Answer {
    const reason = `The budget of ${this.#account.budgetUsd} US dollars doesn't pay for the next question.`;
    return { kind: 'ends', ended: { why: 'budget', reason }, usd };
  }
}

function waits(reason: string, usd: number): Answer {
  return { kind: 'ends', ended: { why: 'waits', reason }, usd };
}
