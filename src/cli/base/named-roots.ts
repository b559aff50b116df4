import path from 'node:path';

/** Returns the folders that `--root` allows to be read, as absolute paths. They are the shell's: `cwd` counts. */
export function namedRoots(written: readonly string[], cwd: string): readonly string[] {
  return written.map((root) => path.resolve(cwd, root));
}
