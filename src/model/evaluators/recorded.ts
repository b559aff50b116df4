import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Evaluator, Question, Verdict } from '../../steward/ports/evaluator.ts';
import { reasonOf } from '../../vault/errors.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { type Read, readReply, replyOf } from '../reply.ts';
import { fallbackVerdict, judged, judgement } from './judgement.ts';

/** One reply as it was kept, and what it answered: a note, and what its signals said, in their order. */
const recording = z.object({
  note: z.string(),
  quotes: z.array(z.string().nullable()),
  /** The version of the prompt that it answers. */
  prompt: z.string(),
  /** How it came about: a day, or `by hand`. */
  recorded: z.string().regex(/^(?:\d{4}-\d\d-\d\d|by hand)$/),
  /** The provider's message as it came. */
  reply: z.object({ model: z.string() }).loose(),
});
type Recording = z.infer<typeof recording>;

/**
 * Judges by replies from files, one `.json` a reply, without a provider. A reply is read and checked as a live one is; a
 * question that none was kept for is not answered.
 */
export class Recorded implements Evaluator {
  readonly name: string;
  readonly asksModel = false;
  readonly #folder: string;

  constructor(folder: string) {
    this.name = `recorded replies (${folder})`;
    this.#folder = folder;
  }

  /** The verdict in the reply kept for this question. Throws `ProviderError` where there is none. */
  async evaluate(question: Question): Promise<Verdict> {
    const found = recordings(this.#folder).find((one) => answers(one, question));
    if (found === undefined) throw unrecorded(`There is no recorded reply about ${question.target.path} as it is.`);
    const read = verdictOf(found, question);
    const verdict = read.ok ? read.value : fallbackVerdict(read.reason);
    const unused = read.ok ? '' : '; no reply could be used';
    const { reply, recorded, prompt } = found;
    return { ...verdict, evaluator: `${reply.model} (recorded ${recorded}, prompt ${prompt}${unused})` };
  }
}

function answers({ note, quotes }: Recording, { target, signals }: Question): boolean {
  const said = signals.map(({ quote }) => quote);
  return note === target.path && JSON.stringify(quotes) === JSON.stringify(said);
}

function verdictOf({ reply }: Recording, question: Question): Read<Verdict> {
  const whole = replyOf(reply);
  if (whole === null) throw unrecorded(`The recorded reply about ${question.target.path} is no message of a model.`);
  const read = readReply(whole, judgement, 'structured output');
  return read.ok ? judged(read.value, question) : read;
}

function recordings(folder: string): readonly Recording[] {
  return namesIn(folder).map((name) => {
    const file = path.join(folder, name);
    try {
      return recording.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : reasonOf(error);
      throw unrecorded(`${file} is no recorded reply: ${why.split('\n')[0]}.`);
    }
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (error) {
    throw unrecorded(`The folder of recorded replies cannot be read: ${reasonOf(error)}.`);
  }
}

function unrecorded(message: string): ProviderError {
  return new ProviderError({
    failure: 'unrecorded',
    message,
    hint: 'Put one into the folder that STEWARD_RECORDED_REPLIES names, or unset it. The signals wait.',
  });
}
