import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { type AddOptions, makeDraft, testedWith } from '../../../src/cli/commands/source.ts';
import { addedWith } from '../../../src/cli/commands/source-add.ts';
import { type Grant, type Source, SourceError } from '../../../src/sources/source.ts';
import { Person, shell } from './source-script.ts';

/** What the server answers, and which passwords came to it. */
const server = { lines: ['3 mails in INBOX'], signer: null as string | null, password: 'right', heard: [] as string[] };

vi.mock('../../../src/sources/source-work.ts', async (original) => ({
  ...(await original<typeof import('../../../src/sources/source-work.ts')>()),
  loadSource: async (
    note: { name: string },
    given: Grant,
    env: { sourcePassword?: (name: string) => string | null },
  ): Promise<Source> => ({
    open: async () => {
      const password = env.sourcePassword?.(note.name) ?? given.passwordCommand?.at(-1) ?? '';
      server.heard.push(password);
      if (password !== server.password)
        throw new SourceError({ kind: 'refused', message: 'It refuses the password', hint: 'Check it.' });
      return {
        poll: async () => [],
        waitForNews: () => new Promise(() => {}),
        describe: async () => server.lines,
        signer: async () => server.signer,
        close: async () => {},
      };
    },
  }),
}));

beforeEach(() => {
  Object.assign(server, { signer: null, password: 'right', heard: [] });
});

const MAILBOX: AddOptions = { kind: 'imap', user: 'anna@home.example', host: 'imap.home.example' };
const grantsOf = (home: string) => {
  const folder = path.join(home, 'vault-steward', 'sources');
  const [file] = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return file === undefined ? {} : JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
};

test('a person who knows only their address connects a mailbox, and the password is kept nowhere', async () => {
  const { vault, context, text, options } = shell();
  server.signer = 'mx.home.example';
  const person = new Person('imap', 'anna@home.example', '', 'INBOX, Bills', 'text', '', 'own', 'right', true);
  expect(await addedWith(person, makeDraft(undefined, [], options), options, context)).toBe(0);
  expect(vault.fields('source/inbox.md')).toMatchObject({
    kind: 'imap',
    host: 'imap.home.example',
    user: 'anna@home.example',
    folders: ['INBOX', 'Bills'],
    keep: 'text',
    mail_server: 'mx.home.example',
  });
  expect(grantsOf(vault.home)).toMatchObject({
    inbox: { pinned: { mail_server: 'mx.home.example' }, passwordCommand: null },
  });
  expect(text()).toContain('LoadCredentialEncrypted=source_inbox:%h/.config/steward/source_inbox.cred');
  const everything = fs
    .readdirSync(vault.home, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(vault.home, name));
  for (const file of everything.filter((one) => fs.statSync(one).isFile()))
    expect(fs.readFileSync(file, 'latin1')).not.toContain('right');
});

test.each([
  ['gmail.com', 'imap.gmail.com', 'app password'],
  ['outlook.com', 'outlook.office365.com', 'OAuth2'],
  ['posteo.de', 'posteo.de', 'Posteo'],
])('an address at %s leads to %s, and what it wants is said', async (domain, host, says) => {
  const { vault, context, text, options } = shell();
  const said = { ...options, kind: 'imap', user: `anna@${domain}`, test: false };
  expect(await addedWith(null, makeDraft('inbox', [], said), said, context)).toBe(0);
  expect(vault.fields('source/inbox.md').host).toBe(host);
  expect(text()).toContain(says);
});

test('a test that fails changes nothing, unless a person says so', async () => {
  const { vault, context, text, options } = shell();
  const said = { ...options, ...MAILBOX, passwordCommand: ['secret', 'wrong'] };
  expect(await addedWith(null, makeDraft('inbox', [], said), said, context)).toBe(1);
  expect(await addedWith(new Person('INBOX', 'mail', false), makeDraft('inbox', [], said), said, context)).toBe(1);
  expect(text()).toContain('inbox cannot be connected. It refuses the password.');
  expect([vault.has('source/inbox.md'), grantsOf(vault.home)]).toEqual([false, {}]);
  expect(await addedWith(new Person('INBOX', 'mail', true), makeDraft('inbox', [], said), said, context)).toBe(0);
  expect(vault.has('source/inbox.md')).toBe(true);
});

test('who mistypes the password, or names a command that fails, is asked for another and answers nothing else again', async () => {
  const { vault, context, text, options } = shell();
  const answers = ['imap', 'anna', 'mail.home.example:1993', 'INBOX', 'mail', ''];
  const person = new Person(...answers, 'own', 'wrnog', true, 'command', 'print wrong', true, 'own', 'right');
  expect(await addedWith(person, makeDraft(undefined, [], options), options, context)).toBe(0);
  expect(server.heard).toEqual(['wrnog', 'wrong', 'right']);
  expect(vault.fields('source/inbox.md')).toMatchObject({ host: 'mail.home.example', port: 1993, user: 'anna' });
  // Nothing is promised of a source that is not there.
  expect(text()).toContain('Check the user and the password.');
});

test.each([
  ['mail.home.example:143', { host: 'mail.home.example', port: 143, security: 'starttls' }],
  ['[::1]', { host: '[::1]' }],
])('a server is named with its port: %s', async (answer, fields) => {
  const { vault, context, options } = shell();
  const person = new Person('imap', 'anna', answer, 'INBOX', 'mail', '', 'own', 'right');
  expect(await addedWith(person, makeDraft(undefined, [], options), options, context)).toBe(0);
  expect(vault.fields('source/inbox.md')).toMatchObject(fields);
});

test.each(['mail.home.example:99999', 'mail.home.example:imap', 'mail home'])('%s is no server', async (answer) => {
  const { context, options } = shell();
  const adding = addedWith(new Person('imap', 'anna', answer), makeDraft(undefined, [], options), options, context);
  await expect(adding).rejects.toThrow(/It must be (?:the name or address of a server|a number from 1 to 65535)/);
});

test('a webhook wants a token, and is said to listen', async () => {
  const { context, text, options } = shell();
  const person = new Person('webhook', '8377', '', 'own', 'right');
  expect(await addedWith(person, makeDraft(undefined, [], options), options, context)).toBe(0);
  expect(person.asked.join(' ')).not.toContain('password');
  expect(text()).toContain('it listens; `steward status`');
});

test('breaking it off at any question changes nothing', async () => {
  const answers = ['imap', 'anna@home.example', '', 'INBOX', 'mail', '', 'own', 'right', true];
  server.signer = 'mx.home.example';
  for (const nth of answers.keys()) {
    const { vault, context, options } = shell();
    const person = new Person(...answers.slice(0, nth), null);
    expect(await addedWith(person, makeDraft(undefined, [], options), options, context)).toBe(1);
    expect([person.asked.length, vault.has('source/inbox.md'), grantsOf(vault.home)]).toEqual([nth + 1, false, {}]);
  }
});

test('whose word is believed about senders is for a person to say, never for a script', async () => {
  const { vault, context, text, options } = shell();
  server.signer = 'mx.forged.example';
  const said = { ...options, ...MAILBOX, yes: true, passwordCommand: ['print', 'right'] };
  expect(await addedWith(null, makeDraft('inbox', [], said), said, context)).toBe(0);
  expect(vault.fields('source/inbox.md').mail_server).toBeUndefined();
  expect(text()).toContain('--mail-server mx.forged.example');
});

test('the provider of a known host is suggested, whoever signs the newest mails', async () => {
  const { vault, context, text, options } = shell();
  server.signer = 'mx.forged.example';
  const person = new Person('imap', 'anna@gmail.com', 'password', 'INBOX', 'mail', '', 'own', 'right', true);
  expect(await addedWith(person, makeDraft(undefined, [], options), options, context)).toBe(0);
  expect(person.asked.at(-1)).toBe('Trust Gmail about the senders of this mailbox?');
  expect(vault.fields('source/inbox.md').mail_server).toBe('gmail');
  const said = { ...options, kind: 'imap', user: 'sam@icloud.com', test: false };
  expect(await addedWith(null, makeDraft('second', [], said), said, context)).toBe(0);
  expect(vault.fields('source/second.md').mail_server).toBeUndefined();
  expect(text()).toContain('iCloud authenticates senders. To trust it, say --mail-server icloud');
});

test('a note that is there is never replaced', async () => {
  const { vault, context, options } = shell({ 'source/inbox.md': 'mine\n' });
  const said = { ...options, ...MAILBOX, test: false };
  await expect(addedWith(null, makeDraft('inbox', [], said), said, context)).rejects.toThrow(
    'There is a source inbox already',
  );
  expect(vault.read('source/inbox.md')).toBe('mine\n');
});

test.each([
  [{}, [], 'The kind of the source is missing.'],
  [{ kind: 'pop3' }, [], 'There is no kind of source named "pop3".'],
  [{ kind: 'imap' }, [], 'needs its user'],
  [{ kind: 'imap', user: 'anna' }, [], 'needs its host'],
  [{ kind: 'ics', url: 'http://calendar.example/x.ics' }, [], 'must be an https address'],
  [{ kind: 'ics', url: 'https://anna:secret@calendar.example/x.ics' }, [], 'without a name or password'],
  [{ kind: 'webhook', host: 'x' }, [], 'has no host'],
  [{ kind: 'command' }, [], 'The program is missing.'],
  [{ kind: 'imap' }, ['echo'], 'Only a source of the kind command'],
  [{ ...MAILBOX, security: 'none' }, [], 'may be "none" only for a server on this machine'],
] as const)('%j %j is refused in plain words', async (said, program, why) => {
  const { context, options } = shell();
  const all = { ...options, ...said, test: false };
  await expect((async () => addedWith(null, makeDraft('one', program, all), all, context))()).rejects.toThrow(why);
});

test('a name that leads elsewhere is refused', async () => {
  const { context, options } = shell();
  const all = { ...options, ...MAILBOX, test: false };
  for (const name of ['../x', 'A', 'plane', 'a/b', '.x'])
    await expect(addedWith(null, makeDraft(name, [], all), all, context)).rejects.toThrow('The name');
});

test('a note that leads elsewhere is shown beside what was allowed, and no password leaves before a person agrees', async () => {
  const { vault, context, text, options } = shell();
  const said = { ...options, ...MAILBOX, passwordCommand: ['print', 'right'] };
  expect(await addedWith(null, makeDraft('inbox', [], said), said, context)).toBe(0);
  server.heard.length = 0;
  vault.edit('source/inbox.md', 'imap.home.example', 'imap.thief.example');
  await expect(testedWith(null, 'inbox', [], options, context)).rejects.toThrow(
    'You have not allowed inbox to connect there',
  );
  expect(await testedWith(new Person(false), 'inbox', [], options, context)).toBe(1);
  expect(server.heard).toEqual([]);
  expect(text()).toContain('server: imap.home.example → imap.thief.example');
  expect(grantsOf(vault.home).inbox.pinned.host).toBe('imap.home.example');
  vault.edit('source/inbox.md', 'imap.thief.example', 'imap.new.example');
  expect(await testedWith(new Person(true), 'inbox', [], options, context)).toBe(0);
  expect([server.heard, grantsOf(vault.home).inbox.pinned.host]).toEqual([['right'], 'imap.new.example']);
});

test('another command for the password is kept by a test, and the note stays as it is', async () => {
  const { vault, context, options } = shell();
  const said = { ...options, ...MAILBOX, test: false };
  await addedWith(null, makeDraft('inbox', [], said), said, context);
  const before = vault.read('source/inbox.md');
  const named = { ...options, passwordCommand: ['print right'] };
  expect(await testedWith(null, 'inbox', [], named, context)).toBe(0);
  expect(grantsOf(vault.home).inbox.passwordCommand).toEqual(['print', 'right']);
  expect(vault.read('source/inbox.md')).toBe(before);
});

test('another server on this machine is not taken for the bridge of a provider', async () => {
  const { vault, context, text, options } = shell();
  const other: AddOptions = { ...MAILBOX, host: '127.0.0.1', port: 993, test: false };
  await addedWith(null, makeDraft('inbox', [], other), { ...options, ...other }, context);
  expect(vault.fields('source/inbox.md')).not.toHaveProperty('security');
  expect(text()).not.toContain('Bridge');
});

test('a password command that would never run is refused, in adding and in testing', async () => {
  const { vault, context, options } = shell();
  const feed: AddOptions = { kind: 'ics', url: 'https://school.example/terms.ics' };
  const withCommand = { ...options, ...feed, passwordCommand: ['pass school'] };
  const refused = { trouble: { code: 'usage', message: expect.stringContaining('without a password') } };
  await expect(addedWith(null, makeDraft('school', [], withCommand), withCommand, context)).rejects.toMatchObject(
    refused,
  );
  expect(vault.has('source/school.md')).toBe(false);
  await addedWith(null, makeDraft('school', [], { ...options, ...feed }), { ...options, test: false }, context);
  await expect(
    testedWith(null, 'school', [], { ...options, yes: true, passwordCommand: ['pass school'] }, context),
  ).rejects.toMatchObject(refused);
});
