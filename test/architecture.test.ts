import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesIn, type Import, reachedFrom, type Source, sourcesIn } from './support/source-tree.ts';

const PROJECT = path.resolve(import.meta.dirname, '..');
const SRC = path.join(PROJECT, 'src');

/** The part of the program that knows no capability: everything may use it, except what starts and shows the whole. */
const CORE = ['vault', 'steward', 'undo', 'daemon'];
const WHOLE = ['daemon/daemon.ts', 'daemon/compose.ts', 'daemon/status.ts'];
/**
 * What a folder, or a single file, may import besides its own folder: folders and single files. `daemon/compose.ts` and `cli`
 * may import everything.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  vault: [],
  steward: ['vault', 'undo/recipe.ts'],
  undo: ['vault', 'steward'],
  daemon: ['vault', 'steward', 'undo'],
  reading: ['vault', 'steward'],
  // What the environment, the settings and the workspace hold for capabilities, until each brings its own.
  'daemon/environment.ts': [...CORE, 'channels', 'evidence', 'sources', 'streams'],
  'daemon/settings.ts': [...CORE, 'streams'],
  'daemon/context.ts': [...CORE, 'providers', 'reading', 'streams'],
  // A stream's events are read by a model, and its mails come from a source.
  streams: [...CORE, 'reading', 'providers', 'sources'],
  sources: [...CORE, 'streams', 'reading'],
  providers: CORE,
  channels: CORE,
  evidence: CORE,
  // They write signals of their own.
  features: [...CORE, 'streams'],
  'features/import.ts': [...CORE, 'streams', 'reading', 'sources'],
  // They read a past as the streams read the present.
  'features/past-vault.ts': [...CORE, 'streams', 'reading'],
  'features/rehearse.ts': [...CORE, 'streams', 'reading', 'sources'],
  'features/rehearsal-offers.ts': [...CORE, 'streams', 'reading'],
  'features/rehearsal-evaluation.ts': [...CORE, 'streams', 'reading'],
  roundtable: [...CORE, 'evidence', 'providers'],
};
const UNBOUND = ['daemon/compose.ts', 'daemon/compose-daemon.ts', 'cli'];
/** No disk, no clock, no network, no chance: what comes in as an argument is all there is. */
const PURE = ['steward', 'undo', 'reading'];
const IMPURE_MODULES =
  /^(node:(fs|net|http|https|http2|dgram|dns|tls|child_process|worker_threads|os|timers|process)|koffi|chokidar|write-file-atomic|@anthropic-ai\/sdk)/;
const IMPURE_CALLS =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(|\bfetch\(/;
const PARTICIPLE =
  /: (?:[A-Z][a-z]*[^e\W]ed|Said|Told|Known|Heard|Found|Brought|Given|Met|Read|Kept|Made|Shown|Taught|Spoken|Written|Drawn|Held|Sent|Seen|Done|Taken|Left|Meant|Lost|Gone|Built|Spent|Paid|Chosen|Hidden)$/;
const sources = sourcesIn(SRC);
const tree = new Map(sources.map((source) => [source.file, source]));
const tests = sourcesIn(path.join(PROJECT, 'test'));
const training = sourcesIn(path.join(PROJECT, 'train'));
const pages = sourcesIn(path.join(PROJECT, 'docs', 'make'));
const simulation = sourcesIn(path.join(PROJECT, 'fleet', 'simulation'));
/** The parts of the fleet, a package of its own: not what npm has put beside them. */
const fleet = ['src', 'make', 'test'].map((part) => {
  const root = path.join(PROJECT, 'fleet', part);
  return { root, part, sources: sourcesIn(root) };
});
/** The only doors from the fleet into `src`: one for each command, and one for those that run daemons. */
const FLEET_DOORS = ['steward.ts', 'steward-daemon.ts'].map((name) => path.join(PROJECT, 'fleet', 'src', name));
/** What the SDK and the test runner load by its path. */
const FLEET_LOADED =
  /fleet\/(src\/(workflow\/vault-keeper|engine\/failures)|test\/(support\/setup|former\/vault-keeper-1))\.ts$/;

describe('the folders', () => {
  test('each has a line in the table of imports, and each line has a folder or a file', () => {
    const named = [...Object.keys(MAY_IMPORT), ...UNBOUND];
    const folders = [...new Set(sources.map(({ file }) => folderOf(file)))];
    expect(folders.filter((folder) => !named.includes(folder))).toEqual([]);
    expect(named.filter((one) => !folders.includes(one) && !tree.has(one))).toEqual([]);
  });

  test('a file imports only what the table allows', () => {
    const forbidden = sources.flatMap(({ file, imports }) =>
      relative(imports)
        .filter(({ target }) => !mayImport(file, target))
        .map(({ target }) => `${file} → ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  test('an import names a file that exists, with its ending', () => {
    expect(
      sources.flatMap(({ file, imports }) =>
        relative(imports)
          .filter(({ target }) => !tree.has(target) && !fs.existsSync(path.join(SRC, target)))
          .map(({ target }) => `${file}: ${target}`),
      ),
    ).toEqual([]);
  });

  test('no imports go in a circle, types included', () => {
    const graph = new Map(sources.map(({ file, imports }) => [file, relative(imports).map(({ target }) => target)]));
    expect(circlesIn(graph)).toEqual([]);
  });

  test('the pure folders reach no disk, clock, network or random number, through anything they import', () => {
    const start = sources.filter(({ file }) => PURE.includes(folderOf(file)));
    const found = start.flatMap(({ file }) =>
      [...reachedFrom(file, tree, ({ isTypeOnly }) => !isTypeOnly)]
        // Reads the package's own tables, which are as constant as code.
        .filter((reached) => reached !== 'vault/data.ts')
        .flatMap((reached) => impureIn(reached))
        .map((impure) => `${file} reaches ${impure}`),
    );
    expect(found).toEqual([]);
    expect(found.length + linesWith(start, IMPURE_CALLS).length).toBe(0);
  });

  test('the core knows Plane only by stored names, by its channel, and by the line in the list of capabilities', () => {
    const core = sources.filter(({ file }) => CORE.includes(folderOf(file)) && file !== 'daemon/compose.ts');
    const named = linesWith(core, /(?!plane_(action|revert|skipped|issue_id|project_id))plane[^ ]/i);
    expect(named.filter((line) => !/: \['plane', |\['plane', VAULT_EDIT\]|what: 'plane';/.test(line))).toEqual([]);
  });

  test('only the doors and the daemon read the environment', () => {
    const low = sources.filter(({ file }) => !['cli', 'daemon'].includes(folderOf(file)));
    expect(linesWith(low, /\bprocess\.(env|argv|exit|exitCode|stdout|stderr)\b/)).toEqual([]);
  });
});

describe('the habits', () => {
  test('no export that nobody imports', () => {
    const imported = new Set(
      [
        ...sources.map((one) => [SRC, one] as const),
        ...tests.map((one) => [path.join(PROJECT, 'test'), one] as const),
        ...training.map((one) => [path.join(PROJECT, 'train'), one] as const),
        ...simulation.map((one) => [path.join(PROJECT, 'fleet', 'simulation'), one] as const),
        ...pages.map((one) => [path.join(PROJECT, 'docs', 'make'), one] as const),
        ...fleet.flatMap(({ root, sources }) => sources.map((one) => [root, one] as const)),
      ]
        .flatMap(([root, { imports }]) => relative(imports).map((one) => ({ root, ...one })))
        .flatMap(({ root, target, names }) => names.map((name) => `${path.join(root, target)} ${name}`)),
    );
    const whole = new Set(tests.flatMap(({ imports }) => imports.filter(({ names }) => names.length === 0).map(atSrc)));
    const unused = sources
      .filter(({ file }) => !whole.has(file))
      .flatMap(({ file, exported }) => exported.map((name) => [file, name] as const))
      .filter(([file, name]) => !imported.has(`${path.join(SRC, file)} ${name}`) && !isLoadedWhole(file, name));
    expect(unused.map(([file, name]) => `${file}: ${name}`)).toEqual([]);
  });

  test('nothing is `any`, and no type error is waved through', () => {
    expect(linesWith(sources, /:\s*any\b|\bas any\b|<any\b|\bany\[\]/)).toEqual([]);
    const silenced = sources.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text));
    expect(silenced.map(({ file }) => file)).toEqual([]);
  });

  test('nothing is left to be done later', () => {
    // Put together, so that this line is not found by itself.
    const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);
    expect([...sources, ...tests].filter(({ text }) => marks.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('no exported function is called `…Of` or `…In`', () => {
    const odd = sources.flatMap(({ file, exported }) =>
      exported.filter((name) => /^[a-z]\w*(?:Of|In)$/.test(name)).map((name) => `${file}: ${name}`),
    );
    expect(odd).toEqual([]);
  });

  test('no exported type is called by a bare participle', () => {
    const odd = sources.flatMap(({ file, text }) => exportedTypes(text).map((name) => `${file}: ${name}`));
    expect(odd.filter((name) => PARTICIPLE.test(name))).toEqual([]);
  });

  test('no two files export a type of the same name', () => {
    const all = sources.flatMap(({ text }) => exportedTypes(text));
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });

  test('terminal words stand in one place: no console in src', () => {
    expect(linesWith(sources, /\bconsole\./)).toEqual([]);
  });
});

describe('the fleet', () => {
  const own = fleet.find(({ part }) => part === 'src')?.sources ?? [];
  const inFleet = fleet.flatMap(({ root, sources }) =>
    sources.flatMap(({ file, imports }) =>
      relative(imports).map(({ target, names }) => ({
        from: path.join(root, file),
        to: path.join(root, target),
        names,
      })),
    ),
  );

  test('imports the program through two files, and is imported by nothing of it', () => {
    const through = inFleet.filter(({ to }) => to.startsWith(`${SRC}${path.sep}`)).map(({ from }) => from);
    expect([...new Set(through)].sort()).toEqual([...FLEET_DOORS].sort());
    const back = sources.filter(({ imports }) => imports.some(({ target }) => /(^|\/)fleet\//.test(target)));
    expect(back.map(({ file }) => file)).toEqual([]);
  });

  test('has no circles, exports that nobody imports, or a type error that is waved through', () => {
    expect(
      circlesIn(new Map(own.map(({ file, imports }) => [file, relative(imports).map(({ target }) => target)]))),
    ).toEqual([]);
    const all = fleet.flatMap(({ sources }) => sources);
    expect(linesWith(all, /:\s*any\b|\bas any\b|<any\b|\bany\[\]/)).toEqual([]);
    expect(all.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text)).map(({ file }) => file)).toEqual(
      [],
    );
    const imported = new Set(inFleet.flatMap(({ to, names }) => names.map((name) => `${to} ${name}`)));
    const loaded = new Set(inFleet.filter(({ names }) => names.length === 0).map(({ to }) => to));
    const unused = fleet.flatMap(({ root, sources }) =>
      sources
        .map((one) => ({ ...one, place: path.join(root, one.file) }))
        .filter(({ place }) => !loaded.has(place) && !FLEET_LOADED.test(place))
        .flatMap(({ place, exported }) => exported.map((name) => `${place} ${name}`))
        .filter((name) => !imported.has(name)),
    );
    expect(unused).toEqual([]);
  });

  test('has every version pinned, and of what the program has too the same', () => {
    const read = (file: string): { dependencies: Record<string, string> } =>
      JSON.parse(fs.readFileSync(path.join(PROJECT, file), 'utf8'));
    const [all, program] = [read('fleet/package.json').dependencies, read('package.json').dependencies];
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    for (const [name, version] of Object.entries(all)) expect(program[name] ?? version).toBe(version);
  });
});

describe('the parts', () => {
  const manifest: Record<'dependencies' | 'devDependencies' | 'peerDependencies', Record<string, string>> = JSON.parse(
    fs.readFileSync(path.join(PROJECT, 'package.json'), 'utf8'),
  );
  /** What a person installs who needs it: only ever loaded by `import()`, so that nobody else misses it. */
  const optional = Object.keys(manifest.peerDependencies);

  test('every version is pinned', () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test('every dependency is used in src, and every package used is a dependency', () => {
    const packages = sources
      .flatMap(({ imports }) => imports)
      .filter(({ isRelative, target }) => !isRelative && !isBuiltin(target))
      .map(({ target }) => packageName(target))
      .filter((name) => !optional.includes(name));
    const loaded = Object.keys(manifest.dependencies).filter((name) =>
      sources.some(
        ({ text }) => text.includes(`createRequire(import.meta.url)('${name}')`) || text.includes(`load('${name}')`),
      ),
    );
    expect([...new Set([...packages, ...loaded])].sort()).toEqual(Object.keys(manifest.dependencies).sort());
  });

  test('what is optional is loaded by import() alone', () => {
    const taken = sources.flatMap(({ file, imports }) =>
      imports
        .filter(({ target, isTypeOnly }) => optional.includes(target) && !isTypeOnly)
        .filter(({ names }) => names.length > 0)
        .map(({ target }) => `${file}: ${target}`),
    );
    expect(taken).toEqual([]);
  });
});

function exportedTypes(text: string): string[] {
  return [...text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)].map(([, name = '']) => name);
}

function folderOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function mayImport(from: string, to: string): boolean {
  if (folderOf(from) === folderOf(to) || UNBOUND.includes(from) || UNBOUND.includes(folderOf(from))) return true;
  const allowed = MAY_IMPORT[from] ?? MAY_IMPORT[folderOf(from)] ?? [];
  return allowed.includes(to) || (allowed.includes(folderOf(to)) && !WHOLE.includes(to));
}

function relative(imports: readonly Import[]): Import[] {
  return imports.filter(({ isRelative }) => isRelative);
}

function atSrc({ target }: Import): string {
  return target.replace(/^(\.\.\/)*src\//, '');
}

/** A module that somebody loads whole with `import()`: what it exports is used by name from there. */
function isLoadedWhole(file: string, name: string): boolean {
  const loaders = sources.filter(({ imports }) =>
    imports.some(({ target, names }) => target === file && names.length === 0),
  );
  return loaders.some(({ code }) => new RegExp(`\\b${name}\\b`).test(code));
}

function impureIn(file: string): string[] {
  const source = tree.get(file);
  const modules = (source?.imports ?? []).filter(
    ({ isTypeOnly, target }) => !isTypeOnly && IMPURE_MODULES.test(target),
  );
  return modules.map(({ target }) => `${file}, which imports ${target}`);
}

function linesWith(where: readonly Source[], pattern: RegExp): string[] {
  return where.flatMap(({ file, code }) =>
    code.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
