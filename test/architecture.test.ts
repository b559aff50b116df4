import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesIn, type Import, type MemberType, reachedFrom, type Source, sourcesIn } from './support/source-tree.ts';

const PROJECT = path.resolve(import.meta.dirname, '..');
const SRC = path.join(PROJECT, 'src');

/** The rooms from the lowest floor up: a file imports from its own room, or from a room on a lower floor. */
const FLOORS = [
  ['vault'],
  ['steward'],
  ['undo', 'stream', 'model', 'evidence', 'plane'],
  ['roundtable', 'source'],
  ['notify'],
  ['daemon'],
  ['cli'],
];
/** The rooms within a room, from the lowest floor up; `.` stands for the files that lie directly in it. */
const INNER_FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  vault: [
    ['.'],
    ['disk', 'process'],
    ['lock'],
    ['records'],
    ['frontmatter'],
    ['notes'],
    ['words'],
    ['index'],
    ['transaction'],
    ['watch'],
  ],
  steward: [
    ['ports'],
    ['gates', 'schedule'],
    ['changes', 'perception'],
    ['proposals'],
    ['learning'],
    ['trust', 'hindsight'],
    ['attention'],
    ['retention', 'notify'],
  ],
  undo: [['.']],
  plane: [['.']],
  stream: [
    ['items', 'charset', 'html', 'mime', 'language'],
    ['languages'],
    ['forms'],
    ['mail', 'money', 'json', 'trained', 'dates', 'things'],
    ['bank', 'chats'],
    [
      ...['rules', 'plane', 'mbox', 'calendar', 'ofx', 'camt', 'mt940', 'bank-csv', 'whatsapp', 'slack', 'telegram'],
      ...['signal-chat', 'matrix', 'transcript', 'subtitles', 'clipping'],
    ],
    ['targets', 'generic', 'invitations'],
    ['payments', 'appointments', 'edits', 'agents'],
    ['fit'],
    ['.'],
  ],
  model: [['prompts', 'provider'], ['.'], ['evaluators'], ['extractor'], ['agent']],
  evidence: [['files'], ['formats'], ['query'], ['agent'], ['.']],
  source: [['.'], ['http'], ['imap', 'dav', 'webhook', 'command']],
  notify: [['.'], ['channels', 'links']],
  roundtable: [['prompts', 'log'], ['claims'], ['notes'], ['session']],
  daemon: [
    ['runtime', 'server'],
    ['context'],
    ['keeper'],
    ['budget', 'plane', 'kept'],
    ['decide', 'outcomes'],
    ['attention'],
    ['unfinished'],
    ['ingest', 'answers', 'roundtable', 'perception'],
    ['schedule', 'retention', 'import', 'sources'],
    ['status', 'explain', 'edits', 'agents'],
    ['report', 'notify'],
    ['.'],
    ['several'],
  ],
  cli: [['print'], ['base'], ['commands', 'setup', 'demo'], ['mcp'], ['.']],
};
/** No disk, no clock, no network, no chance: what comes in as an argument is all there is. */
const PURE = ['steward', 'undo', 'stream'];
const IMPURE_MODULES =
  /^(node:(fs|net|http|https|http2|dgram|dns|tls|child_process|worker_threads|os|timers|process)|koffi|chokidar|write-file-atomic|@anthropic-ai\/sdk)/;
const IMPURE_CALLS =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(|\bfetch\(/;
const MOST_LINES = 300;
const MOST_FILES = 15;
/** How many collaborators and other members a type may bundle. */
const MOST_MEMBERS = 8;
/** A language's words are a table, and read as one. */
const TABLES = ['en', 'de', 'fr', 'es', 'nl', 'it']
  .flatMap((code) => [`stream/languages/${code}.ts`, `stream/languages/things/${code}.ts`])
  .concat('stream/languages/things/things.ts');
/** Where files say which ports they take. */
const PORTS = /^(daemon\/context\/ports|undo\/undo-space|steward\/ports\/[\w-]+)\.ts$/;
/** Where everything is put together. */
const COMPOSE = ['daemon/compose.ts', 'daemon/compose-daemon.ts'];

const sources = sourcesIn(SRC);
const tree = new Map(sources.map((source) => [source.file, source]));
const tests = sourcesIn(path.join(PROJECT, 'test'));
const training = sourcesIn(path.join(PROJECT, 'train'));
/** The parts of the fleet, a package of its own: not what npm has put beside them. */
const fleet = ['src', 'make', 'proof', 'test'].map((part) => {
  const root = path.join(PROJECT, 'fleet', part);
  return { root, part, sources: sourcesIn(root) };
});
/** The only door from the fleet into `src`. */
const FLEET_DOOR = path.join(PROJECT, 'fleet', 'src', 'steward.ts');
const MOST_FLEET_LINES = 2_000;
/** What the SDK and the test runner load by its path. */
const FLEET_LOADED = /fleet\/(src\/(workflow\/vault-keeper|engine\/failures)|test\/support\/setup)\.ts$/;

describe('the rooms', () => {
  test('every room has a floor, and every floor that is named has files', () => {
    const named = Object.entries(INNER_FLOORS).flatMap(([room, floors]) =>
      floors.flat().map((one) => `${room}/${one}`),
    );
    const there = new Set(sources.map(({ file }) => roomOf(file).join('/')));
    expect([...there].filter((room) => !named.includes(room))).toEqual([]);
    expect(named.filter((room) => !there.has(room))).toEqual([]);
    expect(FLOORS.flat().sort()).toEqual(Object.keys(INNER_FLOORS).sort());
  });

  test('a file imports from its own room or a lower floor, never upward or sideways', () => {
    expect(
      sources.flatMap(({ file, imports }) =>
        relative(imports)
          .filter(({ target }) => !mayImport(file, target))
          .map(({ target }) => `${file} → ${target}`),
      ),
    ).toEqual([]);
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

  test('no files lead round to each other, types included', () => {
    const graph = new Map(sources.map(({ file, imports }) => [file, relative(imports).map(({ target }) => target)]));
    expect(circlesIn(graph)).toEqual([]);
  });

  test(`a folder holds at most ${MOST_FILES} files`, () => {
    const folders = Map.groupBy(sources, ({ file }) => path.posix.dirname(file));
    const counted = [...folders].map(([folder, files]) => `${folder}: ${files.length}`);
    expect(counted.filter((_, nth) => ([...folders.values()][nth]?.length ?? 0) > MOST_FILES)).toEqual([]);
  });

  test('the pure rooms reach no disk, no clock, no network and no chance, through all that they import', () => {
    const start = sources.filter(({ file }) => PURE.includes(roomOf(file)[0]));
    const found = start.flatMap(({ file }) =>
      [...reachedFrom(file, tree, ({ isTypeOnly }) => !isTypeOnly)]
        .flatMap((reached) => impureIn(reached))
        .map((impure) => `${file} reaches ${impure}`),
    );
    expect(found).toEqual([]);
    expect(found.length + linesWith(start, IMPURE_CALLS).length).toBe(0);
  });

  test('only the doors and the daemon read the environment', () => {
    const low = sources.filter(({ file }) => !['cli', 'daemon'].includes(roomOf(file)[0]));
    expect(linesWith(low, /\bprocess\.(env|argv|exit|exitCode|stdout|stderr)\b/)).toEqual([]);
  });

  test('nobody outside composition is handed more than eight ports', () => {
    const large = sources
      .filter(({ file }) => !COMPOSE.includes(file))
      .flatMap((source) => source.types.map((type) => ({ source, type })))
      .filter(({ source, type }) => type.members.length > MOST_MEMBERS && bundles(type, source))
      .map(({ source, type }) => `${source.file}: ${type.name} has ${type.members.length}`);
    expect(large).toEqual([]);
  });
});

describe('the habits', () => {
  test('no export that nobody imports', () => {
    const imported = new Set(
      [
        ...sources.map((one) => [SRC, one] as const),
        ...tests.map((one) => [path.join(PROJECT, 'test'), one] as const),
        ...training.map((one) => [path.join(PROJECT, 'train'), one] as const),
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

  test(`a file is one noun: at most ${MOST_LINES} lines`, () => {
    const counted = sources
      .filter(({ file }) => !TABLES.includes(file))
      .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }));
    expect(counted.filter(({ lines }) => lines > MOST_LINES)).toEqual([]);
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

  test('imports the program through one file, and is imported by nothing of it', () => {
    const through = inFleet.filter(({ to }) => to.startsWith(`${SRC}${path.sep}`)).map(({ from }) => from);
    expect([...new Set(through)]).toEqual([FLEET_DOOR]);
    const back = sources.filter(({ imports }) => imports.some(({ target }) => /(^|\/)fleet\//.test(target)));
    expect(back.map(({ file }) => file)).toEqual([]);
  });

  test('is small, without circles, exports that nobody imports, or a type error that is waved through', () => {
    const lines = own.map(({ text }) => text.split('\n').length - 1);
    expect(Math.max(...lines)).toBeLessThanOrEqual(MOST_LINES);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(MOST_FLEET_LINES);
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

describe('the ways', () => {
  const page = fs.readFileSync(path.join(PROJECT, 'ARCHITECTURE.md'), 'utf8');
  const ways = waysIn(page);

  test('the page shows the way of each thing that comes in, and of each answer', () => {
    expect(ways.map(({ title }) => title)).toEqual([
      'The way of a mail',
      'The way of a fetched mail',
      'The way of a file that holds many events',
      'The way of a signal',
      'The way of an outcome',
      'The way of an undo',
      'The way of a confirmed proposal',
      'The way of a choice',
    ]);
  });

  test('every file of src that the page names is there', () => {
    const named = [
      ...page.matchAll(
        /`((?:cli|daemon|source|roundtable|stream|model|evidence|plane|undo|steward|vault)\/[\w./-]+\.ts)`/g,
      ),
    ];
    expect(named.map(([, file]) => file ?? '').filter((file) => !tree.has(file))).toEqual([]);
  });

  test.each(ways)('$title: a step is imported by one above it, itself or as a port', ({ steps }) => {
    const unreached = steps
      .slice(1)
      .filter((file, nth) => !steps.slice(0, nth + 1).some((above) => leadsTo(above, file)));
    expect(unreached).toEqual([]);
  });

  test.each(ways)('$title: no step goes back up', ({ steps }) => {
    const upward = steps.slice(1).filter((file, nth) => {
      const before = steps[nth] ?? '';
      return rank(file) > rank(before);
    });
    expect(upward).toEqual([]);
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

/** The room and the inner room of a file. */
function roomOf(file: string): [string, string] {
  const [room = '', inner, ...rest] = file.split('/');
  return [room, rest.length === 0 ? '.' : (inner ?? '.')];
}

function mayImport(from: string, to: string): boolean {
  const [[room, inner], [other, otherInner]] = [roomOf(from), roomOf(to)];
  if (room !== other) return floorOf(FLOORS, other) < floorOf(FLOORS, room);
  return (
    inner === otherInner || floorOf(INNER_FLOORS[room] ?? [], otherInner) < floorOf(INNER_FLOORS[room] ?? [], inner)
  );
}

function floorOf(floors: readonly (readonly string[])[], name: string): number {
  const at = floors.findIndex((floor) => floor.includes(name));
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

/** How high a file lies: by its room, then by its inner room. */
function rank(file: string): number {
  const [room, inner] = roomOf(file);
  return floorOf(FLOORS, room) * 100 + floorOf(INNER_FLOORS[room] ?? [], inner);
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

/** Whether a type bundles collaborators: functions, or instances of classes, its own or through another such type. */
function bundles({ name, members }: MemberType, source: Source, seen: ReadonlySet<string> = new Set()): boolean {
  const known = new Set([...seen, `${source.file} ${name}`]);
  return members.some(({ type }) => isCollaborator(type, source, known));
}

function isCollaborator(written: string, source: Source, seen: ReadonlySet<string>): boolean {
  if (written.includes('=>') || written.startsWith('(')) return true;
  const [, name = ''] = /^(\w+)(?:\s*\|\s*null)?$/.exec(written) ?? [];
  const home =
    source.imports.find(({ isRelative, names }) => isRelative && names.includes(name))?.target ?? source.file;
  const found = tree.get(home);
  if (found === undefined || seen.has(`${home} ${name}`)) return false;
  if (found.classes.includes(name)) return true;
  return found.types.filter((type) => type.name === name).some((type) => bundles(type, found, seen));
}

function linesWith(where: readonly Source[], pattern: RegExp): string[] {
  return where.flatMap(({ file, code }) =>
    code.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
}

/** Whether a file imports another, or a port that stands for it. */
function leadsTo(from: string, to: string): boolean {
  const direct = relative(tree.get(from)?.imports ?? []).map(({ target }) => target);
  return direct.includes(to) || direct.some((file) => PORTS.test(file) && leadsTo(file, to));
}

/** The ways that the page lists: a heading, and below it numbered steps that begin with a file of src. */
function waysIn(page: string): { readonly title: string; readonly steps: readonly string[] }[] {
  return page
    .split(/^#+ /m)
    .filter((section) => section.startsWith('The way of'))
    .map((section) => ({
      title: section.split('\n')[0] ?? '',
      steps: [...section.matchAll(/^\d+\. `([\w./-]+\.ts)`/gm)].map(([, file]) => file ?? ''),
    }));
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
