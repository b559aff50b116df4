import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withoutSnippet, withoutTypes, withSnippet, withTypes } from '../../../src/cli/obsidian-files.ts';
import { runCommand } from '../../../src/cli/table.ts';
import { Printer } from '../../../src/cli/terminal.ts';
import { EXIT } from '../../../src/vault/errors.ts';
import { matter, ODD_TASK, PAID_MAIL } from '../../support/notes.ts';
import { type Files, TempVault } from '../../support/temp-vault.ts';

const STEWARD = path.resolve(import.meta.dirname, '../../../bin/steward.js');
const PAY = 'task/pay.md';

function envOf(vault: TempVault): NodeJS.ProcessEnv {
  const runtime = path.join(vault.home, 'run');
  fs.mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const own = { HOME: vault.home, XDG_STATE_HOME: path.join(vault.home, 'state'), XDG_RUNTIME_DIR: runtime };
  return { ...process.env, ...own, NO_COLOR: '1', STEWARD_LIVE_MODE: 'live' };
}

function steward(vault: TempVault, ...words: string[]) {
  const options = { encoding: 'utf8', env: envOf(vault), cwd: vault.home, input: '' } as const;
  return spawnSync(process.execPath, [STEWARD, '--vault', vault.root, ...words], options);
}

function done(vault: TempVault, ...words: string[]): string {
  const { status, stdout, stderr } = steward(vault, ...words);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** Runs a command in this process, which takes a fraction of the time. */
async function ran(vault: TempVault, ...words: string[]): Promise<void> {
  const env = envOf(vault);
  const silent = new Printer({ write: () => undefined }, env);
  const context = { out: silent, err: silent, env, cwd: vault.home };
  expect(await runCommand(['--vault', vault.root, ...words], context)).toBe(EXIT.done);
}

/** A vault that Steward has looked after: a proposal waits, and a flag is in the task. */
async function lived(more: Files = {}): Promise<TempVault> {
  const vault = new TempVault({ '.obsidian/app.json': '{}' });
  await ran(vault, 'init', '--yes');
  const settings = 'settle_seconds: 0\ntrusted_mail_servers: [mx.sample.example]';
  vault.edit('steward.md', 'settle_seconds: 10', settings);
  vault.edit('steward.md', 'trusted_mail_servers: []\n', '');
  const notes = { 'matter/house.md': matter({ senders: ['billing@roof.example'] }), [PAY]: ODD_TASK };
  for (const [file, text] of Object.entries({ ...notes, ...more })) vault.write(file, text);
  fs.writeFileSync(path.join(vault.home, 'paid.eml'), PAID_MAIL);
  await ran(vault, 'import', './paid.eml');
  await ran(vault, 'tick');
  expect(vault.read(PAY)).toContain('pending_confirmation: true');
  return vault;
}

/** Every file in a vault, hidden ones too. */
function allFiles(vault: TempVault): string[] {
  const entries = fs.readdirSync(vault.root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => path.relative(vault.root, path.join(entry.parentPath, entry.name))).sort();
}

describe('leave', () => {
  test('lists what it would remove, and removes nothing without a yes', async () => {
    const vault = await lived();
    const before = vault.snapshot();
    const plan = done(vault, 'leave', '--dry-run');
    expect(plan).toContain('  steward.md: your settings\n');
    expect(plan).toContain('  pending_confirmation in 1 note of yours\n');
    expect(plan).toMatch(/Keeps:\n {2}all your notes, and every change in them\n/);
    expect(steward(vault, 'leave')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No file was removed.'),
    });
    expect(vault.snapshot()).toEqual(before);
  });

  test('removes all but the notes, what was done and what arrived', async () => {
    const vault = await lived();
    done(vault, 'licence', 'sign', 'mail:billing@roof.example');
    const out = done(vault, 'leave', '--yes');
    expect(out).toContain('licence/: 1 file, who may act without asking');
    expect(vault.read(PAY)).toBe(ODD_TASK);
    const rest = allFiles(vault).filter((file) => !/^(event|signal)\/\d{4}-\d\d\//.test(file));
    expect(rest).toEqual(['.obsidian/app.json', '.obsidian/types.json', 'matter/house.md', 'stream/paid.eml', PAY]);
    expect(fs.readdirSync(vault.root).sort()).toEqual(['.obsidian', 'event', 'matter', 'signal', 'stream', 'task']);
    const { types } = JSON.parse(vault.read('.obsidian/types.json'));
    expect([types.waiting, types.confirm, types.observations]).toEqual(['checkbox', undefined, undefined]);
    expect(fs.readdirSync(path.join(vault.home, 'state/vault-steward')).sort()).toEqual([
      'locks',
      'seal-key',
      'seal-key.vaults',
    ]);
  });

  test('lists what waits, and closes it in its event note', async () => {
    const vault = await lived();
    const [note = ''] = vault.events();
    expect(vault.fields(note)).toMatchObject({ waiting: true, confirm: false });
    expect(done(vault, 'leave', '--dry-run')).toMatch(
      /Closes without your answer:\n {2}proposal {2}pay {2}.*done.*\nKeeps:/,
    );
    expect(vault.fields(note)).toMatchObject({ waiting: true, outcome: 'proposed' });
    done(vault, 'leave', '--yes');
    expect(vault.fields(note)).toMatchObject({ waiting: false, pending_confirmation: false, outcome: 'expired' });
    expect(vault.read(note)).toMatch(/Steward left this vault on .*, before you answered\./);
    expect(vault.read(note)).not.toMatch(/^(confirm|always|dismiss|later|deliberate):/m);
  });

  test('takes away the boxes that undo', async () => {
    const vault = await lived();
    done(vault, 'confirm', '--all');
    expect(vault.events().filter((note) => vault.fields(note).undo === false)).toHaveLength(1);
    done(vault, 'leave', '--yes');
    const notes = vault.events().map((note) => vault.read(note));
    expect(notes.filter((text) => /so it can’t undo this any more\./.test(text))).toHaveLength(1);
    expect(notes.join('\n')).not.toMatch(/^undo:|Tick `undo`/m);
  });

  test('takes settings that are a link in the vault with the note that they are in', async () => {
    const exported = ['--export', 'export'];
    for (const words of [[], exported]) {
      const vault = await lived();
      vault.write('notes/settings.md', vault.read('steward.md'));
      fs.rmSync(vault.at('steward.md'));
      fs.symlinkSync('notes/settings.md', vault.at('steward.md'));
      expect(done(vault, 'leave', '--dry-run')).toContain(
        '  steward.md (a link to notes/settings.md): your settings\n',
      );
      done(vault, 'leave', '--yes', ...words);
      const rest = allFiles(vault).filter((file) => !/^(event|signal|stream)\//.test(file));
      expect(rest).toEqual(['.obsidian/app.json', '.obsidian/types.json', 'matter/house.md', PAY]);
      expect(fs.existsSync(path.join(vault.home, 'export/notes/settings.md'))).toBe(words.length > 0);
    }
  });

  test('says when nothing is left, and a vault can be set up again', () => {
    const vault = new TempVault({ '.obsidian/app.json': '{}' });
    done(vault, 'init', '--yes');
    done(vault, 'leave', '--yes');
    expect(allFiles(vault)).toEqual(['.obsidian/app.json']);
    expect(done(vault, 'leave', '--yes')).toBe(`Steward has left no file in ${vault.root}.\n`);
    expect(done(vault, 'init', '--yes')).toContain('made steward.md');
  });

  test('keeps a change that was made, and undoes it with --undo', async () => {
    for (const words of [[], ['--undo']]) {
      const vault = await lived();
      done(vault, 'confirm', '--all');
      const changed = vault.read(PAY);
      expect(changed).not.toBe(ODD_TASK);
      if (words.length === 0) expect(done(vault, 'leave', '--dry-run')).toContain('; 1 can still be undone (--undo)');
      done(vault, 'leave', '--yes', ...words);
      expect(vault.read(PAY)).toBe(words.length === 0 ? changed : ODD_TASK);
      expect(vault.has('steward.md')).toBe(false);
    }
  });

  test('with --undo, removes nothing if a change can’t be undone', async () => {
    const vault = await lived();
    done(vault, 'confirm', '--all');
    vault.edit(PAY, "'done'", "'archived'");
    const before = vault.read(PAY);
    const ended = steward(vault, 'leave', '--yes', '--undo');
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining('so no file was removed') });
    expect([vault.read(PAY), vault.has('steward.md'), vault.has('Steward.base')]).toEqual([before, true, true]);
  });

  test('--export moves all notes of Steward outside, byte for byte', async () => {
    const vault = await lived();
    const before = vault.snapshot();
    const target = path.join(vault.home, 'export');
    expect(steward(vault, 'leave', '--yes', '--export', vault.at('event/here'))).toMatchObject({ status: 2 });
    expect(fs.existsSync(vault.at('event/here'))).toBe(false);
    fs.mkdirSync(target);
    fs.writeFileSync(path.join(target, 'steward.md'), 'other');
    const taken = steward(vault, 'leave', '--yes', '--export', target);
    expect(taken).toMatchObject({ status: 1, stderr: expect.stringContaining('(export-taken)') });
    expect(Object.keys(vault.snapshot())).toEqual(Object.keys(before));
    fs.rmSync(path.join(target, 'steward.md'));
    done(vault, 'leave', '--yes', '--export', target);
    expect(fs.readdirSync(vault.root).sort()).toEqual(['.obsidian', 'matter', 'task']);
    const moved = Object.keys(before).filter((file) => /^(event|signal|stream)\//.test(file));
    expect(moved.length).toBeGreaterThan(2);
    for (const file of moved.filter((one) => !one.startsWith('event/')))
      expect(fs.readFileSync(path.join(target, file), 'utf8')).toBe(before[file]);
    expect(fs.readFileSync(path.join(target, 'steward.md'), 'utf8')).toContain('settle_seconds: 0');
    expect(fs.readdirSync(target).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('keeps what a person wrote into Steward’s files and folders', async () => {
    const own = {
      'licence/my own.md': 'Mine.',
      'licence/picture.png': 'png',
      'instinct/notes.md': '---\ntype: idea\n---\n',
    };
    const vault = await lived({ ...own, 'matter/2.md': matter({ confirm: true, sender: 'me' }) });
    vault.edit('steward.md', 'Steward keeps the matters', 'My own page.\n\nSteward keeps the matters');
    vault.edit('steward.md', 'settle_seconds: 0', 'settle_seconds: 0\nmine: yes');
    vault.edit('.obsidian/snippets/steward-event.css', '{', '{ /* mine */');
    vault.edit('.obsidian/types.json', '"types": {', '"types": {\n    "mine": "date",');
    done(vault, 'leave', '--yes');
    expect(vault.snapshot()).toMatchObject(own);
    expect(vault.properties('steward.md')).toEqual({ mine: 'yes' });
    expect(vault.read('steward.md')).toContain('My own page.');
    expect(vault.read('steward.md')).not.toContain('<!-- steward');
    expect(vault.read('.obsidian/snippets/steward-event.css')).toContain('mine');
    expect(JSON.parse(vault.read('.obsidian/types.json')).types).toMatchObject({ mine: 'date', sender: 'text' });
  });

  test('puts a version of a note that it had kept beside the note', async () => {
    const vault = await lived();
    const note = { note: PAY, file: '.steward/history/kept.md', at: '2026-11-20T10:00:00.000Z' };
    vault.write(note.file, 'what somebody typed');
    vault.write('.steward/state/kept.json', JSON.stringify([note]));
    done(vault, 'leave', '--yes');
    expect(vault.read('task/pay (kept 2026-11-20T10-00-00Z).md')).toBe('what somebody typed');
  });

  test('puts two versions of the same second beside it, and removes nothing if it cannot read which there are', async () => {
    const vault = await lived();
    const at = '2026-11-20T10:00:00.000Z';
    const kept = ['one', 'two'].map((name) => ({ note: PAY, file: `.steward/history/${name}.md`, at }));
    for (const { file } of kept) vault.write(file, file);
    vault.write('.steward/state/kept.json', '[{"note":');
    expect(steward(vault, 'leave', '--yes').status).toBe(1);
    expect(vault.has('.steward/history/two.md')).toBe(true);
    const again = await lived();
    for (const { file } of kept) again.write(file, file);
    again.write('.steward/state/kept.json', JSON.stringify(kept));
    done(again, 'leave', '--yes');
    const copies = ['task/pay (kept 2026-11-20T10-00-00Z).md', 'task/pay (kept 2026-11-20T10-00-00Z) 2.md'];
    expect(copies.map((file) => again.read(file)).sort()).toEqual(kept.map(({ file }) => file));
  });

  test('removes no note of a folder that the settings do not name as its own', async () => {
    const vault = new TempVault({ '.obsidian/app.json': '{}', 'source/K.md': '---\ntype: source\n---\nA book.\n' });
    done(vault, 'leave', '--yes');
    expect(vault.read('source/K.md')).toContain('A book.');
    const broken = await lived({ 'source/K.md': '---\ntype: source\n---\nA book.\n' });
    broken.edit('steward.md', 'settle_seconds: 0', 'settle_seconds: [');
    expect(steward(broken, 'leave', '--yes').status).not.toBe(0);
    expect(broken.has('source/K.md')).toBe(true);
  });

  test('keeps a line of the user between the marks, and the older type of a property', () => {
    const vault = new TempVault({ '.obsidian/types.json': '{"types":{"due":"date"}}' });
    done(vault, 'init', '--yes');
    vault.edit('steward.md', '<!-- steward:waiting -->', '<!-- steward:waiting -->\nMy own line.');
    vault.edit('steward.md', '## How to undo', 'My own part.\n\n## How to undo');
    done(vault, 'leave', '--yes');
    expect(vault.read('steward.md')).toContain('My own line.');
    expect(JSON.parse(vault.read('.obsidian/types.json')).types).toMatchObject({ due: 'date' });
  });

  test('names types of Obsidian that it cannot read, and removes the rest', async () => {
    const vault = await lived();
    vault.write('.obsidian/types.json', '{"types":');
    const { status, stderr } = steward(vault, 'leave', '--yes');
    expect([status, stderr]).toEqual([1, expect.stringContaining('types-unreadable')]);
    expect(vault.read('.obsidian/types.json')).toBe('{"types":');
    expect(vault.has('.steward')).toBe(false);
  });
});

describe('a daemon', () => {
  test('is stopped first', async () => {
    const vault = await lived();
    const daemon = spawn(process.execPath, [STEWARD, '--vault', vault.root, 'run'], { env: envOf(vault) });
    onTestFinished(() => void daemon.kill('SIGKILL'));
    const ended = new Promise((resolve) => daemon.on('exit', resolve));
    await expect.poll(() => steward(vault, 'status').stdout, { timeout: 60_000 }).toContain('daemon running');
    expect(done(vault, 'leave', '--yes')).toContain(`Stops: the daemon (pid ${daemon.pid})`);
    expect(await ended).toBe(0);
    expect(fs.existsSync(vault.places.own)).toBe(false);
  });

  test('of another machine stops it before anything is removed', async () => {
    const vault = await lived();
    const stamp = new Date().toISOString();
    const lock = {
      host: 'elsewhere.example',
      pid: 7,
      boot: 'b',
      role: 'daemon',
      birth: '1',
      token: 't',
      epoch: 9,
      lease_ms: 90_000,
    };
    vault.write('.steward/lock', JSON.stringify({ ...lock, since: stamp, refreshed_at: stamp, socket: null }));
    const before = vault.snapshot();
    const { status, stderr } = steward(vault, 'leave', '--yes');
    expect([status, stderr]).toEqual([75, expect.stringContaining('pid 7 on elsewhere.example')]);
    expect(vault.snapshot()).toEqual(before);
  });
});

/** Starts to leave, and kills the process as soon as something holds. */
async function killedWhen(vault: TempVault, holds: () => boolean): Promise<void> {
  const leaving: ChildProcess = spawn(process.execPath, [STEWARD, '--vault', vault.root, 'leave', '--yes'], {
    env: envOf(vault),
  });
  const ended = new Promise((resolve) => leaving.on('exit', resolve));
  await expect.poll(holds, { interval: 1, timeout: 60_000 }).toBe(true);
  leaving.kill('SIGKILL');
  await ended;
}

test('if it is interrupted anywhere, a second run finishes', async () => {
  const licences = Array.from(
    { length: 400 },
    (_, nth) => [`licence/l${nth}.md`, '---\ntype: licence\n---\n'] as const,
  );
  const vault = await lived(Object.fromEntries(licences));
  await killedWhen(vault, () => !vault.read(PAY).includes('pending_confirmation'));
  await killedWhen(vault, () => vault.names('licence').length < 390);
  await killedWhen(vault, () => !vault.has('Steward.base'));
  expect([vault.read(PAY), vault.has('stream/paid.eml')]).toEqual([ODD_TASK, true]);
  const last = steward(vault, 'leave', '--yes');
  expect([last.status, last.stderr]).toEqual([0, '']);
  const rest = allFiles(vault).filter((file) => !/^(event|signal)\//.test(file));
  expect(rest).toEqual(['.obsidian/app.json', '.obsidian/types.json', 'matter/house.md', 'stream/paid.eml', PAY]);
});

describe('hostile links', () => {
  test('never lead out of the vault', async () => {
    const vault = await lived();
    const outside = path.join(vault.home, 'outside');
    for (const file of ['licence/theirs.md', 'snippets/steward-event.css', 'deep/x.md']) {
      fs.mkdirSync(path.dirname(path.join(outside, file)), { recursive: true });
      fs.writeFileSync(path.join(outside, file), '---\ntype: licence\n---\n');
    }
    vault.write('instinct/plain.md', 'Mine.');
    fs.rmSync(vault.at('licence'), { recursive: true });
    fs.symlinkSync(path.join(outside, 'licence'), vault.at('licence'));
    fs.symlinkSync(path.join(outside, 'deep'), vault.at('instinct/deep'));
    fs.symlinkSync(path.join(outside, 'deep/x.md'), vault.at('instinct/x.md'));
    fs.rmSync(vault.at('.obsidian/snippets'), { recursive: true });
    fs.symlinkSync(path.join(outside, 'snippets'), vault.at('.obsidian/snippets'));
    const before = fs.readdirSync(outside, { recursive: true }).sort();
    const { stdout } = steward(vault, 'leave', '--yes');
    expect(stdout).toContain('licence: a link, which stays as it is');
    expect(fs.readdirSync(outside, { recursive: true }).sort()).toEqual(before);
    expect(fs.lstatSync(vault.at('licence')).isSymbolicLink()).toBe(true);
    expect(fs.existsSync(vault.places.own)).toBe(false);
  });

  test('an export takes none of your notes if the settings name your folder as one of Steward’s', async () => {
    const vault = await lived();
    vault.write('Diary/day.md', 'Rain.');
    vault.write('Letters/one.md', '---\ntype: letter\n---\nDear Robin');
    vault.edit('steward.md', 'type: steward', 'type: steward\nfolder_event: Diary\nfolder_signal: Letters');
    const target = path.join(vault.home, 'export');
    expect(done(vault, 'leave', '--dry-run', '--export', target)).toContain('Diary/: 1 file');
    done(vault, 'leave', '--yes', '--export', target);
    expect([vault.read('Diary/day.md'), vault.read('Letters/one.md')]).toEqual(['Rain.', expect.any(String)]);
  });

  test('an export follows no link in the vault', async () => {
    const vault = await lived();
    const secret = path.join(vault.home, 'secret');
    fs.writeFileSync(secret, 'secret');
    fs.symlinkSync(secret, vault.at('stream/secret.eml'));
    done(vault, 'leave', '--yes', '--export', path.join(vault.home, 'export'));
    expect(fs.existsSync(path.join(vault.home, 'export/stream/secret.eml'))).toBe(false);
    expect(fs.readFileSync(secret, 'utf8')).toBe('secret');
  });
});

describe('the files of Obsidian', () => {
  test.each([
    ['{"types":{"due":"text"}}', { confirm: 'checkbox', undo: 'checkbox' }],
    ['{\n  "types": {\n    "due": "text"\n  },\n  "other": 1\n}\n', { confirm: 'checkbox' }],
    ['\uFEFF{"types":{"due":"text","x":"date"}}', { 'a "b"': 'text', z: 'number' }],
  ])('are as they were, byte for byte: %s', (text, types) => {
    expect(withoutTypes(withTypes(text, types), Object.keys(types))).toBe(text);
  });

  test.each([
    '{"types":{"confirm":"checkbox","due":"text"}}',
    '{ "types": { "confirm": "checkbox",\n "due": "text" } }',
  ])('lose the first type too: %s', (text) => {
    expect(JSON.parse(withoutTypes(text, ['confirm']))).toEqual({ types: { due: 'text' } });
  });

  test.each(['{"enabledCssSnippets":["mine"],"theme":"x"}', '{\n  "enabledCssSnippets": [\n    "a",\n    "b"\n  ]\n}'])(
    'no longer use the style sheet: %s',
    (text) => {
      expect(withoutSnippet(withSnippet(text))).toBe(text);
      expect(withoutSnippet(text)).toBe(text);
    },
  );
});
