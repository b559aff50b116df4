import { reasonOf } from '../../vault/errors.ts';
import { filesNamed, looksLikeFile } from '../files/file-name.ts';
import { type Finding, notFound } from '../files/finding.ts';
import { Places } from '../files/places.ts';
import type { RegisteredFile } from '../files/registered.ts';
import { readSource, type Source, tryRead } from '../files/source.ts';
import type { Query } from './asked.ts';
import { lookUp } from './lookup.ts';
import { parseQuery } from './query.ts';
import { search } from './search.ts';

/** A lookup without a model: `look` answers a clear request, `search` looks for its words. */
export interface LookupJob {
  readonly how: 'look' | 'search';
  readonly request: string;
  readonly files: readonly RegisteredFile[];
}

/** Returns what the program asked its looking process, or throws. Without the packages that would take as long to load. */
export function jobOf(data: unknown): LookupJob {
  if (isJob(data)) return data;
  throw new Error('the lookup is not one');
}

function isJob(data: unknown): data is LookupJob {
  return (
    isObject(data) &&
    (data.how === 'look' || data.how === 'search') &&
    typeof data.request === 'string' &&
    Array.isArray(data.files) &&
    data.files.every((file) => isObject(file) && typeof file.path === 'string' && typeof file.root === 'string')
  );
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null;
}

/** How many files of one name are told. */
const MAX_NAMED = 10;
const MAX_SEARCHED = 32 * 1024 * 1024;

/**
 * Runs a lookup. Returns null where it needs a model: the request is ambiguous, names no file, or names one whose format
 * is not understood well enough. Blocks the thread, for as long as the files take.
 */
export function runLookup({ how, request, files }: LookupJob): Finding | null {
  if (how === 'search') return searchFiles(request, files);
  const query = parseQuery(request);
  return query === null ? null : lookUpInFiles(query, files);
}

function lookUpInFiles(query: Query, files: readonly RegisteredFile[]): Finding | null {
  const named = filesNamed(files, query.file);
  if (named.length === 0) return looksLikeFile(query.file) ? noSuchFile(query.file, files) : null;
  const findings = named.map((file) => lookUpInFile(query, file));
  const finding = findings.every((one) => one !== null) ? combined(findings) : null;
  if (finding === null || (!finding.found && 'maybe' in query)) return null;
  return { ...finding, statements: [...ambiguityOf(query, named), ...finding.statements] };
}

/** Says which files a name may mean, where there are several. */
function ambiguityOf({ file }: Query, named: readonly RegisteredFile[]): readonly string[] {
  if (named.length === 1) return [];
  const paths = named.slice(0, MAX_NAMED).map(({ path }) => path);
  const rest = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  return [`${named.length} registered files are named ${file}: ${paths.join(', ')}${rest}.`];
}

function lookUpInFile(query: Query, file: RegisteredFile): Finding | null {
  try {
    return lookUp(query, readSource(file));
  } catch (error) {
    return notFound([reasonOf(error)], [file.path]);
  }
}

/** Combines the findings in several files of the same name. */
function combined(findings: readonly Finding[]): Finding {
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

function noSuchFile(name: string, files: readonly RegisteredFile[]): Finding {
  const longer = files.find(({ path }) => path.toLowerCase().endsWith(` ${name.toLowerCase()}`));
  const meant = longer === undefined ? [] : [`If ${longer.path} is meant: write a name with spaces in quotes.`];
  return notFound(
    [`No registered file is named ${name}.`, ...meant],
    files.map(({ path }) => path),
  );
}

function searchFiles(request: string, files: readonly RegisteredFile[]): Finding {
  const finding = search(request, readable(files));
  const left = files.length - finding.checked.length;
  const statements =
    left === 0 ? [] : [`Not searched: ${left} of ${files.length} files, which are no text or too much of it.`];
  return { ...finding, statements: [...finding.statements, ...statements] };
}

/** Yields the readable files as sources, one after the other, until their text exceeds the limit. */
function* readable(files: readonly RegisteredFile[]): Generator<Source> {
  const places = new Places();
  let room = MAX_SEARCHED;
  for (const file of files) {
    const source = room > 0 ? tryRead(file, places) : null;
    if (source === null) continue;
    room -= source.text.length;
    yield source;
  }
}
