import type { z } from 'zod';
import type { Usage } from './evaluator.ts';

/** Something an agent may do while it works on an errand. Its input comes from a model: data, parsed before use. */
export interface AgentTool<Input = unknown> {
  /** As the model calls it, such as `Read`. */
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Resolves to what the agent is told. Of a thrown error it is told the message; the errand goes on. */
  run(input: Input): Promise<string>;
}

/**
 * What an agent is sent to do. Texts from outside belong into `task`, quoted as data; `system` is the program's own.
 */
export interface Errand {
  readonly model: string;
  /** The same for every errand of its kind, the stable part first. */
  readonly system: readonly string[];
  readonly task: readonly string[];
  readonly tools: readonly AgentTool[];
  /** How many turns the agent has before it must be done. */
  readonly maxTurns: number;
  readonly maxTokens: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Called after each reply with what all replies took so far, so that a stopped errand is counted too. */
  readonly heard?: (usage: Usage) => void;
}

/** What an agent came back with. */
export interface Report {
  /** Its last words. Data from a model. */
  readonly text: string;
  /** Whether it ended by itself, and not because its turns or its tokens ran out. */
  readonly finished: boolean;
  readonly usage: Usage;
}

/** The port behind which agents work: a provider's models, or replies from files. */
export interface Agent {
  /**
   * Sends an agent on an errand. Rejects with `Unanswered` where no reply can be had, and with the reason of `abort`
   * when it is stopped.
   */
  send(errand: Errand, abort: AbortSignal): Promise<Report>;
}
