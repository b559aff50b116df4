import fs from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';

const FILE = path.resolve(import.meta.dirname, '..', 'printed-commands.yaml');

const exceptionSchema = z.strictObject({
  /** A pattern that a whole printed command must fit. */
  pattern: z.string().transform((text) => new RegExp(`^(?:${text})$`, 's')),
  reason: z.string().min(10),
  /** What is run in its place; without it and without `exit`, the command is not run. */
  instead: z.string().optional(),
  /** How it ends here, if not with 0. */
  exit: z.union([z.literal(1), z.literal(75)]).optional(),
  /** What it says then. */
  says: z.string().optional(),
});

/** A printed command that is not run as it stands, or does not end with 0, and why. */
export type Exception = z.infer<typeof exceptionSchema>;

export function readExceptions(): readonly Exception[] {
  return z.array(exceptionSchema).parse(load(fs.readFileSync(FILE, 'utf8')));
}
