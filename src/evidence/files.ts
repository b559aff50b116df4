import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnostic, StewardError, systemCode } from '../vault/errors.ts';
import { type FileBytes, fileError, isLink, isWithin, openedAt, readBytes } from '../vault/files.ts';
import type { ParsedNote } from '../vault/frontmatter.ts';
import { fold } from '../vault/layout.ts';

const FOLDERS: ReadonlySet<string> = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.steward',
  '.git',
]);
const NAMES: ReadonlySet<string> = new Set(
  '.netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg .dockerconfigjson .envrc .s3cfg .boto .vault_pass .secrets .bash_history .zsh_history kubeconfig shadow secrets passwords passwords.md seal-key anthropic_api_key'.split(
    ' ',
  ),
);
const NAME =
  /^(?:\.env(?:[._-].*)?|.*\.env|id_[^.]+|\.?credentials(?:\..*)?|\.?secrets\..*|(?:.*[._ -])?token(?:\.(?:txt|json|ya?ml))?|.*\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|tfstate|tfvars))$/;
/** Data files count as secret where their name contains one of the words below. */
const DATA = /\.(?:json|ya?ml|toml|ini|txt|csv|env|xml)$/;
const WORD =
  /(?:^|[._ -])(?:credentials?|secrets?|passwords?|passwd|client_secret|api[_-]?keys?|service[_-]?account)[._ -]/;
/** The suffix that an editor or a person adds to the name of a copy. */
const COPY = /(?:~|\.(?:bak|backup|old|orig|save|swp|tmp|\d{1,3}))$/;

/** Returns whether a path looks, by its name alone, like a file of keys or passwords. Such files are never read. */
export function isSecret(path: string): boolean {
  const segments = fold(path).split('/');
  const name = (segments.at(-1) ?? '').replace(COPY, '');
  if (segments.some((segment) => FOLDERS.has(segment)) || NAMES.has(name)) return true;
  return NAME.test(name) || (DATA.test(name) && WORD.test(name));
}

type Place = { readonly real: string; readonly reason: null } | { readonly real: null; readonly reason: string };

/** The reason against a folder: a glob leaves it out without a word. */
const FOLDER = 'is a folder; name its files, as in folder/**';
/** The reason against hidden names, which people do not mean when they name a folder. */
const HIDDEN = 'is hidden: a name on the way to it begins with a dot; such files are never read';
const SECRET = 'has a name used for keys or passwords; such files are never read';
const OUTSIDE = 'leads out of the folder that may be read, or nowhere';
const SECOND_NAME = 'has a second name elsewhere (a hard link), so its owner is unclear; a copy of it can be read';
const NO_FILE = 'is a pipe, a socket, a device or no file of a disk';
/** Folders whose files are the system's own talk: the environment of a process, with its keys, is one of them. */
const KERNEL = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Whether a name on the way from a folder down to a path in it begins with a dot. Both are absolute and without links. */
function isHiddenBelow(folder: string, absolute: string): boolean {
  return hasHiddenName(absolute.slice(folder.length));
}

function hasHiddenName(relative: string): boolean {
  return HIDDEN_NAME.test(relative);
}

const HIDDEN_NAME = /(?:^|\/)\.(?!\.?(?:\/|$))/;

/**
 * Returns where a path below a root leads, or why that is not read. `root`: as it was allowed, absolute, links
 * resolved; if it is a link by now, it leads outside. The result says no more about what is outside, not even whether
 * it exists.
 */
export function resolvePlace(root: string, file: string): Place {
  if (isSecret(file)) return refused(SECRET);
  const lexical = path.resolve(root, file);
  if (file.includes('\0') || !isWithin(root, lexical)) return refused(OUTSIDE);
  try {
    const real = fs.realpathSync.native(lexical);
    if (!isWithin(root, real)) return refused(OUTSIDE);
    const reason = reasonAgainstReal(root, real) ?? reasonAgainstKind(fs.statSync(real));
    return reason === null ? { real, reason } : refused(reason);
  } catch (error) {
    return refused(reasonOfError(error, root, lexical));
  }
}

/** Returns why a file is not read for where it really lies, or null. The whole path counts: a root may be `.ssh`. */
function reasonAgainstReal(root: string, real: string): string | null {
  if (!isWithin(root, real)) return OUTSIDE;
  if (isSecret(real)) return SECRET;
  if (isHiddenBelow(root, real)) return HIDDEN;
  return KERNEL.test(real) ? NO_FILE : null;
}

function reasonAgainstKind(stat: fs.Stats): string | null {
  if (stat.isDirectory()) return FOLDER;
  if (!stat.isFile()) return NO_FILE;
  return stat.nlink > 1 ? SECOND_NAME : null;
}

function reasonOfError(error: unknown, root: string, lexical: string): string {
  const code = systemCode(error);
  if (code === 'ELOOP') return 'is a circular link';
  if (leadsOut(root, lexical)) return OUTSIDE;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is not there';
  return `can't be checked (${code ?? 'its name is not valid'})`;
}

// The way to what cannot be reached is followed as far as it goes: a link on it may lead out.
function leadsOut(root: string, lexical: string): boolean {
  for (let at = lexical; isWithin(root, at) && at !== root; at = path.dirname(at)) {
    if (isLink(at) && !isReachedBelow(root, at)) return true;
  }
  return !isReachedBelow(root, root);
}

function isReachedBelow(root: string, at: string): boolean {
  try {
    return isWithin(root, fs.realpathSync.native(at));
  } catch {
    return false;
  }
}

function refused(reason: string): Place {
  return { real: null, reason };
}

/** Returns whether a text contains a wildcard: `*`, `?`, or alternatives in braces. */
function isWild(text: string): boolean {
  return /[*?{]/.test(text);
}

/** Expands alternatives in braces: `a.{ts,js}` into two patterns. Returns at most `max`. Braces do not nest. */
function expandBraces(pattern: string, max: number): readonly string[] {
  let patterns = [''];
  for (const part of pattern.split(/(\{[^{}]*\})/)) {
    const choices = part.startsWith('{') && part.endsWith('}') ? part.slice(1, -1).split(',') : [part];
    patterns = patterns.flatMap((prefix) => choices.map((choice) => prefix + choice)).slice(0, max);
  }
  return patterns;
}

/** Returns whether a name without slashes matches a pattern with `*` for any characters and `?` for one. */
function nameFits(name: string, pattern: string): boolean {
  const ending = pattern.slice(1);
  // Most patterns are of this form, and most names are asked for one.
  if (pattern.startsWith('*') && !/[*?]/.test(ending)) return name.endsWith(ending);
  return fits([...name], [...pattern], (one, wanted) => wanted === '?' || one === wanted, '*');
}

/** Returns whether a path matches a pattern whose segments are such patterns, with `**` for any number of folders. */
export function pathFits(path: string, pattern: string): boolean {
  return fits(path.split('/'), pattern.split('/'), nameFits, '**');
}

/** The common two-pointer match without recursion: after a mismatch, only the last star takes one item more. */
function fits<One>(
  given: readonly One[],
  pattern: readonly string[],
  same: (one: One, wanted: string) => boolean,
  star: string,
): boolean {
  let [at, wanted, starAt, resume] = [0, 0, -1, 0];
  while (at < given.length) {
    const [one, want] = [given[at], pattern[wanted]];
    if (want === star) {
      [starAt, resume] = [wanted, at];
      wanted += 1;
    } else if (one !== undefined && want !== undefined && same(one, want)) {
      at += 1;
      wanted += 1;
    } else if (starAt !== -1) {
      resume += 1;
      [at, wanted] = [resume, starAt + 1];
    } else return false;
  }
  return pattern.slice(wanted).every((left) => left === star);
}

const MAX_FILES = 2_000;
/** How many directory entries are visited for one pattern. */
const MAX_VISITED = 20_000;

/** What a pattern matches, sorted. `cut`: a limit was reached, so some may be missing. `visited`: directory entries. */
interface Globbed {
  readonly files: readonly string[];
  /** The hidden files that it would match otherwise, and that are secret by their names. */
  readonly secrets: readonly string[];
  readonly cut: boolean;
  readonly visited: number;
}

/** How deep `**` goes. */
const MAX_DEPTH = 24;
const MAX_PATTERNS = 32;

/**
 * Returns the paths below `root` that match a pattern, after at most `room` directory entries. Hidden names never match.
 * Behind the first wildcard, linked folders are skipped, and no link out of the root is followed.
 */
function globbed(root: string, pattern: string, room: number): Globbed {
  const found = new Set<string>();
  const secrets = new Set<string>();
  const globbedBy = (visited: number, cut: boolean) => {
    return { files: [...found].sort(), secrets: [...secrets].sort(), cut, visited };
  };
  let visited = 0;
  for (const one of expandBraces(pattern, MAX_PATTERNS)) {
    const segments = one.split('/').filter((segment) => segment !== '' && segment !== '.');
    const depth = segments.includes('**') ? MAX_DEPTH : segments.length;
    const start = segments.slice(0, fixedSegments(segments)).join('/');
    const pending = hasHiddenName(start) ? [] : [start];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      if (found.size >= MAX_FILES || visited >= Math.min(MAX_VISITED, room)) return globbedBy(visited, true);
      const items = itemsIn(root, folder);
      visited += items.length + 1;
      for (const item of items) {
        const file = folder === '' ? item.name : `${folder}/${item.name}`;
        const isHidden = item.name.startsWith('.');
        if (!isHidden && item.isDirectory() && file.split('/').length < depth) pending.push(file);
        if (!pathFits(file, segments.join('/'))) continue;
        if (!isHidden) found.add(file);
        else if (isSecret(item.name) && !item.isDirectory()) secrets.add(file);
      }
    }
  }
  return globbedBy(visited, false);
}

function fixedSegments(segments: readonly string[]): number {
  const first = segments.findIndex(isWild);
  return first === -1 ? segments.length - 1 : first;
}

function itemsIn(root: string, folder: string): readonly fs.Dirent[] {
  try {
    const absolute = fs.realpathSync.native(path.resolve(root, folder));
    return isWithin(root, absolute) ? fs.readdirSync(absolute, { withFileTypes: true }) : [];
  } catch {
    return []; // not a folder, or gone by now
  }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Tells, line by line, which lines of a Markdown text belong to fenced code. */
export class CodeFences {
  #open: string | null = null;

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Reads the next line. Returns whether it is inside fenced code, or opens or closes it. */
  isCode(line: string): boolean {
    const ticks = FENCE.exec(line)?.[1] ?? null;
    if (ticks !== null) this.#open = this.#open === null ? ticks : ticks.startsWith(this.#open) ? null : this.#open;
    return this.isOpen || ticks !== null;
  }
}

/** A file or glob that a briefing registers: the paths it may mean, the likeliest first. */
interface RegisteredItem {
  readonly candidates: readonly string[];
  /** 1-based, in the text. */
  readonly line: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\n]*)$/;
const BULLET = /^[ \t]{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?([^\n]*)$/;
/** What may separate a path from a comment on it. */
const COMMENT = /\s(?:—|–|--?|#|\/\/)\s|<!--|:\s|\t/;

function registeredItems(text: string): readonly RegisteredItem[] | null {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  let level: number | null = null;
  const fences = new CodeFences();
  let comment: string | null = null;
  const items: RegisteredItem[] = [];
  for (const [index, line] of lines.entries()) {
    const within = comment !== null;
    if (!fences.isOpen) comment = commentAfter(line.replace(/`[^`]*`/g, ''), comment);
    if (within || fences.isCode(line)) continue;
    const [, marks = '', title = ''] = HEADING.exec(line) ?? [];
    if (isTitle(title)) level = marks.length;
    else if (level !== null && marks !== '' && marks.length <= level) break;
    const written = level === null ? undefined : BULLET.exec(line)?.[1];
    if (written !== undefined) items.push({ candidates: candidatesOf(written.trim()), line: index + 1 });
  }
  return level === null ? null : items;
}

/** Returns the end mark of the HTML or Obsidian comment that is open after a line; null if no comment is open. */
function commentAfter(line: string, open: string | null): string | null {
  if (open !== null) return line.includes(open) ? null : open;
  if (line.lastIndexOf('<!--') > line.lastIndexOf('-->')) return '-->';
  return line.split('%%').length % 2 === 0 ? '%%' : null;
}

function isTitle(title: string): boolean {
  const bare = title.trim().replace(/(?<=\s)#+$/, '');
  return bare.trim().toLowerCase() === 'steward-registered files';
}

/** Backticks, quotes or a link delimit a path. A bare path ends at a comment or at its first blank. */
function candidatesOf(written: string): readonly string[] {
  const marked =
    /^(?:(`+)([^`]+)\1|"([^"]+)"|'([^']+)'|\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]|\[[^\]]*\]\(<?([^)>]+)>?\))/.exec(written);
  if (marked !== null)
    return withNote(marked.slice(2).find((part) => part !== undefined) ?? '', marked[5] !== undefined);
  const path = written.split(COMMENT, 1)[0]?.trim() ?? '';
  const word = path.split(/\s/, 1)[0] ?? '';
  return [...new Set([path, word])].filter((one) => one !== '');
}

// A wikilink names a note without its extension.
function withNote(path: string, isLink: boolean): readonly string[] {
  return isLink ? [path.trim(), `${path.trim()}.md`] : [path.trim()];
}

/**
 * Where a note may have files read: its vault (absolute, links resolved), and the folders outside of it that a person
 * has named in the environment or to a command (absolute). No note can add to them.
 */
export interface Ground {
  readonly vault: string;
  readonly roots: readonly string[];
}

type RootChoice =
  | { readonly root: string; readonly trouble: null }
  | { readonly root: null; readonly trouble: Diagnostic };

/**
 * Returns the folder that a note's field `root` names, with links resolved: the vault if there is no such field. `file`
 * names the note in the diagnostic, which doesn't reveal what is outside.
 */
function rootOf(written: unknown, file: string, ground: Ground): RootChoice {
  if (written === undefined || written === null || written === '') return { root: ground.vault, trouble: null };
  const root = typeof written === 'string' && !written.includes('\0') ? allowedFolder(written, ground) : null;
  return root === null ? { root, trouble: badRoot(file, written) } : { root, trouble: null };
}

function allowedFolder(written: string, { vault, roots }: Ground): string | null {
  const asked = path.resolve(vault, written);
  const real = roots.map(realFolder).filter((root) => root !== null);
  // By its text first: the disk isn't asked about places outside, not even whether they exist.
  if (![vault, ...roots, ...real].some((base) => isWithin(base, asked))) return null;
  const folder = realFolder(asked);
  const bases = folder === null ? [] : [vault, ...real].filter((base) => isWithin(base, folder));
  return bases.some((base) => folder !== null && !isHiddenBelow(base, folder)) ? folder : null;
}

/** Returns a folder with links resolved; null if it doesn't exist, or is the whole disk, which is never registered. */
function realFolder(folder: string): string | null {
  try {
    const real = fs.realpathSync.native(folder);
    return real !== path.parse(real).root && fs.statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function badRoot(file: string, written: unknown): Diagnostic {
  const named = typeof written === 'string' ? ` ${JSON.stringify(written.slice(0, 200))}, which is` : '';
  const home = named.startsWith(' "~') ? " In a note, ~ doesn't mean your home folder." : '';
  return diagnostic({
    code: 'evidence-root',
    file,
    message: `The field root names${named} no folder of the vault, nor one that may be read outside of it.`,
    hint: `Name a folder of the vault. One outside must be allowed by you: in STEWARD_EVIDENCE_ROOTS of the daemon, or with --root DIR of the command.${home}`,
  });
}

/** A file that may be read as evidence. */
export interface RegisteredFile {
  /** Relative to `root`, with forward slashes: the form in which it is cited. */
  readonly path: string;
  /** Absolute, links resolved when it was allowed. Nothing outside of it is read, whatever becomes of the folder. */
  readonly root: string;
}

/** The files that a briefing or a command allows to be read. */
export interface RegisteredFiles {
  readonly files: readonly RegisteredFile[];
  /**
   * The files that are listed but not read: missing, outside the root, a folder, a secret. `line` is that of the
   * briefing.
   */
  readonly troubles: readonly Diagnostic[];
  /** The paths of those that are not read because keys or passwords are kept in such files; a few of a long list. */
  readonly secrets: readonly string[];
  /** Whether there is a list at all. Without one there is no evidence. */
  readonly listed: boolean;
}

const NOTHING_REGISTERED: RegisteredFiles = { files: [], troubles: [], secrets: [], listed: false };

/**
 * Returns the files listed under `## Steward-Registered Files` in a briefing. Paths are relative to its field `root`,
 * which is within the folders that a person has allowed, or else to the vault. `file` names the briefing in
 * diagnostics.
 */
export function registeredFiles(
  note: Pick<ParsedNote, 'data' | 'text'>,
  file: string,
  ground: Ground,
): RegisteredFiles {
  const items = registeredItems(note.text);
  if (items === null) return NOTHING_REGISTERED;
  const { root, trouble } = rootOf(note.data.root, file, ground);
  if (root === null) return { files: [], troubles: [trouble], secrets: [], listed: true };
  return registeredUnder(root, items, file);
}

/**
 * Returns the files that match the paths and globs of a person's own command, which are relative to the vault or
 * absolute. To name a folder there is to allow it.
 */
export function namedFiles(patterns: readonly string[], vault: string): RegisteredFiles {
  const each = patterns.map((pattern) => {
    const [root, below] = path.isAbsolute(pattern) ? splitAbsolute(pattern) : [vault, pattern];
    return registeredUnder(realOr(root), [{ candidates: [below], line: 0 }], null);
  });
  return {
    files: each.flatMap(({ files }) => files),
    troubles: each.flatMap(({ troubles }) => troubles),
    secrets: each.flatMap(({ secrets }) => secrets).slice(0, MAX_SECRETS),
    listed: true,
  };
}

/** How many items of a list are looked at, and how many directory entries for all of them: it is somebody's note. */
const MAX_ITEMS = 300;
const MAX_VISITED_REGISTERED = 60_000;
const MAX_SECRETS = 50;

function registeredUnder(root: string, items: readonly RegisteredItem[], briefing: string | null): RegisteredFiles {
  const found = new Map<string, RegisteredFile>();
  const troubles: Diagnostic[] = [];
  const left = new Set<string>();
  let room = MAX_VISITED_REGISTERED;
  for (const [at, item] of items.slice(0, MAX_ITEMS + 1).entries()) {
    const { files, reasons, secrets, visited } = at < MAX_ITEMS ? resolved(root, item, room) : TOO_MANY;
    room -= visited;
    for (const secret of secrets) left.add(secret);
    for (const file of files) found.set(file, { path: file, root });
    const [line, written] = [item.line === 0 ? null : item.line, item.candidates[0] ?? ''];
    for (const reason of reasons) troubles.push(notRead(briefing, line, written, reason));
  }
  return { files: [...found.values()], troubles, secrets: [...left].slice(0, MAX_SECRETS), listed: true };
}

/** The files of one item, or the reasons why some or all are not read. */
interface ResolvedItem {
  readonly files: readonly string[];
  readonly reasons: readonly string[];
  /** Those of the files that are not read because of their names. */
  readonly secrets: readonly string[];
  readonly visited: number;
}

const TOO_MANY: ResolvedItem = refusedRegistered(
  `and what follows is not checked: a list has ${MAX_ITEMS} items at most`,
);

function resolved(root: string, { candidates }: RegisteredItem, room: number): ResolvedItem {
  let visited = 0;
  const tried = candidates.map((candidate) => {
    const one = isWild(candidate) ? wild(root, candidate, room - visited) : single(root, candidate);
    visited += one.visited;
    return one;
  });
  const good = tried.find(({ files }) => files.length > 0) ?? tried[0] ?? refusedRegistered();
  return { ...good, visited };
}

/** Resolves a glob. Folders among its matches are left out silently, everything else with a reason. */
function wild(root: string, pattern: string, room: number): ResolvedItem {
  if (hasHiddenName(pattern)) return refusedRegistered(HIDDEN);
  if (room <= 0) return refusedRegistered('is not checked: the list before it names too much');
  const { files, secrets, cut, visited } = globbed(root, pattern, room);
  const checked = files.map((file) => ({ file, reason: resolvePlace(root, file).reason }));
  const good = checked.filter(({ reason }) => reason === null).map(({ file }) => file);
  const refused = checked.filter(({ reason }) => reason !== null && reason !== FOLDER);
  const left = [...refused, ...secrets.map((file) => ({ file, reason: SECRET }))];
  return {
    files: good,
    secrets: left.filter(({ reason }) => reason === SECRET).map(({ file }) => file),
    reasons: [
      ...left.slice(0, 10).map(({ file, reason }) => `${file} ${reason}`),
      ...(left.length > 10 ? [`${left.length - 10} more that it names are not read`] : []),
      ...(cut ? ['names more files than can be checked; only the first are used'] : []),
      ...(files.length === 0 ? ['names no file'] : []),
    ],
    visited,
  };
}

function single(root: string, written: string): ResolvedItem {
  const file = path.posix.normalize(path.isAbsolute(written) ? path.relative(root, written) : written);
  const { reason } = resolvePlace(root, file);
  if (reason === null) return { files: [file], reasons: [], secrets: [], visited: 0 };
  return { ...refusedRegistered(reason), secrets: reason === SECRET ? [file] : [] };
}

function refusedRegistered(...reasons: readonly string[]): ResolvedItem {
  return { files: [], reasons, secrets: [], visited: 0 };
}

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

/**
 * Returns the registered files that a name in a request means: the one with that path, or all whose path ends with it
 * (`tuning.dart` for `lib/tuning.dart`). If no path matches, case and the encoding of accents are ignored.
 */
export function filesNamed(files: readonly RegisteredFile[], name: string): readonly RegisteredFile[] {
  const wanted = name.replace(/^\.\//, '');
  const exact = files.filter(({ path }) => path === wanted);
  if (exact.length > 0) return exact;
  const ending = files.filter(({ path }) => path.endsWith(`/${wanted}`));
  if (ending.length > 0) return ending;
  const folded = fold(wanted);
  return files.filter(({ path }) => fold(path) === folded || fold(path).endsWith(`/${folded}`));
}

/** Returns whether a text can only be a file name: one word with an extension. */
export function looksLikeFile(name: string): boolean {
  return /^[^\s]{1,400}\.[A-Za-z0-9]{1,10}$/.test(name);
}

/** Lines `first` to `last` of a file, both counted from 1. */
export interface Citation {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Lines of a file, verbatim. */
export interface Extract extends Citation {
  /** The kind and name of the part, such as `function load`; null if unnamed. */
  readonly part: string | null;
  readonly lines: readonly string[];
}

/** The result of a lookup in the registered files. */
export interface LookupFinding {
  readonly found: boolean;
  /** Counts, or remarks on the extracts; never an interpretation. */
  readonly statements: readonly string[];
  readonly extracts: readonly Extract[];
  /** Lines that are cited without their text. */
  readonly citations: readonly Citation[];
  /** The paths that were looked at. */
  readonly checked: readonly string[];
}

/** Returns lines of a source as an extract. `part`: what they are. */
export function cutExtract(source: EvidenceSource, first: number, last: number, part: string | null = null): Extract {
  return { path: source.path, first, last, part, lines: source.lines.slice(first - 1, last) };
}

/** Drops extracts that are inside another one. */
export function withoutNested(extracts: readonly Extract[]): readonly Extract[] {
  return extracts.filter(
    (one, index) =>
      !extracts.some(
        (other, at) =>
          other.path === one.path &&
          other.first <= one.first &&
          one.last <= other.last &&
          (other.last - other.first > one.last - one.first || at < index),
      ),
  );
}

/** Returns `path:line` or `path:first-last`. The path is quoted where its characters would be ambiguous. */
export function cite({ path, first, last }: Citation): string {
  const name = /^[^\p{Cc}\p{Zl}\p{Zp}":`]+$/u.test(path) ? path : JSON.stringify(path);
  return first === last ? `${name}:${first}` : `${name}:${first}-${last}`;
}

/** Returns a finding of something. */
export function found(parts: Pick<LookupFinding, 'statements' | 'extracts' | 'checked'>): LookupFinding {
  return { found: true, citations: [], ...parts };
}

/** Returns a finding of nothing. `statements` say why. */
export function notFound(statements: readonly string[], checked: readonly string[]): LookupFinding {
  return { found: false, statements, extracts: [], citations: [], checked };
}

const MAX_LEFT_OUT = 10;

/** Says which files were left out because they probably contain keys or passwords; empty if there aren't any. */
export function leftOutText(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const rest = paths.length > MAX_LEFT_OUT ? ` and ${paths.length - MAX_LEFT_OUT} more` : '';
  return [`Left out, because they may contain keys or passwords: ${paths.slice(0, MAX_LEFT_OUT).join(', ')}${rest}.`];
}

/** How much of a file is looked at for credentials: their files are short, or begin with them. */
const HEAD_CHARS = 8_192;
/** A private key as it is kept in a file: the mark on a line of its own, wherever it stands, and a line of key below. */
const PRIVATE_KEY =
  /^[ \t]*-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[ \t]*\r?\n(?:[ \t]*[A-Za-z-]+:[^\n]*\n)*\s*[A-Za-z0-9+/=]{16,}/m;
const CREDENTIALS: readonly RegExp[] = [
  /^PuTTY-User-Key-File-\d/, // PuTTY
  /^AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{20,}/im, // age
  /^"?-----BEGIN [A-Z ]*PRIVATE KEY-----\\n/m,
  /"private_key"\s*:\s*"-----BEGIN /, // service accounts
  /^[ \t]*(?:export[ \t]+)?aws_secret_access_key[ \t]*=[ \t]*\S{16,}/im,
  /^[ \t]*client-key-data:[ \t]*\S{16,}/m, // kubeconfig
  /^[ \t]*machine[ \t]+\S+[ \t]+login[ \t]+\S+[ \t]+password[ \t]+\S/m, // .netrc
  /^(?:\/\/[^\s:=]+\/:)?_(?:authToken|password|auth)[ \t]*=[ \t]*\S{8,}/m, // .npmrc
  /"auths"\s*:\s*\{[\s\S]{0,2000}?"auth"\s*:\s*"[A-Za-z0-9+/=]{8,}"/, // Docker
  /^\s*(?:sk-ant-|ghp_|github_pat_|glpat-|xox[bp]-)[\w-]{16,}\s*$/, // nothing but a token
  /^https?:\/\/[^\s:/@]+:[^\s/@]+@[\w.-]+\/?$/m, // .git-credentials
];

/** Any match of the patterns above contains one of these: most files contain none, and are searched once. */
const MARKS =
  /PuTTY-User|AGE-SECRET|PRIVATE KEY|private_key|aws_secret|client-key-data|machine|_auth|_password|"auths"|sk-ant-|ghp_|github_pat_|glpat-|xox[bp]-|:\/\//i;

/** Tokens of GitHub, GitLab, AWS, Slack, npm, Google, Stripe, Anthropic and others, anywhere in a text. */
const TOKEN =
  /(?<![\w-])(?:gh[opsur]_\w{36,}|github_pat_\w{40,}|glpat-[\w-]{20,}|A[KS]IA[A-Z2-7]{16}(?!\w)|xox[abeprs]-[\w-]{20,}|npm_\w{36}|AIza[\w-]{35}|[rs]k_live_\w{20,}|sk-(?:ant-|proj-)?[\w-]{20,})/g;
/** A made-up token in a manual repeats few characters, and a name such as sk-fading-circle has no figures or capitals. */
const FEW_CHARACTERS = 10;

function hasToken(text: string): boolean {
  for (const [token] of text.matchAll(TOKEN)) {
    const isMadeUp = token.endsWith('EXAMPLE') || new Set(token).size < FEW_CHARACTERS;
    if (!isMadeUp && /[A-Z]/.test(token) && /\d/.test(token)) return true;
  }
  return false;
}

/** Returns whether a text contains a private key or a service's token, or is a file of credentials, whatever its name. */
export function holdsSecret(text: string): boolean {
  const head = text.slice(0, HEAD_CHARS);
  if ((text.includes('PRIVATE KEY') && PRIVATE_KEY.test(text)) || hasToken(text)) return true;
  return MARKS.test(head) && CREDENTIALS.some((pattern) => pattern.test(head));
}

/** Larger files are refused. */
const MAX_SOURCE_BYTES = 16 * 1024 * 1024;
const EXCHANGED = 'was replaced while it was read';

/** The text of a registered file, as it was when it was read. */
export interface EvidenceSource {
  readonly path: string;
  /** Without a byte order mark. */
  readonly text: string;
  /** Without line ends; line 1 is `lines[0]`. */
  readonly lines: readonly string[];
}

/**
 * Reads a registered file. Throws a `StewardError` if it is gone, leads out of its root by now, is too large, is not
 * text, or contains a key or passwords.
 */
export function readSource(file: RegisteredFile): EvidenceSource {
  const place = resolvePlace(file.root, file.path);
  if (place.real === null) throw notReadSource(file, place.reason);
  const source = loadSource(file.path, readAt(file, place.real));
  if (holdsSecret(source.text)) throw new SecretFile(notReadSource(file, HOLDS_SECRET).trouble);
  return source;
}

const HOLDS_SECRET = 'contains a private key, a token or passwords; such files are never read';

class SecretFile extends StewardError {}

/** Whether a file was not read because of a key or passwords in it. */
export function isSecretFile(error: unknown): boolean {
  return error instanceof SecretFile;
}

/** Reads a registered file. Returns null if `readSource` throws a `StewardError`. */
export function tryRead(file: RegisteredFile): EvidenceSource | null {
  try {
    return readSource(file);
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

/** Returns bytes as a source. Throws a `StewardError` if they are not text in UTF-8. */
export function loadSource(path: string, bytes: Buffer): EvidenceSource {
  if (bytes.includes(0)) throw notReadSource({ path }, "isn't text: it contains NUL bytes");
  if (!isUtf8(bytes)) throw notReadSource({ path }, "isn't UTF-8 text");
  return new TextSource(path, bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

/** Most files of a search are looked at as a whole, and never taken apart. */
class TextSource implements EvidenceSource {
  readonly path: string;
  readonly text: string;
  #lines: readonly string[] | null = null;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  get lines(): readonly string[] {
    this.#lines ??= linesOf(this.text);
    return this.#lines;
  }
}

/** Returns the extension of a source's path in lower case, without the dot. */
export function fileExtension({ path }: EvidenceSource): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/** Splits a text as editors do: a line ends with `\n` or `\r\n`. */
function linesOf(text: string): readonly string[] {
  const split = text.split('\n');
  // Most files have no `\r`: to look for one in all of the text is quicker than at the end of each line.
  const lines = text.includes('\r') ? split.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : split;
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function readAt(file: RegisteredFile, real: string): Buffer {
  try {
    return readOnlyThat(file, real).bytes;
  } catch (error) {
    if (error instanceof StewardError && error.trouble.code === 'note-too-large')
      throw notReadSource(file, `is larger than the ${MAX_SOURCE_BYTES / 1024 / 1024} MiB that are read`);
    throw fileError(error, path.posix.basename(file.path));
  }
}

// Between the look at a path and its opening a folder may be replaced by a link, or the file by another. So what was
// opened is looked at once more, by where the system says that it lies, before a byte of it is read.
function readOnlyThat(file: RegisteredFile, real: string): FileBytes {
  return readBytes(real, MAX_SOURCE_BYTES, fs.constants.O_NOFOLLOW, (handle, stat) => {
    const at = openedAt(handle);
    // Of the path under which it was to be opened, all is known already.
    const reason = at === null ? reasonAgainstSwap(file, stat) : at === real ? null : reasonAgainstReal(file.root, at);
    if (reason !== null || (at !== null && at !== real)) throw notReadSource(file, reason ?? EXCHANGED);
    const kind = reasonAgainstKind(stat);
    if (kind !== null) throw notReadSource(file, kind);
  });
}

// Without such an account of the system the path is resolved again: the opened file counts only if it is still there.
function reasonAgainstSwap(file: RegisteredFile, opened: fs.Stats): string | null {
  const { real, reason } = resolvePlace(file.root, file.path);
  if (real === null) return reason;
  const now = fs.statSync(real);
  return now.ino === opened.ino && now.dev === opened.dev ? null : EXCHANGED;
}

function notReadSource({ path }: Pick<RegisteredFile, 'path'>, reason: string): StewardError {
  return new StewardError({
    code: 'evidence-not-read',
    file: path,
    message: `${JSON.stringify(path)} ${reason}.`,
    hint: 'Only text files below the registered folder are read.',
  });
}
