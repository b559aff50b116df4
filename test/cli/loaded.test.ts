import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../stories/support.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const HOOK = path.join(import.meta.dirname, 'loaded-files.ts');

/** What a command may load of the program, in kilobytes, and which packages. Someone decides to let it grow. */
interface Most {
  readonly kilobytes: number;
  readonly packages: readonly string[];
}

/** For frontmatter, and for a schedule that is a cron expression. */
const OF_NOTES = ['gray-matter', 'cron'];
/*
 * A command that reads the vault itself loads whole subjects: one file each for decisions, problems and the vault. That is
 * 100 to 200 kB more than when each function had a file, and no slower than a person notices: 0.1 s.
 */
const WITHOUT_DAEMON: Readonly<Record<string, Most>> = {
  '--version': { kilobytes: 250, packages: [] },
  '--help': { kilobytes: 250, packages: [] },
  'status --vault vault': { kilobytes: 1860, packages: OF_NOTES },
  'status --json --vault vault': { kilobytes: 1860, packages: OF_NOTES },
  'inbox --list --vault vault': { kilobytes: 1980, packages: OF_NOTES },
  'log --vault vault': { kilobytes: 1980, packages: OF_NOTES },
  'lookup x --files *.md --vault vault': { kilobytes: 1445, packages: ['gray-matter', 're2js'] },
};
const WITH_DAEMON: Readonly<Record<string, Most>> = {
  'status --vault vault': { kilobytes: 135, packages: [] },
  'status --json --vault vault': { kilobytes: 135, packages: [] },
  'inbox --list --vault vault': { kilobytes: 260, packages: [] },
  'explain kitchen-renovation --vault vault': { kilobytes: 260, packages: [] },
  'doctor --vault vault': { kilobytes: 150, packages: [] },
  'undo --dry-run nothing --vault vault': { kilobytes: 260, packages: [] },
  'confirm --dry-run nothing --vault vault': { kilobytes: 260, packages: [] },
};

/** What reads streams, asks models and answers commands comes when it is first needed; what writes into a note, with the first of them. */
const UNTIL_IT_LISTENS: Most = {
  kilobytes: 2180,
  packages: [...OF_NOTES, 'koffi', 'yaml', 'minisearch', 'write-file-atomic', 'chokidar', 'readdirp'],
};

describe('a command loads what it needs', () => {
  test.each(Object.entries(WITHOUT_DAEMON))('%s', async (command, most) => {
    await using sandbox = new Sandbox('example');
    expectWithin(await loadedBy(sandbox, command), most);
  });

  test('and with a daemon next to nothing', async () => {
    await using sandbox = new Sandbox('example');
    const daemon = sandbox.start('steward --vault vault run');
    await daemon.line((line) => line.includes('mode'), 'that the daemon runs');
    for (const [command, most] of Object.entries(WITH_DAEMON)) expectWithin(await loadedBy(sandbox, command), most);
  });
});

test('run loads nothing before it listens that is needed only when something happens', async () => {
  await using sandbox = new Sandbox('example');
  const [stream, later] = [path.join(sandbox.vault, 'stream'), path.join(sandbox.folder, 'later')];
  fs.renameSync(stream, later);
  const { list, env } = listIn(sandbox);
  const daemon = sandbox.start('steward --vault vault run', env);
  await daemon.line((line) => line.includes('mode'), 'that the daemon runs');
  const before = listed(list);
  expectWithin(before, UNTIL_IT_LISTENS);
  fs.renameSync(later, stream);
  await daemon.line((line) => line.includes('read mail'), 'that a mail is read');
  expect(listed(list).length).toBeGreaterThan(before.length + 10);
});

test('an entry of the program is loaded by nobody else: it would do its work once more', () => {
  const dist = path.join(PROJECT, 'dist');
  const files = fs.globSync('*.js', { cwd: dist });
  const isEntry = (file: string) => /^(demo-)?main\.js$|-worker\.js$/.test(file);
  const entries = files.filter(isEntry);
  expect(entries.length).toBeGreaterThan(5);
  const loads = files.flatMap((file) => importedBy(path.join(dist, file)).map((to) => path.relative(dist, to)));
  expect(loads.length).toBeGreaterThan(files.length);
  expect(loads.filter(isEntry)).toEqual([]);
});

test('each process that is started for a file is part of the program', () => {
  const dist = path.join(PROJECT, 'dist');
  const texts = fs.globSync('*.js', { cwd: dist }).map((file) => fs.readFileSync(path.join(dist, file), 'utf8'));
  const started = texts.flatMap((text) =>
    [...text.matchAll(/\bscript: "(\.\/[\w./-]+)"/g)].map(([, name = '']) => name),
  );
  expect(started.length).toBeGreaterThan(4);
  expect(started.filter((name) => !fs.existsSync(path.join(dist, `${name}.js`)))).toEqual([]);
});

function importedBy(file: string): string[] {
  const found = fs.readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g);
  return [...found].map(([, to = '']) => path.resolve(path.dirname(file), to));
}

async function loadedBy(sandbox: Sandbox, command: string): Promise<readonly string[]> {
  const { list, env } = listIn(sandbox);
  const { stderr } = await sandbox.steward(command.split(' '), env);
  expect(stderr).not.toContain('unexpected');
  return listed(list);
}

/** An empty list of what is loaded, and the environment of a process that writes into it. */
function listIn(sandbox: Sandbox): { readonly list: string; readonly env: NodeJS.ProcessEnv } {
  const list = path.join(sandbox.folder, 'loaded.txt');
  fs.writeFileSync(list, '');
  return { list, env: { LOADED_FILES: list, NODE_OPTIONS: `--import ${JSON.stringify(HOOK)}` } };
}

function listed(list: string): readonly string[] {
  const files = fs.readFileSync(list, 'utf8').split('\n');
  return files.filter((file) => file !== '' && file !== HOOK);
}

function expectWithin(loaded: readonly string[], most: Most): void {
  const own = [...new Set(loaded.filter((file) => !file.includes('/node_modules/')))];
  const kilobytes = own.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1024;
  // A package that another needs is not counted by itself.
  const packages = [...new Set(loaded.flatMap(packageOf))].filter((name) => !NEEDED_BY_OTHERS.has(name));
  expect(own.length).toBeGreaterThan(2);
  expect(packages.filter((name) => !most.packages.includes(name))).toEqual([]);
  expect(Math.round(kilobytes)).toBeLessThanOrEqual(most.kilobytes);
}

const NEEDED_BY_OTHERS: ReadonlySet<string> = new Set(
  '@koromix/koffi-linux-x64 section-matter kind-of extend-shallow is-extendable js-yaml esprima argparse sprintf-js strip-bom-string luxon signal-exit'.split(
    ' ',
  ),
);

function packageOf(file: string): string[] {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return name === undefined ? [] : [name];
}
