import fs from 'node:fs';
import path from 'node:path';
import { readPartLines } from '../../src/vault/entry-log.ts';

const PART = /^(?<log>.+)-\d{8}\.jsonl$/;

/**
 * Returns how many bytes of a state folder count: of what is written line by line the newest of each key. What is out of date and
 * not cleared away yet depends on how often the state was written, and so on how fast the machine is.
 */
export function remembered(folder: string): number {
  const sizes = new Map<string, number>();
  for (const name of fs.readdirSync(folder).sort()) {
    const file = path.join(folder, name);
    const log = PART.exec(name)?.groups?.log;
    if (log === undefined) sizes.set(name, fs.statSync(file).isFile() ? fs.statSync(file).size : 0);
    else
      for (const { key, value, chars } of readPartLines(fs.readFileSync(file, 'utf8')).lines)
        sizes.set(`${log} ${key}`, value === undefined ? 0 : chars);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
