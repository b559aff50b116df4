import type { Agent } from '../steward/ports/agent.ts';
import { Unanswered, type Usage, usageOfBoth } from '../steward/ports/evaluator.ts';
import type { Allowance } from './allowance.ts';
import { type Answer, answerOf } from './answer.ts';
import { type Finding, notFound } from './files/finding.ts';
import type { Registered } from './files/registered.ts';
import type { Looking } from './query/looking.ts';
import { lookUpInThread } from './query/lookup-thread.ts';
import { parseQuery } from './query/query.ts';

/** What bounds a lookup. Names as in the settings. */
interface LookupLimits {
  readonly timeout_seconds: number;
  readonly max_response_tokens: number;
  readonly haiku_model: string;
  readonly sonnet_model: string;
}

/** What a researcher works with. */
interface ResearcherParts {
  readonly registered: Registered;
  /** Who looks where looking alone does not answer; null: nobody, and the words are searched for. */
  readonly agent: Agent | null;
  readonly limits: LookupLimits;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Told of each step of an agent's work while it works. */
  readonly say?: (step: string) => void;
}

/** Who asks, and out of what allowance. */
interface Asker {
  readonly agent: string;
  readonly budget: Allowance;
}

/** What was found, and how. */
interface Looked {
  readonly finding: Finding;
  readonly by: string;
  readonly usage: readonly Usage[];
}

/** Longer requests are no questions. */
const MAX_REQUEST = 2_000;

/** Answers requests for evidence out of the registered files, and out of nothing else. */
export class Researcher {
  readonly #parts: ResearcherParts;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(parts: ResearcherParts) {
    this.#parts = parts;
  }

  /**
   * The answer to one request. An agent's requests are answered one at a time, in their order. Never rejects for what a
   * file or a model does; rejects with the signal's reason where it is stopped.
   */
  async answer(request: string, asker: Asker, abort: AbortSignal): Promise<Answer> {
    const before = this.#underWay.get(asker.agent);
    const answered = (before ?? Promise.resolve()).then(() => this.#answer(request, asker, abort));
    const settled = answered.catch(() => undefined);
    this.#underWay.set(asker.agent, settled);
    return answered;
  }

  async #answer(request: string, { agent, budget }: Asker, abort: AbortSignal): Promise<Answer> {
    abort.throwIfAborted();
    const began = this.#parts.now();
    const refusal = this.#refusal(request, agent, budget);
    const looked = refusal === null ? await this.#look(request, abort) : { finding: refusal, by: 'none', usage: [] };
    const seconds = Math.max(0, this.#parts.now() - began) / 1000;
    const { max_response_tokens: maxTokens } = this.#parts.limits;
    return answerOf(looked.finding, { agent, by: looked.by, usage: sumOf(looked.usage), seconds, maxTokens });
  }

  #refusal(request: string, agent: string, budget: Allowance): Finding | null {
    const { registered } = this.#parts;
    if (!registered.listed)
      return notFound(['There is no section "Steward-Registered Files", so there is no evidence here.'], []);
    if (registered.files.length === 0)
      return notFound(
        ['No file is registered that can be read.', ...registered.troubles.map(({ message }) => message)],
        [],
      );
    if (request.length > MAX_REQUEST)
      return notFound(
        [`Refused: a request may have ${MAX_REQUEST} characters, and this one has ${request.length}.`],
        [],
      );
    if (budget.take(agent)) return null;
    return notFound([`Refused: ${agent} has used all ${budget.each} requests.`], []);
  }

  async #look(request: string, abort: AbortSignal): Promise<Looked> {
    const finding = parseQuery(request) === null ? null : await this.#beside('look', request, abort);
    if (finding !== null) return { finding, by: 'deterministic', usage: [] };
    abort.throwIfAborted();
    const { agent } = this.#parts;
    return agent === null ? this.#searched(request, [], [], abort) : this.#sent(request, agent, abort);
  }

  /** The small model first; the larger one where nothing that the first brought back could be used. */
  async #sent(request: string, agent: Agent, abort: AbortSignal): Promise<Looked> {
    const { limits, registered, now, say = () => {} } = this.#parts;
    const { sendToLook } = await import('./agent/errand.ts');
    const patience = AbortSignal.timeout(limits.timeout_seconds * 1000);
    const either = AbortSignal.any([abort, patience]);
    const usage: Usage[] = [];
    try {
      const small = await sendToLook(
        agent,
        { request, registered, say, now: now(), model: limits.haiku_model },
        either,
      );
      usage.push(small.report.usage);
      if (small.settled) return { finding: small.finding, by: 'haiku', usage };
      const large = await sendToLook(
        agent,
        { request, registered, say, now: now(), model: limits.sonnet_model },
        either,
      );
      usage.push(large.report.usage);
      return { finding: large.finding, by: 'sonnet', usage };
    } catch (error) {
      if (abort.aborted) throw abort.reason;
      if (patience.aborted)
        return this.#searched(request, [`No agent was done within ${limits.timeout_seconds} s.`], usage, abort);
      if (error instanceof Unanswered) return this.#searched(request, [error.message], usage, abort);
      throw error;
    }
  }

  async #searched(
    request: string,
    before: readonly string[],
    usage: readonly Usage[],
    abort: AbortSignal,
  ): Promise<Looked> {
    const finding = (await this.#beside('search', request, abort)) ?? notFound([], []);
    return { finding: { ...finding, statements: [...before, ...finding.statements] }, by: 'search', usage };
  }

  #beside(how: Looking['how'], request: string, abort: AbortSignal): Promise<Finding | null> {
    return lookUpInThread({ how, request, files: this.#parts.registered.files }, abort);
  }
}

function sumOf(usages: readonly Usage[]): Usage | null {
  return usages.reduce<Usage | null>((sum, one) => (sum === null ? one : usageOfBoth(sum, one)), null);
}
