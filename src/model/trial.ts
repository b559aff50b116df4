import { z } from 'zod';
import type { Usage } from '../steward/ports/evaluator.ts';
import { type Inquiry, Model } from './model.ts';
import type { OutputMode } from './provider/output-modes.ts';
import type { Provider } from './provider/provider.ts';

/** Whether a model can be asked, found out by asking it. */
interface Trial {
  /** The way in which it keeps to a form, or null where it does in none. */
  readonly way: OutputMode | null;
  /** How long it took, all ways that were tried together. */
  readonly ms: number;
}

/** Room for what a model thinks before it answers. */
const MAX_TOKENS = 1024;

const ready = z.object({ ready: z.boolean() });

/** Asks a model for next to nothing. Throws `ProviderError` where it cannot be asked. `now`: epoch ms. */
export async function tryOut(provider: Provider, model: string, now: number, abort: AbortSignal): Promise<Trial> {
  const began = performance.now();
  const { read } = await new Model(provider, { model, price: null }).inquire(inquiryAt(now), abort);
  return { way: read.ok ? provider.ways.of(model) : null, ms: performance.now() - began };
}

/** At most what one asking takes. */
export function costOfTrial(model: string): Usage {
  return { model, tokens_in: 2 * MAX_TOKENS, tokens_out: MAX_TOKENS, usd: null };
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
