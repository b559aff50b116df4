import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { numberedMail } from '../../support/mailbox.ts';
import { type Aim, type Row, rowOf } from '../figures/row.ts';
import { Samples } from '../figures/samples.ts';
import { type Started, startDaemon } from '../processes/daemon.ts';
import { rested } from '../processes/proc.ts';
import { taskPath } from '../vault.ts';
import type { Bench } from '../vaults.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** People notice a tenth of a second; a mail that comes after a start may take a little longer. */
const AIMS = { later: 60, first: 150 } as const;
const aimOf = (atMost: number): Aim => ({ of: 'value', atMost });

/** From a mail that is moved into the vault until its signal is on disk. */
export async function measureDrop({ home, isQuick, vaults }: Bench): Promise<Row[]> {
  const size = isQuick ? 1_000 : 10_000;
  const [starts, mails] = isQuick ? [1, 4] : [7, 8];
  const vault = vaults.named('drop', size);
  const taken = { first: [] as number[], later: [] as number[] };
  let nth = 0;
  for (let start = 0; start < starts; start += 1) {
    const daemon = await startDaemon(home, vault);
    await rested(daemon.pid);
    for (let mail = 0; mail < mails; mail += 1, nth += 1) {
      taken[mail === 0 ? 'first' : 'later'].push(await dropped(daemon, vault, nth));
      await wait(1000); // one second apart
    }
    await daemon.stop();
  }
  const row = (id: keyof typeof taken, what: string) =>
    rowOf({ id: `drop.${id}`, what, measured: new Samples(taken[id]), aim: aimOf(AIMS[id]) });
  const notes = `${size.toLocaleString('en')} notes`;
  return [
    row('later', `a mail moved into the vault → its signal, one a second, ${notes}`),
    row('first', '… the first after a start'),
  ];
}

/**
 * Delivers a mail about an open task as mail programs do: written, synced, then moved into the vault. Returns how long
 * its signal took (ms).
 */
async function dropped(daemon: Started, vault: string, nth: number): Promise<number> {
  const file = `stream/drop-${nth}.eml`;
  const part = path.join(vault, '.part');
  fs.writeFileSync(part, mailAbout(nth), { flush: true });
  const before = performance.now();
  fs.renameSync(part, path.join(vault, file));
  await daemon.heard((said) => said.includes(`"code":"stream-read","file":"${file}"`));
  const took = performance.now() - before;
  if (!daemon.said().includes(`"file":"${file}","signals":1`)) throw new Error(`${file} gave no signal`);
  return took;
}

function mailAbout(nth: number): string {
  const task = path.posix.basename(taskPath(nth * 5), '.md');
  const due = new Date(Date.now() + (30 + nth) * DAY_MS).toISOString().slice(0, 10);
  return numberedMail(nth, Date.now() - DAY_MS)
    .replace(/^Subject: .*$/m, `Subject: ${task}`)
    .replaceAll(/this is letter \d+\./g, `the due date of [[${task}]] has moved: it is now due on ${due}.`);
}
