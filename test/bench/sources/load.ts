import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { numberedMail } from '../../support/mailbox.ts';
import { ms, progress, type Row, startDaemon, times } from '../measure.ts';
import { makeVault } from '../vault.ts';
import { BOXES, connect, type Servers, startServers } from './connected.ts';
import { connections, cpuMs, rested, rssMb } from './running.ts';

const NOTES = 1_000;
const HOUR_S = 3_600;

/** 12: ten mailboxes and five calendars on one vault, beside a vault without any. */
export async function measureSources(home: string, mails: number, idleSeconds: number): Promise<Row[]> {
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
    const memory = [rssMb(none.pid), rssMb(all.pid)] as const;
    const held = [connections(all.pid, servers.mail.port), connections(all.pid, servers.calendars.port)] as const;
    return [
      {
        what: '12 processor time of an idle hour, 15 sources asked each minute',
        measured: ms(hour(cpu[1])),
        floor: `no sources ${ms(hour(cpu[0]))}`,
        ratio: times(cpu[1] / cpu[0]),
        aim: '',
        met: null,
      },
      {
        what: '   … memory',
        measured: `${memory[1].toFixed(0)} MB`,
        floor: `no sources ${memory[0].toFixed(0)} MB`,
        ratio: times(memory[1] / memory[0]),
        aim: '≤ 40 MB more',
        met: memory[1] - memory[0] <= 40,
      },
      {
        what: '   … connections held to 10 mailboxes and 5 calendars',
        measured: `${held[0]} and ${held[1]}`,
        floor: '10 and 0',
        ratio: '',
        aim: 'no more',
        met: held[0] <= BOXES.length && held[1] === 0,
      },
    ];
  } finally {
    await Promise.all([none.stop(), all.stop()]);
  }
}

/** What a mail costs that a source brings, and one that is dropped as a file; all are about something in the vault, or none. */
async function busy(home: string, mails: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ['about the vault', 'about other things'] as const) {
    progress(`measuring 12: ${mails} mails ${kind} …`);
    const texts = Array.from({ length: mails }, (_, nth) => mailOf(nth, kind));
    const dropped = await dropping(home, path.join(home, `dropped ${kind}`), texts);
    const { cpu, taken } = await withServers((servers) =>
      fetching(home, path.join(home, `fetched ${kind}`), texts, servers),
    );
    rows.push({
      what: `   … processor time of a mail ${kind}, ${mails} in 10 mailboxes, ${taken} fetched whole`,
      measured: ms(cpu / mails),
      floor: `dropped as a file ${ms(dropped / mails)}`,
      ratio: times(cpu / dropped),
      aim: '≤ 2 ×',
      met: cpu <= 2 * dropped,
    });
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
  const said = [...daemon.said().matchAll(/fetched\S* box-\d: (\d[\d\s]*) new things?, (none|\d+)/g)];
  const seen = said.reduce((sum, [, count]) => sum + Number(count), 0);
  if (seen < texts.length) throw new Error(`${seen} of ${texts.length} mails were brought`);
  return { cpu, taken: said.reduce((sum, [, , count]) => sum + (count === 'none' ? 0 : Number(count)), 0) };
}

function mailOf(nth: number, kind: 'about the vault' | 'about other things'): string {
  const mail = numberedMail(nth, Date.now() - 3_600_000).replace(/^Message-ID: </m, `Message-ID: <${kind.length}-`);
  return kind === 'about other things'
    ? mail
    : mail.replace(/^Subject: .*$/m, `Subject: Contract notary survey ${nth}`);
}
