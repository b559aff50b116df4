import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Evaluator, Question, Verdict } from '../../steward/ports/evaluator.ts';
import { reasonOf } from '../../vault/errors.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { type Read, readReply, replyOf } from '../reply.ts';
import { judged, judgement, signedVerdict } from './judgement.ts';
import { ruledOn } from './perceiving.ts';

/** One recorded reply and the question it answers: a note, and the quotes of its signals in their order. */
const recording = z.lazy(() =>
  z.object({
    note: z.string(),
    quotes: z.array(z.string().nullable()),
    /** The version of the prompt that it answers. */
    prompt: z.string(),
    /** The day of the recording, or `by hand`. */
    recorded: z.string().regex(/^(?:\d{4}-\d\d-\d\d|by hand)$/),
    /** The provider's message, unchanged. */
    reply: z.object({ model: z.string() }).loose(),
  }),
);
type Recording = z.infer<typeof recording>;

/**
 * Judges by replies from files, one `.json` each, without a provider. They are read and checked like live replies. A
 * question without a recorded reply is not answered.
 */
export class Recorded implements Evaluator {
  readonly name: string;
  readonly asksModel = false;
  readonly #folder: string;

  constructor(folder: string) {
    this.name = `recorded replies (${folder})`;
    this.#folder = folder;
  }

  /** Returns the verdict in the reply recorded for this question. Throws `ProviderError` where there is none. */
  async evaluate(question: Question): Promise<Verdict> {
    if (question.perceiving !== undefined) return ruledOn(question.perceiving); // nobody records what time alone shows
    const match = recordings(this.#folder).find((one) => answers(one, question));
    if (match === undefined) throw unrecorded(`There is no recorded reply about ${question.target.path} as it is.`);
    const { reply, recorded, prompt } = match;
    return signedVerdict(verdictOf(match, question), reply.model, `recorded ${recorded}, prompt ${prompt}`);
  }
}

function answers({ note, quotes }: Recording, { target, signals }: Question): boolean {
  const asked = signals.map(({ quote }) => quote);
  return note === target.path && JSON.stringify(quotes) === JSON.stringify(asked);
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
