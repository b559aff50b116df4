import type { Evaluator, Question, Usage, Verdict } from '../../steward/ports/evaluator.ts';
import { type Inquiry, Model, type ModelSetup } from '../model.ts';
import { alsoWritable, askAgain, EVALUATE } from '../prompts/evaluate.ts';
import { FILES } from '../prompts/files.ts';
import { PERCEIVE } from '../prompts/perceive.ts';
import type { Provider } from '../provider/provider.ts';
import { askingJudgement, type Judgement, judged, judgement, signedVerdict } from './judgement.ts';
import { isPerceiving, perceivingInquiry } from './perceiving.ts';
import { questionText } from './question-text.ts';

const MAX_TOKENS = 8192;

/** Which model judges, and what is known of it. */
export interface JudgeSetup extends ModelSetup {
  /** The fields that the settings let a decision write. */
  readonly writable: readonly string[];
}

/** Judges by asking one of Anthropic's models: one request per note, and a second one if the reply cannot be used. */
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

  /** Returns the verdict on a question. Throws `ProviderError` if there is no reply; then nothing was judged. */
  async evaluate(question: Question, abort: AbortSignal): Promise<Verdict> {
    if (isPerceiving(question)) {
      const { read, usage } = await this.#model.inquire(perceivingInquiry(question), abort);
      return { ...signedVerdict(read, this.name, `prompt ${PERCEIVE.version}`), usage };
    }
    const { read, usage } = await this.#model.inquire(this.#inquiry(question), abort);
    const prompts = question.files === undefined ? EVALUATE.version : `${EVALUATE.version}, ${FILES.version}`;
    return { ...signedVerdict(read, this.name, `prompt ${prompts}`), usage };
  }

  /** Returns the most that one request can take. */
  estimate(question: Question): Usage {
    if (isPerceiving(question)) return this.#model.estimate(perceivingInquiry(question));
    return this.#model.estimate(this.#inquiry(question));
  }

  #inquiry(question: Question): Inquiry<Judgement, Verdict> {
    const mayAsk = question.files?.extracts === null;
    return {
      system: question.files === undefined ? this.#system : [...this.#system, FILES.system],
      name: 'judgement',
      schema: mayAsk ? askingJudgement : judgement,
      question: (brief) => questionText(question, brief),
      again: askAgain,
      conclude: (said) => judged(said, question),
      maxTokens: MAX_TOKENS,
      now: question.now,
    };
  }
}
