import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Does work in a temporary folder of its own, which is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vp-')));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
