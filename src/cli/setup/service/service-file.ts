import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../../vault/hash.ts';

/** A file that tells the system how to run the steward. `text` holds `UNSEALED` once. */
export interface ServiceFile {
  readonly file: string;
  readonly text: string;
}

/** What came of a file: what stood there, and the copy that was kept of what a person had changed in it. */
interface Written {
  readonly before: 'absent' | 'same' | 'other';
  /** Where the version that a person had changed is kept; null where there was none. */
  readonly kept: string | null;
}

/** Stands in a text for the hash of that text, so that a later install knows whether a person has changed it. */
export const UNSEALED = 'sha256:unsealed';
const SEAL = /sha256:[0-9a-f]{64}/;

/** Writes the file. What a person has changed in it is kept beside it, where the system reads nothing. */
export function writeServiceFile({ file, text }: ServiceFile): Written {
  const known = readText(file);
  const sealed = sealedText(text);
  if (known === sealed) return { before: 'same', kept: null };
  const kept = known === null || isUntouched(known) ? null : `${file}.before`;
  if (kept !== null) fs.copyFileSync(file, kept);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, sealed);
  return { before: known === null ? 'absent' : 'other', kept };
}

/** Returns the text with its hash in it. */
export function sealedText(text: string): string {
  return text.replace(UNSEALED, `sha256:${sha256(text)}`);
}

/** Returns the text of a file, or null where there is none. */
export function readText(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
}

function isUntouched(text: string): boolean {
  return sealedText(text.replace(SEAL, UNSEALED)) === text;
}
