import type { Base, Filter } from './base-file.ts';
import { evaluate, formula, type Scope } from './evaluate.ts';
import { compared } from './functions.ts';
import { isTruthy, type Moment, textOf, type Value, type VaultFile } from './values.ts';

/** A row of a view: the file, and what stands in each column by the column's name. */
interface Row {
  readonly path: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** What a person sees of a view. */
interface ShownView {
  readonly type: string;
  readonly columns: readonly string[];
  /** The rows in order; those of one group stand together under its name, and under '' where there are none. */
  readonly groups: readonly { readonly name: string; readonly rows: readonly Row[] }[];
  readonly rows: readonly Row[];
}

/** Shows a view of a base over the files of a vault at a moment. */
export function showView(base: Base, name: string, files: readonly VaultFile[], now: Moment): ShownView {
  const view = base.views.find((one) => one.name === name);
  if (view === undefined) throw new Error(`there is no view ${name}`);
  const { type, order, sort, groupBy, limit, filter } = view;
  const scopes = files
    .map((file): Scope => ({ file, files, formulas: base.formulas, now }))
    .filter((scope) => passes(base.filter, scope) && passes(filter, scope))
    .sort((one, other) => orderOf(one, other, sort))
    .slice(0, limit);
  const rowOf = (scope: Scope): Row => ({
    path: scope.file.path,
    cells: Object.fromEntries(order.map((property) => [base.titleOf(property), textOf(propertyOf(property, scope))])),
  });
  const byGroup = groupBy === undefined ? [] : [groupBy];
  const grouped = scopes.toSorted((one, other) => orderOf(one, other, byGroup));
  const groups = Map.groupBy(grouped, (scope) =>
    byGroup.map(({ property }) => textOf(propertyOf(property, scope))).join(),
  );
  const shown = [...groups].map(([key, group]) => ({ name: key, rows: group.map(rowOf) }));
  return {
    type,
    columns: order.map((one) => base.titleOf(one)),
    groups: shown,
    rows: shown.flatMap(({ rows }) => rows),
  };
}

/** Returns what a file has under a property as views name it. */
export function propertyOf(property: string, scope: Scope): Value {
  const [, kind = 'note', name = property] = /^(file|formula|note)\.(.+)$/.exec(property) ?? [];
  if (kind === 'formula') return formula(name, scope);
  const key = { kind: 'literal', value: name } as const;
  return evaluate({ kind: 'member', of: { kind: 'name', name: kind }, name: key }, scope);
}

function passes(filter: Filter, scope: Scope): boolean {
  switch (filter.kind) {
    case 'statement':
      return isTruthy(evaluate(filter.expression, scope));
    case 'and':
      return filter.filters.every((one) => passes(one, scope));
    case 'or':
      return filter.filters.some((one) => passes(one, scope));
    case 'not':
      return !filter.filters.some((one) => passes(one, scope));
  }
}

// What has no value comes last, whatever the direction.
function orderOf(one: Scope, other: Scope, sort: readonly { property: string; direction: 'ASC' | 'DESC' }[]): number {
  for (const { property, direction } of sort) {
    const [left, right] = [propertyOf(property, one), propertyOf(property, other)];
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1;
      continue;
    }
    const order = compared(left, right);
    if (order !== 0) return direction === 'ASC' ? order : -order;
  }
  return 0;
}
