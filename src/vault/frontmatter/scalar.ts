import type { Yaml } from '../records/values.ts';

/** How a text is written. Plain and single are preferences: double quotes are used where they could be misread. */
export type Quoting = 'plain' | 'single' | 'double';
/** Inside brackets a comma, a bracket or a colon would end a plain text. */
type Context = 'block' | 'flow';

/** Returns the value as YAML on one line, written so that YAML 1.1 and 1.2 readers agree on it. */
export function valueSource(value: Yaml, quoting: Quoting, context: Context = 'block'): string {
  if (typeof value === 'string') return textSource(value, quoting, context);
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map((member) => valueSource(member, quoting, 'flow')).join(', ')}]`;
  const pairs = Object.entries(value).map(
    ([key, member]) => `${doubleQuoted(key)}: ${valueSource(member, quoting, 'flow')}`,
  );
  return `{${pairs.join(', ')}}`;
}

/** Returns the field's name as a key of a block mapping. */
export function keySource(field: string): string {
  const safe = /^[\p{L}_](?:[\p{L}\p{N}_ -]*[\p{L}\p{N}_-])?$/u.test(field) && !MISREAD.test(field);
  return safe ? field : doubleQuoted(field);
}

/** Whether a value is a list. */
export function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}

/** Words that some YAML version reads as a boolean or null. */
const MISREAD = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?$/;
/** Begins with a letter, or like "3 rooms": never with a sign, so it is neither a number nor an indicator. */
const PLAIN = /^(?:\p{L}|\p{N}+ \p{L})[\p{L}\p{M}\p{N} _.,;:()/+@'"!?&%*=<>$€~^|#[\]{}–—-]*$/u;
const BREAKS_PLAIN = /: |:$| #| $/;
const FLOW_INDICATOR = /[,:[\]{}#]/;
const NEEDS_ESCAPES = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

function textSource(text: string, quoting: Quoting, context: Context): string {
  if (quoting === 'double' || text.includes('[[') || NEEDS_ESCAPES.test(text)) return doubleQuoted(text);
  if (quoting === 'single') return `'${text.replaceAll("'", "''")}'`;
  return isPlain(text, context) ? text : doubleQuoted(text);
}

function isPlain(text: string, context: Context): boolean {
  if (context === 'flow' && FLOW_INDICATOR.test(text)) return false;
  if (DATE.test(text)) return true;
  return PLAIN.test(text) && !BREAKS_PLAIN.test(text) && !MISREAD.test(text);
}

/** JSON's escapes are YAML's; characters that JSON leaves raw and a YAML reader refuses or folds are escaped too. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, unicodeEscape);
}

/** Returns a character as an escape for double quotes: `\u` and four hexadecimal digits. */
export function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

// --- what a plain text means in the core schema ----------------------------------------------------------------------

const CORE_WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const LONGEST_WORD = 5;
const BEGINS_NUMBER = /^[-+.0-9]/;
const NUMBER = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
/** Whatever else the core schema reads as a number, and some texts that it does not. */
const OTHER_NUMBER = /^[-+]?(?:0b[01]*|0o[0-7]*|0x[0-9a-f]*|[0-9]*(?:\.[0-9]*)?(?:e[-+]?[0-9]*)?|\.inf|\.nan)$/i;

/** Returns what a plain text means in YAML's core schema; undefined where it might be an unusual number. */
export function plainScalar(text: string): Yaml | undefined {
  if (!BEGINS_NUMBER.test(text)) return text.length <= LONGEST_WORD ? wordOr(text) : text;
  if (NUMBER.test(text)) return Number(text);
  return OTHER_NUMBER.test(text) ? undefined : text;
}

/** Whether the core schema reads a plain text as a boolean or null. */
export function isCoreWord(text: string): boolean {
  return CORE_WORDS.has(text);
}

function wordOr(text: string): Yaml {
  const word = CORE_WORDS.get(text);
  return word === undefined ? text : word;
}
