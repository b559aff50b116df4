import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withBoxes, withSnippet } from '../../../src/cli/setup-init.ts';
import { lookAround, surveyOf } from '../../../src/cli/setup-survey.ts';
import { DEFAULT_SETTINGS } from '../../../src/daemon/context.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

// Vaults as people have them, made as folders: what `init` finds, what it asks, what it takes over, and what it leaves alone.

const STEWARD = path.resolve(import.meta.dirname, '../../../bin/steward.js');

function steward(vault: TempVault, words: readonly string[], cwd = vault.home) {
  const env = { ...process.env, NO_COLOR: '1', HOME: vault.home, XDG_STATE_HOME: path.join(vault.home, 'state') };
  return spawnSync(process.execPath, [STEWARD, ...words], { encoding: 'utf8', env, cwd, input: '' });
}

/** Everything in a folder, by path: what is there, and in which bytes. */
function bytesIn(root: string): Record<string, string> {
  const files = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((file) => [path.relative(root, file), fs.readFileSync(file, 'latin1')]));
}

function note(fields: string, body = 'Text.'): string {
  return `---\n${fields}\n---\n${body}\n`;
}

const STATUSES = { offen: 50, 'in Arbeit': 20, erledigt: 25, wartet: 5, hm: 3 };

/** A vault of somebody who works in German with TaskNotes. */
function germanTaskNotes(more: Files = {}): TempVault {
  const words = Object.entries(STATUSES).flatMap(([word, count]) => Array.from({ length: count }, () => word));
  const tasks = words.map((word, nth) => [
    `TaskNotes/Tasks/Aufgabe ${nth}.md`,
    note(`tags: [task]\nstatus: ${word}\ndue: 2035-01-01\nprojects: ${nth % 2 === 0 ? '["[[Küche]]"]' : '[]'}`),
  ]);
  const statuses = Object.keys(STATUSES)
    .filter((value) => value !== 'hm')
    .map((value, order) => ({ id: value, value, isCompleted: value === 'erledigt', order }));
  return new TempVault({
    '.obsidian/app.json': '{}',
    '.obsidian/plugins/tasknotes/data.json': JSON.stringify({
      tasksFolder: 'TaskNotes/Tasks',
      defaultTaskStatus: 'offen',
      apiAuthToken: 'a-token',
      customStatuses: statuses,
    }),
    ...Object.fromEntries(tasks),
    '1 Projekte/Küche/Küche.md': note('type: "[[Projekte]]"\nstatus: in Arbeit'),
    '1 Projekte/Bad.md': note('status: erledigt'),
    '2 Bereiche/Haus.md': '- [ ] Fliesen kaufen 📅 2035-12-01\n- [ ] nichts\n- [x] fertig ✅ 2026-01-01\n',
    ...more,
  });
}

describe('a TaskNotes vault with German words', () => {
  test('is taken over whole with --yes, and no note is touched', async () => {
    const vault = germanTaskNotes();
    const before = bytesIn(vault.root);
    const { status, stdout, stderr } = steward(vault, ['init', vault.root, '--yes']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('  103 tasks in TaskNotes/Tasks (TaskNotes)\n  2 matters in 1 Projekte\n');
    expect(stdout).toContain('  4 status words: offen, in Arbeit, wartet = open; erledigt = done\n');
    expect(stdout).toContain('  1 status word still unexplained: hm (3)\n');
    expect(stdout).toContain('  1 task line in 1 note: the steward looks after whole notes only');
    expect(stdout).toContain(
      'It looks after 103 tasks in TaskNotes/Tasks and 2 matters in 1 Projekte, where they lie.\n',
    );
    expect(stdout).toContain('  52 tasks name a matter in `projects`; 51 name none');
    expect(stdout).not.toContain('a-token');
    expect(stdout).not.toMatch(/\bDIR\b/);
    expect(bytesIn(vault.root)).toMatchObject(before);
    expect([vault.has('task'), vault.has('matter')]).toEqual([false, false]);
    expect(vault.fields('steward.md')).toMatchObject({
      folder_task: 'TaskNotes/Tasks',
      folder_matter: '1 Projekte',
      status_values: ['offen = open', 'in Arbeit = open', 'wartet = open', 'erledigt = done'],
    });
    const bench = await Bench.reading(vault);
    expect([bench.catalogue.count('task'), bench.catalogue.count('matter'), bench.catalogue.bad()]).toEqual([
      103,
      2,
      [],
    ]);
    const done = bench.catalogue.tasks().filter(({ fields }) => fields.state === 'done');
    expect(done).toHaveLength(25);
    expect(bench.status().trouble.map(({ message }) => message)).toEqual([
      '3 tasks say `status: hm`, which the settings do not explain.',
    ]);
    expect(steward(vault, ['init', vault.root, '--yes']).stdout).toContain('everything was there already');
  });

  test('is only described where nobody can say yes', () => {
    const vault = germanTaskNotes({ '.obsidian/types.json': '{"types":{"confirm":"text","due":"text"}}' });
    const { status, stdout } = steward(vault, ['init', vault.root]);
    expect(status).toBe(0);
    expect(stdout).toContain(
      'With your yes:\n  look after the notes in TaskNotes/Tasks\n  look after the notes in 1 Projekte\n',
    );
    expect(stdout).toContain(
      `  mend the types of confirm (text) in Obsidian\n  All of it: \`steward init ${vault.root} --yes\`.\n`,
    );
    expect(vault.fields('steward.md')).not.toHaveProperty('folder_task');
    expect(vault.read('.obsidian/types.json')).toMatch(/^\{"types":\{"confirm":"text","due":"text",/);
    steward(vault, ['init', vault.root, '--yes']);
    expect(vault.fields('steward.md')).toMatchObject({ folder_task: 'TaskNotes/Tasks', folder_matter: '1 Projekte' });
    expect(vault.read('.obsidian/types.json')).toMatch(/^\{"types":\{"confirm":"checkbox","due":"text",/);
  });

  test('settings that a person wrote stay, and only what they lack is added', () => {
    const vault = germanTaskNotes({
      'steward.md': note('# mine\nmode: shadow # for now\nfolder_matter: 2 Bereiche', 'Mine.'),
    });
    steward(vault, ['init', vault.root, '--yes']);
    const text = vault.read('steward.md');
    expect(text).toMatch(/^---\n# mine\nmode: shadow # for now\nfolder_matter: 2 Bereiche\n/);
    expect(text.endsWith('---\nMine.\n')).toBe(true);
    expect(vault.fields('steward.md')).toMatchObject({ folder_matter: '2 Bereiche', folder_task: 'TaskNotes/Tasks' });
  });

  test.each([
    ['{', 'broken JSON'],
    ['{"tasksFolder":', 'half of it'],
    ['[]', 'a list'],
  ])('whose plugin settings are %s (%s): that is said, and TaskNotes is taken as it comes', (text) => {
    const vault = germanTaskNotes({ '.obsidian/plugins/tasknotes/data.json': text });
    const { status, stdout, stderr } = steward(vault, ['init', vault.root, '--yes']);
    expect(status).toBe(0);
    expect(stderr).toContain('(plugin-unreadable)');
    expect(stdout).toContain('103 tasks in TaskNotes/Tasks');
  });

  test.each(['../outside', '/etc', '.obsidian', '', 'steward.md\u001b[2J', '.steward/x'])(
    'whose tasks are said to lie in %j: nothing outside the vault is taken over',
    (tasksFolder) => {
      const vault = germanTaskNotes({ '.obsidian/plugins/tasknotes/data.json': JSON.stringify({ tasksFolder }) });
      const { status, stdout, stderr } = steward(vault, ['init', vault.root, '--yes']);
      expect([status, (stdout + stderr).includes('\u001b')]).toEqual([0, false]);
      expect([undefined, 'TaskNotes/Tasks']).toContain(vault.fields('steward.md').folder_task);
    },
  );
});

describe('other conventions', () => {
  test('PARA with numbers: projects become matters; folders with much beside a project only by a word of the person', () => {
    const clear = new TempVault({
      '.obsidian/app.json': '{}',
      ...{ '1 - Projects/Attic.md': 'a', '1 - Projects/Boat/Boat.md': 'b', '2 - Areas/Health.md': 'c' },
      '4 - Archive/Old.md': 'd',
    });
    steward(clear, ['init', clear.root, '--yes']);
    expect(clear.fields('steward.md')).toMatchObject({ folder_matter: '1 - Projects' });
    const crowded = new TempVault({
      '.obsidian/app.json': '{}',
      ...Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`Projects/Boat/n${nth}.md`, 'x'])),
      'Projects/Attic.md': 'a',
    });
    const { stdout } = steward(crowded, ['init', crowded.root, '--yes']);
    expect(stdout).toContain('  8 of these lie beside others in a folder');
    expect(crowded.fields('steward.md')).not.toHaveProperty('folder_matter');
  });

  test("kepano's: what the notes say they are, with links as types", async () => {
    const project = (name: string) => [
      `Efforts/${name}.md`,
      note('categories:\n  - "[[Projects]]"\ntype: ["[[Home]]"]\nstatus: Active'),
    ];
    const vault = new TempVault({
      '.obsidian/app.json': '{}',
      ...Object.fromEntries(['Attic', 'Boat', 'Cellar'].map(project)),
      'Clippings/One.md': note('categories: ["[[Clippings]]"]'),
    });
    steward(vault, ['init', vault.root, '--yes']);
    expect(vault.fields('steward.md')).toMatchObject({ folder_matter: 'Efforts', status_values: ['Active = open'] });
    const { catalogue } = await Bench.reading(vault);
    expect([catalogue.count('matter'), catalogue.bad()]).toEqual([3, []]);
  });

  test('a type of this program in such a folder still contradicts it', async () => {
    const vault = new TempVault({
      'steward.md': note('folder_matter: Projects'),
      'Projects/a.md': note('type: task'),
      'Projects/b.md': note('type: project'),
    });
    const { catalogue } = await Bench.reading(vault);
    expect([catalogue.count('matter'), catalogue.bad().map(({ path }) => path)]).toEqual([1, ['Projects/a.md']]);
  });

  test("a folder of a person's own that has one of the program's names is not taken", () => {
    const vault = new TempVault({ '.obsidian/app.json': '{}', 'Source/Book.md': 'b', 'event/Party.md': 'p' });
    steward(vault, ['init', vault.root]);
    expect(vault.fields('steward.md')).toMatchObject({
      folder_source: 'steward/source',
      folder_event: 'steward/event',
    });
    expect([vault.has('steward/source'), vault.names('event')]).toEqual([true, ['Party.md']]);
  });

  test('links are not followed, and a thousand notes are all counted', () => {
    const vault = new TempVault({ '.obsidian/app.json': '{}' });
    fs.mkdirSync(vault.at('Tasks'));
    const text = note('tags: [task]\nstatus: open\nprojects: ["[[Boat]]"]', 'x\n'.repeat(40));
    for (let nth = 0; nth < 1000; nth += 1) fs.writeFileSync(vault.at(`Tasks/t${nth}.md`), text);
    const outside = path.join(vault.home, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'secret.md'), note('status: open'));
    fs.symlinkSync(outside, vault.at('Projects'));
    fs.symlinkSync(path.join(outside, 'secret.md'), vault.at('Tasks/linked.md'));
    const survey = surveyOf(
      lookAround(vault.root, () => {}),
      DEFAULT_SETTINGS,
    );
    expect([survey.tasks?.notes, survey.matters]).toEqual([1000, null]);
  });
});

describe('a folder that is no vault', () => {
  const CODE = { 'src/a.ts': 'a', 'src/b.ts': 'b', 'package.json': '{}', 'README.md': 'Read me.' };

  test.each([
    ['only files', { 'a.jpg': 'x' }, 'it holds 1 file and no note'],
    ['code with a README', CODE, 'of its 4 files, 1 is a note'],
    ['notes, and nobody to ask', { 'a.md': 'a', 'b.md': 'b' }, 'neither .obsidian nor steward.md'],
  ] as const)('with %s: init refuses, makes nothing, and can be told otherwise', (_, files, reason) => {
    const vault = new TempVault(files);
    const before = bytesIn(vault.root);
    const { status, stderr } = steward(vault, ['init', vault.root]);
    expect([status, stderr.includes(reason), stderr.includes('--anyway')]).toEqual([1, true, true]);
    expect([bytesIn(vault.root), vault.has('.steward')]).toEqual([before, false]);
    expect(steward(vault, ['init', vault.root, '--anyway']).status).toBe(0);
  });

  test('a home folder, and what lies above it, is refused even with --yes', () => {
    const vault = new TempVault({ 'vault/a.md': 'a' });
    for (const folder of [vault.home, path.dirname(vault.home), '/']) {
      expect(steward(vault, ['init', folder, '--yes'])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('(vault-unlikely)'),
      });
    }
    expect(fs.readdirSync(vault.home)).toEqual(['vault']);
  });

  test.each([
    ['run'],
    ['tick'],
    ['undo', '--last', '1'],
    ['import', '/dev/null'],
    ['source', 'add'],
    ['confirm', 'x'],
    ['status'],
    ['doctor'],
  ])('%s says so, and writes nothing', (...words) => {
    const vault = new TempVault(CODE);
    const before = bytesIn(vault.root);
    const { status, stdout, stderr } = steward(vault, [...words, '--vault', vault.root]);
    expect([status, stdout, stderr.includes('(vault-none)')]).toEqual([2, '', true]);
    expect([bytesIn(vault.root), vault.has('.steward')]).toEqual([before, false]);
  });

  test('a path with blanks is given so that it can be typed', () => {
    const vault = new TempVault();
    const { stdout } = steward(vault, ['init', "my mother's notes", '--yes']);
    expect(stdout).toContain(`steward run --vault '${vault.home}/my mother'\\''s notes'`);
  });
});

describe('at a terminal', () => {
  /** What `init` says to somebody who answers each question as it comes. */
  async function talk(
    vault: TempVault,
    answers: readonly (readonly [question: string, keys: string])[],
  ): Promise<string> {
    const command = `${process.execPath} ${STEWARD} init ${vault.root}`;
    const env = { ...process.env, NO_COLOR: '1', HOME: vault.home, TERM: 'xterm', COLUMNS: '200' };
    const child = spawn('script', ['-qec', `stty cols 200; ${command}`, '/dev/null'], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const waiting = [...answers];
    let said = '';
    let seen = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [question, keys] = waiting[0] ?? [];
      if (question === undefined || !said.slice(seen).includes(question)) return;
      waiting.shift();
      seen = said.length;
      child.stdin.write(keys ?? '');
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(waiting).toEqual([]);
    return said;
  }

  const DOWN = '\u001b[B';

  test('each thing is asked, and a word that the settings do not explain is explained', async () => {
    const vault = germanTaskNotes({ '.obsidian/types.json': '{"types":{"confirm":"text"}}' });
    const said = await talk(vault, [
      ["Add the steward's folders", '\r'],
      ['103 notes in TaskNotes/Tasks as tasks', '\r'],
      ['2 notes in 1 Projekte as matters', 'n'],
      ['3 notes say "hm". What does it mean?', `${DOWN}${DOWN}\r`],
      ['confirm (text) cannot be ticked', '\r'],
      ['own fields in event notes', 'n'],
    ]);
    expect(said).toContain('It looks after 103 tasks in TaskNotes/Tasks, where they lie.');
    const settings = vault.fields('steward.md');
    expect(settings).toMatchObject({ folder_task: 'TaskNotes/Tasks' });
    expect(settings.status_values).toContain('hm = snoozed');
    expect(settings).not.toHaveProperty('folder_matter');
    expect(vault.has('.obsidian/snippets')).toBe(false);
    expect(JSON.parse(vault.read('.obsidian/types.json')).types.confirm).toBe('checkbox');
  });

  test('a no at the start makes nothing', async () => {
    const vault = new TempVault({ 'a.md': 'a' });
    const said = await talk(vault, [["Add the steward's folders", 'n']]);
    expect(said).toContain('Nothing is made.');
    expect(vault.names('.')).toEqual(['a.md']);
  });
});

describe('what Obsidian keeps', () => {
  test.each([
    ['{"types":{"confirm":"text","due":"text"}}', '{"types":{"confirm":"checkbox","due":"text"}}'],
    [
      '\uFEFF{ "types" : { "undo":  "number" ,"x":1.50 } }\r\n',
      '\uFEFF{ "types" : { "undo":  "checkbox" ,"x":1.50 } }\r\n',
    ],
    ['{"types":{"confirm":"text","confirm":"checkbox"}}', '{"types":{"confirm":"text","confirm":"checkbox"}}'],
    ['{"types":{"confirm":7}}', '{"types":{"confirm":7}}'],
    ['{"types":{"__proto__":"text"}}', '{"types":{"__proto__":"text"}}'],
  ])('%j: boxes become boxes, and no other byte changes', (before, after) => {
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
    steward(own, ['init', own.root, '--yes']);
    expect([own.read('.obsidian/snippets/steward-event.css'), own.has('.obsidian/appearance.json')]).toEqual([
      'mine',
      false,
    ]);
    const broken = new TempVault({ '.obsidian/appearance.json': '{"enabledCssSnippets":{}}' });
    expect(steward(broken, ['init', broken.root, '--yes'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('(appearance-unreadable)'),
    });
    expect(broken.read('.obsidian/appearance.json')).toBe('{"enabledCssSnippets":{}}');
  });
});
