import { type Retirement, retirementOf } from '../../model/provider/retired.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { SETTINGS_FILE } from '../../vault/layout.ts';
import type { ModelAccess } from '../context/ports.ts';
import type { Settings } from '../context/settings.ts';

/** The settings that name a model: for signals and streams, which the rules can handle too, and for errands. */
const INCOMING = ['model_evaluation', 'model_extraction'] as const satisfies readonly (keyof Settings)[];
const ERRANDS = ['haiku_model', 'sonnet_model'] as const satisfies readonly (keyof Settings)[];

/**
 * Returns a problem for each model in the settings that its provider has retired or is about to retire. No model is
 * replaced automatically, because another one judges and costs differently. Another server may still offer them.
 */
export function retiredModelProblems({ context: { settings, now }, models: { provider } }: ModelAccess): Diagnostic[] {
  if (provider === null || provider.server !== null) return [];
  const naming = settings.evaluator === 'rules' ? ERRANDS : [...INCOMING, ...ERRANDS];
  return naming.flatMap((setting) => {
    const model = settings[setting];
    const known = retirementOf(model);
    return known === null ? [] : [retiredProblem(setting, model, known, now())];
  });
}

function retiredProblem(setting: string, model: string, { since, successor }: Retirement, now: number): Diagnostic {
  const over = since <= new Date(now).toISOString();
  return diagnostic({
    code: 'model-retired',
    file: SETTINGS_FILE,
    message: `${model}, which ${setting} names, ${over ? 'was' : 'will be'} retired by its provider on ${since}.`,
    hint: `Set ${setting} to ${successor}, which the provider recommends, or to another model: you alone choose it.`,
  });
}
