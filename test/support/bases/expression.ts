import jsep from 'jsep';

/** An expression of a filter or formula, with nothing in it that the published syntax does not have. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: Expression }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly of: Expression | null;
      readonly given: readonly Expression[];
    }
  | { readonly kind: 'not' | 'minus'; readonly of: Expression }
  | { readonly kind: 'pair'; readonly operator: string; readonly left: Expression; readonly right: Expression };

const OPERATORS: ReadonlySet<string> = new Set(
  ['+', '-', '*', '/', '%', '==', '!=', '>', '<', '>=', '<=', '&&', '||'], //
);

/** Reads an expression. Throws where it is none of the published syntax. */
export function parseExpression(text: string): Expression {
  try {
    return expressionOf(jsep(text));
  } catch (error) {
    throw new Error(`${JSON.stringify(text)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function expressionOf(node: unknown): Expression {
  const { type, ...parts } = nodeOf(node);
  switch (type) {
    case 'Literal':
      return { kind: 'literal', value: literalOf(parts.value) };
    case 'Identifier':
      return { kind: 'name', name: textOf(parts.name) };
    case 'ArrayExpression':
      return { kind: 'list', items: listOf(parts.elements).map(expressionOf) };
    case 'MemberExpression': {
      const name = expressionOf(parts.property);
      const isWritten = parts.computed === true || name.kind !== 'name';
      const key: Expression = isWritten ? name : { kind: 'literal', value: name.name };
      return { kind: 'member', of: expressionOf(parts.object), name: key };
    }
    case 'CallExpression':
      return callOf(expressionOf(parts.callee), listOf(parts.arguments).map(expressionOf));
    case 'UnaryExpression': {
      if (parts.operator !== '!' && parts.operator !== '-') throw new Error(`no operator ${String(parts.operator)}`);
      return { kind: parts.operator === '!' ? 'not' : 'minus', of: expressionOf(parts.argument) };
    }
    case 'BinaryExpression': {
      const operator = textOf(parts.operator);
      if (!OPERATORS.has(operator)) throw new Error(`no operator ${operator}`);
      return { kind: 'pair', operator, left: expressionOf(parts.left), right: expressionOf(parts.right) };
    }
    default:
      throw new Error(`nothing of the published syntax (${type})`);
  }
}

function callOf(callee: Expression, given: readonly Expression[]): Expression {
  if (callee.kind === 'name') return { kind: 'call', name: callee.name, of: null, given };
  if (callee.kind === 'member' && callee.name.kind === 'literal')
    return { kind: 'call', name: String(callee.name.value), of: callee.of, given };
  throw new Error('only a named function can be called');
}

function nodeOf(node: unknown): Readonly<Record<string, unknown>> & { readonly type: string } {
  if (typeof node !== 'object' || node === null || !('type' in node)) throw new Error('a part is missing');
  return { ...node, type: textOf(node.type) };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('a list is missing');
  return value;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('a name is missing');
  return value;
}

function literalOf(value: unknown): string | number | boolean | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Error('no such literal');
}

/** Returns an expression with all that it is made of. */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'list':
      return [expression, ...expression.items.flatMap(partsOf)];
    case 'member':
      return [expression, ...partsOf(expression.of), ...partsOf(expression.name)];
    case 'call':
      return [
        expression,
        ...(expression.of === null ? [] : partsOf(expression.of)),
        ...expression.given.flatMap(partsOf),
      ];
    case 'not':
    case 'minus':
      return [expression, ...partsOf(expression.of)];
    case 'pair':
      return [expression, ...partsOf(expression.left), ...partsOf(expression.right)];
    default:
      return [expression];
  }
}
