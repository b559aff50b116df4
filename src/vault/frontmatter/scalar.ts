import type { Yaml } from '../records/values.ts';

/** How a text is written. Plain and single are wishes: where they could be misread, double quotes are used. */
export type Quoting = 'plain' | 'single' | 'double';
/** Inside brackets a comma, a bracket or a colon would end a plain text. */
type Place = 'block' | 'flow';

/** The value as YAML on one line, written so that YAML 1.1 and 1.2 readers agree on it. */
export function valueSource(value: Yaml, quoting: Quoting, place: Place = 'block'): string {
  if (typeof value === 'string') return textSource(value, quoting, place);
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map((member) => valueSource(member, quoting, 'flow')).join(', ')}]`;
  const pairs = Object.entries(value).map(
    ([key, member]) => `${doubleQuoted(key)}: ${valueSource(member, quoting, 'flow')}`,
  );
  return `{${pairs.join(', ')}}`;
}

/** The field's name as a key of a block mapping. */
export function keySource(field: string): string {
  const safe = /^[\p{L}_](?:[\p{L}\p{N}_ -]*[\p{L}\p{N}_-])?$/u.test(field) && !MISREAD.test(field);
  return safe ? field : doubleQuoted(field);
}

export function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}

/** Words that one YAML version or the other reads as a boolean or null. */
const MISREAD = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?$/;
/** Begins with a letter, or like "3 rooms": never with a sign, so it is neither a number nor an indicator. */
const PLAIN = /^(?:\p{L}|\p{N}+ \p{L})[\p{L}\p{M}\p{N} _.,;:()/+@'"!?&%*=<>$€~^|#[\]{}–—-]*$/u;
const BREAKS_PLAIN = /: |:$| #| $/;
const FLOW_INDICATOR = /[,:[\]{}#]/;
const NEEDS_ESCAPES = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

function textSource(text: string, quoting: Quoting, place: Place): string {
  if (quoting === 'double' || text.includes('[[') || NEEDS_ESCAPES.test(text)) return doubleQuoted(text);
  if (quoting === 'single') return `'${text.replaceAll("'", "''")}'`;
  return isPlain(text, place) ? text : doubleQuoted(text);
}

function isPlain(text: string, place: Place): boolean {
  if (place === 'flow' && FLOW_INDICATOR.test(text)) return false;
  if (DATE.test(text)) return true;
  return PLAIN.test(text) && !BREAKS_PLAIN.test(text) && !MISREAD.test(text);
}

/** JSON's escapes are YAML's; what JSON leaves raw and a YAML reader refuses or folds is escaped too. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
