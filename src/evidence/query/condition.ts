import type { Row } from '../formats/rows.ts';

/** What rows are filtered by. */
export type Condition =
  | Compared
  | { readonly kind: 'and'; readonly parts: readonly Condition[] }
  | { readonly kind: 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition };

/** One comparison. `loose`: the value is a word without quotes, which may say something else than a text. */
export interface Compared {
  readonly kind: 'compare';
  readonly field: string;
  readonly op: Comparison;
  readonly to: Literal;
  readonly loose?: true;
}

/** The comparisons that a condition may make. */
export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A value to compare with. */
export type Literal = string | number | boolean | null;

/** Returns whether a row matches. Where it lacks the field, neither a comparison nor its negation matches. */
export function holds(condition: Condition, row: Row): boolean {
  if (condition.kind === 'not') return !holds(condition.part, row) && hasEach(fieldsIn(condition.part), row);
  if (condition.kind === 'and') return condition.parts.every((part) => holds(part, row));
  if (condition.kind === 'or') return condition.parts.some((part) => holds(part, row));
  const found = fieldOf(row.value, condition.field);
  return found.there && compare(found.value, condition.op, condition.to, row.isText);
}

/** Returns the comparisons of a condition. */
export function comparisonsIn(condition: Condition): readonly Compared[] {
  if (condition.kind === 'compare') return [condition];
  return condition.kind === 'not' ? comparisonsIn(condition.part) : condition.parts.flatMap(comparisonsIn);
}

/** Returns the fields of a condition. */
export function fieldsIn(condition: Condition): readonly string[] {
  return [...new Set(comparisonsIn(condition).map(({ field }) => field))];
}

/** Returns the members of a row on which a condition depends, each field by its whole name and as the start of a path. */
export function keysAsked(condition: Condition): readonly string[] {
  // A word without quotes may be the name of a field as well.
  const words = comparisonsIn(condition).flatMap(({ loose, to }) => (loose && typeof to === 'string' ? [to] : []));
  return [...new Set([...fieldsIn(condition), ...words].flatMap((field) => [field, ...pathOf(field).slice(0, 1)]))];
}

/** Returns whether a row has each of some fields. */
export function hasEach(fields: readonly string[], { value }: Row): boolean {
  return fields.every((field) => fieldOf(value, field).there);
}

/** Returns the comparisons of a condition that ask for an order. */
export function ordersIn(condition: Condition): readonly Compared[] {
  return comparisonsIn(condition).filter(({ op }) => op !== '==' && op !== '!=');
}

/** Returns whether a row has a value that cannot be ordered against a comparison's, such as a text and a number. */
export function isIncomparable({ field, op, to }: Compared, row: Row): boolean {
  const found = fieldOf(row.value, field);
  if (!found.there) return false;
  const [left, right] = converted(found.value, to, row.isText, op);
  return typeof left !== typeof right || !['number', 'string'].includes(typeof left);
}

type Found = { readonly there: true; readonly value: unknown } | { readonly there: false };

/** Looks a field up by its whole name or by a path such as `a.b[0].c`. */
export function fieldOf(row: unknown, field: string): Found {
  const whole = own(row, field);
  if (whole.there) return whole;
  return pathOf(field).reduce<Found>((found, part) => (found.there ? own(found.value, part) : found), {
    there: true,
    value: row,
  });
}

/** Returns the parts of a path: `a.b[0]["c"]` is a, b, 0, c. */
export function pathOf(field: string): readonly string[] {
  return field
    .split(/[.[\]]/)
    .map((part) => part.trim().replace(/^["']|["']$/g, ''))
    .filter((part) => part !== '');
}

function own(value: unknown, key: string): Found {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return { there: false };
  return { there: true, value: Reflect.get(value, key) };
}

/** Compares numbers as numbers, texts as texts, and dates as moments. Values of different kinds are only unequal. */
function compare(value: unknown, op: Comparison, to: Literal, isText: boolean): boolean {
  const [left, right] = converted(value, to, isText, op);
  if (op === '==') return left === right;
  if (op === '!=') return left !== right;
  if (typeof left === 'number' && typeof right === 'number') return ordered(left, op, right);
  return typeof left === 'string' && typeof right === 'string' && ordered(left, op, right);
}

function ordered<One extends number | string>(left: One, op: Comparison, right: One): boolean {
  if (op === '<') return left < right;
  if (op === '<=') return left <= right;
  return op === '>' ? left > right : left >= right;
}

function converted(value: unknown, to: Literal, isText: boolean, op: Comparison): readonly [unknown, unknown] {
  if (isText && typeof value === 'string') {
    if (typeof to === 'number') return [numberIn(value) ?? value, to];
    if (typeof to === 'boolean') return [value.toLowerCase(), String(to)];
    if (to === null) return [value, ''];
  }
  const isOrder = op !== '==' && op !== '!=';
  const moment = isOrder && typeof to === 'string' ? momentIn(to) : null;
  // A text that is no date, as an empty one, is neither before nor after a date.
  if (moment !== null && typeof value === 'string') return [momentIn(value), moment];
  return [value, to];
}

function numberIn(text: string): number | null {
  return /^[+-]?(?=\.?\d)\d*(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : null;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a text is a date, or a date with a time. */
export function isMoment(text: string): boolean {
  return momentIn(text) !== null;
}

// A time without an offset is taken as UTC, so that the answer is the same everywhere.
function momentIn(text: string): number | null {
  if (!MOMENT.test(text)) return null;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) || text.length === 10;
  const at = Date.parse(zoned ? text.replace(' ', 'T') : `${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : at;
}
