import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../src/vault/hash.ts';

/**
 * A digest of everything a start could see of a vault: names, bytes, modes, and which names share a file. What differs
 * from one run to the next and decides nothing (times, random names, process numbers, hashes over times) is made alike:
 * two vaults of one digest have the same recovery.
 */
export function diskState(root: string): string {
  const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' });
  const names = new Map<number, string[]>();
  for (const file of files) {
    const { ino } = fs.lstatSync(path.join(root, file));
    names.set(ino, [...(names.get(ino) ?? []), alike(file)].sort());
  }
  const lines = files.map((file) => {
    const { ino, mode } = fs.lstatSync(path.join(root, file));
    return [alike(file), mode.toString(8), names.get(ino), held(root, file)].join('\t');
  });
  return sha256(lines.sort().join('\n'));
}

function held(root: string, file: string): string {
  const place = path.join(root, file);
  if (!fs.lstatSync(place).isFile()) return '';
  // Of a lock it counts whether it is whole.
  if (/(^|\/)lock$|lock\.[^/]*\.part$/.test(file)) return fs.readFileSync(place, 'utf8').slice(-1);
  return alike(fs.readFileSync(place, 'utf8'));
}

function alike(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d([.-]\d{3})?Z/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/[0-9a-f]{64}/g, 'SHA')
    .replace(/\b\d{13}(\.\d+)?\b/g, 'MS')
    .replace(/\.\d{4,}$/gm, '.NUMBER');
}
