import type { z } from 'zod';
import type { Usage } from './evaluator.ts';

/** Something an agent may do while it works on an errand. What it is given comes from a model: data, parsed first. */
export interface AgentTool<Input = unknown> {
  /** As the model calls it, such as `Read`. */
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** What the agent is told. A thrown error is told to it as one, in its own words, and ends nothing. */
  run(input: Input): Promise<string>;
}

/** What an agent is sent to do. Texts from outside belong into `task`, quoted as data; `system` is the program's own. */
export interface Errand {
  readonly model: string;
  /** The same for every errand of its kind, the stable part first. */
  readonly system: readonly string[];
  readonly task: readonly string[];
  readonly tools: readonly AgentTool[];
  /** How often it may be answered before it must be done. */
  readonly maxTurns: number;
  readonly maxTokens: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Told after each reply what all of them took so far: also of an errand that is stopped. */
  readonly heard?: (usage: Usage) => void;
}

/** What an agent came back with. */
export interface Report {
  /** Its last words. Data from a model. */
  readonly text: string;
  /** Whether it came to an end by itself, and not because its turns or its room ran out. */
  readonly finished: boolean;
  readonly usage: Usage;
}

/** The port behind which agents work: a provider's models, or replies from files. */
export interface Agent {
  /** Sends one agent on one errand. Rejects with `Unanswered` where no reply can be had, with the signal's reason when it is stopped. */
  send(errand: Errand, abort: AbortSignal): Promise<Report>;
}
