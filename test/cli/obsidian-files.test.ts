// Over 5 s: each case sets up a vault on disk.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPropertyTypes, copyNew, withBoxes, withSnippet, withTypes } from '../../src/cli/obsidian-files.ts';
import { refused } from '../support/refused.ts';
import { leaveRoom, MAY_MOUNT, smallDisk } from '../support/small-disk.ts';
import { TempVault } from '../support/temp-vault.ts';

const STEWARD = path.resolve(import.meta.dirname, '../../bin/steward.js');
const TYPES = '.obsidian/types.json';
const SHIPPED: { types: Record<string, string> } = JSON.parse(
  fs.readFileSync(path.resolve(import.meta.dirname, '../../vault-example', TYPES), 'utf8'),
);

function init(vault: TempVault) {
  const words = [STEWARD, 'init', vault.root, '--yes'];
  return spawnSync(process.execPath, words, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
}

describe('what Obsidian knows of the properties', () => {
  test('gets the types that it lacks, behind its own; the mode of the file stays', () => {
    const own = Object.fromEntries(Array.from({ length: 300 }, (_, nth) => [`p${nth} "x": {`, 'text']));
    const before = `\uFEFF${JSON.stringify({ other: [1.5], types: own, behind: null }, null, '\t').replaceAll('\n', '\r\n')}\r\n`;
    const vault = new TempVault({ [TYPES]: before });
    fs.chmodSync(vault.at(TYPES), 0o640);
    expect(init(vault)).toMatchObject({ status: 0, stderr: '' });
    const after = vault.read(TYPES);
    expect(JSON.parse(after.slice(1))).toEqual({ other: [1.5], types: { ...own, ...SHIPPED.types }, behind: null });
    expect(after.startsWith(before.slice(0, before.indexOf('\r\n\t},')))).toBe(true);
    expect(fs.statSync(vault.at(TYPES)).mode & 0o777).toBe(0o640);
    expect(init(vault).stdout).toContain('everything was there already');
    expect(vault.read(TYPES)).toBe(after);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test.each([
    ['{"types":{"due":"text"}}', '{"types":{"due":"text","a":"number","b":"date"}}'],
    [
      '{\n\t"types": {\n\t\t"due": "text"\n\t}\n}\n',
      '{\n\t"types": {\n\t\t"due": "text",\n\t\t"a": "number",\n\t\t"b": "date"\n\t}\n}\n',
    ],
    [
      '{\r\n    "types": {}\r\n}',
      '{\r\n    "types": {\r\n        "due": "date",\r\n        "a": "number",\r\n        "b": "date"\r\n    }\r\n}',
    ],
    ['{\n  "types": {\n  }\n}', '{\n  "types": {\n    "due": "date",\n    "a": "number",\n    "b": "date"\n  }\n}'],
    ['{"types":{}}', '{"types":{"due":"date","a":"number","b":"date"}}'],
    ['{}', '{\n  "types": {\n    "due": "date",\n    "a": "number",\n    "b": "date"\n  }\n}'],
    [
      '{\n  "x": 1\n}\n',
      '{\n  "x": 1,\n  "types": {\n    "due": "date",\n    "a": "number",\n    "b": "date"\n  }\n}\n',
    ],
  ])('%j: its own indentation and line ends', (before, after) => {
    expect(withTypes(before, { due: 'date', a: 'number', b: 'date' })).toBe(after);
  });

  test('whatever a person keeps there, laid out however: only the missing ones are put in', () => {
    const value = fc.jsonValue();
    const file = fc.record({ types: fc.dictionary(fc.string(), value), other: value }, { requiredKeys: [] });
    const layout = fc.constantFrom(undefined, 1, 2, 4, '\t');
    fc.assert(
      fc.property(file, layout, fc.constantFrom('\n', '\r\n'), (kept, indent, eol) => {
        const before = JSON.stringify(kept, null, indent).replaceAll('\n', eol);
        const after = withTypes(before, { due: 'date', a: 'number' });
        const { other, types }: { other?: unknown; types?: object } = JSON.parse(before);
        expect(JSON.parse(after)).toEqual(
          JSON.parse(JSON.stringify({ other, types: { due: 'date', a: 'number', ...types } })),
        );
      }),
    );
  });

  test.each([
    '',
    '[]',
    '"types"',
    'null',
    '{"types":[]}',
    '{"types":null}',
    '{"types":{},}',
    '{\n  "types": {\n    "due": "te',
  ])('%j is no list of types: left alone, said with its file, and the rest is made', (text) => {
    const vault = new TempVault({ [TYPES]: text });
    const { status, stdout, stderr } = init(vault);
    expect(status).toBe(1);
    expect(stdout).toContain('made steward.md');
    expect(stderr).toContain(`${TYPES}  The property types of Obsidian cannot be read`);
    expect(stderr).toContain('(types-unreadable)');
    expect(vault.read(TYPES)).toBe(text);
  });

  test('bytes that are no UTF-8 are left alone', () => {
    const bytes = Buffer.from('{"types":{"\xe9":"text"}}', 'latin1');
    const vault = new TempVault({ [TYPES]: bytes });
    expect(init(vault)).toMatchObject({ status: 1, stderr: expect.stringContaining('types-unreadable') });
    expect(vault.bytes(TYPES)).toEqual(bytes);
  });
});

describe('a link that leads out of the vault', () => {
  const withOutside = (files: Record<string, string> = {}) => {
    const vault = new TempVault(files);
    const outside = path.join(vault.home, 'outside');
    fs.mkdirSync(outside);
    return { vault, outside };
  };

  test('as types.json: its target is not touched, and the rest is made', () => {
    const { vault, outside } = withOutside({ '.obsidian/app.json': '{}' });
    fs.writeFileSync(path.join(outside, 'shared.json'), '{"types":{}}');
    fs.symlinkSync(path.join(outside, 'shared.json'), vault.at(TYPES));
    const { status, stdout, stderr } = init(vault);
    expect(status).toBe(1);
    expect(stderr).toContain(`${TYPES}  The path "${TYPES}" leads out of the vault. (path-outside-vault)`);
    expect(stdout).toContain('made steward.md');
    expect(fs.readFileSync(path.join(outside, 'shared.json'), 'utf8')).toBe('{"types":{}}');
    expect(fs.readlinkSync(vault.at(TYPES))).toBe(path.join(outside, 'shared.json'));
  });

  test.each(['.obsidian', 'matter', 'steward.md', 'Steward.base', '.steward'])(
    'as %s: nothing is written where it leads',
    (name) => {
      const { vault, outside } = withOutside();
      fs.symlinkSync(outside, vault.at(name));
      expect(init(vault)).toMatchObject({ status: 1, stderr: expect.stringContaining('(path-outside-vault)') });
      expect(fs.readdirSync(outside)).toEqual([]);
    },
  );

  test('as a folder of .steward: nothing at all is made', () => {
    const { vault, outside } = withOutside();
    fs.mkdirSync(vault.at('.steward'));
    fs.symlinkSync(outside, vault.places.tmp);
    expect(init(vault)).toMatchObject({ status: 1, stderr: expect.stringContaining('(path-outside-vault)') });
    expect(fs.readdirSync(outside)).toEqual([]);
    expect(fs.readdirSync(vault.root)).toEqual(['.steward']);
  });

  test.each(['.obsidian', TYPES, 'matter', 'steward.md', 'Steward.base'])(
    'that leads to nothing yet, as %s: nothing is made there',
    (name) => {
      const { vault, outside } = withOutside();
      fs.mkdirSync(path.dirname(vault.at(name)), { recursive: true });
      fs.symlinkSync(path.join(outside, 'new'), vault.at(name));
      expect(init(vault)).toMatchObject({ status: 1, stderr: expect.stringContaining('(link-dead)') });
      expect(fs.readdirSync(outside)).toEqual([]);
    },
  );
});

test('a file is no vault: refused, and left as it is', () => {
  const vault = new TempVault({ 'note.md': 'mine' });
  const words = [STEWARD, 'init', vault.at('note.md'), '--yes'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('(vault-no-folder)'),
  });
  expect(vault.read('note.md')).toBe('mine');
});

test('a link within the vault is followed, and stays', () => {
  const vault = new TempVault({ 'config/types.json': '{"types":{}}' });
  fs.symlinkSync('config', vault.at('.obsidian'));
  expect(init(vault)).toMatchObject({ status: 0, stderr: '' });
  expect(fs.readlinkSync(vault.at('.obsidian'))).toBe('config');
  expect(JSON.parse(vault.read('config/types.json'))).toEqual(SHIPPED);
});

test('what a person has under the names of the program stays, a file in the place of a folder too', () => {
  const theirs = { 'steward.md': 'mine', 'Steward.base': '', matter: 'a file' };
  const vault = new TempVault(theirs);
  const { status, stderr } = init(vault);
  expect(status).toBe(1);
  expect(stderr).toContain('matter  matter is not a folder. (not-a-folder)');
  expect(vault.snapshot()).toMatchObject(theirs);
});

describe('a disk that refuses', () => {
  const before = '{"types":{"due":"text"}}';

  test.each(['ENOSPC', 'EIO'])('%s: the old types stay whole', (code) => {
    const vault = new TempVault({ [TYPES]: before });
    fs.mkdirSync(vault.places.tmp, { recursive: true });
    const disk = refused('.part', code);
    expect(() => addPropertyTypes(vault.root, vault.places.tmp)).toThrow(code);
    expect(vault.read(TYPES)).toBe(before);
    disk.again();
    expect(addPropertyTypes(vault.root, vault.places.tmp)).toBe(true);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });

  test('a new file is whole when it appears: a copy that fails on the way leaves none', () => {
    const vault = new TempVault();
    fs.mkdirSync(vault.places.tmp, { recursive: true });
    const copy = () => copyNew(STEWARD, vault.root, vault.places.tmp, 'steward.md');
    const disk = refused('.part', 'EIO');
    expect(copy).toThrow('EIO');
    expect(vault.has('steward.md')).toBe(false);
    disk.again();
    expect(copy()).toBe(true);
    expect(copy()).toBe(false);
  });

  test.skipIf(!MAY_MOUNT)('that is full after half of the new types (skipped where mounting is not permitted)', () => {
    const vault = new TempVault();
    smallDisk(vault.root);
    const large = `{"types":{${Array.from({ length: 3000 }, (_, nth) => `"property ${nth}":"text"`).join(',')}}}`;
    fs.mkdirSync(vault.at('.obsidian'));
    fs.writeFileSync(vault.at(TYPES), large);
    for (const folder of ['matter', 'task', 'signal', 'event', 'instinct', 'stream', 'roundtable']) {
      fs.mkdirSync(vault.at(folder));
    }
    fs.writeFileSync(vault.at('Steward.base'), 'mine');
    leaveRoom(vault.at('filler'), 40_000);
    const { status, stderr } = init(vault);
    expect(status).toBe(1);
    expect(stderr).toContain(`${TYPES} cannot be written: the disk is full. (disk-full)`);
    expect(vault.read(TYPES)).toBe(large);
    expect(vault.names('.steward/tmp')).toEqual([]);
    fs.rmSync(vault.at('filler'));
    expect(init(vault)).toMatchObject({ status: 0, stderr: '' });
  });

  test.skipIf(!MAY_MOUNT)('that is full: there is no steward.md, rather than an empty one', () => {
    const vault = new TempVault();
    smallDisk(vault.root);
    fs.mkdirSync(vault.at('.obsidian'));
    leaveRoom(vault.at('filler'), 0);
    const { status, stderr } = init(vault);
    expect(status).toBe(1);
    expect(stderr).toContain('(disk-full)');
    expect(vault.has('steward.md')).toBe(false);
    expect(vault.names('.steward/tmp')).toEqual([]);
  });
});

describe('edits of JSON files', () => {
  test.each([
    ['{"types":{"confirm":"text","due":"text"}}', '{"types":{"confirm":"checkbox","due":"text"}}'],
    [
      '\uFEFF{\r\n\t"types": {\r\n\t\t"undo": "number",\r\n\t\t"x": 1.5\r\n\t}\r\n}\r\n',
      '\uFEFF{\r\n\t"types": {\r\n\t\t"undo": "checkbox",\r\n\t\t"x": 1.5\r\n\t}\r\n}\r\n',
    ],
    ['{"types":{"confirm":7}}', '{"types":{"confirm":7}}'],
    ['{"types":{"__proto__":"text"}}', '{"types":{"__proto__":"text"}}'],
  ])('%j: boxes become boxes, and nothing else changes', (before, after) => {
    expect(withBoxes(before)).toBe(after);
  });

  test.each([
    ['{}', '{\n  "enabledCssSnippets": [\n    "steward-event"\n  ]\n}'],
    ['{"enabledCssSnippets":[]}', '{"enabledCssSnippets":["steward-event"]}'],
    ['{"a":1,"enabledCssSnippets":["x"]}', '{"a":1,"enabledCssSnippets":["x","steward-event"]}'],
    [
      '{\r\n\t"enabledCssSnippets": [\r\n\t\t"x"\r\n\t]\r\n}',
      '{\r\n\t"enabledCssSnippets": [\r\n\t\t"x",\r\n\t\t"steward-event"\r\n\t]\r\n}',
    ],
    ['{"enabledCssSnippets":["steward-event"]}', '{"enabledCssSnippets":["steward-event"]}'],
  ])('%j: one more style sheet is used', (before, after) => {
    expect(withSnippet(before)).toBe(after);
  });

  test('a style sheet of that name, and looks that cannot be read, are left as they are', () => {
    const own = new TempVault({ '.obsidian/snippets/steward-event.css': 'mine' });
    init(own);
    expect([own.read('.obsidian/snippets/steward-event.css'), own.has('.obsidian/appearance.json')]).toEqual([
      'mine',
      false,
    ]);
    const broken = new TempVault({ '.obsidian/appearance.json': '{"enabledCssSnippets":{}}' });
    expect(init(broken)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('(appearance-unreadable)'),
    });
    expect(broken.read('.obsidian/appearance.json')).toBe('{"enabledCssSnippets":{}}');
  });
});
