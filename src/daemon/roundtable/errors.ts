import { EXIT, StewardError } from '../../vault/errors.ts';

/** Returns the error of a roundtable that was stopped from outside (exit 75). What was said so far is kept. */
export function cutOff(message: string): StewardError {
  const hint = 'What was said is kept; the same command goes on where it stopped.';
  return new StewardError({ code: 'roundtable-cut-off', message, hint }, EXIT.tryAgain);
}

/** Returns the error of a roundtable that no model can be asked for: there is no key, or the settings forbid it. */
export function noModel(hasKey: boolean): StewardError {
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
