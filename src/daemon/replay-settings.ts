import { z } from 'zod';
import type { Overrides } from '../steward/hindsight.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { textList, unit } from '../vault/records/values.ts';
import { sourceKey } from '../vault/source-names.ts';
import { KEYS } from './context.ts';

/** The settings that a replay can replace, each read as in `steward.md`. */
const replayable = z.strictObject({
  mode: KEYS.mode.unwrap().optional(),
  confidence_threshold: unit.optional(),
  high_confidence_threshold: unit.optional(),
  discretion_threshold: unit.optional(),
  editable_fields: textList.optional(),
  protected_fields: textList.optional(),
});

const PRIOR = 'prior.';
const KEY_NAMES = [...Object.keys(replayable.shape), `${PRIOR}SOURCE`].join(', ');

/**
 * Parses `key=value` words. Throws `usage` (exit 2) where a key is unknown or given twice, or its value is not valid.
 */
export function parseOverrides(words: readonly string[]): Overrides {
  const pairs = words.map(pairOf);
  const twice = pairs.find(([key], at) => pairs.findIndex(([other]) => other === key) < at);
  if (twice !== undefined) throw usage(`--set names ${twice[0]} twice.`);
  const [priors, others] = [true, false].map((isPrior) => pairs.filter(([key]) => key.startsWith(PRIOR) === isPrior));
  const settings = replayable.safeParse(
    Object.fromEntries((others ?? []).map(([key, text]) => [key, parsedValue(key, text)])),
  );
  if (!settings.success) throw usage(sentenceOf(settings.error.issues[0]));
  return {
    ...settings.data,
    priors: new Map((priors ?? []).map(([key, text]) => [sourceIn(key), trustIn(key, text)])),
  };
}

function pairOf(word: string): readonly [key: string, text: string] {
  // An address may hold the sign itself; a number does not.
  const at = word.startsWith(PRIOR) ? word.lastIndexOf('=') : word.indexOf('=');
  if (at < 1) throw usage(`--set takes key=value, not "${word}".`);
  return [word.slice(0, at).trim(), word.slice(at + 1).trim()];
}

// Lists are separated by commas.
function parsedValue(key: string, text: string): unknown {
  if (key.endsWith('_fields')) return text.split(',').map((name) => name.trim());
  return key === 'mode' || text === '' ? text : Number(text);
}

function sourceIn(key: string): string {
  const source = sourceKey(key.slice(PRIOR.length));
  if (source === '') throw usage(`${PRIOR}SOURCE names no source.`);
  return source;
}

function trustIn(key: string, text: string): number {
  const result = unit.safeParse(parsedValue(key, text));
  if (result.success) return result.data;
  throw usage(`${key} must be a number from 0 to 1.`);
}

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `${issue.keys[0]} is no setting that a replay can change.`;
  return `${String(issue?.path[0] ?? '')} ${issue?.message ?? 'is not valid'}.`;
}

function usage(message: string): StewardError {
  const hint = `The settings that can be changed: ${KEY_NAMES}.`;
  return new StewardError({ code: 'usage', message, hint }, EXIT.usage);
}
