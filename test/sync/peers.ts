import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../src/vault/note-text.ts';

/** What one side knows of a file: its bytes by their hash, and how often each side has changed them. */
interface Known {
  readonly sha: string;
  readonly mtimeMs: number;
  readonly version: readonly [number, number];
}

interface Message {
  readonly to: Side;
  readonly file: string;
  readonly bytes: Buffer | null;
  readonly known: Known;
  /** In which round it arrives. */
  readonly at: number;
}

type Side = 0 | 1;
const GONE = 'gone';

/**
 * Two folders and a sync tool between them, after the model of Syncthing: each change travels by itself, arrives after a
 * delay of its own, and so in any order. A file changed on both sides keeps its newer version; the older one becomes a
 * conflict copy, where it was. Everything is written beside and renamed into place.
 */
export class Peers {
  readonly #roots: readonly [string, string];
  readonly #random: () => number;
  readonly #ignores: (file: string) => boolean;
  readonly #known: readonly [Map<string, Known>, Map<string, Known>] = [new Map(), new Map()];
  #underway: Message[] = [];
  #round = 0;
  /** The longest delay, in rounds. */
  readonly #longest: number;
  conflicts: string[] = [];
  /** Nothing is sent or delivered before this moment (epoch ms). */
  #offlineUntil = 0;

  constructor(
    roots: readonly [string, string],
    { random, longest, ignores }: { random: () => number; longest: number; ignores: (file: string) => boolean },
  ) {
    this.#roots = roots;
    this.#random = random;
    this.#longest = longest;
    this.#ignores = ignores;
    // Both begin with the same notes.
    for (const side of [0, 1] as const) {
      for (const [file, { sha, mtimeMs }] of this.#listing(side)) {
        this.#known[side].set(file, { sha, mtimeMs, version: [0, 0] });
      }
    }
  }

  /** Whether nothing is under way, and nothing has changed that was not sent. */
  get isQuiet(): boolean {
    return this.#underway.length === 0 && ([0, 1] as const).every((side) => this.#changes(side).length === 0);
  }

  /** Cuts the connection for a while: both machines work on, and see each other's changes later. */
  disconnect(ms: number): void {
    this.#offlineUntil = Date.now() + ms;
  }

  /** Looks at both folders once, and delivers what is due. */
  turn(): void {
    if (Date.now() < this.#offlineUntil) return;
    this.#round += 1;
    for (const side of [0, 1] as const) this.#send(side);
    const due = this.#underway.filter(({ at }) => at <= this.#round);
    this.#underway = this.#underway.filter(({ at }) => at > this.#round);
    for (const message of due.toSorted(() => this.#random() - 0.5)) this.#receive(message);
  }

  #send(side: Side): void {
    for (const [file, now] of this.#changes(side)) this.#take(side, file, now);
  }

  #changes(side: Side): [string, { sha: string; mtimeMs: number }][] {
    const listing = this.#listing(side);
    const known = this.#known[side];
    const changed = [...listing].filter(([file, { sha }]) => known.get(file)?.sha !== sha);
    const gone = [...known].filter(([file, { sha }]) => sha !== GONE && !listing.has(file));
    return [...changed, ...gone.map(([file]) => [file, { sha: GONE, mtimeMs: Date.now() }] as [string, typeof NEVER])];
  }

  #take(side: Side, file: string, now: { sha: string; mtimeMs: number }): void {
    const [a, b] = this.#known[side].get(file)?.version ?? [0, 0];
    const known = { ...now, version: side === 0 ? ([a + 1, b] as const) : ([a, b + 1] as const) };
    this.#known[side].set(file, known);
    this.#post(side, file, known);
  }

  #post(side: Side, file: string, known: Known): void {
    const bytes = known.sha === GONE ? null : bytesOf(this.#at(side, file));
    if (bytes === null && known.sha !== GONE) return; // gone again: the next look tells
    const at = this.#round + 1 + Math.floor(this.#random() * this.#longest);
    this.#underway.push({ to: side === 0 ? 1 : 0, file, bytes, known, at });
  }

  #receive({ to, file, bytes, known: theirs }: Message): void {
    const here = this.#listing(to).get(file) ?? { sha: GONE, mtimeMs: 0 };
    const before = this.#known[to].get(file) ?? { sha: GONE, mtimeMs: 0, version: [0, 0] as const };
    if (here.sha !== before.sha) this.#take(to, file, here);
    const ours = this.#known[to].get(file) ?? before;
    if (includes(ours.version, theirs.version)) return;
    const version = merged(ours.version, theirs.version);
    if (includes(theirs.version, ours.version) || ours.sha === theirs.sha) this.#write(to, file, bytes);
    else if (theirs.mtimeMs > ours.mtimeMs || (theirs.mtimeMs === ours.mtimeMs && theirs.sha > ours.sha)) {
      this.#setAside(to, file);
      this.#write(to, file, bytes);
    } else {
      this.#known[to].set(file, { ...ours, version });
      this.#post(to, file, { ...ours, version });
      return;
    }
    this.#known[to].set(file, { ...theirs, version });
  }

  #setAside(side: Side, file: string): void {
    const { dir, name, ext } = path.posix.parse(file);
    const copy = path.posix.join(
      dir,
      `${name}.sync-conflict-20261121-201954-${side === 0 ? 'AAAAAAA' : 'BBBBBBB'}${ext}`,
    );
    this.conflicts.push(file);
    if (fs.existsSync(this.#at(side, file))) fs.renameSync(this.#at(side, file), this.#at(side, copy));
  }

  #write(side: Side, file: string, bytes: Buffer | null): void {
    const target = this.#at(side, file);
    if (bytes === null) {
      fs.rmSync(target, { force: true });
      return;
    }
    const part = path.join(path.dirname(this.#roots[side]), `.part-${side}`);
    fs.writeFileSync(part, bytes);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.renameSync(part, target);
  }

  #listing(side: Side): Map<string, { sha: string; mtimeMs: number }> {
    const found = new Map<string, { sha: string; mtimeMs: number }>();
    for (const name of fs.readdirSync(this.#roots[side], { recursive: true, encoding: 'utf8' })) {
      if (this.#ignores(name)) continue;
      const at = this.#at(side, name);
      const stat = fs.statSync(at, { throwIfNoEntry: false });
      const bytes = stat?.isFile() ? bytesOf(at) : null;
      if (stat !== undefined && bytes !== null) found.set(name, { sha: sha256(bytes), mtimeMs: stat.mtimeMs });
    }
    return found;
  }

  #at(side: Side, file: string): string {
    return path.join(this.#roots[side], file);
  }
}

const NEVER = { sha: GONE, mtimeMs: 0 };

function includes([a, b]: Known['version'], [c, d]: Known['version']): boolean {
  return a >= c && b >= d;
}

function merged([a, b]: Known['version'], [c, d]: Known['version']): [number, number] {
  return [Math.max(a, c), Math.max(b, d)];
}

function bytesOf(file: string): Buffer | null {
  try {
    return fs.readFileSync(file);
  } catch {
    return null; // gone between the listing and the reading
  }
}

/** Returns figures between 0 and 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
