import { ProviderError } from '../model/provider-error.ts';
import { costOfTrial, tryOut } from '../model/trial.ts';
import type { Way } from '../model/ways.ts';
import { budgetGate, costOf, setAside } from '../steward/budget.ts';
import { backoffUntil } from '../steward/rate-guard.ts';
import { iso } from '../vault/time.ts';
import { type Trouble, trouble } from '../vault/trouble.ts';
import { capsOf } from './reservation.ts';
import type { Workspace } from './workspace.ts';

/** What became of asking the model that judges. */
export type ModelTrial =
  | { readonly outcome: 'not-asked'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly trouble: Trouble }
  | {
      readonly outcome: 'answered';
      /** How it is held to a form. */
      readonly way: Way;
      readonly ms: number;
      /** Where it stands, if not at its provider's own address. */
      readonly server: string | null;
    };

/**
 * Asks the model that judges for next to nothing, as `doctor` does; a running daemon never does. It is not asked where a
 * judgement would not be asked of it either.
 */
export async function tryModel(space: Workspace): Promise<ModelTrial> {
  const { settings, env, provider, now } = space;
  if (env.recorded) return { outcome: 'not-asked', reason: 'recorded replies stand for it' };
  if (provider === null) return { outcome: 'not-asked', reason: 'there is no key here' };
  if (settings.evaluator === 'rules') return { outcome: 'not-asked', reason: 'the settings say rules' };
  const held = heldBack(space);
  if (held !== null) return { outcome: 'not-asked', reason: held };
  try {
    const { way, ms } = await tryOut(provider, settings.model_evaluation, now(), new AbortController().signal);
    if (way === null) return { outcome: 'failed', trouble: formless(settings.model_evaluation) };
    return { outcome: 'answered', way, ms, server: provider.server };
  } catch (error) {
    if (error instanceof ProviderError) return { outcome: 'failed', trouble: error.trouble };
    throw error;
  }
}

function heldBack({ state, settings, now }: Workspace): string | null {
  const until = backoffUntil(state.get('rate-guard'), now());
  if (until !== null) return `the provider asked us to wait until ${iso(until)}`;
  const cost = costOf(costOfTrial(settings.model_evaluation));
  const room = setAside(state.get('budget'), { matter: null, cost }, capsOf(settings), now());
  return room.ok ? null : budgetGate(room.refusal).sentence.replace(/\.$/, '');
}

function formless(model: string): Trouble {
  return trouble({
    code: 'model-formless',
    message: `${model} answers, and keeps to no form: no judgement can be had from it.`,
    hint: 'Name another model in steward.md: one that calls tools, or writes JSON when it is asked to.',
  });
}
