import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { globbed } from './glob.ts';
import { type RegisteredItem, registeredItems } from './item.ts';
import { FOLDER, HIDDEN, hasHiddenName, placeOf } from './place.ts';
import { Places } from './places.ts';
import { type Ground, rootOf } from './root.ts';
import { isWild } from './wildcard.ts';

/** A file that may be read as evidence. */
export interface RegisteredFile {
  /** Relative to `root`, with forward slashes: the form in which it is cited. */
  readonly path: string;
  /** Absolute, links resolved when it was allowed. Nothing outside of it is read, whatever becomes of the folder. */
  readonly root: string;
}

/** The files that a briefing or a command allows to be read. */
export interface Registered {
  readonly files: readonly RegisteredFile[];
  /** What is listed but not read: missing, outside the root, a folder, a secret. `line` is that of the briefing. */
  readonly troubles: readonly Diagnostic[];
  /** Whether there is a list at all. Without one there is no evidence. */
  readonly listed: boolean;
}

const NOTHING_REGISTERED: Registered = { files: [], troubles: [], listed: false };

/**
 * Returns the files listed under `## Steward-Registered Files` in a briefing. Paths are relative to its field `root`,
 * which lies on the ground that a person has given, or else to the vault. `file` names the briefing in diagnostics.
 */
export function registeredFiles(note: Pick<ParsedNote, 'data' | 'text'>, file: string, ground: Ground): Registered {
  const items = registeredItems(note.text);
  if (items === null) return NOTHING_REGISTERED;
  const { root, trouble } = rootOf(note.data.root, file, ground);
  if (root === null) return { files: [], troubles: [trouble], listed: true };
  return registeredUnder(root, items, file);
}

/**
 * Returns the files that match the paths and globs of a person's own command, which are relative to the vault or
 * absolute: whoever names a folder there allows it.
 */
export function namedFiles(patterns: readonly string[], vault: string): Registered {
  const each = patterns.map((pattern) => {
    const [root, below] = path.isAbsolute(pattern) ? splitAbsolute(pattern) : [vault, pattern];
    return registeredUnder(realOr(root), [{ candidates: [below], line: 0 }], null);
  });
  return {
    files: each.flatMap(({ files }) => files),
    troubles: each.flatMap(({ troubles }) => troubles),
    listed: true,
  };
}

/** How many items of a list are looked at, and how many directory entries for all of them: it is somebody's note. */
const MAX_ITEMS = 300;
const MAX_VISITED = 60_000;

function registeredUnder(root: string, items: readonly RegisteredItem[], briefing: string | null): Registered {
  const found = new Map<string, RegisteredFile>();
  const troubles: Diagnostic[] = [];
  let room = MAX_VISITED;
  for (const [at, item] of items.slice(0, MAX_ITEMS + 1).entries()) {
    const { files, reasons, visited } = at < MAX_ITEMS ? resolved(root, item, room) : TOO_MANY;
    room -= visited;
    for (const file of files) found.set(file, { path: file, root });
    const [line, written] = [item.line === 0 ? null : item.line, item.candidates[0] ?? ''];
    for (const reason of reasons) troubles.push(notRead(briefing, line, written, reason));
  }
  return { files: [...found.values()], troubles, listed: true };
}

/** The files of one item, or the reasons why some or all are not read. */
interface ResolvedItem {
  readonly files: readonly string[];
  readonly reasons: readonly string[];
  /** How many directory entries it took. */
  readonly visited: number;
}

const TOO_MANY: ResolvedItem = refused(`and what follows is not looked at: a list has ${MAX_ITEMS} items at most`);

function resolved(root: string, { candidates }: RegisteredItem, room: number): ResolvedItem {
  let visited = 0;
  const tried = candidates.map((candidate) => {
    const one = isWild(candidate) ? wild(root, candidate, room - visited) : single(root, candidate);
    visited += one.visited;
    return one;
  });
  const good = tried.find(({ files }) => files.length > 0) ?? tried[0] ?? refused();
  return { ...good, visited };
}

/** Resolves a glob. Folders among its matches are left out silently, everything else with a reason. */
function wild(root: string, pattern: string, room: number): ResolvedItem {
  if (hasHiddenName(pattern)) return refused(HIDDEN);
  if (room <= 0) return refused('is not looked at: the list before it names too much');
  const { files, cut, visited } = globbed(root, pattern, room);
  const places = new Places();
  const checked = files.map((file) => ({ file, reason: places.of(root, file).reason }));
  const good = checked.filter(({ reason }) => reason === null).map(({ file }) => file);
  const left = checked.filter(({ reason }) => reason !== null && reason !== FOLDER);
  return {
    files: good,
    reasons: [
      ...left.slice(0, 10).map(({ file, reason }) => `${file} ${reason}`),
      ...(left.length > 10 ? [`${left.length - 10} more that it names are not read`] : []),
      ...(cut ? ['names more files than are looked at; the first are taken'] : []),
      ...(files.length === 0 ? ['names no file'] : []),
    ],
    visited,
  };
}

function single(root: string, written: string): ResolvedItem {
  const file = path.posix.normalize(path.isAbsolute(written) ? path.relative(root, written) : written);
  const { reason } = placeOf(root, file);
  return reason === null ? { files: [file], reasons: [], visited: 0 } : refused(reason);
}

function refused(...reasons: readonly string[]): ResolvedItem {
  return { files: [], reasons, visited: 0 };
}

/** Splits an absolute pattern into the folder before its first wildcard, and the rest. */
function splitAbsolute(pattern: string): readonly [root: string, below: string] {
  const segments = pattern.split('/');
  const first = segments.findIndex(isWild);
  const cut = first === -1 ? segments.length - 1 : first;
  return [segments.slice(0, cut).join('/') || '/', segments.slice(cut).join('/')];
}

// Of a folder that is not there nothing is found.
function realOr(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    return folder;
  }
}

function notRead(file: string | null, line: number | null, written: string, reason: string): Diagnostic {
  return diagnostic({
    code: 'evidence-not-read',
    file,
    line,
    message: `${JSON.stringify(written)} ${reason}.`,
    hint: 'List files of the vault, or of the folder that the field root names, one a line.',
  });
}
