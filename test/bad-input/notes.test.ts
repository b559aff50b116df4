import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../stories/support.ts';
import { carriesOn, type Listed, signal, smallVault, troubles } from './support.ts';

/*
 * Every kind of bad note that a vault can hold: a clear line in `status` and `doctor`, the rest of the vault carries on,
 * and no byte of the bad note changes.
 */

interface Case {
  readonly name: string;
  readonly file: string;
  readonly content: string | Buffer;
  /** What is said of it. */
  readonly said: Partial<Listed>;
  /** The excerpt, where the trouble has a place: the line, and the caret under it. */
  readonly excerpt?: string;
}

const CASES: Case[] = [
  {
    name: 'broken YAML',
    file: 'task/broken.md',
    content: '---\ntype: task\nsummary: a: b\n---\n',
    said: { code: 'frontmatter-yaml', line: 3, column: 11 },
    excerpt: 'summary: a: b\n          ^',
  },
  {
    name: 'a quote that never closes',
    file: 'matter/quote.md',
    content: '---\ntype: matter\nsummary: "to be continued\n---\nText.\n',
    said: { code: 'frontmatter-yaml', line: 3, hint: expect.stringContaining('quote') },
  },
  {
    name: 'duplicate keys',
    file: 'task/twice.md',
    content: '---\nstate: open\ndue: 2026-12-01\nstate: done\n---\n',
    said: { code: 'frontmatter-duplicate-key', line: 4, column: 1 },
    excerpt: 'state: done\n^',
  },
  {
    name: 'a half-written note',
    file: 'task/half.md',
    content: '---\ntype: task\nstate: op',
    said: { code: 'frontmatter-unclosed', line: 1 },
  },
  {
    name: 'a task whose matter does not exist',
    file: 'task/orphan.md',
    content: '---\ntype: task\nparent_matter: "[[no-such-matter]]"\n---\n',
    said: { code: 'parent-missing', line: 3, column: 16, message: expect.stringContaining('no-such-matter') },
    excerpt: 'parent_matter: "[[no-such-matter]]"\n               ^',
  },
  {
    name: 'a task that belongs to a task',
    file: 'task/nested.md',
    content: '---\ntype: task\nparent_matter: "[[pay-roofer]]"\n---\n',
    said: { code: 'parent-missing', line: 3, message: expect.stringContaining("isn't a matter") },
  },
  {
    name: 'a signal with confidence 7',
    file: 'signal/seven.md',
    content: signal('task/pay-roofer.md', { target_confidence: 7 }),
    said: { code: 'field-invalid', line: 9, column: 20, message: expect.stringContaining('target_confidence') },
    excerpt: 'target_confidence: 7\n                   ^',
  },
  {
    name: 'a signal that leads out of the vault',
    file: 'signal/passwd.md',
    content: signal('../../etc/passwd'),
    said: { code: 'path-outside-vault', line: 8, column: 14, message: expect.stringContaining('../../etc/passwd') },
    excerpt: 'target_path: "../../etc/passwd"\n             ^',
  },
  {
    name: 'a signal with an absolute target',
    file: 'signal/absolute.md',
    content: signal('/etc/passwd'),
    said: { code: 'path-outside-vault', line: 8, message: expect.stringContaining('/etc/passwd') },
  },
  {
    name: 'a signal for a note that is not there',
    file: 'signal/nowhere.md',
    content: signal('task/no-such-task.md'),
    said: { code: 'target-missing', line: 8, column: 14, message: expect.stringContaining('no-such-task') },
  },
  {
    name: 'a signal whose effect is no effect',
    file: 'signal/effect.md',
    content: signal('task/pay-roofer.md', { effect: 'explosion' }),
    said: { code: 'field-invalid', line: 10, message: expect.stringContaining('effect') },
  },
  {
    name: 'a binary file named .md',
    file: 'task/picture.md',
    content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d]),
    said: { code: 'note-binary' },
  },
  {
    name: 'a note in Latin-1',
    file: 'task/latin.md',
    content: Buffer.from('---\nsummary: K\xfcche\n---\n', 'latin1'),
    said: { code: 'note-not-utf8' },
  },
  { name: 'an empty file', file: 'matter/empty.md', content: '', said: { code: 'note-empty' } },
  {
    name: 'a note over one MiB',
    file: 'task/huge.md',
    content: `---\ntype: task\n---\n${'long '.repeat(250_000)}`,
    said: { code: 'note-too-large' },
  },
  {
    name: 'an alias bomb',
    file: 'task/bomb.md',
    content: `---\na0: &a0 [x, x, x, x, x, x, x, x]\n${Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(8).fill(`*a${n}`).join(', ')}]`).join('\n')}\n---\n`,
    said: { code: 'frontmatter-aliases', line: 3, column: 10 },
  },
  {
    name: 'frontmatter that is a list',
    file: 'task/list.md',
    content: '---\n- one\n- two\n---\n',
    said: { code: 'frontmatter-not-a-mapping', line: 2, column: 1 },
    excerpt: '- one\n^',
  },
  {
    name: 'a type that contradicts its folder',
    file: 'task/matter-in-task.md',
    content: '---\ntype: matter\n---\n',
    said: { code: 'type-contradicts-folder', line: 2, column: 7 },
    excerpt: 'type: matter\n      ^',
  },
  {
    name: 'a state that is none',
    file: 'task/state.md',
    content: '---\ntype: task\nparent_matter: "[[roof]]"\nstate: maybe\n---\n',
    said: { code: 'field-invalid', line: 4, column: 8, message: expect.stringContaining('state') },
    excerpt: 'state: maybe\n       ^',
  },
  {
    name: 'a schedule that is none',
    file: 'matter/schedule.md',
    content: '---\ntype: matter\nsteward_schedule: whenever\n---\n',
    said: { code: 'schedule-invalid', line: 3, column: 19 },
  },
  {
    name: 'a sync conflict copy',
    file: 'task/pay-roofer.sync-conflict-20261101-120000-ABCDEFG.md',
    content: '---\ntype: task\nstate: done\nparent_matter: "[[roof]]"\n---\n',
    said: { code: 'conflict-copy' },
  },
];

describe('all of them in one vault', () => {
  let sandbox: Sandbox;
  let listed: Listed[] = [];

  beforeAll(async () => {
    sandbox = await smallVault();
    for (const { file, content } of CASES) sandbox.write(file, content);
    await carriesOn(sandbox);
    listed = await troubles(sandbox);
  });

  afterAll(async () => {
    await sandbox[Symbol.asyncDispose]();
  });

  test('each has one line', () => {
    expect(listed.map(({ file }) => file).sort()).toEqual(CASES.map(({ file }) => file).sort());
  });

  test.each(CASES.map((one) => [one.name, one] as const))('%s', (_, { file, content, said, excerpt }) => {
    expect(listed.filter((one) => one.file === file)).toEqual([
      {
        file,
        line: null,
        column: null,
        message: expect.stringMatching(/^\S.*\.$/),
        hint: expect.stringMatching(/^[A-Z].*\.$/),
        id: expect.stringMatching(/^[a-z0-9-]+-[0-9a-f]{6}$/),
        severity: expect.stringMatching(/^(?:stops|limits|note)$/),
        ...(said.line === undefined ? {} : { column: expect.any(Number), excerpt: expect.stringContaining('^') }),
        ...said,
        ...(excerpt === undefined ? {} : { excerpt }),
      },
    ]);
    expect(fs.readFileSync(path.join(sandbox.vault, file))).toEqual(Buffer.from(content));
  });
});

test('a fence in another language is never run', async () => {
  await using sandbox = await smallVault();
  const trap = path.join(sandbox.folder, 'trap');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(trap)}, 'caught')`;
  const contents = new Map<string, string>();
  for (const language of ['js', 'javascript', 'coffee', 'json', 'ts']) {
    for (const folder of ['task', 'matter', 'signal', 'event', 'instinct']) {
      contents.set(`${folder}/${language}.md`, `---${language}\n{ state: 'open', sprung: ${code} }\n---\n`);
    }
  }
  for (const [file, content] of contents) sandbox.write(file, content);
  await carriesOn(sandbox);
  const listed = await troubles(sandbox);
  expect(listed).toHaveLength(25);
  for (const one of listed) {
    expect(one).toMatchObject({ code: 'frontmatter-language', line: 1, column: 4 });
    expect(one.excerpt).toMatch(/^---[a-z]+\n {3}\^$/);
  }
  expect(fs.existsSync(trap)).toBe(false);
  for (const [file, content] of contents) expect(sandbox.read(file)).toBe(content);
});

test('a matter that cannot be read has one line; its tasks and signals are not said to lead nowhere', async () => {
  await using sandbox = await smallVault();
  sandbox.write('matter/broken.md', '---\ntype: matter\nsummary: a: b\n---\n');
  sandbox.write('task/of-it.md', '---\ntype: task\nparent_matter: "[[broken]]"\n---\n');
  sandbox.write('signal/for-it.md', signal('matter/broken.md', { target_kind: 'matter' }));
  const listed = await troubles(sandbox);
  expect(listed.map(({ code, file }) => [code, file])).toEqual([['frontmatter-yaml', 'matter/broken.md']]);
});

test('a circle of parent_matter is shown at every note on it, and ends', async () => {
  await using sandbox = await smallVault();
  const notes = {
    'matter/hen.md': '---\ntype: matter\nparent_matter: "[[egg]]"\n---\n',
    'matter/egg.md': '---\ntype: matter\nparent_matter: "[[hen]]"\n---\n',
    'matter/self.md': '---\ntype: matter\nparent_matter: "[[self]]"\n---\n',
  };
  for (const [file, content] of Object.entries(notes)) sandbox.write(file, content);
  await carriesOn(sandbox);
  const listed = await troubles(sandbox);
  expect(listed.map(({ code, file }) => [code, file])).toEqual(
    Object.keys(notes)
      .sort()
      .map((file) => ['parent-circle', file]),
  );
  expect(listed[0]).toMatchObject({ line: 3, column: 16, excerpt: expect.stringContaining('[[hen]]') });
  expect(listed[0]?.message).toContain('matter/egg.md → matter/hen.md → matter/egg.md');
  for (const [file, content] of Object.entries(notes)) expect(sandbox.read(file)).toBe(content);
});

test('two matters with one slug: both are shown, neither is scheduled, the others are', async () => {
  await using sandbox = await smallVault();
  sandbox.write('matter/2025/boat.md', '---\ntype: matter\n---\n');
  sandbox.write('matter/2026/boat.md', '---\ntype: matter\n---\n');
  await carriesOn(sandbox);
  const listed = await troubles(sandbox);
  expect(listed.map(({ code, file }) => [code, file])).toEqual([
    ['slug-twice', 'matter/2025/boat.md'],
    ['slug-twice', 'matter/2026/boat.md'],
  ]);
  const status = await sandbox.steward(['status', '--vault', 'vault', '--json']);
  const { schedules }: { schedules: { name: string }[] } = JSON.parse(status.stdout);
  expect(schedules.map(({ name }) => name)).toEqual(['steward-roof']);
});

test('a good note beside forty bad ones is found, and each bad one has its line', async () => {
  await using sandbox = await smallVault();
  for (let nth = 0; nth < 40; nth += 1) sandbox.write(`task/bad-${nth}.md`, '---\nstate: [\n---\n');
  await carriesOn(sandbox);
  expect(await troubles(sandbox)).toHaveLength(40);
});
