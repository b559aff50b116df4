import type { Changes } from '../../vault/records/mutation.ts';
import type { Yaml } from '../../vault/records/values.ts';
import { clean } from './plain-text.ts';

const MAX_VALUE = 60;

/** Returns one clean line for each changed field: `state open → done`. */
export function changeLines(changes: Changes): string[] {
  return Object.entries(changes).map(
    ([field, { before, after }]) => `${clean(field)} ${valueText(before)} → ${valueText(after)}`,
  );
}

function valueText(value: Yaml): string {
  if (value === null) return '(none)';
  const text = clean(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}
