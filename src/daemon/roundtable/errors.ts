import { EXIT, StewardError } from '../../vault/errors.ts';

/** Why a roundtable was stopped from outside: what was said is kept. */
export function cutOff(message: string): StewardError {
  const hint = 'What was said is kept; the same command goes on where it stopped.';
  return new StewardError({ code: 'roundtable-cut-off', message, hint }, EXIT.tryAgain);
}

/** Nobody can be asked: there is no key, or the settings let no model be asked. */
export function nobody(hasKey: boolean): StewardError {
  const [message, hint] = hasKey
    ? [
        'The settings say evaluator: rules, so no model is asked and no roundtable is convened.',
        'Set evaluator to auto;',
      ]
    : [
        'There is no key for a model, so no roundtable is convened.',
        'Set ANTHROPIC_API_KEY or the credential anthropic_api_key;',
      ];
  return new StewardError({
    code: 'roundtable-no-model',
    message,
    hint: `${hint} \`--recorded\` plays recorded replies without a model.`,
  });
}
