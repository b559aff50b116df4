import fs from 'node:fs';
import path from 'node:path';
import { sha256 } from '../../src/vault/note-text.ts';

/** Everything that lies in some folders: of each file its bytes, its very file and its times, of each folder its times. */
export function everythingIn(...folders: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const folder of folders) {
    for (const name of ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
      const file = path.join(folder, name);
      const { ino, mode, mtimeMs, ctimeMs } = fs.lstatSync(file);
      const bytes = fs.lstatSync(file).isFile() ? sha256(fs.readFileSync(file)) : '';
      found[file] = [ino, mode, mtimeMs, ctimeMs, bytes].join(' ');
    }
  }
  return found;
}
