import { CORE_SCHEMA, load } from 'js-yaml';
import { z } from 'zod';
import { Unanswered } from '../steward/ports/evaluator.ts';
import type { Agent, AgentTool, Errand, Report } from '../steward/ports.ts';
import { reasonOf, StewardError } from '../vault/errors.ts';

const reply = z.object({
  /** The first line of the errand's last text, which says what it asks and of whom. */
  to: z.string(),
  text: z.string(),
  /** The tools that the agent called before it said that. */
  calls: z.array(z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) })).optional(),
});
const recording = z.object({ schemaVersion: z.literal(1), replies: z.array(reply) });
type Recorded = z.infer<typeof reply>;

/** Agents whose replies were recorded. Their tools are really called, and may refuse, as for a model. */
export class RecordedAgent implements Agent {
  readonly #replies: ReadonlyMap<string, Recorded>;

  private constructor(replies: readonly Recorded[]) {
    this.#replies = new Map(replies.map((one) => [one.to, one]));
  }

  /** Parses a recording in YAML. Throws `recording-invalid`, which names the `file`. */
  static read(file: string, text: string): RecordedAgent {
    const parsed = recording.safeParse(yamlOf(file, text));
    if (parsed.success) return new RecordedAgent(parsed.data.replies);
    const [issue] = parsed.error.issues;
    throw invalid(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid'}`);
  }

  /** Returns the reply recorded for the errand. Throws `Unanswered` where there is none, and the signal's reason on abort. */
  async send({ model, task, tools }: Errand, abort: AbortSignal): Promise<Report> {
    abort.throwIfAborted();
    const to = task.at(-1)?.split('\n', 1)[0] ?? '';
    const recorded = this.#replies.get(to);
    if (recorded === undefined) throw new Unanswered(`no reply is recorded to “${to}”`, { sent: true });
    for (const { tool, input } of recorded.calls ?? []) await call(tools, tool, input);
    return { text: recorded.text, finished: true, usage: { model, tokens_in: 0, tokens_out: 0, usd: 0 } };
  }
}

// An agent is told about a refusal, but the recorded reply stays the same.
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
