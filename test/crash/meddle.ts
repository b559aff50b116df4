import fs from 'node:fs';
import path from 'node:path';
import type { Exchange } from '../../src/vault/exchange.ts';
import { type Meddle, TOKEN } from './job.ts';

/**
 * Somebody else writes to a note at one exact moment: the calls that put a note in its place are wrapped, so that the
 * writing happens just before or just after the first of them.
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

  /** What a handle opened before the swap still has to write. */
  end(): void {
    fs.renameSync = this.#rename;
    if (this.#handle === null) return;
    fs.writeSync(this.#handle, `\n${TOKEN}\n`);
    fs.closeSync(this.#handle);
    this.#typed();
  }

  // A mark outside the vault: from here on what was typed must be found.
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
    if (this.#meddle?.when === 'before') write(this.#note, this.#meddle, this.#rename);
    call();
    if (this.#meddle?.when === 'after') write(this.#note, this.#meddle, this.#rename);
    if (this.#meddle?.when !== 'late') this.#typed();
  }
}

function write(note: string, { how }: Meddle, rename: typeof fs.renameSync): void {
  const text = fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : '';
  const part = path.join(path.dirname(path.dirname(note)), '.person~');
  if (how === 'delete') fs.rmSync(note, { force: true });
  else if (how === 'append') fs.appendFileSync(note, `\n${TOKEN}\n`);
  else if (how === 'rewrite') fs.writeFileSync(note, `${text}\n${TOKEN}\n`);
  else {
    fs.writeFileSync(part, `${text}\n${TOKEN}\n`);
    rename(part, note);
  }
}
