import { Unanswered, type Usage, usageOfBoth } from '../steward/ports/evaluator.ts';
import type { Agent } from '../steward/ports.ts';
import { KeyedMutex } from '../vault/keyed-mutex.ts';
import type { WorkerAhead } from '../vault/process.ts';
import type { Allowance } from './allowance.ts';
import { type Answer, answerOf } from './answer.ts';
import { type Finding, notFound, type Registered } from './files.ts';
import type { LookupJob } from './lookup.ts';
import { lookUpInProcess } from './query/process/lookup-process.ts';
import { parseQuery } from './query/query.ts';

/** The limits of a lookup, under the names of the settings. */
interface LookupLimits {
  readonly timeout_seconds: number;
  readonly max_response_tokens: number;
  readonly haiku_model: string;
  readonly sonnet_model: string;
}

/** What a researcher works with. */
interface ResearcherParts {
  readonly registered: Registered;
  /** Looks things up where no deterministic lookup can. Null: the words of the request are searched for instead. */
  readonly agent: Agent | null;
  readonly limits: LookupLimits;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives each step of the agent as it happens. */
  readonly say?: (step: string) => void;
  /** The process for the first lookup, where it was started already. Whoever started it ends it. */
  readonly ahead?: WorkerAhead;
}

/** Who asks, and the allowance that the request is taken from. */
interface Asker {
  readonly agent: string;
  readonly allowance: Allowance;
}

/** What was found, who or what found it, and what each model used. */
interface LookupResult {
  readonly finding: Finding;
  readonly by: string;
  readonly usage: readonly Usage[];
}

/** A longer request is refused. */
const MAX_REQUEST = 2_000;

/** Answers requests for evidence from the registered files and nothing else. */
export class Researcher {
  readonly #parts: ResearcherParts;
  readonly #agents = new KeyedMutex();
  #ahead: WorkerAhead | undefined;

  constructor(parts: ResearcherParts) {
    this.#parts = parts;
    this.#ahead = parts.ahead;
  }

  /**
   * Answers one request. Requests of the same agent are answered one at a time, in order. No failure of a file or a
   * model makes it reject; it rejects with the reason of the abort signal.
   */
  async answer(request: string, asker: Asker, abort: AbortSignal): Promise<Answer> {
    return this.#agents.run(asker.agent, () => this.#answer(request, asker, abort));
  }

  async #answer(request: string, { agent, allowance }: Asker, abort: AbortSignal): Promise<Answer> {
    abort.throwIfAborted();
    const began = this.#parts.now();
    const refusal = this.#refusal(request, agent, allowance);
    const result = refusal === null ? await this.#lookUp(request, abort) : { finding: refusal, by: 'none', usage: [] };
    const seconds = Math.max(0, this.#parts.now() - began) / 1000;
    const { max_response_tokens: maxTokens } = this.#parts.limits;
    return answerOf(result.finding, { agent, by: result.by, usage: sumOf(result.usage), seconds, maxTokens });
  }

  #refusal(request: string, agent: string, allowance: Allowance): Finding | null {
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
    if (allowance.take(agent)) return null;
    return notFound([`Refused: ${agent} has used all ${allowance.each} requests.`], []);
  }

  async #lookUp(request: string, abort: AbortSignal): Promise<LookupResult> {
    const finding = parseQuery(request) === null ? null : await this.#inThread('look', request, abort);
    if (finding !== null) return { finding, by: 'deterministic', usage: [] };
    abort.throwIfAborted();
    const { agent } = this.#parts;
    return agent === null ? this.#search(request, [], [], abort) : this.#askAgent(request, agent, abort);
  }

  /** Asks the small model first, and the larger one where nothing from the small one was usable. */
  async #askAgent(request: string, agent: Agent, abort: AbortSignal): Promise<LookupResult> {
    const { limits, registered, now, say = () => {} } = this.#parts;
    const { sendToLook } = await import('./agent.ts');
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
      if (small.isFinal) return { finding: small.finding, by: 'haiku', usage };
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
        return this.#search(request, [`No agent was done within ${limits.timeout_seconds} s.`], usage, abort);
      if (error instanceof Unanswered) return this.#search(request, [error.message], usage, abort);
      throw error;
    }
  }

  async #search(
    request: string,
    before: readonly string[],
    usage: readonly Usage[],
    abort: AbortSignal,
  ): Promise<LookupResult> {
    const finding = (await this.#inThread('search', request, abort)) ?? notFound([], []);
    return { finding: { ...finding, statements: [...before, ...finding.statements] }, by: 'search', usage };
  }

  #inThread(how: LookupJob['how'], request: string, abort: AbortSignal): Promise<Finding | null> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return lookUpInProcess({ how, request, files: this.#parts.registered.files }, abort, { ahead });
  }
}

function sumOf(usages: readonly Usage[]): Usage | null {
  return usages.reduce<Usage | null>((sum, one) => (sum === null ? one : usageOfBoth(sum, one)), null);
}
