import type { Indexes, Moves, NamePostings } from '../../catalogue.ts';
import { type Index, lastPart } from '../../index-keys.ts';
import { linkKey, linkTarget } from '../../links.ts';
import { fold, stem } from '../../note-names.ts';
import type { TargetRecord, VaultRecord } from '../record.ts';

/** What links are resolved against: the records by path, the paths by key, and where notes were moved to. */
interface LinkedRecords {
  has(path: string): boolean;
  get(path: string): VaultRecord | undefined;
  readonly postings: Indexes;
  /** The names of notes that are no records. */
  readonly noteNames: NamePostings;
  readonly moves: Moves;
}

/** Finds the record that a link or a path means, as Obsidian resolves it, and the records that link to one. */
export class LinkResolver {
  readonly #records: LinkedRecords;

  constructor(records: LinkedRecords) {
    this.#records = records;
  }

  /**
   * Returns the record a link leads to: by path, by name, by the end of a path, by alias; case-folded. Of several, the
   * one whose path it is, then one of the `preferred` kinds, then one that is spelled just so, then the one with the
   * shortest path. A path to a signal or an event leads to it whichever month it names, or none. Null where the link
   * leads to none.
   */
  resolve(link: string, preferred: readonly VaultRecord['kind'][]): VaultRecord | null {
    const key = linkKey(link);
    if (key === '') return null;
    const found = this.#candidates(key);
    if (found.length <= 1) return found[0] ?? null;
    const rank = (record: VaultRecord) => (preferred.includes(record.kind) ? 0 : 1);
    const exact = (record: VaultRecord) => (pathKey(record.path) === key ? 0 : 1);
    // Most disks keep `Rent.md` and `rent.md` apart: what is said of the one is not said of the other.
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
    const named = [...this.#records.postings.name.get(name), ...this.#records.noteNames.get(name)];
    return named.some((path) => endsWith(path, key));
  }

  /** Returns the records whose link under `index` may lead to this one: to its name, path, aliases or former paths. */
  linkedTo(target: TargetRecord, index: Index): VaultRecord[] {
    const postings = this.#records.postings[index];
    const former = this.formerPaths(target.path).map(pathKey);
    const keys = new Set([...pathEnds(target.path), ...target.fields.aliases.map(fold), ...former]);
    const paths = new Set([...keys].flatMap((key) => postings.get(key)));
    return [...paths].flatMap((path) => this.#records.get(path) ?? []);
  }

  /**
   * Returns the path a note has now that was once written down under this one: the same path, the path in other letters
   * (a case-only rename, a machine that writes names decomposed), or where the note was moved to. The path itself where
   * none is known.
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

  #at(index: Index, key: string): VaultRecord[] {
    return this.#records.postings[index].get(key).flatMap((path) => this.#records.get(path) ?? []);
  }
}

/** Orders records by the length of their path, then alphabetically. */
export function byPath(a: VaultRecord, b: VaultRecord): number {
  return a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}

// The names of the program's own notes have their time in them: no two notes share one, whichever month they lie in.
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
