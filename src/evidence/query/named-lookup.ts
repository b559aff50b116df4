import { fold } from '../../vault/note-names.ts';
import { editDistance } from '../../vault/spelling.ts';
import { cite, extractOf, type Finding, found, notFound, withoutNested } from '../files/finding.ts';
import type { Source } from '../files/source.ts';
import { outlineOf, type PlacedPart } from '../formats/outline.ts';
import type { PartAsked } from './asked.ts';
import { pathOf } from './condition.ts';
import { partTitle } from './part-title.ts';

/** How many parts of one name are shown. */
const MAX_PARTS = 100;
/** How many names that are spelt alike are told, and how many letters they may differ by. */
const MAX_ALIKE = 3;
const MOST_EDITS = 3;
/** A shorter name stands in too many others. */
const MIN_PART = 4;

const FUNCTIONS = ['function', 'method', 'constructor', 'getter'];
const CLASSES = ['class', 'mixin'];
const SECTIONS = ['section'];
/** What the parts are called that a word of a request means. A word that is missing here means itself, or a value. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map([
  ...['function', 'async function', 'func', 'fn', 'def', 'method', 'routine'].map((noun) => [noun, FUNCTIONS] as const),
  ...['class', 'object', 'widget', 'component'].map((noun) => [noun, CLASSES] as const),
  ...['heading', 'section', 'subsection', 'chapter'].map((noun) => [noun, SECTIONS] as const),
  ['structure', ['struct']],
  ['type', ['type', 'typedef', 'interface', 'struct', 'enum', 'union', 'record', ...CLASSES]],
]);

/**
 * Returns the values, functions or headings of a name; null where the format has no outline, or one that is not sure
 * here. Throws as `outlineOf` does.
 */
export function findNamed(asked: PartAsked, source: Source): Finding | null {
  const outline = outlineOf(source);
  if (outline === null || outline.some((part) => part.kind === 'unsure' && isNamed(part, asked.name))) return null;
  const sound = outline.filter(({ kind }) => kind !== 'unsure');
  const named = chosen(asked, sound);
  if (named.length === 0) return sound.length < outline.length ? null : notNamed(asked.name, source, sound);
  const all = named.slice(0, MAX_PARTS).map((part) => extractOf(source, part.first, part.last, partTitle(part)));
  const several = named.length === 1 ? [] : [`${asked.name} stands in ${source.path} at ${named.length} places.`];
  return found({ statements: several, extracts: withoutNested(all), checked: [source.path] });
}

/** Returns the parts with exactly this name, or else the headings with this name in other letters. */
function chosen(asked: PartAsked, outline: readonly PlacedPart[]): readonly PlacedPart[] {
  const possible = asked.kind === 'show' ? outline : outline.filter((part) => part.kind === 'value');
  const exact = possible.filter((part) => isNamed(part, asked.name));
  if (exact.length > 0) return preferred(exact, asked);
  return preferred(
    possible.filter((part) => part.kind === 'heading' && isNamed(part, asked.name, fold)),
    asked,
  );
}

/** What is called as it was asked for comes first; else its definition rather than a value of it, where it is shown. */
function preferred(named: readonly PlacedPart[], { kind, noun }: PartAsked): readonly PlacedPart[] {
  const meant = noun === undefined ? [] : named.filter((part) => isMeant(part, noun));
  if (meant.length > 0) return meant;
  const defined = named.filter((part) => part.kind !== 'value');
  return kind === 'show' && defined.length > 0 ? defined : named;
}

function isMeant(part: PlacedPart, noun: string): boolean {
  return MEANT.get(noun)?.includes(part.noun) ?? part.noun === noun;
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

function notNamed(name: string, source: Source, outline: readonly PlacedPart[]): Finding {
  const last = pathOf(name).at(-1) ?? name;
  const mentions = source.lines.flatMap((line, index) => (line.includes(last) ? [index + 1] : []));
  const where = mentions.slice(0, 10).map((line) => cite({ path: source.path, first: line, last: line }));
  const rest = mentions.length > 10 ? ` and ${mentions.length - 10} more lines` : '';
  const mentioned =
    where.length === 0 ? [] : [`The text ${JSON.stringify(last)} stands at ${where.join(', ')}${rest}.`];
  return notFound(
    [`Nothing in ${source.path} is named ${name}.`, ...speltAlike(name, source, outline), ...mentioned],
    [source.path],
  );
}

/** Says which names are spelt like one that nothing has. They are a hint, and never an answer. */
function speltAlike(name: string, source: Source, outline: readonly PlacedPart[]): readonly string[] {
  const [whole, last] = [fold(name), fold(pathOf(name).at(-1) ?? name)];
  const alike = outline
    .map((part) => {
      const edits = editsBetween(part.kind === 'heading' ? whole : last, fold(part.path.at(-1) ?? ''));
      return { part, edits };
    })
    .filter(({ edits }) => edits < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MAX_ALIKE)
    .map(({ part }) => `${partTitle(part)} at ${cite({ path: source.path, first: part.first, last: part.last })}`);
  return alike.length === 0 ? [] : [`Spelt alike: ${alike.join(', ')}.`];
}

/** Infinite where two names have nothing to do with each other. One may be a part of the other: gate, relevanceGate. */
function editsBetween(wanted: string, name: string): number {
  const most = Math.min(MOST_EDITS, Math.floor(wanted.length / 3));
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (short.length >= MIN_PART && long.includes(short)) return long.length - short.length;
  const edits = editDistance(wanted, name, most);
  return edits <= most ? edits : Number.POSITIVE_INFINITY;
}
