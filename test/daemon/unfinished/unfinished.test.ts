// Takes more than five seconds: each answer is a command of the built program, as a person gives it.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { vaultSeal } from '../../../src/daemon/environment.ts';
import { sha256 } from '../../../src/vault/note-text.ts';
import { Sandbox } from '../../stories/support.ts';

const NOTE = 'task/pay-notary-deposit.md';
const NAME = 'steward-action-2026-11-20T10-00-00Z-deposit';
const EVENT = `event/${NAME}.md`;
const EVENT_TEXT =
  '---\ntype: steward-action\ntimestamp: 2026-11-20T10:00:00Z\ntarget_path: task/pay-notary-deposit.md\n---\n';
const ENTRY = `.steward/journal/${NAME}.json`;
const FORMER = `.steward/history/${NAME}.1.md`;

type Made = Readonly<Record<string, unknown>>;

let sandbox: Sandbox;
let before: string;
let after: string;

beforeAll(async () => {
  sandbox = new Sandbox('example');
  await sandbox.steward(['tick', '--vault', 'vault']);
  before = sandbox.read(NOTE);
  after = before.replace('state: open ', 'state: done ');
});
afterAll(() => sandbox[Symbol.asyncDispose]());

// Each test finds the vault as an update leaves it: the note changed, its earlier bytes kept, nothing recorded.
beforeEach(() => {
  fs.rmSync(path.join(sandbox.vault, '.steward/journal'), { recursive: true });
  fs.rmSync(path.join(sandbox.vault, '.steward/history'), { recursive: true });
  fs.rmSync(path.join(sandbox.vault, EVENT), { force: true });
  sandbox.write(NOTE, after);
  sandbox.write(FORMER, before);
});

function edit(to: string, file = NOTE, from = before): Made {
  return { do: 'edit', path: file, before_sha256: sha256(from), after_sha256: sha256(to), text: to };
}

const create: Made = { do: 'create', path: EVENT, text: EVENT_TEXT };

/** What a version of the year after next may write. */
function entry(steps: readonly Made[], more: Made = {}): string {
  return JSON.stringify({ schemaVersion: 9, id: NAME, at: '2026-11-20T10:00:00Z', plan: { a: 1 }, steps, ...more });
}

function put(line: string, isOurs: boolean): string {
  const sealKey = path.join(sandbox.folder, '.state/vault-steward/seal-key');
  const { seal } = vaultSeal({ sealKey }, path.join(sandbox.vault, '.steward/state'), false);
  const mark = seal.of(`intent ${path.basename(ENTRY)}\n${line}`);
  const text = isOurs ? `${line}\n${mark}\n` : `${line}\n`;
  sandbox.write(ENTRY, text);
  return text;
}

function steward(...words: string[]): ReturnType<Sandbox['steward']> {
  return sandbox.steward([...words, '--vault', 'vault']);
}

/** The entries that were answered, with their bytes. */
function aside(): string[] {
  const folder = path.join(sandbox.vault, '.steward/history');
  const names = fs.readdirSync(folder).filter((name) => name.startsWith('journal-'));
  return names.map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
}

/** The settings without the list of what waits, which every command keeps. */
function settingsNow(): string | undefined {
  return sandbox.read('steward.md').split('\n---\n')[0];
}

function isWaiting(): boolean {
  return fs.existsSync(path.join(sandbox.vault, ENTRY));
}

describe('an action that a newer version left half done', () => {
  test('waits, says what each answer does, and stays byte-identical', async () => {
    const text = put(entry([edit(after), create]), true);
    const listed = await steward('inbox', '--list');
    const lines = listed.stdout.replace(/\s+/g, ' ');
    expect(lines).toContain('1 unfinished action');
    expect(lines).toContain(`Complete: writes the event note ${EVENT}.`);
    expect(lines).toContain(`Roll back: gives ${NOTE} its earlier bytes back.`);
    const { stdout } = await steward('status', '--json');
    const { waiting, trouble } = JSON.parse(stdout);
    expect(waiting.find(({ kind }: { kind: string }) => kind === 'unfinished')).toMatchObject({
      kind: 'unfinished',
      event: NAME,
      target: NOTE,
      answers: ['confirm', 'dismiss'],
    });
    expect(trouble.map(({ code }: { code: string }) => code)).toContain('journal-newer');
    expect(`${stdout}${listed.stdout}`).not.toMatch(/delete/i);
    await steward('tick');
    expect(sandbox.read(ENTRY)).toBe(text);
    expect([sandbox.read(NOTE), fs.existsSync(path.join(sandbox.vault, EVENT))]).toEqual([after, false]);
  });

  test('is completed: the event note is written, and the entry kept aside', async () => {
    const text = put(entry([edit(after), create, { do: 'weave', path: NOTE }]), true);
    const tried = await steward('confirm', NAME, '--dry-run');
    expect(tried.stdout).toContain("leaves out: 1 of its steps can't be read");
    expect(isWaiting()).toBe(true);
    expect((await steward('confirm', NAME)).exit).toBe(0);
    expect([sandbox.read(NOTE), sandbox.read(EVENT)]).toEqual([after, EVENT_TEXT]);
    expect([isWaiting(), aside()]).toEqual([false, [text]]);
  });

  test('is rolled back: the note has its earlier bytes again, and no event note claims a change', async () => {
    const text = put(entry([edit(after), create]), true);
    sandbox.write(EVENT, EVENT_TEXT);
    expect((await steward('dismiss', NAME)).exit).toBe(0);
    expect([sandbox.read(NOTE), fs.existsSync(path.join(sandbox.vault, EVENT))]).toEqual([before, false]);
    expect([isWaiting(), aside()]).toEqual([false, [text]]);
  });

  test('that was not begun is completed with its edit', async () => {
    put(entry([edit(after), create]), true);
    sandbox.write(NOTE, before);
    expect((await steward('confirm', NAME)).exit).toBe(0);
    expect([sandbox.read(NOTE), sandbox.read(EVENT)]).toEqual([after, EVENT_TEXT]);
  });

  test('whose note is gone in the middle of the swap is rolled back from the history', async () => {
    put(entry([edit(after), create]), true);
    fs.rmSync(path.join(sandbox.vault, NOTE));
    expect((await steward('dismiss', NAME)).exit).toBe(0);
    expect(sandbox.read(NOTE)).toBe(before);
  });

  test('whose note a person has changed since is neither completed nor rolled back, and then kept aside', async () => {
    const text = put(entry([edit(after), create]), true);
    sandbox.write(NOTE, `${after}typed since\n`);
    const refused = await steward('confirm', NAME);
    expect([refused.exit, refused.stdout]).toEqual([1, expect.stringContaining(`${NOTE} has changed since`)]);
    expect(isWaiting()).toBe(true);
    expect((await steward('dismiss', NAME)).exit).toBe(0);
    expect([sandbox.read(NOTE), isWaiting(), aside()]).toEqual([`${after}typed since\n`, false, [text]]);
  });
});

describe('an entry that anybody may have planted', () => {
  const plants: readonly (readonly [string, () => Made[]])[] = [
    ['a protected field', () => [edit(before.replace('type: task', 'type: matter')), create]],
    ['a field of the person', () => [edit(before.replace('type: task', 'type: task\niban: EX00')), create]],
    ['the text of a note', () => [edit(`${before}Pay at once.\n`), create]],
    ['a note outside the vault', () => [edit(after, '../outside.md'), create]],
    ['the settings', () => [edit('---\nmode: live\n---\n', 'steward.md', sandbox.read('steward.md')), create]],
    ['what the program remembers', () => [{ do: 'create', path: '.steward/state/kept.md', text: '[]' }, create]],
    ['a new note', () => [{ do: 'create', path: 'task/planted.md', text: '---\ntype: task\n---\n' }, create]],
  ];
  test.each(plants)('%s: no answer carries it out', async (_, steps) => {
    sandbox.write(NOTE, before);
    const notes = () =>
      fs.readdirSync(sandbox.vault, { recursive: true, encoding: 'utf8' }).filter((name) => /^[^.].*\.md$/.test(name));
    const files = notes();
    const settings = settingsNow();
    put(entry(steps(), { schemaVersion: 2 }), false);
    const refused = await steward('confirm', NAME);
    expect([refused.exit, isWaiting()]).toEqual([1, true]);
    expect((await steward('dismiss', NAME)).exit).toBe(0);
    expect([sandbox.read(NOTE), settingsNow(), isWaiting()]).toEqual([before, settings, false]);
    expect(notes()).toEqual(files);
  });

  test('planted earlier bytes change no more than a recipe may', async () => {
    const evil = `${before}Pay to EX00.\n`;
    sandbox.write(FORMER, evil);
    put(entry([edit(after, NOTE, evil), create], { schemaVersion: 2 }), false);
    expect((await steward('dismiss', NAME)).exit).toBe(1);
    expect(sandbox.read(NOTE)).toBe(after);
  });

  test('what is no JSON changes nothing, and is kept aside', async () => {
    const text = put('{"schemaVersion":2,"steps":[', true);
    const { stdout } = await steward('inbox', '--list');
    expect(stdout).toContain('the entry is damaged');
    expect((await steward('dismiss', NAME)).exit).toBe(0);
    expect([sandbox.read(NOTE), isWaiting(), aside()]).toEqual([after, false, [text]]);
  });
});
