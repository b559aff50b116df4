import { parse } from 'yaml';
import { z } from 'zod';
import { type Expression, parseExpression, partsOf } from './expression.ts';
import { FILE_PROPERTIES, GLOBAL_NAMES, METHOD_NAMES } from './functions.ts';

/** What narrows the files down. */
export type Filter =
  | { readonly kind: 'statement'; readonly expression: Expression }
  | { readonly kind: 'and' | 'or' | 'not'; readonly filters: readonly Filter[] };

type WrittenFilter = string | { readonly [kind in 'and' | 'or' | 'not']?: readonly WrittenFilter[] };

const writtenFilter: z.ZodType<WrittenFilter> = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({ and: z.array(writtenFilter) }),
    z.strictObject({ or: z.array(writtenFilter) }),
    z.strictObject({ not: z.array(writtenFilter) }),
  ]),
);

const sorted = z.strictObject({ property: z.string(), direction: z.enum(['ASC', 'DESC']) });

const view = z.strictObject({
  type: z.enum(['table', 'cards', 'list']),
  name: z.string().min(1),
  filters: writtenFilter.optional(),
  groupBy: sorted.optional(),
  limit: z.int().positive().optional(),
  order: z.array(z.string()).min(1),
  sort: z.array(sorted).default([]),
});
export type View = z.infer<typeof view>;

const written = z.strictObject({
  filters: writtenFilter.optional(),
  formulas: z.record(z.string(), z.string()).default({}),
  properties: z.record(z.string(), z.strictObject({ displayName: z.string().min(1) })).default({}),
  views: z.array(view).min(1),
});

/** A base as it is written, with nothing in it that the published syntax does not have. */
export class Base {
  readonly filter: Filter;
  readonly formulas: ReadonlyMap<string, Expression>;
  readonly views: readonly (View & { readonly filter: Filter })[];
  readonly #names: Readonly<Record<string, { readonly displayName: string }>>;

  /** Reads a `.base` file. Throws where it holds a key, a view, a function or a property of files that is not published. */
  constructor(text: string) {
    const { filters, formulas, properties, views } = written.parse(parse(text));
    this.#names = properties;
    this.formulas = new Map(Object.entries(formulas).map(([name, formula]) => [name, parseExpression(formula)]));
    this.filter = filterOf(filters);
    this.views = views.map((one) => ({ ...one, filter: filterOf(one.filters) }));
    for (const expression of this.expressions) this.#check(expression);
    for (const property of this.shown) this.#checkProperty(property);
    for (const property of Object.keys(properties)) this.#checkProperty(property);
  }

  /** All expressions of the file. */
  get expressions(): readonly Expression[] {
    return [...this.formulas.values(), ...[this, ...this.views].flatMap(({ filter }) => statementsOf(filter))];
  }

  /** All properties that some view shows, sorts by, or puts into groups. */
  get shown(): readonly string[] {
    const all = this.views.flatMap(({ order, sort, groupBy }) => [
      ...order,
      ...[...sort, ...(groupBy === undefined ? [] : [groupBy])].map(({ property }) => property),
    ]);
    return [...new Set(all)];
  }

  /** The name of a column. */
  titleOf(property: string): string {
    return this.#names[property]?.displayName ?? property.replace(/^(?:note|file|formula)\./, '');
  }

  #check(expression: Expression): void {
    for (const part of partsOf(expression)) {
      if (part.kind === 'name' && part.name === 'this') throw new Error('`this` depends on where the base is shown');
      if (part.kind === 'call' && !(part.of === null ? GLOBAL_NAMES : METHOD_NAMES).has(part.name))
        throw new Error(`there is no function ${part.name}()`);
      if (part.kind === 'member' && part.of.kind === 'name' && part.name.kind === 'literal')
        this.#checkProperty(`${part.of.name}.${part.name.value}`);
    }
  }

  #checkProperty(property: string): void {
    const [, kind = 'note', name = ''] = /^(file|formula|note)\.(.+)$/.exec(property) ?? [];
    if (kind === 'file' && !FILE_PROPERTIES.has(name)) throw new Error(`there is no ${property}`);
    if (kind === 'formula' && !this.formulas.has(name)) throw new Error(`there is no ${property}`);
  }
}

function filterOf(filter: WrittenFilter | undefined): Filter {
  if (filter === undefined) return { kind: 'and', filters: [] };
  if (typeof filter === 'string') return { kind: 'statement', expression: parseExpression(filter) };
  const [kind] = (['and', 'or', 'not'] as const).filter((one) => filter[one] !== undefined);
  if (kind === undefined) throw new Error('a filter without and, or, not');
  return { kind, filters: (filter[kind] ?? []).map(filterOf) };
}

function statementsOf(filter: Filter): readonly Expression[] {
  return filter.kind === 'statement' ? [filter.expression] : filter.filters.flatMap(statementsOf);
}
