import fs from 'node:fs';
import path from 'node:path';
import { type ModuleInfo, type Plugin, rolldown } from 'rolldown';

/*
 * Makes `dist` of `src`: few files, for what takes longest in a command is to find and to link its modules. What a command
 * loads by `import()` stays in files of its own.
 */

const PROJECT = path.resolve(import.meta.dirname, '..');
const SRC = path.join(PROJECT, 'src');
/** The packages that everyday commands load are part of the bundle; all others stay where npm puts them. */
const BUNDLED = ['zod', 'js-yaml', 'commander', 'fast-string-truncated-width'];
/** Splits frontmatter that is not plain, without the engines that it brings: it is always given others. */
const SPLITTER = ['gray-matter', 'section-matter', 'kind-of', 'extend-shallow', 'is-extendable', 'strip-bom-string'];
/** Parts of Node of which only functions are used: loaded with the first call. */
const LATE = ['node:crypto', 'node:child_process', 'node:timers/promises'];
/** What is loaded by the same of these lies in one file: nothing is loaded that is not needed, and not much is to be found. */
const TOGETHER = {
  asking: ['cli/main', 'cli/commands/status'],
  table: ['cli/command-table'],
  short: ['cli/commands/inbox', 'cli/commands/undo', 'cli/commands/answer'],
  notes: ['cli/commands/status-here', 'daemon/explain/audit-log'],
  run: ['cli/commands/run', 'vault/watch/watchers/folder-watcher'],
  lookup: ['cli/commands/lookup'],
  evidence: ['cli/commands/lookup/evidence-lookup'],
  looking: ['evidence/query/process/lookup-worker'],
};
/** Every command has loaded this one by then. */
const FIRST = 'asking';

const entries = fs
  .globSync(['cli/main.ts', 'cli/demo/demo-main.ts', '**/*-worker.ts'], { cwd: SRC })
  .map((file) => [file.replace(/\.ts$/, ''), path.join(SRC, file)] as const);
/** For each module, by which of these it is loaded at once. */
const loaders = new Map<string, string[]>();
// What a former build left would be packed with this one.
fs.rmSync(path.join(PROJECT, 'dist', 'chunks'), { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(entries),
  platform: 'node',
  tsconfig: path.join(PROJECT, 'tsconfig.json'),
  external: (id) => /^[^./]/.test(id) && !path.isAbsolute(id) && !id.startsWith('node:') && !isBundled(id),
  treeshake: { propertyReadSideEffects: false },
  preserveEntrySignatures: false,
  logLevel: 'silent',
  plugins: [ownPlaces(), builtins(), splitter(), together(), narrow()],
});
await bundle.write({
  dir: path.join(PROJECT, 'dist'),
  format: 'esm',
  sourcemap: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  comments: { legal: true, annotation: false, jsdoc: false },
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: fileOf }],
  },
});

function isBundled(id: string): boolean {
  return [...BUNDLED, ...SPLITTER].some((name) => id === name || id.startsWith(`${name}/`));
}

/** Leaves each module the place that it has in `src`: by that it finds its worker, its package and the template. */
function ownPlaces(): Plugin {
  const place = (file: string) => `new URL("own-place:${file}", import.meta.url)`;
  return {
    name: 'own-places',
    transform(code, id) {
      if (!id.startsWith(SRC) || !code.includes('import.meta.')) return null;
      const file = path.relative(SRC, id).replace(/\.ts$/, '.js');
      const folder = `process.getBuiltinModule("node:url").fileURLToPath(${place(path.posix.dirname(file))})`;
      const here = { dirname: folder, url: `${place(file)}.href` };
      const placed = code.replace(/import\.meta\.(dirname|url)/g, (_, what: 'dirname' | 'url') => here[what]);
      return { code: placed, map: null };
    },
    renderChunk(code, { fileName }) {
      const from = path.posix.dirname(fileName);
      const relative = (_: string, file: string) => JSON.stringify(`./${path.posix.relative(from, file)}`);
      return { code: code.replace(/"own-place:([^"]*)"/g, relative), map: null };
    },
  };
}

/** An import of a part of Node reads all its properties, and some of them load more: they are taken from the module itself. */
function builtins(): Plugin {
  return {
    name: 'builtins',
    resolveId: (id, _importer, { kind }) =>
      id.startsWith('node:') && kind === 'import-statement' ? { id: `\0${id}`, moduleSideEffects: false } : null,
    load(id) {
      const name = id.startsWith('\0node:') ? id.slice(1) : '';
      if (name === '') return null;
      const module = `process.getBuiltinModule(${JSON.stringify(name)})`;
      return LATE.includes(name) ? lateModule(name, module) : wholeModule(name, module);
    },
  };
}

function wholeModule(name: string, module: string): string {
  const exported = namesOf(name).map((key) => `const $${key} = module.${key}; export { $${key} as ${key} };`);
  return [`const module = ${module};`, 'export default module;', ...exported].join('\n');
}

function lateModule(name: string, module: string): string {
  const exported = namesOf(name).map((key) => `export const ${key} = (...words) => ${module}.${key}(...words);`);
  return [`export default new Proxy({}, { get: (_, key) => ${module}[key] });`, ...exported].join('\n');
}

function namesOf(builtin: string): string[] {
  const names = Object.keys(process.getBuiltinModule(builtin) ?? {});
  return names.filter((key) => key !== 'default' && /^\w+$/.test(key));
}

/** Has gray-matter in the bundle, still loaded at its first use, and without its own YAML, which takes longer than all the rest. */
function splitter(): Plugin {
  const engines = path.join('gray-matter', 'lib', 'engines.js');
  const unused = 'const unused = () => { throw new Error("An engine is always given."); };';
  return {
    name: 'splitter',
    transform(code, id) {
      if (id.endsWith(engines))
        return { code: `${unused} module.exports = { yaml: unused, json: unused };`, map: null };
      if (id.includes(`${path.sep}gray-matter${path.sep}`))
        return { code: code.replace("require('fs')", 'process.getBuiltinModule("node:fs")'), map: null };
      if (id !== path.join(SRC, 'vault', 'lazy-packages.ts')) return null;
      return { code: code.replace("load('gray-matter')", "require('gray-matter')"), map: null };
    },
  };
}

/** A file with one letter beyond Latin-1 takes two bytes of memory for each of its letters, for as long as the program runs. */
function narrow(): Plugin {
  return {
    name: 'narrow',
    generateBundle(_options, bundle) {
      for (const one of Object.values(bundle)) if (one.type === 'chunk') one.code = narrowed(one);
    },
  };
}

function narrowed({ code, fileName }: { readonly code: string; readonly fileName: string }): string {
  const escaped = /(?<=\\)[^\0-\xff]/.exec(code);
  if (escaped !== null)
    throw new Error(`${fileName} has a backslash before ${escaped[0]}, which would then be another.`);
  return code.replace(/[^\0-\xff]/g, unicodeEscape);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Notes for each module by what it is loaded. */
function together(): Plugin {
  return {
    name: 'together',
    buildEnd() {
      for (const [name, starts] of Object.entries(TOGETHER))
        for (const start of starts) noteAll(name, path.join(SRC, `${start}.ts`), (id) => this.getModuleInfo(id));
    },
  };
}

function noteAll(name: string, id: string, about: (id: string) => ModuleInfo | null): void {
  const module = about(id);
  const known = loaders.get(id) ?? [];
  if (known.includes(name) || module === null) return;
  loaders.set(id, [...known, name]);
  for (const imported of module.importedIds) noteAll(name, imported, about);
}

// An entry does its work as soon as it is loaded: nothing else lies in its file, so that nobody loads it for something else.
function fileOf(id: string): string | null {
  const names = loaders.get(id) ?? [];
  if (names.length === 0 || entries.some(([, entry]) => entry === id)) return null;
  return names.includes(FIRST) ? FIRST : names.join('-');
}
