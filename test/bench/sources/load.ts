import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { dovecotHere } from '../../servers/dovecot.ts';
import { radicaleHere } from '../../servers/radicale.ts';
import { numberedMail } from '../../support/mailbox.ts';
import { absent, atMostTimes, onceRow, type Row } from '../figures/row.ts';
import { startDaemon } from '../processes/daemon.ts';
import { progress } from '../processes/folder.ts';
import { connections, cpuMs, memoryMb, rested } from '../processes/proc.ts';
import { makeVault } from '../vault.ts';
import type { Bench } from '../vaults.ts';
import { BOXES, connect, type Servers, startServers } from './connected.ts';

const NOTES = 1_000;
const HOUR_S = 3_600;
const MAX_MORE_MB = 40;
const MAX_RATIO = 2;
/** A line of the daemon's log about a source that brought something. */
const FETCHED = z.object({ source: z.string(), seen: z.number(), taken: z.number() });

/** Ten mailboxes and five calendars on one vault, beside a vault without any. */
export async function measureSources({ home, isQuick }: Bench): Promise<Row[]> {
  const what = '15 sources on one vault';
  if (!dovecotHere() || !radicaleHere()) return [absent('sources', what, 'Dovecot or Radicale is not installed')];
  const [mails, idleSeconds] = isQuick ? [30, 30] : [500, 120];
  const found = await withServers((servers) => idle(home, servers, idleSeconds));
  return [...found, ...(await busy(home, mails))];
}

/** Other servers each time: what lies in the mailboxes already would be brought as well. */
async function withServers<Result>(work: (servers: Servers) => Promise<Result>): Promise<Result> {
  const servers = await startServers();
  try {
    return await work(servers);
  } finally {
    await servers.stop();
  }
}

/** Idle daemons that are asked as often as a person can set it, and the same without sources. */
async function idle(home: string, servers: Servers, seconds: number): Promise<Row[]> {
  const [alone, connected] = [path.join(home, 'alone'), path.join(home, 'connected')];
  for (const root of [alone, connected]) makeVault(root, NOTES);
  const env = connect(connected, path.join(home, 'state'), servers, '1m');
  const [none, all] = [await startDaemon(home, alone), await startDaemon(home, connected, env)];
  try {
    for (const { pid } of [none, all]) await rested(pid, 20_000);
    const before = [cpuMs(none.pid), cpuMs(all.pid)] as const;
    await wait(seconds * 1000);
    const cpu = [cpuMs(none.pid) - before[0], cpuMs(all.pid) - before[1]] as const;
    const hour = (used: number) => (used * HOUR_S) / seconds;
    const memory = [memoryMb(none.pid).rss, memoryMb(all.pid).rss] as const;
    const mailboxes = connections(all.pid, servers.mail.port);
    const calendars = connections(all.pid, servers.calendars.port);
    return [
      onceRow('sources.cpu', 'processor time of an idle hour, 15 sources asked each minute', hour(cpu[1]), {
        floor: { of: 'no sources', value: hour(cpu[0]) },
      }),
      onceRow('sources.memory', '… memory', memory[1], {
        floor: { of: 'no sources', value: memory[0] },
        ...{ unit: 'MB', aim: { of: 'difference', atMost: MAX_MORE_MB } },
      }),
      onceRow('sources.mailboxes', '… connections held to mailboxes', mailboxes, {
        floor: { of: 'mailboxes', value: BOXES.length },
        ...{ unit: '', aim: { of: 'difference', atMost: 0 } },
      }),
      onceRow('sources.calendars', '… connections held to calendars', calendars, {
        ...{ unit: '', aim: { of: 'value', atMost: 0 } },
      }),
    ];
  } finally {
    await Promise.all([none.stop(), all.stop()]);
  }
}

/** What a mail costs that a source brings, and one that is dropped as a file; all are about something in the vault, or none. */
async function busy(home: string, mails: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ['about the vault', 'about other things'] as const) {
    progress(`measuring sources: ${mails} mails ${kind} …`);
    const texts = Array.from({ length: mails }, (_, nth) => mailOf(nth, kind));
    const dropped = await dropping(home, path.join(home, `dropped ${kind}`), texts);
    const { cpu, taken } = await withServers((servers) =>
      fetching(home, path.join(home, `fetched ${kind}`), texts, servers),
    );
    const what = `… processor time of a mail ${kind}, ${mails} in 10 mailboxes, ${taken} fetched whole`;
    rows.push(
      onceRow(`sources.${kind === 'about the vault' ? 'about' : 'other'}`, what, cpu / mails, {
        floor: { of: 'dropped as a file', value: dropped / mails },
        aim: atMostTimes(MAX_RATIO),
      }),
    );
  }
  return rows;
}

async function dropping(home: string, root: string, texts: readonly string[]): Promise<number> {
  makeVault(root, NOTES);
  const daemon = await startDaemon(home, root);
  await rested(daemon.pid);
  const before = cpuMs(daemon.pid);
  const folder = path.join(root, 'stream', 'box');
  fs.mkdirSync(folder, { recursive: true });
  for (const [nth, text] of texts.entries()) fs.writeFileSync(path.join(folder, `${nth}.eml`), text);
  await rested(daemon.pid, 5_000);
  const used = cpuMs(daemon.pid) - before;
  await daemon.stop();
  return used;
}

async function fetching(home: string, root: string, texts: readonly string[], servers: Servers) {
  makeVault(root, NOTES);
  const env = connect(root, path.join(home, 'state'), servers, '1h');
  const daemon = await startDaemon(home, root, env);
  await rested(daemon.pid, 5_000);
  const before = cpuMs(daemon.pid);
  for (const [nth, text] of texts.entries()) {
    servers.mail.maildir(BOXES[nth % BOXES.length]).lay([{ bytes: text, at: Date.now() }]);
  }
  await rested(daemon.pid, 10_000);
  const cpu = cpuMs(daemon.pid) - before;
  await daemon.stop();
  const said = daemon
    .said()
    .split('\n')
    .filter((line) => line.includes('"code":"fetched"'));
  const fetched = said.map((line) => FETCHED.parse(JSON.parse(line))).filter(({ source }) => BOXES.includes(source));
  const seen = fetched.reduce((sum, one) => sum + one.seen, 0);
  if (seen < texts.length) throw new Error(`${seen} of ${texts.length} mails were brought`);
  return { cpu, taken: fetched.reduce((sum, one) => sum + one.taken, 0) };
}

function mailOf(nth: number, kind: 'about the vault' | 'about other things'): string {
  const mail = numberedMail(nth, Date.now() - 3_600_000).replace(/^Message-ID: </m, `Message-ID: <${kind.length}-`);
  return kind === 'about other things'
    ? mail
    : mail.replace(/^Subject: .*$/m, `Subject: Contract notary survey ${nth}`);
}
