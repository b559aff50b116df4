import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Exchange } from '../../src/vault/files.ts';
import { type Meddle, TOKEN } from './job.ts';

/**
 * Another writer who writes to a note at one exact moment: the calls that put a note in its place are wrapped, so that
 * the write happens just before or just after the first of them.
 */
export class Meddling {
  readonly #root: string;
  readonly #note: string;
  readonly #meddle: Meddle | undefined;
  readonly #rename = fs.renameSync;
  #handle: number | null = null;
  #armed = false;

  constructor(root: string, meddle: Meddle | undefined) {
    this.#root = root;
    this.#note = path.join(root, meddle?.note ?? '');
    this.#meddle = meddle;
  }

  exchange(exchange: Exchange | null): Exchange | null {
    return exchange === null ? null : (one, other) => this.#around([one, other], () => exchange(one, other));
  }

  begin(): void {
    if (this.#meddle === undefined) return;
    this.#armed = true;
    fs.renameSync = (from, to) => this.#around([from, to], () => this.#rename(from, to));
  }

  /** Writes what is still due through the handle that was opened before the swap. */
  end(): void {
    fs.renameSync = this.#rename;
    if (this.#handle === null) return;
    fs.writeSync(this.#handle, `\n${TOKEN}\n`);
    fs.closeSync(this.#handle);
    this.#typed();
  }

  // A mark outside the vault: from now on, what was typed must be found.
  #typed(): void {
    fs.writeFileSync(`${this.#root}.typed`, '');
  }

  #around(names: readonly fs.PathLike[], call: () => void): void {
    if (!this.#armed || !names.includes(this.#note)) {
      call();
      return;
    }
    this.#armed = false;
    if (this.#meddle?.when === 'late') this.#handle = fs.openSync(this.#note, 'a');
    if (this.#meddle?.when === 'before') write(this.#root, this.#note, this.#meddle);
    call();
    if (this.#meddle?.when === 'after') write(this.#root, this.#note, this.#meddle);
    if (this.#meddle?.when !== 'late') this.#typed();
  }
}

// The other writer uses separate processes, which the tracer does not follow, so it is never killed halfway.
const COMMANDS: Readonly<Record<Meddle['how'], string>> = {
  delete: 'rm -f "$1"',
  append: 'cat "$2" >> "$1"',
  rewrite: 'cat "$2" > "$1"',
  rename: 'mv "$2" "$1"',
};

function write(root: string, note: string, { how }: Meddle): void {
  const typed = `${root}.typing`;
  const whole = how !== 'append' && fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : '';
  execFileSync('sh', [
    '-c',
    `printf '%s\\n%s\\n' "$3" "$4" > "$2"; ${COMMANDS[how]}; rm -f "$2"`,
    'sh',
    note,
    typed,
    whole,
    TOKEN,
  ]);
}
