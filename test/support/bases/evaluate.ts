import type { Expression } from './expression.ts';
import { callGlobal, callMethod, compared, fieldOf, isSame } from './functions.ts';
import { Duration, isTruthy, Moment, ObjectValue, typeOf, type Value, type VaultFile } from './values.ts';

/** Where an expression is evaluated: one file, the formulas of the base, and the time. */
export interface Scope {
  readonly file: VaultFile;
  /** All files of the vault, for links that lead to one of them. */
  readonly files: readonly VaultFile[];
  readonly formulas: ReadonlyMap<string, Expression>;
  readonly now: Moment;
}

/** Returns what an expression comes to for a file. Throws where a function or field does not fit its value. */
export function evaluate(expression: Expression, scope: Scope, within: readonly string[] = []): Value {
  const inner = (one: Expression) => evaluate(one, scope, within);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map(inner);
    case 'name':
      return named(expression.name, scope);
    case 'member':
      return expression.of.kind === 'name' && expression.of.name === 'formula'
        ? formula(String(inner(expression.name)), scope, within)
        : fieldOf(inner(expression.of), inner(expression.name));
    case 'call':
      return called(expression, scope, inner);
    case 'not':
      return !isTruthy(inner(expression.of));
    case 'minus':
      return calculated('-', 0, inner(expression.of));
    case 'pair':
      return paired(expression, inner);
  }
}

/** Returns the value of a formula. Throws where there is none, or where it leads back to itself. */
export function formula(name: string, scope: Scope, within: readonly string[] = []): Value {
  const found = scope.formulas.get(name);
  if (found === undefined) throw new Error(`there is no formula.${name}`);
  if (within.includes(name)) throw new Error(`formula.${name} leads back to itself`);
  return evaluate(found, scope, [...within, name]);
}

function named(name: string, { file }: Scope): Value {
  if (name === 'file') return file;
  if (name === 'note') return new ObjectValue(file.properties);
  return Object.hasOwn(file.properties, name) ? (file.properties[name] ?? null) : null;
}

function called(
  { name, of, given }: Extract<Expression, { kind: 'call' }>,
  { now, files }: Scope,
  inner: (one: Expression) => Value,
): Value {
  if (of !== null) return callMethod(inner(of), name, given.map(inner), files);
  if (name !== 'if') return callGlobal(name, given.map(inner), now);
  const [condition, yes, no] = given;
  if (condition === undefined || yes === undefined || given.length > 3)
    throw new Error('if() takes two or three parts');
  if (isTruthy(inner(condition))) return inner(yes);
  return no === undefined ? null : inner(no);
}

function paired(
  { operator, left, right }: Extract<Expression, { kind: 'pair' }>,
  inner: (one: Expression) => Value,
): Value {
  const one = inner(left);
  if (operator === '&&') return isTruthy(one) ? inner(right) : one;
  if (operator === '||') return isTruthy(one) ? one : inner(right);
  const other = inner(right);
  switch (operator) {
    case '==':
      return isSame(one, other);
    case '!=':
      return !isSame(one, other);
    case '<':
      return ordered(one, other, (order) => order < 0);
    case '>':
      return ordered(one, other, (order) => order > 0);
    case '<=':
      return ordered(one, other, (order) => order <= 0);
    case '>=':
      return ordered(one, other, (order) => order >= 0);
    default:
      return calculated(operator, one, other);
  }
}

// What a note does not have is neither more nor less than anything.
function ordered(one: Value, other: Value, holds: (order: number) => boolean): boolean {
  return one !== null && other !== null && holds(compared(one, other));
}

function calculated(operator: string, one: Value, other: Value): Value {
  if (one instanceof Moment && (operator === '+' || operator === '-')) return moved(operator, one, other);
  if (typeof one === 'string' && operator === '+') return one + String(other);
  if (typeof one !== 'number' || typeof other !== 'number')
    throw new Error(`a ${typeOf(one)} ${operator} a ${typeOf(other)} is nothing`);
  switch (operator) {
    case '+':
      return one + other;
    case '-':
      return one - other;
    case '*':
      return one * other;
    case '/':
      return one / other;
    default:
      return one % other;
  }
}

function moved(operator: '+' | '-', { wall }: Moment, by: Value): Value {
  if (by instanceof Moment && operator === '-') return wall - by.wall;
  const length = typeof by === 'string' ? Duration.of(by) : by;
  if (!(length instanceof Duration)) throw new Error(`a date moves by a duration, not by a ${typeOf(by)}`);
  return new Moment(operator === '+' ? wall + length.ms : wall - length.ms);
}
