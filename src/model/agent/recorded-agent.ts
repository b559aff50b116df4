import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import type { Agent, AgentTool, Errand, Report } from '../../steward/ports/agent.ts';
import { Unanswered } from '../../steward/ports/evaluator.ts';
import { reasonOf, StewardError } from '../../vault/errors.ts';

const reply = z.object({
  /** The line by which the errand says what it asks of whom. */
  to: z.string(),
  text: z.string(),
  /** What the agent did with its tools before it said that. */
  calls: z.array(z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) })).optional(),
});
const recording = z.object({ schemaVersion: z.literal(1), replies: z.array(reply) });
type Recorded = z.infer<typeof reply>;

/** Agents whose replies were recorded. Their tools are called, and refuse, as if a model did it. */
export class RecordedAgent implements Agent {
  readonly #replies: ReadonlyMap<string, Recorded>;

  private constructor(replies: readonly Recorded[]) {
    this.#replies = new Map(replies.map((one) => [one.to, one]));
  }

  /** Reads a recording, as YAML. `file` names it in what is wrong with it: `recording-invalid`. */
  static read(file: string, text: string): RecordedAgent {
    const parsed = recording.safeParse(yamlOf(file, text));
    if (parsed.success) return new RecordedAgent(parsed.data.replies);
    const [issue] = parsed.error.issues;
    throw invalid(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid'}`);
  }

  async send({ model, task, tools }: Errand, abort: AbortSignal): Promise<Report> {
    abort.throwIfAborted();
    const to = task.at(-1)?.split('\n', 1)[0] ?? '';
    const recorded = this.#replies.get(to);
    if (recorded === undefined) throw new Unanswered(`no reply is recorded to “${to}”`, { sent: true });
    for (const { tool, input } of recorded.calls ?? []) await call(tools, tool, input);
    return { text: recorded.text, finished: true, usage: { model, tokens_in: 0, tokens_out: 0, usd: 0 } };
  }
}

// A refusal is told to the agent, which says what it says all the same.
async function call(tools: readonly AgentTool[], name: string, given: unknown): Promise<void> {
  const tool = tools.find((one) => one.name === name);
  const input = tool?.input.safeParse(given);
  if (tool === undefined || input?.success !== true) return;
  await tool.run(input.data).catch(() => undefined);
}

function yamlOf(file: string, text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    throw invalid(file, reasonOf(error).split('\n', 1)[0] ?? '');
  }
}

function invalid(file: string, why: string): StewardError {
  return new StewardError({
    code: 'recording-invalid',
    file,
    message: `The recorded replies cannot be read: ${why}.`,
    hint: 'It is YAML: schemaVersion, and replies with to, text and calls.',
  });
}
