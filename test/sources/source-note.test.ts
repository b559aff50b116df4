import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceSettings } from '../../src/sources/source.ts';
import { addSource, listedSources, pauseSource } from '../../src/sources/source-note.ts';
import { trySource } from '../../src/sources/source-work.ts';
import { lawRuns } from '../support/laws.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { grantFor } from './asked-sources.ts';
import { ScriptedSource } from './scripted-source.ts';

const FIELDS = { kind: 'imap', host: 'imap.home.example', user: 'anna@home.example' };
const GRANT = grantFor(FIELDS);

async function world(notes: Readonly<Record<string, string>> = {}, password: string | null = 'secret-word') {
  const vault = new TempVault(notes);
  const env = { ...LIVE, sourceGrants: path.join(vault.home, 'grants'), sourcePassword: () => password };
  return { vault, space: (await Bench.open(vault, { env })).ports };
}

const abort = () => new AbortController().signal;

test('a note that was added reads as what was said, and is allowed', async () => {
  const { vault, space } = await world();
  expect(addSource(space, { name: 'inbox', fields: FIELDS, allow: GRANT })).toEqual({ file: 'source/inbox.md' });
  const [source] = listedSources(space);
  expect(source).toMatchObject({ name: 'inbox', state: 'new', password: 'set', leads: GRANT.pinned, trouble: [] });
  expect(JSON.stringify(source)).not.toContain('secret-word');
  expect(vault.read('source/inbox.md')).toContain('steward source pause inbox');
  expect(() => addSource(space, { name: 'inbox', fields: FIELDS, allow: GRANT })).toThrow(
    'There is a source inbox already',
  );
});

test('whatever a person says of a mailbox, the note says the same', async () => {
  const { vault, space } = await world();
  let nth = 0;
  const words = fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }).filter((text) => text.trim() === text);
  fc.assert(
    fc.property(words, fc.array(words, { minLength: 1, maxLength: 3 }), (user, folders) => {
      nth += 1;
      const name = `box-${nth}`;
      const fields = { ...FIELDS, user, folders };
      if (!sourceSettings.safeParse(fields).success) return;
      addSource(space, { name, fields, allow: GRANT });
      expect(vault.fields(`source/${name}.md`)).toMatchObject({ user, folders });
    }),
    { numRuns: lawRuns(50) },
  );
});

test.each([
  [
    '---\nkind: ics\nurl: https://x.example/a.ics\n---\nBody\n',
    '---\nkind: ics\nurl: https://x.example/a.ics\npaused: true\n---\nBody\n',
  ],
  [
    '---\r\nkind: webhook # mine\r\npaused: false   # not yet\r\n---\r\n\r\nText',
    '---\r\nkind: webhook # mine\r\npaused: true   # not yet\r\n---\r\n\r\nText',
  ],
])('pausing changes one field and no other byte, and taking it back as well', async (before, after) => {
  const { vault, space } = await world({ 'source/one.md': before });
  expect(pauseSource(space, { name: 'one', paused: true })).toEqual({ changed: true });
  expect(vault.read('source/one.md')).toBe(after);
  expect(pauseSource(space, { name: 'one', paused: true })).toEqual({ changed: false });
  expect(pauseSource(space, { name: 'one', paused: false })).toEqual({ changed: true });
  expect(vault.read('source/one.md')).toBe(after.replace('paused: true', 'paused: false'));
});

test('what cannot be read is not paused, and says why; what is not there is not made', async () => {
  const { vault, space } = await world({ 'source/bad.md': '---\nkind: imap\n---\n' });
  expect(() => pauseSource(space, { name: 'bad', paused: true })).toThrow('host');
  expect(() => pauseSource(space, { name: 'none', paused: true })).toThrow('There is no source "none"');
  expect(vault.names('source')).toEqual(['bad.md']);
});

test('a source is tried without a note, and nothing is written', async () => {
  const { vault, space } = await world();
  const source = new ScriptedSource();
  const connect = async () => source.connector;
  const tried = await trySource(space, connect, { name: 'inbox', fields: FIELDS, allow: GRANT }, abort());
  expect(tried).toEqual({
    described: { lines: ['a scripted source'], mailServer: null, senders: null },
    failed: null,
    hasPassword: true,
  });
  expect([source.opened, source.closed, vault.has('source/inbox.md')]).toEqual([1, 1, false]);
  expect(fs.existsSync(path.join(vault.home, 'grants'))).toBe(false);
});

test('nobody is spoken to without a password, or where it leads elsewhere than was allowed', async () => {
  const source = new ScriptedSource();
  const connect = async () => source.connector;
  const without = await world({}, null);
  const order = { name: 'inbox', fields: FIELDS, allow: GRANT };
  expect(await trySource(without.space, connect, order, abort())).toMatchObject({
    hasPassword: false,
    failed: { kind: 'setup' },
  });
  const { space } = await world();
  const elsewhere = { ...order, fields: { ...FIELDS, host: 'imap.thief.example' } };
  expect(await trySource(space, connect, elsewhere, abort())).toMatchObject({ failed: { kind: 'not-allowed' } });
  expect(source.opened).toBe(0);
});

test.each([
  ['https://x.example/a.ics', undefined, 'not-needed'],
  ['https://x.example/a.ics', 'anna', 'none'],
  ['https://x.example/private-{secret}/a.ics', undefined, 'none'],
])('whether a calendar at %s (user %s) needs a password: %s', async (url, user, password) => {
  const fields = { kind: 'ics', url, ...(user === undefined ? {} : { user }) };
  const { space } = await world({}, null);
  const allow = grantFor(fields);
  addSource(space, { name: 'feed', fields, allow });
  expect(listedSources(space)).toMatchObject([{ password }]);
});
