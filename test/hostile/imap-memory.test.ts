import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_FOLDER_MAILS, WINDOW_MAILS } from '../../src/sources/imap-fetch.ts';
import { passwordVariable } from '../../src/sources/source.ts';
import { allow, grantsFile } from '../../src/sources/source-note.ts';
import { type Started, startDaemon } from '../bench/processes/daemon.ts';
import { cpuMs, memoryMb, rested } from '../bench/processes/proc.ts';
import { grantFor, sourceNote } from '../sources/asked-sources.ts';
import { mailboxHouse, mailOf, openMailbox } from '../sources/mailbox-house.ts';
import type { MemoryInlet } from '../sources/memory-inlet.ts';
import { PASSWORD, ScriptedServer, USER } from '../sources/scripted-server.ts';
import { HOUSE, PAID_MAIL, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { attack } from './attack.ts';

const SERVER = { attacker: 'another program' } as const;
const FROM = 'anna@northgate.example';
const MANY = 1_100_000;
const MAX_MORE_MB = 50;

/** UIDs from a number on, as a server lists them: so many in one line. */
function* linesOfUids(count: number, inOneLine: number): Generator<string> {
  for (let at = 1; at <= count; at += inOneLine) {
    const uids = Array.from({ length: Math.min(inOneLine, count - at + 1) }, (_, nth) => at + nth);
    yield `* SEARCH ${uids.join(' ')}\r\n`;
  }
}

function answerWith(server: ScriptedServer, inOneLine: number): () => void {
  const lines = [...linesOfUids(MANY, inOneLine)].join('');
  return server.instead(/^UID SEARCH/, (_, { tag }) => `${lines}${tag} OK done\r\n`);
}

async function failureOf(server: ScriptedServer, inlet: MemoryInlet): Promise<unknown> {
  const session = await openMailbox(server, inlet);
  return await session.poll().catch((error: unknown) => error);
}

for (const [how, inOneLine] of [
  ['in one line', MANY],
  ['in lines of five thousand', 5000],
  ['in lines of one', 1],
] as const) {
  attack(
    {
      ...SERVER,
      means: `a mail server that answers a search with 1.1 million UIDs ${how}`,
      loss: 'the memory of the machine, and the stack',
      defence: 'a search asks for a range, and an answer that is far larger ends the connection',
    },
    async () => {
      const { server, inlet } = await mailboxHouse();
      server.folder().add(mailOf(FROM, 'one'));
      const stop = answerWith(server, inOneLine);
      expect(await failureOf(server, inlet)).toMatchObject({ kind: 'strange' });
      expect(inlet.at).toBeNull();
      stop();
      expect(await failureOf(server, inlet)).toEqual([]);
      expect(inlet.texts()).toHaveLength(1);
    },
  );
}

attack(
  {
    ...SERVER,
    means: 'a mail server that says that there are two thousand million mails, and answers with a range of all UIDs',
    loss: 'the range is written out in memory',
    defence: 'such a folder is a problem, and is not searched; nor when the number grows while it is open',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    const exists = '* 2000000000 EXISTS\r\n';
    const all = (tag: string) => `* ESEARCH (TAG "${tag}") UID ALL 1:4294967295\r\n${tag} OK done\r\n`;
    server.folder().add(mailOf(FROM, 'one'));
    const stop = server.instead(/^EXAMINE/, (regular) =>
      Buffer.from(regular.toString().replace('* 1 EXISTS\r\n', exists)),
    );
    const tooMany = expect.stringContaining('more than 2 million mails');
    expect(await failureOf(server, inlet)).toEqual([{ message: tooMany, hint: expect.any(String) }]);
    expect(server.commands.filter((command) => command.startsWith('UID SEARCH'))).toEqual([]);
    stop();
    server.instead(/^UID SEARCH/, (_, { tag }) => `${exists}${all(tag)}`);
    expect(await failureOf(server, inlet)).toMatchObject({ kind: 'strange' });
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that gives the mails at all positions the same UID, or answers none of them',
    loss: 'the folder is searched without end',
    defence: 'there are at most as many searches as ranges in the number of mails',
  },
  async () => {
    const { server, inlet } = await mailboxHouse();
    server.instead(/^EXAMINE/, (regular) =>
      Buffer.from(regular.toString().replace('* 0 EXISTS', `* ${MAX_FOLDER_MAILS} EXISTS`)),
    );
    const searches = () => server.commands.filter((command) => command.startsWith('UID SEARCH')).length;
    const stop = server.instead(/^FETCH/, (_, { tag, command }) => {
      const [, position] = command.split(' ');
      return `* ${position} FETCH (UID 7)\r\n${tag} OK done\r\n`;
    });
    expect(await failureOf(server, inlet)).toEqual([]);
    expect(searches()).toBeLessThan(3);
    stop();
    server.instead(/^FETCH/, (_, { tag }) => `${tag} OK done\r\n`);
    expect(await failureOf(server, inlet)).toEqual([]);
    expect(searches()).toBeLessThan(5);
  },
);

test('a folder of 1.1 million mails is read in ranges of UIDs, and only the new ones are fetched', async () => {
  const { server, inlet } = await mailboxHouse();
  const folder = server.folder();
  // One mail of three is gone.
  const uidAt = (position: number) => position * 3;
  const news = [MANY - 5, MANY].map(uidAt);
  folder.next = uidAt(MANY) + 1;
  folder.mails = news.map((uid) => ({ uid, at: new Date(), bytes: Buffer.from(mailOf(FROM, `mail ${uid}`)) }));
  const old = { ...folder, status: folder.status.bind(folder), opening: folder.opening.bind(folder) };
  folder.status = (...given) => old.status(...given).replace(/MESSAGES \d+/, `MESSAGES ${MANY}`);
  folder.opening = () => old.opening().replace(/\d+ EXISTS/, `${MANY} EXISTS`);
  server.instead(/^FETCH/, (_, { tag, command }) => {
    const position = Number(command.split(' ')[1]);
    return `* ${position} FETCH (UID ${uidAt(position)})\r\n${tag} OK done\r\n`;
  });
  expect(await failureOf(server, inlet)).toEqual([]);
  expect(inlet.texts()).toHaveLength(2);
  const searches = server.commands.filter((command) => command.startsWith('UID SEARCH'));
  expect(searches).toHaveLength(MANY / WINDOW_MAILS);
  expect(searches[0]).toContain(`UID 1:${uidAt(WINDOW_MAILS)}`);
  // What is new afterwards takes one search.
  server.commands.length = 0;
  folder.mails.push({ uid: uidAt(MANY) + 1, at: new Date(), bytes: Buffer.from(mailOf(FROM, 'the newest')) });
  folder.next += 1;
  expect(await failureOf(server, inlet)).toEqual([]);
  expect(inlet.texts()).toHaveLength(3);
  expect(server.commands.filter((command) => command.startsWith('UID SEARCH'))).toHaveLength(1);
});

/** A daemon that reads a mailbox of the server, in a process of its own. */
async function daemonOn(server: ScriptedServer): Promise<{ daemon: Started; vault: TempVault }> {
  const fields = { kind: 'imap', host: '127.0.0.1', port: server.port, security: 'none', user: USER, every: '1m' };
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'source/box.md': sourceNote(fields) });
  const state = path.join(vault.home, 'state', 'vault-steward', 'sources');
  allow(grantsFile(vault.root, state), 'box', grantFor(fields));
  const daemon = await startDaemon(vault.home, vault.root, { [passwordVariable('box')]: PASSWORD });
  onTestFinished(() => daemon.kill());
  return { daemon, vault };
}

function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

attack(
  {
    ...SERVER,
    means: 'a mail server that floods a daemon that listens with news of mails, and then answers with 1.1 million UIDs',
    loss: 'the memory of the machine, and all else that the daemon does',
    defence: 'measured from outside: at most 50 MB more than at rest; the daemon goes on',
  },
  async () => {
    const server = await ScriptedServer.start();
    server.folder().add(mailOf(FROM, '[[pay]] one', 'Hello [[pay]]'));
    const { daemon, vault } = await daemonOn(server);
    await daemon.heard((said) => said.includes('"code":"fetched"'));
    await expect.poll(() => server.commands.at(-1), { timeout: 30_000 }).toBe('IDLE');
    await rested(daemon.pid);
    const rest = memoryMb(daemon.pid).rss;
    fs.writeFileSync(`/proc/${daemon.pid}/clear_refs`, '5'); // the peak is counted from now on
    const before = cpuMs(daemon.pid);
    server.folder().add(mailOf(FROM, '[[pay]] two'));
    answerWith(server, 5000);
    server.say(Array.from({ length: 100_000 }, (_, nth) => `* ${nth + 2} EXISTS\r\n`).join(''));
    await expect.poll(() => server.connections(), { timeout: 30_000 }).toBe(0);
    await expect.poll(() => server.commands.at(-1), { timeout: 60_000 }).toMatch(/^UID SEARCH/);
    await expect.poll(() => server.connections(), { timeout: 30_000 }).toBe(0);
    expect(peakMb(daemon.pid) - rest).toBeLessThan(MAX_MORE_MB);
    expect(cpuMs(daemon.pid) - before).toBeLessThan(2500);
    vault.write('stream/paid.eml', PAID_MAIL, 0);
    await expect.poll(() => vault.names('signal'), { timeout: 60_000 }).toHaveLength(1);
  },
);

attack(
  {
    ...SERVER,
    means: 'a mail server that says ten times a second for a minute that there is a new mail, and has none',
    loss: 'a processor, day and night',
    defence: 'measured from outside: at most 1 % of a processor, and 50 MB more than at rest',
  },
  async () => {
    const server = await ScriptedServer.start();
    server.folder().add(mailOf(FROM, '[[pay]] one', 'Hello [[pay]]'));
    const { daemon } = await daemonOn(server);
    await daemon.heard((said) => said.includes('"code":"fetched"'));
    await expect.poll(() => server.commands.at(-1), { timeout: 30_000 }).toBe('IDLE');
    await rested(daemon.pid);
    const rest = memoryMb(daemon.pid).rss;
    fs.writeFileSync(`/proc/${daemon.pid}/clear_refs`, '5');
    let count = 1;
    const drip = setInterval(() => {
      count += 1;
      server.say(`* ${count} EXISTS\r\n`);
    }, 100);
    onTestFinished(() => clearInterval(drip));
    // The pause after false news has grown by then.
    await passed(20_000);
    const [before, began] = [cpuMs(daemon.pid), performance.now()];
    await passed(40_000);
    const share = (cpuMs(daemon.pid) - before) / (performance.now() - began);
    expect(share).toBeLessThan(0.01);
    expect(peakMb(daemon.pid) - rest).toBeLessThan(MAX_MORE_MB);
  },
);

async function passed(ms: number): Promise<void> {
  const began = performance.now();
  await expect.poll(() => performance.now() - began, { timeout: 2 * ms, interval: 1000 }).toBeGreaterThan(ms);
}
