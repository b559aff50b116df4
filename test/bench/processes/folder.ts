import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Makes a folder for some work, and removes it afterwards, also where a person breaks off. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-bench-'));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const broken = () => {
    remove();
    process.exit(130);
  };
  process.once('SIGINT', broken).once('SIGTERM', broken);
  try {
    return await work(folder);
  } finally {
    process.off('SIGINT', broken).off('SIGTERM', broken);
    remove();
  }
}

/** Shows progress on a terminal; silent elsewhere. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** Returns the kind of file system that a folder lies in. */
export function fileSystemOf(folder: string): string {
  const mounts = fs
    .readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const holding = mounts.filter(([, at = '']) => at === '/' || folder === at || folder.startsWith(`${at}/`));
  return holding.sort((a, b) => (a[1]?.length ?? 0) - (b[1]?.length ?? 0)).at(-1)?.[2] ?? 'an unknown disk';
}
