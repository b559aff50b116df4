import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = path.resolve(import.meta.dirname, '..');
const SRC = path.join(PROJECT, 'src');

/** The floor of each room: a file imports from its own room, or from a room on a lower floor (ARCHITECTURE.md). */
const FLOORS: Readonly<Record<string, number>> = {
  cli: 5,
  daemon: 4,
  roundtable: 3,
  evidence: 2,
  stream: 2,
  model: 2,
  undo: 2,
  steward: 1,
  vault: 0,
};
/** No disk, no clock, no network, no chance: what comes in as an argument is all there is. */
const PURE = ['steward', 'undo', 'stream'];
const IMPURE_MODULES = /^node:(fs|net|http|https|http2|dgram|dns|tls|child_process|worker_threads|os|timers|process)/;
const MAX_LINES = 405;

interface Source {
  readonly file: string;
  readonly room: string;
  readonly text: string;
  /** The text without comments and the inside of strings, so that prose cannot trip a rule. */
  readonly code: string;
  readonly imports: readonly string[];
}

const sources: readonly Source[] = filesIn(SRC).map((file) => {
  const text = fs.readFileSync(path.join(SRC, file), 'utf8');
  return { file, room: file.split('/')[0] ?? '', text, code: bare(text), imports: importsOf(text) };
});

describe('the floors', () => {
  test('every room has a floor', () => {
    expect(sources.filter(({ room }) => FLOORS[room] === undefined).map(({ file }) => file)).toEqual([]);
  });

  test('a file imports from its own room or a lower floor, never upward or sideways', () => {
    const wrong = sources.flatMap(({ file, room, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
        .filter((target) => !mayImport(room, target.split('/')[0] ?? ''))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('an import names a file that exists, with its ending', () => {
    const missing = sources.flatMap(({ file, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .filter((specifier) => !fs.existsSync(path.join(SRC, path.dirname(file), specifier)))
        .map((specifier) => `${file}: ${specifier}`),
    );
    expect(missing).toEqual([]);
  });

  test('the pure rooms touch no disk, no clock, no network and no chance', () => {
    const pure = sources.filter(({ room }) => PURE.includes(room));
    expect(
      pure.flatMap(({ file, imports }) =>
        imports.filter((one) => IMPURE_MODULES.test(one)).map((one) => `${file}: ${one}`),
      ),
    ).toEqual([]);
    expect(
      found(
        pure,
        /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(|\bfetch\(/,
      ),
    ).toEqual([]);
  });

  test('only the doors and the daemon read the environment', () => {
    const low = sources.filter(({ room }) => (FLOORS[room] ?? 0) < 4);
    expect(found(low, /\bprocess\.(env|argv|exit|exitCode|stdout|stderr)\b/)).toEqual([]);
  });
});

describe('the habits', () => {
  test('nothing is `any`, and no type error is waved through', () => {
    expect(found(sources, /:\s*any\b|\bas any\b|<any\b|\bany\[\]/)).toEqual([]);
    expect(
      sources.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text)).map(({ file }) => file),
    ).toEqual([]);
  });

  test('nothing is left to be done later', () => {
    const all = [...sources.map(({ file, text }) => [`src/${file}`, text]), ...testFiles()];
    // Put together, so that this line is not found by itself.
    const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`);
    expect(all.filter(([, text]) => marks.test(text ?? '')).map(([file]) => file)).toEqual([]);
  });

  test(`a file is one noun: at most ${MAX_LINES} lines`, () => {
    // The phrase table is a table, and read as one.
    const long = sources.filter(({ file }) => file !== 'stream/rules/phrases.ts');
    const counted = long.map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }));
    expect(counted.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  test('terminal words stand in one place: no console in src', () => {
    expect(found(sources, /\bconsole\./)).toEqual([]);
  });
});

describe('the parts', () => {
  const manifest: { dependencies: Record<string, string>; devDependencies: Record<string, string> } = JSON.parse(
    fs.readFileSync(path.join(PROJECT, 'package.json'), 'utf8'),
  );

  test('every version is pinned', () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test('every dependency is used in src, and every package used is a dependency', () => {
    const packages = sources
      .flatMap(({ imports }) => imports)
      .filter(isPackage)
      .map(packageName);
    expect([...new Set(packages)].sort()).toEqual(Object.keys(manifest.dependencies).sort());
  });
});

function mayImport(from: string, to: string): boolean {
  return from === to || (FLOORS[to] ?? Number.POSITIVE_INFINITY) < (FLOORS[from] ?? -1);
}

function found(where: readonly Source[], pattern: RegExp): string[] {
  return where.flatMap(({ file, code }) =>
    code.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
}

function importsOf(text: string): string[] {
  const patterns = [
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s+'([^']+)'/gm,
    /^\s*import\s+'([^']+)'/gm,
    /\bimport\('([^']+)'\)/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

// Comments and the text in quotes, blanked line by line; template literals keep their code.
function bare(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/(^|\s)\/\/.*$/gm, '$1');
}

function isPackage(specifier: string): boolean {
  return !specifier.startsWith('.') && !specifier.startsWith('node:') && !builtinModules.includes(specifier);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function testFiles(): [string, string][] {
  const folder = path.join(PROJECT, 'test');
  return filesIn(folder).map((file) => [`test/${file}`, fs.readFileSync(path.join(folder, file), 'utf8')]);
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts'))
    .sort();
}
