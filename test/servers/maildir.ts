import fs from 'node:fs';
import path from 'node:path';
import type { MailOwner } from './dovecot-config.ts';

/** One mail as it is put into a mailbox on disk. */
export interface Laid {
  readonly bytes: string | Uint8Array;
  /** When it came in (epoch ms). */
  readonly at: number;
  /** Absent for one that has just come in. Then a server may be looking; else it must not. */
  readonly isSeen?: boolean;
}

/** A mailbox of one user as it lies on disk, and changes to it that a server finds there. */
export class Maildir {
  readonly #root: string;
  readonly #owner: MailOwner;
  #count = 0;

  constructor(root: string, owner: MailOwner) {
    this.#root = root;
    this.#owner = owner;
  }

  /** Lays mails into a folder past the server, many thousand a second. A server that looks finds them as new. */
  lay(mails: Iterable<Laid>, folder = 'INBOX'): void {
    const at = this.#folder(folder);
    for (const part of [this.#root, at, ...['cur', 'new', 'tmp'].map((name) => path.join(at, name))]) this.#own(part);
    for (const mail of mails) this.#layOne(at, mail);
  }

  /** The names of the mail files of a folder, with the flags that are in them. */
  names(folder = 'INBOX'): string[] {
    const at = this.#folder(folder);
    return ['cur', 'new']
      .flatMap((part) => fs.readdirSync(path.join(at, part)).map((name) => `${part}/${name}`))
      .sort();
  }

  /** The mail's text is gone from the disk while the server still lists it. */
  remove(name: string, folder = 'INBOX'): void {
    fs.rmSync(path.join(this.#folder(folder), name));
  }

  /** The server has forgotten how it numbered the mails of a folder, and numbers them anew. Call it while it is stopped. */
  renumber(folder = 'INBOX'): void {
    const at = this.#folder(folder);
    const list = path.join(at, 'dovecot-uidlist');
    const was = Number(/ V(\d+)/.exec(fs.readFileSync(list, 'utf8'))?.[1]);
    for (const name of fs.readdirSync(at)) {
      if (name.startsWith('dovecot.index')) fs.rmSync(path.join(at, name));
    }
    fs.writeFileSync(list, `3 V${was + 1} N1\n`);
  }

  #layOne(at: string, { bytes, at: time, isSeen }: Laid): void {
    this.#count += 1;
    const unique = `${Math.floor(time / 1000)}.M${String(this.#count).padStart(7, '0')}P${process.pid}.laid`;
    // As a delivery does it: nobody sees half a mail. One that was there before is not watched while it is laid.
    const first = isSeen === undefined ? path.join(at, 'tmp', unique) : seenName(at, unique, isSeen);
    fs.writeFileSync(first, bytes);
    fs.utimesSync(first, time / 1000, time / 1000);
    if (isSeen === undefined) fs.renameSync(first, path.join(at, 'new', unique));
  }

  #own(folder: string): void {
    if (fs.existsSync(folder)) return;
    fs.mkdirSync(folder);
    fs.chownSync(folder, this.#owner.uid, this.#owner.gid);
  }

  #folder(name: string): string {
    return name === 'INBOX' ? this.#root : path.join(this.#root, `.${name}`);
  }
}

function seenName(at: string, unique: string, isSeen: boolean): string {
  return path.join(at, 'cur', `${unique}:2,${isSeen ? 'S' : ''}`);
}
