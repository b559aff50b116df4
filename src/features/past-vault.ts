import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { ReadAccess, Targets, Workspace } from '../daemon/context.ts';
import { TaskBook, type Tiers, type TrainedReader } from '../reading/learnt.ts';
import { type TargetCandidate, TargetIndex } from '../reading/targets.ts';
import { isStateField, ourName } from '../steward/change.ts';
import { isReversed } from '../steward/proposals.ts';
import { isKnownNote } from '../steward/records.ts';
import { pastAnswers } from '../steward/sender.ts';
import type { PastAnswer, StreamEvent } from '../steward/types.ts';
import { eventSource } from '../streams/signal.ts';
import { syncTargets } from '../streams/target-sync.ts';
import { type Frontmatter, readNote, type Yaml } from '../vault/frontmatter.ts';
import { noteMoment } from '../vault/note-text.ts';
import { type EventRecord, type ReversalRecord, stateMeant, type TargetRecord } from '../vault/record.ts';
import { endOfLocalDay, isDateOnly, parseLocalTime } from '../vault/time.ts';

/*
 * The state of a task or matter on an earlier day, as far as that is known: when it was made, when it was completed, and
 * when its day was moved: from the note, from Steward's own records, from git, or from the time of its file.
 */

/** From where a date of a note's past is known, best first. `file`: the time of its file, which any later edit moves. */
export const PAST_SOURCES = ['completedDate', 'steward', 'git', 'file'] as const;
export type PastSource = (typeof PAST_SOURCES)[number];

/** The fields whose past is known. */
type PastField = 'state' | 'due';

/** One change of a field of a note. */
export interface PastMove {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly field: PastField;
  readonly before: string | null;
  readonly after: string | null;
  readonly by: PastSource;
  /** `undone`: Steward made it, and it was undone; `undo`: an undo, or an undo of that. Absent if it counts as the user's. */
  readonly fate?: 'undone' | 'undo';
}

export interface NotePast {
  /** In order of time. */
  readonly moves: readonly PastMove[];
  /** When it was made (epoch ms). Null if that isn't known: then it counts as there from the beginning. */
  readonly created: { readonly at: number; readonly by: 'created' | 'git' | 'file' } | null;
  /** From when on every change of its day is known (epoch ms); null without git. */
  readonly datesSince: number | null;
}

export interface PresentNote {
  readonly state: string;
  readonly due: string | null;
  /** As written; null if the note has no such date. */
  readonly completedDate: string | null;
  /** When it says that it was made, as written; null if it doesn't say. */
  readonly created: string | null;
  readonly mtimeMs: number;
  /** When its file was made; null if the file system doesn't know. */
  readonly bornMs: number | null;
}

/** A note as a commit has it. */
interface GitVersion {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly state: string;
  readonly due: string | null;
  readonly completedDate: string | null;
}

interface GitNote {
  /** Oldest first. */
  readonly versions: readonly GitVersion[];
  /** When the vault's first commit was made (epoch ms). A note in that commit may be older. */
  readonly firstCommit: number;
}

/** Returns what is known of a note's past. `own`: changes that Steward recorded, in order of time. */
export function pastOfNote(now: PresentNote, own: readonly PastMove[], git: GitNote | null): NotePast {
  const states = withPresent(movesOf('state', own, git), now);
  const moves = [...states, ...movesOf('due', own, git)].toSorted(byTime);
  const created = createdOf(now, git);
  // A note that was completed before it was made was entered later.
  const isEarlier = created !== null && moves.some(({ at }) => at < created.at);
  return { moves, created: isEarlier ? null : created, datesSince: git?.versions[0]?.at ?? null };
}

/** Returns what a field said at a moment (epoch ms). `now`: what it says now. */
export function valueAt(past: NotePast, field: PastField, at: number, now: string | null): string | null {
  const next = past.moves.find((move) => move.field === field && move.at > at);
  return next === undefined ? now : next.before;
}

/** Whether a note was there at a moment (epoch ms), as far as that is known. */
export function wasThere({ created }: NotePast, at: number): boolean {
  return created === null || created.at <= at;
}

/** Whether a change counts as what the user did: one that was undone doesn't, nor does an undo. */
export function isUsers({ fate }: PastMove): boolean {
  return fate === undefined;
}

export function isEnd(state: string | null): boolean {
  return state === 'done' || state === 'archived';
}

function byTime(one: PastMove, other: PastMove): number {
  return one.at - other.at;
}

// A commit is later than the change in it, and may have one that Steward recorded.
function movesOf(field: PastField, own: readonly PastMove[], git: GitNote | null): PastMove[] {
  const recorded = own.filter((move) => move.field === field);
  const versions = git?.versions ?? [];
  const committed = versions.flatMap((version, nth): PastMove[] => {
    const before = versions[nth - 1];
    if (before === undefined || before[field] === version[field]) return [];
    // Of several in between, the last one shows in the commit.
    const last = recorded.findLast(({ at }) => at > before.at && at <= version.at);
    const isRecorded = last !== undefined && last.after === version[field];
    return isRecorded ? [] : [dated({ field, before: before[field], after: version[field] }, version)];
  });
  return [...recorded, ...committed].toSorted(byTime);
}

function dated(change: Omit<PastMove, 'at' | 'by'>, version: GitVersion): PastMove {
  const said = change.field === 'state' && isEnd(change.after) ? completedAt(version.completedDate) : null;
  if (said === null || said > endOfLocalDay(version.at)) return { ...change, at: version.at, by: 'git' };
  return { ...change, at: Math.min(said, version.at), by: 'completedDate' };
}

// A state that neither Steward nor git has seen before is dated by the note itself, else by its file.
function withPresent(moves: readonly PastMove[], now: PresentNote): PastMove[] {
  const last = moves.at(-1)?.after ?? 'open';
  if (last === now.state) return [...moves];
  const said = isEnd(now.state) ? completedAt(now.completedDate) : null;
  // A file that was last written on the day of the completion says at which hour.
  const at = said === null || endOfLocalDay(said) === endOfLocalDay(now.mtimeMs) ? now.mtimeMs : said;
  const by = said === null ? 'file' : 'completedDate';
  return [...moves, { at, field: 'state', before: last, after: now.state, by }];
}

/**
 * Returns the last moment of the day that a note names (epoch ms), or the moment that it names; null if it names
 * neither.
 */
function completedAt(written: string | null): number | null {
  const at = written === null ? null : parseLocalTime(written);
  return at === null || written === null || !isDateOnly(written) ? at : endOfLocalDay(at) - 1;
}

/** A file that was made at its last edit was replaced by it: editors and sync tools write so. */
const REPLACED_MS = 60_000;

function createdOf(now: PresentNote, git: GitNote | null): NotePast['created'] {
  const said = now.created === null ? null : parseLocalTime(now.created);
  if (said !== null) return { at: said, by: 'created' };
  const first = git?.versions[0];
  if (git !== null && first !== undefined) return first.at > git.firstCommit ? { at: first.at, by: 'git' } : null;
  const { bornMs, mtimeMs } = now;
  return bornMs !== null && mtimeMs - bornMs > REPLACED_MS ? { at: bornMs, by: 'file' } : null;
}

/** A task or matter with its frontmatter as it is now, and what is known of its past. */
export interface RememberedNote {
  readonly record: TargetRecord;
  readonly data: Frontmatter;
  readonly past: NotePast;
}

/** Returns every task and matter of a vault with its past, by path. `git`: what git knows; null without it. */
export function rememberNotes(space: ReadAccess, git: GitPast | null): ReadonlyMap<string, RememberedNote> {
  const { catalogue } = space.vault;
  const records: TargetRecord[] = [...catalogue.each('matter'), ...catalogue.each('task')];
  return new Map(
    records.map((record) => {
      const data = space.notes.fresh(record.path)?.data ?? {};
      const committed = git?.notes.get(record.path) ?? null;
      const versions = committed?.map((version) => versionOf(space, version)) ?? null;
      const known = git === null || versions === null ? null : { versions, firstCommit: git.firstCommit };
      return [
        record.path,
        { record, data, past: pastOfNote(presentNote(space, record, data), ownMoves(space, record), known) },
      ];
    }),
  );
}

/** The names under which notes say when they were made: those of TaskNotes and of Obsidian's usual plugins. */
const CREATED = ['created', 'dateCreated', 'date_created', 'createdDate', 'creation_date'];

function presentNote(space: ReadAccess, record: TargetRecord, data: Frontmatter): PresentNote {
  const { fields } = record;
  const isTask = record.kind === 'task';
  const stat = fs.statSync(path.join(space.vault.root, record.path), { throwIfNoEntry: false });
  return {
    state: fields.state,
    due: isTask ? record.fields.due : null,
    completedDate: isTask ? record.fields.completedDate : textIn(data, 'completedDate'),
    created: CREATED.map((name) => textIn(data, name)).find((text) => text !== null) ?? null,
    mtimeMs: stat?.mtimeMs ?? 0,
    bornMs: stat === undefined || stat.birthtimeMs === 0 ? null : stat.birthtimeMs,
  };
}

function versionOf(space: ReadAccess, { at, data }: CommittedNote): GitVersion {
  const { field_mapping: mapping } = space.context.settings;
  const value = (wanted: string): Yaml => {
    const own = data[wanted];
    if (own !== undefined) return own;
    const [, mapped] = Object.entries(data).find(([name]) => ourName(name, mapping) === wanted) ?? [];
    return mapped ?? null;
  };
  const written = value('state') ?? value('status');
  const state = stateMeant(written, space.vault.catalogue.words) ?? 'open';
  return { at, state, due: textOf(value('due')), completedDate: textOf(value('completedDate')) };
}

function textIn(data: Frontmatter, name: string): string | null {
  return textOf(data[name] ?? null);
}

function textOf(value: Yaml): string | null {
  return typeof value === 'string' ? value : null;
}

// Every change that Steward has made, and every one that it has taken back, left its recipe.
function ownMoves(space: ReadAccess, { path: target }: TargetRecord): PastMove[] {
  const { catalogue } = space.vault;
  const events = catalogue.eventsAbout(target);
  const undos = events.flatMap((event) => catalogue.answersTo(event.name)).filter((one) => one.kind === 'reversal');
  return [...events, ...undos]
    .filter((note) => isKnownNote(space, note))
    .flatMap((note) => movesIn(space, note))
    .toSorted((one, other) => one.at - other.at);
}

function movesIn(space: ReadAccess, note: EventRecord | ReversalRecord): PastMove[] {
  const { context, vault } = space;
  const fields = note.fields.undo_recipe?.vault_patch.fields ?? {};
  const at = noteMoment(note.name, note.kind === 'event' ? note.fields.timestamp : note.fields.settled_at);
  const fate = fateOf(space, note);
  const made = { at, by: 'steward', ...(fate === null ? {} : { fate }) } as const;
  return Object.entries(fields).flatMap(([name, { before, after }]): PastMove[] => {
    if (!Number.isFinite(at)) return [];
    if (isStateField(name)) {
      const meant = (value: Yaml) => stateMeant(value, vault.catalogue.words) ?? 'open';
      return [{ ...made, field: 'state', before: meant(before), after: meant(after) }];
    }
    if (ourName(name, context.settings.field_mapping) !== 'due') return [];
    return [{ ...made, field: 'due', before: textOf(before), after: textOf(after) }];
  });
}

// The user may also have set it to another value by hand: the note of the change says so, once that has taught.
function fateOf(space: ReadAccess, note: EventRecord | ReversalRecord): NonNullable<PastMove['fate']> | null {
  if (note.kind === 'reversal') return 'undo';
  return isReversed(space, note) || note.fields.taught === 'wrong' ? 'undone' : null;
}

/** A moment at which a note becomes another one. */
interface Turn {
  readonly at: number;
  readonly path: string;
}

/** Senders and keywords that notes would have besides their own, by path. */
export interface ExtraNames {
  readonly senders?: ReadonlyMap<string, readonly string[]>;
  readonly keywords?: ReadonlyMap<string, readonly string[]>;
}

/**
 * The notes that an event could be about, as they were at a moment that only moves on. Names, aliases, senders and keywords
 * are those of today.
 */
export class PastVault implements Targets {
  readonly index = new TargetIndex();
  readonly learnt: TrainedReader;
  readonly book: TaskBook;
  readonly tiers: Tiers;
  readonly #space: Workspace;
  readonly #notes: ReadonlyMap<string, RememberedNote>;
  readonly #candidates: ReadonlyMap<string, TargetCandidate>;
  readonly #turns: readonly Turn[];
  #next = 0;

  constructor(space: Workspace, notes: ReadonlyMap<string, RememberedNote>, extra: ExtraNames = {}) {
    const today = syncTargets(space);
    this.#space = space;
    this.#notes = notes;
    this.learnt = today.learnt;
    this.book = new TaskBook(today.learnt);
    const { propose_from: proposeFrom, ask_from: askFrom } = space.context.settings;
    this.tiers = { proposeFrom, askFrom };
    this.#candidates = new Map(
      [...notes.keys()].flatMap((path) => {
        const found = today.index.get(path);
        if (found === null) return [];
        const senders = [...found.senders, ...(extra.senders?.get(path) ?? [])];
        const keywords = [...found.keywords, ...(extra.keywords?.get(path) ?? [])];
        return [[path, { ...found, senders, keywords }] as const];
      }),
    );
    this.#turns = [...this.#candidates.keys()].flatMap((path) => this.#turnsOf(path)).toSorted((a, b) => a.at - b.at);
    for (const path of this.#candidates.keys()) this.#put(path, Number.NEGATIVE_INFINITY);
  }

  /** Moves on to a moment (epoch ms): no earlier one than before. */
  goTo(at: number): void {
    for (let turn = this.#turns[this.#next]; turn !== undefined && turn.at <= at; turn = this.#turns[this.#next]) {
      this.#put(turn.path, turn.at);
      this.#next += 1;
    }
  }

  // The answers that the vault's user had given by then. A rehearsal doesn't learn from itself.
  answers = (event: StreamEvent): readonly PastAnswer[] =>
    pastAnswers(this.#space, eventSource(event), Date.parse(event.originAt ?? ''));

  follow(): void {} // the past doesn't change

  #turnsOf(path: string): Turn[] {
    const past = this.#notes.get(path)?.past;
    if (past === undefined) return [];
    const moments = past.moves.map(({ at }) => at);
    return [...(past.created === null ? [] : [past.created.at]), ...moments].map((at) => ({ at, path }));
  }

  #put(path: string, at: number): void {
    const [note, candidate] = [this.#notes.get(path), this.#candidates.get(path)];
    if (note === undefined || candidate === undefined || !wasThere(note.past, at)) return;
    this.index.add({
      ...candidate,
      state: valueAt(note.past, 'state', at, candidate.state) ?? candidate.state,
      ...(candidate.due === undefined ? {} : { due: valueAt(note.past, 'due', at, candidate.due) }),
    });
  }
}

/*
 * The past of a vault's notes, as git knows it. The vault's own `.git/config` could name programs to run, so every
 * option of git that runs one is switched off, and so is the network.
 */

interface CommittedNote {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly data: Frontmatter;
}

/** The versions of all notes of a vault in git. */
interface GitPast {
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
