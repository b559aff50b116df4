import type { Evaluator, Question, Usage, Verdict } from '../vault/records/verdict.ts';
import { fallbackVerdict, type Judgement, judged, judgement } from './judgement.ts';
import { type Inquiry, Model, type ModelSetup } from './model.ts';
import { alsoWritable, askAgain, EVALUATE } from './prompts/evaluate.ts';
import type { Provider } from './provider.ts';
import { questionText } from './question-text.ts';

const MAX_TOKENS = 8192;

/** Which model judges, and what is known of it. */
export interface JudgeSetup extends ModelSetup {
  /** The fields that the settings let a decision write. */
  readonly writable: readonly string[];
}

/** Judges by asking a model of Anthropic's: one request for one note, and one more where the reply cannot be used. */
export class Anthropic implements Evaluator {
  readonly name: string;
  readonly asksModel = true;
  readonly #model: Model;
  readonly #system: readonly string[];

  constructor(provider: Provider, setup: JudgeSetup) {
    this.name = setup.model;
    this.#model = new Model(provider, setup);
    this.#system = [EVALUATE.system, alsoWritable(setup.writable)].filter((text) => text !== '');
  }

  /** The verdict on a question. Throws `ProviderError` where no reply can be had: then nothing was judged. */
  async evaluate(question: Question, abort: AbortSignal): Promise<Verdict> {
    const { read, usage } = await this.#model.inquire(this.#inquiry(question), abort);
    const verdict = read.ok ? read.value : fallbackVerdict(read.reason);
    const unused = read.ok ? '' : '; no reply could be used';
    return { ...verdict, usage, evaluator: `${this.name} (prompt ${EVALUATE.version}${unused})` };
  }

  /** At most what one asking takes. */
  estimate(question: Question): Usage {
    return this.#model.estimate(this.#inquiry(question));
  }

  #inquiry(question: Question): Inquiry<Judgement, Verdict> {
    return {
      system: this.#system,
      name: 'judgement',
      schema: judgement,
      question: (brief) => questionText(question, brief),
      again: askAgain,
      conclude: (said) => judged(said, question),
      maxTokens: MAX_TOKENS,
      now: question.now,
    };
  }
}
