import { z } from 'zod';
import type { Usage } from '../steward/ports/evaluator.ts';
import { type Inquiry, Model, type ModelSetup } from './model.ts';
import type { OutputMode } from './provider/output-modes.ts';
import type { Provider } from './provider/provider.ts';
import { usageOf } from './tally.ts';

/** The result of asking a model a trivial question. */
interface Trial {
  /** The output mode in which it keeps to a schema, or null where it does in none. */
  readonly mode: OutputMode | null;
  /** How long it took, in all modes that were tried. */
  readonly ms: number;
  /** What it took. */
  readonly usage: Usage;
}

/** Leaves room for a model that thinks before it answers. */
const MAX_TOKENS = 1024;

const ready = z.object({ ready: z.boolean() });

/** Asks a model a trivial question. Throws `ProviderError` where it cannot be asked. `now`: epoch ms. */
export async function tryOut(provider: Provider, setup: ModelSetup, now: number, abort: AbortSignal): Promise<Trial> {
  const began = performance.now();
  const { read, usage } = await new Model(provider, setup).inquire(inquiryAt(now), abort);
  return { mode: read.ok ? provider.outputModes.of(setup.model) : null, ms: performance.now() - began, usage };
}

/** Returns the most that a trial can take. */
export function costOfTrial({ model, price }: ModelSetup): Usage {
  return usageOf(model, { tokensIn: 2 * MAX_TOKENS, tokensOut: MAX_TOKENS }, price);
}

function inquiryAt(now: number): Inquiry<z.infer<typeof ready>, boolean> {
  return {
    system: ['A program asks whether you can answer it.'],
    name: 'ready',
    schema: ready,
    question: () => 'Answer that you are ready.',
    again: (reason) => `A first answer could not be used: ${reason} Answer once more.`,
    conclude: (said) => ({ ok: true, value: said.ready }),
    maxTokens: MAX_TOKENS,
    now,
  };
}
