import type { Evaluator, Question, Usage, Verdict } from '../../steward/ports/evaluator.ts';
import { type Inquiry, Model, type ModelSetup } from '../model.ts';
import { alsoWritable, askAgain, EVALUATE } from '../prompts/evaluate.ts';
import { FILES } from '../prompts/files.ts';
import type { Provider } from '../provider/provider.ts';
import { askingJudgement, fallbackVerdict, type Judgement, judged, judgement } from './judgement.ts';
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
    const prompts = question.files === undefined ? EVALUATE.version : `${EVALUATE.version}, ${FILES.version}`;
    return { ...verdict, usage, evaluator: `${this.name} (prompt ${prompts}${unused})` };
  }

  /** At most what one asking takes. */
  estimate(question: Question): Usage {
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
