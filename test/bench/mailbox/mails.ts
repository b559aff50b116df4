import fs from 'node:fs';
import path from 'node:path';
import { numberedMail } from '../../support/mailbox.ts';
import { ANNA } from '../../support/own-signal.ts';
import { atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { Samples } from '../figures/samples.ts';
import { child } from '../processes/child.ts';
import { startDaemon } from '../processes/daemon.ts';
import { cpuMs, rested } from '../processes/proc.ts';
import { taskPath } from '../vault.ts';
import type { Bench } from '../vaults.ts';

const OPEN_TASKS = 100;
const MAX_RATIO = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Took {
  readonly ms: number;
  readonly cpu: number;
}

/** Mails of which each says something of a task, dropped into a live vault until all are read; compared with parsing each and writing one synced file. */
export async function measureMails(bench: Bench): Promise<Row[]> {
  const { home, isQuick, vaults } = bench;
  const mails = isQuick ? 100 : 500;
  const vault = vaults.named('mails', { matters: 6, tasks: 125, signals: 0, events: 0, others: 869 });
  const daemon = await startDaemon(home, vault);
  await rested(daemon.pid);
  const [ours, floor]: [Took[], Took[]] = [[], []];
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
    const folder = path.join(home, `mails-${round}`);
    makeMails(folder, mails, round);
    floor.push(child<Took>(home, 'peers/parse-mails.ts', folder));
    const [before, cpu] = [performance.now(), cpuMs(daemon.pid)];
    fs.renameSync(folder, path.join(vault, 'stream', `box-${round}`));
    await daemon.heard((said) => readOf(said, round) === mails);
    ours.push({ ms: performance.now() - before, cpu: cpuMs(daemon.pid) - cpu });
  }
  await daemon.stop();
  const each = (all: readonly Took[], kind: keyof Took) => new Samples(all.map((one) => one[kind] / mails));
  const row = (id: string, what: string, kind: keyof Took) => ({
    ...{ id, what, measured: each(ours, kind) },
    floor: { of: 'postal-mime and a synced file', samples: each(floor, kind) },
  });
  return [
    rowOf({
      ...row('mails', `a mail read and evaluated by the rules, ${mails} at once`, 'ms'),
      aim: atMostTimes(MAX_RATIO),
    }),
    rowOf(row('mails.cpu', '… processor time', 'cpu')),
  ];
}

/** How many mails of a round a daemon says that it has read. */
function readOf(said: string, round: number): number {
  return said.split(`"code":"stream-read","file":"stream/box-${round}/`).length - 1;
}

function makeMails(folder: string, mails: number, round: number): void {
  fs.mkdirSync(folder);
  for (let nth = 0; nth < mails; nth += 1) {
    const number = round * mails + nth;
    const open = number % OPEN_TASKS;
    const task = path.posix.basename(taskPath(Math.floor(open / 4) * 5 + (open % 4)), '.md');
    const due = new Date(Date.now() + (30 + (number % 300)) * DAY_MS).toISOString().slice(0, 10);
    const mail = numberedMail(number, Date.now() - DAY_MS)
      .replace(/^From: .*$/m, `From: Anna Sample <${ANNA}>`)
      .replace(/^Subject: .*$/m, `Subject: ${task}`)
      .replaceAll(/this is letter \d+\./g, `the due date of [[${task}]] has moved: it is now due on ${due}.`);
    fs.writeFileSync(path.join(folder, `${nth}.eml`), mail);
  }
}
