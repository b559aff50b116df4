import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../src/vault/note-text.ts';
import { withoutTimes } from './alike.ts';

/**
 * Returns a digest of everything that a start can see of a vault: names, bytes, modes, and which names share a file.
 * Whatever differs between runs without deciding anything (times, random names, process numbers, hashes over times) is
 * replaced by placeholders, so that vaults with the same digest have the same recovery.
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
  // All that matters about a lock is whether it is complete.
  if (/(^|\/)lock$|lock\.[^/]*\.part$/.test(file)) return fs.readFileSync(place, 'utf8').slice(-1);
  return alike(fs.readFileSync(place, 'utf8'));
}

function alike(text: string): string {
  return withoutTimes(text)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/[0-9a-f]{64}/g, 'SHA')
    .replace(/(?<=\bseal: |\\nseal: |"seal":"|\\"seal\\":\\")[0-9a-f]{32}\b/g, 'MARK')
    .replace(/\b\d{13}(\.\d+)?\b/g, 'MS')
    .replace(/\.\d{4,}$/gm, '.NUMBER');
}
