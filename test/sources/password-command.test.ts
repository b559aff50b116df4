import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Grant } from '../../src/sources/source.ts';
import { SOURCES } from '../../src/sources/source.ts';
import { allow, grantsFile } from '../../src/sources/source-note.ts';
import { loadSource, type SourceTrial, trySource } from '../../src/sources/source-work.ts';
import { HOUSE, PAID_MAIL, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';
import { askedSources, grantFor, sourceNote } from './asked-sources.ts';
import { DavFake } from './dav-fake.ts';
import { calendar, entry } from './entries.ts';
import { ScriptedServer, USER } from './scripted-server.ts';
import { arrival, ScriptedSource } from './scripted-source.ts';
import { WebFake } from './web-fake.ts';

const SECRET = 'plainly-made-up-0123456789abcdef';
/** How long a command may take that hangs, in ms. */
const SHORT_MS = 200;
const never = new AbortController().signal;

type Fields = Readonly<Record<string, string | number>>;

/** A server of each kind of source that lets in whoever has the secret, and the fields of a note that leads to it. */
const KINDS: Readonly<Record<string, () => Promise<Fields>>> = {
  imap: async () => {
    const server = await ScriptedServer.start();
    server.password = SECRET;
    return { kind: 'imap', host: 'localhost', port: server.port, security: 'none', user: USER };
  },
  caldav: async () => {
    const server = await DavFake.start();
    onTestFinished(() => server.stop());
    server.password = SECRET;
    server.put(server.calendar('Home'), 'roof.ics', calendar(entry('roof')));
    return { kind: 'caldav', url: server.url, user: 'anna' };
  },
  'ics (a user)': async () => {
    const wanted = `Basic ${Buffer.from(`anna:${SECRET}`).toString('base64')}`;
    return { ...(await feed(({ headers }) => headers.authorization === wanted, 'feed.ics')), user: 'anna' };
  },
  'ics (a secret address)': async () => feed(({ path: asked }) => asked === `/${SECRET}.ics`, '{secret}.ics'),
  webhook: async () => ({ kind: 'webhook', port: 0 }),
};

async function feed(isLetIn: (asked: WebFake['asked'][number]) => boolean, file: string): Promise<Fields> {
  const server = await WebFake.start();
  onTestFinished(() => server.stop());
  server.answer = (asked) => (isLetIn(asked) ? { body: calendar(entry('roof')) } : { status: 401 });
  return { kind: 'ics', url: `"${server.url}/${file}"` };
}

/** What a command does, and how the problem reads that it makes; null: it works. */
const COMMANDS: Readonly<Record<string, { script: string | null; says: RegExp | null; hint?: RegExp }>> = {
  works: { script: `echo ${SECRET}; echo second line`, says: null },
  'is missing': { script: null, says: /was not found\.?$/, hint: /whole path/ },
  fails: {
    script: `echo ${SECRET}; echo ${SECRET} >&2; exit 3`,
    says: /failed with exit code 3/,
    hint: /Run it by hand/,
  },
  hangs: {
    script: `echo ${SECRET}; exec sleep 600`,
    says: /did not end within 0\.2 seconds/,
    hint: /unlock the keyring/,
  },
  'prints nothing': { script: 'exit 0', says: /printed nothing/, hint: /first line/ },
  'prints too much': { script: `yes ${SECRET}`, says: /printed more than 16 KiB/, hint: /only the password/ },
};

function scriptIn(vault: TempVault, script: string | null, mode = 0o755): string {
  const file = path.join(vault.home, `print-${Math.random().toString(36).slice(2)}`);
  if (script !== null) fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode });
  return file;
}

function plain(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? value.replaceAll('"', '') : value]),
  );
}

/** Tries a source of these fields once, as `steward source add` and `test` do. */
async function tried(fields: Fields, command: readonly string[], vault: TempVault, limits = {}): Promise<SourceTrial> {
  const env = { ...LIVE, variables: { PATH: process.env.PATH } };
  const { ports } = await Bench.open(vault, { env });
  // A port of its own is chosen by the system: the note of a webhook may not leave it open.
  const noted = fields.kind === 'webhook' ? { ...fields, port: 8377 } : plain(fields);
  const given: Grant = { ...grantFor(noted), passwordCommand: [...command] };
  const connect: typeof loadSource = (note, allowed, own, abort) => {
    const settings = note.settings.kind === 'webhook' ? { ...note.settings, port: 0 } : note.settings;
    return loadSource({ name: note.name, settings }, allowed, own, abort, limits);
  };
  return trySource(ports, connect, { name: 'inbox', fields: noted, allow: given }, never);
}

const cases = Object.keys(KINDS).flatMap((kind) => Object.keys(COMMANDS).map((does) => [kind, does] as const));

test.each(cases)('%s: a password command that %s', async (kind, does) => {
  const { script, says, hint } = COMMANDS[does] ?? { script: null, says: null };
  const vault = new TempVault({ ...HOUSE });
  const fields = await KINDS[kind]?.();
  const limits = does === 'hangs' ? { limitMs: SHORT_MS } : {};
  const result = await tried(fields ?? {}, [scriptIn(vault, script)], vault, limits);
  if (says === null) {
    expect(result.failed).toBeNull();
    expect(result.described?.lines.length).toBeGreaterThan(0);
  } else {
    expect(result.failed).toMatchObject({ kind: 'setup' });
    expect(result.failed?.message).toMatch(says);
    expect(result.failed?.message).toMatch(/^The command that prints the password of inbox /);
    expect(result.failed?.hint).toMatch(hint ?? /./);
    expect(JSON.stringify(result)).not.toContain(SECRET);
  }
});

test.each([
  ['is not executable', ['echo x', 0o644], /is not executable/],
  ['prints an empty first line', ['echo; echo second', 0o755], /printed an empty first line/],
  ['is ended by a signal', ['kill -SEGV $$', 0o755], /was ended by the signal SIGSEGV/],
] as const)('a password command that %s has a sentence of its own', async (_, [script, mode], says) => {
  const vault = new TempVault({ ...HOUSE });
  const fields = await KINDS.caldav?.();
  const { failed } = await tried(fields ?? {}, [scriptIn(vault, script, mode)], vault);
  expect(failed?.message).toMatch(says);
});

test.each([
  ['ends without a line end', `printf ${SECRET}`],
  ['ends its line as Windows does', `printf '${SECRET}\\r\\n'`],
  ['reads what is typed first', `cat; echo ${SECRET}`],
  ['complains as well', `echo careful >&2; echo ${SECRET}`],
  ['prints with a pause', `printf plainly-; sleep 0.1; echo ${SECRET.slice('plainly-'.length)}`],
])('a password command that %s works', async (_, script) => {
  const vault = new TempVault({ ...HOUSE });
  const fields = await KINDS.caldav?.();
  const { failed } = await tried(fields ?? {}, [scriptIn(vault, script)], vault);
  expect(failed).toBeNull();
});

test('an argument that no program can be given is a problem of the source and is not shown', async () => {
  const vault = new TempVault({ ...HOUSE });
  const fields = await KINDS.caldav?.();
  const { failed } = await tried(fields ?? {}, ['/bin/echo', `${SECRET}\0`], vault);
  expect(failed?.message).toMatch(/could not be started \(ERR_INVALID_ARG_VALUE\)/);
  expect(JSON.stringify(failed)).not.toContain(SECRET);
});

test('what a command leaves running does not hold up its password', async () => {
  const vault = new TempVault({ ...HOUSE });
  const fields = await KINDS.caldav?.();
  const pid = path.join(vault.home, 'pid');
  onTestFinished(() => void process.kill(Number(fs.readFileSync(pid, 'utf8')), 'SIGKILL'));
  const { failed } = await tried(
    fields ?? {},
    [scriptIn(vault, `echo ${SECRET}; sleep 600 & echo $! > ${pid}`)],
    vault,
  );
  expect(failed).toBeNull();
});

/** A vault with a source `good` that works, and `bad`, and the work on both. */
async function house(connectBad: Parameters<typeof askedSources>[1], command: readonly string[]) {
  const fields = { kind: 'imap', host: 'imap.example', user: 'anna@mail.example' };
  const notes = { 'source/good.md': sourceNote(fields), 'source/bad.md': sourceNote(fields) };
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), ...notes });
  const folder = path.join(vault.home, 'grants');
  const env = { ...LIVE, sourceGrants: folder, variables: { PATH: process.env.PATH } };
  const bench = await Bench.open(vault, { env });
  const file = grantsFile(vault.root, folder);
  allow(file, 'good', grantFor(fields));
  allow(file, 'bad', { ...grantFor(fields), passwordCommand: [...command] });
  const good = new ScriptedSource();
  const unexpected: unknown[] = [];
  const asked = askedSources(
    bench,
    async (...given) => (given[0].name === 'good' ? good.connector : connectBad(...given)),
    (error) => unexpected.push(error),
  );
  const standing = (name: string) => bench.status().sourceNotes.find((one) => one.name === name);
  return { vault, bench, good, ...asked, standing, unexpected };
}

test('one source whose command fails retries at its own pace while another keeps delivering', async () => {
  const command = ['/nowhere/print'];
  const { vault, bench, good, follow, drained, standing } = await house(loadSource, command);
  good.box.push(arrival('one', PAID_MAIL));
  const visited = good.next();
  await follow();
  await visited;
  await expect.poll(() => standing('bad')?.state).toBe('failing');
  expect(standing('bad')?.trouble).toMatchObject([
    { code: 'source-failing', message: expect.stringMatching(/was not found\.$/) },
  ]);
  expect(bench.remembered(SOURCES).bad?.failing).toMatchObject({ kind: 'setup', tries: 1 });
  good.box.push(arrival('two', PAID_MAIL.replace('Subject: ', 'Subject: Again, ')));
  const again = good.next();
  good.tell();
  await again;
  await drained();
  expect(vault.names('stream/good')).toHaveLength(2);
  expect(standing('good')).toMatchObject({ state: 'working', trouble: [] });
});

test.each([
  ['in connecting', async () => Promise.reject(new TypeError("Cannot read properties of undefined (reading 'stdin')"))],
  [
    'in a visit',
    async () => {
      const source = new ScriptedSource();
      source.visit = async () => JSON.parse(`{"password": ${SECRET}}`);
      return source.connector;
    },
  ],
] as const)('an error that nobody foresaw, %s, is a problem of that source alone', async (_, connect) => {
  const { good, follow, standing, unexpected, work } = await house(connect, ['/bin/true']);
  const visited = good.next();
  await follow();
  await visited;
  await expect.poll(() => standing('bad')?.state).toBe('failing');
  const [trouble] = standing('bad')?.trouble ?? [];
  expect(trouble?.message).toMatch(/^Steward met an unexpected error while it worked with this source \(\w+Error\)\.$/);
  expect(trouble?.message).not.toMatch(/cannot be kept/);
  expect(JSON.stringify(standing('bad'))).not.toContain(SECRET);
  expect(unexpected).toHaveLength(1);
  expect(standing('good')?.state).toBe('working');
  if (_ === 'in connecting')
    await expect(work.test('bad', null, never)).rejects.toMatchObject({ trouble: { code: 'source-fault' } });
});
