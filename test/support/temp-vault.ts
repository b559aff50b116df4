import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { RuntimePaths } from '../../src/daemon/runtime-paths.ts';
import { EntryLog } from '../../src/vault/entry-log.ts';
import { type Frontmatter, readNote } from '../../src/vault/frontmatter.ts';
import { type OwnPlaces, ownPlaces } from '../../src/vault/layout.ts';
import { namesIn, pathsIn, placed } from './placed.ts';
import { flatFields } from './record.ts';

const HOUR = 3_600_000;

/** The key of every program of the tests: it knows the notes that `ownSignal` and `ownLicence` seal as its own. */
export const TEST_KEY = '5e'.repeat(32);

/** What tells the vaults of the tests from others: all have one, so that a note can be sealed before its vault is there. */
export const TEST_IDENTITY = JSON.stringify({ id: '6f1c2a34-5b6d-4e7f-8a90-1b2c3d4e5f60' });

/** Texts by vault-relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A vault in a temporary folder, removed when the test ends. Notes are an hour old unless a test makes them fresh. */
export class TempVault {
  /** The folder that holds the vault and the files outside it. */
  readonly home: string;
  readonly root: string;
  readonly places: OwnPlaces;
  readonly outside: RuntimePaths;
  #count = 0;

  constructor(files: Files = {}) {
    // Short, since the path of a socket may have only a hundred bytes.
    this.home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vs-')));
    this.root = path.join(this.home, 'vault');
    this.places = ownPlaces(this.root);
    this.outside = { socket: path.join(this.home, 'out', 's.sock'), snapshot: path.join(this.home, 'out', 's.json') };
    fs.mkdirSync(this.root);
    for (const [file, text] of Object.entries(files)) this.write(file, text);
    onTestFinished(() => fs.rmSync(this.home, { recursive: true, force: true }));
  }

  /** Gives it the identity for which `ownSignal` and `ownLicence` seal. Called before a program first opens it. */
  identify(): this {
    withTestIdentity(this.root);
    return this;
  }

  /** Returns where a file lies, absolute; a note of a month also where only its kind is named. */
  at(file: string): string {
    return placed(this.root, file);
  }

  /** Puts a complete file in its place in one step, as a sync tool does. `ageMs`: how old its mtime is. */
  write(file: string, text: string | Uint8Array, ageMs: number = HOUR): void {
    this.#count += 1;
    const part = path.join(this.home, `part-${this.#count}`);
    fs.writeFileSync(part, text);
    const time = new Date(Date.now() - ageMs);
    fs.utimesSync(part, time, time);
    const place = path.join(this.root, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.renameSync(part, place);
  }

  /** Replaces a piece of text in a note, in one step. Throws where the note does not hold it. */
  edit(file: string, from: string, to: string, ageMs: number = HOUR): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} does not hold ${JSON.stringify(from)}:\n${text}`);
    this.write(
      path.relative(this.root, this.at(file)),
      text.replace(from, () => to),
      ageMs,
    );
  }

  read(file: string): string {
    return fs.readFileSync(this.at(file), 'utf8');
  }

  bytes(file: string): Buffer {
    return fs.readFileSync(this.at(file));
  }

  has(file: string): boolean {
    return fs.existsSync(this.at(file));
  }

  remove(file: string): void {
    fs.rmSync(this.at(file), { recursive: true });
  }

  rename(from: string, to: string): void {
    fs.renameSync(this.at(from), this.at(to));
  }

  /** Returns the names in a folder and in its months, sorted; empty where there is no folder. */
  names(folder: string): string[] {
    return namesIn(this.root, folder);
  }

  /** The notes of a folder and of its months, vault-relative. */
  paths(folder: string): string[] {
    return pathsIn(this.root, folder);
  }

  /** Returns the event notes whose names begin this way, as vault-relative paths. */
  events(prefix = ''): string[] {
    return this.paths('event').filter((file) => path.posix.basename(file).startsWith(prefix));
  }

  /** Returns the fields of a note, those in the record of an event note included. Throws where it cannot be read. */
  fields(file: string): Frontmatter {
    return flatFields(this.properties(file));
  }

  /** Returns the frontmatter of a note as it is written. Throws where it cannot be read. */
  properties(file: string): Frontmatter {
    const read = readNote(file, this.bytes(file));
    if (!read.ok) throw new Error(`${file}: ${read.trouble.message}\n${this.read(file)}`);
    return read.note.data;
  }

  /** Returns the state that the program saved under a name; null where it has saved none yet. */
  state(name: string): unknown {
    const file = path.join(this.places.state, `${name}.json`);
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8'));
    const entries = new EntryLog(this.places.state, name).load();
    return entries.size === 0 ? null : Object.fromEntries(entries);
  }

  /** Returns the files that hold the state of a name, with what is in them. */
  stateFiles(name: string): Record<string, string> {
    const isOfIt = new RegExp(`^${name}(-\\d{8})?\\.`);
    const files = this.names('.steward/state').filter((file) => isOfIt.test(file));
    return Object.fromEntries(files.map((file) => [`.steward/state/${file}`, this.read(`.steward/state/${file}`)]));
  }

  /** Puts these files in the place of those that hold the state of a name. */
  resetState(name: string, files: Readonly<Record<string, string>> = {}): void {
    for (const file of Object.keys(this.stateFiles(name))) this.remove(file);
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  /** Returns every file in the vault with its bytes, except those in the program's own folder. */
  snapshot(): Record<string, string> {
    const files: Record<string, string> = {};
    for (const name of fs.readdirSync(this.root, { recursive: true, encoding: 'utf8' })) {
      const file = name.split(path.sep).join('/');
      if (!file.startsWith('.steward') && fs.statSync(this.at(file)).isFile()) files[file] = this.read(file);
    }
    return files;
  }
}

/** Gives a program its key for the tests. `stateHome`: what its `XDG_STATE_HOME` says. */
export function withTestKey(stateHome: string): void {
  const folder = path.join(stateHome, 'vault-steward');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'seal-key'), TEST_KEY, { mode: 0o600 });
}

/** Gives a vault the identity of the tests, unless it has one. */
export function withTestIdentity(root: string): void {
  const { state } = ownPlaces(root);
  const file = path.join(state, 'identity.json');
  if (fs.existsSync(file) || !fs.existsSync(root)) return;
  fs.mkdirSync(state, { recursive: true });
  fs.writeFileSync(file, TEST_IDENTITY);
}
