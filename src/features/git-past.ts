import { spawn } from 'node:child_process';
import { type Frontmatter, readNote } from '../vault/frontmatter.ts';

/*
 * The past of a vault's notes, as git knows it. The vault's own `.git/config` could name programs to run, so every
 * option of git that runs one is switched off, and so is the network.
 */

/** One commit's version of a note. */
export interface CommittedNote {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly data: Frontmatter;
}

/** The versions of all notes of a vault in git. */
export interface GitPast {
  /** When the first commit was made (epoch ms). */
  readonly firstCommit: number;
  /** By the note's present path, oldest first. */
  readonly notes: ReadonlyMap<string, readonly CommittedNote[]>;
}

/** The most that git may print; beyond it, git isn't used. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_COMMITS = 100_000;
/** How long one question to git may take, in ms. */
const TIMEOUT_MS = 20_000;

/** Returns what git knows of the notes in some folders of a vault; null if the vault isn't in git, or git can't say. */
export async function readGitPast(
  root: string,
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<GitPast | null> {
  const git = new Git(root, env);
  const log = await git.ask([...LOG, `--max-count=${MAX_COMMITS}`, '--', ...folders.map((one) => `./${one}`)]);
  if (log === null) return null;
  const versions = versionsIn(log.toString('utf8'));
  if (versions.length === 0) return null;
  const texts = await git.blobs(new Set(versions.map(({ blob }) => blob)));
  if (texts === null) return null;
  return {
    firstCommit: versions.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY),
    notes: notesIn(versions, texts),
  };
}

const LOG = [
  ...['log', '--raw', '--no-abbrev', '-M', '--diff-filter=AMR', '--relative', '--no-show-signature'],
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--no-notes', '--format=%x01%ct'],
];

/** A note as a commit left it, under its path of today. */
interface Version {
  readonly at: number;
  readonly path: string;
  readonly blob: string;
}

const CHANGED = /^:\d+ \d+ [0-9a-f]{40,64} ([0-9a-f]{40,64}) [AMR]\d{0,3}\t([^\t]+)(?:\t([^\t]+))?$/;

// The newest commit comes first, so that what a note is called today is known before its earlier names.
function versionsIn(log: string): Version[] {
  const names = new Map<string, string>();
  const versions: Version[] = [];
  let at = 0;
  for (const line of log.split('\n')) {
    if (line.startsWith('\u0001')) at = Number(line.slice(1)) * 1000;
    const [, blob, first, renamed] = CHANGED.exec(line) ?? [];
    if (blob === undefined || first === undefined || !Number.isFinite(at)) continue;
    const then = renamed ?? first;
    const path = names.get(then) ?? then;
    if (renamed !== undefined) names.set(first, path);
    if (path.endsWith('.md')) versions.push({ at, path, blob });
  }
  return versions;
}

function notesIn(versions: readonly Version[], texts: ReadonlyMap<string, Buffer>): Map<string, CommittedNote[]> {
  const notes = new Map<string, CommittedNote[]>();
  for (const { at, path, blob } of versions) {
    const bytes = texts.get(blob);
    const read = bytes === undefined ? null : readNote(path, bytes);
    if (read?.ok !== true) continue;
    notes.set(path, [{ at, data: read.note.data }, ...(notes.get(path) ?? [])]);
  }
  return notes;
}

/** Asks git about a folder, without letting it run anything else. */
class Git {
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(root: string, { PATH, HOME }: NodeJS.ProcessEnv) {
    this.#root = root;
    const quiet = {
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
    };
    this.#env = {
      ...(PATH === undefined ? {} : { PATH }),
      ...(HOME === undefined ? {} : { HOME }),
      LC_ALL: 'C',
      ...quiet,
    };
  }

  /** Returns the texts of blobs by their names; null if git can't say. */
  async blobs(names: ReadonlySet<string>): Promise<ReadonlyMap<string, Buffer> | null> {
    const answer = await this.ask(['cat-file', '--batch', '--buffer'], `${[...names].join('\n')}\n`);
    return answer === null ? null : blobsIn(answer);
  }

  /** Returns what git answers; null if it fails, is missing, takes too long or answers too much. */
  ask(words: readonly string[], input = ''): Promise<Buffer | null> {
    return new Promise((resolve) => {
      const child = spawn('git', [...SAFE, ...words], {
        cwd: this.#root,
        env: this.#env,
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      const parts: Buffer[] = [];
      let bytes = 0;
      child.stdout.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
        else parts.push(part);
      });
      child.on('error', () => resolve(null));
      child.on('close', (code) => resolve(code === 0 ? Buffer.concat(parts) : null));
      child.stdin.on('error', () => {}); // git has ended before it read all
      child.stdin.end(input);
    });
  }
}

const SAFE = [
  ...['--no-pager', '--no-replace-objects', '--literal-pathspecs'],
  ...['core.quotePath=false', 'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'protocol.allow=never'].flatMap(
    (setting) => ['-c', setting],
  ),
];

const HEAD = /^([0-9a-f]{40,64}) (?:blob (\d{1,15})|missing)$/;
const LF = 0x0a;

function blobsIn(answer: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf(LF, at);
    const [, name, size] = HEAD.exec(answer.toString('latin1', at, end < 0 ? answer.length : end)) ?? [];
    if (end < 0 || name === undefined) break;
    at = end + 1;
    if (size === undefined) continue;
    blobs.set(name, answer.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}
