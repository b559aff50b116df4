import { fold } from '../../vault/note-names.ts';
import { cite, extractOf, type Finding, found, notFound, withoutNested } from '../files/finding.ts';
import type { Source } from '../files/source.ts';
import { outlineOf, type PlacedPart } from '../formats/outline.ts';
import { pathOf } from './condition.ts';
import type { Query } from './query.ts';

/** How many parts of one name are shown. */
const MAX_PARTS = 100;

type NamedQuery = Extract<Query, { kind: 'value' | 'show' }>;

/**
 * Returns the values, functions or headings of a name; null where the format has no outline. Throws as `outlineOf`
 * does.
 */
export function findNamed(query: NamedQuery, source: Source): Finding | null {
  const outline = outlineOf(source);
  if (outline === null) return null;
  const named = chosen(query, outline);
  if (named.length === 0) return notNamed(query.name, source);
  const all = named.slice(0, MAX_PARTS).map(({ first, last }) => extractOf(source, first, last));
  const several = named.length === 1 ? [] : [`${query.name} stands in ${source.path} at ${named.length} places.`];
  return found({ statements: several, extracts: withoutNested(all), checked: [source.path] });
}

/** Returns the parts with exactly this name, or else the headings with this name in other letters. */
function chosen({ kind, name }: NamedQuery, outline: readonly PlacedPart[]): readonly PlacedPart[] {
  const possible = kind === 'show' ? outline : outline.filter((part) => part.kind === 'value');
  const exact = possible.filter((part) => isNamed(part, name));
  if (exact.length > 0) return preferDefinitions(exact, kind);
  return preferDefinitions(
    possible.filter((part) => part.kind === 'heading' && isNamed(part, name, fold)),
    kind,
  );
}

/** Asking to show something means its definition rather than a value of it, where there are both. */
function preferDefinitions(named: readonly PlacedPart[], kind: 'value' | 'show'): readonly PlacedPart[] {
  const defined = named.filter((part) => part.kind !== 'value');
  return kind === 'show' && defined.length > 0 ? defined : named;
}

function isNamed({ path, kind }: PlacedPart, name: string, as: (text: string) => string = (text) => text): boolean {
  const own = path.at(-1) ?? '';
  if (as(own) === as(name)) return true;
  const wanted = kind === 'heading' ? [name] : pathOf(name);
  return (
    wanted.length > 0 &&
    wanted.length <= path.length &&
    wanted.every((part, index) => path.at(index - wanted.length) === part)
  );
}

function notNamed(name: string, source: Source): Finding {
  const last = pathOf(name).at(-1) ?? name;
  const mentions = source.lines.flatMap((line, index) => (line.includes(last) ? [index + 1] : []));
  const where = mentions.slice(0, 10).map((line) => cite({ path: source.path, first: line, last: line }));
  const rest = mentions.length > 10 ? ` and ${mentions.length - 10} more lines` : '';
  const mentioned =
    where.length === 0 ? [] : [`The text ${JSON.stringify(last)} stands at ${where.join(', ')}${rest}.`];
  return notFound([`Nothing in ${source.path} is named ${name}.`, ...mentioned], [source.path]);
}
