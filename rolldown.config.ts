import { globSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { defineConfig } from 'rolldown';

/** Packages that most commands load. As part of the bundle they load in half the time; all others stay in node_modules. */
const BUNDLED = ['zod', 'js-yaml', 'commander', 'fast-string-truncated-width'];
/** The command line, the demo, and the processes that the daemon starts for untrusted files. */
const entries = ['src/cli/main.ts', 'src/cli/demo-main.ts', ...globSync('src/**/*-worker.ts')];

export default defineConfig({
  input: Object.fromEntries(entries.map((file) => [basename(file, '.ts'), file])),
  platform: 'node',
  // No other file imports an entry: it would run a second time.
  preserveEntrySignatures: 'strict',
  external: (id) => isPackage(id) && !BUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    // One flat folder: a file finds its workers next to itself, as in src.
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    // With a hash, so that a daemon never loads a part of the version that an update has put in place.
    chunkFileNames: '[name]-[hash].js',
    // People run `status` more than any other command. As one file it starts in 2 × `node -e 0`, in pieces in 2.2 ×.
    codeSplitting: {
      groups: [{ name: 'status', test: /src\/cli\/(terminal|commands\/status)\.ts$/ }],
    },
  },
});

function isPackage(id: string): boolean {
  return !id.startsWith('.') && !isAbsolute(id);
}
