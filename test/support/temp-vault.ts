import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { RuntimePaths } from '../../src/daemon/server/runtime-paths.ts';
import { readNote } from '../../src/vault/frontmatter/parse.ts';
import { type OwnPlaces, ownPlaces } from '../../src/vault/layout.ts';
import type { Frontmatter } from '../../src/vault/records/values.ts';

const HOUR = 3_600_000;

/** Files by vault-relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A vault in a temp folder of its own, removed when the test ends. Notes are an hour old unless they are said to be fresh. */
export class TempVault {
  /** The folder that holds the vault and what lies outside it. */
  readonly home: string;
  readonly root: string;
  readonly places: OwnPlaces;
  readonly outside: RuntimePaths;
  #count = 0;

  constructor(files: Files = {}) {
    // Short, since a socket's path may have no more than a hundred bytes.
    this.home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vs-')));
    this.root = path.join(this.home, 'vault');
    this.places = ownPlaces(this.root);
    this.outside = { socket: path.join(this.home, 'out', 's.sock'), snapshot: path.join(this.home, 'out', 's.json') };
    fs.mkdirSync(this.root);
    for (const [file, text] of Object.entries(files)) this.write(file, text);
    onTestFinished(() => fs.rmSync(this.home, { recursive: true, force: true }));
  }

  at(file: string): string {
    return path.join(this.root, file);
  }

  /** Puts a file in its place whole and in one step, as a sync tool does. `ageMs`: how long ago it says it was written. */
  write(file: string, text: string | Uint8Array, ageMs: number = HOUR): void {
    this.#count += 1;
    const part = path.join(this.home, `part-${this.#count}`);
    fs.writeFileSync(part, text);
    const time = new Date(Date.now() - ageMs);
    fs.utimesSync(part, time, time);
    fs.mkdirSync(path.dirname(this.at(file)), { recursive: true });
    fs.renameSync(part, this.at(file));
  }

  /** Replaces a piece of text in a note, in one step; the note must hold it. */
  edit(file: string, from: string, to: string, ageMs: number = HOUR): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} does not hold ${JSON.stringify(from)}:\n${text}`);
    this.write(
      file,
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

  /** The names in a folder, sorted; empty where there is none. */
  names(folder: string): string[] {
    return fs.existsSync(this.at(folder)) ? fs.readdirSync(this.at(folder)).sort() : [];
  }

  /** The event notes whose name begins so, as vault-relative paths. */
  events(prefix = ''): string[] {
    return this.names('event')
      .filter((name) => name.startsWith(prefix))
      .map((name) => `event/${name}`);
  }

  /** The frontmatter of a note that must be readable. */
  fields(file: string): Frontmatter {
    const read = readNote(file, this.bytes(file));
    if (!read.ok) throw new Error(`${file}: ${read.trouble.message}\n${this.read(file)}`);
    return read.note.data;
  }

  /** What the program remembers under a name; null where it has written nothing yet. */
  state(name: string): unknown {
    const file = path.join(this.places.state, `${name}.json`);
    return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
  }

  /** Every file of people and program under the vault, with its bytes; the program's own folder left out. */
  snapshot(): Record<string, string> {
    const files: Record<string, string> = {};
    for (const name of fs.readdirSync(this.root, { recursive: true, encoding: 'utf8' })) {
      const file = name.split(path.sep).join('/');
      if (!file.startsWith('.steward') && fs.statSync(this.at(file)).isFile()) files[file] = this.read(file);
    }
    return files;
  }
}
