import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
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
    '2 Bereiche/Haus.md': 'Ein Haus.',
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
    expect(stdout).toContain(
      'It manages 100 of 103 tasks in TaskNotes/Tasks and 2 matters in 1 Projekte. They stay in their folders.\n',
    );
    expect(stdout).toContain(
      '  52 tasks name a matter in `projects`; 51 have no matter, and wait until you give them one.',
    );
    expect(stdout).not.toContain('a-token');
    expect(stdout).not.toMatch(/\bDIR\b/);
    expect(bytesIn(vault.root)).toMatchObject(before);
    expect([vault.has('task'), vault.has('matter')]).toEqual([false, false]);
    expect(vault.fields('steward.md')).toMatchObject({
      folder_task: 'TaskNotes/Tasks',
      folder_matter: '1 Projekte',
      status_values: ['offen = open', 'erledigt = done', 'in Arbeit = open', 'wartet = open'],
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
      `  correct the types of confirm (text) in Obsidian\n  All of it: \`steward init ${vault.root} --yes\`.\n`,
    );
    expect(vault.fields('steward.md')).not.toHaveProperty('folder_task');
    expect(vault.read('.obsidian/types.json')).toMatch(/^\{"types":\{"confirm":"text","due":"text",/);
    steward(vault, ['init', vault.root, '--yes']);
    expect(vault.fields('steward.md')).toMatchObject({ folder_task: 'TaskNotes/Tasks', folder_matter: '1 Projekte' });
    expect(vault.read('.obsidian/types.json')).toMatch(/^\{"types":\{"confirm":"checkbox","due":"text",/);
    // The tables were made before these folders were named.
    expect(vault.read('Steward.base')).toContain('file.inFolder("TaskNotes/Tasks")');
    expect(vault.read('Steward.base')).not.toContain('file.inFolder("task")');
    vault.edit('Steward.base', 'TaskNotes/Tasks', 'Mine');
    steward(vault, ['init', vault.root, '--yes']);
    expect(vault.read('Steward.base')).toContain('file.inFolder("Mine")');
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

describe('a TaskNotes vault with names of its own', () => {
  const renamed = {
    tasksFolder: 'Aufgaben',
    fieldMapping: {
      status: 'stand',
      projects: 'vorhaben',
      due: 'frist',
      completeInstances: 'erledigte_tage',
      scheduled: 'am Tag',
    },
    customStatuses: [{ value: 'offen' }, { value: 'fertig', isCompleted: true }],
  };

  test('has its properties read under these names', async () => {
    const vault = new TempVault({
      '.obsidian/plugins/tasknotes/data.json': JSON.stringify(renamed),
      'Aufgaben/Miete.md': note('tags: [task]\nstand: offen\nfrist: 2035-01-01\nvorhaben: ["[[Wohnung]]"]'),
      'Aufgaben/Alt.md': note('tags: [task]\nstand: fertig'),
      'Projekte/Wohnung.md': 'Text.',
    });
    const { stdout } = steward(vault, ['init', vault.root, '--yes']);
    expect(stdout).toContain(
      '  4 fields with names of your own: stand (status), vorhaben (projects), frist (due), erledigte_tage (complete_instances)\n',
    );
    expect(stdout).toContain('  TaskNotes keeps scheduled as "am Tag" here, which Steward doesn\'t read.\n');
    expect(vault.fields('steward.md').field_mapping).toEqual([
      'stand = state',
      'vorhaben = parent_matter',
      'frist = due',
      'erledigte_tage = complete_instances',
    ]);
    const { catalogue } = await Bench.reading(vault);
    expect(catalogue.get('Aufgaben/Miete.md')).toMatchObject({ fields: { state: 'open', due: '2035-01-01' } });
    expect(catalogue.get('Aufgaben/Alt.md')).toMatchObject({ fields: { state: 'done' } });
    const [wohnung] = catalogue.matters();
    expect(wohnung === undefined ? 0 : catalogue.tasksOf(wohnung).length).toBe(1);
  });

  test('whose tasks lie elsewhere by their tag: their folder is offered, and the others are named', () => {
    const tasks = Object.fromEntries([0, 1, 2].map((nth) => [`Inbox/t${nth}.md`, note('tags: [task]\nstatus: open')]));
    const vault = new TempVault({
      '.obsidian/plugins/tasknotes/data.json': '{"tasksFolder":"Nowhere"}',
      ...tasks,
      'Projects/Boat.md': note('status: open'),
      'Projects/paint.md': note('tags: [task]\nstatus: open'),
    });
    const { stdout } = steward(vault, ['init', vault.root, '--yes']);
    expect(stdout).toContain('  3 tasks in Inbox (TaskNotes)\n  1 matter in Projects\n');
    expect(stdout).toContain(
      '  1 task with the tag task outside of Inbox: move them there so that Steward manages them\n',
    );
    expect(vault.fields('steward.md')).toMatchObject({ folder_task: 'Inbox', folder_matter: 'Projects' });
  });
});

describe('folder notes', () => {
  test.each([
    ['in a folder of their name', 'Bathroom/Bathroom.md', 'Boat/Boat.md'],
    ['beside a folder of their name', 'Bathroom.md', 'Boat.md'],
    ['in another case', 'Bathroom/bathroom.md', 'Boat/BOAT.md'],
    ['below an area', 'Home/Bathroom/Bathroom.md', 'Home/Boat/Boat.md'],
  ])('%s are offered, and no note beside them becomes a matter', async (_, first, second) => {
    const folder = (file: string) => (file.includes('/') ? path.posix.dirname(file) : file.replace('.md', ''));
    const beside = [folder(first), folder(second)].flatMap((name) =>
      ['tiles', 'offers', 'photos'].map((one): [string, string] => [`20 Projects/${name}/${one}.md`, 'Text.']),
    );
    const vault = new TempVault({
      '.obsidian/app.json': '{}',
      ...Object.fromEntries(beside),
      ...{ [`20 Projects/${first}`]: 'a', [`20 Projects/${second}`]: 'b', '20 Projects/Attic.md': 'c' },
    });
    const { stdout } = steward(vault, ['init', vault.root, '--yes']);
    expect(stdout).toContain('  3 folder notes in 20 Projects; Steward leaves the 6 other notes there alone\n');
    expect(vault.fields('steward.md')).toMatchObject({ folder_matter: '20 Projects', matter_notes: 'folder_notes' });
    const { catalogue } = await Bench.reading(vault);
    expect(
      catalogue
        .matters()
        .map(({ path: file }) => file)
        .toSorted(),
    ).toEqual(['20 Projects/Attic.md', `20 Projects/${first}`, `20 Projects/${second}`].toSorted());
  });
});

describe('the folder for all that is Steward’s', () => {
  const OWN = ['signal', 'event', 'instinct', 'licence', 'stream', 'source', 'roundtable'];
  const inFolder = (parent: string) => Object.fromEntries(OWN.map((kind) => [`folder_${kind}`, `${parent}/${kind}`]));
  const top = (vault: TempVault) => fs.readdirSync(vault.root).filter((name) => !name.startsWith('.'));

  test('is one in an existing vault, and the page names it', () => {
    const vault = new TempVault({ '.obsidian/app.json': '{}', 'Source/Book.md': 'b', 'event/Party.md': 'p' });
    const { stdout } = steward(vault, ['init', vault.root, '--yes']);
    expect(stdout).toContain(
      `Plan:\n  make matter/, task/\n  make Steward/ with ${OWN.join(', ')}\n  make steward.md\n`,
    );
    expect(vault.fields('steward.md')).toMatchObject(inFolder('Steward'));
    expect(vault.read('steward.md')).toContain('the files in `Steward/stream/`');
    const [, rights] = vault.read('steward.md').split('## Who may act without asking');
    for (const setting of ['trusted_bank_accounts', 'trusted_signal_sources']) expect(rights).toContain(setting);
    expect(top(vault)).toEqual(['Source', 'Steward', 'Steward.base', 'event', 'matter', 'steward.md', 'task']);
    expect(vault.names('event')).toEqual(['Party.md']);
    expect(steward(vault, ['init', vault.root, '--yes']).stdout).toContain('everything was there already');
  });

  test('has another name if that is taken, or a person says so', () => {
    const taken = { 'a.md': 'a', 'STEWARD/Menu.md': 'm' };
    const [free, named] = [new TempVault(taken), new TempVault(taken)];
    steward(free, ['init', free.root, '--anyway', '--yes']);
    expect(free.fields('steward.md')).toMatchObject(inFolder('Vault Steward'));
    steward(named, ['init', named.root, '--anyway', '--yes', '--folder', 'Tools/Vault']);
    expect(named.fields('steward.md')).toMatchObject(inFolder('Tools/Vault'));
    expect(steward(named, ['init', named.root, '--folder', '../out'])).toMatchObject({ status: 2 });
  });

  test.each([
    ['has settings', { 'steward.md': note('mode: live') }],
    ['has lost its settings', { '.steward/state/x.json': '{}', 'licence/a.md': note('type: licence') }],
    ['was left', { 'event/2026-11/steward-action-2026-11-20T10-00-00Z-pay.md': note('type: steward-action') }],
  ])('isn’t made in a vault that %s: its folders stay where they are', (_, files) => {
    const vault = new TempVault({ '.obsidian/app.json': '{}', 'matter/house.md': 'h', ...files });
    steward(vault, ['init', vault.root, '--yes']);
    expect(top(vault)).toEqual(expect.arrayContaining(OWN));
    expect(vault.has('Steward')).toBe(false);
  });

  test('is the former one in a vault that Steward left', async () => {
    const vault = new TempVault({ '.obsidian/app.json': '{}', 'a.md': 'a', 'matter/house.md': 'h' });
    steward(vault, ['init', vault.root, '--yes', '--folder', 'Tools/Vault']);
    vault.write('Tools/Vault/event/2026-11/steward-action-2026-11-20T10-00-00Z-pay.md', note('type: steward-action'));
    const { status, stderr } = steward(vault, ['leave', '--vault', vault.root, '--yes']);
    expect([status, stderr, top(vault)]).toEqual([0, '', ['Tools', 'a.md', 'matter']]);
    steward(vault, ['init', vault.root, '--yes']);
    expect(vault.fields('steward.md')).toMatchObject(inFolder('Tools/Vault'));
  });
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
    expect(stdout).toContain('  8 of these are in a folder with others');
    expect(crowded.fields('steward.md')).not.toHaveProperty('folder_matter');
  });

  // The properties of a project and of a task, the folders, and what the settings say then.
  test.each([
    {
      folders: ['Projekte', '02 Aufgaben'],
      project: 'status: aktiv',
      task: 'status: Offen\nprojekt: "[[Bad]]"\nFällig: 2026-12-04',
      mapping: ['status = state', 'projekt = parent_matter', 'Fällig = due'],
      words: ['Offen = open', 'aktiv = open', 'erledigt = done', 'archiviert = archived'],
    },
    {
      folders: ['PARA/Projects', 'Tasks'],
      project: 'status: Active',
      task: 'status: To Do\nprojects: ["[[Bad]]"]\ndue: 2026-12-04',
      mapping: undefined,
      words: ['To Do = open', 'Active = open'],
    },
    {
      folders: ['Projets', 'Tâches'],
      project: 'status: terminé',
      task: 'status: en cours\nprojet: Bad\néchéance: 2026-12-04',
      mapping: ['status = state', 'projet = parent_matter', 'échéance = due'],
      words: ['en cours = open', 'terminé = done', 'archivé = archived'],
    },
    {
      folders: ['matter', 'Todo'],
      project: 'state: open',
      task: 'state: done\nparent_matter: "[[Bad]]"\ndeadline: 2026-12-04',
      mapping: ['status = state', 'projects = parent_matter', 'deadline = due'],
      words: undefined,
    },
  ])('folders, properties and words for states as people call them: $folders', async (theirs) => {
    const [projects, tasks] = theirs.folders as [string, string];
    const vault = new TempVault({
      '.obsidian/app.json': '{}',
      [`${projects}/Bad.md`]: note(theirs.project),
      [`${tasks}/Tiles.md`]: note(theirs.task),
    });
    const { stdout } = steward(vault, ['init', vault.root, '--yes']);
    expect(stdout).toContain(`1 task in ${tasks}`);
    const { folder_task, field_mapping, status_values } = vault.fields('steward.md');
    expect(folder_task).toBe(tasks);
    expect(field_mapping).toEqual(theirs.mapping);
    expect(status_values).toEqual(theirs.words);
    const [found] = (await Bench.reading(vault)).catalogue.tasks();
    expect(found?.fields).toMatchObject({ due: '2026-12-04', parent_matter: expect.stringContaining('Bad') });
  });

  test('a project that is called Todo stays a project', () => {
    const projects = { 'Projects/Todo/Todo.md': note('status: open'), 'Projects/Boat.md': note('status: open') };
    const vault = new TempVault({ '.obsidian/app.json': '{}', ...projects });
    steward(vault, ['init', vault.root, '--yes']);
    expect(vault.fields('steward.md')).toMatchObject({ folder_matter: 'Projects' });
    expect(vault.fields('steward.md')).not.toHaveProperty('folder_task');
  });

  test('a folder of lists that is called Tasks isn’t one of tasks', () => {
    const lists = {
      'Tasks/Today.md': '- [ ] one',
      'Tasks/Someday.md': '- [ ] two',
      'Tasks/Old.md': note('status: done'),
    };
    const vault = new TempVault({ '.obsidian/app.json': '{}', ...lists });
    steward(vault, ['init', vault.root, '--yes']);
    expect(vault.fields('steward.md')).not.toHaveProperty('folder_task');
  });

  test('a word that nothing explains is named, and left to the person', async () => {
    const vault = new TempVault({
      '.obsidian/app.json': '{}',
      ...Object.fromEntries(['Attic', 'Boat'].map((name) => [`Projects/${name}.md`, note('status: Someday')])),
      'Projects/Car.md': note('status: open'),
    });
    const { stdout } = steward(vault, ['init', vault.root, '--yes']);
    expect(stdout).toContain('  1 status word still unexplained: Someday (2)\n');
    expect(stdout).toContain('    2 of them only once status_values explains their status: Someday (2)\n');
    expect(stdout).toContain('It manages 1 of 3 matters in Projects.');
    expect(stdout).toContain('  The rest wait until status_values in steward.md explains Someday.\n');
    const { schedules } = JSON.parse(steward(vault, ['status', '--json', '--vault', vault.root]).stdout);
    expect(schedules).toHaveLength(1);
    expect(vault.fields('steward.md')).toMatchObject({ folder_matter: 'Projects' });
    expect(vault.fields('steward.md')).not.toHaveProperty('status_values');
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

  test('tasks of TaskNotes are taken over, although `task/` holds notes; not in a vault that is set up', () => {
    const mine = { 'task/idea.md': 'a', 'task/b.md': 'b' };
    const vault = germanTaskNotes(mine);
    const { stdout } = steward(vault, ['init', vault.root, '--yes']);
    expect(stdout).toContain('  use the 103 tasks in TaskNotes/Tasks, in place\n');
    expect(vault.fields('steward.md').folder_task).toBe('TaskNotes/Tasks');
    const former = germanTaskNotes({ ...mine, 'steward.md': note('mode: shadow') });
    steward(former, ['init', former.root, '--yes']);
    expect(former.fields('steward.md')).not.toHaveProperty('folder_task');
  });

  test('matters where the settings look for them are counted next to the tasks', () => {
    const vault = new TempVault({
      'task/Pay.md': note('status: open\nprojects: ["[[Boat]]"]'),
      'matter/Boat.md': note('senders: [pat@harbour.example]'),
    });
    expect(steward(vault, ['init', vault.root, '--yes']).stdout).toContain('  1 task in task\n  1 matter in matter\n');
  });

  test('links are not followed, and a thousand notes are all counted', () => {
    const vault = new TempVault({ '.obsidian/plugins/tasknotes/data.json': '{"tasksFolder":"Tasks"}' });
    fs.mkdirSync(vault.at('Tasks'));
    const text = note('tags: [task]\nstatus: open\nprojects: ["[[Boat]]"]', 'x\n'.repeat(40));
    for (let nth = 0; nth < 1000; nth += 1) fs.writeFileSync(vault.at(`Tasks/t${nth}.md`), text);
    const outside = path.join(vault.home, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'secret.md'), note('status: open'));
    fs.symlinkSync(outside, vault.at('Projects'));
    fs.symlinkSync(path.join(outside, 'secret.md'), vault.at('Tasks/linked.md'));
    const { stdout } = steward(vault, ['init', vault.root]);
    expect(stdout).toContain('Found in ');
    expect(stdout).toContain('  1000 tasks in Tasks (TaskNotes)\n');
    expect(stdout).not.toMatch(/^ {2}\d+ matters? in/m);
  });
});

describe('a folder that is no vault', () => {
  const CODE = { 'src/a.ts': 'a', 'src/b.ts': 'b', 'package.json': '{}', 'README.md': 'Read me.' };

  test.each([
    ['only files', { 'a.jpg': 'x' }, 'it has 1 file and no note'],
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
      ['103 notes in TaskNotes/Tasks as tasks', '\r'],
      ['2 notes in 1 Projekte as matters', 'n'],
      ['3 notes say "hm". What does it mean?', `${DOWN}${DOWN}\r`],
      ["confirm (text) can't be ticked", '\r'],
      ['own fields in event notes', 'n'],
      ['Do this?', '\r'],
    ]);
    expect(said.indexOf('Plan:')).toBeLessThan(said.indexOf('Do this?'));
    expect(said).toContain('  make Steward/ with signal, event, instinct, licence, stream, source, roundtable');
    expect(said).not.toContain('added to');
    // A no counts for good, and what is there needs no yes.
    expect(await talk(vault, [])).toContain('everything was there already');
    expect(said).toContain('It manages 103 tasks in TaskNotes/Tasks. They stay in their folders.');
    const settings = vault.fields('steward.md');
    expect(settings).toMatchObject({ folder_task: 'TaskNotes/Tasks' });
    expect(settings.status_values).toContain('hm = snoozed');
    expect(settings).not.toHaveProperty('folder_matter');
    expect(vault.has('.obsidian/snippets')).toBe(false);
    expect(JSON.parse(vault.read('.obsidian/types.json')).types.confirm).toBe('checkbox');
  });

  test('a no to the plan makes nothing', async () => {
    const vault = new TempVault({ 'a.md': 'a' });
    const said = await talk(vault, [
      ['own fields in event notes', '\r'],
      ['Do this?', 'n'],
    ]);
    expect(said).toContain('Nothing is made.');
    expect(vault.names('.')).toEqual(['a.md']);
  });
});
