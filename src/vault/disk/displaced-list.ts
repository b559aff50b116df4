import fs from 'node:fs';
import { z } from 'zod';
import { isFileName, readBytes, staysInside, writeState } from '../files.ts';
import { append } from './append.ts';

/** How the name of a displaced file ends that stays next to its note. */
export const APART = '.former';
/** A list beyond this many bytes is not ours. */
const MAX_LIST = 64 * 1024 * 1024;

const displaced = z.lazy(() =>
  z.object({
    note: z.string(),
    /** Its name in the history. */
    file: z.string().refine(isFileName),
    /** The hash of its bytes when it was displaced. */
    sha: z.string(),
    /** When it was displaced (epoch ms). */
    at: z.number(),
    /** Its ctime when its bytes were last compared: while that stands, nobody has written into it. */
    ctime: z.number().optional(),
    /** The displaced file itself, where `file` is a copy of it on another disk. Vault-relative. */
    apart: z
      .string()
      .refine((file) => staysInside(file) && /(^|\/)\.[^/]+$/.test(file) && file.endsWith(APART))
      .optional(),
  }),
);
/** A file that was a note until an edit displaced it. */
export type Displaced = z.infer<typeof displaced>;

/**
 * The displaced files on disk, one line each: who holds one open may outlive this process, and before a file is deleted
 * its bytes are compared with those it had.
 */
export class DisplacedList {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Adds a line, and returns whether it could. Not durably: it has to outlive this process, since no writer outlives the
   * machine.
   */
  add(one: Displaced): boolean {
    try {
      append(this.#file, `${JSON.stringify(one)}\n`);
      return true;
    } catch {
      return false; // the disk refuses, or what lies there is no file
    }
  }

  /** Replaces all lines. */
  write(all: Iterable<Displaced>): void {
    const text = Array.from(all, (one) => `${JSON.stringify(one)}\n`).join('');
    try {
      if (text === '') fs.rmSync(this.#file, { force: true });
      else writeState(this.#file, text);
    } catch {
      // The old list stays: the next start checks some files once too often.
    }
  }

  /** Returns all lines that can be read; of several about one file the last. */
  read(): Displaced[] {
    try {
      const lines = readBytes(this.#file, MAX_LIST).bytes.toString('utf8').split('\n').flatMap(parsed);
      return [...new Map(lines.map((one) => [one.file, one])).values()];
    } catch {
      return []; // there is none
    }
  }
}

// A line that was cut off in the middle is skipped.
function parsed(text: string): Displaced | [] {
  try {
    return displaced.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
