import fs from 'node:fs';
import path from 'node:path';
import type { Arrival } from './job.ts';

/** Puts a file into a vault as a sync tool or an editor does: complete, renamed into place from outside. */
export function arrive(root: string, { file, text }: Arrival): void {
  const [place, part] = [path.join(root, file), `${root}.arriving`];
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(part, text);
  fs.renameSync(part, place);
}
