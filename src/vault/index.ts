import { isDeepStrictEqual } from 'node:util';
import { diagnostic } from './errors.ts';
import type { FileStat } from './files.ts';
import { unicodeEscape } from './frontmatter.ts';
import { type CopySuffix, fold, possibleOriginals, stem } from './layout.ts';
import { lastPart, linkKey, linkTarget, nameKey, pathLink, wikilink } from './links.ts';
import { hasChosen, noteMoment } from './note-text.ts';
import {
  type BadRecord,
  type EventFields,
  type EventRecord,
  emptyFields,
  type InstinctRecord,
  isNumerous,
  isSiblingType,
  isWeighable,
  type LicenceRecord,
  type MatterRecord,
  NO_WORDS,
  type NumerousKind,
  type OrderRecord,
  type ReversalRecord,
  type SignalRecord,
  type StatusWords,
  type TargetRecord,
  type TaskFields,
  type TaskRecord,
  UUID,
  type VaultRecord,
} from './record.ts';
import { sourceKey, sourceName } from './source-names.ts';
import { iso } from './time.ts';

// All records in memory: found by name, path, kind, parent, target and source; the links between them, and moved notes.

const INDEXES = [
  'name',
  'alias',
  'taskLink',
  'signalLink',
  'weighable',
  'eventSignal',
  'eventTarget',
  'answered',
  'judged',
  'decided',
  'source',
  'waiting',
  'happened',
  'expiring',
  'asking',
  'passed',
  'unrouted',
  'flagged',
  'told',
  'doubtful',
  'due',
] as const;
type Index = (typeof INDEXES)[number];
type IndexKey = readonly [index: Index, key: string];

/** Returns the keys a record is indexed under. They depend on the record alone, so that the cache can keep them. */
function indexKeys(record: VaultRecord): IndexKey[] {
  return [['name', fold(record.name)], ...fieldKeys(record)];
}

function fieldKeys(record: VaultRecord): IndexKey[] {
  switch (record.kind) {
    case 'matter':
      return aliasKeys(record.fields.aliases);
    case 'task':
      return [
        ...aliasKeys(record.fields.aliases),
        ...key('taskLink', record.fields.parent_matter, linkKey),
        ...(isDoubtful(record.fields) ? DOUBTFUL : []),
        ...dueKey(record.fields),
      ];
    case 'signal':
      return [
        ...key('signalLink', record.fields.target_path, linkKey),
        ...(isWeighable(record.fields) ? key('weighable', record.fields.target_path, linkKey) : []),
        ...waitingKey(record, record.fields.target_ambiguous && record.fields.status === 'unrouted'),
        ...(record.fields.status === 'unrouted' ? UNROUTED : []),
      ];
    case 'event':
      return [
        ...new Set([...record.fields.signals, ...record.fields.considered].map(nameKey))
          .values()
          .map((signal): IndexKey => ['eventSignal', signal]),
        ...key('eventTarget', record.fields.target_path, fold),
        // Only the record of an answer is an answer: any other note may name a proposal without closing it.
        ...(isSiblingType(record.fields.type)
          ? key('answered', record.fields.confirms ?? record.fields.dismisses, nameKey)
          : key('decided', decidedDay(record.fields), fold)),
        ...(judges(record.fields) ? sourceKeys(record.fields.source_contributions) : []),
        ...waitingKey(record, saysItWaits(record.fields)),
        ...(saysItPassed(record.fields) ? passedKeys(record.fields) : []),
        ...moments(noteMoment(record.name, record.fields.timestamp), record.fields.undo_recipe),
        ...(asks(record.fields) ? ASKING : []),
        ...(record.fields.pending_patch === null ? [] : FLAGGED),
        ...(record.fields.plane_action === null ? [] : TOLD),
      ];
    case 'reversal':
      return [
        ...moments(noteMoment(record.name, record.fields.settled_at), record.fields.undo_recipe),
        ...key('answered', record.fields.reverses, nameKey),
        ...(record.fields.outcome === 'reversed' ? sourceKeys(record.fields.lesson?.moved ?? {}) : []),
        ...waitingKey(record, record.fields.outcome === 'conflict'),
      ];
    case 'instinct':
      return [['source', sourceKey(instinctSource(record))]];
    case 'licence':
      return [['source', sourceKey(record.fields.sender)]];
    default:
      return [];
  }
}

function waitingKey({ kind }: VaultRecord, waits: boolean): IndexKey[] {
  return waits ? [['waiting', kind]] : [];
}

const UNROUTED: readonly IndexKey[] = [['unrouted', 'signal']];
const ASKING: readonly IndexKey[] = [['asking', 'event']];
const FLAGGED: readonly IndexKey[] = [['flagged', 'event']];
const DOUBTFUL: readonly IndexKey[] = [['doubtful', 'task']];
const TOLD: readonly IndexKey[] = [['told', 'event']];

/** A day of the calendar as nearly all are written; of the last days of a month, those that every year has. */
const DAY = '20[0-2]\\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30))';
const PLAIN_DAY = new RegExp(`^${DAY}$`);
const PLAIN_MOMENT = new RegExp(`^${DAY}(?:T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?Z?)?$`);

/**
 * Whether something may be wrong with a task, by its note alone: the search for problems looks at these only. LAW: each
 * task with a problem in its status, its dates or its id is one of them.
 */
function isDoubtful(fields: TaskFields): boolean {
  const {
    unexplained,
    plane_issue_id: id,
    state,
    due,
    scheduled,
    snoozed_until: until,
    next_check_after: after,
  } = fields;
  if (unexplained !== null || (id !== null && !UUID.test(id)) || state === 'snoozed') return true;
  return state === 'open' && [due, scheduled, until, after].some((one) => one !== null && !PLAIN_MOMENT.test(one));
}

// Under its day, or under no day if that has to be worked out.
function dueKey({ state, due, surface_class }: TaskFields): IndexKey[] {
  if (state !== 'open' || due === null || surface_class === 'none') return [];
  return [['due', PLAIN_DAY.test(due) ? due : '']];
}

/** Whether a person has ticked a box of an event note, or written into it which note is meant. */
function asks(fields: EventFields): boolean {
  const { confirm, dismiss, later, always, undo, deliberate } = fields;
  return confirm || dismiss || later || always || undo || deliberate || hasChosen(fields);
}

/** Whether a note says that the user found a change right or wrong. "Not now" says neither. */
function judges({ type, confirms, dismisses, later, taught }: EventFields): boolean {
  if (taught === 'right' || taught === 'wrong') return true;
  return isSiblingType(type) && (confirms !== null || (dismisses !== null && !later));
}

function sourceKeys(sources: Readonly<Record<string, unknown>>): IndexKey[] {
  return [...new Set(Object.keys(sources).map(sourceKey))].map((source) => ['judged', source]);
}

function moments(at: number, recipe: EventFields['undo_recipe']): IndexKey[] {
  const happened: IndexKey = ['happened', hourIn(at)];
  return recipe === null ? [happened] : [happened, ['expiring', hourIn(Date.parse(recipe.expires_at))]];
}

// Without a time it counts as older than anything that has one.
function hourIn(at: number): string {
  return Number.isFinite(at) ? hourOf(at) : '';
}

/** Returns the hour (UTC, `YYYY-MM-DDTHH`) of a moment (epoch ms). */
function hourOf(ms: number): string {
  return iso(ms).slice(0, 13);
}

/** Whether an event note says that it waits for a person. A crash or another hand may leave one of the two fields. */
export function saysItWaits({ waiting, pending_confirmation: pending }: EventFields): boolean {
  return waiting || pending;
}

/**
 * Whether an event note says that its question or choice was closed because the occasion had passed, such as the end of its
 * task. It waits again if that is no longer so.
 */
export function saysItPassed({ outcome, says }: Pick<EventFields, 'outcome' | 'says'>): boolean {
  return outcome === 'expired' && says === 'settled';
}

function passedKeys({ candidates }: EventFields): IndexKey[] {
  return [['passed', 'event'], ...candidates.map((link): IndexKey => ['passed', passedChoiceKey(nameKey(link))])];
}

function passedChoiceKey(name: string): string {
  return `choice ${name}`;
}

// The day of a decision that may still turn out right or wrong; null once it has taught.
function decidedDay({ changes, taught, timestamp }: EventFields): string | null {
  const at = Date.parse(timestamp);
  return taught === null && Object.keys(changes).length > 0 && Number.isFinite(at) ? dayOf(at) : null;
}

/** Returns the source that an instinct note is about: by its fields, else by its path. */
export function instinctSource({ fields, name, path }: InstinctRecord): string {
  const { source_type: channel, pattern } = fields;
  if (channel !== null) return channel.includes(':') ? channel : sourceName(channel, pattern);
  const folders = path.split('/').slice(1, -1);
  return folders.length === 0 ? name : sourceName(folders[0] ?? name, name);
}

/** Returns the day (UTC, `YYYY-MM-DD`) under which an undo window that closes at this moment (epoch ms) is indexed. */
function dayOf(ms: number): string {
  return iso(ms).slice(0, 10);
}

function aliasKeys(aliases: readonly string[]): IndexKey[] {
  return aliases.map((alias) => ['alias', fold(alias)]);
}

function key(index: Index, written: string | null, keyOf: (written: string) => string): IndexKey[] {
  return written === null ? [] : [[index, keyOf(written)]];
}

/** The indexes by which the records are found that a link names, or that link to a note. */
type LinkIndex = 'name' | 'alias' | 'taskLink' | 'signalLink' | 'weighable';

interface LinkedRecords {
  has(path: string): boolean;
  get(path: string): VaultRecord | undefined;
  paths(index: LinkIndex, key: string): readonly string[];
  /** The paths of notes of this name that aren't records. */
  notesNamed(name: string): readonly string[];
  readonly moves: Moves;
}

/** Finds the record that a link or a path means, as Obsidian resolves it, and the records that link to one. */
class LinkResolver {
  readonly #records: LinkedRecords;

  constructor(records: LinkedRecords) {
    this.#records = records;
  }

  /**
   * Returns the record a link leads to: by path, by name, by the end of a path, by alias; case-folded. Of several, the
   * one whose path it is, then one of the `preferred` kinds, then one that is spelled just so, then the one with the
   * shortest path. A path to a signal or an event leads to it in any month. Null if the link is dead.
   */
  resolve(link: string, preferred: readonly VaultRecord['kind'][]): VaultRecord | null {
    const key = linkKey(link);
    if (key === '') return null;
    const found = this.#candidates(key);
    if (found.length <= 1) return found[0] ?? null;
    const rank = (record: VaultRecord) => (preferred.includes(record.kind) ? 0 : 1);
    const exact = (record: VaultRecord) => (pathKey(record.path) === key ? 0 : 1);
    // Most disks keep `Rent.md` and `rent.md` apart: statements about the one don't apply to the other.
    const spelled = `/${linkTarget(link)}`;
    const literal = (record: VaultRecord) => (`/${record.path.replace(/\.md$/i, '')}`.endsWith(spelled) ? 0 : 1);
    const order = [exact, rank, literal];
    const first = (a: VaultRecord, b: VaultRecord) => order.map((by) => by(a) - by(b)).find((by) => by !== 0);
    return found.sort((a, b) => first(a, b) ?? byPath(a, b))[0] ?? null;
  }

  /** Whether a link leads to any note of the vault, record or not. */
  leadsSomewhere(link: string): boolean {
    const key = linkKey(link);
    if (key === '') return false;
    if (this.#candidates(key).length > 0) return true;
    const name = lastPart(key);
    const named = [...this.#records.paths('name', name), ...this.#records.notesNamed(name)];
    return named.some((path) => endsWith(path, key));
  }

  /** Returns the records whose link under `index` may lead to this one: to its name, path, aliases or former paths. */
  linkedTo(target: TargetRecord, index: LinkIndex): VaultRecord[] {
    const former = this.formerPaths(target.path).map(pathKey);
    const keys = new Set([...pathEnds(target.path), ...target.fields.aliases.map(fold), ...former]);
    const paths = new Set([...keys].flatMap((key) => this.#records.paths(index, key)));
    return [...paths].flatMap((path) => this.#records.get(path) ?? []);
  }

  /**
   * Returns the present path of a note that was once written down under this one. It is the same path, its new path
   * after a move, or the path in other letters (a case-only rename, a machine that writes names decomposed). The path
   * itself if unknown.
   */
  currentPath(path: string): string {
    if (this.#records.has(path)) return path;
    const key = pathKey(path);
    const inOtherLetters = this.#at('name', fold(stem(path))).find((record) => pathKey(record.path) === key);
    return inOtherLetters?.path ?? this.#records.moves.whereTo(path) ?? path;
  }

  /** Returns the paths a note had before, without those that another note has taken since. */
  formerPaths(path: string): string[] {
    return this.#records.moves.formerOf(path).filter((former) => this.currentPath(former) === path);
  }

  #candidates(key: string): VaultRecord[] {
    const name = lastPart(key);
    const found = this.#at('name', name);
    const named = name === key ? found : found.filter((record) => endsWith(record.path, key));
    if (named.length > 0) return named;
    const moved = this.#records.get(this.#records.moves.whereTo(key) ?? '');
    const other = moved === undefined ? this.#at('alias', key) : [moved];
    return other.length > 0 ? other : found.filter((record) => isMonthly(record) && isBelowToo(record.path, key));
  }

  #at(index: LinkIndex, key: string): VaultRecord[] {
    return this.#records.paths(index, key).flatMap((path) => this.#records.get(path) ?? []);
  }
}

/** Orders records by the length of their path, then alphabetically. */
export function byPath(a: VaultRecord, b: VaultRecord): number {
  return a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}

// The names of the program's own notes have their time in them: no two notes share one, in any month.
function isMonthly({ kind }: VaultRecord): boolean {
  return kind === 'signal' || kind === 'event' || kind === 'reversal';
}

function isBelowToo(path: string, key: string): boolean {
  return fold(path).startsWith(key.slice(0, key.indexOf('/') + 1));
}

function pathKey(path: string): string {
  return fold(path.replace(/\.md$/i, ''));
}

function endsWith(path: string, key: string): boolean {
  if (path === `${key}.md`) return true; // how most links are written; folding costs more than the rest
  const whole = pathKey(path);
  return whole === key || whole.endsWith(`/${key}`);
}

function pathEnds(path: string): string[] {
  const parts = pathKey(path).split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

/**
 * The new paths of notes that were moved or renamed, so that a path written down before still leads to its note. Only
 * observed moves count: guessing by name could lead to another note of that name.
 */
class Moves {
  readonly #now = new Map<string, string>();
  readonly #former = new Map<string, Set<string>>();

  /**
   * Remembers one move; whatever had moved to `from` before moves on with it. Returns the former paths that now lead
   * elsewhere, or nowhere.
   */
  remember(from: string, to: string): readonly string[] {
    const former = new Set([...(this.#former.get(from) ?? []), from]);
    this.#former.delete(from);
    former.delete(to); // it went back to its former place
    this.#now.delete(linkKey(to));
    for (const one of former) this.#now.set(linkKey(one), to);
    this.#former.set(to, new Set([...(this.#former.get(to) ?? []), ...former]));
    return [...former, to];
  }

  /**
   * Returns the present path of the note that was once at this path (a path, or a link with the whole path), or null.
   */
  whereTo(written: string): string | null {
    return this.#now.get(linkKey(written)) ?? null;
  }

  formerOf(path: string): readonly string[] {
    return [...(this.#former.get(path) ?? [])];
  }

  /** Returns every known move, former path → present path, without moves of notes that are gone. */
  toRecord(isThere: (path: string) => boolean): Record<string, string> {
    const there = [...this.#former].filter(([to]) => isThere(to));
    return Object.fromEntries(there.flatMap(([to, former]) => [...former].map((from) => [from, to] as const)));
  }
}

const REMEMBERED = 200;
/** For how long (ms) one half of a move waits for the other. A sync tool may carry out its deletions last. */
const HALF_MS = 10 * 60 * 1000;

/** One half of a move; the record is null if several notes that are alike could be meant. */
interface Half {
  readonly record: TargetRecord | null;
  readonly at: number;
}

/** A note's former path and its path now. */
export type Move = readonly [from: TargetRecord, to: TargetRecord];

/**
 * Distinguishes a matter or task that was renamed or moved from one deleted and another created. The same file under
 * another name keeps its inode; a sync tool creates a new file with the same bytes, size and time. The two halves may
 * be seen in either order, soon after each other: copies of one template are alike too, and are notes of their own.
 */
export class Renames {
  readonly #gone = new Map<string, Half>();
  readonly #created = new Map<string, Half>();

  /** Returns the move that a change completes, or null. `at`: when it was seen (epoch ms). */
  follow(
    { before, after }: { readonly before: VaultRecord | null; readonly after: VaultRecord | null },
    at: number,
  ): Move | null {
    if (isTarget(before) && after === null) {
      const to = match({ record: before, at }, this.#gone, this.#created);
      return to === null ? null : [before, to];
    }
    if (before === null && isTarget(after)) {
      const from = match({ record: after, at }, this.#created, this.#gone);
      return from === null ? null : [from, after];
    }
    return null;
  }
}

function isTargetKind(kind: VaultRecord['kind']): kind is TargetRecord['kind'] {
  return kind === 'matter' || kind === 'task';
}

function isTarget(record: VaultRecord | null): record is TargetRecord {
  return record !== null && isTargetKind(record.kind);
}

function match(
  half: Half & { readonly record: TargetRecord },
  own: Map<string, Half>,
  others: Map<string, Half>,
): TargetRecord | null {
  const { record, at } = half;
  const keys = matchKeys(record);
  const isRecent = (one: Half | undefined) => one !== undefined && Math.abs(at - one.at) <= HALF_MS;
  const found = keys.map((key) => others.get(key)).find((one) => isRecent(one));
  const other = found?.record ?? null;
  if (other !== null && other.path !== record.path) {
    for (const key of matchKeys(other)) others.delete(key);
    return other;
  }
  for (const key of keys) {
    const known = own.get(key);
    const isOneOfSeveral = isRecent(known) && known?.record?.path !== record.path;
    own.delete(key);
    own.set(key, isOneOfSeveral ? { record: null, at } : half);
  }
  for (const key of own.keys()) {
    if (own.size <= 2 * REMEMBERED) break;
    own.delete(key);
  }
  return null;
}

// The more certain key first.
function matchKeys({ kind, stat, fields }: TargetRecord): string[] {
  const same = `${kind} ${stat.size} ${stat.mtimeMs}`;
  return [`${same} ${stat.ino}`, `${same} ${JSON.stringify(fields)}`];
}

/** A reader that is further behind goes over all records. */
const MAX_EDITED = 1000;

// Links lead to tasks and matters by their names and along their parents. A new event changes where no link of these leads.
function isSameShape(before: VaultRecord | undefined, after: VaultRecord): boolean {
  if (before === undefined) return after.kind !== 'task' && after.kind !== 'matter';
  if (before.kind !== after.kind) return false;
  if (after.kind !== 'task' && after.kind !== 'matter') return true;
  return shapeOf(before) === shapeOf(after);
}

function shapeOf(record: VaultRecord): string {
  if (record.kind !== 'task' && record.kind !== 'matter') return '';
  return JSON.stringify([record.fields.aliases, record.fields.parent_matter]);
}

/**
 * The vault's records in memory, with the indexes that judgement queries: matters, tasks by matter, signals by target,
 * events by signal. It is updated one change at a time; no query walks the vault.
 *
 * Tasks and signals are indexed by what their link says, not by where it leads today, so that when a matter appears or
 * is renamed no other record has to be read again.
 */
export class Catalogue {
  /** The words by which its records were read. */
  words: StatusWords = NO_WORDS;
  #revision = 0;
  /** The revision of the last edit of each note that was edited since `#reshaped`. */
  readonly #edited = new Map<string, number>();
  /** The revision at which a note last came or went, or changed what links lead to. */
  #reshaped = 0;
  /**
   * How many known files are in each folder: records and other notes; users of this class that know more files count
   * them here too.
   */
  readonly folders = new FolderCounts();
  readonly #records = new RecordStore();
  readonly saved: SavedRecords = this.#records;
  /** The vault's other notes: links may lead to them. */
  readonly #notes = new Set<string>();
  readonly #noteNames = new Postings();
  /** The new paths of moved notes, so that paths written down before still lead to them. */
  readonly moves = new Moves();
  readonly #postings = newIndexes();
  /** Events and reversals in the order of time. */
  readonly chronicle = new Chronicle({ postings: this.#postings, get: (path) => this.get(path) });
  /** Tasks that somebody has to look at. */
  readonly agenda = new Agenda({
    postings: this.#postings,
    get: (path) => this.#records.peek(path),
    resolve: (link) => this.resolve(link, ['matter']),
    matterOf: (task) => this.matterOf(task),
  });
  readonly #byKind = new Map<VaultRecord['kind'], Set<string>>();
  readonly #links = new LinkResolver({
    has: (path) => this.#records.has(path),
    get: (path) => this.get(path),
    paths: (index, key) => this.#postings[index].get(key),
    notesNamed: (name) => this.#noteNames.get(name),
    moves: this.moves,
  });

  /** Adds a record as just read, or as cached, replacing any record of the same path. */
  put(record: VaultRecord | CachedRecord): void {
    const { path, kind } = record;
    const before = this.get(path);
    this.#drop(path);
    this.#revision += 1;
    this.#noteChange(before, record);
    this.#records.put(record);
    this.folders.add(path);
    this.#kind(kind).add(path);
    const keys = 'json' in record ? record.keys : indexKeys(record);
    for (const [index, key] of keys) this.#postings[index].add(key, path);
  }

  restore(cached: CachedRecord): VaultRecord {
    return this.#records.unpack(cached);
  }

  /** Grows with every change, so that callers can tell whether results they derived from the records still hold. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Returns the paths of the records that were edited since a revision. Null if notes came, went or changed their names or
   * their matter since, so that links may lead elsewhere.
   */
  editedSince(revision: number): string[] | null {
    if (revision < this.#reshaped) return null;
    return [...this.#edited].flatMap(([path, at]) => (at > revision ? [path] : []));
  }

  #noteChange(before: VaultRecord | undefined, record: VaultRecord | CachedRecord): void {
    this.#edited.set(record.path, this.#revision);
    if ('json' in record || !isSameShape(before, record) || this.#edited.size > MAX_EDITED) this.#reshape();
  }

  #reshape(): void {
    this.#reshaped = this.#revision;
    this.#edited.clear();
  }

  /** Removes a record; ignores an unknown path. */
  remove(path: string): void {
    if (this.#drop(path)) this.#reshape();
  }

  #drop(path: string): boolean {
    const record = this.#records.peek(path);
    if (record === undefined) return false;
    this.#revision += 1;
    this.#kind(record.kind).delete(path);
    for (const [index, key] of indexKeys(record)) this.#postings[index].remove(key, path);
    this.#records.delete(path);
    this.folders.remove(path);
    return true;
  }

  /** Adds one of the vault's other notes, of which only the name counts. */
  addNote(note: string): void {
    if (this.#notes.has(note)) return;
    this.#revision += 1;
    this.folders.add(note);
    this.#notes.add(note);
    this.#noteNames.add(fold(stem(note)), note);
  }

  /** Drops one of the other notes; ignores an unknown one. */
  dropNote(note: string): void {
    if (!this.#notes.delete(note)) return;
    this.#revision += 1;
    this.folders.remove(note);
    this.#noteNames.remove(fold(stem(note)), note);
  }

  /** The other notes. */
  notes = (): ReadonlySet<string> => this.#notes;

  /** Returns the record of a path, or undefined if there isn't one. */
  get(path: string): VaultRecord | undefined {
    return this.#records.get(path);
  }

  get size(): number {
    return this.#records.size;
  }

  count(kind: VaultRecord['kind']): number {
    return this.#kind(kind).size;
  }

  paths = (): IterableIterator<string> => this.#records.paths();

  entries = (): IterableIterator<VaultRecord> => this.#records.entries();

  /** Returns the stat of a record's file as last read. */
  statOf = (path: string): FileStat | undefined => this.#records.statOf(path);

  /** Returns the paths of one kind, or of all (`paths`), without parsing any record. */
  pathsOf = (kind: VaultRecord['kind']): readonly string[] => [...this.#kind(kind)];

  *each<Kind extends VaultRecord['kind']>(kind: Kind): Generator<RecordOf<Kind>> {
    yield* this.#ofKind(this.pathsOf(kind), kind);
  }

  /** Returns all matters; the methods below do the same for the other kinds. */
  matters(): MatterRecord[] {
    return [...this.each('matter')];
  }
  tasks(): TaskRecord[] {
    return [...this.each('task')];
  }
  signals(): SignalRecord[] {
    return [...this.each('signal')];
  }
  events(): EventRecord[] {
    return [...this.each('event')];
  }
  reversals(): ReversalRecord[] {
    return [...this.each('reversal')];
  }
  orders(): OrderRecord[] {
    return [...this.each('order')];
  }
  instincts(): InstinctRecord[] {
    return [...this.each('instinct')];
  }
  licences(): LicenceRecord[] {
    return [...this.each('licence')];
  }
  bad(): BadRecord[] {
    return [...this.each('bad')];
  }

  /** Returns the records of one name, whatever their letter case and folder. */
  named(name: string): VaultRecord[] {
    return this.#at(this.#postings.name, fold(name));
  }

  /** Returns the wikilink to write for a note: its name, or its path if another note has the same name. */
  linkTo(path: string): string {
    const name = fold(stem(path));
    const others = [...this.#postings.name.get(name), ...this.#noteNames.get(name)].filter((other) => other !== path);
    return others.length === 0 ? wikilink(path) : pathLink(path);
  }

  /** Returns other matters with the same slug; as long as there are any, no matter of that slug is scheduled. */
  namesakes(matter: MatterRecord): MatterRecord[] {
    return this.named(matter.name).filter(
      (record): record is MatterRecord => record.kind === 'matter' && record.path !== matter.path,
    );
  }

  /** Returns the tasks whose `parent_matter` leads to this matter, however the link is written. */
  tasksOf(matter: MatterRecord): TaskRecord[] {
    return this.#links
      .linkedTo(matter, 'taskLink')
      .filter((record): record is TaskRecord => record.kind === 'task' && this.matterOf(record)?.path === matter.path);
  }

  /** Returns the matter a task belongs to, or null if its link leads to none. */
  matterOf({ fields: { parent_matter: parent } }: TaskRecord): MatterRecord | null {
    const found = parent === null ? null : this.resolve(parent, ['matter']);
    return found?.kind === 'matter' ? found : null;
  }

  /** Returns the signals that name this matter or task as their target: all, or those that can be weighed (`weighable`). */
  signalsFor(target: TargetRecord, which: 'signalLink' | 'weighable' = 'signalLink'): SignalRecord[] {
    return this.#links
      .linkedTo(target, which)
      .filter(
        (record): record is SignalRecord => record.kind === 'signal' && this.targetOf(record)?.path === target.path,
      );
  }

  /** Returns the matter or task a signal is about, or null if there isn't one. */
  targetOf(signal: SignalRecord): TargetRecord | null {
    const { target_path: path, target_kind: kind } = signal.fields;
    if (path === null) return null;
    const found = this.resolve(path, kind === null ? ['task', 'matter'] : [kind]);
    return found?.kind === 'matter' || found?.kind === 'task' ? found : null;
  }

  eventsOfSignal(signalName: string): EventRecord[] {
    return this.#at(this.#postings.eventSignal, fold(signalName)).filter((record) => record.kind === 'event');
  }

  /** Returns the event notes about a note, under its present path or one it had; not of one that differs in case alone. */
  eventsAbout(path: string): EventRecord[] {
    const now = this.currentPath(path);
    return [now, ...this.#links.formerPaths(now)]
      .flatMap((known) => this.#at(this.#postings.eventTarget, fold(known)))
      .filter((record) => record.kind === 'event')
      .filter(({ fields: { target_path: said } }) => said === now || said === null || !this.#records.has(said));
  }

  /** Returns the path a note has now that was once written down under this one; the path itself if unknown. */
  currentPath(path: string): string {
    return this.#links.currentPath(path);
  }

  /** Returns what answers an event: its reversals, confirmations and dismissals. */
  answersTo(eventName: string): (EventRecord | ReversalRecord)[] {
    return this.#at(this.#postings.answered, fold(eventName)).filter(
      (record) => record.kind === 'event' || record.kind === 'reversal',
    );
  }

  /**
   * Returns the events in which a person wrote or ticked (`asking`), that flag their note, that have an effect in another
   * system (`told`), or whose question has `passed`.
   */
  eventsThat(index: 'asking' | 'flagged' | 'told' | 'passed'): EventRecord[] {
    return this.#at(this.#postings[index], 'event').filter((record) => record.kind === 'event');
  }

  /** Returns the choices that have passed and name a note of this name among their candidates. */
  passedChoices(name: string): EventRecord[] {
    return this.#at(this.#postings.passed, passedChoiceKey(fold(name))).filter((record) => record.kind === 'event');
  }

  /** Yields the signals that are neither applied nor skipped, each unpacked as it is asked for. */
  *unrouted(): Generator<SignalRecord> {
    yield* this.#ofKind(this.#postings.unrouted.get('signal'), 'signal');
  }

  /** Returns what may wait for a person: events that say so, undos that met a conflict, signals of no sure target. */
  waiting<Kind extends 'event' | 'reversal' | 'signal'>(kind: Kind): RecordOf<Kind>[] {
    return this.#at(this.#postings.waiting, kind).filter((record) => isOfKind(record, kind));
  }

  /** Returns what has been learnt of a source. Of several notes that name it, the one with the shortest path wins. */
  instinctOf(source: string): InstinctRecord | null {
    const found = this.#at(this.#postings.source, sourceKey(source)).filter((record) => record.kind === 'instinct');
    return found.sort(byPath)[0] ?? null;
  }

  /** Returns the notes in which the user found changes of a source right or wrong, or undid them, at most 500. */
  judgementsOf(source: string): (EventRecord | ReversalRecord)[] {
    const paths = this.#postings.judged.get(sourceKey(source)).slice(-MAX_JUDGEMENTS);
    return paths
      .flatMap((path) => this.get(path) ?? [])
      .filter((record) => record.kind === 'event' || record.kind === 'reversal');
  }

  /** Returns the licences whose sender is a source, in the order of their paths. */
  licencesOf(source: string): LicenceRecord[] {
    return this.#at(this.#postings.source, sourceKey(source))
      .filter((record) => record.kind === 'licence')
      .sort(byPath);
  }

  /**
   * Returns the record a link leads to, as Obsidian resolves it: by path, by name, by the end of a path, by alias;
   * case-folded. Of several, one of the `preferred` kinds, then the one with the shortest path.
   */
  resolve(link: string, preferred: readonly VaultRecord['kind'][] = []): VaultRecord | null {
    return this.#links.resolve(link, preferred);
  }

  /** Whether a link leads to any note of the vault, record or not. */
  exists(link: string): boolean {
    return this.#links.leadsSomewhere(link);
  }

  *#ofKind<Kind extends VaultRecord['kind']>(paths: readonly string[], kind: Kind): Generator<RecordOf<Kind>> {
    for (const path of paths) {
      const record = this.#records.peek(path);
      if (record !== undefined && isOfKind(record, kind)) yield record;
    }
  }

  #at(postings: Postings, key: string): VaultRecord[] {
    return postings.get(key).flatMap((path) => this.get(path) ?? []);
  }

  #kind(kind: VaultRecord['kind']): Set<string> {
    const paths = this.#byKind.get(kind) ?? new Set<string>();
    this.#byKind.set(kind, paths);
    return paths;
  }
}

type RecordOf<Kind extends VaultRecord['kind']> = Extract<VaultRecord, { readonly kind: Kind }>;

function isOfKind<Kind extends VaultRecord['kind']>(record: VaultRecord, kind: Kind): record is RecordOf<Kind> {
  return record.kind === kind;
}

/** A result derived from something that seldom changes: computed again only when its revision has changed. */
export class Memo<Result> {
  #revision: number | null = null;
  #result: Result | null = null;

  /** Returns the result for `revision`, from memory or by `work`. */
  at(revision: number, work: () => Result): Result {
    return this.known(revision) ?? this.keep(revision, work());
  }

  /** Returns the result for `revision` from memory; null if it isn't there. */
  known(revision: number): Result | null {
    return this.#revision === revision ? this.#result : null;
  }

  keep(revision: number, result: Result): Result {
    this.#result = result;
    this.#revision = revision;
    return result;
  }
}

interface AgendaParts {
  readonly postings: Readonly<Record<'doubtful' | 'due' | 'taskLink', Postings>>;
  readonly get: (path: string) => VaultRecord | undefined;
  readonly resolve: (link: string) => VaultRecord | null;
  readonly matterOf: (task: TaskRecord) => MatterRecord | null;
}

/** The tasks that need a look, so that no caller has to go over all of them. */
class Agenda {
  readonly #parts: AgendaParts;

  constructor(parts: AgendaParts) {
    this.#parts = parts;
  }

  /** Returns the tasks with which something may be wrong, by their notes alone: a status, a date, an id. */
  doubtful(): TaskRecord[] {
    return this.#at('doubtful', 'task');
  }

  /** Returns the tasks that name a matter which is not there. Pauses after each name. */
  *strays(): Generator<void, TaskRecord[]> {
    const { postings, matterOf, resolve } = this.#parts;
    // Whether a link leads to a matter is the same for all links of one key, and nearly all keys are such a link themselves.
    const strays: TaskRecord[] = [];
    for (const key of [...postings.taskLink.keys()]) {
      yield;
      if (linkKey(key) === key && resolve(key)?.kind === 'matter') continue;
      const [first] = this.#tasks(postings.taskLink.get(key).slice(0, 1));
      if (first === undefined || matterOf(first) !== null) continue;
      for (const stray of this.#at('taskLink', key)) strays.push(stray);
    }
    return strays;
  }

  /** Returns the open tasks that are due on a day (`YYYY-MM-DD`) or before, and those whose day is not plainly written. */
  dueBy(last: string): TaskRecord[] {
    return [...this.#parts.postings.due.keys()].filter((day) => day <= last).flatMap((day) => this.#at('due', day));
  }

  #at(index: keyof AgendaParts['postings'], key: string): TaskRecord[] {
    return this.#tasks(this.#parts.postings[index].get(key));
  }

  #tasks(paths: readonly string[]): TaskRecord[] {
    return paths.flatMap((path) => this.#parts.get(path) ?? []).filter((record) => record.kind === 'task');
  }
}

/** How many paths are known in each folder, kept up with each change: a listing of one folder is compared with a number. */
class FolderCounts {
  readonly #counts = new Map<string, number>();

  add(path: string): void {
    const folder = parentFolder(path);
    this.#counts.set(folder, this.of(folder) + 1);
  }

  /** No longer counts a path that was known. */
  remove(path: string): void {
    const folder = parentFolder(path);
    if (this.of(folder) > 1) this.#counts.set(folder, this.of(folder) - 1);
    else this.#counts.delete(folder);
  }

  /** Returns how many known paths lie directly in a folder. */
  of(folder: string): number {
    return this.#counts.get(folder) ?? 0;
  }

  taken(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }
}

/** Returns the folder that a vault-relative path lies in; '' for the vault itself. */
export function parentFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

interface ChronicleParts {
  readonly postings: Readonly<Record<'decided' | 'happened' | 'expiring', Postings>>;
  readonly get: (path: string) => VaultRecord | undefined;
}

/** What events and reversals are found by in the order of time. Each is asked for as it is needed, and no sooner. */
class Chronicle {
  readonly #parts: ChronicleParts;

  constructor(parts: ChronicleParts) {
    this.#parts = parts;
  }

  /** Yields the events and reversals, those of the newest hour first, and those that tell no time last. */
  *newestHours(): Generator<(EventRecord | ReversalRecord)[]> {
    const { happened } = this.#parts.postings;
    for (const hour of [...happened.keys()].sort().reverse()) yield this.#at(happened, hour);
  }

  /** Yields the events of before a moment (epoch ms), those of the oldest hour first; none that tells no time. */
  *oldestHours(before: number): Generator<EventRecord[]> {
    const { happened } = this.#parts.postings;
    const last = hourOf(before);
    const hours = [...happened.keys()].filter((one) => one !== '' && one < last);
    for (const hour of hours.sort()) {
      yield this.#at(happened, hour).filter((record) => record.kind === 'event');
    }
  }

  /** Yields what can still be undone at a moment (epoch ms), undos included, what expires in the last hour first. */
  *undoableHours(now: number): Generator<(EventRecord | ReversalRecord)[]> {
    const { expiring } = this.#parts.postings;
    const first = hourOf(now);
    const hours = [...expiring.keys()].filter((one) => one >= first);
    for (const hour of hours.sort().reverse()) yield this.#at(expiring, hour);
  }

  /** Yields the events and reversals that can be taken back no more since a moment; both moments in epoch ms. */
  *ended(since: number, now: number): Generator<EventRecord | ReversalRecord> {
    const { expiring } = this.#parts.postings;
    const [first, last] = [hourOf(since), hourOf(now)];
    for (const hour of [...expiring.keys()].filter((one) => one >= first && one <= last))
      yield* this.#each(expiring, hour);
  }

  /** Returns when the next undo window closes at or after a moment (epoch ms); null if no window is open. */
  nextExpiry(from: number): number | null {
    const { expiring } = this.#parts.postings;
    for (const hour of [...expiring.keys()].filter((one) => one >= hourOf(from)).sort()) {
      const ends = [...this.#each(expiring, hour)]
        .map(({ fields }) => Date.parse(fields.undo_recipe?.expires_at ?? ''))
        .filter((end) => end >= from);
      if (ends.length > 0) return Math.min(...ends);
    }
    return null;
  }

  /** Yields the decisions of the days between two moments (epoch ms), both included, that have taught nobody yet. */
  *untaught(from: number, to: number): Generator<EventRecord> {
    const [first, last] = [dayOf(from), dayOf(to)];
    const { decided } = this.#parts.postings;
    for (const day of [...decided.keys()].filter((one) => one >= first && one <= last)) {
      for (const record of this.#each(decided, day)) if (record.kind === 'event') yield record;
    }
  }

  #at(postings: Postings, key: string): (EventRecord | ReversalRecord)[] {
    return [...this.#each(postings, key)];
  }

  // Each as it is when it is asked for: one that has gone in the meantime is skipped.
  *#each(postings: Postings, key: string): Generator<EventRecord | ReversalRecord> {
    for (const path of postings.get(key)) {
      const record = this.#parts.get(path);
      if (record?.kind === 'event' || record?.kind === 'reversal') yield record;
    }
  }
}

/** Nobody answers more about one sender; whoever can write into the vault may pretend to. */
const MAX_JUDGEMENTS = 500;
/** Of the numerous kinds, this many records are kept parsed. */
const MAX_RECENT = 512;

/** A record as it is kept: its note's content, as JSON. */
interface StoredRecord {
  readonly kind: VaultRecord['kind'];
  readonly path: string;
  readonly stat: FileStat;
  readonly json: string;
}

/** A record in the cache, with the keys that it is found by: a start needn't parse it. */
export interface CachedRecord extends StoredRecord {
  readonly keys: readonly IndexKey[];
}

/** The records in memory, and which of them are to be saved. */
export interface SavedRecords {
  readonly size: number;
  /** The paths whose records have changed, come or gone since they were saved. */
  readonly unsaved: Set<string>;
  has(path: string): boolean;
  /** Returns the stat of a file as last read, or undefined if there is no record of it. */
  statOf(path: string): FileStat | undefined;
  /** Returns the record of a path as the cache keeps it. */
  cached(path: string): CachedRecord | undefined;
}

/** The records by path, kept as JSON: parsed, 100 000 of them would take 350 MB. */
export class RecordStore implements SavedRecords {
  readonly unsaved = new Set<string>();
  readonly #stored = new Map<string, StoredRecord>();
  readonly #few = new Map<string, VaultRecord>();
  /** Those of the numerous kinds that were asked for last. */
  readonly #recent = new Map<string, VaultRecord>();
  /** The fields of an empty note, by kind. */
  readonly #empty = new Map<NumerousKind, Fields>();

  /** Adds a record as just read, or as cached, in place of any record of the same path. */
  put(record: VaultRecord | CachedRecord): void {
    const { path } = record;
    this.#forgetParsed(path);
    if ('json' in record) {
      const { kind, stat, json } = record;
      this.#stored.set(path, { kind, path, stat, json });
      this.unsaved.delete(path);
    } else {
      this.#stored.set(path, this.#pack(record));
      this.unsaved.add(path);
    }
  }

  delete(path: string): void {
    if (!this.#stored.delete(path)) return;
    this.#forgetParsed(path);
    this.unsaved.add(path);
  }

  has(path: string): boolean {
    return this.#stored.has(path);
  }

  get size(): number {
    return this.#stored.size;
  }

  paths(): IterableIterator<string> {
    return this.#stored.keys();
  }

  statOf(path: string): FileStat | undefined {
    return this.#stored.get(path)?.stat;
  }

  /** Returns the record of a path, or undefined if there isn't one. */
  get(path: string): VaultRecord | undefined {
    const record = this.peek(path);
    if (record === undefined || !isNumerous(record.kind)) return record;
    const [oldest] = this.#recent.size < MAX_RECENT ? [] : this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
    this.#recent.set(path, record);
    return record;
  }

  /** Returns the record of a path to a caller that reads many: those of the numerous kinds aren't kept parsed. */
  peek(path: string): VaultRecord | undefined {
    const parsed = this.#few.get(path) ?? this.#recent.get(path);
    const stored = parsed === undefined ? this.#stored.get(path) : undefined;
    if (stored === undefined) return parsed;
    const record = this.unpack(stored);
    if (!isNumerous(record.kind)) this.#few.set(path, record);
    return record;
  }

  *entries(): IterableIterator<VaultRecord> {
    for (const path of this.#stored.keys()) {
      const record = this.peek(path);
      if (record !== undefined) yield record;
    }
  }

  cached(path: string): CachedRecord | undefined {
    const [stored, record] = [this.#stored.get(path), this.peek(path)];
    return stored === undefined || record === undefined ? undefined : { ...stored, keys: indexKeys(record) };
  }

  unpack({ kind, path, stat, json }: StoredRecord): VaultRecord {
    const content: Fields = JSON.parse(json);
    const whole = isNumerous(kind) ? { fields: { ...this.#emptyFields(kind), ...content } } : content;
    return { kind, path, name: stem(path), stat, ...whole } as VaultRecord; // packed from a record of this kind
  }

  // Most fields of most events are empty: only the others are kept.
  #pack(record: VaultRecord): StoredRecord {
    const { kind, path, name: _, stat, ...content } = record;
    if (!('fields' in record) || !isNumerous(kind)) return { kind, path, stat, json: compactJson(content) };
    const empty = this.#emptyFields(kind);
    const said = Object.entries(record.fields).filter(([name, value]) => !isDeepStrictEqual(value, empty[name]));
    return { kind, path, stat, json: compactJson(Object.fromEntries(said)) };
  }

  #emptyFields(kind: NumerousKind): Fields {
    const known = this.#empty.get(kind) ?? emptyFields(kind);
    this.#empty.set(kind, known);
    return known;
  }

  #forgetParsed(path: string): void {
    this.#few.delete(path);
    this.#recent.delete(path);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** One dash or arrow would make V8 keep the whole text with two bytes a character. */
function compactJson(value: unknown): string {
  return JSON.stringify(value).replace(/[^\0-\xff]/g, unicodeEscape);
}

/** The paths under each key. Nearly all keys have one path. */
export class Postings {
  readonly #paths = new Map<string, string | Set<string>>();

  add(key: string, path: string): void {
    const known = this.#paths.get(key);
    if (known instanceof Set) known.add(path);
    else if (known === undefined) this.#paths.set(detached(key), path);
    else if (known !== path) this.#paths.set(key, new Set([known, path]));
  }

  /** Removes a path from a key, if it is there. */
  remove(key: string, path: string): void {
    const known = this.#paths.get(key);
    if (known instanceof Set) known.delete(path);
    if (known === path || (known instanceof Set && known.size === 0)) this.#paths.delete(key);
  }

  keys(): IterableIterator<string> {
    return this.#paths.keys();
  }

  /** Returns the paths of a key, sorted: the order in which a disk lists its files must not decide what is done first. */
  get(key: string): readonly string[] {
    const known = this.#paths.get(key);
    if (known === undefined) return [];
    return typeof known === 'string' ? [known] : [...known].sort();
  }
}

/** A copy of a text that was cut out of a note, and would keep the whole note in memory. */
function detached(text: string): string {
  return JSON.parse(JSON.stringify(text));
}

type Indexes = Readonly<Record<Index, Postings>>;

function newIndexes(): Indexes {
  return Object.fromEntries(INDEXES.map((index) => [index, new Postings()])) as Record<Index, Postings>; // all of them
}

/**
 * Returns the moves since the records were last saved: notes that are gone by now and have reappeared elsewhere. `left`:
 * the saved records that were not taken over. Pauses after each record.
 */
export function* movesSince(left: ReadonlyMap<string, CachedRecord>, catalogue: Catalogue): Generator<void, Move[]> {
  const gone: CachedRecord[] = [];
  for (const cached of left.values()) {
    yield;
    if (isTargetKind(cached.kind) && catalogue.statOf(cached.path) === undefined) gone.push(cached);
  }
  if (gone.length === 0) return [];
  const renames = new Renames();
  for (const cached of gone) renames.follow({ before: catalogue.restore(cached), after: null }, 0);
  const moves: Move[] = [];
  for (const file of catalogue.saved.unsaved) {
    yield;
    if (left.has(file)) continue;
    const move = renames.follow({ before: null, after: catalogue.get(file) ?? null }, 0);
    if (move !== null) moves.push(move);
  }
  return moves;
}

// Which records are copies that a sync tool made of another one, by their names and their fields (contract, section 2).

type FindNamed = (name: string) => readonly VaultRecord[];

/** Returns the record that another one is a copy of; null if it isn't a copy. */
export function findOriginal(record: VaultRecord, named: FindNamed): VaultRecord | null {
  if (record.kind === 'bad') return null;
  for (const suffix of possibleOriginals(record.name)) {
    const found = named(suffix.original).find((other) => isBeside(other, record) && isCopyOf(record, other, suffix));
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns the record of a copy: it is reported, and never read. */
export function copyRecord({ path, name, stat }: VaultRecord, original: string): BadRecord {
  const trouble = diagnostic({
    code: 'conflict-copy',
    file: path,
    message: `A sync tool left this copy of ${original}; Steward reads only the note.`,
    hint: 'Compare the two, keep what is right, and delete the copy. If it is a note of its own, rename it.',
  });
  return { kind: 'bad', path, name, stat, trouble, copyOf: original };
}

function isBeside(one: VaultRecord, other: VaultRecord): boolean {
  const folder = ({ path }: VaultRecord) => fold(path.slice(0, path.lastIndexOf('/') + 1));
  return one.path !== other.path && folder(one) === folder(other);
}

/** They change in the life of a note, so that a copy shows how it was. */
const PASSING = [
  ...['state', 'completedDate', 'snoozed_until', 'current_state', 'next_check_after', 'pending_confirmation'],
  ...['state_field', 'unexplained', 'set_aside', 'numbers', 'open_boxes'],
];
/** How much the sizes of a note and its copy may differ. */
const MAX_GROWTH = 1.25;
/** Notes that say less may be alike by chance. */
const MIN_FIELDS = 2;

function isCopyOf(copy: VaultRecord, original: VaultRecord, { saysConflict }: CopySuffix): boolean {
  if (copy.kind === 'bad' || original.kind === 'bad' || copy.kind !== original.kind) return false;
  // The time in an event note is as good as a name.
  if (copy.kind === 'event' && original.kind === 'event')
    return (
      copy.fields.timestamp === original.fields.timestamp && copy.fields.target_path === original.fields.target_path
    );
  const [one, other] = [new Map(Object.entries(copy.fields)), new Map(Object.entries(original.fields))];
  const said = [...one.keys()].filter((key) => saysMore(one.get(key)) || saysMore(other.get(key)));
  const lasting = said.filter((key) => !PASSING.includes(key));
  const different = (keys: readonly string[]) => keys.filter((key) => !isDeepStrictEqual(one.get(key), other.get(key)));
  if (saysConflict) return different(lasting).length * 2 <= said.length;
  const [small = 0, large = 0] = [copy.stat.size, original.stat.size].toSorted((a, b) => a - b);
  const isOneSize = said.length >= MIN_FIELDS ? large <= small * MAX_GROWTH : large === small;
  return isOneSize && different(lasting).length === 0;
}

function saysMore(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 'normal';
}
