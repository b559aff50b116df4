import type { Evaluator, Question, Usage, Verdict } from '../vault/records/verdict.ts';
import type { ProviderAccess } from './api-key.ts';
import { type Asking, Messages } from './messages.ts';
import { Places } from './places.ts';
import { alsoWritable, askAgain, EVALUATE } from './prompts/evaluate.ts';
import { ProviderError } from './provider-error.ts';
import { questionText } from './question-text.ts';
import { fallbackVerdict, type Read, readReply, tooLong } from './reply.ts';
import { Respite } from './respite.ts';

const AT_ONCE = 4;
const PATIENCE_MS = 60_000;
/** Room for a reply, and for what a model thinks before it. */
const MAX_TOKENS = 8192;
/** What the form of the reply takes of a request, generously. */
const SCHEMA_TOKENS = 1000;

/** One asking and what came of it. */
interface Heard {
  readonly read: Read;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** Which model judges, and what is known of it. */
export interface ModelSetup {
  readonly model: string;
  /** The fields that the settings let a decision write. */
  readonly writable: readonly string[];
  /** US dollars for a million tokens, read and written; null where it has no price. */
  readonly price: { readonly read: number; readonly written: number } | null;
}

/** Judges by asking a model of Anthropic's: one request for one note, and one more where the reply cannot be used. */
export class Anthropic implements Evaluator {
  readonly name: string;
  readonly asksModel = true;
  readonly #price: ModelSetup['price'];
  readonly #messages: Messages;
  readonly #system: readonly string[];
  readonly #places = new Places(AT_ONCE);
  readonly #respite = new Respite();

  /** `patienceMs`: how long one reply may take. */
  constructor(access: ProviderAccess, setup: ModelSetup, patienceMs: number = PATIENCE_MS) {
    this.name = setup.model;
    this.#price = setup.price;
    this.#messages = new Messages(access, patienceMs);
    this.#system = [EVALUATE.system, alsoWritable(setup.writable)].filter((text) => text !== '');
  }

  /** The verdict on a question. Throws `ProviderError` where no reply can be had: then nothing was judged. */
  evaluate(question: Question, abort: AbortSignal): Promise<Verdict> {
    return this.#places.run(abort, () => this.#respite.guard(question.now, () => this.#judge(question, abort)));
  }

  /** At most what one asking takes; no script needs more than a token for three bytes. */
  estimate(question: Question): Usage {
    const asked = [...this.#system, questionText(question)].join('');
    return this.#usage(Math.ceil(Buffer.byteLength(asked) / 3) + SCHEMA_TOKENS, MAX_TOKENS);
  }

  /** Whether the provider answers for this key and model; costs nothing. Throws `ProviderError` where it does not. */
  probe(now: number, abort: AbortSignal): Promise<void> {
    return this.#messages.probe(this.name, now, abort);
  }

  async #judge(question: Question, abort: AbortSignal): Promise<Verdict> {
    const asking = this.#asking(question);
    const first = await this.#hear(asking, question, abort);
    if (first.read.ok || first.read.again === 'never') return this.#signed([first]);
    const again = askedAgain(asking, question, first.read);
    const second = await this.#hear(again, question, abort).catch((error: unknown) => {
      throw error instanceof ProviderError ? error.afterReply() : error;
    });
    return this.#signed([first, second]);
  }

  #asking({ now, ...question }: Question): Asking {
    const text = questionText({ now, ...question });
    return { model: this.name, system: this.#system, question: [text], maxTokens: MAX_TOKENS, now };
  }

  async #hear(asking: Asking, question: Question, abort: AbortSignal): Promise<Heard> {
    try {
      const reply = await this.#messages.ask(asking, abort);
      return { read: readReply(reply, question), tokensIn: reply.tokensIn, tokensOut: reply.tokensOut };
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'too-long') return UNREAD;
      throw error;
    }
  }

  /** The last word that was heard, with who said it and what all of it took. */
  #signed(heard: readonly Heard[]): Verdict {
    const read = heard.at(-1)?.read ?? tooLong();
    const verdict = read.ok ? read.verdict : fallbackVerdict(read.reason);
    const tokens_in = heard.reduce((sum, one) => sum + one.tokensIn, 0);
    const tokens_out = heard.reduce((sum, one) => sum + one.tokensOut, 0);
    const unused = read.ok ? '' : '; no reply could be used';
    return {
      ...verdict,
      usage: this.#usage(tokens_in, tokens_out),
      evaluator: `${this.name} (prompt ${EVALUATE.version}${unused})`,
    };
  }

  #usage(tokens_in: number, tokens_out: number): Usage {
    const price = this.#price;
    const usd = price === null ? null : (tokens_in * price.read + tokens_out * price.written) / 1_000_000;
    return { model: this.name, tokens_in, tokens_out, usd };
  }
}

/** What is heard where the provider found the question too long: nothing, at no cost. */
const UNREAD: Heard = { read: tooLong(), tokensIn: 0, tokensOut: 0 };

/** The second asking: in brief where the first was too long, with more room where the reply was cut off. */
function askedAgain(asking: Asking, question: Question, read: Extract<Read, { ok: false }>): Asking {
  const text = questionText(question, read.again === 'briefer');
  const maxTokens = read.again === 'roomier' ? 2 * asking.maxTokens : asking.maxTokens;
  return { ...asking, maxTokens, question: read.again === 'briefer' ? [text] : [text, askAgain(read.reason)] };
}
