import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { SOURCES, SourceError } from '../../src/sources/source.ts';
import { allow, grantsFile } from '../../src/sources/source-note.ts';
import { Clock } from '../support/clock.ts';
import { HOUSE, PAID_MAIL, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { askedSources, grantFor, sourceNote } from './asked-sources.ts';
import { arrival, ScriptedSource } from './scripted-source.ts';

const FIELDS = { kind: 'imap', host: 'imap.example', user: 'anna@mail.example' };
const NOTE = sourceNote(FIELDS);
const GRANT = grantFor(FIELDS);
const never = new AbortController().signal;
/** Longer than it takes the daemon to look at its sources again. */
const SLEEP = 5 * 60_000;

/** A vault with one source, and the work on its sources. */
async function world({ allowed = true, note = NOTE } = {}) {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'source/inbox.md': note });
  let password = 'right';
  const folder = path.join(vault.home, 'grants');
  const env = { ...LIVE, sourceGrants: folder, sourcePassword: () => password };
  const clock = new Clock();
  const bench = await Bench.open(vault, { env, clock });
  if (allowed) allow(grantsFile(vault.root, folder), 'inbox', GRANT);
  const source = new ScriptedSource();
  const asked = askedSources(bench, async () => source.connector);
  return {
    ...{ vault, bench, source, folder, clock },
    ...asked,
    setPassword: (text: string) => {
      password = text;
    },
    known: () => bench.remembered(SOURCES).inbox,
    standing: () => bench.status().sourceNotes[0],
  };
}

/** What lies on disk of the sources. */
function remembered(vault: TempVault): string {
  const files = vault.names('.steward/state').filter((name) => name.startsWith('sources-'));
  return files.map((name) => vault.read(`.steward/state/${name}`)).join('');
}

test('what a source brings becomes a file, a signal and a place to go on from', async () => {
  const { vault, bench, source, follow, known, drained } = await world();
  source.box.push(arrival('abc', PAID_MAIL));
  const visited = source.next();
  await follow();
  await visited;
  await drained();
  const file = 'stream/inbox/2026-11-20-abc000000000.eml';
  expect(vault.has(file)).toBe(true);
  expect(vault.names('signal')).toHaveLength(1);
  expect(known()).toMatchObject({ cursor: 1, seen: 1, taken: 1, failing: null });
  expect(remembered(vault)).toContain('"cursor":1');
  expect(bench.status().sourceNotes).toMatchObject([{ name: 'inbox', kind: 'imap', state: 'working', trouble: [] }]);
});

test('a note that nobody allowed, or that leads elsewhere, is asked nothing', async () => {
  const { source, follow, standing, vault, folder, work } = await world({ allowed: false });
  await follow();
  await expect(work.test('inbox', null, never)).rejects.toMatchObject({ trouble: { code: 'source-not-allowed' } });
  expect(standing()).toMatchObject({ state: 'not-allowed', trouble: [{ code: 'source-not-allowed' }] });
  allow(grantsFile(vault.root, folder), 'inbox', GRANT);
  vault.write('source/inbox.md', NOTE.replace('imap.example', 'imap.evil.example'));
  await follow();
  expect(source.opened).toBe(0);
  expect(standing()?.trouble[0]?.message).toMatch(/has another address/);
});

test('a note that is changed to lead elsewhere ends the connection', async () => {
  const { source, follow, vault } = await world();
  const visited = source.next();
  await follow();
  await visited;
  vault.write('source/inbox.md', NOTE.replace('imap.example', 'imap.evil.example'));
  await follow();
  await expect.poll(() => source.closed).toBe(1);
  expect(source.opened).toBe(1);
});

test('a paused source, and one whose note is gone, is asked no more', async () => {
  const { source, follow, vault, standing } = await world();
  const visited = source.next();
  await follow();
  await visited;
  vault.write('source/inbox.md', NOTE.replace('kind:', 'paused: true\nkind:'));
  await follow();
  await expect.poll(() => source.closed).toBe(1);
  expect(standing()).toMatchObject({ state: 'paused', trouble: [] });
  vault.write('source/inbox.md', NOTE);
  await follow();
  await expect.poll(() => source.visited).toBe(2);
  vault.remove('source/inbox.md');
  await follow();
  await expect.poll(() => source.closed).toBe(2);
});

test('a refused password is tried once, also after a restart, until it is another one', async () => {
  const { source, follow, known, standing, setPassword, work, vault } = await world();
  source.refuses = new SourceError({ kind: 'refused', message: 'The password is wrong.', hint: 'Set another.' });
  const tried = source.next();
  await follow();
  await tried;
  await expect.poll(() => known()?.refused).toMatch(/^[0-9a-f]{32}$/);
  await follow();
  expect(remembered(vault)).toContain(known()?.refused);
  expect(remembered(vault)).not.toContain('right');
  expect(standing()).toMatchObject({ state: 'refused', trouble: [{ code: 'source-failing' }] });
  vault.write('source/inbox.md', NOTE.replace('kind:', 'every: 1m\nkind:'));
  await follow(); // a new loop
  await vi.waitFor(() => expect(known()?.refused).not.toBeNull());
  expect(source.opened).toBe(1);
  await expect(work.test('inbox', null, never)).rejects.toMatchObject({ trouble: { code: 'source-refused' } });
  expect(known()?.refused).not.toBeNull(); // a try of the person's that fails gives nobody another
  source.refuses = null;
  setPassword('another');
  vault.write('source/inbox.md', NOTE.replace('kind:', 'every: 2m\nkind:'));
  const visited = source.next();
  await follow();
  await visited;
  await expect.poll(() => standing()?.state).toBe('working');
  expect((await work.test('inbox', null, never)).lines).toEqual(['a scripted source']);
});

test('whatever is lost is opened again, and goes on from where it was', async () => {
  const { source, follow, known, work } = await world();
  const visited = source.next();
  await follow();
  await visited;
  const failed = new SourceError({ kind: 'away', message: 'The connection ended.', hint: 'It is tried again.' });
  source.lose(failed);
  await expect.poll(() => known()?.failing?.tries).toBe(1);
  source.box.push(arrival('abc', PAID_MAIL));
  await work.test('inbox', null, never);
  await expect.poll(() => known()).toMatchObject({ cursor: 1, failing: null });
});

test('a source that lets in and drops at once is tried later each time, also where each visit goes well', async () => {
  const { source, follow, known, clock } = await world();
  const failed = new SourceError({ kind: 'away', message: 'The connection ended.', hint: 'It is tried again.' });
  const visited = source.next();
  await follow();
  await visited;
  for (const tries of [1, 2, 3]) {
    source.lose(failed);
    await expect.poll(() => known()?.failing?.tries).toBe(tries);
    clock.move(SLEEP); // so that it is tried again at once
    await follow();
    await expect.poll(() => known()?.failing).toBeNull();
  }
});

test('a connection that is lost leaves no timer behind', async () => {
  const { source, follow, known, clock } = await world();
  const failed = new SourceError({ kind: 'away', message: 'The connection ended.', hint: 'It is tried again.' });
  const visited = source.next();
  await follow();
  await visited;
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  for (let nth = 0; nth < 20; nth += 1) {
    source.lose(failed);
    await expect.poll(() => known()?.failing).not.toBeNull();
    clock.move(SLEEP);
    await follow();
    await expect.poll(() => known()?.failing).toBeNull();
  }
  expect(timers()).toBeLessThan(before + 10);
});

test('a password that a person tries in vain is not tried once more by the daemon', async () => {
  const { source, follow, known, work, vault } = await world();
  source.refuses = new SourceError({ kind: 'refused', message: 'The password is wrong.', hint: 'Set another.' });
  await follow();
  await expect.poll(() => known()?.refused).toMatch(/^[0-9a-f]{32}$/);
  await expect(work.test('inbox', null, never)).rejects.toThrow('The password is wrong.');
  expect(source.opened).toBe(2);
  vault.write('source/inbox.md', NOTE.replace('kind:', 'every: 1m\nkind:'));
  await follow(); // as after a restart
  await work.close();
  expect(known()?.refused).not.toBeNull();
  expect(source.opened).toBe(2);
});

test('a source is asked by one at a time, also where its note is changed in the midst of a visit', async () => {
  const { source, follow, vault } = await world();
  const gate = Promise.withResolvers<void>();
  source.visit = async (inlet) => {
    await gate.promise;
    await inlet.put([arrival('abc', PAID_MAIL)], 1);
    return [];
  };
  await follow();
  await expect.poll(() => source.opened).toBe(1);
  vault.write('source/inbox.md', NOTE.replace('kind:', 'keep: text\nkind:'));
  await follow();
  const visited = source.next();
  gate.resolve();
  await visited;
  await expect.poll(() => source.opened).toBe(2);
  expect(source.closed).toBe(1);
  await expect.poll(() => source.visited).toBe(2);
  expect(vault.names('stream/inbox')).toHaveLength(1);
});

test('after the machine has slept, each source is looked at at once', async () => {
  const { source, follow, clock } = await world();
  const visited = source.next();
  await follow();
  await visited;
  clock.move(SLEEP);
  const again = source.next();
  await follow();
  await again;
  expect(source.opened).toBe(1);
});

test('a source that fails just when the vault goes away does not end the daemon', async () => {
  const { source, follow, vault, known } = await world();
  const gate = Promise.withResolvers<void>();
  const visiting = Promise.withResolvers<void>();
  source.visit = async () => {
    visiting.resolve();
    await gate.promise;
    throw new Error('the vault has just gone');
  };
  await follow();
  await visiting.promise;
  fs.renameSync(vault.root, `${vault.root}-elsewhere`); // nobody has noticed yet
  gate.resolve();
  await expect.poll(() => known()?.failing).not.toBeNull();
  fs.renameSync(`${vault.root}-elsewhere`, vault.root);
  source.visit = async () => [];
  await follow();
  await expect.poll(() => source.closed).toBe(1);
});

test('where the files cannot be written, the cursor stands where it was', async () => {
  const { source, follow, known, vault, work } = await world();
  source.box.push(arrival('abc', PAID_MAIL));
  vault.write('stream/inbox', 'a file in the place of the folder');
  const visited = source.next();
  await follow();
  await visited;
  await expect.poll(() => known()).toMatchObject({ cursor: null, seen: 0, failing: { kind: 'setup' } });
  fs.rmSync(vault.at('stream/inbox'));
  await work.test('inbox', null, never);
  await expect.poll(() => known()).toMatchObject({ cursor: 1, seen: 1, failing: null });
});

test('what was brought twice lies in the vault once', async () => {
  const { source, follow, known, vault } = await world();
  source.visit = async (inlet) => {
    await inlet.put([arrival('abc', PAID_MAIL), arrival('abc', PAID_MAIL)], 1);
    await inlet.put([arrival('abc', PAID_MAIL)], 2);
    return [];
  };
  const visited = source.next();
  await follow();
  await visited;
  expect(vault.names('stream/inbox')).toHaveLength(1);
  expect(known()).toMatchObject({ cursor: 2 });
});

test('a source that is tested rests meanwhile, and goes on whatever comes of it', async () => {
  const { source, follow, work, vault } = await world();
  const visited = source.next();
  await follow();
  await visited;
  const open: number[] = [];
  source.describe = async () => {
    open.push(source.opened - source.closed);
    vault.write('source/inbox.md', NOTE.replace('kind:', 'every: 1m\nkind:'));
    await follow(); // an edit meanwhile
    open.push(source.opened - source.closed);
    throw new SourceError({ kind: 'away', message: 'It does not answer.', hint: 'Later.' });
  };
  await expect(work.test('inbox', null, never)).rejects.toThrow('does not answer');
  expect(open).toEqual([1, 1]);
  await expect.poll(() => source.visited).toBe(2);
  expect(source.opened - source.closed).toBe(1);
});

test('what a test allows is followed, also where nothing answers just then', async () => {
  const { source, follow, work, standing } = await world({ allowed: false });
  await follow();
  source.describe = () =>
    Promise.reject(new SourceError({ kind: 'away', message: 'It does not answer.', hint: 'Later.' }));
  await expect(work.test('inbox', GRANT, never)).rejects.toThrow('does not answer');
  await expect.poll(() => source.visited).toBe(1);
  await expect.poll(() => standing()?.state).toBe('working');
});

test('a password that a test was refused with is not tried again by the loop', async () => {
  const { source, follow, work, known, vault } = await world();
  source.refuses = new SourceError({ kind: 'refused', message: 'The password is wrong.', hint: 'Set another.' });
  const tried = source.next();
  await follow();
  await tried;
  await expect.poll(() => known()?.refused).not.toBeNull();
  await expect(work.test('inbox', null, never)).rejects.toThrow('wrong');
  expect(source.opened).toBe(2);
  vault.write('source/inbox.md', NOTE.replace('kind:', 'every: 1m\nkind:'));
  await follow(); // a new loop
  await work.close();
  expect(source.opened).toBe(2);
  expect(remembered(vault)).toContain(known()?.refused);
});

test('a source that is begun anew waits until its former connection is closed', async () => {
  const { source, follow, vault } = await world();
  const visited = source.next();
  await follow();
  await visited;
  const closing = Promise.withResolvers<void>();
  source.close = () => closing.promise;
  vault.write('source/inbox.md', NOTE.replace('kind:', 'every: 1m\nkind:'));
  await follow();
  expect(source.opened).toBe(1);
  closing.resolve();
  await expect.poll(() => source.opened).toBe(2);
});
