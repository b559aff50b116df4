import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Diagnostic, diagnostic, StewardError, systemCode } from '../../vault/errors.ts';
import { insideVault } from '../../vault/files.ts';
import type { ParsedNote } from '../../vault/frontmatter/parsed-note.ts';
import { globbed } from './glob.ts';
import { type RegisteredItem, registeredItems } from './item.ts';
import { isSecret } from './secret.ts';
import { isWild } from './wildcard.ts';

/** A file that may be read as evidence. */
export interface RegisteredFile {
  /** Relative to `root`, with forward slashes: the form in which it is cited. */
  readonly path: string;
  /** Absolute. Nothing outside of it is read. */
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
 * Returns the files listed under `## Steward-Registered Files` in a briefing. Paths are relative to its field `root` (a
 * folder, absolute, `~/…`, or relative to the vault), or else to the vault. `file` names the briefing in diagnostics.
 */
export function registeredFiles(note: Pick<ParsedNote, 'data' | 'text'>, file: string, vault: string): Registered {
  const items = registeredItems(note.text);
  if (items === null) return NOTHING_REGISTERED;
  const root = rootOf(note.data.root, vault);
  if (root === null) return { files: [], troubles: [badRoot(file)], listed: true };
  return registeredUnder(root, items, file);
}

/** Returns the files that match the paths and globs of a command, which are relative to the vault or absolute. */
export function namedFiles(patterns: readonly string[], vault: string): Registered {
  const each = patterns.map((pattern) => {
    const [root, below] = path.isAbsolute(pattern) ? splitAbsolute(pattern) : [vault, pattern];
    return registeredUnder(root, [{ candidates: [below], line: 0 }], null);
  });
  return {
    files: each.flatMap(({ files }) => files),
    troubles: each.flatMap(({ troubles }) => troubles),
    listed: true,
  };
}

function registeredUnder(root: string, items: readonly RegisteredItem[], briefing: string | null): Registered {
  const found = new Map<string, RegisteredFile>();
  const troubles: Diagnostic[] = [];
  for (const item of items) {
    const { files, reasons } = resolved(root, item);
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
}

function resolved(root: string, { candidates }: RegisteredItem): ResolvedItem {
  const tried = candidates.map((candidate) => (isWild(candidate) ? wild(root, candidate) : single(root, candidate)));
  const good = tried.find(({ files }) => files.length > 0);
  return good ?? tried[0] ?? { files: [], reasons: [] };
}

/** Resolves a glob. Folders among its matches are left out silently, everything else with a reason. */
function wild(root: string, pattern: string): ResolvedItem {
  const { files, cut } = globbed(root, pattern);
  const checked = files.map((file) => ({ file, reason: reasonAgainst(root, file) }));
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
  };
}

function single(root: string, written: string): ResolvedItem {
  const file = path.posix.normalize(path.isAbsolute(written) ? path.relative(root, written) : written);
  const reason = reasonAgainst(root, file);
  return reason === null ? { files: [file], reasons: [] } : { files: [], reasons: [reason] };
}

const FOLDER = 'is a folder; name its files, as in folder/**';
const SECRET = 'is where keys or passwords are kept, by its name; such files are never read';

/** Returns why a path below the root is not read, or null. Links are resolved, and their targets are checked too. */
export function reasonAgainst(root: string, file: string): string | null {
  if (isSecret(file)) return SECRET;
  try {
    const real = insideVault(root, file);
    // The whole real path, so that a root inside `.ssh` or `.kube` is refused too.
    if (isSecret(real)) return SECRET;
    const stat = fs.statSync(real);
    if (stat.isDirectory()) return FOLDER;
    return stat.isFile() ? null : 'is a pipe, a socket or a device';
  } catch (error) {
    return reasonOfError(error);
  }
}

function reasonOfError(error: unknown): string {
  if (error instanceof StewardError) return 'leads out of the folder that may be read';
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is not there';
  if (code === 'ELOOP') return 'is a link that leads round in a circle';
  return `cannot be looked at (${code ?? 'its name is not valid'})`;
}

function rootOf(written: unknown, vault: string): string | null {
  if (written === undefined || written === null || written === '') return vault;
  if (typeof written !== 'string' || written.includes('\0')) return null;
  const root = path.resolve(
    vault,
    written.replace(/^~(?=\/|$)/, () => os.homedir()),
  );
  if (root === path.parse(root).root) return null; // the whole disk is never registered
  return fs.statSync(root, { throwIfNoEntry: false })?.isDirectory() === true ? root : null;
}

/** Splits an absolute pattern into the folder before its first wildcard, and the rest. */
function splitAbsolute(pattern: string): readonly [root: string, below: string] {
  const segments = pattern.split('/');
  const first = segments.findIndex(isWild);
  const cut = first === -1 ? segments.length - 1 : first;
  return [segments.slice(0, cut).join('/') || '/', segments.slice(cut).join('/')];
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

function badRoot(file: string): Diagnostic {
  return diagnostic({
    code: 'evidence-root',
    file,
    message: 'The field root names no folder that can be read.',
    hint: 'Give a folder of the vault, or an absolute path to one; without the field, paths are relative to the vault.',
  });
}
