import { reasonOf } from '../../vault/errors.ts';
import { filesNamed, looksLikeFile } from '../files/file-name.ts';
import { type Finding, notFound } from '../files/finding.ts';
import type { RegisteredFile } from '../files/registered.ts';
import { readSource, type Source, tryRead } from '../files/source.ts';
import { lookUp } from './lookup.ts';
import { parseQuery, type Query } from './query.ts';
import { search } from './search.ts';

/** A request to be answered from files: by looking alone, or by a search for its words. */
export interface Looking {
  readonly how: 'look' | 'search';
  readonly request: string;
  readonly files: readonly RegisteredFile[];
}

const MAX_SEARCHED = 32 * 1024 * 1024;

/**
 * What is found without a model. Null where looking alone does not answer: the request is not clear beyond doubt, names
 * no file, or one that is not understood well enough. Takes as long as it takes, while nothing else has its turn.
 */
export function answered({ how, request, files }: Looking): Finding | null {
  if (how === 'search') return searched(request, files);
  const query = parseQuery(request);
  return query === null ? null : lookedUp(query, files);
}

function lookedUp(query: Query, files: readonly RegisteredFile[]): Finding | null {
  const named = filesNamed(files, query.file);
  if (named.length === 0) return looksLikeFile(query.file) ? noSuchFile(query.file, files) : null;
  const findings = named.map((file) => lookInto(query, file));
  const finding = findings.every((one) => one !== null) ? together(findings) : null;
  // Words that name nothing may be no name, but what somebody wants to know.
  const isPlain = query.kind === 'show' && /\s/.test(query.name);
  return finding?.found === false && isPlain ? null : finding;
}

function lookInto(query: Query, file: RegisteredFile): Finding | null {
  try {
    return lookUp(query, readSource(file));
  } catch (error) {
    return notFound([reasonOf(error)], [file.path]);
  }
}

/** What was found in several files of one name, as one. */
function together(findings: readonly Finding[]): Finding {
  const good = findings.filter(({ found }) => found);
  const told = good.length > 0 ? good : findings;
  const [one] = told;
  if (findings.length === 1 && one !== undefined) return one;
  return {
    found: good.length > 0,
    statements: told.flatMap(({ statements }) => statements),
    extracts: told.flatMap(({ extracts }) => extracts),
    citations: told.flatMap(({ citations }) => citations),
    checked: findings.flatMap(({ checked }) => checked),
  };
}

function noSuchFile(name: string, files: readonly RegisteredFile[]): Finding {
  return notFound(
    [`No registered file is named ${name}.`],
    files.map(({ path }) => path),
  );
}

function searched(request: string, files: readonly RegisteredFile[]): Finding {
  const sources = readable(files);
  const finding = search(request, sources);
  const left = files.length - sources.length;
  const said =
    left === 0 ? [] : [`Not searched: ${left} of ${files.length} files, which are no text or too much of it.`];
  return { ...finding, statements: [...finding.statements, ...said] };
}

/** What can be read of some files, as far as there is room. */
function readable(files: readonly RegisteredFile[]): readonly Source[] {
  let room = MAX_SEARCHED;
  return files.flatMap((file) => {
    const source = room > 0 ? tryRead(file) : null;
    room -= source?.text.length ?? 0;
    return source === null ? [] : [source];
  });
}
