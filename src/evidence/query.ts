import { z } from 'zod';
import { editDistance, errorReason, StewardError } from '../vault/errors.ts';
import { fold } from '../vault/layout.ts';
import {
  type Citation,
  cite,
  cutExtract,
  type EvidenceSource,
  type Extract,
  filesNamed,
  found,
  isSecretFile,
  type LookupFinding,
  leftOutText,
  looksLikeFile,
  notFound,
  type RegisteredFile,
  readSource,
  withoutNested,
} from './files.ts';
import { type PlacedPart, readOutline } from './outline.ts';
import {
  type Condition,
  hasEach,
  holds,
  isDoubtful,
  isIncomparable,
  type LinesQuery,
  listFields,
  listOrders,
  type PartQuery,
  parseNames,
  parsePart,
  parseQuery,
  partTitle,
  type Query,
  type RowsQuery,
  search,
  splitFieldPath,
} from './request.ts';
import { type EvidenceTable, findTables, type PlacedRow } from './rows.ts';

const MAX_PARTS = 100;
/** How many names that are spelt alike are told, and how many letters they may differ by. */
const MAX_ALIKE = 3;
const MOST_EDITS = 3;
/** A shorter name is part of too many others. */
const MIN_PART = 4;

const FUNCTIONS = ['function', 'method', 'constructor', 'getter'];
const CLASSES = ['class', 'mixin'];
const SECTIONS = ['section'];
/** The names of the parts that a word of a request means. Any other word means itself, or a value. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map([
  ...['function', 'async function', 'func', 'fn', 'def', 'method', 'routine'].map((noun) => [noun, FUNCTIONS] as const),
  ...['class', 'object', 'widget', 'component'].map((noun) => [noun, CLASSES] as const),
  ...['heading', 'section', 'subsection', 'chapter'].map((noun) => [noun, SECTIONS] as const),
  ['structure', ['struct']],
  ['type', ['type', 'typedef', 'interface', 'struct', 'enum', 'union', 'record', ...CLASSES]],
]);

/**
 * Returns the values, functions or headings of a name; null if the format has no outline, or one that is not sure here.
 * Throws as `readOutline` does.
 */
function findNamed(asked: PartQuery, source: EvidenceSource): LookupFinding | null {
  const outline = readOutline(source);
  if (outline === null || outline.some((part) => part.kind === 'unsure' && isNamed(part, asked.name))) return null;
  const sound = outline.filter(({ kind }) => kind !== 'unsure');
  const named = chosen(asked, sound);
  if (named.length === 0) return sound.length < outline.length ? null : notNamed(asked.name, source, sound);
  const all = named.slice(0, MAX_PARTS).map((part) => cutExtract(source, part.first, part.last, partTitle(part)));
  const several = named.length === 1 ? [] : [`${asked.name} is in ${source.path} at ${named.length} places.`];
  return found({ statements: several, extracts: withoutNested(all), checked: [source.path] });
}

/** Returns the parts with exactly this name, or else the headings with this name in other letters. */
function chosen(asked: PartQuery, outline: readonly PlacedPart[]): readonly PlacedPart[] {
  const possible = asked.kind === 'show' ? outline : outline.filter((part) => part.kind === 'value');
  const exact = possible.filter((part) => isNamed(part, asked.name));
  if (exact.length > 0) return preferred(exact, asked);
  return preferred(
    possible.filter((part) => part.kind === 'heading' && isNamed(part, asked.name, fold)),
    asked,
  );
}

/**
 * The part with exactly the requested name comes first; else its definition rather than a value of it, if the
 * definition is shown.
 */
function preferred(named: readonly PlacedPart[], { kind, noun }: PartQuery): readonly PlacedPart[] {
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
  const wanted = kind === 'heading' ? [name] : splitFieldPath(name);
  return (
    wanted.length > 0 &&
    wanted.length <= path.length &&
    wanted.every((part, index) => path.at(index - wanted.length) === part)
  );
}

function notNamed(name: string, source: EvidenceSource, outline: readonly PlacedPart[]): LookupFinding {
  const last = splitFieldPath(name).at(-1) ?? name;
  const mentions = source.lines.flatMap((line, index) => (line.includes(last) ? [index + 1] : []));
  const where = mentions.slice(0, 10).map((line) => cite({ path: source.path, first: line, last: line }));
  const rest = mentions.length > 10 ? ` and ${mentions.length - 10} more lines` : '';
  const mentioned = where.length === 0 ? [] : [`The text ${JSON.stringify(last)} is at ${where.join(', ')}${rest}.`];
  return notFound(
    [`No part of ${source.path} is named ${name}.`, ...speltAlike(name, source, outline), ...mentioned],
    [source.path],
  );
}

/** Says which names are spelt like one that nothing has. They are a hint, and never an answer. */
function speltAlike(name: string, source: EvidenceSource, outline: readonly PlacedPart[]): readonly string[] {
  const [whole, last] = [fold(name), fold(splitFieldPath(name).at(-1) ?? name)];
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

/** Infinite if two names are unrelated. One may be a part of the other: gate, relevanceGate. */
function editsBetween(wanted: string, name: string): number {
  const most = Math.min(MOST_EDITS, Math.floor(wanted.length / 3));
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (short.length >= MIN_PART && long.includes(short)) return long.length - short.length;
  const edits = editDistance(wanted, name, most);
  return edits <= most ? edits : Number.POSITIVE_INFINITY;
}

const MAX_CITED = 200;
const MAX_SHOWN = 40;

/**
 * Returns how many rows of a file match, and their places or, if requested, the rows. Null for a format without rows,
 * or if a word of the condition may have another meaning. Throws as `findTables` does.
 */
function rowsOf(query: RowsQuery, source: EvidenceSource): LookupFinding | null {
  const tables = findTables(source);
  if (tables === null) return null;
  const fitting = tables.filter((table) => hasAllFields(query, table));
  if (fitting.length === 0) return noSuchRows(query, source, tables);
  if (query.where !== null && isDoubtful(query.where, fitting)) return null;
  const counts = fitting.map((table) => counted(query, source, table));
  return {
    found: true,
    statements: counts.flatMap(({ statements }) => statements),
    extracts: query.kind === 'rows' ? counts.flatMap(({ citations }) => citations.map(extractIn(source))) : [],
    citations: query.kind === 'rows' ? [] : counts.flatMap(({ citations }) => citations),
    checked: [source.path],
  };
}

function extractIn(source: EvidenceSource): (rows: Citation) => Extract {
  return ({ first, last }) => cutExtract(source, first, last, first === last ? 'row' : 'rows');
}

function hasAllFields({ where }: RowsQuery, { rows }: EvidenceTable): boolean {
  return where === null || listFields(where).every((field) => rows.some((row) => hasEach([field], row)));
}

function counted(
  { kind, where, whereText }: RowsQuery,
  source: EvidenceSource,
  table: EvidenceTable,
): { statements: string[]; citations: Citation[] } {
  const { matching, withoutField, incomparable } =
    where === null ? { matching: table.rows, withoutField: 0, incomparable: [] } : sorted(where, table);
  const cited = lineRanges(matching).map(({ first, last }) => ({ path: source.path, first, last }));
  const at = table.at === '' ? source.path : `${table.at} in ${source.path}`;
  return {
    citations: cited.slice(0, MAX_CITED),
    statements: [
      `${matching.length} of ${rowWord(table.rows.length)} of ${at}${where === null ? '' : ` where ${whereText}`}.`,
      ...(cited.length === 0 || where === null || kind === 'rows' ? [] : [rowsText(cited)]),
      ...(withoutField === 0
        ? []
        : [
            `${rowWord(withoutField)} without ${fieldsText(where)} ${withoutField === 1 ? 'is' : 'are'} not among them.`,
          ]),
      ...(incomparable.length === 0 ? [] : [incomparableText(incomparable, source.path)]),
      ...(table.unread.length === 0 ? [] : [`Not read as rows, and not counted: ${unreadText(table.unread)}.`]),
    ],
  };
}

/** The rows of a table by what a condition says of them. */
interface Sorted {
  readonly matching: readonly PlacedRow[];
  /** How many lack a field of the condition. */
  readonly withoutField: number;
  readonly incomparable: readonly PlacedRow[];
}

// One way through all rows: there may be a hundred thousand.
function sorted(where: Condition, { rows }: EvidenceTable): Sorted {
  const fields = listFields(where);
  const orders = listOrders(where);
  const matching: PlacedRow[] = [];
  const incomparable: PlacedRow[] = [];
  let withoutField = 0;
  for (const row of rows) {
    if (holds(where, row)) matching.push(row);
    else if (!hasEach(fields, row)) withoutField += 1;
    if (orders.some((order) => isIncomparable(order, row))) incomparable.push(row);
  }
  return { matching, withoutField, incomparable };
}

function noSuchRows({ where }: RowsQuery, source: EvidenceSource, tables: readonly EvidenceTable[]): LookupFinding {
  const rows = tables.flatMap((table) => table.rows);
  if (rows.length === 0) return notFound([`${source.path} has no list of rows.`], [source.path]);
  const fields = [...new Set(rows.slice(0, 100).flatMap(({ value }) => keysOf(value)))].slice(0, 30);
  return notFound(
    [`No row of ${source.path} has ${fieldsText(where)}; ${rowWord(rows.length)} have: ${fields.join(', ')}.`],
    [source.path],
  );
}

function rowsText(cited: readonly Citation[]): string {
  const rest = cited.length > MAX_SHOWN ? ` and ${cited.length - MAX_SHOWN} more places [truncated]` : '';
  return `Rows: ${cited.slice(0, MAX_SHOWN).map(cite).join(', ')}${rest}.`;
}

function lineRanges(rows: readonly PlacedRow[]): readonly { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const { first, last } of rows) {
    const before = ranges.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else ranges.push({ first, last });
  }
  return ranges;
}

function incomparableText(rows: readonly PlacedRow[], path: string): string {
  const citations = lineRanges(rows).map(({ first, last }) => cite({ path, first, last }));
  const rest = citations.length > MAX_SHOWN ? ` and ${citations.length - MAX_SHOWN} more places` : '';
  return `Not to be compared as asked, in ${rowWord(rows.length)}: ${citations.slice(0, MAX_SHOWN).join(', ')}${rest}.`;
}

function fieldsText(where: RowsQuery['where']): string {
  return where === null ? '' : listFields(where).join(', ');
}

function unreadText(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${lines.length > 20 ? ` and ${lines.length - 20} more` : ''}`;
}

function rowWord(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

/**
 * Returns what a query finds in one file: lines verbatim, or a count with the lines of its rows. Pure: the same text has
 * the same finding. Returns null for a format that is not understood well enough to say that something is missing.
 */
export function lookUp(query: Query, source: EvidenceSource): LookupFinding | null {
  try {
    if (query.kind === 'lines') return linesOf(query, source);
    return 'where' in query ? rowsOf(query, source) : findNamed(query, source);
  } catch (error) {
    if (error instanceof StewardError) return notFound([error.message], [source.path]);
    throw error;
  }
}

function linesOf(asked: LinesQuery, source: EvidenceSource): LookupFinding {
  const all = source.lines.length;
  const first = asked.first < 0 ? Math.max(1, all + 1 + asked.first) : asked.first;
  const last = Math.min(asked.last < 0 ? all + 1 + asked.last : asked.last, all);
  if (first > last) return notFound([`${source.path} has ${all} lines.`], [source.path]);
  const part = `${first === last ? `line ${first}` : `lines ${first}-${last}`} of ${all}`;
  return found({ statements: [], extracts: [cutExtract(source, first, last, part)], checked: [source.path] });
}

/** A lookup without a model: `look` answers a clear request, `search` looks for its words. */
export interface LookupJob {
  readonly how: 'look' | 'search';
  readonly request: string;
  readonly files: readonly RegisteredFile[];
}

/** What the program asks its looking process. */
export const lookupJob: z.ZodType<LookupJob> = z.object({
  how: z.enum(['look', 'search']),
  request: z.string(),
  files: z.array(z.object({ path: z.string(), root: z.string() })),
});

const MAX_NAMED = 10;
const MAX_SEARCHED = 32 * 1024 * 1024;

/**
 * Runs a lookup. Returns null if it needs a model: the request is ambiguous, names no file, or names one whose format
 * is not understood well enough. Blocks the thread, for as long as the files take.
 */
export function runLookup({ how, request, files }: LookupJob): LookupFinding | null {
  if (how === 'search') return searchFiles(request, files);
  const query = parseQuery(request);
  const isPlaced = query !== null && (looksLikeFile(query.file) || filesNamed(files, query.file).length > 0);
  if (isPlaced) return lookUpInFiles(query, files);
  const part = parsePart(request);
  const finding = part === null ? null : lookUpAnywhere(part, files);
  return finding ?? lookUpName(parseNames(request), files);
}

/** Returns a part that exactly one of the files defines. Null if that isn't so, or isn't sure. */
function lookUpAnywhere(asked: PartQuery, files: readonly RegisteredFile[]): LookupFinding | null {
  const definers = findDefiners(asked, files);
  return definers === null ? null : lookUpInOnly(asked, definers);
}

/**
 * Returns the definition of the only one of some names that the files define, if exactly one file does. Null if that isn't
 * so, or isn't sure.
 */
function lookUpName(names: readonly string[], files: readonly RegisteredFile[]): LookupFinding | null {
  const each = names.map((name) => {
    const asked: PartQuery = { kind: 'show', name };
    return { asked, definers: findDefiners(asked, files) };
  });
  const defined = each.filter(({ definers }) => definers === null || definers.rank === DEFINED);
  const [only, ...others] = defined;
  if (only === undefined || only.definers === null || others.length > 0) return null;
  return lookUpInOnly(only.asked, only.definers);
}

function lookUpInOnly(asked: PartQuery, { sources, secrets }: Definers): LookupFinding | null {
  const [only, ...others] = sources;
  const finding = only === undefined || others.length > 0 ? null : lookUp({ ...asked, file: only.path }, only);
  return finding && { ...finding, statements: [...finding.statements, ...leftOutText(secrets)] };
}

/** The files that define a part. */
interface Definers {
  readonly rank: Rank;
  readonly sources: readonly EvidenceSource[];
  /** The files that weren't read because of keys or passwords in them. */
  readonly secrets: readonly string[];
}

/** How a file has a part: as code, as a heading, as a value, or not at all. */
type Rank = 3 | 2 | 1 | 0;
const DEFINED = 3;

/** Returns the files that have a part in the best way. Null if that isn't sure. */
function findDefiners(asked: PartQuery, files: readonly RegisteredFile[]): Definers | null {
  const last = fold(splitFieldPath(asked.name).at(-1) ?? asked.name);
  const secrets: string[] = [];
  let [rank, sources]: [Rank, EvidenceSource[]] = [0, []];
  let read = 0;
  for (const source of readable(files, secrets)) {
    read += source.text.length;
    const own = fold(source.text).includes(last) ? rankOf(asked, source) : 0;
    if (own === null) return null;
    if (own > rank) [rank, sources] = [own, []];
    if (own === rank && own !== 0) sources.push(source);
  }
  return read < MAX_SEARCHED ? { rank, sources, secrets } : null; // else there may be more
}

/** Null if unsure. */
function rankOf(asked: PartQuery, source: EvidenceSource): Rank | null {
  const outline = outlineIn(source);
  if (outline === null || outline.some((part) => part.kind === 'unsure' && isNamed(part, asked.name))) return null;
  const sound = outline.filter(({ kind }) => kind !== 'unsure');
  const { noun } = asked;
  const named = chosen(asked, sound).filter((part) => noun === undefined || isMeant(part, noun));
  if (named.length === 0) return sound.length < outline.length ? null : 0;
  if (named.some(({ kind }) => kind === 'definition')) return DEFINED;
  return named.some(({ kind }) => kind === 'heading') ? 2 : 1;
}

/** Empty for a format without an outline, null for a file that cannot be taken apart. */
function outlineIn(source: EvidenceSource): readonly PlacedPart[] | null {
  try {
    return readOutline(source) ?? [];
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

function lookUpInFiles(query: Query, files: readonly RegisteredFile[]): LookupFinding | null {
  const named = filesNamed(files, query.file);
  if (named.length === 0) return noSuchFile(query.file, files);
  const findings = named.map((file) => lookUpInFile(query, file));
  const finding = findings.every((one) => one !== null) ? combined(findings) : null;
  if (finding === null || (!finding.found && 'maybe' in query)) return null;
  return { ...finding, statements: [...ambiguityOf(query, named), ...finding.statements] };
}

function ambiguityOf({ file }: Query, named: readonly RegisteredFile[]): readonly string[] {
  if (named.length === 1) return [];
  const paths = named.slice(0, MAX_NAMED).map(({ path }) => path);
  const rest = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  return [`${named.length} registered files are named ${file}: ${paths.join(', ')}${rest}.`];
}

function lookUpInFile(query: Query, file: RegisteredFile): LookupFinding | null {
  try {
    return lookUp(query, readSource(file));
  } catch (error) {
    return notFound([errorReason(error)], [file.path]);
  }
}

function combined(findings: readonly LookupFinding[]): LookupFinding {
  const good = findings.filter(({ found }) => found);
  const chosen = good.length > 0 ? good : findings;
  const [one] = chosen;
  if (findings.length === 1 && one !== undefined) return one;
  return {
    found: good.length > 0,
    statements: chosen.flatMap(({ statements }) => statements),
    extracts: chosen.flatMap(({ extracts }) => extracts),
    citations: chosen.flatMap(({ citations }) => citations),
    checked: findings.flatMap(({ checked }) => checked),
  };
}

function noSuchFile(name: string, files: readonly RegisteredFile[]): LookupFinding {
  const longer = files.find(({ path }) => path.toLowerCase().endsWith(` ${name.toLowerCase()}`));
  const meant = longer === undefined ? [] : [`If ${longer.path} is meant: write a name with spaces in quotes.`];
  return notFound(
    [`No registered file is named ${name}.`, ...meant],
    files.map(({ path }) => path),
  );
}

function searchFiles(request: string, files: readonly RegisteredFile[]): LookupFinding {
  const secrets: string[] = [];
  const finding = search(request, readable(files, secrets));
  const left = files.length - finding.checked.length - secrets.length;
  const statements = [
    ...(left === 0 ? [] : [`Not searched: ${left} of ${files.length} files, which are no text or too much of it.`]),
    ...leftOutText(secrets),
  ];
  return { ...finding, statements: [...finding.statements, ...statements] };
}

/**
 * Yields the readable files as sources, one after the other, until their text exceeds the limit. Adds the paths of those
 * with keys or passwords to `secrets`.
 */
function* readable(files: readonly RegisteredFile[], secrets: string[] = []): Generator<EvidenceSource> {
  let room = MAX_SEARCHED;
  for (const file of files) {
    if (room <= 0) return;
    const source = readOr(file, secrets);
    if (source === null) continue;
    room -= source.text.length;
    yield source;
  }
}

function readOr(file: RegisteredFile, secrets: string[]): EvidenceSource | null {
  try {
    return readSource(file);
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    if (isSecretFile(error)) secrets.push(file.path);
    return null;
  }
}
