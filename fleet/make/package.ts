import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/*
 * Makes `dist/package`, from which `npm pack` makes the package that operators install: this program, and what it uses of the
 * steward, as JavaScript. `npm run package` builds the workflow first.
 */
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: unknown;
}

const FLEET = path.resolve(import.meta.dirname, '..');
const PROJECT = path.dirname(FLEET);
const OUT = path.join(FLEET, 'dist', 'package');
const readManifest = (folder: string): Manifest & Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

rmSync(OUT, { recursive: true, force: true });
mkdirSync(path.join(OUT, 'bin'), { recursive: true });
// Programs that the daemon starts for untrusted files are next to the file that starts them, as in src.
const entries = {
  main: path.join(FLEET, 'src', 'main.ts'),
  failures: path.join(FLEET, 'src', 'engine', 'failures.ts'),
  ...Object.fromEntries(
    globSync('src/**/*-worker.ts', { cwd: PROJECT }).map((file) => [
      path.basename(file, '.ts'),
      path.join(PROJECT, file),
    ]),
  ),
};
await using bundle = await rolldown({
  input: entries,
  platform: 'node',
  preserveEntrySignatures: 'strict',
  external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
});
await bundle.write({
  dir: path.join(OUT, 'dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
cpSync(path.join(FLEET, 'dist', 'workflow.js'), path.join(OUT, 'dist', 'workflow.js'));
cpSync(path.join(PROJECT, 'data'), path.join(OUT, 'data'), { recursive: true });
cpSync(path.join(PROJECT, 'LICENSE'), path.join(OUT, 'LICENSE'));
copyPage(path.join(FLEET, 'README.md'), 'README.md', { '../docs/dev/fleet.md': 'docs/fleet.md' });
copyPage(path.join(PROJECT, 'docs', 'dev', 'fleet.md'), 'docs/fleet.md', { '../../fleet/README.md': '../README.md' });
for (const folder of ['systemd', 'container']) {
  if (existsSync(path.join(FLEET, folder)))
    cpSync(path.join(FLEET, folder), path.join(OUT, folder), { recursive: true });
}
cpSync(path.join(PROJECT, 'bin', 'node-version.js'), path.join(OUT, 'bin', 'node-version.js'));
cpSync(path.join(FLEET, 'bin', 'steward-vault-git'), path.join(OUT, 'bin', 'steward-vault-git'));
const started = readFileSync(path.join(FLEET, 'bin', 'steward-fleet.js'), 'utf8')
  .replace('../../bin/node-version.js', './node-version.js')
  .replace('../src/main.ts', '../dist/main.js');
writeFileSync(path.join(OUT, 'bin', 'steward-fleet.js'), started, { mode: 0o755 });

const [own, program] = [readManifest(FLEET), readManifest(PROJECT)];
const { scripts: _, devDependencies: __, private: ___, ...rest } = own;
const manifest = {
  ...rest,
  dependencies: { ...program.dependencies, ...own.dependencies },
  peerDependencies: program.peerDependencies,
  peerDependenciesMeta: program.peerDependenciesMeta,
};
writeFileSync(path.join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** Copies a page with its links as they are in the package. A link to a page that isn't there becomes plain text. */
function copyPage(from: string, to: string, places: Readonly<Record<string, string>>): void {
  const text = readFileSync(from, 'utf8').replace(
    /\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g,
    (_, words: string, file: string, part = '') => (file in places ? `[${words}](${places[file]}${part})` : words),
  );
  mkdirSync(path.dirname(path.join(OUT, to)), { recursive: true });
  writeFileSync(path.join(OUT, to), text);
}
